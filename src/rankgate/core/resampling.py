"""The two distributions behind a paired comparison: of the mean under resampling, and of the sum under flipped signs.

Both must come out the same, to the last bit, on every machine, in any order of the queries, and mirrored when the sides
are swapped. Three things see to that:

- Differences are whole numbers of small steps (``Steps``), so that every sum is exact, however a processor or a matrix
  library orders and groups it, and two sums that should be equal are.
- The draws depend on nothing but how many they are for. They are the output of SHAKE128 (FIPS 202), which is the same
  bits for ever; numpy promises no such thing of its generators' methods, and a clock promises the opposite. A measure
  therefore has the same interval whichever others are reported beside it.
- The differences are sorted before they meet the draws.
"""

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from rankgate.core.alignment import FloatArray, IntArray

#: Resamples behind an interval.
RESAMPLES: Final = 10_000
#: Sampled sign patterns behind a p value that is not exact.
FLIPS: Final = 10_000
#: Resamples left out at either end of a 95 % interval.
_TAIL: Final = RESAMPLES // 40
#: Up to so many changed queries every sign pattern is looked at.
ENUMERATED: Final = 16
#: The most additions that the exact distribution of differences on a lattice may cost, some milliseconds.
_LATTICE_WORK: Final = 2**23
#: Matrix cells drawn at a time: they stay in a processor's cache, and many queries need no more memory than few.
_BLOCK: Final = 2**15
#: Steps to a point. All of 1/1 to 1/10, and so P@10, RR@10 or Success, are whole multiples of a 2520th.
_FINEST: Final = 2520.0 * 2**30
#: Whole numbers below it are floats, and so are their sums.
_EXACT: Final = 2.0**53
#: The smallest float of full precision: two patterns of 2^2000 are more than none, but no float.
LEAST_P: Final = 2.0**-1022


@dataclass(frozen=True, slots=True)
class Steps:
    """Differences as whole numbers.

    Attributes:
        values: Shape (Q,). Each difference in steps, rounded; ascending.
        per_point: How many steps make up one point of the measure.
    """

    values: IntArray
    per_point: float

    @classmethod
    def of(cls, differences: FloatArray) -> "Steps":
        """Round *differences*, shape (Q,), to the finest steps whose sums are still exact: to some 1e-13 of a point."""
        per_point = _FINEST
        bound = len(differences) * float(np.abs(differences).max(initial=0.0))
        while bound * per_point >= _EXACT / 2:
            per_point /= 2
        return cls(np.sort(np.rint(differences * per_point)).astype(np.int64), per_point)

    def mean(self, total: float) -> float:
        """What a sum of that many steps, over all queries, is as a mean in points."""
        return total / (len(self.values) * self.per_point)


