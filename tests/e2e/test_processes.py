"""Ctrl-C, closed pipes, full disks, folders that cannot be written: what happens to a process in the wild."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from rankgate.reports import FORMATS
from tests.e2e.support import Fault, Inside, Rankgate, Workspace, ended, interrupted, put, started

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes as POSIX has them")


@needs_posix
@pytest.mark.parametrize("command", [["check", "--output", "json:out.json"], ["accept"], ["run", "-o", "run.jsonl"]])
def test_ctrl_c_ends_a_hanging_request_at_once(accepted: Workspace, command: Sequence[str]) -> None:
    """130 within about a second, one word on stderr, and no file is there that was not, nor half of one."""
    accepted.configure("read: 2", "read: 30")
    accepted.search.faults[None] = Fault(hangs=True)
    accepted.search.asked.clear()
    before = accepted.snapshot()
    with started(accepted, *command) as process:
        result, seconds = interrupted(process, accepted.search)

    assert (130, "", "interrupted\n") == (result.code, result.stdout, result.stderr.lstrip("\n"))
    assert seconds < 1.5
    assert before == accepted.snapshot()


@needs_posix
@pytest.mark.parametrize("verdict", [0, 1])
@pytest.mark.parametrize("report", ["text", "json"])
def test_head_closes_the_pipe_and_the_code_stays(accepted: Workspace, report: str, verdict: int) -> None:
    """No traceback, no complaint of the interpreter; the files that were asked for are whole, the run is kept."""
    if verdict:
        accepted.worsen("trail map", "usb-c lamp")
    command = f"{sys.executable} -m rankgate check --format {report} --output junit:out.xml | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=accepted.root, capture_output=True, text=True, check=False)

    assert str(verdict) == done.stdout.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert (accepted.root / "out.xml").read_text(encoding="utf-8").endswith("</testsuites>\n")
    assert accepted.last_run.exists()


@pytest.fixture
def broken_pipe() -> Iterator[int]:
    """The writing end of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@needs_posix
@pytest.mark.parametrize(("command", "code"), [(["check"], 1), (["--help"], 141), (["validate"], 0), (["nonsense"], 2)])
def test_a_reader_that_is_gone_is_no_error(
    accepted: Workspace, broken_pipe: int, command: Sequence[str], code: int
) -> None:
    """Whoever listened on stdout: the code of a verdict stays, a help page ends as the shell puts it, never as 1."""
    accepted.worsen("trail map", "usb-c lamp")
    done = subprocess.run(
        [sys.executable, "-m", "rankgate", *command],
        cwd=accepted.root,
        stdout=broken_pipe,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )

    assert code == done.returncode, done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@needs_posix
def test_accept_does_its_work_though_nobody_reads_the_diff(accepted: Workspace, broken_pipe: int) -> None:
    """``rankgate accept | head -1`` accepts."""
    accepted.search.rankings["trail map"].append("more")
    command = [sys.executable, "-m", "rankgate", "accept"]
    done = subprocess.run(
        command,
        cwd=accepted.root,
        stdout=broken_pipe,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )

    assert 0 == done.returncode
    assert '"more"' in accepted.baseline.read_text(encoding="utf-8")


@needs_posix
@pytest.mark.parametrize("code", [0, 1, 2, 3])
def test_a_log_that_nobody_reads_changes_no_code(accepted: Workspace, broken_pipe: int, code: int) -> None:
    """Notes and errors that cannot be written are lost; the verdict is reached, and is not 0 for want of a log."""
    accepted.configure("max_drop: 0.2", "max_drop: 0.05")  # a note about the golden set, before anything is asked
    if code == 1:
        accepted.worsen("trail map", "usb-c lamp")
    elif code == 2:
        accepted.baseline.unlink()
    elif code == 3:
        accepted.search.faults[None] = Fault(500)
    done = subprocess.run(
        [sys.executable, "-m", "rankgate", "check"],
        cwd=accepted.root,
        stdout=subprocess.PIPE,
        stderr=broken_pipe,
        text=True,
        check=False,
    )

    assert code == done.returncode
    assert (code == 2) == (done.stdout == "")


