"""The tables of the terminal report, and what they are made of in every page for a terminal."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.box import Box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding, PaddingDimensions
from rich.table import Column, Table
from rich.text import Text

from rankgate.core.findings import BROKEN, Status
from rankgate.core.judgments import ALL
from rankgate.reports import rounding
from rankgate.reports.records.means import Evidence, MeanCell, Trend
from rankgate.reports.records.report import Facts
from rankgate.reports.records.rules import STATUS_ORDER, RuleRow, status_word
from rankgate.reports.summary import count
from rankgate.reports.visible import columns, middle, visible

#: A line under the head, in characters that every code page has.
PLAIN: Final = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)

#: Rows of the gate table; failures come first, so what is left out has passed.
GATE_ROWS: Final = 24
SLICE_ROWS: Final = 12
SLICE_WIDTH: Final = 24
#: Of a mean and its change.
_MEAN_WIDTH: Final = 14
#: A column that folds its texts is no use with less.
_FOLDED: Final = 12
_GAP: Final = "   "

STATUS_STYLES: Final = {
    Status.PASS: "green",
    Status.WARN: "yellow",
    Status.FAIL: "bold red",
    Status.UNDECIDED: "bold magenta",
    Status.KNOWN: "cyan",
    Status.NOT_GATED: "dim",
}
TREND_STYLES: Final[dict[Trend | None, str]] = {"better": "green", "worse": "red", "same": "dim", None: ""}


class Plain(Table):
    """A table without a frame; on a page too narrow for it, a paragraph for each row that names the columns."""

    def __init__(self, *, padding: PaddingDimensions = 0, expand: bool = False) -> None:
        super().__init__(box=PLAIN, show_edge=False, pad_edge=False, padding=padding, expand=expand, header_style="dim")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        _, right, _, left = self.padding
        between = (1 + left + right) * (len(self.columns) - 1)
        if sum(map(_least, self.columns)) + between <= options.max_width:
            yield from super().__rich_console__(console, options)
        else:
            yield from self._paragraphs(options.max_width)

    def _paragraphs(self, width: int) -> Iterator[RenderableType]:
        for cells in zip(*(column.cells for column in self.columns), strict=True):
            shown = [
                each for each in zip(self.columns, map(_text, cells), strict=True) if str(each[1]) not in {"", "-"}
            ]
            yield Text("  ").join(cell for column, cell in shown if not _is_number(column))
            numbers = (Text.assemble(f"{column.header} ", cell) for column, cell in shown if _is_number(column))
            yield from map(hanging, flowed(numbers, width - 2))
        if self.caption:
            yield self.caption


def _text(cell: RenderableType) -> Text:
    return cell if isinstance(cell, Text) else Text(str(cell))


def _is_number(column: Column) -> bool:
    """Nobody knows what it is without the name of its column."""
    return column.justify == "right" and bool(column.header)


def _least(column: Column) -> int:
    """The least width that does not break what must stay whole."""
    texts = [str(column.header), *map(str, column.cells)]
    whole = max(map(columns, texts if column.no_wrap else [word for text in texts for word in text.split()]), default=0)
    return max(min(whole, _FOLDED) if column.overflow == "fold" else whole, column.min_width or 0)


def hanging(text: RenderableType, by: int = 2) -> RenderableType:
    """*text*, indented."""
    return Padding(text, (0, 0, 0, by))


def flowed(parts: Iterable[Text], width: int) -> list[Text]:
    """*parts* on as few lines of *width* columns as take them, none broken over two that fits one."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + len(_GAP) + part.cell_len <= width:
            lines[-1].append(_GAP).append_text(part)
        else:
            lines.append(part.copy())
    return lines


