"""``pytest --rankgate golden/`` comes to the verdict of ``rankgate check``, an item a rule."""

import os
import subprocess
import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol
from xml.etree import ElementTree as ET

import pytest

from tests.e2e.support import HEAD, JARGON, LIMIT_SECONDS, Fault, Inside, Workspace, put

#: The items of the workspace's config, in order.
ITEMS: Final = (
    "verdict",
    "P@1 floor",
    "P@1 max_drop",
    "nDCG@10 max_drop",
    "ZeroResults max_rise",
    "nDCG@10 max_drop on 'jargon'",
    "lost_queries",
)
PASSED: Final[Mapping[str, str]] = dict.fromkeys(ITEMS, "passed")


@dataclass(frozen=True, slots=True)
class Session:
    """How pytest ended.

    Attributes:
        items: passed, failure, error or skipped, by the name of the gate's item.
        told: What an item that did not pass says.
        others: The same as *items* for tests of the team's own.
    """

    code: int
    output: str
    items: Mapping[str, str] = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)


class Pytest(Protocol):
    """Runs pytest in the workspace."""

    def __call__(self, *arguments: str) -> Session:
        """Run it and wait for its end."""


def session(code: int, output: str, report: Path) -> Session:
    """What became of each test, by the report that CI servers read."""
    cases = list(ET.parse(report).iter("testcase")) if report.exists() else []
    marks = {(case.attrib["classname"], case.attrib["name"]): case.find("*[@message]") for case in cases}
    became = {key: "passed" if mark is None else mark.tag for key, mark in marks.items()}
    return Session(
        code,
        output,
        {name: tag for (place, name), tag in became.items() if place == "rankgate"},
        {name: mark.text or mark.attrib["message"] for (_, name), mark in marks.items() if mark is not None},
        {name: tag for (place, name), tag in became.items() if place != "rankgate"},
    )


@pytest.fixture
def tested(accepted: Workspace, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Pytest:
    """A pytest within this one, which knows nothing of it."""

    def run(*arguments: str) -> Session:
        report = accepted.root / "junit.xml"
        with monkeypatch.context() as patch, warnings.catch_warnings():
            for key in [key for key in os.environ if key.startswith("PYTEST")]:
                patch.delenv(key)
            warnings.resetwarnings()  # to which this pytest has added that all are errors
            code = pytest.main(["-p", "no:cacheprovider", f"--junitxml={report}", *arguments])
        sys.modules.pop("test_own", None)
        return session(int(code), "".join(capfd.readouterr()), report)

    return run


@pytest.fixture
def apart(accepted: Workspace) -> Pytest:
    """A pytest in a process of its own, for what several processes or a fresh one are needed for."""

    def run(*arguments: str) -> Session:
        report = accepted.root / "junit.xml"
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={report}", *arguments],
            cwd=accepted.root,
            env={key: value for key, value in os.environ.items() if not key.startswith("PYTEST")},
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )
        return session(done.returncode, done.stdout + done.stderr, report)

    return run


@pytest.mark.parametrize(
    ("worse", "failing", "code", "expected"),
    [
        pytest.param((), (), 0, {}, id="pass"),
        pytest.param(HEAD[:1], (), 0, {}, id="worse within the limits"),
        pytest.param(
            HEAD[:3],
            (),
            1,
            dict.fromkeys(("verdict", "P@1 max_drop", "nDCG@10 max_drop", "lost_queries"), "failure"),
            id="fail",
        ),
        pytest.param((), HEAD[:1], 3, {"verdict": "error"}, id="inconclusive, though every rule holds at worst"),
        pytest.param(
            (),
            HEAD,
            3,
            dict.fromkeys(ITEMS, "error") | dict.fromkeys(("P@1 floor", "nDCG@10 max_drop on 'jargon'"), "passed"),
            id="inconclusive",
        ),
    ],
)
def test_the_verdict_is_that_of_the_command(
    accepted: Workspace,
    inside: Inside,
    tested: Pytest,
    *,
    worse: tuple[str, ...],
    failing: tuple[str, ...],
    code: int,
    expected: Mapping[str, str],
) -> None:
    """Something fails exactly when ``rankgate check`` does not exit with 0, and each item is its rule's."""
    accepted.worsen(*worse)
    accepted.search.faults |= {text: Fault(500) for text in failing}
    ended = tested("--rankgate", "golden/")

    assert code == inside("check").code
    assert (int(code > 0), {**PASSED, **expected}) == (ended.code, ended.items)


