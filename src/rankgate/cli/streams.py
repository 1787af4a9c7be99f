"""The two streams: what is said on stderr, what is written to stdout, and what the page there is like."""

import contextlib
import io
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from rankgate.errors import Problem

if TYPE_CHECKING:
    from rankgate.reports import Checkout

EXIT_INPUT: Final = 2
EXIT_INCONCLUSIVE: Final = 3

#: In columns: a table that is narrower is better read by scrolling; and what a log is given.
NARROWEST_PAGE: Final = 40
PIPE_WIDTH: Final = 100

#: Where CI servers say that they checked the repository out: GitHub, GitLab.
_CHECKOUTS: Final = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


def usable(stream: TextIO | None) -> TextIO:
    """A console that cannot print a tick must not hide the verdict, nor must one that is closed."""
    if stream is None:
        return Path(os.devnull).open("w", encoding="utf-8")
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream


def say(text: str) -> None:
    """Write a line to stderr; where nobody reads it, the command goes on without."""
    from rankgate.reports.visible import inert, visible

    with contextlib.suppress(OSError):
        sys.stderr.write(f"{inert(visible(text))}\n")
        sys.stderr.flush()


def say_problems(problems: Sequence[Problem], hint: str, code: int) -> int:
    for problem in problems:
        say(f"error: {problem}")
    for number, line in enumerate(hint.splitlines()):
        say(f"{'      ' if number else 'next: '}{line}")
    return code


def write(text: str, code: int = 0) -> int:
    """Write *text* to stdout and return the code to end with: *code*, unless the disk there is full."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        pass  # the reader has seen enough; what the command still has to do is done, and its code stays
    except OSError as error:
        return say_problems([Problem(f"cannot write: {error.strerror or error}", "stdout")], "", code or EXIT_INPUT)
    return code


def color() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout.isatty() and os.environ.get("TERM") != "dumb")


def width() -> int:
    if sys.stdout.isatty():
        return max(shutil.get_terminal_size((80, 24)).columns, NARROWEST_PAGE)
    wanted = os.environ.get("COLUMNS", "")
    return max(int(wanted), NARROWEST_PAGE) if wanted.isascii() and wanted.isdecimal() else PIPE_WIDTH


def prints(text: str) -> bool:
    with contextlib.suppress(UnicodeEncodeError, LookupError):
        text.encode(sys.stdout.encoding or "ascii")
        return True
    return False


def checkout() -> "Checkout":
    """Where the CI server that runs this has the repository; nowhere, beside one."""
    from rankgate.reports import Checkout

    root = next((os.environ[name] for name in _CHECKOUTS if os.environ.get(name)), "")
    return Checkout(str(Path(root).resolve()), str(Path.cwd())) if root else Checkout()
