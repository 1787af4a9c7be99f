"""What became of a rule: one record with all that a report says of it, and how its numbers are written."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from rankgate.core.catalog import Measure
from rankgate.core.judgments import ALL, Place
from rankgate.core.limits import BOUNDARY, COMPARING, LimitKind

RuleKind = Literal[
    LimitKind,
    "headroom",
    "lost_queries",
    "must",
    "never",
    "first",
    "before",
    "expects",
    "known_failure",
    "removed",
    "max_errors",
    "reference_errors",
    "page_cap",
    "twins",
    "no_baseline",
    "unstable",
    "no_results",
]

#: The rules on single queries.
PINS: Final[frozenset[RuleKind]] = frozenset({"must", "never", "first", "before", "expects", "known_failure"})


class Status(StrEnum):
    """What became of one rule."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"
    UNDECIDED = "undecided"  # the queries that were not measured could turn it either way
    KNOWN = "known failure"  # a pin that the golden set says may fail for now
    NOT_GATED = "not gated"  # too few queries, or nothing to compare with


#: A rule that does not hold, or may not.
BROKEN: Final = frozenset({Status.FAIL, Status.UNDECIDED, Status.WARN})


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of one rule, with the numbers that decided it.

    Attributes:
        message: The sentence for the reader.
        limit: In points, or a count of queries.
        limit_relative: As a fraction.
        limit_queries: The limit in queries of the slice; None where it has no such meaning.
        value: The candidate's number that was judged; its worst where queries failed.
        baseline: The baseline's, over the same queries.
        change: value - baseline.
        queries: How many queries the number is taken over.
        query_ids: The queries that the finding is about.
        documents: The documents that it is about.
        turns: Whether judging the unjudged alone could turn a rule that failed or warned; None where that is not known
            for the measure, for a rule that rests on no judgment, and for one that holds.
        holes: Query and document of the fewest unjudged results whose judging could; empty where it could not.
        place: Where the rule is written.
    """

    rule: RuleKind
    status: Status
    message: str
    measure: Measure | None = None
    slice: str = ALL
    limit: float | None = None
    limit_relative: float | None = None
    limit_queries: float | None = None
    value: float | None = None
    baseline: float | None = None
    change: float | None = None
    queries: int = 0
    query_ids: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    turns: bool | None = None
    holes: tuple[tuple[str, str], ...] = ()
    place: Place | None = None

    @property
    def number(self) -> float | None:
        """What the limit is on: the change for a rule on changes, else the value."""
        return self.change if self.rule in COMPARING else self.value


def number(value: float) -> str:
    """Four decimals, or as many as it takes to show that it is not zero."""
    return apart(value, 0.0)[0]


def apart(first: float, second: float) -> tuple[str, str]:
    """Print two numbers with four decimals, or with as many as it takes to tell them apart."""
    for digits in range(4, 13):
        texts = f"{first:.{digits}f}", f"{second:.{digits}f}"
        if texts[0] != texts[1] or abs(first - second) <= BOUNDARY:
            return texts
    return texts


def in_queries(count: float) -> str:
    """A limit in queries: ``2``, ``1.5``, ``0.3``."""
    return f"{round(count, 2):g}"


def plural(count: int, one: str, many: str) -> str:
    return one if count == 1 else many


def listed(ids: tuple[str, ...], most: int = 5) -> str:
    more = f" and {len(ids) - most} more" if len(ids) > most else ""
    return ", ".join(map(repr, ids[:most])) + more
