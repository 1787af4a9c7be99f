"""Typesense: a search engine in C++, with its key in a header."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Final

from rankgate.demo.corpus import Document
from tests.servers.support import KEY, Engine, Server, Service, ask, free_port, installed, process, with_params

HEADERS: Final = {"X-TYPESENSE-API-KEY": KEY}
FIELDS: Final = [{"name": "title", "type": "string"}, {"name": "text", "type": "string"}]


@contextmanager
def serve(folder: Path, documents: Sequence[Document]) -> Iterator[Server]:
    """Make a collection, import into it, and serve it."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    (folder / "data").mkdir()
    command = [
        *(installed("typesense-server"), "--data-dir", str(folder / "data"), "--api-key", KEY),
        *("--api-address", "127.0.0.1", "--api-port", str(port)),
        *("--peering-address", "127.0.0.1", "--peering-port", str(free_port())),
    ]
    with process(command, folder, ready=lambda: ask("GET", f"{url}/health")) as end:
        ask("POST", f"{url}/collections", headers=HEADERS, json={"name": "docs", "fields": FIELDS})
        lines = "\n".join(json.dumps(asdict(item)) for item in documents)
        answer = ask("POST", f"{url}/collections/docs/documents/import", headers=HEADERS, content=lines)
        assert {'{"success":true}'} == set(answer.text.splitlines())
        yield Server(url, end)


def configure(service: Service) -> Service:
    """Name the collection and the fields, and say how much a document may miss of the query."""
    return with_params(
        service | {"url": service["url"].replace("products", "docs")},
        query_by="title,text",
        num_typos="1",  # with two, a dataframe is a datagram, and a golden query expects nothing
        drop_tokens_threshold="50",  # words are left out of the query until this many documents are found
    )


def worse(service: Service) -> Service:
    """Leave words out only until one document is found, as is the engine's own default."""
    return with_params(service, drop_tokens_threshold="1")


ENGINE: Final = Engine(
    name="typesense",
    programs=("typesense-server",),
    preset="typesense",
    serve=serve,
    configure=configure,
    mistaken=lambda service: with_params(service, query_by="nothing"),
    refusal="Could not find a field named `nothing` in the schema",
    worse=worse,
)
