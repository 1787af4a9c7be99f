"""Steps of a CI server, run here as it runs them: a shell of its own, and everything through the environment."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from tests.e2e.support import LIMIT_SECONDS, Result

ROOT: Final = Path(__file__).parents[2]
EXPRESSION: Final = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")

#: What somebody may put into an input to have it run.
HOSTILE: Final = (
    '"; touch pwned; "',
    "'; touch pwned; '",
    "$(touch pwned)",
    "`touch pwned`",
    "a\ntouch pwned\n",
    "a b *",
    "--version",
    "${IFS}touch${IFS}pwned",
    "x && touch pwned",
    "END\ntouch pwned",
    "\\",
)


def document(path: str) -> Any:
    """A YAML file of this repository; the last document, where there are several."""
    return list(yaml.safe_load_all((ROOT / path).read_text(encoding="utf-8")))[-1]


def shell(script: str, cwd: Path, env: Mapping[str, str], *options: str) -> Result:
    """Run *script* in bash with *options*, in this environment with *env*."""
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", *options, "-c", script],
        cwd=cwd,
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def put_command(path: Path, script: str) -> Path:
    """Make an executable that runs the Python *script*."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable}\n{script}", encoding="utf-8")
    path.chmod(0o755)
    return path


#: The real command, wherever it is put.
RANKGATE: Final = "import runpy, sys\nsys.argv[0] = 'rankgate'\nrunpy.run_module('rankgate', run_name='__main__')\n"
#: Writes down what it was called with, one argument a line of JSON.
RECORDER: Final = "import json, sys\nopen({path!r}, 'a').write(json.dumps(sys.argv[1:]) + '\\n')\n"


@dataclass(slots=True)
class Runner:
    """A job of GitHub Actions that runs this repository's action.

    Attributes:
        folder: The checked-out repository under test.
        temporary: ``RUNNER_TEMP``.
        env: Of the job.
        outputs: Of the steps that ran, by id and name.
    """

    folder: Path
    temporary: Path
    env: Mapping[str, str] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def summary(self) -> Path:
        """``GITHUB_STEP_SUMMARY``."""
        return self.temporary / "summary.md"

    def run(self, step: Mapping[str, Any], inputs: Mapping[str, str]) -> Result:
        """Run one step of the action with *inputs*, and take its outputs."""
        written = self.temporary / f"output-{len(self.outputs)}"
        given = {name: self.value(str(text), inputs) for name, text in step.get("env", {}).items()}
        runner = {
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_WORKSPACE": str(self.folder),
            "GITHUB_OUTPUT": str(written),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "RUNNER_TEMP": str(self.temporary),
        }
        result = shell(step["run"], self.folder, {**self.env, **runner, **given}, "-eo", "pipefail")
        text = written.read_text(encoding="utf-8") if written.exists() else ""
        self.outputs[str(step.get("id", step.get("name")))] = outputs(text)
        return result

    def value(self, text: str, inputs: Mapping[str, str]) -> str:
        """*text* with the expressions that the action uses replaced: inputs, and outputs of steps."""

        def found(match: re.Match[str]) -> str:
            kind, name, *rest = match[1].split(".")
            return inputs[name] if kind == "inputs" else self.outputs.get(name, {}).get(rest[-1], "")

        return EXPRESSION.sub(found, text)


def outputs(text: str) -> dict[str, str]:
    """What the runner reads in the file of outputs: ``name=value``, or ``name<<END`` and lines up to the end."""
    lines = iter(text.splitlines())
    found = {}
    for line in lines:
        name, heredoc, end = line.partition("<<")
        if heredoc and "=" not in name:
            value: list[str] = []
            for each in lines:
                if each == end:
                    break
                value.append(each)
            found[name] = "\n".join(value)
        else:
            name, _, plain = line.partition("=")
            found[name] = plain
    return found


def steps(path: str) -> Sequence[Mapping[str, Any]]:
    """The steps of a composite action."""
    found: Sequence[Mapping[str, Any]] = document(path)["runs"]["steps"]
    return found


def step(name: str) -> Mapping[str, Any]:
    """The step of the action whose id or name begins with *name*."""
    return next(each for each in steps("action.yml") if str(each.get("id") or each.get("name")).startswith(name))


def defaults() -> dict[str, str]:
    """The inputs of the action where nothing is given."""
    return {name: entry.get("default", "") for name, entry in document("action.yml")["inputs"].items()}
