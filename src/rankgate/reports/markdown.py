"""Markdown for a comment on a pull request or a step summary.

A comment has room for 65,536 characters and is refused whole beyond; so the report is built from the most important
part to the least, and what no longer fits is left out and counted.
Texts and ids are data from elsewhere: every character that Markdown or HTML could act on is written as a reference.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rankgate.core.findings import Status
from rankgate.core.judgments import ALL
from rankgate.reports import rounding
from rankgate.reports.records.means import MeanCell
from rankgate.reports.records.queries import FirstChange, MovedDocument, QueryFact, ValueChange
from rankgate.reports.records.report import Facts, FailureGroup
from rankgate.reports.records.rules import RuleRow, status_word
from rankgate.reports.summary import EVIDENCE, agreement_lines, compared_as, count, pins_line
from rankgate.reports.tables import shown_evidence
from rankgate.reports.visible import middle, shortened, visible

LIMIT: Final = 60_000
#: Kept free for the note on what is left out.
RESERVE: Final = 2_000

#: One id or text can be as long as it likes; a reader needs its ends.
DATA_LENGTH: Final = 160
SENTENCE_LENGTH: Final = 700
MOVES_SHOWN: Final = 8
IDS_SHOWN: Final = 20

_ACTIVE: Final = re.compile(r"[&<>\"'`*_~|\\\[\]!#@:$^\u200b]|(?<=www)\.", re.IGNORECASE)
#: Mentions, issue numbers and emoji are found in the finished HTML, where a character reference no longer protects.
_LINKED: Final = re.compile(r"(?<!\w)@(?=\w)|#(?=\w)|:(?=[a-z+_])", re.IGNORECASE)
_BREAK: Final = "\u200b"


def escape(text: str) -> str:
    """*text* as Markdown that shows it and does nothing else, on one line."""
    return _inactive(visible(text))


def sentence(text: str) -> str:
    """As ``escape``, for running text: mentions and references to issues are broken with a zero-width space."""
    shown = shortened(visible(text), SENTENCE_LENGTH)
    return _inactive(_LINKED.sub(lambda match: match[0] + _BREAK, shown))


def _inactive(text: str) -> str:
    return _ACTIVE.sub(lambda match: f"&#{ord(match[0])};", text)


def code(text: str, length: int = DATA_LENGTH) -> str:
    """Data as code: nothing in it is a mention or a reference, and it can be copied as it is."""
    return f"<code>{escape(middle(visible(text), length))}</code>"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the report that may lose items from its end.

    Attributes:
        noun: What one item is, and more of them.
        share: Of the room that is left, how much it may take.
    """

    head: str
    items: tuple[str, ...]
    noun: tuple[str, str]
    foot: str = ""
    share: float = 1.0


def render(facts: Facts) -> str:
    """The report, under ``LIMIT`` characters."""
    text = _opening(facts)
    left_out: list[str] = []
    for part in _parts(facts):
        kept = _fitting(part, int((LIMIT - RESERVE - len(text)) * part.share))
        if kept:
            text += f"\n{part.head}{''.join(part.items[:kept])}{part.foot}"
        if kept < len(part.items):
            left_out.append(count(len(part.items) - kept, *part.noun))
    if left_out:
        text += f"\nLeft out to stay under {LIMIT:,} characters: {', '.join(left_out)}. The JSON report has all.\n"
    return text


def _fitting(part: Part, room: int) -> int:
    """How many items fit, with head and foot."""
    room -= len(part.head) + len(part.foot) + 1
    kept = 0
    for item in part.items:
        room -= len(item)
        if room < 0:
            break
        kept += 1
    return kept


def _opening(facts: Facts) -> str:
    return (
        f"## rankgate: {facts.word}\n\n**{sentence(facts.headline)}**\n\n"
        f"{sentence(facts.measured)}; exit code {facts.exit_code}\n"
    )


