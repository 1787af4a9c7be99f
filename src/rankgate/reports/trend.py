"""Measures over time as a page for a terminal, and as JSON."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from rankgate.core.limits import BOUNDARY
from rankgate.core.trend import Trend
from rankgate.core.verdict import Outcome
from rankgate.reports import queries
from rankgate.reports import trend_words as words
from rankgate.reports.rounding import number, signed
from rankgate.reports.summary import count
from rankgate.reports.tables import SLICE_WIDTH, TREND_STYLES, Plain, hanging
from rankgate.reports.terminal import OUTCOME_STYLES, to_text
from rankgate.reports.visible import middle, visible

#: From the lowest to the highest value of a series.
UNICODE: Final = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
ASCII: Final = "_.-=#"

#: Points of a sparkline, and the columns that it is left beside the numbers.
SPARKS: Final = 40
FEWEST_SPARKS: Final = 8
_NUMBERS: Final = 59
RUNS_SHOWN: Final = 20
_LABEL_LENGTH: Final = 60

#: Under a sparkline, at the run with which something changed.
LETTERS: Final = {"baseline": "b", "golden": "g", "request": "r", "index": "i"}
SEVERAL: Final = "*"
FAILED: Final = "x"


def render(found: Trend, *, width: int, color: bool, ascii_only: bool = False) -> str:
    """The page at *width* columns.

    Args:
        ascii_only: Draw with characters that every encoding has.
    """
    levels = ASCII if ascii_only else UNICODE
    return to_text(_parts(found, width, levels), width=width, color=color)


def _parts(found: Trend, width: int, levels: str) -> Iterator[RenderableType]:
    yield Text(f"Trend: {visible(words.span(found))}", "bold")
    yield Text(words.origin(found), "dim")
    yield Text(words.headline(found), "bold red" if found.drifting else "")
    named = words.labels(found)
    for series in found.drifting:
        yield hanging(Text(visible(words.statement(found, series, named) or "")))
    yield Text()
    yield _series_table(found, named, min(max(width - _NUMBERS, FEWEST_SPARKS), SPARKS), levels)
    yield Text(_legend(found), "dim")
    yield Text()
    yield _runs_table(found, named)
    if len(found.points) > RUNS_SHOWN:
        yield Text(f"and {count(len(found.points) - RUNS_SHOWN, 'earlier run', 'earlier runs')}", "dim")


def sparkline(values: Sequence[float | None], levels: str) -> str:
    """One character a value, a space where it is not known; the same character for all where they are the same."""
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    if high - low <= BOUNDARY:
        flat = levels[len(levels) // 2]
        return "".join(" " if value is None else flat for value in values)
    top = len(levels) - 1
    return "".join(" " if value is None else levels[round((value - low) / (high - low) * top)] for value in values)


def _series_table(found: Trend, named: words.Labels, sparks: int, levels: str) -> Plain:
    table = Plain(expand=True)
    table.add_column("measure", overflow="fold", ratio=1)
    for name in ("now", "change", "since", "low", "high"):
        table.add_column(name, justify="right", no_wrap=True)
    shown = min(len(found.points), sparks)
    table.add_column("trend" if shown == len(found.points) else f"last {shown}", no_wrap=True, min_width=shown)
    for series in found.series:
        table.add_row(
            Text(
                middle(visible(named[series.key]), len(series.measure) + SLICE_WIDTH),
                "bold red" if series in found.drifting else "",
            ),
            Text(number(series.now)),
            *(
                Text(signed(change), TREND_STYLES[queries.trend(series, change)])
                for change in (series.change, series.since_first)
            ),
            Text(number(series.low), "dim"),
            Text(number(series.high), "dim"),
            Text(sparkline(series.values, levels)[-shown:]),
        )
    for name, letters in (("changes", _letters(found)), ("failed", _failed(found))):
        if letters.strip():
            table.add_row(Text(name, "dim"), *[Text()] * 5, Text(letters[-shown:], "dim"))
    return table


def _letters(found: Trend) -> str:
    kinds = [[mark.kind for mark in marks] for marks in found.marks]
    return "".join(LETTERS[each[0]] if len(each) == 1 else SEVERAL if each else " " for each in kinds)


def _failed(found: Trend) -> str:
    return "".join(FAILED if point.verdict == Outcome.FAIL.value else " " for point in found.points)


def _legend(found: Trend) -> str:
    """What the columns and letters mean, of those that are there."""
    kinds = dict.fromkeys(mark.kind for marks in found.marks for mark in marks)
    letters = [f"{LETTERS[kind]} {words.MARKS[kind]}" for kind in kinds]
    letters += [f"{SEVERAL} several of these"] if SEVERAL in _letters(found) else []
    letters += [f"{FAILED} the gate failed"] if FAILED in _failed(found) else []
    sentences = [
        "change: against the run before; since, low, high: of all runs since the golden set changed",
        *([", ".join(letters)] if letters else []),
        *([words.TEST] if any(series.drift for series in found.series) else []),
    ]
    return "\n".join(sentences)


def _runs_table(found: Trend, named: words.Labels) -> Plain:
    table = Plain(expand=True)
    labelled = any(point.at and point.label for point in found.points)
    table.add_column("run", overflow="fold", max_width=_LABEL_LENGTH)
    table.add_column("verdict", no_wrap=True)
    table.add_column("queries", justify="right", no_wrap=True)
    if labelled:
        table.add_column("label", overflow="fold", max_width=SLICE_WIDTH)
    table.add_column("what changed", overflow="fold", ratio=1)
    for place in range(len(found.points) - 1, max(len(found.points) - RUNS_SHOWN, 0) - 1, -1):
        point = found.points[place]
        style = OUTCOME_STYLES.get(Outcome(point.verdict), "") if point.verdict in set(Outcome) else ""
        label = [Text(middle(visible(point.label), _LABEL_LENGTH))] if labelled else []
        table.add_row(
            Text(middle(visible(words.run_name(point)), _LABEL_LENGTH)),
            Text(visible(point.verdict.upper()) or "-", style),
            Text(words.measured(point), "dim"),
            *label,
            Text(visible(words.happened(found, place, named))),
        )
    return table
