"""What is read from a kept or saved run says what the check of it said, and advises what can be done with it."""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rankgate.files import run_file
from tests.e2e.support import HEAD, JARGON, Inside, Result, Workspace, name, put, right
from tests.e2e.test_noise import answers, wrong

LAST_RUN = "golden/.rankgate/last-run.jsonl"


def said(result: Result) -> dict[str, Any]:
    """A JSON report, but for what to do next, which names the file."""
    return {key: each for key, each in json.loads(result.stdout).items() if key not in {"headline", "next_steps"}}


def test_what_the_index_lost_is_kept(accepted: Workspace, inside: Inside) -> None:
    """The service was asked once which documents it has; explain and report know it too, and a baseline does not."""
    accepted.search.rankings |= {text: right(text)[1:] for text in HEAD[:2]}
    accepted.search.rankings |= {document: ["it"] for text in HEAD for document in right(text)[1:]}
    accepted.configure(
        "  retries: 0", f"  retries: 0\n  exists: {{url: '{accepted.search.url}/docs?q={{id}}', path: 'hits'}}"
    )
    accepted.search.rankings |= {right(text)[0]: ["there"] for text in (*HEAD[2:], *JARGON)}
    checked = inside("check", "--format", "json")
    accepted.search.requests.clear()
    reported, explained = inside("report", LAST_RUN, "--format", "json"), inside("explain", name(HEAD[0]))

    assert "gone from the index" in checked.stdout
    assert said(checked) == said(reported)
    assert "gone from the index" in explained.stdout
    assert [] == accepted.search.requests
    assert tuple(sorted(right(text)[0] for text in HEAD[:2])) == run_file.read(accepted.last_run).missing
    assert 0 == inside("accept", "--from", LAST_RUN, "--allow-worse", "--reason", "it is sold out").code
    assert '"missing"' not in accepted.baseline.read_text(encoding="utf-8")


@pytest.mark.parametrize("option", [pytest.param([], id="confirm"), pytest.param(["--repeat", "3"], id="repeat")])
def test_what_flapped_is_kept(accepted: Workspace, inside: Inside, option: Sequence[str]) -> None:
    """Whoever judges the run later is warned as well, and a strict gate fails; a baseline keeps nothing of it."""
    texts = ("rain jacket", "wool socks")
    answers(accepted, **{text.replace(" ", "_"): [wrong(text), right(text), right(text)] for text in texts})
    checked = inside("check", *option, "--format", "json")
    reported = inside("report", LAST_RUN, "--format", "json")

    assert (0, "WARN") == (checked.code, json.loads(checked.stdout)["verdict"])
    assert said(checked) == said(reported)
    assert (0, 1) == (reported.code, inside("report", LAST_RUN, "--strict").code)
    assert "unstable" in inside("diff", accepted.baseline, LAST_RUN).stdout
    before = accepted.baseline.read_bytes()
    assert 0 == inside("accept", "--from", LAST_RUN).code
    assert before == accepted.baseline.read_bytes()


def test_a_query_that_is_gone_flaps_no_more(accepted: Workspace, inside: Inside) -> None:
    """What was unstable is judged for the queries of today."""
    texts = ("rain jacket", "wool socks")
    answers(accepted, **{text.replace(" ", "_"): [wrong(text), right(text)] for text in texts})
    assert 0 == inside("check").code
    for text in texts:
        del accepted.queries["head"][text]
    accepted.write()

    rules = json.loads(inside("report", LAST_RUN, "--format", "json").stdout)["rules"]

    assert {"removed"} <= {rule["rule"] for rule in rules}
    assert "unstable" not in {rule["rule"] for rule in rules}


def test_a_run_that_was_asked_another_text_says_so(accepted: Workspace, inside: Inside) -> None:
    """The text of a query was edited after the check, and accepted: its old answer is compared with nothing."""
    assert 0 == inside("check").code
    edited = accepted.file("head").read_text(encoding="utf-8").replace('"text": "trail map"', '"text": "map of trails"')
    put(accepted.file("head"), edited)
    accepted.search.rankings["map of trails"] = wrong("trail map")
    assert 0 == inside("accept", "--allow-worse", "--reason", "another question").code
    explained = inside("explain", "trail-map")
    changed = json.loads(inside("report", LAST_RUN, "--format", "json").stdout)["changed"]

    assert "the text changed: this run was asked 'trail map'; kept out of the drop rules" in explained.stdout
    assert [{"id": "trail-map", "before": "trail map", "now": "map of trails"}] == changed


