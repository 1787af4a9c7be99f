"""Measures over time: the line that a run of the gate adds to a history, and the points that saved runs are."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rankgate.app.baseline import check_depth, judged_at, load_reference, too_shallow
from rankgate.app.gating import gate
from rankgate.app.project import Project
from rankgate.core.catalog import Measure, Scale, parse_measure
from rankgate.core.comparison import Delta
from rankgate.core.findings import Status
from rankgate.core.judgments import ALL, GoldenSet, Query
from rankgate.core.reference import Reference, golden_digest
from rankgate.core.trend import (
    Key,
    Point,
    Trend,
    Value,
    gated,
    keys_of,
    rankings_digest,
    request_digest,
    short,
    trend,
)
from rankgate.core.verdict import GateResult, Outcome
from rankgate.errors import InputError, Problem, ServiceError, UsageError, nearest
from rankgate.files.run_file import SavedRun
from rankgate.service import Redactor


def history_point(project: Project, result: GateResult, *, at: str, label: str = "") -> Point:
    """What a history keeps of *result*; secrets are redacted.

    Args:
        at: When, with its zone.
        label: What the team calls the run.
    """
    redact = Redactor.of(project.config.service).redact
    comparison = result.comparison
    keys = [*((measure, ALL) for measure in comparison.measures), *_gated(project)]
    point = _point(result, keys)
    return dataclasses.replace(
        point,
        at=at,
        label=redact(label),
        fingerprint=redact(comparison.run.fingerprint),
        request=request_digest(project.config.request),
    )


def over_history(
    points: Sequence[Point], names: Sequence[str], slices: Sequence[str], *, last: int | None = None
) -> Trend:
    """The series of a history, with the values as they were recorded.

    Args:
        names: Of measures; what is gated without any.
        slices: Of the slices with rules.
        last: How many points are shown; None for all.

    Raises:
        InputError: There is no point, or none has such a measure or slice.
    """
    if not points:
        raise InputError("the history holds no run yet", hint="rankgate check --history FILE adds one.")
    recorded = keys_of(points)
    known = {name for _, name in recorded}
    _refuse_unknown("the history has no slice", slices, known)
    wanted = {name for text in names for name in _recorded(text, recorded)}
    if wanted or slices:
        places = slices or [ALL]
        keys = tuple(key for key in recorded if key[1] in places and (not wanted or key[0] in wanted))
    else:
        keys = gated(points)
    if not keys:
        raise UsageError(f"the history has no value of {', '.join(names)} on {', '.join(slices or [ALL])}")
    return trend(points, keys, last=last)


def _recorded(text: str, recorded: Iterable[Key]) -> tuple[str, ...]:
    """The printed names of the measures that *text* means: one in full, or all that are short for it."""
    names = tuple(dict.fromkeys(measure for measure, _ in recorded))
    if text in names:
        return (text,)
    wanted = "" if "(" in text else parse_measure(text, Scale()).short
    found = tuple(name for name in names if short(name) == wanted)
    if not found:
        raise UsageError(f"the history has no measure {text!r}{nearest(text, names)}")
    return found


def over_runs(
    project: Project,
    runs: Mapping[str, SavedRun],
    names: Sequence[str],
    slices: Sequence[str],
    *,
    last: int | None = None,
) -> Trend:
    """The series of saved runs, all scored with today's judgments over the queries that every one of them holds.

    Args:
        runs: By the names that they are shown under, in the order of time.

    Raises:
        InputError: They share no query, or one is too shallow for a measure.
        ServiceError: One holds no answers to these queries.
    """
    _refuse_unknown("no slice", slices, {ALL, *project.golden.slices})
    keys = _wanted(project, [parse_measure(name, project.config.scale) for name in names], slices)
    looks = {str(measure): measure.looks_at(project.config.depth) for measure, _ in keys}
    for path, saved in runs.items():
        check_depth(saved.run, looks, path, hint="Name other measures with --measure, or leave the run out.")
    shared = _shared(project.golden, runs.values())
    floors_only = not project.config.baseline.exists()
    baseline = load_reference(project, None, floors_only=floors_only)
    scored = dataclasses.replace(
        project,
        config=dataclasses.replace(
            project.config,
            measures=tuple(dict.fromkeys((*project.config.measures, *(measure for measure, _ in keys)))),
        ),
    )
    reference = baseline.reference if baseline else None
    points = []
    for path, saved in runs.items():
        result = _judged(scored, path, saved, reference, shared)
        request = request_digest(saved.lock.request) if saved.lock else ""
        points.append(
            dataclasses.replace(_point(result, keys), label=path, request=request, fingerprint=saved.run.fingerprint)
        )
    found = trend(points, [(str(measure), name) for measure, name in keys], last=last)
    return dataclasses.replace(found, rescored=True, shared=len(shared.queries), queries=len(project.golden.queries))


def _wanted(project: Project, measures: Sequence[Measure], slices: Sequence[str]) -> tuple[tuple[Measure, str], ...]:
    """The measures and slices to look at: those asked for, else those that have limits, else all measures."""
    limits = _gated(project)
    usual = [measure for measure, name in limits if name == ALL] or list(project.config.measures)
    if measures:
        return tuple((measure, name) for name in slices or [ALL] for measure in dict.fromkeys(measures))
    if slices:
        own = {name: [measure for measure, place in limits if place == name] or usual for name in slices}
        return tuple((measure, name) for name, chosen in own.items() for measure in chosen)
    return limits or tuple((measure, ALL) for measure in usual)


def _gated(project: Project) -> tuple[tuple[Measure, str], ...]:
    """What has a limit, those of the whole set first."""
    found = dict.fromkeys((limit.measure, limit.slice) for limit in project.config.gate.limits)
    return tuple(sorted(found, key=lambda key: key[1] != ALL))


def _refuse_unknown(message: str, names: Iterable[str], known: Iterable[str]) -> None:
    known = set(known)
    wrong = [Problem(f"{message} {name!r}{nearest(name, known)}") for name in names if name not in known]
    if wrong:
        raise UsageError(wrong)


def _shared(golden: GoldenSet, runs: Iterable[SavedRun]) -> GoldenSet:
    """The queries that every run has an answer for, to the text of today."""
    shared = golden.only(
        frozenset(query.id for query in golden.queries if all(_answers(saved, query) for saved in runs))
    )
    if not shared.judged:
        raise InputError("these runs and the golden set share no query: none is answered in every run")
    return shared


def _answers(saved: SavedRun, query: Query) -> bool:
    run = saved.run
    # The TREC form has no line for a query without results, so absence is an empty answer there.
    held = query.id in run.rankings or (not run.depth and query.id not in run.failures)
    return held and run.texts.get(query.id, query.text) == query.text


def _judged(project: Project, path: str, saved: SavedRun, reference: Reference | None, shared: GoldenSet) -> GateResult:
    """What today's gate says of a saved run; of a part of the golden set or of the rules there is no verdict."""
    whole = len(shared.queries) == len(project.golden.queries) and not too_shallow(saved.run, judged_at(project))
    try:
        return gate(
            project,
            saved.run,
            reference,
            golden=None if whole else shared,
            lock=saved.lock,
            further=saved.further,
            missing=saved.missing,
        )
    except ServiceError as error:
        problems = [dataclasses.replace(problem, path=problem.path or path) for problem in error.problems]
        raise ServiceError(problems, hint=error.hint) from error


