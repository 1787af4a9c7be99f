"""Baseline and candidate, paired by query."""

import re
from collections.abc import Callable, Iterable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgate.core.catalog import Measure, Scale, parse_measure
from rankgate.core.comparison import Comparison, Delta, compare
from rankgate.core.judgments import GoldenSet, Query
from rankgate.core.limits import BOUNDARY
from rankgate.core.rankings import Failure, FailureKind
from rankgate.core.reference import Reference, judgments_digest
from rankgate.core.scoring import Interval
from rankgate.errors import UnknownMeasureError, UsageError
from tests.property import strategies
from tests.support import golden, query, run

P1 = Measure("P", 1, 1)
P2 = Measure("P", 2, 1)
P3 = Measure("P", 3, 1)
JUDGED = Measure("Judged", 1)
ZERO = Measure("ZeroResults")
NUM_RET = Measure("NumRet")
NDCG = Measure("nDCG", 10, dcg="exp-log2")
DOWN = Failure(FailureKind.STATUS, "503")

Rankings = Mapping[str, Iterable[str]]


def reference(
    rankings: Rankings,
    *queries: Query,
    failures: Mapping[str, Failure] | None = None,
    texts: Mapping[str, str] | None = None,
) -> Reference:
    """A baseline accepted under the judgments of *queries*."""
    return Reference(
        run(rankings, failures=failures, texts=texts), {each.id: judgments_digest(each) for each in queries}
    )


def compared(
    queries: Iterable[Query],
    before: Rankings,
    now: Rankings,
    *measures: Measure,
    down_before: Iterable[str] = (),
    down_now: Iterable[str] = (),
) -> Comparison:
    """Compare *now* with *before* under the judgments of *queries*."""
    return compare(
        golden(*queries),
        run(now, failures=dict.fromkeys(down_now, DOWN)),
        measures or (P1,),
        reference(before, failures=dict.fromkeys(down_before, DOWN)),
    )


def test_new_removed_changed_and_relabelled_queries_are_told_apart() -> None:
    """Four kinds of edit of the golden set, four names; the untouched query is in none."""
    kept, removed = query("kept"), query("removed")
    reworded, relabelled = query("reworded", text="new words"), query("relabelled", {"a": 3})
    before = reference(
        {name: ["a"] for name in ("kept", "removed", "reworded", "relabelled")},
        kept,
        removed,
        reworded,
        query("relabelled", {"a": 1}),
        texts={"reworded": "old words"},
    )
    names = ("kept", "reworded", "relabelled", "new")

    comparison = compare(
        golden(kept, reworded, relabelled, query("new")), run({name: ["a"] for name in names}), [P1], before
    )

    assert {
        "new": ("new",),
        "removed": ("removed",),
        "changed": ("reworded",),
        "relabelled": ("relabelled",),
        "comparable": {"kept": True, "new": False, "relabelled": True, "reworded": False},
    } == {
        "new": comparison.new,
        "removed": comparison.removed,
        "changed": comparison.changed,
        "relabelled": comparison.relabelled,
        "comparable": dict(zip(comparison.candidate.query_ids, comparison.comparable.tolist(), strict=True)),
    }


def test_a_renamed_query_is_a_removed_and_a_new_one() -> None:
    """An id is what a query is known by."""
    comparison = compared([query("new name")], {"old name": ["a"]}, {"new name": ["a"]})

    assert (("old name",), ("new name",)) == (comparison.removed, comparison.new)


def test_a_selection_of_the_queries_removes_none() -> None:
    """What a partial run leaves out is not missing."""
    comparison = compare(
        golden(query("q1")), run({"q1": ["a"]}), [P1], reference({"q1": ["a"], "q2": ["a"]}), partial=True
    )

    assert () == comparison.removed


@pytest.mark.parametrize(("before", "now"), [("old", "words"), ("words", "old"), ("old", "old")])
def test_a_side_that_was_asked_another_text_is_not_compared(before: str, now: str) -> None:
    """Whichever it is: an answer to another question is none to this one."""
    sides = [run({"q": ["a"]}, texts={"q": text}) for text in (before, now)]

    comparison = compare(golden(query("q", text="words")), sides[1], [P1], Reference(sides[0]))

    assert (("q",), [False]) == (comparison.changed, comparison.comparable.tolist())