@pytest.mark.parametrize(
    "command",
    [
        ["report", "run.jsonl"],
        ["diff", LAST_RUN, "run.jsonl"],
        ["diff", "run.jsonl", LAST_RUN],
        ["explain", "--run", "run.jsonl", "trail-map"],
        ["holes", "--run", "run.jsonl"],
        ["accept", "--from", "run.jsonl"],
    ],
    ids=" ".join,
)
def test_a_shallow_run_is_refused_with_its_file(accepted: Workspace, inside: Inside, command: Sequence[str]) -> None:
    """A rule that looks deeper than the run was asked for was never measured: that is no fall, and no pass."""
    assert 0 == inside("check").code
    text = accepted.last_run.read_text(encoding="utf-8")
    put(accepted.root / "run.jsonl", text.replace('"depth": 10', '"depth": 5'))
    result = inside(*command)

    assert (2, "") == (result.code, result.stdout)
    assert "run.jsonl: it was asked for 5 documents a query, and nDCG(dcg='exp-log2')@10 looks at 10" in result.stderr


def next_commands(result: Result) -> dict[str, list[str]]:
    """The commands that a JSON report advises, by their names."""
    commands = [shlex.split(step["command"]) for step in json.loads(result.stdout)["next_steps"]]
    return {words[1]: words[1:] for words in commands if words}


@pytest.mark.parametrize(
    ("command", "beside"),
    [
        pytest.param(["report", "worse run.jsonl"], [], id="report"),
        pytest.param(["diff", "good.jsonl", "worse run.jsonl"], ["--baseline", "good.jsonl"], id="diff"),
    ],
)
def test_the_next_step_is_one_for_the_saved_run(
    accepted: Workspace, inside: Inside, command: Sequence[str], beside: Sequence[str]
) -> None:
    """What is advised is about the file, works as it is written, and asks no service."""
    assert 0 == inside("run", "-o", "good.jsonl").code
    for text in HEAD[:3]:
        accepted.search.rankings[text] = ["unjudged", *right(text)]
    assert 0 == inside("run", "-o", "worse run.jsonl").code
    accepted.best()
    accepted.search.requests.clear()
    steps = next_commands(inside(*command, "--format", "json"))

    assert {
        "explain": ["explain", *beside, "--run", "worse run.jsonl", "head-torch"],
        "accept": ["accept", "--from", "worse run.jsonl", "--allow-worse", "--reason", "..."],
        "holes": ["holes", *beside, "--run", "worse run.jsonl"],
    } == steps | {"explain": [*steps["explain"][:-1], "head-torch"]}
    assert [0, 0, 0] == [inside(*steps[each]).code for each in ("explain", "holes", "accept")]
    assert [] == accepted.search.requests
    assert run_file.read(Path("worse run.jsonl")).run.rankings == run_file.read(accepted.baseline).run.rankings


def test_what_is_accepted_already_is_not_advised_to_be(accepted: Workspace, inside: Inside) -> None:
    """A baseline on the right side of a diff."""
    accepted.search.rankings |= {text: wrong(text) for text in HEAD}
    assert 0 == inside("run", "-o", "worse.jsonl").code
    there, back = (
        inside("diff", *pair, "--format", "json")
        for pair in ((accepted.baseline, "worse.jsonl"), (accepted.baseline, accepted.baseline))
    )

    assert "accept" in next_commands(there)
    assert "accept" not in next_commands(back)


def test_a_text_in_the_place_of_an_id_is_answered_with_the_id(accepted: Workspace, inside: Inside) -> None:
    """And an id that nobody has with a few of those that there are."""
    assert 0 == inside("check").code
    by_text, unknown = inside("explain", "trail map"), inside("explain", "xbox")

    assert (2, 2) == (by_text.code, unknown.code)
    assert "no query 'trail map'; it is the text of 'trail-map'" in by_text.stderr
    assert "no query 'xbox'; known: " in unknown.stderr


def test_accept_shows_no_exit_code_but_its_own(accepted: Workspace, inside: Inside) -> None:
    """The verdict of the diff is a failure, and what the command does ends well."""
    accepted.worsen(*HEAD[:3])
    result = inside("accept", "--allow-worse", "--reason", "the range changed")

    assert 0 == result.code
    assert result.stdout.startswith("FAIL\n")
    assert "exit code" not in result.stdout + result.stderr


def test_a_selection_that_was_not_reached_is_reported_as_one(accepted: Workspace, inside: Inside) -> None:
    """The queries that nobody wanted to ask did not fail."""
    result = inside("check", "--url", "http://127.0.0.1:9/search", "--slice", "jargon", "--format", "json")
    report = json.loads(result.stdout)

    assert (3, "PARTIAL") == (result.code, report["verdict"])
    assert [len(JARGON)] == [len(group["query_ids"]) for group in report["failures"]]
