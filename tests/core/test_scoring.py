"""Values per query, means, bounds, and what only looks like a judged id."""

import math
from functools import reduce
from operator import add
from random import Random

import numpy as np
import pytest

from rankgate.core.catalog import Measure
from rankgate.core.measures import mean
from rankgate.core.rankings import Failure, FailureKind
from rankgate.core.scoring import Interval, Twin, mean_bounds, normalisation_twins, score
from tests.support import query, run

P1 = Measure("P", 1, 1)
DOWN = Failure(FailureKind.STATUS, "503")


def test_scores_keep_failed_empty_and_first_relevant_apart() -> None:
    """Four queries: right, wrong, nothing found, not measured."""
    queries = [query(name) for name in ("right", "wrong", "nothing", "down")]
    answers = run({"right": ["a"], "wrong": ["x"], "nothing": []}, failures={"down": DOWN})

    scores = score(queries, answers, [P1], 1)

    assert [1.0, 0.0, 0.0, None] == [scores.value(P1, each.id) for each in queries]
    assert [False, False, False, True] == scores.failed.tolist()
    assert [True, False, False, False] == scores.first_relevant.tolist()
    assert [False, False, True, False] == scores.empty.tolist()


def test_first_relevant_follows_the_scale_of_the_set() -> None:
    """A first result of grade 1 is not relevant where relevance begins at 2."""
    scores = score([query("q", {"a": 1, "b": 2})], run({"q": ["a", "b"]}), [P1], 2)

    assert [False] == scores.first_relevant.tolist()


def test_a_query_that_was_not_scored_has_no_row() -> None:
    """Asking for it is a mistake of the program."""
    scores = score([query("q")], run({"q": ["a"]}), [P1], 1)

    with pytest.raises(KeyError, match="other"):
        scores.value(P1, "other")


def test_a_mean_is_summed_without_rounding_on_the_way() -> None:
    """A plain sum of these loses the small one."""
    values = [1.0, 1e-17, -1.0]

    assert reduce(add, values) == 0.0
    assert 1e-17 / 3 == mean(np.array(values))


def test_a_mean_does_not_depend_on_the_order_of_its_values() -> None:
    """To the last bit."""
    values = [number / 7 for number in range(100)]
    Random(1).shuffle(values)

    assert mean(np.array(sorted(values))) == mean(np.array(values))


def test_the_mean_of_nothing_is_no_number() -> None:
    """Never 0, never 1."""
    assert math.isnan(mean(np.array([])))


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [
        pytest.param([1.0, 0.0], 0.5, 0.5, id="all measured"),
        pytest.param([1.0, None], 0.5, 1.0, id="one of two failed"),
        pytest.param([None, None], 0.0, 1.0, id="all failed"),
    ],
)
def test_failed_queries_are_at_either_end_of_the_range(values: list[float | None], low: float, high: float) -> None:
    """The least mean has them at 0, the greatest at 1."""
    failed = np.array([value is None for value in values])
    numbers = np.array([math.nan if value is None else value for value in values])

    bounds = mean_bounds(numbers, failed, 1.0)

    assert Interval(low, high) == bounds
    assert (low == high) == bounds.known


def test_the_difference_of_two_intervals_holds_every_difference() -> None:
    """From the least minus the greatest to the greatest minus the least."""
    assert Interval(-0.25, 0.5) == Interval(0.5, 0.75).minus(Interval(0.25, 0.75))
    assert Interval(0.25, 0.25) == Interval(0.75, 0.75).minus(Interval(0.5, 0.5))


def test_ids_that_differ_only_in_unicode_normalisation_are_found_and_not_matched() -> None:
    """Neither silently equal nor silently missed."""
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    queries = [query("q1", {composed: 3}), query("q2", {composed: 1, decomposed: 1}), query("down", {composed: 1})]
    answers = run({"q1": ["a", "\u00fcber", decomposed], "q2": [decomposed]}, failures={"down": DOWN})

    assert (Twin("q1", decomposed, composed),) == normalisation_twins(queries, answers)
    assert [0.0, 1.0] == [score(queries, answers, [P1], 1).value(P1, name) for name in ("q1", "q2")]
