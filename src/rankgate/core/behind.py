"""The slice behind a mean: what the mean of the whole hides of a slice, and which slice pulled it down.

A mean over the whole can hold, or even rise, while a slice falls: Simpson's paradox, E. H. Simpson, Journal of the
Royal Statistical Society B 13(2), 1951.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from rankgate.core.alignment import BoolArray, FloatArray
from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison
from rankgate.core.findings import BROKEN, Finding
from rankgate.core.judgments import ALL
from rankgate.core.limits import BOUNDARY, COMPARING, Gate, Limit

#: How many times as deep as the queries outside it a slice has to fall to be behind the fall of the whole.
DEEPER: Final = 2.0


@dataclass(frozen=True, slots=True)
class Behind:
    """A slice without which the change of a mean is not understood, over the compared queries that both sides measured.

    Attributes:
        hidden: The slice got worse by more than it may and the mean of the whole did not; else the whole did, and of
            the slices that fell clearly deeper than the rest this one has the largest part in it.
        guarded: The slice has rules of its own for changes of the measure.
        change: Of the mean of the whole, candidate - baseline, in points of the measure.
        queries: How many queries that is taken over.
        slice_change: Of the mean of the slice.
        slice_queries: How many of the queries are in it.
        part: What the slice adds to *change*: the sum of its queries' changes, divided by *queries*. Slices may share
            queries, so the parts of several need not add up.
    """

    measure: Measure
    slice: str
    hidden: bool
    guarded: bool
    change: float
    queries: int
    slice_change: float
    slice_queries: int
    part: float


@dataclass(frozen=True, slots=True)
class _Paired:
    """One measure over the compared queries that both sides measured.

    Attributes:
        rows: Shape (Q,): the query is one of them.
        before: Shape (Q,): the baseline's values.
        gains: Shape (Q,): the changes, negative where a query got worse.
        most: The largest change that one query can make.
    """

    measure: Measure
    rows: BoolArray
    before: FloatArray
    gains: FloatArray
    most: float

    def gain(self, members: BoolArray) -> float:
        """The mean gain of *members*, which are among the rows and not none."""
        return float(self.gains[members].mean())


def behind(comparison: Comparison, gate: Gate, findings: Collection[Finding]) -> tuple[Behind, ...]:
    """What slices tell of the changes of the means.

    The hidden ones come first; among these what breaks a rule of its own, then the deepest fall.

    A slice got worse by more than it may where its own rules say so. Where it has none that compares, the rules of the
    whole are taken for it, and one query alone must not be able to make such a change.

    Args:
        findings: Of *gate* on *comparison*.

    Returns:
        Empty where there is nothing to compare with.
    """
    found = [each for measure in comparison.measures for each in _of_measure(comparison, gate, findings, measure)]
    return tuple(sorted(found, key=lambda each: (not each.hidden, not each.guarded, _gain(each))))


def _gain(each: Behind) -> float:
    return each.slice_change if each.measure.higher_is_better else -each.slice_change


def _of_measure(
    comparison: Comparison, gate: Gate, findings: Collection[Finding], measure: Measure
) -> Iterator[Behind]:
    paired = _paired(comparison, measure)
    if paired is None:
        return
    judged = [each for each in findings if each.measure == measure and each.rule in COMPARING]
    limits = [limit for limit in gate.limits if limit.measure == measure and limit.kind in COMPARING]
    slices = {name: paired.rows & comparison.in_slice(name) for name in comparison.golden.slices}
    # A slice that is the whole tells nothing more.
    slices = {name: members for name, members in slices.items() if 0 < members.sum() < paired.rows.sum()}
    guarded = {limit.slice for limit in limits}
    broken = {each.slice for each in judged if each.status in BROKEN}
    if paired.gain(paired.rows) < -BOUNDARY and ALL in broken:
        largest = _largest_part(paired, slices)
        if largest:
            yield _record(paired, largest, slices[largest], hidden=False, guarded=largest in guarded)
        return
    of_whole = [limit for limit in limits if limit.slice == ALL]
    for name, members in slices.items():
        fell = name in broken if name in guarded else _beyond(paired, members, of_whole)
        if fell and paired.gain(members) < -BOUNDARY:
            yield _record(paired, name, members, hidden=True, guarded=name in guarded)


def _paired(comparison: Comparison, measure: Measure) -> _Paired | None:
    if comparison.baseline is None:
        return None
    before, gains = comparison.baseline.values[measure], comparison.gains(measure)
    rows = ~np.isnan(gains)
    return _Paired(measure, rows, before, gains, measure.high(comparison.run.depth)) if rows.any() else None


def _beyond(paired: _Paired, members: BoolArray, limits: Sequence[Limit]) -> bool:
    """Whether *members* fell by more than any of *limits* allows, and by more than one query of them alone can."""
    fall, alone = -paired.gain(members), paired.most / int(members.sum())
    baseline = float(paired.before[members].mean())
    return any(
        fall > max(limit.points or 0.0, (limit.relative or 0.0) * baseline, alone) + BOUNDARY for limit in limits
    )


def _largest_part(paired: _Paired, slices: dict[str, BoolArray]) -> str | None:
    """Of the slices that fell clearly deeper than the rest, that with the largest part; the smaller one where two tie.

    A fall that is much the same everywhere has no slice behind it.
    """
    parts = {
        name: float(paired.gains[members].sum())
        for name, members in slices.items()
        if paired.gain(members) <= min(DEEPER * paired.gain(paired.rows & ~members) + BOUNDARY, -BOUNDARY)
    }
    least = min(parts.values(), default=0.0)
    tied = [name for name, part in parts.items() if part <= least + BOUNDARY]
    return min(tied, key=lambda name: (int(slices[name].sum()), name), default=None)


def _record(paired: _Paired, name: str, members: BoolArray, *, hidden: bool, guarded: bool) -> Behind:
    sign = 1.0 if paired.measure.higher_is_better else -1.0
    queries, slice_queries = int(paired.rows.sum()), int(members.sum())
    return Behind(
        measure=paired.measure,
        slice=name,
        hidden=hidden,
        guarded=guarded,
        change=sign * paired.gain(paired.rows),
        queries=queries,
        slice_change=sign * paired.gain(members),
        slice_queries=slice_queries,
        part=sign * float(paired.gains[members].sum()) / queries,
    )
