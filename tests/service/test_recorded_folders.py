"""A folder of recorded answers: its files, and what cannot be measured or read from it."""

import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rankgate.core.rankings import Ranking
from rankgate.errors import RunFileError, UsageError
from rankgate.service.client import Ask
from tests.service.support import Project, record, replay

if TYPE_CHECKING:
    from tests.service.conftest import Received, Reply, Service


@pytest.fixture
def project(service: "Service", tmp_path: Path) -> Project:
    """One query that the service answers."""
    service.always(service.hits("d1"))
    made = Project(tmp_path)
    made.write(
        {"url": f"http://{service.address}/search", "params": {"q": "{query}"}, "hits": "hits", "id": "id"},
        {"q1": "boots"},
    )
    return made


# What is not measured from a recording.


def test_a_query_that_changed_is_not_measured(service: "Service", tmp_path: Path) -> None:
    """Another text, other params, an unknown query, one page more: record again."""
    service.in_turn(service.hits("a", "b"))
    spec = service.spec(params={"q": "{query}", "from": "{offset}"}, page_size=2, max_pages=1)
    record(spec, tmp_path / "tape", Ask("q1", "a"), Ask("q2", "b"), Ask("q3", "c", {"n": 1}))
    asks = [Ask("q1", "a"), Ask("q2", "other"), Ask("q3", "c", {"n": 2}), Ask("q4", "d")]
    run = replay(spec, tmp_path / "tape", *asks)
    deeper = replay(service.spec(params=spec.params, page_size=2), tmp_path / "tape")

    changed = "the recording holds this query with another text or other params; record again"
    unknown = "the recording does not hold this query; record again"
    assert {"q1": Ranking(("a", "b"))} == run.rankings
    assert {"q2": changed, "q3": changed, "q4": unknown} == {name: f.message for name, f in run.failures.items()}
    assert {"not asked"} == {str(failure.kind) for failure in run.failures.values()}
    assert "the recording ends before this page; record again" == deeper.failures["q1"].message


HOSTILE = {
    "": "empty?",
    "../../outside": "up",
    "/etc/passwd": "root",
    "a/b": "1",
    "a%2Fb": "2",
    "A/B": "3",
    ".": "4",
    "..": "5",
    "recording": "6",
    "recording.json": "7",
    "x" * 300: "8",
    "x" * 301: "9",
    "東京" * 50: "10",
    "CON": "11",
    "con": "12",
    'a"b<c>|?*:\\\n\x00': "13",
    "half \ud800": "14",
}


def test_ids_become_names_of_files(service: "Service", tmp_path: Path) -> None:
    """Each its own, within the folder, on file systems that do not tell case apart."""
    service.respond = lambda request: service.hits(f"d{request.params['q'][0]}")
    asks = [Ask(name, text) for name, text in HOSTILE.items()]
    live = record(service.spec(), tmp_path / "tape", *asks)
    names = [path.name for path in (tmp_path / "tape").iterdir()]

    assert ["tape"] == [path.name for path in tmp_path.iterdir()]
    assert len(HOSTILE) + 1 == len({name.casefold() for name in names})
    assert max(map(len, names)) < 100
    assert live == replay(service.spec(), tmp_path / "tape", *asks)
    assert len(HOSTILE) == len(live.rankings)


# Another request.


ASKED: dict[str, object] = {"params": {"q": "{query}"}, "hits": "hits", "id": "id"}


