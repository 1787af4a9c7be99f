"""The baseline: who may write it, what a change of the golden set means for it, what a damaged one is."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.support import LIMIT_SECONDS, Inside, Workspace, put


def words(text: str) -> str:
    """*text* on one line, as no width of a page breaks it."""
    return " ".join(text.split())


def test_check_never_writes_the_baseline(accepted: Workspace, inside: Inside) -> None:
    """Not when it passes, not when it fails, not when there is none."""
    before = accepted.baseline.read_bytes()
    assert 0 == inside("check").code
    accepted.worsen("trail map", "usb-c lamp")
    assert 1 == inside("check").code
    assert before == accepted.baseline.read_bytes()

    accepted.baseline.unlink()
    assert (2, 0) == (inside("check").code, inside("check", "--floors-only").code)
    assert not accepted.baseline.exists()


def test_accepting_twice_gives_the_same_bytes(accepted: Workspace, inside: Inside) -> None:
    """Nothing of the day, the machine or the address is in the file."""
    before = accepted.baseline.read_bytes()
    assert 0 == inside("accept").code

    assert before == accepted.baseline.read_bytes()
    assert accepted.search.url.encode() not in before
    assert b"127.0.0.1" not in before


def test_the_baseline_is_read_line_by_line(accepted: Workspace) -> None:
    """A header, then one line a query sorted by id, with text, scores and ids, for the reader of a pull request."""
    header, *entries = [json.loads(line) for line in accepted.baseline.read_text(encoding="utf-8").splitlines()]

    lock = header.pop("lock")

    assert {"rankgate": "baseline", "format": 1, "depth": 10, "queries": 12} == header
    assert {"judgments", "queries", "grades", "measures", "request", "fingerprint"} == set(lock)
    assert sorted(entry["id"] for entry in entries) == [entry["id"] for entry in entries]
    assert [{"id", "text", "judgments", "scores", "ids"}] * 12 == [set(entry) for entry in entries]


def test_a_killed_accept_leaves_the_old_baseline_whole(accepted: Workspace, inside: Inside) -> None:
    """SIGKILL when the new one is written and not yet in place: the old one is there, and the next accept works."""
    before = accepted.baseline.read_bytes()
    accepted.search.rankings["trail map"].append("more")
    program = (
        "import os, sys, time\n"
        "def stop(_):\n"
        "    print('writing', flush=True)\n"
        "    time.sleep(600)\n"
        "os.fsync = stop\n"
        "from rankgate.cli import main\n"
        "sys.argv = ['rankgate', 'accept', '-q']\n"
        "main()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=accepted.root, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        while process.stdout.readline().strip() != "writing":
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait(LIMIT_SECONDS)

    assert before == accepted.baseline.read_bytes()
    assert 0 == inside("check").code
    assert 0 == inside("accept").code
    assert before != accepted.baseline.read_bytes()


def test_a_worse_run_is_refused_without_a_reason(accepted: Workspace, inside: Inside) -> None:
    """The refusal shows the diff, says what is worse, and names the way; the baseline stays."""
    accepted.worsen("trail map", "usb-c lamp")
    before = accepted.baseline.read_bytes()
    result = inside("accept")

    assert 2 == result.code
    assert "trail-map" in result.stdout
    for said in ("not accepted", "P@1 fell by 0.1667", "2 queries lost", "--allow-worse --reason '...'"):
        assert said in result.stderr, said
    assert before == accepted.baseline.read_bytes()


def test_what_a_refusal_advises_is_about_the_refused_run(accepted: Workspace, inside: Inside) -> None:
    """The way to accept it all the same has the options that it came by, and explain shows it, not an earlier run."""
    assert 0 == inside("check").code
    accepted.worsen("trail map", "usb-c lamp")
    address = f"{accepted.search.url}/search"
    live = inside("accept", "--url", address, "--repeat", "2")
    explained = inside("explain", "trail-map")
    assert 0 == inside("run", "-o", "after.jsonl").code
    saved = inside("accept", "--from", "after.jsonl", "--config", "golden/rankgate.yaml")

    assert f"rankgate accept --url {address} --repeat 2 --allow-worse --reason" in words(live.stderr)
    assert "look closer: rankgate explain trail-map" in words(live.stdout)
    assert "trail-map-3 grade 0 3 -> 1 rose" in words(explained.stdout)
    named = "--config golden/rankgate.yaml"
    assert f"rankgate accept {named} --from after.jsonl --allow-worse --reason" in words(saved.stderr)
    assert f"look closer: rankgate explain {named} --run after.jsonl trail-map" in words(saved.stdout)


def test_a_first_run_that_breaks_a_floor_is_not_worse_than_anything(workspace: Workspace, inside: Inside) -> None:
    """There is nothing that it would replace: the cure is in the ranking or in the rule."""
    workspace.worsen(*workspace.search.rankings)
    refused = inside("accept")
    said = words(refused.stderr)

    assert 2 == refused.code
    assert "this run breaks rules that no baseline can settle, so it is not accepted" in said
    assert "Mend the ranking, or the rule where it is written; to accept it all the same: rankgate accept" in said
    assert not workspace.baseline.exists()
    assert 0 == inside("accept", "--allow-worse", "--reason", "the first").code


def test_the_reason_is_kept_until_the_rankings_change(accepted: Workspace, inside: Inside) -> None:
    """It stands in the file with what was worse, survives accepting the same again, and goes with a better run."""

    def header() -> dict[str, Any]:
        first: dict[str, Any] = json.loads(accepted.baseline.read_text(encoding="utf-8").splitlines()[0])
        return first

    accepted.worsen("trail map", "usb-c lamp")
    assert 0 == inside("accept", "--allow-worse", "--reason", "the map moved; see PR 7").code
    kept = header()
    worse = [sentence.partition(",")[0] for sentence in kept["worse"]]
    assert "the map moved; see PR 7" == kept["reason"]
    assert [
        "P@1 fell by 0.1667",
        "2 queries lost a relevant first result or newly return nothing; lost_queries allows 1; judging alone cannot turn this",
    ] == worse

    assert 0 == inside("accept").code
    assert kept == header()

    accepted.best()
    assert 0 == inside("accept").code
    assert "reason" not in header()


def test_a_reason_without_need_is_not_kept_and_that_is_said(accepted: Workspace, inside: Inside) -> None:
    """Who gives one for a run that is not worse learns that the file has no place for it."""
    result = inside("accept", "--reason", "a new synonym list")

    assert 0 == result.code
    assert "nothing is worse than in the baseline, so the reason is not kept" in result.stderr


def test_accepting_shows_the_diff_without_telling_to_accept(workspace: Workspace, inside: Inside) -> None:
    """Its report has no next step that is the command itself."""
    result = inside("accept")

    assert 0 == result.code
    assert "Gate" in result.stdout
    assert "rankgate accept" not in result.stdout
    assert "accepted: golden/baseline.jsonl holds 12 rankings; commit it\n" == result.stderr


def test_an_edited_label_is_no_regression(accepted: Workspace, inside: Inside) -> None:
    """Both sides are scored with the judgments of today; the report names the query as relabelled."""
    accepted.queries["head"]["trail map"] = {"trail-map-4": 3, "trail-map-1": 0}
    accepted.write()
    result = inside("check", "--format", "json")
    facts = json.loads(result.stdout)

    assert 0 == result.code
    assert ["trail-map"] == facts["relabelled"]
    assert ([], [], []) == (facts["new"], facts["removed"], facts["changed"])


def test_a_changed_text_is_shown_and_kept_out_of_the_drop_rules(accepted: Workspace, inside: Inside) -> None:
    """Another question has no earlier answer: it counts for floors alone, and both texts are shown."""
    accepted.configure("lost_queries: {max: 1}", "lost_queries: {max: 0}")
    path = accepted.file("head")
    put(path, path.read_text(encoding="utf-8").replace('"text": "trail map"', '"text": "hiking map"'))
    accepted.search.rankings["hiking map"] = ["ad-1"]
    result = inside("check")
    facts = json.loads(inside("check", "--format", "json").stdout)

    assert 0 == result.code
    assert "1 changed text" in words(result.stdout)
    assert 11 == facts["counts"]["compared"]
    accepted.configure("floor: 0.5", "floor: 0.95")
    assert 1 == inside("check").code


def test_a_new_query_has_only_floors(accepted: Workspace, inside: Inside) -> None:
    """It was never accepted, so it cannot have dropped; it is named as new."""
    accepted.queries["head"]["tent pegs"] = {"tent-pegs-1": 3}
    accepted.write()
    accepted.search.rankings["tent pegs"] = ["ad-1"]
    passing = inside("check", "--format", "json")
    accepted.configure("floor: 0.5", "floor: 0.95")
    failing = inside("check")

    assert (0, 1) == (passing.code, failing.code)
    assert ["tent-pegs"] == json.loads(passing.stdout)["new"]
    assert "P@1 is 0.9231 over 13 queries, floor 0.9500" in words(failing.stdout)


def test_a_removed_query_fails_until_it_is_accepted(accepted: Workspace, inside: Inside) -> None:
    """Coverage cannot shrink unseen; accepting settles it without a reason."""
    del accepted.queries["head"]["trail map"]
    accepted.write()
    before = inside("check")
    taken = inside("accept")
    after = inside("check")

    assert (1, 0, 0) == (before.code, taken.code, after.code)
    assert "1 query of the baseline is no longer in the golden set: 'trail-map'" in words(before.stdout)


def test_four_changes_of_the_set_are_four_names(accepted: Workspace, inside: Inside) -> None:
    """New, removed, changed and relabelled are told apart in one report."""
    head = accepted.queries["head"]
    head["tent pegs"] = {"tent-pegs-1": 3}
    accepted.search.rankings["tent pegs"] = ["tent-pegs-1"]
    del head["trail map"]
    head["wool socks"] = {"wool-socks-1": 1}
    accepted.write()
    path = accepted.file("head")
    put(path, path.read_text(encoding="utf-8").replace('"text": "rain jacket"', '"text": "rain coat"'))
    accepted.search.rankings["rain coat"] = accepted.search.rankings["rain jacket"]
    facts = json.loads(inside("check", "--format", "json").stdout)
    changed = [each["id"] if isinstance(each, dict) else each for each in facts["changed"]]

    assert [["tent-pegs"], ["trail-map"], ["rain-jacket"], ["wool-socks"]] == [
        facts["new"],
        facts["removed"],
        changed,
        facts["relabelled"],
    ]


def test_a_baseline_of_smaller_depth_is_refused(accepted: Workspace, inside: Inside) -> None:
    """What looks deeper than it was asked for is not comparable; accepting anew is the cure."""
    text = accepted.baseline.read_text(encoding="utf-8")
    put(accepted.baseline, text.replace('"depth": 10', '"depth": 5'))
    refused = inside("check")

    assert 2 == refused.code
    assert "golden/baseline.jsonl: it was asked for 5 documents a query" in refused.stderr
    assert "nDCG(dcg='exp-log2')@10 looks at 10" in refused.stderr
    assert "rankgate accept" in refused.stderr
    assert (0, 0) == (inside("accept").code, inside("check").code)


DAMAGE: dict[str, tuple[Callable[[str], str], str]] = {
    "cut in a line": (lambda text: "".join(text.splitlines(keepends=True)[:3])[:-20], "baseline.jsonl:3: not JSON"),
    "cut after a line": (lambda text: "".join(text.splitlines(keepends=True)[:5]), "counts 12 queries, the file has 4"),
    "merge conflict": (lambda text: text.replace("\n", "\n<<<<<<< HEAD\n", 1), "baseline.jsonl:2: a merge conflict"),
    "NaN": (lambda text: text.replace('"P@1": 1.0', '"P@1": NaN', 1), "baseline.jsonl:2: NaN"),
    "out of range": (lambda text: text.replace('"P@1": 1.0', '"P@1": 7', 1), "baseline.jsonl:2: scores"),
    "a line twice": (
        lambda text: text + text.splitlines(keepends=True)[-1],
        "baseline.jsonl:14: query 'wool-socks' stands twice",
    ),
    "empty": (lambda _: "", "baseline.jsonl: the file is empty"),
    "another file": (lambda _: '{"name": "package"}\n', "baseline.jsonl:1: "),
    "newer format": (lambda text: text.replace('"format": 1', '"format": 9'), "baseline.jsonl:1: format 9"),
    "too deep": (lambda text: text + "[" * 100_000 + "\n", "baseline.jsonl:14: nested too deeply"),
}


@pytest.mark.parametrize(("damage", "says"), DAMAGE.values(), ids=DAMAGE)
@pytest.mark.parametrize("command", ["check", "validate", "accept"])
def test_a_damaged_baseline_is_2_with_its_line(
    accepted: Workspace, inside: Inside, command: str, damage: Callable[[str], str], says: str
) -> None:
    """It is never taken for an empty one, nor silently replaced."""
    put(accepted.baseline, damage(accepted.baseline.read_text(encoding="utf-8")))
    before = accepted.snapshot()
    result = inside(command)

    assert (2, "") == (result.code, result.stdout)
    assert says in result.stderr
    assert before == accepted.snapshot()


def test_a_baseline_with_windows_line_ends_is_the_same(accepted: Workspace, inside: Inside) -> None:
    """What git does to a checkout changes no verdict."""
    put(accepted.baseline, accepted.baseline.read_text(encoding="utf-8").replace("\n", "\r\n"))

    assert (0, 0) == (inside("validate").code, inside("check").code)


def test_comparing_a_run_with_itself_is_said(accepted: Workspace, inside: Inside) -> None:
    """Two names for the same rankings pass, and not without a word."""
    result = inside("diff", accepted.baseline, accepted.baseline)

    assert 0 == result.code
    assert "hold the same rankings" in result.stderr
