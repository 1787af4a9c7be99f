"""Reports: the facts of a gate's result gathered once, then one renderer a format."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from rankgate.core.verdict import GateResult
from rankgate.errors import UsageError, nearest
from rankgate.reports.facts import gather
from rankgate.reports.records import CommandHints, Facts

__all__ = ["FORMATS", "CommandHints", "Facts", "Page", "gather", "render"]


@dataclass(frozen=True, slots=True)
class Page:
    """What a report is written on; only formats for a terminal ask.

    Attributes:
        width: In columns.
        color: Whether escape codes may be used.
    """

    width: int = 80
    color: bool = False


# Each format is imported when it is asked for: a gate that writes JSON need not wait for rich.


def _text(facts: Facts, page: Page) -> str:
    from rankgate.reports import terminal  # noqa: PLC0415

    return terminal.render(facts, width=page.width, color=page.color)


def _json(facts: Facts, _: Page) -> str:
    from rankgate.reports import json  # noqa: PLC0415

    return json.render(facts)


def _markdown(facts: Facts, _: Page) -> str:
    from rankgate.reports import markdown  # noqa: PLC0415

    return markdown.render(facts)


def _junit(facts: Facts, _: Page) -> str:
    from rankgate.reports import junit  # noqa: PLC0415

    return junit.render(facts)


#: Every format by the name that ``--format`` takes: the one place to add another.
FORMATS: Final[Mapping[str, Callable[[Facts, Page], str]]] = {
    "text": _text,
    "json": _json,
    "markdown": _markdown,
    "junit": _junit,
}


def render(
    name: str,
    result: GateResult,
    *,
    width: int = 80,
    color: bool = False,
    hints: CommandHints = CommandHints(),  # noqa: B008 - frozen
) -> str:
    """The report of *result* in the format *name*, ending with a line break.

    Raises:
        UsageError: The format is unknown; offers the nearest.
    """
    if name not in FORMATS:
        raise UsageError(f"unknown report format {name!r}{nearest(name, FORMATS)}")
    return FORMATS[name](gather(result, command_hints=hints), Page(width, color))
