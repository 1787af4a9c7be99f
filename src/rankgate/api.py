"""The functions that ``import rankgate`` offers: what the commands do, for a notebook or a test of one's own.

Each is a few lines over ``rankgate.app`` and ``rankgate.reports``; there is no second way to come to a verdict. All of
them may be called where an event loop runs already, as in a notebook, and nothing here prints.
"""

import asyncio
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Final, TypeVar

from rankgate import app
from rankgate.app import Project
from rankgate.core.comparison import Comparison
from rankgate.core.verdict import GateResult, Outcome
from rankgate.errors import (
    BaselineError,
    BaselineMismatchError,
    BaselineMissingError,
    ConfigError,
    GoldenFileError,
    InputError,
    Problem,
    RankgateError,
    RunFileError,
    ServiceError,
    ServiceUnreachableError,
    UnknownMeasureError,
    UsageError,
)
from rankgate.files import gate_file, run_file
from rankgate.files.gate_file import Aim
from rankgate.files.run_file import SavedRun
from rankgate.reports import CommandHints, Facts, gather
from rankgate.reports import render as render_report
from rankgate.service.source import Progress

__all__ = [
    "BaselineError",
    "BaselineMismatchError",
    "BaselineMissingError",
    "Comparison",
    "ConfigError",
    "Facts",
    "GateResult",
    "GoldenFileError",
    "InputError",
    "Outcome",
    "Problem",
    "Project",
    "RankgateError",
    "RunFileError",
    "SavedRun",
    "ServiceError",
    "ServiceUnreachableError",
    "UnknownMeasureError",
    "UsageError",
    "check",
    "compare",
    "facts",
    "judge",
    "load",
    "measure",
    "read_baseline",
    "read_run",
    "render",
    "save_run",
]

_Result = TypeVar("_Result")

#: What a report advises; no run is kept here that ``rankgate explain`` could look at.
_HINTS: Final = CommandHints(explain="")


def load(
    path: str | os.PathLike[str] | None = None,
    *,
    target: str = "",
    url: str = "",
    environ: Mapping[str, str] | None = os.environ,
) -> Project:
    """Load a config and the golden set that it names, checked against each other.

    Args:
        path: The config, or its folder; None looks for it under its usual names.
        target: One of ``service.targets``, as ``--target``.
        url: Another address than ``service.url``, as ``--url``.
        environ: Where ``${NAME}`` comes from; None leaves variables alone, where no service will be asked.

    Raises:
        InputError: With every mistake of every file in one go.
    """
    config = None if path is None else Path(path)
    if config is not None and config.is_dir():
        config = gate_file.find(None, folder=config)
    return app.load_project(config, environ, Aim(target, url))


