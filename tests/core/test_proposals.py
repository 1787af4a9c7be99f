"""Limits that are proposed from a service's own noise."""

import pytest

from rankgate.core.catalog import Measure
from rankgate.core.limits import Gate, Limit
from rankgate.core.proposals import Proposal, compared, propose, rounded_up
from rankgate.core.repeats import Repeats
from tests.support import golden, query, run

P1 = Measure("P", 1, 1)
ZERO = Measure("ZeroResults")


def twice(wrong: int, of: int) -> Repeats:
    """Two runs, in the second of which so many of the queries lose their first result; the last two are in a slice."""
    names = [f"q{number:03}" for number in range(of)]
    queries = [query(name, slices=("s",) if name in names[-2:] else ()) for name in names]
    second = {name: ["x"] if place < wrong else ["a"] for place, name in enumerate(names)}
    return Repeats(golden(*queries), (P1, ZERO), (run({name: ["a"] for name in names}), run(second)))


@pytest.mark.parametrize(
    ("wrong", "of", "points", "queries"),
    [
        pytest.param(0, 100, 0.01, 1.0, id="one query, where nothing moves"),
        pytest.param(3, 100, 0.03, 3.0, id="the largest difference between two runs"),
        pytest.param(0, 120, 0.01, 1.2, id="one query, rounded up"),
        pytest.param(5, 120, 0.045, 5.4, id="the difference, rounded up"),
        pytest.param(4, 4, 1.0, 4.0, id="all of them"),
    ],
)
def test_a_limit_is_the_noise_and_one_query_at_least(wrong: int, of: int, points: float, queries: float) -> None:
    """In steps of half a point, never below what was seen."""
    repeats = twice(wrong, of)
    gate = Gate(limits=(Limit("max_drop", P1, 0.02),))
    spread = repeats.spread(P1)
    assert spread is not None
    (proposal,) = propose(gate, repeats, [])

    assert Proposal("max_drop", spread, points, 0.02) == proposal
    assert pytest.approx(queries) == proposal.queries
    assert proposal.too_tight is (wrong / of > 0.02)


def test_what_is_compared_gets_a_limit_on_its_slice_and_in_its_direction() -> None:
    """A measure that only warns has no limit yet; floors compare nothing."""
    repeats = twice(0, 10)
    limits = (
        Limit("floor", P1, 0.5),
        Limit("warn_rise", ZERO, 0.01),
        Limit("max_drop", P1, None, 0.05, slice="s", min_queries=2),
    )
    whole, part = repeats.spread(ZERO), repeats.spread(P1, "s")
    assert whole is not None
    assert part is not None

    assert ((ZERO, "all"), (P1, "s")) == compared(Gate(limits=limits), [P1])
    assert (Proposal("max_rise", whole, 0.1), Proposal("max_drop", part, 0.5, None, 2)) == propose(
        Gate(limits=limits), repeats, [P1]
    )
    assert not Proposal("max_rise", whole, 0.1).too_tight


def test_a_gate_that_compares_nothing_gets_a_limit_for_each_measure() -> None:
    """So that a first config can be calibrated."""
    assert ((P1, "all"), (ZERO, "all")) == compared(Gate(limits=(Limit("floor", P1, 0.5),)), [P1, ZERO])


def test_nothing_is_proposed_where_nothing_was_measured() -> None:
    """A limit needs a measurement."""
    assert () == propose(Gate(), Repeats(golden(query()), (P1,), (run({}), run({}))), [P1])


@pytest.mark.parametrize(
    ("points", "expected"), [(0.0, 0.0), (0.005, 0.005), (0.0051, 0.01), (0.03, 0.03), (0.1 + 0.2, 0.3), (1.0, 1.0)]
)
def test_limits_are_rounded_up_to_half_a_point(points: float, expected: float) -> None:
    """What is one already stays, float residue or not."""
    assert expected == rounded_up(points)