@pytest.mark.parametrize(
    ("changes", "keys"),
    [
        ({"params": {"q": "{query}", "boost": "9"}}, "params.boost"),
        ({"url": "http://{address}/v2/search"}, "url"),
        ({"method": "POST"}, "method"),
        ({"headers": {"X-Index": "b"}}, "headers.X-Index"),
        ({"text": "{query}"}, "text"),
        ({"params": {"q": "{query}", "o": "{offset}"}, "page_size": 5}, "page_size, params.o"),
        ({"collapse": 2}, "collapse"),
        ({"defaults": {"lang": "de"}}, "defaults.lang"),
        ({"body": dict.fromkeys("abcdefg", "{query}")}, "body.a, body.b, body.c, body.d, body.e and 2 more"),
    ],
)
def test_answers_to_another_request_are_not_replayed(
    service: "Service", tmp_path: Path, changes: dict[str, object], keys: str
) -> None:
    """A verdict over them would be one over a request that nobody made."""
    service.always(service.hits("d1"))
    project, url = Project(tmp_path), f"http://{service.address}/search"
    project.write({"url": url, **ASKED}, {"q1": "boots"})
    project.run("run", "-o", tmp_path / "run", "--record", tmp_path / "tape")
    project.write(
        {"url": url, **ASKED, **changes} | {"url": str(changes.get("url", url)).format(address=service.address)},
        {"q1": "boots"},
    )
    result = project.run("check", "--floors-only", "--replay", tmp_path / "tape")

    assert (2, "") == (result.code, result.stdout)
    expected = f"error: {tmp_path / 'tape' / 'recording.json'}: it was recorded for another request: {keys}\n"
    assert expected in result.stderr
    assert "Record again with this config" in result.stderr


@pytest.mark.parametrize(
    "changes",
    [
        {"url": "http://another.test/search"},
        {"hits": "hits[]", "id": "id", "score": "score", "title": "title"},
        {"transform": {"regex": "(.+)"}, "retries": 0, "concurrency": 1, "headers": {"Authorization": "Bearer x"}},
        {"max_pages": 3, "timeout": {"read": 1}},
    ],
)
def test_answers_may_be_read_otherwise(service: "Service", tmp_path: Path, changes: dict[str, object]) -> None:
    """And be asked for by another key, in another time, at another host."""
    service.always(service.hits("d1"))
    project, url = Project(tmp_path), f"http://{service.address}/search"
    project.write({"url": url, **ASKED}, {"q1": "boots"})
    project.run("run", "-o", tmp_path / "run", "--record", tmp_path / "tape")
    project.write({"url": url, **ASKED, **changes}, {"q1": "boots"})

    assert 0 == project.run("check", "--floors-only", "--replay", tmp_path / "tape").code


def test_a_recording_of_a_target_is_replayed_as_one(service: "Service", tmp_path: Path) -> None:
    """What differs there is a part of what was asked."""
    service.always(service.hits("d1"))
    project, url = Project(tmp_path), f"http://{service.address}/search"
    project.write({"url": url, **ASKED, "targets": {"b": {"url": f"{url}/b"}}}, {"q1": "boots"})
    recorded = project.run("run", "-o", tmp_path / "run", "--record", tmp_path / "tape", "--target", "b")
    replayed = [
        project.run("check", "--floors-only", "--replay", tmp_path / "tape", *options)
        for options in ((), ("--target", "b"), ("--url", f"{url}/b"))
    ]

    assert (0, [2, 0, 0]) == (recorded.code, [result.code for result in replayed])
    assert "or replay with the --target or --url that was recorded" in replayed[0].stderr


# Folders that cannot be used.


