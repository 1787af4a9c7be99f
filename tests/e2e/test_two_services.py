"""Two services in one run: one against the other, and an approximate index against its exact search."""

import json
from collections.abc import Iterator

import pytest

from tests.e2e.support import HEAD, JARGON, Inside, Search, Workspace, right


@pytest.fixture
def other(workspace: Workspace) -> Iterator[Search]:
    """A second service that answers every query rightly, known to the config as the target ``second``."""
    running = Search()
    running.rankings = {text: right(text) for text in (*HEAD, *JARGON)}
    workspace.configure("  retries: 0", f"  retries: 0\n  targets: {{second: {{url: {running.url}/search}}}}")
    yield running
    running.close()


def test_a_worse_candidate_fails_against_the_other(workspace: Workspace, inside: Inside, other: Search) -> None:
    """No baseline is needed: both are asked, and the same rules and words hold."""
    workspace.best()
    workspace.worsen(*HEAD[:3])
    result = inside("check", "--against", "second", "--format", "json")
    report = json.loads(result.stdout)

    assert (1, "FAIL") == (result.code, report["verdict"])
    assert sorted(HEAD[:3]) == sorted(request.text for request in other.requests if request.text in HEAD[:3])
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
    assert "ANN recall@1 1.0000, ANN recall@10 0.8750: of what the exact search second finds" in " ".join(text.split())


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
    workspace.search.rankings[right(demoted)[0]] = ["there"]
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
