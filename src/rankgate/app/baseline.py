"""The baseline that a candidate is compared with, and whether a saved run is deep enough."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from rankgate.app.project import Project
from rankgate.core.findings import plural
from rankgate.core.limits import COMPARING
from rankgate.core.rankings import Run
from rankgate.errors import BaselineMismatchError, BaselineMissingError, Problem
from rankgate.files import run_file
from rankgate.files.run_file import SavedRun

DEEPER: Final = "Measure it again, at the depth of the config; rankgate accept makes a new baseline."


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
    check_depth(saved.run, compared_at(project), str(baseline))
    return saved


def compared_at(project: Project) -> dict[str, int]:
    """How many documents the comparing rules look at, by measure."""
    compared = (limit.measure for limit in project.config.gate.limits if limit.kind in COMPARING)
    return {str(measure): measure.looks_at(project.config.depth) for measure in compared}


def judged_at(project: Project) -> dict[str, int]:
    """How many documents all rules and pins look at, by measure."""
    depth, queries = project.config.depth, project.golden.queries
    gated = (limit.measure for limit in project.config.gate.limits)
    pinned = (measure for query in queries for measure in query.must)
    never = max((query.never_within for query in queries if query.never), default=0)
    return {str(measure): measure.looks_at(depth) for measure in (*gated, *pinned)} | {"never": min(never, depth)}


def too_shallow(run: Run, looks: Mapping[str, int]) -> dict[str, int]:
    """What of *looks* needs more documents than *run* was asked for; one in TREC form does not say how many."""
    return {name: documents for name, documents in looks.items() if 0 < run.depth < documents}


def check_depth(run: Run, looks: Mapping[str, int], path: str, *, hint: str = DEEPER) -> None:
    """Refuse a saved run that was asked for fewer documents than are looked at.

    Args:
        looks: How many, by the name of what looks at them.

    Raises:
        BaselineMismatchError: Naming what does.
    """
    deeper = too_shallow(run, looks)
    if deeper:
        message = (
            f"it was asked for {run.depth} documents a query, and {', '.join(deeper)} "
            f"{plural(len(deeper), 'looks', 'look')} at {max(deeper.values())}"
        )
        raise BaselineMismatchError(Problem(message, path), hint=hint)
