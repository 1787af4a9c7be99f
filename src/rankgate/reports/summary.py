"""The sentences of a report: did it get worse, where, on what evidence, and what to do now."""

import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from rankgate.core.findings import PINS, Status
from rankgate.core.judgments import ALL
from rankgate.core.limits import ALONE, BOUNDARY, COMPARING, FAILING_CHANGE
from rankgate.core.verdict import Outcome, Verdict
from rankgate.reports.records import (
    AgreementFact,
    BehindFact,
    CommandHints,
    Counts,
    Facts,
    FailureGroup,
    NextStep,
    QueryFact,
    RuleRow,
)
from rankgate.reports.rounding import number
from rankgate.reports.visible import middle, shortened

#: Broken rules by what their breaking means.
_DROPS: Final = frozenset({*FAILING_CHANGE, "lost_queries"})
#: What was not measured, of this run and of what stands beside it: the cap itself, and no rule that it could turn.
_ERRORS: Final = frozenset({"max_errors", "reference_errors"})
_LIMITS: Final = ALONE | COMPARING
_WORSE: Final = frozenset({"lost", "worse"})
_NAMED_RULES: Final = 3
#: What is longer is cut, or left to the rest of the report.
_LONG: Final = 100
_REASON: Final = 240


@dataclass(frozen=True, slots=True)
class Story:
    """What the headline is made of.

    Attributes:
        compared_with: What this run is compared with, as the reader calls it; empty without any.
        behind: The slices behind the means.
        alike: How many queries rank as they did before, where all do; else 0.
    """

    verdict: Verdict
    rows: tuple[RuleRow, ...]
    counts: Counts
    queries: tuple[QueryFact, ...]
    worst: tuple[QueryFact, ...]
    compared_with: str
    failures: tuple[FailureGroup, ...] = ()
    behind: tuple[BehindFact, ...] = ()
    alike: int = 0

    def of(self, status: Status) -> list[RuleRow]:
        """The rules with *status*."""
        return _of(self.rows, status)

    @property
    def hidden(self) -> BehindFact | None:
        """The slice that fell deepest behind the back of a mean."""
        return next((each for each in self.behind if each.hidden), None)


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
    elif kinds & ALONE:
        what = "Search is not good enough"
    elif kinds & (PINS - {"known_failure"}):
        what = "Search breaks a pinned query"
    elif "known_failure" in kinds:
        what = "A query that is marked as a known failure passes its pins"
    else:
        what = "The golden set lost queries"
    on_slices = all(row.slice != ALL for row in failed if row.rule in _DROPS)
    if story.hidden and kinds & _DROPS and on_slices:
        what += f" on slice {middle(story.hidden.slice, _LONG)!r}, though {_whole(story.hidden)}"
    where = _most(story) if kinds & _DROPS else ""
    rules = count(sum(map(_gates, story.rows)), "rule", "rules")
    return f"{what}: {len(failed)} of {rules} failed ({_named(failed)}){where}"


def _gates(row: RuleRow) -> bool:
    """Whether a pass would count it among the rules that hold: no remark, and nothing that was not judged."""
    held_to = {Status.PASS, Status.FAIL, Status.UNDECIDED}
    return row.status in held_to or (row.status is Status.WARN and row.rule in _LIMITS)


def _most(story: Story) -> str:
    """The query that suffers most, and how many changed just as it did: among these the alphabet chooses."""
    if not story.worst:
        return ""
    first, *others = story.worst
    alike = len([*takewhile(lambda other: _alike(first, other), others)])
    more = f" and {alike} alike" if alike else ""
    return f", most of all for query {middle(first.id, _LONG)!r}{more}"


def _alike(first: QueryFact, second: QueryFact) -> bool:
    """Whether all values changed by the same."""
    pairs = zip(first.values, second.values, strict=True)
    return all(abs((one.change or 0.0) - (other.change or 0.0)) <= BOUNDARY for one, other in pairs)


def _whole(hidden: BehindFact) -> str:
    """What the measure did on the whole, in no more words than a headline has room for."""
    if abs(hidden.change) <= BOUNDARY:
        moved = "held"
    elif (hidden.change < 0) == (hidden.slice_change < 0):
        moved = "is within its limits"
    else:
        moved = "rose" if hidden.change > 0 else "fell"
    return f"{hidden.label} {moved} on the whole"


