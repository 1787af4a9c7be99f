"""The templates for other CI servers, make and pre-commit: their shell is run as it stands, against a service."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from rankgate.cli import cli
from tests.ci.support import HOSTILE, RANKGATE, RECORDER, ROOT, document, put_command, shell
from tests.e2e.support import Fault, Result, Workspace, put


def good(_: Workspace) -> None:
    """Change nothing."""


def worse(workspace: Workspace) -> None:
    """Let queries lose their right first answer."""
    workspace.worsen("running shoes", "rain jacket", "wool socks", "trail map")


def wrong(workspace: Workspace) -> None:
    """Take the config away."""
    workspace.config.unlink()


def down(workspace: Workspace) -> None:
    """Let the service answer nothing but errors."""
    workspace.search.faults[None] = Fault(503, "overloaded")


#: A failure and a wrong input run each time, the other two ends with the slow tests.
ENDS = pytest.mark.parametrize(
    ("change", "code"),
    [
        pytest.param(good, 0, marks=pytest.mark.slow),
        (worse, 1),
        (wrong, 2),
        pytest.param(down, 3, marks=pytest.mark.slow),
    ],
)


def gitlab_job() -> Mapping[str, Any]:
    """The job of the template."""
    (job,) = document("ci/gitlab/rankgate.yml").values()
    found: Mapping[str, Any] = job
    return found


def gitlab(folder: Path, bin_folder: Path, **variables: str) -> Result:
    """Run the script of the job, as a runner does: all lines in one shell, without bash's own words."""
    env = {"RANKGATE_CONFIG": "", "RANKGATE_ARGS": "", **variables, "PATH": f"{bin_folder}:/usr/bin:/bin"}
    script = "\n".join(gitlab_job()["script"])
    return shell('exec sh -e -c "$SCRIPT"', folder, {**env, "SCRIPT": script})


@ENDS
def test_gitlab_ends_with_the_code_and_every_report_that_it_names_is_there(
    accepted: Workspace, tmp_path: Path, change: Callable[[Workspace], None], code: int
) -> None:
    """Whatever the verdict; without one there is none."""
    put_command(tmp_path / "bin" / "rankgate", RANKGATE)
    change(accepted)
    ended = gitlab(accepted.root, tmp_path / "bin")
    reports = gitlab_job()["artifacts"]["reports"]

    assert code == ended.code, ended.stderr
    assert {"junit", "codequality", "metrics"} == set(reports)
    assert {code != 2} == {(accepted.root / path).exists() for path in reports.values()}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_inputs_of_gitlab_are_arguments_and_nothing_more(
    accepted: Workspace, tmp_path: Path, text: str
) -> None:
    """They stand in variables, and no line of a value ends the document that the script reads."""
    calls = tmp_path / "calls"
    put_command(tmp_path / "bin" / "rankgate", RECORDER.format(path=str(calls)))
    gitlab(accepted.root, tmp_path / "bin", RANKGATE_CONFIG=text, RANKGATE_ARGS=text)
    arguments = json.loads(calls.read_text(encoding="utf-8"))

    assert [f"--config={text}", *(line for line in text.splitlines() if line)] == arguments[13:]
    assert [] == list(accepted.root.rglob("pwned"))


def test_inputs_of_gitlab_stand_in_no_script() -> None:
    """They are replaced before a shell sees anything; the version can be nothing else."""
    text = (ROOT / "ci/gitlab/rankgate.yml").read_text(encoding="utf-8")
    head, job = yaml.safe_load_all(text)
    (keys,) = job.values()
    version = re.compile(head["spec"]["inputs"]["version"]["regex"])

    assert "$[[" not in json.dumps([keys["script"], keys["before_script"]])
    assert set(head["spec"]["inputs"]) == set(re.findall(r"\$\[\[ inputs\.(\w+) \]\]", text))
    assert ["1.2.3", "0.1.0rc1"] == [each for each in ("1.2.3", "0.1.0rc1", *HOSTILE) if version.search(each)]
    assert {"max": 1, "exit_codes": [3]} == keys["retry"]
    assert "always" == keys["artifacts"]["when"]


def azure_steps() -> list[Mapping[str, Any]]:
    """The steps of the template."""
    found: list[Mapping[str, Any]] = document("ci/azure/rankgate.yml")["steps"]
    return found


def azure_gate() -> Mapping[str, Any]:
    """The step that gates."""
    return next(each for each in azure_steps() if each.get("displayName") == "Golden gate")


@ENDS
def test_azure_ends_with_the_code_and_shows_the_summary(
    accepted: Workspace, tmp_path: Path, change: Callable[[Workspace], None], code: int
) -> None:
    """The command that shows it is printed whenever there is a report."""
    put_command(tmp_path / "rankgate" / "bin" / "rankgate", RANKGATE)
    change(accepted)
    env = {"AGENT_TEMPDIRECTORY": str(tmp_path), "RANKGATE_CONFIG": "", "RANKGATE_ARGS": ""}
    ended = shell(azure_gate()["bash"], accepted.root, env)

    assert code == ended.code, ended.stderr
    assert (code != 2) == (f"##vso[task.uploadsummary]{tmp_path}/rankgate-report/rankgate.md" in ended.stdout)
    assert (code != 2) == (tmp_path / "rankgate-report" / "junit.xml").exists()


