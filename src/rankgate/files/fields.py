"""Field types for models of YAML files: what an unquoted scalar means is decided by the field that it is for.

``text: no`` is the text "no", ``floor: 1e-3`` the number 0.001, ``grade: 0.9`` a mistake. Callers from Python may pass
native values as well. The messages are our own; ``validation`` adds their places.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, Field, JsonValue, ValidationError, WithJsonSchema
from pydantic_core import InitErrorDetails, PydanticCustomError

from rankgate.files.yaml_values import FLOAT, Loc, Plain, describe, resolve

_WHOLE = re.compile("[-+]?[0-9]+")
_PERCENT = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?%")
_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_FLAGS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


def expected(what: str, found: object) -> PydanticCustomError:
    """Return the error for a validator to raise: expected *what*, found *found*."""
    return PydanticCustomError(
        "expected", "expected {expected}, found {found}", {"expected": what, "found": describe(found)}
    )


def refused(message: str) -> PydanticCustomError:
    """Return the error for a validator to raise on a value that is of the right type and still wrong."""
    return PydanticCustomError("refused", "{message}", {"message": message})


def _text(value: object) -> str:
    if isinstance(value, str):
        return str(value)
    raise expected("text", value)


def _non_empty_text(value: object) -> str:
    text = _text(value)
    if not text.strip():
        raise refused("must not be empty")
    return text


def _texts(value: object) -> str | list[str]:
    if not isinstance(value, list):
        return _text(value)
    faults = [
        InitErrorDetails(type=expected("text", item), loc=(index,), input=item)
        for index, item in enumerate(value)
        if not isinstance(item, str)
    ]
    if faults:
        raise _errors("texts", faults)
    return [str(item) for item in value]


def _integer(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        if not isinstance(value, Plain):
            raise expected("a whole number without quotes", value)
        try:
            return int(value)
        except ValueError:  # thousands of digits
            raise expected("a whole number of a sensible size", value) from None
    raise expected("a whole number", value)


def _number(value: object) -> float:
    number = math.nan
    if isinstance(value, str) and FLOAT.fullmatch(value):
        if not isinstance(value, Plain):
            raise expected("a number without quotes", value)
        number = float(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        with suppress(OverflowError):
            number = float(value)
    if not math.isfinite(number):
        raise expected("a number", value)
    return number


def _day(value: object) -> str:
    if isinstance(value, str) and _DAY.fullmatch(value):
        with suppress(ValueError):
            return date.fromisoformat(value).isoformat()
    raise expected("a date such as 2026-10-01", value)


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in _FLAGS:
        if not isinstance(value, Plain):
            raise expected("true or false without quotes", value)
        return _FLAGS[value]
    raise expected("true or false", value)


def _percent(value: object) -> float:
    fraction: float = math.nan
    if isinstance(value, str) and (match := _PERCENT.fullmatch(value)):
        fraction = float(Decimal(match[1]) / 100)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        fraction = value
    if not 0 < fraction <= 1:
        raise expected("a percentage above 0% and up to 100%, such as 5%", value)
    return float(fraction)


def _json(value: object) -> JsonValue:
    try:
        return resolve(value)
    except ValueError:
        raise _errors("json", _json_faults(value)) from None


def _json_faults(value: object, loc: Loc = ()) -> Iterator[InitErrorDetails]:
    if isinstance(value, Mapping | list | tuple):
        for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from _json_faults(item, (*loc, key))
        return
    try:
        resolve(value)
    except ValueError as exc:
        yield InitErrorDetails(type=refused(str(exc)), loc=loc, input=value)


def _judgments(value: object) -> object:
    """Return grades by document id; many at once, because a golden set has hundreds of thousands."""
    if not isinstance(value, Mapping):
        raise expected("a mapping of document ids to grades", value)
    grades = value.values()
    if set(map(type, grades)) == {Plain} and all(grades) and "" not in value:
        digits = "".join(grades)
        if len(digits) == len(value) and digits.isascii() and digits.isdecimal():
            return dict(zip(value, map(int, grades), strict=True))
    return _each_judgment(value)


def _each_judgment(value: Mapping[object, object]) -> dict[object, int]:
    result = {}
    faults = []
    for document, grade in value.items():
        try:
            if document == "":
                raise refused("the document id must not be empty")
            result[document] = _integer(grade)
        except PydanticCustomError as exc:
            faults.append(InitErrorDetails(type=exc, loc=(str(document),), input=grade))
    if faults:
        raise _errors("judgments", faults)
    return result


def _errors(title: str, faults: Iterable[InitErrorDetails]) -> ValidationError:
    """Return one error for several places within a value; pydantic puts the value's own place before theirs."""
    return ValidationError.from_exception_data(title, list(faults))


#: Any text, the empty one too.
Text = Annotated[str, BeforeValidator(_text)]

#: A text, or several under one name.
Texts = Annotated[str | list[str], BeforeValidator(_texts)]

#: Text with something in it besides blanks.
NonEmptyText = Annotated[str, BeforeValidator(_non_empty_text), Field(json_schema_extra={"pattern": r"\S"})]

#: A whole number in decimal digits. Bounds may follow: ``Annotated[Integer, Field(ge=1)]``.
Integer = Annotated[int, BeforeValidator(_integer)]

#: A finite number. Bounds may follow, as for ``Integer``.
Number = Annotated[float, BeforeValidator(_number)]

#: A day that the calendar has, as in ``2026-10-01``; kept as text.
Day = Annotated[str, BeforeValidator(_day), Field(json_schema_extra={"pattern": f"^{_DAY.pattern}$"})]

#: ``true`` or ``false``.
Flag = Annotated[bool, BeforeValidator(_flag)]

#: A share written as ``5%``, kept as 0.05; a number given from Python is the share itself.
Percent = Annotated[
    float,
    BeforeValidator(_percent),
    WithJsonSchema({"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)? ?%$", "examples": ["5%"]}),
]

#: Whatever JSON can hold.
JsonField = Annotated[JsonValue, BeforeValidator(_json)]

#: Whole grades by document id.
Judgments = Annotated[dict[str, int], BeforeValidator(_judgments)]
