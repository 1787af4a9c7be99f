"""The slice behind a mean: numbers that are worked by hand."""

from collections.abc import Mapping
from math import fsum
from typing import Final

import pytest

from rankgate.core.behind import Behind, behind
from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison
from rankgate.core.limits import Gate, Limit, LimitKind
from rankgate.core.verdict import decide
from tests.core.gradings import compared
from tests.support import query

P10: Final = Measure("P", 10, 1)
ZERO: Final = Measure("ZeroResults")

#: Tenths of P@10 before and now, of one query.
Tenths = tuple[int, int]


def comparison_of(slices: Mapping[str, Mapping[str, Tenths]], *, down: tuple[str, ...] = ()) -> Comparison:
    """Queries by slice, each with so many relevant documents among ten before and now; a query may be in several."""
    values = {name: tenths for queries in slices.values() for name, tenths in queries.items()}
    members = {name: tuple(each for each in slices if each and name in slices[each]) for name in values}
    documents = [f"d{number}" for number in range(10)]
    return compared(
        [query(name, dict.fromkeys(documents, 1), slices=members[name]) for name in values],
        {name: documents[:now] for name, (_, now) in values.items() if name not in down},
        {name: documents[:before] for name, (before, _) in values.items()},
        P10,
        ZERO,
        down=down,
    )


def found(comparison: Comparison, *limits: Limit) -> tuple[Behind, ...]:
    gate = Gate(limits)
    return behind(comparison, gate, decide(gate, comparison).verdict.findings)


def limit(points: float | None = 0.02, slice_name: str = "all", kind: LimitKind = "max_drop", **rest: object) -> Limit:
    return Limit(kind, rest.pop("measure", P10), points, slice=slice_name, **rest)  # type: ignore[arg-type]


def same(number: int, tenths: Tenths, prefix: str = "q") -> dict[str, Tenths]:
    return {f"{prefix}{place:02}": tenths for place in range(number)}


def rounded(each: Behind) -> tuple[str, bool, float, int, float, int, float]:
    numbers = round(each.change, 9), each.queries, round(each.slice_change, 9), each.slice_queries, round(each.part, 9)
    return each.slice, each.hidden, *numbers


def test_the_mean_rises_and_a_slice_falls() -> None:
    """Six queries gain 0.1 each, four lose 0.05 on average: +0.04 on the whole, -0.05 on the slice."""
    comparison = comparison_of(
        {"head": same(6, (5, 6), "h"), "jargon": {**same(2, (9, 8), "j"), **same(2, (9, 9), "k")}}
    )
    fell = ("jargon", True, 0.04, 10, -0.05, 4, -0.02)

    assert [fell] == [rounded(each) for each in found(comparison, limit(), limit(0.04, "jargon"))]
    assert () == found(comparison, limit(), limit(0.05, "jargon"))
    assert [fell] == [rounded(each) for each in found(comparison, limit(), limit(0.04, "jargon", "warn_drop"))]


def test_the_mean_holds_or_falls_within_its_limit_and_a_slice_falls() -> None:
    """What one slice gained another lost, to the tenth, or but for one: in both cases the mean hides it."""
    held = comparison_of({"head": same(5, (5, 6), "h"), "jargon": same(5, (6, 5), "j")})
    fell = comparison_of({"head": {**same(4, (5, 6), "h"), "h9": (5, 5)}, "jargon": same(5, (6, 5), "j")})
    rules = limit(), limit(0.04, "jargon")

    assert [("jargon", True, 0.0, 10, -0.1, 5, -0.05)] == [rounded(each) for each in found(held, *rules)]
    assert [("jargon", True, -0.01, 10, -0.1, 5, -0.05)] == [rounded(each) for each in found(fell, *rules)]


