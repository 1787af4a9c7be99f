"""Two services in one run: one against the other, and an approximate index against its exact search."""

import json
import re
from collections.abc import Iterator

import pytest

from tests.e2e.support import HEAD, JARGON, Fault, Inside, Result, Search, Workspace, right


@pytest.fixture
def other(workspace: Workspace) -> Iterator[Search]:
    """A second service that answers every query rightly, known to the config as the target ``second``."""
    running = Search()
    running.rankings = {text: right(text) for text in (*HEAD, *JARGON)}
    workspace.configure("  retries: 0", f"  retries: 0\n  targets: {{second: {{url: {running.url}/search}}}}")
    yield running
    running.close()


def test_a_worse_candidate_fails_against_the_other(workspace: Workspace, inside: Inside, other: Search) -> None:
    """No baseline is needed: both are asked, again too where it would fail, and the same rules and words hold."""
    workspace.best()
    workspace.worsen(*HEAD[:3])
    result = inside("check", "--against", "second", "--format", "json")
    report = json.loads(result.stdout)

    assert (1, "FAIL") == (result.code, report["verdict"])
    assert sorted(HEAD[:3] * 3) == sorted(request.text for request in other.requests if request.text in HEAD[:3])
    assert {"P@1", "lost_queries"} <= {
        row["measure"] or row["rule"] for row in report["rules"] if row["status"] == "fail"
    }
    assert not workspace.baseline.exists()
    assert {"other": "second", "queries": 12, "alike": 9} == {
        key: report["agreement"][key] for key in ("other", "queries", "alike")
    }
    assert [] == report["agreement"]["ann_recall"]
    assert ["rankgate accept" not in step["command"] for step in report["next_steps"]] == [True] * len(
        report["next_steps"]
    )


def test_two_that_rank_alike_pass(workspace: Workspace, inside: Inside, other: Search) -> None:
    """By the other's address; the report says in how much they agree."""
    workspace.best()
    result = inside("check", "--against", f"{other.url}/search")

    assert 0 == result.code
    assert f"against {other.url}/search: 12 of 12 queries rank the same; overlap@1 1.0000" in " ".join(
        result.stdout.split()
    )


def test_what_an_approximate_index_loses(workspace: Workspace, inside: Inside, other: Search) -> None:
    """ANN recall has its own name and line, beside the comparison with the baseline."""
    workspace.best()
    assert 0 == inside("accept").code
    for text in HEAD:
        workspace.search.rankings[text] = [*right(text)[:2], *right(text)[3:]]
    result = inside("check", "--exact", "second", "--format", "json")
    report = json.loads(result.stdout)

    assert 0 == result.code
    assert [[1, 1.0], [10, (6 * 0.75 + 6) / 12]] == report["agreement"]["ann_recall"]
    assert 12 == report["counts"]["compared"]
    text = inside("check", "--exact", "second").stdout
    assert "ANN recall@1 1.0000, ANN recall@10 0.8750 over 12 queries: of what the exact search second finds" in (
        " ".join(text.split())
    )


def said(result: Result) -> str:
    """The report on stdout without its line breaks."""
    return " ".join(result.stdout.split())


def test_nothing_is_compared_where_the_other_fails_everything(
    workspace: Workspace, inside: Inside, other: Search
) -> None:
    """What was not measured is no zero, and no better run: there is no verdict, and its failures are named."""
    other.faults[None] = Fault(500)
    result = inside("check", "--against", "second")
    report = json.loads(inside("check", "--against", "second", "--format", "json").stdout)

    assert 3 == result.code
    assert "Nothing was compared: 12 queries of second failed; GET " in said(result)
    assert "12 of 12 queries measured, 0 failed; 12 failed of second; 0 compared with second" in said(result)
    assert "12 x status of second: GET " in said(result)
    assert [("second", 12)] == [(each["of"], len(each["query_ids"])) for each in report["failures"]]
    assert {"undecided"} == {row["status"] for row in report["rules"] if row["rule"] in {"max_drop", "max_rise"}}
    assert {"headroom"}.isdisjoint(row["rule"] for row in report["rules"])
    assert "mend what failed, then run again: rankgate check --against second" in said(result)


def test_one_failure_of_the_other_is_no_gain(workspace: Workspace, inside: Inside, other: Search) -> None:
    """Two that rank alike, one of them without one answer: the means are at their worst, and no verdict is passed."""
    other.faults["trail map"] = Fault(500)
    result = inside("check", "--against", "second", "--format", "json")
    report = json.loads(result.stdout)

    assert 3 == result.code
    assert [("second", ["trail-map"])] == [(each["of"], each["query_ids"]) for each in report["failures"]]
    assert "1 of 12 queries of second was not measured; max_errors allows 0" in {
        row["message"] for row in report["rules"]
    }
    assert {11} == {report["counts"]["compared"], report["agreement"]["queries"]}
    assert 1 == report["agreement"]["unanswered"]
    assert [] == [
        cell
        for part in report["slices"]
        for cell in part["cells"]
        if cell["trend"] == "better" and part["slice"] == "all"
    ]


