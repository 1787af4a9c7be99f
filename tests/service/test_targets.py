"""Which service the command asks, and who it says that it is."""

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from tests.service.support import Project

if TYPE_CHECKING:
    from tests.service.conftest import Service


@pytest.fixture
def project(service: "Service", tmp_path: Path) -> Project:
    """A config in another folder than the one where commands are run."""
    service.always(service.hits("d1"))
    return Project(tmp_path)


def write(project: Project, service: "Service", **changes: Any) -> None:
    """A config that asks *service*, with *changes* of its ``service`` block."""
    url = f"http://{service.address}/own"
    project.write({"url": url, "params": {"q": "{query}"}, "hits": "hits", "id": "id", **changes}, {"q1": "boots"})


def test_the_target_is_asked(project: Project, service: "Service", other_service: "Service") -> None:
    """By each command that asks, with what it changes and with what it does not."""
    other_service.always(other_service.hits("d1"))
    staging = {"url": f"http://{other_service.address}/staging", "params": {"size": "{depth}"}}
    write(project, service, targets={"staging": staging, "down": {"url": "http://127.0.0.1:1/"}})
    results = [
        project.run("check", "--floors-only", "--target", "staging"),
        project.run("run", "-o", project.folder / "run", "--target", "staging"),
        project.run("accept", "--target", "staging"),
    ]

    assert [0, 0, 0] == [result.code for result in results], results
    assert ["/staging?q=boots&size=10"] * 3 == [request.target for request in other_service.requests]
    assert [] == service.requests
    assert 0 == project.run("check").code
    assert ["/own?q=boots"] == [request.target for request in service.requests]


def test_an_unknown_target_is_2(project: Project, service: "Service") -> None:
    """With the nearest one; nothing is asked."""
    write(project, service, targets={"staging": {}})
    result = project.run("check", "--floors-only", "--target", "stagging")

    assert (2, "") == (result.code, result.stdout)
    assert "no target 'stagging' under service.targets; did you mean 'staging'?" in result.stderr
    assert [] == service.requests


def test_another_address_for_once(project: Project, service: "Service") -> None:
    """Of the service or of a target; one that is none is told."""
    write(project, service, targets={"staging": {"params": {"a": "b"}}})
    address = f"http://{service.address}/once"
    first = project.run("check", "--floors-only", "--url", address)
    second = project.run("check", "--floors-only", "--url", address, "--target", "staging")
    wrong = project.run("check", "--floors-only", "--url", "once")

    assert [0, 0, 2] == [result.code for result in (first, second, wrong)]
    assert ["/once?q=boots", "/once?q=boots&a=b"] == [request.target for request in service.requests]
    assert "an address begins with http:// or https:// and a host, found 'once'" in wrong.stderr


@pytest.mark.parametrize("password", ["hunter2:@/#?", "pä ß 東 pass", "{braces} $x", "a" * 100, "per%41cent"])
def test_basic_auth_arrives_and_stays_out_of_everything(project: Project, service: "Service", password: str) -> None:
    """The header is exact; a service that repeats it, as it is, decoded or escaped, brings it into no report or file."""
    write(project, service, basic_auth={"user": "us er", "password": "${PASSWORD}"})
    good = project.run("check", "--floors-only", PASSWORD=password)
    (request,) = service.requests
    coded = base64.b64encode(f"us er:{password}".encode()).decode()
    told = [request.headers["authorization"], coded, password, quote(password, safe=""), json.dumps(password)]
    service.always(service.json({"error": " , ".join(told)}, 401))
    reports = [f"--output={name}:{project.folder}/{name}" for name in ("json", "junit", "markdown")]
    results = [
        project.run("-v", "check", "--floors-only", *reports, PASSWORD=password),
        project.run("-v", "run", "-o", project.folder / "run", "--record", project.folder / "tape", PASSWORD=password),
    ]

    assert f"Basic {coded}" == request.headers["authorization"]
    assert [0, 3, 3] == [good.code, *(result.code for result in results)]
    assert "status 401 (Basic " in results[1].stderr
    files = [path.read_text(encoding="utf-8") for path in project.folder.rglob("*") if path.is_file()]
    texts = [*files, *(text for result in results for text in (result.stdout, result.stderr))]
    assert len(files) > 6
    secrets = {password, coded, coded[12:-4], quote(password, safe=""), json.dumps(password)[1:-1]}
    assert [] == [(secret, text) for text in texts for secret in secrets if secret in text]
