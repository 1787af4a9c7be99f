"""The two tables of the terminal report."""

from collections.abc import Sequence
from typing import Final

from rich.box import Box
from rich.table import Table
from rich.text import Text

from rankgate.core.findings import Status
from rankgate.core.judgments import ALL
from rankgate.reports import rounding
from rankgate.reports.records import Evidence, Facts, MeanCell, RuleRow, Trend, status_word
from rankgate.reports.visible import middle, visible

#: A line under the head, in characters that every code page has.
PLAIN: Final = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)

#: Rows of the gate table; failures come first, so what is left out has passed.
GATE_ROWS: Final = 24
SLICE_ROWS: Final = 12
SLICE_WIDTH: Final = 24

STATUS_STYLES: Final = {
    Status.PASS: "green",
    Status.WARN: "yellow",
    Status.FAIL: "bold red",
    Status.UNDECIDED: "bold magenta",
    Status.KNOWN: "cyan",
    Status.NOT_GATED: "dim",
}
TREND_STYLES: Final[dict[Trend | None, str]] = {"better": "green", "worse": "red", "same": "dim", None: ""}


def gate_table(facts: Facts) -> Table:
    """All rules, failures first, then the measures that no rule judges."""
    table = _table()
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
            Text(rounding.number(row.baseline)),
            Text(rounding.now(row)),
            Text(rounding.signed(row.change), TREND_STYLES[row.trend]),
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
    """Of the whole set what changed, and of a slice what a rule failed on: there a mean hides it."""
    told = {Status.FAIL, Status.UNDECIDED, Status.WARN}
    broken = {(row.measure, row.slice) for row in facts.rules if row.status in told}
    return tuple(
        row
        for row in facts.evidence
        if (row.slice == ALL and (row.better or row.worse)) or (row.measure, row.slice) in broken
    )


def evidence_table(rows: Sequence[Evidence]) -> Table:
    """What each change is worth, a row a measure and slice."""
    table = _table()
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
    table = _table()
    table.add_column("slice", overflow="fold", ratio=1)
    table.add_column("n", justify="right", no_wrap=True)
    fitting = max((width - 18) // 15, 1)
    # What is gated comes first where not all of it has room.
    order = sorted(range(len(facts.measures)), key=lambda column: not facts.measures[column].gated)
    chosen = sorted(order[:fitting])
    for fact in (facts.measures[column] for column in chosen):
        table.add_column(fact.label, justify="right", overflow="fold")
    for row in facts.slices[:SLICE_ROWS]:
        cells = [_mean(row.cells[column]) for column in chosen]
        table.add_row(Text(middle(visible(row.slice), SLICE_WIDTH)), Text(str(row.queries), "dim"), *cells)
    left_out = [facts.measures[column].label for column in sorted(order[fitting:])]
    rows_left = len(facts.slices) - SLICE_ROWS
    remarks = [f"no room for {', '.join(left_out)}"] if left_out else []
    remarks += [f"{rows_left} more slices"] if rows_left > 0 else []
    if remarks:
        table.caption = Text("; ".join(remarks), "dim")
        table.caption_justify = "left"
    return table


def _mean(cell: MeanCell) -> Text:
    text = Text(rounding.number(cell.now))
    if cell.change is not None:
        text.append(f" {rounding.signed(cell.change):>7}", TREND_STYLES[cell.trend])
    return text


def _table() -> Table:
    return Table(box=PLAIN, show_edge=False, pad_edge=False, padding=0, expand=True, header_style="dim")