def test_a_baseline_without_texts_and_digests_calls_nothing_changed() -> None:
    """A TREC run knows rankings only."""
    bare = Reference(run({"q": ["a"]}).__class__(0, run({"q": ["a"]}).rankings))

    comparison = compare(golden(query("q", text="words")), run({"q": ["a"]}, texts={"q": "words"}), [P1], bare)

    assert ((), (), (), [True]) == (
        comparison.changed,
        comparison.relabelled,
        comparison.new,
        comparison.comparable.tolist(),
    )


def test_without_a_baseline_there_are_no_differences() -> None:
    """The candidate stands alone: its means, and nothing else."""
    comparison = compare(golden(query("q1"), query("q2")), run({"q1": ["a"], "q2": ["x"]}), [P1], None)

    assert Delta(P1, "all", Interval(0.5, 0.5), queries=2, failed=0) == comparison.delta(P1)
    assert ((), (), (), (), (), (), (), {}) == (
        comparison.new,
        comparison.removed,
        comparison.changed,
        comparison.relabelled,
        comparison.lost,
        comparison.possibly_lost,
        comparison.gained,
        comparison.changes(P1),
    )
    assert [False, False] == comparison.comparable.tolist()


def test_a_delta_holds_both_means_the_change_and_who_got_better_or_worse() -> None:
    """Over the pairs only; the candidate's own mean counts the new query as well."""
    names = ("better", "worse", "same", "same too")
    comparison = compared(
        [query(name) for name in (*names, "new")],
        {"better": ["x"], "worse": ["a"], "same": ["a"], "same too": ["a"]},
        {"better": ["a"], "worse": ["x"], "same": ["a"], "same too": ["x", "a"], "new": ["x"]},
        P2,
    )

    assert Delta(
        P2,
        "all",
        now=Interval(0.3, 0.3),
        queries=5,
        failed=0,
        baseline=Interval(0.375, 0.375),
        candidate=Interval(0.375, 0.375),
        change=Interval(0.0, 0.0),
        compared=4,
        better=1,
        same=2,
        worse=1,
    ) == comparison.delta(P2)
    assert {"better": 0.5, "worse": -0.5, "same": 0.0, "same too": 0.0} == comparison.changes(P2)


def test_where_lower_is_better_a_rise_is_worse() -> None:
    """The change is the plain difference; better and worse follow the measure's direction."""
    comparison = compared([query("q1"), query("q2")], {"q1": ["a"], "q2": ["a"]}, {"q1": [], "q2": ["a"]}, ZERO)

    delta = comparison.delta(ZERO)

    assert (Interval(0.5, 0.5), 0, 1, 1) == (delta.change, delta.better, delta.same, delta.worse)
    assert {"q1": -1.0, "q2": 0.0} == comparison.changes(ZERO)


def test_failed_queries_bound_the_means_and_the_change() -> None:
    """One of two down in the candidate: its mean from 0.5 to 1, the change from -0.5 to 0; nobody is called worse."""
    comparison = compared([query("q1"), query("q2")], {"q1": ["a"], "q2": ["a"]}, {"q1": ["a"]}, down_now=["q2"])

    assert Delta(
        P1,
        "all",
        now=Interval(0.5, 1.0),
        queries=2,
        failed=1,
        baseline=Interval(1.0, 1.0),
        candidate=Interval(0.5, 1.0),
        change=Interval(-0.5, 0.0),
        compared=2,
        better=0,
        same=1,
        worse=0,
    ) == comparison.delta(P1)
    assert {"q1": 0.0} == comparison.changes(P1)


def test_queries_that_failed_on_either_side_bound_a_count_by_the_depth() -> None:
    """Where only the depth of the run is a bound: each failed query counts from 0 to 50 documents."""
    queries = [query(name) for name in ("fewer", "down before", "down now", "same")]
    comparison = compared(
        queries,
        {"fewer": ["a", "b"], "down now": ["a", "b"], "same": ["a", "b"]},
        {"fewer": ["a"], "down before": ["a"], "same": ["a", "b"]},
        NUM_RET,
        down_before=["down before"],
        down_now=["down now"],
    )

    assert Delta(
        NUM_RET,
        "all",
        now=Interval(1.0, 13.5),
        queries=4,
        failed=1,
        baseline=Interval(1.5, 14.0),
        candidate=Interval(1.0, 13.5),
        change=Interval(-13.0, 12.0),
        compared=4,
        better=0,
        same=1,
        worse=1,
    ) == comparison.delta(NUM_RET)


