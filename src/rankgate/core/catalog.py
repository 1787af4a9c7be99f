"""The measures by name: what each means, its parameters, its direction, and how its name is read and printed.

A name follows the notation of the ``ir_measures`` library: ``nDCG(dcg='exp-log2')@10``, ``P(rel=2)@3``, ``RR``.
Long names (``precision@1``, ``ndcg@10``, ``zero_result_rate``) are read too.
Parameters that a name leaves out come from the golden set's scale; the printed name always carries them, so it is the
same number wherever it is read.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from rankgate.errors import Problem, UnknownMeasureError, nearest

Gain = Literal["exponential", "linear", "binary"]

#: The spelling of each gain in a measure's name.
DCG_OF_GAIN: Final[Mapping[Gain, str]] = {"exponential": "exp-log2", "linear": "log2", "binary": "binary-log2"}
GAIN_OF_DCG: Final[Mapping[str, Gain]] = {spelling: gain for gain, spelling in DCG_OF_GAIN.items()}


@dataclass(frozen=True, slots=True)
class Scale:
    """What the grades of a golden set mean.

    Attributes:
        lowest: The smallest grade that may be given.
        highest: The largest grade that may be given.
        relevant_from: Grades at or above it count as relevant in the binary measures.
        gain: What nDCG makes of a grade.
    """

    lowest: int = 0
    highest: int = 3
    relevant_from: int = 1
    gain: Gain = "exponential"


@dataclass(frozen=True, slots=True)
class Family:
    """A measure before its cutoff is chosen.

    Attributes:
        name: As printed.
        aliases: Other spellings that are read, in lower case.
        summary: One sentence: the definition.
        cutoff: Whether ``@k`` must, may or must not follow.
        parameters: The names of the parameters that it takes.
        higher_is_better: Its direction.
        citation: Where the formula comes from.
    """

    name: str
    aliases: tuple[str, ...]
    summary: str
    cutoff: Literal["required", "optional", "none"]
    parameters: tuple[Literal["rel", "dcg"], ...] = ()
    higher_is_better: bool = True
    citation: str = ""


FAMILIES: Final[tuple[Family, ...]] = (
    Family(
        "P",
        ("p", "precision"),
        "Relevant documents among the first k, divided by k, also when fewer than k came back.",
        "required",
        ("rel",),
        citation="C. J. van Rijsbergen, Information Retrieval, 2nd ed., Butterworths, 1979",
    ),
    Family(
        "R",
        ("r", "recall"),
        "Relevant documents among the first k, divided by all relevant judged documents of the query.",
        "required",
        ("rel",),
        citation="C. J. van Rijsbergen, Information Retrieval, 2nd ed., Butterworths, 1979",
    ),
    Family(
        "Success",
        ("success", "hit_rate", "hitrate"),
        "1 when any of the first k documents is relevant, else 0.",
        "required",
        ("rel",),
        citation="E. M. Voorhees, TREC 2003 Robust Retrieval Track, NIST SP 500-255",
    ),
    Family(
        "RR",
        ("rr", "mrr", "reciprocal_rank"),
        "1 / rank of the first relevant document, 0 when there is none (within k).",
        "optional",
        ("rel",),
        citation="P. B. Kantor and E. M. Voorhees, Information Retrieval 2, 2000, doi:10.1023/A:1009902609570",
    ),
    Family(
        "AP",
        ("ap", "map", "average_precision"),
        "Mean over all relevant judged documents of the precision at their rank; missing ones count 0.",
        "optional",
        ("rel",),
        citation="D. Harman, TREC-1, NIST SP 500-207, 1992",
    ),
    Family(
        "nDCG",
        ("ndcg",),
        "DCG / ideal DCG; DCG sums gain(grade) / log2(rank + 1); the ideal orders all judged documents of the query.",
        "optional",
        ("dcg",),
        citation="K. Järvelin and J. Kekäläinen, ACM TOIS 20(4), 2002, doi:10.1145/582415.582418",
    ),
    Family(
        "Judged",
        ("judged",),
        "Share of the first min(k, returned) documents that have a judgment.",
        "required",
        citation="C. Buckley and E. M. Voorhees, SIGIR 2004, doi:10.1145/1008992.1009000",
    ),
    Family(
        "ZeroResults",
        ("zeroresults", "zero_results", "zero_result_rate"),
        "1 when the service answered and the list was empty; as a mean, the zero-result rate.",
        "none",
        higher_is_better=False,
        citation="rankgate",
    ),
)

_BY_NAME: Final = {spelling: family for family in FAMILIES for spelling in (family.name.lower(), *family.aliases)}
_NAME: Final = re.compile(r"(?P<name>[A-Za-z_]+)\s*(?:\((?P<parameters>[^()]*)\))?\s*(?:@\s*(?P<cutoff>[^@\s]+))?")
_PARAMETER: Final = re.compile(r"\s*(?P<key>\w+)\s*=\s*(?P<quote>['\"]?)(?P<value>[\w-]+)(?P=quote)\s*")


@dataclass(frozen=True, slots=True, order=True)
class Measure:
    """A function from (ranking, judgments) to a number, fully specified.

    Attributes:
        name: The family's name.
        cutoff: The last rank counted; 0 for none.
        rel: Lowest grade that counts as relevant; 0 where the measure does not ask.
        dcg: Spelling of gain and discount; empty where the measure has none.
    """

    name: str
    cutoff: int = 0
    rel: int = 0
    dcg: str = ""

    @property
    def family(self) -> Family:
        """What is known of the measure before its cutoff is chosen."""
        return _BY_NAME[self.name.lower()]

    @property
    def higher_is_better(self) -> bool:
        """The measure's direction."""
        return self.family.higher_is_better

    @property
    def best(self) -> float:
        """The value that no ranking can beat."""
        return 1.0 if self.higher_is_better else 0.0

    @property
    def worst(self) -> float:
        """The value that no ranking can fall below."""
        return 1.0 - self.best

    @property
    def short(self) -> str:
        """Name and cutoff without parameters, e.g. ``nDCG@10``; not unambiguous."""
        return f"{self.name}@{self.cutoff}" if self.cutoff else self.name

    def __str__(self) -> str:
        parameters = ""
        if self.rel > 1:
            parameters = f"(rel={self.rel})"
        if self.dcg:
            parameters = f"(dcg='{self.dcg}')"
        return f"{self.name}{parameters}@{self.cutoff}" if self.cutoff else f"{self.name}{parameters}"


