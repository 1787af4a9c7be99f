"""The report for a terminal or a log: the verdict and its reason first, then the numbers, then the queries.

What rankgate itself writes is ASCII, so that any code page can print it. Data is made visible and put into ``Text``
objects; no string of it ever goes through a markup parser.
"""

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Final

from rich.console import Console, RenderableType
from rich.text import Text

from rankgate.core.findings import Status
from rankgate.core.verdict import Outcome
from rankgate.reports.causes import reasons
from rankgate.reports.records.queries import FirstChange, MovedDocument, QueryFact, ValueChange
from rankgate.reports.records.report import Facts, NextStep
from rankgate.reports.rounding import AT_WORST, brief, grade, signed
from rankgate.reports.summary import EVIDENCE, agreement_lines, compared_as, count, pins_line
from rankgate.reports.tables import (
    GATE_ROWS,
    TREND_STYLES,
    evidence_table,
    flowed,
    gate_table,
    hanging,
    judging,
    shown_evidence,
    slice_table,
)
from rankgate.reports.visible import columns, inert, middle, shortened, visible

#: How many of each are printed; the rest is counted, and all of it is in the JSON report.
FAILED_SHOWN: Final = 8
EVIDENCE_SHOWN: Final = 8
QUERIES_SHOWN: Final = 8
#: Of a pass, which is short.
PASSING_SHOWN: Final = 3
MOVES_SHOWN: Final = 3
FIRSTS_SHOWN: Final = 5
IDS_SHOWN: Final = 8
GROUPS_SHOWN: Final = 5
NOTES_SHOWN: Final = 8
BEHIND_SHOWN: Final = 4

#: One id can be as long as it likes; a reader needs its ends.
SENTENCE_LENGTH: Final = 400

#: Columns of a line of a move beside document, old rank and cause: grade, new rank, cost, gaps.
_MOVE_WIDTH: Final = 30
#: The least room that the id of a document is given beside a cause.
NAME_FROM: Final = 14

#: The least room that the slices of a query are worth.
SLICES_FROM: Final = 12

OUTCOME_STYLES: Final = {
    Outcome.PASS: "bold green",
    Outcome.WARN: "bold yellow",
    Outcome.FAIL: "bold red",
    Outcome.INCONCLUSIVE: "bold magenta",
    Outcome.PARTIAL: "bold cyan",
}
_SERIOUS: Final = {Status.FAIL: "red", Status.UNDECIDED: "magenta", Status.WARN: "yellow", Status.KNOWN: "cyan"}


def render(facts: Facts, *, width: int, color: bool, ends: bool = True) -> str:
    """The report for people at *width* columns; without *color* there is no escape code in it.

    Args:
        ends: The command ends with the exit code of the verdict.
    """
    return to_text(_report(facts, width, ends=ends), width=width, color=color)


def to_text(parts: Iterable[RenderableType], *, width: int, color: bool) -> str:
    """Print *parts* the same way everywhere: nothing of the environment is asked."""
    out = StringIO()
    console = Console(
        file=out,
        width=width,
        height=25,
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
        force_jupyter=False,
        _environ={},
    )
    for part in parts:
        console.print(part)
    return inert("".join(f"{line.rstrip()}\n" for line in out.getvalue().split("\n"))).rstrip("\n") + "\n"


def _report(facts: Facts, width: int, *, ends: bool) -> Iterator[RenderableType]:
    code = f"  exit code {facts.exit_code}" if ends else ""
    yield Text.assemble((facts.word, OUTCOME_STYLES[facts.outcome]), (code, "dim"))
    yield Text(visible(facts.headline), "bold")
    yield Text(visible(facts.measured), "dim")
    yield from _behind(facts)
    yield from _failed(facts)
    yield from _section("Gate")
    yield gate_table(facts)
    yield from _legend(facts)
    yield from _evidence(facts)
    yield from _details(facts, width) if facts.outcome is not Outcome.PASS else _within_limits(facts, width)
    yield from _notes(facts)
    yield from _next(facts.next_steps)


def _details(facts: Facts, width: int) -> Iterator[RenderableType]:
    if len(facts.slices) > 1:
        yield from _section("Slices", "mean now, and its change")
        yield slice_table(facts, width)
    yield from queries_section("Worst queries", facts.worst, f"costs in {facts.moves_measure}", width)
    yield from queries_section("Weakest queries", facts.weakest, "no query got worse", width)
    yield from _firsts("Lost queries", facts.lost, width)
    yield from _firsts("Gained queries", facts.gained, width)
    yield from _changes(facts, width)
    yield from failures_section(facts)


def _within_limits(facts: Facts, width: int) -> Iterator[RenderableType]:
    """What got worse by no more than it may."""
    yield from queries_section("Worst queries", facts.worst, f"costs in {facts.moves_measure}", width, PASSING_SHOWN)
    yield from _firsts("Lost queries", facts.lost, width)


def _section(title: str, remark: str = "") -> Iterator[RenderableType]:
    yield Text()
    yield Text.assemble((title, "bold"), (f"  ({remark})" if remark else "", "dim"))


