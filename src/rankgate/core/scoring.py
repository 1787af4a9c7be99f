"""Values per query and their means, with what could not be measured kept apart."""

import math
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankgate.core.alignment import Aligned, BoolArray, FloatArray, assemble, grades_by_rank
from rankgate.core.catalog import Measure
from rankgate.core.evaluation import evaluate
from rankgate.core.judgments import Query
from rankgate.core.measures import mean
from rankgate.core.rankings import Run

FIRST = 1


@dataclass(frozen=True, slots=True)
class Interval:
    """From the worst to the best that a number can be, given the queries that were not measured."""

    low: float
    high: float

    @property
    def known(self) -> bool:
        """Whether it is one number."""
        return self.low == self.high

    def minus(self, other: "Interval") -> "Interval":
        """Every difference that the two intervals allow."""
        return Interval(self.low - other.high, self.high - other.low)


@dataclass(frozen=True)
class Scores:
    """The values of a run under today's judgments.

    Attributes:
        query_ids: Q ids in a fixed order; queries that expect nothing are not among them.
        values: Shape (Q,) by measure; NaN where the measure is undefined or the query failed.
        failed: Shape (Q,).
        first_relevant: Shape (Q,). The first document is relevant, by the scale of the set.
        empty: Shape (Q,). The service answered with nothing.
    """

    query_ids: tuple[str, ...]
    values: Mapping[Measure, FloatArray]
    failed: BoolArray
    first_relevant: BoolArray
    empty: BoolArray

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """The position of each query."""
        return {query_id: row for row, query_id in enumerate(self.query_ids)}

    def value(self, measure: Measure, query_id: str) -> float | None:
        """The value for one query; None when it is undefined or was not measured."""
        value = float(self.values[measure][self.rows[query_id]])
        return None if math.isnan(value) else value


def score(queries: Sequence[Query], run: Run, measures: Collection[Measure], relevant_from: int) -> Scores:
    """Score *run* against the judgments of *queries*, in their order."""
    aligned = align(queries, run)
    first = evaluate(Measure("P", FIRST, relevant_from), aligned)
    return Scores(
        query_ids=aligned.query_ids,
        values={measure: evaluate(measure, aligned) for measure in measures},
        failed=aligned.failed,
        first_relevant=first > 0,
        empty=_empty(aligned),
    )


def align(queries: Sequence[Query], run: Run) -> Aligned:
    """Lay the judgments of *queries* beside the rankings of *run*; a query that *run* lacks counts as failed."""
    rankings = [run.rankings.get(query.id) for query in queries]
    return assemble(
        [query.id for query in queries],
        [query.judgments for query in queries],
        [
            grades_by_rank(query.judgments, each.ids) if each else b""
            for query, each in zip(queries, rankings, strict=True)
        ],
        failed=[ranking is None for ranking in rankings],
    )


def _empty(aligned: Aligned) -> BoolArray:
    empty: BoolArray = (aligned.returned == 0) & ~aligned.failed
    return empty


def mean_bounds(values: FloatArray, failed: BoolArray, high: float) -> Interval:
    """The least and the greatest mean: the failed queries at either end of the range of a measure, 0 and *high*."""
    return Interval(mean(np.where(failed, 0.0, values)), mean(np.where(failed, high, values)))


@dataclass(frozen=True, slots=True)
class Twin:
    """A returned id that looks like a judged one and is not: they differ only in Unicode normalisation."""

    query_id: str
    returned: str
    judged: str


def normalisation_twins(queries: Sequence[Query], run: Run) -> tuple[Twin, ...]:
    """Find returned ids that would match a judgment if both were normalised; they are never made to match."""
    twins: list[Twin] = []
    for query in queries:
        ranking = run.rankings.get(query.id)
        judged = {unicodedata.normalize("NFC", document): document for document in query.judgments}
        for document in ranking.ids if ranking else ():
            if document.isascii() or document in query.judgments:
                continue
            twin = judged.get(unicodedata.normalize("NFC", document))
            if twin is not None:
                twins.append(Twin(query.id, document, twin))
    return tuple(twins)
