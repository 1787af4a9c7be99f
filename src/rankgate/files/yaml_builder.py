"""From the parser's events to values, in which every scalar is still text.

PyYAML's own constructors would turn ``no``, ``0123`` and ``12:30`` into something else, keep the last of two equal keys
without a word, and take several times as long.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from rankgate.errors import Problem
from rankgate.files.yaml_syntax import MAX_DEPTH, TOO_DEEP
from rankgate.files.yaml_values import MERGE, Plain, YamlValue, describe

MAX_ALIASED: Final = 1_000_000

_STR_TAG = "tag:yaml.org,2002:str"


class _StopReadingError(Exception):
    """The rest of the file is not worth reading, or not safe to read; the problem is recorded."""


class _Plains(dict[str, Plain]):
    """Each unquoted scalar once, because grades repeat."""

    def __missing__(self, text: str) -> Plain:
        plain = self[text] = Plain(text)
        return plain


class Builder:
    """Builds the value from parser events and records a problem for whatever is not allowed here.

    Reading goes on after a problem, so the value is good only when there is none.
    """

    def __init__(self, next_event: Callable[[], Any], path: str) -> None:
        self.problems: list[Problem] = []
        self.starts: dict[int, Any] = {}
        self._next = next_event
        self._path = path
        self._plains = _Plains()
        self._anchors: dict[str, tuple[YamlValue, int]] = {}
        self._open: set[str] = set()
        self._depth = 0
        self._size = 0  # values so far, an alias counted as all that it stands for
        self._aliased = 0

    def document(self) -> YamlValue:
        """Return the only document's value; None when there is no document, nothing in it, or a reason to stop."""
        with suppress(_StopReadingError):
            return self._only_document()
        return None

    def _only_document(self) -> YamlValue:
        value: YamlValue = None
        started = False
        while (event := self._next()).__class__ is not StreamEndEvent:
            if event.__class__ is DocumentStartEvent:
                if started:
                    self._stop(event, "a second document starts here; a file holds only one: remove the '---'")
                started = True
                value = self._node(self._next())
        return None if isinstance(value, Plain) and not value else value

    def _refuse(self, event: Any, message: str) -> None:
        mark = event.start_mark
        self.problems.append(Problem(message, self._path, mark.line + 1, mark.column + 1))

    def _stop(self, event: Any, message: str) -> None:
        self._refuse(event, message)
        raise _StopReadingError

    def _node(self, event: Any) -> YamlValue:
        if event.__class__ is AliasEvent:
            return self._alias(event)
        if event.tag not in (None, _STR_TAG):
            tag = describe(event.tag)
            self._refuse(event, f"tags are not supported, found {tag}; put the text in quotes if the '!' belongs to it")
        if event.anchor is None:
            return self._content(event)
        return self._anchored(event, event.anchor)

    def _anchored(self, event: Any, anchor: str) -> YamlValue:
        if anchor in self._anchors or anchor in self._open:
            self._refuse(event, f"the anchor {describe('&' + anchor)} is given twice; rename one of them")
        before = self._size
        self._open.add(anchor)
        value = self._content(event)
        self._open.discard(anchor)
        self._anchors[anchor] = value, self._size - before
        return value

    def _alias(self, event: Any) -> YamlValue:
        anchor = event.anchor
        alias = describe("*" + anchor)
        if anchor in self._open:
            self._refuse(event, f"the alias {alias} stands within what it stands for")
        if anchor not in self._anchors:
            if anchor not in self._open:
                hint = "put the text in quotes if the '*' belongs to it"
                self._refuse(event, f"the alias {alias} has no anchor {describe('&' + anchor)} before it; {hint}")
            return None
        value, size = self._anchors[anchor]
        self._size += size
        self._aliased += size
        if self._aliased > MAX_ALIASED:
            self._stop(event, f"the aliases up to here stand for more than {MAX_ALIASED:,} values; use fewer")
        return value

    def _content(self, event: Any) -> YamlValue:
        if event.__class__ is ScalarEvent:
            self._size += 1
            quoted: str = event.value
            return quoted if event.style or event.tag else self._plains[quoted]
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._stop(event, TOO_DEEP)
        value = self._mapping(event) if event.__class__ is MappingStartEvent else self._sequence()
        self._depth -= 1
        return value

    def _sequence(self) -> list[YamlValue]:
        result: list[YamlValue] = []
        next_event, plains = self._next, self._plains
        while (event := next_event()).__class__ is not SequenceEndEvent:
            if event.__class__ is ScalarEvent and event.anchor is None and event.tag is None:
                result.append(event.value if event.style else plains[event.value])
            else:
                result.append(self._node(event))
        self._size += len(result) + 1
        return result

    def _mapping(self, start: Any) -> dict[str, YamlValue]:
        result: dict[str, YamlValue] = {}
        first: list[Any] = []  # the keys' events, in the order of result
        merged: dict[str, YamlValue] = {}
        next_event, plains = self._next, self._plains
        while (event := next_event()).__class__ is not MappingEndEvent:
            simple = event.__class__ is ScalarEvent and event.anchor is None and event.tag is None
            key: str = event.value if simple else self._key(event)
            value: YamlValue
            content = next_event()
            if content.__class__ is ScalarEvent and content.anchor is None and content.tag is None:
                value = content.value if content.style else plains[content.value]
            else:
                value = self._node(content)
            if key == MERGE and simple and not event.style:
                merged = self._merge(event, value) | merged
            elif key in result:
                line = first[list(result).index(key)].start_mark.line + 1
                self._refuse(event, f"the key {describe(key)} is given twice, first in line {line}; remove one of them")
            else:
                result[key] = value
                first.append(event)
        if merged:
            result = merged | result
        self._size += len(result) + 1
        self.starts[id(result)] = start.start_mark
        return result

    def _key(self, event: Any) -> str:
        """Return the key of an event that is more than a scalar; unlike any other where it cannot be one."""
        key = self._node(event)
        if isinstance(key, str):
            return str(key)
        if key is not None:
            self._refuse(event, f"a key must be text, found {describe(key)}; put it in quotes if it is meant as text")
        return f"\0{event.start_mark.index}"

    def _merge(self, event: Any, value: YamlValue) -> dict[str, YamlValue]:
        """Return what the key ``<<`` adds; of several mappings the first wins."""
        merged: dict[str, YamlValue] = {}
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                merged = item | merged
            elif item is not None:
                found = f"'<<' adds the keys of another mapping, found {describe(item)}"
                self._refuse(event, f"{found}; put the '<<' in quotes if it is a key of its own")
        return merged