def bootstrap_sums(values: IntArray) -> tuple[FloatArray, FloatArray]:
    """The ends of the 95 % percentile interval of the sum of Q differences, for M measures at once.

    A resample is Q queries drawn with replacement. Each draw serves twice, for the differences in ascending and in
    descending order, so that the interval of the swapped sides is the mirror image and not merely close to it. The ends
    are the 250th of the 10,000 sums from below and from above.
    Source: Efron & Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.

    Args:
        values: Shape (M, Q), each row ascending. Steps.

    Returns:
        Low and high, each of shape (M,). Steps.
    """
    ascending = values.T.astype(np.float64)
    both = np.hstack((ascending, ascending[::-1]))
    sums = np.vstack([counts @ both for counts in _resamples(len(both), RESAMPLES // 2)])
    pooled = np.partition(np.vstack(np.hsplit(sums, 2)), (_TAIL - 1, RESAMPLES - _TAIL), axis=0)
    return pooled[_TAIL - 1], pooled[RESAMPLES - _TAIL]


def sign_flip_p(values: IntArray) -> tuple[float, bool]:
    """The two-sided p of a paired randomization test of the mean, and whether it is exact.

    If the sides were interchangeable, each difference could as well have had the other sign. p is the share of all sign
    patterns whose sum is at least as far from zero as the one that was seen.
    Source: Fisher, The Design of Experiments, 1935, section 21; for rankings Smucker, Allan & Carterette, CIKM 2007,
    doi:10.1145/1321440.1321528.

    It is exact where few queries changed, or where the differences lie on a coarse lattice: for one that only takes 0
    and 1, such as P@1, it is the sign test. Else 10,000 patterns are sampled and p is (b + 1) / (10,000 + 1), which
    counts the pattern that was seen: Phipson & Smyth, 2010, doi:10.2202/1544-6115.1585.

    Args:
        values: Shape (Q,). Steps.

    Returns:
        p, in (0, 1], never 0.
    """
    sizes = np.sort(np.abs(values[values != 0]))
    # Flipping differences moves a sum by twice what their rounding left over, half a step each: nearer is equal.
    extreme = abs(int(values.sum())) - len(sizes)
    lattice = int(np.gcd.reduce(sizes)) if len(sizes) else 1
    if int(sizes.sum()) // lattice * len(sizes) <= _LATTICE_WORK:
        return _lattice_p(sizes, lattice, extreme), True
    if len(sizes) <= ENUMERATED:
        return _enumerated_p(sizes, extreme), True
    return _sampled_p(sizes, extreme), False


def _lattice_p(sizes: IntArray, lattice: int, extreme: int) -> float:
    """From the share of sign patterns that has each sum, built up one difference at a time."""
    shares = np.ones(1)
    for size in (sizes // lattice).tolist():
        grown = np.zeros(len(shares) + size)
        grown[: len(shares)] = shares
        grown[size:] += shares
        shares = grown / 2
    sums = 2 * lattice * np.arange(len(shares)) - int(sizes.sum())
    p = math.fsum(shares[np.abs(sums) >= extreme].tolist())
    return min(max(p, LEAST_P), 1.0)


def _enumerated_p(sizes: IntArray, extreme: int) -> float:
    """From every sign pattern."""
    sums = np.zeros(1, dtype=np.int64)
    for size in sizes.tolist():
        sums = np.concatenate((sums - size, sums + size))
    return int((np.abs(sums) >= extreme).sum()) / len(sums)


def _sampled_p(sizes: IntArray, extreme: int) -> float:
    """From 10,000 random sign patterns and the one that was seen."""
    steps, total = sizes.astype(np.float64), float(sizes.sum())
    as_far = sum(int((np.abs(2 * (kept @ steps) - total) >= extreme).sum()) for kept in _signs(len(sizes), FLIPS))
    return (as_far + 1) / (FLIPS + 1)


def _resamples(size: int, rows: int) -> Iterator[FloatArray]:
    """Matrices of *rows* rows in all: how often each of *size* queries is drawn in *size* draws."""
    for block, height in _blocks(size, rows):
        words = np.frombuffer(_stream("resample", size, block, 4 * height * size), dtype="<u4")
        # The upper half of the product: uniform to size / 2^32, with no draw to reject.
        drawn = words.astype(np.int64).reshape(height, size)
        drawn *= size
        drawn >>= 32
        cells = drawn + size * np.arange(height)[:, np.newaxis]
        yield np.bincount(cells.ravel(), minlength=height * size).reshape(height, size).astype(np.float64)


def _signs(size: int, rows: int) -> Iterator[FloatArray]:
    """Matrices of *rows* rows in all: 1 for a difference that stays positive, 0 for one that becomes negative."""
    width = -(-size // 8)
    for block, height in _blocks(size, rows):
        octets = np.frombuffer(_stream("sign", size, block, height * width), dtype=np.uint8).reshape(height, width)
        yield np.unpackbits(octets, axis=1, count=size).astype(np.float64)


def _blocks(width: int, rows: int) -> Iterator[tuple[int, int]]:
    """The number of each block of rows, and its height."""
    height = max(_BLOCK // width, 1)
    for block, start in enumerate(range(0, rows, height)):
        yield block, min(height, rows - start)


def _stream(purpose: str, size: int, block: int, length: int) -> bytes:
    """Random bytes, the same for the same arguments."""
    return hashlib.shake_128(f"{purpose} {size} {block}".encode()).digest(length)
