"""A history: one line a run, added without losing one, read whole or refused with every mistake."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rankgate.core.trend import Point, Value
from rankgate.errors import InputError, RunFileError
from rankgate.files import run_file
from rankgate.files.history_file import append, line, parse, read, refuse_damaged

NDCG = "nDCG(dcg='exp-log2')@10"

FULL = Point(
    values={
        ("P@1", "all"): Value(0.75, 0.5, 12, {"floor": 0.5, "max_drop": 0.1}),
        (NDCG, "all"): Value(None, 0.5, 12),
        (NDCG, "jargon"): Value(0.25, 0.5, 6, {"max_drop": 0.2}, ("max_drop",)),
    },
    label="caf\u00e9 \u2028 3f2a91c",
    at="2026-11-30T10:00:00+00:00",
    seconds=1796032800.0,
    verdict="fail",
    exit_code=1,
    queries=12,
    measured=11,
    judgments="aaaaaaaaaaaa",
    request="bbbbbbbbbbbb",
    fingerprint="docs-v1",
    baseline="cccccccccccc",
)
BYTES = (
    '{"rankgate": "history", "format": 1, "at": "2026-11-30T10:00:00+00:00", "label": "caf\u00e9 \u2028 3f2a91c", '
    '"verdict": "fail", "exit_code": 1, "queries": 12, "measured": 11, "failed": 1, '
    '"values": {"P@1": {"now": 0.75, "baseline": 0.5, "queries": 12, "limits": {"floor": 0.5, "max_drop": 0.1}}, '
    '"nDCG(dcg=\'exp-log2\')@10": {"now": null, "baseline": 0.5, "queries": 12}}, '
    '"slices": {"jargon": {"nDCG(dcg=\'exp-log2\')@10": {"now": 0.25, "baseline": 0.5, "queries": 6, '
    '"limits": {"max_drop": 0.2}, "broken": ["max_drop"]}}}, '
    '"lock": {"judgments": "aaaaaaaaaaaa", "request": "bbbbbbbbbbbb", "fingerprint": "docs-v1"}, '
    '"baseline": "cccccccccccc"}\n'
)


def at(day: int, label: str = "") -> Point:
    """A run of that day in November."""
    return Point({}, label=label, at=f"2026-11-{day:02d}T00:00:00+00:00", seconds=1793491200.0 + (day - 1) * 86400)


def changed(**changes: Any) -> str:
    """The line of ``FULL`` with other values; None takes a key away."""
    entry = json.loads(BYTES) | changes
    return json.dumps({key: value for key, value in entry.items() if value is not None}) + "\n"


def refusal(text: str) -> list[str]:
    """What is wrong with a history, a message a line."""
    with pytest.raises(RunFileError) as caught:
        parse(text, "h.jsonl")
    return [str(problem).removeprefix("h.jsonl:") for problem in caught.value.problems]


def test_a_run_is_one_line_of_fixed_bytes() -> None:
    """The same run is the same line, with its keys in one order."""
    assert BYTES == line(FULL)


def test_a_line_reads_back_as_it_was() -> None:
    """What is not known stays so."""
    assert (FULL,) == parse(line(FULL), "h.jsonl")


def test_a_run_without_a_label_has_none() -> None:
    """An empty one is not written."""
    assert "label" not in json.loads(line(at(1)))
    assert (at(1),) == parse(line(at(1)), "h.jsonl")


def test_lines_are_added_to_what_is_there(tmp_path: Path) -> None:
    """To a file, and the folders, that need not be there before; the old bytes stay."""
    path = tmp_path / "of" / "weeks" / "h.jsonl"
    for day in (1, 2):
        append(path, at(day))

    assert f"{line(at(1))}{line(at(2))}".encode() == path.read_bytes()
    assert (at(1), at(2)) == read(path)
    assert [path] == list(path.parent.iterdir())


@pytest.mark.parametrize("present", ["", "\n", "\n\n"], ids=["empty", "a blank line", "two"])
def test_an_empty_file_is_a_history_of_no_run(tmp_path: Path, present: str) -> None:
    """As a shell makes it."""
    path = tmp_path / "h.jsonl"
    path.write_text(present)

    assert () == read(path)
    append(path, at(1))
    assert (at(1),) == read(path)


def test_a_last_line_without_its_end_is_ended_first(tmp_path: Path) -> None:
    """Some editors leave it out."""
    path = tmp_path / "h.jsonl"
    path.write_text(line(at(1)).rstrip("\n"))

    append(path, at(2))

    assert (at(1), at(2)) == read(path)


def test_runs_come_in_the_order_of_time() -> None:
    """Whatever the order of lines, in any zone, and behind a byte order mark."""
    early = changed(at="2026-11-30T10:30:00+01:00", label="9:30 here")

    assert ["9:30 here", FULL.label] == [point.label for point in parse(BYTES + early, "h.jsonl")]


def test_a_history_may_come_from_another_system(tmp_path: Path) -> None:
    """With a byte order mark and the line ends of Windows."""
    path = tmp_path / "h.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + BYTES.replace("\n", "\r\n").encode())

    assert (FULL,) == read(path)


def test_half_a_character_is_kept_as_json_has_it(tmp_path: Path) -> None:
    """A label that no encoding can write damages nothing."""
    path = tmp_path / "h.jsonl"
    append(path, at(1, "\ud800"))

    assert (at(1, "\ud800"),) == read(path)


def test_keys_of_a_later_version_are_passed_over() -> None:
    """It adds what this one need not know."""
    values: dict[str, Any] = {"P@1": {"now": 0.5, "baseline": None, "queries": 1, "later": []}}
    (point,) = parse(changed(later={}, values=values, slices={}), "h.jsonl")

    assert {("P@1", "all"): Value(0.5, None, 1)} == point.values


VALUE = {"now": 0.5, "baseline": None, "queries": 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param('{"rankgate": "hist', "not JSON: unterminated string starting at column 14", id="cut"),
        pytest.param("[]", "expected an object, found list", id="no object"),
        pytest.param("[" * 100_000, "nested too deeply", id="nested"),
        pytest.param("<<<<<<< HEAD", "a merge conflict was left in the file", id="merge conflict"),
        pytest.param('{"at": 1, "at": 2}', "key 'at' stands twice", id="twice"),
        pytest.param('{"now": NaN}', "NaN is no JSON number", id="no number"),
        pytest.param("{}", 'no run of the gate; expected {"rankgate": "history", ...}', id="another object"),
        pytest.param(
            '{"rankgate": "run", "format": 1}\n{"id": "q"}\n{"id": "r"}',
            "this is a saved run and no history; rankgate trend shows saved runs without --history",
            id="a saved run",
        ),
        pytest.param(
            changed(format=2), "format 2 is not known to this rankgate, which reads format 1", id="a later format"
        ),
        pytest.param(changed(label=7), "label must be a string, found 7", id="label"),
        pytest.param(changed(verdict=None), "verdict must be a string, found None", id="no verdict"),
        pytest.param(changed(exit_code=True), "exit_code must be a whole number of 0 or more, found True", id="code"),
        pytest.param(changed(queries=-1), "queries must be a whole number of 0 or more, found -1", id="queries"),
        pytest.param(changed(measured=13), "measured is 13, more than the 12 queries", id="measured"),
        pytest.param(changed(slices=[]), "slices must be an object, found []", id="slices"),
        pytest.param(changed(lock=None), "lock must be an object, found None", id="no lock"),
        pytest.param(
            changed(at="2026-11-30T10:00:00"),
            "at must be a moment with its zone, as in 2026-11-30T10:00:00+00:00, found '2026-11-30T10:00:00'",
            id="no zone",
        ),
        pytest.param(
            changed(at="today"),
            "at must be a moment with its zone, as in 2026-11-30T10:00:00+00:00, found 'today'",
            id="no moment",
        ),
        pytest.param(
            changed(values={"nDGC@10": VALUE}), "unknown measure 'nDGC@10'; did you mean 'nDCG'?", id="measure"
        ),
        pytest.param(
            changed(values={"P@1": VALUE | {"now": "0.5"}}),
            "now must be a number of 0 or more or null, found '0.5'",
            id="a text for a number",
        ),
        pytest.param(
            changed(values={"P@1": {"baseline": None, "queries": 1}}),
            "now is missing; null stands where it is not known",
            id="no value",
        ),
        pytest.param(
            changed(values={"P@1": VALUE | {"now": 10**400}}),
            "now must be a number of 0 or more or null, found 1000",
            id="too large a number",
        ),
        pytest.param(
            changed(values={"P@1": VALUE | {"broken": "floor"}}),
            "broken of 'P@1' must be a list of rules, found 'floor'",
            id="broken",
        ),
        pytest.param(
            changed(values={"P@1": VALUE | {"limits": 0.1}}), "limits must be an object, found 0.1", id="limits"
        ),
    ],
)
def test_a_damaged_line_is_refused_with_its_number(text: str, expected: str) -> None:
    """With what is wrong, and what is known."""
    (problem,) = refusal(f"{BYTES}\n{text}")

    assert problem.startswith(f"3: {expected}")


def test_a_line_that_was_cut_says_what_to_do_to_whoever_reads_it() -> None:
    """Whether the file was to be shown or to be added to."""
    with pytest.raises(RunFileError) as caught:
        parse('{"rankgate": "hist', "h.jsonl")

    assert "Mend or remove the line, then run it again." == caught.value.hint


def test_every_damaged_line_is_named() -> None:
    """In one go."""
    assert ["1: expected an object, found int", "3: expected an object, found str"] == refusal(f'1\n{BYTES}"x"\n')


def test_nothing_is_added_to_a_damaged_file(tmp_path: Path) -> None:
    """It is left as it is, down to its time of change."""
    path = tmp_path / "h.jsonl"
    path.write_text(f"{BYTES}{{")
    before = path.stat()

    with pytest.raises(RunFileError, match=r"h\.jsonl:2: not JSON"):
        append(path, at(1))

    assert (before.st_ino, before.st_mtime_ns) == (path.stat().st_ino, path.stat().st_mtime_ns)
    assert f"{BYTES}{{" == path.read_text()


@pytest.mark.parametrize("found", [b"\xff", b"\x00\xff\xfe"])
def test_what_is_no_text_is_refused(tmp_path: Path, found: bytes) -> None:
    """With the place of the first byte that is none."""
    path = tmp_path / "h.jsonl"
    path.write_bytes(found)

    with pytest.raises(RunFileError, match="not UTF-8 at byte"):
        append(path, at(1))


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A folder, and a pipe that nobody would end."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(InputError, match="a history is a file that lines are added to, and this is none"):
            refuse_damaged(path)

    with pytest.raises(InputError, match="cannot write: Is a directory"):
        append(tmp_path, at(1))


def test_a_file_that_is_not_there_can_be_added_to(tmp_path: Path) -> None:
    """Nothing is made of it before there is a line; and it cannot be read."""
    refuse_damaged(tmp_path / "h.jsonl")

    assert [] == list(tmp_path.iterdir())
    with pytest.raises(RunFileError, match="cannot read: No such file"):
        read(tmp_path / "h.jsonl")


def test_a_link_stays_one(tmp_path: Path) -> None:
    """And so do the permissions of the file that it leads to."""
    path, link = tmp_path / "h.jsonl", tmp_path / "link"
    path.write_text(line(at(1)))
    path.chmod(0o600)
    link.symlink_to(path)

    append(link, at(2))

    assert link.is_symlink()
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    assert (at(1), at(2)) == read(path)


WRITER = """\
import sys
from pathlib import Path
from rankgate.core.trend import Point
from rankgate.files import run_file
from rankgate.files.history_file import append

