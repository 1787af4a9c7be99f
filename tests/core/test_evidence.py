"""What the changes are worth: on which queries it rests, and what ``require_significance`` makes of it."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np
import pytest
from scipy import stats

from rankgate.core.alignment import FloatArray
from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison, compare
from rankgate.core.evidence import evidence, evidence_everywhere
from rankgate.core.findings import Status
from rankgate.core.limits import Gate, Limit
from rankgate.core.reference import Reference
from rankgate.core.significance import Paired
from rankgate.core.verdict import GateResult, Outcome, decide
from tests.core.gradings import DOWN, compared
from tests.support import golden, query, run

P1: Final = Measure("P", 1, 1)
P2: Final = Measure("P", 2, 1)
R2: Final = Measure("R", 2, 1)
ZERO: Final = Measure("ZeroResults")


def lost(worse: int, *measures: Measure) -> Comparison:
    """So many of ten queries lost their first result to one that is judged not relevant."""
    names = [f"q{number:02}" for number in range(10)]
    now = {name: ["b", "a"] if place < worse else ["a", "b"] for place, name in enumerate(names)}
    return compared(
        [query(each, {"a": 1, "b": 0}) for each in names], now, dict.fromkeys(names, "ab"), *(measures or (P1,))
    )


def worth(comparison: Comparison, measure: Measure = P1, slice_name: str = "all") -> tuple[int, float | None]:
    found = evidence(comparison, [measure], slice_name)[measure]
    return found.queries, found.change


def test_the_evidence_of_a_change() -> None:
    """Three of ten queries lost a point: one of eight sign patterns is as extreme on either side."""
    found = evidence(lost(3), [P1])[P1]

    assert (10, 0, 7, 3, -0.3, 0.25, True) == (
        found.queries,
        found.higher,
        found.same,
        found.lower,
        found.change,
        found.p,
        found.exact,
    )
    assert found.low is not None
    assert found.high is not None
    assert -1.0 <= found.low <= -0.3 <= found.high <= 0.0


def test_the_same_comparison_has_the_same_evidence() -> None:
    """It is seeded, no other throw of the dice each time; and no measure disturbs another."""
    alone, together = evidence(lost(3), [P1]), evidence(lost(3, P2, P1), [P2, P1])

    assert evidence(lost(3), [P1]) == alone
    assert {P2: evidence(lost(3, P2), [P2])[P2], P1: alone[P1]} == together


def test_a_slice_has_its_own_evidence() -> None:
    """What the whole set hides is seen there; a query that is in no slice counts for the set alone."""
    queries = [query("q1", slices=("head",)), query("q2", slices=("head", "tail")), query("q3")]
    comparison = compared(queries, {"q1": "a", "q2": "x", "q3": "a"}, dict.fromkeys(["q1", "q2", "q3"], "a"), P1)

    assert {"all": (3, -1 / 3), "head": (2, -0.5), "tail": (1, -1.0)} == {
        name: worth(comparison, slice_name=name) for name in ("all", "head", "tail")
    }


def test_only_comparable_queries_count() -> None:
    """A new one and a reworded one were never asked before."""
    queries = [query("new"), query("old"), query("reworded", text="other words")]
    comparison = compared(queries, dict.fromkeys(["new", "old", "reworded"], "x"), {"old": "a", "reworded": "a"}, P1)

    assert (1, -1.0) == worth(comparison)


def test_a_query_that_was_not_measured_on_either_side_does_not_count() -> None:
    """It is no zero: the others are what is known."""
    queries = [query(each) for each in ("q1", "q2", "q3")]
    reference = Reference(run({"q1": "a", "q2": "a"}, failures={"q3": DOWN}))
    candidate = run({"q1": "x", "q3": "a"}, failures={"q2": DOWN})

    assert (1, -1.0) == worth(compare(golden(*queries), candidate, [P1], reference))


def test_without_a_pair_there_is_no_evidence() -> None:
    """Nothing to compare with, no measure, and no query that both sides measured."""
    alone = compared([query("q")], {"q": "a"}, None, P1)
    down = compared([query("q")], {}, {"q": "a"}, P1, down=["q"])

    assert {} == evidence(alone, [P1])
    assert {} == evidence(lost(1), [])
    assert {P1: Paired(0)} == evidence(down, [P1])


def closed(p_values: Sequence[float], chosen: int) -> float:
    """The closure of Bonferroni's test, which is Holm's: of all sets of tests with the *chosen* one, the weakest."""
    others = [p for place, p in enumerate(p_values) if place != chosen]
    sets = (taken for size in range(len(p_values)) for taken in combinations(others, size))
    return max(min(1.0, (len(taken) + 1) * min(p_values[chosen], *taken, 1.0)) for taken in sets)


def test_p_is_corrected_for_every_measure_on_every_slice() -> None:
    """Nine tests of scipy's, corrected by closing them; a slice shown alone, because it broke, is no single test."""
    source = np.random.default_rng(7)
    names = [f"q{number}" for number in range(12)]
    queries = [query(each, {"a": 1, "b": 1}, slices=("head",) if each < "q5" else ("tail",)) for each in names]
    ranked = {each: list(source.permutation(["a", "b", "x", "y"])[: 1 + source.integers(3)]) for each in names}
    comparison = compared(queries, ranked, dict.fromkeys(names, "ab"), P1, P2, R2)
    found = evidence_everywhere(comparison)

    assert [(name, measure) for name in ("all", "head", "tail") for measure in (P1, P2, R2)] == list(found)
    expected = [p_of_scipy(comparison, measure, name) for name, measure in found]
    assert pytest.approx(expected) == [paired.p for paired, _ in found.values()]
    assert pytest.approx([closed(expected, place) for place in range(9)]) == [p for _, p in found.values()]
    assert len({*expected}) > 2


