"""How much of a change could be chance: an interval, a p value, and the smallest change that the set could show.

They are context. The verdict rests on thresholds, for a test on a hundred queries is blind to losses that matter.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from rankgate.core.alignment import FloatArray
from rankgate.core.limits import BOUNDARY
from rankgate.core.measures import mean
from rankgate.core.resampling import Steps, bootstrap_sums, sign_flip_p

#: Quantiles of the normal distribution: 0.975 for a two-sided test at 5 %, 0.80 for 80 % power.
Z_TWO_SIDED: Final = 1.959963984540054
Z_POWER: Final = 0.8416212335729143


@dataclass(frozen=True, slots=True)
class Paired:
    """One measure on the same queries, before and now. It does not know which direction is good.

    Attributes:
        queries: How many have a value on both sides.
        higher: Queries whose value rose.
        same: Queries whose value is the same.
        lower: Queries whose value fell.
        change: Mean of now - before, in points; None for no query.
        low: Lower end of the 95 % bootstrap interval of *change*, in points; None for fewer than two queries, for one
            has nothing to be resampled from.
        high: Its upper end.
        p: Two-sided, of a paired randomization test of *change*, in (0, 1]; 1 where nothing changed; None for no query.
        exact: Whether *p* counts every sign pattern, and is not sampled.
        detectable: The smallest change, in points and of either sign, that so many queries with such a spread show as
            significant at 5 % in four of five cases. None without a spread to reckon with: fewer than two queries, or
            all changed alike (so also if none did).
    """

    queries: int
    higher: int = 0
    same: int = 0
    lower: int = 0
    change: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    exact: bool = False
    detectable: float | None = None


def paired(before: FloatArray, now: FloatArray) -> Paired:
    """Compare one measure's values, each of shape (Q,); a query that is NaN on either side is left out."""
    return paired_all(before[np.newaxis], now[np.newaxis])[0]


def paired_all(before: FloatArray, now: FloatArray) -> tuple[Paired, ...]:
    """Compare M measures at once, each as ``paired`` would: it only shares the draws, which are most of the work.

    Args:
        before: Shape (M, Q), NaN where a measure is undefined or a query was not measured.
        now: Shape (M, Q), the same queries.

    Returns:
        One record a measure, in their order.
    """
    differences = [row[~np.isnan(row)] for row in now - before]
    steps = [Steps.of(np.where(np.abs(each) > BOUNDARY, each, 0.0)) for each in differences]
    intervals = _intervals(steps)
    return tuple(map(_record, differences, steps, intervals))


def holm(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Adjust p values for being several, by Holm's step-down procedure.

    The smallest of m is multiplied by m, the next by m - 1, and so on; none is below one before it, none above 1.
    Source: Holm, Scandinavian Journal of Statistics 6(2), 1979; as adjusted p values Wright, Biometrics 48(4), 1992,
    doi:10.2307/2532694.

    Args:
        p_values: None and NaN are no tests: they stay, and are not counted.

    Returns:
        The adjusted values, in the order given.
    """
    adjusted = list(p_values)
    tests = sorted((p, position) for position, p in enumerate(p_values) if p is not None and not math.isnan(p))
    floor = 0.0
    for done, (p, position) in enumerate(tests):
        floor = max(floor, min((len(tests) - done) * p, 1.0))
        adjusted[position] = floor
    return tuple(adjusted)


def _intervals(steps: Sequence[Steps]) -> list[tuple[float, float] | None]:
    """The interval of each mean; measures of equally many queries share their draws."""
    found: list[tuple[float, float] | None] = [None] * len(steps)
    by_size: defaultdict[int, list[int]] = defaultdict(list)
    for row, each in enumerate(steps):
        by_size[len(each.values)].append(row)
    for size, rows in by_size.items():
        if size > 1:
            lows, highs = bootstrap_sums(np.array([steps[row].values for row in rows]))
            for row, low, high in zip(rows, lows.tolist(), highs.tolist(), strict=True):
                found[row] = steps[row].mean(low), steps[row].mean(high)
    return found


def _record(differences: FloatArray, steps: Steps, interval: tuple[float, float] | None) -> Paired:
    queries = len(differences)
    if not queries:
        return Paired(0)
    low, high = interval or (None, None)
    p, exact = sign_flip_p(steps.values)
    return Paired(
        queries,
        higher=int((differences > BOUNDARY).sum()),
        same=int((np.abs(differences) <= BOUNDARY).sum()),
        lower=int((differences < -BOUNDARY).sum()),
        change=steps.mean(int(steps.values.sum())),
        low=low,
        high=high,
        p=p,
        exact=exact,
        detectable=_detectable(steps),
    )


def _detectable(steps: Steps) -> float | None:
    """(z_0.975 + z_0.80) * s / sqrt(Q), with s the standard deviation of the sample; None where s is 0."""
    values = steps.values.astype(np.float64)
    queries = len(values)
    if queries < 2 or values[0] == values[-1]:  # noqa: PLR2004  # a spread takes two
        return None
    variance = mean((values - mean(values)) ** 2) * queries / (queries - 1)
    return (Z_TWO_SIDED + Z_POWER) * math.sqrt(variance / queries) / steps.per_point
