"""Every fault that a search service can show, through the whole gate: 3, with query, request, reason and cure."""

import gzip
import json
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from rankgate.service import exchange, ledger
from tests.service.conftest import Reply, Service
from tests.service.faults import (
    BROKEN,
    FAULTS,
    FITTING,
    LOG,
    OK,
    ONE_HIT,
    RIGHT_ID,
    STRUCK,
    TEXTS,
    YESTERDAY,
    Fault,
    Gate,
    hang,
    stay,
)


@pytest.fixture(scope="module")
def baseline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bytes]:
    """What was accepted while the service was well; no address and no limit is in it."""
    service = Service()
    made = Gate(tmp_path_factory.mktemp("accepted"), service)
    made.begin()
    made.accept()
    yield made.baseline.read_bytes()
    service.close()


@pytest.fixture
def gate(tmp_path: Path, service: Service, baseline: bytes) -> Gate:
    """A project whose baseline was accepted while the service was well."""
    made = Gate(tmp_path, service)
    made.begin()
    made.baseline.write_bytes(baseline)
    return made


def walk(gate: Gate, baseline: bytes, fault: Fault, struck: list[str]) -> None:
    """Let *fault* strike and hold everything that a report owes its reader."""
    gate.configure(**fault.service)
    gate.strike(fault.reply(gate.service), all_of_them=len(struck) > 1)
    checked = gate.check()

    assert 3 == checked.code, checked.stderr
    assert struck == sorted(query_id for _, query_ids in checked.failures for query_id in query_ids)
    assert (len(TEXTS) - len(struck), len(struck)) == checked.measured_and_failed
    for message, query_ids in checked.failures:
        for words in (fault.request.format(address=gate.service.address), fault.reason, fault.cure):
            assert words in message
        assert checked.says(f"{message} {', '.join(query_ids)}")
    assert [] == checked.facts["lost"]
    assert not (gate.root / "golden" / ".rankgate" / "last-run.jsonl").exists()
    assert baseline == gate.baseline.read_bytes()


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_is_3_with_query_request_reason_and_cure(
    gate: Gate, baseline: bytes, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What failed is not measured and no zero result, the other two queries are measured, and nothing is kept."""
    monkeypatch.setattr(exchange, "LARGEST_ANSWER", 2**20)
    walk(gate, baseline, fault, [STRUCK])


@pytest.mark.parametrize(
    "fault",
    [
        "lost: reset in the body",
        "lost: slow headers",
        "lost: slower than the run",
        "status: 401",
        "status: 500 with an empty list",
        "status: 503",
        "body: nothing",
        "body: HTML",
        "hits: an error with 200",
        "hits: hits that are null",
        "hits: a hit without id",
        "partial: timed_out (A11)",
        "empty: an error in words",
    ],
)
def test_a_fault_of_every_answer_is_3_too(gate: Gate, baseline: bytes, fault: str) -> None:
    """Nothing measured is no success, and no run of zero results (A26)."""
    walk(gate, baseline, FAULTS[fault], sorted(TEXTS))


def test_no_credentials_follow_to_another_host(
    gate: Gate, other_service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other server is named and sees no request at all, so no Authorization."""
    monkeypatch.setenv("SEARCH_KEY", "hunter22")
    gate.configure(headers={"Authorization": "ApiKey ${SEARCH_KEY}"})
    there = f"http://{other_service.address}/search"
    gate.strike(gate.service.plain("", 307, Location=f"{there}?q=rain+jacket&key=hunter22"), all_of_them=True)
    checked = gate.check()

    assert 3 == checked.code
    assert f"status 307 redirects to {there}, another origin" in checked.failures[0][0]
    assert ["ApiKey hunter22"] * 3 == [request.headers.get("authorization") for request in gate.service.requests]
    assert [] == other_service.requests
    assert not checked.says("hunter22")


@pytest.mark.parametrize("place", [{"url": "next"}, {"link_header": True}], ids=["in the body", "in the header"])
def test_no_credentials_follow_to_a_next_page_elsewhere(
    gate: Gate, other_service: Service, monkeypatch: pytest.MonkeyPatch, place: dict[str, object]
) -> None:
    """An address that the answer gives is bound to the service as a redirect is."""
    monkeypatch.setenv("SEARCH_KEY", "hunter22")
    gate.configure(headers={"Authorization": "ApiKey ${SEARCH_KEY}"}, page_size=1, next_page=place)
    there = f"http://{other_service.address}/search?q=rain+jacket&page=2"
    answer = {"hits": [{"id": "jacket-1"}], "next": there}
    gate.strike(gate.service.json(answer, Link=f'<{there}>; rel="next"'))
    checked = gate.check()

    assert (3, 2, 1) == (checked.code, *checked.measured_and_failed)
    ((message, query_ids),) = checked.failures
    assert [STRUCK] == query_ids
    assert f"GET http://{gate.service.address}/search: " in message
    assert f"http://{other_service.address}, another origin, which does not get this request's credentials" in message
    assert [] == other_service.requests


def test_pages_that_repeat_are_3(gate: Gate) -> None:
    """A service that does not read ``{offset}`` gives no fifty hits; the message names where it should."""
    gate.configure(params={"q": "{query}", "from": "{offset}"}, page_size=2)
    checked = gate.check()

    assert 3 == checked.code
    ((message, query_ids),) = checked.failures
    assert sorted(TEXTS) == query_ids
    for words in ("GET http://", "page 2 repeats page 1", "does the service read {offset}"):
        assert words in message


def test_a_fault_of_a_later_page_is_3(gate: Gate) -> None:
    """Half a ranking is no ranking, and no shorter one."""
    gate.configure(params={"q": "{query}", "from": "{offset}"}, page_size=2)
    gate.service.respond = lambda r: gate.well(r) if r.params["from"] == ["0"] else gate.service.plain("", 500)
    checked = gate.check()

    assert (3, 0, 3) == (checked.code, *checked.measured_and_failed)
    assert "status 500" in checked.failures[0][0]


def test_an_error_of_a_later_page_is_3(gate: Gate) -> None:
    """An empty list beside it is no end of the hits."""
    gate.configure(params={"q": "{query}", "from": "{offset}"}, page_size=2)
    broken = gate.service.json({"hits": [], "error": "window too large"})
    gate.service.respond = lambda r: gate.well(r) if r.params["from"] == ["0"] else broken
    checked = gate.check()

    assert (3, 0, 3) == (checked.code, *checked.measured_and_failed)
    assert "says of itself that it failed: error is not empty (window too large)" in checked.failures[0][0]


DROPPED: dict[str, tuple[str, str, object, str]] = {
    "groups without their lists": ("groups[].docs[]", "id", {"groups": [{"docs": None}, {"docs": None}]}, "hit 1 is null"),
    "a group that is an error": ("groups[].docs[]", "id", {"groups": [{"error": "x"}, {"docs": [{"id": "jacket-1"}]}]}, "hit 1 is null"),
    "one hit by name without id": ("hits.*.id", "@", {"hits": {"a": {"sku": 1}, "b": {"id": "jacket-1"}}}, "hit 1 is null"),
    "a slice of hits without id": ("hits[*].id | [:5]", "@", {"hits": [{"sku": 1}, {"id": "jacket-1"}]}, "hit 1 is null"),
}  # fmt: skip


@pytest.mark.parametrize(("hits", "id_", "answer", "reason"), DROPPED.values(), ids=DROPPED)
def test_what_jmespath_would_drop_is_3(gate: Gate, hits: str, id_: str, answer: object, reason: str) -> None:
    """A projection leaves out what it finds nothing in; here that would close up the ranks, or be a zero result."""
    gate.configure(hits=hits, id=id_)
    gate.strike(gate.service.json(answer), all_of_them=True)
    checked = gate.check()

    assert (3, 0, 3) == (checked.code, *checked.measured_and_failed)
    ((message, query_ids),) = checked.failures
    assert sorted(TEXTS) == query_ids
    for words in (f"GET http://{gate.service.address}/search", reason, RIGHT_ID):
        assert words in message


def test_what_comes_after_an_answer_is_not_the_next_one(service: Service) -> None:
    """Two answers to one request: the second waits on the connection, and would be taken for another query's."""
    two = Reply(raw=lambda handler: stay(handler, 2 * (OK + b"Content-Length: 30\r\n\r\n" + ONE_HIT)))
    service.respond = lambda r: two if r.params["q"] == ["a"] else service.hits(r.params["q"][0])
    run = service.measure("a", "b", "c", concurrency=1)

    assert [("jacket-1",), ("b",), ("c",)] == [ranking.ids for ranking in run.rankings.values()]


@pytest.mark.parametrize(
    ("text", "headers", "words"),
    [
        (
            "rain\njacket",
            {"X-Query": "{query}"},
            ["header 'X-Query' would hold the control character '\\n'", "no header"],
        ),
        ("rain " * 15_000, {}, ["GET http://{address}/search: the request cannot be made: URL too long", FITTING]),
    ],
    ids=["a line break in a header", "an address of 75 000 characters"],
)
def test_a_query_that_cannot_be_sent_is_3(gate: Gate, text: str, headers: dict[str, str], words: list[str]) -> None:
    """It does not fit where the template puts it; the others are asked."""
    queries = gate.root / "golden" / "queries" / "all.yaml"
    told = json.dumps(text)
    queries.write_text(queries.read_text(encoding="utf-8").replace('"rain jacket"', told), encoding="utf-8")
    gate.configure(headers=headers)
    checked = gate.check()

    assert (3, 2, 1) == (checked.code, *checked.measured_and_failed)
    ((message, query_ids),) = checked.failures
    assert [STRUCK] == query_ids
    for each in words:
        assert each.replace("{address}", gate.service.address) in message


def test_a_service_that_dies_is_3_and_left_alone(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """After some queries in a row without an answer the rest is not asked, and says so with the address."""
    monkeypatch.setattr(ledger, "GIVE_UP_AFTER", 1)
    gate.configure(concurrency=1, retries=0)
    gate.strike(gate.service.wire(b""), all_of_them=True)
    checked = gate.check()

    assert (3, 0, 3) == (checked.code, *checked.measured_and_failed)
    (_, left_alone) = sorted(checked.failures, key=lambda failure: len(failure[1]))
    assert ["shoes", "socks"] == left_alone[1]
    for words in ("not asked: given up after 1", f"from {gate.service.address}", "is it still up?"):
        assert words in left_alone[0]
    assert 1 == len(gate.service.requests)


# Nobody there.


@dataclass(frozen=True, slots=True)
class Place:
    """Where a service may be looked for in vain."""

    gate: Gate
    patch: pytest.MonkeyPatch
    nobody: int
    silent: int
    certificates: Callable[[str], Path]

    def at(self, url: str, **service: object) -> None:
        """Look for the service there."""
        self.gate.configure(url=url, **service)

    def look_up(self, answer: Callable[..., Any]) -> None:
        """Let *answer* stand for the name server, and look for a host of a name."""
        self.patch.setattr(socket, "getaddrinfo", answer)
        self.at("http://search.invalid/search", timeout={"connect": 0.2})

    def secure(self, names: str, *, trusted: bool) -> None:
        """Let the service speak TLS with a certificate for *names*."""
        certificate = self.certificates(names)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server = self.gate.service.server
        server.socket = context.wrap_socket(server.socket, server_side=True)
        if trusted:
            self.patch.setenv("SSL_CERT_FILE", str(certificate))
        self.at(f"https://{self.gate.service.address}/search")

    def through(self, variable: str, proxy: str, url: str) -> None:
        """Look for *url* through *proxy*."""
        self.patch.setenv(variable, proxy)
        self.at(url)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Makes a key and a certificate that nobody signed, in one file, for the names given."""
    folder = tmp_path_factory.mktemp("certificates")

    def make(names: str) -> Path:
        key, certificate = folder / "key.pem", folder / "certificate.pem"
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        command += ["-days", "2", "-subj", "/CN=nobody", "-addext", f"subjectAltName={names}"]
        try:
            subprocess.run([*command, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
        except FileNotFoundError:
            pytest.skip("makes its certificate with openssl")
        whole = folder / f"{names.replace(':', '-')}.pem"
        whole.write_bytes(key.read_bytes() + certificate.read_bytes())
        return whole

    return make


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


@pytest.fixture
def place(
    gate: Gate,
    monkeypatch: pytest.MonkeyPatch,
    closed_port: int,
    silent_port: int,
    certificates: Callable[[str], Path],
) -> Place:
    """Every way of not finding a service."""
    return Place(gate, monkeypatch, closed_port, silent_port, certificates)


def unknown(*_: object, **__: object) -> None:
    """A name server that does not know the host."""
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


THERE: Final = (
    "Is the service running at {at}? The address is service.url in the config, or what --url, --target, --against or "
    "--exact names."
)
PROXY: Final = "The proxy is the one in {variable}; with search.invalid in NO_PROXY the way is direct."

ABSENT: dict[str, tuple[Callable[[Place], None], str, str, str]] = {
    "refused": (lambda p: p.at(f"http://127.0.0.1:{p.nobody}/search"), "127.0.0.1:{nobody}", "connection refused (2 tries)", THERE),
    "refused once": (lambda p: p.at(f"http://127.0.0.1:{p.nobody}/search", retries=0), "127.0.0.1:{nobody}", "connection refused", THERE),
    "unknown host": (lambda p: p.look_up(unknown), "search.invalid:80", "the host name is not known", THERE),
    "a name server that hangs": (lambda p: p.look_up(lambda *_, **__: p.gate.service.closing.wait(5) and []), "search.invalid:80", "no connection within 0.2 s", THERE),
    "https where http is spoken": (lambda p: p.at(f"https://{p.gate.service.address}/search"), "{service}", "TLS fails", "is it https:// at all?"),
    "a handshake that hangs": (lambda p: p.at(f"https://127.0.0.1:{p.silent}/search", timeout={"connect": 0.2}, retries=0), "127.0.0.1:{silent}", "no connection within 0.2 s", THERE),
    "a certificate that nobody signed": (lambda p: p.secure("IP:127.0.0.1", trusted=False), "{service}", "the certificate is not trusted: self", "SSL_CERT_FILE names a bundle with your own authority"),
    "a certificate of another host": (lambda p: p.secure("DNS:elsewhere.example", trusted=True), "{service}", "the certificate is not trusted: IP address mismatch, certificate is not valid for '127.0.0.1'", THERE),
    "a proxy that is down": (lambda p: p.through("HTTP_PROXY", f"http://me:hunter22@127.0.0.1:{p.nobody}", "http://search.invalid/search"), "search.invalid:80", "through the proxy of HTTP_PROXY: connection refused", PROXY.format(variable="HTTP_PROXY")),
    "a proxy that refuses": (lambda p: p.through("HTTPS_PROXY", f"http://{p.gate.service.address}", "https://search.invalid/search"), "search.invalid:443", "through the proxy of HTTPS_PROXY: the proxy refuses: 501", PROXY.format(variable="HTTPS_PROXY")),
    "a proxy of no kind": (lambda p: p.through("HTTP_PROXY", "gopher://127.0.0.1:70", "http://search.invalid/search"), "HTTP_PROXY", "the proxy of HTTP_PROXY cannot be used", "Correct or unset HTTP_PROXY."),
}  # fmt: skip


@pytest.mark.parametrize(("change", "at", "reason", "cure"), ABSENT.values(), ids=ABSENT)
def test_nobody_there_is_3_with_address_reason_and_cure(
    place: Place, change: Callable[[Place], None], at: str, reason: str, cure: str
) -> None:
    """No query is to blame: one error with the address, and reports that say that nothing was measured."""
    change(place)
    checked = place.gate.check()
    address = at.format(nobody=place.nobody, silent=place.silent, service=place.gate.service.address)

    assert (3, "INCONCLUSIVE", 0) == (checked.code, checked.facts["verdict"], checked.facts["counts"]["measured"])
    assert "hunter22" not in checked.stdout
    for words in (address, reason, cure.format(at=address)):
        assert words in checked.stderr
    assert "hunter22" not in checked.stderr
    assert [] == place.gate.service.requests


def test_http_where_https_is_spoken_is_3(place: Place) -> None:
    """The connection stands, so every query fails by itself, with the address and where to look."""
    place.secure("IP:127.0.0.1", trusted=True)
    place.at(f"http://{place.gate.service.address}/search")
    checked = place.gate.check()

    assert 3 == checked.code
    assert sorted(TEXTS) == sorted(query_id for _, query_ids in checked.failures for query_id in query_ids)
    for message, _ in checked.failures:
        for words in (f"GET http://{place.gate.service.address}/search", BROKEN, LOG):
            assert words in message


@pytest.mark.parametrize(
    ("status", "reason", "cure"),
    [(502, "status 502", "is the service up"), (407, "status 407", "the proxy wants credentials")],
)
def test_the_page_of_a_proxy_is_3(place: Place, status: int, reason: str, cure: str) -> None:
    """A proxy's own answer is no answer of the service (A08)."""
    page = place.gate.service.plain("<html>no way", status, Content_Type="text/html")
    place.gate.strike(page, all_of_them=True)
    place.through("HTTP_PROXY", f"http://{place.gate.service.address}", "http://search.invalid/search")
    checked = place.gate.check()

    assert 3 == checked.code
    ((message, query_ids),) = checked.failures
    assert sorted(TEXTS) == query_ids
    assert message.startswith("GET http://search.invalid/search through the proxy of HTTP_PROXY: ")
    for words in (reason, cure):
        assert words in message


# Odd, and measured.

MB_10: Final = "x" * 10_000_000

ODD: dict[str, tuple[Callable[[Service], Reply], dict[str, object]]] = {
    "an id twice": (lambda s: s.hits("jacket-1", "b", "jacket-1", "c", "b"), {"duplicates": 2}),
    "more hits than asked for": (lambda s: s.hits("jacket-1", *range(200)), {}),
    "10 MB": (lambda s: s.json({"hits": [{"id": "jacket-1", "text": MB_10}]}), {}),
    "gzip": (lambda s: s.plain(gzip.compress(ONE_HIT), Content_Encoding="gzip"), {}),
    "chunks": (lambda s: s.wire(OK + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(ONE_HIT), ONE_HIT)), {}),
    "a hint before the answer": (lambda s: s.wire(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + OK + b"Content-Length: %d\r\n\r\n%b" % (len(ONE_HIT), ONE_HIT)), {}),
    "no length": (lambda s: s.wire(OK + b"Connection: close\r\n\r\n" + ONE_HIT), {}),
    "a mark before the JSON": (lambda s: s.plain(b"\xef\xbb\xbf" + ONE_HIT), {}),
    "UTF-16": (lambda s: s.plain(ONE_HIT.decode().encode("utf-16")), {}),
    "JSON called HTML": (lambda s: s.plain(ONE_HIT, Content_Type="text/html"), {}),
    "a total that disagrees (A16)": (lambda s: s.json({"hits": [{"id": "jacket-1"}], "total": {"value": 0, "relation": "eq"}}), {}),
    "skipped shards (A10)": (lambda s: s.json({"hits": [{"id": "jacket-1"}], "timed_out": False, "_shards": {"total": 5, "successful": 5, "skipped": 3, "failed": 0}}), {}),
    "no errors (A14)": (lambda s: s.json({"hits": [{"id": "jacket-1"}], "errors": [], "error": None}), {}),
    "an error of the application's own": (lambda s: s.json({"hits": [{"id": "jacket-1"}], "error": "none", "status": 404, "code": 500, "success": False}), {}),
    "other hits that timed out": (lambda s: s.json({"hits": [{"id": "jacket-1"}], "suggest": {"timed_out": True}}), {}),
    "signs of the hits themselves": (lambda s: s.json({"hits": [{"id": "jacket-1", "timed_out": True, "errors": ["x"]}]}), {}),
    "inner hits (A23)": (lambda s: s.json({"hits": [{"id": "jacket-1", "inner_hits": {"hits": [{"id": "jacket-1"}, {"id": "b"}]}}]}), {}),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "counts"), ODD.values(), ids=ODD)
