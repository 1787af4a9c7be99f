"""The way in and out: the group of all commands, and the exit code of whatever ends one."""

import contextlib
import errno
import gc
import os
import re
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NoReturn

import click

from rankgate import __version__
from rankgate.cli import accepting, commands, github, looking, noise, streams, tools, trend
from rankgate.cli.options import Group
from rankgate.errors import Problem, RankgateError, ServiceUnreachableError, UsageError

EXIT_BUG: Final = 4
EXIT_INTERRUPT: Final = 130
#: The reader of a help page or of the demo went away, as a shell puts it; a report ends with its verdict's code.
EXIT_PIPE_CLOSED: Final = 141


@click.group(
    cls=Group,
    commands=[
        commands.check,
        commands.run,
        commands.diff,
        commands.report_command,
        accepting.accept,
        looking.explain,
        looking.holes,
        noise.calibrate,
        trend.trend,
        tools.ask,
        tools.validate,
        tools.init,
        tools.schema,
        tools.score,
        tools.measures,
        tools.demo,
    ],
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
        context.exit(streams.EXIT_INPUT)


def main() -> NoReturn:
    """Run the command line and exit with its code."""
    gc.disable()  # a command ends before cyclic garbage could matter, and looking for it takes a tenth of the start
    # httpx brings a command line of its own, whose libraries take longer to import than httpx itself.
    sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]  # None is how Python spells "not to be had"
    sys.stdout, sys.stderr = streams.usable(sys.stdout), streams.usable(sys.stderr)
    code = _run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # Python would flush once more when it exits, complain, and exit with a code of its own.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    gc.freeze()  # or Python would go through every object once more before it ends
    sys.exit(code)


def _run(arguments: Sequence[str]) -> int:
    try:
        code = cli.main(list(arguments), prog_name="rankgate", standalone_mode=False)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context is not None else "rankgate"
        message = " ".join(error.format_message().split())
        hint = f"{command} --help shows how it is called."
        given = re.search(r"unexpected extra argument \((\S+)\)", message)
        if given and any(option.name == "config" for option in (context.command.params if context else ())):
            hint = f"{command} --config {given[1]} names a config or its folder. {hint}"
        return _refused(arguments, UsageError(message, hint=hint))
    except RankgateError as error:
        return _refused(arguments, error)
    except (KeyboardInterrupt, click.Abort):
        streams.say("interrupted")
        return EXIT_INTERRUPT
    except (BrokenPipeError, SystemExit):
        return EXIT_PIPE_CLOSED  # click exits with 1 when a pipe is closed
    except OSError as error:
        if error.errno == errno.ENOSPC:  # of a help page; reports and errors have their own way
            return streams.say_problems([Problem(f"cannot write: {error.strerror}", "stdout")], "", streams.EXIT_INPUT)
        return _bug(error, verbose=not {"-v", "--verbose"}.isdisjoint(arguments))
    except Exception as error:  # noqa: BLE001 - whatever it is, it must not come out as 1
        return _bug(error, verbose=not {"-v", "--verbose"}.isdisjoint(arguments))
    return code if isinstance(code, int) else 0


def _refused(arguments: Sequence[str], error: RankgateError) -> int:
    for_github = "--format=github" in arguments or ("--format", "github") in pairwise(arguments)
    # Of a service that was not there, a report is out already.
    if for_github and not isinstance(error, ServiceUnreachableError):
        github.annotate(error.problems)
    return streams.say_problems(error.problems, error.hint, error.exit_code)


def _bug(error: Exception, *, verbose: bool) -> int:
    streams.say(f"error: a bug in rankgate {__version__}: {type(error).__name__}: {error}")
    if verbose:
        with contextlib.suppress(OSError):
            import traceback  # it is for bugs

            traceback.print_exc()
    else:
        streams.say("next: run it again with -v for the traceback, and report that; no verdict was reached.")
    return EXIT_BUG
