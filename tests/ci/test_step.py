"""What the command tells GitHub beside its report: the summary and the outputs of the step, which turn no verdict."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from rankgate.cli.github import SUMMARY_BYTES, fitting, output_lines
from tests.ci.support import outputs
from tests.e2e.support import Inside, Workspace, put


@dataclass(frozen=True, slots=True)
class Step:
    """The files of a step."""

    summary: Path
    output: Path

    @property
    def outputs(self) -> Mapping[str, str]:
        """As the runner reads them."""
        return outputs(self.output.read_text(encoding="utf-8"))


@pytest.fixture
def files(accepted: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Step:
    """A step of a job that checked the workspace out."""
    made = Step(put(tmp_path / "summary.md", "written before\n"), put(tmp_path / "output", ""))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(made.summary))
    monkeypatch.setenv("GITHUB_OUTPUT", str(made.output))
    monkeypatch.setenv("GITHUB_WORKSPACE", str(accepted.root))
    return made


def test_the_summary_is_appended_and_the_outputs_are_set(files: Step, accepted: Workspace, inside: Inside) -> None:
    """The JSON report is the one that the outputs name, wherever it stands in the command."""
    accepted.worsen("running shoes", "rain jacket")
    ended = inside("check", "--format", "github", "--output", "junit:r.xml", "--output", "json:r.json")
    before, _, report = files.summary.read_text(encoding="utf-8").partition("\n")

    assert 1 == ended.code
    assert ("written before", "## rankgate: FAIL") == (before, report.splitlines()[0])
    assert {"verdict": "FAIL", "exit_code": "1", "report": "r.json"} == files.outputs


def test_a_report_in_a_file_tells_github_too(files: Step, inside: Inside) -> None:
    """With the annotations in a file and text on stdout."""
    ended = inside("check", "--output", "github:annotations.txt")

    assert 0 == ended.code
    assert {"verdict": "PASS", "exit_code": "0", "report": "annotations.txt"} == files.outputs


def test_no_other_format_tells_github_anything(files: Step, inside: Inside) -> None:
    """Who does not ask for it finds the step as it was."""
    inside("check", "--format", "json")

    assert ("written before\n", "") == (files.summary.read_text(), files.output.read_text())


def test_what_is_already_the_summary_is_not_appended_to_it(files: Step, inside: Inside) -> None:
    """The Markdown report once, not twice."""
    inside("check", "--format", "github", "--output", f"markdown:{files.summary}")

    assert 1 == files.summary.read_text(encoding="utf-8").count("## rankgate: PASS")


@pytest.mark.parametrize(("texts", "code"), [((), 0), (("running shoes", "rain jacket"), 1)])
def test_what_cannot_be_told_turns_no_verdict(
    accepted: Workspace,
    inside: Inside,
    monkeypatch: pytest.MonkeyPatch,
    texts: tuple[str, ...],
    code: int,
) -> None:
    """A folder in the place of each file: a note each, and the code stays."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(accepted.root))
    monkeypatch.setenv("GITHUB_OUTPUT", str(accepted.root))
    accepted.worsen(*texts)
    ended = inside("check", "--format", "github")

    assert code == ended.code
    for what in ("the step's summary", "the step's outputs"):
        assert f"note: {what} could not be written: Is a directory; the verdict stands" in ended.stderr


def test_files_are_named_from_the_root_of_the_repository(
    files: Step, accepted: Workspace, inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the gate runs in a folder of it."""
    monkeypatch.setenv("GITHUB_WORKSPACE", str(accepted.root.parent))
    accepted.worsen("running shoes", "rain jacket")
    ended = inside("check", "--format", "github")

    assert f"file={accepted.root.name}/golden/queries/head.yaml,line=" in ended.stdout


def test_no_value_of_an_output_can_set_another() -> None:
    """A path may hold anything; what ends a value is not known to who wrote it."""
    values = {"verdict": "PASS", "report": "a\nverdict=FAIL\nEND\nb<<c"}

    assert values == outputs(output_lines(values, "f00d"))


@pytest.mark.parametrize("room", [2_000, 1_000, 200, 90, 0, -5])
def test_a_summary_is_cut_between_lines_before_github_refuses_it_whole(room: int) -> None:
    """What fits is there, and that it is cut; where not even that fits, nothing is."""
    report = "".join(f"line {number} é\n" for number in range(100))
    cut = fitting(report, room)

    assert len(cut.encode()) <= max(room, 0)
    assert (room >= len(report.encode())) == (cut == report)
    if "Cut here" in cut:
        assert report.startswith(cut.partition("\n\n")[0])


def test_a_full_summary_is_left_as_it_is(files: Step, inside: Inside) -> None:
    """All commands of a step share its 1 MiB."""
    put(files.summary, "x" * (SUMMARY_BYTES - 10))
    ended = inside("check", "--format", "github")

    assert (0, SUMMARY_BYTES - 10) == (ended.code, files.summary.stat().st_size)


@pytest.mark.parametrize("arguments", [("--format", "github"), ("--format=github",)])
def test_what_keeps_the_gate_from_a_verdict_is_an_annotation_on_its_line(
    files: Step, accepted: Workspace, inside: Inside, arguments: tuple[str, ...]
) -> None:
    """Every mistake, in the config and in the golden files; the outputs stay as they were."""
    accepted.configure("  hits: hits", "  hit: hits")
    line = accepted.config.read_text(encoding="utf-8").splitlines().index("  hit: hits") + 1
    ended = inside("check", *arguments)
    (only,) = ended.stdout.splitlines()

    assert (2, "") == (ended.code, files.output.read_text())
    assert only.startswith(f"::error file=golden/rankgate.yaml,line={line},col=3,title=rankgate::")
    assert only.partition("title=rankgate::")[2] in ended.stderr


def test_a_mistake_that_stands_in_no_file_is_an_annotation_too(files: Step, inside: Inside) -> None:
    """Such as an option that there is not."""
    ended = inside("check", "--format", "github", "--strct")

    assert (2, 1) == (ended.code, ended.stdout.count("::error title=rankgate::No such option"))


def test_other_formats_say_mistakes_on_stderr_alone(files: Step, accepted: Workspace, inside: Inside) -> None:
    """Whose stdout is read by a program of another kind."""
    accepted.configure("  hits: hits", "  hit: hits")

    assert "" == inside("check", "--format", "json").stdout


def test_a_service_that_is_not_there_is_told_once(
    files: Step, accepted: Workspace, inside: Inside, dead_port: int
) -> None:
    """By the report, which is written of it too."""
    ended = inside("check", "--format", "github", "--url", f"http://127.0.0.1:{dead_port}/search")

    assert (3, 1) == (ended.code, ended.stdout.count("title=rankgate%3A not measured::"))
    assert "::error title=rankgate::" not in ended.stdout