def _point(result: GateResult, keys: Iterable[tuple[Measure, str]]) -> Point:
    """The values of *keys*, and all else that the result itself knows."""
    comparison, verdict = result.comparison, result.verdict
    queries = len(comparison.golden.queries)
    judged = verdict.outcome is not Outcome.PARTIAL
    return Point(
        values=dict(_values(result, keys)),
        verdict=verdict.outcome.value if judged else "",
        exit_code=verdict.exit_code,
        queries=queries,
        measured=queries - len(comparison.run.failures),
        judgments=golden_digest(comparison.golden),
        baseline=rankings_digest(comparison.reference.run) if comparison.reference else "",
    )


def _values(result: GateResult, keys: Iterable[tuple[Measure, str]]) -> Iterator[tuple[Key, Value]]:
    for measure, name in keys:
        # The queries that all runs share may have none of a slice.
        known = name in {ALL, *result.comparison.golden.slices}
        delta = result.comparison.delta(measure, name) if known else Delta(measure, name, None, queries=0, failed=0)
        limits: dict[str, float] = {
            limit.kind: limit.points
            for limit in result.gate.limits
            if (limit.measure, limit.slice) == (measure, name) and limit.points is not None
        }
        broken = (
            finding.rule
            for finding in result.verdict.of(Status.FAIL)
            if (finding.measure, finding.slice) == (measure, name)
        )
        yield (str(measure), name), _value(delta, limits, tuple(broken))


def _value(delta: Delta, limits: Mapping[str, float], broken: tuple[str, ...]) -> Value:
    """What is only bounded, because a query was not measured, is not known."""
    now = delta.now.low if delta.now and not delta.failed else None
    baseline = delta.baseline.low if delta.baseline and delta.baseline.known else None
    return Value(now, baseline, delta.queries, limits, broken)
