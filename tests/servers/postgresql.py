"""PostgreSQL's full-text search behind PostGraphile: SQL ranks, GraphQL asks."""

import csv
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path
from typing import Final

import httpx

from rankgate.demo.corpus import Document
from tests.servers.support import Engine, Server, Service, ask, free_port, installed, process

SCHEMA: Final = r"""
create table docs (
    id text collate "C" primary key,
    title text not null,
    text text not null,
    words tsvector generated always as (
        setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', text), 'D')
    ) stored
);
\copy docs (id, title, text) from docs.csv csv
create index on docs using gin (words);
create type hit as (id text, title text, score real);
"""

#: Any word of the query is enough. The weights are those of the parts D, C, B and A; 1 divides by the length's logarithm.
FUNCTION: Final = """
create or replace function search(q text) returns setof hit stable language sql as $$
    select id, title, ts_rank('{weights}', words, wanted, 1) as score
    from docs, to_tsquery('simple', replace(plainto_tsquery('english', q)::text, '&', '|')) as wanted
    where words @@ wanted
    order by score desc, id
$$;
"""
#: The text counts as much as the title.
GOOD: Final = "{1.0, 0.4, 0.2, 1.0}"
#: What PostgreSQL takes where no weights are given.
BAD: Final = "{0.1, 0.2, 0.4, 1.0}"


@contextmanager
def serve(folder: Path, documents: Sequence[Document]) -> Iterator[Server]:
    """Start a database and fill it, and start PostGraphile in front of it."""
    with (folder / "docs.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(map(astuple, documents))
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with _database() as database:
        _execute(database, folder, SCHEMA + _function(GOOD))
        command = [
            *(installed("postgraphile"), "--connection", database, "--schema", "public"),
            *("--host", "127.0.0.1", "--port", str(port), "--disable-graphiql"),
        ]
        with process(command, folder, ready=lambda: _ask_nothing(url)) as end:
            yield Server(url, end, worsen=lambda: _execute(database, folder, _function(BAD)))


@contextmanager
def _database() -> Iterator[str]:
    """A cluster of its own that trusts who comes from this machine; its address."""
    user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
    with tempfile.TemporaryDirectory(prefix="rankgate-postgresql-") as name:
        folder, port = Path(name), free_port()
        if user:
            shutil.chown(folder, user)
        made = subprocess.run(
            [installed("initdb"), "-D", "data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "-N"],
            cwd=folder,
            user=user,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert 0 == made.returncode, made.stderr
        address = f"postgres://postgres@127.0.0.1:{port}/postgres"
        command = [
            *(installed("postgres"), "-D", "data", "-p", str(port), "-k", name),
            *("-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"),
        ]
        # SIGINT is its fast shutdown: clients are disconnected.
        with process(command, folder, user=user, stop=signal.SIGINT, ready=lambda: _execute(address, folder, "")):
            yield address


def _execute(address: str, folder: Path, statements: str) -> None:
    """Run *statements*.

    Raises:
        OSError: The database is not there, or one failed.
    """
    done = subprocess.run(
        [installed("psql"), "--no-psqlrc", "-q", "-v", "ON_ERROR_STOP=1", "-d", address],
        cwd=folder,
        input=statements,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        raise OSError(done.stderr)


def _function(weights: str) -> str:
    return FUNCTION.replace("{weights}", weights)


def _ask_nothing(url: str) -> httpx.Response:
    return ask("POST", f"{url}/graphql", json={"query": "{ __typename }"})


def mistaken(service: Service) -> Service:
    """Ask for a field that the rows do not have."""
    return service | {"graphql": {"query": service["graphql"]["query"].replace("title", "nothing")}}


ENGINE: Final = Engine(
    name="postgresql-postgraphile",
    programs=("initdb", "postgres", "psql", "postgraphile"),
    preset="postgraphile",
    serve=serve,
    configure=lambda service: service,  # its function has the name and the columns of the preset's
    mistaken=mistaken,
    refusal='Cannot query field "nothing" on type "Hit"',
)
