"""The tables of the page: rules, evidence, slices."""

from collections.abc import Sequence
from typing import Final

from rankgate.core.findings import Status
from rankgate.core.judgments import ALL
from rankgate.reports import rounding
from rankgate.reports.html import figures
from rankgate.reports.html.markup import Markup, code, columns, element, section, table, together
from rankgate.reports.records.means import Evidence, MeanCell, SliceRow, Trend
from rankgate.reports.records.report import Facts
from rankgate.reports.records.rules import RuleRow, status_word
from rankgate.reports.summary import EVIDENCE, compared_as, pins_line
from rankgate.reports.tables import shown_evidence

#: A sign beside every colour.
SIGNS: Final[dict[Trend | None, str]] = {"better": "\u25b2", "worse": "\u25bc", "same": "", None: ""}
STATUS_SIGNS: Final = {
    Status.FAIL: "\u2715",
    Status.UNDECIDED: "?",
    Status.WARN: "!",
    Status.KNOWN: "\u2261",
    Status.PASS: "\u2713",
    Status.NOT_GATED: "\u00b7",
}
#: Where the shades of the heat map change, in points of the measure.
SHADES: Final = (0.01, 0.03, 0.1)

_RANGE_KEY: Final = "bar: 95 % interval of the change; triangle: the change"
_LIMIT_KEY: Final = "line with feet: the limit"
_REACH_KEY: Final = "thin line: how far judging the unjudged results could move it"


def status(row: RuleRow, facts: Facts) -> Markup:
    """A rule's status with its sign."""
    word = status_word(row, facts.outcome)
    sign = element("span", STATUS_SIGNS[row.status], aria_hidden="true")
    return element("span", sign, " ", word, class_=f"status {row.status.name.lower()}")


def change(written: str, trend: Trend | None) -> Markup:
    """A change with its sign, and in words for those who do not see it."""
    if trend not in {"better", "worse"}:
        return element("span", written, class_="change")
    sign = element("span", SIGNS[trend], aria_hidden="true")
    spoken = element("span", f" {trend}", class_="unseen")
    return element("span", sign, " ", written, spoken, class_=f"change {trend}")


def gate(facts: Facts) -> Markup:
    """All rules but pins, and the measures that no rule judges, each with its interval drawn."""
    rows = [*(row for row in facts.rules if row.limit is not None or row.measure), *facts.ungated]
    axis, evidence = figures.gate_axis(facts), figures.evidence_by_place(facts)
    numeric = ("baseline", "now", "change", "limit", "limit in queries")
    head = columns(
        ("status", ""), ("measure", ""), ("rule", ""), *((name, "number") for name in numeric), ("95 % interval", "")
    )
    foot = [
        f"{pins_line(facts.pins)}." if facts.pins else "",
        f"{rounding.AT_WORST.capitalize()}." if facts.counts.incomplete else "",
        f"{facts.causes.sentence}." if facts.causes.sentence else "",
    ]
    key = f"{_RANGE_KEY}; {_LIMIT_KEY}." if any(map(figures.has_interval, rows)) else ""
    return section(
        "gate",
        "Gate",
        table("Rules of the gate", head, (_rule(row, facts, axis, evidence) for row in rows)) if rows else None,
        element("p", key[:1].upper() + key[1:], class_="key") if key else None,
        together(element("p", line) for line in foot if line),
    )


def _rule(row: RuleRow, facts: Facts, axis: figures.Axis, known: dict[tuple[str, str], Evidence]) -> Markup:
    found = known.get((row.measure or "", row.slice))
    ends = (found.low, found.high) if found else (None, None)
    drawn = None
    if row.change is not None and figures.has_interval(row):
        drawn = figures.interval(axis, row.change, ends, trend=row.trend, limit=figures.limit_of(row))
    written = element("span", _between(*ends), class_="ends") if row.change is not None else None
    return element(
        "tr",
        element("td", status(row, facts)),
        element("th", *_subject(row.measure, row.measure_label, row.slice), scope="row"),
        element("td", row.rule),
        _number(rounding.baseline(row)),
        _number(rounding.now(row)),
        element("td", change(rounding.change(row), row.trend), class_="number"),
        _number(rounding.limit(row)),
        _number(rounding.limit_in_queries(row)),
        element("td", drawn, written, class_="drawn"),
    )


def _subject(measure: str | None, label: str, slice_name: str) -> tuple[Markup | str, ...]:
    """A measure and where; the name in full on top of the short one."""
    if measure is None:
        return ("all queries",) if slice_name == ALL else (code(slice_name),)
    named = element("span", label, title=measure if measure != label else None)
    return (named,) if slice_name == ALL else (named, " ", element("span", "on ", code(slice_name), class_="slice"))


