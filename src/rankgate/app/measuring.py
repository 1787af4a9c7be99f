"""Asking the service the golden set; here no numpy is imported, which can come while the service answers."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from threading import Thread

from rankgate.app.project import Project
from rankgate.app.starting import refuse_missing
from rankgate.core.judgments import GoldenSet
from rankgate.core.rankings import Run
from rankgate.service import Ask
from rankgate.service.source import Progress


def measure(
    project: Project,
    golden: GoldenSet,
    progress: Progress | None = None,
    *,
    record: Path | None = None,
    replay: Path | None = None,
    meanwhile: Sequence[str] = (),
) -> Run:
    """Ask the service every query of *golden*.

    Args:
        record: A new folder to keep the raw answers in.
        replay: A folder of raw answers, instead of asking.
        meanwhile: Modules to import while the service answers.

    Raises:
        ServiceUnreachableError: It did not answer the first request.
        ConfigError: See ``refuse_missing``.
    """
    from rankgate.service import client  # noqa: PLC0415 - httpx takes longer to import than most commands to run

    if replay is None:
        refuse_missing(project)
    tape = client.Tape(record, replay, request=project.config.recorded)
    with _imported_meanwhile(meanwhile):
        return client.measure(project.config.service, _asks(golden), project.config.depth, progress=progress, tape=tape)


def measure_both(
    project: Project, other: Project, golden: GoldenSet, progress: Progress | None = None
) -> tuple[Run, Run]:
    """Ask two services the same queries at the same time.

    Raises:
        ServiceUnreachableError: One of them did not answer its first request.
        ConfigError: See ``refuse_missing``.
    """
    from rankgate.service import client  # noqa: PLC0415 - as in measure

    refuse_missing(project, other)
    specs = project.config.service, other.config.service
    first, second = client.measure_together(specs, _asks(golden), project.config.depth, progress=progress)
    return first, second


def _asks(golden: GoldenSet) -> list[Ask]:
    return [Ask(query.id, query.text, query.params) for query in golden.queries]


@contextmanager
def _imported_meanwhile(modules: Sequence[str]) -> Iterator[None]:
    """Import *modules* while the block waits for the network; whoever needs them later finds them there."""
    thread = Thread(target=lambda: [import_module(name) for name in modules])
    thread.start()
    try:
        yield
    finally:
        thread.join()
