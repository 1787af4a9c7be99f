"""Measures over time as JSON: the records that it is written from, and that its schema follows.

They repeat what is alike in the core's ``Point`` and ``Series``: those may change with the core, a published form may
not. A run has no values here and has its marks; a series has what the core only computes, and its sentence.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rankgate.core.drift import Drift
from rankgate.core.trend import Mark, Point, Series, Trend
from rankgate.reports import json
from rankgate.reports import trend_words as words


@dataclass(frozen=True, slots=True)
class RunFact:
    """One run.

    Attributes:
        label: What the team calls it, such as a commit or a file; may be empty.
        at: When, as in '2026-11-30T10:00:00+00:00'; empty where nobody wrote that down.
        verdict: As in 'pass'; empty where the run has none.
        queries: How many queries were asked.
        measured: How many of them were measured.
        judgments: Digest of the golden set that the values rest on.
        request: Digest of the request's template; empty where it is not known.
        fingerprint: What the service says of itself; empty where it is not known.
        baseline: Digest of the accepted rankings; empty where nothing was compared.
        marks: What changed with this run.
    """

    label: str
    at: str
    verdict: str
    exit_code: int
    queries: int
    measured: int
    judgments: str
    request: str
    fingerprint: str
    baseline: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class SeriesFact:
    """One measure on one slice over all runs.

    Attributes:
        values: One a run; None where it is not known.
        baselines: The accepted run's, likewise.
        broken: Whether the run broke a rule on it.
        comparable_from: The position from which on the values can be compared with the last.
        breaks: Positions that begin anew: the golden set, or the number of queries, is another than before.
        limits: Points by kind of rule, in the last run that has it.
        change: The last value minus the last known one before it.
        since_first: The last value minus the first that it can be compared with.
        low: The lowest comparable value.
        high: The highest.
        drift: What the last values do; None where there are too few.
        statement: The drift as a sentence; None where the measure does not drift for the worse.
    """

    measure: str
    slice: str
    higher_is_better: bool
    values: tuple[float | None, ...]
    baselines: tuple[float | None, ...]
    broken: tuple[bool, ...]
    comparable_from: int
    breaks: tuple[int, ...]
    limits: Mapping[str, float]
    now: float | None
    change: float | None
    since_first: float | None
    low: float | None
    high: float | None
    drift: Drift | None
    statement: str | None


@dataclass(frozen=True, slots=True)
class Document:
    """Measures over time.

    Attributes:
        format: Of this form; another number is another form.
        rescored: The values are those of today's judgments, rather than as they were recorded.
        queries_shared: How many queries every run answered; None where the values are as they were recorded.
        left_out: How many earlier runs are not shown.
        headline: Whether anything drifts, as far as that can be told.
        runs: In the order of time.
    """

    format: Literal[1]
    tool: Literal["rankgate"]
    rescored: bool
    queries_shared: int | None
    left_out: int
    headline: str
    runs: tuple[RunFact, ...]
    series: tuple[SeriesFact, ...]


def render(found: Trend) -> str:
    """All of it: complete, sorted, unrounded; null where a value is not known."""
    labels = words.labels(found)
    return json.text(
        Document(
            format=1,
            tool="rankgate",
            rescored=found.rescored,
            queries_shared=found.shared if found.rescored else None,
            left_out=found.left_out,
            headline=words.headline(found),
            runs=tuple(_run(point, marks) for point, marks in zip(found.points, found.marks, strict=True)),
            series=tuple(_series(found, series, labels) for series in found.series),
        )
    )


def _run(point: Point, marks: tuple[Mark, ...]) -> RunFact:
    return RunFact(
        label=point.label,
        at=point.at,
        verdict=point.verdict,
        exit_code=point.exit_code,
        queries=point.queries,
        measured=point.measured,
        judgments=point.judgments,
        request=point.request,
        fingerprint=point.fingerprint,
        baseline=point.baseline,
        marks=marks,
    )


def _series(found: Trend, series: Series, labels: words.Labels) -> SeriesFact:
    return SeriesFact(
        measure=series.measure,
        slice=series.slice,
        higher_is_better=series.higher_is_better,
        values=series.values,
        baselines=series.baselines,
        broken=series.broken,
        comparable_from=series.start,
        breaks=series.breaks,
        limits=series.limits,
        now=series.now,
        change=series.change,
        since_first=series.since_first,
        low=series.low,
        high=series.high,
        drift=series.drift,
        statement=words.statement(found, series, labels),
    )
