"""The main story, from an empty folder to a baseline that moved, with the real command and a real service."""

import json
from pathlib import Path

import pytest

from rankgate.reports import FORMATS
from tests.e2e.support import Inside, Rankgate, Search, Workspace, name, put, right

FIVE = """\
slice: head
queries:
  - {id: shoes, text: running shoes, judgments: {running-shoes-1: 3, running-shoes-2: 2}}
  - {id: jacket, text: rain jacket, judgments: {rain-jacket-1: 3}, must: {P@1: 1}}
  - {id: socks, text: wool socks, judgments: {wool-socks-1: 3}}
  - {id: map, text: trail map, judgments: {trail-map-1: 3}}
  - {id: torch, text: head torch, judgments: {head-torch-1: 3}}
"""


@pytest.mark.slow
def test_from_init_to_a_baseline_that_moved(
    workspace: Workspace, search: Search, rankgate: Rankgate, tmp_path: Path
) -> None:
    """A new user's whole way: each step ends with the code that it should, and the diff says what moved."""
    home = tmp_path / "new"
    home.mkdir()
    service = {"SEARCH_URL": search.url}

    begun = rankgate("init", cwd=home)
    assert (0, "") == (begun.code, begun.stdout)
    assert "rankgate validate\n" in begun.stderr

    put(home / "golden" / "queries" / "first.yaml", FIVE)
    validated = rankgate("validate", cwd=home)
    assert (0, "ok: 5 queries, 6 judgments, no baseline\n") == (validated.code, validated.stdout)
    assert "rankgate accept makes one" in validated.stderr
    assert [] == search.requests

    first = rankgate("accept", cwd=home, env=service)
    assert 0 == first.code, first.stderr
    assert 5 == len(search.requests)
    assert all("size=50" in request.target for request in search.requests)

    unchanged = rankgate("check", cwd=home, env=service)
    assert 0 == unchanged.code, unchanged.stderr
    assert unchanged.stdout.startswith("PASS")

    workspace.worsen("running shoes", "rain jacket")
    worse = rankgate("check", cwd=home, env=service)
    assert 1 == worse.code
    assert worse.stdout.startswith("FAIL")
    for moved in ("shoes", "jacket", "running-shoes-1", "rain-jacket-1", "ad-1", "1 -> 3"):
        assert moved in worse.stdout, moved
    for still in ("wool-socks-1", "trail-map-1", "head-torch-1"):
        assert still not in worse.stdout, still

    asked = len(search.requests)
    explained = rankgate("explain", "shoes", cwd=home)
    assert 0 == explained.code, explained.stderr
    assert "running-shoes-1" in explained.stdout
    assert asked == len(search.requests)

    workspace.best()
    again = rankgate("check", cwd=home, env=service)
    assert 0 == again.code

    search.rankings["wool socks"] = ["wool-socks-1"]
    moved_on = rankgate("accept", cwd=home, env=service)
    assert 0 == moved_on.code, moved_on.stderr
    after = rankgate("check", cwd=home, env=service)
    assert 0 == after.code
    assert "0 queries better, 5 same, 0 worse" in after.stdout


def test_a_better_ranking_passes_and_becomes_the_baseline(accepted: Workspace, inside: Inside) -> None:
    """An improvement is never a failure; once accepted, going back is one."""
    accepted.worsen("trail map", "rain jacket", "usb-c lamp")
    assert 0 == inside("accept", "--allow-worse", "--reason", "a detour").code

    accepted.best()
    better = inside("check")
    assert (0, 0) == (better.code, inside("accept").code)
    assert better.stdout.startswith("WARN")  # so much better that a fall back to the baseline would go unseen
    assert "rankgate accept" in better.stdout

    accepted.worsen("trail map", "rain jacket", "usb-c lamp")
    assert 1 == inside("check").code


@pytest.mark.parametrize(
    ("measure", "code", "says"),
    [
        pytest.param("P@1", 0, "What each move cost  (in P@1)", id="a sum over ranks"),
        pytest.param("r@2", 0, "What each move cost  (in R@2)", id="one that the config does not have"),
        pytest.param(
            "AP", 2, "AP is no sum over ranks, so no move has a cost of its own in it", id="no sum over ranks"
        ),
        pytest.param("P@", 2, "P@", id="no measure"),
    ],
)
def test_explain_counts_in_the_measure_that_is_named(
    accepted: Workspace, inside: Inside, measure: str, code: int, says: str
) -> None:
    """The first nDCG is only what is taken where none is."""
    accepted.worsen("trail map")
    assert 0 == inside("run", "-o", "worse.jsonl").code
    explained = inside("explain", "--run", "worse.jsonl", "trail-map", "-m", measure)

    assert (code, True) == (explained.code, says in (explained.stderr if code else explained.stdout))


