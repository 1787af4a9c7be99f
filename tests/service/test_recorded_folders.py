"""A folder of recorded answers: its files, and what cannot be measured or read from it."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rankgate.core.rankings import Ranking
from rankgate.errors import RunFileError, UsageError
from rankgate.service.client import Ask
from tests.service.support import Project, record, replay

if TYPE_CHECKING:
    from tests.service.conftest import Service


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
        ("{", "no complete recording; rankgate run --record FOLDER makes one"),
        ("[]", "no complete recording; rankgate run --record FOLDER makes one"),
        ('{"rankgate": "run"}', "no header of a recording of format 1"),
        ('{"rankgate": "recording", "format": 2, "depth": 10}', "no header of a recording of format 1"),
        ('{"rankgate": "recording", "format": 1, "depth": 50}', "it was recorded at a depth of 50, and the config asks for 10"),
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
    assert f"error: {tape / 'recording.json'}: {message}" in result.stderr


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


def test_a_run_without_a_service_leaves_no_complete_recording(
    service: "Service", tmp_path: Path, closed_port: int
) -> None:
    """Nor does it hide the reason."""
    project = Project(tmp_path)
    project.write({"url": f"http://127.0.0.1:{closed_port}/{{query}}", "hits": "hits", "id": "id"}, {"q1": "a"})
    result = project.run("run", "-o", tmp_path / "run", "--record", tmp_path / "tape")

    assert 3 == result.code
    assert "connection refused" in result.stderr
    assert 2 == project.run("run", "-o", tmp_path / "run", "--replay", tmp_path / "tape").code
