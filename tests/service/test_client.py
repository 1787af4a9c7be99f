"""A run over HTTP: every query is measured or named as failed, and trouble is never a zero result."""

import asyncio
import errno
import gzip
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import zlib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from rankgate.core.rankings import Failure, FailureKind, Ranking, Run
from rankgate.errors import ConfigError, ServiceUnreachableError
from rankgate.files.service_spec import Secret
from rankgate.service import exchange
from rankgate.service.client import Ask, measure, measure_async
from rankgate.service.route import Route
from tests.service.conftest import Reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.service.conftest import Received, Service

    Fault = Callable[[Service], Reply]

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def test_a_run_holds_the_rankings_in_the_order_of_the_queries(service: "Service") -> None:
    """Slow and fast answers in any order give the same run, each query with its own ranking."""

    def respond(request: "Received") -> "Reply":
        text = request.params["q"][0]
        service.closing.wait(0.02 * (int(text) % 3))
        return service.hits(f"d{text}", "other")

    service.respond = respond
    run = service.measure(*map(str, range(20)), depth=5)
    expected = Run(
        depth=5,
        rankings={f"q{number + 1}": Ranking((f"d{number}", "other")) for number in range(20)},
        texts={f"q{number + 1}": str(number) for number in range(20)},
    )
    assert expected == run
    assert list(expected.rankings) == list(run.rankings)
    assert 20 == len(service.requests)


def test_an_empty_list_is_a_zero_result(service: "Service") -> None:
    """The one empty ranking that is right."""
    service.always(service.hits())
    assert {"q1": Ranking(())} == service.measure("nothing").rankings


def test_no_query_needs_no_service(closed_port: int, service: "Service") -> None:
    """An empty set of queries is an empty run, not an unreachable service."""
    assert Run(depth=3, rankings={}) == measure(service.spec(url=f"http://127.0.0.1:{closed_port}"), [], 3)


def test_more_hits_than_asked_and_duplicates(service: "Service") -> None:
    """What is beyond the depth is cut, a repeated id counts once and is counted."""
    service.always(service.hits("a", "b", "a", "c", "d"))
    assert {"q1": Ranking(("a", "b", "c"), duplicates=1)} == service.measure(depth=3).rankings


def test_every_request_is_the_query_s_own(service: "Service") -> None:
    """Params differ between queries, and no cookie carries one answer over to the next."""
    service.respond = lambda _: service.json({"hits": []}, Set_Cookie="session=1")
    spec = service.spec(url=f"http://{service.address}/{{locale}}", defaults={"locale": "de"}, concurrency=1)
    measure(spec, [Ask("q1", "a", {"locale": "en"}), Ask("q2", "b")], 10)
    assert ["/en", "/de"] == [request.path for request in service.requests]
    assert [False, False] == ["cookie" in request.headers for request in service.requests]


# Faults of one answer.

