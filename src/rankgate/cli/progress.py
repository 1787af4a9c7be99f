"""Measuring, and how far it is: a bar on a terminal, a line every few seconds in a log, nothing when quiet."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, TextIO

from rankgate.cli.options import Settings

if TYPE_CHECKING:
    from rankgate.app import Project
    from rankgate.core.rankings import Run

LOG_EVERY: Final = 5.0

Progress = Callable[[int, int], None]


def measure(settings: Settings, project: "Project", golden: Any) -> "Run":
    """Ask the service for the rankings of *golden*, or of the whole golden set."""
    from rankgate import app  # noqa: PLC0415

    with _shown(sys.stderr, quiet=settings.quiet) as progress:
        return app.measure(project, golden or project.golden, progress)


@contextmanager
def _shown(stream: TextIO, *, quiet: bool) -> Iterator[Progress | None]:
    """Give a function to be called with the queries done and the queries in all."""
    if quiet:
        yield None
    elif stream.isatty():
        with _bar(stream) as progress:
            yield progress
    else:
        yield _log(stream)


@contextmanager
def _bar(stream: TextIO) -> Iterator[Progress]:
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415

    columns = TextColumn("asking"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Bar(*columns, console=Console(file=stream), transient=True) as bar:
        task = bar.add_task("asking", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _log(stream: TextIO) -> Progress:
    started = last = time.monotonic()

    def progress(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= LOG_EVERY or (done == total and now - started >= LOG_EVERY):
            last = now
            with suppress(OSError):  # a log that nobody reads any more stops no measurement
                stream.write(f"asked {done} of {total} queries, {now - started:.0f} s\n")
                stream.flush()

    return progress
