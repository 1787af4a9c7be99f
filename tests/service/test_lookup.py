"""Whether the index has a document: yes, no, or nobody told."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import pytest

from rankgate.errors import ConfigError
from rankgate.files.service_spec import Lookup, Secret, ServiceSpec
from rankgate.service.lookup import Existence, existing

if TYPE_CHECKING:
    from tests.service.conftest import Received, Reply, Service

SECRET: Final = "hunter2-hunter2"


def spec(service: "Service", path: str = "", url: str = "/doc/{id}", **changes: Any) -> ServiceSpec:
    """A service that can be asked for a document."""
    return service.spec(exists=Lookup(f"http://{service.address}{url}", path), retries=0, **changes)


def told(service: "Service", *documents: str, path: str = "", **changes: Any) -> Existence:
    return existing(spec(service, path, **changes), documents)


def test_a_document_is_there_or_it_is_not(service: "Service") -> None:
    """200 and 404; each is asked for once, with GET, whatever the search itself needs."""
    service.respond = lambda r: service.plain("", 404) if r.path == "/doc/b" else service.plain("any words")

    assert Existence(missing=frozenset({"b"})) == told(
        service, "a", "b", "c", "a", method="POST", params={"q": "{query}"}, body={"x": "{query}"}
    )
    assert [("GET", "/doc/a", b""), ("GET", "/doc/b", b""), ("GET", "/doc/c", b"")] == sorted(
        (request.method, request.target, request.body) for request in service.requests
    )


@pytest.mark.parametrize(
    ("answer", "path", "there"),
    [
        ({"found": True}, "found", True),
        ({"found": False}, "found", False),
        ({"other": 1}, "found", False),
        ({"docs": [{"id": 1}]}, "docs", True),
        ({"docs": []}, "docs", False),
        ({"hits": {"total": 0}}, "hits.total > `0`", False),
        (None, "@", False),
    ],
)
def test_a_path_says_whether_it_is_there(service: "Service", answer: object, path: str, there: bool) -> None:
    """An empty or false value is no; so is 404, whatever its body says."""
    service.always(service.json(answer))
    assert Existence(missing=frozenset() if there else frozenset({"a"})) == told(service, "a", path=path)

    service.always(service.json({"found": True}, 404))
    assert Existence(missing=frozenset({"a"})) == told(service, "a", path=path)


def test_without_a_path_any_success_is_a_yes(service: "Service") -> None:
    """No content is one too: there is nothing to read."""
    service.always(service.plain("", 204))

    assert Existence() == told(service, "a")


ANSWERS: Final[dict[str, tuple[Callable[["Service"], "Reply"], str]]] = {
    "500": (lambda s: s.json({"error": "boom"}, 500), 'status 500 ({"error": "boom"})'),
    "401": (lambda s: s.plain("", 401), "status 401"),
    "410": (lambda s: s.plain("gone", 410), "status 410 (gone)"),
    "HTML": (lambda s: s.plain("<html><title>Log in</title>"), "the answer is HTML, not JSON"),
    "empty": (lambda s: s.plain(""), "the answer is empty"),
    "closed": (lambda s: s.wire(b""), "the connection broke: "),
    "another origin": (lambda s: s.plain("", 302, Location="http://x.invalid/doc/a"), "another origin"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_what_is_no_answer_is_neither_yes_nor_no(service: "Service", name: str) -> None:
    """Nobody is told that a document is gone because a service failed; the first reason is kept, with the request."""
    reply, reason = ANSWERS[name]
    service.always(reply(service))

    found = told(service, "a", "b", path="found", concurrency=1)

    assert (frozenset(), frozenset({"a", "b"})) == (found.missing, found.unknown)
    assert found.reason.startswith(f"GET http://{service.address}/doc/a: ")
    assert reason in found.reason


def test_a_service_that_is_down_is_given_up(closed_port: int, service: "Service") -> None:
    """Ten requests without a connection are enough for a hundred documents."""
    lookup = Lookup(f"http://127.0.0.1:{closed_port}/doc/{{id}}")
    tried: list[tuple[int, int]] = []
    documents = frozenset(f"d{number}" for number in range(100))

    found = existing(
        service.spec(exists=lookup, retries=0, concurrency=1),
        documents,
        progress=lambda done, total: tried.append((done, total)),
    )

    assert (frozenset(), documents) == (found.missing, found.unknown)
    assert found.reason.endswith(": connection refused")
    assert [(number, 100) for number in range(1, 11)] == tried


def test_a_service_that_drops_some_connections_is_not_given_up(service: "Service") -> None:
    """Only ten in a row are too many: here every other document is told."""
    service.respond = lambda r: service.wire(b"") if r.path[-1] in "13579" else service.plain("", 404)

    found = told(service, *(f"d{number:02}" for number in range(30)), concurrency=1)

    assert {f"d{number:02}" for number in range(0, 30, 2)} == found.missing
    assert {f"d{number:02}" for number in range(1, 30, 2)} == found.unknown


def test_the_whole_search_is_limited(service: "Service") -> None:
    """A service that never answers; what was told until then stays told."""
    service.respond = lambda r: service.plain("", 404) if r.path == "/doc/a" else service.slow(service.plain("x"), 9)(r)

    assert Existence(
        missing=frozenset({"a"}),
        unknown=frozenset({"b", "c"}),
        reason="not told within 0.2 s; raise service.timeout.run",
    ) == told(service, "a", "b", "c", run_timeout=0.2, read_timeout=5.0, concurrency=1)


@pytest.mark.parametrize(
    ("document", "target"),
    [
        ("a b", "/doc/a%20b"),
        ("a/b", "/doc/a%2Fb"),
        ("../secret", "/doc/..%2Fsecret"),
        ("..", "/doc/%2E%2E"),
        (".", "/doc/%2E"),
        ("a?b=c&d#e", "/doc/a%3Fb%3Dc%26d%23e"),
        ("100%", "/doc/100%25"),
        ("caf\u00e9 \U0001f600", "/doc/caf%C3%A9%20%F0%9F%98%80"),
        ("{query}", "/doc/%7Bquery%7D"),
    ],
)
def test_an_id_is_escaped_for_the_address(service: "Service", document: str, target: str) -> None:
    """It cannot leave its place, and arrives as it is."""
    assert Existence() == told(service, document)
    assert [target] == [request.target for request in service.requests]
    assert f"/doc/{document}" == service.requests[0].path


def test_the_headers_of_the_service_are_sent_too(service: "Service") -> None:
    """Credentials among them; those of an address go into a header."""
    told(service, "a", headers={"X-Api-Key": SECRET, "Accept-Language": "{locale}"}, defaults={"locale": "de"})
    existing(service.spec(exists=Lookup(f"http://user:pw@{service.address}/doc/{{id}}")), ["a"])

    assert [(SECRET, "de"), (None, None)] == [
        (request.headers.get("x-api-key"), request.headers.get("accept-language")) for request in service.requests
    ]
    assert [None, "Basic dXNlcjpwdw=="] == [request.headers.get("authorization") for request in service.requests]


def test_a_header_that_only_queries_can_fill_is_a_reason(service: "Service") -> None:
    """There is no query, so no request can be made."""
    found = told(service, "a", headers={"Accept-Language": "{locale}"})

    assert frozenset({"a"}) == found.unknown
    assert "the request cannot be made: no value for {locale}" in found.reason
    assert [] == service.requests


def test_a_redirect_is_followed_where_nobody_else_sees_the_request(service: "Service") -> None:
    """To the same origin."""
    service.respond = lambda r: service.plain("", 404) if r.path == "/new" else service.plain("", 301, Location="/new")

    assert Existence(missing=frozenset({"a"})) == told(service, "a")


def test_no_more_are_under_way_at_once_than_allowed(service: "Service") -> None:
    """Three; and as many as that: each waits for two others."""
    meeting = threading.Barrier(3, timeout=5)
    under_way: list[int] = []
    now: set[str] = set()

    def respond(request: "Received") -> "Reply":
        with service.lock:
            now.add(request.path)
            under_way.append(len(now))
        meeting.wait()
        with service.lock:
            now.discard(request.path)
        return service.plain("x")

    service.respond = respond
    documents = [f"d{number}" for number in range(9)]

    assert Existence() == told(service, *documents, concurrency=3, read_timeout=5.0)
    assert 9 == len(service.requests)
    assert max(under_way) <= 3


def test_no_secret_is_in_a_reason(service: "Service") -> None:
    """Neither one that the service says back, nor the password of the address."""
    service.respond = lambda r: service.plain(f"{r.headers['x-api-key']} {r.headers['authorization']}", 500)
    address = f"http://user:{SECRET}@{service.address}/doc/{{id}}"
    headers = {"X-Api-Key": "swordfish"}
    secrets = (Secret("KEY", "swordfish"),)

    found = existing(service.spec(exists=Lookup(address), headers=headers, secrets=secrets), ["a"])

    assert f"GET http://{service.address}/doc/a: status 500 ([KEY] Basic dXNlcjp[password]I=)" == found.reason


def test_no_document_needs_no_service(closed_port: int, service: "Service") -> None:
    """There is nothing to ask."""
    lookup = Lookup(f"http://127.0.0.1:{closed_port}/doc/{{id}}")

    assert Existence() == existing(service.spec(exists=lookup), [])


def test_a_service_that_says_nothing_of_documents_is_not_asked(service: "Service") -> None:
    """The caller must know that."""
    with pytest.raises(ValueError, match=r"service\.exists is not configured"):
        existing(service.spec(), ["a"])


def test_what_is_no_address_is_a_mistake_of_the_config(service: "Service") -> None:
    """Said with its key, and never an unexpected error."""
    with pytest.raises(ConfigError, match=r"service\.exists\.url: not an address: Port could not be cast"):
        existing(service.spec(exists=Lookup("http://h:port/{id}")), ["a"])
