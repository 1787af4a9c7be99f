"""The GitHub action: its shell steps, run as the runner runs them, against a service."""

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.ci.support import HOSTILE, RANKGATE, RECORDER, ROOT, Runner, defaults, put_command, shell, step
from tests.e2e.support import Fault, Workspace


@pytest.fixture
def runner(accepted: Workspace, tmp_path: Path) -> Runner:
    """A job whose rankgate is installed, over a workspace with a baseline."""
    temporary = tmp_path / "temp of runner"
    put_command(temporary / "rankgate" / "bin" / "rankgate", RANKGATE)
    return Runner(accepted.root, temporary)


@pytest.fixture
def recorded(runner: Runner, tmp_path: Path) -> Callable[[], list[str]]:
    """Put a recorder in the place of rankgate; what it was called with."""
    calls = tmp_path / "calls"
    put_command(runner.temporary / "rankgate" / "bin" / "rankgate", RECORDER.format(path=str(calls)))

    def read() -> list[str]:
        (line,) = calls.read_text(encoding="utf-8").splitlines()
        found: list[str] = json.loads(line)
        return found

    return read


def good(_: Workspace) -> None:
    """Change nothing."""


def worse(workspace: Workspace) -> None:
    """Let every query of a slice lose its right first answer."""
    workspace.worsen("running shoes", "rain jacket", "wool socks", "trail map")


def wrong(workspace: Workspace) -> None:
    """Misspell a key."""
    workspace.configure("  hits: hits", "  hit: hits")


def down(workspace: Workspace) -> None:
    """Let the service answer nothing but errors."""
    workspace.search.faults[None] = Fault(503, "overloaded")


@pytest.mark.parametrize(
    ("change", "code", "verdict"), [(good, 0, "PASS"), (worse, 1, "FAIL"), (wrong, 2, ""), (down, 3, "INCONCLUSIVE")]
)
def test_the_action_ends_with_the_exit_code_of_the_gate(
    runner: Runner, accepted: Workspace, change: Callable[[Workspace], None], code: int, verdict: str
) -> None:
    """The step of the gate lets those behind it run, and the last one ends with the code; the outputs tell both."""
    change(accepted)
    ran = runner.run(step("gate"), defaults())
    ended = runner.run(step("End"), defaults())
    outputs = runner.outputs["gate"]

    assert (0, code) == (ran.code, ended.code), ran.stderr
    assert (str(code), verdict) == (outputs["code"], outputs.get("verdict", ""))


@pytest.mark.parametrize(
    ("change", "kept"), [(worse, True), pytest.param(down, True, marks=pytest.mark.slow), (wrong, False)]
)
def test_the_reports_are_there_whenever_there_is_a_verdict(
    runner: Runner, accepted: Workspace, change: Callable[[Workspace], None], kept: bool
) -> None:
    """Also of a gate that fails; and the summary of the step has the Markdown one."""
    change(accepted)
    runner.run(step("gate"), defaults())
    folder = accepted.root / "rankgate-report"
    names = ["rankgate.html", "rankgate.json", "rankgate.md", "rankgate.xml"] if kept else []

    assert names == sorted(path.name for path in folder.glob("*"))
    assert kept == runner.summary.exists()
    if kept:
        assert "rankgate-report/rankgate.json" == runner.outputs["gate"]["report"]
        assert (folder / "rankgate.md").read_text(encoding="utf-8") == runner.summary.read_text(encoding="utf-8")
        assert "testsuites" == ET.parse(folder / "rankgate.xml").getroot().tag


def test_the_reports_are_kept_whatever_the_verdict_and_turn_none() -> None:
    """The step that keeps them runs always, cannot fail the job, and stands before the one that ends with the code."""
    keep = step("Keep")

    assert keep["if"].startswith("${{ always() && ")
    assert keep["continue-on-error"] is True
    assert step("End")["if"].startswith("${{ always() && ")
    assert {"steps.gate.outputs.code != ''"} == {
        each["if"].split(" && ")[-1].removesuffix(" }}") for each in (keep, step("End"))
    }


def test_a_lost_query_is_an_annotation_on_its_line(runner: Runner, accepted: Workspace) -> None:
    """On stdout, where the runner reads; the file from the root of the repository."""
    worse(accepted)
    ran = runner.run(step("gate"), defaults())

    assert "::error file=golden/queries/head.yaml,line=" in ran.stdout
    assert ran.stdout.splitlines()[-1].startswith("rankgate: FAIL (exit code 1): ")


