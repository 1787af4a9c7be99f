"""The fewest documents that bring enough: against every way of sharing them out, and case by case."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgate.core.alignment import FloatArray
from rankgate.core.knapsack import RESIDUE, share_out

#: What one more document of a query brings; many alike, so that there are ties and steps of several documents.
tables = st.integers(1, 4).flatmap(
    lambda most: st.lists(
        st.lists(st.one_of(st.sampled_from([0.0, 0.25, 0.5, 1 / 3]), st.floats(0, 1)), min_size=most, max_size=most),
        min_size=1,
        max_size=4,
    )
)


def gains(*rises: list[float]) -> FloatArray:
    """What 0, 1, ... documents of each query bring."""
    return np.array([[0.0, *np.cumsum(each)] for each in rises])


@settings(max_examples=300)
@given(tables, st.floats(0.001, 1.1))
def test_no_way_of_sharing_out_needs_fewer(rises: list[list[float]], part: float) -> None:
    """Some part of all that the documents can bring is lacking."""
    table = gains(*rises)
    lacking = part * table[:, -1].sum() + 1e-9
    ways = list(product(range(table.shape[1]), repeat=len(table)))
    brought = {way: sum(table[row, count] for row, count in enumerate(way)) for way in ways}

    actual = share_out(table, lacking)

    assert min((sum(way) for way in ways if brought[way] >= lacking), default=None) == (actual and sum(actual))
    assert not actual or brought[tuple(actual)] >= lacking - len(table) * RESIDUE


@pytest.mark.parametrize(
    ("rises", "lacking", "expected"),
    [
        pytest.param(([0.5, 0.1], [0.3, 0.2]), 0.7, [1, 1], id="the steepest first"),
        pytest.param(([0.5], [0.5], [0.5]), 0.6, [1, 1, 0], id="of equal ones the first"),
        pytest.param(([0.3], [0.3], [0.1 + 0.2]), 0.4, [1, 1, 0], id="the residue of floats makes none steeper"),
        pytest.param(([0.0, 0.0, 0.9], [0.2, 0.0, 0.0]), 0.3, [3, 0], id="all of a step or nothing of it"),
        pytest.param(([0.0, 0.0, 0.9], [0.2, 0.0, 0.0]), 0.2, [0, 1], id="a lower step that is shorter"),
        pytest.param(([0.0, 1.0], [0.0, 0.0], [0.4, 0.0]), 1.2, [2, 0, 1], id="a step and what is left over"),
        pytest.param(
            ([0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.4]), 1.3, [0, 0, 3], id="another step instead of both"
        ),
        pytest.param(([0.5, 0.1], [0.3, 0.2]), 1.2, None, id="all of them do not do"),
    ],
)
def test_documents_are_shared_out(rises: tuple[list[float], ...], lacking: float, expected: list[int] | None) -> None:
    """How many documents of each query; what one more of each brings is given."""
    assert expected == share_out(gains(*rises), lacking)


def test_queries_that_are_alike_are_not_all_tried() -> None:
    """Of two thousand that bring something by twos only, half and one document more: nine hundred pairs and one."""
    table = gains(*[[0.0, 1.0]] * 2000, [0.9, 0.0])

    assert [*[2] * 900, *[0] * 1100, 1] == share_out(table, 900.5)
