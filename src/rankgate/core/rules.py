"""The gate's rules: configured conditions, each judged to one Finding that holds all that a report says of it."""

from collections.abc import Iterator

from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison, Delta
from rankgate.core.doubts import judge_doubts
from rankgate.core.findings import Finding, Status, apart, in_queries, listed, number, plural
from rankgate.core.judgments import ALL
from rankgate.core.limits import ALONE, BOUNDARY, WARNING, Gate, Limit
from rankgate.core.pins import judge_pins
from rankgate.core.scoring import Interval


def judge(gate: Gate, comparison: Comparison, *, floors_only: bool = False) -> tuple[Finding, ...]:
    """Judge every rule of *gate*, in the order: what was not measured, limits, lost queries, pins, removed queries."""
    findings = [*_errors(gate, comparison)]
    if floors_only:
        findings.append(
            Finding("no_baseline", Status.WARN, "nothing was compared: only floors, ceilings and pins were judged")
        )
    elif gate.compares and comparison.reference is not None and not comparison.comparable.any():
        findings.append(
            Finding("no_baseline", Status.WARN, "nothing was compared: no query is in the baseline with the same text")
        )
    deltas: dict[tuple[Measure, str], Delta] = {}
    for limit in gate.limits:
        key = limit.measure, limit.slice
        if key not in deltas:
            deltas[key] = comparison.delta(*key)
        finding = _judge_limit(limit, deltas[key])
        findings.append(finding)
        findings.extend(_headroom(limit, finding))
    findings.extend(_lost(gate, comparison))
    findings.extend(judge_pins(comparison))
    findings.extend(_removed(comparison))
    findings.extend(judge_doubts(comparison))
    return tuple(findings)


def _judge_limit(limit: Limit, delta: Delta) -> Finding:
    alone = limit.kind in ALONE
    value, queries = (delta.now, delta.queries) if alone else (delta.candidate, delta.compared)
    subject = str(limit.measure) if limit.slice == ALL else f"{limit.measure} on slice {limit.slice!r}"
    if value is None or queries < limit.min_queries:
        return _not_judged(limit, delta, subject, queries)
    if delta.failed == delta.queries:
        return _nothing_measured(limit, delta, subject)
    excess = _excess(limit, delta, value)
    status = Status.PASS
    if excess.low > BOUNDARY:
        status = Status.WARN if limit.kind in WARNING else Status.FAIL
    elif excess.high > BOUNDARY:
        status = Status.WARN if limit.kind in WARNING else Status.UNDECIDED
    shown = value.low if limit.measure.higher_is_better else value.high
    baseline = None if alone or delta.baseline is None else delta.baseline.low
    change = None if baseline is None else shown - baseline
    return Finding(
        rule=limit.kind,
        status=status,
        message=f"{subject} {_sentence(limit, value, baseline, queries)}",
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


def _excess(limit: Limit, delta: Delta, value: Interval) -> Interval:
    """By how much the limit is exceeded, at the least and at the most; more than 0 is broken."""
    points = limit.points or 0.0
    if limit.kind == "floor":
        return Interval(points - value.high, points - value.low)
    if limit.kind == "ceiling":
        return Interval(value.low - points, value.high - points)
    if delta.change is None or delta.baseline is None:  # pragma: no cover - the caller has seen a compared value
        raise AssertionError(limit)
    rise = delta.change
    worse = Interval(-rise.high, -rise.low) if limit.measure.higher_is_better else rise
    fraction = limit.relative or 0.0
    return Interval(
        worse.low - max(points, fraction * delta.baseline.high),
        worse.high - max(points, fraction * delta.baseline.low),
    )


def _not_judged(limit: Limit, delta: Delta, subject: str, queries: int) -> Finding:
    whole = limit.slice == ALL and limit.min_queries <= 1
    if limit.kind not in ALONE and delta.queries >= limit.min_queries and not queries:
        reason = "no query of it is in the baseline"
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


def _nothing_measured(limit: Limit, delta: Delta, subject: str) -> Finding:
    return Finding(
        rule=limit.kind,
        status=Status.UNDECIDED,
        message=f"{subject}: none of {_counted(delta.queries)} was measured",
        measure=limit.measure,
        slice=limit.slice,
        limit=limit.points,
        limit_relative=limit.relative,
        queries=delta.queries,
        place=limit.place,
    )


def _counted(queries: int) -> str:
    return f"{queries} {plural(queries, 'query', 'queries')}"


def _sentence(limit: Limit, value: Interval, baseline: float | None, queries: int) -> str:
    shown = value.low if limit.measure.higher_is_better else value.high
    bounded = "" if value.known else f" (between {number(value.low)} and {number(value.high)}, as queries failed)"
    if baseline is None:
        seen, wanted = apart(shown, limit.points or 0.0)
        return f"is {seen} over {_counted(queries)}, {limit.kind} {wanted}{bounded}"
    change = shown - baseline
    parts = []
    if limit.points is not None:
        parts.append(f"{number(limit.points)} = {in_queries(limit.points * queries)} of {_counted(queries)}")
    if limit.relative is not None:
        parts.append(f"{100 * limit.relative:.6g}% of the baseline")
    allowed = " and ".join(parts)
    if abs(change) <= BOUNDARY:
        return f"stayed at {number(shown)} over {_counted(queries)}; {limit.kind} {allowed}{bounded}"
    verb = ("fell" if change < 0 else "rose") + " by"
    by, _ = apart(abs(change), limit.points if limit.points is not None else abs(change))
    before, now = apart(baseline, shown)
    return f"{verb} {by}, from {before} to {now} over {_counted(queries)}; {limit.kind} {allowed}{bounded}"


def _headroom(limit: Limit, finding: Finding) -> Iterator[Finding]:
    """Warn when a measure is better than the baseline by more than it may drop: a later drop would go unseen."""
    if limit.kind not in {"max_drop", "max_rise"} or finding.change is None or limit.points is None:
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
    if removed:
        yield Finding(
            rule="removed",
            status=Status.FAIL,
            message=f"{len(removed)} {plural(len(removed), 'query', 'queries')} of the baseline "
            f"{plural(len(removed), 'is', 'are')} no longer in the golden set: {listed(removed)}; "
            "accept a new baseline if that is meant",
            limit=0.0,
            value=float(len(removed)),
            query_ids=removed,
        )


def _errors(gate: Gate, comparison: Comparison) -> Iterator[Finding]:
    failed = tuple(sorted(comparison.run.failures))
    asked = len(comparison.run.query_ids)
    if failed:
        verb = plural(len(failed), "was", "were")
        over = len(failed) > gate.max_errors or len(failed) == asked
        yield Finding(
            rule="max_errors",
            status=Status.UNDECIDED if over else Status.WARN,
            message=f"{len(failed)} of {_counted(asked)} {verb} not measured; max_errors allows {gate.max_errors}",
            limit=float(gate.max_errors),
            limit_queries=float(gate.max_errors),
            value=float(len(failed)),
            queries=asked,
            query_ids=failed,
        )


def _on(slice_name: str) -> str:
    return "" if slice_name == ALL else f" on slice {slice_name!r}"