path, name = Path(sys.argv[1]), sys.argv[2]
print("ready", flush=True)
sys.stdin.readline()
for number in range(40):
    append(path, Point({}, label=f"{name} {number}", at="2026-11-30T10:00:00+00:00"))
"""


def test_two_processes_lose_no_line(tmp_path: Path) -> None:
    """Each adds its lines as fast as it can, to a file that neither has yet; all are there, each writer's in order."""
    path, names = tmp_path / "h.jsonl", ("one", "two", "three")
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for name in names
    ]
    for writer in writers:
        assert writer.stdout
        assert "ready\n" == writer.stdout.readline()
    for writer in writers:
        assert writer.stdin
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=60)
    written = [point.label for point in read(path)]

    assert [0, 0, 0] == [writer.returncode for writer in writers]
    assert {name: [f"{name} {number}" for number in range(40)] for name in names} == {
        name: [label for label in written if label.startswith(f"{name} ")] for name in names
    }
    assert [path] == list(tmp_path.iterdir())


def test_a_line_that_cannot_be_written_loses_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full in the middle of it: the old file stands, and no part is left beside it."""
    path = tmp_path / "h.jsonl"
    append(path, at(1))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="cannot write: No space left on device"):
        append(path, at(2))

    assert (at(1),) == read(path)
    assert [path] == list(tmp_path.iterdir())


def test_a_history_in_place_of_a_saved_run_says_what_it_is(tmp_path: Path) -> None:
    """And how it is looked at."""
    path = tmp_path / "h.jsonl"
    append(path, FULL)

    with pytest.raises(RunFileError) as caught:
        run_file.read_any(path)
    assert f"{path}:1: this is a history and no saved run; rankgate trend --history shows it" == str(caught.value)
