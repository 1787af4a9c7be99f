"""The command that writes the baseline: accept."""

import dataclasses
from pathlib import Path

import click

from rankgate.cli import noise, notes, reporting, streams
from rankgate.cli.options import Asking, Command, Settings, asking_options, path_option
from rankgate.errors import BaselineMismatchError, Problem, UsageError


@click.command(cls=Command)
@path_option("config")
@path_option("baseline")
@asking_options
@click.option(
    "--from", "source", type=click.Path(path_type=Path), metavar="RUN", help="A saved run, instead of asking."
)
@click.option("--allow-worse", is_flag=True, help="Accept a worse result; needs --reason.")
@click.option("--reason", default="", help="Why; kept in the baseline.")
@noise.repeat_option
@click.pass_obj
def accept(
    settings: Settings,
    *,
    asking: Asking,
    config: Path | None,
    baseline: Path | None,
    source: Path | None,
    allow_worse: bool,
    reason: str,
    times: int | None,
) -> int:
    """Make the candidate the new baseline; shows the diff first."""
    from rankgate import app
    from rankgate.files import run_file
    from rankgate.reports import CommandHints, gather, terminal

    if allow_worse and not reason.strip():
        raise UsageError("--allow-worse needs --reason '...': the next reader will ask why")
    if source and times:
        raise UsageError("--repeat asks the service several times, and --from asks it nothing")
    if source and asking.given:
        raise UsageError("--from takes a saved run, and no service is asked: not with --target, --url or --replay")
    project = app.load_project(config, None) if source else asking.load(config)
    notes.note_aim(settings, project)
    target = baseline or project.config.baseline
    current = run_file.read(target) if target.exists() else None
    comparable = current if current and not app.too_shallow(current.run, app.compared_at(project)) else None
    if source is None:
        candidate, further = noise.measured(settings, project, None, asking, times)
        reference, lock = comparable.reference if comparable else None, app.lock_of(project, candidate)
        result = app.gate(project, candidate, reference, lock=lock, further=further)
    else:
        saved = run_file.read_any(source)
        if saved.partial:
            raise UsageError(Problem("a selection of the queries is never accepted", str(source)))
        result = app.gate_saved(project, saved, comparable)
    hints = reporting.hints(config, baseline, kept=True, asking=asking, run=source, times=times, replay=asking.replay)
    # Without a next step and an exit code: to accept is what the command does, or says below why it does not.
    shown = CommandHints(check="", explain="", accept="", holes="")
    try:
        accepted = app.accepted(
            project, result, current, allow_worse=allow_worse, reason=reason.strip(), again=hints.accept
        )
    except BaselineMismatchError:
        # What the steps explain is the candidate, and not what an earlier check kept.
        if source or notes.keep_last_run(project, result):
            shown = dataclasses.replace(hints, check="", accept="")
        raise
    finally:
        facts = gather(result, command_hints=shown)
        streams.write(terminal.render(facts, width=streams.width(), color=streams.color(), ends=False))
    run_file.write(target, accepted)
    if reason.strip() not in {"", accepted.reason} and not settings.quiet:
        streams.say("note: nothing is worse than in the baseline, so the reason is not kept")
    streams.say(f"accepted: {target} holds {len(accepted.run.rankings)} rankings; commit it")
    return 0
