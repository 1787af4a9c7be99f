"""The demo, as it is typed."""

import importlib.util
import json
import signal
import subprocess
import sys
import urllib.request

import pytest

from tests.e2e.support import LIMIT_SECONDS, Inside, Rankgate, Workspace


@pytest.mark.slow
@pytest.mark.xdist_group("demo")
def test_the_demo_tells_its_story(rankgate: Rankgate, workspace: Workspace) -> None:
    """A pass, a failure with its reason, a better ranking that is accepted; its last lines are about the reader's service."""
    pytest.importorskip("datasette")
    before = workspace.snapshot()
    result = rankgate("demo")
    closing = result.stdout[result.stdout.index("That was the whole of it") :]

    assert 0 == result.code, result.stdout + result.stderr
    for said in ("PASS  exit code 0", "FAIL  exit code 1", "(exit code 1)", "TITLE_WEIGHT=0 rankgate check", "glob"):
        assert said in result.stdout, said
    for command in ("init", "validate", "accept", "check", "demo --serve"):
        assert f"rankgate {command}" in closing, command
    assert "Traceback" not in result.stderr
    assert before == workspace.snapshot()


@pytest.mark.xdist_group("demo")
@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
def test_the_demo_serves_until_ctrl_c(workspace: Workspace) -> None:
    """It says where, answers there, and ends cleanly with nothing left listening."""
    pytest.importorskip("datasette")
    with subprocess.Popen(
        [sys.executable, "-m", "rankgate", "demo", "--serve"],
        cwd=workspace.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            serving, example = process.stdout.readline(), process.stdout.readline()
            with direct(example.split()[1]) as answer:
                found = json.load(answer)
            process.send_signal(signal.SIGINT)
            rest, errors = process.communicate(timeout=LIMIT_SECONDS)
        finally:
            process.kill()

    assert serving.startswith("serving at http://127.0.0.1:")
    assert "heapq.merge" == found[0]["id"]
    assert (0, "\nended\n", "") == (process.returncode, rest, errors)
    with pytest.raises(OSError, match=r"refused|timed out"):
        direct(example.split()[1])


def direct(url: str) -> "urllib.request._UrlopenRet":
    """Get *url* without a proxy."""
    return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=10)


@pytest.mark.parametrize("command", [["demo"], ["demo", "--serve"]])
def test_without_datasette_the_demo_says_how_to_get_it(
    inside: Inside, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    """The command to type, and the code of wrong input."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    result = inside(*command)

    assert (2, "") == (result.code, result.stdout)
    assert "pip install 'rankgate[demo]'" in result.stderr


def test_a_port_that_is_taken_is_named(inside: Inside, workspace: Workspace) -> None:
    """The demo does not tell its story over another program's answers."""
    pytest.importorskip("datasette")
    port = workspace.search.url.rpartition(":")[2]
    result = inside("demo", "--port", port)

    assert (2, "") == (result.code, result.stdout)
    assert f"port {port} cannot be listened on: Address already in use; --port 0 takes a free one" in result.stderr
    assert [] == workspace.search.requests