def test_what_is_only_odd_is_measured(gate: Gate, reply: Callable[[Service], Reply], counts: dict[str, object]) -> None:
    """The judged hit is found where it stands, and what was dropped on the way is counted."""
    gate.strike(reply(gate.service))
    checked = gate.check()

    assert 0 == checked.code, checked.stdout
    expected = {"measured": 3, "failed": 0, "duplicates": 0, "depth": 50} | counts
    assert expected == {key: checked.facts["counts"][key] for key in expected}
    assert [1.0, 1.0, 0.0] == [checked.now(measure) for measure in ("P@1", "R@50", "ZeroResults")]


RECOVERED: dict[str, Callable[[Service], Reply]] = {
    "429 in seconds": lambda s: s.plain("", 429, Retry_After="0"),
    "429 with a date": lambda s: s.plain("", 429, Retry_After=YESTERDAY),
    "503": lambda s: s.plain("", 503),
    "reset": lambda s: s.wire(OK + b"Content-Length: 99\r\n\r\n{", reset=True),
}


@pytest.mark.parametrize("reply", RECOVERED.values(), ids=RECOVERED)
def test_a_fault_that_passes_is_measured_and_noted(gate: Gate, reply: Callable[[Service], Reply]) -> None:
    """Bad luck at the first try costs a retry, which the report counts (A09)."""
    gate.service.in_turn(reply(gate.service), gate.service.hits("jacket-1"))
    in_turn = gate.service.respond
    gate.service.respond = lambda r: in_turn(r) if r.params["q"] == [TEXTS[STRUCK]] else gate.well(r)
    checked = gate.check()

    assert (0, 3, 0) == (checked.code, *checked.measured_and_failed)
    assert checked.says("retries: 1")


