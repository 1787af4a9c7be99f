"""Small inputs on which other tools were publicly reported wrong, with the right value; the kinds are in the docstrings."""

from collections.abc import Mapping, Sequence

import pytest

from rankgate.core.catalog import Scale, parse_measure
from rankgate.core.measures import mean
from rankgate.core.scoring import score
from tests.support import golden, query, run, value

EXPONENTIAL = Scale(lowest=-1, gain="exponential")
LINEAR = Scale(lowest=-1, gain="linear")
BINARY = Scale(lowest=-1, gain="binary")

ONE_OF_THREE = {"a": 3, "b": 3, "c": 3}, ["a"]
TWO_OF_FOUR = {"a": 1, "b": 1, "c": 1, "d": 1}, ["a", "x", "b"]
BEST_MISSING = {"a": 1, "b": 1, "c": 1, "d": 3}, ["c", "a", "b"]
ONE_RESULT = {"a": 3, "b": 2, "c": 2}, ["a"]
SWAPPED = {"a": 3, "b": 1}, ["b", "a"]
SECOND = {"a": 1}, ["x", "a"]
SPAM = {"a": 2, "b": 0, "c": 1}, ["b", "a", "c"]
SINGLE = {"a": 1}, ["a"]
TIED = {"p4": 1}, ["p1", "p2", "p3", "p4"]
REPEATED = {"a": 1, "b": 1}, ["b", "b", "x", "a"]
ALL_REPEATED = {"a": 1}, ["a", "a"]
THREE_RELEVANT = {"a": 1, "b": 1, "c": 1}, ["a", "b", "x", "c", "y", "z"]
TWO_RELEVANT = {"a": 1, "b": 1}, ["x", "a", "y", "b"]
CUTOFFS = {"a": 3, "b": 2, "c": 3, "d": 1}, ["b", "a", "x", "c", "d"]
PERFECT = {"a": 3, "b": 2, "c": 1}, ["a", "b", "c"]
NAMED = {"a": 3, "b": 1, "c": 0}, ["b", "c", "a"]
MANY_RELEVANT = {f"d{n}": 1 for n in range(60)}, [f"d{n}" for n in range(60)]

