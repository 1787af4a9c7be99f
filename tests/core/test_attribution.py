"""Why documents moved, and what each move did to the measure."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import astuple, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgate.core.additive import is_additive
from rankgate.core.attribution import Attribution, Cause, CauseTotal, Move, attribute, by_cause, moves
from rankgate.core.catalog import Measure, Scale, parse_measure
from rankgate.core.comparison import Comparison, compare
from rankgate.core.judgments import Query
from rankgate.core.rankings import Failure, FailureKind, Ranking
from rankgate.core.reference import Reference
from tests.property import strategies
from tests.support import golden, query, run

P3 = Measure("P", 3, 1)
NDCG = Measure("nDCG", 10, dcg="exp-log2")
CONDENSED = Measure("nDCG", 10, dcg="exp-log2", judged_only=True)
DOWN = Failure(FailureKind.STATUS, "503")

Rankings = Mapping[str, Iterable[str]]

additive_names = st.sampled_from(
    [name for name in strategies.ALL_NAMES if is_additive(parse_measure(name, Scale(highest=12)))]
)


def compared(
    queries: Iterable[Query], before: Rankings, now: Rankings, *measures: Measure, down_now: Iterable[str] = ()
) -> Comparison:
    """Compare *now* with *before* under the judgments of *queries*."""
    candidate = run(now, failures=dict.fromkeys(down_now, DOWN))
    return compare(golden(*queries), candidate, measures or (NDCG,), Reference(run(before)))


def causes(
    judged: str,
    before: str,
    after: str,
    measure: Measure = NDCG,
    missing: str = "",
) -> dict[str, tuple[str, str]]:
    """Cause, and documents that decided it, of each judged document that moved; a letter is a document of grade 1."""
    found = attribute(dict.fromkeys(judged, 1), Ranking.of(before), Ranking.of(after), measure, frozenset(missing))
    return {move.document: (move.cause.name, "".join(move.above)) for move in found if move.cause}


@pytest.mark.parametrize(
    ("judged", "before", "after", "expected"),
    [
        pytest.param("a", "xa", "xa", {}, id="did not move"),
        pytest.param("a", "xa", "ax", {"a": ("ROSE", "")}, id="stands higher"),
        pytest.param("a", "xy", "xya", {"a": ("NEW", "")}, id="came in"),
        pytest.param("a", "xay", "xyz", {"a": ("GONE", "")}, id="gone, the answer goes on"),
        pytest.param("a", "xay", "xz", {"a": ("GONE", "")}, id="gone, the answer just reaches its old rank"),
        pytest.param("a", "xay", "x", {"a": ("SHORTER", "")}, id="the answer ends just above its old rank"),
        pytest.param("ab", "ab", "", {"a": ("SHORTER", ""), "b": ("SHORTER", "")}, id="empty answer"),
        pytest.param("a", "xyza", "xyyy", {"a": ("DUPLICATES", "")}, id="with its repeats, the answer reaches it"),
        pytest.param("a", "xyza", "xyy", {"a": ("SHORTER", "")}, id="even with its repeats, the answer ends above it"),
        pytest.param("a", "xa", "xyy", {"a": ("GONE", "")}, id="repeats, and the answer reaches it without them"),
        pytest.param("c", "abcdefghij", "xxxxxxxaby", {"c": ("DUPLICATES", "")}, id="repeats took what newcomers left"),
        pytest.param("c", "abcdefghij", "xxxxxxxxab", {"c": ("DUPLICATES", "")}, id="it would be the next"),
        pytest.param("c", "abcdefghij", "xxxxxxxabd", {"c": ("GONE", "")}, id="another stands where it would be"),
        pytest.param("c", "abcdefghij", "abdeeeeeee", {"c": ("GONE", "")}, id="gone before the repeats begin"),
        pytest.param("c", "abcd", "xxabyz", {"c": ("GONE", "")}, id="repeats that cost no place"),
        pytest.param("a", "xay", "xny", {"a": ("GONE", "")}, id="a newcomer in its very place: gone all the same"),
        pytest.param("a", "a", "mna", {"a": ("NEWCOMERS", "mn")}, id="newcomers nobody judged"),
        pytest.param("ab", "ax", "ba", {"a": ("DEMOTED", "b"), "b": ("NEW", "")}, id="behind a judged newcomer"),
        pytest.param("ab", "ab", "ba", {"a": ("DEMOTED", "b"), "b": ("ROSE", "")}, id="behind a judged document"),
        pytest.param("a", "ax", "xa", {"a": ("DEMOTED", "x")}, id="behind an unjudged one that was there before"),
        pytest.param("a", "ax", "nxa", {"a": ("NEWCOMERS", "n")}, id="one of each: a tie is laid to newcomers"),
        pytest.param("a", "axy", "xnya", {"a": ("DEMOTED", "xy")}, id="more known ones than newcomers"),
        pytest.param("a", "ax", "mxna", {"a": ("NEWCOMERS", "mn")}, id="more newcomers than known ones"),
        pytest.param("a", "xya", "mnoa", {"a": ("NEWCOMERS", "mno")}, id="those that left do not count against"),
        pytest.param("a", "xa", "nxya", {"a": ("NEWCOMERS", "ny")}, id="what stood above before has no part in it"),
        pytest.param(
            "abc",
            "abc",
            "ncab",
            {"a": ("NEWCOMERS", "n"), "b": ("NEWCOMERS", "n"), "c": ("ROSE", "")},
            id="each document by what came above it",
        ),
    ],
)
def test_a_moved_document_has_one_cause(
    judged: str, before: str, after: str, expected: Mapping[str, tuple[str, str]]
) -> None:
    """By the two rankings alone; unjudged documents have none."""
    assert expected == causes(judged, before, after)


@pytest.mark.parametrize("after", ["xyz", "x", "xx", "", "nxyz"], ids=["gone", "shorter", "duplicates", "empty", "new"])
def test_what_the_index_no_longer_has_is_gone_from_it_however_the_answer_looks(after: str) -> None:
    """Known from the service itself, so it comes before everything that the rankings suggest."""
    assert {"a": ("GONE_FROM_INDEX", "")} == causes("a", "xa", after, missing="az")


def test_a_document_that_is_returned_is_not_gone_from_the_index() -> None:
    """What the ranking holds now counts, whatever was asked of the index at another moment."""
    assert {"a": ("DEMOTED", "x")} == causes("a", "ax", "xa", missing="a")


def test_in_a_condensed_list_newcomers_displace_nobody() -> None:
    """Ranks are counted among judged documents; where such a rank changed, a judged document did it."""
    assert {} == causes("ab", "ab", "mnanb", CONDENSED)
    assert {"a": ("DEMOTED", "b"), "b": ("NEW", "")} == causes("ab", "xa", "ba", CONDENSED)
    assert {"a": ("DEMOTED", "b"), "b": ("ROSE", "")} == causes("ab", "ab", "nnba", CONDENSED)


def test_where_an_answer_ends_is_seen_in_the_whole_ranking() -> None:
    """The condensed list is shorter by the document that is gone; the answer is not."""
    assert {"b": ("GONE", "")} == causes("ab", "ab", "ax", CONDENSED)
    assert {"b": ("SHORTER", "")} == causes("ab", "axyb", "axy", CONDENSED)


def test_moves_tell_where_each_document_was_and_is_why_and_what_that_cost() -> None:
    """The most costly first; arrivals, departures, holes and documents past the cutoff are among them."""
    judgments = {"a": 1, "b": 1, "c": 0, "d": 1}
    comparison = compared([query("q", judgments)], {"q": ["a", "c", "x"]}, {"q": ["x", "b", "a", "d"]})
    measure = parse_measure("nDCG(dcg='binary-log2')@3", Scale())

    found = moves(comparison, "q", measure)

    ideal = 1 + 1 / 1.5849625007211562 + 0.5
    lost, gained = pytest.approx((0.5 - 1) / ideal), pytest.approx(1 / 1.5849625007211562 / ideal)
    assert [
        ("a", 1, 3, 1, lost, Cause.DEMOTED, ("x", "b")),
        ("x", 3, 1, None, 0.0, None, ()),
        ("c", 2, None, 0, 0.0, Cause.GONE, ()),
        ("d", None, 4, 1, 0.0, Cause.NEW, ()),
        ("b", None, 2, 1, gained, Cause.NEW, ()),
    ] == [astuple(move) for move in found]


def test_without_a_baseline_every_document_arrives_for_no_cause() -> None:
    """There is nothing that it could have moved from."""
    comparison = compare(golden(query("q")), run({"q": ["a", "x"]}), [NDCG], None)

    assert (Move("x", None, 2, None), Move("a", None, 1, 1, 1.0)) == moves(comparison, "q", NDCG)


def test_a_query_that_was_not_measured_has_moves_for_no_cause() -> None:
    """A failed request is not an answer that ended early."""
    comparison = compared([query("q")], {"q": ["a"]}, {}, down_now=["q"])

    assert (Move("a", 1, None, 1, -1.0),) == moves(comparison, "q", NDCG)


def test_moves_of_a_query_that_expects_nothing_cost_nothing() -> None:
    """It has no ideal to fall short of."""
    nothing = query("nothing", {"x": 0}, expects_nothing=True)
    comparison = compared([nothing], {"nothing": []}, {"nothing": ["x", "y"]})

    assert (Move("x", None, 1, 0, cause=Cause.NEW), Move("y", None, 2, None)) == moves(comparison, "nothing", NDCG)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("P@2", {"a": -1 / 2, "b": 0.0, "c": 1 / 2}),
        ("R@2", {"a": -1 / 3, "b": 0.0, "c": 1 / 3}),
        ("P(rel=2)@2", {"a": -1 / 2, "b": 0.0, "c": 0.0}),
        ("Rprec", {"a": 0.0, "b": 0.0, "c": 1 / 3}),
        ("RBP(p=0.5)", {"a": 1 / 8 - 1 / 2, "b": 0.0, "c": 1 / 2}),
        ("nDCG(dcg='log2')@1", {"a": -2 / 2, "b": 0.0, "c": 1 / 2}),
    ],
)
def test_a_move_costs_what_it_costs_in_the_measure_asked_for(name: str, expected: Mapping[str, float]) -> None:
    """Leaving the first k, falling a rank and leaving for good weigh differently in each."""
    judgments = {"a": 2, "b": 1, "c": 1}
    measure = parse_measure(name, Scale())

    found = attribute(judgments, Ranking.of("abx"), Ranking.of("cba"), measure)

    assert pytest.approx(expected) == {move.document: move.cost for move in found if move.document in judgments}


@pytest.mark.parametrize("name", ["RR", "AP@10", "Success@3", "F@3", "ERR@3", "Bpref", "Judged@3", "NumRet"])
def test_what_hangs_on_the_other_documents_cannot_be_laid_to_one(name: str) -> None:
    """Those changes are explained in an nDCG."""
    assert not is_additive(parse_measure(name, Scale()))


@given(additive_names, strategies.any_judgments, strategies.rankings, strategies.repeating_rankings)
def test_the_costs_of_the_moves_add_up_to_the_change(
    name: str, judgments: dict[str, int], before: tuple[str, ...], now: tuple[str, ...]
) -> None:
    """Every point that a query lost is laid to a document, in every gain and every measure that is a sum over ranks."""
    measure = parse_measure(name, Scale())
    comparison = compared([query("q", judgments)], {"q": before}, {"q": now}, measure)

    found = moves(comparison, "q", measure)

    # Undefined without a relevant document: no change, no cost.
    assert pytest.approx(comparison.changes(measure).get("q", 0.0), abs=1e-12) == math.fsum(each.cost for each in found)
    assert {*before, *now} == {move.document for move in found}


@given(
    additive_names,
    strategies.any_judgments,
    strategies.rankings,
    strategies.repeating_rankings,
    st.frozensets(strategies.documents),
)
def test_exactly_the_judged_documents_that_moved_have_a_cause(
    name: str, judgments: dict[str, int], before: tuple[str, ...], now: tuple[str, ...], missing: frozenset[str]
) -> None:
    """One each, whose kind follows from the counted ranks; losses only ever cost, gains only ever bring."""
    measure = parse_measure(name, Scale())
    lists = [
        [document for document in dict.fromkeys(ids) if document in judgments or not measure.judged_only]
        for ids in (before, now)
    ]
    fell = {Cause.NEWCOMERS, Cause.DEMOTED}
    left = {Cause.GONE_FROM_INDEX, Cause.DUPLICATES, Cause.SHORTER, Cause.GONE}

    for move in attribute(judgments, Ranking.of(before), Ranking.of(now), measure, missing):
        old, new = (ids.index(move.document) + 1 if move.document in ids else None for ids in lists)
        if move.grade is None or old == new:
            possible: set[Cause | None] = {None}
        elif old is None:
            possible = {Cause.NEW}
        elif new is None:
            possible = {*left}
        else:
            possible = {Cause.ROSE} if new < old else {*fell}
        assert move.cause in possible
        assert (move.cause in fell) == bool(move.above)
        assert move.cost == 0 or (move.cost > 0) is (move.cause in {Cause.ROSE, Cause.NEW})


def test_the_change_of_a_mean_by_cause() -> None:
    """Over the queries compared and measured; what nobody judged, what stayed and what cost nothing is not counted."""
    grades = {"a": 1, "b": 1, "z": 0}
    queries = [query(name, grades) for name in ("emptied", "displaced", "better", "same", "swapped", "new", "down")]
    before = dict.fromkeys(("emptied", "displaced", "same", "swapped", "down"), "abz")
    now = {"emptied": "", "displaced": "naxyb", "better": "abz", "same": "abz", "swapped": "baz", "new": "x"}
    comparison = compared([*queries, query("none", {"z": 0})], before | {"better": "az"}, now, down_now=["down"])

    assert Attribution(
        P3,
        5,
        (
            CauseTotal(Cause.SHORTER, 2, 1, pytest.approx(-2 / 3 / 5)),  # type: ignore[arg-type]  # stands for a number
            CauseTotal(Cause.NEWCOMERS, 1, 1, pytest.approx(-1 / 3 / 5)),  # type: ignore[arg-type]
            CauseTotal(Cause.NEW, 1, 1, pytest.approx(1 / 3 / 5)),  # type: ignore[arg-type]
        ),
    ) == by_cause(comparison, P3)


def test_one_cause_in_many_queries_is_counted_in_documents_and_in_queries() -> None:
    """Three documents of two queries."""
    queries = [query("q1", {"a": 1, "b": 1}), query("q2")]
    comparison = compared(queries, {"q1": "ab", "q2": "a"}, {"q1": "xyz", "q2": "x"})

    assert Attribution(NDCG, 2, (CauseTotal(Cause.GONE, 3, 2, -1.0),)) == by_cause(comparison, NDCG)


def test_what_the_index_no_longer_has_has_a_total_of_its_own() -> None:
    """The same loss under another name."""
    comparison = compared([query("q")], {"q": "a"}, {"q": "x"})

    assert (CauseTotal(Cause.GONE, 1, 1, -1.0),) == by_cause(comparison, NDCG).causes
    asked = replace(comparison, missing=frozenset("a"))
    assert (CauseTotal(Cause.GONE_FROM_INDEX, 1, 1, -1.0),) == by_cause(asked, NDCG).causes
    assert (Cause.GONE_FROM_INDEX, None) == tuple(move.cause for move in moves(asked, "q", NDCG))


def test_three_documents_of_one_grade_that_change_places_are_no_loss() -> None:
    """Though each of them moved, and floats leave a residue."""
    comparison = compared([query("q", dict.fromkeys("abc", 1))], {"q": "abc"}, {"q": "bca"})

    assert Attribution(NDCG, 1, ()) == by_cause(comparison, NDCG)


def test_nothing_is_laid_to_a_cause_without_a_baseline() -> None:
    """Nothing compared, nothing lost."""
    assert Attribution(NDCG, 0, ()) == by_cause(compare(golden(query()), run({"q": "x"}), [NDCG], None), NDCG)


@given(
    additive_names,
    st.lists(
        st.tuples(strategies.any_judgments, strategies.rankings, strategies.repeating_rankings), min_size=1, max_size=6
    ),
)
def test_the_causes_add_up_to_the_change_of_the_mean(
    name: str, drawn: list[tuple[dict[str, int], tuple[str, ...], tuple[str, ...]]]
) -> None:
    """Losses and gains together, to the last digits; each cause once, in the order of the causes."""
    measure = parse_measure(name, Scale())
    queries = [query(f"q{number}", judgments) for number, (judgments, _, _) in enumerate(drawn)]
    before, now = ({f"q{number}": row[side] for number, row in enumerate(drawn)} for side in (1, 2))
    comparison = compared(queries, before, now, measure)

    found = by_cause(comparison, measure)

    delta = comparison.delta(measure)
    change = delta.change.low if delta.change else 0.0
    assert pytest.approx(change, abs=1e-12) == math.fsum(total.cost for total in found.causes)
    assert delta.compared == found.compared
    named = [total.cause for total in found.causes]
    assert [cause for cause in Cause if cause in named] == named
