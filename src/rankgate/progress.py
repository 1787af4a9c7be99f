"""How far a run is: a bar on a terminal, a line every few seconds in a log, nothing when quiet."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, TextIO

LOG_EVERY: Final = 5.0

Progress = Callable[[int, int], None]


@contextmanager
def reporting(stream: TextIO, *, quiet: bool) -> Iterator[Progress | None]:
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