def test_a_saved_run_is_judged_explained_and_accepted_without_the_service(
    accepted: Workspace, inside: Inside, search: Search
) -> None:
    """What ``run`` saved is as good as a live answer for every other command."""
    accepted.worsen("trail map", "usb-c lamp")
    assert 0 == inside("run", "-o", "runs/worse.jsonl").code
    asked = len(search.requests)

    reported = inside("report", "runs/worse.jsonl")
    compared = inside("diff", accepted.baseline, "runs/worse.jsonl")
    explained = inside("explain", "--run", "runs/worse.jsonl", "trail-map")
    refused = inside("accept", "--from", "runs/worse.jsonl")
    taken = inside("accept", "--from", "runs/worse.jsonl", "--allow-worse", "--reason", "the index moved")

    assert [1, 1, 0, 2, 0] == [each.code for each in (reported, compared, explained, refused, taken)]
    assert reported.stdout.replace("explain", "") == compared.stdout.replace("explain", "")
    assert asked == len(search.requests)
    accepted.best()
    assert 0 == inside("check").code


def test_live_and_saved_give_the_same_report(accepted: Workspace, inside: Inside) -> None:
    """``check`` and ``report`` of what it kept say the same, byte for byte."""
    accepted.worsen("trail map", "usb-c lamp")
    live = inside("check", "--format", "json")
    kept = inside("report", accepted.last_run, "--format", "json")

    live_facts, kept_facts = json.loads(live.stdout), json.loads(kept.stdout)
    assert live.code == kept.code
    assert live_facts["rules"] == kept_facts["rules"]
    assert live_facts["queries"] == kept_facts["queries"]


@pytest.mark.parametrize("report", [name for name in FORMATS if name != "openmetrics"])
def test_every_format_says_that_it_failed_and_what_moved(accepted: Workspace, inside: Inside, report: str) -> None:
    """The verdict, the rule, the queries and the documents are in each but the metrics, and the code is the same."""
    accepted.worsen("trail map", "usb-c lamp")
    result = inside("check", "--format", report)

    assert 1 == result.code
    for fact in ("FAIL", "lost_queries", "trail-map", "usb-c-lamp"):
        found = fact.lower() in result.stdout.lower().replace("&#95;", "_")
        assert found, fact


def test_output_is_repeatable_and_equals_what_stdout_would_have(accepted: Workspace, inside: Inside) -> None:
    """Several files come from one run, in folders that are made, besides the report on stdout."""
    accepted.worsen("trail map", "usb-c lamp")
    outputs = [argument for report in FORMATS for argument in ("--output", f"{report}:reports/{report}")]
    several = inside("check", "--format", "json", *outputs)
    written = {report: (accepted.root / "reports" / report).read_text(encoding="utf-8") for report in FORMATS}

    assert 1 == several.code
    assert several.stdout == written["json"]
    assert {report: inside("check", "--format", report).stdout for report in FORMATS} == written


def test_every_query_is_asked_once_and_to_the_depth(workspace: Workspace, inside: Inside, search: Search) -> None:
    """Twelve queries are twelve requests."""
    assert 0 == inside("accept").code

    expected = sorted(text for queries in workspace.queries.values() for text in queries)
    assert expected == sorted(request.text for request in search.requests)
    assert {"10"} == {request.target.rpartition("k=")[2] for request in search.requests}


def test_a_mean_that_stands_still_hides_no_slice(accepted: Workspace, inside: Inside) -> None:
    """A slice that falls by more than its own limit fails, whatever the whole set does."""
    accepted.configure("max_drop: 0.2", "max_drop: 0.05")
    accepted.worsen("usb-c lamp")
    result = inside("check")

    assert 1 == result.code
    assert "1 of 6 rules failed (nDCG@10 max_drop on 'jargon')" in " ".join(result.stdout.split())


def test_duplicate_hits_count_once_and_are_reported(accepted: Workspace, inside: Inside, search: Search) -> None:
    """The first counts, the ranks close up, the verdict stays."""
    search.rankings["trail map"] = [document for document in right("trail map") for _ in range(2)]
    result = inside("check")

    assert 0 == result.code
    assert "4 duplicate hits dropped" in " ".join(result.stdout.split())


def test_whole_numbers_are_ids_too(workspace: Workspace, inside: Inside, search: Search) -> None:
    """Numbers of any size in the answer meet the judged ids as they are written, without loss."""
    big = 2**63 + 1
    workspace.queries["head"]["trail map"] = {str(big): 3}
    workspace.write()
    search.rankings["trail map"] = [big]

    assert 0 == inside("accept").code
    assert f'"ids": ["{big}"]' in workspace.baseline.read_text(encoding="utf-8")


def test_pins_hold_whatever_the_means_say(accepted: Workspace, inside: Inside) -> None:
    """A query that must have its document first, and one that may never show another, fail alone."""
    path = accepted.file("head")
    golden = json.loads(path.read_text(encoding="utf-8"))
    golden["queries"][0] |= {"must": {"P@1": 1}}
    golden["queries"][1] |= {"never": ["ad-1"]}
    put(path, json.dumps(golden))
    assert 0 == inside("check").code

    accepted.search.rankings["running shoes"].insert(0, "ad-2")
    must = inside("check")
    accepted.best()
    accepted.search.rankings["rain jacket"].append("ad-1")
    never = inside("check")

    assert (1, 1) == (must.code, never.code)
    assert f"query '{name('running shoes')}' must have P@1 of at least 1.0000: it is 0.0000" in must.stdout
    assert "must not show 'ad-1' in its first 10: it is at rank 5" in " ".join(never.stdout.split())