def _parts(facts: Facts) -> Iterator[Part]:
    """From the most important to the least; a part without items is not shown."""
    yield _list("Behind the means", (sentence(each.sentence) for each in facts.behind), ("slice", "slices"))
    yield _list("Not as it should be", (_broken(row, facts) for row in _serious(facts)), ("sentence", "sentences"))
    yield _list("Next", (_step(step.text, step.command) for step in facts.next_steps), ("step", "steps"))
    yield _gate(facts)
    yield _evidence(facts)
    agreement = agreement_lines(facts.agreement) if facts.agreement else ()
    yield _list("Agreement", map(sentence, agreement), ("line", "lines"))
    yield _list("Not measured", map(_failure, facts.failures), ("kind of failure", "kinds of failure"))
    if len(facts.slices) > 1:
        yield _slices(facts)
    yield _queries("Worst queries", facts.worst, facts.moves_measure)
    yield _queries("Weakest queries", facts.weakest, facts.moves_measure)
    yield _folded("Lost queries", map(_first, facts.lost), ("lost query", "lost queries"))
    yield _folded("Gained queries", map(_first, facts.gained), ("gained query", "gained queries"))
    yield _folded("Changes of the golden set", _changes(facts), ("change", "changes"))
    notes = [*facts.extra, *(f"{key}: {value}" for key, value in facts.notes)]
    yield _folded("Notes", map(sentence, notes), ("note", "notes"))


def _serious(facts: Facts) -> list[RuleRow]:
    serious = (Status.FAIL, Status.UNDECIDED, Status.WARN, Status.KNOWN)
    return [row for status in serious for row in facts.with_status(status)]


def _broken(row: RuleRow, facts: Facts) -> str:
    where = f" ({code(str(row.place))})" if row.place else ""
    return f"**{status_word(row, facts.outcome)}** {sentence(row.message)}{where}"


def _step(text: str, command: str) -> str:
    return f"{sentence(text)}: {code(command, SENTENCE_LENGTH)}" if command else sentence(text)


def _list(title: str, lines: Iterable[str], noun: tuple[str, str]) -> Part:
    return Part(f"### {title}\n\n", tuple(f"- {line}\n" for line in lines), noun)


def _folded(title: str, lines: Iterable[str], noun: tuple[str, str]) -> Part:
    items = tuple(f"- {line}\n" for line in lines)
    return Part(_summary(title, len(items)), items, noun, "\n</details>\n")


def _summary(title: str, items: int) -> str:
    return f"<details><summary>{title} ({items})</summary>\n\n"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


def _gate(facts: Facts) -> Part:
    columns = ("measure", "slice", "rule", "baseline", "now", "change", "limit", "= queries", "better / worse")
    head = _row("", *columns) + _row(*["---"] * 4, *["---:"] * 6)
    rows = (*(row for row in facts.rules if row.limit is not None or row.measure), *facts.ungated)
    foot = f"\n{pins_line(facts.pins)}.\n" if facts.pins else ""
    if facts.counts.incomplete:
        foot += f"\n{sentence(rounding.AT_WORST.capitalize())}.\n"
    if facts.causes.sentence:
        foot += f"\n{sentence(facts.causes.sentence)}.\n"
    return Part(f"### Gate\n\n{head}", tuple(_rule(row, facts) for row in rows), ("rule", "rules"), foot)


def _evidence(facts: Facts) -> Part:
    columns = ("measure", "slice", "n", "change", "95% interval", "p", "better / same / worse", "detects", "judged")
    head = _row(*columns, "by judging alone") + _row(*["---"] * 2, *["---:"] * 8)
    rows = tuple(
        _row(
            code(row.measure),
            "" if row.slice == ALL else code(row.slice),
            str(row.n),
            rounding.signed(row.change),
            rounding.interval(row.low, row.high),
            _inactive(rounding.probability(row.p_holm)),
            f"{row.better} / {row.same} / {row.worse}",
            _inactive(rounding.detectable(row.detectable)),
            rounding.shares(row.judged_before, row.judged).replace(">", "&gt;"),
            rounding.reach(row) or "-",
        )
        for row in shown_evidence(facts)
    )
    foot = "".join(f"\n{sentence(line)}\n" for line in (EVIDENCE, *compared_as(facts)))
    return Part(
        f"{_summary('Evidence', len(rows))}{head}",
        rows,
        ("row of evidence", "rows of evidence"),
        f"{foot}\n</details>\n",
    )


