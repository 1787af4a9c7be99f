"""The facts: every number and sentence of a report, gathered once."""

import html
import math
from collections.abc import Mapping

import pytest

from rankgate.core.catalog import Measure, Scale
from rankgate.core.comparison import compare
from rankgate.core.findings import Status
from rankgate.core.judgments import GoldenSet
from rankgate.core.limits import Gate, Limit
from rankgate.core.rankings import Failure, FailureKind
from rankgate.core.reference import Reference
from rankgate.core.verdict import GateResult, decide
from rankgate.errors import UsageError
from rankgate.reports import FORMATS, CommandHints, gather, render
from rankgate.reports.next_steps import _argument
from rankgate.reports.queries import labels, moves_measure, trend
from rankgate.reports.records.queries import FirstChange, MovedDocument, TextChange
from rankgate.reports.records.report import Counts, Facts, NextStep
from rankgate.reports.records.rules import STATUS_ORDER
from tests.reports.conftest import (
    JUDGED,
    MEASURES,
    NDCG,
    P1,
    limits,
    plain_set,
    query,
    reference,
    refused,
    run,
    swapped,
)

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


def test_failures_that_differ_by_rank_or_size_alone_are_one_group() -> None:
    """What is wrong within an answer names where; one wrong path is one line all the same, and another status is not."""

    def grouped(kind: FailureKind, *messages: str) -> list[tuple[str, int]]:
        queries = tuple(query(f"q{place}", "text", {"a": 1}) for place in range(len(messages)))
        failed = {each.id: Failure(kind, message) for each, message in zip(queries, messages, strict=True)}
        comparison = compare(GoldenSet(queries), run({}, failed), (P1,), None)
        facts = gather(decide(Gate((Limit("floor", P1, 0.5),)), comparison), command_hints=HINTS)
        return [(group.message, len(group.query_ids)) for group in facts.failures]

    no_id = "http://a: hit {} has no id at 'sku'; its keys are: id"
    no_json = "http://a: the answer is no JSON (line 1 column 2 of {} bytes): off"
    assert [(no_id.format(1), 3)] == grouped(FailureKind.HIT, *map(no_id.format, (1, 2, 10)))
    keys = [
        f"http://a: path 'docs' is not in the answer; its top-level keys are: {each}; is it right?" for each in "ab"
    ]
    says = [f"{keys[0]}; the service says: {each}" for each in ("busy", "off")]
    assert [(keys[0], 2)] == grouped(FailureKind.PATH, *keys)
    assert [(says[0], 1), (says[1], 1)] == grouped(FailureKind.PATH, *says)
    assert [(no_json.format(80), 2)] == grouped(FailureKind.BODY, *map(no_json.format, (80, 90)))
    assert [("http://a: 500", 2), ("http://a: 503", 1)] == grouped(
        FailureKind.STATUS, "http://a: 500", "http://a: 503", "http://a: 500"
    )


def test_failures_of_both_sides_are_named_apart(results: Mapping[str, GateResult]) -> None:
    """Those of this run first; the counts and the line under the headline say how many there are of each."""
    facts = gather(results["inconclusive of both sides"], command_hints=HINTS)

    assert [("", 1), ("", 1), ("http://b", 5), ("http://b", 1)] == [
        (group.of, len(group.query_ids)) for group in facts.failures
    ]
    assert (2, 6, 4, True) == (
        facts.counts.failed,
        facts.counts.reference_failed,
        facts.counts.compared,
        facts.counts.incomplete,
    )
    assert facts.measured.startswith(
        "8 of 10 queries measured, 2 failed; 6 failed of http://b; 4 compared with http://b; "
    )


def test_a_mean_of_the_other_side_is_at_its_worst(results: Mapping[str, GateResult]) -> None:
    """The means between which the change is at its worst: where the other failed, it could have been at its best."""
    cells = gather(results["inconclusive, nothing compared"], command_hints=HINTS).slices[0].cells

    assert [("P@1", 1.0, 0.0), ("ZeroResults", 0.0, 0.0)] == [
        (cell.measure, cell.baseline, cell.change) for cell in cells if cell.measure in {"P@1", "ZeroResults"}
    ]