CASES = [
    pytest.param(*ONE_OF_THREE, "nDCG@10", EXPONENTIAL, 0.469279, id="the ideal is not cut at the hits returned"),
    pytest.param(*ONE_OF_THREE, "nDCG@10", LINEAR, 0.469279, id="the ideal is not cut, linear"),
    pytest.param(*ONE_OF_THREE, "nDCG@10", BINARY, 0.469279, id="the ideal is not cut, binary"),
    pytest.param(*ONE_OF_THREE, "P@1", EXPONENTIAL, 1.0, id="one of three: P@1"),
    pytest.param(*ONE_OF_THREE, "P@3", EXPONENTIAL, 0.333333, id="one of three: P@3 divides by 3"),
    pytest.param(*ONE_OF_THREE, "R@50", EXPONENTIAL, 0.333333, id="one of three: R@50"),
    pytest.param(*ONE_OF_THREE, "AP", EXPONENTIAL, 0.333333, id="one of three: AP"),
    pytest.param(*TWO_OF_FOUR, "AP", EXPONENTIAL, 0.416667, id="AP divides by all relevant documents"),
    pytest.param(*TWO_OF_FOUR, "nDCG@10", EXPONENTIAL, 0.585570, id="nDCG never above 1"),
    pytest.param(*TWO_OF_FOUR, "R@50", EXPONENTIAL, 0.5, id="recall of all relevant"),
    pytest.param(*BEST_MISSING, "nDCG@10", EXPONENTIAL, 0.248894, id="a missing best document is in the ideal"),
    pytest.param(*BEST_MISSING, "nDCG@10", LINEAR, 0.467145, id="missing best, linear"),
    pytest.param(*BEST_MISSING, "nDCG@10", BINARY, 0.831872, id="missing best, binary"),
    pytest.param(*ONE_RESULT, "nDCG@10", EXPONENTIAL, 0.673544, id="one result, exponential"),
    pytest.param(*ONE_RESULT, "nDCG@10", LINEAR, 0.570141, id="one result, linear"),
    pytest.param(*ONE_RESULT, "nDCG@10", BINARY, 0.469279, id="one result, binary"),
    pytest.param(*SWAPPED, "nDCG@10", EXPONENTIAL, 0.709810, id="grades count, exponential"),
    pytest.param(*SWAPPED, "nDCG@10", LINEAR, 0.796708, id="grades count, linear"),
    pytest.param(*SWAPPED, "nDCG@10", BINARY, 1.0, id="grades do not count in the binary gain"),
    pytest.param(*SECOND, "nDCG@10", EXPONENTIAL, 0.630930, id="rank 2 costs"),
    pytest.param(*SECOND, "RR", EXPONENTIAL, 0.5, id="rank 2: RR"),
    pytest.param(*SECOND, "P@1", EXPONENTIAL, 0.0, id="rank 2: P@1"),
    pytest.param(*SECOND, "AP", EXPONENTIAL, 0.5, id="rank 2: AP"),
    pytest.param(*SPAM, "nDCG@10", LINEAR, 0.669672, id="spam counts 0, linear"),
    pytest.param(*SPAM, "nDCG@10", EXPONENTIAL, 0.659002, id="spam counts 0, exponential"),
    pytest.param(*SPAM, "AP", EXPONENTIAL, 0.583333, id="spam counts 0: AP"),
    pytest.param(*SINGLE, "nDCG@10", EXPONENTIAL, 1.0, id="one document: nDCG@10"),
    pytest.param(*SINGLE, "nDCG@3", EXPONENTIAL, 1.0, id="one document: nDCG@3"),
    pytest.param(*SINGLE, "P@1", EXPONENTIAL, 1.0, id="one document: P@1"),
    pytest.param(*SINGLE, "P@3", EXPONENTIAL, 0.333333, id="one document: P@3"),
    pytest.param(*SINGLE, "P@10", EXPONENTIAL, 0.1, id="one document: P@10"),
    pytest.param(*SINGLE, "R@50", EXPONENTIAL, 1.0, id="one document: R@50"),
    pytest.param(*TIED, "RR", EXPONENTIAL, 0.25, id="served order is rank order, whatever the scores"),
    pytest.param(*TIED, "nDCG@10", EXPONENTIAL, 0.430677, id="served order: nDCG"),
    pytest.param(*REPEATED, "R@50", EXPONENTIAL, 1.0, id="a repeated id counts once: recall"),
    pytest.param(*REPEATED, "nDCG@10", EXPONENTIAL, 0.919721, id="a repeated id counts once: nDCG"),
    pytest.param(*REPEATED, "P@3", EXPONENTIAL, 0.666667, id="a repeated id counts once: P@3"),
    pytest.param(*REPEATED, "AP", EXPONENTIAL, 0.833333, id="a repeated id counts once: AP"),
    pytest.param(*ALL_REPEATED, "R@50", EXPONENTIAL, 1.0, id="all repeated: recall"),
    pytest.param(*ALL_REPEATED, "P@3", EXPONENTIAL, 0.333333, id="all repeated: P@3"),
    pytest.param(*THREE_RELEVANT, "AP", EXPONENTIAL, 0.916667, id="AP of several relevant"),
    pytest.param(*THREE_RELEVANT, "nDCG@10", EXPONENTIAL, 0.967468, id="nDCG of several relevant"),
    pytest.param(*THREE_RELEVANT, "P@3", EXPONENTIAL, 0.666667, id="P@3 of several relevant"),
    pytest.param(*TWO_RELEVANT, "RR", EXPONENTIAL, 0.5, id="RR knows the first relevant only"),
    pytest.param(*TWO_RELEVANT, "AP", EXPONENTIAL, 0.5, id="AP of two relevant"),
    pytest.param(*TWO_RELEVANT, "nDCG@10", EXPONENTIAL, 0.650921, id="nDCG of two relevant"),
    pytest.param(*TWO_RELEVANT, "Success@3", EXPONENTIAL, 1.0, id="Success@3"),
    pytest.param(*CUTOFFS, "nDCG@1", EXPONENTIAL, 0.428571, id="nDCG@1"),
    pytest.param(*CUTOFFS, "nDCG@3", EXPONENTIAL, 0.574188, id="nDCG@3"),
    pytest.param(*CUTOFFS, "nDCG@5", EXPONENTIAL, 0.810515, id="nDCG@5"),
    pytest.param(*CUTOFFS, "nDCG@10", EXPONENTIAL, 0.810515, id="nDCG@10"),
    pytest.param(*CUTOFFS, "nDCG@3", LINEAR, 0.660602, id="nDCG@3, linear"),
    pytest.param(*CUTOFFS, "nDCG@5", LINEAR, 0.881110, id="nDCG@5, linear"),
    pytest.param(*PERFECT, "nDCG", EXPONENTIAL, 1.0, id="the ideal ranking scores 1, exponential"),
    pytest.param(*PERFECT, "nDCG", LINEAR, 1.0, id="the ideal ranking scores 1, linear"),
    pytest.param(*PERFECT, "nDCG", BINARY, 1.0, id="the ideal ranking scores 1, binary"),
    pytest.param(*NAMED, "nDCG@10", EXPONENTIAL, 0.589705, id="one name, three gains: exponential"),
    pytest.param(*NAMED, "nDCG@10", LINEAR, 0.688529, id="one name, three gains: linear"),
    pytest.param(*NAMED, "nDCG@10", BINARY, 0.919721, id="one name, three gains: binary"),
    pytest.param(*MANY_RELEVANT, "R@50", EXPONENTIAL, 0.833333, id="more relevant documents than the cutoff"),
]


