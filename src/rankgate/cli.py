"""The command line: arguments, streams, progress, exit codes; the only writer of stdout and stderr.

==== =========================================================================================
code meaning
==== =========================================================================================
0    the gate passes, perhaps with warnings
1    the gate fails
2    the command line, config, golden set or baseline is wrong or missing
3    the service could not be measured well enough to decide; the only code worth a retry
4    a bug in rankgate
130  Ctrl-C
==== =========================================================================================
"""

import contextlib
import io
import os
import shlex
import shutil
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TextIO, TypeVar

import click

from rankgate import __version__
from rankgate.errors import InputError, Problem, RankgateError, ServiceError, UsageError, nearest

if TYPE_CHECKING:
    from rankgate.app import Project
    from rankgate.core.rankings import Run
    from rankgate.core.verdict import GateResult

EXIT_INPUT: Final = 2
EXIT_INCONCLUSIVE: Final = 3
EXIT_BUG: Final = 4
EXIT_INTERRUPT: Final = 130
#: The reader of a help page or of the demo went away, as a shell puts it; a report ends with its verdict's code.
EXIT_PIPE_CLOSED: Final = 141

#: In columns: a table that is narrower is better read by scrolling; and what a log is given.
NARROWEST_PAGE: Final = 60
PIPE_WIDTH: Final = 100

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Settings:
    """What holds for every command.

    Attributes:
        quiet: No progress and no notes on stderr.
        verbose: Tracebacks of bugs, and every warning.
    """

    quiet: bool = False
    verbose: bool = False


def main() -> NoReturn:
    """Run the command line and exit with its code."""
    sys.stdout, sys.stderr = _usable(sys.stdout), _usable(sys.stderr)
    code = _run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # Python would flush once more when it exits, complain, and exit with a code of its own.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)


def _usable(stream: TextIO | None) -> TextIO:
    """A console that cannot print a tick must not hide the verdict, nor must one that is closed."""
    if stream is None:
        return Path(os.devnull).open("w", encoding="utf-8")
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream


