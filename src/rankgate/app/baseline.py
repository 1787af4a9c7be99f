"""The baseline that a candidate is compared with, and whether it is deep enough."""

from pathlib import Path

from rankgate.app.project import Project
from rankgate.core.limits import ALONE
from rankgate.core.rankings import Run
from rankgate.errors import BaselineMismatchError, BaselineMissingError, Problem
from rankgate.files import run_file
from rankgate.files.run_file import SavedRun


def load_reference(project: Project, path: Path | None, *, floors_only: bool = False) -> SavedRun | None:
    """Load the baseline; None where there need not be one.

    Raises:
        BaselineMissingError: There is none, and rules need one.
        BaselineMismatchError: It is no accepted run, or too shallow for what is compared.
    """
    if floors_only:
        return None
    baseline = path or project.config.baseline
    if not baseline.exists():
        if not project.config.gate.compares:
            return None
        raise BaselineMissingError(
            Problem("there is no baseline to compare with", str(baseline)),
            hint="rankgate accept makes the service's present answers the baseline; commit the file.\n"
            "rankgate check --floors-only judges floors, ceilings and pins alone.",
        )
    saved = run_file.read_any(baseline)
    if saved.partial:
        raise BaselineMismatchError(Problem("a selection of the queries cannot be a baseline", str(baseline)))
    check_depth(project, saved.run, baseline)
    return saved


def too_shallow(project: Project, run: Run) -> dict[str, int]:
    """The compared measures that look at more documents than *run* was asked for, each with how many it looks at."""
    return {
        str(limit.measure): limit.measure.cutoff or project.config.depth
        for limit in project.config.gate.limits
        if limit.kind not in ALONE
        and limit.measure.name != "ZeroResults"  # which looks at one, whatever was asked for
        and 0 < run.depth < (limit.measure.cutoff or project.config.depth)
    }


def check_depth(project: Project, run: Run, path: Path) -> None:
    """Refuse a saved run that was asked for fewer documents than a comparing rule looks at.

    Raises:
        BaselineMismatchError: Naming the measures.
    """
    measures = too_shallow(project, run)
    if measures:
        raise BaselineMismatchError(
            Problem(
                f"it was asked for {run.depth} documents a query, and {', '.join(measures)} "
                f"{'is' if len(measures) == 1 else 'are'} compared at {max(measures.values())}",
                str(path),
            ),
            hint="rankgate accept makes a new baseline at the depth of the config.",
        )
