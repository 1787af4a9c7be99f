"""A project in a folder and the command on it, for what only the command shows: exit codes, files, reports."""

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from rankgate.cli import entry
from rankgate.core.rankings import Run
from rankgate.files.service_spec import ServiceSpec
from rankgate.service.client import Ask, Tape, measure

CONFIG = """\
version: 1
service:
{service}
depth: 10
measures: [P@1]
gate:
  P@1: {{floor: 0.1}}
"""


class Result(NamedTuple):
    """How a command ended."""

    code: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Project:
    """A config and its golden queries, each of which wants the document d1.

    Attributes:
        folder: Where they are, and where commands are run from.
    """

    folder: Path

    def write(self, service: Mapping[str, object], texts: Mapping[str, str]) -> None:
        """Write both; *texts* by query id. JSON is YAML."""
        lines = "\n".join(f"  {key}: {json.dumps(value)}" for key, value in service.items())
        (self.folder / "rankgate.yaml").write_text(CONFIG.format(service=lines), encoding="utf-8")
        queries = [{"id": name, "text": text, "judgments": {"d1": 3}} for name, text in texts.items()]
        (self.folder / "queries").mkdir(exist_ok=True)
        (self.folder / "queries" / "all.yaml").write_text(json.dumps({"queries": queries}), encoding="utf-8")

    def run(self, *arguments: str | Path, **variables: str) -> Result:
        """The command in this process, from another folder, with *variables* in the environment."""
        out, err = StringIO(), StringIO()
        options = ["--config", str(self.folder / "rankgate.yaml")]
        with patch.dict("os.environ", variables), redirect_stdout(out), redirect_stderr(err):
            code = entry._run([*map(str, arguments), *options])
        return Result(code, out.getvalue(), err.getvalue())

    def start(self, *arguments: str | Path) -> "subprocess.Popen[bytes]":
        """The command in a process of its own."""
        command = [sys.executable, "-W", "error", "-m", "rankgate", *map(str, arguments)]
        return subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def record(spec: ServiceSpec, folder: Path, *asks: Ask, depth: int = 10) -> Run:
    """Ask the service and keep its answers."""
    return measure(spec, asks or [Ask("q1", "a")], depth, tape=Tape(record=folder))


def replay(spec: ServiceSpec, folder: Path, *asks: Ask, depth: int = 10) -> Run:
    """Take the answers from *folder*."""
    return measure(spec, asks or [Ask("q1", "a")], depth, tape=Tape(replay=folder))
