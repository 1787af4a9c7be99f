"""How far judging the holes could move a measure: against every grading there is, and case by case."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rankgate.core.alignment import FloatArray
from rankgate.core.catalog import Measure, Scale, parse_measure
from rankgate.core.holes import (
    BASELINE,
    CANDIDATE,
    CHANGE,
    Attainable,
    HoleRange,
    Holes,
    JudgedShare,
    in_labelling_order,
)
from rankgate.core.scoring import score
from tests.core.gradings import (
    FEW,
    NAMES,
    SetOfQueries,
    compared,
    few_queries,
    gradings,
    rejudged,
    seen,
)
from tests.support import query, run

#: Of candidate and baseline: each alone, the change, and a change that may be a part of the baseline.
WEIGHTS: Final = (CANDIDATE, BASELINE, CHANGE, (1.0, -0.7))
RR: Final = Measure("RR", 0, 1)

documents = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6).map(tuple)
grades = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3), max_size=8)
#: The lowest grade that may be given plays a part: a document that is judged cannot be below it.
scales = st.sampled_from([Scale(), Scale(lowest=2)])


def known(values: FloatArray) -> list[float | None]:
    """NaN and infinity as None, so that lists compare."""
    return [float(value) if np.isfinite(value) else None for value in values]


def near(values: Sequence[float | None]) -> list[object]:
    return [value if value is None else pytest.approx(value, abs=1e-12) for value in values]


def largest(values: FloatArray) -> float | None:
    defined = values[~np.isnan(values)]
    return float(defined.max()) if len(defined) else None


@settings(max_examples=150)
@given(grades, documents, documents, scales, st.sampled_from(NAMES))
def test_the_extremes_are_those_of_all_gradings(
    judgments: dict[str, int], now: tuple[str, ...], before: tuple[str, ...], scale: Scale, name: str
) -> None:
    """Today, all top, the most, the least, the most by each document and by any number of them: none but all tried."""
    measure = parse_measure(name, scale)
    judgments = {document: grade for document, grade in judgments.items() if grade >= scale.lowest}
    unjudged = [each for each in dict.fromkeys((*seen(now, measure), *seen(before, measure))) if each not in judgments]
    assume(len(unjudged) <= FEW)
    tried = list(gradings(unjudged, scale))
    ids = [str(number) for number in range(len(tried))]
    queries = [query(each, judgments | grading) for each, grading in zip(ids, tried, strict=True)]
    sides = [
        score(queries, run(dict.fromkeys(ids, ranking)), [measure], scale.relevant_from).values[measure]
        for ranking in (now, before)
    ]
    sizes = np.array([len(grading) for grading in tried])
    top = tried.index(dict.fromkeys(unjudged, scale.highest))
    holes = Holes(compared([query("q", judgments)], {"q": now}, {"q": before}, measure, scale=scale))
    alone = [[each in unjudged and set(grading) <= {each} for grading in tried] for each in holes.documents[0]]

    for weights in WEIGHTS:
        values = weights[0] * sides[0] + weights[1] * sides[1]
        expected = {
            "today": known(values[:1]),
            "top": known(values[top : top + 1]),
            "greatest": [largest(values)],
            "least": [largest(-values)],
            "alone": [largest(values[mask]) for mask in alone],
            "frontier": [largest(values[sizes <= most]) for most in range(FEW + 1)],
        }

        combined = holes.combined(measure, weights)

        assert {name: near(each) for name, each in expected.items()} == {
            "today": known(combined.today),
            "top": known(combined.top),
            "greatest": known(combined.greatest),
            "least": known(combined.opposite.greatest),
            "alone": known(combined.alone[0]),
            "frontier": known(combined.frontier(FEW)[0]),
        }


@settings(max_examples=25)
@given(few_queries, st.sampled_from([parse_measure(name, Scale()) for name in NAMES]))
def test_the_range_of_a_mean_is_that_of_all_gradings(drawn: SetOfQueries, measure: Measure) -> None:
    """Over several queries, also where judging gives a value to a query that has none, which changes the mean."""
    comparisons = [comparison for _, comparison in rejudged(drawn, measure)]
    deltas = [delta for comparison in comparisons if (delta := comparison.delta(measure)).baseline]
    assume(comparisons[0].delta(measure).baseline is not None)
    means = [
        [interval.low for delta in deltas if (interval := getattr(delta, name))]
        for name in ("candidate", "baseline", "change")
    ]

    actual = Holes(comparisons[0]).range_of(measure)

    assert actual is not None
    assert [near([each[0], each[-1], min(each), max(each)]) for each in means] == [
        [each.irrelevant, each.top, each.least, each.greatest]
        for each in (actual.candidate, actual.baseline, actual.change)
        if each
    ]


def test_all_top_is_not_the_most_where_it_raises_what_there_is_to_find() -> None:
    """Recall of 1 falls when the other side's find is judged relevant too: R grows, and nothing more was found."""
    recall = Measure("R", 2, 1)

    actual = Holes(compared([query("q", {"a": 1})], {"q": ["a"]}, {"q": ["b", "c"]}, recall)).range_of(recall)

    assert actual == HoleRange(
        measure=recall,
        slice="all",
        queries=1,
        holes=2,
        candidate=Attainable(irrelevant=1.0, top=1 / 3, least=1 / 3, greatest=1.0),
        baseline=Attainable(irrelevant=0.0, top=2 / 3, least=0.0, greatest=2 / 3),
        change=Attainable(irrelevant=1.0, top=1 / 3 - 2 / 3, least=1 / 3 - 2 / 3, greatest=1.0),
    )