@pytest.mark.parametrize(("judgments", "ranking", "measure", "scale", "expected"), CASES)
def test_the_right_value_where_others_were_wrong(
    judgments: Mapping[str, int], ranking: Sequence[str], measure: str, scale: Scale, expected: float
) -> None:
    """Each value holds to six digits."""
    assert pytest.approx(expected, abs=1e-6) == value(measure, judgments, ranking, scale)


def test_a_query_without_a_relevant_judgment_is_undefined_and_never_zero() -> None:
    """No relevant document: no value, for every measure of relevance."""
    for name in ("P@1", "R@5", "Success@1", "RR", "AP", "nDCG@10"):
        assert value(name, {"a": 0}, ["a"]) is None


@pytest.mark.parametrize("empty", range(4))
def test_an_empty_ranking_damages_no_other_query(empty: int) -> None:
    """One empty answer among four perfect ones: means of 0.75 wherever it stands."""
    rankings = {f"q{n}": [] if n == empty else ["a"] for n in range(4)}
    measures = [parse_measure(name, Scale()) for name in ("P@1", "RR", "ZeroResults")]

    scores = score([query(f"q{n}") for n in range(4)], run(rankings), measures, 1)

    assert [0.75, 0.75, 0.25] == [mean(scores.values[measure]) for measure in measures]


def test_queries_with_no_results_stay_in_the_mean() -> None:
    """An empty answer counts 0, not nothing."""
    measures = [parse_measure(name, Scale()) for name in ("P@1", "nDCG@10", "R@50", "RR", "ZeroResults")]

    scores = score([query("q1", {"a": 1}), query("q2", {"b": 1})], run({"q1": ["a"], "q2": []}), measures, 1)

    assert [0.5] * 5 == [mean(scores.values[measure]) for measure in measures]


def test_means_are_taken_over_queries_not_over_a_pooled_list() -> None:
    """nDCG 0.5 and 1.0, RR 1/3 and 1."""
    ndcg, rr = (parse_measure(name, Scale()) for name in ("nDCG@10", "RR"))

    scores = score(
        [query("q1", {"b": 1}), query("q2", {"c": 1})], run({"q1": ["x", "y", "b"], "q2": ["c"]}), [ndcg, rr], 1
    )

    assert pytest.approx(0.75) == mean(scores.values[ndcg])
    assert pytest.approx(2 / 3) == mean(scores.values[rr])


def test_a_value_does_not_depend_on_which_other_measures_are_asked_for() -> None:
    """nDCG@3 alone is nDCG@3 among others, to the last bit."""
    names = ["nDCG@10", "nDCG@3", "P@7", "nDCG", "RR"]
    queries = golden(query("q", CUTOFFS[0])).queries
    measures = [parse_measure(name, Scale()) for name in names]

    together = score(queries, run({"q": CUTOFFS[1]}), measures, 1)
    alone = score(queries, run({"q": CUTOFFS[1]}), [measures[1]], 1)

    assert alone.value(measures[1], "q") == together.value(measures[1], "q")
