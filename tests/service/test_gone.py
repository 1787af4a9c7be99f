"""Which documents the index is asked for after a check: those that a query that got worse no longer returns."""

from collections.abc import Mapping, Sequence

import pytest

from rankgate import app
from rankgate.core.catalog import Measure
from rankgate.core.comparison import compare
from rankgate.core.limits import Gate
from rankgate.core.reference import Reference
from rankgate.core.verdict import decide
from tests.support import golden, query, run

AP = Measure("AP", rel=1)


def ranking(ranks: Mapping[str, int]) -> Sequence[str]:
    """Twenty documents, of which these stand at these ranks."""
    at = {rank: document for document, rank in ranks.items()}
    return [at.get(rank, f"x{rank}") for rank in range(1, 21)]


@pytest.mark.parametrize(
    ("before", "now", "gone"),
    [
        pytest.param({"a": 1, "b": 2}, {"a": 1}, ("b",), id="worse"),
        pytest.param({"a": 1, "b": 2, "x": 3}, {"a": 1}, ("b",), id="worse, and one that nobody judged is gone too"),
        pytest.param({"a": 1, "b": 2}, {"a": 2, "b": 3}, (), id="worse, and none is gone"),
        pytest.param({"a": 5, "b": 6}, {"a": 1}, (), id="better"),
        # The precisions at ranks 5, 10, 15 and at 2, 20 have one sum, and two floats.
        pytest.param({"a": 5, "b": 10, "c": 15}, {"a": 2, "b": 20}, (), id="the same but for float residue"),
    ],
)
def test_the_index_is_asked_for_what_a_worse_query_lost(
    before: Mapping[str, int], now: Mapping[str, int], gone: tuple[str, ...]
) -> None:
    """A judged document that the baseline returned and the candidate does not."""
    queries = golden(query("q", {"a": 1, "b": 1, "c": 1}))
    comparison = compare(queries, run({"q": ranking(now)}), [AP], Reference(run({"q": ranking(before)})))
    result = decide(Gate(), comparison, floors_only=True)

    assert gone == app.gone_documents(result)
