"""The queries that got worse, each in one sentence, for the formats that point at lines of the golden set."""

from dataclasses import dataclass
from typing import Final

from rankgate.reports.records.queries import FirstChange, QueryFact
from rankgate.reports.records.report import Facts
from rankgate.reports.rounding import brief
from rankgate.reports.visible import middle

_LONG: Final = 160


@dataclass(frozen=True, slots=True)
class Worsened:
    """A query that got worse.

    Attributes:
        lost: It had a relevant first result and has none now.
        sentence: Of one line, but for what an id holds.
    """

    query: QueryFact
    lost: bool
    sentence: str


def worsened(facts: Facts) -> tuple[Worsened, ...]:
    """The lost queries, then the others, the worst first."""
    known = {query.id: query for query in facts.queries}
    lost = {change.id for change in facts.lost}
    return (
        *(Worsened(known[change.id], True, _lost(change, known[change.id])) for change in facts.lost),
        *(Worsened(query, False, _worse(query)) for query in facts.worst if query.id not in lost),
    )


def _lost(change: FirstChange, query: QueryFact) -> str:
    now = "nothing is returned now" if change.first is None else f"first now {quoted(change.first)}"
    rank = "not returned" if change.after is None else f"rank {change.after}"
    was = "" if change.document is None else f"{quoted(change.document)} was first, now {rank}; "
    return f"{_named(query)} lost its relevant first result: {was}{now}; {_values(query)}"


def _worse(query: QueryFact) -> str:
    how = "got better and worse" if query.state == "mixed" else "got worse"
    return f"{_named(query)} {how}: {_values(query)}"


def _named(query: QueryFact) -> str:
    return f"query {quoted(query.id)} ({quoted(query.text)})"


def _values(query: QueryFact) -> str:
    changed = (value for value in query.values if value.trend in {"worse", "better"})
    return ", ".join(f"{value.label} {brief(value.before)} -> {brief(value.now)}" for value in changed)


def quoted(text: str) -> str:
    """An id in quotation marks, its middle left out where it is long."""
    return repr(middle(text, _LONG))