def more(left: int, one: str, many: str) -> Iterator[RenderableType]:
    """How many more there are; nothing for none."""
    if left > 0:
        yield hanging(Text(f"and {count(left, f'more {one}', f'more {many}')}", "dim"))


def _behind(facts: Facts) -> Iterator[RenderableType]:
    """The slices behind the means, before anything that a mean could hide them in."""
    if facts.behind:
        yield Text()
    for each in facts.behind[:BEHIND_SHOWN]:
        yield Text(visible(each.sentence), "bold")
    yield from more(len(facts.behind) - BEHIND_SHOWN, "slice behind a mean", "slices behind a mean")


def _failed(facts: Facts) -> Iterator[RenderableType]:
    """The sentences of what is not as it should be, each with the place of its rule."""
    rows = [row for status in _SERIOUS for row in facts.with_status(status)]
    if not rows:
        return
    yield Text()
    for row in rows[:FAILED_SHOWN]:
        where = f"{row.place}: " if row.place else ""
        message = shortened(visible(row.message), SENTENCE_LENGTH)
        yield Text.assemble((visible(where), "dim"), (message, _SERIOUS[row.status]))
    yield from more(len(rows) - FAILED_SHOWN, "sentence", "sentences")


def _legend(facts: Facts) -> Iterator[RenderableType]:
    short = [f"{fact.label} is {fact.name}" for fact in facts.measures if fact.label != fact.name]
    if short:
        yield hanging(Text("; ".join(short), "dim"))
    if facts.counts.incomplete:
        yield hanging(Text(AT_WORST, "dim"))
    hidden = len(facts.rules) - GATE_ROWS
    remarks = [count(hidden, "more rule", "more rules")] if hidden > 0 else []
    if facts.pins:
        remarks.append(pins_line(facts.pins))
    if remarks:
        yield hanging(Text("; ".join(remarks), "dim"))
    if facts.causes.sentence:
        yield hanging(Text(facts.causes.sentence))


def _evidence(facts: Facts) -> Iterator[RenderableType]:
    """What the changes are worth, and whether both sides answer the same question."""
    rows = shown_evidence(facts)
    if rows:
        yield from _section("Evidence", "context; the verdict rests on the limits")
        yield evidence_table(rows[:EVIDENCE_SHOWN])
        yield from more(len(rows) - EVIDENCE_SHOWN, "row", "rows")
        if could := "; ".join(judging(rows[:EVIDENCE_SHOWN])):
            yield hanging(Text(f"judging alone could make the change: {visible(could)}"))
        yield hanging(Text(EVIDENCE, "dim"))
    if facts.agreement:
        yield from _section("Agreement", "needs no judgments")
        yield from (hanging(Text(visible(line))) for line in agreement_lines(facts.agreement))
    if facts.has_baseline:
        yield Text()
        for line in compared_as(facts):
            yield Text(shortened(visible(line), SENTENCE_LENGTH), "dim")


def queries_section(
    title: str, queries: Sequence[QueryFact], remark: str, width: int, most: int = QUERIES_SHOWN
) -> Iterator[RenderableType]:
    """Each query with what changed and the documents that moved; nothing for none."""
    if not queries:
        return
    shown = f"{most} of {len(queries)}" if len(queries) > most else str(len(queries))
    cut = any(len(query.moves) > MOVES_SHOWN for query in queries[:most])
    yield from _section(title, f"{shown}; {remark}" + (f"; {MOVES_SHOWN} moves of each" if cut else ""))
    for query in queries[:most]:
        yield _title(query, width)
        for line in flowed(_values(query.values), width - 4):
            yield hanging(line, 4)
        for move in _moves(query.moves[:MOVES_SHOWN], width - 6):
            yield hanging(move, 6)


