"""An adapter that prints: its words go to stderr, whichever command calls it, and stdout holds the report alone."""

import json
import sys
from collections.abc import Iterator

import pytest

from tests.e2e.support import HEAD, Inside, Workspace, put, right

MODULE = "adapter_that_prints"
SAID = "hello from the adapter"


@pytest.fixture
def printing(accepted: Workspace, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """The accepted workspace, asked through a function that prints; three queries are worse than accepted."""
    url = accepted.search.url
    accepted.configure(
        f'  url: {url}/search\n  params: {{q: "{{query}}", k: "{{depth}}"}}\n', f"  adapter: {MODULE}:ask\n"
    )
    accepted.configure("  retries: 0", f"  targets: {{second: {{adapter: '{MODULE}:right'}}}}")
    answers = {**{text: right(text) for text in accepted.search.rankings}, **{text: ["ad-1"] for text in HEAD[:3]}}
    code = f"""
def ask(query, depth, params):
    print({SAID!r})
    return {{"hits": [{{"id": each}} for each in {answers!r}[query]]}}

def right(query, depth, params):
    return {{"hits": [{{"id": query.replace(" ", "-") + f"-{{number}}"}} for number in (1, 2, 3, 4)]}}
"""
    put(accepted.config.parent / f"{MODULE}.py", code)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    sys.modules.pop(MODULE, None)
    yield accepted
    sys.modules.pop(MODULE, None)


@pytest.mark.parametrize(
    "command",
    [
        "check --no-confirm --format json",
        "check --format json",
        "check --repeat 2 --format json",
        "check --against second --format json",
        "check --exact second --format json",
        "calibrate --runs 2 --format json",
    ],
)
def test_stdout_is_the_report_alone(printing: Workspace, inside: Inside, command: str) -> None:
    """It can be parsed; what was printed is on stderr, as often as it was."""
    result = inside(*command.split())

    assert isinstance(json.loads(result.stdout), dict)
    assert result.stderr.count(SAID) >= len(printing.search.rankings)


def test_ask_begins_with_its_own_page(printing: Workspace, inside: Inside) -> None:
    """One query, asked for a reader."""
    result = inside("ask", "rain jacket")

    assert result.stdout.startswith("query    ")
    assert 1 == result.stderr.count(SAID)
