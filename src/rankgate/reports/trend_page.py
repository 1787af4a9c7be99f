"""Measures over time as one HTML file that needs no network and no script.

A small chart a series, the same runs from left to right in each; every point is a link to its row of the table, which
has all that the charts show.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Final

from rankgate.core.limits import BOUNDARY
from rankgate.core.trend import Point, Series, Trend
from rankgate.core.verdict import Outcome
from rankgate.reports import queries
from rankgate.reports import trend_words as words
from rankgate.reports.html.markup import DATA_LENGTH, Markup, columns, element, section, table, together
from rankgate.reports.html.page import asset, page
from rankgate.reports.html.tables import change
from rankgate.reports.rounding import number, signed
from rankgate.reports.trend import LETTERS
from rankgate.reports.visible import middle, visible

WIDTH: Final = 420
HEIGHT: Final = 190
LEFT: Final = 60
RIGHT: Final = WIDTH - 14
TOP: Final = 36
BOTTOM: Final = HEIGHT - 28
_RADIUS: Final = 4
#: The least height of an axis, in points of a measure: noise in the last digit is no mountain.
LEAST_EXTENT: Final = 0.01

_BEFORE: Final = """\
<a class="skip" href="#values">Skip the charts</a>
<header class="bar">
<span class="brand">rankgate</span>
<nav aria-label="Sections"><ul><li><a href="#charts">Charts</a></li><li><a href="#series">Series</a></li>\
<li><a href="#values">Runs</a></li></ul></nav>
</header>
<main id="main" tabindex="-1">
"""
_AFTER: Final = """
</main>
<footer><p>Written by rankgate. One file, no network, no script: it can be kept, mailed and printed.</p></footer>
"""


def render(found: Trend) -> str:
    """The page as one HTML document."""
    own = resources.files("rankgate.reports").joinpath("trend.css").read_text(encoding="utf-8")
    named = words.labels(found)
    main = together([_head(found, named), _charts(found, named), _series(found, named), _values(found, named)])
    return page(f"Trend, {words.span(found)}: rankgate", _BEFORE + main + _AFTER, style=f"{asset('style.css')}\n{own}")


def _head(found: Trend, named: words.Labels) -> Markup:
    statements = [element("li", words.statement(found, series, named)) for series in found.drifting]
    return element(
        "section",
        element("div", element("h1", "Trend"), element("p", words.span(found), class_="exit-code"), class_="word"),
        element("p", words.headline(found), class_="headline"),
        element("ul", *statements) if statements else None,
        element("p", words.origin(found), class_="measured"),
        id="head",
        class_=f"verdict {'warn' if found.drifting else 'partial'}",
        aria_label="Trend",
    )


def _charts(found: Trend, named: words.Labels) -> Markup:
    kinds = dict.fromkeys(mark.kind for marks in found.marks for mark in marks)
    key = [
        ": the run; dashed line: its baseline; triangle: a rule on it was broken",
        *(f"{LETTERS[kind]}: {words.MARKS[kind]}" for kind in kinds),
        "one step to the right is one run; each axis has the range of its own values",
    ]
    figures = (_figure(found, series, named[series.key]) for series in found.series)
    return section(
        "charts",
        "Charts",
        element("div", *figures, class_="charts"),
        element("p", f"Solid line{'; '.join(key)}.", class_="key"),
    )


def _figure(found: Trend, series: Series, label: str) -> Markup:
    now = element("span", f"now {number(series.now)}", class_="key")
    return element(
        "figure", element("figcaption", middle(visible(label), DATA_LENGTH), now), _chart(found, series, label)
    )


@dataclass(frozen=True, slots=True)
class _Axes:
    """From the position of a run and a value to a place in the drawing."""

    runs: int
    low: float
    high: float

    @classmethod
    def of(cls, series: Series) -> "_Axes":
        known = [value for value in (*series.values, *series.baselines) if value is not None]
        low, high = min(known, default=0.0), max(known, default=0.0)
        room = max(LEAST_EXTENT - (high - low), 0.0) / 2
        return cls(len(series.values), low - room, high + room)

    def x(self, place: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * (place / (self.runs - 1) if self.runs > 1 else 0.5), 1)

    def y(self, value: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (value - self.low) / (self.high - self.low), 1)


def _chart(found: Trend, series: Series, label: str) -> Markup:
    axes = _Axes.of(series)
    return element(
        "svg",
        *_grid(axes),
        *_ends(found),
        *(_event(found, axes, place) for place, marks in enumerate(found.marks) if marks),
        *(element("path", d=path, class_="trend-accepted") for path in _paths(axes, series, accepted=True)),
        *(element("path", d=path, class_="trend-line") for path in _paths(axes, series)),
        *_points(found, series, axes),
        class_="chart",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="group",
        aria_label=f"{label}, {len(found.points)} runs",
    )


def _grid(axes: _Axes) -> Iterator[Markup]:
    for value in (axes.low, (axes.low + axes.high) / 2, axes.high):
        y = axes.y(value)
        yield element("line", x1=LEFT, x2=RIGHT, y1=y, y2=y, class_="grid")
        yield element("text", f"{value:.4f}", x=LEFT - 8, y=y + 4, text_anchor="end", class_="tick")


def _ends(found: Trend) -> Iterator[Markup]:
    """The names of the first and the last run below the axis."""
    first, last = (middle(visible(point.name), 24) for point in (found.points[0], found.points[-1]))
    yield element("text", first, x=LEFT, y=HEIGHT - 8, class_="tick")
    if len(found.points) > 1:
        yield element("text", last, x=RIGHT, y=HEIGHT - 8, text_anchor="end", class_="tick")


def _event(found: Trend, axes: _Axes, place: int) -> Markup:
    x, marks = axes.x(place), found.marks[place]
    return element(
        "g",
        element("title", "; ".join(mark.message for mark in marks)),
        element("line", x1=x, x2=x, y1=TOP - 4, y2=BOTTOM, class_="trend-event"),
        element(
            "text", "".join(LETTERS[m.kind] for m in marks), x=x, y=TOP - 8, text_anchor="middle", class_="trend-letter"
        ),
    )


def _paths(axes: _Axes, series: Series, *, accepted: bool = False) -> Iterator[str]:
    """A line for each stretch of values that can be compared with each other; what was *accepted* changes in steps."""
    values = series.baselines if accepted else series.values
    path = ""
    for place, value in enumerate(values):
        if (value is None or place in series.breaks) and path:
            yield path
            path = ""
        if value is not None:
            x, y = axes.x(place), axes.y(value)
            path += f"H{x}V{y}" if path and accepted else f"{'L' if path else 'M'}{x} {y}"
    if path:
        yield path


def _points(found: Trend, series: Series, axes: _Axes) -> Iterator[Markup]:
    for place, (point, value) in enumerate(zip(found.points, series.values, strict=True)):
        if value is None:
            continue
        x, y = axes.x(place), axes.y(value)
        said = _said(point, series, place)
        yield element(
            "a",
            element("circle", cx=x, cy=y, r=3 * _RADIUS, class_="hit"),
            _shape(x, y, broken=series.broken[place]),
            element("text", said, x=4, y=14, class_="trend-tip", aria_hidden="true"),
            href=f"#run-{place + 1}",
            class_=f"trend-point {'worse' if series.broken[place] else ''}".strip(),
            aria_label=said,
        )


def _said(point: Point, series: Series, place: int) -> str:
    step = series.step(place)
    moved = "" if step is None or abs(step) <= BOUNDARY else f" ({step:+.4f})"
    broken = ", broke a rule" if series.broken[place] else ""
    return f"{middle(visible(words.run_name(point)), 24)}: {number(series.values[place])}{moved}{broken}"


def _shape(x: float, y: float, *, broken: bool) -> Markup:
    """Its shape says as much as its colour."""
    if broken:
        return element("path", d=f"M{x - 6} {y - 5}H{x + 6}L{x} {y + 6}Z", class_="mark")
    return element("circle", cx=x, cy=y, r=_RADIUS, class_="mark")


def _series(found: Trend, named: words.Labels) -> Markup:
    numeric = ("now", "change", "since the first", "lowest", "highest")
    head = columns(("measure", ""), *((name, "number") for name in numeric), ("drift", ""))
    return section(
        "series",
        "Series",
        table("Each series in numbers", head, (_series_row(series, named[series.key]) for series in found.series)),
        element(
            "p", "Change: against the run before. The rest: of all runs since the golden set changed.", class_="key"
        ),
        element("p", f"{words.TEST[:1].upper()}{words.TEST[1:]}.", class_="key")
        if any(series.drift for series in found.series)
        else None,
    )


def _series_row(series: Series, label: str) -> Markup:
    drifts = "not tested" if series.drift is None else "yes" if series.drift.worse else "none found"
    changes = ((value, queries.trend(series, value)) for value in (series.change, series.since_first))
    return element(
        "tr",
        element("th", middle(visible(label), DATA_LENGTH), scope="row"),
        _number(series.now),
        *(element("td", change(signed(value), way), class_="number") for value, way in changes),
        _number(series.low),
        _number(series.high),
        element("td", drifts),
    )


def _number(value: float | None) -> Markup:
    return element("td", number(value), class_="number")


def _values(found: Trend, named: words.Labels) -> Markup:
    names = [middle(visible(named[each.key]), DATA_LENGTH) for each in found.series]
    head = columns(
        ("run", ""),
        ("verdict", ""),
        ("queries", "number"),
        *((name, "number") for name in names),
        ("what changed", ""),
    )
    rows = (_row(found, place, named) for place in reversed(range(len(found.points))))
    return section("values", "Runs", table("Runs, the last one first", head, rows))


def _row(found: Trend, place: int, named: words.Labels) -> Markup:
    point = found.points[place]
    names = [element("div", middle(visible(words.run_name(point)), DATA_LENGTH))]
    if point.at and point.label:
        names.append(element("div", middle(visible(point.label), DATA_LENGTH), class_="place"))
    tone = point.verdict if point.verdict in set(Outcome) else ""
    return element(
        "tr",
        element("th", *names, scope="row", class_="trend-run"),
        element("td", element("span", point.verdict.upper() or "-", class_=f"status {tone}".strip())),
        element("td", words.measured(point), class_="number"),
        *(_number(series.values[place]) for series in found.series),
        element("td", words.happened(found, place, named), class_="trend-happened"),
        id=f"run-{place + 1}",
    )