@pytest.mark.parametrize(("before", "now"), [([], ["x", "a"]), (["x", "a"], [])], ids=["gained", "lost"])
def test_a_difference_of_exactly_the_residue_is_none(before: list[str], now: list[str]) -> None:
    """Neither better nor worse: a persistence so small that the second rank weighs what floats leave over."""
    tiny = Measure("RBP", rel=1, p=1.000000001e-9)
    comparison = compared([query("q")], {"q": before}, {"q": now}, tiny)

    delta = comparison.delta(tiny)

    assert BOUNDARY == abs(comparison.changes(tiny)["q"])
    assert (0, 1, 0) == (delta.better, delta.same, delta.worse)


def test_a_query_for_which_a_measure_is_undefined_is_out_of_its_means() -> None:
    """Judged of an empty answer: neither 0 nor 1, on either side."""
    queries = [query(name) for name in ("both", "now", "before")]
    comparison = compared(
        queries,
        {"both": ["a"], "now": [], "before": ["a"]},
        {"both": ["x"], "now": ["a"], "before": []},
        JUDGED,
    )

    delta = comparison.delta(JUDGED)

    assert (Interval(0.5, 0.5), 2) == (delta.now, delta.queries)
    assert (Interval(-1.0, -1.0), 1) == (delta.change, delta.compared)


def test_a_slice_has_its_own_delta() -> None:
    """Members by name."""
    queries = [query("q1", slices=("head",)), query("q2", slices=("tail", "head")), query("q3")]
    rankings = {"q1": ["a"], "q2": ["x"], "q3": ["a"]}
    comparison = compared(queries, rankings, rankings)

    assert [(Interval(0.5, 0.5), 2), (Interval(0.0, 0.0), 1)] == [
        (delta.now, delta.queries) for delta in (comparison.delta(P1, name) for name in ("head", "tail"))
    ]


def test_a_measure_may_be_given_by_its_name() -> None:
    """As in the config: the scale says what the name leaves out."""
    comparison = compared([query("q")], {"q": ["x"]}, {"q": ["a"]}, P1, NDCG)

    assert [comparison.delta(P1), comparison.delta(NDCG)] == [comparison.delta("P@1"), comparison.delta("ndcg@10")]
    assert {"q": 1.0} == comparison.changes(" P@1 ") == comparison.changes(P1)


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("nDGC@10", "unknown measure 'nDGC@10'; did you mean 'nDCG'?"),
        ("P@2", "P@2 was not measured; did you mean 'P@1'?"),
        (P2, "P@2 was not measured; did you mean 'P@1'?"),
        ("Judged@5", "Judged@5 was not measured; known: P@1, nDCG(dcg='exp-log2')@10"),
    ],
)
@pytest.mark.parametrize("of", [Comparison.delta, Comparison.changes])
def test_a_measure_that_was_not_measured_is_an_error_that_offers_the_nearest(
    of: Callable[[Comparison, Measure | str], object], measure: Measure | str, said: str
) -> None:
    """Never the error of a dictionary."""
    comparison = compared([query("q")], {"q": ["a"]}, {"q": ["a"]}, P1, NDCG)

    with pytest.raises(UnknownMeasureError, match=re.escape(said)):
        of(comparison, measure)


def test_without_a_baseline_a_wrong_measure_is_an_error_too() -> None:
    """And not an empty answer."""
    alone = compare(golden(query("q")), run({"q": ["a"]}), [P1], None)

    with pytest.raises(UnknownMeasureError, match="P@2 was not measured"):
        alone.changes("P@2")


@pytest.mark.parametrize(("name", "end"), [("hed", "; did you mean 'head'?"), ("", "; known: all, head")])
def test_a_slice_that_there_is_not_is_an_error_that_offers_the_nearest(name: str, end: str) -> None:
    """A misspelt name is no slice of no queries."""
    comparison = compared([query("q", slices=("head",))], {"q": ["a"]}, {"q": ["a"]})

    with pytest.raises(UsageError, match=re.escape(f"no slice {name!r}{end}")):
        comparison.delta(P1, name)


@pytest.mark.parametrize("name", ["all", "head"])
def test_a_set_that_expects_nothing_throughout_has_no_mean(name: str) -> None:
    """No row at all, in no slice."""
    nothing = query("nothing", {}, expects_nothing=True, slices=("head",))

    comparison = compared([nothing], {"nothing": []}, {"nothing": []})

    assert Delta(P1, name, now=None, queries=0, failed=0) == comparison.delta(P1, name)


