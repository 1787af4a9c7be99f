"""Findings folded into one verdict."""

from itertools import permutations

import pytest

from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison, compare
from rankgate.core.findings import Finding, Status
from rankgate.core.judgments import GoldenSet
from rankgate.core.limits import Gate, Limit
from rankgate.core.rankings import Failure, FailureKind
from rankgate.core.reference import Reference
from rankgate.core.verdict import GateResult, Outcome, Verdict, decide, fold
from tests.support import golden, query, run

P1 = Measure("P", 1, 1)
P2 = Measure("P", 2, 1)
ZERO = Measure("ZeroResults")
DROP, FLOOR = Limit("max_drop", P1, 0.1), Limit("floor", P2, 0.9)
DOWN = Failure(FailureKind.TIMEOUT, "10 s")


def finding(status: Status) -> Finding:
    return Finding("floor", status, status.value)


@pytest.mark.parametrize(
    ("statuses", "outcome", "code", "strict_code"),
    [
        pytest.param([], Outcome.PASS, 0, 0, id="no findings"),
        pytest.param(["PASS"], Outcome.PASS, 0, 0, id="pass"),
        pytest.param(["NOT_GATED"], Outcome.PASS, 0, 0, id="not gated"),
        pytest.param(["PASS", "WARN"], Outcome.WARN, 0, 1, id="warn over pass"),
        pytest.param(["PASS", "WARN", "UNDECIDED"], Outcome.INCONCLUSIVE, 3, 3, id="inconclusive over warn"),
        pytest.param(["WARN", "UNDECIDED", "FAIL"], Outcome.FAIL, 1, 1, id="fail over inconclusive"),
        pytest.param(["FAIL", "PASS", "NOT_GATED"], Outcome.FAIL, 1, 1, id="fail over pass"),
    ],
)
def test_the_worst_finding_decides(statuses: list[str], outcome: Outcome, code: int, strict_code: int) -> None:
    """Fail over inconclusive over warn over pass, in whatever order they come."""
    for ordered in permutations(finding(Status[name]) for name in statuses):
        lenient, strict = fold(ordered), fold(ordered, strict=True)

        assert Verdict(outcome, ordered) == lenient
        assert (code, strict_code) == (lenient.exit_code, strict.exit_code)
        assert outcome is strict.outcome


@pytest.mark.parametrize(
    ("statuses", "code"), [(["PASS"], 0), (["FAIL"], 0), (["WARN"], 0), (["UNDECIDED"], 3), (["FAIL", "UNDECIDED"], 3)]
)
@pytest.mark.parametrize("strict", [False, True])
def test_a_selection_has_no_verdict(statuses: list[str], code: int, strict: bool) -> None:
    """It neither passes nor fails; what could not be measured is still not a success."""
    verdict = fold([finding(Status[name]) for name in statuses], partial=True, strict=strict)

    assert (Outcome.PARTIAL, code) == (verdict.outcome, verdict.exit_code)


def test_findings_are_found_by_status() -> None:
    """In their order."""
    first, second, third = (
        Finding("floor", status, text)
        for status, text in zip((Status.WARN, Status.PASS, Status.WARN), "abc", strict=True)
    )

    assert ((first, third), (second,), ()) == tuple(
        fold([first, second, third]).of(status) for status in (Status.WARN, Status.PASS, Status.FAIL)
    )


def one_lost(judged: GoldenSet) -> Comparison:
    return compare(judged, run({"q": ["x"]}), [P1], Reference(run({"q": ["a"]})))


def test_the_verdict_rests_on_every_rule() -> None:
    """The result carries the gate, the comparison and what else the reader should know."""
    comparison = one_lost(golden(query("q")))
    gate = Gate((Limit("max_drop", P1, 0.5),), lost_queries=0)

    result = decide(gate, comparison, extra=("a note",))

    assert GateResult(comparison, gate, fold(result.verdict.findings), ("a note",)) == result
    assert [("max_drop", Status.FAIL), ("lost_queries", Status.FAIL)] == [
        (each.rule, each.status) for each in result.verdict.findings
    ]
    assert (Outcome.FAIL, 1) == (result.verdict.outcome, result.verdict.exit_code)


