"""Judgments and a run side by side as arrays, one row a query.

Turning strings into numbers is nearly all the work of scoring, so it happens once, here: each query's ranking becomes
a row of bytes by one dictionary look-up a document.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
GradeArray = NDArray[np.uint8]

#: A document's id: text, or the bytes of a file that need not be read as text.
Document = TypeVar("Document", str, bytes)

#: The byte that stands for "no judgment" and for padding; so no grade may reach it.
UNJUDGED: Final = 255
#: The byte of a judgment below 0, as TREC gives to spam: judged, not relevant, and no part of Bpref.
SPAM: Final = 254


@dataclass(frozen=True, slots=True)
class Aligned:
    """Q queries in a fixed order, their rankings K deep and their judgments J long.

    Attributes:
        query_ids: Q ids.
        grades: Shape (Q, K). Grade at rank j + 1; UNJUDGED for a hole and for padding.
        ideal: Shape (Q, J). All judged grades, descending, padded with 0.
        judged: Shape (Q,). Documents judged with a grade of 0 or more.
        returned: Shape (Q,). Documents returned, at most the depth of the run.
        failed: Shape (Q,). The query was not measured; its row is padding.
    """

    query_ids: tuple[str, ...]
    grades: GradeArray
    ideal: GradeArray
    judged: IntArray
    returned: IntArray
    failed: BoolArray


def grades_by_rank(judgments: Mapping[Document, int], ranking: Iterable[Document]) -> bytes:
    """The grade of each document of *ranking* as a byte, UNJUDGED for a hole."""
    try:
        return bytes(map(judgments.get, ranking, repeat(UNJUDGED)))
    except ValueError:  # a grade below 0; too rare to ask for it each time
        as_bytes = {document: SPAM if grade < 0 else grade for document, grade in judgments.items()}
        return bytes(map(as_bytes.get, ranking, repeat(UNJUDGED)))


def assemble(
    query_ids: Sequence[str],
    judgments: Sequence[Mapping[Document, int]],
    rows: Sequence[bytes],
    *,
    failed: Sequence[bool] | None = None,
) -> Aligned:
    """Put the rows of all queries into arrays.

    Args:
        query_ids: Q ids.
        judgments: Of each query.
        rows: Of each query, as ``grades_by_rank`` makes them.
        failed: Which queries were not measured; none by default.
    """
    ideals = [_falling(each.values()) for each in judgments]
    return Aligned(
        query_ids=tuple(query_ids),
        grades=_matrix(rows, UNJUDGED),
        ideal=_matrix(ideals, 0),
        judged=np.fromiter(map(len, ideals), np.int64),
        returned=np.fromiter(map(len, rows), np.int64),
        failed=np.zeros(len(rows), dtype=np.bool_) if failed is None else np.array(failed, dtype=np.bool_),
    )


def _falling(grades: Collection[int]) -> bytes:
    try:
        return bytes(sorted(grades, reverse=True))
    except ValueError:
        return bytes(sorted((grade for grade in grades if grade >= 0), reverse=True))


def _matrix(rows: Sequence[bytes], padding: int) -> GradeArray:
    width = max(map(len, rows), default=0)
    padded = b"".join(row.ljust(width, bytes((padding,))) for row in rows)
    return np.frombuffer(padded, dtype=np.uint8).reshape(len(rows), width)
