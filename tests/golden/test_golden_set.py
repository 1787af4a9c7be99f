"""This repository's own golden set: its judgments follow from its labels, and its README tells the truth about them."""

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Final

import pytest
import yaml

from rankgate.core.catalog import Scale
from rankgate.files import golden_file

GOLDEN: Final = Path(__file__).parents[2] / "golden"
Labels = dict[str, dict[str, int]]


@cache
def labels(name: str) -> Labels:
    loaded: Labels = yaml.load((GOLDEN / "labels" / f"{name}.yaml").read_text(), yaml.CSafeLoader)["grades"]
    return loaded


@cache
def judgments() -> Labels:
    golden = golden_file.load([GOLDEN / "queries"], Scale()).golden
    return {query.id: dict(query.judgments) for query in golden.judged}


def graded_twice() -> list[tuple[int, int]]:
    first, second = labels("pass-1"), labels("pass-2")
    return [
        (first[query_id][document], second[query_id][document])
        for query_id in first
        for document in first[query_id]
        if document in second[query_id]
    ]


def kappa(pairs: list[tuple[int, int]], *, squared: bool = False) -> float:
    """Cohen's kappa; with quadratic weights where *squared*. Source: doi:10.1037/h0026256."""

    def disagreement(one: int, other: int) -> float:
        return float((one - other) ** 2 if squared else one != other)

    one, other = Counter(pair[0] for pair in pairs), Counter(pair[1] for pair in pairs)
    observed = sum(disagreement(*pair) for pair in pairs) / len(pairs)
    chance = sum(disagreement(a, b) * one[a] * other[b] for a in one for b in other) / len(pairs) ** 2
    return 1 - observed / chance


def test_every_judgment_is_the_lower_of_the_two_passes() -> None:
    """The grade in force follows from the labels, document by document."""
    first, second = labels("pass-1"), labels("pass-2")
    expected = {
        query_id: {
            document: min(each[query_id][document] for each in (first, second) if document in each[query_id])
            for document in first[query_id].keys() | second[query_id].keys()
        }
        for query_id in first
    }

    assert expected == judgments()


def test_the_set_has_a_hundred_queries_in_five_strata_of_twenty() -> None:
    """Four of them expect nothing."""
    golden = golden_file.load([GOLDEN / "queries"], Scale()).golden

    strata = Counter(query.slices for query in golden.queries)

    assert {(name,): 20 for name in ("head", "zero-result", "jargon", "long-tail", "known-failure")} == strata
    assert sum(query.expects_nothing for query in golden.queries) == 4


@pytest.mark.parametrize(
    ("what", "pattern", "figure"),
    [
        ("kappa", r"kappa is ([\d.]+)", lambda: f"{kappa(graded_twice()):.3f}"),
        ("weighted", r"quadratic weights: ([\d.]+)", lambda: f"{kappa(graded_twice(), squared=True):.3f}"),
        (
            "binary",
            r"relevant or not:\s+([\d.]+)",
            lambda: f"{kappa([(int(a > 0), int(b > 0)) for a, b in graded_twice()]):.3f}",
        ),
        ("twice", r"([\d,]+) documents were graded in both", lambda: f"{len(graded_twice()):,}"),
        ("either", r"Of the (\d+)\s+documents that either", lambda: str(sum(max(pair) > 0 for pair in graded_twice()))),
        ("all", r"In all ([\d,]+) judgments", lambda: f"{sum(map(len, judgments().values())):,}"),
    ],
)
def test_the_readme_states_the_computed_figure(what: str, pattern: str, figure: object) -> None:
    """What the README says of the labels is computed from them."""
    found = re.search(pattern, (GOLDEN / "README.md").read_text())

    assert found
    assert callable(figure)
    assert figure() == found[1], what


def test_no_two_grades_of_a_document_differ_by_more_than_one() -> None:
    """As the README says."""
    assert max(abs(one - other) for one, other in graded_twice()) == 1
