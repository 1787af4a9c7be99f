"""The sentences of a report: did it get worse, where, on what evidence, and what to do now."""

import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rankgate.core.findings import Status
from rankgate.core.verdict import Outcome, Verdict
from rankgate.reports.records import CommandHints, Counts, NextStep, QueryFact, RuleRow
from rankgate.reports.visible import middle

#: Broken rules by what their breaking means.
_DROPS: Final = frozenset({"max_drop", "max_rise", "lost_queries"})
_BOUNDS: Final = frozenset({"floor", "ceiling"})
_PINS: Final = frozenset({"must", "never", "expects"})
_NAMED_RULES: Final = 3
#: What is longer is cut, or left to the rest of the report.
_LONG: Final = 100


@dataclass(frozen=True, slots=True)
class Story:
    """What the headline is made of."""

    verdict: Verdict
    rows: tuple[RuleRow, ...]
    counts: Counts
    queries: tuple[QueryFact, ...]
    worst: tuple[QueryFact, ...]
    has_baseline: bool

    def of(self, status: Status) -> list[RuleRow]:
        """The rules with *status*."""
        return _of(self.rows, status)


def headline(story: Story, steps: Sequence[NextStep]) -> str:
    """Did it get worse, where, and what now: one sentence."""
    answer = _ANSWERS[story.verdict.outcome](story)
    first = next((step for step in steps if step.command), None)
    if first is None or len(first.command) > _LONG:
        return answer
    return f"{answer}; {first.text}: {first.command}"


def _failed(story: Story) -> str:
    failed = story.of(Status.FAIL)
    kinds = {row.rule for row in failed}
    if kinds & _DROPS:
        what = "Search got worse"
    elif kinds & _BOUNDS:
        what = "Search is not good enough"
    elif kinds & _PINS:
        what = "Search breaks a pinned query"
    else:
        what = "The golden set lost queries"
    where = f", most of all for query {middle(story.worst[0].id, _LONG)!r}" if story.worst and kinds & _DROPS else ""
    return f"{what}: {len(failed)} of {count(len(story.rows), 'rule', 'rules')} failed ({_named(failed)}){where}"


def _inconclusive(story: Story) -> str:
    counts, undecided = story.counts, story.of(Status.UNDECIDED)
    if not counts.measured:
        return f"Nothing was measured: {counts.failed} of {counts.queries} queries failed"
    # max_errors is the cap itself, not a rule that the missing queries could turn.
    open_rules = [row for row in undecided if row.rule != "max_errors"]
    why = f"{counts.failed} of {count(counts.queries, 'query', 'queries')} failed"
    if open_rules:
        return f"Could not tell whether search got worse: {why}, and that leaves {_named(open_rules)} open"
    return f"Could not tell whether search got worse: {why}, more than max_errors allows"


def _warned(story: Story) -> str:
    warned = story.of(Status.WARN)
    fatal = "; --strict makes that a failure" if story.verdict.strict else ""
    kinds = {row.rule for row in warned}
    if kinds == {"headroom"}:
        return f"Search got better by more than its limits can guard ({_named(warned)}){fatal}"
    if kinds == {"no_baseline"}:
        return f"Every floor holds, and nothing was compared with a baseline{fatal}"
    return f"No rule is broken; {count(len(warned), 'warning', 'warnings')} ({_named(warned)}){fatal}"


def _passed(story: Story) -> str:
    held = count(len(story.of(Status.PASS)), "rule holds", "rules hold")
    what = "Search did not get worse" if story.has_baseline else "Search is good enough"
    return f"{what}: {held}; {_tally(story)}; nothing to do"


def _partial(story: Story) -> str:
    return f"No verdict on a selection of {count(story.counts.queries, 'query', 'queries')}: {_tally(story)}"


_ANSWERS: Final[Mapping[Outcome, Callable[[Story], str]]] = {
    Outcome.FAIL: _failed,
    Outcome.INCONCLUSIVE: _inconclusive,
    Outcome.WARN: _warned,
    Outcome.PASS: _passed,
    Outcome.PARTIAL: _partial,
}


def _tally(story: Story) -> str:
    if not story.has_baseline:
        return "nothing compared"
    states = [query.state for query in story.queries]
    worse = states.count("lost") + states.count("worse")
    mixed = f", {states.count('mixed')} mixed" if "mixed" in states else ""
    better = count(states.count("better"), "query", "queries")
    return f"{better} better, {states.count('same')} same, {worse} worse{mixed}"