def test_a_slow_try_that_passes_is_measured_and_noted(gate: Gate) -> None:
    """A time-out at the first try is bad luck as well."""
    gate.configure(timeout={"read": 0.3})
    gate.service.in_turn(hang(gate.service), gate.service.hits("jacket-1"))
    in_turn = gate.service.respond
    gate.service.respond = lambda r: in_turn(r) if r.params["q"] == [TEXTS[STRUCK]] else gate.well(r)
    checked = gate.check()

    assert (0, 3, 0) == (checked.code, *checked.measured_and_failed)
    assert checked.says("retries: 1")


def test_a_redirect_within_the_service_is_measured(gate: Gate) -> None:
    """An address that moved is followed, query and all (A01)."""
    moved = gate.service.plain("", 301, Location="/v2/search?q=rain+jacket")
    gate.service.respond = lambda r: moved if (r.path, r.params["q"]) == ("/search", ["rain jacket"]) else gate.well(r)

    assert 0 == gate.check().code
    assert "/v2/search" in {request.path for request in gate.service.requests}


def test_hits_beyond_the_depth_do_not_count(gate: Gate) -> None:
    """A judged document at rank 51 of an answer of 200 is not found at depth 50."""
    gate.strike(gate.service.hits(*range(50), "jacket-1", *range(50, 200)))
    checked = gate.check()

    assert (1, 3, 0) == (checked.code, *checked.measured_and_failed)
    assert round(2 / 3, 9) == round(checked.now("R@50"), 9)


