"""Gather everything that any report prints from a gate's result, once."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from rankgate.core.attribution import by_cause
from rankgate.core.behind import behind
from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison, Delta
from rankgate.core.findings import PINS, Finding, Status
from rankgate.core.judgments import ALL
from rankgate.core.limits import ALONE
from rankgate.core.rankings import Failure, FailureKind, Run
from rankgate.core.scoring import Interval
from rankgate.core.verdict import GateResult, Outcome
from rankgate.reports.behind import behind_facts
from rankgate.reports.causes import cause_facts
from rankgate.reports.evidence import evidence_of
from rankgate.reports.headline import Story, headline
from rankgate.reports.next_steps import next_steps
from rankgate.reports.queries import (
    gained_firsts,
    labels,
    lost_firsts,
    moves_measure,
    query_facts,
    trend,
    weakest_queries,
    worst_queries,
)
from rankgate.reports.records.means import AgreementFact, MeanCell, SliceRow, Trend
from rankgate.reports.records.queries import TextChange
from rankgate.reports.records.report import CommandHints, Counts, Facts, FailureGroup
from rankgate.reports.records.rules import STATUS_ORDER, MeasureFact, RuleRow
from rankgate.reports.summary import measured_line

#: What was wrong within an answer, and there differs from query to query: numbers, what is quoted, the keys at hand.
_CONTENT: Final = frozenset({FailureKind.HIT, FailureKind.BODY, FailureKind.PATH})
_OF_ANSWER: Final = re.compile(r"'[^']*'|\d+|keys are: [^;]*")

Deltas = Mapping[tuple[Measure, str], Delta]


def gather(result: GateResult, *, command_hints: CommandHints) -> Facts:
    """All facts of *result*; the same result gives the same facts."""
    comparison, verdict = result.comparison, result.verdict
    findings = verdict.findings
    deltas = {
        (measure, name): comparison.delta(measure, name)
        for name in (ALL, *comparison.golden.slices)
        for measure in comparison.measures
    }
    named = labels((*comparison.measures, *(finding.measure for finding in findings if finding.measure)))
    queries = query_facts(comparison)
    worst = worst_queries(queries, comparison, findings)
    weakest = () if worst else weakest_queries(queries, findings)
    rows = _in_order(_rule_row(finding, named, deltas) for finding in findings if finding.rule not in PINS)
    pins = _in_order(_rule_row(finding, named, deltas) for finding in findings if finding.rule in PINS)
    gated = {(finding.measure, finding.slice) for finding in findings if finding.measure and finding.rule not in PINS}
    gated_measures = {measure for measure, _ in gated}
    weighed = moves_measure(comparison.measures, comparison.golden.scale)
    counts = _counts(comparison)
    compared_with = comparison.reference.title if comparison.reference else ""
    failures = _failures(result)
    in_set = frozenset(query.id for query in queries)
    steps = next_steps(verdict, (*rows, *pins), (*worst, *weakest), in_set, command_hints)
    # Of a selection a mean says nothing, so no slice is behind it.
    partial = verdict.outcome is Outcome.PARTIAL
    slices_behind = () if partial else behind_facts(behind(comparison, result.gate, findings), named)
    agreed = _agreement(result)
    story = Story(
        verdict, (*rows, *pins), counts, queries, worst, compared_with, failures, slices_behind, _all_alike(agreed)
    )
    return Facts(
        outcome=verdict.outcome,
        exit_code=verdict.exit_code,
        strict=verdict.strict,
        headline=headline(story, steps),
        measured=measured_line(counts, compared_with),
        counts=counts,
        has_baseline=bool(compared_with),
        compared_with=compared_with,
        measures=tuple(
            MeasureFact(str(measure), named[measure], measure.higher_is_better, measure in gated_measures)
            for measure in comparison.measures
        ),
        moves_measure=str(weighed),
        causes=cause_facts(by_cause(comparison, weighed), named.get(weighed, str(weighed))),
        differences=tuple(difference.message for difference in comparison.differences),
        behind=slices_behind,
        evidence=evidence_of(comparison, named),
        agreement=agreed,
        rules=rows,
        ungated=tuple(
            _ungated_row(measure, named[measure], deltas[measure, ALL])
            for measure in comparison.measures
            if measure not in gated_measures
        ),
        pins=pins,
        slices=_slices(comparison, deltas, gated),
        lost=lost_firsts(comparison),
        gained=gained_firsts(comparison),
        queries=queries,
        worst=worst,
        weakest=weakest,
        new=comparison.new,
        removed=comparison.removed,
        changed=_changed(comparison),
        relabelled=comparison.relabelled,
        failures=failures,
        notes=tuple(sorted(comparison.run.notes.items())),
        baseline_notes=tuple(sorted(comparison.reference.run.notes.items())) if comparison.reference else (),
        extra=result.extra,
        next_steps=steps,
    )


def _agreement(result: GateResult) -> AgreementFact | None:
    found, other = result.agreement, result.other
    if found is None or other is None:
        return None
    return AgreementFact(
        other=other.title,
        queries=found.queries,
        overlap=found.overlap,
        rank_biased=found.rank_biased,
        ann_recall=found.ann_recall,
        ann_queries=found.ann_queries,
        unanswered=found.unanswered,
        alike=found.alike,
        least=found.least,
    )


def _all_alike(agreed: AgreementFact | None) -> int:
    """How many queries rank as they did in what is compared with, where all do; else 0."""
    # An exact search stands beside the comparison, and is not what is compared with.
    return agreed.queries if agreed and agreed.alike == agreed.queries and not agreed.ann_recall else 0


def _in_order(rows: Iterable[RuleRow]) -> tuple[RuleRow, ...]:
    return tuple(sorted(rows, key=lambda row: STATUS_ORDER.index(row.status)))


def _rule_row(finding: Finding, named: Mapping[Measure, str], deltas: Deltas) -> RuleRow:
    measure = finding.measure
    pinned = finding.rule in PINS
    delta = deltas.get((measure, finding.slice)) if measure and not pinned else None
    paired = delta if delta and delta.compared else None
    # Of a rule that was not judged, no number is shown.
    best = _at_best(delta, alone=finding.rule in ALONE) if delta and finding.value is not None else (None, None, None)
    return RuleRow(
        rule=finding.rule,
        status=finding.status,
        label=_label(finding, named),
        message=finding.message,
        measure=str(measure) if measure else None,
        measure_label=named[measure] if measure else "",
        slice=finding.slice,
        baseline=finding.baseline,
        now=finding.value,
        change=finding.change,
        baseline_best=best[0],
        now_best=best[1],
        change_best=best[2],
        trend=_trend(measure, finding.change, best[2]) if measure else None,
        limit=finding.limit,
        limit_relative=finding.limit_relative,
        limit_queries=finding.limit_queries,
        n=finding.queries,
        better=paired.better if paired else None,
        same=paired.same if paired else None,
        worse=paired.worse if paired else None,
        query_ids=finding.query_ids,
        documents=finding.documents,
        turns=finding.turns,
        holes=finding.holes,
        place=finding.place,
    )


def _label(finding: Finding, named: Mapping[Measure, str]) -> str:
    measure = named[finding.measure] if finding.measure else ""
    if finding.rule in PINS:
        pinned = measure or (" ".join(map(repr, finding.documents)) if finding.rule == "before" else "")
        return f"{finding.rule} {pinned} for query {finding.query_ids[0]!r}".replace("  ", " ", 1)
    if finding.rule == "twins":
        return f"twins {finding.documents[0]!a} for query {finding.query_ids[0]!r}"
    subject = f"{measure} {finding.rule}" if measure else finding.rule
    return subject if finding.slice == ALL else f"{subject} on {finding.slice!r}"


def _ungated_row(measure: Measure, label: str, delta: Delta) -> RuleRow:
    cell = _cell(delta, gated=False)
    compared = cell.change is not None
    best = _at_best(delta, alone=not compared)
    return RuleRow(
        rule="",
        status=Status.NOT_GATED,
        label=label,
        message=f"{measure} is measured; no rule judged it",
        measure=str(measure),
        measure_label=label,
        baseline=cell.baseline,
        now=cell.candidate if compared else cell.now,
        change=cell.change,
        baseline_best=best[0],
        now_best=best[1],
        change_best=best[2],
        trend=cell.trend,
        n=cell.compared if compared else cell.n,
        better=cell.better if compared else None,
        same=cell.same if compared else None,
        worse=cell.worse if compared else None,
    )


def _slices(
    comparison: Comparison, deltas: Deltas, gated: frozenset[tuple[Measure, str]] | set[tuple[Measure, str]]
) -> tuple[SliceRow, ...]:
    return tuple(
        SliceRow(
            slice=name,
            queries=int(comparison.in_slice(name).sum()),
            cells=tuple(
                _cell(deltas[measure, name], gated=(measure, name) in gated) for measure in comparison.measures
            ),
        )
        for name in (ALL, *comparison.golden.slices)
    )


def _cell(delta: Delta, *, gated: bool) -> MeanCell:
    """The means as the rules take them: where queries failed, those between which the change is at its worst."""
    candidate = _worst(delta.candidate, delta.measure)
    baseline = _best(delta.baseline, delta.measure)
    change, best = _worst(delta.change, delta.measure), _best(delta.change, delta.measure)
    return MeanCell(
        measure=str(delta.measure),
        n=delta.queries,
        failed=delta.failed,
        now=_worst(delta.now, delta.measure),
        now_best=_best(delta.now, delta.measure),
        baseline=baseline,
        candidate=candidate,
        change=change,
        change_best=best,
        trend=_trend(delta.measure, change, best),
        compared=delta.compared,
        better=delta.better,
        same=delta.same,
        worse=delta.worse,
        gated=gated,
    )


def _at_best(delta: Delta, *, alone: bool) -> tuple[float | None, float | None, float | None]:
    """Baseline, mean and change, where queries failed each at that end at which the change is at its best."""
    measure = delta.measure
    if alone:
        return None, _best(delta.now, measure), None
    return _worst(delta.baseline, measure), _best(delta.candidate, measure), _best(delta.change, measure)


def _trend(measure: Measure, change: float | None, best: float | None) -> Trend | None:
    """Which way a change went, where that is sure."""
    found = trend(measure, change)
    return found if best is None or trend(measure, best) == found else None


def _worst(value: Interval | None, measure: Measure) -> float | None:
    if value is None:
        return None
    return value.low if measure.higher_is_better else value.high


def _best(value: Interval | None, measure: Measure) -> float | None:
    if value is None:
        return None
    return value.high if measure.higher_is_better else value.low


def _counts(comparison: Comparison) -> Counts:
    golden, run, baseline = comparison.golden, comparison.run, comparison.baseline
    measured = sum(query.id in run.rankings for query in golden.queries)
    pairs = comparison.comparable & ~comparison.candidate.failed
    lacking = comparison.reference.run.failures.keys() if comparison.reference else set()
    return Counts(
        queries=len(golden.queries),
        measured=measured,
        failed=len(golden.queries) - measured,
        expects_nothing=len(golden.queries) - len(golden.judged),
        compared=0 if baseline is None else int((pairs & ~baseline.failed).sum()),
        new=len(comparison.new),
        changed=len(comparison.changed),
        relabelled=len(comparison.relabelled),
        removed=len(comparison.removed),
        duplicates=sum(ranking.duplicates for ranking in run.rankings.values()),
        depth=run.depth,
        reference_failed=len(lacking & comparison.by_id.keys()),
    )


def _changed(comparison: Comparison) -> tuple[TextChange, ...]:
    if comparison.reference is None:
        return ()
    sides = comparison.reference.run.texts, comparison.run.texts
    queries = [comparison.by_id[query_id] for query_id in comparison.changed]
    asked = [next(texts[each.id] for texts in sides if texts.get(each.id, each.text) != each.text) for each in queries]
    return tuple(TextChange(each.id, before, each.text) for each, before in zip(queries, asked, strict=True))


def _failures(result: GateResult) -> tuple[FailureGroup, ...]:
    """The failures by cause, the one that hit most queries first; those of this run before those of another."""
    comparison = result.comparison
    others = [each for each in (comparison.reference, result.exact) if each]
    sides = [("", comparison.run), *((each.title, each.run) for each in others)]
    return tuple(group for of, run in sides for group in _grouped(of, run, comparison.by_id))


def _grouped(of: str, run: Run, asked: Collection[str]) -> list[FailureGroup]:
    """The failures of one run; a group has the message of its first query."""
    groups: dict[tuple[str, str], list[str]] = {}
    for query_id, failure in sorted(run.failures.items()):
        if query_id in asked:
            groups.setdefault((failure.kind.value, _cause(failure)), []).append(query_id)
    told = [FailureGroup(kind, run.failures[ids[0]].message, tuple(ids), of) for (kind, _), ids in groups.items()]
    return sorted(told, key=lambda group: (-len(group.query_ids), group.kind, group.message))


def _cause(failure: Failure) -> str:
    """The message; of an answer's content, without the ranks, sizes and values in which two alike differ."""
    return _OF_ANSWER.sub("", failure.message) if failure.kind in _CONTENT else failure.message
