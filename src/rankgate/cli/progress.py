"""Measuring, and how far it is: a bar on a terminal, a line every few seconds in a log, nothing when quiet."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from rankgate.cli.options import Settings

if TYPE_CHECKING:
    from rankgate.app import Project
    from rankgate.core.rankings import Run
    from rankgate.core.verdict import GateResult
    from rankgate.errors import Problem
    from rankgate.service.source import Progress

LOG_EVERY: Final = 5.0
#: What a run is judged and shown with, numpy among it; a quarter of a second, in which the service can answer.
_JUDGING: Final = ("rankgate.app.gating", "rankgate.app.keeping", "rankgate.reports.facts", "rankgate.reports.terminal")


def measure(
    settings: Settings,
    project: "Project",
    golden: Any,
    *,
    record: Path | None = None,
    replay: Path | None = None,
    judged: bool = False,
) -> "Run":
    """Ask the service for the rankings of *golden*, or of the whole golden set.

    Args:
        judged: A verdict comes next; what it needs is imported while the service answers.
    """
    from rankgate import app

    with shown(settings) as progress:
        meanwhile = _JUDGING if judged else ()
        return app.measure(
            project, golden or project.golden, progress, record=record, replay=replay, meanwhile=meanwhile
        )


def with_missing(settings: Settings, project: "Project", result: "GateResult") -> "GateResult":
    """*result*, with the index asked for the judged documents that are gone from rankings that got worse."""
    from rankgate import app

    gone = app.gone_documents(result) if project.config.service.exists else ()
    if not gone:
        return result
    with shown(settings) as progress:
        returned = app.returned_documents(result.comparison.run)
        return app.with_missing(result, app.missing_documents(project, gone, returned, progress))


def lost_judgments(settings: Settings, config: Path | None) -> "tuple[Problem, ...]":
    """A warning for each query with judged documents that the index no longer has."""
    from rankgate import app

    project = app.load_project(config, os.environ)
    with shown(settings) as progress:
        return app.lost_judgments(project, progress)


@contextmanager
def shown(settings: Settings) -> "Iterator[Progress | None]":
    """Give a function to be called with the queries done and the queries in all."""
    stream = sys.stderr
    with aside():
        if settings.quiet:
            yield None
        elif stream.isatty():
            with _bar(stream) as progress:
                yield progress
        else:
            yield _log(stream)


def aside() -> AbstractContextManager[object]:
    """Asking a service: what an adapter prints is no part of the report, and goes to stderr."""
    return redirect_stdout(sys.stderr)


@contextmanager
def _bar(stream: TextIO) -> "Iterator[Progress]":
    from rich.console import Console  # only a terminal needs it
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = TextColumn("asking"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Bar(*columns, console=Console(file=stream), transient=True) as bar:
        task = bar.add_task("asking", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _log(stream: TextIO) -> "Progress":
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
