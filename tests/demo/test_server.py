"""The demo's search service, asked over HTTP as any other."""

import importlib.util
import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from rankgate.demo import server
from rankgate.demo.corpus import Document
from rankgate.demo.index import build
from rankgate.demo.server import DemoError, serve

pytest.importorskip("datasette")

from rankgate.demo.plugins.search_terms import NOTHING, all_terms, any_terms

HOSTILE = [
    "",
    *"?+*^-_\0",
    "NEAR(",
    'C++ "unterminated',
    "a AND",
    "x:y",
    "it's",
    "日本",
    " ".join(map(str, range(999))),
]


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """A demo that runs for all the tests of this file."""
    with serve() as base_url:
        yield base_url


@pytest.fixture
def small_index(tmp_path: Path) -> Path:
    """An index of one document, quick to build."""
    path = tmp_path / "docs.db"
    build(path, [Document("only.one", "only.one()", "the only document")])
    return path


def ask(url: str, query: str = "search", **parameters: object) -> list[dict[str, Any]]:
    """Get the rows that the service answers."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"{url}/docs/{query}.json?{urlencode(parameters | {'_shape': 'array'})}", timeout=10) as response:
        rows: list[dict[str, Any]] = json.load(response)
        return rows


def ends(url: str) -> bool:
    """Whether nothing answers at *url* any more, within five seconds."""
    for _ in range(100):
        try:
            ask(url, q="document")
        except HTTPException:
            pass  # it ended in the middle of this answer; the next one is not begun
        except OSError:
            return True
        time.sleep(0.05)
    return False


def ids(rows: list[dict[str, Any]]) -> list[str]:
    """The ranking in *rows*."""
    return [row["id"] for row in rows]


def test_the_obvious_answer_is_first(url: str) -> None:
    """A query in plain words finds the function that does it."""
    assert "heapq.merge" == ids(ask(url, q="merge sorted lists"))[0]


def test_best_comes_first(url: str) -> None:
    """Scores fall, and equal ones are in the order of their ids."""
    rows = ask(url, q="read csv file")
    keys = [(-row["score"], row["id"]) for row in rows]

    assert sorted(keys) == keys
    assert {"id", "title", "score", "snippet"} == set(rows[0])


def test_defaults_are_fifty_documents_and_title_weight_five(url: str) -> None:
    """A parameter that is absent or empty means its default."""
    plain = ask(url, q="string")

    assert 50 == len(plain)
    assert plain == ask(url, q="string", k="50", o="0", wt="5", match="any")
    assert plain == ask(url, q="string", k="", o="", wt="", match="")


def test_title_weight_changes_the_ranking(url: str) -> None:
    """The weight is what a relevance change of the demo turns."""
    assert ids(ask(url, q="sort a list", wt="0")) != ids(ask(url, q="sort a list", wt="50"))


def test_pages_continue_each_other(url: str) -> None:
    """Two pages of five are the first ten."""
    first, second = ask(url, q="string", k=5), ask(url, q="string", k=5, o=5)

    assert ask(url, q="string", k=10) == first + second


def test_more_than_a_thousand_rows_come_whole(url: str) -> None:
    """Datasette's usual limit on rows does not cut a deep ranking."""
    assert 1_000 < len(ask(url, q="string list object return", k=9_000))


def test_all_terms_find_fewer(url: str) -> None:
    """What has every word is among what has any."""
    every, some = (set(ids(ask(url, q="merge sorted lists", match=how, k=9_000))) for how in ("all", "any"))

    assert every < some


def test_stemming_finds_other_forms(url: str) -> None:
    """The stemmed query takes "merges" for "merge"; the unstemmed one does not."""
    assert "heapq.merge" in ids(ask(url, q="merges"))
    assert "heapq.merge" not in ids(ask(url, "search_unstemmed", q="merges"))


def test_no_query_finds_nothing(url: str) -> None:
    """A request without q is answered by an empty list."""
    assert [] == ask(url)


