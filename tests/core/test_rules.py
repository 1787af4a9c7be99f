"""Each rule is judged to one finding, checked here as a whole."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgate.core.catalog import Measure, Scale, parse_measure
from rankgate.core.comparison import Comparison, Delta, compare
from rankgate.core.findings import Finding, Status, apart, in_queries, number
from rankgate.core.judgments import Place, Query
from rankgate.core.limits import BOUNDARY, Gate, Limit, LimitKind
from rankgate.core.rankings import Failure, FailureKind
from rankgate.core.reference import Reference
from rankgate.core.rules import _headroom, _judge_limit, judge
from rankgate.core.scoring import Interval
from tests.property import strategies
from tests.support import golden, query, run

P1 = Measure("P", 1, 1)
JUDGED = Measure("Judged", 1)
ZERO = Measure("ZeroResults")
NDCG = Measure("nDCG", 10, dcg="exp-log2")
DOWN = Failure(FailureKind.STATUS, "503")
PLACE = Place("rankgate.yaml", 7, 5)

Rankings = Mapping[str, Iterable[str]]


def compared(
    queries: Iterable[Query],
    now: Rankings,
    before: Rankings | None = None,
    *,
    down: Iterable[str] = (),
    down_before: Iterable[str] = (),
    measures: Sequence[Measure] = (P1, ZERO, JUDGED),
    name: str = "",
) -> Comparison:
    failures = dict.fromkeys(down_before, DOWN)
    reference = None if before is None else Reference(run(before, failures=failures), name=name)
    return compare(golden(*queries), run(now, failures=dict.fromkeys(down, DOWN)), measures, reference)


def right(count: int, of: int) -> dict[str, list[str]]:
    """Rankings of so many queries, the first of which have a relevant first result."""
    return {f"q{number:03}": ["a"] if number < count else ["x"] for number in range(of)}


def share(now: int, of: int, before: int | None = None, *, down: int = 0, slices: tuple[str, ...] = ()) -> Comparison:
    """Of so many queries, *now* are right, and *before* were; the last *down* of them were not measured."""
    answers = right(now, of)
    failed = list(answers)[of - down :]
    return compared(
        [query(name, slices=slices) for name in answers],
        {name: ranking for name, ranking in answers.items() if name not in failed},
        None if before is None else right(before, of),
        down=failed,
    )


def findings(
    comparison: Comparison, *limits: Limit, lost_queries: int | None = None, max_errors: int = 0
) -> list[Finding]:
    return list(judge(Gate(limits, lost_queries, max_errors), comparison))


def drop(points: float | None, relative: float | None = None, kind: LimitKind = "max_drop") -> Limit:
    return Limit(kind, P1, points, relative, place=PLACE)


def finding_of(limit: Limit, before: float, now: float, queries: int = 100) -> Finding:
    """Judge a change of means that are known."""

    def exact(value: float) -> Interval:
        return Interval(value, value)

    return _judge_limit(
        limit,
        Delta(
            limit.measure,
            limit.slice,
            exact(now),
            queries,
            0,
            exact(before),
            exact(now),
            exact(now).minus(exact(before)),
            queries,
            same=queries,
        ),
    )


# Floors and ceilings.


def test_a_floor_that_holds() -> None:
    """The candidate alone is judged; a baseline has no part in it."""
    floor = Limit("floor", P1, 0.4, place=PLACE)

    assert [
        Finding(
            rule="floor",
            status=Status.PASS,
            message="P@1 is 0.5000 over 2 queries, floor 0.4000",
            measure=P1,
            limit=0.4,
            value=0.5,
            queries=2,
            place=PLACE,
        )
    ] == findings(share(1, 2, before=2), floor)


def test_a_floor_that_is_broken_on_a_slice() -> None:
    """The slice is named in the message and in the record."""
    floor = Limit("floor", P1, 0.51, slice="head", place=PLACE)

    assert [
        Finding(
            rule="floor",
            status=Status.FAIL,
            message="P@1 on slice 'head' is 0.5000 over 2 queries, floor 0.5100",
            measure=P1,
            slice="head",
            limit=0.51,
            value=0.5,
            queries=2,
            place=PLACE,
        )
    ] == findings(share(1, 2, slices=("head",)), floor)


def test_a_floor_missed_by_little_shows_the_difference() -> None:
    """Two numbers that print alike are printed with more digits."""
    finding = finding_of(Limit("floor", P1, 0.83), 0.85, 0.82996)

    assert (Status.FAIL, "P@1 is 0.82996 over 100 queries, floor 0.83000") == (finding.status, finding.message)


def test_a_floor_of_nothing() -> None:
    """It holds at nothing, and is printed as what it is."""
    finding = findings(share(0, 2), Limit("floor", P1, 0.0))[0]

    assert (Status.PASS, "P@1 is 0.0000 over 2 queries, floor 0.0000") == (finding.status, finding.message)


def test_a_floor_missed_by_exactly_the_residue_holds() -> None:
    """More than 1e-9 is a miss, that much is not; also where a failed query makes it the worst case."""
    floor = Limit("floor", P1, BOUNDARY)

    assert [Status.PASS, Status.PASS] == [
        findings(comparison, floor, max_errors=1)[-1].status for comparison in (share(0, 2), share(0, 2, down=1))
    ]


def test_a_ceiling() -> None:
    """Where lower is better the limit is above: one of four queries finds nothing."""
    comparison = compared([query(name) for name in "abcd"], {"a": [], "b": ["a"], "c": ["a"], "d": ["a"]})
    broken = Finding(
        rule="ceiling",
        status=Status.FAIL,
        message="ZeroResults is 0.2500 over 4 queries, ceiling 0.2000",
        measure=ZERO,
        limit=0.2,
        value=0.25,
        queries=4,
    )
    held = replace(
        broken, status=Status.PASS, message="ZeroResults is 0.2500 over 4 queries, ceiling 0.2500", limit=0.25
    )

    assert [broken, held] == findings(comparison, Limit("ceiling", ZERO, 0.2), Limit("ceiling", ZERO, 0.25))


# Drops and rises.


def test_a_drop_beyond_its_limit() -> None:
    """Both means, the change, and the limit in points and in queries."""
    assert [
        Finding(
            rule="max_drop",
            status=Status.FAIL,
            message="P@1 fell by 0.5000, from 1.0000 to 0.5000 over 4 queries; max_drop 0.2500 = 1 of 4 queries",
            measure=P1,
            limit=0.25,
            limit_queries=1.0,
            value=0.5,
            baseline=1.0,
            change=-0.5,
            queries=4,
            place=PLACE,
        )
    ] == findings(share(2, 4, before=4), drop(0.25))


def test_a_drop_that_only_warns() -> None:
    """The same numbers, reported and not failed."""
    assert [
        Finding(
            rule="warn_drop",
            status=Status.WARN,
            message="P@1 fell by 0.2500, from 1.0000 to 0.7500 over 4 queries; warn_drop 0.1000 = 0.4 of 4 queries",
            measure=P1,
            limit=0.1,
            limit_queries=0.4,
            value=0.75,
            baseline=1.0,
            change=-0.25,
            queries=4,
            place=PLACE,
        )
    ] == findings(share(3, 4, before=4), drop(0.1, kind="warn_drop"))


def test_no_change() -> None:
    """Said as such, with the limit that it was held against."""
    assert [
        Finding(
            rule="max_drop",
            status=Status.PASS,
            message="P@1 stayed at 0.7500 over 4 queries; max_drop 0.0000 = 0 of 4 queries",
            measure=P1,
            limit=0.0,
            limit_queries=0.0,
            value=0.75,
            baseline=0.75,
            change=0.0,
            queries=4,
            place=PLACE,
        )
    ] == findings(share(3, 4, before=3), drop(0.0))


@pytest.mark.parametrize(("before", "now"), [(0.0, BOUNDARY), (BOUNDARY, 0.0)], ids=["up", "down"])
def test_a_change_of_exactly_the_residue_is_none(before: float, now: float) -> None:
    """Said as such, and no headroom."""
    limit = drop(0.0)

    finding = finding_of(limit, before, now)

    assert (Status.PASS, "P@1 stayed at 0.0000 over 100 queries; max_drop 0.0000 = 0 of 100 queries") == (
        finding.status,
        finding.message,
    )
    assert [] == list(_headroom(limit, finding))


@pytest.mark.parametrize(
    ("before", "now", "status", "message"),
    [
        pytest.param(
            1, 2, Status.FAIL, "ZeroResults rose by 0.2500, from 0.2500 to 0.5000 over 4 queries", id="a rise is worse"
        ),
        pytest.param(
            2, 1, Status.PASS, "ZeroResults fell by 0.2500, from 0.5000 to 0.2500 over 4 queries", id="a fall is better"
        ),
    ],
)
def test_a_rise_where_lower_is_better(before: int, now: int, status: Status, message: str) -> None:
    """max_rise fails on a rise and never on a fall."""
    names = "abcd"
    sides = [{name: [] if n < empty else ["a"] for n, name in enumerate(names)} for empty in (before, now)]
    comparison = compared([query(name) for name in names], sides[1], sides[0])

    finding = findings(comparison, Limit("max_rise", ZERO, 0.02))[0]

    assert (status, f"{message}; max_rise 0.0200 = 0.08 of 4 queries") == (finding.status, finding.message)


@pytest.mark.parametrize("queries", [80, 100, 120])
@pytest.mark.parametrize("lost", [1, 2])
def test_a_drop_of_exactly_the_limit_passes_at_every_starting_value(queries: int, lost: int) -> None:
    """Floats make some of these drops larger than the limit; one more query always fails."""
    limit = drop(lost / queries)
    statuses = {
        (fall - lost, findings(share(before - fall, queries, before=before), limit)[0].status)
        for before in range(lost + 1, queries + 1)
        for fall in (lost, lost + 1)
    }

    assert {(0, Status.PASS), (1, Status.FAIL)} == statuses


@pytest.mark.parametrize("queries", [80, 100, 120])
@pytest.mark.parametrize("kind", ["max_drop", "max_rise", "floor", "ceiling"])
def test_exactly_the_limit_passes_for_every_rule_at_every_value(queries: int, kind: LimitKind) -> None:
    """Means computed in the plainest way, with all their residue; a hundredth of a query more fails."""
    lower_is_better = kind in {"max_rise", "ceiling"}
    sign = 1 if lower_is_better else -1
    measure = ZERO if lower_is_better else P1
    seen = set()
    for start in range(2, queries - 1):
        before, now = start / queries, (start + sign * 2) / queries
        points = now if kind in {"floor", "ceiling"} else 2 / queries
        limit = Limit(kind, measure, points)
        beyond = now + sign * 0.01 / queries
        seen.add((finding_of(limit, before, now).status, finding_of(limit, before, beyond).status))

    assert {(Status.PASS, Status.FAIL)} == seen


def test_the_published_boundary_cases() -> None:
    """0.85 - 0.83 is 0.020000000000000018 in floats and passes; 0.82996 fails and its message shows by how much."""
    held, broken = finding_of(drop(0.02), 0.85, 0.83), finding_of(drop(0.02), 0.85, 0.82996)

    assert 0.85 - 0.83 > 0.02
    assert (
        Status.PASS,
        "P@1 fell by 0.0200, from 0.8500 to 0.8300 over 100 queries; max_drop 0.0200 = 2 of 100 queries",
    ) == (held.status, held.message)
    assert (
        Status.FAIL,
        "P@1 fell by 0.02004, from 0.8500 to 0.8300 over 100 queries; max_drop 0.0200 = 2 of 100 queries",
    ) == (broken.status, broken.message)


@pytest.mark.parametrize(
    ("points", "relative", "before", "now", "status"),
    [
        pytest.param(None, 0.05, 0.80, 0.76, Status.PASS, id="exactly 5 %"),
        pytest.param(None, 0.049, 0.80, 0.76, Status.FAIL, id="more than 4.9 %"),
        pytest.param(0.02, 0.05, 0.80, 0.77, Status.PASS, id="points exceeded, share not"),
        pytest.param(0.02, 0.05, 0.20, 0.185, Status.PASS, id="share exceeded, points not"),
        pytest.param(0.02, 0.05, 0.80, 0.75, Status.FAIL, id="both exceeded"),
        pytest.param(0.02, 0.05, 0.20, 0.17, Status.FAIL, id="both exceeded, low"),
        pytest.param(None, 0.05, 0.80, 0.0, Status.FAIL, id="a fall to zero"),
        pytest.param(None, 1.0, 0.80, 0.0, Status.PASS, id="a fall to zero is 100 %"),
        pytest.param(None, 0.05, 0.0, 0.0, Status.PASS, id="zero stays zero"),
        pytest.param(None, 0.05, 0.0, 0.3, Status.PASS, id="a rise from zero"),
    ],
)
def test_relative_limits_of_a_drop(
    points: float | None, relative: float, before: float, now: float, status: Status
) -> None:
    """A share of the baseline; where points stand beside it, both must be exceeded."""
    assert status == finding_of(drop(points, relative), before, now).status


@pytest.mark.parametrize(
    ("before", "now", "status"),
    [(0.0, 0.0, Status.PASS), (0.0, 0.05, Status.FAIL), (0.2, 0.21, Status.PASS), (0.2, 0.22, Status.FAIL)],
)
def test_relative_limits_of_a_rise_on_a_baseline_of_zero_too(before: float, now: float, status: Status) -> None:
    """5 % of nothing is nothing: any rise from zero is more, and no division takes place."""
    assert status == finding_of(Limit("max_rise", ZERO, None, 0.05), before, now).status


def test_a_finding_of_a_relative_limit_alone() -> None:
    """Without points there is no limit in queries."""
    assert Finding(
        rule="max_drop",
        status=Status.FAIL,
        message="P@1 fell by 0.5000, from 1.0000 to 0.5000 over 2 queries; max_drop 5% of the value before",
        measure=P1,
        limit_relative=0.05,
        value=0.5,
        baseline=1.0,
        change=-0.5,
        queries=2,
        place=PLACE,
    ) == finding_of(drop(None, 0.05), 1.0, 0.5, queries=2)


def test_a_message_of_both_limits_names_both() -> None:
    """Points in queries, and the share."""
    assert (
        "P@1 fell by 0.1000, from 0.8000 to 0.7000 over 100 queries; "
        "max_drop 0.0200 = 2 of 100 queries and 5% of the value before"
    ) == finding_of(drop(0.02, 0.05), 0.8, 0.7).message


# What was not measured, or too little.


@pytest.mark.parametrize(
    ("floor", "status", "sure"),
    [
        pytest.param(0.8, Status.FAIL, "is broken even at best", id="broken even at best"),
        pytest.param(0.75, Status.UNDECIDED, "could be broken", id="holds at best only"),
        pytest.param(0.51, Status.UNDECIDED, "could be broken", id="could be either"),
        pytest.param(0.5, Status.PASS, "holds even at worst", id="holds even at worst"),
    ],
)
def test_a_floor_with_failed_queries_is_bounded(floor: float, status: Status, sure: str) -> None:
    """Two of four right, one not measured: between 0.5 and 0.75; the worst is judged, and the bounds are said."""
    comparison = share(2, 4, down=1)

    assert (
        Finding(
            rule="floor",
            status=status,
            message=f"P@1 is between 0.5000 and 0.7500 over 4 queries (1 not measured); floor {floor:.4f} {sure}",
            measure=P1,
            limit=floor,
            value=0.5,
            queries=4,
        )
        == findings(comparison, Limit("floor", P1, floor), max_errors=1)[-1]
    )


@pytest.mark.parametrize(
    ("before", "points", "status", "sure"),
    [
        pytest.param(4, 0.2, Status.FAIL, "is broken even at best", id="fell even at best"),
        pytest.param(4, 0.25, Status.UNDECIDED, "could be broken", id="could be either"),
        pytest.param(4, 0.5, Status.PASS, "holds even at worst", id="holds even at worst"),
        pytest.param(2, 0.0, Status.PASS, "holds even at worst", id="rose at best"),
    ],
)
def test_a_drop_with_failed_queries_is_bounded(before: int, points: float, status: Status, sure: str) -> None:
    """Two of four right now, one not measured, against a known baseline."""
    finding = findings(share(2, 4, before=before, down=1), drop(points), max_errors=1)[1]

    assert (
        status,
        (
            f"P@1 is between 0.5000 and 0.7500 over 4 queries (1 not measured), was {before / 4:.4f}; "
            f"max_drop {points:.4f} = {4 * points:g} of 4 queries {sure}"
        ),
    ) == (finding.status, finding.message)


def test_a_drop_that_only_warns_warns_if_it_could_be_broken() -> None:
    """A warning is never undecided; what nobody measured is not said to have fallen."""
    finding = findings(share(3, 4, before=4, down=1), drop(0.1, kind="warn_drop"), max_errors=1)[1]

    assert (
        Status.WARN,
        (
            "P@1 is between 0.7500 and 1.0000 over 4 queries (1 not measured), was 1.0000; "
            "warn_drop 0.1000 = 0.4 of 4 queries could be broken"
        ),
    ) == (finding.status, finding.message)


def test_a_ceiling_with_failed_queries_shows_the_worst() -> None:
    """The upper end, where lower is better."""
    comparison = compared([query("q1"), query("q2")], {"q1": ["a"]}, down=["q2"])

    finding = findings(comparison, Limit("ceiling", ZERO, 0.2), max_errors=1)[-1]

    assert (
        Finding(
            rule="ceiling",
            status=Status.UNDECIDED,
            message="ZeroResults is between 0.0000 and 0.5000 over 2 queries (1 not measured); "
            "ceiling 0.2000 could be broken",
            measure=ZERO,
            limit=0.2,
            value=0.5,
            queries=2,
        )
        == finding
    )


def test_nothing_measured_never_passes() -> None:
    """All queries failed: every rule could go either way, and errors alone are reason enough."""
    comparison = share(0, 2, before=2, down=2)

    assert [
        Finding(
            rule="max_errors",
            status=Status.UNDECIDED,
            message="2 of 2 queries were not measured; max_errors allows 5",
            limit=5.0,
            limit_queries=5.0,
            value=2.0,
            queries=2,
            query_ids=("q000", "q001"),
        ),
        Finding(
            rule="floor",
            status=Status.UNDECIDED,
            message="P@1: none of 2 queries was measured",
            measure=P1,
            limit=0.5,
            queries=2,
        ),
    ] == findings(comparison, Limit("floor", P1, 0.5), max_errors=5)


def test_nothing_measured_of_a_slice_is_said_of_the_slice() -> None:
    """With both limits and the place of the rule."""
    comparison = share(0, 2, before=2, down=2, slices=("head",))
    limit = Limit("max_drop", P1, 0.02, 0.05, slice="head", place=PLACE)

    assert (
        Finding(
            rule="max_drop",
            status=Status.UNDECIDED,
            message="P@1 on slice 'head': none of 2 queries was measured",
            measure=P1,
            slice="head",
            limit=0.02,
            limit_relative=0.05,
            queries=2,
            place=PLACE,
        )
        == findings(comparison, limit)[-1]
    )


def test_an_undefined_measure_never_passes() -> None:
    """Judged of empty answers only: no number, so no pass."""
    comparison = compared([query("q")], {"q": []}, {"q": ["a"]})

    assert [
        Finding(
            rule="floor",
            status=Status.UNDECIDED,
            message="Judged@1: floor not gated (n=0 < 1)",
            measure=JUDGED,
            limit=0.0,
        )
    ] == findings(comparison, Limit("floor", JUDGED, 0.0))


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        (Limit("floor", JUDGED, 0.0, slice="s"), "Judged@1 on slice 's': floor not gated (n=0 < 1)"),
        (Limit("floor", JUDGED, 0.0, min_queries=2), "Judged@1: floor not gated (n=0 < 2)"),
    ],
    ids=["a slice", "the whole set, with a size asked for"],
)
def test_an_undefined_measure_is_not_gated_where_few_queries_are_foreseen(limit: Limit, message: str) -> None:
    """A slice may be empty, and who asks for two queries has said what becomes of fewer."""
    finding = findings(compared([query("q", slices=("s",))], {"q": []}), limit)[0]

    assert (Status.NOT_GATED, message) == (finding.status, finding.message)


def test_a_slice_that_is_too_small_is_not_gated() -> None:
    """Shown with how many there are and how many it takes."""
    limit = Limit("max_drop", P1, 0.02, 0.05, "jargon", min_queries=10, place=PLACE)

    assert [
        Finding(
            rule="max_drop",
            status=Status.NOT_GATED,
            message="P@1 on slice 'jargon': max_drop not gated (n=6 < 10)",
            measure=P1,
            slice="jargon",
            limit=0.02,
            limit_relative=0.05,
            queries=6,
            place=PLACE,
        )
    ] == findings(share(0, 6, before=6, slices=("jargon",)), limit)


def test_a_slice_of_exactly_min_queries_is_gated() -> None:
    """The bound is inclusive."""
    limit = Limit("max_drop", P1, 0.02, slice="jargon", min_queries=6)

    assert Status.FAIL is findings(share(0, 6, before=6, slices=("jargon",)), limit)[0].status


def test_a_slice_of_new_queries_has_a_floor_and_no_drop() -> None:
    """What the baseline does not know cannot have fallen."""
    comparison = compared([query("new", slices=("s",)), query("old")], {"new": ["x"], "old": ["a"]}, {"old": ["a"]})
    limits = Limit("max_drop", P1, 0.0, slice="s"), Limit("floor", P1, 0.5, slice="s")

    assert [
        (Status.NOT_GATED, "P@1 on slice 's': max_drop not gated (nothing to compare with)"),
        (Status.FAIL, "P@1 on slice 's' is 0.0000 over 1 query, floor 0.5000"),
    ] == [(finding.status, finding.message) for finding in findings(comparison, *limits)]


def test_nothing_to_compare_is_said() -> None:
    """All texts are new: every drop rule is out, and a gate of drops alone must not look green."""
    comparison = compare(
        golden(query("q", text="new words")), run({"q": ["x"]}), [P1], Reference(run({"q": ["a"]}, texts={"q": "old"}))
    )

    assert [
        Finding("no_baseline", Status.WARN, "nothing was compared: no query is in the baseline with the same text"),
        Finding(
            rule="max_drop",
            status=Status.NOT_GATED,
            message="P@1: max_drop not gated (nothing to compare with)",
            measure=P1,
            limit=0.02,
            place=PLACE,
        ),
    ] == findings(comparison, drop(0.02))
    assert [Status.FAIL] == [finding.status for finding in findings(comparison, Limit("floor", P1, 0.5))]


def test_judging_without_a_baseline_on_purpose_is_said() -> None:
    """Only floors, ceilings and pins; a drop rule is not gated, lost queries are not counted."""
    gate = Gate((drop(0.02),), lost_queries=0)

    assert [
        Finding("no_baseline", Status.WARN, "nothing was compared: only floors, ceilings and pins were judged"),
        Finding(
            rule="max_drop",
            status=Status.NOT_GATED,
            message="P@1: max_drop not gated (nothing to compare with)",
            measure=P1,
            limit=0.02,
            place=PLACE,
        ),
    ] == list(judge(gate, share(1, 2), floors_only=True))


@pytest.mark.parametrize(
    ("failed", "allowed", "status"),
    [(1, 0, Status.UNDECIDED), (1, 1, Status.WARN), (2, 1, Status.UNDECIDED), (4, 4, Status.UNDECIDED)],
    ids=["none allowed", "as many as allowed", "one too many", "all, however many are allowed"],
)
def test_errors_up_to_the_maximum_warn(failed: int, allowed: int, status: Status) -> None:
    """More, or all of them, leave the gate without an answer."""
    assert [
        Finding(
            rule="max_errors",
            status=status,
            message=f"{failed} of 4 queries {'was' if failed == 1 else 'were'} not measured; max_errors allows {allowed}",
            limit=float(allowed),
            limit_queries=float(allowed),
            value=float(failed),
            queries=4,
            query_ids=("q000", "q001", "q002", "q003")[4 - failed :],
        )
    ] == findings(share(4, 4, down=failed), max_errors=allowed)


# What was not measured of the other side.


@pytest.mark.parametrize(
    ("down", "down_before", "allowed", "statuses"),
    [
        pytest.param("", "d", 0, {"reference_errors": Status.UNDECIDED}, id="none allowed"),
        pytest.param("", "d", 1, {"reference_errors": Status.WARN}, id="as many as allowed"),
        pytest.param("", "abcd", 4, {"reference_errors": Status.UNDECIDED}, id="all, however many are allowed"),
        pytest.param("a", "", 1, {"max_errors": Status.WARN}, id="of this run alone"),
        pytest.param(
            "a", "d", 1, {"max_errors": Status.WARN, "reference_errors": Status.WARN}, id="as many of both sides"
        ),
        pytest.param(
            "ab",
            "cd",
            2,
            {"max_errors": Status.WARN, "reference_errors": Status.UNDECIDED},
            id="no query of both sides is left",
        ),
    ],
)
def test_errors_of_the_other_side_count_as_much(
    down: str, down_before: str, allowed: int, statuses: Mapping[str, Status]
) -> None:
    """Up to the maximum they warn; more, or too many to compare anything, leave the gate without an answer."""
    sides = [{name: ["a"] for name in "abcd" if name not in failed} for failed in (down, down_before)]
    comparison = compared(
        [query(name) for name in "abcd"], *sides, down=down, down_before=[*down_before, "removed"], name="staging"
    )
    found = [each for each in findings(comparison, max_errors=allowed) if each.rule != "removed"]

    assert statuses == {each.rule: each.status for each in found}


def test_errors_of_the_other_side_are_named() -> None:
    """By what the reader calls it; of a query that the golden set no longer has nothing is said."""
    failed = {"q1": DOWN, "q2": DOWN, "gone": DOWN}
    sides = run({"q1": ["a"], "q2": ["a"], "q3": ["a"]}), run({"q3": ["a"]}, failures=failed)
    messages = [
        [
            (each.rule, each.message, each.query_ids)
            for each in judge(
                Gate(), compare(golden(*map(query, ("q1", "q2", "q3"))), run_, [P1], reference), exact=exact
            )
            if each.rule != "removed"
        ]
        for run_, reference, exact in (
            (sides[0], Reference(sides[1]), None),
            (sides[0], Reference(sides[1], name="http://b"), None),
            (sides[0], Reference(sides[0]), Reference(sides[1], name="exact")),
        )
    ]

    assert [
        [
            (
                "reference_errors",
                f"2 of 3 queries of {name} were not measured; max_errors allows 0",
                ("q1", "q2"),
            )
        ]
        for name in ("the baseline", "http://b", "exact")
    ] == messages


def test_a_baseline_with_failed_queries_is_taken_at_its_worst() -> None:
    """The change is the worst that it can be, and no gain that a lower bound feigns gives headroom."""
    comparison = compared([query("q1"), query("q2")], {"q1": ["a"], "q2": ["x"]}, {}, down_before=["q1", "q2"])
    comparison = replace(comparison, reference=Reference(run({"q1": ["x"]}, failures={"q2": DOWN})))

    assert [
        Finding(
            rule="max_drop",
            status=Status.PASS,
            message="P@1 is 0.5000 over 2 queries (1 not measured), was between 0.0000 and 0.5000; "
            "max_drop 0.1000 = 0.2 of 2 queries holds even at worst",
            measure=P1,
            limit=0.1,
            limit_queries=0.2,
            value=0.5,
            baseline=0.5,
            change=0.0,
            queries=2,
            place=PLACE,
        )
    ] == findings(comparison, drop(0.1), max_errors=1)[1:]


def test_a_rise_from_a_baseline_with_failed_queries_is_taken_at_its_worst() -> None:
    """Where lower is better the worst is a rise from the lower end; both sides can be open."""
    names = "abcd"
    comparison = compared(
        [query(name) for name in names],
        {"a": [], "b": [], "c": ["a"]},
        {"a": [], "b": ["a"], "d": ["a"]},
        down="d",
        down_before="c",
    )
    finding = findings(comparison, Limit("max_rise", ZERO, 0.1), max_errors=1)[2]

    assert (Status.UNDECIDED, 0.75, 0.25, 0.5) == (finding.status, finding.value, finding.baseline, finding.change)
    assert (
        "ZeroResults is between 0.5000 and 0.7500 over 4 queries (2 not measured), was between 0.2500 and 0.5000; "
        "max_rise 0.1000 = 0.4 of 4 queries could be broken"
    ) == finding.message


@pytest.mark.parametrize("kind", ["max_drop", "warn_drop"])
def test_where_no_query_was_measured_on_both_sides_nothing_is_compared(kind: LimitKind) -> None:
    """Though each side was measured, and no value could have fallen."""
    comparison = compared([query("q1"), query("q2")], {"q1": ["a"]}, {"q2": ["a"]}, down=["q2"], down_before=["q1"])
    finding = findings(comparison, drop(1.0, kind=kind), max_errors=2)[-1]

    assert (Status.UNDECIDED, "P@1: none of 2 queries was measured on both sides", 2) == (
        finding.status,
        finding.message,
        finding.queries,
    )


def test_a_floor_stands_whatever_the_other_side_measured() -> None:
    """It is a rule of the candidate alone."""
    comparison = compared([query("q")], {"q": ["a"]}, {}, down_before=["q"])

    assert Status.PASS is findings(comparison, Limit("floor", P1, 0.5))[-1].status


@pytest.mark.parametrize(
    "comparison",
    [
        pytest.param(compared([query("q")], {"q": ["a"]}), id="no baseline"),
        pytest.param(
            compare(golden(query("q", text="new")), run({"q": ["a"]}), [P1], Reference(run({"q": ["a"]}))),
            id="reworded",
        ),
        pytest.param(compared([query("q")], {"q": ["a"]}, {"q": []}, measures=[JUDGED]), id="no value in the baseline"),
    ],
)
def test_why_a_change_is_not_gated(comparison: Comparison) -> None:
    """There is nothing to compare with, whatever the reason."""
    measure = comparison.measures[0]

    assert f"{measure}: max_drop not gated (nothing to compare with)" in {
        finding.message for finding in findings(comparison, Limit("max_drop", measure, 0.1))
    }


# Headroom.


def test_a_gain_of_more_than_the_allowed_drop_warns() -> None:
    """A later drop of that size would go unseen until the run is accepted."""
    passed, headroom = findings(share(4, 4, before=2), drop(0.25))

    assert Status.PASS is passed.status
    assert (
        Finding(
            rule="headroom",
            status=Status.WARN,
            message="P@1 is better than the baseline by 0.5000, more than its max_drop of 0.2500: "
            "accept this run, or a later drop of that size goes unseen",
            measure=P1,
            limit=0.25,
            value=1.0,
            baseline=0.5,
            change=0.5,
            queries=4,
            place=PLACE,
        )
        == headroom
    )


def test_headroom_of_a_rise_on_a_slice() -> None:
    """Fewer zero results than before, by more than they may rise."""
    comparison = compared([query("q", slices=("s",))], {"q": ["a"]}, {"q": []})

    _, headroom = findings(comparison, Limit("max_rise", ZERO, 0.1, slice="s", place=PLACE))

    assert (
        Finding(
            rule="headroom",
            status=Status.WARN,
            message="ZeroResults on slice 's' is better than the baseline by 1.0000, more than its max_rise of 0.1000: "
            "accept this run, or a later drop of that size goes unseen",
            measure=ZERO,
            slice="s",
            limit=0.1,
            value=0.0,
            baseline=1.0,
            change=-1.0,
            queries=1,
            place=PLACE,
        )
        == headroom
    )


@pytest.mark.parametrize(
    ("limit", "now"),
    [
        pytest.param(drop(0.25), 3, id="a gain of exactly the limit"),
        pytest.param(drop(0.25), 2, id="no gain"),
        pytest.param(drop(0.25), 1, id="a drop within the limit"),
        pytest.param(drop(0.1, kind="warn_drop"), 4, id="a rule that only warns"),
        pytest.param(drop(None, 0.05), 4, id="a relative limit alone"),
        pytest.param(Limit("floor", P1, 0.1), 4, id="a floor"),
    ],
)
def test_no_headroom(limit: Limit, now: int) -> None:
    """Only a gain of more than the points of a failing drop rule is worth a word."""
    assert ["pass"] == [finding.status.value for finding in findings(share(now, 4, before=2), limit)]


def test_no_headroom_where_nothing_is_accepted() -> None:
    """Another service has no file that a better run could stand in."""
    comparison = compared([query("q")], {"q": ["a"]}, {"q": ["x"]}, name="staging")

    assert ["max_drop"] == [finding.rule for finding in findings(comparison, drop(0.1))]


# Lost queries.


def test_lost_queries_are_counted_gross() -> None:
    """Two lost and two gained: the mean stands still, and the rule fails."""
    names = ["gained1", "gained2", "lost1", "lost2"]
    before = {name: ["a"] if name.startswith("lost") else ["x"] for name in names}
    now = {name: ["x"] if name.startswith("lost") else ["a"] for name in names}
    gate = Gate((drop(0.0),), lost_queries=1, lost_queries_place=PLACE)

    mean, lost = judge(gate, compared([query(name) for name in names], now, before))

    assert (Status.PASS, 0.0) == (mean.status, mean.change)
    assert (
        Finding(
            rule="lost_queries",
            status=Status.FAIL,
            message="2 queries lost a relevant first result or newly return nothing; lost_queries allows 1",
            limit=1.0,
            limit_queries=1.0,
            value=2.0,
            queries=4,
            query_ids=("lost1", "lost2"),
            place=PLACE,
        )
        == lost
    )


@pytest.mark.parametrize(
    ("lost", "down", "allowed", "status", "message"),
    [
        (0, 0, 0, Status.PASS, "0 queries lost a relevant first result or newly return nothing; lost_queries allows 0"),
        (1, 0, 1, Status.PASS, "1 query lost a relevant first result or newly return nothing; lost_queries allows 1"),
        (
            1,
            1,
            1,
            Status.UNDECIDED,
            "1 query lost a relevant first result or newly return nothing, and 1 more may be; lost_queries allows 1",
        ),
        (
            2,
            1,
            1,
            Status.FAIL,
            "2 queries lost a relevant first result or newly return nothing, and 1 more may be; lost_queries allows 1",
        ),
        (
            0,
            1,
            1,
            Status.PASS,
            "0 queries lost a relevant first result or newly return nothing, and 1 more may be; lost_queries allows 1",
        ),
    ],
    ids=["none", "as many as allowed", "failed ones could be too many", "too many already", "too few at worst"],
)
def test_lost_queries_and_those_that_may_be(lost: int, down: int, allowed: int, status: Status, message: str) -> None:
    """What failed is counted neither as lost nor as kept."""
    comparison = share(4 - lost - down, 4, before=4, down=down)

    finding = findings(comparison, lost_queries=allowed, max_errors=4)[-1]

    assert (status, message, float(lost)) == (finding.status, finding.message, finding.value)


# Pins.


@pytest.mark.parametrize(
    ("ranking", "status", "value", "says"),
    [
        pytest.param(["a"], Status.PASS, 1.0, "it is 1.0000", id="met"),
        pytest.param(["x", "a"], Status.FAIL, 0.0, "it is 0.0000", id="missed"),
        pytest.param([], Status.FAIL, 0.0, "it is 0.0000", id="nothing found"),
        pytest.param(None, Status.UNDECIDED, None, "it was not measured", id="not measured"),
    ],
)
def test_a_pinned_must(ranking: list[str] | None, status: Status, value: float | None, says: str) -> None:
    """A query that may not fall below a value, whatever the means say."""
    pinned = query("q", must={P1: 1.0}, place=PLACE)
    comparison = compared([pinned], {} if ranking is None else {"q": ranking}, down=["q"] if ranking is None else [])

    assert (
        Finding(
            rule="must",
            status=status,
            message=f"query 'q' must have P@1 of at least 1.0000: {says}",
            measure=P1,
            limit=1.0,
            value=value,
            queries=1,
            query_ids=("q",),
            place=PLACE,
        )
        == findings(comparison, max_errors=1)[-1]
    )


def test_a_must_where_lower_is_better_and_one_that_is_undefined() -> None:
    """At most; and a value that does not exist does not meet the pin."""
    pinned = query("q", must={ZERO: 0.0, JUDGED: 0.5})

    assert [
        (Status.FAIL, "query 'q' must have Judged@1 of at least 0.5000: it is undefined for this query"),
        (Status.FAIL, "query 'q' must have ZeroResults of at most 0.0000: it is 1.0000"),
    ] == [(finding.status, finding.message) for finding in findings(compared([pinned], {"q": []}))]


def test_a_must_where_lower_is_better_is_met_at_its_value() -> None:
    """At most 1 is met by 1."""
    finding = findings(compared([query("q", must={ZERO: 1.0})], {"q": []}))[0]

    assert (Status.PASS, "query 'q' must have ZeroResults of at most 1.0000: it is 1.0000") == (
        finding.status,
        finding.message,
    )


def test_a_must_missed_by_exactly_the_residue_is_met() -> None:
    """More than 1e-9 is a miss, that much is not."""
    finding = findings(compared([query("q", must={P1: BOUNDARY})], {"q": ["x"]}))[0]

    assert (Status.PASS, 0.0) == (finding.status, finding.value)


def test_a_must_is_met_exactly_and_up_to_the_residue_of_floats() -> None:
    """A pin written with ten digits is met by a third; what is missed by little is shown with enough digits."""
    third = parse_measure("P@3", Scale())
    comparison = compared(
        [query("q1", must={third: 0.3333333334}), query("q2", must={third: 0.33334})],
        {"q1": ["a"], "q2": ["a"]},
        measures=[third],
    )

    assert [
        (Status.PASS, "query 'q1' must have P@3 of at least 0.3333: it is 0.3333"),
        (Status.FAIL, "query 'q2' must have P@3 of at least 0.3333: it is 0.33333"),
    ] == [(finding.status, finding.message) for finding in findings(comparison)]


@pytest.mark.parametrize(
    ("ranking", "status", "value", "documents", "says"),
    [
        pytest.param(["a", "b", "c"], Status.PASS, 0.0, (), "none is there", id="below the cutoff"),
        pytest.param(["c", "a"], Status.FAIL, 1.0, ("c",), "'c' is at rank 1", id="one"),
        pytest.param(["d", "c"], Status.FAIL, 2.0, ("c", "d"), "'c' is at rank 2, 'd' is at rank 1", id="both"),
        pytest.param([], Status.PASS, 0.0, (), "none is there", id="nothing found"),
        pytest.param(None, Status.UNDECIDED, None, (), "it was not measured", id="not measured"),
    ],
)
def test_a_pinned_never(
    ranking: list[str] | None, status: Status, value: float | None, documents: tuple[str, ...], says: str
) -> None:
    """Documents that may not be among the first two."""
    pinned = query("q", never=("c", "d"), never_within=2, place=PLACE)
    comparison = compared([pinned], {} if ranking is None else {"q": ranking}, down=["q"] if ranking is None else [])

    assert (
        Finding(
            rule="never",
            status=status,
            message=f"query 'q' must not show any of 'c', 'd' in its first 2: {says}",
            limit=0.0,
            value=value,
            queries=1,
            query_ids=("q",),
            documents=documents,
            place=PLACE,
        )
        == findings(comparison, max_errors=1)[-1]
    )


def test_a_pinned_never_of_one_document() -> None:
    """In the singular, and within the first page unless it says otherwise."""
    pinned = query("q", never=("c",))
    said = [findings(compared([pinned], {"q": ranking}))[0].message for ranking in (["a"], ["a", "c"])]

    assert [
        "query 'q' must not show 'c' in its first 10: it is not there",
        "query 'q' must not show 'c' in its first 10: it is at rank 2",
    ] == said


@pytest.mark.parametrize(
    ("ranking", "status", "value", "says"),
    [
        pytest.param([], Status.PASS, 0.0, "nothing came back", id="nothing"),
        pytest.param(["x", "y", "z", "w"], Status.FAIL, 4.0, "4 came back, first 'x'", id="something"),
        pytest.param(None, Status.UNDECIDED, None, "it was not measured", id="not measured"),
    ],
)
def test_a_query_that_expects_nothing(
    ranking: list[str] | None, status: Status, value: float | None, says: str
) -> None:
    """An empty answer is the right one; a request that failed is no empty answer."""
    nothing = query("q", {}, expects_nothing=True, place=PLACE)
    comparison = compared([nothing], {} if ranking is None else {"q": ranking}, down=["q"] if ranking is None else [])

    assert (
        Finding(
            rule="expects",
            status=status,
            message=f"query 'q' expects nothing: {says}",
            value=value,
            limit=0.0,
            queries=1,
            query_ids=("q",),
            documents=tuple((ranking or [])[:3]),
            place=PLACE,
        )
        == findings(comparison, max_errors=1)[-1]
    )


# The set itself.


@pytest.mark.parametrize(
    ("removed", "says"),
    [
        (1, "1 query of the baseline is no longer in the golden set: 'r0'"),
        (5, "5 queries of the baseline are no longer in the golden set: 'r0', 'r1', 'r2', 'r3', 'r4'"),
        (7, "7 queries of the baseline are no longer in the golden set: 'r0', 'r1', 'r2', 'r3', 'r4' and 2 more"),
    ],
)
def test_removed_queries_fail_until_accepted(removed: int, says: str) -> None:
    """Or a regression could be hidden by taking its query out; all are in the record, five in the message."""
    names = tuple(f"r{n}" for n in range(removed))
    comparison = compared([query("q")], {"q": ["a"]}, {"q": ["a"]} | {name: ["a"] for name in names})

    assert [
        Finding(
            rule="removed",
            status=Status.FAIL,
            message=f"{says}; accept a new baseline if that is meant",
            limit=0.0,
            value=float(removed),
            query_ids=names,
        )
    ] == findings(comparison)


def test_an_id_that_only_looks_like_a_judged_one_warns() -> None:
    """Both in escaped form, for on screen they are the same."""
    comparison = compared([query("q", {"caf\u00e9": 1, "a": 1})], {"q": ["a", "cafe\u0301"]})

    assert [
        Finding(
            rule="twins",
            status=Status.WARN,
            message="query 'q': the returned id 'cafe\\u0301' differs from the judged 'caf\\xe9' only in Unicode "
            "normalisation; here they are two documents",
            queries=1,
            query_ids=("q",),
            documents=("cafe\u0301", "caf\u00e9"),
        )
    ] == findings(comparison)


def test_findings_come_in_one_order() -> None:
    """What was not measured, limits as configured each with its headroom, lost queries, pins by query, removed ones."""
    queries = [
        query("b", must={P1: 1.0}, never=("z",)),
        query("a", {}, expects_nothing=True),
        query("c", {"caf\u00e9": 1}),
        query("d"),
    ]
    before = {name: ["x"] for name in "bcdr"}
    comparison = compared(queries, {"b": ["a"], "a": [], "c": ["cafe\u0301"]}, before, down=["d"])
    gate = Gate((drop(0.1), Limit("floor", P1, 0.1)), lost_queries=5, max_errors=1)

    assert [
        "max_errors",
        "max_drop",
        "headroom",
        "floor",
        "lost_queries",
        "expects",
        "must",
        "never",
        "removed",
        "twins",
    ] == [finding.rule for finding in judge(gate, comparison)]


def test_a_run_against_itself_breaks_no_drop_rule() -> None:
    """With limits of nothing at all."""
    comparison = share(2, 4, before=2)
    limits = [drop(0.0), drop(0.0, kind="warn_drop"), Limit("max_rise", ZERO, 0.0), Limit("warn_rise", ZERO, 0.0)]

    assert [Status.PASS] * 5 == [finding.status for finding in findings(comparison, *limits, lost_queries=0)]


@pytest.mark.parametrize(
    ("gate", "compares"),
    [
        (Gate((Limit("floor", P1, 0.5), Limit("ceiling", ZERO, 0.5))), False),
        (Gate((Limit("floor", P1, 0.5), Limit("warn_drop", P1, 0.5))), True),
        (Gate(lost_queries=0), True),
        (Gate(), False),
    ],
    ids=["floor and ceiling", "a warning on a drop", "lost queries", "nothing"],
)
def test_which_gates_need_a_baseline(gate: Gate, compares: bool) -> None:
    """All but those of floors and ceilings alone."""
    assert compares == gate.compares


# Numbers as text.


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0000"),
        (0.25, "0.2500"),
        (0.00005, "0.0001"),
        (0.00004, "0.00004"),
        (2e-9, "0.000000002"),
        (1.0, "1.0000"),
    ],
)
def test_a_number_is_never_shown_as_zero_unless_it_is(value: float, text: str) -> None:
    """Four decimals, more where they would hide it."""
    assert text == number(value)


@pytest.mark.parametrize(
    ("first", "second", "texts"),
    [
        (0.5, 0.25, ("0.5000", "0.2500")),
        (0.82996, 0.83, ("0.82996", "0.83000")),
        (0.5, 0.5, ("0.5000", "0.5000")),
        (0.3, 0.1 + 0.2, ("0.3000", "0.3000")),
        (0.5, 0.500000002, ("0.500000000", "0.500000002")),
        (1e-9, 0.0, ("0.0000", "0.0000")),
        (float("nan"), float("nan"), ("nan", "nan")),
    ],
)
def test_two_numbers_are_printed_apart(first: float, second: float, texts: tuple[str, str]) -> None:
    """With as many digits as it takes, up to what counts as the same number."""
    assert texts == apart(first, second)


def test_a_limit_in_queries() -> None:
    """Whole numbers as such, others to two digits."""
    assert ["2", "0.4", "1.67"] == [in_queries(count) for count in (0.02 * 100, 0.4, 5 / 3)]


# Properties.

ORDER = [Status.PASS, Status.WARN, Status.UNDECIDED, Status.FAIL]
answers = st.one_of(st.none(), strategies.rankings)
cases = st.lists(st.tuples(strategies.judgments, answers, answers), min_size=1, max_size=6)
points = st.one_of(st.floats(0, 1), st.integers(0, 6).map(lambda sixths: sixths / 6))


@given(st.sampled_from(["P@1", "P@3", "nDCG@10", "R@3", "ZeroResults"]), cases, points, points, st.booleans())
def test_a_stricter_limit_never_turns_a_fail_into_a_pass(
    name: str,
    drawn: list[tuple[dict[str, int], tuple[str, ...] | None, tuple[str, ...] | None]],
    one: float,
    other: float,
    alone: bool,
) -> None:
    """Nor an open question, whether queries failed on either side or not."""
    measure = parse_measure(name, Scale())
    queries = [query(f"q{n}", judgments) for n, (judgments, _, _) in enumerate(drawn)]
    now = {f"q{n}": ranking for n, (_, _, ranking) in enumerate(drawn) if ranking is not None}
    before = {f"q{n}": ranking for n, (_, ranking, _) in enumerate(drawn) if ranking is not None}
    comparison = compared(
        queries,
        now,
        before,
        down={each.id for each in queries} - now.keys(),
        down_before={each.id for each in queries} - before.keys(),
        measures=[measure],
    )
    kinds: tuple[LimitKind, LimitKind] = ("floor", "max_drop") if measure.higher_is_better else ("ceiling", "max_rise")
    kind = kinds[0] if alone else kinds[1]
    strict, lenient = (max(one, other), min(one, other)) if kind == "floor" else (min(one, other), max(one, other))

    statuses = [
        next(finding for finding in findings(comparison, Limit(kind, measure, each)) if finding.rule == kind).status
        for each in (strict, lenient)
    ]

    assert ORDER.index(statuses[0]) >= ORDER.index(statuses[1])
