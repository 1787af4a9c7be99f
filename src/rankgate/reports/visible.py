"""Characters that a reader cannot see, or that would act on a terminal, in a form that can be read.

Query texts and document ids come from files and services that nobody here controls: an escape sequence must not reach a
terminal, a line break must not forge a line, a bidirectional override must not turn a sentence round.
"""

import re
import unicodedata
from itertools import accumulate
from typing import Final

#: Fixed ranges rather than ``unicodedata`` categories: the same bytes under every Python.
_UNSEEN: Final = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0 and C1 controls: ESC, BEL, line breaks, CSI
    "\xad\u061c\u180e"  # soft hyphen, Arabic letter mark, Mongolian vowel separator
    "\u200b-\u200f"  # zero width, and the marks of direction
    "\u2028-\u202e"  # separators of lines and paragraphs, bidirectional embeddings and overrides
    "\u2060-\u206f"  # invisible operators, bidirectional isolates
    "\ud800-\udfff"  # halves of a pair
    "\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff"  # noncharacters, byte order mark, annotation marks
    "\U000e0000-\U000e007f"  # tags
    "]"
)

_LINE_COMMAND: Final = re.compile(r"^([^\S\n]*)::", re.MULTILINE)
_RUNNER_COMMAND: Final = re.compile(r"##(?=[a-z]*\[)")

#: Three full stops: every code page can print them.
ELLIPSIS: Final = "..."
#: No word of a language is as long; an id can be.
WORD: Final = 40
#: A cut text keeps its first and its last character.
NARROWEST: Final = len(ELLIPSIS) + 2


def visible(text: str) -> str:
    r"""Write what cannot be seen as Python would: ``\x1b``, ``\n``, ``\u202e``."""
    return _UNSEEN.sub(_written, text)


def _written(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def columns(text: str) -> int:
    """How many columns a terminal gives to *text*."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def middle(text: str, width: int) -> str:
    """Cut *text* in its middle to *width* columns: ids differ at either end more often than in between."""
    width = max(width, NARROWEST)
    if columns(text) <= width:
        return text
    kept = width - len(ELLIPSIS)
    head = _fitting(text, (kept + 1) // 2)
    tail = _fitting(text[::-1], kept // 2)[::-1]
    return f"{head}{ELLIPSIS}{tail}"


def shortened(sentence: str, width: int) -> str:
    """Cut *sentence* to *width* columns by its long words, which are data; as a whole only what is too long even so."""
    if columns(sentence) <= width:
        return sentence
    return middle(" ".join(middle(word, WORD) for word in sentence.split(" ")), width)


def _fitting(text: str, width: int) -> str:
    """The longest start of *text* that fits."""
    return text[: sum(used <= width for used in accumulate(map(_columns, text)))]


def inert(text: str) -> str:
    r"""Break what a CI runner would take for a command in a log: ``::error::`` at a line's start, ``##[``, ``##vso[``.

    The runners look past the indentation of a line, and for the second form anywhere in it.
    """
    return _RUNNER_COMMAND.sub(r"#\\x23", _LINE_COMMAND.sub(r"\1\\x3a:", text))


def inert_json(document: str) -> str:
    """As ``inert``, for JSON, where it can be done without loss."""
    return document.replace("##", "#\\u0023")


def inert_xml(document: str) -> str:
    """As ``inert``, for XML, where it can be done without loss."""
    return document.replace("##", "#&#35;")