def _named(rows: Sequence[RuleRow]) -> str:
    more = f" and {len(rows) - _NAMED_RULES} more" if len(rows) > _NAMED_RULES else ""
    return ", ".join(middle(row.label, _LONG) for row in rows[:_NAMED_RULES]) + more


def _of(rows: Sequence[RuleRow], status: Status) -> list[RuleRow]:
    return [row for row in rows if row.status is status]


def measured_line(counts: Counts, *, has_baseline: bool) -> str:
    """How much was measured and compared; what is not there is counted too."""
    parts = [f"{counts.measured} of {count(counts.queries, 'query', 'queries')} measured, {counts.failed} failed"]
    if has_baseline:
        parts += [
            f"{counts.compared} compared with the baseline",
            f"{counts.new} new, {counts.changed} changed text",
            f"{counts.relabelled} relabelled, {counts.removed} removed",
        ]
    else:
        parts.append("no baseline")
    if counts.expects_nothing:
        parts.append(count(counts.expects_nothing, "expects nothing", "expect nothing"))
    parts += [f"{count(counts.duplicates, 'duplicate hit', 'duplicate hits')} dropped", f"depth {counts.depth}"]
    return "; ".join(parts)


def next_steps(
    verdict: Verdict,
    rows: Sequence[RuleRow],
    suspects: Sequence[QueryFact],
    in_set: Collection[str],
    hints: CommandHints,
) -> tuple[NextStep, ...]:
    """What to do next, the likeliest first; nothing for a pass."""
    again = NextStep("fix the service, then run again", hints.check)
    if verdict.outcome is Outcome.FAIL:
        return (*_explain(_of(rows, Status.FAIL), suspects, in_set, hints), *_accept_failed(rows, hints))
    if verdict.outcome is Outcome.INCONCLUSIVE:
        return (again,)
    if verdict.outcome is Outcome.PARTIAL:
        service = (again,) if verdict.exit_code else ()
        return (*service, NextStep("a selection gives no verdict; for one, ask the whole set", hints.check))
    if verdict.outcome is Outcome.WARN:
        return _after_warnings(_of(rows, Status.WARN), suspects, in_set, hints)
    return ()


def _explain(
    rows: Sequence[RuleRow], suspects: Sequence[QueryFact], in_set: Collection[str], hints: CommandHints
) -> tuple[NextStep, ...]:
    named = (query_id for row in rows for query_id in row.query_ids if query_id in in_set)
    query_id = suspects[0].id if suspects else next(named, None)
    if query_id is None or not hints.explain:
        return ()
    return (NextStep("look closer", f"{hints.explain} {_argument(query_id)}"),)


def _argument(query_id: str) -> str:
    quoted = shlex.quote(query_id)
    return f"-- {quoted}" if query_id.startswith("-") else quoted


def _accept_failed(rows: Sequence[RuleRow], hints: CommandHints) -> tuple[NextStep, ...]:
    """A new baseline settles a drop or a removed query; what a floor or a pin asks is settled where it is written."""
    failed = _of(rows, Status.FAIL)
    kinds = {row.rule for row in failed}
    steps = []
    if kinds & _DROPS and hints.accept:
        steps.append(NextStep("if this is meant", f'{hints.accept} --allow-worse --reason "..."'))
    elif "removed" in kinds and hints.accept:
        steps.append(NextStep("if the queries were meant to go", hints.accept))
    written = next((row for row in failed if row.rule not in {*_DROPS, "removed"} and row.place), None)
    if written:
        steps.append(NextStep(f"a new baseline does not settle {written.label}: it is written at {written.place}"))
    return tuple(steps)


def _after_warnings(
    warned: Sequence[RuleRow], suspects: Sequence[QueryFact], in_set: Collection[str], hints: CommandHints
) -> tuple[NextStep, ...]:
    kinds = {row.rule for row in warned}
    steps: list[NextStep] = []
    if kinds & {"warn_drop", "warn_rise"}:
        steps += _explain(warned, suspects, in_set, hints)
    if "max_errors" in kinds:
        steps.append(NextStep("fix the queries that were not measured, then run again", hints.check))
    if "headroom" in kinds and hints.accept:
        steps.append(NextStep("make the better run the baseline", hints.accept))
    if "no_baseline" in kinds and hints.accept:
        steps.append(NextStep("make this run the first baseline", hints.accept))
    return tuple(steps)


def count(number: int, one: str, many: str) -> str:
    """A number and its noun: ``1 query``, ``2 queries``."""
    return f"{number} {one if number == 1 else many}"
