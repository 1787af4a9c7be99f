"""A program stands for a service: started without a shell, ended with all that it started."""

import json
import os
import re
import sys
import time
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from rankgate.core.rankings import Ranking, Run
from rankgate.errors import ConfigError, ServiceUnreachableError
from rankgate.files.service_spec import Secret, ServiceSpec
from rankgate.service.check import Fault, check
from rankgate.service.client import Ask, measure
from tests.service.support import Project

ARGUMENTS = ("{query}", "--k={depth}", "<{query}>", "{{{lang}}}", "")
#: Answers what it was given, so that ids show it.
ECHO = """
    import json, sys
    print(json.dumps([json.dumps(each) for each in (sys.argv[1:], json.loads(sys.stdin.readline()))]))
    """
AWKWARD = [
    "'; rm -rf / #",
    '$(touch x) `id` "$HOME" *',
    "a b\tc\nd\r\n",
    "-x --flag",
    "naïve 東京 🧑‍🚒",
    "%PATH% ^& | > <",
    "{query} {{",
    " ",
    "\\",
]


def ask(folder: Path, script: str, *asks: Ask, arguments: tuple[str, ...] = ARGUMENTS, **changes: Any) -> Run:
    """Ask a program of the text *script*; the query is q1 unless given."""
    (folder / "program.py").write_text(dedent(script), encoding="utf-8")
    spec = ServiceSpec(
        url="",
        hits="@",
        id="@",
        command=(sys.executable, "program.py", *arguments),
        defaults={"lang": "de"},
        folder=folder,
    )
    return measure(replace(spec, **changes), asks or [Ask("q1", "boots")], 10)


def failure(folder: Path, script: str, **changes: Any) -> tuple[str, str]:
    """Kind and message of a query that must fail."""
    run = ask(folder, script, **changes)
    assert {} == run.rankings
    assert run.failures["q1"].message.startswith(f"{sys.executable}")
    return str(run.failures["q1"].kind), run.failures["q1"].message.removeprefix(sys.executable)


def test_awkward_texts_arrive(tmp_path: Path) -> None:
    """In the arguments, through no shell, and on stdin as JSON."""
    asks = [Ask(f"q{number}", text, {"n": [1, text]}) for number, text in enumerate(AWKWARD)]
    run = ask(tmp_path, ECHO, *asks)

    assert {} == run.failures
    for query in asks:
        given, line = (json.loads(found) for found in run.rankings[query.id].ids)
        assert [query.text, "--k=10", f"<{query.text}>", "{de}", ""] == given
        assert {"query": query.text, "depth": 10, "params": {"lang": "de", "n": [1, query.text]}} == line


def test_params_of_the_query_go_before_the_defaults(tmp_path: Path) -> None:
    """Neither replaces a built-in name."""
    run = ask(tmp_path, ECHO, Ask("q1", "boots", {"lang": "en", "query": "other"}), arguments=("{lang}", "{query}"))

    assert '["en", "boots"]' == run.rankings["q1"].ids[0]


def test_a_query_without_a_value_fails_alone(tmp_path: Path) -> None:
    """What the arguments need and neither the query nor the config gives."""
    run = ask(tmp_path, ECHO, Ask("q1", "a"), Ask("q2", "b", {"brand": "x"}), arguments=("{brand}",))

    assert (["q2"], "request") == (list(run.rankings), str(run.failures["q1"].kind))
    assert "cannot be started: no value for {brand}: give it in the query's params" in run.failures["q1"].message


def test_it_runs_beside_the_config(tmp_path: Path) -> None:
    """Paths in its arguments are relative to the config, wherever the command is run."""
    run = ask(tmp_path, "import os, json; print(json.dumps([os.getcwd()]))")

    assert {"q1": Ranking((str(tmp_path),))} == run.rankings


def test_stdin_need_not_be_read(tmp_path: Path) -> None:
    """A program that closes it at once is measured."""
    script = "import sys, os; os.close(0); print('[\"d1\"]')"
    run = ask(tmp_path, script, Ask("q1", "x" * 100_000), arguments=())

    assert {"q1": Ranking(("d1",))} == run.rankings


