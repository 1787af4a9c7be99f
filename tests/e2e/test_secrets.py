"""A secret from the environment goes to the service and nowhere else."""

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from rankgate.reports import FORMATS
from tests.e2e.support import Fault, Inside, Rankgate, Result, Workspace, put

#: With the characters that URLs, JSON and templates escape.
CANARY = 'canary-7c/0+f&4"{9} x%20'
NAME = "SEARCH_CANARY"

SERVICE = """\
service:
  url: {url}/search
  params: {{key: "${{SEARCH_CANARY}}"}}
  method: POST
  headers: {{Authorization: "Bearer ${{SEARCH_CANARY}}", X-Key: "${{SEARCH_CANARY}}"}}
  body: {{q: "{{query}}", size: "{{depth}}", token: "${{SEARCH_CANARY}}"}}
  hits: hits
  id: id
  retries: 0
  timeout: {{connect: 2, read: 2, run: 20}}

"""


def spellings() -> Iterator[str]:
    """The forms in which the canary may leak."""
    yield CANARY
    yield quote(CANARY, safe="")
    yield json.dumps(CANARY)[1:-1]
    yield json.dumps(CANARY, ensure_ascii=False)[1:-1]
    yield base64.b64encode(CANARY.encode()).decode().rstrip("=")[:-2]
    yield "canary-7c"  # a piece of it, however the rest is escaped


def leaks(workspace: Workspace, *results: Result) -> list[str]:
    """Every stream and every file that holds the canary in any form."""
    sinks = {
        f"{stream} of {number}": getattr(result, stream)
        for number, result in enumerate(results)
        for stream in ("stdout", "stderr")
    }
    for path in workspace.root.rglob("*"):
        if path.is_file():
            sinks[str(path)] = path.read_bytes().decode(errors="replace")
    return [name for name, text in sinks.items() for form in spellings() if form.casefold() in text.casefold()]


@pytest.fixture
def guarded(workspace: Workspace, inside: Inside, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """The accepted workspace with the canary in URL, headers and body."""
    text = workspace.config.read_text(encoding="utf-8")
    head, _, rest = text.partition("service:")
    service = SERVICE.format(url=workspace.search.url)
    put(workspace.config, head + service + rest[rest.index("depth:") :])
    with monkeypatch.context() as patch:
        patch.setenv(NAME, CANARY)
        assert 0 == inside("accept").code
    return workspace


def everything() -> list[str]:
    """The options that write every report there is."""
    return [argument for report in FORMATS for argument in ("--output", f"{report}:out/{report}")]


def test_the_secret_arrives_and_stays_out_of_every_sink(guarded: Workspace, rankgate: Rankgate) -> None:
    """Accepting, passing, failing, saving: the service gets it in all three places, and no stream or file has it."""
    env = {NAME: CANARY}
    taken = rankgate("-v", "accept", env=env)
    passed = rankgate("-v", "check", *everything(), env=env)
    guarded.worsen("trail map", "usb-c lamp")
    failed = rankgate("-v", "check", *everything(), env=env)
    saved = rankgate("-v", "run", "-o", "run.jsonl", env=env)

    assert [0, 0, 1, 0] == [each.code for each in (taken, passed, failed, saved)], taken.stderr
    request = guarded.search.requests[0]
    assert quote(CANARY, safe="") in request.target
    assert f"Bearer {CANARY}" == request.headers["Authorization"].encode("latin-1").decode()
    assert CANARY == json.loads(request.body)["token"]
    assert [] == leaks(guarded, taken, passed, failed, saved)


FAULTS: dict[str, Callable[[Workspace], object]] = {
    "401 that echoes": lambda workspace: workspace.search.faults.update({None: Fault(401, echoes=True)}),
    "500 that echoes": lambda workspace: workspace.search.faults.update({None: Fault(500, echoes=True)}),
    "an echo in place of hits": lambda workspace: workspace.search.faults.update({None: Fault(200, echoes=True)}),
    "a page with it": lambda workspace: workspace.search.faults.update({None: Fault(body=f"<html>{CANARY}</html>")}),
    "garbage with it": lambda workspace: workspace.search.faults.update({None: Fault(body=f"oops {CANARY}")}),
    "one that echoes": lambda workspace: workspace.search.faults.update({"trail map": Fault(500, echoes=True)}),
    "an id with it": lambda workspace: workspace.search.rankings.update({"trail map": [f"doc-{CANARY}"]}),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_quotes_no_secret(
    guarded: Workspace, inside: Inside, monkeypatch: pytest.MonkeyPatch, fault: Callable[[Workspace], object]
) -> None:
    """Whatever a service says of the request: with -v, in every report, in a saved run that holds the failures."""
    monkeypatch.setenv(NAME, CANARY)
    fault(guarded)
    checked = inside("-v", "check", *everything())
    saved = inside("-v", "run", "-o", "run.jsonl")

    assert (3, 3) == (checked.code, saved.code)
    assert (guarded.root / "run.jsonl").exists()
    assert [] == leaks(guarded, checked, saved)


def test_a_dead_port_quotes_no_secret(
    guarded: Workspace, inside: Inside, monkeypatch: pytest.MonkeyPatch, dead_port: int
) -> None:
    """The message of a refused connection has the address without its query string."""
    guarded.configure(guarded.search.url, f"http://user:{CANARY[:9]}@127.0.0.1:{dead_port}")
    monkeypatch.setenv(NAME, CANARY)
    result = inside("-v", "accept")

    assert 3 == result.code
    assert "connection refused" in result.stderr
    assert "canary-7c" not in result.stderr + result.stdout


@pytest.mark.parametrize("place", ["retries: 0", "hits: hits", 'size: "{depth}"', "method: POST"])
def test_a_config_that_is_wrong_quotes_the_variable_and_not_its_value(
    guarded: Workspace, inside: Inside, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """A secret where a number, a path or a method belongs is named as it is written."""
    guarded.configure(place, f'{place.partition(": ")[0]}: "${{{NAME}}} {{nobody}} [["')
    monkeypatch.setenv(NAME, CANARY)
    result = inside("-v", "check")

    assert 2 == result.code
    assert "golden/rankgate.yaml:" in result.stderr
    assert [] == leaks(guarded, result)


def test_commands_that_ask_no_service_need_no_secret(guarded: Workspace, inside: Inside) -> None:
    """Validating, reporting, comparing and explaining work where the variable is not set; asking says which one is missing."""
    baseline: Path = guarded.baseline
    asking = inside("check")
    offline = [
        inside("validate"),
        inside("report", baseline),
        inside("diff", baseline, baseline),
        inside("explain", "--run", baseline, "trail-map"),
        inside("accept", "--from", baseline),
    ]

    assert 2 == asking.code
    assert f"the environment variable {NAME} is not set" in asking.stderr
    assert [0] * len(offline) == [each.code for each in offline]
