"""A history that check adds to, and what trend makes of it and of saved runs, with the real command."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support import HEAD, JARGON, Fault, Inside, Rankgate, Workspace, name, put, right

NDCG = "nDCG(dcg='exp-log2')@10"
HISTORY = "weeks/history.jsonl"


@pytest.fixture
def history(accepted: Workspace) -> Path:
    """Where the history is going to be."""
    return accepted.root / HISTORY


def lines(path: Path) -> list[dict[str, Any]]:
    """The history, a line a run."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def swap(workspace: Workspace, *texts: str) -> None:
    """Put the second best document of these queries first: their P@1 stays, their nDCG falls a little."""
    for text in texts:
        first, second, *rest = right(text)
        workspace.search.rankings[text] = [second, first, *rest]


def a_week_apart(path: Path) -> None:
    """Date the lines as a weekly run would."""
    first = datetime(2026, 10, 5, 6, tzinfo=UTC)
    dated = [line | {"at": (first + timedelta(weeks=week)).isoformat()} for week, line in enumerate(lines(path))]
    put(path, "".join(f"{json.dumps(line)}\n" for line in dated))


def test_each_check_adds_its_line(accepted: Workspace, history: Path, inside: Inside) -> None:
    """What was measured, against what, with what verdict; a passing and a failing one."""
    before = datetime.now(UTC).replace(microsecond=0)
    assert 0 == inside("check", "--history", HISTORY, "--label", "3f2a91c").code
    accepted.worsen(*HEAD[:3])
    assert 1 == inside("check", "--history", HISTORY).code
    first, second = lines(history)

    assert before <= datetime.fromisoformat(first.pop("at")) <= datetime.now(UTC)
    assert {
        "rankgate": "history",
        "format": 1,
        "label": "3f2a91c",
        "verdict": "pass",
        "exit_code": 0,
        "queries": 12,
        "measured": 12,
        "failed": 0,
        "values": {
            "P@1": {"now": 1.0, "baseline": 1.0, "queries": 12, "limits": {"floor": 0.5, "max_drop": 0.1}},
            NDCG: {"now": 1.0, "baseline": 1.0, "queries": 12, "limits": {"max_drop": 0.1}},
            "R@10": {"now": 1.0, "baseline": 1.0, "queries": 12},
            "ZeroResults": {"now": 0.0, "baseline": 0.0, "queries": 12, "limits": {"max_rise": 0.1}},
        },
        "slices": {"jargon": {NDCG: {"now": 1.0, "baseline": 1.0, "queries": 6, "limits": {"max_drop": 0.2}}}},
        "lock": first["lock"],
        "baseline": first["baseline"],
    } == first
    assert ["judgments", "request", "fingerprint"] == list(first["lock"])
    assert ("fail", 1, 0.75, ["max_drop"]) == (
        second["verdict"],
        second["exit_code"],
        second["values"]["P@1"]["now"],
        second["values"]["P@1"]["broken"],
    )
    assert (first["lock"], first["baseline"]) == (second["lock"], second["baseline"])
    assert "label" not in second


def test_what_happened_around_the_numbers_is_marked(accepted: Workspace, history: Path, inside: Inside) -> None:
    """An accepted baseline, a changed judgment, a changed request; each at the run that it came with."""

    def check() -> None:
        assert inside("check", "--history", HISTORY, "--no-confirm").code in {0, 1}

    check()
    swap(accepted, HEAD[0])
    check()
    assert 0 == inside("accept", "--allow-worse", "--reason", "agreed").code
    check()
    accepted.queries["head"][HEAD[0]] = dict(zip(right(HEAD[0]), (2, 3, 0), strict=False))
    accepted.write()
    check()
    accepted.configure("depth: 10", "depth: 11")
    assert 0 == inside("accept").code
    check()
    result = inside("trend", "--history", HISTORY, "--format", "json")
    found = json.loads(result.stdout)
    ndcg = next(series for series in found["series"] if (NDCG, "all") == (series["measure"], series["slice"]))

    assert (0, "") == (result.code, result.stderr)
    assert [[], [], ["baseline"], ["golden"], ["request"]] == [
        [mark["kind"] for mark in run["marks"]] for run in found["runs"]
    ]
    assert [("P@1", "all"), (NDCG, "all"), ("ZeroResults", "all"), (NDCG, "jargon")] == [
        (series["measure"], series["slice"]) for series in found["series"]
    ]
    assert ([3], 3, [1.0, 1.0]) == (ndcg["breaks"], ndcg["comparable_from"], ndcg["values"][3:])
    assert ndcg["values"][0] > ndcg["values"][1] == ndcg["values"][2] == ndcg["baselines"][2]