@pytest.mark.parametrize("text", [*HOSTILE, "--strict\r\n\n--url=http://a b/?q=*\n"])
def test_inputs_of_azure_are_arguments_line_by_line_and_nothing_more(
    accepted: Workspace, tmp_path: Path, text: str
) -> None:
    """Nothing splits a line or runs it, and an empty one is no argument."""
    calls = tmp_path / "calls"
    put_command(tmp_path / "rankgate" / "bin" / "rankgate", RECORDER.format(path=str(calls)))
    env = {"AGENT_TEMPDIRECTORY": str(tmp_path), "RANKGATE_CONFIG": text, "RANKGATE_ARGS": text}
    shell(azure_gate()["bash"], accepted.root, env)
    arguments = json.loads(calls.read_text(encoding="utf-8"))

    assert [f"--config={text}", *(line for line in text.splitlines() if line)] == arguments[9:]
    assert [] == list(accepted.root.rglob("pwned"))


def test_parameters_of_azure_are_all_used() -> None:
    """Each stands in the environment of a step."""
    used = {value for each in azure_steps() for value in each.get("env", {}).values()}
    parameters = document("ci/azure/rankgate.yml")["parameters"]

    assert {f"${{{{ parameters.{each['name']} }}}}" for each in parameters} == used


def test_azure_keeps_results_and_reports_whatever_the_verdict() -> None:
    """And its parameters stand in no script."""
    assert ["always()"] * 2 == [each["condition"] for each in azure_steps() if "bash" not in each]
    assert [] == [
        each["bash"] for each in azure_steps() if "${{" in each.get("bash", "") or "$(A" in each.get("bash", "")
    ]


@ENDS
def test_jenkins_ends_with_the_code_and_keeps_the_report(
    accepted: Workspace, tmp_path: Path, change: Callable[[Workspace], None], code: int
) -> None:
    """The shell of the stage; the report that the junit step reads is there."""
    text = (ROOT / "ci/jenkins/Jenkinsfile").read_text(encoding="utf-8")
    put_command(tmp_path / "rankgate" / "bin" / "rankgate", RANKGATE)
    change(accepted)
    _, gate = re.findall(r"sh '''\n(.*?)'''", text, re.DOTALL)
    # Groovy takes a backslash before the end of a line away, with the line's end.
    ended = shell(gate.replace("\\\n", " "), accepted.root, {"WORKSPACE_TMP": str(tmp_path)}, "-xe")
    report = re.search(r"junit testResults: '([^']+)'", text)

    assert code == ended.code, ended.stderr
    assert report is not None
    assert (code != 2) == (accepted.root / report[1]).exists()


@ENDS
def test_make_turns_every_failure_into_2(
    accepted: Workspace, tmp_path: Path, change: Callable[[Workspace], None], code: int
) -> None:
    """As the page on CI says, with its own rule; the report tells the verdict."""
    page = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    put(accepted.root / "Makefile", re.search(r"```make\n(.*?)```", page, re.DOTALL)[1])  # type: ignore[index]
    put_command(tmp_path / "bin" / "rankgate", RANKGATE)
    change(accepted)
    ended = shell("make gate", accepted.root, {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"})

    assert min(code, 1) * 2 == ended.code
    assert (code != 2) == (accepted.root / "rankgate.json").exists()
    if code not in {0, 2}:
        assert code == json.loads((accepted.root / "rankgate.json").read_text(encoding="utf-8"))["exit_code"]


def hooks() -> dict[str, Mapping[str, Any]]:
    """The hooks by id."""
    return {hook["id"]: hook for hook in document(".pre-commit-hooks.yaml")}


def test_the_hooks_call_commands_that_there_are() -> None:
    """With no file names added, for neither takes any."""
    for hook in hooks().values():
        program, command = hook["entry"].split()
        assert ("rankgate", "python", False) == (program, hook["language"], hook["pass_filenames"])
        assert 0 == CliRunner().invoke(cli, [command, "--help"]).exit_code


def test_the_gate_runs_before_a_push_and_the_check_of_the_files_on_commit() -> None:
    """What asks the service is kept from every commit; what does not, runs when something of the golden set changed."""
    check, validate = hooks()["rankgate-check"], hooks()["rankgate-validate"]

    assert (["pre-push"], True, True) == (check["stages"], check["always_run"], check["verbose"])
    assert "stages" not in validate
    changed = ("rankgate.yaml", "golden/rankgate.yaml", "search/golden/queries/a.yaml", "golden/baseline.jsonl")
    assert list(changed) == [
        path for path in (*changed, "src/golden.py", "README.md") if re.search(validate["files"], path)
    ]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pre-commit") is None, reason="pre-commit is not installed; .ci/run installs it")
@pytest.mark.parametrize(("hook", "stage"), [("rankgate-validate", "pre-commit"), ("rankgate-check", "pre-push")])
def test_pre_commit_runs_the_hooks(accepted: Workspace, tmp_path: Path, hook: str, stage: str) -> None:
    """pre-commit installs this repository's code, as it does for whoever names it, and runs the hook."""
    source = tmp_path / "source"
    ignored = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "shared", "benchmarks")
    shutil.copytree(ROOT, source, ignore=ignored)
    env = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "cache")}
    author = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    for folder in (source, accepted.root):
        for arguments in (("init", "-q"), ("add", "-A"), (*author, "commit", "-q", "-m", "all")):
            subprocess.run(["git", *arguments], cwd=folder, env=env, check=True)
    done = subprocess.run(
        ["pre-commit", "try-repo", str(source), hook, "--hook-stage", stage, "--all-files", "--verbose"],
        cwd=accepted.root,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == done.returncode, done.stdout + done.stderr
    assert f"hook id: {hook}" in done.stdout
