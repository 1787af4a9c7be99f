"""What a report says to do next, the likeliest first."""

import shlex
from collections.abc import Collection, Sequence
from typing import Final

from rankgate.core.findings import Status
from rankgate.core.limits import COMPARING
from rankgate.core.verdict import Outcome, Verdict
from rankgate.reports.records.queries import WORSE, QueryFact
from rankgate.reports.records.report import CommandHints, NextStep
from rankgate.reports.records.rules import DROPS, UNMEASURED, RuleRow, with_status
from rankgate.reports.summary import count

#: Of the rules that no new baseline settles, each with its place.
WRITTEN_SHOWN: Final = 3


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
        failed = with_status(rows, Status.FAIL)
        judging = any(row.holes for row in failed) and hints.holes
        # A known failure that passes is good news, which nobody has to look into.
        bad = [row for row in failed if row.rule != "known_failure"]
        return (
            *(_explain(bad, suspects, in_set, hints) if bad else ()),
            *_accept_failed(bad, hints),
            *_written([row for row in failed if row.rule == "known_failure"], "remove {}"),
            *([NextStep("judge what could turn it", hints.holes)] if judging else []),
        )
    if verdict.outcome is Outcome.INCONCLUSIVE:
        undecided = with_status(rows, Status.UNDECIDED)
        judge = NextStep("judge what decides", hints.holes)
        unmeasured = not all(row.holes for row in undecided)
        return (*([again] if unmeasured else []), *([judge] if any(row.holes for row in undecided) else []))
    if verdict.outcome is Outcome.PARTIAL:
        service = (again,) if verdict.exit_code else ()
        return (*service, NextStep("a selection gives no verdict; for one, ask the whole set", hints.check))
    if verdict.outcome is Outcome.WARN:
        return _after_warnings(with_status(rows, Status.WARN), suspects, in_set, hints)
    return _explain((), suspects, in_set, hints) if any(query.state in WORSE for query in suspects) else ()


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


def _accept_failed(failed: Sequence[RuleRow], hints: CommandHints) -> tuple[NextStep, ...]:
    """A new baseline settles a drop or a removed query; what a floor or a pin asks is settled where it is written."""
    kinds = {row.rule for row in failed}
    steps = []
    if kinds & DROPS and hints.accept:
        steps.append(NextStep("if this is meant", f'{hints.accept} --allow-worse --reason "..."'))
    elif "removed" in kinds and hints.accept:
        steps.append(NextStep("if the queries were meant to go", hints.accept))
    settled = {*DROPS, "removed"}
    told = "a new baseline does not settle {}" if hints.accept else "mend the ranking, or {}"
    return (*steps, *_written([row for row in failed if row.rule not in settled], told))


def _written(rows: Sequence[RuleRow], told: str) -> tuple[NextStep, ...]:
    """The places of *rows*, each with *told* of its name; how many more there are comes last."""
    placed = [row for row in rows if row.place]
    shown = [NextStep(f"{told.format(row.label)}: it is written at {row.place}") for row in placed[:WRITTEN_SHOWN]]
    more = len(placed) - WRITTEN_SHOWN
    rest = [NextStep(told.format(f"{count(more, 'more rule', 'more rules')} of the list above"))] if more > 0 else []
    return (*shown, *rest)


def _after_warnings(
    warned: Sequence[RuleRow], suspects: Sequence[QueryFact], in_set: Collection[str], hints: CommandHints
) -> tuple[NextStep, ...]:
    kinds = {row.rule for row in warned}
    steps: list[NextStep] = []
    if kinds & COMPARING:
        steps += _explain((), suspects, in_set, hints)
    if kinds & UNMEASURED:
        steps.append(NextStep("fix the queries that were not measured, then run again", hints.check))
    if "headroom" in kinds and hints.accept:
        steps.append(NextStep("make the better run the baseline", hints.accept))
    if "unstable" in kinds:
        steps.append(NextStep("see what flaps, and why", "rankgate calibrate"))
    if "no_baseline" in kinds and hints.accept:
        steps.append(NextStep("make this run the first baseline", hints.accept))
    return tuple(steps)
