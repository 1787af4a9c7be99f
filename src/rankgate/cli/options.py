"""What the commands share: the settings, the options, and the classes that give every command -q and -v."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import click

if TYPE_CHECKING:
    from rankgate.app import Project

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


class _Place(click.ParamType[str]):
    """A name or an address; nothing is none, for a variable that is not set must not gate another service."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if not text.strip():
            self.fail("is empty; is a variable not set?", param, ctx)
        return text


def place_option(name: str, **attributes: Any) -> Callable[[_Function], _Function]:
    """An option that names a service; it may not be empty."""
    return click.option(name, type=_Place(), **attributes)


def without_password(place: str) -> str:
    """*place* as it may be printed: an address without what only its service should read."""
    from rankgate.service.redaction import Redactor

    return Redactor().also(place).redact(place)


@dataclass(frozen=True, slots=True)
class Asking:
    """Which service a command asks, and whether it really does.

    Attributes:
        replay: A folder of recorded answers, instead of asking.
    """

    target: str
    url: str
    replay: Path | None

    @property
    def given(self) -> bool:
        """Whether anything but the config says what is asked."""
        return bool(self.target or self.url or self.replay)

    def load(self, config: Path | None) -> "Project":
        """Load the project as it is asked here; answers from a recording need no variables."""
        from rankgate import app
        from rankgate.files.gate_file import Aim

        return app.load_project(config, None if self.replay else os.environ, Aim(self.target, self.url))


def asking_options(command: _Function) -> _Function:
    """The options of every command that asks the service or takes recorded answers, as the argument *asking*."""
    return _asking(
        command,
        click.option(
            "--replay", type=click.Path(path_type=Path), metavar="FOLDER", help="Recorded answers, instead of asking."
        ),
    )


def live_options(command: _Function) -> _Function:
    """The same for a command that only makes sense live."""
    return _asking(command)


def _asking(command: _Function, *more: Callable[[Any], Any]) -> _Function:
    @wraps(command)
    def asked(*arguments: Any, target: str | None, url: str | None, replay: Path | None = None, **options: Any) -> Any:
        return command(*arguments, asking=Asking(target or "", url or "", replay), **options)

    found: Any = asked
    for option in (
        *more,
        place_option("--url", help="Another address than service.url, for once."),
        place_option("--target", metavar="NAME", help="One of service.targets."),
    ):
        found = option(found)
    return cast(_Function, found)


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