def test_a_slice_of_new_queries_only_is_compared_with_nothing() -> None:
    """It has a mean and no change."""
    comparison = compared([query("new", slices=("s",)), query("old")], {"old": ["a"]}, {"new": ["a"], "old": ["a"]})

    assert Delta(P1, "s", Interval(1.0, 1.0), queries=1, failed=0) == comparison.delta(P1, "s")


def test_queries_that_expect_nothing_are_in_no_mean() -> None:
    """They are checked apart; they are part of the set all the same."""
    nothing = query("nothing", {}, expects_nothing=True)
    comparison = compared([query("q"), nothing], {"q": ["a"]}, {"q": ["a"], "nothing": []}, ZERO)

    assert (Interval(0.0, 0.0), 1, ("nothing",)) == (
        comparison.delta(ZERO).now,
        comparison.delta(ZERO).queries,
        comparison.new,
    )


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        pytest.param(["a"], ["a"], "", id="kept"),
        pytest.param(["a"], ["x", "a"], "lost", id="first result lost"),
        pytest.param(["a"], [], "lost", id="right first, now nothing"),
        pytest.param(["x"], [], "lost", id="wrong first, now nothing"),
        pytest.param([], [], "", id="nothing as before"),
        pytest.param([], ["x"], "", id="nothing, now wrong first"),
        pytest.param(["x"], ["y"], "", id="wrong as before"),
        pytest.param(["x"], ["a"], "gained", id="first result gained"),
        pytest.param([], ["a"], "gained", id="nothing, now right first"),
        pytest.param(["a"], None, "possibly lost", id="right first, not measured"),
        pytest.param(["x"], None, "possibly lost", id="wrong first, not measured: may return nothing"),
        pytest.param([], None, "", id="nothing, not measured: nothing to lose"),
        pytest.param(None, ["a"], "", id="not measured before, right now"),
        pytest.param(None, ["x"], "possibly lost", id="not measured before, wrong now"),
        pytest.param(None, [], "possibly lost", id="not measured before, nothing now"),
        pytest.param(None, None, "possibly lost", id="never measured"),
    ],
)
def test_lost_gained_and_possibly_lost(before: list[str] | None, now: list[str] | None, expected: str) -> None:
    """Lost is certain, possibly lost is what a failed request hides, and a gain is never one of them."""
    comparison = compared(
        [query("q")],
        {} if before is None else {"q": before},
        {} if now is None else {"q": now},
        down_before=["q"] if before is None else [],
        down_now=["q"] if now is None else [],
    )

    assert {name: ("q",) if name == expected else () for name in ("lost", "gained", "possibly lost")} == {
        "lost": comparison.lost,
        "gained": comparison.gained,
        "possibly lost": comparison.possibly_lost,
    }


def test_new_and_reworded_queries_are_never_lost() -> None:
    """They are not compared."""
    comparison = compare(
        golden(query("new"), query("reworded", text="new words")),
        run({"new": [], "reworded": []}),
        [P1],
        reference({"reworded": ["a"]}, texts={"reworded": "old words"}),
    )

    assert ((), ()) == (comparison.lost, comparison.possibly_lost)


def test_an_edited_label_scores_both_sides_anew() -> None:
    """The label of the same answers went from right to wrong: both sides fall together, and nothing changed."""
    before = reference({"q": ["a", "b"]}, query("q", {"a": 1}))

    comparison = compare(golden(query("q", {"a": 0, "b": 1})), run({"q": ["a", "b"]}), [P1, NDCG], before)

    assert ("q",) == comparison.relabelled
    assert (Interval(0.0, 0.0), Interval(0.0, 0.0), Interval(0.0, 0.0)) == (
        comparison.delta(P1).baseline,
        comparison.delta(P1).candidate,
        comparison.delta(P1).change,
    )
    assert ((), {"q": 0.0}) == (comparison.lost, comparison.changes(NDCG))


def test_a_digest_is_of_the_judgments_and_not_of_their_order() -> None:
    """Sorted by document; an added, removed or changed grade gives another."""
    digests = [judgments_digest(query("q", grades)) for grades in ({"a": 1, "b": 2}, {"b": 2, "a": 1})]
    others = {judgments_digest(query("q", grades)) for grades in ({"a": 1}, {"a": 1, "b": 3}, {"a": 12}, {})}

    assert digests[0] == digests[1]
    assert len({*others, digests[0]}) == 5


