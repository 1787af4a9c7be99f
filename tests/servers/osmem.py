"""osmem: an emulator of OpenSearch, for the language and the answers of OpenSearch and Elasticsearch."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from rankgate.demo.corpus import Document
from tests.servers.support import Engine, Server, Service, ask, free_port, installed, process

TEXT: Final = {"type": "text", "analyzer": "english"}
MAPPINGS: Final = {"mappings": {"properties": {"title": TEXT, "text": TEXT}}}


@contextmanager
def serve(folder: Path, documents: Sequence[Document]) -> Iterator[Server]:
    """Make an index, load it in one bulk request, and serve it."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [installed("osmem-server"), "-addr", f"127.0.0.1:{port}", "-no-stdin-watch"]
    with process(command, folder, ready=lambda: ask("GET", url)) as end:
        ask("PUT", f"{url}/docs", json=MAPPINGS)
        lines: list[dict[str, Any]] = []
        for item in documents:
            lines += {"index": {"_index": "docs", "_id": item.id}}, {"title": item.title, "text": item.text}
        answer = ask(
            "POST",
            f"{url}/_bulk?refresh=true",
            headers={"Content-Type": "application/x-ndjson"},
            content="".join(f"{json.dumps(line)}\n" for line in lines),
        )
        assert answer.json()["errors"] is False
        yield Server(url, end)


def query(*fields: str) -> Service:
    """Search *fields*, each with its boost."""
    return {"multi_match": {"query": "{query}", "fields": list(fields)}}


def configure(service: Service) -> Service:
    """Put the index and the query in place of the preset's."""
    return service | {
        "url": service["url"].replace("products", "docs"),
        "body": service["body"] | {"query": query("title", "text^2")},
    }


def worse(service: Service) -> Service:
    """Turn the boosts around: a word in the title counts most."""
    return service | {"body": service["body"] | {"query": query("title^3", "text")}}


def mistaken(service: Service) -> Service:
    """Ask an index that is not there."""
    return service | {"url": service["url"].replace("docs", "nothing")}


ENGINES: Final = tuple(
    Engine(
        name=f"{preset}-emulator",
        programs=("osmem-server",),
        preset=preset,
        serve=serve,
        configure=configure,
        mistaken=mistaken,
        refusal="no such index [nothing]",
        worse=worse,
    )
    for preset in ("opensearch", "elasticsearch")
)