def mean_change(now: FloatArray, before: FloatArray, axis: int) -> FloatArray:
    change: FloatArray = np.mean(now - before, axis=axis)
    return change


def p_of_scipy(comparison: Comparison, measure: Measure, slice_name: str) -> float:
    """Of the same queries' values, every sign pattern counted."""
    members = comparison.in_slice(slice_name)
    now = comparison.candidate.values[measure][members]
    before = np.ones_like(now)  # both documents are relevant, and were the first two
    found = stats.permutation_test((now, before), mean_change, permutation_type="samples", n_resamples=np.inf)
    return float(found.pvalue)


def test_what_has_no_test_is_not_corrected_for() -> None:
    """A slice of which nothing was measured has no row, and counts for none."""
    queries = [query("q1", slices=("head",)), query("q2", slices=("tail",))]
    comparison = compared(queries, {"q1": "x"}, dict.fromkeys(["q1", "q2"], "a"), P1, down=["q2"])

    assert {("all", P1), ("head", P1)} == set(evidence_everywhere(comparison))
    assert {} == evidence_everywhere(compared([query("q")], {"q": "a"}, None, P1))


# require_significance.


def judged(comparison: Comparison, *limits: Limit, significance: bool = True, **gate: int) -> GateResult:
    return decide(Gate(limits, require_significance=significance, **gate), comparison)  # type: ignore[arg-type]  # whole numbers only


def statuses(result: GateResult) -> dict[str, Status]:
    return {finding.rule: finding.status for finding in result.verdict.findings}


@pytest.mark.parametrize(
    ("worse", "status", "outcome"),
    [(5, Status.WARN, Outcome.WARN), (6, Status.FAIL, Outcome.FAIL), (1, Status.PASS, Outcome.PASS)],
)
def test_a_drop_fails_only_where_chance_would_hardly_bring_it(worse: int, status: Status, outcome: Outcome) -> None:
    """Five of five that fell are 2 of 32 patterns, p 0.0625; six of six are 2 of 64, p 0.031."""
    result = judged(lost(worse), Limit("max_drop", P1, 0.1))

    assert ({"max_drop": status}, outcome) == (statuses(result), result.verdict.outcome)


def test_a_drop_that_only_warns_says_why() -> None:
    """The rule's own sentence, and what was lacking."""
    result = judged(lost(5), Limit("max_drop", P1, 0.1))

    (finding,) = result.verdict.findings

    assert (
        "P@1 fell by 0.5000, from 1.0000 to 0.5000 over 10 queries; max_drop 0.1000 = 1 of 10 queries; "
        "chance alone could bring it (p 0.062), and require_significance is set; judging alone cannot turn this"
    ) == finding.message


def test_a_rise_is_tested_likewise() -> None:
    """Where lower is better."""
    names = [f"q{number}" for number in range(9)]
    queries = [query(each) for each in names]

    for empty, status in ((5, Status.WARN), (6, Status.FAIL)):
        now = {name: [] if place < empty else ["a"] for place, name in enumerate(names)}
        comparison = compared(queries, now, dict.fromkeys(names, "a"), ZERO)
        assert {"max_rise": status} == statuses(judged(comparison, Limit("max_rise", ZERO, 0.1)))


def test_a_rule_beside_it_lets_no_drop_pass() -> None:
    """Six of six fell; were the rules corrected for one another, to guard another measure would let this one go."""
    alone = Limit("max_drop", P1, 0.1)
    beside = [Limit("max_drop", measure, 0.9) for measure in (P2, R2)]

    assert Status.FAIL is statuses(judged(lost(6, P1, P2, R2), *beside, alone))["max_drop"]


def test_a_slice_is_tested_on_its_own_queries() -> None:
    """Six of the set fell, and one of them is in the slice: there it could be chance."""
    names = [f"q{number}" for number in range(6)]
    queries = [query(each, {"a": 1, "b": 0}, slices=("head",) if each == "q0" else ()) for each in names]
    comparison = compared(queries, dict.fromkeys(names, "b"), dict.fromkeys(names, "a"), P1)
    result = judged(comparison, Limit("max_drop", P1, 0.1), Limit("max_drop", P1, 0.1, slice="head"))

    assert [Status.FAIL, Status.WARN] == [finding.status for finding in result.verdict.findings]


def test_rules_that_are_on_no_change_of_a_mean_fail_as_ever() -> None:
    """A floor, a lost query, a pin: none of them is a sample of anything."""
    broken = compared([query("q", {"a": 1, "b": 0}, must={P1: 1.0})], {"q": "b"}, {"q": "a"}, P1)
    result = judged(broken, Limit("floor", P1, 0.5), Limit("max_drop", P1, 0.1), lost_queries=0)

    assert {"floor": Status.FAIL, "max_drop": Status.WARN, "lost_queries": Status.FAIL, "must": Status.FAIL} == (
        statuses(result)
    )
    assert Outcome.FAIL is result.verdict.outcome


def test_without_it_a_drop_fails_whatever_its_p() -> None:
    """The verdict rests on thresholds."""
    assert {"max_drop": Status.FAIL} == statuses(judged(lost(2), Limit("max_drop", P1, 0.1), significance=False))