def gate_table(facts: Facts) -> Table:
    """All rules, failures first, then the measures that no rule judges."""
    table = Plain(expand=True)
    table.add_column("", no_wrap=True)
    table.add_column("measure", overflow="fold", ratio=1)
    table.add_column("rule", no_wrap=True)
    for name in ("baseline", "now", "change", "limit", "= queries"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in shown_rules(facts):
        table.add_row(
            Text(status_word(row, facts.outcome), STATUS_STYLES[row.status]),
            Text(_subject(row)),
            Text(row.rule if row.measure else ""),
            Text(rounding.baseline(row)),
            Text(rounding.now(row)),
            Text(rounding.change(row), TREND_STYLES[row.trend]),
            Text(rounding.limit(row)),
            Text(rounding.limit_in_queries(row), "dim"),
        )
    return table


def shown_rules(facts: Facts) -> tuple[RuleRow, ...]:
    """The rows of the gate table; a rule without a number is a sentence and no row."""
    return (*(row for row in facts.rules[:GATE_ROWS] if row.limit is not None or row.measure), *facts.ungated)


def _subject(row: RuleRow) -> str:
    if row.measure is None:
        return row.rule
    return _on_slice(row.measure_label, row.slice)


def _on_slice(label: str, slice_name: str) -> str:
    return label if slice_name == ALL else f"{label} {middle(visible(slice_name), SLICE_WIDTH)}"


def shown_evidence(facts: Facts) -> tuple[Evidence, ...]:
    """Of the whole set what changed, and of a slice what a rule failed on: there a mean hides it. Failures first."""
    # The rules are in the order of their status: of several on one mean, the first is the worst.
    broken = {(row.measure, row.slice): row.status for row in reversed(facts.rules) if row.status in BROKEN}
    shown = [
        (STATUS_ORDER.index(broken.get((row.measure, row.slice), Status.PASS)), row)
        for row in facts.evidence
        if (row.slice == ALL and (row.better or row.worse)) or (row.measure, row.slice) in broken
    ]
    return tuple(row for _, row in sorted(shown, key=lambda each: each[0]))


def judging(rows: Iterable[Evidence]) -> Iterator[str]:
    """Between what each change could become by judging alone, of those that judging could move."""
    for row in rows:
        if reach := rounding.reach(row):
            yield f"{_on_slice(row.label, row.slice)} {reach}"


def evidence_table(rows: Sequence[Evidence]) -> Table:
    """What each change is worth, a row a measure and slice."""
    table = Plain(expand=True)
    table.add_column("measure", overflow="fold", ratio=1)
    for name in ("change", "95% interval", "p", "+/=/-", "detects", "judged"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            Text(_on_slice(row.label, row.slice)),
            Text(rounding.signed(row.change)),
            Text(rounding.interval(row.low, row.high)),
            Text(rounding.probability(row.p_holm)),
            Text(f"{row.better}/{row.same}/{row.worse}"),
            Text(rounding.detectable(row.detectable), "dim"),
            Text(rounding.shares(row.judged_before, row.judged), "dim"),
        )
    return table


def slice_table(facts: Facts, width: int) -> Table:
    """The means of every slice, as many measures as fit."""
    table = Plain(expand=True)
    table.add_column("slice", overflow="fold", ratio=1)
    table.add_column("n", justify="right", no_wrap=True)
    rows = facts.slices[:SLICE_ROWS]
    widest = max((_mean(cell).cell_len for row in rows for cell in row.cells), default=0)
    fitting = max((width - 18) // (max(widest, _MEAN_WIDTH) + 1), 1)
    # What is gated comes first where not all of it has room.
    order = sorted(range(len(facts.measures)), key=lambda column: not facts.measures[column].gated)
    chosen = sorted(order[:fitting])
    for fact in (facts.measures[column] for column in chosen):
        table.add_column(fact.label, justify="right", overflow="fold")
    for row in rows:
        cells = [_mean(row.cells[column]) for column in chosen]
        table.add_row(Text(middle(visible(row.slice), SLICE_WIDTH)), Text(str(row.queries), "dim"), *cells)
    left_out = [facts.measures[column].label for column in sorted(order[fitting:])]
    rows_left = len(facts.slices) - SLICE_ROWS
    remarks = [f"no room for {', '.join(left_out)}"] if left_out else []
    remarks += [count(rows_left, "more slice", "more slices")] if rows_left > 0 else []
    if remarks:
        table.caption = Text("; ".join(remarks), "dim")
        table.caption_justify = "left"
    return table


def _mean(cell: MeanCell) -> Text:
    text = Text(rounding.bounded(cell.now, cell.now_best))
    if cell.change is not None:
        text.append(f" {rounding.change(cell):>7}", TREND_STYLES[cell.trend])
    return text
