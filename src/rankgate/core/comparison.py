"""Baseline and candidate, paired by query: what changed, for which queries, and whether the pairing is fair."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankgate.core.alignment import BoolArray, FloatArray
from rankgate.core.catalog import Measure, parse_measure
from rankgate.core.comparability import Difference, Lock, differences
from rankgate.core.judgments import ALL, GoldenSet, Query
from rankgate.core.limits import BOUNDARY
from rankgate.core.rankings import Ranking, Run
from rankgate.core.reference import Reference, judgments_digest
from rankgate.core.scoring import Interval, Scores, mean_bounds, score
from rankgate.errors import UnknownMeasureError, UsageError, nearest


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

    @property
    def lacking(self) -> int:
        """How many of the compared queries were not measured on one side or on both."""
        return self.compared - self.better - self.same - self.worse


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

    def __repr__(self) -> str:
        measures = ", ".join(map(str, self.measures))
        baseline = len(self.reference.run.query_ids) if self.reference else None
        counts = f"queries={len(self.golden.queries)} measures=({measures}) failed={len(self.run.failures)}"
        return f"<Comparison {counts} baseline={baseline}>"

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

    def answers(self, query_id: str) -> tuple[Ranking | None, Ranking | None]:
        """The baseline's ranking and the candidate's; None where it was not measured, or not asked."""
        before = self.reference.run.rankings.get(query_id) if self.reference else None
        return before, self.run.rankings.get(query_id)

    @cached_property
    def new(self) -> tuple[str, ...]:
        """Queries that the baseline does not know: only floors apply to them."""
        if self.reference is None:
            return ()
        known = self.reference.run.query_ids
        return tuple(query.id for query in self.golden.queries if query.id not in known)

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """Queries of which a side was asked another text than today's: kept out of the drop rules."""
        if self.reference is None:
            return ()
        sides = self.reference.run.texts, self.run.texts
        return tuple(
            query.id
            for query in self.golden.queries
            if any(texts.get(query.id, query.text) != query.text for texts in sides)
        )

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
        return members(self.golden, name)

    def delta(self, measure: Measure | str, slice_name: str = ALL) -> Delta:
        """Both means and the change of *measure* on a slice, bounded where queries failed.

        Args:
            measure: May be given by its name, as in the config.

        Raises:
            UnknownMeasureError: It was not measured; offers the nearest that was.
            UsageError: No query is in the slice; offers the nearest.
        """
        measure = self._measured(measure)
        members = self.in_slice(slice_name)
        if not members.any() and slice_name not in (known := (ALL, *self.golden.slices)):
            raise UsageError(f"no slice {slice_name!r}{nearest(slice_name, known)}")
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
        gains = self.gains(measure)[paired]
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

    def gains(self, measure: Measure) -> FloatArray:
        """Shape (Q,): the change of *measure*, negative where it got worse; NaN where no two values are compared."""
        now = self.candidate.values[measure]
        if self.baseline is None:
            return np.full_like(now, np.nan)
        before = self.baseline.values[measure]
        return np.where(self.comparable, now - before if measure.higher_is_better else before - now, np.nan)

    def changes(self, measure: Measure | str) -> dict[str, float]:
        """Per compared and measured query, the change of *measure*, negative where it got worse.

        Args:
            measure: May be given by its name, as in the config.

        Raises:
            UnknownMeasureError: It was not measured; offers the nearest that was.
        """
        gains = self.gains(self._measured(measure))
        return {self.candidate.query_ids[row]: float(gains[row]) for row in np.flatnonzero(~np.isnan(gains))}

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
        certain, possible = lost_between(self.baseline, self.candidate)
        return self.comparable & certain, self.comparable & possible

    def _measured(self, measure: Measure | str) -> Measure:
        found = parse_measure(measure, self.golden.scale) if isinstance(measure, str) else measure
        if found not in self.measures:
            raise UnknownMeasureError(f"{found} was not measured{nearest(str(found), map(str, self.measures))}")
        return found

    def _queries(self, mask: BoolArray) -> tuple[str, ...]:
        return tuple(self.candidate.query_ids[row] for row in np.flatnonzero(mask))


def members(golden: GoldenSet, slice_name: str) -> BoolArray:
    """Shape (Q,): the query is in the slice."""
    return np.array([slice_name == ALL or slice_name in query.slices for query in golden.judged], dtype=np.bool_)


def lost_between(before: Scores, now: Scores) -> tuple[BoolArray, BoolArray]:
    """Shape (Q,) each: lost from one run to the other, and perhaps lost where one of them was not measured."""
    first = (before.first_relevant | before.failed) & (~now.first_relevant | now.failed)
    nothing = (~before.empty | before.failed) & (now.empty | now.failed)
    measured = ~before.failed & ~now.failed
    return (first | nothing) & measured, (first | nothing) & ~measured


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
