"""Datasette: SQLite's full-text search behind a canned query, over a port."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rankgate.demo.corpus import Document
from rankgate.demo.index import build
from tests.servers.support import Engine, Server, Service, ask, free_port, installed, process, with_params

#: Any word of the query is enough, each quoted for the language of FTS5; no plugin is needed for that.
SQL: Final = """
select docs.id, docs.title, -bm25(stemmed, :title_weight, 1.0) as score, substr(docs.text, 1, 80) as snippet
from stemmed join docs on docs.rowid = stemmed.rowid
where stemmed match '"' || replace(replace(:q, '"', ''), ' ', '" OR "') || '"'
order by score desc, docs.id
limit :k offset :o
"""


@contextmanager
def serve(folder: Path, documents: Sequence[Document]) -> Iterator[Server]:
    """Index into one SQLite file, and serve it."""
    build(folder / "docs.db", documents)
    query = {"sql": SQL.strip(), "params": ["q", "k", "o", "title_weight"]}
    metadata = {"databases": {"docs": {"queries": {"search": query}}}}
    (folder / "metadata.json").write_text(json.dumps(metadata), encoding="utf-8")
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [
        *(installed("datasette"), "serve", "--immutable", "docs.db"),
        *("--metadata", "metadata.json", "--host", "127.0.0.1", "--port", str(port)),
    ]
    with process(command, folder, ready=lambda: ask("GET", f"{url}/-/versions.json")) as end:
        yield Server(url, end)


def configure(service: Service) -> Service:
    """Add the weight of the title."""
    return with_params(service, title_weight="5.0")


def worse(service: Service) -> Service:
    """Let a word in the title count for nothing."""
    return with_params(service, title_weight="0.0")


ENGINE: Final = Engine(
    name="datasette",
    programs=("datasette",),
    preset="datasette",
    serve=serve,
    configure=configure,
    mistaken=lambda service: with_params(service, k="many"),
    refusal="datatype mismatch",
    worse=worse,
)
