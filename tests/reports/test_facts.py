"""The facts: every number and sentence of a report, gathered once."""

import math
from collections.abc import Mapping

import pytest

from rankgate.core.catalog import Measure, Scale
from rankgate.core.findings import Status
from rankgate.core.verdict import GateResult
from rankgate.errors import UsageError
from rankgate.reports import FORMATS, CommandHints, gather, render
from rankgate.reports.queries import labels, moves_measure, trend
from rankgate.reports.records import STATUS_ORDER, Counts, Facts, FirstChange, MovedDocument, NextStep, TextChange
from rankgate.reports.summary import _argument

HINTS = CommandHints()


@pytest.fixture(scope="module")
def failing(results: Mapping[str, GateResult]) -> Facts:
    """The facts of the failing gate that has something of everything."""
    return gather(results["fail"], command_hints=HINTS)


def test_counts_tell_every_kind_of_query_apart(failing: Facts) -> None:
    """New, changed, relabelled and removed queries are counted apart, and so are duplicate hits."""
    expected = Counts(
        queries=10, measured=10, failed=0, expects_nothing=1, compared=7, new=1, changed=1, relabelled=1, removed=1,
        duplicates=1, depth=50,
    )  # fmt: skip
    assert expected == failing.counts
    assert ("zerk",) == failing.new
    assert ("pulley",) == failing.removed
    assert ("washer",) == failing.relabelled
    assert (TextChange("spanner", "spanner 13", "wrench 13"),) == failing.changed


def test_measured_line(failing: Facts) -> None:
    """One line says how much the verdict rests on."""
    expected = (
        "10 of 10 queries measured, 0 failed; 7 compared with the baseline; 1 new, 1 changed text; "
        "1 relabelled, 1 removed; 1 expects nothing; 1 duplicate hit dropped; depth 50"
    )
    assert expected == failing.measured


def test_failures_come_first(results: Mapping[str, GateResult]) -> None:
    """Rules and pins are ordered failures, undecided, warnings, passes, not gated."""
    for result in results.values():
        facts = gather(result, command_hints=HINTS)
        for rows in (facts.rules, facts.pins):
            order = [STATUS_ORDER.index(row.status) for row in rows]
            assert sorted(order) == order


def test_every_finding_is_a_row(results: Mapping[str, GateResult]) -> None:
    """No finding of the verdict is left out of the facts, and none is added."""
    for result in results.values():
        facts = gather(result, command_hints=HINTS)
        expected = sorted(finding.message for finding in result.verdict.findings)
        assert expected == sorted(row.message for row in (*facts.rules, *facts.pins))


def test_rule_row_has_the_numbers_of_its_finding(failing: Facts) -> None:
    """A row carries baseline, now, change, limit, both counts and the place, unrounded."""
    row = next(row for row in failing.rules if row.label == "P@1 max_drop")
    assert (Status.FAIL, "P@1", "all", 7) == (row.status, row.measure, row.slice, row.n)
    assert (6 / 7, 5 / 7, 0.02) == (row.baseline, row.now, row.limit)
    assert math.isclose(-1 / 7, row.change or 0.0)
    assert (1, 4, 2) == (row.better, row.same, row.worse)
    assert "golden/rankgate.yaml:12:22" == str(row.place)


def test_measures_are_named_in_full(failing: Facts) -> None:
    """A name with its parameters stands beside the label for narrow places."""
    expected = [
        ("P@1", "P@1", True),
        ("nDCG(dcg='exp-log2')@10", "nDCG@10", True),
        ("R@50", "R@50", False),
        ("ZeroResults", "ZeroResults", True),
        ("Judged@10", "Judged@10", False),
    ]
    assert expected == [(fact.name, fact.label, fact.gated) for fact in failing.measures]
    assert ["R@50", "Judged@10"] == [row.measure for row in failing.ungated]


def test_labels_that_would_collide_stay_in_full() -> None:
    """Two measures that differ in their parameters only are both written in full."""
    first, second = Measure("nDCG", 10, 0, "exp-log2"), Measure("nDCG", 10, 0, "log2")
    expected = {first: str(first), second: str(second), Measure("P", 1, 1): "P@1"}
    assert expected == labels((first, second, Measure("P", 1, 1)))


def test_moves_are_counted_in_the_first_ndcg() -> None:
    """Without an nDCG among the measures, it is nDCG@10 with the gain of the scale."""
    measure = Measure("nDCG", 5, 0, "log2")
    assert measure == moves_measure((Measure("P", 1, 1), measure), Scale())
    assert Measure("nDCG", 10, 0, "log2") == moves_measure((Measure("P", 1, 1),), Scale(gain="linear"))


