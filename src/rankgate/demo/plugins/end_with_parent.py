"""Datasette plugin: end this process when the one that started it is gone."""
# ruff: noqa: INP001 - Datasette loads a folder of plugins file by file

import os
import sys
import threading

from datasette import hookimpl


@hookimpl  # type: ignore[untyped-decorator]
def startup() -> None:
    """Watch standard input, a pipe that the system closes however the parent ends."""
    threading.Thread(target=_watch, name="end-with-parent", daemon=True).start()


def _watch() -> None:
    """Wait for the pipe's end; nothing is ever written to it."""
    sys.stdin.buffer.read()
    os._exit(0)