@pytest.mark.parametrize(
    ("gate", "outcome", "rule"),
    [
        pytest.param(Gate((DROP,)), Outcome.WARN, "headroom", id="all rules hold"),
        pytest.param(Gate((DROP, FLOOR)), Outcome.FAIL, "floor", id="another rule fails"),
        pytest.param(
            Gate((DROP, FLOOR), unjudged="inconclusive"), Outcome.INCONCLUSIVE, "floor", id="another rule is open"
        ),
    ],
)
def test_nobody_is_told_to_accept_a_run_that_is_refused(gate: Gate, outcome: Outcome, rule: str) -> None:
    """Headroom is advice for a run that could be accepted as it is."""
    comparison = compare(golden(query("q")), run({"q": ["a", "x"]}), [P1, P2], Reference(run({"q": ["x"]})))
    verdict = decide(gate, comparison).verdict

    assert (outcome, [rule]) == (
        verdict.outcome,
        [each.rule for each in verdict.findings if each.status is not Status.PASS],
    )


def test_of_a_selection_only_pins_and_errors_are_judged() -> None:
    """Means of a selection say nothing about the set; the gate in the result is the whole one."""
    comparison = compare(
        golden(query("down"), query("q", must={P1: 1.0})),
        run({"q": ["x"]}, failures={"down": DOWN}),
        [P1],
        Reference(run({"q": ["a"], "down": ["a"]})),
        partial=True,
    )
    gate = Gate((Limit("floor", P1, 1.0),), lost_queries=0, max_errors=1)

    result = decide(gate, comparison, partial=True)

    assert [("max_errors", Status.WARN), ("must", Status.FAIL)] == [
        (each.rule, each.status) for each in result.verdict.findings
    ]
    assert (gate, Outcome.PARTIAL, 0) == (result.gate, result.verdict.outcome, result.verdict.exit_code)


def test_floors_alone_never_pass_without_a_warning() -> None:
    """Nothing was compared, and strict makes that a failure."""
    comparison = compare(golden(query("q")), run({"q": ["a"]}), [P1], None)
    gate = Gate((Limit("floor", P1, 0.5),))

    lenient, strict = (decide(gate, comparison, floors_only=True, strict=strict).verdict for strict in (False, True))

    assert [(Outcome.WARN, 0), (Outcome.WARN, 1)] == [(each.outcome, each.exit_code) for each in (lenient, strict)]


@pytest.mark.parametrize("allowed", [0, 1, 100])
def test_a_run_without_one_measured_query_is_inconclusive(allowed: int) -> None:
    """Whatever number of errors is allowed."""
    comparison = compare(golden(query("q")), run({}, failures={"q": DOWN}), [P1, ZERO], Reference(run({"q": ["a"]})))
    gate = Gate((Limit("floor", P1, 0.0), Limit("max_drop", P1, 1.0), Limit("ceiling", ZERO, 1.0)), max_errors=allowed)

    verdict = decide(gate, comparison).verdict

    assert (Outcome.INCONCLUSIVE, 3) == (verdict.outcome, verdict.exit_code)


def test_broken_even_at_best_is_a_failure_although_queries_failed() -> None:
    """A failure is certain whatever the missing answers would have been."""
    comparison = compare(golden(query("p"), query("q")), run({"p": ["x"]}, failures={"q": DOWN}), [P1], None)

    verdict = decide(Gate((Limit("floor", P1, 0.6),)), comparison).verdict

    assert (Outcome.FAIL, 1) == (verdict.outcome, verdict.exit_code)


def test_holding_even_at_worst_passes_with_a_warning() -> None:
    """Within the allowed errors."""
    comparison = compare(golden(query("p"), query("q")), run({"p": ["a"]}, failures={"q": DOWN}), [P1], None)

    verdict = decide(Gate((Limit("floor", P1, 0.5),), max_errors=1), comparison).verdict

    assert (Outcome.WARN, 0) == (verdict.outcome, verdict.exit_code)
