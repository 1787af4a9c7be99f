"""A search service on this machine, a golden set in a folder, and the real command: all that a user has."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import parse_qs

#: Ends a run that hangs, which no test expects.
LIMIT_SECONDS: Final = 60.0

HEAD: Final = ("running shoes", "rain jacket", "wool socks", "trail map", "head torch", "water bottle")
JARGON: Final = ("gtx membrane", "drop 4mm", "vibram outsole", "merino 150", "r-value pad", "usb-c lamp")


@dataclass(frozen=True, slots=True)
class Request:
    """One request as the service got it."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The query that was asked for, in the URL or in the body."""
        found = parse_qs(self.target.partition("?")[2], keep_blank_values=True).get("q")
        return found[0] if found else str(json.loads(self.body)["q"])


@dataclass(frozen=True, slots=True)
class Fault:
    """How the service fails.

    Attributes:
        status: Of the answer.
        body: What it answers in place of hits.
        hangs: It never answers.
        echoes: It answers the request's own headers, address and body.
    """

    status: int = 200
    body: str = ""
    hangs: bool = False
    echoes: bool = False


class Search:
    """The service under test; everything about it may be changed between two runs.

    Attributes:
        rankings: The ids to answer, by query text; a text that is not there finds nothing.
        firsts: The ids to answer the first time that a text is asked, in place of its ranking.
        faults: How it fails, by query text; ``None`` stands for every text.
        requests: What was asked, in the order of arrival.
        asked: Set with the first request.
    """

    def __init__(self) -> None:
        self.rankings: dict[str, list[Any]] = {}
        self.firsts: dict[str, list[Any]] = {}
        self.faults: dict[str | None, Fault] = {}
        self.requests: list[Request] = []
        self.asked = threading.Event()
        self.closing = threading.Event()
        self.server = _Server(("127.0.0.1", 0), _Handler)
        self.server.search = self
        self._thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def answer(self, request: Request) -> tuple[int, str]:
        """Status and body for *request*."""
        self.requests.append(request)
        self.asked.set()
        fault = self.faults.get(request.text, self.faults.get(None))
        if fault is None:
            ranking = self.firsts.pop(request.text, self.rankings.get(request.text, []))
            hits = [{"id": document} for document in ranking]
            return 200, json.dumps({"hits": hits})
        if fault.hangs:
            self.closing.wait(LIMIT_SECONDS)
        if fault.echoes:
            seen = f"you sent {dict(request.headers)} to {request.target} with {request.body.decode()}"
            return fault.status, json.dumps({"error": {"reason": seen}})
        return fault.status, fault.body

    def close(self) -> None:
        """End it, and the requests that hang."""
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a body behind its head would wait 40 ms for an acknowledgement
    timeout = 10

    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        request = Request(self.command, self.path, dict(self.headers.items()), body)
        status, text = self.server.search.answer(request)
        answer = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_POST = do_GET  # noqa: N815 - named by http.server

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    search: Search
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is part of the tests."""


CONFIG: Final = """\
version: 1

service:
  url: {url}/search
  params: {{q: "{{query}}", k: "{{depth}}"}}
  hits: hits
  id: id
  retries: 0
  timeout: {{connect: 2, read: 2, run: 20}}

depth: 10
measures: [P@1, nDCG@10, R@10, ZeroResults]

gate:
  P@1: {{floor: 0.5, max_drop: 0.1}}
  nDCG@10: {{max_drop: 0.1}}
  ZeroResults: {{max_rise: 0.1}}
  lost_queries: {{max: 1}}

slices:
  jargon: {{min_queries: 6, gate: {{nDCG@10: {{max_drop: 0.2}}}}}}
