"""The gate's rules: configured conditions, each judged to one Finding that holds all that a report says of it."""

from collections.abc import Iterator
from dataclasses import dataclass

from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison, Delta
from rankgate.core.doubts import judge_doubts
from rankgate.core.findings import Finding, Status, apart, in_queries, listed, number, plural
from rankgate.core.judgments import ALL
from rankgate.core.limits import ALONE, BOUNDARY, FAILING_CHANGE, WARNING, Gate, Limit
from rankgate.core.pins import judge_pins
from rankgate.core.reference import Reference
from rankgate.core.scoring import Interval


@dataclass(frozen=True, slots=True)
class _Judged:
    """What a limit is on: the candidate's own mean, or that of the compared queries beside the baseline's.

    Attributes:
        before: None for a limit of the candidate's own mean.
        queries: How many queries the means are taken over, at least 1.
        missing: How many of them were not measured, on one side or on both.
    """

    value: Interval
    before: Interval | None
    queries: int
    missing: int


def judge(
    gate: Gate, comparison: Comparison, *, floors_only: bool = False, exact: Reference | None = None
) -> tuple[Finding, ...]:
    """Judge every rule of *gate*, in the order: what was not measured, limits, lost queries, pins, removed queries.

    Args:
        exact: The exact search that stands beside the comparison.
    """
    findings = [*_errors(gate, comparison, exact)]
    if floors_only:
        findings.append(
            Finding("no_baseline", Status.WARN, "nothing was compared: only floors, ceilings and pins were judged")
        )
    elif gate.compares and comparison.reference is not None and not comparison.comparable.any():
        where = comparison.reference.title
        findings.append(
            Finding("no_baseline", Status.WARN, f"nothing was compared: no query is in {where} with the same text")
        )
    deltas: dict[tuple[Measure, str], Delta] = {}
    for limit in gate.limits:
        key = limit.measure, limit.slice
        if key not in deltas:
            deltas[key] = comparison.delta(*key)
        finding = _judge_limit(limit, deltas[key])
        findings.append(finding)
        if comparison.reference is None or not comparison.reference.name:  # else there is nothing to accept
            findings.extend(_headroom(limit, finding))
    findings.extend(_lost(gate, comparison))
    findings.extend(judge_pins(comparison))
    findings.extend(_removed(comparison))
    findings.extend(judge_doubts(comparison))
    return tuple(findings)


def _judge_limit(limit: Limit, delta: Delta) -> Finding:
    alone = limit.kind in ALONE
    judged = _judged(delta, alone=alone)
    subject = str(limit.measure) if limit.slice == ALL else f"{limit.measure} on slice {limit.slice!r}"
    queries = delta.queries if alone else delta.compared
    if judged is None or queries < limit.min_queries:
        return _not_judged(limit, delta, subject, queries)
    if judged.missing == queries:
        return _nothing_measured(limit, delta, subject, queries)
    excess = _excess(limit, judged)
    status = Status.PASS
    if excess.low > BOUNDARY:
        status = Status.WARN if limit.kind in WARNING else Status.FAIL
    elif excess.high > BOUNDARY:
        status = Status.WARN if limit.kind in WARNING else Status.UNDECIDED
    shown, baseline = _at_worst(limit.measure, judged.value, judged.before)
    change = None if baseline is None else shown - baseline
    return Finding(
        rule=limit.kind,
        status=status,
        message=f"{subject} {_sentence(limit, judged, excess)}",
        measure=limit.measure,
        slice=limit.slice,
        limit=limit.points,
        limit_relative=limit.relative,
        limit_queries=None if alone or limit.points is None else limit.points * queries,
        value=shown,
        baseline=baseline,
        change=change,
        queries=queries,
        place=limit.place,
    )


def _judged(delta: Delta, *, alone: bool) -> _Judged | None:
    """What a limit of the candidate's own mean, or one of its change, is on; None for no query."""
    if alone:
        return None if delta.now is None else _Judged(delta.now, None, delta.queries, delta.failed)
    if delta.candidate is None or delta.baseline is None:
        return None
    return _Judged(delta.candidate, delta.baseline, delta.compared, delta.lacking)


