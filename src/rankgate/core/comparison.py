"""Baseline and candidate, paired by query: what changed, for which queries, and whether the pairing is fair."""

import hashlib
import json
from collections.abc import Collection, Container, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from rankgate.core.alignment import BoolArray, FloatArray
from rankgate.core.catalog import GAIN_OF_DCG, Measure
from rankgate.core.judgments import ALL, GoldenSet, Query
from rankgate.core.measures import gain_table
from rankgate.core.rankings import Ranking, Run
from rankgate.core.scoring import Interval, Scores, mean_bounds, score

#: Float residue that is no difference: ``0.90 - 0.88`` is not more than 0.02.
BOUNDARY: Final = 1e-9


def judgments_digest(query: Query) -> str:
    """A short digest of a query's judgments, by which a later comparison sees that it was relabelled."""
    canonical = json.dumps(sorted(query.judgments.items()), separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Reference:
    """The accepted run that a candidate is compared with.

    Attributes:
        run: Its rankings and the query texts that were asked.
        digests: ``judgments_digest`` of each query when it was accepted; may lack queries.
    """

    run: Run
    digests: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Delta:
    """One measure on one slice, in the candidate and against the baseline.

    Attributes:
        now: Mean of the candidate over its *queries*; None for no query.
        queries: How many queries *now* is taken over: measured or failed, new ones included.
        failed: How many of them were not measured.
        baseline: Mean of the baseline over the *compared* queries; None for no pair.
        candidate: Mean of the candidate over the same queries.
        change: candidate - baseline, in points of the measure.
        compared: How many queries are in both sides with the same text.
        better: Queries whose value got better, in the measure's direction.
        same: Queries whose value is the same.
        worse: Queries whose value got worse.
    """

    measure: Measure
    slice: str
    now: Interval | None
    queries: int
    failed: int
    baseline: Interval | None = None
    candidate: Interval | None = None
    change: Interval | None = None
    compared: int = 0
    better: int = 0
    same: int = 0
    worse: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    """One document of one query: where it was, where it is, and what that did to the measure.

    Attributes:
        before: Rank in the baseline; None when it was not returned.
        after: Rank in the candidate; None when it was not returned.
        grade: None when nobody judged it.
        cost: Change of nDCG that this document's move brings; the costs of a query add up to its change.
    """

    document: str
    before: int | None
    after: int | None
    grade: int | None
    cost: float = 0.0


@dataclass(frozen=True)
class Comparison:
    """A candidate under today's judgments, and beside it the baseline under the same.

    Attributes:
        golden: The queries that were asked.
        run: The candidate.
        reference: The baseline; None when there is none.
        measures: What is measured, in the order of the report.
        removed: Queries of the baseline that the golden set no longer has.
    """

    golden: GoldenSet
    run: Run
    measures: tuple[Measure, ...]
    reference: Reference | None = None
    removed: tuple[str, ...] = ()

    @cached_property
    def candidate(self) -> Scores:
        """The candidate's values, a row for each query that does not expect nothing."""
        return score(self.golden.judged, self.run, self.measures, self.golden.scale.relevant_from)

    @cached_property
    def baseline(self) -> Scores | None:
        """The baseline's values under the same judgments, in the same rows."""
        if self.reference is None:
            return None
        return score(self.golden.judged, self.reference.run, self.measures, self.golden.scale.relevant_from)

    @cached_property
    def _by_id(self) -> Mapping[str, Query]:
        return {query.id: query for query in self.golden.queries}

    @cached_property
    def new(self) -> tuple[str, ...]:
        """Queries that the baseline does not know: only floors apply to them."""
        if self.reference is None:
            return ()
        known = self.reference.run.query_ids
        return tuple(query.id for query in self.golden.queries if query.id not in known)

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """Queries whose text is another than the one the baseline was asked: kept out of the drop rules."""
        if self.reference is None:
            return ()
        texts = self.reference.run.texts
        return tuple(query.id for query in self.golden.queries if texts.get(query.id, query.text) != query.text)

    @cached_property
    def relabelled(self) -> tuple[str, ...]:
        """Queries whose judgments were edited since: both sides are scored with the new ones."""
        if self.reference is None:
            return ()
        accepted = self.reference.digests
        return tuple(
            query.id
            for query in self.golden.queries
            if query.id in accepted and accepted[query.id] != judgments_digest(query)
        )

    @cached_property
    def comparable(self) -> BoolArray:
        """Shape (Q,): the query is in both sides with the same text."""
        out = {*self.new, *self.changed}
        if self.reference is None:
            out = set(self.candidate.query_ids)
        return np.array([query_id not in out for query_id in self.candidate.query_ids], dtype=np.bool_)

    def in_slice(self, name: str) -> BoolArray:
        """Shape (Q,): the query is in the slice."""
        return np.array([name == ALL or name in query.slices for query in self.golden.judged], dtype=np.bool_)

    def delta(self, measure: Measure, slice_name: str = ALL) -> Delta:
        """Both means and the change of *measure* on a slice, bounded where queries failed."""
        members = self.in_slice(slice_name)
        now, failed = self.candidate.values[measure], self.candidate.failed
        counted = members & (~np.isnan(now) | failed)
        high = measure.high(self.run.depth)
        alone = Delta(
            measure,
            slice_name,
            now=mean_bounds(now[counted], failed[counted], high) if counted.any() else None,
            queries=int(counted.sum()),
            failed=int(failed[counted].sum()),
        )
        if self.baseline is None:
            return alone
        before, lacking = self.baseline.values[measure], self.baseline.failed
        paired = counted & self.comparable & (~np.isnan(before) | lacking)
        if not paired.any():
            return alone
        baseline = mean_bounds(before[paired], lacking[paired], high)
        candidate = mean_bounds(now[paired], failed[paired], high)
        gains = _gains(measure, before[paired], now[paired])
        return Delta(
            measure,
            slice_name,
            now=alone.now,
            queries=alone.queries,
            failed=alone.failed,
            baseline=baseline,
            candidate=candidate,
            change=candidate.minus(baseline),
            compared=int(paired.sum()),
            better=int((gains > BOUNDARY).sum()),
            same=int((np.abs(gains) <= BOUNDARY).sum()),
            worse=int((gains < -BOUNDARY).sum()),
        )

    def changes(self, measure: Measure) -> dict[str, float]:
        """Per compared and measured query, the change of *measure*, negative where it got worse."""
        if self.baseline is None:
            return {}
        gains = _gains(measure, self.baseline.values[measure], self.candidate.values[measure])
        rows = np.flatnonzero(self.comparable & ~np.isnan(gains))
        return {self.candidate.query_ids[row]: float(gains[row]) for row in rows}

    @cached_property
    def lost(self) -> tuple[str, ...]:
        """Queries that had a relevant first result and lost it, or that newly return nothing."""
        return self._queries(self._lost_masks[0])

    @cached_property
    def possibly_lost(self) -> tuple[str, ...]:
        """Queries that were not measured and could turn out lost."""
        return self._queries(self._lost_masks[1])

    @cached_property
    def gained(self) -> tuple[str, ...]:
        """Queries that newly have a relevant first result."""
        if self.baseline is None:
            return ()
        before, now = self.baseline, self.candidate
        return self._queries(
            self.comparable & ~before.failed & ~now.failed & ~before.first_relevant & now.first_relevant
        )

    @cached_property
    def _lost_masks(self) -> tuple[BoolArray, BoolArray]:
        if self.baseline is None:
            return self.comparable, self.comparable  # nobody is
        before, now = self.baseline, self.candidate
        first = (before.first_relevant | before.failed) & (~now.first_relevant | now.failed)
        nothing = (~before.empty | before.failed) & (now.empty | now.failed)
        lost = self.comparable & (first | nothing)
        measured = ~before.failed & ~now.failed
        return lost & measured, lost & ~measured

    def _queries(self, mask: BoolArray) -> tuple[str, ...]:
        return tuple(self.candidate.query_ids[row] for row in np.flatnonzero(mask))

    def moves(self, query_id: str, measure: Measure) -> tuple[Move, ...]:
        """Every document of either ranking of a query, with the cost of its move in *measure* (an nDCG).

        Returns:
            Sorted by cost, the most costly first; documents that did not move are among them.
        """
        judgments = self._by_id[query_id].judgments
        rankings = (
            self.reference.run.rankings.get(query_id) if self.reference else None,
            self.run.rankings.get(query_id),
        )
        before, after = map(_ranks, rankings)
        weigh = _Weigher.of(judgments, measure)
        # In a condensed list a judged document stands where it would if nobody had returned the others.
        counted = judgments if measure.judged_only else None
        weighed_before, weighed_after = (_ranks(ranking, counted) for ranking in rankings)
        moves = [
            Move(
                document,
                before.get(document),
                after.get(document),
                judgments.get(document),
                weigh(document, weighed_after.get(document)) - weigh(document, weighed_before.get(document)),
            )
            for document in dict.fromkeys((*before, *after))
        ]
        return tuple(sorted(moves, key=lambda move: (move.cost, move.after or move.before or 0)))


def compare(
    golden: GoldenSet,
    run: Run,
    measures: Collection[Measure],
    reference: Reference | None,
    *,
    partial: bool = False,
) -> Comparison:
    """Pair *run* with *reference* under the judgments of *golden*.

    Args:
        partial: The golden set is a selection; what it leaves out is not "removed".
    """
    known = {query.id for query in golden.queries}
    removed = () if reference is None or partial else tuple(sorted(reference.run.query_ids - known))
    return Comparison(golden, run, tuple(measures), reference, removed)


def _gains(measure: Measure, before: FloatArray, now: FloatArray) -> FloatArray:
    return now - before if measure.higher_is_better else before - now


def _ranks(ranking: Ranking | None, only: Container[str] | None = None) -> dict[str, int]:
    """The rank of each document, among those of *only* where it is given."""
    documents = ranking.ids if ranking else ()
    counted = documents if only is None else tuple(document for document in documents if document in only)
    return {document: rank for rank, document in enumerate(counted, start=1)}


@dataclass(frozen=True, slots=True)
class _Weigher:
    """What a document at a rank adds to a query's nDCG."""

    judgments: Mapping[str, int]
    gains: FloatArray
    ideal: float
    cutoff: int

    @classmethod
    def of(cls, judgments: Mapping[str, int], measure: Measure) -> "_Weigher":
        gains = gain_table(GAIN_OF_DCG[measure.dcg])
        best = sorted((float(gains[max(grade, 0)]) for grade in judgments.values()), reverse=True)
        ideal = sum(gain / np.log2(rank + 1) for rank, gain in enumerate(best[: measure.cutoff or None], start=1))
        return cls(judgments, gains, float(ideal), measure.cutoff)

    def __call__(self, document: str, rank: int | None) -> float:
        if rank is None or not self.ideal or (self.cutoff and rank > self.cutoff) or document not in self.judgments:
            return 0.0
        return float(self.gains[max(self.judgments[document], 0)] / np.log2(rank + 1) / self.ideal)