def test_a_failing_item_says_what_the_report_says(accepted: Workspace, tested: Pytest) -> None:
    """The sentence, the place in the config, the queries and the documents that moved; the verdict has all of it."""
    accepted.worsen(*HEAD[:3])
    ended = tested("--rankgate", "golden")
    rule, verdict = ended.told["P@1 max_drop"], ended.told["verdict"]

    assert "P@1 fell by 0.2500, from 1.0000 to 0.7500 over 12 queries; max_drop 0.1000" in rule
    assert "golden/rankgate.yaml:15:31\n" in rule
    assert "running-shoes-1  grade 3    1 -> 3" in rule
    assert "FAIL  exit code 1\n" in verdict
    assert set(rule[rule.index("Queries  (") :].splitlines()[1:]) <= set(verdict.splitlines())
    assert "pytest_gate.py" not in ended.output


def test_pins_are_items(accepted: Workspace, inside: Inside, tested: Pytest) -> None:
    """One each, at the place of its query; a known failure is expected to fail, and a failure names its query alone."""
    put(
        accepted.file("pins"),
        'queries:\n- {id: pinned, text: running shoes, judgments: {running-shoes-1: 3}, must: {P@1: 1}, never: ["b"]}\n'
        "- {id: known, text: rain jacket, judgments: {rain-jacket-1: 3}, first: other, known_failure: ticket 7}\n",
    )
    inside("accept")
    accepted.worsen(HEAD[0])
    accepted.configure("lost_queries: {max: 1}", "lost_queries: {max: 9}")
    accepted.configure("P@1: {floor: 0.5, max_drop: 0.1}", "P@1: {floor: 0.5}")
    ended = tested("--rankgate", "golden", "-k", "query")
    failing = ended.told["must P@1 for query 'pinned'"]

    assert {
        "must P@1 for query 'pinned'": "failure",
        "never for query 'pinned'": "passed",
        "first for query 'known'": "skipped",
    } == ended.items
    assert "ticket 7" in ended.told["first for query 'known'"]
    assert "golden/queries/pins.yaml:2:3\n" in failing
    assert "Queries  (1; " in failing
    assert 1 == ended.code


def test_what_is_not_gated_is_skipped_with_its_reason(accepted: Workspace, tested: Pytest) -> None:
    """A slice that is too small fails nothing, and does not look as if it had passed."""
    accepted.configure("min_queries: 6", "min_queries: 7")
    ended = tested("--rankgate", "golden")

    assert {**PASSED, "nDCG@10 max_drop on 'jargon'": "skipped"} == ended.items
    assert "n=6 < 7" in ended.told["nDCG@10 max_drop on 'jargon'"]
    assert 0 == ended.code


@pytest.mark.parametrize(("arguments", "code"), [((), 0), (("-W", "error::rankgate.pytest_plugin.GateWarning"), 1)])
def test_a_warning_is_one_of_pytest(accepted: Workspace, tested: Pytest, arguments: tuple[str, ...], code: int) -> None:
    """It is shown and passes; who turns warnings into errors gets ``--strict``."""
    accepted.configure("nDCG@10: {max_drop: 0.1}", "nDCG@10: {warn_drop: 0.01}")
    accepted.worsen(HEAD[0])
    ended = tested("--rankgate", "golden", *arguments)

    assert code == ended.code
    assert "GateWarning: nDCG(dcg='exp-log2')@10 fell by" in ended.output


