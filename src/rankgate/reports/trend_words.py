"""What the trend says in words: the same sentences in the text, the page and the JSON."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from rankgate.core.drift import FEWEST, WINDOW
from rankgate.core.findings import plural
from rankgate.core.judgments import ALL
from rankgate.core.limits import FAILING_CHANGE
from rankgate.core.trend import Key, MarkKind, Point, Series, Trend, moved, short
from rankgate.reports.rounding import number, signed
from rankgate.reports.summary import count

#: A name for each series.
Labels = Mapping[Key, str]

#: Changes that are named beside the mark of a run.
STEPS_SHOWN: Final = 3

MARKS: Final[Mapping[MarkKind, str]] = {
    "baseline": "another baseline accepted",
    "golden": "golden set changed",
    "request": "request changed",
    "index": "other index",
}

TEST: Final = (
    "drift: a change in the wrong direction as steady as chance alone brings to fewer than 1 in 20 flat series "
    f"(Mann-Kendall), over the last {WINDOW} runs since the golden set changed; each series is tested by itself"
)


def labels(found: Trend) -> Labels:
    """A name for each series, without parameters where no two would share it."""
    named = {each.key: _on_slice(short(each.measure), each.slice) for each in found.series}
    taken = Counter(named.values())
    return {key: label if taken[label] == 1 else _on_slice(*key) for key, label in named.items()}


def _on_slice(measure: str, slice_name: str) -> str:
    return measure if slice_name == ALL else f"{measure} {slice_name}"


def span(found: Trend) -> str:
    """How many runs, and from when to when where that is known."""
    runs = count(len(found.points), "run", "runs")
    first, last = found.points[0].name, found.points[-1].name
    if found.rescored:
        return runs
    return f"{runs} on {first}" if first == last else f"{runs} from {first} to {last}"


def origin(found: Trend) -> str:
    """Where the values come from, and what is not shown."""
    said = "as recorded by check --history"
    if found.rescored:
        said = "saved runs, scored and judged anew with today's judgments"
        if found.shared < found.queries:
            said += f" over the {found.shared} of {found.queries} queries that every run answered"
    return f"{said}; {count(found.left_out, 'earlier run', 'earlier runs')} not shown" if found.left_out else said


def headline(found: Trend) -> str:
    """Whether anything drifts, as far as that can be told."""
    tested = sum(each.drift is not None for each in found.series)
    if found.drifting:
        drifts = plural(len(found.drifting), "drifts", "drift")
        return f"{len(found.drifting)} of {count(tested, 'series', 'series')} {drifts} in the wrong direction"
    if not tested:
        return f"no series has the {FEWEST} comparable runs that it takes to tell a drift from chance"
    untested = len(found.series) - tested
    rest = f"; {untested} with fewer than {FEWEST} comparable runs not tested" if untested else ""
    return f"no drift found in {count(tested, 'series', 'series')}{rest}"


def statement(found: Trend, series: Series, named: Labels) -> str | None:
    """What the drift of *series* is, and that no limit saw it; None where it does not drift."""
    drift = series.drift
    if drift is None or not drift.worse:
        return None
    down = drift.change < 0
    times, verb = (drift.falls, "fell") if down else (drift.rises, "rose")
    gaps = None in series.values[drift.since :]
    rate = ""
    if drift.slope is not None and (drift.slope < 0) == down:
        rate = f", {number(abs(drift.slope))} a {'week' if drift.weekly else 'run'}"
    label = named[series.key]
    runs = "measured runs" if gaps else "runs"
    since = found.points[drift.since].name
    fact = (
        f"{label} {verb} in {times} of the last {drift.values - 1} {runs}, by {number(abs(drift.change))} since {since}"
    )
    return "; ".join([f"{fact}{rate}", *_beside(found, series, drift.since)])


def _beside(found: Trend, series: Series, since: int) -> Iterator[str]:
    """What the gate and the baseline did meanwhile."""
    points = found.points[since:]
    broken = sum(series.broken[since:])
    values = [point.values.get(series.key) for point in points]
    limits = {value.limits.get(kind) for value in values if value and value.now is not None for kind in FAILING_CHANGE}
    known = limits - {None}
    if broken:
        yield f"{broken} of these {len(points)} runs broke a rule on it"
    elif known and all(point.verdict for point in points):
        size = f" of {number(next(iter(known)))}" if len(known) == 1 else ""
        yield f"no single run broke its limit{size}"
    accepted = sum(mark.kind == "baseline" for marks in found.marks[since + 1 :] for mark in marks)
    if accepted:
        yield f"{count(accepted, 'other baseline was', 'other baselines were')} accepted meanwhile"


def happened(found: Trend, place: int, named: Labels) -> str:
    """What changed with a run, and how its numbers changed with that; empty where nothing did."""
    marks = found.marks[place]
    said = [mark.message for mark in marks]
    broken = [named[each.key] for each in found.series if each.broken[place]]
    if broken:
        said.append(f"broke a rule on {', '.join(broken)}")
    if any(mark.kind in {"index", "request"} for mark in marks):
        steps = moved(found, place)[:STEPS_SHOWN]
        said += [", ".join(f"{named[each.key]} {signed(step)}" for each, step in steps)] if steps else []
    return "; ".join(said)


def run_name(point: Point) -> str:
    """When, to the minute of its own zone; its label where that is not known."""
    return point.at.replace("T", " ")[:16] if point.at else point.label


def measured(point: Point) -> str:
    """How many queries were asked, and how many of them measured where that is fewer."""
    return str(point.queries) if point.measured == point.queries else f"{point.measured}/{point.queries}"