def test_a_drift_that_no_run_shows_is_said(accepted: Workspace, history: Path, inside: Inside) -> None:
    """Six weeks, each within its limit; the golden set and the config are not needed to see it."""
    for week in range(6):
        swap(accepted, *(*HEAD, *JARGON)[:week])
        assert 0 == inside("check", "--history", HISTORY, "-q").code
    a_week_apart(history)
    accepted.config.unlink()
    result = inside("trend", "--history", HISTORY)
    said = " ".join(result.stdout.split())

    assert (0, "") == (result.code, result.stderr)
    assert "1 of 4 series drifts in the wrong direction nDCG@10 fell in 5 of the last 5 runs, by 0.0692 since" in said
    assert "2026-10-05, 0.0138 a week; no single run broke its limit of 0.1000" in said
    assert "█▇▅▄▂▁" in said


def test_saved_runs_are_scored_with_the_judgments_of_today(accepted: Workspace, inside: Inside) -> None:
    """A changed judgment is no drift; the runs come in the order in which they are given."""
    for run in ("a.jsonl", "b.jsonl"):
        assert 0 == inside("run", "-o", run).code
        swap(accepted, *HEAD[:2])

    def values() -> list[float]:
        result = inside("trend", "a.jsonl", "b.jsonl", "--format", "json", "-m", "ndcg@10")
        found = json.loads(result.stdout)
        assert [NDCG] == [series["measure"] for series in found["series"]]
        assert ([[], []], ["a.jsonl", "b.jsonl"]) == (
            [run["marks"] for run in found["runs"]],
            [run["label"] for run in found["runs"]],
        )
        return list(found["series"][0]["values"])

    falling = values()
    for text in HEAD[:2]:
        accepted.queries["head"][text] = dict(zip(right(text), (2, 3, 0), strict=False))
    accepted.write()
    rising = values()

    assert falling[0] == rising[1] == 1 > falling[1] == rising[0]


def test_saved_runs_are_compared_over_the_queries_that_all_of_them_answered(
    accepted: Workspace, inside: Inside
) -> None:
    """A query that was added since, one that failed, one of other words: none of them pulls a mean down."""
    assert 0 == inside("run", "-o", "old.jsonl").code
    accepted.queries["head"]["camp stove"] = {"stove-1": 3}
    accepted.search.rankings["camp stove"] = ["stove-1"]
    accepted.write()
    accepted.search.faults[HEAD[0]] = Fault(503)
    assert 3 == inside("run", "-o", "new.jsonl").code
    result = inside("trend", "old.jsonl", "new.jsonl")
    found = json.loads(inside("trend", "old.jsonl", "new.jsonl", "--format", "json").stdout)

    assert 0 == result.code
    assert "over the 11 of 13 queries that every run answered" in " ".join(result.stdout.split())
    assert [[1.0, 1.0], [1.0, 1.0], [0.0, 0.0], [1.0, 1.0]] == [series["values"] for series in found["series"]]
    assert [(11, 11, "")] * 2 == [(run["queries"], run["measured"], run["verdict"]) for run in found["runs"]]


def test_saved_runs_of_the_whole_set_have_the_verdict_of_today_s_gate(accepted: Workspace, inside: Inside) -> None:
    """Of a part of it there is none."""
    assert 0 == inside("run", "-o", "good.jsonl").code
    accepted.worsen(*HEAD[:3])
    assert 0 == inside("run", "-o", "bad.jsonl").code
    assert 0 == inside("run", "-o", "head.jsonl", "--slice", "head").code

    def verdicts(*runs: str) -> list[str]:
        found = json.loads(inside("trend", *runs, "--format", "json").stdout)
        return [run["verdict"] for run in found["runs"]]

    assert ["pass", "fail"] == verdicts("good.jsonl", "bad.jsonl")
    assert ["", ""] == verdicts("good.jsonl", "head.jsonl")


def test_a_slice_of_which_the_runs_share_no_query_has_no_value(accepted: Workspace, inside: Inside) -> None:
    """It is one of the golden set, and no mistake."""
    assert 0 == inside("run", "-o", "head.jsonl", "--slice", "head").code
    ended = inside("trend", "head.jsonl", "--slice", "jargon", "--format", "json")

    assert 0 == ended.code, ended.stderr
    assert {None} == {value for series in json.loads(ended.stdout)["series"] for value in series["values"]}


