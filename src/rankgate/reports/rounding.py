"""Numbers as people read them; the facts keep them unrounded."""

from typing import Final

from rankgate.core.findings import in_queries
from rankgate.core.findings import number as rounded
from rankgate.core.limits import BOUNDARY
from rankgate.reports.records.means import Evidence, MeanCell
from rankgate.reports.records.rules import RuleRow

#: Below it a p is only said to be so.
LEAST_SHOWN: Final = 0.001
#: Stands under every table of means when queries failed.
AT_WORST: Final = "means are at their worst, marked >= or <=: a query that was not measured counts against this run"


def number(value: float | None) -> str:
    """Four decimals, more where they would hide that it is not zero, ``-`` for none."""
    return "-" if value is None else rounded(value)


def brief(value: float | None) -> str:
    """As ``number``, and a whole number as one: most values of one query are 0 or 1."""
    return f"{value:g}" if value is not None and value.is_integer() else number(value)


def score(value: float) -> str:
    """As a service would write it, with no more than six digits that count; a whole number in full."""
    return repr(float(f"{value:.6g}") if isinstance(value, float) else value)


def signed(value: float | None) -> str:
    """As ``number``, with its sign; no sign on zero."""
    if value is None:
        return "-"
    return f"+{rounded(value)}" if value > 0 else rounded(value or 0.0)


def bounded(value: float | None, best: float | None) -> str:
    """As ``number``; where queries failed, *value* is the worst that it could be, and the sign says so."""
    return _bound(value, best) + number(value)


def bounded_change(value: float | None, best: float | None) -> str:
    """As ``bounded``, of a change."""
    return _bound(value, best) + signed(value)


def _bound(value: float | None, best: float | None) -> str:
    if value is None or best is None or abs(best - value) <= BOUNDARY:
        return ""
    return ">=" if value < best else "<="


def interval(low: float | None, high: float | None) -> str:
    """Both ends, ``-`` where there is none."""
    return "-" if low is None or high is None else f"{signed(low)} {signed(high)}"


def reach(row: Evidence) -> str:
    """Both ends of what judging alone could make of a change; empty where it could not move it, or nobody knows."""
    if row.least is None or row.greatest is None or row.greatest - row.least <= BOUNDARY:
        return ""
    return f"{signed(row.least)} to {signed(row.greatest)}"


def probability(p: float | None) -> str:
    """Two digits that count, for nobody reads more into a p; never 0."""
    if p is None:
        return "-"
    return "<0.001" if p < LEAST_SHOWN else f"{p:.2g}" if p < 1 else "1"


def detectable(change: float | None) -> str:
    """As ``number``; no change of a measure is more than 1."""
    return ">1" if change is not None and change > 1 else number(change)


def shares(before: float | None, after: float | None) -> str:
    """Percentages of both sides, one where they are the same."""
    texts = [_share(before), _share(after)]
    if texts == ["-", "-"]:
        return "-"
    return f"{texts[0]}%" if texts[0] == texts[1] else f"{'>'.join(texts)}%"


def _share(share: float | None) -> str:
    """100 is all of them, and 0 is none."""
    if share is None:
        return "-"
    return f"{100 * share if share in {0.0, 1.0} else min(max(100 * share, 1), 99):.0f}"


def now(row: RuleRow) -> str:
    """The candidate's number: a mean of a measure, or a count."""
    return bounded(row.now, row.now_best) if row.measure or row.now is None else in_queries(row.now)


def baseline(row: RuleRow) -> str:
    """The mean that it is compared with."""
    return bounded(row.baseline, row.baseline_best)


def change(row: RuleRow | MeanCell) -> str:
    """The change, with its sign."""
    return bounded_change(row.change, row.change_best)


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