def measure(
    project: Project,
    *,
    queries: Iterable[str] | None = None,
    slices: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> SavedRun:
    """Ask the service every golden query, or a selection of them.

    Args:
        queries: Ids; together with *slices* a selection, of which nothing but pins is judged.
        slices: Names of slices; without either, all queries.
        progress: Called with the number of queries done and of all, after each one.

    Returns:
        The rankings, with what they are an answer to; a query that failed is among the failures, and no empty answer.

    Raises:
        UsageError: No query or slice has a name that was given, or the selection is empty.
        ServiceUnreachableError: The service did not answer the first request.
    """
    whole = queries is None and slices is None
    golden = None if whole else app.select(project.golden, tuple(queries or ()), tuple(slices or ()))
    run = _beside_a_loop(lambda told: app.measure(project, golden or project.golden, told), progress)
    return app.saved(project, run, partial=golden is not None)


def read_run(path: str | os.PathLike[str]) -> SavedRun:
    """Read a saved run, a baseline or a run in TREC form.

    Raises:
        RunFileError: With every mistake of the file and its line.
    """
    return run_file.read_any(Path(path))


def save_run(run: SavedRun, path: str | os.PathLike[str]) -> None:
    """Write *run* to a file that ``read_run``, ``rankgate diff`` and ``rankgate accept --from`` read.

    Raises:
        InputError: The file cannot be written.
    """
    run_file.write(Path(path), run)


def read_baseline(
    project: Project, path: str | os.PathLike[str] | None = None, *, floors_only: bool = False
) -> SavedRun | None:
    """Read the accepted run of *project*; None where no rule needs one and there is none.

    Args:
        path: Another file than the config's.
        floors_only: Compare with nothing: None.

    Raises:
        BaselineMissingError: There is none, and rules need one.
        BaselineMismatchError: It is no accepted run, or too shallow for what is compared.
    """
    return app.load_reference(project, None if path is None else Path(path), floors_only=floors_only)


def compare(project: Project, run: SavedRun, baseline: SavedRun) -> Comparison:
    """Pair *run* with *baseline* by query, both under the judgments of today, without a verdict.

    Raises:
        InputError: The runs and the golden set share no query.
        BaselineMismatchError: One of them was asked for fewer documents than a rule looks at.
        ServiceError: *run* is no answer to these queries, such as one of another index.
    """
    return judge(project, run, baseline).comparison


def judge(project: Project, run: SavedRun, baseline: SavedRun | None = None, *, strict: bool = False) -> GateResult:
    """Score, compare and judge a run, without asking the service: what ``rankgate diff`` does.

    Args:
        baseline: What it is compared with; None judges floors, ceilings and pins alone, and warns of that.
        strict: Warnings count as failures.

    Raises:
        InputError: The runs and the golden set share no query.
        BaselineMismatchError: One of the runs was asked for fewer documents than a rule looks at.
        ServiceError: *run* is no answer to these queries, such as one of another index.
    """
    return app.gate_saved(project, run, baseline, strict=strict)


def check(
    project: Project,
    *,
    baseline: str | os.PathLike[str] | None = None,
    floors_only: bool = False,
    strict: bool = False,
    progress: Progress | None = None,
) -> GateResult:
    """The whole gate: what ``rankgate check`` does, with the same verdict.

    Asks the service, compares with the baseline, judges; before the verdict is to fail, the queries that got worse are
    asked again. It writes no file.

    Args:
        baseline: Another file than the config's.
        floors_only: Compare with nothing: judge floors, ceilings and pins alone.
        strict: Warnings count as failures.
        progress: Called with the number of queries done and of all, after each one.

    Raises:
        BaselineError: There is no usable baseline, and rules need one.
        ServiceError: The service could not be measured at all; where it failed for some queries, the verdict says so.
    """
    saved = read_baseline(project, baseline, floors_only=floors_only)

    def all_of_it(told: Progress | None) -> GateResult:
        run = app.measure(project, project.golden, told)
        lock = app.lock_of(project, run)
        result = app.gate(project, run, saved.reference if saved else None, strict=strict, lock=lock)
        result = app.confirm(project, result, strict=strict, progress=told)
        gone = app.gone_documents(result) if project.config.service.exists else ()
        returned = app.returned_documents(result.comparison.run)
        return app.with_missing(result, app.missing_documents(project, gone, returned, told)) if gone else result

    return _beside_a_loop(all_of_it, progress)


def facts(result: GateResult) -> Facts:
    """Everything that a report says, as plain values: what every format prints."""
    return gather(result, command_hints=_HINTS)


def render(result: GateResult, form: str = "text", *, width: int = 100, color: bool = False) -> str:
    """The report of *result*, ending with a line break.

    Args:
        form: Of ``--format``: text, json, markdown, ...
        width: In columns, for text.
        color: Whether text may hold escape codes.

    Raises:
        UsageError: The format is unknown; offers the nearest.
    """
    return render_report(form, result, width=width, color=color, hints=_HINTS)


def _beside_a_loop(work: Callable[[Progress | None], _Result], progress: Progress | None) -> _Result:
    """Do *work*, which starts an event loop, also where one runs: in a thread of its own then.

    When the wait for it is interrupted, the work ends with the next query that is done, and this with it.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work(progress)
    interrupted = Event()

    def told(done: int, total: int) -> None:
        if interrupted.is_set():
            raise RuntimeError("interrupted")
        if progress is not None:
            progress(done, total)

    with ThreadPoolExecutor(1, "rankgate") as pool:
        try:
            return pool.submit(work, told).result()
        except BaseException:
            interrupted.set()
            raise
