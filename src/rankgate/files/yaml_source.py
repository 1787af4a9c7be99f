"""YAML as it was written: every scalar stays text, every mistake has its place.

The way of a file: ``yaml_parser`` makes events of its bytes, ``yaml_builder`` makes values of them (``yaml_values``),
``yaml_syntax`` puts what the parser refuses in words, ``yaml_places`` finds where a value stands. What a scalar means
is decided later, by the field that it is for (``fields``).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from os.path import abspath
from pathlib import Path
from typing import Any

import yaml

from rankgate.errors import InputError, Problem, reason
from rankgate.files.collector import collector_off
from rankgate.files.yaml_builder import Builder
from rankgate.files.yaml_parser import decode, events
from rankgate.files.yaml_places import Nodes, node_place
from rankgate.files.yaml_syntax import conflict_problem, syntax_problem
from rankgate.files.yaml_values import Loc, YamlValue, describe

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_HALVES = re.compile(r"(?<!\\)((?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_HASH_WORD = re.compile(r"[ \t]+(#\S.*)")


@dataclass(frozen=True, slots=True)
class Source:
    """One file's content and where each part of it stands.

    Attributes:
        path: As the user would write it.
        value: Scalars are ``Plain`` or ``str``, keys always ``str``; None for an empty file.
        text: The decoded file, without its byte order mark.
    """

    path: str
    value: YamlValue
    text: str = field(repr=False)
    _starts: Mapping[int, Any] = field(repr=False, compare=False)
    _nodes: Nodes = field(repr=False, compare=False)

    def place(self, loc: Loc) -> tuple[int, int]:
        """Return line and column, from 1, of the value at *loc*, else of its deepest ancestor that exists.

        The first call reads the text a second time; what an alias stands for is placed at its anchor.
        """
        return node_place(self._nodes.find(loc)[1])

    def key_place(self, loc: Loc) -> tuple[int, int]:
        """Return line and column, from 1, of the key at the end of *loc*; where there is no key, as ``place``."""
        key, node = self._nodes.find(loc)
        return node_place(key or node)

    def mapping_place(self, mapping: Mapping[str, YamlValue]) -> tuple[int, int]:
        """Return line and column, from 1, where *mapping* starts; it must be one of the objects within ``value``.

        Costs next to nothing, unlike ``place``.
        """
        mark = self._starts[id(mapping)]
        return mark.line + 1, mark.column + 1


def read(path: Path, error: type[InputError]) -> Source:
    """Load the YAML file at *path*.

    Raises:
        InputError: Of the given type, with everything that is wrong with the file.
    """
    shown = _shown(path)
    if path.is_dir():
        raise error(Problem("expected a file, found a directory", shown))
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise error(Problem("there is no such file", shown)) from None
    except (OSError, ValueError) as exc:
        raise error(Problem(f"the file cannot be read: {reason(exc)}", shown)) from exc
    return parse(data, shown, error)


def parse(data: bytes, path: str, error: type[InputError]) -> Source:
    """Load YAML that was read from *path*.

    Raises:
        InputError: Of the given type, with everything that is wrong with the file.
    """
    text = _with_whole_characters(decode(data, path, error))
    if conflict := conflict_problem(text, path):
        raise error(conflict)
    builder = Builder(events(text), path)
    value: YamlValue = None
    with collector_off():
        try:
            value = builder.document()
        except yaml.YAMLError as exc:
            builder.problems.append(syntax_problem(exc, text, path))
    if builder.problems:
        raise error(sorted(builder.problems, key=lambda problem: (problem.line, problem.column)))
    return Source(path, value, text, builder.starts, Nodes(text))


def _with_whole_characters(text: str) -> str:
    """Join the halves in which JSON writes a character beyond the basic plane; YAML's escapes know no halves."""
    if not _HALVES.search(text):
        return text
    return _QUOTED.sub(lambda quoted: _HALVES.sub(_joined, quoted[0]), text)


def _joined(halves: re.Match[str]) -> str:
    both = chr(int(halves[2], 16)) + chr(int(halves[3], 16))
    return halves[1] + both.encode("utf-16", "surrogatepass").decode("utf-16")


def comments_after_text(source: Source) -> list[Problem]:
    """Return a warning for each unquoted ``text`` that a ``#`` seems to have cut short."""
    if not _HASH_WORD.search(source.text):
        return []
    found = []
    for node in source._nodes.texts():  # noqa: SLF001 - same module
        comment = _HASH_WORD.match(source.text, node.end_mark.index)
        if comment and not node.style:
            left = f"only {describe(node.value)} is" if node.value else "nothing is"
            message = f"{left} left of the text: {describe(comment[1])} is a comment; put the text in quotes to keep it"
            found.append(Problem(message, source.path, *node_place(node)))
    return sorted(found, key=lambda problem: (problem.line, problem.column))


def _shown(path: Path) -> str:
    """Return *path* relative to the working directory where it is below it."""
    here = Path.cwd()
    full = Path(abspath(path))  # noqa: PTH100 - resolve() would show where links lead, which is not what was typed
    return str(full.relative_to(here)) if full.is_relative_to(here) else str(path)
