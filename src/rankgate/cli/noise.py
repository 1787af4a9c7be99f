"""Asking more than once: the options that check and accept have for it, and the command that measures the noise."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rankgate.cli import progress, streams
from rankgate.cli.options import Asking, Command, Settings, live_options, path_option
from rankgate.errors import UsageError

if TYPE_CHECKING:
    from rankgate.app import Project
    from rankgate.core.findings import Finding
    from rankgate.core.rankings import Run
    from rankgate.core.verdict import GateResult

FEWEST: Final = 2

repeat_option = click.option(
    "--repeat",
    "times",
    type=click.IntRange(FEWEST),
    metavar="N",
    help="Ask the whole set N times; the most frequent ranking of each query counts.",
)


def measured(
    settings: Settings, project: "Project", golden: Any, asking: Asking, times: int | None
) -> "tuple[Run, tuple[Finding, ...]]":
    """The run to judge, of one or of several rounds, and what the rounds say of each other."""
    from rankgate import app

    if times is None:
        return progress.measure(settings, project, golden, replay=asking.replay, judged=True), ()
    if asking.replay:
        raise UsageError("--repeat asks the service several times, and --replay has one answer for each query")
    with progress.shown(settings) as shown:
        repeats = app.repeat(project, golden or project.golden, times, shown)
    return repeats.usual(), repeats.finding()


def confirmed(
    settings: Settings, project: "Project", result: "GateResult", other: "Project | None", *, strict: bool
) -> "GateResult":
    """The result after the queries that got worse were asked again, where it would fail.

    Args:
        other: Aimed at the service that it is compared with; None for a baseline.
    """
    from rankgate import app
    from rankgate.core.verdict import Outcome

    if result.verdict.outcome is not Outcome.FAIL:
        return result
    with progress.shown(settings) as shown:
        return app.confirm(project, result, other=other, strict=strict, progress=shown)


@click.command(cls=Command)
@path_option("config")
@live_options
@click.option("--runs", default=10, show_default=True, type=click.IntRange(FEWEST), help="How often the set is asked.")
@click.option(
    "--format",
    "report",
    default="text",
    show_default=True,
    type=click.Choice(["text", "json"]),
    help="Of the page on stdout.",
)
@click.pass_obj
def calibrate(settings: Settings, *, asking: Asking, config: Path | None, runs: int, report: str) -> int:
    """Measure the service against itself, and propose limits that its own noise does not break."""
    from rankgate import app
    from rankgate.reports import calibration, calibration_json

    project = asking.load(config)
    with progress.shown(settings) as shown:
        repeats = app.calibrate(project, runs, shown)
    found = calibration.gather(repeats, project.config.gate, project.config.measures)
    if report == "json":
        return streams.write(calibration_json.render(found))
    return streams.write(calibration.render(found, width=streams.width(), color=streams.color()))
