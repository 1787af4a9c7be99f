"""What only the service could say of a run, in the header of a saved one: which queries are unstable."""

from collections.abc import Sequence
from typing import Final

from rankgate.core.findings import Finding, Status

_KEPT: Final = ("message", "value", "queries", "query_ids")


def as_objects(further: Sequence[Finding]) -> list[dict[str, object]]:
    """An object for each warning that came from asking more than once."""
    return [{key: getattr(each, key) for key in _KEPT} for each in further]


def from_objects(objects: object) -> tuple[Finding, ...] | None:
    """Read what ``as_objects`` wrote; None where it is not that."""
    if not isinstance(objects, list):
        return None
    found = tuple(finding for each in objects if (finding := _finding(each)) is not None)
    return found if len(found) == len(objects) else None


def _finding(found: object) -> Finding | None:
    match found:
        case {
            "message": str(message),
            "value": int() | float() as value,
            "queries": int(queries),
            "query_ids": [*query_ids],
        } if (ids := as_ids(query_ids)) is not None:
            return Finding(
                rule="unstable",
                status=Status.WARN,
                message=message,
                value=float(value),
                queries=queries,
                query_ids=ids,
            )
    return None


def as_ids(found: object) -> tuple[str, ...] | None:
    """A list of non-empty strings; None for what is none."""
    return tuple(found) if isinstance(found, list) and all(isinstance(each, str) and each for each in found) else None
