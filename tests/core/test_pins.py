"""Pins of order, and queries whose pins may fail for now; each finding is checked as a whole."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest

from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison, compare
from rankgate.core.findings import Finding, Status
from rankgate.core.judgments import Place, Query
from rankgate.core.limits import Gate
from rankgate.core.pins import judge_pins
from rankgate.core.rankings import Failure, FailureKind
from rankgate.core.reference import Reference
from rankgate.core.verdict import Outcome, decide
from tests.support import golden, query, run

P1 = Measure("P", 1, 1)
PLACE = Place("q.yaml", 3, 5)
DOWN = Failure(FailureKind.STATUS, "503")
REASON = "ticket 7"


def compared(
    queries: Iterable[Query], now: Mapping[str, list[str] | None], before: Mapping[str, list[str]] | None = None
) -> Comparison:
    """Queries with their rankings; None stands for a request that failed."""
    rankings = {query_id: ranking for query_id, ranking in now.items() if ranking is not None}
    failures = {query_id: DOWN for query_id, ranking in now.items() if ranking is None}
    reference = None if before is None else Reference(run(before))
    return compare(golden(*queries), run(rankings, failures=failures), [P1], reference)


def judged(pinned: Query, ranking: list[str] | None) -> list[Finding]:
    """What becomes of the pins of one query."""
    return list(judge_pins(compared([pinned], {pinned.id: ranking})))


# The document at rank 1.


@pytest.mark.parametrize(
    ("first", "ranking", "status", "value", "message"),
    [
        pytest.param(("a",), ["a", "b"], Status.PASS, 1.0, "'a' first: 'a' is at rank 1", id="it is"),
        pytest.param(
            ("a",),
            ["x", "y", "a"],
            Status.FAIL,
            3.0,
            "'a' first: 'x' is at rank 1, 'a' is at rank 3",
            id="further down",
        ),
        pytest.param(
            ("a",), ["x"], Status.FAIL, None, "'a' first: 'x' is at rank 1, 'a' was not returned", id="not returned"
        ),
        pytest.param(("a",), [], Status.FAIL, None, "'a' first: nothing came back", id="nothing"),
        pytest.param(("a",), None, Status.UNDECIDED, None, "'a' first: it was not measured", id="not measured"),
        pytest.param(
            ("a", "b"), ["b", "a"], Status.PASS, 1.0, "one of 'a', 'b' first: 'b' is at rank 1", id="any of them"
        ),
        pytest.param(
            ("a", "b"),
            ["x", "b"],
            Status.FAIL,
            2.0,
            "one of 'a', 'b' first: 'x' is at rank 1, 'a' was not returned, 'b' is at rank 2",
            id="none of them",
        ),
    ],
)
def test_a_pinned_first(
    first: tuple[str, ...], ranking: list[str] | None, status: Status, value: float | None, message: str
) -> None:
    """The sentence has what is first, and where the pinned documents are."""
    assert [
        Finding(
            rule="first",
            status=status,
            message=f"query 'q' must show {message}",
            limit=1.0,
            value=value,
            queries=1,
            query_ids=("q",),
            documents=first,
            place=PLACE,
        )
    ] == judged(query("q", first=first, place=PLACE), ranking)


# One document before another.


@pytest.mark.parametrize(
    ("ranking", "status", "value", "says"),
    [
        pytest.param(["x", "a", "b"], Status.PASS, 2.0, "'a' is at rank 2, 'b' is at rank 3", id="before"),
        pytest.param(["a"], Status.PASS, 1.0, "'a' is at rank 1, 'b' was not returned", id="absent counts as after"),
        pytest.param(["b", "a"], Status.FAIL, 2.0, "'a' is at rank 2, 'b' is at rank 1", id="after"),
        pytest.param(["b"], Status.FAIL, None, "'a' was not returned, 'b' is at rank 1", id="it must be returned"),
        pytest.param([], Status.FAIL, None, "'a' was not returned, 'b' was not returned", id="neither"),
        pytest.param(None, Status.UNDECIDED, None, "it was not measured", id="not measured"),
    ],
)
def test_a_pinned_before(ranking: list[str] | None, status: Status, value: float | None, says: str) -> None:
    """Both ranks are in the sentence, the two documents in the record."""
    assert [
        Finding(
            rule="before",
            status=status,
            message=f"query 'q' must show 'a' before 'b': {says}",
            value=value,
            queries=1,
            query_ids=("q",),
            documents=("a", "b"),
            place=PLACE,
        )
    ] == judged(query("q", before=(("a", "b"),), place=PLACE), ranking)


def test_pins_come_in_one_order_and_each_pair_is_judged_by_itself() -> None:
    """Of the queries in the order of the set, of a query in the order of its keys in the reference."""
    many = query("m", must={P1: 1.0}, never=("x",), first=("a",), before=(("a", "b"), ("b", "c")))
    nothing = query("n", {}, expects_nothing=True, never=("x",))

    findings = list(judge_pins(compared([nothing, many], {"m": ["a", "c", "b"], "n": []})))

    assert [
        ("must", "m", Status.PASS),
        ("never", "m", Status.PASS),
        ("first", "m", Status.PASS),
        ("before", "m", Status.PASS),
        ("before", "m", Status.FAIL),
        ("expects", "n", Status.PASS),
        ("never", "n", Status.PASS),
    ] == [(finding.rule, finding.query_ids[0], finding.status) for finding in findings]


# Known failures.


@pytest.mark.parametrize(
    ("pins", "ranking"),
    [
        pytest.param({"must": {P1: 1.0}}, ["x", "a"], id="must"),
        pytest.param({"never": ("x",)}, ["x", "a"], id="never"),
        pytest.param({"first": ("a",)}, ["x", "a"], id="first"),
        pytest.param({"before": (("a", "x"),)}, ["x", "a"], id="before"),
        pytest.param({"expects_nothing": True}, ["x"], id="expects"),
    ],
)
def test_a_known_failure_is_shown_with_its_reason_and_fails_nothing(
    pins: dict[str, object], ranking: list[str]
) -> None:
    """Any pin: the finding is the one that would fail, with a status of its own."""
    pinned = query("q", {"a": 1}, **pins, place=PLACE)
    (failed,) = judged(pinned, ranking)
    known = replace(pinned, known_failure=REASON)
    expected = replace(failed, status=Status.KNOWN, message=f"{failed.message} (known failure: {REASON})")

    assert Status.FAIL is failed.status
    assert [expected] == judged(known, ranking)
    assert Outcome.PASS is decide(Gate(), compared([known], {"q": ranking})).verdict.outcome


def test_a_known_failure_that_passes_all_its_pins_fails_the_gate() -> None:
    """As strict as a test runner: the mark has to go, or it would hide the next failure."""
    known = query("q", must={P1: 1.0}, never=("x",), known_failure=REASON, place=PLACE)
    expected = Finding(
        rule="known_failure",
        status=Status.FAIL,
        message="query 'q' passes its pins, though it is marked as a known failure (ticket 7): remove known_failure",
        queries=1,
        query_ids=("q",),
        place=PLACE,
    )

    met, kept, passed = judged(known, ["a"])

    assert (Status.PASS, Status.PASS, expected) == (met.status, kept.status, passed)
    assert Outcome.FAIL is decide(Gate(), compared([known], {"q": ["a"]})).verdict.outcome


def test_a_known_failure_stays_one_while_one_of_its_pins_fails() -> None:
    """Those that hold are shown as holding."""
    known = query("q", must={P1: 1.0}, never=("x",), known_failure=REASON)

    assert [("must", Status.PASS), ("never", Status.KNOWN)] == [
        (finding.rule, finding.status) for finding in judged(known, ["a", "x"])
    ]


def test_a_known_failure_that_was_not_measured_is_undecided() -> None:
    """It could have passed its pins, and that would fail."""
    known = query("q", must={P1: 1.0}, known_failure=REASON)

    assert [("must", Status.UNDECIDED, "query 'q' must have P@1 of at least 1.0000: it was not measured")] == [
        (finding.rule, finding.status, finding.message) for finding in judged(known, None)
    ]


def test_a_known_failure_keeps_its_part_in_means_and_lost_queries() -> None:
    """The mark is about pins alone."""
    known = query("q", never=("x",), known_failure=REASON)
    comparison = compared([known], {"q": ["x", "a"]}, before={"q": ["a"]})

    (lost, pin) = decide(Gate(lost_queries=0), comparison).verdict.findings

    assert (("lost_queries", Status.FAIL, ("q",)), ("never", Status.KNOWN)) == (
        (lost.rule, lost.status, lost.query_ids),
        (pin.rule, pin.status),
    )
    delta = comparison.delta(P1)
    assert delta.now is not None
    assert (1, 0.0) == (delta.queries, delta.now.low)
