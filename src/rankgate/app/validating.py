"""Everything that can be wrong with a project, without asking its service."""

from dataclasses import dataclass
from pathlib import Path

from rankgate.app.baseline import load_reference
from rankgate.app.project import Project, load_project
from rankgate.core import health
from rankgate.errors import InputError, Problem
from rankgate.files.run_file import SavedRun


@dataclass(frozen=True, slots=True)
class Validated:
    """A project in which nothing is wrong.

    Attributes:
        baseline: None where there is none yet.
        warnings: What is doubtful.
        notes: What is worth knowing and needs no change.
    """

    project: Project
    baseline: SavedRun | None
    warnings: tuple[Problem, ...]
    notes: tuple[Problem, ...] = ()


def validate(path: Path | None, today: str) -> Validated:
    """Check config, golden set and baseline without a network.

    Args:
        path: The config; None looks for it under its usual names.
        today: The day by which judgments are old, such as ``2026-10-01``.

    Raises:
        InputError: With everything that is wrong in one go.
    """
    found: list[Problem] = []
    hint = ""
    project: Project | None = None
    try:
        project = load_project(path, None)
    except InputError as error:
        found.extend(error.problems)
        hint = error.hint
    baseline: SavedRun | None = None
    if project is not None and project.config.baseline.exists():
        try:
            baseline = load_reference(project, None)
        except InputError as error:
            found.extend(error.problems)
            hint = error.hint
    if project is None or found:
        raise InputError(found, hint=hint)
    golden, config = project.golden, project.config
    warnings = [*project.warnings, *health.warnings(golden, project.measures, today, config.refresh_after)]
    if baseline is None and config.gate.compares:
        warnings.append(Problem("there is no baseline yet; rankgate accept makes one", str(config.baseline)))
    return Validated(project, baseline, tuple(warnings), tuple(health.notes(golden)))