def test_numbers_beyond_two_to_the_53_are_told_apart(gate: Gate) -> None:
    """As floating point the wrong neighbour would match (A20)."""
    text = (gate.root / "golden" / "queries" / "all.yaml").read_text(encoding="utf-8")
    judged = text.replace('"jacket-1"', '"9007199254740993"')
    (gate.root / "golden" / "queries" / "all.yaml").write_text(judged, encoding="utf-8")
    gate.wells[TEXTS[STRUCK]] = [9007199254740993, 7]
    gate.accept()
    assert 0 == gate.check().code

    gate.wells[TEXTS[STRUCK]] = [9007199254740992, 7]
    checked = gate.check()
    assert (1, 3, 0) == (checked.code, *checked.measured_and_failed)


def test_ipv6_is_measured(gate: Gate, request: pytest.FixtureRequest) -> None:
    """An address in brackets is asked, and named with them when it fails."""
    try:
        six = Service("::1")
    except OSError:
        pytest.skip("no IPv6 on this machine")
    request.addfinalizer(six.close)
    gate.configure(url=f"http://[::1]:{six.port}/search")
    six.respond = gate.well
    assert 0 == gate.check().code

    six.always(six.plain("", 500))
    checked = gate.check()
    assert 3 == checked.code
    assert f"GET http://[::1]:{six.port}/search: status 500" in checked.failures[0][0]


