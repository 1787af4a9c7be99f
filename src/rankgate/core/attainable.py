"""What judging could make of a measure: which holes there are for it, and what each could add on which side.

A hole is an unjudged document that either side returned within the measure's cutoff. It may stay as it is, which
counts as not relevant, or get any grade of the scale; where both sides returned it, it gets the same grade on both.
Documents that nobody returned stay unjudged. Under these terms the extremes that ``extremes`` finds are exact, for
either side and for their difference.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from rankgate.core.alignment import SPAM, BoolArray, FloatArray, GradeArray, IntArray
from rankgate.core.catalog import GAIN_OF_DCG, Measure
from rankgate.core.extremes import FirstRelevant, Fraction, weighted
from rankgate.core.measures import gain_table

#: The measures whose extremes are known exactly.
BOUNDED: Final = frozenset({"P", "R", "F", "RBP", "nDCG", "RR", "Success"})
#: The measures that ask for no judgment: judging changes nothing.
BLIND: Final = frozenset({"NumRet", "ZeroResults"})


@dataclass(frozen=True, slots=True)
class Side:
    """One run's part in the holes of Q queries.

    Attributes:
        grades: Shape (Q, K). Grade at rank j + 1, UNJUDGED for a hole and for padding.
        ranks: Shape (Q, H). The rank of each hole of either side; 0 where this one did not return it.
    """

    grades: GradeArray
    ranks: IntArray


def is_bounded(measure: Measure) -> bool:
    """Whether ``combine`` knows the measure; not that of a condensed list, where each judgment moves the ranks."""
    return measure.name in BOUNDED and not measure.judged_only


def combine(
    measure: Measure,
    sides: Sequence[Side],
    weights: Sequence[float],
    ideal: GradeArray,
    highest: int,
) -> Fraction | FirstRelevant:
    """The weighted sum of *measure* on the sides, as a thing that judging can move.

    Args:
        measure: One that ``is_bounded``, of the same scale.
        sides: Of S runs under the same judgments.
        weights: S weights, at most one above 0 and at most one below: 1, 0 is the first side, 1, -1 the difference.
        ideal: Shape (Q, J). All judged grades, descending, padded with 0.
        highest: The largest grade that a hole may get. The lowest plays no part: where no document has a grade below
            it, grades below it are never better than it or none.
    """
    depth = max(side.grades.shape[1] for side in sides)
    counted = np.arange(depth + 1) <= (measure.cutoff or depth)
    counted[0] = False  # the rank of a hole that was not returned
    holes = np.logical_or.reduce([counted[side.ranks] for side in sides])
    worth = np.where(counted, _worth(measure, depth), 0.0)
    if measure.name in {"RR", "Success"}:
        return FirstRelevant(
            weights=weights,
            values=tuple(_first(side.grades, measure.rel, worth) for side in sides),
            singles=tuple(worth[side.ranks] for side in sides),
            defined=np.any(ideal >= measure.rel, axis=1),
            holes=holes,
        )
    gains = gain_table(GAIN_OF_DCG[measure.dcg]) if measure.dcg else _indicator(measure.rel)
    gains_by_rank = [gains[side.grades] @ worth[1 : side.grades.shape[1] + 1] for side in sides]
    steps = np.diff(gains[: highest + 1])
    levels = 1 + np.flatnonzero(steps)
    steps = steps[levels - 1]
    most = int(holes.sum(axis=1).max(initial=1))
    fixed, grown = _denominators(measure, ideal.shape[1] + most)
    known = (ideal[:, np.newaxis] >= levels[:, np.newaxis]).sum(axis=2)
    counts = known[:, :, np.newaxis] + np.arange(most + 1)
    return Fraction(
        numerator=weighted(weights, gains_by_rank),
        denominator=fixed + gains[ideal] @ np.diff(grown)[: ideal.shape[1]],
        defined=np.any(gains[ideal] > 0, axis=1),
        merits=np.where(holes, weighted(weights, [worth[side.ranks] for side in sides]), -np.inf),
        steps=steps,
        growth=steps[:, np.newaxis] * (grown[counts] - grown[counts[:, :, :1]]),
    )


def _indicator(rel: int) -> FloatArray:
    """The gain of each grade in a binary measure; shape (256,)."""
    grades = np.arange(256)
    return np.where((grades >= rel) & (grades < SPAM), 1.0, 0.0)


def _first(grades: GradeArray, rel: int, worth: FloatArray) -> FloatArray:
    """What the first relevant rank of each row is worth, 0 where there is none; shape (Q,)."""
    relevant: BoolArray = (grades >= rel) & (grades < SPAM)
    first: FloatArray = np.where(relevant, worth[1 : grades.shape[1] + 1], 0.0).max(axis=1, initial=0.0)
    return first


def _worth(measure: Measure, depth: int) -> FloatArray:
    """What one unit of gain is worth at each rank from 0 to *depth*; rank 0 has no meaning."""
    ranks = np.maximum(np.arange(depth + 1.0), 1.0)
    worths: FloatArray
    if measure.name == "nDCG":
        worths = 1.0 / np.log2(ranks + 1.0)
    elif measure.name == "RBP":
        worths = (1.0 - measure.p) * measure.p ** (ranks - 1.0)
    elif measure.name == "RR":
        worths = 1.0 / ranks
    else:  # beta is 0 for all but F
        worths = np.full(depth + 1, 1.0 + measure.beta * measure.beta)
    return worths


def _denominators(measure: Measure, most: int) -> tuple[float, FloatArray]:
    """What stands in the denominator anyway, and what 0, 1, ... *most* judged documents of one unit of gain add."""
    counts = np.arange(most + 1.0)
    if measure.name == "nDCG":
        discounts = 1.0 / np.log2(np.maximum(counts, 1.0) + 1.0)
        return 0.0, np.cumsum(np.where((counts > 0) & (counts <= (measure.cutoff or most)), discounts, 0.0))
    fixed, slope = {
        "P": (float(measure.cutoff), 0.0),
        "R": (0.0, 1.0),
        "F": (float(measure.cutoff), measure.beta * measure.beta),  # P and R put into F's formula
        "RBP": (1.0, 0.0),
    }[measure.name]
    return fixed, slope * counts
