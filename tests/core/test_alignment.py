"""Judgments beside rankings, as arrays."""

import numpy as np
import pytest
from numpy.typing import ArrayLike

from rankgate.core.alignment import UNJUDGED, Aligned, assemble
from rankgate.core.rankings import Failure, FailureKind
from rankgate.core.scoring import align
from tests.support import golden, query, run


def rows(array: ArrayLike) -> object:
    return np.asarray(array).tolist()


def test_holes_padding_and_ideal_are_laid_out_by_rank() -> None:
    """Grades by rank, holes and padding as unjudged, the ideal falling and padded with 0, rows in the given order."""
    queries = [query("q2", {"a": 1, "b": 3, "c": 2}), query("q1", {"x": 2})]

    aligned = align(queries, run({"q1": ["x"], "q2": ["hole", "b", "a"]}))

    assert ("q2", "q1") == aligned.query_ids
    assert [[UNJUDGED, 3, 1], [2, UNJUDGED, UNJUDGED]] == rows(aligned.grades)
    assert [[3, 2, 1], [2, 0, 0]] == rows(aligned.ideal)
    assert [3, 1] == rows(aligned.returned)
    assert [False, False] == rows(aligned.failed)


def test_a_failed_query_is_told_from_an_empty_answer() -> None:
    """Both rows are padding; only one is marked as failed."""
    answers = run({"empty": []}, failures={"down": Failure(FailureKind.STATUS, "503")})

    aligned = align([query("down"), query("empty")], answers)

    assert [True, False] == rows(aligned.failed)
    assert [0, 0] == rows(aligned.returned)
    assert (2, 0) == aligned.grades.shape


def test_a_query_that_the_run_lacks_counts_as_failed() -> None:
    """Never asked is never a zero result."""
    assert [True] == rows(align([query("new")], run({})).failed)


@pytest.mark.parametrize("judgments", [{}, {"a": 1}], ids=["unjudged", "judged"])
def test_no_documents_at_all_make_empty_arrays(judgments: dict[str, int]) -> None:
    """Nothing returned, perhaps nothing judged: a matrix of no columns, and one of as many as there are judgments."""
    aligned = align([query("q", judgments)], run({"q": []}))

    assert ((1, 0), (1, len(judgments))) == (aligned.grades.shape, aligned.ideal.shape)


def test_no_queries_make_arrays_of_no_rows() -> None:
    """An empty set is laid out as well."""
    aligned: Aligned = align(golden().queries, run({}))

    assert ((0, 0), (0, 0), (0,), (0,)) == (
        aligned.grades.shape,
        aligned.ideal.shape,
        aligned.returned.shape,
        aligned.failed.shape,
    )


@pytest.mark.parametrize("queries", [0, 2])
def test_counts_are_whole_numbers_and_flags_are_flags(queries: int) -> None:
    """Of no queries too; and unless the caller says otherwise, none of them failed."""
    ids = [f"q{number}" for number in range(queries)]

    aligned = assemble(ids, [{"a": 1, "b": 0}] * queries, [b"\x01"] * queries)

    assert ["int64", "int64", "bool"] == [
        each.dtype.name for each in (aligned.judged, aligned.returned, aligned.failed)
    ]
    assert ([2] * queries, [1] * queries, [False] * queries) == (
        rows(aligned.judged),
        rows(aligned.returned),
        rows(aligned.failed),
    )