def test_arguments_are_taken_line_by_line(runner: Runner, recorded: Callable[[], list[str]]) -> None:
    """Nothing splits a line, and an empty one is no argument; line ends of Windows are none either."""
    runner.run(
        step("gate"), defaults() | {"config": "the config.yaml", "args": "--strict\r\n\n--url=http://a b/?q=*\n"}
    )

    assert ["--config=the config.yaml", "--strict", "--url=http://a b/?q=*"] == recorded()[-3:]


@pytest.mark.parametrize("text", ["--format=json", "--strict\n--format\njson", "--format=github\r\n"])
def test_a_format_among_the_arguments_is_refused(runner: Runner, text: str) -> None:
    """The annotations and the outputs come with the action's own: without it there would be no verdict to read."""
    ran = runner.run(step("gate"), defaults() | {"args": text})
    ended = runner.run(step("End"), defaults())

    assert (0, {"code": "2"}, 2) == (ran.code, runner.outputs["gate"], ended.code)
    assert (
        "::error title=rankgate::args: --format is the action's own; a further report is --output=FORMAT:PATH\n"
    ) == ran.stdout


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_inputs_are_arguments_and_nothing_more(
    runner: Runner, recorded: Callable[[], list[str]], text: str
) -> None:
    """Quotation marks, substitutions and line breaks reach rankgate as they are, or as lines; none is run."""
    runner.run(step("gate"), defaults() | {"config": text, "args": text, "report-dir": text})
    arguments = recorded()
    reports = [
        f"{name}:{text}/rankgate.{end}"
        for name, end in (("json", "json"), ("markdown", "md"), ("junit", "xml"), ("html", "html"))
    ]

    assert ["check", "--format", "github"] == arguments[:3]
    assert reports == arguments[4:12:2]
    assert [f"--config={text}", *(line for line in text.splitlines() if line)] == arguments[11:]
    assert [] == list(runner.folder.rglob("pwned"))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_code_is_not_run(runner: Runner, text: str) -> None:
    """The last step takes its code from an output: whatever stands there, it ends with a code that is not 0."""
    runner.outputs["gate"] = {"code": text}

    assert 0 != runner.run(step("End"), defaults()).code
    assert [] == list(runner.folder.rglob("pwned"))


def installed(runner: Runner, version: str) -> tuple[int, list[list[str]]]:
    """Run the step that installs, with a recorder for its Python; its code, and the calls."""
    calls = runner.temporary / "python-calls"
    maker = (
        f"{RECORDER.format(path=str(calls))}"
        "import os, shutil\n"
        "if sys.argv[2:3] == ['venv']:\n"
        "    os.makedirs(sys.argv[3] + '/bin', exist_ok=True)\n"
        "    shutil.copy(sys.argv[0], sys.argv[3] + '/bin/python')\n"
    )
    python = put_command(runner.temporary / "python", maker)
    runner.outputs["python"] = {"python-path": str(python)}
    ran = runner.run(step("Install"), defaults() | {"version": version})
    return ran.code, [json.loads(line) for line in calls.read_text().splitlines()] if calls.exists() else []


@pytest.mark.parametrize(
    ("version", "wanted"), [("1.2.3", "rankgate==1.2.3"), ("0.3.0rc1", "rankgate==0.3.0rc1"), ("", str(ROOT))]
)
def test_exactly_one_version_is_installed_in_an_environment_of_its_own(
    runner: Runner, version: str, wanted: str
) -> None:
    """Without one, the code of the commit that the workflow names."""
    code, calls = installed(runner, version)

    assert 0 == code
    assert ["-m", "venv", str(runner.temporary / "rankgate")] == calls[0]
    assert ("install", wanted) == (calls[1][2], calls[1][-1])


@pytest.mark.parametrize("version", [*HOSTILE, "1.*", ">=1", "1.0 --index-url=http://x", "latest"])
def test_what_is_no_exact_version_is_refused_before_anything_is_installed(runner: Runner, version: str) -> None:
    """With the code for a wrong input and a message that says what is expected."""
    assert (2, []) == installed(runner, version)
    assert [] == list(runner.folder.rglob("pwned"))


@pytest.mark.slow
def test_the_code_beside_the_action_installs_and_runs(runner: Runner, accepted: Workspace) -> None:
    """From the folder of the action, with the real pip; it asks the registry for what rankgate needs."""
    (runner.temporary / "rankgate" / "bin" / "rankgate").unlink()
    install = runner.run(step("Install"), defaults())
    runner.run(step("gate"), defaults())

    assert 0 == install.code, install.stderr
    assert "PASS" == runner.outputs["gate"]["verdict"]


def test_bash_reads_every_script() -> None:
    """No script has an error of syntax that only a rare branch would show."""
    for path in sorted((ROOT / "ci").rglob("*.sh")):
        assert (path.name, 0) == (path.name, shell(f"bash -n '{path}'", ROOT, {}).code)
