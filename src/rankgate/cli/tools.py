"""The commands beside the gate: validate, init, schema, score, measures, demo."""

from pathlib import Path
from typing import Any

import click

from rankgate.cli import streams
from rankgate.cli.options import Command, Settings, path_option


@click.command(cls=Command)
@path_option("config")
def validate(*, config: Path | None) -> int:
    """Check config, golden set and baseline, with everything wrong in one go; asks no service."""
    from rankgate import app  # noqa: PLC0415

    project, baseline, warnings = app.validate(config)
    for warning in warnings:
        streams.say(f"warning: {warning}")
    judged = sum(len(query.judgments) for query in project.golden.queries)
    accepted = f"baseline of {len(baseline.run.query_ids)}" if baseline else "no baseline"
    return streams.write(f"ok: {len(project.golden.queries)} queries, {judged} judgments, {accepted}\n")


@click.command(cls=Command)
@click.argument("folder", default="golden", type=click.Path(path_type=Path))
@click.option("--preset", default="http", show_default=True, metavar="NAME", help="The kind of service.")
def init(*, folder: Path, preset: str) -> int:
    """Write a config and a first query file; never overwrites."""
    from rankgate.service import starter  # noqa: PLC0415

    for path in starter.write(folder, preset):
        streams.say(f"wrote {path}")
    for line in starter.next_steps(folder).splitlines():
        streams.say(line)
    return 0


@click.command(cls=Command)
@click.argument("kind", type=click.Choice(["config", "golden"]))
def schema(*, kind: str) -> int:
    """Print the JSON Schema of a file, for editors."""
    from rankgate.files import json_schema  # noqa: PLC0415

    return streams.write(json_schema.text(kind))


@click.command(cls=Command)
@click.argument("qrels", type=click.Path(path_type=Path))
@click.argument("run_path", type=click.Path(path_type=Path), metavar="RUN")
@click.option(
    "-m", "--measure", "names", multiple=True, metavar="MEASURE", help="In our spelling or trec_eval's. Repeatable."
)
@click.option("--per-query", is_flag=True, help="A line for each query too.")
@click.option(
    "--tie-order",
    type=click.Choice(["trec_eval", "listed"]),
    default="trec_eval",
    show_default=True,
    help="By score, then by id, both down; or as the lines stand.",
)
@click.option(
    "--average",
    type=click.Choice(["judged", "returned"]),
    default="judged",
    show_default=True,
    help="Over all judged queries, or over those that the run has results for.",
)
@click.option(
    "--undefined",
    type=click.Choice(["left-out", "zero"]),
    default="left-out",
    show_default=True,
    help="What a query without a relevant document is in a mean.",
)
@click.option("--rel", default=1, show_default=True, type=click.IntRange(1), help="The lowest relevant grade.")
@click.option(
    "--gain",
    type=click.Choice(["exponential", "linear", "binary"]),
    default="exponential",
    show_default=True,
    help="Of nDCG, where its name does not say.",
)
@click.pass_obj
def score(  # noqa: PLR0917 - click names them
    settings: Settings,
    qrels: Path,
    run_path: Path,
    names: tuple[str, ...],
    per_query: bool,
    tie_order: Any,
    average: Any,
    undefined: Any,
    rel: int,
    gain: Any,
) -> int:
    """Score a TREC run against TREC judgments, in trec_eval's form."""
    from rankgate import score as scorer  # noqa: PLC0415

    conventions = scorer.Conventions(tie_order, average, undefined, rel, gain)
    table = scorer.score_files(qrels, run_path, names, conventions)
    code = streams.write("".join(scorer.lines(table, per_query=per_query)))
    if not settings.quiet:
        streams.say(f"note: {scorer.said(table, conventions)}")
    return code


@click.command(cls=Command)
@click.argument("name", required=False)
def measures(*, name: str | None) -> int:
    """List the measures, or explain one."""
    from rankgate.reports import catalogue  # noqa: PLC0415

    return streams.write(catalogue.page(name, streams.width()) if name else catalogue.listing(streams.width()))


@click.command(cls=Command)
@click.option("--serve", is_flag=True, help="Only serve the search service, until Ctrl-C.")
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="Of the service; a free one otherwise.")
def demo(*, serve: bool, port: int) -> int:
    """The whole story on an embedded search service, in seconds."""
    from rankgate.demo import story  # noqa: PLC0415

    return story.serve_only(port) if serve else story.tell(port)
