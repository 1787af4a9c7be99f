"""Data that would act on a terminal, a CI runner, a browser or a code page; it comes out so that it can only be read."""

import json
import re
import sys
from pathlib import Path

import pytest

from rankgate.reports import FORMATS
from tests.e2e.support import Fault, Inside, Rankgate, Result, Workspace, on_terminal, put

HOSTILE = (
    "\x1b[2J\x1b]0;title\x07 shoes",
    "line\n::error file=x::forged\nline",
    "\r\n##vso[task.complete result=Succeeded]",
    "##[error]forged",
    "<script>alert(1)</script>",
    "]]> & <b> | `x` [a](javascript:b) @team #1",
    "\u202etxet desrever\u202c",
    "\x9b31m C1 \x85 \u2028 \x00".replace("\x00", ""),
    "${HOME} {query} %0A::warning::",
    "[bold red]markup[/]",
    "=1+1",
    "-v",
)

#: What no report may hold: controls but line breaks, marks of direction, separators of lines.
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029\u2066-\u2069]")
COMMAND = re.compile(r"^\s*::|##(\[|vso\[)", re.MULTILINE)
#: What the report for GitHub is made of; a title of its own stands in each, so that none can be forged.
ANNOTATION = re.compile(
    r"^::(error|warning|notice) (file=golden/[\w./-]+,(line=\d+,(col=\d+,)?)?)?title=rankgate.*$", re.MULTILINE
)
#: Forms of which ``<script>`` is data, or is there none.
NO_MARKUP = {"text", "json", "github", "gitlab", "openmetrics"}


def faults(*results: Result) -> list[str]:
    """Every piece of the streams that would act; annotations of a report for GitHub are meant to."""
    streams = [text for result in results for text in (result.stdout, result.stderr)]
    texts = [ANNOTATION.sub("", text) for text in streams]
    return [match[0] for text in texts for pattern in (RAW, COMMAND) for match in pattern.finditer(text)]


@pytest.fixture
def hostile(workspace: Workspace, inside: Inside) -> Workspace:
    """A golden set of hostile ids, texts, notes, slices and documents, all of which got worse since it was accepted."""
    queries = [
        {"id": text, "text": text, "note": text, "slices": [text], "judgments": {f"{text}-1": 3, f"{text}-2": 1}}
        for text in HOSTILE
    ]
    workspace.file("jargon").unlink()
    put(workspace.file("head"), json.dumps({"slice": "jargon", "queries": queries}))
    workspace.search.rankings = {text: [f"{text}-1", f"{text}-2"] for text in HOSTILE}
    taken = inside("accept")
    assert 0 == taken.code, taken.stderr
    workspace.search.rankings = {text: [f"new {text}", f"{text}-2", f"{text}-1"] for text in HOSTILE}
    return workspace


def test_the_service_gets_the_text_as_it_is(hostile: Workspace) -> None:
    """Only what is shown is changed; every byte of a text is asked for."""
    assert sorted(HOSTILE) == sorted(request.text for request in hostile.search.requests)


@pytest.mark.parametrize("report", FORMATS)
def test_no_report_acts(hostile: Workspace, inside: Inside, report: str) -> None:
    """A failure that names every hostile id, in each format, on stdout, on stderr and in a file."""
    result = inside("check", "--format", report, "--output", f"{report}:out")
    written = Result(0, (hostile.root / "out").read_text(encoding="utf-8"), "")

    assert 1 == result.code
    assert [] == faults(result, written)
    assert "<script>alert" not in result.stdout or report in NO_MARKUP


def test_no_other_command_acts(hostile: Workspace, inside: Inside) -> None:
    """Explaining each query, validating, comparing, accepting, and every error that quotes an id."""
    assert 1 == inside("check").code
    results = [inside("explain", "--", text) for text in HOSTILE]
    errors = [
        inside("explain", "\x1b[31m"),
        inside("check", "--query", "\x1b[31m"),
        inside("check", "--slice", "line\n::error::x"),
        inside("check", "--format", "\x1b[31m"),
        inside("check", "--config", "\x1b[31m"),
        inside("\x1b[31m"),
    ]
    others = [inside("-v", "validate"), inside("diff", hostile.baseline, hostile.last_run), inside("accept")]
    hostile.search.rankings = {text: ["\x1b[31mforeign"] for text in HOSTILE}
    foreign = inside("check")

    assert [0] * len(HOSTILE) == [each.code for each in results]
    assert [2] * len(errors) == [each.code for each in errors]
    assert [0, 1, 2] == [each.code for each in others]
    assert 3 == foreign.code
    assert [] == faults(*results, *errors, *others, foreign)


