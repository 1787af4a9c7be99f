"""What a YAML file holds: text as it was written, and what it means where the core schema decides.

What a scalar means is mostly decided by the field that it is for (``fields``); ``resolve`` is for values that no field
knows more about.
"""

import math
import re
from collections.abc import Mapping
from typing import Final

from rankgate.core.judgments import JsonValue

YamlValue = str | list["YamlValue"] | dict[str, "YamlValue"] | None
Loc = tuple[str | int, ...]

#: The key that adds the keys of another mapping, unless it is in quotes.
MERGE: Final = "<<"

_SHOWN = 60

# The core schema of YAML 1.2, section 10.3.2.
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGERS = ((re.compile("[-+]?[0-9]+"), 10), (re.compile("0o[0-7]+"), 8), (re.compile("0x[0-9a-fA-F]+"), 16))
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NO_NUMBER = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


class Plain(str):
    """An unquoted scalar, exactly as written; quoted and block scalars are ``str`` itself."""

    __slots__ = ()


def resolve(value: object) -> JsonValue:
    """Return what *value* means in JSON by the core schema of YAML 1.2; quoted text stays text.

    Raises:
        ValueError: A number that JSON does not have (infinite, not a number), or a value that is none of YAML's.
    """
    if isinstance(value, Plain):
        return _resolve_plain(str(value))
    if isinstance(value, Mapping):
        return {str(key): resolve(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [resolve(item) for item in value]
    if isinstance(value, float):
        return _finite(value, str(value))
    if value is None or isinstance(value, str | int):
        return value
    raise ValueError(f"a {type(value).__name__} has no form in JSON")


def describe(value: object) -> str:
    """Return *value* for a message: a container by its kind, anything else as written, at most 60 characters."""
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list | tuple | set | frozenset):
        return "a list"
    if value is None or (isinstance(value, Plain) and not value):
        return "nothing"
    text = repr(value[:_SHOWN]) if isinstance(value, str) else repr(value)
    cut = len(text) > _SHOWN or (isinstance(value, str) and len(value) > _SHOWN)
    return f"{text[: _SHOWN - 1]}…" if cut else text


def _resolve_plain(text: str) -> JsonValue:
    if text in _WORDS:
        return _WORDS[text]
    for pattern, base in _INTEGERS:
        if pattern.fullmatch(text):
            return int(text.replace("0o", "").replace("0x", ""), base)
    if FLOAT.fullmatch(text):
        return _finite(float(text), text)
    return _finite(math.nan, text) if _NO_NUMBER.fullmatch(text) else text


def _finite(number: float, text: str) -> float:
    if not math.isfinite(number):
        raise ValueError(f"JSON has no number {describe(text)}; put it in quotes if it is text")
    return number