def _between(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"{rounding.signed(low)} to {rounding.signed(high)}"


def _number(text: str) -> Markup:
    return element("td", text, class_="number")


def evidence(facts: Facts) -> Markup:
    """What each change is worth: first what the other reports show, then all the rest, folded."""
    shown = shown_evidence(facts)
    rest = tuple(row for row in facts.evidence if row not in shown)
    if not facts.evidence:
        return Markup()
    notes = (f"{_RANGE_KEY}; {_REACH_KEY}; {EVIDENCE}", *compared_as(facts))
    folded = element(
        "details",
        element("summary", f"All other measures and slices ({len(rest)})"),
        _evidence_table("The rest of the evidence", rest, facts),
    )
    return section(
        "evidence",
        "Evidence",
        _evidence_table("What each change is worth", shown, facts)
        if shown
        else element("p", "No query of the whole set changed."),
        together(element("p", f"{line[:1].upper()}{line[1:]}.", class_="key") for line in notes),
        folded if rest else None,
    )


def _evidence_table(label: str, rows: Sequence[Evidence], facts: Facts) -> Markup:
    trends = {(cell.measure, row.slice): cell.trend for row in facts.slices for cell in row.cells}
    axis = figures.evidence_axis(rows)
    head = columns(
        ("measure", ""),
        ("queries", "number"),
        ("change", "number"),
        ("95 % interval and reach of judging", ""),
        ("p", "number"),
        ("better / same / worse", "number"),
        ("detects", "number"),
        ("judged", "number"),
    )
    return table(label, head, (_evidence_row(row, axis, trends[row.measure, row.slice]) for row in rows))


def _evidence_row(row: Evidence, axis: figures.Axis, trend: Trend | None) -> Markup:
    reach = (row.least, row.greatest)
    drawn = Markup()
    if row.change is not None:
        drawn = figures.interval(axis, row.change, (row.low, row.high), trend=trend, reach=reach)
    could = f"judging: {_between(*reach)}" if None not in reach and reach[0] != reach[1] else None
    return element(
        "tr",
        element("th", *_subject(row.measure, row.label, row.slice), scope="row"),
        _number(str(row.n)),
        element("td", change(rounding.signed(row.change), trend), class_="number"),
        element(
            "td",
            drawn,
            element("span", _between(row.low, row.high), class_="ends"),
            element("span", could, class_="ends") if could else None,
            class_="drawn",
        ),
        _number(rounding.probability(row.p_holm)),
        _number(f"{row.better} / {row.same} / {row.worse}"),
        _number(rounding.detectable(row.detectable)),
        _number(rounding.shares(row.judged_before, row.judged)),
    )


def slices(facts: Facts) -> Markup:
    """The heat map: a row a slice, a column a measure, the change in shade and sign."""
    if len(facts.slices) < 2:  # noqa: PLR2004 - the whole set, and one more to compare it with
        return Markup()
    head = columns(("slice", ""), ("queries", "number"), *((measure.label, "heat") for measure in facts.measures))
    steps = ", ".join(f"{step:g}" for step in SHADES)
    key = (
        f"Each cell: the change over its mean now; \u25b2 better, \u25bc worse, darker beyond {steps}. "
        "A dot marks what a rule judges."
        if facts.has_baseline
        else "Each cell: its mean now. A dot marks what a rule judges."
    )
    return section(
        "slices",
        "Slices",
        table("Slices by measure", head, (_slice(row, facts) for row in facts.slices), "heat-map"),
        element("p", key, class_="key"),
    )


def _slice(row: SliceRow, facts: Facts) -> Markup:
    name = "all queries" if row.slice == ALL else code(row.slice)
    cells = (
        _cell(cell, None if row.slice == ALL else facts.slices.index(row) - 1, column)
        for column, cell in enumerate(row.cells)
    )
    return element("tr", element("th", name, scope="row"), _number(str(row.queries)), *cells)


def _cell(cell: MeanCell, slice_number: int | None, column: int) -> Markup:
    """The numbers tell the script which queries to show."""
    classes = ["heat"]
    if cell.trend in {"better", "worse"} and cell.change is not None:
        classes += [cell.trend, f"shade-{sum(abs(cell.change) > step for step in SHADES)}"]
    spoken = element("span", " gated", class_="unseen")
    gated = element("span", "\u25cf", spoken, class_="gated", title="a rule judges it")
    return element(
        "td",
        change(rounding.change(cell), cell.trend) if cell.change is not None else None,
        element("span", rounding.bounded(cell.now, cell.now_best), class_="mean"),
        gated if cell.gated else None,
        class_=" ".join(classes),
        data_slice="" if slice_number is None else slice_number,
        data_measure=column,
    )
