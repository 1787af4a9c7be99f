"""Intervals as small drawings, which need no script; the numbers stand beside them in text."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rankgate.reports.html.markup import Markup, element
from rankgate.reports.records.means import Evidence, Trend
from rankgate.reports.records.report import Facts
from rankgate.reports.records.rules import RuleRow

WIDTH: Final = 220
HEIGHT: Final = 22
_MIDDLE: Final = HEIGHT / 2
_MARGIN: Final = 6

#: The rules on a change, and on which side of zero their limit is.
SIDES: Final = {"max_drop": -1, "warn_drop": -1, "max_rise": 1, "warn_rise": 1}


@dataclass(frozen=True, slots=True)
class Axis:
    """From points of a measure to the width of a drawing; zero is in its middle.

    Attributes:
        extent: Points from the middle to either end.
    """

    extent: float

    @classmethod
    def over(cls, values: Iterable[float | None]) -> "Axis":
        """Wide enough for all of *values*."""
        return cls(max((abs(value) for value in values if value is not None), default=0.0) or 1.0)

    def __call__(self, value: float) -> float:
        half = WIDTH / 2 - _MARGIN
        return round(WIDTH / 2 + half * value / self.extent, 1)


def limit_of(row: RuleRow) -> float | None:
    """The change at which a rule breaks, in points; None where it has none, or one that is relative as well."""
    side = SIDES.get(row.rule)
    return None if side is None or row.limit is None or row.limit_relative is not None else side * row.limit


def evidence_by_place(facts: Facts) -> dict[tuple[str, str], Evidence]:
    """The evidence by measure and slice."""
    return {(row.measure, row.slice): row for row in facts.evidence}


def gate_axis(facts: Facts) -> Axis:
    """One axis for all rules on a change: rows can be compared by eye."""
    found = evidence_by_place(facts)
    rows = [row for row in facts.rules if has_interval(row)]
    known = [found[row.measure, row.slice] for row in rows if row.measure and (row.measure, row.slice) in found]
    return Axis.over(
        [
            *(limit_of(row) for row in rows),
            *(row.change for row in rows),
            *(end for each in known for end in (each.low, each.high)),
        ]
    )


def evidence_axis(rows: Iterable[Evidence]) -> Axis:
    """One axis for a table of evidence."""
    return Axis.over(end for row in rows for end in (row.change, row.low, row.high))


def interval(
    axis: Axis,
    change: float,
    ends: tuple[float | None, float | None],
    *,
    trend: Trend | None,
    limit: float | None = None,
    reach: tuple[float | None, float | None] = (None, None),
) -> Markup:
    """A change with its interval about zero.

    Args:
        ends: Of the 95 % interval; None where there is none.
        limit: Where the rule breaks.
        reach: Between which changes judging the unjudged could bring it; cut at the ends of the axis.
    """
    low, high = ends
    return element(
        "svg",
        _line(axis(0), 2, axis(0), HEIGHT - 2, "zero"),
        _reach(axis, reach),
        None if low is None or high is None else _bar(axis(low), axis(high)),
        None if limit is None else _limit(axis(limit)),
        _point(axis(change), trend),
        class_=f"interval {trend or ''}".strip(),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
        aria_hidden="true",
        focusable="false",
    )


def _line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def _bar(low: float, high: float) -> Markup:
    return element(
        "rect", x=low, y=_MIDDLE - 3, width=max(round(high - low, 1), 1.0), height=6, rx=3, class_="ninety-five"
    )


def _reach(axis: Axis, reach: tuple[float | None, float | None]) -> Markup | None:
    least, greatest = reach
    if least is None or greatest is None or greatest <= least:
        return None
    start, end = (axis(min(max(value, -axis.extent), axis.extent)) for value in (least, greatest))
    return _line(start, _MIDDLE, end, _MIDDLE, "reach")


def _limit(x: float) -> Markup:
    """A line with a foot at either end, so that it is no interval's end."""
    return element("path", d=f"M{x - 3} 2H{x + 3}M{x} 2V{HEIGHT - 2}M{x - 3} {HEIGHT - 2}H{x + 3}", class_="limit")


def _point(x: float, trend: Trend | None) -> Markup:
    """The change: its shape says as much as its colour."""
    if trend == "worse":
        return element("path", d=f"M{x - 5} {_MIDDLE - 4}H{x + 5}L{x} {_MIDDLE + 5}Z", class_="point")
    if trend == "better":
        return element("path", d=f"M{x - 5} {_MIDDLE + 4}H{x + 5}L{x} {_MIDDLE - 5}Z", class_="point")
    return element("circle", cx=x, cy=_MIDDLE, r=4, class_="point")


def has_interval(row: RuleRow) -> bool:
    """Whether a rule is about a change that can be drawn."""
    return row.change is not None and row.measure is not None and row.rule in SIDES