def test_a_digest_is_the_one_that_baselines_hold() -> None:
    """It is written into files: another one would call every query relabelled that was accepted before."""
    assert "739eff13f480" == judgments_digest(query("q", {"caf\u00e9": 3, "b": 0}))


cases = st.lists(st.tuples(strategies.judgments, strategies.rankings, strategies.rankings), min_size=1, max_size=6)


def sides(drawn: list[tuple[dict[str, int], tuple[str, ...], tuple[str, ...]]]) -> tuple[GoldenSet, Rankings, Rankings]:
    queries = [query(f"q{number}", judgments) for number, (judgments, _, _) in enumerate(drawn)]
    before = {f"q{number}": ranking for number, (_, ranking, _) in enumerate(drawn)}
    now = {f"q{number}": ranking for number, (_, _, ranking) in enumerate(drawn)}
    return golden(*queries), before, now


@given(strategies.names, cases)
def test_a_run_against_itself_never_changes(
    name: str, drawn: list[tuple[dict[str, int], tuple[str, ...], tuple[str, ...]]]
) -> None:
    """No change, nobody better or worse, nothing lost or gained."""
    measure = parse_measure(name, Scale())
    judged, rankings, _ = sides(drawn)

    comparison = compare(judged, run(rankings), [measure], reference(rankings, *judged.queries))
    delta = comparison.delta(measure)

    assert delta.change in (Interval(0.0, 0.0), None)
    assert (0, 0, delta.compared) == (delta.better, delta.worse, delta.same)
    assert ((), (), ()) == (comparison.lost, comparison.gained, comparison.relabelled)


@given(strategies.names, cases)
def test_swapping_the_sides_mirrors_every_delta_exactly(
    name: str, drawn: list[tuple[dict[str, int], tuple[str, ...], tuple[str, ...]]]
) -> None:
    """The change turns its sign to the last bit, better and worse change places."""
    measure = parse_measure(name, Scale())
    judged, before, now = sides(drawn)

    forth = compare(judged, run(now), [measure], reference(before))
    back = compare(judged, run(before), [measure], reference(now))
    there, here = forth.delta(measure), back.delta(measure)
    mirrored = there.change and Interval(-there.change.high, -there.change.low)

    assert (there.better, there.same, there.worse) == (here.worse, here.same, here.better)
    assert (there.baseline, there.candidate) == (here.candidate, here.baseline)
    assert mirrored == here.change
    assert forth.changes(measure) == {query_id: -change for query_id, change in back.changes(measure).items()}


@given(strategies.names, cases, st.randoms(use_true_random=False))
def test_the_order_of_the_queries_changes_no_delta(
    name: str, drawn: list[tuple[dict[str, int], tuple[str, ...], tuple[str, ...]]], random: object
) -> None:
    """Shuffled sets give equal records, to the last bit."""
    measure = parse_measure(name, Scale())
    judged, before, now = sides(drawn)
    shuffled = list(judged.queries)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # a random.Random

    straight, mixed = (
        compare(GoldenSet(tuple(queries)), run(now), [measure], reference(before))
        for queries in (judged.queries, shuffled)
    )

    assert straight.delta(measure) == mixed.delta(measure)
    assert straight.changes(measure) == mixed.changes(measure)
    assert sorted(straight.lost) == sorted(mixed.lost)


def test_gains_are_positive_where_a_query_got_better() -> None:
    """In the measure's direction, in the order of the queries; of one that is not compared there is none."""
    queries = [query(each) for each in ("better", "down", "new", "worse")]
    candidate = run({"better": "a", "new": "a", "worse": []}, failures={"down": DOWN})
    before = reference({"better": [], "down": "a", "worse": "a"}, *queries[:2], queries[3])
    found = compare(golden(*queries), candidate, [P1, ZERO], before)
    alone = compare(golden(*queries), candidate, [P1], None)

    for measure in (P1, ZERO):
        assert ["1.0", "nan", "nan", "-1.0"] == [str(gain) for gain in found.gains(measure).tolist()]
    assert ["nan"] * 4 == [str(gain) for gain in alone.gains(P1).tolist()]