def parse_measure(text: str, scale: Scale) -> Measure:
    """Read a measure's name; what it leaves out comes from *scale*.

    Raises:
        UnknownMeasureError: Naming what is wrong and the nearest known measure.
    """
    match = _NAME.fullmatch(text.strip())
    family = _BY_NAME.get(match["name"].lower()) if match else None
    if match is None or family is None:
        name = match["name"] if match else text.partition("@")[0]
        raise UnknownMeasureError(f"unknown measure {text!r}{_nearest_family(name)}")
    parameters = _parse_parameters(text, family, match["parameters"] or "")
    return Measure(
        family.name,
        cutoff=_parse_cutoff(text, family, match["cutoff"]),
        rel=_parse_rel(text, parameters.get("rel"), scale) if "rel" in family.parameters else 0,
        dcg=_parse_dcg(text, parameters.get("dcg"), scale) if "dcg" in family.parameters else "",
    )


def _nearest_family(name: str) -> str:
    return nearest(name, [spelling for family in FAMILIES for spelling in (family.name, *family.aliases[1:])])


def _parse_cutoff(text: str, family: Family, written: str | None) -> int:
    if written is None:
        if family.cutoff == "required":
            raise UnknownMeasureError(f"measure {text!r} needs a cutoff, for example {family.name}@10")
        return 0
    if family.cutoff == "none":
        raise UnknownMeasureError(f"measure {text!r} takes no cutoff; write {family.name}")
    if not (written.isascii() and written.isdecimal() and int(written) > 0):
        raise UnknownMeasureError(f"the cutoff of {text!r} must be a whole number of 1 or more, found {written!r}")
    return int(written)


def _parse_parameters(text: str, family: Family, written: str) -> dict[str, str]:
    parameters: dict[str, str] = {}
    for part in filter(str.strip, written.split(",")):
        match = _PARAMETER.fullmatch(part)
        if match is None:
            raise UnknownMeasureError(f"cannot read parameter {part.strip()!r} of {text!r}; expected name=value")
        if match["key"] not in family.parameters:
            known = nearest(match["key"], family.parameters) or "; it takes none"
            raise UnknownMeasureError(f"{family.name} has no parameter {match['key']!r}{known}")
        if match["key"] in parameters:
            raise UnknownMeasureError(f"parameter {match['key']!r} stands twice in {text!r}")
        parameters[match["key"]] = match["value"]
    return parameters


def _parse_rel(text: str, written: str | None, scale: Scale) -> int:
    if written is None:
        return scale.relevant_from
    if not (written.isascii() and written.isdecimal() and 1 <= int(written) <= scale.highest):
        raise UnknownMeasureError(
            f"rel of {text!r} must be a grade from 1 to {scale.highest}, found {written!r}",
        )
    return int(written)


def _parse_dcg(text: str, written: str | None, scale: Scale) -> str:
    if written is None:
        return DCG_OF_GAIN[scale.gain]
    if written not in GAIN_OF_DCG:
        raise UnknownMeasureError(f"unknown dcg {written!r} in {text!r}{nearest(written, GAIN_OF_DCG)}")
    return written


def locate(error: UnknownMeasureError, path: str, line: int, column: int) -> tuple[Problem, ...]:
    """Give the problems of *error* their place in a file."""
    return tuple(Problem(problem.message, path, line, column) for problem in error.problems)
