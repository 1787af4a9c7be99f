"""The JSON Schemas of what is written as JSON, from the records that it is written from, so that they follow them."""

import inspect
import json
import re
from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from rankgate.core.verdict import Outcome
from rankgate.reports import calibration_json, trend_json
from rankgate.reports.json import FORMAT
from rankgate.reports.records.report import Facts

_PLAIN: Final[Mapping[object, str]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}

#: Where the report is written otherwise than the facts are held: the whole of what ``reports.json`` adds and turns.
_IDS: Final[Mapping[str, Any]] = {"type": "array", "items": {"type": "string"}}
_NOTES: Final[Mapping[str, Any]] = {"type": "object", "additionalProperties": {"type": "string"}}
_WRITTEN: Final[Mapping[str, Mapping[str, Any]]] = {
    "format": {"const": FORMAT, "description": "Of this form; another number is another form."},
    "tool": {"const": "rankgate"},
    "verdict": {"enum": [outcome.value.upper() for outcome in Outcome]},
    "worst": _IDS,
    "weakest": _IDS,
    "notes": {**_NOTES, "description": "Facts about how the run was obtained."},
    "baseline_notes": {**_NOTES, "description": "Facts about how the baseline was obtained."},
}
_LEFT_OUT: Final = frozenset({"outcome"})  # which the verdict is made of

#: The JSON of the gate, of ``trend`` and of ``calibrate``.
KINDS: Final = ("report", "trend", "calibration")


def text(kind: str = "report") -> str:
    """The schema of one of ``KINDS`` as JSON, draft 2020-12."""
    parts: dict[str, Any] = {}
    if kind == "report":
        schema, title = _report(parts), "A report of rankgate"
    else:
        document = {"trend": trend_json.Document, "calibration": calibration_json.Document}[kind]
        schema, title = _record(document, parts), f"The JSON of rankgate {'trend' if kind == 'trend' else 'calibrate'}"
    schema |= {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": parts, "title": title}
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


def _report(parts: dict[str, Any]) -> dict[str, Any]:
    """The schema of the facts as ``reports.json`` writes them."""
    report = _record(Facts, parts)
    properties = {name: part for name, part in report["properties"].items() if name not in _LEFT_OUT}
    for name, part in _WRITTEN.items():
        described = {key: value for key, value in properties.get(name, {}).items() if key == "description"}
        properties[name] = {**described, **part}
    return report | {"properties": properties, "required": sorted(properties)}


def _record(record: type[Any], parts: dict[str, Any]) -> dict[str, Any]:
    """The schema of a record; those of the records in it go to *parts*."""
    summary, about = _described(record)
    hints = get_type_hints(record)
    names = [field.name for field in fields(record)]
    properties = {name: _schema(hints[name], parts) for name in names}
    for name, sentence in about.items():
        properties[name] = {**properties[name], "description": sentence}
    return {
        "type": "object",
        "description": summary,
        "properties": properties,
        "required": sorted(names),
        "additionalProperties": False,
    }


def _schema(kind: Any, parts: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type that a record may have."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in {Union, UnionType}:
        return _either([_schema(each, parts) for each in arguments])
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema(arguments[1], parts)}
    if origin is tuple and arguments[1:] == (...,):
        return {"type": "array", "items": _schema(arguments[0], parts)}
    if origin is tuple:
        items = [_schema(each, parts) for each in arguments]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    if issubclass(kind, StrEnum):
        return {"enum": [member.value for member in kind]}
    if kind.__name__ not in parts:
        parts[kind.__name__] = {}  # a record that holds itself would end here
        parts[kind.__name__] = _record(kind, parts)
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _either(choices: list[dict[str, Any]]) -> dict[str, Any]:
    """One of several, written as shortly as they allow."""
    if all(choice.keys() == {"type"} for choice in choices):
        return {"type": [choice["type"] for choice in choices]}
    if all(choice.keys() <= {"enum", "type"} and choice.get("type", "null") == "null" for choice in choices):
        return {"enum": [value for choice in choices for value in choice.get("enum", [None])]}
    return {"anyOf": choices}


def _described(record: type[Any]) -> tuple[str, dict[str, str]]:
    """The sentences of a record's docstring: what it is, and what its fields are."""
    summary, _, attributes = inspect.cleandoc(record.__doc__ or "").partition("\n\nAttributes:\n")
    entries = re.findall(r"^ {4}(\w+): (.+(?:\n {8}.+)*)", attributes, re.MULTILINE)
    return _one_line(summary), {name: _one_line(sentence) for name, sentence in entries}


def _one_line(text: str) -> str:
    """JSON has null where Python has None."""
    return re.sub(r"\bNone\b", "null", " ".join(text.split())).replace("*", "").replace("``", "'")
