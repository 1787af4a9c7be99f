"""The commands that look closer at a run: explain, holes."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankgate.cli import streams
from rankgate.cli.options import Command, Settings, path_option
from rankgate.errors import InputError, Problem, UsageError

if TYPE_CHECKING:
    from rankgate.app import Project
    from rankgate.core.verdict import GateResult


def _judged(config: Path | None, baseline: Path | None, source: Path | None) -> "tuple[Project, GateResult]":
    """The project, and what became of a saved run: the last full check where none is given."""
    from rankgate import app
    from rankgate.files import run_file

    project = app.load_project(config, None)
    path = source or project.last_run
    if not path.exists():
        raise InputError(
            Problem("there is no saved run to look at", str(path)), hint="rankgate check keeps its last run."
        )
    saved = run_file.read_any(path)
    reference = app.load_reference(
        project, baseline, floors_only=baseline is None and not project.config.baseline.exists()
    )
    return project, app.gate_saved(project, saved, reference)


@click.command(cls=Command)
@path_option("config")
@path_option("baseline")
@click.option("--run", "source", type=click.Path(path_type=Path), help="A saved run; the last full check otherwise.")
@click.option("-m", "--measure", metavar="MEASURE", help="What each move is counted in; the first nDCG otherwise.")
@click.argument("query_id", metavar="QUERY")
def explain(
    *, query_id: str, measure: str | None, config: Path | None, baseline: Path | None, source: Path | None
) -> int:
    """Show one query: both rankings side by side, grades, and which move cost what."""
    from rankgate import app
    from rankgate.core.catalog import parse_measure
    from rankgate.reports import explain as page

    project, result = _judged(config, baseline, source)
    app.select(project.golden, [query_id], [])
    if query_id not in {query.id for query in result.comparison.golden.queries}:
        path = source or project.last_run
        raise UsageError(Problem(f"this run of a selection does not hold the query {query_id!r}", str(path)))
    text = page.render(
        result.comparison,
        query_id,
        parse_measure(measure, project.golden.scale) if measure else None,
        width=streams.width(),
        color=streams.color(),
        ascii_only=not streams.prints("↑↓→·"),
    )
    return streams.write(text)


@click.command(cls=Command)
@path_option("config")
@path_option("baseline")
@click.option("--run", "source", type=click.Path(path_type=Path), help="A saved run; the last full check otherwise.")
@click.option(
    "--format", "form", type=click.Choice(["yaml", "csv"]), default="yaml", show_default=True, help="Of the list."
)
@click.option("--all", "everything", is_flag=True, help="Every unjudged result within a measure's cutoff.")
@click.pass_obj
def holes(
    settings: Settings, *, config: Path | None, baseline: Path | None, source: Path | None, form: str, everything: bool
) -> int:
    """List the unjudged results whose judging could turn a broken rule, to be filled in."""
    from rankgate import app
    from rankgate.files import labels

    project, result = _judged(config, baseline, source)
    found = app.to_judge(result, everything=everything)
    scale = project.golden.scale
    text = (
        labels.as_csv(found.documents)
        if form == "csv"
        else labels.as_yaml(found.documents, (scale.lowest, scale.highest))
    )
    code = streams.write(text)
    if not settings.quiet:
        for rule in found.rules:
            streams.say(f"note: {rule}")
        if not found.documents:
            streams.say(
                "note: no unjudged result could turn a rule" if not everything else "note: everything is judged"
            )
    return code
