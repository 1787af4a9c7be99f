"""A function in Python stands for a service; whatever it does, it is never a zero result."""

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from rankgate.core.rankings import Detail, Ranking, Run
from rankgate.errors import ConfigError
from rankgate.files.service_spec import Secret, ServiceSpec
from rankgate.service.client import Ask, measure
from tests.service.support import Project

Module = Callable[[str], str]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Module]:
    """Write a module beside the config and return its name, which no other test has."""
    name = f"adapter_of_{tmp_path.name}".replace("-", "_")
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # two modules of one second and size are one to a cache

    def write(text: str) -> str:
        sys.modules.pop(name, None)
        (tmp_path / f"{name}.py").write_text(dedent(text), encoding="utf-8")
        return name

    yield write
    sys.modules.pop(name, None)


def ask(folder: Path, adapter: str, *asks: Ask, depth: int = 10, **changes: Any) -> Run:
    """Ask the function; the queries are q1 unless given."""
    spec = ServiceSpec(url="", hits="@", id="@", adapter=adapter, folder=folder, read_timeout=5.0)
    return measure(replace(spec, **changes), asks or [Ask("q1", "boots")], depth)


def failure(folder: Path, adapter: str, **changes: Any) -> tuple[str, str]:
    """Kind and message of a query that must fail."""
    run = ask(folder, adapter, **changes)
    assert {} == run.rankings
    return str(run.failures["q1"].kind), run.failures["q1"].message


FUNCTIONS = {
    "def": "def search(query, depth, params): return [query, depth, params]",
    "async def": "async def search(query, depth, params): return [query, depth, params]",
    "a method": """
        class Engine:
            def find(self, query, depth, params): return [query, depth, params]
        search = Engine().find
        """,
    "an object with an async call": """
        class Engine:
            async def __call__(self, query, depth, params): return [query, depth, params]
        search = Engine()
        """,
    "a partial": """
        from functools import partial
        def find(extra, query, depth, params): return [query, depth, params]
        search = partial(find, 1)
        """,
}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_gets_query_depth_and_params(tmp_path: Path, module: Module, function: str) -> None:
    """Whatever can be called with them; a query's own params go before the defaults."""
    name = module(FUNCTIONS[function])
    run = ask(
        tmp_path,
        f"{name}:search",
        Ask("q1", 'b"\n東 {x}', {"lang": "en"}),
        Ask("q2", "b"),
        defaults={"lang": "de", "n": 1},
        hits="[[0], [to_string(@[1])], [[2].lang], [to_string(@[2].n)]][]",
    )

    assert {"q1": Ranking(('b"\n東 {x}', "10", "en", "1")), "q2": Ranking(("b", "10", "de", "1"))} == run.rankings


def test_an_answer_is_read_by_the_paths(tmp_path: Path, module: Module) -> None:
    """With hits and id as for a service, details and all; a dotted name finds what a module holds."""
    name = module("""
        class Engine:
            @staticmethod
            def search(query, depth, params):
                return {"found": [{"sku": n, "s": n / 2} for n in range(depth)]}
        """)
    found = ask(tmp_path, f"{name}:Engine.search", depth=2, hits="found", id="sku", score="s").rankings["q1"]

    assert (("0", "1"), (Detail(0.0), Detail(0.5))) == (found.ids, found.details)


def test_an_empty_list_is_a_zero_result(tmp_path: Path, module: Module) -> None:
    """As from a service."""
    assert {"q1": Ranking(())} == ask(tmp_path, f"{module('def search(*_): return []')}:search").rankings


RAISED = "{name}:search raised "
NOT_JSON = "{name}:search returned what is no JSON value: "
FAULTS: dict[str, tuple[str, str, str]] = {
    "an exception": ("raise KeyError('sku')", "status", RAISED + "KeyError: 'sku'"),
    "without a word": ("raise RuntimeError", "status", RAISED + "RuntimeError"),
    "StopIteration": ("return next(iter([]))", "status", RAISED + "RuntimeError: coroutine raised StopIteration"),
    "its own time-out": ("raise TimeoutError('socket')", "status", RAISED + "TimeoutError: socket"),
    "SystemExit": ("import sys; sys.exit(0)", "status", RAISED + "SystemExit: 0"),
    "KeyboardInterrupt": ("raise KeyboardInterrupt", "status", RAISED + "KeyboardInterrupt"),
    "a set": ("return {'a'}", "body", NOT_JSON + "Object of type set is not JSON serializable"),
    "an object": ("return object()", "body", NOT_JSON + "Object of type object is not JSON serializable"),
    "NaN": ("return [float('nan')]", "body", NOT_JSON + "Out of range float values are not JSON compliant"),
    "a circle": ("x = []; x.append(x); return x", "body", NOT_JSON + "Circular reference detected"),
    "half a character": ("return ['\\ud800']", "body", NOT_JSON + "'utf-8' codec can't encode"),
    "no end": ("x = []\n    for _ in range(99999): x = [x]\n    return x", "body", NOT_JSON),
    "None": ("return None", "path", "{name}:search: path '@' is not in the answer; the answer is null"),
    "a mapping": ("return {'hits': []}", "path", "{name}:search: path '@' (service.hits) gives an object, not a list"),
    "a number too many": ("return ['a', 1.5]", "hit", "{name}:search: hit 2 has the number 1.5"),
    "partial": ("return {'timed_out': True}", "partial", "{name}:search: the answer says of itself"),
}


