"""Which index it is: what a service says of itself, kept with the run, and no reason to fail when it does not say."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from rankgate.core.rankings import Ranking
from rankgate.errors import ConfigError
from rankgate.files.service_spec import Lookup, Secret
from tests.service.support import record, replay

if TYPE_CHECKING:
    from tests.service.conftest import Reply, Service

SECRET: Final = "hunter2-hunter2"


def fingerprinted(service: "Service", reply: "Reply", path: str = "@", **changes: Any) -> tuple[str, str]:
    """Fingerprint and note of a run on a service that answers *reply* to the question what it is."""
    service.respond = lambda r: reply if r.path == "/index" else service.hits("d1")
    lookup = Lookup(f"http://{service.address}/index", path)
    run = service.measure("a", fingerprint=lookup, retries=0, **changes)
    assert {"q1": Ranking(("d1",))} == run.rankings
    assert {} == run.failures
    return run.fingerprint, run.notes.get("fingerprint", "")


@pytest.mark.parametrize(
    ("answer", "path", "fingerprint"),
    [
        ("products-v1", "@", "products-v1"),
        ({"count": 1200}, "count", "1200"),
        ({"a": {"b": {"uuid": "x7"}}}, "a.b.uuid", "x7"),
        ({"b": 1, "a": [True, None], "c": "caf\u00e9"}, "@", '{"a": [true, null], "b": 1, "c": "caf\u00e9"}'),
        ({"docs": 1200, "model": "m2", "took": 3}, "{model: model, docs: docs}", '{"docs": 1200, "model": "m2"}'),
        (0, "@", "0"),
        (False, "@", "false"),
    ],
)
def test_a_service_says_what_it_is(service: "Service", answer: object, path: str, fingerprint: str) -> None:
    """A text as it is, anything else as JSON with its keys in order."""
    assert (fingerprint, "") == fingerprinted(service, service.json(answer), path)


def test_a_long_answer_becomes_a_digest(service: "Service") -> None:
    """It is for the header of a file, and for a sentence; another long answer is another digest."""
    first, _ = fingerprinted(service, service.json(["x"] * 100))
    again, _ = fingerprinted(service, service.json(["x"] * 100))
    other, _ = fingerprinted(service, service.json(["x"] * 101))

    assert first == again
    assert first != other
    assert ["sha256", 12] == [first.partition(" ")[0], len(first.partition(" ")[2])]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda s: s.plain("no", 500), "status 500 (no)"),
        (lambda s: s.plain("", 404), "status 404"),
        (lambda s: s.plain("<html>"), "the answer is HTML, not JSON"),
        (lambda s: s.json({"other": 1}), "path 'uuid' gives nothing"),
        (lambda s: s.json({"uuid": ""}), "path 'uuid' gives nothing"),
        (lambda s: s.json({"uuid": {}}), "path 'uuid' gives nothing"),
        (lambda s: s.wire(b""), "the connection broke"),
    ],
)
def test_a_fingerprint_that_fails_is_a_note(
    service: "Service", answer: Callable[["Service"], "Reply"], reason: str
) -> None:
    """It spoils no measurement."""
    fingerprint, note = fingerprinted(service, answer(service), "uuid")

    assert "" == fingerprint
    assert note.startswith(f"not read: GET http://{service.address}/index: ")
    assert reason in note


def test_a_fingerprint_elsewhere_may_be_down(service: "Service", closed_port: int) -> None:
    """The service was measured all the same; so it was where a proxy of that address alone cannot be used."""
    run = service.measure("a", fingerprint=Lookup(f"http://127.0.0.1:{closed_port}/"), retries=0)

    assert ({"q1": Ranking(("d1", "d2"))}, "") == (run.rankings, run.fingerprint)
    assert run.notes["fingerprint"].endswith(": connection refused")


def test_an_unusable_proxy_of_the_fingerprint_alone_is_a_note(
    service: "Service", monkeypatch: pytest.MonkeyPatch
) -> None:
    """This machine is asked without one."""
    monkeypatch.setenv("HTTP_PROXY", "nonsense://user:pw@[")

    run = service.measure("a", fingerprint=Lookup("http://search.invalid/"), retries=0)

    assert ({"q1": Ranking(("d1", "d2"))}, "") == (run.rankings, run.fingerprint)
    assert run.notes["fingerprint"].startswith("not read: the proxy of ")


def test_what_is_no_address_is_a_config_error(service: "Service") -> None:
    """It is refused before anything is asked."""
    with pytest.raises(ConfigError, match=r"service\.fingerprint\.url: not an address: Port could not"):
        service.measure("a", fingerprint=Lookup("http://h:port/"))
    assert [] == service.requests


def test_a_service_that_answered_nothing_is_not_asked_what_it_is(service: "Service") -> None:
    """It is not waited for a second time."""
    service.always(service.plain("", 500))
    run = service.measure("a", "b", fingerprint=Lookup(f"http://{service.address}/index"))

    assert ({}, "", {}) == (run.rankings, run.fingerprint, run.notes)
    assert {"/search"} == {request.path for request in service.requests}


def test_a_fingerprint_holds_no_secret(service: "Service", tmp_path: Path) -> None:
    """Neither in the run nor in its recording, though the service says it back."""
    service.respond = lambda r: (
        service.json({"key": r.headers["x-api-key"]}) if r.path == "/index" else service.hits("d1")
    )
    asked = service.spec(
        fingerprint=Lookup(f"http://{service.address}/index"),
        headers={"X-Api-Key": SECRET},
        secrets=(Secret("KEY", SECRET),),
    )

    assert '{"key": "[KEY]"}' == record(asked, tmp_path / "answers").fingerprint
    assert [] == [path.name for path in (tmp_path / "answers").iterdir() if SECRET in path.read_text(encoding="utf-8")]


def test_a_replay_keeps_the_fingerprint_and_asks_nobody(service: "Service", tmp_path: Path) -> None:
    """What the service said of itself then."""
    service.respond = lambda r: service.json("products-v1") if r.path == "/index" else service.hits("d1")
    asked = service.spec(fingerprint=Lookup(f"http://{service.address}/index"))
    recorded = record(asked, tmp_path / "answers")
    service.requests.clear()

    assert recorded == replay(asked, tmp_path / "answers")
    assert "products-v1" == recorded.fingerprint
    assert [] == service.requests