BAD_ANSWERS: dict[str, tuple["Fault", str, str]] = {
    "401": (lambda s: s.json({"error": "no key"}, 401), "status", "status 401 (no key); the service wants credentials: check service.headers and the variables in it"),
    "403": (lambda s: s.json({"message": "denied"}, 403), "status", "status 403 (denied)"),
    "404": (lambda s: s.json({"error": {"root_cause": [{"reason": "no such index [x]"}]}}, 404), "status", "status 404 (no such index [x]); is the path or the index in service.url right?"),
    "413": (lambda s: s.plain("too large", 413), "status", "status 413 (too large)"),
    "page cap (A17)": (lambda s: s.json({"message": "at most 250 per page"}, 400), "status", "status 400 (at most 250 per page); 10 hits were asked for; do the templates fit what the service reads? And does it allow that many hits"),
    "result window (A19)": (lambda s: s.json({"error": {"root_cause": [{"reason": "window of 10000 exceeded"}]}, "status": 500}, 500), "status", "status 500 (window of 10000 exceeded); 10 hits were asked for"),
    "500 with an empty list": (lambda s: s.json({"hits": []}, 500), "status", 'status 500 ({"hits": []})'),
    "500 without a word": (lambda s: s.plain("", 500), "status", "status 500; 10 hits"),
    "502 of a proxy": (lambda s: s.plain("<html><h1>Bad gateway</h1></html>", 502, Content_Type="text/html"), "status", "status 502 (the answer is HTML, not JSON (a login page, an error page?): Bad gateway) after 2 tries"),
    "304": (lambda s: s.wire(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 0\r\n\r\n"), "status", "status 304"),
    "204": (lambda s: s.plain("", 204), "body", "the answer is 204 No Content"),
    "empty body": (lambda s: s.plain(""), "body", "the answer is empty"),
    "HTML": (lambda s: s.plain("<html><title>Log in</title>", Content_Type="text/html"), "body", "the answer is HTML, not JSON (a login page, an error page?): Log in"),
    "truncated JSON": (lambda s: s.plain('{"hits": ['), "body", "the answer is no JSON"),
    "NaN": (lambda s: s.plain('{"hits": [], "score": NaN}'), "body", "NaN is no JSON number"),
    "wrong charset": (lambda s: s.plain('{"hits": ["é"]}'.encode("latin-1"), Content_Type="application/json; charset=utf-8"), "body", "the answer is not UTF-8"),
    "broken gzip": (lambda s: s.plain("no gzip", Content_Encoding="gzip"), "body", "the answer's compression cannot be undone"),
    "brotli unasked": (lambda s: s.plain(b"\x8b\x05", Content_Encoding="br"), "body", "the answer is compressed as 'br', which was not asked for"),
    "null hits": (lambda s: s.json({"hits": None}), "path", "path 'hits' is null"),
    "error with status 200": (lambda s: s.json({"error": {"reason": "boom"}}), "path", "its top-level keys are: error; the service says: boom"),
    "hit without id": (lambda s: s.json({"hits": [{"id": "a"}, {"sku": 1}]}), "hit", "hit 2 has no id at 'id' (service.id); its keys are: sku"),
    "partial shards": (lambda s: s.json({"hits": [], "_shards": {"total": 5, "failed": 2}}), "partial", "2 of 5 shards failed"),
    "no address to redirect to": (lambda s: s.plain("", 301), "status", "status 301 redirects to no address; put the final address into service.url"),
    "redirect to rubbish": (lambda s: s.plain("", 301, Location="http://h:port/"), "status", "status 301 redirects to no address"),
    "redirect loop": (lambda s: s.plain("", 302, Location="/search?q=a"), "status", "redirected more than 5 times"),
    "reset mid-body": (lambda s: s.wire(HEAD + b'Content-Length: 99\r\n\r\n{"hits": [', reset=True), "unreachable", "the connection broke"),
    "closed mid-body": (lambda s: s.wire(HEAD + b'Content-Length: 99\r\n\r\n{"hits": []'), "unreachable", "the connection broke: peer closed connection without sending complete message body"),
    "closed mid-chunk": (lambda s: s.wire(HEAD + b"Transfer-Encoding: chunked\r\n\r\nff\r\n{"), "unreachable", "the connection broke"),
    "closed before a word": (lambda s: s.wire(b""), "unreachable", "the connection broke: Server disconnected without sending a response. (2 tries)"),
    "no HTTP": (lambda s: s.wire(b"SSH-2.0-OpenSSH_9.2\r\n"), "unreachable", "the connection broke"),
}  # fmt: skip


@pytest.mark.parametrize("fault", BAD_ANSWERS)
def test_a_bad_answer_is_a_failure_with_its_reason(service: "Service", fault: str) -> None:
    """Kind, request, finding and cure; never an empty ranking."""
    reply, kind, message = BAD_ANSWERS[fault]
    service.always(reply(service))
    found, text = service.failure()
    assert kind == found
    assert text.startswith(f"GET http://{service.address}/search: ")
    assert message in text


def test_one_bad_query_among_good_ones(service: "Service") -> None:
    """Three of ten fail: seven rankings, three failures, none in both (A26)."""
    service.respond = lambda r: service.plain("", 500) if r.params["q"][0] in "258" else service.hits("d")
    run = service.measure(*map(str, range(10)))
    assert ["q3", "q6", "q9"] == list(run.failures)
    assert 7 == len(run.rankings)
    assert {f"q{number}" for number in range(1, 11)} == run.query_ids


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_compressed_answers(service: "Service", coding: str) -> None:
    """What was asked for in Accept-Encoding is undone."""
    body = b'{"hits": [{"id": "a"}]}'
    packed = gzip.compress(body) if coding == "gzip" else zlib.compress(body)
    service.always(service.plain(packed, Content_Encoding=coding))
    assert ("a",) == service.measure().rankings["q1"].ids


def test_chunked_and_unbounded_answers(service: "Service") -> None:
    """Answers without a length are read to their end."""
    body = b'{"hits": [{"id": "a"}]}'
    service.in_turn(
        service.wire(HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)),
        service.wire(HEAD + b"Connection: close\r\n\r\n" + body),
    )
    assert [("a",), ("a",)] == [ranking.ids for ranking in service.measure("x", "y").rankings.values()]


def test_a_large_answer_is_read_and_a_huge_one_refused(service: "Service", monkeypatch: pytest.MonkeyPatch) -> None:
    """10 MB are fine; beyond the limit reading stops, also inside a small compressed body."""
    service.always(service.json({"hits": [{"id": "a", "text": "x" * 10_000_000}]}))
    assert ("a",) == service.measure(read_timeout=5.0).rankings["q1"].ids
    monkeypatch.setattr(exchange, "LARGEST_ANSWER", 2**20)
    service.always(service.plain(gzip.compress(b" " * 5_000_000), Content_Encoding="gzip"))
    assert ("body", "the answer is larger than 1 MB") == (
        service.failure()[0],
        service.failure()[1].partition(": ")[2][:30],
    )


# Redirects.


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_get_is_followed_within_its_origin(service: "Service", status: int) -> None:
    """The redirected request has the same method, headers and parameters (A01)."""
    moved = {"/search": service.plain("", status, Location="/v2/search?q=a&x=1")}
    service.respond = lambda r: moved.get(r.path, service.hits("d"))
    run = service.measure("a", headers={"X-Key": "k"})
    assert ("d",) == run.rankings["q1"].ids
    assert ("/v2/search", "k") == (service.requests[-1].path, service.requests[-1].headers["x-key"])


@pytest.mark.parametrize("status", [307, 308])
def test_a_post_keeps_method_and_body(service: "Service", status: int) -> None:
    """307 and 308 keep both (A02)."""
    moved = {"/search": service.plain("", status, Location="/v2")}
    service.respond = lambda r: moved.get(r.path, service.hits("d"))
    run = service.measure("a", method="POST", body={"q": "{query}"}, params={})
    assert ("d",) == run.rankings["q1"].ids
    assert ("POST", {"q": "a"}) == (service.requests[-1].method, service.requests[-1].json)


@pytest.mark.parametrize("status", [301, 302, 303])
def test_a_post_is_not_turned_into_a_get(service: "Service", status: int) -> None:
    """The second request would match everything; it is never sent (A02)."""
    moved = {"/search": service.plain("", status, Location="/v2")}
    service.respond = lambda r: moved.get(r.path, service.hits("all", "of", "them"))
    kind, message = service.failure(method="POST", body={"q": "{query}"}, params={})
    assert "status" == kind
    expected = (
        f"status {status} redirects to http://{service.address}/v2, which would turn POST into GET without a body"
    )
    assert f"POST http://{service.address}/search: {expected}; put the final address into service.url" == message
    assert 1 == len(service.requests)


def test_a_redirect_that_loses_the_query_is_not_followed(service: "Service") -> None:
    """An address without the parameters would be answered for another query."""
    service.always(service.plain("", 301, Location="/v2?q=other"))
    assert "which would lose parameters of the query string" in service.failure()[1]
    assert 1 == len(service.requests)


def test_credentials_do_not_follow_to_another_origin(service: "Service", other_service: "Service") -> None:
    """The other host is named and gets nothing."""
    service.always(service.plain("", 307, Location=f"http://u:hunter22@{other_service.address}/search?q=a"))
    kind, message = service.failure(headers={"Authorization": "ApiKey k"})
    assert "status" == kind
    assert f"status 307 redirects to http://{other_service.address}/search, another origin" in message
    assert [] == other_service.requests
    assert "hunter22" not in message


# Trying again.


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_busy_service_is_asked_again(service: "Service", status: int) -> None:
    """One bad answer in passing does not make the gate flaky; the retries are noted (A09)."""
    service.in_turn(service.plain("", status), service.plain("", status), service.hits("d"))
    run = service.measure(retries=2)
    assert ("d",) == run.rankings["q1"].ids
    assert {"retries": "2"} == run.notes


@pytest.mark.parametrize("status", [400, 401, 404, 418, 500, 501])
def test_a_refusal_is_not_repeated(service: "Service", status: int) -> None:
    """What will not change is asked once (A09)."""
    service.always(service.plain("", status))
    assert "status" == service.failure(retries=5)[0]
    assert 1 == len(service.requests)


def test_a_service_that_stays_busy(service: "Service") -> None:
    """The tries are bounded and counted in the message (A09)."""
    service.always(service.json({"error": "overloaded"}, 503))
    run = service.measure(retries=2)
    assert "status 503 (overloaded) after 3 tries" in run.failures["q1"].message
    assert {"retries": "2"} == run.notes
    assert 3 == len(service.requests)


def test_a_broken_connection_is_tried_again(service: "Service") -> None:
    """A reset in the middle of an answer may be bad luck."""
    service.in_turn(service.wire(HEAD + b"Content-Length: 99\r\n\r\n{", reset=True), service.hits("d"))
    assert ("d",) == service.measure().rankings["q1"].ids


def test_retry_after_in_seconds_and_as_a_date(service: "Service") -> None:
    """Both forms are waited for; a moment in the past is no wait."""
    now = datetime.now(UTC)
    for value, least in (
        ("1", 1.0),
        (format_datetime(now + timedelta(seconds=2), usegmt=True), 0.0),
        (format_datetime(now - timedelta(days=1), usegmt=True), 0.0),
        ("soon", 0.0),
        ("-5", 0.0),
    ):
        service.in_turn(service.plain("", 503, Retry_After=value), service.hits("d"))
        begin = time.monotonic()
        assert ("d",) == service.measure().rankings["q1"].ids
        assert least <= time.monotonic() - begin < 3


def test_a_wish_to_wait_is_heeded_as_long_as_the_run_lasts(service: "Service", monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve seconds are much for a pause, and little for a run of five minutes."""
    pauses: list[float] = []
    real = asyncio.sleep

    async def note(seconds: float) -> None:
        pauses.append(seconds)
        await real(0)

    monkeypatch.setattr(asyncio, "sleep", note)
    service.in_turn(service.plain("", 503, Retry_After="12"), service.hits("d"))

    assert ("d",) == service.measure().rankings["q1"].ids
    assert [12.0] == pauses


@pytest.mark.parametrize("value", ["86400", "9" * 400, "Fri, 31 Dec 2100 23:59:59 GMT", "31 Dec 2100 23:59:59 -0000"])
def test_a_long_retry_after_is_not_slept_through(service: "Service", value: str) -> None:
    """The query fails at once with the wish of the service (A09)."""
    service.always(service.plain("", 429, Retry_After=value))
    kind, message = service.failure()
    assert "status" == kind
    assert "status 429 after 1 try, and asks to wait " in message
    assert "lower service.concurrency" in message
    assert 1 == len(service.requests)


def test_pauses_grow_and_are_bounded(service: "Service", monkeypatch: pytest.MonkeyPatch) -> None:
    """Each pause is at most twice the one before, never above the limit."""
    pauses: list[float] = []
    real = asyncio.sleep

    async def note(seconds: float) -> None:
        pauses.append(seconds)
        await real(0)

    monkeypatch.setattr(asyncio, "sleep", note)
    monkeypatch.setattr(exchange, "FIRST_PAUSE", 0.2)
    service.always(service.plain("", 503))
    service.failure(retries=7)
    longest = [0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    assert len(longest) == len(pauses)
    assert all(most / 2 <= pause <= most for pause, most in zip(pauses, longest, strict=True))


# Time.


@pytest.mark.parametrize("begun", [b"", HEAD, HEAD + b'Content-Length: 99\r\n\r\n{"hi'])
def test_silence_is_a_time_out_and_no_zero_result(service: "Service", begun: bytes) -> None:
    """No headers, half headers, half a body: the query is not measured, the next one is (A25)."""

    def hang(handler: Any) -> None:
        handler.wfile.write(begun)
        handler.wfile.flush()
        service.closing.wait(2)

    silent = type(service.hits())(raw=hang)
    service.respond = lambda r: silent if r.params["q"] == ["slow"] else service.hits()
    run = service.measure("slow", "empty", read_timeout=0.2)
    assert {"q2": Ranking(())} == run.rankings
    message = f"GET http://{service.address}/search: no answer within 0.2 s (2 tries); a slow service needs a longer service.timeout.read"
    assert {"q1": Failure(FailureKind.TIMEOUT, message)} == run.failures


def test_waiting_for_a_place_is_no_time_out(service: "Service") -> None:
    """Twelve answers of 0.1 s one or two at a time, limits of 0.4 s: nothing times out (A04)."""
    service.respond = service.slow(service.hits("d"), 0.1)
    run = service.measure(*map(str, range(12)), concurrency=2, connect_timeout=0.4, read_timeout=0.4)
    assert {} == run.failures


def test_requests_are_under_way_together_up_to_the_limit(service: "Service") -> None:
    """Eight queries of 0.2 s each at concurrency 4 take two rounds, and never more than four at once."""
    under_way, most = 0, 0

    def respond(_: "Received") -> "Reply":
        nonlocal under_way, most
        with service.lock:
            under_way += 1
            most = max(most, under_way)
        service.closing.wait(0.2)
        with service.lock:
            under_way -= 1
        return service.hits("d")

    service.respond = respond
    run = service.measure(*map(str, range(8)), concurrency=4, read_timeout=5.0)
    assert {} == run.failures
    assert 4 == most


def test_the_whole_run_is_limited(service: "Service") -> None:
    """What was under way is a time-out, the rest was not asked; what was measured stays."""
    service.respond = lambda r: service.hits("d") if r.params["q"] == ["0"] else service.slow(service.hits(), 5)(r)
    begin = time.monotonic()
    run = service.measure(*map(str, range(6)), concurrency=2, run_timeout=0.4, read_timeout=5.0)
    assert time.monotonic() - begin < 2
    assert ["q1"] == list(run.rankings)
    limit = f"the run on {service.address} reached its limit of 0.4 s; raise service.timeout.run or service.concurrency"
    expected = {
        **{f"q{n}": Failure(FailureKind.TIMEOUT, f"not answered: {limit}") for n in (2, 3)},
        **{f"q{n}": Failure(FailureKind.NOT_ASKED, f"not asked: {limit}") for n in (4, 5, 6)},
    }
    assert expected == run.failures


def test_progress_is_told(service: "Service") -> None:
    """After each query, failed ones too."""
    service.respond = lambda r: service.plain("", 404) if r.params["q"] == ["1"] else service.hits()
    seen: list[tuple[int, int]] = []
    measure(service.spec(), [Ask(str(n), str(n)) for n in range(3)], 10, progress=lambda *step: seen.append(step))
    assert [(1, 3), (2, 3), (3, 3)] == seen


def test_an_error_in_the_callback_ends_the_run(service: "Service") -> None:
    """It is the caller's own error and comes out as it is, with nothing left running."""

    def fail(_done: int, _total: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        measure(service.spec(), [Ask(str(n), str(n)) for n in range(30)], 10, progress=fail)
    assert len(service.requests) < 30


# A service that is not there.


def test_a_refused_connection_ends_the_run_at_once(service: "Service", closed_port: int) -> None:
    """One error that names address, reason and cure, after a few tries."""
    url = f"http://user:hunter22@127.0.0.1:{closed_port}/s"
    begin = time.monotonic()
    with pytest.raises(ServiceUnreachableError) as caught:
        service.measure(*map(str, range(50)), url=url, retries=2)
    assert time.monotonic() - begin < 2
    at = f"127.0.0.1:{closed_port}"
    expected = f"the search service at {at} cannot be reached: GET http://{at}/s: connection refused (3 tries)"
    assert expected == str(caught.value)
    assert (
        f"Is the service running at {at}? The address is service.url in the config, or what --url, --target, --against "
        "or --exact names." == caught.value.hint
    )


def test_an_unknown_host(service: "Service", monkeypatch: pytest.MonkeyPatch) -> None:
    """A host name that does not resolve says so."""

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(ServiceUnreachableError, match="the host name is not known") as caught:
        service.measure(url="http://search.invalid/s")
    assert "search.invalid:80" in str(caught.value)


@pytest.mark.parametrize(
    ("cause", "reason"),
    [
        (ExceptionGroup("all", [TimeoutError(), ConnectionRefusedError()]), "connection refused"),
        (OSError(errno.EHOSTUNREACH, "No route to host"), "the host cannot be reached (No route to host)"),
        (ExceptionGroup("all", [OSError(errno.EMFILE, "Too many open files")]), "no connection: all attempts failed"),
    ],
)
def test_the_reason_is_dug_out_of_what_was_raised(cause: Exception, reason: str) -> None:
    """What the layers below wrap up is unwrapped to the fact that helps."""
    error = httpx.ConnectError("all attempts failed")
    error.__cause__ = cause
    assert reason == exchange._connect_reason(error)


def test_a_name_server_that_hangs(service: "Service", monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking up a name cannot be stopped, but the run ends without it."""
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: service.closing.wait(5) and [])
    begin = time.monotonic()
    with pytest.raises(ServiceUnreachableError, match=r"no connection within 0\.1 s$"):
        service.measure(url="http://search.invalid/s", connect_timeout=0.1, retries=0)
    assert time.monotonic() - begin < 2


def test_https_where_http_is_spoken(service: "Service") -> None:
    """A TLS error is no traceback, and asks whether it is https at all."""
    with pytest.raises(ServiceUnreachableError, match=r"TLS fails: .*; is it https:// at all\?"):
        service.measure(url=f"https://{service.address}/s")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificate with openssl")
def test_a_certificate_that_nobody_signed(service: "Service", tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused with the way to trust one's own authority, and that way works."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    service.server.socket = context.wrap_socket(service.server.socket, server_side=True)
    url = f"https://{service.address}/s"
    with pytest.raises(ServiceUnreachableError, match=r"the certificate is not trusted: self.signed.*SSL_CERT_FILE"):
        service.measure(url=url)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert ("d1", "d2") == service.measure(url=url).rankings["q1"].ids


def test_ipv6(request: pytest.FixtureRequest, service: "Service") -> None:
    """An IPv6 address works and is written in brackets."""
    try:
        six = type(service)("::1")
    except OSError:
        pytest.skip("no IPv6 on this machine")
    request.addfinalizer(six.close)
    assert ("d1", "d2") == six.measure().rankings["q1"].ids
    assert Route("[::1]:80", secure=False) == Route.to("http://[::1]/x")


def test_a_service_that_dies_is_given_up(service: "Service") -> None:
    """After ten queries in a row without a connection the rest is not asked."""
    broken = service.wire(b"")
    service.respond = lambda r: service.hits("d") if r.params["q"] == ["0"] else broken
    run = service.measure(*map(str, range(40)), concurrency=1, retries=0)
    kinds = [str(failure.kind) for failure in run.failures.values()]
    assert ["unreachable"] * 10 + ["not asked"] * 29 == kinds
    given_up = (
        f"not asked: given up after 10 queries in a row without an answer from {service.address}; is it still up?"
    )
    assert given_up == run.failures["q40"].message
    assert 12 == len(service.requests)  # the connection of the first answer may only have been idle for too long


@pytest.mark.parametrize(
    ("broken", "concurrency", "asked"), [("hangs", 8, 8), ("hangs", 1, 3), ("is busy", 8, 8), ("is busy", 1, 3)]
)
def test_a_service_that_never_answers_is_given_up(
    service: "Service", broken: str, concurrency: int, asked: int
) -> None:
    """When nothing was measured and all that were asked at once got no answer, the rest is not asked."""
    slow = service.slow(service.hits(), 5)
    service.respond = slow if broken == "hangs" else lambda _: service.plain("", 503)
    run = service.measure(*map(str, range(40)), concurrency=concurrency, retries=0, read_timeout=0.3)
    messages = [failure.message for failure in run.failures.values()]
    given_up = f"given up after {asked} queries in a row without an answer from {service.address}; is it still up?"

    assert {} == run.rankings
    assert [f"not asked: {given_up}"] * (40 - 2 * asked) == messages[2 * asked :]
    assert len(service.requests) <= 2 * asked


def test_a_slow_service_that_has_answered_is_not_given_up(service: "Service") -> None:
    """One answer shows that it is there; the others are too slow, and each says so."""
    service.respond = lambda r: service.hits("d") if r.params["q"] == ["0"] else service.plain("", 503)
    run = service.measure(*map(str, range(20)), concurrency=1, retries=0)

    assert 20 == len(service.requests)
    assert {"status"} == {str(failure.kind) for failure in run.failures.values()}


def test_a_connection_that_was_left_is_no_try(service: "Service") -> None:
    """A service that closes what is idle does so in the moment of the next request too."""

    def answer_and_leave(handler: BaseHTTPRequestHandler) -> None:
        body = b'{"hits": [{"id": "d"}]}'
        handler.wfile.write(HEAD + b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        handler.wfile.flush()
        handler.connection.recv(1)  # the next request comes, and is not answered

    service.always(Reply(raw=answer_and_leave))
    run = service.measure(*"abc", concurrency=1, retries=0)

    assert ({}, {}) == (run.failures, run.notes)
    assert 3 == len(run.rankings)


def test_a_broken_first_answer_is_no_unreachable_service(service: "Service") -> None:
    """There was a connection: only that query failed."""
    service.respond = lambda r: service.wire(b"") if r.params["q"] == ["0"] else service.hits("d")
    run = service.measure("0", "1")
    assert ["q1"] == list(run.failures)
    assert ["q2"] == list(run.rankings)


# Proxies.


def test_loopback_is_never_asked_through_a_proxy(
    service: "Service", closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy in the environment does not capture a local service (A08)."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{closed_port}")
    monkeypatch.setenv("NO_PROXY", "elsewhere")
    assert ("d1", "d2") == service.measure().rankings["q1"].ids
    assert ("d1", "d2") == service.measure(url=f"http://localhost:{service.port}/s").rankings["q1"].ids


def test_a_proxy_that_is_down_is_named(service: "Service", closed_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable and the way around it are in the error, its password is not (A08)."""
    monkeypatch.setenv("HTTP_PROXY", f"http://me:hunter22@127.0.0.1:{closed_port}")
    with pytest.raises(ServiceUnreachableError, match="through the proxy of HTTP_PROXY: connection refused") as caught:
        service.measure(url="http://search.invalid/s")
    assert "The proxy is the one in HTTP_PROXY; with search.invalid in NO_PROXY the way is direct." == caught.value.hint
    assert "hunter22" not in str(caught.value)


def test_a_proxy_is_used_and_its_errors_are_not_scored(service: "Service", monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy gets the whole address; its 502 page is a failure (A08)."""
    monkeypatch.setenv("all_proxy", service.address)
    assert ("d1", "d2") == service.measure(url="http://search.invalid/s").rankings["q1"].ids
    assert "http://search.invalid/s?q=a" == service.requests[-1].target
    service.always(service.plain("<html>bad gateway", 502, Content_Type="text/html"))
    kind, message = service.failure(url="http://search.invalid/s")
    assert "status" == kind
    assert message.startswith("GET http://search.invalid/s through the proxy of all_proxy: status 502")


def test_a_proxy_that_refuses_the_tunnel(service: "Service", monkeypatch: pytest.MonkeyPatch) -> None:
    """No connection to an https service through it: that is no answer of the service."""
    monkeypatch.setenv("HTTPS_PROXY", f"http://{service.address}")
    with pytest.raises(ServiceUnreachableError, match="through the proxy of HTTPS_PROXY: the proxy refuses: 501"):
        service.measure(url="https://search.invalid/s", retries=0)


@pytest.mark.parametrize("proxy", ["gopher://127.0.0.1:1", "socks5://127.0.0.1:1", "http://127.0.0.1:port"])
def test_a_bad_proxy_is_named(service: "Service", proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that cannot be used is an error with its name, not a traceback."""
    monkeypatch.setenv("HTTP_PROXY", proxy)
    with pytest.raises(ServiceUnreachableError, match="proxy") as caught:
        service.measure(url="http://search.invalid/s", retries=0)
    assert "HTTP_PROXY" in str(caught.value)


def test_no_proxy_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host in NO_PROXY is asked directly, another through the proxy of its scheme."""
    monkeypatch.setenv("https_proxy", "proxy:3128")
    monkeypatch.setenv("no_proxy", "internal.example")
    assert Route("search.internal.example:443", secure=True) == Route.to("https://search.internal.example/x")
    expected = Route("h.example:8443", secure=True, proxy="http://proxy:3128", variable="https_proxy")
    assert expected == Route.to("https://h.example:8443")
    assert Route("h.example:80", secure=False) == Route.to("http://h.example")


# Paging.


def pages(service: "Service", documents: int, page: int) -> None:
    """Let *service* have *documents* hits and give *page* of them from ``offset`` on."""

    def respond(request: "Received") -> "Reply":
        offset = int(request.params["offset"][0])
        return service.hits(*(f"d{n}" for n in range(offset, min(offset + page, documents))))

    service.respond = respond


PAGED: dict[str, Any] = {"params": {"q": "{query}", "size": "{depth}", "offset": "{offset}", "page": "{page}"}}


@pytest.mark.parametrize(
    ("documents", "depth", "max_pages", "expected"),
    [
        (100, 50, None, (50, 5)),
        (100, 45, None, (45, 5)),
        (100, 10, None, (10, 1)),
        (23, 50, None, (23, 3)),
        (20, 50, None, (20, 3)),
        (0, 50, None, (0, 1)),
        (100, 50, 2, (20, 2)),
    ],
)
def test_pages_are_read_until_the_depth(
    service: "Service", documents: int, depth: int, max_pages: int | None, expected: tuple[int, int]
) -> None:
    """A short page, an empty page, the depth or the cap ends it; ``{depth}`` is the page's size."""
    ranked, requests = expected
    pages(service, documents, 10)
    run = service.measure(depth=depth, page_size=10, max_pages=max_pages, first_page=0, **PAGED)
    assert {"q1": Ranking(tuple(f"d{n}" for n in range(ranked)))} == run.rankings
    sent = [{name: request.params[name][0] for name in ("size", "offset", "page")} for request in service.requests]
    assert [{"size": "10", "offset": str(10 * n), "page": str(n)} for n in range(requests)] == sent


def test_a_page_cap_is_noted(service: "Service") -> None:
    """A run that its service's cap cut short says so (A18)."""
    pages(service, 100, 10)
    run = service.measure("a", "b", depth=50, page_size=10, max_pages=2, **PAGED)
    assert {"page cap": "2 queries were cut by service.max_pages before 50 hits"} == run.notes


def test_a_failed_page_fails_the_query(service: "Service") -> None:
    """Half a ranking is no ranking."""
    pages(service, 100, 10)
    good = service.respond
    service.respond = lambda r: service.plain("", 500) if r.params["offset"] == ["20"] else good(r)
    assert "status" == service.failure(depth=50, page_size=10, **PAGED)[0]


def test_a_service_that_ignores_the_page(service: "Service") -> None:
    """The same page again and again is not fifty hits with forty duplicates."""
    service.always(service.hits(*range(10)))
    kind, message = service.failure(depth=50, page_size=10, **PAGED)
    assert "body" == kind
    assert "page 2 repeats page 1; does the service read {offset}, {page} or {cursor} where they stand?" in message


# Secrets.


def test_no_message_holds_a_secret(service: "Service") -> None:
    """A service that echoes the key in its error does not bring it into a report."""
    secrets = (Secret("SEARCH_KEY", "hunter 22/&"), Secret("HOST", service.address))
    service.respond = lambda r: service.json({"error": f"bad key {r.headers['x-key']}, {'hunter%2022%2F%26'}"}, 401)
    message = service.failure(headers={"X-Key": "hunter 22/&"}, secrets=secrets)[1]
    assert message.startswith("GET http://[HOST]/search: status 401 (bad key [SEARCH_KEY], [SEARCH_KEY]);")


def test_a_secret_in_an_id_never_becomes_a_ranking(service: "Service") -> None:
    """An id with the key, or with the password of the address, is refused."""
    service.always(service.hits("x-hunter22"))
    secret = (Secret("KEY", "hunter22"),)
    expected = "hit 1 has the value of ${KEY} in its id: not kept"
    kind, message = service.failure(headers={"X": "hunter22"}, secrets=secret)
    assert ("hit", expected) == (kind, message.partition("search: ")[2])
    assert "hit" == service.failure(url=f"http://u:hunter22@{service.address}/s")[0]


# The request itself.


def test_a_request_that_cannot_be_made_fails_its_query_only(service: "Service") -> None:
    """A newline in a header's value, an endless address: the others are asked."""
    run = service.measure("two\nlines", "good", headers={"X-Q": "{query}"})
    assert ["q2"] == list(run.rankings)
    assert FailureKind.REQUEST == run.failures["q1"].kind
    run = service.measure("x" * 70_000, "good")
    assert (["q2"], FailureKind.REQUEST) == (list(run.rankings), run.failures["q1"].kind)
    assert "the request cannot be made: " in run.failures["q1"].message
    kind, message = service.failure(method="GET IT")
    assert "request" == kind
    assert "the request cannot be made: Illegal method" in message


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"params": {"q": "{"}}, "service.params.q: a lone '{' at '{'"),
        ({"url": "search"}, "service.url: must begin with http:// or https:// and a host"),
        ({"hits": "a["}, "service.hits: path 'a[': cannot be read from column 3 on"),
    ],
)
def test_a_wrong_spec_is_a_config_error(service: "Service", changes: dict[str, Any], fault: str) -> None:
    """Whoever skips the config's own checks gets the same error, before any request."""
    with pytest.raises(ConfigError) as caught:
        service.measure(**changes)
    assert fault in str(caught.value)
    assert [] == service.requests


def test_a_transport_can_be_given(service: "Service") -> None:
    """It stands in for the network and stays open for its owner."""

    class Canned(httpx.AsyncBaseTransport):
        closed = False

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            return httpx.Response(200, json={"hits": [{"id": request.url.params["q"]}]})

        async def aclose(self) -> None:
            self.closed = True

    canned = Canned()
    run = measure(service.spec(), [Ask("q1", "a"), Ask("q2", "b")], 10, transport=canned)
    assert {"q1": Ranking(("a",)), "q2": Ranking(("b",))} == run.rankings
    assert not canned.closed
    assert [] == service.requests


def test_inside_a_running_loop(service: "Service") -> None:
    """``measure_async`` is for programs that have a loop already."""
    run = asyncio.run(measure_async(service.spec(), [Ask("q1", "a")], 10))
    assert ("d1", "d2") == run.rankings["q1"].ids


def test_no_authorities_are_loaded_for_http(service: "Service", monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading them takes longer than ten queries."""
    monkeypatch.setattr(httpx, "create_ssl_context", lambda: pytest.fail("not needed"))
    assert {} == service.measure("a", "b").failures


def test_importing_the_package_does_not_import_httpx() -> None:
    """``validate`` checks templates and paths without paying for the network."""
    code = "import sys, rankgate.service; sys.exit('httpx' in sys.modules)"
    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_ctrl_c_ends_long_before_the_answers(service: "Service") -> None:
    """An interrupted run with eight requests of ten seconds under way ends as a KeyboardInterrupt at once."""
    began = threading.Event()

    def respond(request: "Received") -> "Reply":
        if len(service.requests) >= 4:
            began.set()
        return service.slow(service.hits(), 10)(request)

    service.respond = respond
    code = (
        "from rankgate.files.service_spec import ServiceSpec\n"
        "from rankgate.service.client import Ask, measure\n"
        f"spec = ServiceSpec(url='http://{service.address}/s?q={{query}}', hits='hits', id='id', read_timeout=30)\n"
        "try:\n"
        "    measure(spec, [Ask(str(n), str(n)) for n in range(20)], 10)\n"
        "except KeyboardInterrupt:\n"
        "    raise SystemExit(130)\n"
    )
    with subprocess.Popen([sys.executable, "-W", "error", "-c", code], stderr=subprocess.PIPE) as process:
        assert began.wait(10)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=10)
    assert (130, b"") == (process.returncode, errors)
    assert time.monotonic() - begin < 5
