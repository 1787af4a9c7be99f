"""The commands that measure and judge: check, run, diff, report."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankgate.cli import against, noise, notes, progress, reporting, streams, trend
from rankgate.cli.against import Other
from rankgate.cli.options import Asking, Command, Settings, asking_options, path_option, report_options
from rankgate.cli.trend import Keeping
from rankgate.errors import (
    Problem,
    ServiceError,
    ServiceUnreachableError,
    UsageError,
)

if TYPE_CHECKING:
    from rankgate.core.rankings import Run


@click.command(cls=Command)
@report_options
@asking_options
@path_option("baseline")
@click.option("--floors-only", is_flag=True, help="Compare with nothing: judge floors, ceilings and pins alone.")
@click.option(
    "--query", "query_ids", multiple=True, metavar="ID", help="Only this query: a diff, no verdict. Repeatable."
)
@click.option(
    "--slice", "slices", multiple=True, metavar="NAME", help="Only this slice: a diff, no verdict. Repeatable."
)
@against.against_options
@noise.repeat_option
@click.option("--no-confirm", is_flag=True, help="Do not ask the queries that got worse again before it fails.")
@trend.history_options
@click.pass_obj
def check(
    settings: Settings,
    *,
    asking: Asking,
    config: Path | None,
    baseline: Path | None,
    report: str,
    outputs: tuple[str, ...],
    strict: bool,
    floors_only: bool,
    query_ids: tuple[str, ...],
    slices: tuple[str, ...],
    times: int | None,
    no_confirm: bool,
    second: Other | None,
    history: Keeping | None,
) -> int:
    """The gate: ask the service, score, compare, report, exit."""
    from rankgate import app

    sinks = reporting.sinks(report, outputs, *([history.path] if history else []))
    _refuse_together(second, asking, baseline, floors_only=floors_only, times=times)
    project = asking.load(config)
    notes.note_warnings(settings, project)
    golden = app.select(project.golden, query_ids, slices) if query_ids or slices else None
    reference = None
    if second is None or second.exact:
        saved = app.load_reference(project, baseline, floors_only=floors_only)
        reference = saved.reference if saved else None
    if history:
        history.refuse(second, selection=golden is not None)

    def tell_unmeasured(run: "Run") -> None:
        """Report *run*, which holds no answer, to who reads no stderr."""
        if sinks or report != "text":  # somebody else reads these, and learns from them that nothing was measured
            hints = reporting.hints(config, baseline, kept=False, asking=asking, second=second)
            reporting.emit(app.gate(project, run, reference, golden=golden), report, sinks, hints)

    try:
        pair = against.measured(settings, project, second, config, golden) if second else None
        run, further = (pair.run, ()) if pair else noise.measured(settings, project, golden, asking, times)
    except ServiceUnreachableError as error:
        tell_unmeasured(app.unreached(golden or project.golden, project.config.depth, str(error)))
        raise
    rival = pair if pair and not pair.other.exact else None
    exact = pair.second if pair and not rival else None
    reference = rival.second if rival else reference
    lock = app.lock_of(project, run)
    try:
        result = app.gate(
            project, run, reference, golden=golden, strict=strict, lock=lock, further=further, exact=exact
        )
    except ServiceError as error:
        tell_unmeasured(app.turned_away(run, error))
        raise
    if golden is None and not (asking.replay or times or no_confirm):
        result = noise.confirmed(settings, project, result, rival.project if rival else None, strict=strict)
    if not asking.replay:
        result = progress.with_missing(settings, project, result)
    # What is kept is explained against the baseline.
    by_baseline = second is None or second.exact
    kept = golden is None and by_baseline
    hints = reporting.hints(config, baseline, kept=kept, accepts=by_baseline, asking=asking, second=second)
    code = reporting.emit(result, report, sinks, hints)
    if golden is None and (code in {0, 1} or not result.comparison.run.failures):
        notes.keep_last_run(project, result)
    return history.keep(project, result, code) if history else code


def _refuse_together(
    second: Other | None, asking: Asking, baseline: Path | None, *, floors_only: bool, times: int | None
) -> None:
    """Refuse options that a second service has no part for.

    Raises:
        UsageError: Naming them.
    """
    if second and not second.exact and (baseline or floors_only):
        raise UsageError("--against compares with a service: not with --baseline or --floors-only")
    if second and (asking.replay or times):
        raise UsageError("a second service is asked live and once: not with --replay or --repeat")


@click.command(cls=Command)
@path_option("config")
@asking_options
@click.option("-o", "--output", "saved", required=True, type=click.Path(path_type=Path), help="Where to save the run.")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Also keep the raw answers there, for --replay; secrets are left out.",
)
@click.option("--query", "query_ids", multiple=True, metavar="ID", help="Only this query. Repeatable.")
@click.option("--slice", "slices", multiple=True, metavar="NAME", help="Only this slice. Repeatable.")
@click.pass_obj
def run(
    settings: Settings,
    *,
    asking: Asking,
    config: Path | None,
    saved: Path,
    record: Path | None,
    query_ids: tuple[str, ...],
    slices: tuple[str, ...],
) -> int:
    """Measure and save the rankings; no verdict."""
    from rankgate import app
    from rankgate.core import doubts
    from rankgate.files import run_file

    if record and asking.replay:
        raise UsageError("--record keeps what the service answers, and --replay does not ask it; give one of them")
    project = asking.load(config)
    notes.note_aim(settings, project)
    if saved.resolve() == project.config.baseline.resolve():
        raise UsageError(
            Problem("this is the baseline, which only rankgate accept writes", str(saved)),
            hint="Save the run under another name; rankgate accept --from RUN makes it the baseline.",
        )
    golden = app.select(project.golden, query_ids, slices) if query_ids or slices else None
    measured = progress.measure(settings, project, golden, record=record, replay=asking.replay)
    failed = len(measured.failures)
    for query_id, failure in list(measured.failures.items())[:5]:
        streams.say(f"error: query {query_id!r} was not measured: {failure.message}")
    if failed and saved.exists():
        raise ServiceError(
            Problem(
                f"{failed} of {len(measured.query_ids)} queries were not measured, so it is not replaced", str(saved)
            ),
            hint="Mend the service and run it again, or save the incomplete run under another name.",
        )
    run_file.write(saved, app.saved(project, measured, partial=golden is not None))
    if not settings.quiet:
        told = [f"{key}: {note}" for key, note in measured.notes.items()]
        for note in (*told, *doubts.unfound(golden or project.golden, measured)):
            streams.say(f"note: {note}")
        streams.say(f"saved {len(measured.rankings)} of {len(measured.query_ids)} rankings in {saved}")
    return streams.EXIT_INCONCLUSIVE if failed else 0


@click.command(cls=Command)
@report_options
@click.argument("first", type=click.Path(path_type=Path), metavar="A")
@click.argument("second", type=click.Path(path_type=Path), metavar="B")
@click.pass_obj
def diff(
    settings: Settings,
    *,
    first: Path,
    second: Path,
    config: Path | None,
    report: str,
    outputs: tuple[str, ...],
    strict: bool,
) -> int:
    """Compare B with A: saved runs, baselines or TREC runs, with the gate's rules and exit codes."""
    from rankgate import app
    from rankgate.files import run_file

    sinks = reporting.sinks(report, outputs)
    project = app.load_project(config, None)
    before, after = run_file.read_any(first), run_file.read_any(second)
    other = "" if before.kind == "baseline" else str(first)
    result = app.gate_saved(project, after, before, strict=strict, other=other)
    if before.run.rankings == after.run.rankings and not settings.quiet:
        streams.say(f"note: {first} and {second} hold the same rankings")
    beside = None if first.resolve() == project.config.baseline.resolve() else first
    # A baseline is accepted already.
    hints = reporting.hints(config, None, kept=True, accepts=after.kind == "run", run=second, beside=beside)
    return reporting.emit(result, report, sinks, hints)


@click.command(name="report", cls=Command)
@report_options
@path_option("baseline")
@click.argument("saved", type=click.Path(path_type=Path), metavar="RUN")
def report_command(
    *,
    saved: Path,
    config: Path | None,
    baseline: Path | None,
    report: str,
    outputs: tuple[str, ...],
    strict: bool,
) -> int:
    """Judge a saved run and report it in any format, without asking the service."""
    from rankgate import app
    from rankgate.files import run_file

    sinks = reporting.sinks(report, outputs)
    project = app.load_project(config, None)
    measured = run_file.read_any(saved)
    reference = app.load_reference(project, baseline)
    try:
        result = app.gate_saved(project, measured, reference, strict=strict)
    except ServiceError as error:
        if sinks or report != "text":  # as check does, for who reads no stderr
            away = dataclasses.replace(measured, run=app.turned_away(measured.run, error))
            hints = reporting.hints(config, baseline, kept=False)
            reporting.emit(app.gate_saved(project, away, reference), report, sinks, hints)
        raise
    hints = reporting.hints(config, baseline, kept=True, accepts=measured.kind == "run", run=saved)
    return reporting.emit(result, report, sinks, hints)
