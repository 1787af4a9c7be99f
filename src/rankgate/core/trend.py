"""Measures over time: what a row of runs shows that none of them shows alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rankgate.core.drift import Drift, drift
from rankgate.core.families import BY_NAME
from rankgate.core.judgments import ALL
from rankgate.core.limits import BOUNDARY
from rankgate.core.rankings import Run
from rankgate.core.reference import digest

MarkKind = Literal["baseline", "golden", "request", "index"]
#: An unambiguous measure and a slice.
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Value:
    """One measure on one slice in one run.

    Attributes:
        now: The mean; None where it is not known, for one query that was not measured makes it a guess.
        baseline: The accepted run's over the compared queries; None where nothing was compared.
        queries: How many queries it is the mean of.
        limits: Points by kind of rule.
        broken: The kinds of the rules on it that the run broke.
    """

    now: float | None
    baseline: float | None = None
    queries: int = 0
    limits: Mapping[str, float] = field(default_factory=dict)
    broken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """One run of the gate, or one saved run.

    Attributes:
        label: What the team calls it, such as a commit or a file; may be empty.
        at: When, as in ``2026-11-30T10:00:00+00:00``; empty where nobody wrote that down.
        seconds: The same, since 1970; None where it is not known.
        verdict: As in ``pass``; empty where the run has none.
        queries: How many queries were asked.
        measured: How many of them were measured.
        values: By measure and slice.
        judgments: Digest of the golden set that *values* rest on.
        request: Digest of the request's template; empty where it is not known.
        fingerprint: What the service says of itself; empty where it is not known.
        baseline: Digest of the accepted rankings; empty where nothing was compared.
    """

    values: Mapping[Key, Value]
    label: str = ""
    at: str = ""
    seconds: float | None = None
    verdict: str = ""
    exit_code: int = 0
    queries: int = 0
    measured: int = 0
    judgments: str = ""
    request: str = ""
    fingerprint: str = ""
    baseline: str = ""

    @property
    def name(self) -> str:
        """By what a sentence calls it: its day, else its label."""
        return self.at.partition("T")[0] or self.label


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that changed with a run, and that its numbers may come from.

    Attributes:
        kind: With "golden", what came before is no longer comparable.
        message: The sentence for the reader.
    """

    kind: MarkKind
    message: str


@dataclass(frozen=True, slots=True)
class Series:
    """One measure on one slice over all points.

    Attributes:
        values: One a point; None where it is not known.
        baselines: The accepted run's, likewise.
        broken: Whether the run broke a rule on it.
        start: The position from which on the values can be compared with the last.
        breaks: Positions that begin anew: the golden set, or the number of queries, is another than before.
        limits: Points by kind of rule, in the last run that has it.
        drift: What the last values do; None where there are too few.
    """

    measure: str
    slice: str
    higher_is_better: bool
    values: tuple[float | None, ...]
    baselines: tuple[float | None, ...]
    broken: tuple[bool, ...]
    start: int
    breaks: tuple[int, ...]
    limits: Mapping[str, float]
    drift: Drift | None

    @property
    def key(self) -> Key:
        """Which measure it is of, on which slice."""
        return self.measure, self.slice

    @property
    def comparable(self) -> tuple[float, ...]:
        """The known values since the last break."""
        return tuple(value for value in self.values[self.start :] if value is not None)

    @property
    def now(self) -> float | None:
        """The value of the last point."""
        return self.values[-1]

    @property
    def low(self) -> float | None:
        """The lowest comparable value."""
        return min(self.comparable, default=None)

    @property
    def high(self) -> float | None:
        """The highest comparable value."""
        return max(self.comparable, default=None)

    @property
    def change(self) -> float | None:
        """The last value minus the last known one before it."""
        return self.comparable[-1] - self.comparable[-2] if self.now is not None and self.comparable[1:] else None

    @property
    def since_first(self) -> float | None:
        """The last value minus the first that it can be compared with."""
        return self.comparable[-1] - self.comparable[0] if self.now is not None and self.comparable[1:] else None

    def step(self, place: int) -> float | None:
        """The value at *place* minus the last known one before it; None across a break."""
        value, begin = self.values[place], max((each for each in self.breaks if each <= place), default=0)
        before = [known for known in self.values[begin:place] if known is not None]
        return value - before[-1] if value is not None and before else None


@dataclass(frozen=True, slots=True)
class Trend:
    """Points in the order of time, and the series over them.

    Attributes:
        marks: Of each point, against the points before it.
        left_out: How many earlier points are not shown.
        rescored: The values are those of today's judgments, rather than as they were recorded.
        shared: Where they are: how many queries every run has an answer for; of *queries* in the golden set.
    """

    points: tuple[Point, ...]
    series: tuple[Series, ...]
    marks: tuple[tuple[Mark, ...], ...]
    left_out: int = 0
    rescored: bool = False
    shared: int = 0
    queries: int = 0

    @property
    def drifting(self) -> tuple[Series, ...]:
        """The series that creep in the wrong direction."""
        return tuple(each for each in self.series if each.drift and each.drift.worse)


