"""Judgments and a run side by side as arrays, one row a query.

Turning strings into numbers is nearly all the work of scoring, so it happens once, here: each query's ranking becomes
a row of bytes by one dictionary look-up a document.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rankgate.core.judgments import Query
from rankgate.core.rankings import Run

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
GradeArray = NDArray[np.uint8]

#: The byte that stands for "no judgment" and for padding; so no grade may reach it.
UNJUDGED: Final = 255


@dataclass(frozen=True, slots=True)
class Aligned:
    """Q queries in a fixed order, their rankings K deep and their judgments J long.

    Attributes:
        query_ids: Q ids.
        grades: Shape (Q, K). Grade at rank j + 1; UNJUDGED for a hole and for padding.
        ideal: Shape (Q, J). All judged grades, descending, padded with 0.
        returned: Shape (Q,). Documents returned, at most the depth of the run.
        failed: Shape (Q,). The query was not measured; its row is padding.
    """

    query_ids: tuple[str, ...]
    grades: GradeArray
    ideal: GradeArray
    returned: IntArray
    failed: BoolArray


def align(queries: Sequence[Query], run: Run) -> Aligned:
    """Lay the judgments of *queries* beside the rankings of *run*; a query that *run* lacks counts as failed."""
    rows: list[bytes] = []
    ideals: list[bytes] = []
    failed: list[bool] = []
    for query in queries:
        ranking = run.rankings.get(query.id)
        failed.append(ranking is None)
        rows.append(bytes(map(query.judgments.get, ranking.ids, repeat(UNJUDGED))) if ranking else b"")
        ideals.append(bytes(sorted(query.judgments.values(), reverse=True)))
    return Aligned(
        query_ids=tuple(query.id for query in queries),
        grades=_matrix(rows, UNJUDGED),
        ideal=_matrix(ideals, 0),
        returned=np.fromiter(map(len, rows), np.int64, len(rows)),
        failed=np.array(failed, dtype=np.bool_),
    )


def _matrix(rows: Sequence[bytes], padding: int) -> GradeArray:
    width = max(map(len, rows), default=0)
    padded = b"".join(row.ljust(width, bytes((padding,))) for row in rows)
    return np.frombuffer(padded, dtype=np.uint8).reshape(len(rows), width)
