"""Files of JSON objects, one a line, or what is wrong with them."""

import json
from pathlib import Path
from typing import Final

from rankgate.errors import Problem, RunFileError, reason

#: How git begins the lines between which it leaves both sides of a merge that it cannot settle.
CONFLICT: Final = "<<<<<<< "
_LFS_POINTER: Final = "version https://git-lfs"


def read_text(path: Path) -> str:
    """Read the whole of *path*.

    Raises:
        RunFileError: It cannot be read, is not UTF-8, or stands for a file that Git LFS has not fetched.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RunFileError(Problem(f"not UTF-8 at byte {error.start}", str(path))) from error
    except (OSError, ValueError) as error:
        raise RunFileError(Problem(f"cannot read: {reason(error)}", str(path))) from error
    if text.startswith(_LFS_POINTER):
        raise RunFileError(Problem("this is a pointer of Git LFS, not the file", str(path)), hint="Run: git lfs pull")
    return text


def parse_object(line: str) -> dict[str, object]:
    """Read one line.

    Raises:
        ValueError: Saying what is wrong: no JSON, no object, a number that is none, a key that stands twice, a merge
            conflict that was left in the file.
    """
    if line.startswith(("<<<<<<<", "=======", ">>>>>>>")):
        raise ValueError("a merge conflict was left in the file")
    try:
        found = json.loads(line, parse_constant=_refuse_constant, object_pairs_hook=_refuse_repeated)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg.lower().removesuffix(' at')} at column {error.colno}") from error
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(found, dict):
        raise ValueError(f"expected an object, found {type(found).__name__}")  # noqa: TRY004 - of the file, not of a call
    return found


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON number")


def _refuse_repeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    entry = dict(pairs)
    if len(entry) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"key {next(key for key in keys if keys.count(key) > 1)!r} stands twice")
    return entry
