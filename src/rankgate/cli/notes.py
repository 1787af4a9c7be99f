"""What is told beside a report, on stderr: what was not asked, what is odd about the golden set, what was not kept."""

from typing import TYPE_CHECKING

from rankgate.cli import streams
from rankgate.cli.options import Settings
from rankgate.errors import InputError

if TYPE_CHECKING:
    from rankgate.app import Project
    from rankgate.core.verdict import GateResult


def note_aim(settings: Settings, project: "Project") -> None:
    """Say what the service is not asked, because it would be another's answer."""
    if project.config.not_asked and not settings.quiet:
        keys = " and ".join(f"service.{key}" for key in project.config.not_asked)
        streams.say(
            f"note: {keys} would ask another host than is measured, so nobody is asked about the index; "
            "a target under service.targets can have its own"
        )


def note_warnings(settings: Settings, project: "Project") -> None:
    """Say what is doubtful about the golden set, or that something is."""
    note_aim(settings, project)
    if settings.verbose:
        for warning in project.warnings:
            streams.say(f"warning: {warning}")
    elif project.warnings and not settings.quiet:
        count = len(project.warnings)
        warnings = "1 warning" if count == 1 else f"{count} warnings"
        streams.say(f"note: {warnings} about the golden set; rankgate validate shows them, and looks further")


def keep_last_run(project: "Project", result: "GateResult") -> bool:
    """Keep the run for ``explain``; that it cannot be kept changes no verdict."""
    from rankgate import app

    try:
        app.keep_last_run(project, result)
    except (InputError, OSError) as error:
        streams.say(f"note: the run is not kept for rankgate explain: {error}")
        return False
    return True
