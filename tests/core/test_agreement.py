"""Two rankings side by side, without judgments."""

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgate.core.agreement import Agreement, agreement, ann_recall, overlap, rank_biased_overlap
from rankgate.core.rankings import Failure, FailureKind, Ranking, Run

RANKINGS = st.lists(st.sampled_from("abcdefghij"), max_size=10, unique=True)


@pytest.mark.parametrize(
    ("first", "second", "cutoff", "expected"),
    [
        ("abc", "abc", 3, 1.0),
        ("abc", "cba", 3, 1.0),
        ("abc", "cba", 1, 0.0),
        ("abcd", "abef", 4, 0.5),
        ("ab", "abcd", 4, 0.5),
        ("ab", "abcd", 2, 1.0),
        ("", "abc", 3, 0.0),
        ("", "", 3, 1.0),
    ],
)
def test_overlap(first: str, second: str, cutoff: int, expected: float) -> None:
    """What both have in their first k; a shorter answer lacks what it has not."""
    assert expected == overlap(first, second, cutoff)


@pytest.mark.parametrize(
    ("first", "second", "p", "expected"),
    [
        # Equation 32 with p = 0.5. Nothing in common at rank 1, both at rank 2: agreed 0.25, and beyond the end 0.25.
        ("ab", "ba", 0.5, 0.5),
        # One shared of two: agreed 0.5 + 0.125, and beyond the end 0.125.
        ("ab", "ac", 0.5, 0.75),
        # One document against two: agreed 0.5 + 0.125, assumed 0.125 at rank 2, and beyond the end 0.25.
        ("a", "ab", 0.5, 1.0),
        # The same the other way round: agreed 0.125, nothing assumed, and beyond the end 0.125.
        ("a", "ba", 0.5, 0.25),
        ("abc", "xyz", 0.9, 0.0),
        ("", "a", 0.9, 0.0),
        ("", "", 0.9, 1.0),
    ],
)
def test_rank_biased_overlap_by_hand(first: str, second: str, p: float, expected: float) -> None:
    """The formula, worked on paper."""
    assert isclose(expected, rank_biased_overlap(first, second, p), abs_tol=1e-12)


@given(first=RANKINGS, second=RANKINGS, p=st.floats(0.05, 0.99))
def test_rank_biased_overlap_is_an_agreement(first: list[str], second: list[str], p: float) -> None:
    """From 0 to 1, the same both ways, 1 for a ranking and itself, 0 for nothing in common."""
    value = rank_biased_overlap(first, second, p)

    assert 0 <= value <= 1
    assert value == rank_biased_overlap(second, first, p)
    assert isclose(1.0, rank_biased_overlap(first, first, p))
    if first and second and not set(first) & set(second):
        assert 0 == value


@given(ranking=st.permutations("abcdefgh"), p=st.floats(0.1, 0.95), at=st.integers(1, 6))
def test_a_swap_counts_more_at_the_top(ranking: list[str], p: float, at: int) -> None:
    """Two neighbours that change places cost the more the higher they stand."""

    def swapped(place: int) -> float:
        other = list(ranking)
        other[place : place + 2] = reversed(other[place : place + 2])
        return rank_biased_overlap(ranking, other, p)

    assert swapped(at - 1) <= swapped(at) + 1e-12


@pytest.mark.parametrize(
    ("approximate", "exact", "cutoff", "expected"),
    [
        ("abx", "abc", 3, 2 / 3),
        ("cba", "abc", 3, 1.0),
        ("a", "abc", 3, 1 / 3),
        ("abc", "", 3, None),
        ("ab", "ab", 5, 1.0),
    ],
)
def test_ann_recall(approximate: str, exact: str, cutoff: int, expected: float | None) -> None:
    """Of what the exact search found; nothing to find is no loss."""
    assert expected == ann_recall(approximate, exact, cutoff)


def run(failed: str = "", **rankings: str) -> Run:
    """A run with a letter for each document."""
    failures = {query_id: Failure(FailureKind.TIMEOUT, "late") for query_id in failed}
    return Run(10, {query_id: Ranking(tuple(ids)) for query_id, ids in rankings.items()}, failures)


def test_means_over_what_both_answered() -> None:
    """A failed query is on no side; the least alike are named first."""
    first = run("z", q="abc", r="ab", s="abc")
    second = run("", q="abc", r="cd", s="acb", z="a")

    assert Agreement(
        overlap=((1, 2 / 3), (3, 2 / 3)),
        rank_biased=(1 + 0 + rank_biased_overlap("abc", "acb")) / 3,
        ann_recall=((1, 2 / 3), (3, 2 / 3)),
        ann_queries=3,
        queries=3,
        unanswered=1,
        alike=1,
        least=(("r", 0.0), ("s", rank_biased_overlap("abc", "acb"))),
    ) == agreement(first, second, [3, 1, 3], exact=True)


def test_what_the_exact_search_does_not_find_is_in_no_recall() -> None:
    """The mean says over how many queries it is taken; a query that only one side was asked lacks no answer."""
    found = agreement(run("z", q="a", r="b", own="a"), run("r", q="a", z=""), [1], exact=True)
    empty = agreement(run(q="a", r="b"), run(q="a", r=""), [1], exact=True)

    assert found is not None
    assert empty is not None
    assert ((1, 1), (2, 0)) == ((found.queries, found.ann_queries), (found.unanswered, empty.unanswered))
    assert (2, 1, ((1, 1.0),)) == (empty.queries, empty.ann_queries, empty.ann_recall)


def test_no_exact_search_no_ann_recall() -> None:
    """The word is kept for what it means."""
    found = agreement(run(q="a"), run(q="a"), [1])

    assert found is not None
    assert () == found.ann_recall


def test_nothing_in_common_to_compare() -> None:
    """Two runs of other queries agree neither way."""
    assert None is agreement(run(q="a"), run(r="a"), [1])
