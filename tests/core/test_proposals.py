"""Limits that are proposed from a service's own noise."""

import pytest

from rankgate.core.catalog import Measure
from rankgate.core.limits import Gate, Limit, LimitKind
from rankgate.core.proposals import LostProposal, Proposal, compared, propose, propose_lost, rounded_up
from rankgate.core.repeats import Repeats
from tests.support import golden, query, run

P1 = Measure("P", 1, 1)
ZERO = Measure("ZeroResults")


def twice(wrong: int, of: int, empty: int = 0) -> Repeats:
    """Two runs, in the second of which so many of the queries lose their first result, some to an empty answer.

    The last two queries are in a slice.
    """
    names = [f"q{number:03}" for number in range(of)]
    queries = [query(name, slices=("s",) if name in names[-2:] else ()) for name in names]
    second = {name: [] if place < empty else ["x"] if place < wrong else ["a"] for place, name in enumerate(names)}
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

    assert Proposal("max_drop", spread, points, gate.limits[0]) == proposal
    assert pytest.approx(queries) == proposal.queries
    assert proposal.too_tight is (wrong / of > 0.02)
    assert not proposal.finer_than_a_query


def test_a_limit_that_noise_does_not_break_is_never_raised() -> None:
    """Not even one finer than a query: nothing was seen to move, so it stays, and that it is finer is said."""
    repeats, limit = twice(0, 4), Limit("max_drop", P1, 0.02)
    spread = repeats.spread(P1)
    assert spread is not None
    (proposal,) = propose(Gate(limits=(limit,)), repeats, [])

    assert Proposal("max_drop", spread, 0.02, limit) == proposal
    assert (False, True) == (proposal.too_tight, proposal.finer_than_a_query)


def test_each_limit_stays_of_its_kind_and_on_its_slice() -> None:
    """What only warned still only warns; a floor is shown as it is."""
    repeats = twice(0, 10)
    limits = (
        Limit("floor", P1, 0.5),
        Limit("warn_rise", ZERO, 0.2),
        Limit("max_drop", P1, 0.9, slice="s", min_queries=2),
        Limit("warn_drop", P1, 0.1, slice="s", min_queries=2),
    )
    whole, zero, part = repeats.spread(P1), repeats.spread(ZERO), repeats.spread(P1, "s")
    assert whole is not None
    assert zero is not None
    assert part is not None

    assert ((P1, "all"), (ZERO, "all"), (P1, "s")) == compared(Gate(limits=limits), [P1])
    assert (
        Proposal("floor", whole, 0.5, limits[0]),
        Proposal("warn_rise", zero, 0.1, limits[1]),
        Proposal("max_drop", part, 0.5, limits[2]),
        Proposal("warn_drop", part, 0.1, limits[3]),
    ) == propose(Gate(limits=limits), repeats, [P1])


@pytest.mark.parametrize(
    ("points", "relative", "proposed", "too_tight"),
    [
        pytest.param(None, 0.3, None, False, id="relative alone, and it holds: it stays as it is"),
        pytest.param(None, 0.1, 0.2, True, id="relative alone, and it breaks: points beside it, both to be exceeded"),
        pytest.param(0.1, 0.3, 0.1, False, id="the larger of both holds"),
        pytest.param(0.1, 0.15, 0.2, True, id="neither holds"),
    ],
)
def test_a_relative_limit_is_measured_against_the_better_run(
    points: float | None, relative: float, proposed: float | None, too_tight: bool
) -> None:
    """Of ten queries two are lost: from 1 to 0.8, a fifth."""
    limit = Limit("max_drop", P1, points, relative)
    (proposal,) = propose(Gate(limits=(limit,)), twice(2, 10), [])

    assert (proposed, too_tight) == (proposal.points, proposal.too_tight)