def test_series_can_be_chosen(accepted: Workspace, history: Path, inside: Inside) -> None:
    """By measure, in any spelling, and by slice; of saved runs even those that nothing gates."""
    assert 0 == inside("check", "--history", HISTORY).code
    assert 0 == inside("run", "-o", "run.jsonl").code

    def chosen(*arguments: str) -> list[tuple[str, str]]:
        result = inside("trend", *arguments, "--format", "json")
        assert 0 == result.code, result.stderr
        return [(series["measure"], series["slice"]) for series in json.loads(result.stdout)["series"]]

    recorded = ("--history", HISTORY)
    assert [("R@10", "all")] == chosen(*recorded, "-m", "recall@10")
    assert [(NDCG, "jargon")] == chosen(*recorded, "--slice", "jargon")
    assert [(NDCG, "all"), (NDCG, "jargon")] == chosen(*recorded, "-m", NDCG, "--slice", "all", "--slice", "jargon")
    assert [("AP", "all")] == chosen("run.jsonl", "-m", "AP")
    assert [("P@1", "head"), (NDCG, "head"), ("ZeroResults", "head")] == chosen("run.jsonl", "--slice", "head")
    assert [(NDCG, "jargon")] == chosen("run.jsonl", "--slice", "jargon")
    assert [("RR", "head"), ("RR", "jargon")] == chosen("run.jsonl", "-m", "RR", "--slice", "head", "--slice", "jargon")


def test_only_the_last_runs_can_be_shown(accepted: Workspace, history: Path, inside: Inside) -> None:
    """And it is said that there are others."""
    for label in ("one", "two", "three"):
        assert 0 == inside("check", "--history", HISTORY, "--label", label).code
    result = inside("trend", "--history", HISTORY, "--last", "2")

    assert "as recorded by check --history; 1 earlier run not shown" in result.stdout
    assert [False, True, True] == [label in result.stdout for label in ("one", "two", "three")]


def test_the_page_is_written_to_stdout(accepted: Workspace, history: Path, inside: Inside, rankgate: Rankgate) -> None:
    """One document, whatever the encoding of the console."""
    assert 0 == inside("check", "--history", HISTORY).code
    result = rankgate("trend", "--history", HISTORY, "--format", "html")

    assert (0, "") == (result.code, result.stderr)
    assert result.stdout.startswith("<!DOCTYPE html>\n")
    assert result.stdout.endswith("</html>\n")


def test_a_console_without_blocks_is_given_other_signs(
    accepted: Workspace, history: Path, inside: Inside, rankgate: Rankgate
) -> None:
    """As Windows has them."""
    assert 0 == inside("check", "--history", HISTORY).code
    result = rankgate("trend", "--history", HISTORY, env={"PYTHONIOENCODING": "cp1252", "COLUMNS": "80"})

    assert 0 == result.code
    assert result.stdout.isascii()


def test_a_run_that_ends_in_3_adds_nothing(accepted: Workspace, history: Path, inside: Inside) -> None:
    """What was not measured is no point of a series."""
    accepted.search.faults[HEAD[0]] = Fault(503)

    assert 3 == inside("check", "--history", HISTORY).code
    assert not history.exists()


def test_a_query_that_was_not_measured_leaves_a_gap(accepted: Workspace, history: Path, inside: Inside) -> None:
    """Where the gate bears it: a bounded mean is not known, and that of the other slice is."""
    accepted.configure("  lost_queries: {max: 1}", "  lost_queries: {max: 1}\n  max_errors: 1")
    accepted.search.faults[HEAD[0]] = Fault(503)
    assert 0 == inside("check", "--history", HISTORY).code
    (line,) = lines(history)

    assert (12, 11, 1) == (line["queries"], line["measured"], line["failed"])
    assert [None] * 4 == [value["now"] for value in line["values"].values()]
    assert 1.0 == line["slices"]["jargon"][NDCG]["now"]


def test_a_damaged_history_stops_the_check_before_anything_is_asked(
    accepted: Workspace, history: Path, inside: Inside
) -> None:
    """With the line, and the file left as it is."""
    put(history, '{"rankgate": "hist')
    accepted.search.requests.clear()
    result = inside("check", "--history", HISTORY)

    assert (2, [], '{"rankgate": "hist') == (result.code, accepted.search.requests, history.read_text())
    assert f"error: {HISTORY}:1: not JSON: unterminated string" in result.stderr