def _run(arguments: Sequence[str]) -> int:
    try:
        code = cli.main(list(arguments), prog_name="rankgate", standalone_mode=False)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context is not None else "rankgate"
        message = " ".join(error.format_message().split())
        return _report([Problem(message)], f"{command} --help shows how it is called.", EXIT_INPUT)
    except RankgateError as error:
        return _report(error.problems, error.hint, error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        _say("interrupted")
        return EXIT_INTERRUPT
    except (BrokenPipeError, SystemExit):
        return EXIT_PIPE_CLOSED  # click exits with 1 when a pipe is closed
    except Exception as error:  # noqa: BLE001 - whatever it is, it must not come out as 1
        return _bug(error, verbose=not {"-v", "--verbose"}.isdisjoint(arguments))
    return code if isinstance(code, int) else 0


def _report(problems: Sequence[Problem], hint: str, code: int) -> int:
    for problem in problems:
        _say(f"error: {problem}")
    for number, line in enumerate(hint.splitlines()):
        _say(f"{'      ' if number else 'next: '}{line}")
    return code


def _bug(error: Exception, *, verbose: bool) -> int:
    _say(f"error: a bug in rankgate {__version__}: {type(error).__name__}: {error}")
    if verbose:
        with contextlib.suppress(OSError):
            traceback.print_exc()
    else:
        _say("next: run it again with -v for the traceback, and report that; no verdict was reached.")
    return EXIT_BUG


def _say(text: str) -> None:
    """Write a line to stderr; where nobody reads it, the command goes on without."""
    from rankgate.reports.visible import inert, visible  # noqa: PLC0415

    with contextlib.suppress(OSError):
        sys.stderr.write(f"{inert(visible(text))}\n")
        sys.stderr.flush()


def _write(text: str, code: int = 0) -> int:
    """Write *text* to stdout and return the code to end with: *code*, unless the disk there is full."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        pass  # the reader has seen enough; what the command still has to do is done, and its code stays
    except OSError as error:
        return _report([Problem(f"cannot write: {error.strerror or error}", "stdout")], "", code or EXIT_INPUT)
    return code


def _path(name: str) -> Callable[[Command], Command]:
    return click.option(f"--{name}", type=click.Path(path_type=Path), help=f"The {name}; found by itself otherwise.")


def _reporting(command: Command) -> Command:
    """The options of every command that reports a verdict."""
    for option in (
        click.option("--strict", is_flag=True, help="Warnings exit with 1."),
        click.option(
            "--output", "outputs", multiple=True, metavar="FORMAT:PATH", help="Also write a report; repeatable."
        ),
        click.option("--format", "report", default="text", show_default=True, help="Format of the report on stdout."),
        _path("config"),
    ):
        command = option(command)
    return command


def _settle(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    """Note -q or -v, which may stand before the command or after it."""
    settings = context.obj or Settings()
    context.obj = replace(settings, **{str(parameter.name): True}) if value else settings


def _settings() -> list[click.Parameter]:
    return [
        click.Option(["-q", "--quiet"], is_flag=True, expose_value=False, callback=_settle, help=_QUIET),
        click.Option(["-v", "--verbose"], is_flag=True, expose_value=False, callback=_settle, help=_VERBOSE),
    ]


_QUIET: Final = "No progress and no notes."
_VERBOSE: Final = "Every warning, and the traceback of a bug."


class _Command(click.Command):
    """A command with the options that hold for every command."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.params += _settings()


class _Group(click.Group):
    """The commands."""

    command_class = _Command

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.params += _settings()


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
)
@click.version_option(__version__, "--version", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Tell whether a ranking change made search worse.

    Exit codes: 0 passes, 1 fails, 2 wrong input, 3 could not be measured, 4 a bug, 130 interrupted.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(EXIT_INPUT)


@cli.command()
@_reporting
@_path("baseline")
@click.option("--floors-only", is_flag=True, help="Compare with nothing: judge floors, ceilings and pins alone.")
@click.option(
    "--query", "query_ids", multiple=True, metavar="ID", help="Only this query: a diff, no verdict. Repeatable."
)
@click.option(
    "--slice", "slices", multiple=True, metavar="NAME", help="Only this slice: a diff, no verdict. Repeatable."
)
@click.pass_obj
def check(
    settings: Settings,
    *,
    config: Path | None,
    baseline: Path | None,
    report: str,
    outputs: tuple[str, ...],
    strict: bool,
    floors_only: bool,
    query_ids: tuple[str, ...],
    slices: tuple[str, ...],
) -> int:
    """The gate: ask the service, score, compare, report, exit."""
    from rankgate import app  # noqa: PLC0415

    sinks = _sinks(report, outputs)
    project = app.load_project(config, os.environ)
    _note_warnings(settings, project)
    golden = app.select(project.golden, query_ids, slices) if query_ids or slices else None
    reference = app.load_reference(project, baseline, floors_only=floors_only)
    run = _measure(settings, project, golden)
    result = app.gate(project, run, reference.reference if reference else None, golden=golden, strict=strict)
    code = _emit(result, report, sinks, _hints(config, baseline, kept=golden is None))
    if code in {0, 1} and golden is None:
        try:
            app.keep_last_run(project, run)
        except (InputError, OSError) as error:
            # What the command is for is done: its verdict stands.
            _say(f"note: the run is not kept for rankgate explain: {error}")
    return code


@cli.command()
@_path("config")
@click.option("-o", "--output", "target", required=True, type=click.Path(path_type=Path), help="Where to save the run.")
@click.option("--query", "query_ids", multiple=True, metavar="ID", help="Only this query. Repeatable.")
@click.option("--slice", "slices", multiple=True, metavar="NAME", help="Only this slice. Repeatable.")
@click.pass_obj
def run(
    settings: Settings, *, config: Path | None, target: Path, query_ids: tuple[str, ...], slices: tuple[str, ...]
) -> int:
    """Measure and save the rankings; no verdict."""
    from rankgate import app  # noqa: PLC0415
    from rankgate.files import run_file  # noqa: PLC0415

    project = app.load_project(config, os.environ)
    if target.resolve() == project.config.baseline.resolve():
        raise UsageError(
            Problem("this is the baseline, which only rankgate accept writes", str(target)),
            hint="Save the run under another name; rankgate accept --from RUN makes it the baseline.",
        )
    golden = app.select(project.golden, query_ids, slices) if query_ids or slices else None
    measured = _measure(settings, project, golden)
    failed = len(measured.failures)
    for query_id, failure in list(measured.failures.items())[:5]:
        _say(f"error: query {query_id!r} was not measured: {failure.message}")
    if failed and target.exists():
        raise ServiceError(
            Problem(
                f"{failed} of {len(measured.query_ids)} queries were not measured, so it is not replaced", str(target)
            ),
            hint="Mend the service and run it again, or save the incomplete run under another name.",
        )
    run_file.write(target, app.saved(project, measured, partial=golden is not None))
    if not settings.quiet:
        _say(f"saved {len(measured.rankings)} of {len(measured.query_ids)} rankings in {target}")
    return EXIT_INCONCLUSIVE if failed else 0


@cli.command()
@_reporting
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
    from rankgate import app  # noqa: PLC0415
    from rankgate.files import run_file  # noqa: PLC0415

    sinks = _sinks(report, outputs)
    project = app.load_project(config, None)
    before, after = run_file.read_any(first), run_file.read_any(second)
    for saved, path in ((before, first), (after, second)):
        app.check_depth(project, saved.run, path)
    golden = app.held(project.golden, before, after)
    result = app.gate(project, after.run, before.reference, golden=golden, strict=strict)
    if before.run.rankings == after.run.rankings and not settings.quiet:
        _say(f"note: {first} and {second} hold the same rankings")
    return _emit(result, report, sinks, _hints(config, None, kept=False))


@cli.command(name="report")
@_reporting
@_path("baseline")
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
    from rankgate import app  # noqa: PLC0415
    from rankgate.files import run_file  # noqa: PLC0415

    sinks = _sinks(report, outputs)
    project = app.load_project(config, None)
    measured = run_file.read_any(saved)
    reference = app.load_reference(project, baseline)
    golden = app.held(project.golden, measured)
    result = app.gate(project, measured.run, reference.reference if reference else None, golden=golden, strict=strict)
    return _emit(result, report, sinks, _hints(config, baseline, kept=False))


@cli.command()
@_path("config")
@_path("baseline")
@click.option(
    "--from", "source", type=click.Path(path_type=Path), metavar="RUN", help="A saved run, instead of asking."
)
@click.option("--allow-worse", is_flag=True, help="Accept a worse result; needs --reason.")
@click.option("--reason", default="", help="Why; kept in the baseline.")
@click.pass_obj
def accept(
    settings: Settings,
    *,
    config: Path | None,
    baseline: Path | None,
    source: Path | None,
    allow_worse: bool,
    reason: str,
) -> int:
    """Make the candidate the new baseline; shows the diff first."""
    from rankgate import app  # noqa: PLC0415
    from rankgate.files import run_file  # noqa: PLC0415
    from rankgate.reports import CommandHints, render  # noqa: PLC0415

    if allow_worse and not reason.strip():
        raise UsageError("--allow-worse needs --reason '...': the next reader will ask why")
    project = app.load_project(config, None if source else os.environ)
    target = baseline or project.config.baseline
    current = run_file.read(target) if target.exists() else None
    if source is None:
        candidate = _measure(settings, project, None)
    else:
        saved = run_file.read_any(source)
        if saved.partial:
            raise UsageError(Problem("a selection of the queries is never accepted", str(source)))
        app.check_depth(project, saved.run, source)
        candidate = saved.run
    comparable = current is not None and not app.too_shallow(project, current.run)
    result = app.gate(project, candidate, current.reference if current and comparable else None)
    # Without a next step: to accept is what the command does, or says below why it does not.
    _write(render("text", result, width=_width(), color=_color(), hints=CommandHints(check="", accept="")))
    accepted = app.accepted(project, result, current, allow_worse=allow_worse, reason=reason.strip())
    run_file.write(target, accepted)
    if reason.strip() not in {"", accepted.reason} and not settings.quiet:
        _say("note: nothing is worse than in the baseline, so the reason is not kept")
    _say(f"accepted: {target} holds {len(accepted.run.rankings)} rankings; commit it")
    return 0


@cli.command()
@_path("config")
@_path("baseline")
@click.option("--run", "source", type=click.Path(path_type=Path), help="A saved run; the last full check otherwise.")
@click.argument("query_id", metavar="QUERY")
def explain(*, query_id: str, config: Path | None, baseline: Path | None, source: Path | None) -> int:
    """Show one query: both rankings side by side, grades, and which move cost what."""
    from rankgate import app  # noqa: PLC0415
    from rankgate.files import run_file  # noqa: PLC0415
    from rankgate.reports import explain as page  # noqa: PLC0415
    from rankgate.reports.queries import moves_measure  # noqa: PLC0415

    project = app.load_project(config, None)
    path = source or project.last_run
    if not path.exists():
        raise InputError(
            Problem("there is no saved run to explain", str(path)), hint="rankgate check keeps its last run."
        )
    app.select(project.golden, [query_id], [])
    saved = run_file.read_any(path)
    reference = app.load_reference(project, baseline, floors_only=not (baseline or project.config.baseline).exists())
    golden = app.held(project.golden, saved)
    if saved.partial and query_id not in saved.run.query_ids:
        raise UsageError(Problem(f"this run of a selection does not hold the query {query_id!r}", str(path)))
    result = app.gate(project, saved.run, reference.reference if reference else None, golden=golden)
    measure = moves_measure(project.measures, project.golden.scale)
    text = page.render(
        result.comparison, query_id, measure, width=_width(), color=_color(), ascii_only=not _prints("↑↓→·")
    )
    return _write(text)


@cli.command()
@_path("config")
def validate(*, config: Path | None) -> int:
    """Check config, golden set and baseline, with everything wrong in one go; asks no service."""
    from rankgate import app  # noqa: PLC0415

    project, baseline, warnings = app.validate(config)
    for warning in warnings:
        _say(f"warning: {warning}")
    judged = sum(len(query.judgments) for query in project.golden.queries)
    accepted = f"baseline of {len(baseline.run.query_ids)}" if baseline else "no baseline"
    return _write(f"ok: {len(project.golden.queries)} queries, {judged} judgments, {accepted}\n")


@cli.command()
@click.argument("folder", default="golden", type=click.Path(path_type=Path))
@click.option("--preset", default="http", show_default=True, metavar="NAME", help="The kind of service.")
def init(*, folder: Path, preset: str) -> int:
    """Write a config and a first query file; never overwrites."""
    from rankgate.service import starter  # noqa: PLC0415

    for path in starter.write(folder, preset):
        _say(f"wrote {path}")
    for line in starter.next_steps(folder).splitlines():
        _say(line)
    return 0


@cli.command()
@click.argument("kind", type=click.Choice(["config", "golden"]))
def schema(*, kind: str) -> int:
    """Print the JSON Schema of a file, for editors."""
    from rankgate.files import json_schema  # noqa: PLC0415

    return _write(json_schema.text(kind))


@cli.command()
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
    code = _write("".join(scorer.lines(table, per_query=per_query)))
    if not settings.quiet:
        _say(f"note: {scorer.said(table, conventions)}")
    return code


@cli.command()
@click.argument("name", required=False)
def measures(*, name: str | None) -> int:
    """List the measures, or explain one."""
    from rankgate.reports import catalogue  # noqa: PLC0415

    return _write(catalogue.page(name, _width()) if name else catalogue.listing(_width()))


@cli.command()
@click.option("--serve", is_flag=True, help="Only serve the search service, until Ctrl-C.")
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="Of the service; a free one otherwise.")
def demo(*, serve: bool, port: int) -> int:
    """The whole story on an embedded search service, in seconds."""
    from rankgate.demo import story  # noqa: PLC0415

    return story.serve_only(port) if serve else story.tell(port)