def test_a_warning_without_an_item_is_the_verdicts(accepted: Workspace, inside: Inside, tested: Pytest) -> None:
    """Such as that the candidate is better by more than the limit: known only once it was measured."""
    accepted.worsen(*HEAD[:3])
    inside("accept", "--allow-worse", "--reason", "for the test")
    accepted.best()
    ended = tested("--rankgate", "golden")

    assert (0, PASSED) == (ended.code, ended.items)
    assert "GateWarning: P@1 is better than the baseline by 0.2500" in ended.output


@pytest.mark.parametrize(
    ("found", "wanted", "expected"),
    [
        pytest.param("floor: 0.5", "flor: 0.5", "golden/rankgate.yaml:15:9: gate.P@1: unknown key 'flor'", id="config"),
        pytest.param("depth: 10", "depth: 10\nbaseline: none.jsonl", "there is no baseline", id="no baseline"),
        pytest.param("hits: hits", "headers: {K: '${NO_SUCH}'}\n  hits: hits", "NO_SUCH", id="variable"),
    ],
)
def test_a_mistake_in_the_files_is_a_collection_error(
    accepted: Workspace, inside: Inside, tested: Pytest, *, found: str, wanted: str, expected: str
) -> None:
    """With the words of the command, and without a traceback; pytest's code is that of the command too."""
    accepted.configure(found, wanted)
    ended, command = tested("--rankgate", "golden"), inside("check")

    assert 2 == ended.code == command.code
    assert expected in ended.output
    assert [] == [
        line for line in command.stderr.splitlines() if line.removeprefix("error: ").strip() not in ended.output
    ]
    assert "Traceback" not in ended.output
    assert ".py:" not in ended.output


def test_a_service_that_is_down_is_one_error(accepted: Workspace, tested: Pytest) -> None:
    """The first item tells it, the others point to that one: nobody reads it seven times."""
    accepted.search.close()
    ended = tested("--rankgate", "golden")

    assert {**dict.fromkeys(ITEMS, "skipped"), "verdict": "error"} == ended.items
    assert (1, ["verdict"]) == (ended.code, [name for name, why in ended.told.items() if "connection refused" in why])
    assert "rankgate::verdict says why" in ended.told["P@1 floor"]


def test_a_part_of_the_gate_that_was_not_measured_is_no_pass(accepted: Workspace, tested: Pytest) -> None:
    """Whichever item comes first has the error, so none is skipped alone."""
    accepted.search.close()
    ended = tested("--rankgate", "golden", "-k", "floor")

    assert (1, {"P@1 floor": "error"}) == (ended.code, ended.items)


def test_collecting_asks_nothing(accepted: Workspace, tested: Pytest) -> None:
    """What there is to test follows from the files."""
    accepted.search.requests.clear()
    ended = tested("--rankgate", "golden", "--collect-only", "-q")

    assert [f"rankgate::{name}" for name in ITEMS] == ended.output.split("\n\n")[0].splitlines()
    assert [] == accepted.search.requests


@pytest.mark.slow
def test_every_worker_has_the_one_result(accepted: Workspace, apart: Pytest) -> None:
    """The service is asked once, and neither by a worker, however they share the items, nor for the fixture."""
    put(accepted.root / "test_own.py", OWN)
    accepted.search.requests.clear()
    ended = apart("--rankgate", "golden", "-n", "2")

    assert (0, PASSED, {"test_word": "passed"}) == (ended.code, ended.items, ended.others)
    assert sorted((*HEAD, *JARGON)) == sorted(request.text for request in accepted.search.requests)


@pytest.mark.slow
def test_every_worker_has_the_one_error(accepted: Workspace, apart: Pytest) -> None:
    """Which no worker came to itself; each of them tells it once at the most."""
    accepted.search.close()
    ended = apart("--rankgate", "golden", "-n", "2")
    became = list(ended.items.values())

    assert (1, len(ITEMS)) == (ended.code, len(became))
    assert 1 <= became.count("error") <= 2
    assert len(ITEMS) - became.count("error") == became.count("skipped")