def test_trend_follows_the_direction_of_the_measure() -> None:
    """A rise is better for P and worse for ZeroResults; float residue is no change."""
    assert "better" == trend(Measure("P", 1, 1), 0.1)
    assert "worse" == trend(Measure("ZeroResults"), 0.1)
    assert "same" == trend(Measure("P", 1, 1), 1e-12)
    assert None is trend(Measure("P", 1, 1), None)


def test_worst_queries_are_those_that_the_broken_rules_suffer_from(failing: Facts) -> None:
    """The order is by harm in the measures of the failed rules; better and unchanged queries are not there."""
    assert ["gasket", "cracked-bracket", "hex-bolt"] == [query.id for query in failing.worst]
    states = {query.id: query.state for query in failing.queries}
    expected = {
        "cracked-bracket": "lost",
        "gasket": "lost",
        "hex-bolt": "worse",
        "impeller": "same",
        "no-such": "expects nothing",
        "o-ring": "better",
        "oil": "same",
        "spanner": "text changed",
        "washer": "same",
        "zerk": "new",
    }
    assert expected == states


def test_moved_documents(failing: Facts) -> None:
    """Judged documents that moved and unjudged newcomers, costs first; what stayed is left out."""
    moves = failing.worst[1].moves
    expected = [("SN-2231", 3, 1, 5), ("DR-77", 1, 4, None), ("X-9", None, None, 1), ("WO-5", 0, 5, 3)]
    assert expected == [(move.document, move.grade, move.before, move.after) for move in moves]
    assert MovedDocument("X-9", None, None, 1, 0.0) == moves[2]
    change = next(value.change for value in failing.worst[1].values if value.label == "nDCG@10")
    assert math.isclose(change or 0.0, math.fsum(move.cost for move in moves))


def test_gains_follow_losses(failing: Facts) -> None:
    """A document that gained stands after the one that paid for it."""
    assert ["HB-8", "HB-10"] == [move.document for move in failing.worst[2].moves]


def test_lost_and_gained_say_where_the_document_went(failing: Facts) -> None:
    """A lost query names its former first document, its new rank, and what is first instead."""
    lost = [
        (change.id, change.document, change.before, change.after, change.first, change.first_grade)
        for change in failing.lost
    ]
    expected: list[tuple[object, ...]] = [
        ("cracked-bracket", "SN-2231", 1, 5, "X-9", None),
        ("gasket", "GK-1", 1, None, None, None),
    ]
    assert expected == lost
    gained = FirstChange("o-ring", "o ring 12x2", failing.gained[0].place, "OR-12", 2, 1, "OR-12", 3)
    assert (gained,) == failing.gained


def test_failures_are_grouped_by_message(results: Mapping[str, GateResult]) -> None:
    """Queries that failed for one reason are listed under it once, the most frequent reason first."""
    facts = gather(results["inconclusive"], command_hints=HINTS)
    expected = [
        ("unreachable", "connection refused by the service", ("q000", "q001", "q002", "q003", "q005")),
        ("unreachable", "timed out after 5 s", ("q004",)),
    ]
    assert expected == [(group.kind, group.message, group.query_ids) for group in facts.failures]


@pytest.mark.parametrize(
    ("name", "headline"),
    [
        ("pass", "Search did not get worse: 4 rules hold; 0 queries better, 10 same, 0 worse; nothing to do"),
        ("pass without baseline", "Search is good enough: 1 rule holds; nothing compared; nothing to do"),
        ("warn drop", "No rule is broken; 1 warning (nDCG@10 warn_drop); look closer: rankgate explain q002"),
        (
            "warn strict",
            (
                "No rule is broken; 1 warning (nDCG@10 warn_drop); --strict makes that a failure; "
                "look closer: rankgate explain q002"
            ),
        ),
        (
            "warn headroom",
            (
                "Search got better by more than its limits can guard (nDCG@10 headroom); "
                "make the better run the baseline: rankgate accept"
            ),
        ),
        (
            "warn floors only",
            (
                "Every floor holds, and nothing was compared with a baseline; "
                "make this run the first baseline: rankgate accept"
            ),
        ),
        (
            "warn tolerated failures",
            (
                "No rule is broken; 1 warning (max_errors); "
                "fix the queries that were not measured, then run again: rankgate check"
            ),
        ),
        (
            "warn twins",
            "No rule is broken; 2 warnings (twins 'cafe\\u0301' for query 'cafe', twins 'the\\u0301' for query 'cafe')",
        ),
        (
            "fail",
            (
                "Search got worse: 8 of 12 rules failed (P@1 max_drop, nDCG@10 max_drop, nDCG@10 max_drop on 'jargon' "
                "and 5 more), most of all for query 'gasket'; look closer: rankgate explain gasket"
            ),
        ),
        (
            "fail floor alone",
            "Search is not good enough: 1 of 2 rules failed (nDCG@10 floor); look closer: rankgate explain q000",
        ),
        (
            "fail pin alone",
            (
                "Search breaks a pinned query: 1 of 2 rules failed (must P@1 for query 'q000'); "
                "look closer: rankgate explain q000"
            ),
        ),
        (
            "fail removed alone",
            (
                "The golden set lost queries: 1 of 5 rules failed (removed); "
                "if the queries were meant to go: rankgate accept"
            ),
        ),
        (
            "inconclusive",
            (
                "Could not tell whether search got worse: 6 of 10 queries failed, and that leaves nDCG@10 floor, "
                "nDCG@10 max_drop, lost_queries open; mend what failed, then run again: rankgate check"
            ),
        ),
        (
            "inconclusive by max_errors",
            (
                "Could not tell whether search got worse: 2 of 10 queries failed, more than max_errors allows; "
                "mend what failed, then run again: rankgate check"
            ),
        ),
        (
            "inconclusive, nothing measured",
            "Nothing was measured: 10 of 10 queries failed; connection refused by the service; mend what failed, then run again: rankgate check",
        ),
        (
            "partial",
            (
                "No verdict on a selection of 2 queries: 0 queries better, 2 same, 0 worse; "
                "a selection gives no verdict; for one, ask the whole set: rankgate check"
            ),
        ),
        (
            "partial, unmeasured",
            (
                "No verdict on a selection of 2 queries: 0 queries better, 0 same, 0 worse; "
                "mend what failed, then run again: rankgate check"
            ),
        ),
    ],
)
def test_headline(results: Mapping[str, GateResult], name: str, headline: str) -> None:
    """One sentence says whether it got worse, where, and what to do."""
    assert headline == gather(results[name], command_hints=HINTS).headline


