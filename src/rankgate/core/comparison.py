"""Baseline and candidate, paired by query: what changed, for which queries, and whether the pairing is fair."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankgate.core.alignment import BoolArray, FloatArray
from rankgate.core.catalog import Measure
from rankgate.core.comparability import Difference, Lock, differences
from rankgate.core.judgments import ALL, GoldenSet, Query
from rankgate.core.limits import BOUNDARY
from rankgate.core.rankings import Run
from rankgate.core.reference import Reference, judgments_digest
from rankgate.core.scoring import Interval, Scores, mean_bounds, score


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


@dataclass(frozen=True)
class Comparison:
    """A candidate under today's judgments, and beside it the baseline under the same.

    Attributes:
        golden: The queries that were asked.
        run: The candidate.
        reference: The baseline; None when there is none.
        measures: What is measured, in the order of the report.
        removed: Queries of the baseline that the golden set no longer has.
        lock: What the candidate is an answer to; None where nobody wrote that down.
        missing: Documents that the index no longer has; none where nobody asked for them.
    """

    golden: GoldenSet
    run: Run
    measures: tuple[Measure, ...]
    reference: Reference | None = None
    removed: tuple[str, ...] = ()
    lock: Lock | None = None
    missing: frozenset[str] = frozenset()

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """How the two sides answer different questions; empty without a baseline, and where they do not."""
        return differences(self.reference.lock, self.lock) if self.reference else ()

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
    def by_id(self) -> Mapping[str, Query]:
        """The golden queries by id."""
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


def compare(
    golden: GoldenSet,
    run: Run,
    measures: Collection[Measure],
    reference: Reference | None,
    *,
    partial: bool = False,
    lock: Lock | None = None,
) -> Comparison:
    """Pair *run* with *reference* under the judgments of *golden*.

    Args:
        partial: The golden set is a selection; what it leaves out is not "removed".
        lock: What *run* is an answer to.
    """
    known = {query.id for query in golden.queries}
    removed = () if reference is None or partial else tuple(sorted(reference.run.query_ids - known))
    return Comparison(golden, run, tuple(measures), reference, removed, lock)


def _gains(measure: Measure, before: FloatArray, now: FloatArray) -> FloatArray:
    return now - before if measure.higher_is_better else before - now