OWN: Final = "def test_word(rankgate_report):\n    assert rankgate_report.word == 'PASS'\n"


@pytest.mark.parametrize(
    ("arguments", "worse", "expected", "told"),
    [
        pytest.param(("--rankgate", "golden"), False, (0, "passed"), "8 passed", id="pass"),
        pytest.param(("--rankgate", "golden"), True, (1, "failure"), "assert 'FAIL' == 'PASS'", id="fail"),
        pytest.param((), False, (1, "error"), "needs the option --rankgate PATH", id="without the option"),
    ],
)
def test_the_fixture_gives_the_report(
    accepted: Workspace,
    tested: Pytest,
    *,
    arguments: tuple[str, ...],
    worse: bool,
    expected: tuple[int, str],
    told: str,
) -> None:
    """For assertions of one's own; that nothing was measured is never a pass."""
    put(accepted.root / "test_own.py", OWN)
    accepted.worsen(*HEAD[:3] if worse else ())
    ended = tested(*arguments)

    assert expected == (ended.code, ended.others["test_word"])
    assert told in ended.output


def test_the_gate_can_be_run_alone_and_left_out(accepted: Workspace, tested: Pytest) -> None:
    """By its marker, which ``--strict-markers`` knows; measuring warns of nothing."""
    put(accepted.root / "test_own.py", "def test_one():\n    pass\n")

    alone = tested("--rankgate", "golden", "-m", "rankgate", "--strict-markers", "-W", "error")
    without = tested("--rankgate", "golden", "-m", "not rankgate")

    assert (PASSED, {}) == (alone.items, alone.others)
    assert ({}, {"test_one": "passed"}) == (without.items, without.others)


def test_baseline_and_target_are_those_of_the_command(accepted: Workspace, tested: Pytest, dead_port: int) -> None:
    """``--rankgate-baseline`` and ``--rankgate-target``."""
    accepted.configure("  retries: 0", f"  retries: 0\n  targets: {{new: {{url: 'http://127.0.0.1:{dead_port}/s'}}}}")
    elsewhere = tested("--rankgate", "golden", "--rankgate-target", "new")
    other = tested("--rankgate", "golden/rankgate.yaml", "--rankgate-baseline", "none.jsonl")

    assert f"127.0.0.1:{dead_port}" in elsewhere.told["verdict"]
    assert (2, True) == (other.code, "none.jsonl: there is no baseline" in other.output)


def test_options_without_the_gate_are_a_usage_error(tested: Pytest) -> None:
    """A forgotten ``--rankgate`` does not pass in silence."""
    ended = tested("--rankgate-target", "new")

    assert 4 == ended.code
    assert "need --rankgate PATH" in ended.output


def test_it_costs_nothing_where_it_is_not_asked_for(apart: Pytest, accepted: Workspace) -> None:
    """No part of rankgate but the options is imported, and nothing of what it needs."""
    put(
        accepted.root / "test_own.py",
        "import sys\n\n\ndef test_modules():\n"
        "    found = {m for m in sys.modules if m.partition('.')[0] in {'rankgate', 'numpy', 'httpx', 'click', 'yaml'}}\n"
        "    assert {'rankgate', 'rankgate.pytest_plugin'} == found\n",
    )
    ended = apart()

    assert {"test_modules": "passed"} == ended.others, ended.output


def test_names_of_data_cannot_break_the_output(accepted: Workspace, inside: Inside, tested: Pytest) -> None:
    """An id with an escape, a line break or a workflow command in it is written so that it can be read."""
    put(
        accepted.file("odd"),
        'queries:\n- {id: "a\\e[31m\\n::error::b", text: wool socks, judgments: {wool-socks-1: 3}, must: {P@1: 1}}\n',
    )
    inside("accept")
    accepted.worsen("wool socks")
    ended = tested("--rankgate", "golden", "-k", "must")

    assert 1 == ended.code
    assert "\x1b" not in ended.output
    assert [] == [line for line in ended.output.splitlines() if line.lstrip().startswith("::error")]
