"""Holes: the results that nobody judged, how far judging could move each measure, and in which order to label them.

Unjudged results count as not relevant, which punishes a service that retrieves differently from the one that was
judged. So each compared measure gets the range that judging could move it through. ``turning`` says what that means
for a broken limit.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from rankgate.core.alignment import Aligned, BoolArray, FloatArray
from rankgate.core.attainable import Side, combine, is_bounded
from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison
from rankgate.core.evaluation import evaluate
from rankgate.core.extremes import FirstRelevant, Fraction
from rankgate.core.judgments import ALL
from rankgate.core.measures import mean
from rankgate.core.scoring import align

#: The weights of candidate and baseline in what is asked: each alone, and the change.
CANDIDATE: Final = (1.0, 0.0)
BASELINE: Final = (0.0, 1.0)
CHANGE: Final = (1.0, -1.0)


@dataclass(frozen=True, slots=True)
class Attainable:
    """A mean over queries, and what judging the holes could make of it; all in points of the measure.

    Attributes:
        irrelevant: With all holes not relevant, as they count today.
        top: With all holes of the top grade. That raises R and the ideal ranking too, so it need not be the best.
        least: The least over all gradings of the holes.
        greatest: The greatest over all gradings of the holes.
    """

    irrelevant: float
    top: float
    least: float
    greatest: float


@dataclass(frozen=True, slots=True)
class HoleRange:
    """How far judging could move one measure on one slice, over the compared queries that were measured on both sides.

    Attributes:
        queries: How many of them have a value today; judging may give a value to more.
        holes: How many unjudged documents either side returned for them within the cutoff.
        candidate: Without a baseline, over all measured queries of the slice.
        baseline: None without a baseline.
        change: Of candidate - baseline, where a document has one grade on both sides; None without a baseline.
    """

    measure: Measure
    slice: str
    queries: int
    holes: int
    candidate: Attainable
    baseline: Attainable | None = None
    change: Attainable | None = None


@dataclass(frozen=True, slots=True)
class JudgedShare:
    """Mean ``Judged@k`` at the cutoff of a measure, over the queries of its ``HoleRange``.

    Attributes:
        cutoff: k; 0 where the measure has none and everything returned counts.
        candidate: From 0 to 1; None where nothing was returned.
        baseline: From 0 to 1; None where nothing was returned and without a baseline.
    """

    cutoff: int
    candidate: float | None
    baseline: float | None = None


@dataclass(frozen=True, slots=True)
class Hole:
    """An unjudged document of one query, and how much hangs on it.

    Attributes:
        potential: How far the judging of this document alone could bring the mean towards its limit, at the most; in
            points of the measure, 0 or more.
        baseline_rank: None when the baseline did not return it.
        candidate_rank: None when the candidate did not return it.
    """

    query_id: str
    document: str
    potential: float
    baseline_rank: int | None
    candidate_rank: int | None


@dataclass(frozen=True)
class Holes:
    """The holes of a comparison; made on first use, for a gate that passes need not ask."""

    comparison: Comparison

    @cached_property
    def aligned(self) -> tuple[Aligned, ...]:
        """The candidate, then the baseline where there is one; rows as in the comparison."""
        reference = self.comparison.reference
        runs = (self.comparison.run,) if reference is None else (self.comparison.run, reference.run)
        return tuple(align(self.comparison.golden.judged, run) for run in runs)

    @cached_property
    def _ranks(self) -> tuple[tuple[dict[str, int], ...], ...]:
        """For each query and side, the rank of each unjudged document; a query that is not compared has one side."""
        reference, asked = self.comparison.reference, self.comparison.run.rankings
        found = []
        for query, comparable in zip(self.comparison.golden.judged, self.comparison.comparable, strict=True):
            rankings = [asked.get(query.id)]
            if reference is not None:
                rankings.append(reference.run.rankings.get(query.id) if comparable else None)
            found.append(
                tuple(
                    {
                        document: rank
                        for rank, document in enumerate(ranking.ids if ranking else (), start=1)
                        if document not in query.judgments
                    }
                    for ranking in rankings
                )
            )
        return tuple(found)

    @cached_property
    def documents(self) -> tuple[tuple[str, ...], ...]:
        """The holes of each query at any rank, in the order of the columns of everything that is computed of them."""
        return tuple(tuple(dict.fromkeys(document for side in sides for document in side)) for sides in self._ranks)

    @cached_property
    def _sides(self) -> tuple[Side, ...]:
        width = max(map(len, self.documents), default=0)
        sides = []
        for number, aligned in enumerate(self.aligned):
            ranks = np.zeros((len(self.documents), width), dtype=np.int64)
            for row, documents in enumerate(self.documents):
                ranks[row, : len(documents)] = [self._ranks[row][number].get(document, 0) for document in documents]
            sides.append(Side(aligned.grades, ranks))
        return tuple(sides)

    def combined(self, measure: Measure, weights: Sequence[float]) -> Fraction | FirstRelevant:
        """The weighted sum of candidate and baseline, a row for each query, as a thing that judging can move."""
        sides = self._sides
        highest = self.comparison.golden.scale.highest
        return combine(measure, sides, weights[: len(sides)], self.aligned[0].ideal, highest)

    def range_of(self, measure: Measure, slice_name: str = ALL) -> HoleRange | None:
        """How far judging could move *measure*; None where that is not known, and where no query has a value."""
        if not is_bounded(measure):
            return None
        rows = self._measured(slice_name)
        candidate = self.combined(measure, CANDIDATE)
        queries = int(np.isfinite(candidate.today[rows]).sum())
        if not queries:
            return None
        compares = len(self.aligned) > 1
        return HoleRange(
            measure=measure,
            slice=slice_name,
            queries=queries,
            holes=int(np.isfinite(candidate.alone[rows]).sum()),
            candidate=_attainable(candidate, rows),
            baseline=_attainable(self.combined(measure, BASELINE), rows) if compares else None,
            change=_attainable(self.combined(measure, CHANGE), rows) if compares else None,
        )

    def judged_at(self, measure: Measure, slice_name: str = ALL) -> JudgedShare:
        """How much of what *measure* looks at was judged, on both sides."""
        rows = self._measured(slice_name)
        depth = max(aligned.grades.shape[1] for aligned in self.aligned)
        judged = Measure("Judged", measure.cutoff or depth)
        shares = [evaluate(judged, aligned)[rows] for aligned in self.aligned]
        known = [share[np.isfinite(share)] for share in shares]
        return JudgedShare(measure.cutoff, *(mean(share) if len(share) else None for share in known))

    def named(self, row: int, column: int, potential: float) -> Hole:
        """The hole at a place of the arrays of ``combined``."""
        document, sides = self.documents[row][column], self._ranks[row]
        baseline = sides[1].get(document) if len(sides) > 1 else None
        return Hole(self.aligned[0].query_ids[row], document, potential, baseline, sides[0].get(document))

    def _measured(self, slice_name: str) -> BoolArray:
        """The queries of a slice that were measured, and are comparable where there is something to compare with."""
        rows = self.comparison.in_slice(slice_name)
        for aligned in self.aligned:
            rows = rows & ~aligned.failed
        return rows & self.comparison.comparable if len(self.aligned) > 1 else rows


def greatest_mean(counted: FloatArray, joining: FloatArray) -> float:
    """The greatest mean of all of *counted* with any of *joining*: queries that have a value only once judged."""
    falling = np.sort(joining)[::-1]
    return max(mean(np.concatenate([counted, falling[:count]])) for count in range(len(joining) + 1))


def in_labelling_order(holes: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Query id and document of each of *holes*, once, so that nothing tells which side returned it, and how high.

    Returns:
        By query, and within a query in an order that only the two ids decide.
    """

    def place(pair: tuple[str, str]) -> tuple[str, str]:
        return pair[0], hashlib.sha256(json.dumps(pair).encode()).hexdigest()

    return tuple(sorted(set(holes), key=place))


def _attainable(combined: Fraction | FirstRelevant, rows: BoolArray) -> Attainable:
    has_value = np.isfinite(combined.today)
    counted, joining = rows & has_value, rows & ~has_value & np.isfinite(combined.greatest)
    opposite = combined.opposite
    return Attainable(
        irrelevant=mean(combined.today[counted]),
        top=mean(combined.top[rows & np.isfinite(combined.top)]),
        least=-greatest_mean(opposite.greatest[counted], opposite.greatest[joining]),
        greatest=greatest_mean(combined.greatest[counted], combined.greatest[joining]),
    )
