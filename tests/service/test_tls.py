"""Encrypted connections: an authority of one's own, a client's certificate, HTTP/2."""

import importlib.util
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
import trustme
from cryptography.hazmat.primitives import serialization
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived, StreamEnded

from rankgate.core.rankings import Ranking
from rankgate.errors import ConfigError, ServiceUnreachableError
from rankgate.files.service_spec import Tls
from rankgate.service import connection
from rankgate.service.client import Ask, measure
from tests.service.support import Project

if TYPE_CHECKING:
    from tests.service.conftest import Service

PASSWORD: Final = "hunter 22/&"
MEASURED: Final = {"q1": Ranking(("d1", "d2"))}


class Pki:
    """An authority that nobody knows, with the files of a server and of a client."""

    def __init__(self, folder: Path) -> None:
        self.authority = trustme.CA()
        self.server = self.authority.issue_cert("127.0.0.1")
        client = self.authority.issue_cert("client@example.com")
        self.ca, self.both, self.cert, self.key, self.locked, self.garbage = (
            folder / f"{name}.pem" for name in ("ca", "both", "cert", "key", "locked", "garbage")
        )
        self.authority.cert_pem.write_to_path(self.ca)
        client.private_key_and_cert_chain_pem.write_to_path(self.both)
        client.cert_chain_pems[0].write_to_path(self.cert)
        client.private_key_pem.write_to_path(self.key)
        key = serialization.load_pem_private_key(client.private_key_pem.bytes(), None)
        locked = serialization.BestAvailableEncryption(PASSWORD.encode())
        form = serialization.PrivateFormat.PKCS8
        self.locked.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, locked))
        self.garbage.write_text("-----BEGIN CERTIFICATE-----\nno\n-----END CERTIFICATE-----\n")

    def context(self, *, asks_client: bool = False, alpn: tuple[str, ...] = ()) -> ssl.SSLContext:
        """What a server speaks TLS with."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.server.configure_cert(context)
        if asks_client:
            self.authority.configure_trust(context)
            context.verify_mode = ssl.CERT_REQUIRED
        if alpn:
            context.set_alpn_protocols(list(alpn))
        return context


@pytest.fixture(scope="module")
def pki(tmp_path_factory: pytest.TempPathFactory) -> Pki:
    """Making keys takes longer than a test."""
    return Pki(tmp_path_factory.mktemp("pki"))


@pytest.fixture
def secure(service: "Service", pki: Pki) -> str:
    """The address of the service, which speaks TLS now."""
    service.server.socket = pki.context().wrap_socket(service.server.socket, server_side=True)
    return f"https://{service.address}/s"


@pytest.fixture
def guarded(service: "Service", pki: Pki) -> str:
    """The address of the service, which wants to see a client's certificate now."""
    service.server.socket = pki.context(asks_client=True).wrap_socket(service.server.socket, server_side=True)
    return f"https://{service.address}/s"


def test_an_authority_of_one_s_own(service: "Service", pki: Pki, secure: str) -> None:
    """Refused without it, with its reason; measured with it."""
    with pytest.raises(ServiceUnreachableError, match="the certificate is not trusted: unable to get local issuer"):
        service.measure(url=secure)
    assert [] == service.requests
    assert MEASURED == service.measure(url=secure, tls=Tls(ca=pki.ca)).rankings


def test_an_authority_is_trusted_for_its_hosts_only(service: "Service", pki: Pki, secure: str) -> None:
    """The name in the certificate still counts."""
    with pytest.raises(ServiceUnreachableError, match="not trusted: Hostname mismatch"):
        service.measure(url=secure.replace("127.0.0.1", "localhost"), tls=Tls(ca=pki.ca))


@pytest.mark.parametrize("files", ["both", "cert and key", "locked key", "needless password"])
def test_a_client_s_certificate(service: "Service", pki: Pki, guarded: str, files: str) -> None:
    """In one file or two, its key encrypted or not."""
    tls = {
        "both": Tls(pki.ca, pki.both),
        "cert and key": Tls(pki.ca, pki.cert, pki.key),
        "locked key": Tls(pki.ca, pki.cert, pki.locked, PASSWORD),
        "needless password": Tls(pki.ca, pki.cert, pki.key, PASSWORD),
    }[files]

    assert MEASURED == service.measure(url=guarded, tls=tls).rankings


def test_without_a_client_s_certificate(service: "Service", pki: Pki, guarded: str) -> None:
    """The service hangs up on whoever shows none: nothing arrives, and nothing is measured."""
    kind, message = service.failure(url=guarded, tls=Tls(ca=pki.ca))

    assert "unreachable" == kind
    assert message.startswith(f"GET {guarded}: ")
    assert [] == service.requests


