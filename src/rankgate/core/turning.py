"""Could judging alone turn a rule that failed or warned, and which are the fewest documents that could do it?

A limit on a mean holds when the queries' values, each less the limit, add up to 0 or more. In that form every query
stands for itself: judging j documents of it can bring so much at the most, and the fewest documents are the cheapest
way to share out what is lacking over the queries: ``knapsack`` finds it.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from rankgate.core.alignment import BoolArray, FloatArray
from rankgate.core.attainable import BLIND, is_bounded
from rankgate.core.catalog import Measure
from rankgate.core.extremes import FirstRelevant, Fraction
from rankgate.core.findings import Finding, Status
from rankgate.core.holes import CANDIDATE, CHANGE, Hole, Holes, greatest_mean
from rankgate.core.knapsack import RESIDUE, share_out
from rankgate.core.limits import ALONE, BOUNDARY, COMPARING

#: The rules on the candidate's own value; those on its change are ``COMPARING``.
VALUE_RULES: Final = ALONE | {"must"}
#: Of how many documents a query what they bring is looked up first; of four times as many where they do not do.
FEW: Final = 16


@dataclass(frozen=True, slots=True)
class Turnable:
    """Whether judging alone could turn a rule that failed or warned.

    Attributes:
        turns: Some grading of the holes makes the rule hold; None where that is not known for the measure.
        best: What the number that the rule is on (a mean, its change, a query's value, the count of lost queries) is
            under the grading that favours it most; None where that is not known.
        holes: The fewest documents whose judging could turn it, the greatest potential first; empty where it cannot.
        measured: All queries of that number were measured; else *best* leaves some at one end of what they could be.
    """

    turns: bool | None = None
    best: float | None = None
    holes: tuple[Hole, ...] = ()
    measured: bool = True


@dataclass(frozen=True, slots=True)
class _Condition:
    """That the mean of a weighted sum is no less than a limit.

    Attributes:
        combined: The weighted sum, Q queries.
        constant: Shape (Q,). What the sides that were not measured add.
        unmeasured: Shape (Q,). In the mean today, and not measured on a side that has a weight.
        counted: Shape (Q,). In the mean today.
        joining: Shape (Q,). Not in the mean today, and in it once the right hole is judged.
        limit: What the mean may not fall below.
    """

    combined: Fraction | FirstRelevant
    constant: FloatArray
    unmeasured: BoolArray
    counted: BoolArray
    joining: BoolArray
    limit: float

    def surplus(self, values: FloatArray) -> FloatArray:
        """By how much each query is above the limit with *values*, shape (Q,) or (Q, N); 0 where it is not in the mean.

        NaN counts as 0: it is the value of a side that was not measured. A query that would join below the limit stays
        out of the mean.
        """
        apart = (slice(None), *[np.newaxis] * (values.ndim - 1))
        above = np.where(np.isnan(values), 0.0, values) + self.constant[apart] - self.limit
        joined = np.where(np.isnan(values), 0.0, np.maximum(above, 0.0))
        return np.where(self.counted[apart], above, np.where(self.joining[apart], joined, 0.0))

    @property
    def best(self) -> float:
        """The greatest that the mean can be."""
        values = np.where(np.isnan(self.combined.greatest), 0.0, self.combined.greatest) + self.constant
        return greatest_mean(values[self.counted], values[self.joining])

    def fewest(self) -> list[tuple[int, int, float]] | None:
        """The fewest holes whose judging can make it hold: row, column and potential; None where none can."""
        today, reach = self.surplus(self.combined.today), self.surplus(self.combined.greatest)
        lacking = -math.fsum(today.tolist())
        if lacking <= 0.0 or math.fsum(reach.tolist()) < 0.0:
            return None
        rows = np.flatnonzero(reach > today)
        enough, width = lacking - RESIDUE * len(today), self.combined.order.shape[1]
        most = min(FEW, width)
        # With no more than *most* documents in all, no query would have had more of them.
        while (shares := share_out(self._gains(today, most)[rows], enough)) is None or sum(shares) > most < width:
            most = min(4 * most, width)
        potentials = np.maximum(self.surplus(self.combined.alone) - today[:, np.newaxis], 0.0) / self.counted.sum()
        return [
            (row, column, float(potentials[row, column]))
            for row, share in zip(rows.tolist(), shares, strict=True)
            for column in self.combined.order[row, :share].tolist()
        ]

    def _gains(self, today: FloatArray, most: int) -> FloatArray:
        """What judging 0, 1, ... at most *most* holes of each query can add to its surplus."""
        return self.surplus(self.combined.frontier(most)) - today[:, np.newaxis]


def turnable(holes: Holes, finding: Finding) -> Turnable | None:
    """Whether judging alone could turn *finding*, and the fewest documents to judge.

    Queries that were not measured count as they did for the finding: at their best where it failed, at their worst
    where it warned.

    Args:
        holes: Of the comparison that was judged.
        finding: Of any rule.

    Returns:
        None where there is nothing to turn: the rule is not broken, or rests on no measure and no first result.
    """
    if finding.status not in {Status.FAIL, Status.WARN}:
        return None
    if finding.rule == "lost_queries":
        return _lost(holes, finding)
    measure = finding.measure
    if measure is None or finding.rule not in VALUE_RULES | COMPARING:
        return None
    if not is_bounded(measure):
        moves = measure.name not in BLIND and any(holes.documents)
        return Turnable() if moves else Turnable(turns=False, best=finding.number)
    conditions = [_condition(holes, finding, measure, *each) for each in _requirements(finding)]
    plans = [plan for condition in conditions if (plan := condition.fewest()) is not None]
    weights = CANDIDATE if finding.rule in VALUE_RULES else CHANGE
    number = _condition(holes, finding, measure, weights, 0.0)
    named = [holes.named(*place) for place in min(plans, key=len, default=())]
    return Turnable(bool(plans), number.best, _by_potential(named), measured=not number.unmeasured.any())


def _by_potential(holes: Iterable[Hole]) -> tuple[Hole, ...]:
    return tuple(sorted(holes, key=lambda hole: (-hole.potential, hole.query_id, hole.document)))


def _lost(holes: Holes, finding: Finding) -> Turnable:
    """A lost query is won back when its first document turns out relevant; each needs one, and any will do."""
    rankings = holes.comparison.run.rankings
    lost = frozenset(finding.query_ids)
    rows = {query_id: row for row, query_id in enumerate(holes.aligned[0].query_ids) if query_id in lost}
    firsts = {row: rankings[query_id].ids[:1] for query_id, row in rows.items()}
    back = [
        holes.named(row, holes.documents[row].index(first[0]), 1.0)
        for row, first in firsts.items()
        if first and first[0] in holes.documents[row]
    ]
    excess = len(finding.query_ids) - int(finding.limit or 0.0)
    turns = len(back) >= excess
    best = float(len(finding.query_ids) - len(back))
    return Turnable(turns, best, _by_potential(back)[:excess] if turns else ())


def _requirements(finding: Finding) -> Iterator[tuple[tuple[float, float], float]]:
    """Weights and the least mean of their sum; the rule holds where one of them does. Higher is better in all."""
    if finding.rule in VALUE_RULES:
        yield CANDIDATE, finding.limit or 0.0
        return
    if finding.limit is not None:
        yield CHANGE, -finding.limit
    if finding.limit_relative is not None:
        yield (1.0, finding.limit_relative - 1.0), 0.0


def _condition(
    holes: Holes, finding: Finding, measure: Measure, weights: tuple[float, float], limit: float
) -> _Condition:
    comparison = holes.comparison
    combined = holes.combined(measure, weights)
    rows = comparison.in_slice(finding.slice)
    if finding.rule in COMPARING:
        rows = rows & comparison.comparable
    best = finding.status is Status.FAIL
    has_value = np.isfinite(combined.today)
    if finding.rule == "must":  # where it has no value the pin is broken, as with 0
        rows = np.isin(holes.aligned[0].query_ids, finding.query_ids)
        has_value = rows
    counted, constant, failed = rows, np.zeros(len(rows)), np.zeros_like(rows)
    for aligned, weight in zip(holes.aligned, weights, strict=False):
        if weight:
            bound = measure.high(comparison.run.depth) if (weight > 0.0) == best else 0.0
            constant = constant + np.where(aligned.failed, weight * bound, 0.0)
            counted = counted & (aligned.failed | has_value)
            failed = failed | aligned.failed
    joining = rows & ~counted & np.isfinite(combined.greatest)
    return _Condition(combined, constant, counted & failed, counted, joining, limit - BOUNDARY)