def test_an_order_that_flaps_is_measured_as_it_comes(gate: Gate) -> None:
    """Two runs of one service differ by what it answered; each is judged for itself (A28)."""
    codes = []
    for order in (["jacket-1", "jacket-2"], ["jacket-2", "jacket-1"]):
        gate.wells[TEXTS[STRUCK]] = order
        checked = gate.check()
        codes.append((checked.code, checked.facts["counts"]["measured"], round(checked.now("P@1"), 4)))

    assert [(0, 3, 1.0), (1, 3, 0.6667)] == codes


@pytest.mark.parametrize("total", ["total", None], ids=["with a total", "without"])
def test_a_cap_that_every_answer_meets_is_warned_of(gate: Gate, total: str | None) -> None:
    """Ten hits for every query, and fifty asked for: R@50 is not what is measured (A18)."""
    gate.wells = {text: [f"{id_}-{rank}" for rank in range(1, 11)] for id_, text in TEXTS.items()}
    gate.matches = 1568
    gate.configure(total=total)
    gate.accept()
    checked = gate.check()

    assert (0, 3, 0) == (checked.code, *checked.measured_and_failed)
    assert "WARN" == checked.facts["verdict"]
    for words in ("page cap", "R@50", "service.page_size"):
        assert checked.says(words), words