def test_much_output_on_both_streams(tmp_path: Path) -> None:
    """Neither fills up and blocks; what is on stderr of a program that succeeds is no answer."""
    script = """
        import json, sys
        sys.stderr.write("warning " * 200_000)
        print(json.dumps([f"{n}-" + "x" * 1000 for n in range(2000)]))
        """

    assert 10 == len(ask(tmp_path, script).rankings["q1"].ids)


FAULTS = {
    "exit code": ("import sys; sys.exit('no index')", "status", " ended with 1: no index"),
    "without a word": ("raise SystemExit(7)", "status", " ended with 7 and wrote nothing to stderr"),
    "with a good answer": ("print('[]'); raise SystemExit(2)", "status", " ended with 2 and wrote nothing to stderr"),
    "the last words": ("import sys; sys.exit('x' * 9000 + ' at the end')", "status", " at the end"),
    "the key": ("import sys; sys.exit('bad key hunter22')", "status", " ended with 1: bad key [KEY]"),
    "half a key": ("import sys; sys.exit('hunter22' + ' ' * 11996 + 'end')", "status", " ended with 1: end"),
    "a signal": ("import os; os.kill(os.getpid(), 15)", "status", " ended with -15 and wrote nothing to stderr"),
    "nothing": ("pass", "body", ": the answer is empty; check that the search itself answers there"),
    "no JSON": ("print('d1 d2')", "body", ": the answer is no JSON (expecting value, line 1 column 1 of 6 bytes): d1 d2; "),
    "two answers": ("print('[]'); print('[]')", "body", ": the answer is no JSON (extra data, line 2 column 1"),
    "no list": ("print('{}')", "path", ": path '@' (service.hits) gives an object, not a list"),
    "no UTF-8": (r"import os; os.write(1, b'[\"\xff\"]')", "body", ": the answer is not UTF-8 from byte 2 on"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_failure(tmp_path: Path, fault: str) -> None:
    """A program that fails, or answers something else than JSON, is never a zero result."""
    script, kind, message = FAULTS[fault]
    found, said = failure(tmp_path, script, secrets=(Secret("KEY", "hunter22"),))

    assert kind == found
    assert message in said
    assert len(said) < 400


@pytest.mark.parametrize("text", ["nul \x00", "half \ud800", "long " + "x" * 3_000_000])
def test_what_no_argument_can_hold_fails_its_query_only(tmp_path: Path, text: str) -> None:
    """Even as the first one; without a place in the arguments the query arrives on stdin."""
    run = ask(tmp_path, ECHO, Ask("q1", text), Ask("q2", "boots"))
    line = ask(tmp_path, ECHO, Ask("q1", text), arguments=())

    assert ("request", ["q2"]) == (str(run.failures["q1"].kind), list(run.rankings))
    assert run.failures["q1"].message.startswith(f"{sys.executable} cannot be started: ")
    assert line.rankings["q1"].ids[1] == json.dumps({"query": text, "depth": 10, "params": {"lang": "de"}})
    assert len(run.failures["q1"].message) < 400


@pytest.mark.skipif(os.name == "nt", reason="process groups differ")
@pytest.mark.parametrize("leader", ["time.sleep(60)", "pass"])
def test_a_time_out_ends_all_that_it_started(tmp_path: Path, leader: str) -> None:
    """The program and its children, also where only a child is left and keeps the pipe open."""
    script = f"""
        import subprocess, sys, time
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        open("child", "w").write(str(child.pid))
        {leader}
        """
    found, said = failure(tmp_path, script, read_timeout=0.5)

    assert ("timeout", ": not done within 0.5 s; a slow one needs a longer service.timeout.read") == (found, said)
    child = int((tmp_path / "child").read_text())
    limit = time.monotonic() + 10
    while time.monotonic() < limit and not _is_gone(child):
        time.sleep(0.01)
    assert _is_gone(child)


def _is_gone(process: int) -> bool:
    """Whether it has ended; a zombie waits for whoever takes over orphans."""
    status = Path(f"/proc/{process}/stat")
    if status.exists():
        return status.read_text().rpartition(")")[2].split()[0] == "Z"
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def test_the_run_is_limited(tmp_path: Path) -> None:
    """Programs under way are ended with it."""
    asks = [Ask(f"q{n}", "a") for n in range(3)]
    run = ask(tmp_path, "import time; time.sleep(60)", *asks, run_timeout=0.5, read_timeout=50.0, concurrency=2)

    assert ["timeout", "timeout", "not asked"] == [str(each.kind) for each in run.failures.values()]


@pytest.mark.parametrize(
    ("program", "what", "hint"),
    [
        ("./nowhere", "is not there", "A program with a path is looked for from "),
        ("./folder", "is nothing that can be run", "A program with a path is looked for from "),
        ("nowhere-at-all", "is in no folder of PATH", "A program beside the config is written './nowhere-at-all'."),
    ],
)
@pytest.mark.parametrize("command", [("check", "--floors-only"), ("ask", "boots")])
def test_a_program_that_is_not_there(
    tmp_path: Path, program: str, what: str, hint: str, command: tuple[str, ...]
) -> None:
    """A mistake in the config, told at its line before anything is asked; the command exits with 2."""
    (tmp_path / "folder").mkdir()
    message = f"service.command: the program {program!r} {what}"
    with pytest.raises(ConfigError) as caught:
        ask(tmp_path, "", command=(program,))
    project = Project(tmp_path)
    project.write({"command": [program]}, {"q1": "boots"})
    result = project.run(*command)

    assert message == str(caught.value)
    assert caught.value.hint.startswith(hint)
    assert (2, "") == (result.code, result.stdout)
    assert re.search(rf"error: \S+rankgate\.yaml:\d+:\d+: {re.escape(message)}\n", result.stderr)


def test_a_program_of_a_target_is_missed_at_the_target(tmp_path: Path) -> None:
    """Which may stand in another line than that of the service."""
    project = Project(tmp_path)
    project.write({"command": [sys.executable], "targets": {"other": {"command": ["./nowhere"]}}}, {"q1": "boots"})
    config = (tmp_path / "rankgate.yaml").read_text(encoding="utf-8")
    before = config[: config.index('["./nowhere"]')].split("\n")
    result = project.run("check", "--floors-only", "--target", "other")

    place = f"rankgate.yaml:{len(before)}:{len(before[-1]) + 1}: "
    assert (2, True) == (result.code, f"{place}service.command: the program './nowhere' is not there" in result.stderr)


def test_a_program_that_is_there_and_does_not_start(tmp_path: Path) -> None:
    """Only starting it tells: the run ends at once, with where the program is named."""
    program = tmp_path / "search"
    program.write_text("#!/nowhere/interpreter\n")
    program.chmod(0o755)
    with pytest.raises(ServiceUnreachableError) as caught:
        ask(tmp_path, "", command=("./search",))

    assert str(caught.value).startswith("./search cannot be started: No such file")
    assert "The program is service.command in the config." == caught.value.hint


def test_the_gate_works_with_a_program(tmp_path: Path) -> None:
    """A relative program is found beside the config."""
    script = tmp_path / "search"
    script.write_text(f"#!{sys.executable}\nprint('[\"d1\"]')\n")
    script.chmod(0o755)
    project = Project(tmp_path)
    project.write({"command": ["./search", "{query}"]}, {"q1": "boots"})
    result = project.run("check", "--floors-only")

    assert 0 == result.code, result.stderr


def test_pages_are_no_part_of_a_command(tmp_path: Path) -> None:
    """It is asked once, so {offset} and {page} have no value there."""
    spec = ServiceSpec(url="", hits="@", id="@", command=("search", "{qurey}", "{offset}", "{lang}"))

    assert (
        Fault("command[1]", "unknown placeholder {qurey}; did you mean 'query'?"),
        Fault("command[2]", "unknown placeholder {offset}; known: depth, lang, query"),
    ) == check(spec, ["lang"])
