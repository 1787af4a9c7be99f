"""How alike baseline and candidate rank, which needs no judgment: said by every command that compares."""

import json
from collections.abc import Mapping
from typing import Any

from tests.e2e.support import HEAD, JARGON, Inside, Workspace, put, right


def agreement(stdout: str) -> Mapping[str, Any]:
    """What the JSON report says of it."""
    found: Mapping[str, Any] = json.loads(stdout)["agreement"]
    return found


def test_a_service_that_did_not_change_ranks_alike(accepted: Workspace, inside: Inside) -> None:
    """The headline says so, and a line of its own."""
    shown = " ".join(inside("check").stdout.split())

    assert "0 queries better, 12 same, 0 worse, 12 of 12 rankings as before; nothing to do" in shown
    assert "this run and the baseline rank alike: no ranking of 12 queries differs" in shown


def test_the_same_values_are_not_the_same_rankings(accepted: Workspace, inside: Inside) -> None:
    """Two documents that nobody wants changed places below the rest: no measure moves, and it is no tie."""
    for text in HEAD:
        first, second, bad, unjudged = right(text)
        accepted.search.rankings[text] = [first, second, unjudged, bad]
    shown = " ".join(inside("check").stdout.split())
    found = agreement(inside("check", "--format", "json").stdout)

    assert "0 queries better, 12 same, 0 worse; nothing to do" in shown
    assert "against the baseline: 6 of 12 queries rank the same; overlap@1 1.0000, overlap@10 1.0000" in shown
    assert "rank alike" not in shown
    assert {"other": "the baseline", "queries": 12, "alike": 6, "overlap": [[1, 1.0], [10, 1.0]]} == {
        key: found[key] for key in ("other", "queries", "alike", "overlap")
    }


def test_diff_names_the_run_that_it_compares_with(workspace: Workspace, inside: Inside) -> None:
    """By the path that it was given; a baseline is called that."""
    workspace.best()
    for name in ("one.jsonl", "two.jsonl"):
        assert 0 == inside("run", "-o", name).code
    assert 0 == inside("accept", "--from", "one.jsonl").code

    assert (
        "this run and one.jsonl rank alike: no ranking of 12 queries differs"
        in inside("diff", "one.jsonl", "two.jsonl").stdout
    )
    assert (
        "the baseline" == agreement(inside("diff", workspace.baseline, "two.jsonl", "--format", "json").stdout)["other"]
    )


def test_a_query_that_was_reworded_is_in_no_agreement(accepted: Workspace, inside: Inside) -> None:
    """Another text is another question, and so is one that the baseline does not know."""
    entries = json.loads(accepted.file("jargon").read_text(encoding="utf-8"))
    entries["queries"][0]["text"] = "another text"
    entries["queries"].append({"id": "new", "text": "new", "judgments": {"usb-c-lamp-1": 3}})
    put(accepted.file("jargon"), json.dumps(entries))
    accepted.search.rankings |= {"another text": right(JARGON[0])[::-1], "new": ["usb-c-lamp-1"]}
    found = agreement(inside("check", "--format", "json").stdout)

    assert {"queries": 11, "alike": 11} == {key: found[key] for key in ("queries", "alike")}


def test_without_a_baseline_there_is_none(workspace: Workspace, inside: Inside) -> None:
    """Nothing is compared, so nothing is alike."""
    workspace.best()

    assert None is agreement(inside("check", "--floors-only", "--format", "json").stdout)
