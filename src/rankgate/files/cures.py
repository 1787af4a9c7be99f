"""What to write instead, for values that are often written wrong: the end of the message that says what was found."""

import re
from collections.abc import Mapping
from typing import Final

from rankgate.files.yaml_values import Plain

_GRADE: Final = re.compile(r"(.+):([-+]?[0-9]+)")
_PERCENT: Final = re.compile(r"[0-9.]+ ?%")
_COMMA: Final = re.compile(r"([0-9]+),([0-9]+)")
#: The limits in points of which there is a relative one too.
_RELATIVE: Final = frozenset({"max_drop", "max_rise"})
#: Mappings that are often given as their most usual value.
_FORMS: Final[Mapping[str, str]] = {"lost_queries": "max", "timeout": "read"}


def value_cure(key: str, value: object) -> str:
    """What to write in place of *value*, which is no value for *key*; empty where that is not known."""
    if isinstance(value, Mapping):
        (name, given), *others = value.items() or [("", "")]
        placeholder = str(name).isidentifier() and not given and not others
        return f'; a placeholder needs quotes: "{{{name}}}"' if placeholder else ""
    if not value and (match := _GRADE.fullmatch(key)):
        return f"; a blank is missing after the colon: {match[1]}: {match[2]}"
    if not isinstance(value, str) or type(value) not in {str, Plain}:  # an expanded variable may be a secret
        return ""
    if key in _RELATIVE and _PERCENT.fullmatch(value):
        return f"; a limit relative to the baseline is {key}_rel: {value}"
    if match := _COMMA.fullmatch(value):
        return f"; write {match[1]}.{match[2]}"
    if key in _FORMS and re.fullmatch(r"[0-9.]+", value):
        return f"; write {key}: {{{_FORMS[key]}: {value}}}"
    return ""


def key_cure(key: str, value: object) -> str:
    """What to write in place of *key*, which nobody knows; empty where that is not known."""
    if not value and key.isdecimal():
        return "; a decimal point is '.', and ',' parts two entries: 0.02"
    if not value and (match := _GRADE.fullmatch(key)):
        return f"; a blank is missing after the colon: {match[1]}: {match[2]}"
    return ""
