"""What the commands share: the settings, the options, and the classes that give every command -q and -v."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

import click

_Function = TypeVar("_Function", bound=Callable[..., Any])

_QUIET: Final = "No progress and no notes."
_VERBOSE: Final = "Every warning, and the traceback of a bug."


@dataclass(frozen=True, slots=True)
class Settings:
    """What holds for every command.

    Attributes:
        quiet: No progress and no notes on stderr.
        verbose: Tracebacks of bugs, and every warning.
    """

    quiet: bool = False
    verbose: bool = False


def path_option(name: str) -> Callable[[_Function], _Function]:
    return click.option(f"--{name}", type=click.Path(path_type=Path), help=f"The {name}; found by itself otherwise.")


def report_options(command: _Function) -> _Function:
    """The options of every command that reports a verdict."""
    for option in (
        click.option("--strict", is_flag=True, help="Warnings exit with 1."),
        click.option(
            "--output", "outputs", multiple=True, metavar="FORMAT:PATH", help="Also write a report; repeatable."
        ),
        click.option("--format", "report", default="text", show_default=True, help="Format of the report on stdout."),
        path_option("config"),
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


class Command(click.Command):
    """A command with the options that hold for every command."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.params += _settings()


class Group(click.Group):
    """The commands."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.params += _settings()
