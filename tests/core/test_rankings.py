"""Rankings and runs."""

import pytest

from rankgate.core.rankings import Failure, FailureKind, Ranking
from tests.support import run


@pytest.mark.parametrize(
    ("served", "depth", "ranking"),
    [
        pytest.param([], None, Ranking(()), id="empty"),
        pytest.param(["a", "b"], None, Ranking(("a", "b")), id="as served"),
        pytest.param(["b", "b", "x", "a", "b"], None, Ranking(("b", "x", "a"), 2), id="first occurrence counts"),
        pytest.param(["a", "a", "b", "c"], 2, Ranking(("a", "b"), 1), id="ranks close up before the cut"),
        pytest.param(["a", "b"], 50, Ranking(("a", "b")), id="shorter than the depth"),
        pytest.param(["a", "b", "b"], 0, Ranking((), 1), id="depth of nothing"),
    ],
)
def test_a_ranking_keeps_each_document_once(served: list[str], depth: int | None, ranking: Ranking) -> None:
    """Later occurrences are dropped and counted, the ranks close up, the depth is a limit."""
    assert ranking == Ranking.of(served, depth)


def test_a_ranking_reads_its_ids_once() -> None:
    """A generator will do."""
    assert Ranking(("a", "b"), 1) == Ranking.of(document for document in ("a", "b", "a"))


def test_a_run_asked_the_queries_that_it_measured_and_those_that_failed() -> None:
    """Both are in the set of ids."""
    asked = run({"q1": ["a"], "q2": []}, failures={"q3": Failure(FailureKind.TIMEOUT, "10 s")})

    assert frozenset({"q1", "q2", "q3"}) == asked.query_ids
