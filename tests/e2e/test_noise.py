"""A service that answers the same query differently: what the gate asks again, what it repeats, what calibrate finds."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
import yaml

from rankgate.files import run_file
from tests.e2e.support import HEAD, JARGON, Fault, Inside, Workspace, interrupted, name, put, right, started

DOWN = Fault(503)


class InTurn(dict[Any, Any]):
    """A mapping of which a value that is a tuple is given out in turn, one a request; the last one stays."""

    def get(self, key: Any, default: Any = None) -> Any:
        value = super().get(key, default)
        if isinstance(value, tuple):
            first, *rest = value
            self[key] = tuple(rest) if rest else first
            return first
        return value


def wrong(text: str) -> list[str]:
    """The ranking of the query with *text* that loses its first result."""
    return right(text)[::-1]


def answers(workspace: Workspace, **by_name: Sequence[Any]) -> None:
    """Let the service answer these queries in turn, and all others rightly; the count of requests starts anew."""
    workspace.best()
    in_turn = {key.replace("_", " "): tuple(rankings) for key, rankings in by_name.items()}
    assert in_turn.keys() <= workspace.search.rankings.keys()
    workspace.search.rankings = InTurn(workspace.search.rankings | in_turn)
    workspace.search.requests.clear()


def asked(workspace: Workspace) -> dict[str, int]:
    """How often each query was asked that was asked more than once."""
    texts = [request.text for request in workspace.search.requests]
    return {name(text): texts.count(text) for text in dict.fromkeys(texts) if texts.count(text) > 1}


def words(text: str) -> str:
    return " ".join(text.split())


RAIN, SOCKS, TORCH = (name(text) for text in ("rain jacket", "wool socks", "head torch"))


def test_a_failure_is_confirmed_by_asking_only_what_got_worse_again(accepted: Workspace, inside: Inside) -> None:
    """Two more times each; it stays a failure, and the report says on how many answers it rests."""
    answers(accepted, rain_jacket=[wrong("rain jacket")], wool_socks=[wrong("wool socks")])
    result = inside("check")

    assert 1 == result.code
    assert {RAIN: 3, SOCKS: 3} == asked(accepted)
    assert "confirm: 2 queries that got worse were asked 2 more times; all 2 stayed worse" in words(result.stdout)


def test_a_failure_that_most_answers_do_not_show_ends_as_a_warning(accepted: Workspace, inside: Inside) -> None:
    """With the evidence in every report, and the settled run kept; never a pass."""
    answers(
        accepted,
        rain_jacket=[wrong("rain jacket"), right("rain jacket"), right("rain jacket")],
        wool_socks=[wrong("wool socks"), wrong("wool socks"), right("wool socks")],
    )
    result = inside("check", "--format", "json")
    report = json.loads(result.stdout)
    (unstable,) = (rule for rule in report["rules"] if rule["rule"] == "unstable")

    assert (0, "warn") == (result.code, report["verdict"].lower())
    assert ("warn", [RAIN]) == (unstable["status"], unstable["query_ids"])
    assert (
        "1 of 2 queries that got worse is unstable and judged by the first answer that is not worse "
        f"(worse in 1 of 3 answers: '{RAIN}')"
    ) == unstable["message"]
    assert {"confirm": "2 queries that got worse were asked 2 more times; 1 stayed worse, 1 is unstable"} == report[
        "notes"
    ]
    kept = run_file.read(accepted.last_run).run
    assert [tuple(right("rain jacket")), tuple(wrong("wool socks"))] == [
        kept.rankings[key].ids for key in (RAIN, SOCKS)
    ]
    assert report["notes"] == kept.notes


def test_a_warning_that_cleared_a_failure_fails_a_strict_gate(accepted: Workspace, inside: Inside) -> None:
    """A team that takes no warnings takes none of these either."""
    answers(
        accepted,
        rain_jacket=[wrong("rain jacket"), right("rain jacket")],
        wool_socks=[wrong("wool socks"), right("wool socks")],
    )

    assert 1 == inside("check", "--strict").code


def test_it_is_judged_once_more_and_never_until_it_is_green(accepted: Workspace, inside: Inside) -> None:
    """What would be right at the fourth time is worse in all of its three answers."""
    answers(
        accepted,
        rain_jacket=[*[wrong("rain jacket")] * 3, right("rain jacket")],
        wool_socks=[*[wrong("wool socks")] * 3, right("wool socks")],
    )

    assert 1 == inside("check").code
    assert {RAIN: 3, SOCKS: 3} == asked(accepted)


@pytest.mark.parametrize(
    ("arguments", "setting"),
    [
        pytest.param(["--no-confirm"], "", id="the option"),
        pytest.param([], "  confirm: 0\n", id="the config"),
        pytest.param(["--query", RAIN, "--query", SOCKS], "", id="a selection"),
    ],
)
def test_nothing_is_asked_again_where_that_is_not_wanted(
    accepted: Workspace, inside: Inside, arguments: list[str], setting: str
) -> None:
    """One answer a query."""
    accepted.configure("gate:\n  P@1: {floor", f"gate:\n{setting}  P@1: {{floor")
    answers(
        accepted,
        rain_jacket=[wrong("rain jacket"), right("rain jacket")],
        wool_socks=[wrong("wool socks"), right("wool socks")],
    )
    result = inside("check", *arguments)

    assert (0 if "--query" in arguments else 1) == result.code
    assert {} == asked(accepted)


def test_nothing_is_asked_again_where_the_gate_does_not_fail(accepted: Workspace, inside: Inside) -> None:
    """A drop within its limits stands as it was measured."""
    answers(accepted, rain_jacket=[wrong("rain jacket"), right("rain jacket")])

    assert 0 == inside("check").code
    assert {} == asked(accepted)


def test_nothing_is_asked_again_where_no_answer_could_change_the_verdict(accepted: Workspace, inside: Inside) -> None:
    """A query that was taken out of the set fails whatever the others answer; no query of a broken floor got worse."""
    del accepted.queries["jargon"]["gtx membrane"]
    accepted.write()
    accepted.configure("min_queries: 6", "min_queries: 5")
    answers(accepted, rain_jacket=[wrong("rain jacket"), right("rain jacket")])
    removed = inside("check")
    answers(accepted)
    accepted.configure("floor: 0.5", "floor: 0.5, warn_drop: 0.01")
    accepted.configure("ZeroResults: {max_rise: 0.1}", "ZeroResults: {max_rise: 0.1}\n  R@1: {floor: 0.9}")
    inside("accept", "--allow-worse", "--reason", "to have a floor that is broken")
    accepted.search.requests.clear()
    floor = inside("check")

    assert (1, 1) == (removed.code, floor.code)
    assert {} == asked(accepted)


def test_a_service_that_goes_away_while_it_is_asked_again_clears_nothing(accepted: Workspace, inside: Inside) -> None:
    """What was measured stands; the note says that nobody could ask again."""
    answers(accepted, rain_jacket=[wrong("rain jacket")], wool_socks=[wrong("wool socks")])
    accepted.search.faults = InTurn({"rain jacket": (None, DOWN), "wool socks": (None, DOWN)})
    result = inside("check")

    assert 1 == result.code
    assert "2 queries that got worse were asked 2 more times; 2 could not be asked again" in words(result.stdout)


def test_a_recording_is_judged_as_it_is(accepted: Workspace, inside: Inside) -> None:
    """It has one answer to each query, so there is nothing to ask again."""
    answers(accepted, rain_jacket=[wrong("rain jacket")], wool_socks=[wrong("wool socks")])
    inside("run", "-o", "run.jsonl", "--record", "answers")
    accepted.search.requests.clear()
    result = inside("check", "--replay", "answers")

    assert (1, []) == (result.code, accepted.search.requests)
    assert "confirm" not in result.stdout


def test_repeated_runs_are_judged_by_the_most_frequent_ranking(accepted: Workspace, inside: Inside) -> None:
    """Which queries flap, between which values, and how the means spread; nothing is asked a further time."""
    answers(
        accepted,
        rain_jacket=[wrong("rain jacket"), right("rain jacket"), right("rain jacket")],
        wool_socks=[right("wool socks"), wrong("wool socks"), wrong("wool socks")],
    )
    accepted.search.faults = InTurn({"head torch": (None, DOWN, None)})
    result = inside("check", "--repeat", "3", "--format", "json")
    report = json.loads(result.stdout)
    (unstable,) = (rule for rule in report["rules"] if rule["rule"] == "unstable")

    assert (0, 36) == (result.code, len(accepted.search.requests))
    assert [TORCH, RAIN, SOCKS] == unstable["query_ids"]
    assert (
        "3 of 12 queries are each answered differently from run to run (3 runs) and judged by the most frequent ranking: "
        f"'{TORCH}': not measured in 1 of 3 runs; "
        f"'{RAIN}': P@1 between 0 and 1, nDCG(dcg='exp-log2')@10 between 0.5077 and 1; "
        f"'{SOCKS}': P@1 between 0 and 1, nDCG(dcg='exp-log2')@10 between 0.5077 and 1"
    ) == unstable["message"]
    assert ["repeat", "spread of P@1", "spread of nDCG(dcg='exp-log2')@10"] == list(report["notes"])
    assert "3 runs of the same queries" == report["notes"]["repeat"]
    assert [SOCKS] == report["worst"]


def test_a_selection_can_be_repeated(accepted: Workspace, inside: Inside) -> None:
    """To look at one query that flaps: a diff, no verdict."""
    answers(accepted, rain_jacket=[wrong("rain jacket"), right("rain jacket")])
    result = inside("check", "--query", RAIN, "--repeat", "4")

    assert (0, {RAIN: 4}) == (result.code, asked(accepted))
    assert f"'{RAIN}': P@1 between 0 and 1" in words(result.stdout)


def test_a_failure_of_repeated_runs_is_not_confirmed_a_second_time(accepted: Workspace, inside: Inside) -> None:
    """The majority has spoken."""
    answers(accepted, rain_jacket=[wrong("rain jacket")], wool_socks=[wrong("wool socks")])

    assert 1 == inside("check", "--repeat", "2").code
    assert 24 == len(accepted.search.requests)


def test_a_baseline_of_repeated_runs_has_the_most_frequent_rankings(workspace: Workspace, inside: Inside) -> None:
    """So that one bad answer does not become what later runs are compared with."""
    answers(workspace, rain_jacket=[wrong("rain jacket"), right("rain jacket"), right("rain jacket")])
    result = inside("accept", "--repeat", "3")
    baseline = run_file.read(workspace.baseline).run

    assert 0 == result.code
    assert "1 of 12 queries is answered differently from run to run" in words(result.stdout)
    assert (tuple(right("rain jacket")), {}) == (baseline.rankings[RAIN].ids, baseline.notes)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["check", "--repeat", "2", "--replay", "answers"],
            "--repeat asks the service several times, and --replay has one answer for each query",
            id="check a recording",
        ),
        pytest.param(
            ["accept", "--repeat", "2", "--from", "run.jsonl"],
            "--repeat asks the service several times, and --from asks it nothing",
            id="accept a saved run",
        ),
        pytest.param(["check", "--repeat", "1"], "1 is not in the range x>=2", id="once is no repeat"),
        pytest.param(["calibrate", "--runs", "1"], "1 is not in the range x>=2", id="nor a calibration"),
    ],
)
def test_a_repeat_that_cannot_be_is_a_mistake(
    accepted: Workspace, inside: Inside, arguments: list[str], message: str
) -> None:
    """Exit 2, and nobody is asked."""
    accepted.search.requests.clear()
    result = inside(*arguments)

    assert (2, []) == (result.code, accepted.search.requests)
    assert message in words(result.stderr)


def test_calibrate_names_the_noise_and_proposes_limits_that_bear_it(workspace: Workspace, inside: Inside) -> None:
    """Without a baseline; pasted into the config, the limits load."""
    workspace.configure("  id: id\n", "  id: id.key\n  score: id.score\n")
    by_text: dict[str, Any] = {text: scored(right(text), 4, 3, 2, 1) for text in (*HEAD, *JARGON)}
    rain, socks, torch = (right(text) for text in ("rain jacket", "wool socks", "head torch"))
    by_text["rain jacket"] = tuple(scored(ids, 2, 2, 2, 2) for ids in (rain, rain[::-1], rain))
    by_text["wool socks"] = (scored(socks, 4, 3, 2, 1), scored(socks[::-1], 5, 4, 3, 2), scored(socks, 4, 3, 2, 1))
    by_text["head torch"] = (scored(torch, 4, 3, 2, 1), scored([*torch[:2], torch[3]], 4, 3, 1))
    workspace.search.rankings = InTurn(by_text)
    workspace.search.faults = InTurn({"trail map": (None, DOWN, None)})
    before = workspace.snapshot()
    result = inside("calibrate", "--runs", "3")
    page = words(result.stdout)

    assert (0, "") == (result.code, result.stderr)
    assert "Noise: 3 runs of the same service against itself 12 of 12 queries answered more than once" in page
    assert "P@1 0.9394 0.1050 0.8182 1.0000 0.1818 2/11 2" in page
    assert (
        f"{RAIN} P@1 between 0 and 1, nDCG(dcg='exp-log2')@10 between 0.5077 and 1 tied scores: '{rain[0]}' and" in page
    )
    assert f"the same document has other scores ('{socks[3]}' 1 and 5): replicas or shards" in page
    assert f"{TORCH} no measure moves other documents come and go ('{torch[2]}' is in 1 of 2 different answers)" in page
    assert "trail-map not measured in 1 of 3 runs not measured in 1 of 3 runs (status 1)" in page
    assert before == workspace.snapshot()

    limits = yaml.safe_load("gate:" + result.stdout.split("\ngate:")[1])
    assert {
        "P@1": {"floor": 0.5, "max_drop": 0.185},
        "nDCG@10": {"max_drop": 0.095},
        "ZeroResults": {"max_rise": 0.095},
        "lost_queries": {"max": 2},
    } == limits["gate"]
    assert {"jargon": {"min_queries": 6, "gate": {"nDCG@10": {"max_drop": 0.17}}}} == limits["slices"]
    config = yaml.safe_load(workspace.config.read_text(encoding="utf-8"))
    put(workspace.config, json.dumps(config | limits))
    assert 0 == inside("validate").code


def scored(ids: Sequence[str], *scores: float) -> list[dict[str, object]]:
    return [{"key": key, "score": score} for key, score in zip(ids, scores, strict=True)]


def test_calibrate_speaks_json(workspace: Workspace, inside: Inside) -> None:
    """For a dashboard of the noise, of any place that can be asked."""
    answers(workspace, rain_jacket=[wrong("rain jacket"), right("rain jacket")])
    url = f"{workspace.search.url}/search"
    workspace.configure(url, "http://127.0.0.1:9/search")
    result = inside("calibrate", "--runs", "2", "--format", "json", "--url", url, "-q")
    document = json.loads(result.stdout)

    assert (0, "") == (result.code, result.stderr)
    assert (2, 12, [RAIN]) == (document["runs"], document["queries"], [each["query"] for each in document["flapping"]])


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        pytest.param(
            {None: DOWN}, "nothing could be measured twice in 3 runs, so nothing is known of its noise", id="all failed"
        ),
        pytest.param(
            {None: (*[None] * 12, DOWN)},
            "nothing could be measured twice in 3 runs, so nothing is known",
            id="but for one run",
        ),
    ],
)
def test_calibrate_without_two_answers_to_compare_is_3(
    workspace: Workspace, inside: Inside, faults: dict[str | None, Any], message: str
) -> None:
    """No noise was seen because nothing was: never a limit of that."""
    workspace.search.faults = InTurn(faults)
    result = inside("calibrate", "--runs", "3")

    assert (3, "") == (result.code, result.stdout)
    assert message in words(result.stderr)
    assert "503" in result.stderr


def test_calibrate_refuses_answers_that_the_gate_would_refuse(workspace: Workspace, inside: Inside) -> None:
    """Ids of another kind make every value 0, without any noise: no limits are proposed on those."""
    workspace.search.rankings = {text: [f"doc:{text}"] for text in (*HEAD, *JARGON)}
    result = inside("calibrate", "--runs", "2")

    assert (3, "") == (result.code, result.stdout)
    assert "not one of the 12 returned ids is judged" in words(result.stderr)


def test_calibrate_of_a_service_that_is_not_there_is_3(workspace: Workspace, inside: Inside, dead_port: int) -> None:
    """As for every command that asks it."""
    assert 3 == inside("calibrate", "--url", f"http://127.0.0.1:{dead_port}/search").code


def test_calibrate_ends_with_ctrl_c(workspace: Workspace) -> None:
    """130, and nothing on stdout."""
    workspace.search.faults[None] = Fault(hangs=True)
    with started(workspace, "calibrate") as process:
        result, _ = interrupted(process, workspace.search)

    assert (130, "") == (result.code, result.stdout)
