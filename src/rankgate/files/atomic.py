"""Writing a file whole or not at all."""

import contextlib
import os
import tempfile
from pathlib import Path

from rankgate.errors import InputError, Problem, reason


def write_text(path: Path, text: str) -> None:
    """Replace *path* by *text* in UTF-8; a crash at any moment leaves the old file or the new one, never a part.

    Raises:
        InputError: When the file cannot be written; the old one is untouched.
    """
    data = text.encode(errors="backslashreplace")  # half a character, which only JSON can hold, in JSON's own form
    try:
        target = path.resolve()  # through a link, so that the link stays one
        if target.is_symlink():
            target.stat()  # links in a circle: since Python 3.13 they resolve to themselves
        if target.exists() and not (target.is_file() or target.is_dir()):
            path.write_bytes(data)  # a device or a pipe is written to; replaced, it would be one no more
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links that lead to each other
        raise _cannot_write(path, error) from error
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask())
        Path(name).replace(target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        if isinstance(error, OSError):
            raise _cannot_write(path, error) from error
        raise


def _umask() -> int:
    # The only way to read it is to set it.
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _cannot_write(path: Path, error: Exception) -> InputError:
    return InputError(Problem(f"cannot write: {reason(error)}", str(path)))