def test_a_history_that_became_a_folder_turns_no_verdict_green(
    accepted: Workspace, history: Path, inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at it and the end of the run; a failure stays one."""
    monkeypatch.setattr("rankgate.files.history_file.refuse_damaged", lambda path: None)
    history.mkdir(parents=True)
    passed = inside("check", "--history", HISTORY)
    accepted.worsen(*HEAD[:3])
    failed = inside("check", "--history", HISTORY)

    assert (2, 1) == (passed.code, failed.code)
    for result in (passed, failed):
        assert f"error: {HISTORY}: cannot write: Is a directory" in result.stderr
        assert "next: the verdict stands; only the history could not be added to." in result.stderr


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param(["--history", HISTORY, "--query", name(HEAD[0])], "runs of the whole set", id="a selection"),
        pytest.param(
            ["--history", HISTORY, "--against", "http://127.0.0.1:9"], "runs against the baseline", id="two services"
        ),
        pytest.param(["--label", "x"], "--label names the run in a history", id="a label of nothing"),
        pytest.param(["--history", "golden"], "this is none", id="a folder"),
    ],
)
def test_what_is_no_run_of_the_gate_is_not_kept(
    accepted: Workspace, inside: Inside, arguments: list[str], expected: str
) -> None:
    """And that is said before anything is asked."""
    accepted.search.requests.clear()
    result = inside("check", *arguments)

    assert (2, []) == (result.code, accepted.search.requests)
    assert expected in result.stderr


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "give saved runs, in the order of time, or --history FILE; one of the two"),
        (["run.jsonl", "--history", HISTORY], "one of the two"),
        (["run.jsonl", "./run.jsonl"], "the run 'run.jsonl' stands twice"),
        (["gone.jsonl"], "gone.jsonl: cannot read: No such file or directory"),
        (["--history", "gone.jsonl"], "gone.jsonl: cannot read: No such file or directory"),
        (["--history", "empty.jsonl"], "the history holds no run yet"),
        (["--history", HISTORY, "-m", "AP"], "the history has no measure 'AP'; known: P@1"),
        (["--history", HISTORY, "-m", "Applause"], "unknown measure 'Applause'"),
        (["--history", HISTORY, "--slice", "jargn"], "the history has no slice 'jargn'; did you mean 'jargon'?"),
        (["--history", HISTORY, "-m", "P@1", "--slice", "jargon"], "the history has no value of P@1 on jargon"),
        (["run.jsonl", "--slice", "jargn"], "no slice 'jargn'; did you mean 'jargon'?"),
        (["run.jsonl", "-m", "nDCG@20"], "run.jsonl: it was asked for 10 documents a query, and nDCG"),
        (["head.jsonl", "jargon.jsonl"], "share no query"),
        (["run.jsonl", "--last", "0"], "0 is not in the range x>=1"),
    ],
)
def test_what_cannot_be_shown_is_refused(
    accepted: Workspace, history: Path, inside: Inside, arguments: list[str], expected: str
) -> None:
    """With exit code 2, and what there is."""
    assert 0 == inside("check", "--history", HISTORY).code
    assert 0 == inside("run", "-o", "run.jsonl").code
    for slice_name in ("head", "jargon"):
        assert 0 == inside("run", "-o", f"{slice_name}.jsonl", "--slice", slice_name).code
    put(accepted.root / "empty.jsonl", "")
    result = inside("trend", *arguments)

    assert (2, "") == (result.code, result.stdout)
    assert expected in result.stderr


def test_a_shallow_run_has_a_value_and_no_verdict(accepted: Workspace, inside: Inside) -> None:
    """Of a measure that it is deep enough for; the rules look deeper, so today's gate says nothing of it."""
    assert 0 == inside("run", "-o", "deep.jsonl").code
    shallow = (accepted.root / "deep.jsonl").read_text(encoding="utf-8").replace('"depth": 10', '"depth": 5')
    put(accepted.root / "shallow.jsonl", shallow)
    shown = json.loads(inside("trend", "shallow.jsonl", "deep.jsonl", "-m", "P@1", "--format", "json").stdout)

    assert [[1.0, 1.0]] == [series["values"] for series in shown["series"]]
    assert ["", "pass"] == [point["verdict"] for point in shown["runs"]]
    assert 2 == inside("trend", "shallow.jsonl", "-m", "nDCG@10").code


def test_a_saved_run_of_another_index_is_named(accepted: Workspace, inside: Inside) -> None:
    """Not one of its ids is judged: that is no fall to zero."""
    assert 0 == inside("run", "-o", "good.jsonl").code
    accepted.search.rankings = {text: ["other-1", f"other-{text}"] for text in (*HEAD, *JARGON)}
    assert 0 == inside("run", "-o", "foreign.jsonl").code
    result = inside("trend", "good.jsonl", "foreign.jsonl")

    assert (3, "") == (result.code, result.stdout)
    assert "error: foreign.jsonl: not one of the 24 returned ids is judged" in result.stderr


def test_no_secret_and_no_host_is_kept(
    accepted: Workspace, history: Path, inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in a label that quotes one, nor in what the service says of its index."""
    accepted.configure("  hits: hits\n", '  headers: {Authorization: "Bearer ${KEY}"}\n  hits: hits\n')
    monkeypatch.setenv("KEY", "hush-hush-7")
    result = inside("check", "--history", HISTORY, "--label", "with hush-hush-7 at night")

    assert 0 == result.code, result.stderr
    assert "with [KEY] at night" == lines(history)[0]["label"]
    for text in ("hush-hush-7", "127.0.0.1", HEAD[0], name(HEAD[0])):
        assert text not in history.read_text(encoding="utf-8")