@needs_posix
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_a_closed_stream_changes_no_code(accepted: Workspace, closed: str) -> None:
    """A daemon's process without stdout or stderr gates as any other."""
    accepted.worsen("trail map", "usb-c lamp")
    command = f"exec {sys.executable} -m rankgate check --output json:out.json {closed}"
    done = subprocess.run(["bash", "-c", command], cwd=accepted.root, capture_output=True, text=True, check=False)

    assert 1 == done.returncode, done.stderr
    assert (accepted.root / "out.json").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full disk")
@pytest.mark.parametrize("verdict", [0, 1])
def test_a_full_disk_behind_stdout_is_no_pass_and_no_bug(accepted: Workspace, verdict: int) -> None:
    """A pass that nobody could read is 2, a failure stays 1; stderr says which."""
    if verdict:
        accepted.worsen("trail map", "usb-c lamp")
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rankgate", "check"],
            cwd=accepted.root,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert (1 if verdict else 2) == done.returncode
    assert "stdout: cannot write: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize("verdict", [0, 1])
def test_a_run_that_cannot_be_kept_changes_no_verdict(accepted: Workspace, inside: Inside, verdict: int) -> None:
    """In a folder that cannot be written the gate gates; a note says that explain will have nothing."""
    put(accepted.config.parent / ".rankgate", "a file where the folder would be")
    if verdict:
        accepted.worsen("trail map", "usb-c lamp")
    result = inside("check")

    assert verdict == result.code
    assert "note: the run is not kept for rankgate explain: golden/.rankgate/" in result.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_changes_no_verdict(accepted: Workspace, rankgate: Rankgate) -> None:
    """The checkout of a CI job may be read-only."""
    accepted.config.parent.chmod(0o555)
    try:
        checked, taken = rankgate("check"), rankgate("accept")
    finally:
        accepted.config.parent.chmod(0o755)

    assert (0, 2) == (checked.code, taken.code)
    assert "is not kept" in checked.stderr
    assert "cannot write: Permission denied" in taken.stderr


@pytest.mark.slow
def test_the_same_answers_give_the_same_bytes(accepted: Workspace, rankgate: Rankgate) -> None:
    """Two processes, two hash seeds, every format: not a byte differs."""
    accepted.worsen("trail map", "usb-c lamp", "wool socks")
    reports = []
    for seed in ("1", "2"):
        outputs = [argument for report in FORMATS for argument in ("--output", f"{report}:{seed}/{report}")]
        result = rankgate("check", *outputs, env={"PYTHONHASHSEED": seed})
        files = {report: (accepted.root / seed / report).read_bytes() for report in FORMATS}
        reports.append((result, files, accepted.last_run.read_bytes()))

    assert reports[0] == reports[1]


def test_it_works_from_another_folder_and_without_git(
    accepted: Workspace, inside: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Paths in a config are relative to it; no repository is needed, nor asked."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    by_path = inside("check", "--config", accepted.config)
    monkeypatch.chdir(accepted.config.parent)
    beside = inside("check")

    assert (0, 0) == (by_path.code, beside.code)
    assert [] == list(elsewhere.iterdir())
    assert "*\n" == (accepted.last_run.parent / ".gitignore").read_text(encoding="utf-8")


@pytest.mark.slow
def test_two_checks_at_once_do_not_disturb_each_other(accepted: Workspace) -> None:
    """Each writes the last run whole."""
    with started(accepted, "check") as first, started(accepted, "check") as second:
        results = [ended(first), ended(second)]

    assert [0, 0] == [result.code for result in results]
    assert [] == [path.name for path in accepted.last_run.parent.iterdir() if path.suffix == ".part"]


@needs_posix
def test_a_terminated_check_leaves_no_half_file(accepted: Workspace) -> None:
    """SIGTERM, as CI sends it when a job is cancelled, is not 0 and changes nothing."""
    accepted.search.faults[None] = Fault(hangs=True)
    accepted.search.asked.clear()
    before = accepted.snapshot()
    with started(accepted, "check") as process:
        assert accepted.search.asked.wait(30)
        process.send_signal(signal.SIGTERM)
        result = ended(process)

    assert -signal.SIGTERM == result.code
    assert before == accepted.snapshot()
