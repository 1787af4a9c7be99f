"""The formulas on arrays: empty ones, padded ones, failed queries. Values are in tests/worked and tests/parity."""

import math
from random import Random
from typing import Final

import numpy as np
import pytest

from rankgate.core.alignment import UNJUDGED
from rankgate.core.catalog import Measure, Scale, parse_measure
from rankgate.core.evaluation import evaluate
from rankgate.core.families import FAMILIES
from rankgate.core.measures import (
    average_precision,
    gain_table,
    judged_share,
    ndcg,
    precision,
    recall,
    reciprocal_rank,
    success,
    zero_results,
)
from rankgate.core.rankings import Failure, FailureKind
from rankgate.core.scoring import align
from tests.support import query, run

#: Every measure there is, with a cutoff where it may have one, and without where it need not.
NAMES: Final = [
    f"{family.name}{cutoff}"
    for family in FAMILIES
    for cutoff in {"required": ("@3",), "optional": ("", "@3"), "none": ("",)}[family.cutoff]
]
NOTHING: Final = np.zeros((2, 0))
NO_FLAGS: Final = np.zeros((2, 0), dtype=np.bool_)
TOTAL: Final = np.array([2, 0])


def measure(name: str) -> Measure:
    return parse_measure(name, Scale())


def shown(values: object) -> list[float | None]:
    """NaN as None, so that lists compare."""
    return [None if math.isnan(value) else value for value in np.asarray(values).tolist()]


def test_formulas_of_matrices_without_columns() -> None:
    """Nothing was returned by any query: zero where the measure is defined, NaN where it is not."""
    assert {
        "P": [0.0, 0.0],
        "R": [0.0, None],
        "Success": [0.0, 0.0],
        "RR": [0.0, 0.0],
        "AP": [0.0, None],
        "nDCG": [None, None],
        "Judged": [None, None],
        "ZeroResults": [1.0, 1.0],
    } == {
        "P": shown(precision(NO_FLAGS, 3)),
        "R": shown(recall(NO_FLAGS, TOTAL)),
        "Success": shown(success(NO_FLAGS)),
        "RR": shown(reciprocal_rank(NO_FLAGS)),
        "AP": shown(average_precision(NO_FLAGS, TOTAL)),
        "nDCG": shown(ndcg(NOTHING, NOTHING)),
        "Judged": shown(judged_share(NO_FLAGS, np.array([0, 0]), 3)),
        "ZeroResults": shown(zero_results(np.array([0, 0]))),
    }


@pytest.mark.parametrize("name", NAMES)
def test_no_queries_have_no_values(name: str) -> None:
    """Arrays without rows go through every measure."""
    assert [] == shown(evaluate(measure(name), align([], run({}))))


@pytest.mark.parametrize("name", NAMES)
def test_failed_queries_have_no_value_even_if_all_failed(name: str) -> None:
    """A failure is no zero, and no zero result."""
    failures = {f"q{n}": Failure(FailureKind.UNREACHABLE, "refused") for n in range(3)}
    aligned = align([query(f"q{n}") for n in range(3)], run({}, failures=failures))

    assert [None, None, None] == shown(evaluate(measure(name), aligned))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("P@3", 0.0),
        ("R@3", 0.0),
        ("RR", 0.0),
        ("AP", 0.0),
        ("nDCG", 0.0),
        ("nDCG@3", 0.0),
        ("Success@3", 0.0),
        ("Judged@3", None),
        ("ZeroResults", 1.0),
    ],
)
def test_an_empty_answer_counts_zero(name: str, value: float | None) -> None:
    """Only Judged has no value then, for no document could have been judged."""
    assert [value] == shown(evaluate(measure(name), align([query("q")], run({"q": []}))))


@pytest.mark.parametrize("name", ["P@3", "R@3", "Success@3", "RR", "AP", "nDCG@3"])
def test_padding_is_neither_relevant_nor_a_gain(name: str) -> None:
    """The byte that pads a short ranking is larger than any grade and must not count as one."""
    queries = [query("long", {"a": 1}), query("short", {"a": 1})]
    aligned = align(queries, run({"long": ["x", "y", "z"], "short": ["x"]}))

    assert [0.0, 0.0] == shown(evaluate(measure(name), aligned))


