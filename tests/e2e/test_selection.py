"""``--query`` and ``--slice``: a diff of a part, never a verdict, never a baseline."""

import json
from collections.abc import Sequence

import pytest

from tests.e2e.support import HEAD, Fault, Inside, Workspace


@pytest.mark.parametrize(
    ("arguments", "number"),
    [
        (["--query", "trail-map"], 1),
        (["--query", "trail-map", "--query", "usb-c-lamp"], 2),
        (["--slice", "head"], 6),
        (["--slice", "head", "--query", "usb-c-lamp"], 7),
        (["--slice", "head", "--slice", "jargon"], 12),
    ],
)
def test_a_selection_has_a_diff_and_no_verdict(
    accepted: Workspace, inside: Inside, arguments: Sequence[str], number: int
) -> None:
    """Only these are asked; what got worse is shown; the code is 0; last run and baseline stay."""
    assert 0 == inside("check").code
    accepted.worsen(*HEAD, "usb-c lamp")
    before = accepted.snapshot()
    accepted.search.requests.clear()
    result = inside("check", *arguments)

    assert 0 == result.code
    assert result.stdout.startswith("PARTIAL")
    assert "trail-map-1" in result.stdout
    assert number == len(accepted.search.requests)
    assert before == accepted.snapshot()
    assert "PARTIAL" == json.loads(inside("check", *arguments, "--format", "json").stdout)["verdict"]


def test_a_selection_that_is_not_measured_is_3(accepted: Workspace, inside: Inside) -> None:
    """No verdict is no excuse for a service that is down."""
    accepted.search.faults["trail map"] = Fault(500)

    assert 3 == inside("check", "--query", "trail-map").code


@pytest.fixture
def part(accepted: Workspace, inside: Inside) -> str:
    """A saved run of the slice head, in which a query got worse."""
    accepted.worsen("trail map", "wool socks")
    assert 0 == inside("run", "-o", "part.jsonl", "--slice", "head").code
    accepted.best()
    return "part.jsonl"


def test_a_saved_selection_stays_one(accepted: Workspace, inside: Inside, part: str) -> None:
    """Reported, compared on either side, or explained, it gives no verdict; the queries that it lacks did not fail."""
    reported = inside("report", part)
    after = inside("diff", accepted.baseline, part)
    before = inside("diff", part, accepted.baseline)
    explained = inside("explain", "--run", part, "trail-map")

    assert [0, 0, 0, 0] == [each.code for each in (reported, after, before, explained)]
    assert ["PARTIAL"] * 3 == [each.stdout.split()[0] for each in (reported, after, before)]
    assert "6 of 6 queries measured, 0 failed" in after.stdout
    assert "trail-map-1" in explained.stdout


def test_a_saved_selection_is_no_baseline(accepted: Workspace, inside: Inside, part: str) -> None:
    """It is neither accepted nor compared with as if it were whole."""
    before = accepted.snapshot()
    taken = inside("accept", "--from", part, "--allow-worse", "--reason", "x")
    compared = inside("check", "--baseline", part)

    assert (2, 2) == (taken.code, compared.code)
    assert "a selection of the queries is never accepted" in taken.stderr
    assert "a selection of the queries cannot be a baseline" in compared.stderr
    assert before == accepted.snapshot()


def test_a_query_outside_a_saved_selection_is_named_as_that(accepted: Workspace, inside: Inside, part: str) -> None:
    """It is known, and not in this run."""
    result = inside("explain", "--run", part, "usb-c-lamp")

    assert (2, "") == (result.code, result.stdout)
    assert "part.jsonl: this run of a selection does not hold the query 'usb-c-lamp'" in result.stderr


def test_selections_without_a_query_in_common_are_2(accepted: Workspace, inside: Inside, part: str) -> None:
    """Nothing compared is no diff without a difference."""
    assert 0 == inside("run", "-o", "other.jsonl", "--slice", "jargon").code
    result = inside("diff", part, "other.jsonl")

    assert (2, "") == (result.code, result.stdout)
    assert "share no query" in result.stderr


def test_explain_knows_a_query_that_is_new(accepted: Workspace, inside: Inside) -> None:
    """Before the first baseline it shows the one ranking there is."""
    accepted.baseline.unlink()
    assert 0 == inside("check", "--floors-only").code
    result = inside("explain", "trail-map")

    assert 0 == result.code
    assert "trail-map-1" in result.stdout
