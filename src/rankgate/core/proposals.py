"""Limits that a service's own noise does not break, and one flipped query does not either."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rankgate.core.catalog import Measure
from rankgate.core.judgments import ALL
from rankgate.core.limits import ALONE, BOUNDARY, WARNING, Gate, LimitKind
from rankgate.core.repeats import Repeats, Spread

#: Limits are proposed in steps of half a point.
STEP: Final = 0.005


@dataclass(frozen=True, slots=True)
class Proposal:
    """A limit for one measure on one slice.

    Attributes:
        points: Of the measure, a multiple of ``STEP``.
        present: What the gate allows now, in points; None where it says nothing in points.
        min_queries: Of the slice, as the gate has it now.
    """

    kind: LimitKind
    spread: Spread
    points: float
    present: float | None = None
    min_queries: int = 1

    @property
    def queries(self) -> float:
        """The limit in queries of the slice."""
        return self.points * self.spread.queries

    @property
    def too_tight(self) -> bool:
        """Whether two runs of the same service differed by more than the gate allows now."""
        return self.present is not None and self.spread.largest > self.present + BOUNDARY


def compared(gate: Gate, measures: Sequence[Measure]) -> tuple[tuple[Measure, str], ...]:
    """What the gate compares with a baseline, each with its slice; where it compares nothing, all *measures*."""
    found = {(limit.measure, limit.slice): None for limit in gate.limits if limit.kind not in ALONE}
    return tuple(found or {(measure, ALL): None for measure in measures})


def propose(gate: Gate, repeats: Repeats, measures: Sequence[Measure]) -> tuple[Proposal, ...]:
    """A limit for each measure that is compared: the largest difference between two runs, and one query at least."""
    return tuple(_proposals(gate, repeats, measures))


def _proposals(gate: Gate, repeats: Repeats, measures: Sequence[Measure]) -> Iterator[Proposal]:
    failing = {(limit.measure, limit.slice): limit for limit in gate.limits if limit.kind not in ALONE | WARNING}
    for measure, name in compared(gate, measures):
        spread, limit = repeats.spread(measure, name), failing.get((measure, name))
        if spread is not None:
            yield Proposal(
                kind="max_drop" if measure.higher_is_better else "max_rise",
                spread=spread,
                points=rounded_up(max(spread.largest, 1 / spread.queries)),
                present=limit.points if limit else None,
                min_queries=limit.min_queries if limit else 1,
            )


def rounded_up(points: float) -> float:
    """The next multiple of ``STEP``; what is one already stays."""
    return round(math.ceil(points / STEP - BOUNDARY) * STEP, 3)