def _measure(settings: Settings, project: "Project", golden: Any) -> "Run":
    from rankgate import app  # noqa: PLC0415
    from rankgate.progress import reporting  # noqa: PLC0415

    with reporting(sys.stderr, quiet=settings.quiet) as progress:
        return app.measure(project, golden or project.golden, progress)


def _note_warnings(settings: Settings, project: "Project") -> None:
    if settings.verbose:
        for warning in project.warnings:
            _say(f"warning: {warning}")
    elif project.warnings and not settings.quiet:
        count = len(project.warnings)
        warnings = "1 warning" if count == 1 else f"{count} warnings"
        _say(f"note: {warnings} about the golden set; rankgate validate shows them")


def _sinks(report: str, outputs: Sequence[str]) -> tuple[tuple[str, Path], ...]:
    """The files to write, checked before anything is asked."""
    from rankgate.reports import FORMATS  # noqa: PLC0415

    sinks = []
    for output in outputs:
        name, colon, path = output.partition(":")
        if not colon or not path:
            raise UsageError(f"--output takes FORMAT:PATH, for example junit:report.xml; found {output!r}")
        sinks.append((name, Path(path)))
    for name in (report, *(name for name, _ in sinks)):
        if name not in FORMATS:
            raise UsageError(f"unknown report format {name!r}{nearest(name, FORMATS)}")
    return tuple(sinks)