def test_a_document_has_one_grade_on_both_sides() -> None:
    """What both sides returned cannot help one of them alone: the change is narrower than the sides let it seem."""
    precision = Measure("P", 1, 1)

    actual = Holes(compared([query("q", {"a": 1})], {"q": ["b"]}, {"q": ["b"]}, precision)).range_of(precision)

    assert actual is not None
    assert actual.candidate == actual.baseline == Attainable(0.0, 1.0, 0.0, 1.0)
    assert actual.change == Attainable(0.0, 0.0, 0.0, 0.0)


def test_without_a_baseline_the_candidate_alone_has_a_range() -> None:
    """A floor has holes too."""
    precision = Measure("P", 2, 1)

    holes = Holes(compared([query("q", {"a": 1})], {"q": ["b", "a"]}, None, precision))

    assert HoleRange(precision, "all", 1, 1, Attainable(0.5, 1.0, 0.5, 1.0)) == holes.range_of(precision)
    assert JudgedShare(2, 0.5) == holes.judged_at(precision)


def test_ranges_are_of_the_queries_that_are_compared_and_were_measured() -> None:
    """A failed query, a new one and one of another slice have no part in them."""
    precision = Measure("P", 1, 1)
    queries = [query(each, slices=("head",)) for each in ("down", "in", "new")] + [query("out")]
    now = {each: ["x"] for each in ("in", "new", "out")}
    before = {each: ["a"] for each in ("down", "in", "out")}

    holes = Holes(compared(queries, now, before, precision, down=["down"]))

    actual = holes.range_of(precision, "head")
    assert actual is not None
    assert (1, 1, Attainable(0.0, 1.0, 0.0, 1.0)) == (actual.queries, actual.holes, actual.candidate)
    assert JudgedShare(1, 0.0, 1.0) == holes.judged_at(precision, "head")


@pytest.mark.parametrize(
    "name",
    [
        "AP",
        "AP@3",
        "Rprec",
        "Bpref",
        "ERR@3",
        "Judged@3",
        "RBPResidual",
        "NumRet",
        "ZeroResults",
        "P(judged_only=True)@3",
    ],
)
def test_a_measure_whose_extremes_are_not_known_has_no_range(name: str) -> None:
    """No range is better than one that does not hold."""
    measure = parse_measure(name, Scale())

    assert Holes(compared([query()], {"q": ["x"]}, {"q": ["a"]}, measure)).range_of(measure) is None


def test_no_query_with_a_value_has_no_range() -> None:
    """Nobody found a document of grade 3: there is no mean yet."""
    measure = Measure("P", 1, 3)

    assert Holes(compared([query()], {"q": ["x"]}, {"q": ["a"]}, measure)).range_of(measure) is None
    assert Holes(compared([], {}, {}, measure)).range_of(measure) is None


def test_judged_shares_are_at_the_cutoff_of_the_measure() -> None:
    """Without a cutoff all that was returned counts; an empty answer has no share."""
    queries = [query("q", {"a": 1, "b": 0})]
    holes = Holes(compared(queries, {"q": ["a", "x", "b", "y"]}, {"q": []}))

    assert [JudgedShare(1, 1.0, None), JudgedShare(3, 2 / 3, None), JudgedShare(0, 0.5, None)] == [
        holes.judged_at(Measure("nDCG", cutoff, dcg="log2")) for cutoff in (1, 3, 0)
    ]
    assert JudgedShare(0, None) == Holes(compared(queries, {"q": []}, None)).judged_at(RR)


def test_the_labelling_order_shows_neither_rank_nor_side() -> None:
    """By query, then by what only the ids decide: in whatever order and how often they come changes nothing."""
    pairs = [(query_id, document) for query_id in ("q1", "q2") for document in "abcdef"]

    actual = in_labelling_order(pairs)

    assert actual == in_labelling_order([*reversed(pairs), *pairs])
    assert sorted(actual) == pairs
    assert [query_id for query_id, _ in actual] == ["q1"] * 6 + ["q2"] * 6
    assert [document for _, document in actual[:6]] != [document for _, document in actual[6:]]
    assert actual != tuple(pairs)
