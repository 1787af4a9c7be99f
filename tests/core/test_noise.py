"""Queries that got worse, asked again: what stays worse, what is unstable, and what the two are worth to a gate."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from benchmarks.confirm import Service, failures

from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison, compare
from rankgate.core.findings import Finding, Status
from rankgate.core.judgments import Query
from rankgate.core.limits import Gate, Limit, LimitKind
from rankgate.core.noise import Settled, Unstable, settle, told, unstable_finding, worse
from rankgate.core.rankings import Failure, FailureKind, Ranking, Run
from rankgate.core.reference import Reference
from tests.support import golden, query, run

P1 = Measure("P", 1, 1)
P2 = Measure("P", 2, 1)
ZERO = Measure("ZeroResults")
DOWN = Failure(FailureKind.TIMEOUT, "2 s")
GATE = Gate(limits=(Limit("max_drop", P1, 0.0),))
GOOD, BAD = ["a", "x"], ["x", "a"]


def compared(
    now: Mapping[str, Sequence[str]],
    *queries: Query,
    before: Mapping[str, Sequence[str]] | None = None,
    failed: Sequence[str] = (),
) -> Comparison:
    """*now* against a baseline in which every query is right, if not told otherwise."""
    asked = queries or tuple(map(query, (*now, *failed)))
    baseline = run(before or {each.id: GOOD for each in asked})
    candidate = run(now, failures=dict.fromkeys(failed, DOWN))
    return compare(golden(*asked), candidate, [P1, P2, ZERO], Reference(baseline))


@pytest.mark.parametrize(
    ("gate", "expected"),
    [
        pytest.param(GATE, {"swapped", "other", "empty"}, id="lower in a measure that can fail"),
        pytest.param(Gate(limits=(Limit("floor", P1, 0.5),)), {"swapped", "other", "empty"}, id="a floor's measure"),
        pytest.param(Gate(limits=(Limit("max_drop", P2, 0.0),)), {"other", "empty"}, id="only that measure"),
        pytest.param(Gate(limits=(Limit("max_rise", ZERO, 0.0),)), {"empty"}, id="where lower is better"),
        pytest.param(Gate(limits=(Limit("max_drop", P1, 0.0, slice="s"),)), {"other"}, id="only that slice"),
        pytest.param(Gate(limits=(Limit("warn_drop", P1, 0.0),)), set(), id="not what only warns"),
        pytest.param(Gate(lost_queries=0), {"swapped", "other", "empty"}, id="lost"),
        pytest.param(Gate(), set(), id="no rule"),
    ],
)
def test_the_queries_that_speak_against_a_candidate(gate: Gate, expected: set[str]) -> None:
    """Each by itself, in what can fail the gate; what stayed, got better or was not measured is none."""
    comparison = compared(
        {"same": GOOD, "swapped": BAD, "other": ["x", "y"], "empty": [], "better": GOOD, "reworded": BAD},
        *(query(name) for name in ("same", "swapped", "empty", "better", "failed")),
        query("other", slices=("s",)),
        query("reworded", text="another text"),
        before=dict.fromkeys(("same", "swapped", "other", "empty", "failed", "reworded"), GOOD) | {"better": BAD},
        failed=["failed"],
    )

    assert expected == worse(gate, comparison)


def test_a_query_that_breaks_its_pin_speaks_against_a_candidate() -> None:
    """With or without a baseline; a known failure only once it holds, for then its mark fails."""
    queries = (
        query("held", must={P1: 1.0}),
        query("broken", must={P1: 1.0}),
        query("shown", never=("x",)),
        query("found", {}, expects_nothing=True),
        query("known", must={P1: 1.0}, known_failure="to do"),
        query("mended", must={P1: 1.0}, known_failure="to do"),
    )
    now = {"held": GOOD, "broken": BAD, "shown": BAD, "found": BAD, "known": BAD, "mended": GOOD}
    alone = compare(golden(*queries), run(now), [P1], None)

    assert {"broken", "shown", "found", "mended"} == worse(Gate(), alone)
    assert {"broken", "shown", "found", "mended"} == worse(Gate(), compared(now, *queries, before=now))


@pytest.mark.parametrize(
    ("again", "expected"),
    [
        pytest.param([BAD, BAD], Settled(run({"q": BAD}), confirmed=("q",)), id="worse in 3 of 3"),
        pytest.param([GOOD, BAD], Settled(run({"q": BAD}), confirmed=("q",)), id="worse in 2 of 3"),
        pytest.param(
            [["a", "y"], GOOD], Settled(run({"q": ["a", "y"]}), unstable=(Unstable("q", 1, 3),)), id="worse in 1 of 3"
        ),
        pytest.param(
            [BAD, GOOD, GOOD], Settled(run({"q": GOOD}), unstable=(Unstable("q", 2, 4),)), id="half is not most"
        ),
        pytest.param([GOOD], Settled(run({"q": GOOD}), unstable=(Unstable("q", 1, 2),)), id="one of two"),
        pytest.param([None, GOOD], Settled(run({"q": GOOD}), unstable=(Unstable("q", 1, 2),)), id="one failed"),
        pytest.param([None, BAD], Settled(run({"q": BAD}), confirmed=("q",)), id="one failed, the other is worse"),
        pytest.param([None, None], Settled(run({"q": BAD}), unanswered=("q",)), id="all failed"),
        pytest.param([], Settled(run({"q": BAD}), unanswered=("q",)), id="never asked again"),
    ],
)
def test_a_query_is_worse_if_most_of_its_answers_are(again: list[list[str] | None], expected: Settled) -> None:
    """Its first answer counts as one; an unstable query has its first answer that is not worse."""
    repeats = [run({"q": ids}) if ids else run({}, failures={"q": DOWN}) for ids in again]

    comparison = compared({"q": BAD})

    assert replace(expected, reference=comparison.reference) == settle(GATE, comparison, repeats)


@pytest.mark.parametrize(
    ("again", "confirmed", "before"),
    [
        pytest.param([(BAD, BAD), (BAD, BAD)], (), BAD, id="its right answer was the exception"),
        pytest.param([(BAD, GOOD), (BAD, BAD)], ("q",), GOOD, id="worse in 2 of 3"),
        pytest.param([(BAD, None), (GOOD, GOOD)], (), GOOD, id="without an answer of the other nothing is said"),
        pytest.param([(BAD, None), (BAD, None)], (), GOOD, id="never compared again"),
    ],
)
def test_two_services_are_settled_together(
    again: list[tuple[list[str], list[str] | None]], confirmed: tuple[str, ...], before: list[str]
) -> None:
    """An unstable query has both answers of one time: the first at which it is not worse."""
    repeats = [run({"q": ids}) for ids, _ in again]
    seconds = [run({"q": ids}) if ids else run({}, failures={"q": DOWN}) for _, ids in again]
    settled = settle(GATE, compared({"q": BAD}), repeats, seconds)

    assert settled.reference is not None
    assert (confirmed, before) == (settled.confirmed, [*settled.reference.run.rankings["q"].ids])
    assert settled.run.rankings["q"].ids == (tuple(GOOD) if again[1] == (GOOD, GOOD) else tuple(BAD))


def test_a_pin_is_settled_where_the_other_failed() -> None:
    """Its failure stays one, whatever it answers later."""
    pinned = query("q", must={P1: 1.0})
    reference = Reference(run({}, failures={"q": DOWN}))
    comparison = compare(golden(pinned), run({"q": BAD}), [P1], reference)
    settled = settle(GATE, comparison, [run({"q": GOOD})], [run({"q": GOOD})])

    assert Settled(run({"q": GOOD}), unstable=(Unstable("q", 1, 2),), reference=reference) == settled


def test_only_what_got_worse_is_settled() -> None:
    """The other queries, the failures and the notes stay as they were."""
    first = Run(
        50,
        {"b": Ranking(tuple(BAD)), "good": Ranking(("a",)), "a": Ranking(tuple(BAD))},
        {"failed": DOWN},
        {name: name for name in ("a", "b", "failed", "good")},
        notes={"retries": "1"},
    )
    queries = golden(*map(query, ("a", "b", "failed", "good")))
    reference = Reference(run(dict.fromkeys(("a", "b", "failed", "good"), GOOD)))
    settled = settle(
        GATE, compare(queries, first, [P1], reference), [run({"a": BAD, "b": GOOD}), run({"a": BAD, "b": GOOD})]
    )

    assert ("a",) == settled.confirmed
    assert (Unstable("b", 1, 3),) == settled.unstable
    assert {"b": Ranking(tuple(GOOD)), "good": Ranking(("a",)), "a": Ranking(tuple(BAD))} == settled.run.rankings
    assert ({"failed": DOWN}, {"retries": "1"}) == (settled.run.failures, settled.run.notes)


@pytest.mark.parametrize("kind", ["max_drop", "floor"])
def test_a_settled_run_has_no_query_that_got_worse_but_the_confirmed_ones(kind: LimitKind) -> None:
    """So the second judgment rests on them alone."""
    gate = Gate(limits=(Limit(kind, P1, 0.0),))
    comparison = compared({"stays": BAD, "flaps": BAD, "good": GOOD})
    settled = settle(gate, comparison, [run({"stays": BAD, "flaps": GOOD}), run({"stays": BAD, "flaps": GOOD})])

    assert {"stays"} == worse(gate, compare(comparison.golden, settled.run, [P1], comparison.reference))


BEFORE = Reference(run({}))
SOME = tuple(f"q{number}" for number in range(7))


@pytest.mark.parametrize(
    ("settled", "times", "note"),
    [
        pytest.param(
            Settled(run({}), SOME, reference=BEFORE),
            2,
            "7 queries that got worse were asked 2 more times; all 7 stayed worse",
            id="all confirmed",
        ),
        pytest.param(
            Settled(run({}), SOME[:1], reference=BEFORE),
            1,
            "1 query that got worse was asked 1 more time; 1 stayed worse",
            id="one confirmed",
        ),
        pytest.param(
            Settled(run({}), SOME[:2], (Unstable("a", 1, 3),), SOME[:3], BEFORE),
            2,
            "6 queries that got worse were asked 2 more times; 2 stayed worse, 1 is unstable, "
            "3 could not be asked again and count as worse",
            id="of each",
        ),
        pytest.param(
            Settled(run({}), (), (Unstable("a", 1, 3), Unstable("b", 1, 3)), reference=BEFORE),
            2,
            "2 queries that got worse were asked 2 more times; 2 are unstable",
            id="none confirmed",
        ),
        pytest.param(
            Settled(run({}), SOME[:1], (), SOME[:1]),
            2,
            "2 queries below what a rule asks were asked 2 more times; 1 stayed as bad, "
            "1 could not be asked again and count as such",
            id="without a baseline",
        ),
    ],
)
def test_what_became_of_the_queries_is_noted(settled: Settled, times: int, note: str) -> None:
    """In the run, for every report and for the file that is kept."""
    assert {"confirm": note} == told(settled, times).notes


def test_what_no_longer_counts_as_worse_is_shown_with_its_evidence() -> None:
    """One warning for all of them: a failure that was cleared ends as a warning at best."""
    unstable = (Unstable("a", 1, 3), Unstable("b", 2, 4), Unstable("c", 1, 3))

    assert (
        Finding(
            "unstable",
            Status.WARN,
            "3 of 4 queries that got worse are each unstable and judged by the first answer that is not worse "
            "(worse in 1 of 3 answers: 'a', 'c'; worse in 2 of 4 answers: 'b')",
            value=3.0,
            queries=4,
            query_ids=("a", "b", "c"),
        ),
    ) == unstable_finding(Settled(run({}), ("d",), unstable, reference=BEFORE))
    assert () == unstable_finding(Settled(run({}), ("d",)))


def test_asking_again_takes_away_false_alarms_and_hardly_misses_a_change() -> None:
    """The simulation of the README, small: an answer flaps in one of twenty cases, in baseline and candidate alike."""
    service = Service(flapping=100, probability=0.05)
    unchanged, six_worse = failures(service, 0, 20, (0, 2)), failures(service, 6, 20, (0, 2))

    assert unchanged[0] > 0.5
    assert unchanged[2] < 0.1
    assert min(six_worse.values()) > 0.9


def test_a_simulation_is_the_same_every_time() -> None:
    """Its draws are seeded."""
    service = Service(flapping=10, probability=0.5)

    assert failures(service, 4, 3) == failures(service, 4, 3)