"""


@dataclass(slots=True)
class Workspace:
    """A project that gates *search*: a config, two files of golden queries, and what rankgate adds.

    Attributes:
        root: Where commands are run.
        queries: Judgments by query text, by slice; written to disk by ``write``.
    """

    root: Path
    search: Search
    queries: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)

    @property
    def config(self) -> Path:
        """The config, where it is found by itself."""
        return self.root / "golden" / "rankgate.yaml"

    @property
    def baseline(self) -> Path:
        """The accepted run."""
        return self.root / "golden" / "baseline.jsonl"

    @property
    def last_run(self) -> Path:
        """What ``check`` keeps."""
        return self.root / "golden" / ".rankgate" / "last-run.jsonl"

    def file(self, slice_name: str) -> Path:
        """The golden file of a slice."""
        return self.root / "golden" / "queries" / f"{slice_name}.yaml"

    def write(self) -> None:
        """Write the golden files anew; JSON is YAML."""
        for slice_name, queries in self.queries.items():
            entries = [{"id": name(text), "text": text, "judgments": judgments} for text, judgments in queries.items()]
            document = json.dumps({"slice": slice_name, "queries": entries}, indent=2, ensure_ascii=False)
            put(self.file(slice_name), document)

    def configure(self, found: str, wanted: str) -> None:
        """Replace *found* in the config, which must be there once."""
        text = self.config.read_text(encoding="utf-8")
        assert 1 == text.count(found), found
        put(self.config, text.replace(found, wanted))

    def best(self) -> None:
        """Let the service answer every query rightly."""
        self.search.rankings = {text: right(text) for text in (*HEAD, *JARGON)}

    def worsen(self, *texts: str) -> None:
        """Push the right document of each text below two that nobody wants."""
        for text in texts:
            first, second, bad, *rest = right(text)
            self.search.rankings[text] = [bad, "ad-1", first, second, *rest]

    def snapshot(self) -> dict[str, str]:
        """A checksum of every file below the root."""
        files = (path for path in self.root.rglob("*") if path.is_file())
        return {
            str(path.relative_to(self.root)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)
        }


def name(text: str) -> str:
    """The id of the query with *text*."""
    return text.replace(" ", "-")


def right(text: str) -> list[str]:
    """The best ranking of the query with *text*: grades 3, 2, 0 and one that nobody judged."""
    return [f"{name(text)}-{number}" for number in (1, 2, 3, 4)]


def put(path: Path, text: str) -> Path:
    """Write *text* in UTF-8, with the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


@dataclass(frozen=True, slots=True)
class Result:
    """How a command ended."""

    code: int
    stdout: str
    stderr: str


class Rankgate(Protocol):
    """Runs the real command in a process of its own."""

    def __call__(self, *arguments: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> Result:
        """Run it and wait for its end."""


class Inside(Protocol):
    """Runs the command in this process, for facts that a process of its own adds nothing to."""

    def __call__(self, *arguments: str | Path) -> Result:
        """Run it in the workspace."""


@contextmanager
def started(
    workspace: Workspace, *arguments: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Start the command and hand over the process, which is ended at the latest with the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rankgate", *map(str, arguments)],
        cwd=cwd or workspace.root,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def ended(process: subprocess.Popen[bytes]) -> Result:
    """Wait for the end of *process*."""
    stdout, stderr = process.communicate(timeout=LIMIT_SECONDS)
    return Result(process.returncode, stdout.decode(errors="surrogateescape"), stderr.decode(errors="surrogateescape"))


def on_terminal(workspace: Workspace, *arguments: str, env: Mapping[str, str]) -> tuple[int, str]:
    """Run the command with a terminal for its stdout; the exit code, and what the terminal was sent."""
    ours, theirs = os.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "rankgate", *arguments],
            cwd=workspace.root,
            env={**os.environ, **env},
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # how Linux says that the last writer is gone
            while piece := os.read(ours, 65536):
                shown += piece
        return process.wait(LIMIT_SECONDS), shown.decode(errors="replace")
    finally:
        os.close(ours)


def interrupted(process: subprocess.Popen[bytes], search: Search) -> tuple[Result, float]:
    """Send Ctrl-C to *process* once it waits for an answer; the result, and how long it took to end."""
    assert search.asked.wait(LIMIT_SECONDS)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    return ended(process), time.monotonic() - begun
