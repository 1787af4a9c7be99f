"""Measures over time: the options by which check keeps a history, and the command that looks at one."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankgate.cli import streams
from rankgate.cli.against import Other
from rankgate.cli.options import Command, path_option
from rankgate.errors import InputError, UsageError

if TYPE_CHECKING:
    from rankgate.app import Project
    from rankgate.core.trend import Trend
    from rankgate.core.verdict import GateResult


@dataclass(frozen=True, slots=True)
class Keeping:
    """The history that a check adds its line to.

    Attributes:
        label: What the team calls this run.
    """

    path: Path
    label: str

    def refuse(self, second: Other | None, *, selection: bool) -> None:
        """Say before anything is asked that nothing could be added.

        Raises:
            UsageError: What is measured is no run of the gate over the whole set against the baseline.
            InputError: The file is damaged.
        """
        from rankgate.files import history_file

        if selection:
            raise UsageError("--history keeps runs of the whole set, and --query or --slice selects a part of it")
        if second and not second.exact:
            raise UsageError("--history keeps runs against the baseline, and --against compares with another service")
        history_file.refuse_damaged(self.path)

    def keep(self, project: "Project", result: "GateResult", code: int) -> int:
        """Add the line of *result* where *code* is 0 or 1; the code to end with, never 0 where the line is lost."""
        from rankgate import app
        from rankgate.files import history_file

        if code not in {0, 1}:
            return code
        at = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            history_file.append(self.path, app.history_point(project, result, at=at, label=self.label))
        except InputError as error:
            hint = "the verdict stands; only the history could not be added to."
            streams.say_problems(error.problems, hint, streams.EXIT_INPUT)
            return code or streams.EXIT_INPUT
        return code


def history_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options by which a check is added to a history, as the argument *history*."""

    @wraps(command)
    def kept(*arguments: Any, history: Path | None, label: str, **options: Any) -> Any:
        if label and history is None:
            raise UsageError("--label names the run in a history; give --history FILE too")
        return command(*arguments, history=Keeping(history, label) if history else None, **options)

    found: Callable[..., Any] = kept
    for option in (
        click.option("--label", default="", metavar="TEXT", help="Names the run in the history, for example a commit."),
        click.option(
            "--history",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Add a line with this run's means to FILE, for rankgate trend.",
        ),
    ):
        found = option(found)
    return found


@click.command(cls=Command)
@path_option("config")
@click.argument("runs", nargs=-1, type=click.Path(path_type=Path), metavar="[RUN]...")
@click.option(
    "--history", type=click.Path(path_type=Path), metavar="FILE", help="What check --history wrote, instead of runs."
)
@click.option(
    "-m", "--measure", "names", multiple=True, metavar="MEASURE", help="Only this one; what is gated otherwise."
)
@click.option("--slice", "slices", multiple=True, metavar="NAME", help="Only on this slice. Repeatable.")
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the last N runs.")
@click.option(
    "--format",
    "form",
    default="text",
    show_default=True,
    type=click.Choice(["text", "json", "html"]),
    help="Of the page on stdout.",
)
def trend(
    *,
    runs: tuple[Path, ...],
    history: Path | None,
    config: Path | None,
    names: tuple[str, ...],
    slices: tuple[str, ...],
    last: int | None,
    form: str,
) -> int:
    """Show every gated measure over time: of a history, or of saved runs in the order given.

    Saved runs are all scored with today's judgments; a history has the values as they were.
    """
    from rankgate.reports import trend as page

    if bool(runs) == (history is not None):
        raise UsageError("give saved runs, in the order of time, or --history FILE; one of the two")
    found = (
        _of_runs(config, runs, names, slices, last) if history is None else _of_history(history, names, slices, last)
    )
    if form == "json":
        from rankgate.reports import trend_json

        return streams.write(trend_json.render(found))
    if form == "html":
        from rankgate.reports import trend_page

        return streams.write(trend_page.render(found))
    ascii_only = not streams.prints(page.UNICODE)
    return streams.write(page.render(found, width=streams.width(), color=streams.color(), ascii_only=ascii_only))


def _of_history(path: Path, names: tuple[str, ...], slices: tuple[str, ...], last: int | None) -> "Trend":
    from rankgate import app
    from rankgate.files import history_file

    return app.over_history(history_file.read(path), names, slices, last=last)


def _of_runs(
    config: Path | None, paths: tuple[Path, ...], names: tuple[str, ...], slices: tuple[str, ...], last: int | None
) -> "Trend":
    from rankgate import app
    from rankgate.files import run_file

    if len(set(paths)) < len(paths):
        twice = next(path for path in paths if paths.count(path) > 1)
        raise UsageError(f"the run {str(twice)!r} stands twice")
    project = app.load_project(config, None)
    return app.over_runs(project, {str(path): run_file.read_any(path) for path in paths}, names, slices, last=last)
