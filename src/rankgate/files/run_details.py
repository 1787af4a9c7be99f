"""What a service said of its hits, in the lines of a saved run: score, title and snippet, a row a hit."""

import math
from collections.abc import Sequence

from rankgate.core.rankings import Detail


def as_rows(details: Sequence[Detail]) -> list[list[object]]:
    """A row for each document, in the order of the ids."""
    return [[_finite(each.score), each.title, each.snippet] for each in details]


def from_rows(rows: object, documents: int) -> tuple[Detail, ...] | None:
    """Read what ``as_rows`` wrote for so many documents; None where it is not that."""
    if not isinstance(rows, list) or len(rows) != documents:
        return None
    found = tuple(detail for row in rows if (detail := _detail(row)) is not None)
    return found if len(found) == documents else None


def _detail(row: object) -> Detail | None:
    match row:
        case [None | int() | float() as score, str() as title, str() as snippet] if not isinstance(score, bool):
            return Detail(score, title, snippet)
    return None


def _finite(score: float | None) -> float | None:
    return score if score is None or math.isfinite(score) else None
