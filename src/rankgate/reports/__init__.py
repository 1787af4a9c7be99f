"""Reports: the facts of a gate's result gathered once, then one renderer a format."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rankgate.errors import UsageError, nearest
from rankgate.reports.places import Checkout

if TYPE_CHECKING:
    from rankgate.core.verdict import GateResult
    from rankgate.reports.facts import gather
    from rankgate.reports.records.report import CommandHints, Facts

__all__ = ["FORMATS", "Checkout", "CommandHints", "Facts", "Page", "check_format", "gather", "render", "write"]

#: What is imported when it is asked for: whoever only writes an error needs none of it.
_HOMES: Final = {"gather": "facts", "CommandHints": "records.report", "Facts": "records.report"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


class Page(NamedTuple):
    """What a report is written on.

    Attributes:
        width: In columns; only formats for a terminal ask.
        color: Whether escape codes may be used.
        checkout: For formats that a CI server shows beside the code.
    """

    width: int = 80
    color: bool = False
    checkout: Checkout = Checkout()


# Each format is imported when it is asked for: a gate that writes JSON need not wait for rich.


def _text(facts: "Facts", page: Page) -> str:
    from rankgate.reports import terminal

    return terminal.render(facts, width=page.width, color=page.color)


def _json(facts: "Facts", _: Page) -> str:
    from rankgate.reports import json

    return json.render(facts)


def _markdown(facts: "Facts", _: Page) -> str:
    from rankgate.reports import markdown

    return markdown.render(facts)


def _junit(facts: "Facts", _: Page) -> str:
    from rankgate.reports import junit

    return junit.render(facts)


def _github(facts: "Facts", page: Page) -> str:
    from rankgate.reports import github

    return github.render(facts, page.checkout)


def _gitlab(facts: "Facts", page: Page) -> str:
    from rankgate.reports import gitlab

    return gitlab.render(facts, page.checkout)


def _openmetrics(facts: "Facts", _: Page) -> str:
    from rankgate.reports import openmetrics

    return openmetrics.render(facts)


def _html(facts: "Facts", _: Page) -> str:
    from rankgate.reports import html

    return html.render(facts)


#: Every format by the name that ``--format`` takes: the one place to add another.
FORMATS: Final[Mapping[str, Callable[["Facts", Page], str]]] = {
    "text": _text,
    "json": _json,
    "markdown": _markdown,
    "github": _github,
    "junit": _junit,
    "gitlab": _gitlab,
    "openmetrics": _openmetrics,
    "html": _html,
}


def check_format(name: str) -> None:
    """Refuse a format that is none.

    Raises:
        UsageError: Offers the nearest.
    """
    if name not in FORMATS:
        raise UsageError(f"unknown report format {name!r}{nearest(name, FORMATS)}")


def write(
    name: str,
    facts: "Facts",
    *,
    width: int = 80,
    color: bool = False,
    checkout: Checkout = Checkout(),  # noqa: B008 - frozen
) -> str:
    """The report of *facts* in the format *name*, ending with a line break.

    Raises:
        UsageError: The format is unknown; offers the nearest.
    """
    check_format(name)
    return FORMATS[name](facts, Page(width, color, checkout))


def render(
    name: str, result: "GateResult", *, width: int = 80, color: bool = False, hints: "CommandHints | None" = None
) -> str:
    """The report of *result* in the format *name*; for several of one result, gather the facts once and ``write``.

    Raises:
        UsageError: The format is unknown; offers the nearest.
    """
    from rankgate.reports.facts import gather
    from rankgate.reports.records.report import CommandHints

    return write(name, gather(result, command_hints=hints or CommandHints()), width=width, color=color)
