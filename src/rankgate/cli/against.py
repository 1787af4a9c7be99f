"""Two services in one run: the candidate against another service, or an approximate index against its exact search."""

import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgate.cli import notes, progress
from rankgate.cli.options import Settings, place_option, without_password
from rankgate.errors import UsageError, nearest

if TYPE_CHECKING:
    from rankgate.app import Project
    from rankgate.core.rankings import Run
    from rankgate.core.reference import Reference


@dataclass(frozen=True, slots=True)
class Other:
    """The second service.

    Attributes:
        place: As it was named: a target of the config, or an address.
        exact: It is the exact search of an approximate index; what is compared with is the baseline.
    """

    place: str
    exact: bool

    @property
    def option(self) -> str:
        """How it was named on the command line, after a space."""
        return f" --{'exact' if self.exact else 'against'} {shlex.quote(self.shown)}"

    @property
    def shown(self) -> str:
        """How a report calls it."""
        return without_password(self.place)

    def load(self, config: Path | None, project: "Project") -> "Project":
        """The same project with its requests aimed at this service.

        Raises:
            UsageError: *place* is neither a target nor an address.
        """
        from rankgate import app
        from rankgate.files.gate_file import Aim

        known = project.config.targets
        if self.place not in known and "://" not in self.place:
            raise UsageError(f"{self.place!r} is no target of the config and no address{nearest(self.place, known)}")
        aim = Aim(target=self.place) if self.place in known else Aim(url=self.place)
        return app.load_project(config, os.environ, aim)


@dataclass(frozen=True, slots=True)
class Pair:
    """Both services, measured at the same time.

    Attributes:
        project: The one with its requests aimed at the second service.
    """

    other: Other
    project: "Project"
    run: "Run"
    second: "Reference"


def against_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that name a second service, as the argument *second*."""

    @wraps(command)
    def chosen(*arguments: Any, against: str | None, exact: str | None, **options: Any) -> Any:
        if against and exact:
            raise UsageError("--against and --exact name one second service; give one of them")
        place = against or exact
        second = Other(place, exact=bool(exact)) if place else None
        return command(*arguments, second=second, **options)

    found: Callable[..., Any] = chosen
    for option in (
        place_option("--exact", metavar="PLACE", help="The exact search of this approximate index: shows ANN recall."),
        place_option(
            "--against",
            metavar="PLACE",
            help="A target or address to compare with instead of the baseline, asked at the same time.",
        ),
    ):
        found = option(found)
    return found


def measured(settings: Settings, project: "Project", other: Other, config: Path | None, golden: Any) -> Pair:
    """Ask both services the same queries at the same time."""
    from rankgate import app
    from rankgate.core.reference import Reference

    second = other.load(config, project)
    notes.note_aim(settings, second)
    with progress.shown(settings) as report:
        run, answers = app.measure_both(project, second, golden or project.golden, report)
    return Pair(other, second, run, Reference(answers, lock=app.lock_of(second, answers), name=other.shown))
