"""Every exit code, which one goes before which, and what the user reads with it; no other run changes a file."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from rankgate import app
from tests.e2e.support import Fault, Inside, Rankgate, Workspace, put


@dataclass(frozen=True, slots=True)
class Case:
    """A command that goes wrong.

    Attributes:
        arguments: Of rankgate.
        says: What its messages must hold: place, what was found, what was expected, what to do.
        change: What is wrong in the workspace.
    """

    arguments: Sequence[str]
    says: Sequence[str]
    change: Callable[[Workspace], object] = lambda _: None


def no_baseline(workspace: Workspace) -> None:
    """Take the baseline away."""
    workspace.baseline.unlink()


def no_config(workspace: Workspace) -> None:
    """Take the config away."""
    workspace.config.unlink()


def empty_folder(workspace: Workspace) -> None:
    """Leave no golden query."""
    workspace.file("head").unlink()
    workspace.file("jargon").unlink()


def partial_run(workspace: Workspace) -> None:
    """Turn the last run into one of a selection."""
    text = workspace.last_run.read_text(encoding="utf-8")
    put(workspace.root / "partial.jsonl", text.replace('"queries": 12', '"queries": 12, "partial": true'))


INPUT = {
    "misspelt key": Case(
        ["check"],
        ["golden/rankgate.yaml:6:3: ", "unknown key 'hit'", "did you mean 'hits'?"],
        lambda workspace: workspace.configure("  hits: hits", "  hit: hits"),
    ),
    "misspelt rule": Case(
        ["check"],
        ["golden/rankgate.yaml:18:3: ", "'lost_query'", "did you mean 'lost_queries'?"],
        lambda workspace: workspace.configure("lost_queries:", "lost_query:"),
    ),
    "wrong direction": Case(
        ["check"],
        ["golden/rankgate.yaml:17:", "'max_drop'", "did you mean 'max_rise'?"],
        lambda workspace: workspace.configure("ZeroResults: {max_rise", "ZeroResults: {max_drop"),
    ),
    "limit above 1": Case(
        ["check"],
        ["golden/rankgate.yaml:17:", "found 2", '"2%"'],
        lambda workspace: workspace.configure("max_rise: 0.1", "max_rise: 2"),
    ),
    "unknown measure": Case(
        ["check"],
        ["golden/rankgate.yaml:17:3: ", "'ZeroResult'", "did you mean 'ZeroResults'?"],
        lambda workspace: workspace.configure("  ZeroResults:", "  ZeroResult:"),
    ),
    "rule on an empty slice": Case(
        ["check"],
        ["golden/rankgate.yaml:21:", "'jargn'", "did you mean 'jargon'?"],
        lambda workspace: workspace.configure("  jargon:", "  jargn:"),
    ),
    "wrong path in the config": Case(
        ["check"],
        ["golden/rankgate.yaml:11:10: queries: there is no 'golden/querys'"],
        lambda workspace: workspace.configure("depth:", "queries: querys\ndepth:"),
    ),
    "no such config": Case(["check", "--config", "nowhere.yaml"], ["nowhere.yaml: there is no such file"]),
    "no config": Case(["check"], ["no config", "golden/rankgate.yaml", "rankgate init"], no_config),
    "empty folder": Case(["check"], ["golden/queries: ", "no golden queries", ".yaml"], empty_folder),
    "no baseline": Case(
        ["check"], ["golden/baseline.jsonl: ", "no baseline", "rankgate accept", "--floors-only"], no_baseline
    ),
    "no baseline at the path given": Case(["check", "--baseline", "nowhere"], ["nowhere: ", "no baseline"]),
    "no baseline for a report": Case(["report", "golden/.rankgate/last-run.jsonl"], ["no baseline"], no_baseline),
    "tab in the config": Case(
        ["check"],
        ["golden/rankgate.yaml:7:1: ", "a tab", "spaces"],
        lambda workspace: workspace.configure("  id: id", "\tid: id"),
    ),
    "tab in the golden set": Case(
        ["check"],
        ["golden/queries/head.yaml:2:1: ", "a tab", "spaces"],
        lambda workspace: put(workspace.file("head"), "queries:\n\t- id: x\n"),
    ),
    "query id twice": Case(
        ["check"],
        ["golden/queries/more.yaml:1:", "'trail-map'", "golden/queries/head.yaml:"],
        lambda workspace: put(workspace.file("more"), "queries: [{id: trail-map, text: x, judgments: {a: 1}}]"),
    ),
    "missing variable": Case(
        ["check"],
        ["golden/rankgate.yaml:4:8: ", "SEARCH_URL_OF_NOBODY", "not set"],
        lambda workspace: workspace.configure(f"url: {workspace.search.url}", "url: ${SEARCH_URL_OF_NOBODY}"),
    ),
    "unknown option": Case(["check", "--formt", "json"], ["--formt", "--format", "rankgate check --help"]),
    "unknown command": Case(["chek"], ["chek", "rankgate --help"]),
    "no command": Case([], ["Usage: rankgate", "check", "validate"]),
    "missing argument": Case(["explain"], ["QUERY", "rankgate explain --help"]),
    "unknown query": Case(["check", "--query", "trial-map"], ["'trial-map'", "did you mean 'trail-map'?"]),
    "unknown query to explain": Case(["explain", "trial-map"], ["'trial-map'", "did you mean 'trail-map'?"]),
    "unknown slice": Case(["check", "--slice", "haed"], ["'haed'", "did you mean 'head'?"]),
    "unknown query and slice": Case(["check", "--slice", "haed", "--query", "x"], ["'haed'", "'x'", "known: drop-4mm"]),
    "unknown query without a baseline": Case(
        ["check", "--query", "trial-map"], ["did you mean 'trail-map'?"], no_baseline
    ),
    "unknown format": Case(["check", "--format", "jsn"], ["'jsn'", "did you mean 'json'?"]),
    "unknown format of a file": Case(["check", "--output", "junt:x"], ["'junt'", "did you mean 'junit'?"]),
    "output without a colon": Case(["check", "--output", "junit"], ["FORMAT:PATH", "junit:report.xml", "'junit'"]),
    "output without a path": Case(["check", "--output", "junit:"], ["FORMAT:PATH", "'junit:'"]),
    "two reports in one file": Case(
        ["check", "--output", "html:a.out", "--output", "json:./a.out"], ["a.out' would be written twice"]
    ),
    "a report over the history": Case(
        ["check", "--output", "json:h.jsonl", "--history", "h.jsonl"], ["'h.jsonl' would be written twice"]
    ),
    "worse without a reason": Case(["accept", "--allow-worse"], ["--reason '...'"]),
    "worse with an empty reason": Case(["accept", "--allow-worse", "--reason", " "], ["--reason '...'"]),
    "accept of a selection": Case(["accept", "--from", "partial.jsonl"], ["partial.jsonl: ", "selection"], partial_run),
    "accept of nothing": Case(["accept", "--from", "nowhere"], ["nowhere: ", "No such file"]),
    "run over the baseline": Case(
        ["run", "-o", "golden/baseline.jsonl"], ["golden/baseline.jsonl: ", "rankgate accept"]
    ),
    "diff of nothing": Case(["diff", "golden/baseline.jsonl", "nowhere"], ["nowhere: ", "No such file"]),
    "nothing to explain": Case(
        ["explain", "trail-map"],
        ["golden/.rankgate/last-run.jsonl: ", "no saved run", "rankgate check"],
        lambda workspace: workspace.last_run.unlink(),
    ),
    "init over a config": Case(["init"], ["golden/rankgate.yaml: ", "never overwritten", "OTHER_FOLDER"]),
    "unknown preset": Case(["init", "new", "--preset", "elastic"], ["'elastic'", "did you mean 'elasticsearch'?"]),
    "unknown schema": Case(["schema", "confg"], ["'confg'", "'config'"]),
}


@pytest.fixture
def checked(accepted: Workspace, inside: Inside) -> Workspace:
    """The accepted workspace after a check, which kept its run."""
    assert 0 == inside("check").code
    return accepted


@pytest.mark.parametrize("case", INPUT.values(), ids=INPUT)
def test_wrong_input_is_2_with_place_and_cure_and_changes_nothing(
    checked: Workspace, inside: Inside, case: Case
) -> None:
    """Nothing is reported, nothing is asked, no file changes; stderr says where, what and what instead."""
    case.change(checked)
    before, asked = checked.snapshot(), len(checked.search.requests)
    result = inside(*case.arguments)

    assert (2, "") == (result.code, result.stdout), result.stderr
    assert [] == [words for words in case.says if words not in result.stderr], result.stderr
    assert before == checked.snapshot()
    assert asked == len(checked.search.requests)
    assert "Traceback" not in result.stderr


def test_every_mistake_comes_in_one_go(checked: Workspace, inside: Inside) -> None:
    """Two mistakes of the config and one of each golden file are four lines, each with its place."""
    checked.configure("  hits: hits", "  hit: hits")
    checked.configure("depth: 10", "dept: 10")
    for slice_name in ("head", "jargon"):
        path = checked.file(slice_name)
        put(path, path.read_text(encoding="utf-8").replace('"text"', '"txt"', 1))
    result = inside("validate")

    assert 2 == result.code
    for found in ("rankgate.yaml:6:3", "rankgate.yaml:11:1", "head.yaml:", "jargon.yaml:", "'txt'", "'hit'", "'dept'"):
        assert found in result.stderr, found


CODES = {
    "pass": (0, ["check"], lambda _: None),
    "fail": (1, ["check"], lambda workspace: workspace.worsen("trail map", "wool socks", "usb-c lamp")),
    "input": (2, ["check"], no_baseline),
    "usage": (2, ["check", "--nope"], lambda _: None),
    "service": (3, ["check"], lambda workspace: workspace.search.faults.update({None: Fault(500)})),
}


@pytest.mark.parametrize(("code", "arguments", "change"), CODES.values(), ids=CODES)
def test_the_process_exits_with_the_code(
    accepted: Workspace,
    rankgate: Rankgate,
    code: int,
    arguments: Sequence[str],
    change: Callable[[Workspace], object],
) -> None:
    """What the caller of the real process sees; what is not 0 says why on stderr too."""
    change(accepted)
    result = rankgate(*arguments)

    assert code == result.code, result.stderr
    assert bool(code) == bool(result.stderr)
    assert "Traceback" not in result.stderr


def test_a_warning_passes_and_fails_when_strict(accepted: Workspace, inside: Inside) -> None:
    """WARN is 0, and 1 with --strict; the report is the same verdict."""
    plain, strict = inside("check", "--floors-only"), inside("check", "--floors-only", "--strict")

    assert (0, 1) == (plain.code, strict.code)
    assert plain.stdout.startswith("WARN")
    assert strict.stdout.startswith("WARN")
    assert "--strict" in strict.stderr


def test_strict_leaves_a_pass_alone(accepted: Workspace, inside: Inside) -> None:
    """Without a warning there is nothing to be strict about."""
    assert 0 == inside("check", "--strict").code


def test_wrong_input_goes_before_a_dead_service(accepted: Workspace, inside: Inside, dead_port: int) -> None:
    """2 before 3: the config is read before anything is asked."""
    accepted.configure(accepted.search.url, f"http://127.0.0.1:{dead_port}")
    accepted.configure("  hits: hits", "  hit: hits")

    assert 2 == inside("check").code


def test_fail_goes_before_inconclusive(accepted: Workspace, inside: Inside) -> None:
    """A floor that is broken even with the failed query at its best is a failure, and not worth a retry."""
    for text in list(accepted.search.rankings)[:8]:
        accepted.search.rankings[text] = ["ad-1"]
    accepted.search.faults["usb-c lamp"] = Fault(500)
    result = inside("check", "--format", "json")
    rules = {
        (rule["rule"], rule["measure"], rule["slice"]): rule["status"] for rule in json.loads(result.stdout)["rules"]
    }

    assert 1 == result.code
    assert "fail" == rules["floor", "P@1", "all"]


@pytest.mark.parametrize("verdict", [0, 1])
def test_a_report_that_cannot_be_written_is_never_green(accepted: Workspace, inside: Inside, verdict: int) -> None:
    """A pass becomes 2, a failure stays 1; the other reports are written, and stderr names the one that is not."""
    (accepted.root / "folder").mkdir()
    if verdict:
        accepted.worsen("trail map", "usb-c lamp")
    result = inside("check", "--output", "json:folder", "--output", "junit:report.xml")

    assert (1 if verdict else 2) == result.code
    assert result.stdout.startswith("FAIL" if verdict else "PASS")
    assert "folder: cannot write: Is a directory" in result.stderr
    assert (accepted.root / "report.xml").exists()


def test_a_bug_is_4_and_its_traceback_only_for_who_asks(
    accepted: Workspace, inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unexpected exception says in two lines that it is rankgate's fault, and is no verdict."""

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by nobody's fault")

    monkeypatch.setattr(app, "gate", fail)
    before = accepted.snapshot()
    short, long, late = inside("check"), inside("-v", "check"), inside("check", "--verbose")

    assert [(4, "")] * 3 == [(each.code, each.stdout) for each in (short, long, late)]
    assert 2 == len(short.stderr.splitlines())
    assert "a bug in rankgate" in short.stderr
    assert "ZeroDivisionError: by nobody's fault" in short.stderr
    assert "-v" in short.stderr
    assert "Traceback" not in short.stderr
    assert "Traceback" in long.stderr
    assert "Traceback" in late.stderr
    assert before == accepted.snapshot()


def test_stderr_alone_says_why_the_code_is_not_0(accepted: Workspace, inside: Inside) -> None:
    """Beside a report that goes to a file, the log of a CI job holds the verdict, its reason and the next step."""
    accepted.worsen("trail map", "usb-c lamp")
    result = inside("check", "--format", "json")

    assert result.stderr.startswith("FAIL: Search got worse: 2 of 6 rules failed (P@1 max_drop, lost_queries)")
    assert result.stderr.endswith("rankgate explain trail-map\n")


@pytest.mark.parametrize("arguments", [["-q", "check"], ["check", "-q"], ["-v", "check"], ["check", "-v"]])
def test_quiet_and_verbose_stand_before_or_after_the_command(
    accepted: Workspace, inside: Inside, arguments: Sequence[str]
) -> None:
    """A limit finer than one query is a warning: counted by default, shown with -v, silent with -q."""
    accepted.configure("max_drop: 0.2", "max_drop: 0.01")
    assert "1 warning about the golden set" in inside("check").stderr

    result = inside(*arguments)

    assert 0 == result.code
    if "-q" in arguments:
        assert "" == result.stderr
    else:
        assert result.stderr.startswith("warning: golden/rankgate.yaml:21:")
