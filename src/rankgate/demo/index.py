"""The demo's search index: one SQLite file with full-text search."""

import os
import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

from rankgate.demo.corpus import Document

_SCHEMA: Final = """
create table docs (id text primary key, title text not null, text text not null);
create virtual table stemmed using fts5 (title, text, content='docs', tokenize='porter unicode61');
create virtual table unstemmed using fts5 (title, text, content='docs', tokenize='unicode61');
"""
_REBUILD: Final = """
insert into stemmed (stemmed) values ('rebuild');
insert into unstemmed (unstemmed) values ('rebuild');
"""


def build(path: Path, documents: Iterable[Document]) -> None:
    """Write the index to *path*, replacing what was there only when the new one is complete.

    Args:
        path: The SQLite file to write; its folder must exist.
        documents: What to index; ids must be unique.

    Raises:
        sqlite3.Error: This Python's SQLite has no FTS5, or an id came twice.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    os.close(handle)
    unfinished = Path(name)
    try:
        _fill(unfinished, documents)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink()
        raise


def _fill(path: Path, documents: Iterable[Document]) -> None:
    """Create the tables in an empty file and index *documents*."""
    rows = ((document.id, document.title, document.text) for document in documents)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(_SCHEMA)
        with connection:
            connection.executemany("insert into docs values (?, ?, ?)", rows)
        connection.executescript(_REBUILD)