def test_a_failure_of_the_other_within_max_errors_warns(workspace: Workspace, inside: Inside, other: Search) -> None:
    """The same allowance as for this run."""
    workspace.configure("gate:\n  P@1", "gate:\n  max_errors: 1\n  P@1")
    other.faults["trail map"] = Fault(500)
    result = inside("check", "--against", "second")

    assert 0 == result.code
    assert result.stdout.startswith("WARN")
    assert "1 of 12 queries of second was not measured" in said(result)


def test_worse_where_the_other_failed_is_open(workspace: Workspace, inside: Inside, other: Search) -> None:
    """Not for want of judgments, and nothing rose: the failed queries leave the rules open."""
    workspace.worsen(*HEAD[:3])
    other.faults |= dict.fromkeys(HEAD[:3], Fault(500))
    result = inside("check", "--against", "second")

    assert 3 == result.code
    assert "3 queries of second failed, and that leaves" in said(result)
    assert "judging alone" not in said(result)
    assert " rose by " not in said(result)
    assert "(3 not measured), was between 0.7500 and 1.0000; max_drop" in said(result)


def test_an_exact_search_that_fails(workspace: Workspace, inside: Inside, other: Search) -> None:
    """Without one answer of it nothing is known of ANN recall; with some, it says over how many queries."""
    assert 0 == inside("accept").code
    other.faults["trail map"] = Fault(500)
    some = inside("check", "--exact", "second")
    other.faults[None] = Fault(500)
    none = inside("check", "--exact", "second")
    workspace.configure("gate:\n  P@1", "gate:\n  max_errors: 12\n  P@1")
    allowed = inside("check", "--exact", "second")

    assert [3, 3, 3] == [each.code for each in (some, none, allowed)]
    assert "over 11 queries: of what the exact search second finds" in said(some)
    assert "1 of 12 queries of second was not measured" in said(some)
    assert "11 of 11 queries rank the same, 1 without an answer of both" in said(some)
    assert "12 of 12 queries of second were not measured; max_errors allows 0" in said(none)
    assert "12 x status of second: GET " in said(none)
    assert "compared with the baseline" in said(none)


def test_the_better_of_two_services_is_nothing_to_accept(workspace: Workspace, inside: Inside, other: Search) -> None:
    """No headroom against another service: no file holds what it ranks."""
    other.rankings |= {text: ["ad-1", *right(text)] for text in HEAD}
    result = inside("check", "--against", "second")

    assert 0 == result.code
    assert result.stdout.startswith("PASS")
    assert "12 compared with second" in said(result)
    assert "accept" not in result.stdout


def test_both_are_asked_again_before_it_fails(workspace: Workspace, inside: Inside, other: Search) -> None:
    """A right answer that the other gives once in three times is none that this run lost."""
    other.rankings |= {text: ["ad-1", *right(text)] for text in HEAD[:3]}
    workspace.search.rankings |= other.rankings
    other.firsts = {text: right(text) for text in HEAD[:3]}
    result = inside("check", "--against", "second", "--format", "json")
    report = json.loads(result.stdout)

    assert (0, "WARN") == (result.code, report["verdict"])
    assert [3, 3] == [sum(request.text == HEAD[0] for request in side.requests) for side in (workspace.search, other)]
    assert ["unstable"] == [row["rule"] for row in report["rules"] if row["status"] == "warn"]


def test_a_saved_run_with_failures_is_no_zero_either(workspace: Workspace, inside: Inside) -> None:
    """Whichever of the two it is."""
    assert 0 == inside("run", "-o", "whole.jsonl").code
    workspace.search.faults |= dict.fromkeys((*HEAD, *JARGON[:3]), Fault(500))
    assert 3 == inside("run", "-o", "part.jsonl").code
    first, second = inside("diff", "part.jsonl", "whole.jsonl"), inside("diff", "whole.jsonl", "part.jsonl")

    assert (3, 3) == (first.code, second.code)
    assert "9 queries of part.jsonl failed" in said(first)
    assert "9 x status of part.jsonl: GET " in said(first)
    assert "make the better run the baseline" not in said(first)


def test_who_cannot_be_the_other(workspace: Workspace, inside: Inside, other: Search) -> None:
    """A misspelt target, both ways at once, a recording: each is refused before anything is asked."""
    workspace.best()
    misspelt = inside("check", "--against", "secnod")
    both = inside("check", "--against", "second", "--exact", "second")
    recorded = inside("check", "--against", "second", "--replay", "nowhere")

    assert (2, 2, 2) == (misspelt.code, both.code, recorded.code)
    assert "'secnod' is no target of the config and no address; did you mean 'second'?" in misspelt.stderr
    assert "give one of them" in both.stderr
    assert "not with --replay or --repeat" in recorded.stderr
    assert [] == other.requests + workspace.search.requests


