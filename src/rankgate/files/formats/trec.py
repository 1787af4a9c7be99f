"""A run in TREC's form as the domain's value."""

import io

from rankgate.core.rankings import Ranking, Run
from rankgate.files.formats.trec_lines import Answer, merge, stream_run, text, trec_order


def read_run(content: str, path: str) -> Run:
    """Read a run whole; its depth is unknown (0), for the form does not say how many documents were asked for."""
    answers: dict[bytes, Answer] = {}
    for answer in stream_run(io.BytesIO(content.encode()), path):
        merge(answers, answer, path)
    rankings = {
        text(query): Ranking(tuple(map(text, trec_order(answer.documents, answer.scores))))
        for query, answer in answers.items()
    }
    return Run(depth=0, rankings=rankings)
