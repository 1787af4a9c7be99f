"""Small builders that many tests share."""

import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import pytest

from rankgate.core.catalog import Scale, parse_measure
from rankgate.core.judgments import GoldenSet, Query
from rankgate.core.rankings import Failure, Ranking, Run
from rankgate.core.scoring import Scores, score
from rankgate.files.formats.trec_lines import stream_qrels, text

#: Public collections with human judgments; they lie beside a developer's checkout and are not shipped.
COLLECTIONS: Final = Path(__file__).parents[2] / "shared" / "data"

needs_collections = pytest.mark.skipif(
    not COLLECTIONS.is_dir(), reason="the public test collections do not lie beside this checkout"
)


def query(query_id: str = "q", /, judgments: Mapping[str, int] | None = None, **rest: object) -> Query:
    """A golden query whose text is its id."""
    known: dict[str, object] = {"text": query_id, "judgments": {"a": 1} if judgments is None else judgments}
    return Query(query_id, **(known | rest))  # type: ignore[arg-type]  # a builder for tests only


def golden(*queries: Query, scale: Scale | None = None) -> GoldenSet:
    """A golden set of *queries*, sorted by id."""
    return GoldenSet(tuple(sorted(queries, key=lambda query: query.id)), scale or Scale())


def run(
    rankings: Mapping[str, Iterable[str]],
    *,
    failures: Mapping[str, Failure] | None = None,
    depth: int = 50,
    texts: Mapping[str, str] | None = None,
) -> Run:
    """A run whose rankings are given as lists of ids."""
    asked = {query_id: Ranking.of(ids) for query_id, ids in rankings.items()}
    known = {query_id: query_id for query_id in (*asked, *(failures or {}))}
    return Run(depth, asked, failures or {}, known | dict(texts or {}))


def value(
    name: str,
    judgments: Mapping[str, int],
    ranking: Iterable[str],
    scale: Scale | None = None,
) -> float | None:
    """The value of the measure *name* for one query; None when it is undefined."""
    scale = scale or Scale(lowest=-5, highest=10)
    measure = parse_measure(name, scale)
    scores: Scores = score([query("q", judgments)], run({"q": ranking}), [measure], scale.relevant_from)
    return scores.value(measure, "q")


def read_qrels(content: str, path: str) -> dict[str, dict[str, int]]:
    """Read judgments whole, ids as text."""
    return {
        text(query): {text(document): grade for document, grade in grades.items()}
        for query, grades in stream_qrels(io.BytesIO(content.encode()), path).items()
    }


def queries_of(judgments: Mapping[str, Mapping[str, int]]) -> tuple[Query, ...]:
    """Golden queries of TREC judgments, sorted by id."""
    return tuple(query(query_id, judgments[query_id]) for query_id in sorted(judgments))