def test_a_true_paradox_stays_out_because_only_pairs_count() -> None:
    """Every slice falls, and the plain means of all queries rise: hard queries were removed and easy ones are new.

    The compared mean fell, and so says the record; nothing is called hidden.
    """
    slices = {"head": same(4, (9, 8), "h"), "jargon": same(4, (4, 2), "j")}
    before_only, now_only = same(8, (1, 0), "gone"), same(8, (0, 10), "new")
    comparison = comparison_of(slices)
    documents = [f"d{number}" for number in range(10)]
    values = {name: tenths for queries in slices.values() for name, tenths in queries.items()}
    judged = [
        query(name, dict.fromkeys(documents, 1), slices=(each,))
        for each, queries in {**slices, "head": {**slices["head"], **now_only}}.items()
        for name in queries
    ]
    mixed = compared(
        judged,
        {name: documents[:now] for name, (_, now) in (values | now_only).items()},
        {name: documents[:before] for name, (before, _) in (values | before_only).items()},
        P10,
    )
    before = [tenths / 10 for tenths, _ in (values | before_only).values()]
    now = [tenths / 10 for _, tenths in (values | now_only).values()]
    rules = limit(), limit(0.02, "head"), limit(0.02, "jargon")
    expected = [("jargon", False, -0.15, 8, -0.2, 4, -0.1)]

    assert fsum(before) / len(before) < fsum(now) / len(now)
    assert expected == [rounded(each) for each in found(mixed, *rules)]
    assert expected == [rounded(each) for each in found(comparison, *rules)]


@pytest.mark.parametrize(
    ("points", "relative", "said"),
    [(0.09, None, True), (0.1, None, False), (None, 0.19, True), (None, 0.2, False), (0.09, 0.2, False)],
)
def test_a_slice_without_rules_is_held_to_those_of_the_whole(
    points: float | None, relative: float | None, said: bool
) -> None:
    """It fell by 0.1, a fifth of its baseline; both limits must be exceeded where both stand."""
    comparison = comparison_of({"head": same(20, (5, 7), "h"), "jargon": same(20, (5, 4), "j")})

    assert said is bool(found(comparison, limit(points, relative=relative)))


def test_no_rule_no_word() -> None:
    """A measure that nobody guards has no fall that is too deep, and a floor is no rule for a change."""
    comparison = comparison_of({"head": same(20, (5, 7), "h"), "jargon": same(20, (5, 4), "j")})

    assert () == found(comparison)
    assert () == found(comparison, limit(0.5, kind="floor"))


def test_one_query_alone_is_not_a_slice_that_fell() -> None:
    """Nine queries of which one lost everything: no more than one query can do. With a second it is more."""
    rest = {"head": same(20, (5, 7), "h")}
    one = comparison_of({**rest, "jargon": {**same(8, (9, 9), "j"), "j9": (10, 0)}})
    two = comparison_of({**rest, "jargon": {**same(7, (9, 9), "j"), "j8": (10, 0), "j9": (10, 0)}})

    assert [[], ["jargon"]] == [[each.slice for each in found(side, limit())] for side in (one, two)]


def test_a_slice_too_small_for_its_own_rules_is_left_alone() -> None:
    """The rule of the whole does not step in for the slice's own."""
    comparison = comparison_of({"head": same(6, (5, 8), "h"), "jargon": same(4, (9, 1), "j")})

    assert () == found(comparison, limit(0.5), limit(0.04, "jargon", min_queries=5))
    assert ["jargon"] == [each.slice for each in found(comparison, limit(0.5), limit(0.04, "jargon", min_queries=4))]


def test_the_slice_behind_a_fall() -> None:
    """0.19 of the fall of 0.23 is on the slice with the largest part, and only that one is named."""
    comparison = comparison_of(
        {"head": {**same(2, (9, 7), "h"), **same(6, (5, 5), "i")}, "jargon": {"j": (10, 0), "k": (9, 0)}}
    )
    expected = [("jargon", False, -0.23, 10, -0.95, 2, -0.19)]

    assert expected == [rounded(each) for each in found(comparison, limit())]
    assert expected == [rounded(each) for each in found(comparison, limit(kind="warn_drop"))]
    assert () == found(comparison, limit(0.95))


def test_parts_of_slices_that_share_queries() -> None:
    """Each slice counts its own queries in full, so parts overlap and one of them is named."""
    shared = same(2, (9, 4), "s")
    comparison = comparison_of({"": same(6, (5, 5)), "left": {**shared, "l": (9, 8)}, "right": {**shared, "r": (9, 7)}})

    assert [("right", False, round(-1.3 / 10, 9), 10, -0.4, 3, -0.12)] == [
        rounded(each) for each in found(comparison, limit())
    ]


