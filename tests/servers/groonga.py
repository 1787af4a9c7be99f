"""Groonga: a search engine in C, whose answer is made of arrays without names."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from rankgate.demo.corpus import Document
from tests.servers.support import Engine, Server, Service, ask, free_port, installed, process, with_params

SCHEMA: Final = (
    "table_create?name=Docs&flags=TABLE_HASH_KEY&key_type=ShortText",
    "column_create?table=Docs&name=title&flags=COLUMN_SCALAR&type=ShortText",
    "column_create?table=Docs&name=text&flags=COLUMN_SCALAR&type=Text",
    "table_create?name=Terms&flags=TABLE_PAT_KEY&key_type=ShortText&default_tokenizer=TokenBigram&normalizer=NormalizerAuto",
    "column_create?table=Terms&name=title&flags=COLUMN_INDEX|WITH_POSITION&type=Docs&source=title",
    "column_create?table=Terms&name=text&flags=COLUMN_INDEX|WITH_POSITION&type=Docs&source=text",
)


@contextmanager
def serve(folder: Path, documents: Sequence[Document]) -> Iterator[Server]:
    """Start it with an empty database; make the tables and load the documents over HTTP."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [
        *(installed("groonga"), "--bind-address", "127.0.0.1", "-p", str(port), "--protocol", "http"),
        *("-s", "-n", str(folder / "docs.db")),
    ]
    with process(command, folder, ready=lambda: ask("GET", f"{url}/d/status")) as end:
        for step in SCHEMA:
            assert result("GET", f"{url}/d/{step}") is True, step
        rows = [{"_key": item.id, "title": item.title, "text": item.text} for item in documents]
        assert len(documents) == result("POST", f"{url}/d/load?table=Docs", json=rows)
        yield Server(url, end)


def result(method: str, url: str, json: object = None) -> Any:
    """What a command of Groonga answers, after the header of the answer."""
    return ask(method, url, json=json).json()[1]


def configure(service: Service) -> Service:
    """Say what the columns weigh, and that what a user typed is no program."""
    return with_params(service, match_columns="title * 5 || text", query_flags="QUERY_NO_SYNTAX_ERROR")


def worse(service: Service) -> Service:
    """Let the title count for nothing."""
    return with_params(service, match_columns="text")


ENGINE: Final = Engine(
    name="groonga",
    programs=("groonga",),
    preset="groonga",
    serve=serve,
    configure=configure,
    mistaken=lambda service: with_params(service, match_columns="nothing"),
    refusal="unknown identifier: <nothing>",
    worse=worse,
)
