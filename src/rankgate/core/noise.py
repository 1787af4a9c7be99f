"""A query that got worse, asked again: a change that stays, or one that the service would show on any day."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from rankgate.core.comparison import Comparison, compare
from rankgate.core.findings import Finding, Status, listed, plural
from rankgate.core.judgments import ALL
from rankgate.core.limits import BOUNDARY, WARNING, Gate
from rankgate.core.pins import judge_pins
from rankgate.core.rankings import Run
from rankgate.core.reference import Reference


@dataclass(frozen=True, slots=True)
class Unstable:
    """A query that got worse in some of its answers, and not in most of them.

    Attributes:
        worse: In how many of its answers.
        answers: How many there are, the first one with them.
    """

    query_id: str
    worse: int
    answers: int


@dataclass(frozen=True, slots=True)
class Settled:
    """What asking again came to.

    Attributes:
        run: The candidate, in which an unstable query has its first answer that is not worse.
        confirmed: Worse in more than half of their answers, sorted; their first answer stays.
        unstable: The others, sorted.
        unanswered: No answer came back for them, so they stay as they were; sorted.
        reference: What it is compared with; a service that was asked again too has its answer of the same time.
    """

    run: Run
    confirmed: tuple[str, ...] = ()
    unstable: tuple[Unstable, ...] = ()
    unanswered: tuple[str, ...] = ()
    reference: Reference | None = None


def worse(gate: Gate, comparison: Comparison) -> frozenset[str]:
    """The queries that speak against the candidate, each by itself.

    They are lower than the baseline in a measure that can fail the gate, are lost where that is a rule, or break a pin.
    A query that was not measured speaks for nothing.
    """
    found = {finding.query_ids[0] for finding in judge_pins(comparison) if finding.status is Status.FAIL}
    if gate.lost_queries is not None:
        found.update(comparison.lost)
    for measure, name in {(limit.measure, limit.slice): None for limit in gate.limits if limit.kind not in WARNING}:
        found.update(
            query_id
            for query_id, change in comparison.changes(measure).items()
            if change < -BOUNDARY and name in {ALL, *comparison.by_id[query_id].slices}
        )
    return frozenset(found)


def settle(gate: Gate, comparison: Comparison, repeats: Sequence[Run], seconds: Sequence[Run] = ()) -> Settled:
    """Keep as worse only what is worse in more than half of its answers.

    Args:
        comparison: The candidate as it was measured first.
        repeats: Further answers to the queries that are ``worse`` in it; a query may be missing or have failed.
        seconds: Those of the service that it is compared with, asked at the same times; none of a baseline.
    """
    asked = worse(gate, comparison)
    golden, reference = comparison.golden.only(asked), comparison.reference
    others = [reference and dataclasses.replace(reference, run=second) for second in seconds]
    rounds = [
        compare(golden, repeat, comparison.measures, other, partial=True)
        for repeat, other in zip(repeats, others or [reference] * len(repeats), strict=True)
    ]
    against = [worse(gate, each) for each in rounds]
    rankings = dict(comparison.run.rankings)
    before = dict(reference.run.rankings) if reference else {}
    confirmed, unstable, unanswered = [], [], []
    for query_id in sorted(asked):
        answers = [
            (query_id in worse_ones, each)
            for worse_ones, each in zip(against, rounds, strict=True)
            if query_id in each.run.rankings
            and not (seconds and each.reference and query_id not in each.reference.run.rankings)
        ]
        found = Unstable(query_id, 1 + sum(is_worse for is_worse, _ in answers), 1 + len(answers))
        if not answers:
            unanswered.append(query_id)
        elif 2 * found.worse > found.answers:
            confirmed.append(query_id)
        else:
            chosen = next(each for is_worse, each in answers if not is_worse)
            rankings[query_id] = chosen.run.rankings[query_id]
            if chosen.reference and query_id in before:
                before[query_id] = chosen.reference.run.rankings[query_id]
            unstable.append(found)
    if reference:
        reference = dataclasses.replace(reference, run=dataclasses.replace(reference.run, rankings=before))
    run = dataclasses.replace(comparison.run, rankings=rankings)
    return Settled(run, tuple(confirmed), tuple(unstable), tuple(unanswered), reference)


def told(settled: Settled, times: int) -> Run:
    """The settled run with a note of what was asked again and what came of it.

    Args:
        times: How often each query was asked again.
    """
    # Where nothing is compared, nothing got worse.
    stayed, counts = ("stayed worse", "worse") if settled.reference else ("stayed as bad", "such")
    parts = [
        f"{count} {says}"
        for count, says in (
            (len(settled.confirmed), stayed),
            (len(settled.unstable), plural(len(settled.unstable), "is unstable", "are unstable")),
            (len(settled.unanswered), f"could not be asked again and count as {counts}"),
        )
        if count
    ]
    asked = _asked(settled)
    if len(settled.confirmed) == asked > 1:
        parts = [f"all {asked} {stayed}"]
    note = (
        f"{plural(asked, f'1 query {_doubtful(settled)} was', f'{asked} queries {_doubtful(settled)} were')} asked "
        f"{times} more {plural(times, 'time', 'times')}; {', '.join(parts)}"
    )
    return dataclasses.replace(settled.run, notes={**settled.run.notes, "confirm": note})


def unstable_finding(settled: Settled) -> tuple[Finding, ...]:
    """The warning that shows on what evidence queries no longer count as worse; empty where there is none."""
    unstable = settled.unstable
    if not unstable:
        return ()
    groups: dict[tuple[int, int], list[str]] = {}
    for each in unstable:
        groups.setdefault((each.worse, each.answers), []).append(each.query_id)
    evidence = "; ".join(
        f"worse in {count} of {answers} answers: {listed(tuple(ids), most=len(ids))}"
        for (count, answers), ids in sorted(groups.items())
    )
    finding = Finding(
        rule="unstable",
        status=Status.WARN,
        message=f"{len(unstable)} of {_asked(settled)} queries {_doubtful(settled)} "
        f"{plural(len(unstable), 'is', 'are each')} unstable and judged by the first answer that is not worse "
        f"({evidence})",
        value=float(len(unstable)),
        queries=_asked(settled),
        query_ids=tuple(each.query_id for each in unstable),
    )
    return (finding,)


def _doubtful(settled: Settled) -> str:
    return "that got worse" if settled.reference else "below what a rule asks"


def _asked(settled: Settled) -> int:
    return len(settled.confirmed) + len(settled.unstable) + len(settled.unanswered)