@pytest.mark.parametrize(
    ("slices", "named"),
    [
        ({"b": same(2, (5, 3), "b"), "a": same(2, (5, 3), "a"), "": same(4, (5, 5))}, "a"),
        ({"a": same(4, (5, 4), "a"), "b": same(2, (5, 3), "b"), "": same(4, (5, 5))}, "b"),
    ],
)
def test_ties(slices: Mapping[str, Mapping[str, Tenths]], named: str) -> None:
    """Of equal parts the smaller slice has the deeper fall; of equal sizes the first name is taken."""
    assert [named] == [each.slice for each in found(comparison_of(slices), limit())]


def test_a_fall_that_is_the_same_everywhere_has_no_slice_behind_it() -> None:
    """Nor has one slice that is the whole."""
    even = comparison_of({"head": same(6, (5, 4), "h"), "jargon": same(4, (5, 4), "j")})
    whole = comparison_of({"head": same(6, (5, 4), "h")})

    assert ((), ()) == (found(even, limit()), found(whole, limit()))


@pytest.mark.parametrize(
    ("now", "said"),
    [
        pytest.param(6, [], id="half as deep again: half of the queries with 0.6 of the fall"),
        pytest.param(5, ["jargon"], id="twice as deep: with two thirds of it"),
    ],
)
def test_a_slice_is_behind_a_fall_from_twice_as_deep_as_the_rest(now: int, said: list[str]) -> None:
    """The other half falls by 0.2: a little more than its share is the luck of the queries and no reason."""
    comparison = comparison_of({"head": same(6, (9, 7), "h"), "jargon": same(6, (9, now), "j")})

    assert said == [each.slice for each in found(comparison, limit())]


def test_where_lower_is_better_a_rise_is_what_falls() -> None:
    """Two of four queries newly return nothing, while three others newly find something."""
    comparison = comparison_of(
        {"head": {**same(3, (0, 5), "h"), "i": (5, 5)}, "jargon": {**same(2, (5, 0), "j"), **same(2, (5, 5), "k")}}
    )
    rules = limit(0.1, kind="max_rise", measure=ZERO), limit(0.2, "jargon", "max_rise", measure=ZERO)

    assert [("jargon", True, -0.125, 8, 0.5, 4, 0.25)] == [rounded(each) for each in found(comparison, *rules)]


def test_a_broken_rule_of_a_slice_comes_first_then_the_deepest_fall_and_what_explains_one_last() -> None:
    """The order of a report: first what nobody would have seen."""
    comparison = comparison_of(
        {
            "head": same(10, (1, 6), "h"),
            "jargon": {**same(4, (8, 7), "j"), **same(2, (8, 0), "z")},
            "tail": same(4, (9, 3), "t"),
        }
    )
    zero = limit(0.05, kind="max_rise", measure=ZERO)
    tail, jargon, last = ("tail", True, "P@10"), ("jargon", True, "P@10"), ("jargon", False, "ZeroResults")

    def order(*rules: Limit) -> list[tuple[str, bool, str]]:
        return [(each.slice, each.hidden, str(each.measure)) for each in found(comparison, limit(), zero, *rules)]

    assert [tail, jargon, last] == order(limit(0.04, "jargon"), limit(0.04, "tail"))
    assert [tail, jargon, last] == order()
    assert [jargon, tail, last] == order(limit(0.04, "jargon"))


def test_queries_that_were_not_measured_are_in_no_number() -> None:
    """A failed query is no pair: counts and changes are of the others."""
    comparison = comparison_of({"head": same(6, (5, 6), "h"), "jargon": same(4, (9, 7), "j")}, down=("h00", "j00"))

    assert [("jargon", True, round(-0.1 / 8, 9), 8, -0.2, 3, -0.075)] == [
        rounded(each) for each in found(comparison, limit(0.3), limit(0.04, "jargon"))
    ]


def test_nothing_to_compare_with() -> None:
    """Without a baseline, or without a pair, there is no change and no slice behind it."""
    judged = [query("a", slices=("s",)), query("b")]
    alone = compared(judged, {"a": "a", "b": "a"}, None, P10)
    no_pair = compared(judged, {"a": "a", "b": "a"}, {"other": "a"}, P10)

    assert ((), ()) == (found(alone, limit()), found(no_pair, limit()))
