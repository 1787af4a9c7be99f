"""Workflow commands: annotations that GitHub shows in the checks of a pull request, beside the lines they are about.

GitHub shows ten errors, ten warnings and ten notices of a step and drops the rest without a word. So failed rules share
what nine queries leave, and what is not shown is counted in a notice and listed in the log.
The runner reads every line of a step's output: what is between the commands never begins as one, whatever the data.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rankgate.core.findings import Status
from rankgate.core.judgments import Place, problem_at
from rankgate.core.verdict import Outcome
from rankgate.errors import Problem
from rankgate.reports.places import Checkout
from rankgate.reports.records.report import Facts, FailureGroup
from rankgate.reports.records.rules import RuleRow
from rankgate.reports.summary import count
from rankgate.reports.visible import inert, middle, visible
from rankgate.reports.worsened import quoted, worsened

Level = Literal["error", "warning"]

#: Of a level, in one step.
SHOWN: Final = 10
QUERIES_SHOWN: Final = SHOWN - 1
#: GitHub cuts a message at 4,096 bytes.
MESSAGE_BYTES: Final = 3_900
TITLE_LENGTH: Final = 160


@dataclass(frozen=True, slots=True)
class Note:
    """One annotation, its texts not yet escaped.

    Attributes:
        lines: Of the message; a line break within one is data and is shown as such.
        place: None for what stands in no file.
    """

    title: str
    lines: tuple[str, ...]
    place: Place | None = None


def render(facts: Facts, checkout: Checkout) -> str:
    """The annotations, the queries that found no room among them, and the verdict as a plain line."""
    queries = _queries(facts)
    shown, hidden = queries[:QUERIES_SHOWN], queries[QUERIES_SHOWN:]
    level = _level_of_queries(facts)
    notes: dict[Level, list[Note]] = {"error": [], "warning": []}
    for found, note in _findings(facts):
        notes[found].append(note)
    room = {each: SHOWN - (len(shown) if each == level else 0) for each in notes}
    lines = [_command(each, note, checkout) for each in notes for note in _gathered(notes[each], room[each])]
    lines += [_command(level, note, checkout) for note in shown]
    if hidden:
        more = f"{count(len(hidden), 'more query', 'more queries')} got worse; the log of this step lists them"
        lines.append(_command("notice", Note("rankgate", (more,)), checkout))
        lines += [_plain(f"- {line}") for note in hidden for line in note.lines]
    lines.append(_plain(facts.measured))
    lines.append(_plain(f"rankgate: {facts.word} (exit code {facts.exit_code}): {facts.headline}"))
    return "\n".join(lines) + "\n"


def mistakes(problems: Sequence[Problem], checkout: Checkout) -> str:
    """The annotations of what is wrong, where it keeps the gate from a verdict."""
    notes = [
        Note("rankgate", (each.message,), Place(each.path, each.line, each.column) if each.path else None)
        for each in problems
    ]
    return "".join(f"{_command('error', note, checkout)}\n" for note in _gathered(notes, SHOWN))


def _findings(facts: Facts) -> Iterator[tuple[Level, Note]]:
    """What failed; why queries were not measured; then what may only follow from that."""
    rows = (*facts.rules, *facts.pins)
    yield from _rules([row for row in rows if row.status is Status.FAIL], facts)
    for group in facts.failures:
        yield "error" if facts.exit_code else "warning", _unmeasured(group)
    yield from _rules([row for row in rows if row.status is not Status.FAIL], facts)


def _rules(rows: Iterable[RuleRow], facts: Facts) -> Iterator[tuple[Level, Note]]:
    for row in rows:
        if level := _level(row.status, facts):
            yield level, Note(f"rankgate: {row.label}", (row.message,), row.place)


def _level(status: Status, facts: Facts) -> Level | None:
    """An error where the rule is why the exit code is not 0."""
    if status is Status.FAIL:
        return "warning" if facts.outcome is Outcome.PARTIAL else "error"
    if status is Status.UNDECIDED:
        return "error" if facts.exit_code else "warning"
    if status is Status.WARN:
        return "error" if facts.strict and facts.outcome is Outcome.WARN else "warning"
    return None


def _level_of_queries(facts: Facts) -> Level:
    fatal = facts.outcome is Outcome.FAIL or (facts.outcome is Outcome.WARN and facts.exit_code)
    return "error" if fatal else "warning"


def _queries(facts: Facts) -> list[Note]:
    """What got worse, lost queries first; of a pass nothing, for it is within what the rules allow."""
    if facts.outcome is Outcome.PASS:
        return []
    return [
        Note(f"rankgate: {'lost' if each.lost else 'worse'} query", (each.sentence,), each.query.place)
        for each in worsened(facts)
    ]


def _unmeasured(group: FailureGroup) -> Note:
    ids = group.query_ids
    failed = count(len(ids), "query was not measured", "queries were not measured")
    more = f" and {len(ids) - QUERIES_SHOWN} more" if len(ids) > QUERIES_SHOWN else ""
    named = ", ".join(map(quoted, ids[:QUERIES_SHOWN]))
    return Note("rankgate: not measured", (f"{failed}{group.side}: {group.message}: {named}{more}",))


def _gathered(notes: Sequence[Note], room: int) -> Iterator[Note]:
    """*notes* on at most *room*: those beyond share the last, which names their places and is on the line of none."""
    if len(notes) <= room:
        yield from notes
        return
    yield from notes[: room - 1]
    rest = notes[room - 1 :]
    lines = tuple(str(problem_at(note.place, line)) for note in rest for line in note.lines)
    path, *others = {note.place.path if note.place else "" for note in rest}
    yield Note(f"rankgate: {len(rest)} findings", lines, Place(path, 0, 0) if path and not others else None)


def _command(level: Level | Literal["notice"], note: Note, checkout: Checkout) -> str:
    place = note.place
    where = {"file": checkout.path(place.path), "line": place.line, "col": place.column} if place else {}
    named = where | {"title": middle(note.title, TITLE_LENGTH)}
    # A line of 0 is that of a whole file.
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in named.items() if value)
    message = escape(_cut("\n".join(map(_plain, note.lines))))
    return f"::{level} {properties}::{message}"


def _property(text: str) -> str:
    return escape(_plain(text)).replace(":", "%3A").replace(",", "%2C")


def escape(text: str) -> str:
    """*text* for the message of a command, as the runner undoes it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _cut(text: str) -> str:
    """*text* within ``MESSAGE_BYTES``, never within a character; what is left out is counted."""
    data = text.encode()
    if len(data) <= MESSAGE_BYTES:
        return text
    kept = data[:MESSAGE_BYTES].decode(errors="ignore")
    return f"{kept}... ({len(text) - len(kept)} characters more in the other reports)"


def _plain(text: str) -> str:
    """A line of the log, which no runner takes for a command."""
    return inert(visible(text))
