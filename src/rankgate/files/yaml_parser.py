"""From bytes to PyYAML's events or nodes: the same ones from its fast parser and from its pure one."""

import re
import warnings
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from typing import Any, Final, cast

import yaml
from yaml.events import ScalarEvent

from rankgate.errors import InputError, Problem
from rankgate.files.collector import collector_off
from rankgate.files.yaml_syntax import text_place

#: Whether PyYAML has its fast parser. The pure one reads the same files, many times slower.
LIBYAML: Final = hasattr(yaml, "CBaseLoader")
if not LIBYAML:  # pragma: no cover - every wheel of PyYAML has it
    warnings.warn("PyYAML was built without libyaml: YAML files load slowly", RuntimeWarning, stacklevel=2)

_LOADER: Any = yaml.CBaseLoader if LIBYAML else yaml.BaseLoader

# What YAML refuses, and the line separators of YAML 1.1: those would fold a text in two and shift every line number.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
_BYTE_ORDER_MARK = re.compile("(\\A|^---[ \t]*\r?\n)\ufeff", re.MULTILINE)
_SURROGATE = re.compile("[\ud800-\udfff]")


def decode(data: bytes, path: str, error: type[InputError]) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with a byte order mark."""
    wide = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if wide else "utf-8")
    except UnicodeDecodeError as exc:
        good = data[: exc.start].decode("utf-16" if wide else "utf-8", errors="ignore")
        found = f"byte 0x{data[exc.start]:02X} at offset {exc.start} is not {'UTF-16' if wide else 'UTF-8'}"
        raise error(Problem(f"{found}; save the file as UTF-8", path, *text_place(good, len(good)))) from None
    if "\ufeff" in text:
        text = _BYTE_ORDER_MARK.sub(r"\1", text)
    if bad := _FORBIDDEN.search(text):
        code = ord(bad[0])
        message = f"the character U+{code:04X} cannot stand in YAML; remove it, or write \\u{code:04x} in double quotes"
        raise error(Problem(message, path, *text_place(text, bad.start())))
    return text


def events(text: str) -> Callable[[], Any]:
    """Return a function that gives the parser's next event."""
    next_event: Callable[[], Any] = _LOADER(text).get_event
    if issubclass(_LOADER, yaml.parser.Parser):
        return lambda: _whole_characters(next_event())
    return next_event


def root_node(text: str) -> Any:
    """Return the node of the only document, with all that is in it; None when there is no document."""
    with collector_off():
        return _LOADER(text).get_single_node()


def _whole_characters(event: Any) -> Any:
    """Refuse what libyaml refuses by itself and the pure parser lets through."""
    if event.__class__ is ScalarEvent and _SURROGATE.search(event.value):
        mark = cast("yaml.Mark", event.start_mark)
        raise yaml.MarkedYAMLError(problem="found invalid Unicode character escape code", problem_mark=mark)
    return event