def _at_worst(measure: Measure, value: Interval, baseline: Interval | None) -> tuple[float, float | None]:
    """The ends of both between which the change is at its worst."""
    if measure.higher_is_better:
        return value.low, baseline.high if baseline else None
    return value.high, baseline.low if baseline else None


def _excess(limit: Limit, judged: _Judged) -> Interval:
    """By how much the limit is exceeded, at the least and at the most; more than 0 is broken."""
    points, value, before = limit.points or 0.0, judged.value, judged.before
    if before is None:
        if limit.kind == "floor":
            return Interval(points - value.high, points - value.low)
        return Interval(value.low - points, value.high - points)
    rise = value.minus(before)
    worse = Interval(-rise.high, -rise.low) if limit.measure.higher_is_better else rise
    fraction = limit.relative or 0.0
    return Interval(
        worse.low - max(points, fraction * before.high),
        worse.high - max(points, fraction * before.low),
    )


def _not_judged(limit: Limit, delta: Delta, subject: str, queries: int) -> Finding:
    whole = limit.slice == ALL and limit.min_queries <= 1
    if limit.kind not in ALONE and delta.queries >= limit.min_queries and not queries:
        reason = "nothing to compare with"
    else:
        reason = f"n={queries} < {limit.min_queries}"
    return Finding(
        rule=limit.kind,
        status=Status.UNDECIDED if whole and not delta.queries else Status.NOT_GATED,
        message=f"{subject}: {limit.kind} not gated ({reason})",
        measure=limit.measure,
        slice=limit.slice,
        limit=limit.points,
        limit_relative=limit.relative,
        queries=queries,
        place=limit.place,
    )


def _nothing_measured(limit: Limit, delta: Delta, subject: str, queries: int) -> Finding:
    both = "" if delta.failed == delta.queries else " on both sides"
    return Finding(
        rule=limit.kind,
        status=Status.UNDECIDED,
        message=f"{subject}: none of {_counted(queries)} was measured{both}",
        measure=limit.measure,
        slice=limit.slice,
        limit=limit.points,
        limit_relative=limit.relative,
        queries=queries,
        place=limit.place,
    )


def _counted(queries: int) -> str:
    return f"{queries} {plural(queries, 'query', 'queries')}"


def _sentence(limit: Limit, judged: _Judged, excess: Interval) -> str:
    value, before, over = judged.value, judged.before, f"over {_counted(judged.queries)}"
    allowed = f"{limit.kind} {number(limit.points or 0.0) if before is None else _allowed(limit, judged.queries)}"
    if not value.known or (before and not before.known):
        was = f", was {_span(before)}" if before else ""
        return f"is {_span(value)} {over} ({judged.missing} not measured){was}; {allowed} {_how_sure(excess)}"
    if before is None:
        seen, wanted = apart(value.low, limit.points or 0.0)
        return f"is {seen} {over}, {limit.kind} {wanted}"
    change = value.low - before.low
    if abs(change) <= BOUNDARY:
        return f"stayed at {number(value.low)} {over}; {allowed}"
    verb = ("fell" if change < 0 else "rose") + " by"
    by, _ = apart(abs(change), limit.points if limit.points is not None else abs(change))
    old, new = apart(before.low, value.low)
    return f"{verb} {by}, from {old} to {new} {over}; {allowed}"


def _allowed(limit: Limit, queries: int) -> str:
    parts = []
    if limit.points is not None:
        parts.append(f"{number(limit.points)} = {in_queries(limit.points * queries)} of {_counted(queries)}")
    if limit.relative is not None:
        parts.append(f"{100 * limit.relative:.6g}% of the value before")
    return " and ".join(parts)


def _span(value: Interval) -> str:
    return number(value.low) if value.known else f"between {number(value.low)} and {number(value.high)}"