def test_a_folder_with_something_in_it_is_not_recorded_into(project: Project, service: "Service") -> None:
    """Neither into a recording nor into a file; nothing is asked. An empty folder is fine."""
    tape, taken = project.folder / "tape", project.folder / "taken"
    tape.mkdir()
    taken.write_text("mine")
    first = project.run("run", "-o", project.folder / "run", "--record", tape)
    asked = len(service.requests)
    again = [project.run("run", "-o", project.folder / "r", "--record", path) for path in (tape, taken)]

    assert 0 == first.code
    assert [2, 2] == [result.code for result in again]
    assert f"error: {tape}: is already there and not empty, and is never overwritten" in again[0].stderr
    assert (asked, "mine") == (len(service.requests), taken.read_text())
    with pytest.raises(UsageError):
        record(service.spec(), tape)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (None, "no complete recording; rankgate run --record FOLDER makes one"),
        ("{", "not JSON: expecting property name enclosed in double quotes"),
        ("[]", "expected an object, found a list of 0"),
        ('{"rankgate": "run"}', "no header of a recording of format 1"),
        ('{"rankgate": "recording", "format": 2, "depth": 10}', "no header of a recording of format 1"),
        ('{"rankgate": "recording", "format": 1, "depth": 50}', "it was recorded at a depth of 50, and the config asks for 10"),
        (
            '{"rankgate": "recording", "format": 1, "depth": 10}',
            "no header of a recording: request: expected an object, found nothing\nnext: Record again: rankgate run --record",
        ),
    ],
)  # fmt: skip
def test_a_recording_that_cannot_be_used(project: Project, header: str | None, message: str) -> None:
    """Interrupted, of another format, of another depth: wrong input, with the file."""
    tape = project.folder / "tape"
    project.run("run", "-o", project.folder / "run", "--record", tape)
    (tape / "recording.json").unlink()
    if header is not None:
        (tape / "recording.json").write_text(header)
    result = project.run("check", "--floors-only", "--replay", tape)

    assert (2, "") == (result.code, result.stdout)
    place = f"{tape / 'recording.json'}{':1:2' if header == '{' else ''}"
    assert f"error: {place}: {message}" in result.stderr


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"id": "q1", "text": "a", "params": {}, "pages": [{}]}', '{"text": "a", "params": {}, "pages": [7]}'],
)
def test_a_damaged_file_is_named(service: "Service", tmp_path: Path, text: str) -> None:
    """It is wrong input, not a query without hits."""
    record(service.spec(), tmp_path / "tape")
    (damaged,) = (path for path in (tmp_path / "tape").iterdir() if path.name != "recording.json")
    damaged.write_text(text)
    with pytest.raises(RunFileError) as caught:
        replay(service.spec(), tmp_path / "tape")
    assert str(damaged) == caught.value.problems[0].path


def test_a_run_without_a_service_leaves_nothing(tmp_path: Path, closed_port: int) -> None:
    """Nor does it hide the reason, or stand in the way of the next one."""
    project = Project(tmp_path)
    project.write({"url": f"http://127.0.0.1:{closed_port}/{{query}}", "hits": "hits", "id": "id"}, {"q1": "a"})
    before = sorted(tmp_path.iterdir())
    result = project.run("run", "-o", tmp_path / "run", "--record", tmp_path / "tape")

    assert 3 == result.code
    assert "connection refused" in result.stderr
    assert before == sorted(tmp_path.iterdir())


def test_an_interrupted_run_leaves_nothing(project: Project, service: "Service", tmp_path: Path) -> None:
    """With Ctrl-C, answers that are there already are removed; the same command can be given again."""
    arrived = threading.Event()
    hang = threading.Event()

    def respond(request: "Received") -> "Reply":
        if request.params["q"] == ["slow"]:
            arrived.set()
            hang.wait(20)
        return service.hits("d1")

    service.respond = respond
    spec = {
        "url": f"http://{service.address}/search",
        "params": {"q": "{query}"},
        "hits": "hits",
        "id": "id",
        "concurrency": 1,
    }
    project.write(spec, {"q1": "boots", "q2": "slow"})
    before = sorted(tmp_path.iterdir())
    command = ("run", "-o", tmp_path / "run", "--record", tmp_path / "tape")
    process = project.start(*command)
    assert arrived.wait(20)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    hang.set()

    assert (130, before) == (process.returncode, sorted(tmp_path.iterdir()))
    assert 0 == project.run(*command).code


def test_a_folder_that_fills_meanwhile_is_not_overwritten(project: Project, service: "Service") -> None:
    """Whoever put something there keeps it."""
    tape = project.folder / "tape"

    def respond(_: "Received") -> "Reply":
        tape.mkdir()
        (tape / "mine").touch()
        return service.hits("d1")

    service.respond = respond
    before = {*project.folder.iterdir(), tape}
    result = project.run("run", "-o", project.folder / "run", "--record", tape)

    assert (2, f"error: {tape}: cannot write: Directory not empty\n") == (result.code, result.stderr)
    assert (before, ["mine"]) == ({*project.folder.iterdir()}, [path.name for path in tape.iterdir()])