@pytest.mark.parametrize(
    ("name", "headline"),
    [
        ("pass", "Search did not get worse: 4 rules hold; 0 queries better, 10 same, 0 worse; nothing to do"),
        (
            "pass, one worse",
            (
                "Search got worse nowhere beyond its limits: 2 rules hold; 0 queries better, 9 same, 1 worse, "
                "most of all for query 'q002'; look closer: rankgate explain q002"
            ),
        ),
        ("pass without baseline", "Search is good enough: 1 rule holds; nothing compared; nothing to do"),
        (
            "warn drop",
            (
                "No rule is broken; 1 warning (nDCG@10 warn_drop: fell by 0.0459), most of all for query 'q002'; "
                "look closer: rankgate explain q002"
            ),
        ),
        (
            "warn strict",
            (
                "No rule is broken; 1 warning (nDCG@10 warn_drop: fell by 0.0459), most of all for query 'q002'; "
                "--strict makes that a failure; look closer: rankgate explain q002"
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
            "warn of what was not measured",
            (
                "No rule is broken; 2 warnings (max_errors, nDCG@10 warn_drop: could have fallen by 0.2000); "
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
                "Search got worse: 8 of 11 rules failed (P@1 max_drop, nDCG@10 max_drop, nDCG@10 max_drop on 'jargon' "
                "and 5 more), most of all for query 'gasket'; look closer: rankgate explain gasket"
            ),
        ),
        (
            "fail floor alone",
            "Search is not good enough: 1 of 1 rule failed (nDCG@10 floor); look closer: rankgate explain q000",
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
                "nDCG@10 max_drop, lost_queries open; 5 of them: connection refused by the service; "
                "mend what failed, then run again: rankgate check"
            ),
        ),
        (
            "inconclusive by max_errors",
            (
                "Could not tell whether search got worse: 2 of 10 queries failed, more than max_errors allows; "
                "1 of them: connection refused by the service; mend what failed, then run again: rankgate check"
            ),
        ),
        (
            "inconclusive, nothing measured",
            "Nothing was measured: 10 of 10 queries failed; connection refused by the service; mend what failed, then run again: rankgate check",
        ),
        (
            "inconclusive, nothing compared",
            (
                "Nothing was compared: 10 queries of http://b failed; connection refused by the service; "
                "mend what failed, then run again: rankgate check"
            ),
        ),
        (
            "inconclusive of both sides",
            (
                "Could not tell whether search got worse: 2 of 10 queries failed and 6 queries of http://b failed, "
                "and that leaves nDCG@10 max_drop, lost_queries open; 5 of them: connection refused by the service; "
                "mend what failed, then run again: rankgate check"
            ),
        ),
        (
            "inconclusive beside an exact search",
            (
                "Could not tell whether search got worse: 6 queries of exact failed, more than max_errors allows; "
                "5 of them: connection refused by the service; mend what failed, then run again: rankgate check"
            ),
        ),
        (
            "warn of little",
            (
                "No rule is broken; 1 warning (reference_errors); "
                "fix the queries that were not measured, then run again: rankgate check"
            ),
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


@pytest.mark.parametrize(
    ("now", "gate", "exact", "says", "steps"),
    [
        pytest.param(
            "a x",
            Gate(max_errors=2),
            Reference(run({}, {"q": refused(), "r": refused()}), name="exact"),
            "2 queries of exact failed, and no query is left that both answered",
            ["mend what failed, then run again"],
            id="no answer of an exact search, though so many may fail",
        ),
        pytest.param(
            "",
            Gate((Limit("floor", JUDGED, 0.5),)),
            None,
            "nothing has a value for Judged@10 floor",
            ["mend what failed, then run again"],
            id="a measure without a value",
        ),
        pytest.param(
            "x a",
            Gate((Limit("floor", P1, 0.5),), unjudged="inconclusive"),
            None,
            "judging alone could turn P@1 floor",
            ["judge what decides"],
            id="judging decides",
        ),
        pytest.param(
            "x a",
            Gate((Limit("floor", P1, 0.5),), unjudged="inconclusive"),
            Reference(run({"r": ["a"]}, {"q": refused()}), name="exact"),
            "1 query of exact failed, more than max_errors allows; connection refused by the service; "
            "judging alone could turn P@1 floor",
            ["mend what failed, then run again", "judge what decides"],
            id="both",
        ),
    ],
)
def test_why_nobody_can_tell(now: str, gate: Gate, exact: Reference | None, says: str, steps: list[str]) -> None:
    """Every reason that there is, and none that is not: judging is named where judging would help."""
    golden = GoldenSet(tuple(query(name, name, {"a": 3}) for name in "qr"))
    found = decide(gate, compare(golden, run(dict.fromkeys("qr", now.split())), (P1, JUDGED), None), exact=exact)
    facts = gather(found, command_hints=HINTS)

    assert f"Could not tell whether search got worse: {says}; " in facts.headline
    assert steps == [step.text for step in facts.next_steps]


def test_a_pass_and_a_failure_count_the_same_rules() -> None:
    """A slice too small for its rule is in neither count, and no remark is either."""
    queries, before = plain_set()
    rules = (*limits(floor=0.1, max_drop=0.05, warn_drop=0.01), Limit("max_drop", P1, 0.1, min_queries=99))
    said = [
        gather(
            decide(Gate(rules), compare(GoldenSet(queries), run(now), (P1, NDCG), reference(queries, before))),
            command_hints=HINTS,
        ).headline
        for now in (before, swapped(before, *before))
    ]

    assert "Search did not get worse: 3 rules hold; " in said[0]
    assert "Search got worse: 1 of 3 rules failed (nDCG@10 max_drop), " in said[1]


@pytest.mark.parametrize(
    ("worse", "says"),
    [
        (("q004",), "most of all for query 'q004'; "),
        (("q004", "q002", "q007"), "most of all for query 'q002' and 2 alike; "),
    ],
)
def test_the_worst_query_is_named_and_those_that_are_as_bad_are_counted(worse: tuple[str, ...], says: str) -> None:
    """A choice by the alphabet is not told as if that query were worse than the others; here one lost all."""
    queries, before = plain_set()
    result = decide(
        Gate(limits(max_drop=0.01)),
        compare(GoldenSet(queries), run(swapped(before, *worse)), MEASURES, reference(queries, before)),
    )
    deeper = decide(
        Gate(limits(max_drop=0.01)),
        compare(GoldenSet(queries), run({**swapped(before, *worse), "q009": []}), MEASURES, reference(queries, before)),
    )

    assert says in gather(result, command_hints=HINTS).headline
    assert "most of all for query 'q009'; " in gather(deeper, command_hints=HINTS).headline


def test_what_was_not_measured_did_not_fall(results: Mapping[str, GateResult]) -> None:
    """Nothing but what failed to answer changed: the numbers are bounds, and no way that they went is claimed."""
    result = results["warn of what was not measured"]
    facts = gather(result, command_hints=HINTS)
    row = next(row for row in facts.rules if row.rule == "warn_drop")
    cell = facts.slices[0].cells[1]

    assert (1.0, 1.0, 0.8, 1.0) == (row.baseline, row.baseline_best, row.now, row.now_best)
    assert pytest.approx((-0.2, 0.0)) == (row.change, row.change_best)
    assert pytest.approx((-0.2, 0.0)) == (cell.change, cell.change_best)
    assert (None, None) == (row.trend, cell.trend)
    for name in FORMATS:
        report = html.unescape(render(name, result, width=200))
        assert (name, False, False) == (name, "fell by" in report, "rose by" in report)
    for name in ("text", "markdown", "html"):
        report = html.unescape(render(name, result, width=200))
        assert (name, True, True) == (name, ">=0.8000" in report, ">=-0.2000" in report)


def test_next_steps_of_a_failure(failing: Facts) -> None:
    """Look at the worst query, accept what is meant, and know what a new baseline does not settle."""
    expected = (
        NextStep("look closer", "rankgate explain gasket"),
        NextStep("if this is meant", 'rankgate accept --allow-worse --reason "..."'),
        *(
            NextStep(f"a new baseline does not settle {pin}: it is written at golden/queries/parts.yaml:{line}:5")
            for pin, line in (
                ("must P@1 for query 'cracked-bracket'", 4),
                ("never for query 'impeller'", 17),
                ("expects for query 'no-such'", 42),
            )
        ),
        NextStep("judge what could turn it", "rankgate holes"),
    )
    assert expected == failing.next_steps


def test_commands_come_from_the_caller(results: Mapping[str, GateResult]) -> None:
    """A command that makes no sense for the caller is not suggested; the others keep the caller's options."""
    hints = CommandHints(check="rankgate -c x check", explain="rankgate -c x explain", accept="", holes="")
    steps = gather(results["fail"], command_hints=hints).next_steps
    assert ["rankgate -c x explain gasket", "", "", ""] == [step.command for step in steps]
    mended = "mend the ranking, or must P@1 for query 'cracked-bracket': it is written at golden/queries/parts.yaml:4:5"
    assert mended == steps[1].text
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
