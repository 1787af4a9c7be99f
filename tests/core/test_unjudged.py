"""What the holes mean for the verdict: said by the rule that they could turn, and kept once somebody judges."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import pytest

from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison
from rankgate.core.findings import Finding, Status
from rankgate.core.limits import Gate, Limit
from rankgate.core.verdict import GateResult, Outcome, decide
from tests.core.gradings import compared
from tests.support import query

P1: Final = Measure("P", 1, 1)
AP: Final = Measure("AP", 0, 1)
NAMES: Final = ("q1", "q2", "q3", "q4")

Unjudged = Literal["fail", "inconclusive"]


def comparison(*, judgments: Mapping[tuple[str, str], int] | None = None, new: Sequence[str] = "xxxa") -> Comparison:
    """Four queries that had a relevant first result, and what is first now; *judgments* come on top."""
    given = judgments or {}
    queries = [
        query(name, {"a": 1, "b": 0} | {document: grade for (of, document), grade in given.items() if of == name})
        for name in NAMES
    ]
    return compared(queries, dict(zip(NAMES, new, strict=True)), dict.fromkeys(NAMES, "a"), P1, AP)


def decided(
    compared: Comparison, unjudged: Unjudged = "fail", *limits: Limit, lost_queries: int | None = None
) -> GateResult:
    limits = limits or (Limit("max_drop", P1, 0.25),)
    return decide(Gate(limits, lost_queries=lost_queries, unjudged=unjudged), compared)


def only(result: GateResult) -> Finding:
    (finding,) = result.verdict.findings
    return finding


def test_a_failed_drop_that_lies_in_holes_says_so_and_names_the_fewest() -> None:
    """Three of four first results are unjudged; one may be lost, so two must turn out relevant."""
    result = decided(comparison())
    finding = only(result)

    assert (Status.FAIL, True, (("q1", "x"), ("q2", "x"))) == (finding.status, finding.turns, finding.holes)
    assert (
        "P@1 fell by 0.7500, from 1.0000 to 0.2500 over 4 queries; max_drop 0.2500 = 1 of 4 queries; judging alone could "
        "turn this: 'x' for query 'q1', 'x' for query 'q2'"
    ) == finding.message
    assert (Outcome.FAIL, 1) == (result.verdict.outcome, result.verdict.exit_code)


@pytest.mark.parametrize(
    ("allowed", "says"),
    [
        (4, "'x' for query 'q0'"),
        (2, "'x' for query 'q0', 'x' for query 'q1', 'x' for query 'q2'"),
        (1, "4 unjudged results (see rankgate holes)"),
    ],
)
def test_three_documents_are_named_and_more_are_counted(allowed: int, says: str) -> None:
    """Five of ten first results are unjudged."""
    names = [f"q{number}" for number in range(10)]
    made = compared(
        [query(each) for each in names], dict(zip(names, "xxxxxaaaaa", strict=True)), dict.fromkeys(names, "a"), P1
    )

    assert only(decided(made, "fail", Limit("max_drop", P1, allowed / 10))).message.endswith(
        f"; judging alone could turn this: {says}"
    )


def test_where_judging_decides_the_gate_may_be_told_to_wait() -> None:
    """``unjudged: inconclusive``: undecided, exit code 3, and the same documents."""
    result = decided(comparison(), "inconclusive")
    finding = only(result)

    assert (Status.UNDECIDED, (("q1", "x"), ("q2", "x"))) == (finding.status, finding.holes)
    assert only(decided(comparison())).message == finding.message
    assert (Outcome.INCONCLUSIVE, 3) == (result.verdict.outcome, result.verdict.exit_code)


@pytest.mark.parametrize("unjudged", ["fail", "inconclusive"])
@pytest.mark.parametrize(("new", "best"), [("bbaa", ""), ("bbxa", " (at best -0.5000)")])
def test_a_drop_that_judging_cannot_turn_says_so(unjudged: Unjudged, new: str, best: str) -> None:
    """Two first results are judged not relevant, and only one may be: a hole beside them is not to blame."""
    result = decided(comparison(new=new), unjudged)
    finding = only(result)

    assert (Status.FAIL, False, ()) == (finding.status, finding.turns, finding.holes)
    assert finding.message.endswith(f"max_drop 0.2500 = 1 of 4 queries; judging alone cannot turn this{best}")
    assert 1 == result.verdict.exit_code


@pytest.mark.parametrize(
    ("broken", "rule", "says"),
    [
        (("bbxa", Limit("floor", P1, 0.75)), "floor", "judging alone cannot turn this (at best 0.5000)"),
        (("bbxa", Limit("floor", P1, 0.50001)), "floor", "judging alone cannot turn this (at best 0.50000)"),
        (("bbxa", Limit("warn_drop", P1, None, 0.1)), "warn_drop", "judging alone cannot turn this (at best -0.5000)"),
        (("bbxa", Limit("max_drop", P1, 1.0)), "lost_queries", "judging alone cannot turn this (at best 2)"),
        (("xxxa", Limit("floor", AP, 0.9)), "floor", "whether judging could turn this is not known for AP"),
        (("bbba", Limit("floor", AP, 0.9)), "floor", "judging alone cannot turn this"),
    ],
)
def test_every_broken_rule_says_whether_judging_could_turn_it(broken: tuple[str, Limit], rule: str, says: str) -> None:
    """Not that it cannot where nobody knows, and how near it could come where it cannot."""
    findings = decided(comparison(new=broken[0]), "fail", broken[1], lost_queries=1).verdict.findings

    assert {rule: says} == {each.rule: each.message.rpartition("; ")[2] for each in findings if each.rule == rule}


@pytest.mark.parametrize("limit", [Limit("max_drop", P1, 0.25), Limit("warn_drop", P1, 0.25), Limit("floor", P1, 0.9)])
def test_how_near_judging_could_come_is_not_said_where_a_query_was_not_measured(limit: Limit) -> None:
    """The last query could be anything: a number that leaves it at one end is not the best that there can be."""
    queries = [query(name, {"a": 1, "b": 0}) for name in NAMES]
    now, before = dict(zip(NAMES, "bbx", strict=False)), dict.fromkeys(NAMES, "a")
    findings = decide(Gate((limit,), max_errors=1), compared(queries, now, before, P1, down=["q4"])).verdict.findings

    assert ["judging alone cannot turn this"] == [
        each.message.rpartition("; ")[2] for each in findings if each.rule == limit.kind
    ]


def test_a_rule_that_holds_or_rests_on_no_judgment_says_nothing_of_judging() -> None:
    """What may not be shown is shown, whatever its grade."""
    shown = compared([query("q1", {"a": 1}, never=("x",))], {"q1": "ax"}, {"q1": "a"}, P1)

    assert {"never": (Status.FAIL, None, False), "max_drop": (Status.PASS, None, False)} == {
        each.rule: (each.status, each.turns, "judging" in each.message) for each in decided(shown).verdict.findings
    }


def test_one_rule_that_judging_cannot_turn_fails_the_gate() -> None:
    """The others wait; fail goes before inconclusive."""
    pinned = compared(
        [query("q1", {"a": 1, "b": 0}, must={P1: 1.0}), query("q2", {"a": 1})],
        {"q1": "b", "q2": "x"},
        {"q1": "a", "q2": "a"},
        P1,
    )
    result = decided(pinned, "inconclusive", Limit("max_drop", P1, 0.5))

    assert {"max_drop": Status.UNDECIDED, "must": Status.FAIL} == {
        finding.rule: finding.status for finding in result.verdict.findings
    }
    assert (Outcome.FAIL, 1) == (result.verdict.outcome, result.verdict.exit_code)


def test_a_warning_stays_one_and_names_its_documents() -> None:
    """It never was a failure that could wait."""
    finding = only(decided(comparison(new="xxaa"), "inconclusive", Limit("warn_drop", P1, 0.25)))

    assert (Status.WARN, (("q1", "x"),)) == (finding.status, finding.holes)


def test_lost_queries_and_pins_wait_likewise() -> None:
    """A first result that nobody judged may be a relevant one."""
    pinned = compared([query("q1", {"a": 1}, must={P1: 1.0})], {"q1": "x"}, {"q1": "a"}, P1)
    result = decided(pinned, "inconclusive", Limit("floor", P1, 0.0), lost_queries=0)

    assert {
        "floor": (Status.PASS, ()),
        "lost_queries": (Status.UNDECIDED, (("q1", "x"),)),
        "must": (Status.UNDECIDED, (("q1", "x"),)),
    } == {finding.rule: (finding.status, finding.holes) for finding in result.verdict.findings}


@pytest.mark.parametrize(
    "limit",
    [
        Limit("max_drop", P1, 0.25),
        Limit("max_drop", P1, None, relative=0.3),
        Limit("floor", P1, 0.75),
        Limit("warn_drop", P1, 0.1),
    ],
)
def test_once_the_named_documents_are_relevant_the_rule_holds(limit: Limit) -> None:
    """What is said to turn it does; and each of them is needed."""
    named = only(decided(comparison(), "fail", limit)).holes
    relevant = dict.fromkeys(named, 3)
    without = [{hole: grade for hole, grade in relevant.items() if hole != left_out} for left_out in named]

    assert Status.PASS is only(decided(comparison(judgments=relevant), "inconclusive", limit)).status
    assert named
    assert {Status.PASS} & {
        only(decided(comparison(judgments=fewer), "fail", limit)).status for fewer in without
    } == set()


def test_once_the_named_documents_are_not_relevant_the_rule_fails_for_good() -> None:
    """The gate that waited has its answer, and no third document is left to wait for."""
    refused = dict.fromkeys(only(decided(comparison(), "inconclusive")).holes, 0)
    result = decided(comparison(judgments=refused), "inconclusive")

    assert (Status.FAIL, ()) == (only(result).status, only(result).holes)
    assert 1 == result.verdict.exit_code