def in_order(points: Sequence[Point]) -> tuple[Point, ...]:
    """*points* by time; those without one stay in the order in which they were given."""
    return tuple(sorted(points, key=lambda point: point.seconds or 0.0))


def trend(points: Sequence[Point], keys: Sequence[Key], *, last: int | None = None) -> Trend:
    """The series of *keys* over *points*, which are in order.

    Args:
        last: How many points are shown; None for all.
    """
    first = max(len(points) - last, 0) if last else 0
    shown = tuple(points[first:])
    return Trend(
        points=shown,
        series=tuple(_series(shown, key) for key in keys),
        marks=tuple(_marks(points))[first:],
        left_out=first,
    )


def keys_of(points: Sequence[Point]) -> tuple[Key, ...]:
    """Every measure and slice that any point has: those of the whole set first, each in the last point's order."""
    found = dict.fromkeys(key for point in reversed(points) for key in point.values)
    return tuple(sorted(found, key=lambda key: key[1] != ALL))


def gated(points: Sequence[Point]) -> tuple[Key, ...]:
    """The measures and slices with a limit in any point; all where there is none."""
    found = {key for point in points for key, value in point.values.items() if value.limits}
    return tuple(key for key in keys_of(points) if key in found) or keys_of(points)


def higher_is_better(measure: str) -> bool:
    """The direction of a measure by its printed name; KeyError for one that nobody knows."""
    return BY_NAME[short(measure).partition("@")[0].lower()].higher_is_better


def short(measure: str) -> str:
    """A printed name without its parameters; not unambiguous."""
    name, opened, rest = measure.partition("(")
    return name + rest.rpartition(")")[2] if opened else name


def rankings_digest(run: Run) -> str:
    """A short digest of what a run found."""
    found = sorted((query_id, *ranking.ids) for query_id, ranking in run.rankings.items())
    return digest(found)


def request_digest(request: Mapping[str, str]) -> str:
    """A short digest of the whole request's template, whose parts have digests by key; empty where it is not known."""
    return digest(sorted(request.items())) if request else ""


def _series(points: Sequence[Point], key: Key) -> Series:
    found = [point.values.get(key, Value(None)) for point in points]
    values = tuple(value.now for value in found)
    breaks = tuple(_breaks(points, found))
    start, better = max(breaks, default=0), higher_is_better(key[0])
    return Series(
        measure=key[0],
        slice=key[1],
        higher_is_better=better,
        values=values,
        baselines=tuple(value.baseline for value in found),
        broken=tuple(bool(value.broken) for value in found),
        start=start,
        breaks=breaks,
        limits=next((value.limits for value in reversed(found) if value.queries), {}),
        drift=drift(values, [point.seconds for point in points], start=start, higher_is_better=better),
    )


def _breaks(points: Sequence[Point], values: Sequence[Value]) -> Iterator[int]:
    """Where a value is no longer of the same queries with the same judgments as the ones before."""
    judgments, queries = "", 0
    for place, (point, value) in enumerate(zip(points, values, strict=True)):
        if (judgments and point.judgments != judgments) or (queries and value.queries and value.queries != queries):
            yield place
        judgments, queries = point.judgments, value.queries or queries


def _marks(points: Sequence[Point]) -> Iterator[tuple[Mark, ...]]:
    """Against the last point that knows; what one point does not know is no change."""
    known: dict[MarkKind, str] = {}
    for point in points:
        now: dict[MarkKind, str] = {
            "golden": point.judgments,
            "baseline": point.baseline,
            "request": point.request,
            "index": point.fingerprint,
        }
        changed = [kind for kind, text in now.items() if text and known.get(kind, text) != text]
        yield tuple(Mark(kind, _sentence(kind, known[kind], now[kind])) for kind in changed)
        known |= {kind: text for kind, text in now.items() if text}


def _sentence(kind: MarkKind, before: str, now: str) -> str:
    if kind == "index":
        return f"other index: the fingerprint was {before!r} and is {now!r}"
    return {
        "golden": "the golden set changed: what comes before is not comparable",
        "baseline": "another baseline was accepted",
        "request": "the request changed",
    }[kind]


def moved(found: Trend, place: int) -> tuple[tuple[Series, float], ...]:
    """The series that changed with the point at *place*, each with its step, the largest step first."""
    steps = ((series, series.step(place)) for series in found.series)
    changed = [(series, step) for series, step in steps if step is not None and abs(step) > BOUNDARY]
    return tuple(sorted(changed, key=lambda each: -abs(each[1])))
