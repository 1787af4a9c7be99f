"""Anserini: Lucene's BM25 behind a REST server; ``anserini`` runs one of its classes."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rankgate.demo.corpus import Document
from tests.servers.support import Engine, Server, Service, ask, free_port, installed, process

#: The good index, and the one that somebody builds anew with other settings.
INDEXES: Final = {"good": (), "bad": ("-stemmer", "none", "-keepStopwords")}


@contextmanager
def serve(folder: Path, documents: Sequence[Document]) -> Iterator[Server]:
    """Build both indexes, and serve the folder that they are in."""
    (folder / "texts").mkdir()
    with (folder / "texts" / "docs.jsonl").open("w", encoding="utf-8") as file:
        for item in documents:
            file.write(json.dumps({"id": item.id, "contents": f"{item.title}\n{item.text}"}) + "\n")
    for name, settings in INDEXES.items():
        _index(folder, name, settings)
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [
        *(installed("anserini"), "io.anserini.api.RestServer"),
        *("--host", "127.0.0.1", "--port", str(port)),
    ]
    with process(command, folder, ready=lambda: ask("GET", f"{url}/v1/good/search?query=list&hits=1")) as end:
        yield Server(url, end)


def _index(folder: Path, name: str, settings: Sequence[str]) -> None:
    command = [
        *(installed("anserini"), "io.anserini.index.IndexCollection", "-collection", "JsonCollection"),
        *("-input", "texts", "-index", name, "-generator", "DefaultLuceneDocumentGenerator", "-threads", "1"),
        *settings,
    ]
    done = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
    )
    assert 0 == done.returncode, done.stdout + done.stderr


def configure(service: Service) -> Service:
    """Name the index."""
    return service | {"url": service["url"].replace("INDEX", "good")}


def mistaken(service: Service) -> Service:
    """Ask an index that is not there."""
    return service | {"url": service["url"].replace("/good/", "/nothing/")}


def worse(service: Service) -> Service:
    """Ask the index that knows no stems and keeps the stop words."""
    return service | {"url": service["url"].replace("/good/", "/bad/")}


ENGINE: Final = Engine(
    name="anserini-lucene",
    programs=("anserini",),
    preset="anserini",
    serve=serve,
    configure=configure,
    mistaken=mistaken,
    refusal="Unable to open index: nothing",
    worse=worse,
)
