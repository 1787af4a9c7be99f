"""Mistakes of syntax in our own words: a parser says what it was about to do, a reader needs what to change."""

import re
from typing import Final

import yaml

from rankgate.errors import Problem
from rankgate.files.yaml_values import describe

MAX_DEPTH: Final = 100
TOO_DEEP: Final = f"nested too deeply: more than {MAX_DEPTH} levels"

_TAB = "a tab stands where YAML allows only spaces; indent with spaces"
_CANNOT_START = "unquoted text cannot start with {char}; put it in quotes"
_COLON = "a ':' stands where no key can end; check the indentation, or put the text in quotes"
_ENDS = "what starts in line {line} does not go on like this; check the indentation and the quotes"
_NEVER_CLOSED = "the quote that opens here is never closed"
_NOT_CLOSED = "the quote that opens here is not closed before the next '---' or '...'"
_BACKSLASH = "write \\\\ for a backslash, or use single quotes"
_SURROGATES = "this escape is half of a character, as in JSON; write the character itself, or \\U and its 8 digits"

_CONFLICT = re.compile(r"^(<<<<<<< |=======\r?$|>>>>>>> )", re.MULTILINE)

# What the parsers say (libyaml's words or the pure one's) and what we say; {line} is where the part began.
_SYNTAX = (
    ("nesting depth", TOO_DEEP),
    ("tab character", _TAB),
    ("mapping values are not allowed", _COLON),
    ("sequence entries are not allowed", "a list cannot start here; begin it in a line of its own"),
    ("unexpected end of stream", _NEVER_CLOSED),
    ("Unicode character escape code", _SURROGATES),
    ("escape character", "unknown escape in double quotes; " + _BACKSLASH),
    ("hexdecimal|escape sequence", "incomplete escape in double quotes; " + _BACKSLASH),
    (r"',' or '\]'", "the list that opens in line {line} needs ',' or ']' here"),
    ("',' or '}'", "the mapping that opens in line {line} needs ',' or '}}' here"),
    ("cannot start any token|alphabetic or numeric|node content", _CANNOT_START),
    ("expected ':'", "line {line} holds no ':' after its key; check the indentation, or put the text in quotes"),
    ("comment or (a )?line break", "text cannot follow '|' or '>' in its line; begin it in the next one, or quote it"),
    ("'-' indicator|expected key|block end|document start", _ENDS),
    ("document (indicator|separator)", _NOT_CLOSED),
    ("incompatible YAML", "only YAML 1 can be read; remove the line that starts with '%YAML'"),
    ("tag", "tags are not supported; put the text in quotes if the '!' belongs to it"),
)


def conflict_problem(text: str, path: str) -> Problem | None:
    """Return the first mark of a merge conflict that was left in the file, if there is one; no YAML begins so."""
    if "<<<<<<< " not in text and ">>>>>>> " not in text:
        return None
    mark = _CONFLICT.search(text)
    message = (
        "a merge conflict was left in the file; take one side, and remove the lines of <<<<<<<, ======= and >>>>>>>"
    )
    return Problem(message, path, *text_place(text, mark.start())) if mark else None


def syntax_problem(error: yaml.YAMLError, text: str, path: str) -> Problem:
    """Return what the parser found, in our own words."""
    if not isinstance(error, yaml.MarkedYAMLError) or not error.problem_mark:
        return Problem(f"not valid YAML: {error}", path)
    theirs, mark = error.problem or "", error.problem_mark
    start = error.context_mark or mark
    ours = next((ours for pattern, ours in _SYNTAX if re.search(pattern, f"{error.context}: {theirs}")), None)
    indent = text[text.rfind("\n", 0, mark.index) + 1 : mark.index + 1]
    char = text[mark.index : mark.index + 1]
    if char == "\t" or (indent.startswith("\t") and ours in (_COLON, _ENDS)):
        ours = _TAB
    elif not char and ours == _CANNOT_START:
        ours = "the file ends in the middle of a list or mapping"
    message = ours.format(char=describe(char), line=start.line + 1) if ours else f"not valid YAML: {theirs}"
    if ours in (_NEVER_CLOSED, _NOT_CLOSED):
        mark = start
    elif not char:  # the parser stands in a line that may not exist; the last text is where to look
        return Problem(message, path, *text_place(text, len(text.rstrip())))
    return Problem(message, path, mark.line + 1, mark.column + 1)


def text_place(text: str, index: int) -> tuple[int, int]:
    """Return line and column, from 1, of the character at *index*."""
    before = text[:index].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - before.rfind("\n")
