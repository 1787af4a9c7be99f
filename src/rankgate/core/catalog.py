"""The measures by name: how a name is read and printed, and what it leaves out.

A name follows the notation of the ``ir_measures`` library: ``nDCG(dcg='exp-log2')@10``, ``P(rel=2)@3``, ``RR``.
Long names (``precision@1``, ``ndcg@10``, ``zero_result_rate``) are read too.
Parameters that a name leaves out come from the golden set's scale; the printed name always carries them, but for
``rel=1``, which ``ir_measures`` leaves out: in a set with another ``relevant_from``, write it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from rankgate.core.families import BY_NAME, FAMILIES, Family, Parameter
from rankgate.errors import UnknownMeasureError, nearest

Gain = Literal["exponential", "linear", "binary"]

#: The spelling of each gain in a measure's name.
DCG_OF_GAIN: Final[Mapping[Gain, str]] = {"exponential": "exp-log2", "linear": "log2", "binary": "binary-log2"}
GAIN_OF_DCG: Final[Mapping[str, Gain]] = {spelling: gain for gain, spelling in DCG_OF_GAIN.items()}


#: The largest grade that a scale may have.
MAX_GRADE: Final = 100
#: The largest weight of recall in F: beyond it F is recall, and its square leaves the range of numbers.
MAX_BETA: Final = 1000


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


_NAMES_IN_LOWER_CASE: Final = frozenset(family.name.lower() for family in FAMILIES)
_NAME: Final = re.compile(r"(?P<name>[A-Za-z_]+)\s*(?:\((?P<parameters>[^()]*)\))?\s*(?P<at>@\s*(?P<cutoff>[^@\s]*))?")
_WITHOUT_AT: Final = re.compile(r"(?P<name>[A-Za-z_]+)(?P<cutoff>[1-9][0-9]*)")
_PARAMETER: Final = re.compile(r"\s*(?P<key>\w+)\s*=\s*(?P<quote>['\"]?)(?P<value>[\w.+-]+)(?P=quote)\s*")


@dataclass(frozen=True, slots=True, order=True)
class Measure:
    """A function from (ranking, judgments) to a number, fully specified.

    Attributes:
        name: The family's name.
        cutoff: The last rank counted; 0 for none.
        rel: Lowest grade that counts as relevant; 0 where the measure does not ask.
        dcg: Spelling of gain and discount; empty where the measure has none.
        p: Persistence, between 0 and 1; 0 where the measure has none.
        beta: Weight of recall against precision, more than 0; 0 where the measure has none.
        max: The grade that satisfies best; 0 where the measure does not ask.
        judged_only: Unjudged documents are removed before ranks are counted.
    """

    name: str
    cutoff: int = 0
    rel: int = 0
    dcg: str = ""
    p: float = 0.0
    beta: float = 0.0
    max: int = 0
    judged_only: bool = False

    @property
    def family(self) -> Family:
        """What is known of the measure before its parameters are chosen."""
        return BY_NAME[self.name.lower()]

    @property
    def higher_is_better(self) -> bool:
        """The measure's direction."""
        return self.family.higher_is_better

    def high(self, depth: int) -> float:
        """The largest value there can be when *depth* documents are asked for; the least is 0."""
        return float(depth) if self.family.high is None else self.family.high

    def looks_at(self, depth: int) -> int:
        """How many documents of a ranking it looks at when *depth* are asked for."""
        return 1 if self.name == "ZeroResults" else self.cutoff or depth

    @property
    def short(self) -> str:
        """Name and cutoff without parameters, e.g. ``nDCG@10``; not unambiguous."""
        return f"{self.name}@{self.cutoff}" if self.cutoff else self.name

    def __str__(self) -> str:
        shown = ",".join(self._parameters())
        return f"{self.name}{f'({shown})' if shown else ''}{f'@{self.cutoff}' if self.cutoff else ''}"

    def _parameters(self) -> Iterator[str]:
        """The parameters as printed, by name; a default is left out where the field leaves it out."""
        if self.beta not in {0.0, 1.0}:
            yield f"beta={self.beta!r}"
        if self.dcg:
            yield f"dcg='{self.dcg}'"
        if self.judged_only:
            yield "judged_only=True"
        if self.max:
            yield f"max={self.max}"
        if self.p:
            yield f"p={self.p!r}"
        # Without it, RBP means another number in ir_measures: the one on graded gains.
        if self.rel > 1 or (self.rel and self.p):
            yield f"rel={self.rel}"


