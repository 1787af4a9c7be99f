"""The measures as a reader sees them: a list for the terminal, a page for one, and the tables of the documentation."""

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

from rankgate.core.catalog import nearest_family
from rankgate.core.families import BY_NAME, FAMILIES, PARAMETERS, Family
from rankgate.errors import UnknownMeasureError

#: Columns of what stands before a text.
_LABEL: Final = 16


def listing(width: int) -> str:
    """Every measure with its title and its blind spot."""
    lines: list[str] = []
    for family in FAMILIES:
        lines.append(
            f"{spelling(family):<{_LABEL}}{family.title}{'' if family.higher_is_better else ' (lower is better)'}"
        )
        lines += _hanging("blind to: " + _lower(family.blind_to), width, _LABEL)
    lines += ["", "rankgate measures NAME says more about one of them."]
    return "\n".join(lines) + "\n"


def page(name: str, width: int) -> str:
    """All that is known of the measure *name*.

    Raises:
        UnknownMeasureError: With the nearest known name.
    """
    bare = name.partition("@")[0].partition("(")[0].strip()
    family = BY_NAME.get(bare.lower())
    if family is None:
        raise UnknownMeasureError(f"unknown measure {name!r}{nearest_family(bare)}")
    facts = {
        "definition": family.formula,
        "direction": "higher is better" if family.higher_is_better else "lower is better",
        "range": f"0 to {'the depth of the run' if family.high is None else f'{family.high:g}'}",
        "unit": family.unit,
        "undefined": f"when {family.undefined}" if family.undefined != "never" else "never",
        "blind to": _lower(family.blind_to),
        "long name": family.aliases[0],
        "source": family.citation,
    }
    lines = [f"{spelling(family)}  {family.title}", ""]
    for label, text in facts.items():
        lines += _labelled(label, text, width)
    for parameter in family.parameters:
        lines += _labelled(f"({parameter}=)", PARAMETERS[parameter], width)
    return "\n".join(lines) + "\n"


def markdown() -> str:
    """The tables of the documentation's page."""
    measures = _table(
        ("measure", "long name", "definition", "better", "range", "undefined when"),
        (
            (
                _code(spelling(family)),
                _code(family.aliases[0]),
                family.formula,
                "higher" if family.higher_is_better else "lower",
                f"0 to {'depth' if family.high is None else f'{family.high:g}'}",
                family.undefined,
            )
            for family in FAMILIES
        ),
    )
    blind = _table(
        ("measure", "what it cannot see", "source"),
        ((_code(family.name), family.blind_to, family.citation) for family in FAMILIES),
    )
    parameters = _table(
        ("parameter", "of", "meaning"),
        (
            (
                _code(parameter),
                ", ".join(family.name for family in FAMILIES if parameter in family.parameters),
                meaning,
            )
            for parameter, meaning in PARAMETERS.items()
        ),
    )
    return f"{measures}\n{parameters}\n{blind}"


def spelling(family: Family) -> str:
    """How the measure is written: ``P@k``, ``RR[@k]``, ``Rprec``."""
    return family.name + {"required": "@k", "optional": "[@k]", "none": ""}[family.cutoff]


def _labelled(label: str, text: str, width: int) -> list[str]:
    first, *rest = _hanging(text, width, _LABEL)
    return [f"{label:<{_LABEL}}{first.strip()}", *rest]


def _hanging(text: str, width: int, indent: int) -> list[str]:
    space = " " * indent
    # A name such as exp-log2 stays in one piece, to be copied.
    return textwrap.wrap(
        text, max(width, 2 * indent), initial_indent=space, subsequent_indent=space, break_on_hyphens=False
    )


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:].removesuffix(".")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def _code(text: str) -> str:
    return f"`{text}`"