def test_a_service_that_fails_in_hostile_words_does_not_act(hostile: Workspace, inside: Inside) -> None:
    """Its error message is quoted in visible form."""
    body = json.dumps({"error": {"reason": "\x1b[2J\n::error::forged \u202e"}})
    hostile.search.faults[None] = Fault(500, body)
    results = [inside("check", "--format", report) for report in FORMATS] + [inside("run", "-o", "run.jsonl")]

    assert [3] * len(results) == [each.code for each in results]
    assert [] == faults(*results)


CONSOLES = {
    "cp1252": ("cp1252", {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}),
    "LC_ALL=C": ("utf-8", {"LC_ALL": "C", "LANG": None}),
    "ASCII": ("ascii", {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
}


@pytest.mark.parametrize(("encoding", "env"), CONSOLES.values(), ids=CONSOLES)
def test_a_console_that_cannot_print_a_text_shows_the_verdict(
    accepted: Workspace, rankgate: Rankgate, encoding: str, env: dict[str, str | None]
) -> None:
    """Same exit code as anywhere; files are UTF-8; what the code page lacks is escaped."""
    accepted.queries["head"]["cat \U0001f408 litter \u2713 crème"] = {"d\U0001f408": 3}
    accepted.write()
    accepted.search.rankings["cat \U0001f408 litter \u2713 crème"] = ["d\U0001f408"]
    clean = {key: value for key, value in env.items() if value is not None}
    assert 0 == rankgate("accept", env=clean).code
    accepted.search.rankings["cat \U0001f408 litter \u2713 crème"] = []
    accepted.worsen("trail map")
    checked = rankgate("check", "--output", "text:out.txt", env=clean)
    explained = rankgate("explain", "cat-\U0001f408-litter-\u2713-crème", env=clean | {"PYTHONUTF8": "1"})

    assert (1, 0) == (checked.code, explained.code), explained.stderr
    assert checked.stdout.startswith("FAIL")
    assert "Traceback" not in checked.stderr
    assert ("\U0001f408" if encoding == "utf-8" else "\\U0001f408") in checked.stdout
    assert "\U0001f408" in (accepted.root / "out.txt").read_text(encoding="utf-8")
    assert "\U0001f408" in accepted.baseline.read_text(encoding="utf-8")
    assert "cat \U0001f408 litter \u2713 crème" in {request.text for request in accepted.search.requests}


COLORS = {
    "a pipe": ({}, False),
    "a pipe, forced": ({"FORCE_COLOR": "1"}, True),
    "forced and refused": ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
}


@pytest.mark.parametrize(("env", "colored"), COLORS.values(), ids=COLORS)
def test_escape_codes_only_where_they_are_wanted(
    accepted: Workspace, rankgate: Rankgate, env: dict[str, str], *, colored: bool
) -> None:
    """Never in a pipe by itself, never with NO_COLOR, never in a file."""
    accepted.worsen("trail map", "usb-c lamp")
    result = rankgate("check", "--output", "text:out.txt", env=env)

    assert 1 == result.code
    assert colored == ("\x1b[" in result.stdout)
    assert "\x1b" not in result.stderr
    assert "\x1b" not in (accepted.root / "out.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("columns", ["", "0", "-5", "20", "abc", "\u0665", "1000"])
def test_no_width_of_a_page_breaks_the_report(
    accepted: Workspace, inside: Inside, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    """Whatever COLUMNS holds, the numbers of a rule stand whole, in one line where it has room."""
    monkeypatch.setenv("COLUMNS", columns)
    result = inside("check")

    assert 0 == result.code
    rows = result.stdout.replace("\n  baseline ", " baseline ").splitlines()
    assert any(re.fullmatch("pass .*(1.0000 1.0000 .*|baseline 1.0000   now 1.0000)", row) for row in rows)


TERMINALS = {
    "plain": ({"TERM": "xterm"}, True),
    "NO_COLOR": ({"TERM": "xterm", "NO_COLOR": "1"}, False),
    "dumb": ({"TERM": "dumb"}, False),
}


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("env", "colored"), TERMINALS.values(), ids=TERMINALS)
def test_a_terminal_gets_colour_unless_it_asks_for_none(
    accepted: Workspace, env: dict[str, str], *, colored: bool
) -> None:
    """As every tool."""
    code, shown = on_terminal(accepted, "-q", "check", env=env)

    assert 0 == code
    assert "PASS" in shown
    assert colored == ("\x1b[" in shown)


def test_paths_in_any_script_are_shown_and_quoted(
    accepted: Workspace, inside: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blanks and letters of every script in the path of a project change nothing; the next command can be pasted."""
    moved = tmp_path / "mein Projekt \u65e5\u672c ü"
    accepted.root.rename(moved)
    accepted.root = moved
    accepted.worsen("trail map", "usb-c lamp")
    config = accepted.config.relative_to(tmp_path)
    monkeypatch.chdir(tmp_path)
    result = inside("check", "--config", config)

    assert 1 == result.code
    assert f"rankgate explain --config '{config}' trail-map" in result.stderr
    assert 0 == inside("explain", "--config", config, "trail-map").code
