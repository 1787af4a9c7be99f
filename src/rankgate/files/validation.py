"""From pydantic's errors to problems with a place in the file, in our own words."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, ErrorDetails

from rankgate.errors import Problem, UnknownMeasureError, nearest
from rankgate.files.cures import key_cure, value_cure
from rankgate.files.yaml_source import Source
from rankgate.files.yaml_values import Loc, describe

# What was expected, by pydantic's type of error; filled from the error's context.
_EXPECTED = {
    "expected": "{expected}",
    **dict.fromkeys(("dict_type", "model_type"), "a mapping"),
    "list_type": "a list",
    "literal_error": "{expected}",
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
}
_OTHER = {
    "too_short": "needs {min_length} or more entries, has {actual_length}",
    "too_long": "may have {max_length} entries, has {actual_length}",
}
_NEEDS_QUOTES = re.compile(r"[\s.\[\]'\"]")
_BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}


class StrictModel(BaseModel):
    """The base of every model of a file: unknown keys are mistakes, values do not change."""

    # Deferred: a model within another is built with that one, and once.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler, /) -> JsonSchemaValue:
        """Give bounds after a type of ``fields`` their names in JSON Schema: pydantic writes ``ge`` there."""
        json_schema = handler(schema)
        _name_bounds(handler.resolve_ref_schema(json_schema))
        return json_schema


@dataclass(frozen=True, slots=True)
class _Fault:
    """One error of pydantic's, at home in the file.

    Attributes:
        loc: Where in the data, without the names that pydantic puts in for the members of a union.
        branch: The first union on the way and its member; None when there is none.
        expected: What a value of another kind would have to be; empty when the kind is right.
        message: What is wrong, when the kind is right.
        found: The value, described.
        at_key: The mistake is the key's.
    """

    loc: Loc
    branch: tuple[Loc, str | int] | None
    expected: str
    message: str
    found: str
    at_key: bool = False

    def __str__(self) -> str:
        return f"expected {self.expected}, found {self.found}" if self.expected else self.message


def problems(error: ValidationError, source: Source, model: type[BaseModel]) -> list[Problem]:
    """Return one problem for each mistake in *error*, in the order of their places.

    Args:
        error: From validating the value of *source* as *model*.
    """
    faults = [_fault(detail, source.value, model) for detail in error.errors(include_url=False)]
    return sorted(
        dict.fromkeys(_problem(fault, source) for fault in _one_per_value(faults)),
        key=lambda problem: (problem.line, problem.column),
    )


def dotted(loc: Loc) -> str:
    """Return the way to a value as a reader would write it: ``queries[3].judgments.SN-2231``."""
    text = ""
    for step in loc:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _NEEDS_QUOTES.search(step) or not step:
            text += f"[{describe(step)}]"
        else:
            text += f".{step}"
    return text.removeprefix(".")


def located(error: UnknownMeasureError, source: Source, loc: Loc) -> list[Problem]:
    """Give the problems of *error* the place of the key at *loc*."""
    return [Problem(problem.message, source.path, *source.key_place(loc)) for problem in error.problems]


def _problem(fault: _Fault, source: Source) -> Problem:
    line, column = source.key_place(fault.loc) if fault.at_key else source.place(fault.loc)
    owner = dotted(fault.loc[:-1] if fault.at_key else fault.loc)
    return Problem(f"{owner}: {fault}" if owner else str(fault), source.path, line, column)


def _fault(detail: ErrorDetails, value: object, model: type[BaseModel]) -> _Fault:
    kind, written = detail["type"], detail["loc"]
    context: dict[str, Any] = detail.get("ctx", {})
    found = describe(detail["input"])
    if kind == "missing":  # pydantic places it at the key that is not there
        loc, branch = _data_loc(written[:-1], value)
        message = f"the key {describe(written[-1])} is missing from the mapping that starts here"
        return _Fault(loc, branch, "", message, found)
    loc, branch = _data_loc(written, value)
    found += value_cure(str(loc[-1]) if loc else "", detail["input"])
    if kind == "extra_forbidden":
        key = str(loc[-1])
        meant = key_cure(key, detail["input"]) or nearest(key, _known_keys(model, loc[:-1]) - {key})
        message = f"unknown key {describe(key)}{meant}"
        return _Fault(loc, branch, "", message, found, at_key=True)
    wanted = _EXPECTED.get(kind, "").format_map(context)
    return _Fault(loc, branch, wanted, "" if wanted else _words(detail), found)


def _words(detail: ErrorDetails) -> str:
    context: dict[str, Any] = detail.get("ctx", {})
    if detail["type"] in _OTHER:
        return _OTHER[detail["type"]].format_map(context)
    return detail["msg"]


def _data_loc(written: Loc, value: object) -> tuple[Loc, tuple[Loc, str | int] | None]:
    """Return where pydantic's place is in the data, and the first step that is no place but a union's member."""
    loc: list[str | int] = []
    branch = None
    for step in written:
        try:
            value = value[step]  # type: ignore[index]  # what it is decides whether step is a place
        except (KeyError, IndexError, TypeError):
            branch = branch or (tuple(loc), step)
        else:
            loc.append(step)
    return tuple(loc), branch


def _one_per_value(faults: Iterable[_Fault]) -> Iterator[_Fault]:
    """Yield the faults; where a union has tried several members, those of the member that was probably meant."""
    unions: dict[Loc, dict[str | int, list[_Fault]]] = {}
    for fault in faults:
        if fault.branch is None:
            yield fault
        else:
            where, member = fault.branch
            unions.setdefault(where, {}).setdefault(member, []).append(fault)
    for where, members in unions.items():
        # A member fits when the value is of its kind and the mistake is further in.
        fitting = [own for own in members.values() if all(not f.expected or len(f.loc) > len(where) for f in own)]
        if fitting:
            yield from min(fitting, key=lambda own: (len(own), -max(len(fault.loc) for fault in own)))
        else:
            first, *others = (fault for own in members.values() for fault in own)
            choices = dict.fromkeys(fault.expected for fault in (first, *others))
            yield replace(first, expected=" or ".join(choices))


def _known_keys(model: type[BaseModel], loc: Loc) -> set[str]:
    """Return the keys that the mapping at *loc* may have."""
    annotations: list[Any] = [model]
    for step in loc:
        annotations = [deeper for annotation in annotations for deeper in _below(annotation, step)]
    members = (member for annotation in annotations for member in _members(annotation))
    return {key for member in members if _is_model(member) for key in _fields(member)}


def _below(annotation: Any, step: str | int) -> Iterator[Any]:
    for member in _members(annotation):
        if _is_model(member):
            if step in (fields := _fields(member)):
                yield fields[str(step)]
            elif extra := get_args(get_type_hints(member).get("__pydantic_extra__")):
                yield extra[-1]
        elif arguments := get_args(member):
            yield arguments[-1] if isinstance(step, str) else arguments[0]


def _members(annotation: Any) -> Iterator[Any]:
    """Yield what *annotation* stands for: the members of a union, without ``Annotated`` and aliases."""
    if hasattr(annotation, "__value__"):
        yield from _members(annotation.__value__)
    elif get_origin(annotation) is Annotated:
        yield from _members(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, UnionType):
        for member in get_args(annotation):
            yield from _members(member)
    else:
        yield annotation


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _fields(model: type[BaseModel]) -> dict[str, Any]:
    """Return the annotations of *model*'s fields."""
    return {name: field.annotation for name, field in model.model_fields.items()}


def _name_bounds(schema: Any) -> None:
    if isinstance(schema, dict):
        if schema.get("type") in ("integer", "number"):
            for theirs in _BOUNDS.keys() & schema:
                schema[_BOUNDS[theirs]] = schema.pop(theirs)
        for part in schema.values():
            _name_bounds(part)
    elif isinstance(schema, list):
        for part in schema:
            _name_bounds(part)
