"""The extremes of a measure over every way of grading its holes, for many queries at once; ``attainable`` says of what.

P, R, F, RBP and nDCG are fractions whose denominator knows only how many documents have which grade:
``(N + sum of gain(g_h) * merit_h) / D(counts)``, where the merit of a hole is its weighted discount on both sides.
With n_l the number of holes of grade l or more, gains and ideal alike are sums over the grades l of the step from one
gain to the next: the holes add at most ``step_l * (sum of the n_l largest merits)``, reached for all grades at once by
giving the better grades to the larger merits. So only the counts n_1 >= n_2 >= ... are left to choose, and the
greatest fraction of such sums is found by Dinkelbach's parametric form, which one walk over the grades solves exactly.
Source: Dinkelbach, Management Science 13(7), 1967, doi:10.1287/mnsc.13.7.492.

RR and Success know only the first relevant document of each side. With at most one side counting for and one against,
the best set of relevant holes needs one document: of any set, keep the one that is first on the side that counts for;
that side is as before, and the other one cannot have gained.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rankgate.core.alignment import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class Fraction:
    """A weighted sum of the sides of one measure: a fraction for each of Q queries that judging can move.

    Attributes:
        numerator: Shape (Q,). As judged today.
        denominator: Shape (Q,). As judged today.
        defined: Shape (Q,). The measure has a value today.
        merits: Shape (Q, H). What a hole adds to the numerator for each unit of gain; -inf where it is none.
        steps: Shape (L,). The gain of each counted grade above the next lower one.
        growth: Shape (Q, L, N + 1). What 0, 1, ... N more documents of this grade or more add to the denominator; N is
            at least 1 and at least the holes of any query.
    """

    numerator: FloatArray
    denominator: FloatArray
    defined: BoolArray
    merits: FloatArray
    steps: FloatArray
    growth: FloatArray

    @property
    def opposite(self) -> "Fraction":
        """The same with all signs changed: its greatest is minus the least of this one."""
        merits = np.where(np.isfinite(self.merits), -self.merits, -np.inf)
        return replace(self, numerator=-self.numerator, merits=merits)

    @cached_property
    def today(self) -> FloatArray:
        """Shape (Q,): as judged today; NaN where undefined."""
        return _divide(self.numerator, np.where(self.defined, self.denominator, 0.0))

    @cached_property
    def top(self) -> FloatArray:
        """Shape (Q,): with all holes of the top grade; NaN where undefined."""
        holes = np.isfinite(self.merits)
        count = holes.sum(axis=1)
        gained = self.steps.sum() * np.where(holes, self.merits, 0.0).sum(axis=1)
        grown = np.take_along_axis(self.growth, count[:, np.newaxis, np.newaxis], axis=2).sum(axis=(1, 2))
        return _divide(self.numerator + gained, np.where(self.defined | (count > 0), self.denominator + grown, 0.0))

    @cached_property
    def alone(self) -> FloatArray:
        """Shape (Q, H): the greatest value with at most this hole judged; -inf where it is none."""
        gains = np.cumsum(self.steps)[:, np.newaxis] * self.merits[:, np.newaxis]
        grown = np.cumsum(self.growth[:, :, 1:2], axis=1)
        values = (self.numerator[:, np.newaxis, np.newaxis] + gains) / (
            self.denominator[:, np.newaxis, np.newaxis] + grown
        )
        return np.where(np.isfinite(self.merits), np.fmax(values.max(axis=1), self.today[:, np.newaxis]), -np.inf)

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Shape (Q, H): the holes in the order in which it pays to judge them."""
        return np.argsort(-self.merits, axis=1, kind="stable")

    @cached_property
    def greatest(self) -> FloatArray:
        """Shape (Q,): the greatest value over all gradings; NaN where none makes the measure defined."""
        rows = np.arange(len(self.merits))
        return _or_nan(self._rise(self._ratios.max(axis=1), rows, np.full(len(rows), self._most)))

    def frontier(self, most: int) -> FloatArray:
        """Shape (Q, most + 1): the greatest value with at most 0, 1, ... *most* holes judged."""
        limits = np.minimum(np.arange(most + 1), self._most)
        ratios = np.maximum.accumulate(self._ratios, axis=1)[:, limits]
        rows = np.repeat(np.arange(len(ratios)), most + 1)
        return _or_nan(self._rise(ratios.ravel(), rows, np.tile(limits, len(ratios)))).reshape(ratios.shape)

    @cached_property
    def _most(self) -> int:
        """The holes of the query that has most."""
        return int(np.isfinite(self.merits).sum(axis=1).max(initial=0))

    @cached_property
    def _gained(self) -> FloatArray:
        """Shape (Q, most + 1): the sum of the 0, 1, ... largest merits; -inf where there are not so many holes."""
        falling = np.take_along_axis(self.merits, self.order[:, : self._most], axis=1)
        return np.hstack([np.zeros((len(falling), 1)), np.cumsum(falling, axis=1)])

    @cached_property
    def _ratios(self) -> FloatArray:
        """Shape (Q, most + 1): the value with the 0, 1, ... best holes of the top grade; -inf where there is none."""
        gained, growth = self._gained, self.growth.sum(axis=1)[:, : self._most + 1]
        allowed = np.isfinite(gained)
        allowed[:, 0] &= self.defined
        numerator = self.numerator[:, np.newaxis] + self.steps.sum() * gained
        denominator = np.where(allowed, self.denominator[:, np.newaxis] + growth, 1.0)
        return np.where(allowed, numerator / denominator, -np.inf)

    def _rise(self, ratio: FloatArray, rows: NDArray[np.intp], limits: IntArray) -> FloatArray:
        """From the value of some grading of each of *rows* to the greatest with at most *limits* holes judged.

        Where only one grade counts, the top grade is all there is, and *ratio* is the greatest already.
        """
        rising = np.isfinite(ratio) & (len(self.steps) > 1)
        counts = np.arange(limits.max(initial=0) + 1)
        while rising.any():
            at, now = rows[rising], ratio[rising, np.newaxis]
            gained = self._gained[at, : len(counts)]
            gains, grown = self._walk(gained, self.growth[at, :, : len(counts)], now)
            gains += self.numerator[at, np.newaxis]
            grown += self.denominator[at, np.newaxis]
            allowed = (counts <= limits[rising, np.newaxis]) & (counts >= np.where(self.defined[at, np.newaxis], 0, 1))
            best = np.arange(len(at)), np.where(allowed, gains - now * grown, -np.inf).argmax(axis=1)
            reached = gains[best] / grown[best]
            risen = reached > now[:, 0]
            ratio[rising] = np.where(risen, reached, now[:, 0])
            rising[rising] = risen
        return ratio

    def _walk(self, gained: FloatArray, growth: FloatArray, ratio: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Numerator and denominator, by how many holes have any grade, of the grading best at *ratio*; from the top."""
        gains, grown = self.steps[-1] * gained, growth[:, -1]
        for level in range(len(self.steps) - 2, -1, -1):
            best = _argmax_so_far(gains - ratio * grown)
            gains, grown = np.take_along_axis(gains, best, axis=1), np.take_along_axis(grown, best, axis=1)
            gains, grown = gains + self.steps[level] * gained, grown + growth[:, level]
        return gains, grown


@dataclass(frozen=True)
class FirstRelevant:
    """A weighted sum of the sides of RR or Success, at most one weight positive and at most one negative.

    Attributes:
        weights: Of each side.
        values: Shape (Q,) for each side: its value as judged today.
        singles: Shape (Q, H) for each side: the value of a hole, were it the first relevant document.
        defined: Shape (Q,). The measure has a value today.
        holes: Shape (Q, H). The hole is within the cutoff on some side.
    """

    weights: Sequence[float]
    values: tuple[FloatArray, ...]
    singles: tuple[FloatArray, ...]
    defined: BoolArray
    holes: BoolArray

    @property
    def opposite(self) -> "FirstRelevant":
        """The same with all signs changed: its greatest is minus the least of this one."""
        return replace(self, weights=tuple(-weight for weight in self.weights))

    @cached_property
    def today(self) -> FloatArray:
        """Shape (Q,): as judged today; NaN where undefined."""
        return np.where(self.defined, weighted(self.weights, self.values), np.nan)

    @cached_property
    def top(self) -> FloatArray:
        """Shape (Q,): with all holes of the top grade; NaN where undefined."""
        best = [np.maximum(now, each.max(axis=1, initial=0.0)) for now, each in self._pairs]
        return np.where(self.defined | self.holes.any(axis=1), weighted(self.weights, best), np.nan)

    @cached_property
    def alone(self) -> FloatArray:
        """Shape (Q, H): the greatest value with at most this hole judged; -inf where it is none."""
        best = weighted(self.weights, [np.maximum(now[:, np.newaxis], each) for now, each in self._pairs])
        return np.where(self.holes, np.fmax(best, self.today[:, np.newaxis]), -np.inf)

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Shape (Q, H): the holes in the order in which it pays to judge them."""
        return np.argsort(-self.alone, axis=1, kind="stable")

    @cached_property
    def greatest(self) -> FloatArray:
        """Shape (Q,): the greatest value over all gradings; NaN where none makes the measure defined."""
        return _or_nan(np.fmax(self.alone.max(axis=1, initial=-np.inf), self.today))

    def frontier(self, most: int) -> FloatArray:
        """Shape (Q, most + 1): the greatest value with at most 0, 1, ... *most* holes judged."""
        return np.column_stack([self.today, *[self.greatest] * most])

    @property
    def _pairs(self) -> list[tuple[FloatArray, FloatArray]]:
        return list(zip(self.values, self.singles, strict=True))


def weighted(weights: Sequence[float], of_sides: Sequence[FloatArray]) -> FloatArray:
    """The weighted sum over the sides."""
    total: FloatArray = np.add.reduce([weight * each for weight, each in zip(weights, of_sides, strict=True)])
    return total


def _divide(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    return np.divide(numerator, denominator, out=np.full_like(numerator, np.nan), where=denominator > 0)


def _or_nan(values: FloatArray) -> FloatArray:
    """NaN where there is no value."""
    return np.where(np.isfinite(values), values, np.nan)


def _argmax_so_far(values: FloatArray) -> NDArray[np.intp]:
    """Shape of *values*: the column of the largest value of the row up to here."""
    rises = values[:, 1:] > np.maximum.accumulate(values, axis=1)[:, :-1]
    columns = np.arange(values.shape[1])
    at = np.where(np.hstack([np.zeros((len(values), 1), dtype=np.bool_), rises]), columns, 0)
    return np.maximum.accumulate(at, axis=1)
