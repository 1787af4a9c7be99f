"""Limits that a service's own noise does not break, and one flipped query does not either."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rankgate.core.catalog import Measure
from rankgate.core.judgments import ALL
from rankgate.core.limits import ALONE, BOUNDARY, COMPARING, KINDS_OF_DIRECTION, Gate, Limit, LimitKind
from rankgate.core.repeats import Repeats, Spread

#: Limits are proposed in steps of half a point.
STEP: Final = 0.005


@dataclass(frozen=True, slots=True)
class Proposal:
    """A limit for one measure on one slice.

    Attributes:
        points: Of the measure; None where the limit that stands now is relative alone, and holds.
        limit: What the gate has now; None where it compares nothing.
    """

    kind: LimitKind
    spread: Spread
    points: float | None
    limit: Limit | None = None

    @property
    def present(self) -> float | None:
        """What the gate says now, in points; None where it says nothing in points."""
        return self.limit.points if self.limit else None

    @property
    def queries(self) -> float | None:
        """The limit in queries of the slice; None where it has no such meaning."""
        return None if self.points is None or self.kind in ALONE else self.points * self.spread.queries

    @property
    def too_tight(self) -> bool:
        """Whether noise alone breaks the limit of now: some of the runs, or the change between some two of them."""
        return self.limit is not None and _breaks(self.limit, self.spread)

    @property
    def finer_than_a_query(self) -> bool:
        """Whether one query that moves all the way breaks it."""
        return self.queries is not None and self.queries < 1 - BOUNDARY


@dataclass(frozen=True, slots=True)
class LostProposal:
    """How many queries may be lost.

    Attributes:
        present: What the gate allows now.
        most: The most queries that were lost from any run to any other.
        queries: How many queries could be.
    """

    present: int
    most: int
    queries: int

    @property
    def allowed(self) -> int:
        """The limit: what was seen, and one query at least, unless less is allowed now and holds."""
        return max(self.most, min(self.present, 1))

    @property
    def too_tight(self) -> bool:
        """Whether noise alone breaks the limit of now."""
        return self.most > self.present


def compared(gate: Gate, measures: Sequence[Measure]) -> tuple[tuple[Measure, str], ...]:
    """What the gate limits, each with its slice; where it compares nothing, all *measures* as well."""
    found = {(limit.measure, limit.slice): None for limit in gate.limits}
    every = {} if _compares(gate) else {(measure, ALL): None for measure in measures}
    return tuple(found | every)


def propose(gate: Gate, repeats: Repeats, measures: Sequence[Measure]) -> tuple[Proposal, ...]:
    """A limit for each limit of the gate, and for each of *measures* where it compares nothing.

    A change may be as large as the largest difference between two runs, and one query at least; a limit of now that is
    tighter than that and holds stays. So does any floor or ceiling: what is good enough is not for noise to say.
    """
    return tuple(_proposals(gate, repeats, measures))


def propose_lost(gate: Gate, repeats: Repeats) -> LostProposal | None:
    """How many queries may be lost; None where the gate has no such rule."""
    if gate.lost_queries is None:
        return None
    return LostProposal(gate.lost_queries, repeats.most_lost, len(repeats.golden.judged))


def _proposals(gate: Gate, repeats: Repeats, measures: Sequence[Measure]) -> Iterator[Proposal]:
    for measure, name in compared(gate, measures):
        spread = repeats.spread(measure, name)
        if spread is None:
            continue
        room = rounded_up(max(spread.largest, 1 / spread.queries))
        for limit in gate.limits:
            if (limit.measure, limit.slice) == (measure, name):
                yield Proposal(limit.kind, spread, _points(limit, spread, room), limit)
        if not _compares(gate) and name == ALL:
            _, change, _ = KINDS_OF_DIRECTION[measure.higher_is_better]
            yield Proposal(change, spread, room)


def _compares(gate: Gate) -> bool:
    return any(limit.kind in COMPARING for limit in gate.limits)


def _points(limit: Limit, spread: Spread, room: float) -> float | None:
    if limit.kind in ALONE:
        return limit.points
    if _breaks(limit, spread):
        return room
    return None if limit.points is None else min(limit.points, room)


def _breaks(limit: Limit, spread: Spread) -> bool:
    """Whether *limit* would judge one run otherwise than another; of two the worse is the candidate, once."""
    if spread.queries < limit.min_queries:
        return False
    points = limit.points or 0.0
    if limit.kind == "floor":
        return spread.low < points - BOUNDARY <= spread.high
    if limit.kind == "ceiling":
        return spread.low <= points + BOUNDARY < spread.high
    baseline = spread.high if spread.measure.higher_is_better else spread.low
    return spread.largest > max(points, (limit.relative or 0.0) * baseline) + BOUNDARY


def rounded_up(points: float) -> float:
    """The next multiple of ``STEP``; what is one already stays."""
    return round(math.ceil(points / STEP - BOUNDARY) * STEP, 3)