def _emit(result: "GateResult", report: str, sinks: Sequence[tuple[str, Path]], hints: Any) -> int:
    """Write every report of *result*; one that cannot be written never turns the verdict green.

    Who sees only stderr, as beside a report in a file, learns there why the code is not 0.
    """
    from rankgate.files.atomic import write_text  # noqa: PLC0415
    from rankgate.reports import gather, render  # noqa: PLC0415

    code = result.verdict.exit_code
    unwritten: InputError | None = None
    for name, path in sinks:
        try:
            write_text(path, render(name, result, width=100, color=False, hints=hints))
        except InputError as error:
            unwritten = error
            _report(error.problems, "the verdict stands; only the report could not be written.", EXIT_INPUT)
    code = code or (EXIT_INPUT if unwritten else 0)
    code = _write(render(report, result, width=_width(), color=_color(), hints=hints), code)
    if result.verdict.exit_code:
        facts = gather(result, command_hints=hints)
        _say(f"{facts.word}: {facts.headline}")
    return code


def _hints(config: Path | None, baseline: Path | None, *, kept: bool) -> Any:
    from rankgate.reports import CommandHints  # noqa: PLC0415

    given = (("config", config), ("baseline", baseline))
    suffix = "".join(f" --{name} {shlex.quote(str(path))}" for name, path in given if path)
    return CommandHints(
        check=f"rankgate check{suffix}",
        explain=f"rankgate explain{suffix}" if kept else "",
        accept=f"rankgate accept{suffix}",
    )


def _color() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout.isatty() and os.environ.get("TERM") != "dumb")


def _width() -> int:
    if sys.stdout.isatty():
        return max(shutil.get_terminal_size((80, 24)).columns, NARROWEST_PAGE)
    wanted = os.environ.get("COLUMNS", "")
    return max(int(wanted), NARROWEST_PAGE) if wanted.isascii() and wanted.isdecimal() else PIPE_WIDTH


def _prints(text: str) -> bool:
    with contextlib.suppress(UnicodeEncodeError, LookupError):
        text.encode(sys.stdout.encoding or "ascii")
        return True
    return False