WRONG: Final[dict[str, tuple[Callable[[Pki], Tls], str]]] = {
    "no authority": (lambda pki: Tls(ca=pki.garbage), "service.tls.ca: {garbage} holds no authorities in PEM form: "),
    "a key as authority": (lambda pki: Tls(ca=pki.key), "service.tls.ca: {key} holds no authorities in PEM form: "),
    "gone": (lambda pki: Tls(ca=pki.ca.with_name("x")), "service.tls.ca: {folder}/x holds no authorities in PEM form: "),
    "no certificate": (lambda pki: Tls(cert=pki.garbage), "service.tls.cert: {garbage}: the key, its password and"),
    "no key": (lambda pki: Tls(cert=pki.cert), "service.tls.cert: {cert}: the key, its password and the certificate do"),
    "no password": (lambda pki: Tls(cert=pki.cert, key=pki.locked), "service.tls.cert: {cert}: the key, its password"),
    "wrong password": (lambda pki: Tls(cert=pki.cert, key=pki.locked, password="no"), "service.tls.cert: {cert}: the"),
    "other key": (lambda pki: Tls(cert=pki.ca, key=pki.key), "service.tls.cert: {ca}: the key, its password and the"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_files_that_cannot_be_used(service: "Service", pki: Pki, wrong: str) -> None:
    """The key and the file are named before anything is asked; nobody is asked for a password."""
    tls, message = WRONG[wrong]
    names = {key: value for key, value in vars(pki).items() if isinstance(value, Path)}
    with pytest.raises(ConfigError) as caught:
        service.measure(url=f"https://{service.address}/s", tls=tls(pki))
    assert str(caught.value).startswith(message.format(**names, folder=pki.ca.parent))


def test_the_files_lie_beside_the_config(service: "Service", pki: Pki, secure: str, tmp_path: Path) -> None:
    """The command measures with them; where one is garbage or missing it exits with 2 and its name."""
    project = Project(tmp_path)
    pki.authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    (tmp_path / "garbage.pem").write_text("no")
    codes, errors = [], []
    for name in ("ca.pem", "garbage.pem", "gone.pem"):
        project.write(
            {"url": secure, "params": {"q": "{query}"}, "hits": "hits", "id": "id", "tls": {"ca": name}}, {"q1": "a"}
        )
        result = project.run("check", "--floors-only")
        codes.append(result.code)
        errors.append(result.stderr)

    assert [0, 2, 2] == codes
    assert f"error: service.tls.ca: {tmp_path / 'garbage.pem'} holds no authorities in PEM form" in errors[1]
    assert f"rankgate.yaml:7:15: service: there is no file '{tmp_path / 'gone.pem'}'" in errors[2]


# HTTP/2.


class Http2:
    """A service that speaks nothing but HTTP/2; answers one hit with the query's address as its id."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.protocols: list[str | None] = []
        self._context = context
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        while True:
            try:
                line = self.listener.accept()[0]
            except OSError:
                return
            self._threads.append(threading.Thread(target=self._serve, args=(line,)))
            self._threads[-1].start()

    def _serve(self, line: socket.socket) -> None:
        with self._context.wrap_socket(line, server_side=True) as stream:
            self.protocols.append(stream.selected_alpn_protocol())
            http = H2Connection(H2Configuration(client_side=False, header_encoding=None))
            http.initiate_connection()
            targets: dict[int, str] = {}
            while True:
                stream.sendall(http.data_to_send())
                received = stream.recv(65536)
                if not received:
                    return
                for event in http.receive_data(received):
                    if isinstance(event, RequestReceived):
                        targets[event.stream_id] = str(dict(event.headers)[b":path"], "ascii")
                    elif isinstance(event, StreamEnded):
                        answer = f'{{"hits": [{{"id": "{targets[event.stream_id]}"}}]}}'.encode()
                        http.send_headers(event.stream_id, [(":status", "200"), ("content-type", "application/json")])
                        http.send_data(event.stream_id, answer, end_stream=True)


@pytest.fixture
def http2(pki: Pki) -> Iterator[Http2]:
    """A service for one test."""
    running = Http2(pki.context(alpn=("h2",)))
    yield running
    running.close()


def test_http2(service: "Service", pki: Pki, http2: Http2) -> None:
    """Several queries over a few connections, each with its own answer; POST has its body."""
    spec = service.spec(url=f"https://{http2.address}/s", tls=Tls(ca=pki.ca), http2=True, concurrency=2)
    run = measure(spec, [Ask(f"q{n}", str(n)) for n in range(6)], 10)

    assert {f"q{n}": Ranking((f"/s?q={n}",)) for n in range(6)} == run.rankings
    assert {"h2"} == set(http2.protocols)
    assert len(http2.protocols) <= 2


def test_http2_is_offered_and_not_insisted_on(service: "Service", pki: Pki, secure: str) -> None:
    """A service that speaks HTTP/1.1 alone is measured all the same, as is one without TLS."""
    assert MEASURED == service.measure(url=secure, tls=Tls(ca=pki.ca), http2=True).rankings


def test_http2_needs_its_extra(service: "Service", monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it the command to install it is told."""
    monkeypatch.setattr(connection, "find_spec", lambda name: None if name == "h2" else importlib.util.find_spec(name))
    with pytest.raises(ConfigError, match=r"service\.http2: HTTP/2 needs another package") as caught:
        service.measure(http2=True)
    assert "pip install 'rankgate[http2]'" == caught.value.hint
    assert MEASURED == service.measure().rankings