def _title(query: QueryFact, width: int) -> RenderableType:
    name = middle(visible(query.id), width // 2)
    text = middle(visible(query.text), max(width - columns(name) - 6, 8))
    room = width - columns(name) - columns(text) - 8
    slices = middle(visible(", ".join(query.slices)), room) if room >= SLICES_FROM else ""
    return hanging(Text.assemble((name, "bold"), f'  "{text}"', (f"  {slices}", "dim"), no_wrap=True))


def _values(values: Sequence[ValueChange]) -> Iterator[Text]:
    """What changed, or what is where nothing did."""
    for value in [value for value in values if value.trend in {"better", "worse"}] or values:
        shown = brief(value.now) if value.change is None else f"{brief(value.before)} -> {brief(value.now)}"
        yield Text.assemble(f"{value.label} ", (shown, TREND_STYLES[value.trend]))


def _moves(moves: Sequence[MovedDocument], width: int) -> Iterator[RenderableType]:
    """A line of at most *width* columns for each: ids give way to causes, to a point, and these to shorter words.

    What is too long for that has a line of its own, for no sentence is cut.
    """
    befores = [_rank(move.before, "new") for move in moves]
    before_width = max(map(len, befores), default=0)
    room = width - _MOVE_WIDTH - before_width
    narrow = room < NAME_FROM
    causes = max((columns(visible(move.reason)) for move in moves), default=0)
    names = [middle(visible(move.document), width if narrow else max(room - causes, NAME_FROM)) for move in moves]
    name_width = max(map(columns, names), default=0)
    for move, name, before in zip(moves, names, befores, strict=True):
        cost = signed(move.cost) if move.cost else ""
        rest = Text.assemble(
            (f"{grade(move.grade):<8} ", "dim" if move.grade is None else ""),
            f"{before:>{before_width}} -> {_rank(move.after, 'gone'):<4}  ",
            (f"{cost:<7}", TREND_STYLES["worse" if move.cost < 0 else "better"]),
            no_wrap=True,
        )
        if narrow:
            yield Text(name)
            yield from map(hanging, (rest, Text(visible(move.reason))) if move.reason else (rest,))
        else:
            text = Text.assemble(name + " " * (name_width - columns(name)), "  ", rest, no_wrap=True)
            shown = map(visible, reasons(move))
            fitting = next((each for each in shown if columns(each) <= room - name_width), "")
            yield text.append(f"  {fitting}" if fitting else "")
            if move.reason and not fitting:
                yield hanging(Text(visible(move.reason)))


def _rank(rank: int | None, otherwise: str) -> str:
    return otherwise if rank is None else str(rank)


def _firsts(title: str, changes: Sequence[FirstChange], width: int) -> Iterator[RenderableType]:
    if not changes:
        return
    yield from _section(title, str(len(changes)))
    for change in changes[:FIRSTS_SHOWN]:
        name = middle(visible(change.id), width // 4)
        each = max((width - columns(name) - 40) // 2, 8)
        yield hanging(Text.assemble((name, "bold"), f"  {_what_happened(change, each)}"))
    yield from more(len(changes) - FIRSTS_SHOWN, "query", "queries")


def _what_happened(change: FirstChange, each: int) -> str:
    """Where the relevant document went or came from, and what is first now; an id has *each* columns."""
    document = None if change.document is None else middle(visible(change.document), each)
    if change.first is None:
        return "returns nothing now" if document is None else f"returns nothing now; {document} was first"
    if change.after == 1:
        return f"{document} is first now, was {_place(change.before, 'not returned')}"
    first = f"{middle(visible(change.first), each)} ({grade(change.first_grade)})"
    return f"{document} 1st -> {_place(change.after)}; now {first}"


def _place(rank: int | None, otherwise: str = "gone") -> str:
    return otherwise if rank is None else f"rank {rank}"


def _changes(facts: Facts, width: int) -> Iterator[RenderableType]:
    if not (facts.new or facts.removed or facts.changed or facts.relabelled):
        return
    yield from _section("Changes of the golden set")
    for title, ids in (
        ("new, only floors apply: ", facts.new),
        ("removed: ", facts.removed),
        ("relabelled, both sides scored with the new judgments: ", facts.relabelled),
    ):
        if ids:
            yield hanging(Text(f"{title}{listed(ids)}"))
    for change in facts.changed[:IDS_SHOWN]:
        each = max((width - 24) // 3, 8)
        name, before, now = (middle(visible(text), each) for text in (change.id, change.before, change.now))
        yield hanging(Text(f'text changed: {name}  "{before}" -> "{now}"'))
    yield from more(len(facts.changed) - IDS_SHOWN, "changed text", "changed texts")


def listed(ids: Sequence[str], most: int = IDS_SHOWN) -> str:
    """The first few ids, and how many more there are."""
    more = f" and {len(ids) - most} more" if len(ids) > most else ""
    return ", ".join(middle(visible(query_id), 40) for query_id in ids[:most]) + more


def failures_section(facts: Facts) -> Iterator[RenderableType]:
    """The queries that were not measured, by reason; nothing for none."""
    if not facts.failures:
        return
    failed = len({query_id for group in facts.failures for query_id in group.query_ids})
    yield from _section("Not measured", count(failed, "query", "queries"))
    for group in facts.failures[:GROUPS_SHOWN]:
        yield hanging(
            Text(f"{len(group.query_ids)} x {group.kind}{visible(group.side)}: {visible(group.message)}", "magenta")
        )
        yield hanging(Text(listed(group.query_ids)), 4)
    yield from more(len(facts.failures) - GROUPS_SHOWN, "kind of failure", "kinds of failure")


def _notes(facts: Facts) -> Iterator[RenderableType]:
    notes = [*facts.extra, *(f"{key}: {value}" for key, value in facts.notes)]
    if not notes:
        return
    yield from _section("Notes")
    for note in notes[:NOTES_SHOWN]:
        yield hanging(Text(visible(note)))
    yield from more(len(notes) - NOTES_SHOWN, "note", "notes")


def _next(steps: Sequence[NextStep]) -> Iterator[RenderableType]:
    if not steps:
        return
    yield from _section("Next")
    for step in steps:
        command = f": {visible(step.command)}" if step.command else ""
        yield hanging(Text.assemble(visible(step.text), (command, "bold")))
