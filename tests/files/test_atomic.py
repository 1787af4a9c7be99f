"""A file is written whole or not at all."""

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rankgate.errors import InputError
from rankgate.files.atomic import write_text

#: Writes a new text, and kills itself when the named function is called: no handler, no clean-up, as in a power cut.
DYING = """
import os, signal, sys
from pathlib import Path
from rankgate.files import atomic

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

match sys.argv[2]:
    case "half-way":
        real = os.fdopen
        class Half:
            def __init__(self, stream): self.stream = stream
            def __enter__(self): return self
            def __exit__(self, *_): pass
            def write(self, data):
                self.stream.write(data[: len(data) // 2])
                self.stream.flush()
                die()
        os.fdopen = lambda descriptor, mode: Half(real(descriptor, mode))
    case "fsync":
        os.fsync = die
    case "chmod":
        Path.chmod = die
    case "replace":
        Path.replace = die
    case "after":
        replace = Path.replace
        def replace_and_die(self, target):
            replace(self, target)
            die()
        Path.replace = replace_and_die
atomic.write_text(Path(sys.argv[1]), "new " * 100_000)
"""


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        ("half-way", "old"),
        ("fsync", "old"),
        ("chmod", "old"),
        ("replace", "old"),
        ("after", "new " * 100_000),
    ],
)
def test_a_kill_at_any_moment_leaves_the_old_file_or_the_new_one(moment: str, text: str, tmp_path: Path) -> None:
    """A real process, killed for good while it writes."""
    path = tmp_path / "baseline.jsonl"
    path.write_text("old", encoding="utf-8")

    killed = subprocess.run([sys.executable, "-c", DYING, str(path), moment], capture_output=True, check=False)

    assert -signal.SIGKILL == killed.returncode, killed.stderr
    assert text == path.read_text(encoding="utf-8")


def test_a_text_is_written_and_replaced(tmp_path: Path) -> None:
    """In UTF-8, without any change of its line breaks, and nothing else is left in the folder."""
    path = tmp_path / "file"

    write_text(path, "first\n")
    write_text(path, "caf\u00e9\r\n\U0001f408\n")

    assert b"caf\xc3\xa9\r\n\xf0\x9f\x90\x88\n" == path.read_bytes()
    assert [path] == list(tmp_path.iterdir())


def test_folders_on_the_way_are_made(tmp_path: Path) -> None:
    """A report may go to a folder that is not there yet."""
    write_text(tmp_path / "a" / "b" / "file", "text")

    assert "text" == (tmp_path / "a" / "b" / "file").read_text(encoding="utf-8")


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755], ids=oct)
def test_permissions_are_kept(mode: int, tmp_path: Path) -> None:
    """Those of the file that is replaced."""
    path = tmp_path / "file"
    path.touch()
    path.chmod(mode)

    write_text(path, "text")

    assert mode == stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    """Not the narrow ones of a temporary file."""
    (tmp_path / "other").touch()

    write_text(tmp_path / "file", "text")

    assert (tmp_path / "other").stat().st_mode == (tmp_path / "file").stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """What it leads to is replaced, beside where that stands."""
    target, link = tmp_path / "there" / "target", tmp_path / "link"
    target.parent.mkdir()
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)

    write_text(link, "new")

    assert (True, "new") == (link.is_symlink(), target.read_text(encoding="utf-8"))
    assert [target] == list(target.parent.iterdir())


def test_a_link_to_nothing_gets_its_target(tmp_path: Path) -> None:
    """A dangling link is no reason to fail, nor to replace it."""
    link = tmp_path / "link"
    link.symlink_to("target")

    write_text(link, "new")

    assert (True, "new") == (link.is_symlink(), (tmp_path / "target").read_text(encoding="utf-8"))


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    """A report to /dev/null, run as root, must not turn the device into a file."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(path.read_text(encoding="utf-8")), daemon=True)
    reader.start()

    write_text(path, "text")
    reader.join(timeout=10)

    assert (["text"], True) == (read, stat.S_ISFIFO(path.stat().st_mode))


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        write_text(path, "text")
    return str(caught.value)


def test_a_folder_that_cannot_be_written_to_is_refused_with_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Said by the system; played here, because root may write anywhere."""

    def refuse(*_: object, **__: object) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)

    assert f"{tmp_path / 'file'}: cannot write: Permission denied" == refusal(tmp_path / "file")
    assert [] == list(tmp_path.iterdir())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_refused_with_the_path(tmp_path: Path) -> None:
    """The old file stays as it is."""
    path = tmp_path / "folder" / "file"
    path.parent.mkdir()
    path.write_text("old", encoding="utf-8")
    path.parent.chmod(0o500)

    message = refusal(path)
    path.parent.chmod(0o700)

    assert f"{path}: cannot write: Permission denied" == message
    assert "old" == path.read_text(encoding="utf-8")


def test_a_full_disk_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error comes when the bytes are forced to disk."""
    path = tmp_path / "file"
    path.write_text("old", encoding="utf-8")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)

    assert f"{path}: cannot write: No space left on device" == refusal(path)
    assert ("old", [path]) == (path.read_text(encoding="utf-8"), list(tmp_path.iterdir()))


def test_an_interrupt_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is passed on, after the half-written file is gone."""
    path = tmp_path / "file"
    path.write_text("old", encoding="utf-8")

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)

    with pytest.raises(KeyboardInterrupt):
        write_text(path, "text")

    assert ("old", [path]) == (path.read_text(encoding="utf-8"), list(tmp_path.iterdir()))


def test_what_can_be_no_file_is_refused(tmp_path: Path) -> None:
    """A folder, a file on the way, links in a circle, a name with a null byte."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain").touch()
    (tmp_path / "one").symlink_to("other")
    (tmp_path / "other").symlink_to("one")
    paths = [tmp_path / name for name in ("folder", "plain/file", "one", "a\0b")]

    messages = [refusal(path) for path in paths]

    assert [True] * 4 == [
        message.startswith(f"{path}: cannot write: ") for path, message in zip(paths, messages, strict=True)
    ]
    assert {"folder", "plain", "one", "other"} == {path.name for path in tmp_path.iterdir()}
    assert [] == list((tmp_path / "folder").iterdir())