def test_judged_share_divides_by_what_came_back() -> None:
    """One judged of two returned is a half at 3, one of the first one is all."""
    judged = np.array([[True, False, False]])

    assert [0.5] == shown(judged_share(judged, np.array([2]), 3))
    assert [1.0] == shown(judged_share(judged, np.array([2]), 1))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("P@2", 0.5),
        ("P(judged_only=True)@2", 1.0),
        ("RR", 0.5),
        ("RR(judged_only=True)", 1.0),
        ("nDCG(judged_only=True)@2", 1.0),
    ],
)
def test_the_condensed_list_has_no_holes(name: str, value: float) -> None:
    """Unjudged documents are removed before ranks are counted, and only where the measure asks for it."""
    aligned = align([query("q", {"a": 2, "b": 1, "c": 0})], run({"q": ["x", "a", "y", "b", "c"]}))

    assert [value] == shown(evaluate(measure(name), aligned))


def test_the_condensed_list_keeps_the_order_of_a_long_ranking() -> None:
    """Of five hundred documents, every other one unjudged, the others stay as they were served."""
    random = Random(1)
    grades = {f"d{number}": random.randint(0, 3) for number in range(0, 500, 2)}
    served = [f"d{number}" for number in range(500)]
    judged = [document for document in served if document in grades]
    condensed = measure("nDCG(judged_only=True)")

    values = [evaluate(condensed, align([query("q", grades)], run({"q": ranking})))[0] for ranking in (served, judged)]

    assert values[1] == values[0]


@pytest.mark.parametrize("name", [*NAMES, "AP(judged_only=True)", "nDCG(judged_only=True)@3"])
def test_the_values_of_several_queries_are_those_of_each_alone(name: str) -> None:
    """Whatever stands in the rows above: nothing returned, nothing relevant, all relevant, not measured."""
    queries = [
        query("all", {"a": 1, "b": 2}),
        query("down", {"a": 1}),
        query("empty", {"a": 1}),
        query("irrelevant", {"a": 0}),
        query("some", {"a": 3, "b": 0, "c": 1, "d": 1}),
    ]
    rankings = {"all": ["b", "a"], "empty": [], "irrelevant": ["a", "x"], "some": ["x", "a", "b", "y", "c"]}
    answers = run(rankings, failures={"down": Failure(FailureKind.TIMEOUT, "10 s")})

    together = evaluate(measure(name), align(queries, answers))
    alone = [evaluate(measure(name), align([each], answers))[0] for each in queries]

    assert shown(alone) == shown(together)


@pytest.mark.parametrize(
    ("gain", "gains"),
    [("exponential", [0, 1, 3, 7]), ("linear", [0, 1, 2, 3]), ("binary", [0, 1, 1, 1])],
)
def test_gains_of_the_grades(gain: str, gains: list[float]) -> None:
    """2^g - 1, g, or 1; a hole has none. There is one for every byte, and each is a float."""
    table = gain_table(gain)  # type: ignore[arg-type]  # one of the three

    assert ((256,), "float64") == (table.shape, table.dtype.name)
    assert gains == table[:4].tolist()
    assert table[UNJUDGED] == 0.0


def test_a_cutoff_far_past_every_ranking_costs_no_memory() -> None:
    """A pin may name any cutoff; the arrays stay as wide as the rankings."""
    aligned = align([query("q", {"a": 1})], run({"q": ["x", "a"]}))

    assert shown(evaluate(measure("nDCG"), aligned)) == shown(evaluate(measure("nDCG@900000000"), aligned))


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(("Judged", "NumRet"))])
def test_the_value_of_a_query_does_not_depend_on_how_much_the_others_return(name: str) -> None:
    """To the last bit, or a baseline's lines would change without a reason: a plain sum groups by the array's width."""
    random = Random(1)
    documents = [str(number) for number in range(200)]
    whole = name.replace("@3", "@150")
    differences = 0
    for _ in range(60):
        grades = {document: random.randint(0, 3) for document in documents[:60]}
        ranking = random.sample(documents[:80], random.randint(1, 80))
        queries = [query("q", grades), query("long", dict.fromkeys(documents, 1))]
        answers = run({"q": ranking, "long": documents}, depth=200)
        alone = evaluate(measure(whole), align(queries[:1], answers))
        among = evaluate(measure(whole), align(queries, answers))
        differences += alone[0] != among[0]

    assert 0 == differences