def _rule(row: RuleRow, facts: Facts) -> str:
    status = status_word(row, facts.outcome)
    return _row(
        f"**{status}**" if row.status in {Status.FAIL, Status.UNDECIDED} else status,
        code(row.measure) if row.measure else "",
        "" if row.slice == ALL else code(row.slice),
        escape(row.rule),
        _inactive(rounding.baseline(row)),
        _inactive(rounding.now(row)),
        _inactive(rounding.change(row)),
        rounding.limit(row),
        rounding.limit_in_queries(row),
        "-" if row.better is None else f"{row.better} / {row.worse}",
    )


def _slices(facts: Facts) -> Part:
    head = _row("slice", "queries", *(code(fact.label) for fact in facts.measures))
    head += _row("---", *["---:"] * (len(facts.measures) + 1))
    rows = (_row(code(row.slice), str(row.queries), *map(_mean, row.cells)) for row in facts.slices)
    return Part(f"### Slices\n\n{head}", tuple(rows), ("slice", "slices"), share=0.25)


def _mean(cell: MeanCell) -> str:
    change = "" if cell.change is None else f" ({rounding.change(cell)})"
    return _inactive(f"{rounding.bounded(cell.now, cell.now_best)}{change}")


def _queries(title: str, queries: Sequence[QueryFact], measure: str) -> Part:
    head = f"{_summary(title, len(queries))}Costs of moves are in {code(measure)}.\n\n"
    return Part(head, tuple(map(_query, queries)), ("query", "queries"), "\n</details>\n", share=0.75)


def _query(query: QueryFact) -> str:
    changed = [value for value in query.values if value.trend in {"better", "worse"}] or query.values
    values = ", ".join(map(_value, changed))
    more = len(query.moves) - MOVES_SHOWN
    moves = [*map(_move, query.moves[:MOVES_SHOWN])]
    if more > 0:
        moves.append(f"and {count(more, 'more document', 'more documents')}")
    return f"- {code(query.id)} {code(query.text)}: {values}\n" + "".join(f"  - {move}\n" for move in moves)


def _value(value: ValueChange) -> str:
    before = "" if value.change is None else f"{rounding.brief(value.before)} -> "
    return f"{code(value.label)} {before}{rounding.brief(value.now)}"


def _move(move: MovedDocument) -> str:
    before = "new" if move.before is None else str(move.before)
    after = "gone" if move.after is None else str(move.after)
    cost = f", {rounding.signed(move.cost)}" if move.cost else ""
    reason = f", {sentence(move.reason)}" if move.reason else ""
    return f"{code(move.document)} ({rounding.grade(move.grade)}): {before} -> {after}{cost}{reason}"


def _first(change: FirstChange) -> str:
    document = "" if change.document is None else code(change.document)
    ranks = f": {document} {_rank(change.before)} -> {_rank(change.after)}" if document else ""
    now = "returns nothing now" if change.first is None else f"first now {code(change.first)}"
    return f"{code(change.id)}{ranks}, {now}"


def _rank(rank: int | None) -> str:
    return "not returned" if rank is None else f"rank {rank}"


def _failure(group: FailureGroup) -> str:
    return f"{len(group.query_ids)} x {sentence(f'{group.kind}{group.side}: {group.message}')}: {_ids(group.query_ids)}"


def _changes(facts: Facts) -> Iterator[str]:
    if facts.new:
        yield f"new, only floors apply: {_ids(facts.new)}"
    if facts.removed:
        yield f"removed: {_ids(facts.removed)}"
    if facts.relabelled:
        yield f"relabelled, both sides scored with the new judgments: {_ids(facts.relabelled)}"
    for change in facts.changed:
        yield f"text changed: {code(change.id)} {code(change.before)} -> {code(change.now)}"


def _ids(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - IDS_SHOWN} more" if len(ids) > IDS_SHOWN else ""
    return ", ".join(map(code, ids[:IDS_SHOWN])) + more