def _inconclusive(story: Story) -> str:
    counts, why = story.counts, _unmeasured(story)
    reason = f"; {shortened(story.failures[0].message, _REASON)}" if story.failures else ""
    if not counts.measured:
        return f"Nothing was measured: {counts.failed} of {counts.queries} queries failed{reason}"
    if counts.reference_failed and not counts.compared:
        return f"Nothing was compared: {why}{reason}"
    undecided = story.of(Status.UNDECIDED)
    errors = [row for row in undecided if row.rule in _ERRORS]
    judging = [row for row in undecided if row.holes]
    open_rules = [row for row in undecided if not row.holes and row.rule not in _ERRORS]
    told = []
    if open_rules:
        left = _named(open_rules)
        told.append(f"{why}, and that leaves {left} open" if why else f"nothing has a value for {left}")
    elif errors:
        over = any((row.now or 0.0) > (row.limit or 0.0) for row in errors)
        told.append(f"{why}, {'more than max_errors allows' if over else 'and no query is left that both answered'}")
    if judging:
        told.append(f"judging alone could turn {_named(judging)}")
    return f"Could not tell whether search got worse: {'; '.join(told)}"


def _unmeasured(story: Story) -> str:
    """How many queries failed, of this run and of what stands beside it; empty for none."""
    failed: dict[str, int] = {}
    for group in story.failures:
        failed[group.side] = failed.get(group.side, 0) + len(group.query_ids)
    queries = count(story.counts.queries, "query", "queries")
    return " and ".join(
        f"{count(number, 'query', 'queries')}{side} failed" if side else f"{number} of {queries} failed"
        for side, number in failed.items()
    )


def _warned(story: Story) -> str:
    warned = story.of(Status.WARN)
    fatal = "; --strict makes that a failure" if story.verdict.strict else ""
    kinds = {row.rule for row in warned}
    if kinds == {"headroom"}:
        return f"Search got better by more than its limits can guard ({_named(warned)}){_but(story)}{fatal}"
    if kinds == {"no_baseline"}:
        held = "Every floor holds" if story.of(Status.PASS) else "There is no floor to hold"
        return f"{held}, and nothing was compared with a baseline{fatal}"
    where = _most(story) if any(row.rule in COMPARING and row.trend == "worse" for row in warned) else ""
    warnings = f"{count(len(warned), 'warning', 'warnings')} ({_named(warned, _moved)}){where}"
    return f"No rule is broken; {warnings}{_but(story)}{fatal}"


def _passed(story: Story) -> str:
    held = count(len(story.of(Status.PASS)), "rule holds", "rules hold")
    worse = any(query.state in _WORSE for query in story.queries)
    what = "Search is good enough"
    if story.compared_with:
        what = "Search got worse nowhere beyond its limits" if worse else "Search did not get worse"
    where = _most(story) if worse else ""
    todo = "" if story.hidden or worse else "; nothing to do"
    return f"{what}: {held}; {_tally(story)}{where}{_but(story)}{todo}"


def _but(story: Story) -> str:
    """What a slice lost while no rule of the whole is broken: good news is none without it."""
    hidden = story.hidden
    if hidden is None:
        return ""
    return f", but {_whole(hidden)} and got worse on slice {middle(hidden.slice, _LONG)!r}"


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
    if not story.compared_with:
        return "nothing compared"
    states = [query.state for query in story.queries]
    worse = sum(state in _WORSE for state in states)
    mixed = f", {states.count('mixed')} mixed" if "mixed" in states else ""
    better = count(states.count("better"), "query", "queries")
    alike = f", {story.alike} of {count(story.alike, 'ranking', 'rankings')} as before" if story.alike else ""
    return f"{better} better, {states.count('same')} same, {worse} worse{mixed}{alike}"


def _named(rows: Sequence[RuleRow], told: Callable[[RuleRow], str] = lambda _: "") -> str:
    more = f" and {len(rows) - _NAMED_RULES} more" if len(rows) > _NAMED_RULES else ""
    return ", ".join(middle(row.label, _LONG) + told(row) for row in rows[:_NAMED_RULES]) + more


def _moved(row: RuleRow) -> str:
    """What a mean that may not change did, or could have done where queries failed."""
    if row.rule not in COMPARING or row.change is None:
        return ""
    fell = row.change < 0
    if row.change_best is None or abs(row.change_best - row.change) <= BOUNDARY:
        return f": {'fell' if fell else 'rose'} by {number(abs(row.change))}"
    return f": could have {'fallen' if fell else 'risen'} by {number(abs(row.change))}"


def _of(rows: Sequence[RuleRow], status: Status) -> list[RuleRow]:
    return [row for row in rows if row.status is status]


def measured_line(counts: Counts, compared_with: str) -> str:
    """How much was measured and compared; what is not there is counted too."""
    parts = [f"{counts.measured} of {count(counts.queries, 'query', 'queries')} measured, {counts.failed} failed"]
    if counts.reference_failed:
        parts.append(f"{counts.reference_failed} failed of {compared_with}")
    if compared_with:
        parts += [
            f"{counts.compared} compared with {compared_with}",
            f"{counts.new} new, {counts.changed} changed text",
            f"{counts.relabelled} relabelled, {counts.removed} removed",
        ]
    else:
        parts.append("no baseline")
    if counts.expects_nothing:
        parts.append(count(counts.expects_nothing, "expects nothing", "expect nothing"))
    parts += [f"{count(counts.duplicates, 'duplicate hit', 'duplicate hits')} dropped", f"depth {counts.depth}"]
    return "; ".join(parts)


