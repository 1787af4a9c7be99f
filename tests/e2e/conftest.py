"""What every end-to-end test starts from."""

import socket
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from rankgate.cli import entry
from tests.e2e.support import (
    CONFIG,
    HEAD,
    JARGON,
    Inside,
    Rankgate,
    Result,
    Search,
    Workspace,
    ended,
    put,
    right,
    started,
)


@pytest.fixture
def search() -> Iterator[Search]:
    """A search service on a free port."""
    running = Search()
    yield running
    running.close()


@pytest.fixture
def workspace(tmp_path: Path, search: Search) -> Workspace:
    """A golden set of twelve queries that the service answers rightly; nothing is accepted yet."""
    made = Workspace(tmp_path / "project", search)
    for slice_name, texts in (("head", HEAD), ("jargon", JARGON)):
        made.queries[slice_name] = {text: dict(zip(right(text), (3, 2, 0), strict=False)) for text in texts}
    made.write()
    put(made.config, CONFIG.format(url=search.url))
    made.best()
    return made


@pytest.fixture
def rankgate(workspace: Workspace) -> Rankgate:
    """The command in a process of its own, in the workspace if not told otherwise."""

    def run(*arguments: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> Result:
        with started(workspace, *arguments, env=env, cwd=cwd) as process:
            return ended(process)

    return run


@pytest.fixture
def inside(workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Inside:
    """The command in this process."""
    monkeypatch.chdir(workspace.root)

    def run(*arguments: str | Path) -> Result:
        code = entry._run([str(argument) for argument in arguments])
        sys.stdout.flush()
        sys.stderr.flush()
        return Result(code, *capfd.readouterr())

    return run


@pytest.fixture
def accepted(workspace: Workspace, inside: Inside) -> Workspace:
    """The workspace after its right rankings were accepted."""
    result = inside("accept")

    assert 0 == result.code, result.stderr
    return workspace


@pytest.fixture
def dead_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
