"""Datasette plugin: SQL functions that turn what a person typed into a safe FTS5 expression."""
# ruff: noqa: INP001 - Datasette loads a folder of plugins file by file

import re
import sqlite3
from typing import Final

from datasette import hookimpl

STOP_WORDS: Final = frozenset(
    """
    a an and any are as at be by can do does for from get has have how i if in into is it its me my of on or our should
    so some than that the their them then there these this to using was we what when where which who why will with you
    your
    """.split()  # noqa: SIM905 - easier to read and to change than as many quoted words
)
NOTHING: Final = '""'  # an empty phrase: valid FTS5 that no document matches


def any_terms(text: str | None) -> str:
    """Write an expression for documents with at least one of the words of *text*."""
    return " OR ".join(_terms(text)) or NOTHING


def all_terms(text: str | None) -> str:
    """Write an expression for documents with every word of *text*."""
    return " AND ".join(_terms(text)) or NOTHING


def _terms(text: str | None) -> list[str]:
    """Quote each word once, without stop words unless there are no others."""
    # An underscore alone is a word character to Python and nothing to FTS5.
    words = [word for word in re.findall(r"\w+", str(text or "").lower()) if word.strip("_")]
    telling = [word for word in words if word not in STOP_WORDS]
    return [f'"{word}"' for word in dict.fromkeys(telling or words)]


@hookimpl  # type: ignore[untyped-decorator]
def prepare_connection(conn: sqlite3.Connection) -> None:
    """Give the functions to each connection that Datasette opens."""
    conn.create_function("any_terms", 1, any_terms, deterministic=True)
    conn.create_function("all_terms", 1, all_terms, deterministic=True)
