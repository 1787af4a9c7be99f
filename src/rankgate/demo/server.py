"""The demo's search service: Datasette over the index, in a process of its own on the loopback address.

``/docs/search.json?q=merge+sorted+lists&_shape=array`` answers an array of ``{id, title, score, snippet}``, best first.

===== ========================================================== =======
name  meaning                                                    default
===== ========================================================== =======
q     what the user typed; nothing finds nothing
k     how many documents to answer                               50
o     how many of the best to leave out first                    0
wt    weight of the title, where the text has 1                  5
match ``any`` word of the query is enough, or ``all`` are needed ``any``
===== ========================================================== =======

``/docs/search_unstemmed.json`` is the same over an index that tells "merges" from "merge".
"""

import importlib.util
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rankgate.demo.corpus import documents
from rankgate.demo.index import build

START_SECONDS: Final = 15.0
STOP_SECONDS: Final = 5.0
OUTPUT_LINES: Final = 20

_PLUGINS: Final = Path(__file__).with_name("plugins")
_LISTENING: Final = re.compile(r"running on (http://127\.0\.0\.1:[0-9]+)")
_SETTINGS: Final = {"max_returned_rows": 10_000, "sql_time_limit_ms": 5_000}

# Datasette passes a parameter that the URL does not have as an empty string.
_SEARCH: Final = """
select docs.id, docs.title, -bm25({table}, cast(coalesce(nullif(:wt, ''), '5') as real), 1.0) as score,
       substr(docs.text, 1, instr(docs.text || char(10), char(10)) - 1) as snippet
from {table} join docs on docs.rowid = {table}.rowid
where {table} match iif(:match = 'all', all_terms(:q), any_terms(:q))
order by score desc, docs.id
limit max(0, cast(coalesce(nullif(:k, ''), '50') as integer))
offset max(0, cast(coalesce(nullif(:o, ''), '0') as integer))
"""


class DemoError(Exception):
    """The demo's search service cannot be started."""


@contextmanager
def serve(port: int = 0, index: Path | None = None) -> Iterator[str]:
    """Run the demo's search service for the length of a ``with`` block.

    The service ends with the block, and also when this process is killed.

    Args:
        port: Where to listen on 127.0.0.1; 0 for a free port.
        index: A file that :func:`rankgate.demo.index.build` wrote; built from this Python's documentation when absent.

    Yields:
        The base URL, such as ``http://127.0.0.1:54321``.

    Raises:
        DemoError: Datasette or SQLite's full-text search is not installed, or the service did not start.
    """
    if importlib.util.find_spec("datasette") is None:
        raise DemoError("the demo needs Datasette, which is not installed: pip install 'rankgate[demo]'")
    _refuse_taken(port)
    with tempfile.TemporaryDirectory(prefix="rankgate-demo-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        _prepare(folder, index)
        with (folder / "output.txt").open("wb") as output:
            service = subprocess.Popen(  # noqa: S603 - this Python, and arguments made here
                _command(folder, port),
                cwd=folder,
                env=os.environ | {"PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"},
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        with service:
            try:
                yield _wait_until_ready(service, folder / "output.txt")
            finally:
                _end(service)


def metadata() -> dict[str, object]:
    """Describe the service to Datasette: its titles and its two queries."""
    parameters = ["q", "k", "o", "wt", "match"]
    queries = {
        name: {"sql": _SEARCH.format(table=table).strip(), "params": parameters, "title": title}
        for name, table, title in [
            ("search", "stemmed", "Search the documentation"),
            ("search_unstemmed", "unstemmed", "Search the documentation for exact words"),
        ]
    }
    return {"title": "rankgate demo", "databases": {"docs": {"queries": queries}}}


def _prepare(folder: Path, index: Path | None) -> None:
    """Put the index and the metadata into *folder*."""
    (folder / "metadata.json").write_text(json.dumps(metadata()), encoding="utf-8")
    database = folder / "docs.db"  # Datasette's URLs follow the file's name
    if index is not None:
        shutil.copyfile(index, database)
        return
    try:
        build(database, documents())
    except sqlite3.OperationalError as error:
        raise DemoError(f"this Python's SQLite {sqlite3.sqlite_version} cannot index the demo: {error}") from error


def _refuse_taken(port: int) -> None:
    """Say it before Datasette would, which ends with a dump."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise DemoError(
                f"port {port} cannot be listened on: {error.strerror}; --port 0 takes a free one"
            ) from error


def _command(folder: Path, port: int) -> list[str]:
    """Write the command line that serves *folder*."""
    settings = [word for name, value in _SETTINGS.items() for word in ("--setting", name, str(value))]
    return [
        *(sys.executable, "-m", "datasette", "serve", "--immutable", str(folder / "docs.db")),
        *("--host", "127.0.0.1", "--port", str(port)),
        *("--metadata", str(folder / "metadata.json"), "--plugins-dir", str(_PLUGINS)),
        *settings,
    ]


def _wait_until_ready(process: subprocess.Popen[bytes], output: Path) -> str:
    """Return the URL that the process listens on, once it answers there."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        # Its own words tell the port; asking a fixed one could reach some other program that has it.
        listening = _LISTENING.search(output.read_text(encoding="utf-8", errors="replace"))
        if listening and _answers(listening[1]):
            return listening[1]
        if process.poll() is not None:
            raise DemoError(f"the demo's search service ended with code {process.returncode}:\n{_tail(output)}")
        time.sleep(0.05)
    raise DemoError(f"the demo's search service did not answer in {START_SECONDS:g} seconds:\n{_tail(output)}")


def _answers(url: str) -> bool:
    """Whether Datasette responds at *url*."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(f"{url}/-/versions.json", timeout=START_SECONDS) as response:
            return "datasette" in json.load(response)
    except (OSError, ValueError):
        return False


def _tail(output: Path) -> str:
    """Return the last lines that the process wrote."""
    lines = output.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(lines[-OUTPUT_LINES:])


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process: asked first, then by force, also when interrupted meanwhile."""
    process.terminate()
    try:
        process.wait(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        pass
    finally:
        process.kill()
        process.wait()
