"""Two services that are asked the same at the same time, so that both are measured under the same conditions."""

import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from rankgate import app
from rankgate.core.rankings import Ranking
from rankgate.errors import ServiceUnreachableError
from rankgate.files.gate_file import Aim
from rankgate.service.client import Ask, measure_together
from rankgate.service.lookup import Existence

if TYPE_CHECKING:
    from tests.service.conftest import Received, Reply, Service

ASKS: Final = [Ask(f"q{number}", f"text {number}") for number in range(6)]


def test_two_services_are_measured_under_the_same_conditions(service: "Service", other_service: "Service") -> None:
    """Each answers its first query only once the other was asked too; both runs are complete, in their order."""
    meeting = threading.Barrier(2, timeout=5)
    progress: list[tuple[int, int]] = []
    for each, document in ((service, "a"), (other_service, "b")):

        def respond(_: "Received", each: "Service" = each, document: str = document) -> "Reply":
            meeting.wait()
            return each.hits(document)

        each.respond = respond
    specs = [each.spec(concurrency=1, read_timeout=5.0) for each in (service, other_service)]

    first, second = measure_together(specs, ASKS, 10, progress=lambda done, total: progress.append((done, total)))

    assert {ask.id: Ranking(("a",)) for ask in ASKS} == first.rankings
    assert {ask.id: Ranking(("b",)) for ask in ASKS} == second.rankings
    assert [(number, 12) for number in range(1, 13)] == progress


def test_a_query_that_fails_on_one_service_fails_on_that_one(service: "Service", other_service: "Service") -> None:
    """The other's run is whole."""
    other_service.respond = lambda r: (
        other_service.plain("", 500) if r.params["q"] == ["text 3"] else other_service.hits("b")
    )

    first, second = measure_together([service.spec(), other_service.spec()], ASKS, 10)

    assert (6, [], 5, ["q3"]) == (
        len(first.rankings),
        list(first.failures),
        len(second.rankings),
        list(second.failures),
    )


@pytest.mark.parametrize("down", [0, 1])
def test_one_service_that_is_down_ends_both(service: "Service", closed_port: int, down: int) -> None:
    """A comparison with nothing is none; the one that hangs is not waited for."""
    service.respond = service.slow(service.hits("a"), 30)
    specs = [service.spec(read_timeout=30.0), service.spec(url=f"http://127.0.0.1:{closed_port}/", retries=0)]

    with pytest.raises(ServiceUnreachableError) as caught:
        measure_together(specs if down else specs[::-1], ASKS, 10)

    assert f"127.0.0.1:{closed_port}" in str(caught.value)


def project(folder: Path, service: "Service", target: str = "", exists: str = "") -> app.Project:
    """A project with two targets."""
    (folder / "rankgate.yaml").write_text(
        f"""\
version: 1
depth: 3
service:
  url: "http://{service.address}/a?q={{query}}&k={{depth}}"
  hits: hits
  id: id
{exists}  targets: {{b: {{url: "http://{service.address}/b?q={{query}}&k={{depth}}"}}}}
measures: [P@1]
gate: {{P@1: {{floor: 0.5}}}}
""",
        encoding="utf-8",
    )
    queries = [{"id": name, "text": f"text {name}", "judgments": {"d1": 3}} for name in ("q1", "q2")]
    (folder / "queries").mkdir(exist_ok=True)
    (folder / "queries" / "q.yaml").write_text(json.dumps({"queries": queries}), encoding="utf-8")
    return app.load_project(folder / "rankgate.yaml", {}, Aim(target=target))


def test_two_targets_of_a_project_are_measured_together(service: "Service", tmp_path: Path) -> None:
    """Each its own address, both the queries and the depth of the first."""
    service.respond = lambda r: service.hits(r.path.strip("/"))
    first, second = project(tmp_path, service), project(tmp_path, service, "b")

    here, there = app.measure_both(first, second, first.golden)

    assert {"q1": Ranking(("a",)), "q2": Ranking(("a",))} == here.rankings
    assert {"q1": Ranking(("b",)), "q2": Ranking(("b",))} == there.rankings
    assert {f"/{path}?q=text%20{query}&k=3" for path in ("a", "b") for query in ("q1", "q2")} == {
        request.target for request in service.requests
    }


def test_documents_are_looked_for_where_the_config_says_how(service: "Service", tmp_path: Path) -> None:
    """Without ``exists`` nothing is known of any, and nobody is asked."""
    service.respond = lambda r: service.plain("", 404 if r.path == "/doc/b" else 200)
    told = project(tmp_path, service, exists=f'  exists: {{url: "http://{service.address}/doc/{{id}}"}}\n')

    assert Existence(missing=frozenset({"b"})) == app.missing_documents(told, ["a", "b"], ["a"])

    service.requests.clear()

    assert Existence() == app.missing_documents(project(tmp_path, service), ["a", "b"], ["a"])
    assert [] == service.requests


def test_an_address_that_knows_no_document_says_nothing_of_any(service: "Service", tmp_path: Path) -> None:
    """One that search returned is looked up too, where any is missing: a no to that one is the address's own fault."""
    service.respond = lambda r: service.json({"found": True}) if r.path == "/doc/a" else service.plain("", 404)
    wrong = project(tmp_path, service, exists=f'  exists: {{url: "http://{service.address}/dok/{{id}}"}}\n')
    told = project(tmp_path, service, exists=f'  exists: {{url: "http://{service.address}/doc/{{id}}"}}\n')
    reason = "service.exists says no even to 'a', which search returned; check service.exists.url"

    assert Existence(unknown=frozenset({"b", "c"}), reason=reason) == app.missing_documents(
        wrong, ["b", "c"], ["a", "d"]
    )
    assert Existence(missing=frozenset({"b", "c"})) == app.missing_documents(told, ["b", "c"], ["a", "d"])
    assert Existence(missing=frozenset({"b", "c"})) == app.missing_documents(told, ["b", "c"], [])

    service.requests.clear()
    assert Existence() == app.missing_documents(told, ["a"], ["a"])
    assert 1 == len(service.requests)