def test_one_answer_to_every_query_is_3(gate: Gate) -> None:
    """A cache that ignores the query is seen, though every answer is well-formed."""
    gate.service.always(gate.service.hits("shoes-1", "jacket-1", "socks-1"))
    checked = gate.check()

    assert (3, "INCONCLUSIVE", 0) == (checked.code, checked.facts["verdict"], checked.facts["counts"]["measured"])
    for words in ("all 3 queries have the same answer", "'shoes-1'", "does a cache answer? rankgate ask TEXT"):
        assert words in checked.stderr


# Nothing found.


def test_an_empty_list_by_right_passes_within_the_limits(gate: Gate) -> None:
    """The one empty ranking that is an answer: measured, a zero result, and judged by the rules for that."""
    gate.config["gate"] = {"ZeroResults": {"ceiling": 0.4}}
    gate.configure()
    gate.strike(gate.service.hits())
    checked = gate.check()

    assert (0, []) == (checked.code, checked.failures)
    assert (3, 0) == checked.measured_and_failed
    assert round(1 / 3, 9) == round(checked.now("ZeroResults"), 9)


def test_an_empty_list_counts_as_a_zero_result(gate: Gate) -> None:
    """It fails a rule that no fault may fail; and beside a fault the two are told apart (A25, A26)."""
    gate.strike(gate.service.hits())
    checked = gate.check()
    assert (1, 3, 0) == (checked.code, *checked.measured_and_failed)
    assert ["jacket"] == [change["id"] for change in checked.facts["lost"]]

    gate.strike(gate.service.hits(), all_of_them=True)
    nothing = gate.check()
    assert (1, 3, 0, 1.0) == (nothing.code, *nothing.measured_and_failed, nothing.now("ZeroResults"))

    empty, silent = gate.service.hits(), hang(gate.service)
    gate.configure(timeout={"read": 0.3}, retries=0)
    gate.service.respond = lambda r: {"jacket": empty, "socks": silent}.get(r.params["q"][0].split()[1], gate.well(r))
    both = gate.check()
    assert [["socks"]] == [query_ids for _, query_ids in both.failures]
    assert (2, 1) == both.measured_and_failed
