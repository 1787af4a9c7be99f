"""The reports of a result: where they go, what they advise, and the code that the command ends with."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rankgate.cli import github, streams
from rankgate.cli.options import Settings
from rankgate.errors import InputError, UsageError, nearest

if TYPE_CHECKING:
    from rankgate.app import Project
    from rankgate.core.verdict import GateResult
    from rankgate.reports import Checkout

#: Where CI servers say that they checked the repository out: GitHub, GitLab.
_CHECKOUTS: Final = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


def note_warnings(settings: Settings, project: "Project") -> None:
    """Say what is doubtful about the golden set, or that something is."""
    if settings.verbose:
        for warning in project.warnings:
            streams.say(f"warning: {warning}")
    elif project.warnings and not settings.quiet:
        count = len(project.warnings)
        warnings = "1 warning" if count == 1 else f"{count} warnings"
        streams.say(f"note: {warnings} about the golden set; rankgate validate shows them")


def sinks(report: str, outputs: Sequence[str]) -> tuple[tuple[str, Path], ...]:
    """The files to write, checked before anything is asked."""
    from rankgate.reports import FORMATS  # noqa: PLC0415

    found = []
    for output in outputs:
        name, colon, path = output.partition(":")
        if not colon or not path:
            raise UsageError(f"--output takes FORMAT:PATH, for example junit:report.xml; found {output!r}")
        if path == "-":
            raise UsageError(f"--output writes a file; on stdout the report comes with --format {name}")
        found.append((name, Path(path)))
    for name in (report, *(name for name, _ in found)):
        if name not in FORMATS:
            raise UsageError(f"unknown report format {name!r}{nearest(name, FORMATS)}")
    return tuple(found)


def emit(result: "GateResult", report: str, sinks: Sequence[tuple[str, Path]], hints: Any) -> int:
    """Write every report of *result*; one that cannot be written never turns the verdict green.

    Who sees only stderr, as beside a report in a file, learns there why the code is not 0.
    """
    from rankgate.files.atomic import write_text  # noqa: PLC0415
    from rankgate.reports import gather, write  # noqa: PLC0415

    code = result.verdict.exit_code
    facts = gather(result, command_hints=hints)
    placed = checkout()
    unwritten: InputError | None = None
    written = []
    for name, path in sinks:
        try:
            write_text(path, write(name, facts, width=100, checkout=placed))
            written.append((name, path))
        except InputError as error:
            unwritten = error
            streams.say_problems(
                error.problems, "the verdict stands; only the report could not be written.", streams.EXIT_INPUT
            )
    code = code or (streams.EXIT_INPUT if unwritten else 0)
    page = write(report, facts, width=streams.width(), color=streams.color(), checkout=placed)
    code = streams.write(page, code)
    if result.verdict.exit_code:
        streams.say(f"{facts.word}: {facts.headline}")
    if "github" in {report, *(name for name, _ in sinks)}:
        github.tell(facts, code, written)
    return code


def checkout() -> "Checkout":
    """Where the CI server that runs this has the repository; nowhere, beside one."""
    from rankgate.reports import Checkout  # noqa: PLC0415

    root = next((os.environ[name] for name in _CHECKOUTS if os.environ.get(name)), "")
    return Checkout(str(Path(root).resolve()), str(Path.cwd())) if root else Checkout()


def hints(config: Path | None, baseline: Path | None, *, kept: bool, accepts: bool = True) -> Any:
    """The commands that a report names as the next step; explain only where the run was *kept*.

    Args:
        accepts: The run can become the baseline.
    """
    from rankgate.reports import CommandHints  # noqa: PLC0415

    given = (("config", config), ("baseline", baseline))
    suffix = "".join(f" --{name} {shlex.quote(str(path))}" for name, path in given if path)
    return CommandHints(
        check=f"rankgate check{suffix}",
        explain=f"rankgate explain{suffix}" if kept else "",
        accept=f"rankgate accept{suffix}" if accepts else "",
        holes=f"rankgate holes{suffix}" if kept else "",
    )