@lru_cache(maxsize=1024)
def parse_measure(text: str, scale: Scale) -> Measure:
    """Read a measure's name; what it leaves out comes from *scale*.

    Raises:
        UnknownMeasureError: Naming what is wrong and the nearest known measure.
    """
    match = _NAME.fullmatch(text.strip())
    family = BY_NAME.get(match["name"].lower()) if match else None
    if match is None or family is None:
        name = match["name"] if match else text.partition("@")[0]
        cut = _WITHOUT_AT.fullmatch(text.strip())
        if cut and (meant := BY_NAME.get(cut["name"].lower())) and meant.cutoff != "none":
            raise UnknownMeasureError(f"unknown measure {text!r}; did you mean '{meant.name}@{cut['cutoff']}'?")
        raise UnknownMeasureError(f"unknown measure {text!r}{nearest_family(name)}")
    parameters = _parse_parameters(text, family, match["parameters"] or "")
    cutoff = _parse_cutoff(text, family, match["cutoff"])
    values = {name: _READERS[name](text, parameters.get(name), scale) for name in family.parameters}
    return Measure(family.name, cutoff, **values)


def nearest_family(name: str) -> str:
    """The end of a message about *name*: the nearest name or long name, else all names."""
    aliases = (alias for family in FAMILIES for alias in family.aliases if alias not in _NAMES_IN_LOWER_CASE)
    return nearest(name, [*(family.name for family in FAMILIES), *aliases])


def _parse_cutoff(text: str, family: Family, written: str | None) -> int:
    if family.cutoff == "required" and not written:
        raise UnknownMeasureError(f"measure {text!r} needs a cutoff, for example {family.name}@10")
    if written is None:
        return 0
    if family.cutoff == "none":
        raise UnknownMeasureError(f"measure {text!r} takes no cutoff; write {family.name}")
    cutoff = _whole(written)
    if not cutoff:
        raise UnknownMeasureError(f"the cutoff of {text!r} must be a whole number of 1 or more, found {written!r}")
    return cutoff


def _whole(written: str) -> int | None:
    """A whole number of at most nine digits; nothing that is counted here has more."""
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 10 else None  # noqa: PLR2004


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
    rel = _whole(written)
    if rel is None or not 1 <= rel <= scale.highest:
        raise UnknownMeasureError(
            f"rel of {text!r} must be a grade from 1 to {scale.highest}, found {written!r}",
        )
    return rel


def _parse_dcg(text: str, written: str | None, scale: Scale) -> str:
    if written is None:
        return DCG_OF_GAIN[scale.gain]
    if written not in GAIN_OF_DCG:
        raise UnknownMeasureError(f"unknown dcg {written!r} in {text!r}{nearest(written, GAIN_OF_DCG)}")
    return written


def _parse_fraction(text: str, written: str | None, _: Scale) -> float:
    p = 0.8 if written is None else _number(written)
    if p is None or not 0 < p < 1:
        raise UnknownMeasureError(f"p of {text!r} must be between 0 and 1, found {written!r}")
    return p


def _parse_beta(text: str, written: str | None, _: Scale) -> float:
    beta = 1.0 if written is None else _number(written)
    if beta is None or not 0 < beta <= MAX_BETA:
        raise UnknownMeasureError(f"beta of {text!r} must be a number above 0, at most {MAX_BETA}, found {written!r}")
    return beta


def _parse_max(text: str, written: str | None, scale: Scale) -> int:
    largest = scale.highest if written is None else _whole(written)
    if largest is None or not scale.highest <= largest <= MAX_GRADE:
        raise UnknownMeasureError(
            f"max of {text!r} must be a grade from {scale.highest}, the largest of the scale, to {MAX_GRADE}, "
            f"found {written!r}"
        )
    return largest


def _parse_flag(text: str, written: str | None, _: Scale) -> bool:
    if written not in {None, "True", "False", "true", "false"}:
        raise UnknownMeasureError(f"judged_only of {text!r} must be True or False, found {written!r}")
    return written in {"True", "true"}


def _number(written: str) -> float | None:
    try:
        # Python's numbers may hold underscores and the digits of any script; nobody else's may.
        return float(written) if written.isascii() and "_" not in written else None
    except ValueError:
        return None


#: How each parameter of a name is read; one that is not written is None.
_READERS: Final[Mapping[Parameter, Callable[[str, str | None, Scale], Any]]] = {
    "rel": _parse_rel,
    "dcg": _parse_dcg,
    "p": _parse_fraction,
    "beta": _parse_beta,
    "max": _parse_max,
    "judged_only": _parse_flag,
}
