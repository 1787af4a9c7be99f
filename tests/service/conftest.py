"""A real search service on this machine that answers whatever a test wants, faults included."""

import json
import os
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote

import pytest

from rankgate.core.rankings import Run
from rankgate.files.service_spec import ServiceSpec
from rankgate.service import exchange
from rankgate.service.client import Ask, measure


@dataclass(frozen=True)
class Received:
    """One request as the server got it."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return unquote(self.target.partition("?")[0], errors="strict")

    @property
    def params(self) -> dict[str, list[str]]:
        return parse_qs(self.target.partition("?")[2], keep_blank_values=True, errors="strict")

    @property
    def form(self) -> dict[str, list[str]]:
        return parse_qs(self.body.decode(), keep_blank_values=True, errors="strict")

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """What the server answers; with *raw* it writes to the connection itself."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: Callable[[BaseHTTPRequestHandler], None] | None = None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a body behind its head would wait 40 ms for an acknowledgement
    timeout = 5

    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        service = self.server.service
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value.encode("latin-1").decode() for name, value in self.headers.items()}
        request = Received(self.command, self.path, headers, body)
        with service.lock:
            service.requests.append(request)
        reply = service.respond(request)
        if reply.raw is not None:
            self.close_connection = True
            reply.raw(self)
            return
        self.send_response(reply.status)
        for name, value in {"Content-Type": "application/json", **reply.headers}.items():
            self.send_header(name, value)
        if reply.status != 204:
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    do_POST = do_PUT = do_QUERY = do_SEARCH = do_REPORT = do_GET  # noqa: N815 - named by http.server

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    service: "Service"
    daemon_threads = False
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is part of the tests."""


class _Server6(_Server):
    address_family = socket.AF_INET6


class Service:
    """The server; ``respond`` may be replaced at any time."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.requests: list[Received] = []
        self.respond: Callable[[Received], Reply] = lambda _: self.hits("d1", "d2")
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self.server = (_Server6 if ":" in host else _Server)((host, 0), _Handler)
        self.server.service = self
        self.port = self.server.server_address[1]
        self.address = f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"
        self._thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()

    # Asking.

    def spec(self, **changes: Any) -> ServiceSpec:
        """A spec for this server with short limits; *changes* as in ``ServiceSpec``."""
        spec = ServiceSpec(
            url=f"http://{self.address}/search",
            hits="hits",
            id="id",
            params={"q": "{query}"},
            connect_timeout=1.0,
            read_timeout=0.5,
            retries=1,
        )
        return replace(spec, **changes)

    def measure(self, *texts: str, depth: int = 10, **changes: Any) -> Run:
        """Ask for *texts*; the ids are q1, q2 and so on."""
        asks = [Ask(f"q{number}", text) for number, text in enumerate(texts or ("a",), start=1)]
        return measure(self.spec(**changes), asks, depth)

    def failure(self, *, depth: int = 10, **changes: Any) -> tuple[str, str]:
        """Ask one query that must fail; return kind and message."""
        run = self.measure("a", depth=depth, **changes)
        assert {} == run.rankings
        return str(run.failures["q1"].kind), run.failures["q1"].message

    # Answering.

    def always(self, reply: Reply) -> None:
        self.respond = lambda _: reply

    def in_turn(self, *replies: Reply) -> None:
        """Give *replies* one after the other, the last one for ever."""
        left = list(replies)

        def respond(_: Received) -> Reply:
            with self.lock:
                return left.pop(0) if len(left) > 1 else left[0]

        self.respond = respond

    @staticmethod
    def json(value: object, status: int = 200, **headers: str) -> Reply:
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        return Reply(json.dumps(value).encode(), status, named)

    @classmethod
    def hits(cls, *ids: object) -> Reply:
        return cls.json({"hits": [{"id": one} for one in ids]})

    @staticmethod
    def plain(text: str | bytes, status: int = 200, **headers: str) -> Reply:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return Reply(text.encode() if isinstance(text, str) else text, status, named)

    @staticmethod
    def wire(data: bytes, *, reset: bool = False) -> Reply:
        """Write *data* as it is and close, or reset, the connection."""

        def raw(handler: BaseHTTPRequestHandler) -> None:
            handler.wfile.write(data)
            handler.wfile.flush()
            if reset:
                linger = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)
                handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)

        return Reply(raw=raw)

    def slow(self, reply: Reply, seconds: float) -> Callable[[Received], Reply]:
        """Answer *reply* after *seconds*, or at once when the test is over."""

        def respond(_: Received) -> Reply:
            self.closing.wait(seconds)
            return reply

        return respond


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "FIRST_PAUSE", 0.01)


@pytest.fixture
def service() -> Iterator[Service]:
    """A service for one test."""
    running = Service()
    yield running
    running.close()


@pytest.fixture
def other_service() -> Iterator[Service]:
    """A second service, another origin."""
    running = Service()
    yield running
    running.close()


@pytest.fixture(scope="module")
def echo() -> Iterator[Service]:
    """A service for many examples of one property."""
    running = Service()
    yield running
    running.close()


@pytest.fixture
def closed_port() -> int:
    """A port on this machine on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
