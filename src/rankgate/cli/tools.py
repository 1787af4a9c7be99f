"""The commands beside the gate: ask, validate, init, schema, score, measures, demo."""

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankgate.cli import progress, streams
from rankgate.cli.options import Asking, Command, Settings, live_options, path_option, place_option
from rankgate.errors import RankgateError, UsageError

if TYPE_CHECKING:
    from rankgate.core.catalog import Gain
    from rankgate.core.judgments import JsonValue
    from rankgate.score import Average, Undefined
    from rankgate.score_rows import TieOrder


@click.command(cls=Command)
@path_option("config")
@live_options
@click.option("--depth", type=click.IntRange(1), help="Documents wanted; the config's depth otherwise.")
@click.option("--param", "params", multiple=True, metavar="NAME=VALUE", help="For the templates. Repeatable.")
@click.option("--raw", is_flag=True, help="Show the beginning of the answer as it came, too.")
@click.argument("text", metavar="TEXT")
def ask(
    *,
    text: str,
    asking: Asking,
    config: Path | None,
    depth: int | None,
    params: tuple[str, ...],
    raw: bool,
) -> int:
    """Ask one query, and show request, answer and hits as rankgate sees them.

    TEXT is the text of a query or the id of a golden one.
    """
    from rankgate import app
    from rankgate.reports import asking as page

    project = asking.load(config)
    given = dict(_pair(param) for param in params)
    app.refuse_unused_params(project, given)
    with progress.aside():
        query, values, asked = app.ask(project, text, given, depth, room=page.ANSWER_SHOWN)
    subject = page.Subject(
        query.text if query else text,
        depth or project.config.depth,
        project.golden.scale,
        query,
        tuple((str(measure), value) for measure, value in values.items()),
    )
    code = streams.EXIT_INCONCLUSIVE if asked.run.failures else 0
    code = streams.write(page.render(subject, asked, width=streams.width(), color=streams.color(), whole=raw), code)
    if asked.unreachable:
        raise asked.unreachable
    for failure in asked.run.failures.values():
        streams.say(f"error: not measured: {failure.message}")
    return code


def _pair(param: str) -> "tuple[str, JsonValue]":
    """A value is JSON where it can be, text otherwise."""
    name, equals, value = param.partition("=")
    if not name or not equals:
        raise UsageError(f"--param takes NAME=VALUE, found {param!r}")
    import json  # for this option only

    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


@click.command(cls=Command)
@path_option("config")
@click.option("--live", is_flag=True, help="Also ask the service which judged documents its index no longer has.")
@click.pass_obj
def validate(settings: Settings, *, config: Path | None, live: bool) -> int:
    """Check config, golden set and baseline, with everything wrong in one go; asks no service without --live."""
    from rankgate import app
    from rankgate.core.findings import plural

    found = app.validate(config, datetime.now().astimezone().date().isoformat())
    lost = progress.lost_judgments(settings, config) if live else ()
    for warning in (*found.warnings, *lost):
        streams.say(f"warning: {warning}")
    for note in found.notes:
        streams.say(f"note: {note}")
    queries, baseline = found.project.golden.queries, found.baseline
    judged = sum(len(query.judgments) for query in queries)
    accepted = f"baseline of {len(baseline.run.query_ids)}" if baseline else "no baseline"
    counted = f"{len(queries)} {plural(len(queries), 'query', 'queries')}"
    return streams.write(f"ok: {counted}, {judged} {plural(judged, 'judgment', 'judgments')}, {accepted}\n")


@click.command(cls=Command)
@click.argument("folder", default="golden", type=click.Path(path_type=Path))
@click.option("--preset", default="", metavar="NAME", help="The kind of service; http without one.")
@place_option("--url", help="Ask there; without --preset, propose paths from what comes back.")
@click.option("--text", default="test", show_default=True, help="What to ask, where the address has {query}.")
def init(*, folder: Path, preset: str, url: str | None, text: str) -> int:
    """Write a config and a first query file; never overwrites."""
    from rankgate.service import starter

    starter.refuse_existing(folder)
    if url and not preset:
        service = starter.propose(url, text)
    else:
        service = starter.preset_text(preset or "http")
        service = starter.at_address(service, url) if url else service
    for path in starter.write(folder, service):
        streams.say(f"wrote {path}")
    if url:
        _say_first_answer(folder, starter.text_in(url) or text)
    for line in starter.next_steps(folder, known=bool(url)).splitlines():
        streams.say(line)
    return 0


def _say_first_answer(folder: Path, text: str) -> None:
    """Ask as the new config says; what comes back tells whether its paths are right."""
    from rankgate import app
    from rankgate.app.project import unasked_depth
    from rankgate.core.findings import plural
    from rankgate.service.starter import config_path

    config = config_path(folder)
    try:
        project = app.load_project(config, os.environ)
        for warning in unasked_depth(project.config):
            streams.say(f"warning: {warning}")
        _, _, asked = app.ask(project, text, {}, None, room=0)
    except RankgateError as error:
        streams.say(f"note: asked {text!r}: {error}")
        return
    for failure in asked.run.failures.values():
        streams.say(f"note: asked {text!r}, not measured: {failure.message}")
    for ranking in asked.run.rankings.values():
        first = f", the first {ranking.ids[0]!r}" if ranking.ids else ""
        streams.say(f"asked {text!r}: {len(ranking.ids)} {plural(len(ranking.ids), 'hit', 'hits')}{first}")


@click.command(cls=Command)
@click.argument("kind", type=click.Choice(["config", "golden", "report", "trend", "calibration"]))
def schema(*, kind: str) -> int:
    """Print the JSON Schema of a file, for editors, or of what is written as JSON, for what reads it."""
    if kind in {"config", "golden"}:
        from rankgate.files import json_schema

        return streams.write(json_schema.text(kind))
    from rankgate.reports import schema as reports

    return streams.write(reports.text(kind))


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
    tie_order: "TieOrder",
    average: "Average",
    undefined: "Undefined",
    rel: int,
    gain: "Gain",
) -> int:
    """Score a TREC run against TREC judgments, in trec_eval's form."""
    from rankgate import score as scorer

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
    from rankgate.reports import catalogue

    return streams.write(catalogue.page(name, streams.width()) if name else catalogue.listing(streams.width()))


@click.command(cls=Command)
@click.option("--serve", is_flag=True, help="Only serve the search service, until Ctrl-C.")
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="Of the service; a free one otherwise.")
def demo(*, serve: bool, port: int) -> int:
    """The whole story on an embedded search service, in seconds."""
    from rankgate.demo import story

    return story.serve_only(port) if serve else story.tell(port)