@pytest.mark.parametrize(
    ("kind", "measure", "points", "least", "crossed"),
    [
        pytest.param("floor", P1, 0.9, 1, True, id="one run is below the floor, the other above"),
        pytest.param("floor", P1, 0.7, 1, False, id="both are above"),
        pytest.param("floor", P1, 0.7 + 1e-12, 1, False, id="one is on it"),
        pytest.param("floor", P1, 0.9, 11, False, id="the slice is too small to be gated"),
        pytest.param("ceiling", ZERO, 0.05, 1, True, id="one run is above the ceiling, the other below"),
        pytest.param("ceiling", ZERO, 0.1, 1, False, id="one is on it, the other below"),
        pytest.param("ceiling", ZERO, 0.2, 1, False, id="both are below"),
    ],
)
def test_a_floor_that_noise_alone_breaks_is_told_and_stays(
    kind: LimitKind, measure: Measure, points: float, least: int, crossed: bool
) -> None:
    """How good is good enough, noise cannot say. Of ten queries three lose their first result, one to nothing."""
    limit = Limit(kind, measure, points, min_queries=least)
    proposal, *more = propose(Gate(limits=(limit, Limit("warn_drop", P1, 0.1))), twice(3, 10, empty=1), [])

    assert (points, crossed, None) == (proposal.points, proposal.too_tight, proposal.queries)
    assert 1 == len(more)


def test_a_floor_that_every_run_breaks_is_no_matter_of_noise() -> None:
    """The check itself says that."""
    (proposal, *_) = propose(Gate(limits=(Limit("floor", ZERO, 0.5),)), twice(0, 4), [])

    assert not proposal.too_tight


@pytest.mark.parametrize(
    ("wrong", "empty", "present", "allowed", "too_tight"),
    [
        pytest.param(3, 0, 0, 3, True, id="three lose their first result"),
        pytest.param(3, 2, 0, 3, True, id="two of them to nothing at all"),
        pytest.param(3, 0, 3, 3, False, id="as many as are allowed"),
        pytest.param(3, 0, 5, 3, False, id="more are allowed than were seen"),
        pytest.param(0, 0, 0, 0, False, id="none is lost and none is allowed: that stays"),
        pytest.param(0, 0, 5, 1, False, id="none is lost: one query"),
    ],
)
def test_as_many_queries_may_be_lost_as_noise_alone_loses(
    wrong: int, empty: int, present: int, allowed: int, too_tight: bool
) -> None:
    """From any run to any other: which of them is the candidate is chance."""
    repeats = twice(wrong, 10, empty)
    turned = Repeats(repeats.golden, repeats.measures, (*reversed(repeats.runs), run({})))

    for each in (repeats, turned):
        proposal = propose_lost(Gate(lost_queries=present), each)

        assert LostProposal(present, wrong, 10) == proposal
        assert (allowed, too_tight) == (proposal.allowed, proposal.too_tight)
    assert propose_lost(Gate(), repeats) is None


def test_a_gate_that_compares_nothing_gets_a_limit_for_each_measure() -> None:
    """So that a first config can be calibrated; what it has stays."""
    gate, repeats = Gate(limits=(Limit("floor", P1, 0.5), Limit("floor", P1, 0.5, slice="s"))), twice(0, 10)

    assert ((P1, "all"), (P1, "s"), (ZERO, "all")) == compared(gate, [P1, ZERO])
    assert [
        ("P@1", "all", "floor"),
        ("P@1", "all", "max_drop"),
        ("P@1", "s", "floor"),
        ("ZeroResults", "all", "max_rise"),
    ] == [(each.spread.measure.short, each.spread.slice, each.kind) for each in propose(gate, repeats, [P1, ZERO])]


def test_nothing_is_proposed_where_nothing_was_measured() -> None:
    """A limit needs a measurement."""
    assert () == propose(Gate(), Repeats(golden(query()), (P1,), (run({}), run({}))), [P1])


@pytest.mark.parametrize(
    ("points", "expected"), [(0.0, 0.0), (0.005, 0.005), (0.0051, 0.01), (0.03, 0.03), (0.1 + 0.2, 0.3), (1.0, 1.0)]
)
def test_limits_are_rounded_up_to_half_a_point(points: float, expected: float) -> None:
    """What is one already stays, float residue or not."""
    assert expected == rounded_up(points)
