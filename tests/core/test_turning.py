"""Which broken rules judging could turn, and with which documents: against every grading there is, and case by case."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rankgate.core.catalog import Measure, Scale, parse_measure
from rankgate.core.comparison import Comparison, compare
from rankgate.core.findings import Finding, Status
from rankgate.core.holes import Hole, Holes
from rankgate.core.limits import Gate, Limit, LimitKind
from rankgate.core.reference import Reference
from rankgate.core.rules import judge
from rankgate.core.turning import Turnable, turnable
from tests.core.gradings import DOWN, NAMES, SetOfQueries, compared, few_queries, rejudged
from tests.support import golden, query, run

P1 = Measure("P", 1, 1)
RR = Measure("RR", 0, 1)

limits = st.tuples(
    st.sampled_from(["floor", "max_drop", "warn_drop"]),
    st.sampled_from([None, 0.0, 0.02, 0.2, 1 / 3, 0.5, 0.9]),
    st.sampled_from([None, 0.0, 0.05, 0.5]),
).filter(lambda limit: limit[1] is not None or (limit[0] != "floor" and limit[2] is not None))


def broken(gate: Gate, comparison: Comparison) -> list[Finding]:
    return [each for each in judge(gate, comparison) if each.status in {Status.FAIL, Status.WARN}]


def finding(rule: str, gate: Gate, comparison: Comparison) -> Finding:
    return next(each for each in judge(gate, comparison) if each.rule == rule)


@settings(max_examples=60)
@given(
    few_queries,
    st.sampled_from([parse_measure(name, Scale()) for name in NAMES]),
    limits,
    st.sampled_from([0.5, 1.0]),
    st.booleans(),
)
def test_what_turns_a_rule_is_what_all_gradings_say(
    drawn: SetOfQueries,
    measure: Measure,
    limit: tuple[LimitKind, float | None, float | None],
    must: float,
    last_is_down: bool,
) -> None:
    """Whether any grading makes it hold, with how few documents, and that those which are named can do it."""
    kind, points, relative = limit
    # Where queries failed, a relative limit is judged by looser bounds than there are.
    down = [str(len(drawn) - 1)] if last_is_down and relative is None else []
    gate = Gate((Limit(kind, measure, points, None if kind == "floor" else relative),), lost_queries=0, max_errors=9)
    tried = list(rejudged(drawn, measure, must=must, down=down))
    holes = Holes(tried[0][1])
    rules = [each for each in broken(gate, holes.comparison) if each.rule in {kind, "must", "lost_queries"}]
    assume(rules)

    for rule in rules:
        then = [(set(grading), finding(rule.rule, gate, comparison)) for grading, comparison in tried]
        better = {Status.PASS} if rule.status is Status.WARN else set(Status) - {Status.FAIL}
        holding = [documents for documents, judged in then if judged.status in better]
        numbers = [value for _, judged in then if (value := judged.number) is not None]

        actual = turnable(holes, rule)

        assert actual is not None
        assert bool(holding) == actual.turns
        assert min(map(len, holding), default=0) == len(actual.holes)
        assert not holding or {(hole.query_id, hole.document) for hole in actual.holes} in holding
        best = min(numbers) if rule.rule == "lost_queries" else max(numbers, default=0.0)
        assert down or pytest.approx(best, abs=1e-12) == actual.best


def drop(points: float, measure: Measure = P1, kind: LimitKind = "max_drop") -> Gate:
    return Gate((Limit(kind, measure, points),))


def answer(comparison: Comparison, gate: Gate, rule: str = "max_drop") -> Turnable | None:
    """What is said of a rule of *gate*."""
    return turnable(Holes(comparison), finding(rule, gate, comparison))


def named(turned: Turnable | None) -> tuple[bool, float, tuple[Hole, ...]]:
    """What is asserted, without the residue of floats."""
    assert turned is not None
    assert turned.turns is not None
    assert turned.best is not None
    holes = (replace(hole, potential=round(hole.potential, 6)) for hole in turned.holes)
    return turned.turns, round(turned.best, 6), tuple(holes)


def test_a_drop_that_lies_in_holes_names_what_to_judge() -> None:
    """Three of four first results are new and unjudged; to come back within the limit, two must turn out relevant."""
    names = ("q1", "q2", "q3", "q4")
    comparison = compared(
        [query(each) for each in names],
        {each: ["a"] if each == "q1" else [f"new-{each}", "a"] for each in names},
        {each: ["a"] for each in names},
        P1,
    )

    assert (True, 0.0, (Hole("q2", "new-q2", 0.25, None, 1), Hole("q3", "new-q3", 0.25, None, 1))) == named(
        answer(comparison, drop(0.25))
    )


def test_a_drop_that_judging_cannot_undo_says_so() -> None:
    """The first result is judged not relevant: no hole is to blame."""
    comparison = compared([query("q", {"a": 1, "b": 0})], {"q": ["b", "a"]}, {"q": ["a"]}, P1)

    assert (False, -1.0, ()) == named(answer(comparison, drop(0.5)))


def test_the_document_that_moves_most_comes_first() -> None:
    """Its ranks go with it; judged relevant, a document that stands first on both sides makes both right at once."""
    comparison = compared(
        [query("q1", {"a": 1}), query("q2", {"a": 1})],
        {"q1": ["same", "x", "y"], "q2": ["z", "w"]},
        {"q1": ["same", "a", "x"], "q2": ["a", "b", "z"]},
        RR,
    )

    assert named(answer(comparison, drop(0.0, RR))) == (
        True,
        0.0,
        (Hole("q2", "z", 0.5, 3, 1), Hole("q1", "same", 0.25, 1, 1)),
    )


def test_a_relative_limit_gives_way_where_the_baseline_loses_too() -> None:
    """Both sides found the document: judged relevant, it makes the same drop a smaller part of the baseline."""
    comparison = compared([query("q", {"a": 1, "b": 0})], {"q": ["b", "x"]}, {"q": ["a", "x"]}, Measure("P", 2, 1))
    gate = Gate((Limit("max_drop", Measure("P", 2, 1), None, relative=0.5),))

    assert (True, -0.5, (Hole("q", "x", 0.25, 2, 2),)) == named(answer(comparison, gate))


def test_a_warning_can_be_turned_too() -> None:
    """And a headroom warning is no broken limit."""
    comparison = compared([query("q")], {"q": ["x"]}, {"q": ["a"]}, P1)

    assert (True, 0.0, (Hole("q", "x", 1.0, None, 1),)) == named(
        answer(comparison, drop(0.5, kind="warn_drop"), "warn_drop")
    )
    better = compared([query("q")], {"q": ["a"]}, {"q": ["x"]}, P1)
    assert answer(better, drop(0.5), "headroom") is None


def test_queries_that_failed_count_as_they_did_for_the_rule() -> None:
    """A failure is one with the failed query at its best, a warning is one with it at its worst."""
    names = ("q1", "q2", "q3")
    comparison = compared(
        [query(each) for each in names], {"q1": ["x"], "q2": ["b"]}, {each: ["a"] for each in names}, P1, down=["q3"]
    )

    failed = answer(comparison, Gate((Limit("max_drop", P1, 0.5),), max_errors=1))
    warned = answer(comparison, Gate((Limit("warn_drop", P1, 0.5),), max_errors=1), "warn_drop")

    assert (True, 0.0, (Hole("q1", "x", 0.333333, None, 1),)) == named(failed)
    assert (True, -0.333333) == named(warned)[:2]


def test_a_query_that_judging_gives_a_value_can_lift_the_mean() -> None:
    """No document of the second query has the grade that P(rel=3) asks for, until somebody gives it one."""
    measure = Measure("P", 1, 3)
    comparison = compared(
        [query("q1", {"a": 3, "b": 0}), query("q2")], {"q1": ["b"], "q2": ["x"]}, {"q1": ["a"], "q2": ["a"]}, measure
    )

    assert (True, 0.5, (Hole("q2", "x", 0.5, None, 1),)) == named(
        answer(comparison, Gate((Limit("floor", measure, 0.5),)), "floor")
    )


def test_lost_queries_are_won_back_by_their_first_result() -> None:
    """One that newly returns nothing and one whose first result is judged stay lost."""
    names = ("empty", "judged", "new-1", "new-2")
    now = {"empty": [], "judged": ["b"], "new-1": ["x", "a"], "new-2": ["y"]}
    comparison = compared([query(each, {"a": 1, "b": 0}) for each in names], now, {each: ["a"] for each in names})

    assert (True, 2.0, (Hole("new-1", "x", 1.0, None, 1),)) == named(
        answer(comparison, Gate(lost_queries=3), "lost_queries")
    )
    assert (True, 2.0, (Hole("new-1", "x", 1.0, None, 1), Hole("new-2", "y", 1.0, None, 1))) == named(
        answer(comparison, Gate(lost_queries=2), "lost_queries")
    )
    assert (False, 2.0, ()) == named(answer(comparison, Gate(lost_queries=1), "lost_queries"))


def test_a_query_that_joins_a_change_makes_it_smaller() -> None:
    """Both sides show the document first: judged, it is one more query, in which nothing changed."""
    measure = Measure("P", 1, 3)
    queries = [query("q1", {"a": 3, "b": 0}), query("q2")]
    comparison = compared(queries, {"q1": ["b"], "q2": ["y"]}, {"q1": ["a"], "q2": ["y"]}, measure)

    assert (True, -0.5, (Hole("q2", "y", 0.5, 1, 1),)) == named(answer(comparison, drop(0.5, measure)))


def test_a_query_that_could_only_join_below_the_limit_stays_out() -> None:
    """The second one has one result and no value; nobody has to judge it, and its half point spoils nothing."""
    measure = Measure("P", 2, 3)
    comparison = compared([query("q1", {"a": 3}), query("q2")], {"q1": ["x", "a"], "q2": ["y"]}, None, measure)

    assert (True, 1.0, (Hole("q1", "x", 0.5, None, 1),)) == named(
        answer(comparison, Gate((Limit("floor", measure, 1.0),)), "floor")
    )


def test_a_failed_query_without_a_value_counts_in_the_mean() -> None:
    """As it does for the floor: two queries, so that the hole of the other one moves half a point."""
    measure = Measure("P", 1, 3)
    comparison = compared([query("q1", {"a": 3}), query("q2")], {"q1": ["x"]}, None, measure, down=["q2"])

    assert (True, 1.0, (Hole("q1", "x", 0.5, None, 1),)) == named(
        answer(comparison, Gate((Limit("floor", measure, 0.9),), max_errors=1), "floor")
    )


def test_a_change_is_over_the_compared_queries() -> None:
    """A new query is not among them: one hole moves the whole change."""
    comparison = compared([query("new"), query("old")], {"new": ["y"], "old": ["x"]}, {"old": ["a"]}, P1)

    assert (True, 0.0, (Hole("old", "x", 1.0, None, 1),)) == named(answer(comparison, drop(0.5)))


def test_the_ranking_for_another_text_is_no_baseline() -> None:
    """The query was reworded: where its old answer had the document says nothing of it."""
    reworded = query("q", text="other words")
    comparison = compared([reworded], {"q": ["x"]}, {"q": ["b", "x"]}, P1)

    assert (True, 1.0, (Hole("q", "x", 1.0, None, 1),)) == named(
        answer(comparison, Gate((Limit("floor", P1, 0.5),)), "floor")
    )


def test_a_change_of_exactly_the_limit_is_reached() -> None:
    """Seven of ten stay lost; 0.7 times ten and seven are the same but for the last bit."""
    names = [f"q{number}" for number in range(10)]
    queries = [query(each, {"a": 1, "b": 0}) for each in names]
    comparison = compared(queries, dict(zip(names, "xxxbbbbbbb", strict=True)), dict.fromkeys(names, "a"), P1)

    assert (True, -0.7, tuple(Hole(each, "x", 0.1, None, 1) for each in names[:3])) == named(
        answer(comparison, drop(0.7))
    )


def test_no_query_gives_more_documents_than_it_has() -> None:
    """Half a point is lacking twice; each query has two holes, and takes both."""
    measure = Measure("P", 2, 1)
    comparison = compared(
        [query("q1"), query("q2")], {"q1": ["x", "y"], "q2": ["x", "y"]}, {"q1": ["a"], "q2": ["a"]}, measure
    )
    gate = Gate((Limit("floor", measure, 0.9),))

    assert (
        True,
        1.0,
        tuple(Hole(each, hole, 0.25, None, rank) for each in ("q1", "q2") for rank, hole in ((1, "x"), (2, "y"))),
    ) == named(answer(comparison, gate, "floor"))


def test_of_points_and_a_part_the_one_that_needs_fewer_documents_is_met() -> None:
    """Both limits must be exceeded to fail: to lose half of the baseline is allowed, a quarter of a point is not."""
    names = ("q1", "q2", "q3", "q4")
    comparison = compared([query(each) for each in names], dict.fromkeys(names, "x"), dict.fromkeys(names, "a"), P1)

    for points, relative in ((0.25, 0.5), (0.5, 0.25)):
        assert (True, 0.0, (Hole("q1", "x", 0.25, None, 1), Hole("q2", "x", 0.25, None, 1))) == named(
            answer(comparison, Gate((Limit("max_drop", P1, points, relative),)))
        )


def test_a_warning_that_only_failed_queries_keep_up_is_not_turned_by_judging() -> None:
    """The bounds of a relative limit are loose where the baseline failed; more judgments are not what is lacking."""
    reference = Reference(run({"q1": ["a"]}, failures={"q2": DOWN}))
    queries = [query("q1", {"a": 1, "b": 0}), query("q2", {"a": 1, "b": 0})]
    comparison = compare(golden(*queries), run({"q1": ["a"], "q2": ["b"]}), [P1], reference)
    gate = Gate((Limit("warn_drop", P1, None, relative=0.75),))

    assert (False, -0.5, ()) == named(answer(comparison, gate, "warn_drop"))


def test_a_pin_on_a_measure_without_a_value_can_be_turned() -> None:
    """The pin fails, for no document has the grade; the first result may have it."""
    measure = Measure("P", 1, 3)
    comparison = compared([query("q", must={measure: 1.0})], {"q": ["x"]}, None, measure)

    assert (True, 1.0, (Hole("q", "x", 1.0, None, 1),)) == named(answer(comparison, Gate(), "must"))


@pytest.mark.parametrize("name", ["AP@3", "Judged@1", "P(judged_only=True)@1"])
def test_it_is_not_known_of_a_measure_whose_extremes_are_not(name: str) -> None:
    """Better no answer than a wrong one; but where everything is judged, nothing is left to turn it."""
    measure = parse_measure(name, Scale())
    comparison = compared([query("q", {"a": 1, "b": 0})], {"q": ["x", "b"]}, {"q": ["a"]}, measure)

    gate = Gate((Limit("floor", measure, 1.1),))

    assert Turnable(turns=None, best=None) == answer(comparison, gate, "floor")
    everything = compared([query("q", {"a": 1, "b": 0})], {"q": ["b"]}, {"q": ["a"]}, measure)
    assert Turnable(turns=False, best=float(name == "Judged@1")) == answer(everything, gate, "floor")


def test_judging_cannot_turn_what_does_not_look_at_judgments() -> None:
    """An empty answer stays one."""
    measure = Measure("ZeroResults")
    comparison = compared([query("q")], {"q": []}, {"q": ["a"]}, measure)
    gate = Gate((Limit("ceiling", measure, 0.5), Limit("max_rise", measure, 0.5)))

    assert (False, 1.0, ()) == named(answer(comparison, gate, "ceiling"))
    assert (False, 1.0, ()) == named(answer(comparison, gate, "max_rise"))


def test_nothing_is_said_of_a_rule_that_holds_or_that_judging_has_no_part_in() -> None:
    """A limit that is kept, and a document that may never be shown."""
    comparison = compared([query("q", never=("x",))], {"q": ["a", "x"]}, {"q": ["a"]}, P1)

    assert answer(comparison, drop(0.5)) is None
    assert answer(comparison, Gate(), "never") is None


def test_many_documents_are_shared_out_over_many_queries() -> None:
    """More than are tried at first: twenty first results are new, and all but two must turn out relevant."""
    names = [f"q{number:02}" for number in range(20)]
    comparison = compared([query(each) for each in names], dict.fromkeys(names, "x"), dict.fromkeys(names, "a"), P1)

    turned = answer(comparison, drop(0.1))

    assert (True, 0.0, tuple(Hole(each, "x", 0.05, None, 1) for each in names[:18])) == named(turned)


@pytest.mark.parametrize(("names", "floor", "expected"), [("q", 0.9, {"q": 18}), ("qr", 0.5, {"q": 20})])
def test_one_query_may_need_more_documents_than_are_looked_up_first(
    names: str, floor: float, expected: dict[str, int]
) -> None:
    """Twenty results, all new: of one query eighteen must turn out relevant, of two queries all of the first do."""
    measure = Measure("P", 20, 1)
    new = [f"x{number:02}" for number in range(20)]
    comparison = compared([query(each) for each in names], dict.fromkeys(names, new), None, measure)

    turned = answer(comparison, Gate((Limit("floor", measure, floor),)), "floor")

    assert turned is not None
    assert expected == Counter(hole.query_id for hole in turned.holes)
