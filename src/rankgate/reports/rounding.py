"""Numbers as people read them; the facts keep them unrounded."""

from typing import Final

from rankgate.core.findings import in_queries
from rankgate.core.findings import number as rounded
from rankgate.reports.records import RuleRow

#: Stands under every table of means when queries failed.
AT_WORST: Final = "means are at their worst: a query that was not measured counts as if it had found nothing"


def number(value: float | None) -> str:
    """Four decimals, more where they would hide that it is not zero, ``-`` for none."""
    return "-" if value is None else rounded(value)


def brief(value: float | None) -> str:
    """As ``number``, and a whole number as one: most values of one query are 0 or 1."""
    return f"{value:g}" if value is not None and value.is_integer() else number(value)


def signed(value: float | None) -> str:
    """As ``number``, with its sign; no sign on zero."""
    if value is None:
        return "-"
    return f"+{rounded(value)}" if value > 0 else rounded(value or 0.0)


def now(row: RuleRow) -> str:
    """The candidate's number: a mean of a measure, or a count."""
    return number(row.now) if row.measure or row.now is None else in_queries(row.now)


def limit(row: RuleRow) -> str:
    """The limit as it was configured: points, a share of the baseline, or both."""
    parts = [] if row.limit is None else [f"{row.limit:.6g}"]
    if row.limit_relative is not None:
        parts.append(f"{row.limit_relative * 100:.6g}%")
    return " ".join(parts) or "-"


def limit_in_queries(row: RuleRow) -> str:
    """The limit in queries, of how many."""
    if not row.n:
        return "-"
    return f"{'-' if row.limit_queries is None else in_queries(row.limit_queries)}/{row.n}"


def grade(value: int | None) -> str:
    """A document's grade in words."""
    return "unjudged" if value is None else f"grade {value}"