#: Stands under every table of evidence.
EVIDENCE: Final = (
    "interval: paired bootstrap; p: randomization test, Holm-corrected over all measures and slices; "
    "+/=/-: queries better, same, worse; detects: the smallest change that so many queries show in four of five cases; "
    "judged: of the results, before > now"
)


def compared_as(facts: Facts) -> tuple[str, ...]:
    """Whether both sides answer the same question, and if not, every way in which they do not."""
    if not facts.differences:
        return ("compared: the same ranking question",)
    return tuple(f"compared: {difference}" for difference in facts.differences)


def agreement_lines(found: AgreementFact) -> Iterator[str]:
    """How alike two services rank, in sentences; ANN recall is called so, and has a line of its own."""
    lacking = f", {found.unanswered} without an answer of both" if found.unanswered else ""
    if found.alike == found.queries:
        yield f"this run and {found.other} rank alike: no ranking of {count(found.queries, 'query', 'queries')} differs"
    yield (
        f"against {found.other}: {found.alike} of {count(found.queries, 'query', 'queries')} rank the same{lacking}; "
        f"{_at('overlap', found.overlap)}; rank-biased overlap {number(found.rank_biased)}"
    )
    if found.ann_recall:
        over = count(found.ann_queries, "query", "queries")
        recall = _at("ANN recall", found.ann_recall)
        yield f"{recall} over {over}: of what the exact search {found.other} finds, relevant or not"
    if found.least:
        least = ", ".join(f"{middle(query_id, _LONG)!r} {number(value)}" for query_id, value in found.least)
        yield f"least alike by rank-biased overlap: {least}"


def _at(name: str, values: Sequence[tuple[int, float]]) -> str:
    return ", ".join(f"{name}@{cutoff} {number(value)}" for cutoff, value in values)


def pins_line(pins: Sequence[RuleRow]) -> str:
    """How many pins hold, and how many of the others are known failures."""
    judged = [row for row in pins if row.rule != "known_failure"]
    known = len(_of(judged, Status.KNOWN))
    held = f"{len(_of(judged, Status.PASS))} of {count(len(judged), 'pin holds', 'pins hold')}"
    return f"{held}, {count(known, 'known failure', 'known failures')}" if known else held


def next_steps(
    verdict: Verdict,
    rows: Sequence[RuleRow],
    suspects: Sequence[QueryFact],
    in_set: Collection[str],
    hints: CommandHints,
) -> tuple[NextStep, ...]:
    """What to do next, the likeliest first; nothing for a pass where no query got worse."""
    again = NextStep("mend what failed, then run again", hints.check)
    if verdict.outcome is Outcome.FAIL:
        failed = _of(rows, Status.FAIL)
        judging = any(row.holes for row in failed) and hints.holes
        return (
            *_explain(failed, suspects, in_set, hints),
            *_accept_failed(rows, hints),
            *([NextStep("judge what could turn it", hints.holes)] if judging else []),
        )
    if verdict.outcome is Outcome.INCONCLUSIVE:
        undecided = _of(rows, Status.UNDECIDED)
        judge = NextStep("judge what decides", hints.holes)
        unmeasured = not all(row.holes for row in undecided)
        return (*([again] if unmeasured else []), *([judge] if any(row.holes for row in undecided) else []))
    if verdict.outcome is Outcome.PARTIAL:
        service = (again,) if verdict.exit_code else ()
        return (*service, NextStep("a selection gives no verdict; for one, ask the whole set", hints.check))
    if verdict.outcome is Outcome.WARN:
        return _after_warnings(_of(rows, Status.WARN), suspects, in_set, hints)
    return _explain((), suspects, in_set, hints) if any(query.state in _WORSE for query in suspects) else ()


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
    if kinds & COMPARING:
        steps += _explain((), suspects, in_set, hints)
    if kinds & _ERRORS:
        steps.append(NextStep("fix the queries that were not measured, then run again", hints.check))
    if "headroom" in kinds and hints.accept:
        steps.append(NextStep("make the better run the baseline", hints.accept))
    if "unstable" in kinds:
        steps.append(NextStep("see what flaps, and why", "rankgate calibrate"))
    if "no_baseline" in kinds and hints.accept:
        steps.append(NextStep("make this run the first baseline", hints.accept))
    return tuple(steps)


def count(number: int, one: str, many: str) -> str:
    """A number and its noun: ``1 query``, ``2 queries``."""
    return f"{number} {one if number == 1 else many}"
