"""The first sentence of a report: did it get worse, where, and what to do now."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from rankgate.core.findings import PINS, Status
from rankgate.core.judgments import ALL
from rankgate.core.limits import ALONE, BOUNDARY, COMPARING
from rankgate.core.verdict import Outcome, Verdict
from rankgate.reports.records.means import BehindFact
from rankgate.reports.records.queries import WORSE, QueryFact
from rankgate.reports.records.report import Counts, FailureGroup, NextStep
from rankgate.reports.records.rules import DROPS, UNMEASURED, RuleRow, with_status
from rankgate.reports.rounding import number
from rankgate.reports.summary import LONG, count
from rankgate.reports.visible import middle, shortened

_LIMITS: Final = ALONE | COMPARING
_NAMED_RULES: Final = 3
#: Why nothing was measured: what is longer is cut.
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
        return with_status(self.rows, status)

    @property
    def hidden(self) -> BehindFact | None:
        """The slice that fell deepest behind the back of a mean."""
        return next((each for each in self.behind if each.hidden), None)


def headline(story: Story, steps: Sequence[NextStep]) -> str:
    """Did it get worse, where, and what now: one sentence."""
    answer = _ANSWERS[story.verdict.outcome](story)
    first = next((step for step in steps if step.command), None)
    if first is None or len(first.command) > LONG:
        return answer
    return f"{answer}; {first.text}: {first.command}"


def _failed(story: Story) -> str:
    failed = story.of(Status.FAIL)
    kinds = {row.rule for row in failed}
    if kinds & DROPS:
        what = "Search got worse"
    elif kinds & ALONE:
        what = "Search is not good enough"
    elif kinds & (PINS - {"known_failure"}):
        what = "Search breaks a pinned query"
    elif "known_failure" in kinds:
        what = "A query that is marked as a known failure passes its pins"
    else:
        what = "The golden set lost queries"
    on_slices = all(row.slice != ALL for row in failed if row.rule in DROPS)
    if story.hidden and kinds & DROPS and on_slices:
        what += f" on slice {middle(story.hidden.slice, LONG)!r}, though {_whole(story.hidden)}"
    where = _most(story) if kinds & DROPS else ""
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
    return f", most of all for query {middle(first.id, LONG)!r}{more}"


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
    reason = _reason(story.failures)
    if not counts.measured:
        return f"Nothing was measured: {counts.failed} of {counts.queries} queries failed{reason}"
    if counts.reference_failed and not counts.compared:
        return f"Nothing was compared: {why}{reason}"
    undecided = story.of(Status.UNDECIDED)
    errors = [row for row in undecided if row.rule in UNMEASURED]
    judging = [row for row in undecided if row.holes]
    open_rules = [row for row in undecided if not row.holes and row.rule not in UNMEASURED]
    told = []
    if open_rules:
        left = _named(open_rules)
        told.append(f"{why}, and that leaves {left} open{reason}" if why else f"nothing has a value for {left}")
    elif errors:
        over = any((row.now or 0.0) > (row.limit or 0.0) for row in errors)
        what = "more than max_errors allows" if over else "and no query is left that both answered"
        told.append(f"{why}, {what}{reason}")
    if judging:
        told.append(f"judging alone could turn {_named(judging)}")
    return f"Could not tell whether search got worse: {'; '.join(told)}"


def _reason(failures: Sequence[FailureGroup]) -> str:
    """Why most of what was not measured was not, as the end of a sentence; empty where everything was."""
    if not failures:
        return ""
    most = max(failures, key=lambda group: len(group.query_ids))
    of_all = f"{len(most.query_ids)} of them: " if len(failures) > 1 else ""
    return f"; {of_all}{shortened(most.message, _REASON)}"


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
    worse = any(query.state in WORSE for query in story.queries)
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
    return f", but {_whole(hidden)} and got worse on slice {middle(hidden.slice, LONG)!r}"


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
    worse = sum(state in WORSE for state in states)
    mixed = f", {states.count('mixed')} mixed" if "mixed" in states else ""
    better = count(states.count("better"), "query", "queries")
    alike = f", {story.alike} of {count(story.alike, 'ranking', 'rankings')} as before" if story.alike else ""
    return f"{better} better, {states.count('same')} same, {worse} worse{mixed}{alike}"


def _named(rows: Sequence[RuleRow], told: Callable[[RuleRow], str] = lambda _: "") -> str:
    more = f" and {len(rows) - _NAMED_RULES} more" if len(rows) > _NAMED_RULES else ""
    return ", ".join(middle(row.label, LONG) + told(row) for row in rows[:_NAMED_RULES]) + more


def _moved(row: RuleRow) -> str:
    """What a mean that may not change did, or could have done where queries failed."""
    if row.rule not in COMPARING or row.change is None:
        return ""
    fell = row.change < 0
    if row.change_best is None or abs(row.change_best - row.change) <= BOUNDARY:
        return f": {'fell' if fell else 'rose'} by {number(abs(row.change))}"
    return f": could have {'fallen' if fell else 'risen'} by {number(abs(row.change))}"