@pytest.mark.parametrize("kind", ["def", "async def"])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_failure(tmp_path: Path, module: Module, fault: str, kind: str) -> None:
    """Exceptions and answers that are none, with what was raised or found."""
    body, expected, message = FAULTS[fault]
    name = module(f"{kind} search(query, depth, params):\n    {body}\n")
    found, said = failure(tmp_path, f"{name}:search")

    assert expected == found
    assert said.startswith(message.format(name=name)), said


def test_a_failed_query_leaves_the_others(tmp_path: Path, module: Module) -> None:
    """What was raised is quoted without secrets, and shortened after that."""
    name = module("""
        def search(query, depth, params):
            if query == "bad":
                raise ValueError("key hunter22 " + "x" * 999)
            return [query]
        """)
    run = ask(tmp_path, f"{name}:search", Ask("q1", "bad"), Ask("q2", "ok"), secrets=(Secret("KEY", "hunter22"),))

    assert {"q2": Ranking(("ok",))} == run.rankings
    assert run.failures["q1"].message.startswith(f"{name}:search raised ValueError: key [KEY] xxx")
    assert len(run.failures["q1"].message) < 300


@pytest.mark.parametrize("body", ["time.sleep(30)", "while True: time.sleep(0.01)"])
def test_a_function_that_does_not_come_back(tmp_path: Path, module: Module, body: str) -> None:
    """It is a time-out after service.timeout.read, and the run ends without it."""
    name = module(f"import time\ndef search(query, depth, params):\n    {body}\n")
    begin = time.monotonic()
    found, said = failure(tmp_path, f"{name}:search", read_timeout=0.1)

    assert "timeout" == found
    assert f"{name}:search: no answer within 0.1 s; a slow one needs a longer service.timeout.read" == said
    assert time.monotonic() - begin < 10


def test_the_run_is_limited_though_functions_block(tmp_path: Path, module: Module) -> None:
    """What was not asked is told apart from what was not answered."""
    name = module("import time\ndef search(query, depth, params):\n    time.sleep(30)\n")
    asks = [Ask(f"q{n}", "a") for n in range(3)]
    run = ask(tmp_path, f"{name}:search", *asks, read_timeout=20, run_timeout=0.2, concurrency=2)

    assert ["timeout", "timeout", "not asked"] == [str(each.kind) for each in run.failures.values()]


@pytest.mark.parametrize(
    ("adapter", "message"),
    [
        ("search", "service.adapter: expected package.module:function, found 'search'"),
        (":search", "service.adapter: expected package.module:function, found ':search'"),
        ("nowhere.at_all:search", "service.adapter: importing 'nowhere.at_all' fails: ModuleNotFoundError: No module named 'nowhere'"),
        ("{name}:find", "service.adapter: module '{name}' has no function 'find'"),
        ("{name}:search.x.y", "service.adapter: module '{name}' has no function 'search.x.y'"),
        ("{name}:NUMBER", "service.adapter: module '{name}' has no function 'NUMBER'"),
        (".{name}:search", "service.adapter: importing '.{name}' fails: TypeError: the 'package' argument is required"),
    ],
)  # fmt: skip
def test_a_name_that_names_no_function(tmp_path: Path, module: Module, adapter: str, message: str) -> None:
    """It is a mistake of the config, told before anything is asked."""
    name = module("NUMBER = 1\ndef search(query, depth, params): return []")
    with pytest.raises(ConfigError) as caught:
        ask(tmp_path, adapter.format(name=name))
    assert str(caught.value).startswith(message.format(name=name))


@pytest.mark.parametrize("broken", ["1 +", "raise RuntimeError('no index')", "import sys; sys.exit(0)"])
def test_the_command_ends_with_2_where_there_is_no_function(tmp_path: Path, module: Module, broken: str) -> None:
    """A module that cannot be imported is named, and where it was looked for; there is no traceback."""
    project = Project(tmp_path)
    name = module(broken)
    project.write({"adapter": f"{name}:search"}, {"q1": "boots"})
    result = project.run("check", "--floors-only")

    assert (2, "") == (result.code, result.stdout)
    place = f"{project.folder / 'rankgate.yaml'}:"
    assert re.search(rf"error: {re.escape(place)}\d+:\d+: service\.adapter: importing {name!r} fails: ", result.stderr)
    assert f"Modules are looked for in {tmp_path}" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_gate_works_with_a_function(tmp_path: Path, module: Module) -> None:
    """From a module beside the config, wherever the command is run."""
    project = Project(tmp_path)
    name = module("def search(query, depth, params): return ['d1']")
    project.write({"adapter": f"{name}:search"}, {"q1": "boots"})
    result = project.run("check", "--floors-only")

    assert 0 == result.code, result.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_ctrl_c_ends_a_function_that_blocks(tmp_path: Path, module: Module) -> None:
    """The command exits with 130 long before the function comes back."""
    project = Project(tmp_path)
    begun = tmp_path / "begun"
    name = module(f"""
        import pathlib, time
        def search(query, depth, params):
            pathlib.Path({str(begun)!r}).touch()
            time.sleep(60)
        """)
    project.write({"adapter": f"{name}:search", "timeout": {"read": 60}}, {"q1": "boots"})
    with project.start("check", "--floors-only") as process:
        while not begun.exists():
            assert process.poll() is None
            time.sleep(0.01)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)

    assert (130, b"interrupted") == (process.returncode, errors.strip())
    assert time.monotonic() - begin < 20
