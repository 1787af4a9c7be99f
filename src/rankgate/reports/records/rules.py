"""What a report says of measures and of the rules on them, and how it calls what became of a rule."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rankgate.core.findings import Status
from rankgate.core.judgments import ALL, Place
from rankgate.core.limits import FAILING_CHANGE
from rankgate.core.verdict import Outcome
from rankgate.reports.records.means import Trend

#: The rules that are broken where search got worse.
DROPS: Final = frozenset({*FAILING_CHANGE, "lost_queries"})
#: What was not measured, of this run and of what stands beside it: the cap itself, and no rule that it could turn.
UNMEASURED: Final = frozenset({"max_errors", "reference_errors"})


@dataclass(frozen=True, slots=True)
class MeasureFact:
    """A measure of the report.

    Attributes:
        name: In full, unambiguous.
        label: Without parameters, for narrow places; in full where two measures would share it.
        gated: Whether any rule judges it.
    """

    name: str
    label: str
    higher_is_better: bool
    gated: bool


@dataclass(frozen=True, slots=True)
class RuleRow:
    """What became of one rule.

    Attributes:
        rule: Its key in the config; empty for a measure without a rule.
        label: A few words that name it.
        message: The sentence for the reader.
        measure: In full; None for a rule that has none.
        baseline: Where queries failed, as *now* and *change*: that at which the change is at its worst.
        baseline_best: That at which the change is at its best.
        now_best: The same of *now*.
        change_best: The same of *change*.
        limit: In points, or a count of queries.
        limit_queries: The limit in queries.
        n: Over how many queries.
        trend: Which way the change went; None where the queries that failed leave that open.
        better: Compared queries whose value got better; None where nothing was compared.
        turns: Whether judging the unjudged alone could turn a rule that failed or warned; None where that is not known
            for the measure, for a rule that rests on no judgment, and for one that holds.
        holes: Query and document of the fewest unjudged results whose judging could; empty where it could not.
    """

    rule: str
    status: Status
    label: str
    message: str
    measure: str | None = None
    measure_label: str = ""
    slice: str = ALL
    baseline: float | None = None
    now: float | None = None
    change: float | None = None
    baseline_best: float | None = None
    now_best: float | None = None
    change_best: float | None = None
    trend: Trend | None = None
    limit: float | None = None
    limit_relative: float | None = None
    limit_queries: float | None = None
    n: int = 0
    better: int | None = None
    same: int | None = None
    worse: int | None = None
    query_ids: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    turns: bool | None = None
    holes: tuple[tuple[str, str], ...] = ()
    place: Place | None = None


#: The order in which rules are shown.
STATUS_ORDER: Final = (
    Status.FAIL,
    Status.UNDECIDED,
    Status.WARN,
    Status.KNOWN,
    Status.PASS,
    Status.NOT_GATED,
)


def with_status(rows: Iterable[RuleRow], status: Status) -> list[RuleRow]:
    """Those of *rows* that have *status*."""
    return [row for row in rows if row.status is status]


def status_word(row: RuleRow, outcome: Outcome) -> str:
    """What a report calls a rule's status: shouted where it decides, conditional where there is no verdict."""
    status = row.status
    if not row.rule:
        return "no verdict" if outcome is Outcome.PARTIAL else "no rule"
    if status is Status.FAIL and outcome is Outcome.PARTIAL:
        return "would fail"
    return status.value.upper() if status in {Status.FAIL, Status.UNDECIDED} else status.value