def test_the_other_is_down(workspace: Workspace, inside: Inside, other: Search) -> None:
    """That is no verdict."""
    workspace.best()
    result = inside("check", "--against", "http://127.0.0.1:9/search")

    assert 3 == result.code
    assert "the search service at 127.0.0.1:9 cannot be reached" in result.stderr
    assert "--against or --exact" in result.stderr


def test_documents_that_the_index_lost(workspace: Workspace, inside: Inside) -> None:
    """Gone from the ranking is one thing, gone from the index another: the service is asked, and explain says so."""
    workspace.best()
    assert 0 == inside("accept").code
    lost, demoted = HEAD[:2]
    workspace.search.rankings[lost] = right(lost)[1:]
    workspace.search.rankings[demoted] = right(demoted)[1:]
    workspace.configure(
        "  retries: 0", f"  retries: 0\n  exists: {{url: '{workspace.search.url}/docs?q={{id}}', path: 'hits'}}"
    )
    there = {document for text in (*HEAD, *JARGON) for document in right(text)} - {right(lost)[0]}
    workspace.search.rankings |= {document: ["there"] for document in there}
    result = inside("check", "--format", "json")
    report = json.loads(result.stdout)
    reasons = {
        move["document"]: move["reason"] for query in report["queries"] for move in query["moves"] if not move["after"]
    }

    assert 1 == result.code
    assert {right(lost)[0]: "gone from the index", right(demoted)[0]: "gone from the ranking"} == reasons


def test_validate_live_names_what_the_index_lost(workspace: Workspace, inside: Inside) -> None:
    """Judged ids that the index no longer has are warnings, each with its query's place; without exists it says how."""
    workspace.best()
    unable = inside("validate", "--live")
    workspace.configure(
        "  retries: 0", f"  retries: 0\n  exists: {{url: '{workspace.search.url}/docs?q={{id}}', path: 'hits'}}"
    )
    judged = {
        document for group in workspace.queries.values() for judgments in group.values() for document in judgments
    }
    gone = right(HEAD[0])[0]
    workspace.search.rankings |= {document: ["there"] for document in judged - {gone}}
    result = inside("validate", "--live")

    assert 2 == unable.code
    assert "service.exists" in unable.stderr
    assert 0 == result.code
    assert f"the index no longer has {gone!r}" in result.stderr
    assert "golden/queries/head.yaml:" in result.stderr


def test_an_address_that_knows_no_document_blames_no_index(workspace: Workspace, inside: Inside) -> None:
    """It says no to every document, also to one that search returned: nothing is attributed, and the address named."""
    workspace.best()
    assert 0 == inside("accept").code
    for lost in HEAD[:2]:
        workspace.search.rankings[lost] = right(lost)[1:]
    workspace.configure(
        "  retries: 0", f"  retries: 0\n  exists: {{url: '{workspace.search.url}/docs?q={{id}}', path: 'hits'}}"
    )
    checked, validated = inside("check"), inside("validate", "--live")
    says = "could not be told: service.exists says no even to '[a-z0-9-]+', which search returned; check service.exists.url"

    assert 1 == checked.code
    assert "gone from the index" not in checked.stdout
    said = " ".join(checked.stdout.split())
    assert re.search(f"whether the index still has 2 documents {says}", said)
    assert 0 == validated.code
    assert "the index no longer has" not in validated.stderr
    assert re.search(f"^warning: whether the index still has 36 documents {says}$", validated.stderr, re.MULTILINE)


def test_validate_live_does_without_a_service_that_returns_nothing(workspace: Workspace, inside: Inside) -> None:
    """Then there is no document to try the address with, and its word counts."""
    workspace.configure(
        "  retries: 0", f"  retries: 0\n  exists: {{url: '{workspace.search.url}/docs?q={{id}}', path: 'hits'}}"
    )
    workspace.search.rankings.clear()
    silent = inside("validate", "--live")
    workspace.configure(f"url: {workspace.search.url}/search", "url: http://127.0.0.1:9/search")
    down = inside("validate", "--live")

    assert silent == down
    assert 12 == silent.stderr.count("the index no longer has")


def test_a_fault_while_looking_is_said(workspace: Workspace, inside: Inside) -> None:
    """What could not be told is not called missing."""
    workspace.best()
    assert 0 == inside("accept").code
    workspace.worsen(HEAD[0], HEAD[2], HEAD[3])
    workspace.search.rankings[HEAD[1]] = right(HEAD[1])[1:]
    workspace.configure("  retries: 0", "  retries: 0\n  exists: {url: 'http://127.0.0.1:9/{id}'}")
    result = inside("check")

    assert "whether the index still has 1 document could not be told" in " ".join(result.stdout.split())
    assert "gone from the index" not in result.stdout