def test_next_steps_of_a_failure(failing: Facts) -> None:
    """Look at the worst query, accept what is meant, and know what a new baseline does not settle."""
    expected = (
        NextStep("look closer", "rankgate explain gasket"),
        NextStep("if this is meant", 'rankgate accept --allow-worse --reason "..."'),
        NextStep(
            "a new baseline does not settle must P@1 for query 'cracked-bracket': "
            "it is written at golden/queries/parts.yaml:4:5"
        ),
        NextStep("judge what could turn it", "rankgate holes"),
    )
    assert expected == failing.next_steps


def test_commands_come_from_the_caller(results: Mapping[str, GateResult]) -> None:
    """A command that makes no sense for the caller is not suggested; the others keep the caller's options."""
    hints = CommandHints(check="rankgate -c x check", explain="rankgate -c x explain", accept="", holes="")
    steps = gather(results["fail"], command_hints=hints).next_steps
    assert ["rankgate -c x explain gasket", ""] == [step.command for step in steps]
    none = CommandHints(explain="", accept="", holes="")
    for name in ("fail", "fail removed alone", "warn headroom", "warn floors only"):
        assert not any(step.command for step in gather(results[name], command_hints=none).next_steps)


def test_commands_quote_the_query_id(results: Mapping[str, GateResult]) -> None:
    """An id with a space or a quote is one argument to the shell; one that starts with a dash is no option."""
    facts = gather(results["fail hostile"], command_hints=HINTS)
    assert "rankgate explain '<q>'" == facts.next_steps[0].command
    assert "-- -q" == _argument("-q")


def test_weakest_queries_when_nothing_was_compared(results: Mapping[str, GateResult]) -> None:
    """A broken floor without a baseline lists the queries below it."""
    facts = gather(results["fail floor alone"], command_hints=HINTS)
    assert () == facts.worst
    assert 10 == len(facts.weakest)


def test_slices_start_with_all(failing: Facts) -> None:
    """Every slice has a cell for each measure; all comes first."""
    assert ["all", "head", "jargon", "long-tail", "zero-result"] == [row.slice for row in failing.slices]
    assert [9, 5, 4, 1, 0] == [row.queries for row in failing.slices]
    jargon = failing.slices[2].cells[1]
    assert (4, 2, True, "worse") == (jargon.n, jargon.compared, jargon.gated, jargon.trend)


def test_bounds_of_failed_queries(results: Mapping[str, GateResult]) -> None:
    """Where queries failed, a mean is given at its worst and at its best; lower is better turns both round."""
    cells = gather(results["inconclusive"], command_hints=HINTS).slices[0].cells
    precise = next(cell for cell in cells if cell.measure == "P@1")
    assert (0.4, 1.0, 6) == (precise.now, precise.now_best, precise.failed)
    zero = next(cell for cell in cells if cell.measure == "ZeroResults")
    assert (0.6, 0.0, 6) == (zero.now, zero.now_best, zero.failed)


def test_unknown_format(results: Mapping[str, GateResult]) -> None:
    """An unknown format is an input error that offers the nearest."""
    with pytest.raises(UsageError, match="did you mean 'json'"):
        render("jsn", results["pass"])


def test_formats() -> None:
    """The formats are registered under the names that the command line takes."""
    assert {"text", "json", "markdown", "junit"} <= set(FORMATS)