def _how_sure(excess: Interval) -> str:
    """What the queries that were not measured leave open: nothing that nobody measured fell or rose."""
    if excess.low > BOUNDARY:
        return "is broken even at best"
    return "could be broken" if excess.high > BOUNDARY else "holds even at worst"


def _headroom(limit: Limit, finding: Finding) -> Iterator[Finding]:
    """Warn when a measure is better than the baseline by more than it may drop: a later drop would go unseen."""
    if limit.kind not in FAILING_CHANGE or finding.change is None or limit.points is None:
        return
    gain = finding.change if limit.measure.higher_is_better else -finding.change
    if finding.status is Status.PASS and gain > limit.points + BOUNDARY:
        yield Finding(
            rule="headroom",
            status=Status.WARN,
            message=f"{limit.measure}{_on(limit.slice)} is better than the baseline by {number(gain)}, more than its "
            f"{limit.kind} of {number(limit.points)}: accept this run, or a later drop of that size goes unseen",
            measure=limit.measure,
            slice=limit.slice,
            limit=limit.points,
            value=finding.value,
            baseline=finding.baseline,
            change=finding.change,
            queries=finding.queries,
            place=limit.place,
        )


def _lost(gate: Gate, comparison: Comparison) -> Iterator[Finding]:
    if gate.lost_queries is None or comparison.reference is None:
        return
    certain, possible = len(comparison.lost), len(comparison.possibly_lost)
    status = Status.PASS
    if certain > gate.lost_queries:
        status = Status.FAIL
    elif certain + possible > gate.lost_queries:
        status = Status.UNDECIDED
    extra = f", and {possible} more may be" if possible else ""
    yield Finding(
        rule="lost_queries",
        status=status,
        message=f"{certain} {plural(certain, 'query', 'queries')} lost a relevant first result or newly return "
        f"nothing{extra}; lost_queries allows {gate.lost_queries}",
        limit=float(gate.lost_queries),
        limit_queries=float(gate.lost_queries),
        value=float(certain),
        queries=int(comparison.comparable.sum()),
        query_ids=comparison.lost,
        place=gate.lost_queries_place,
    )


def _removed(comparison: Comparison) -> Iterator[Finding]:
    removed = comparison.removed
    if removed and comparison.reference:
        yield Finding(
            rule="removed",
            status=Status.FAIL,
            message=f"{len(removed)} {plural(len(removed), 'query', 'queries')} of {comparison.reference.title} "
            f"{plural(len(removed), 'is', 'are')} no longer in the golden set: {listed(removed)}; "
            "accept a new baseline if that is meant",
            limit=0.0,
            value=float(len(removed)),
            query_ids=removed,
        )


def _errors(gate: Gate, comparison: Comparison, exact: Reference | None) -> Iterator[Finding]:
    """What was not measured: of the candidate, and of what stands beside it, each up to ``max_errors``."""
    yield from _unmeasured(gate, comparison, None)
    for other in (comparison.reference, exact):
        if other is not None:
            yield from _unmeasured(gate, comparison, other)


def _unmeasured(gate: Gate, comparison: Comparison, other: Reference | None) -> Iterator[Finding]:
    """The failures of *other*, of the candidate for None: a warning while they are few and both answered something."""
    run = other.run if other else comparison.run
    asked = run.query_ids & comparison.by_id.keys()
    failed = tuple(sorted(asked & run.failures.keys()))
    if failed:
        answered = asked & run.rankings.keys() & comparison.run.rankings.keys()
        of, verb = f" of {other.title}" if other else "", plural(len(failed), "was", "were")
        yield Finding(
            rule="reference_errors" if other else "max_errors",
            status=Status.UNDECIDED if len(failed) > gate.max_errors or not answered else Status.WARN,
            message=f"{len(failed)} of {_counted(len(asked))}{of} {verb} not measured; "
            f"max_errors allows {gate.max_errors}",
            limit=float(gate.max_errors),
            limit_queries=float(gate.max_errors),
            value=float(len(failed)),
            queries=len(asked),
            query_ids=failed,
        )


def _on(slice_name: str) -> str:
    return "" if slice_name == ALL else f" on slice {slice_name!r}"