@pytest.mark.parametrize("match", ["any", "all"])
@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_a_syntax_error(url: str, text: str, match: str) -> None:
    """Whatever is typed is words to look for, never FTS5 syntax."""
    assert isinstance(ask(url, q=text, match=match), list)


@pytest.mark.parametrize("text", ["??", "+", " ", "_"])
def test_punctuation_finds_nothing(url: str, text: str) -> None:
    """A query without a word has no matches."""
    assert [] == ask(url, q=text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Merge sorted LISTS", '"merge" OR "sorted" OR "lists"'),
        ("how do I merge a list", '"merge" OR "list"'),
        ("how do I", '"how" OR "do" OR "i"'),
        ("move_to_end move_to_end", '"move_to_end"'),
        ('a "quoted* NEAR(', '"quoted" OR "near"'),
        ("Größe 日本", '"größe" OR "日本"'),
        ("?? _", NOTHING),
        ("", NOTHING),
        (None, NOTHING),
    ],
)
def test_text_becomes_quoted_words(text: str | None, expected: str) -> None:
    """Words are lowered, quoted and taken once; stop words go unless they are all there is."""
    assert expected == any_terms(text)
    assert expected.replace(" OR ", " AND ") == all_terms(text)


def test_two_demos_run_at_once(url: str, small_index: Path) -> None:
    """Each has its port and its files."""
    with serve(index=small_index) as other:
        assert url != other
        assert ["only.one"] == ids(ask(other, q="documents"))
        assert [] != ask(url, q="merge")


def test_the_service_ends_with_the_block(small_index: Path) -> None:
    """After an interruption nothing listens any more."""
    with pytest.raises(KeyboardInterrupt), serve(index=small_index) as base_url:
        raise KeyboardInterrupt

    assert ends(base_url)


def test_the_service_ends_when_its_parent_is_killed(small_index: Path) -> None:
    """A parent that cannot clean up leaves no service behind."""
    program = (
        "import sys, pathlib; from rankgate.demo.server import serve\n"
        "with serve(index=pathlib.Path(sys.argv[1])) as url: print(url, flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, str(small_index)]
    temporary = os.environ | dict.fromkeys(["TMPDIR", "TEMP", "TMP"], str(small_index.parent))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=temporary) as parent:
        assert parent.stdout is not None
        base_url = parent.stdout.readline().strip()
        assert ["only.one"] == ids(ask(base_url, q="document"))
        parent.kill()

    assert ends(base_url)


def test_a_port_in_use_is_named(small_index: Path) -> None:
    """A demo that cannot start says why, and does not take another's server for its own."""
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]

        with (
            pytest.raises(DemoError, match=r"port \d+ cannot be listened on: .*; --port 0 takes a free one"),
            serve(port, small_index),
        ):
            pass


def test_without_datasette_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    with pytest.raises(DemoError, match=r"pip install 'rankgate\[demo\]'"), serve():
        pass


def test_sqlite_without_full_text_search_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python whose SQLite lacks FTS5 gets an error of the demo's own."""

    def refuse(path: Path, pages: object) -> None:
        raise sqlite3.OperationalError("no such module: fts5")

    monkeypatch.setattr(server, "build", refuse)

    with pytest.raises(DemoError, match="no such module: fts5"), serve():
        pass


def test_a_server_that_is_not_there_does_not_answer() -> None:
    """A refused connection is no error while the service starts."""
    assert not server._answers("http://127.0.0.1:1")


def test_a_process_that_does_not_listen_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that ignores the request to end is ended by force."""
    monkeypatch.setattr(server, "STOP_SECONDS", 0.1)
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", deaf], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        server._end(process)

    assert process.returncode not in {None, 0}


def test_a_service_that_stays_silent_is_given_up(small_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting has an end, and the message has the output so far."""
    monkeypatch.setattr(server, "START_SECONDS", 0.5)
    silent = [sys.executable, "-c", "import time; print('still here'); time.sleep(60)"]
    monkeypatch.setattr(server, "_command", lambda folder, port: silent)

    with pytest.raises(DemoError, match=r"0\.5 seconds:\nstill here"), serve(index=small_index):
        pass
