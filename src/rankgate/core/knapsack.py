"""The fewest documents that bring what is lacking, shared out over queries: a knapsack of small whole numbers.

Solved exactly, and nearly in the time that it takes to read what each query can bring: along the least concave lines
above that, the steepest first, with a search among few queries where a line is not what the documents do.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from rankgate.core.alignment import FloatArray, IntArray

#: What summing in another order may change for each query, far below the tolerance of a limit.
RESIDUE: Final = 1e-12


def share_out(gains: FloatArray, lacking: float) -> list[int] | None:
    """How many documents of each query bring *lacking* with the fewest documents altogether.

    The steepest steps of all queries are taken until they do. Only where the last one is a step of several documents
    could fewer do, and then some queries near its slope are tried in every way.

    Args:
        gains: Shape (N, J + 1). What 0, 1, ... J documents of a query bring at the most; it starts at 0 and does not
            fall.
        lacking: What they must bring together, more than 0.

    Returns:
        N counts; None where all documents do not do.
    """
    steps = [_steps(gain) for gain in gains]
    rows = np.repeat(np.arange(len(gains)), [len(rises) for rises, _ in steps])
    rises, sizes = (np.concatenate(each) for each in zip(*steps, strict=True))
    slopes = np.concatenate([np.minimum.accumulate(rises / sizes) for rises, sizes in steps])
    steepest = np.argsort(-np.round(slopes / RESIDUE), kind="stable")  # of equal ones that of the first query
    last = int(np.searchsorted(np.cumsum(rises[steepest]), lacking))
    if last == len(steepest):
        return None
    taken, final = steepest[:last], steepest[last]
    counts = np.bincount(rows[taken], sizes[taken], len(gains)).astype(np.int64)
    fewer = _with_fewer(gains, lacking, counts, float(slopes[final]), int(sizes[final])) if sizes[final] > 1 else None
    if fewer is not None:
        return fewer
    counts[rows[final]] += sizes[final]
    return list(map(int, counts))


def _steps(gain: FloatArray) -> tuple[FloatArray, IntArray]:
    """The least concave line above what 0, 1, ... documents bring, in pieces: rise and length, the steepest first.

    Slopes that differ by no more than ``RESIDUE`` are equal.
    """
    steps: list[tuple[float, int]] = []
    for step in np.diff(gain).tolist():
        rise, size = step, 1
        while steps and rise / size > steps[-1][0] / steps[-1][1] + RESIDUE:
            before, length = steps.pop()
            rise, size = before + rise, length + size
        steps.append((rise, size))
    return np.array([rise for rise, _ in steps]), np.array([size for _, size in steps])


def _with_fewer(gains: FloatArray, lacking: float, base: IntArray, slope: float, size: int) -> list[int] | None:
    """Counts that bring *lacking* with more documents than *base* has, but fewer than *size* more; None for none.

    With *slope* as the price of a document, *base* is best, and each other count of a query loses something. Together
    the losses may be no more than what *size* - 1 documents at that price would bring beyond what is lacking. Where
    some of the queries with another count have as many documents more as others have fewer, all of them may as well
    keep theirs. So there is a best choice without such; in it fewer than 2 J queries have another count, and of each
    difference the 2 J queries that lose least by it are enough to choose from.
    """
    everything, most = np.arange(len(gains)), gains.shape[1] - 1
    brought = gains[everything, base]
    spare = brought.sum() + slope * (size - 1) - lacking + RESIDUE * len(gains)
    if spare < 0.0:
        return None
    worth = gains - slope * np.arange(most + 1)
    losses = worth[everything, base][:, np.newaxis] - worth
    near = losses <= spare
    tried: set[int] = set()
    for difference in (*range(-most, 0), *range(1, most + 1)):
        counts = base + difference
        rows = np.flatnonzero((counts >= 0) & (counts <= most))
        rows = rows[near[rows, counts[rows]]]
        tried.update(rows[np.argsort(losses[rows, counts[rows]], kind="stable")[: 2 * most]].tolist())
    chosen = np.array(sorted(tried), dtype=np.int64)
    least, greatest = near[chosen].argmax(axis=1), most - near[chosen, ::-1].argmax(axis=1)
    parts = [
        gains[row, low : high + 1] - gains[row, low] for row, low, high in zip(chosen, least, greatest, strict=True)
    ]
    kept = base.copy()
    kept[chosen] = least
    shares = _try_all(parts, lacking - gains[everything, kept].sum(), int((base - kept).sum()) + size - 1)
    if shares is None:
        return None
    kept[chosen] += np.array(shares, dtype=np.int64)
    return list(map(int, kept))


def _try_all(gains: Sequence[FloatArray], lacking: float, most: int) -> list[int] | None:
    """The same for few queries, exact for steps of any size, in time that grows with the square of their documents.

    Args:
        gains: Of each of N queries what 0, 1, ... documents bring, as above.
        lacking: What they must bring together.
        most: How many documents may be taken.

    Returns:
        N counts; None where *most* do not do.
    """
    brought = np.zeros(most + 1)  # with at most so many documents of the queries seen so far
    taken = np.zeros((len(gains), most + 1), dtype=np.int64)
    for row, gain in enumerate(gains):
        before = brought.copy()
        for count in 1 + np.flatnonzero(np.diff(gain[: most + 1]) > 0.0):
            with_these = before[: most + 1 - count] + gain[count]
            better = with_these > brought[count:]
            brought[count:][better] = with_these[better]
            taken[row, count:][better] = count
    if brought[-1] < lacking:
        return None
    left = int(np.argmax(brought >= lacking))
    shares = []
    for row in reversed(range(len(gains))):
        shares.append(int(taken[row, left]))
        left -= shares[-1]
    return shares[::-1]
