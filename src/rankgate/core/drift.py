"""Whether a series creeps: a change over many runs that is too small in each of them to break a limit.

The test is that of Mann and Kendall: it asks of every pair of runs which one is higher, so that neither one bad run nor
a step between two levels has to be a line. Kendall, Rank Correlation Methods, 1975, chapter 4 and 5.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from rankgate.core.limits import BOUNDARY

#: With fewer values not even one that falls every time is told from chance.
FEWEST: Final = 5
#: A quarter of weekly runs: what is looked at back from the last run.
WINDOW: Final = 12
#: How seldom a flat series may look like one that drifts.
LEVEL: Final = 0.05
#: In seconds.
WEEK: Final = 7 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Drift:
    """What the last comparable values of a series do.

    Attributes:
        since: The position of the first of them.
        values: How many there are, at least ``FEWEST``.
        change: The last minus the first.
        slope: Of the least squares line, in points a week, or a run where times are not known; None where all values
            are of one moment.
        weekly: Whether *slope* is a week's.
        falls: How many values are lower than the one before.
        rises: How many are higher.
        p: Two-sided, of the test of Mann and Kendall.
        worse: The direction is the wrong one, and chance alone would hardly bring it.
    """

    since: int
    values: int
    change: float
    slope: float | None
    weekly: bool
    falls: int
    rises: int
    p: float
    worse: bool


def drift(
    values: Sequence[float | None], seconds: Sequence[float | None], *, start: int, higher_is_better: bool
) -> Drift | None:
    """Look at the last values of a series; None where there are too few.

    Args:
        values: One a run; None where it is not known.
        seconds: When, since any moment; None where that is not known.
        start: The position from which on the values can be compared with each other.
    """
    known = [(place, value) for place, value in enumerate(values) if place >= start and value is not None][-WINDOW:]
    if len(known) < FEWEST:
        return None
    series = [value for _, value in known]
    moments = [moment for place, _ in known if (moment := seconds[place]) is not None]
    weekly = len(moments) == len(known)
    when = [moment / WEEK for moment in moments] if weekly else [float(place) for place, _ in known]
    steps = [after - before for before, after in pairwise(series)]
    p = mann_kendall(series)
    slope = least_squares(when, series)
    change = series[-1] - series[0]
    wrong = change < -BOUNDARY if higher_is_better else change > BOUNDARY
    return Drift(
        since=known[0][0],
        values=len(series),
        change=change,
        slope=slope,
        weekly=weekly,
        falls=sum(step < -BOUNDARY for step in steps),
        rises=sum(step > BOUNDARY for step in steps),
        p=p,
        worse=p <= LEVEL and wrong and (kendall_sum(series) < 0) == higher_is_better,
    )


def least_squares(when: Sequence[float], values: Sequence[float]) -> float | None:
    """The slope of the line through *values*; None where *when* is one and the same."""
    center, level = math.fsum(when) / len(when), math.fsum(values) / len(values)
    apart = [moment - center for moment in when]
    spread = math.fsum(each * each for each in apart)
    if not spread:
        return None
    return math.fsum(each * (value - level) for each, value in zip(apart, values, strict=True)) / spread


def kendall_sum(values: Sequence[float]) -> int:
    """Pairs of which the later value is higher, less those of which it is lower."""
    later = [other - value for place, value in enumerate(values) for other in values[place + 1 :]]
    return sum((each > BOUNDARY) - (each < -BOUNDARY) for each in later)


def mann_kendall(values: Sequence[float]) -> float:
    """Two-sided p of "no trend": the normal approximation, corrected for ties and for continuity."""
    found, n = abs(kendall_sum(values)), len(values)
    ties = Counter(round(value / BOUNDARY) for value in values).values()
    variance = (_weight(n) - sum(map(_weight, ties))) / 18
    if not found or variance <= 0:
        return 1.0
    return math.erfc((found - 1) / math.sqrt(2 * variance))


def _weight(n: int) -> int:
    return n * (n - 1) * (2 * n + 5)
