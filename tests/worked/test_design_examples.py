"""Worked examples, to the digits in which they are published; each table names its gain."""

from collections.abc import Mapping, Sequence

import pytest

from rankgate.core.catalog import Gain, Scale
from tests.support import value


def by_rank(grades: Sequence[int]) -> tuple[dict[str, int], list[str]]:
    """Judgments and ranking of documents d1, d2, ... with *grades* in served order."""
    ranking = [f"d{rank}" for rank in range(1, len(grades) + 1)]
    return dict(zip(ranking, grades, strict=True)), ranking


def with_missing(grades: Sequence[int], missing: int) -> tuple[dict[str, int], list[str]]:
    """As *by_rank*, with *missing* relevant documents that were not returned."""
    judgments, ranking = by_rank(grades)
    return judgments | {f"missing{number}": 1 for number in range(missing)}, ranking


SIX_RELEVANT = with_missing([0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0], missing=1)
FOUR_RELEVANT = with_missing([1, 0, 1, 1, 0], missing=1)
EIGHT_GRADED = by_rank([1, 3, 0, 2, 0, 3, 1, 2])
FIVE_GRADED = by_rank([3, 0, 2, 1, 0])
BAKERY = {"donut": 1, "muffin": 1, "scone": 1}, ["donut", "bagel", "muffin", "croissant"]

EXAMPLES = [
    ("P@5", SIX_RELEVANT, "exponential", 0.60, 2),
    ("R@5", SIX_RELEVANT, "exponential", 0.50, 2),
    ("RR", SIX_RELEVANT, "exponential", 0.50, 2),
    ("AP", SIX_RELEVANT, "exponential", 0.4535, 4),
    ("nDCG@8", EIGHT_GRADED, "exponential", 0.70, 2),
    ("nDCG@3", EIGHT_GRADED, "exponential", 0.42, 2),
    ("P@5", FOUR_RELEVANT, "exponential", 0.60, 2),
    ("R@5", FOUR_RELEVANT, "exponential", 0.75, 2),
    ("P@3", FOUR_RELEVANT, "exponential", 0.67, 2),
    ("R@3", FOUR_RELEVANT, "exponential", 0.50, 2),
    ("RR", FOUR_RELEVANT, "exponential", 1.00, 2),
    ("AP", FOUR_RELEVANT, "exponential", 0.60, 2),
    ("nDCG@5", FIVE_GRADED, "linear", 0.93, 2),
    ("nDCG@3", ({"a": 2, "b": 2, "c": 2}, ["x", "a", "b"]), "exponential", 0.53, 2),
    ("nDCG@3", by_rank([2, 2, 2]), "exponential", 1.0, 2),
    ("P@4", BAKERY, "binary", 0.5, 3),
    ("R@4", BAKERY, "binary", 0.667, 3),
    ("RR", BAKERY, "binary", 1.0, 3),
    ("AP@4", BAKERY, "binary", 0.556, 3),
    ("nDCG@4", BAKERY, "binary", 0.704, 3),
]


@pytest.mark.parametrize(("measure", "example", "gain", "expected", "digits"), EXAMPLES)
def test_a_worked_example_holds_to_its_published_digits(
    measure: str,
    example: tuple[Mapping[str, int], Sequence[str]],
    gain: Gain,
    expected: float,
    digits: int,
) -> None:
    """Each published value is met to the digits in which it is given."""
    actual = value(measure, *example, Scale(highest=10, gain=gain))

    assert actual is not None
    assert expected == round(actual, digits)


def test_dcg_and_ideal_of_the_eight_graded_example() -> None:
    """DCG@8 10.48 over an ideal of 14.95: nDCG says their ratio, checked here from the two published sums."""
    actual = value("nDCG@8", *EIGHT_GRADED, Scale(gain="exponential"))

    assert pytest.approx(10.48 / 14.95, abs=5e-4) == actual


def test_dcg_and_ideal_of_the_five_graded_example() -> None:
    """DCG@5 4.43 over an ideal of 4.76, linear."""
    actual = value("nDCG@5", *FIVE_GRADED, Scale(gain="linear"))

    assert pytest.approx(4.43 / 4.76, abs=2e-3) == actual


@pytest.mark.parametrize(
    ("measure", "queries", "expected", "digits"),
    [
        ("AP", [with_missing([1, 0, 1], 0), with_missing([0, 1], 0), with_missing([0, 0], 1)], 0.44, 2),
        ("RR", [with_missing([1, 0, 1], 0), with_missing([0, 1], 0), with_missing([0, 0], 1)], 0.50, 2),
        ("RR", [by_rank([1]), by_rank([0, 1]), by_rank([0, 0, 0, 0, 1])], 0.567, 3),
    ],
    ids=["MAP", "MRR", "MRR of first ranks 1, 2, 5"],
)
def test_a_worked_mean_holds_to_its_published_digits(
    measure: str, queries: Sequence[tuple[Mapping[str, int], Sequence[str]]], expected: float, digits: int
) -> None:
    """The mean over queries is the plain one, a query without a hit included."""
    values = [value(measure, *example) for example in queries]

    assert expected == round(sum(number or 0.0 for number in values) / len(values), digits)
