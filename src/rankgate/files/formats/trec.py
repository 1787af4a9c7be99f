"""TREC's files as the domain's values: a run, judgments, golden queries."""

import io
from collections.abc import Mapping

from rankgate.core.judgments import Query
from rankgate.core.rankings import Ranking, Run
from rankgate.files.formats.trec_lines import Answer, merge, stream_qrels, stream_run, text, trec_order


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


def read_qrels(content: str, path: str) -> dict[str, dict[str, int]]:
    """Read judgments whole, ids as text."""
    return {
        text(query): {text(document): grade for document, grade in grades.items()}
        for query, grades in stream_qrels(io.BytesIO(content.encode()), path).items()
    }


def queries_of(judgments: Mapping[str, Mapping[str, int]], texts: Mapping[str, str] | None = None) -> tuple[Query, ...]:
    """Golden queries of TREC judgments, sorted by id."""
    return tuple(
        Query(query_id, text=(texts or {}).get(query_id, query_id), judgments=judgments[query_id])
        for query_id in sorted(judgments)
    )
