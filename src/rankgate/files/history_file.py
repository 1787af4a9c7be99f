"""What became of every run of the gate: one JSON line a run, in a file that only grows.

Each line stands for itself, so that files of two branches can be put together and sorted by any tool. It holds numbers,
digests and what the service says of its index; no host, no query, no document.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from rankgate.core.families import BY_NAME
from rankgate.core.judgments import ALL
from rankgate.core.trend import Key, Point, Value, higher_is_better, in_order
from rankgate.errors import InputError, Problem, RunFileError, nearest, reason
from rankgate.files.atomic import write_text
from rankgate.files.json_lines import parse_object, read_text

FORMAT: Final = 1
#: No measure reaches it.
_MOST: Final = 1e9


def read(path: Path) -> tuple[Point, ...]:
    """Read every run of a history, in the order of time.

    Raises:
        RunFileError: With every damaged line.
    """
    return parse(read_text(path), str(path))


def refuse_damaged(path: Path) -> None:
    """Tell that nothing can be added to *path*, before there is anything to add.

    Raises:
        InputError: It is damaged, or something else than a file.
    """
    if path.exists():
        if not path.is_file():
            raise InputError(Problem("a history is a file that lines are added to, and this is none", str(path)))
        read(path)


def append(path: Path, point: Point) -> None:
    """Add the line of *point*, or change nothing.

    The file is replaced as a whole, so that no crash leaves a part of a line. Several processes may do so at the same
    time where the system can lock a file, as all but Windows can: each waits for the one before it.

    Raises:
        InputError: It is damaged, or cannot be written.
    """
    with _locked(path):
        refuse_damaged(path)
        present = read_text(path) if path.exists() else ""
        ended = "" if not present or present.endswith("\n") else "\n"
        write_text(path, f"{present}{ended}{line(point)}")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep every other process from replacing *path*, which is created where there is none."""
    try:
        import fcntl  # noqa: PLC0415 - not there on Windows
    except ImportError:  # pragma: no cover - Windows
        yield
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if _is_still(path, descriptor):
                break
            os.close(descriptor)  # it was replaced while this process waited: the lock is one of the old file
    except (OSError, ValueError) as error:
        raise InputError(Problem(f"cannot write: {reason(error)}", str(path))) from error
    try:
        yield
    finally:
        os.close(descriptor)


def _is_still(path: Path, descriptor: int) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    return False


def line(point: Point) -> str:
    """*point* as its line; the same point is the same bytes."""
    entry: dict[str, object] = {"rankgate": "history", "format": FORMAT, "at": point.at}
    if point.label:
        entry["label"] = point.label
    slices = sorted({name for _, name in point.values} - {ALL})
    entry |= {
        "verdict": point.verdict,
        "exit_code": point.exit_code,
        "queries": point.queries,
        "measured": point.measured,
        "failed": point.queries - point.measured,
        "values": _values(point, ALL),
        "slices": {name: _values(point, name) for name in slices},
        "lock": {"judgments": point.judgments, "request": point.request, "fingerprint": point.fingerprint},
        "baseline": point.baseline,
    }
    return json.dumps(entry, ensure_ascii=False, allow_nan=False) + "\n"


def _values(point: Point, slice_name: str) -> dict[str, object]:
    return {measure: _value(value) for (measure, name), value in point.values.items() if name == slice_name}


def _value(value: Value) -> dict[str, object]:
    entry: dict[str, object] = {"now": value.now, "baseline": value.baseline, "queries": value.queries}
    if value.limits:
        entry["limits"] = dict(value.limits)
    if value.broken:
        entry["broken"] = list(value.broken)
    return entry


def parse(text: str, path: str) -> tuple[Point, ...]:
    """Read the text of a history; *path* is named in the messages. Keys of a later version say nothing to this one."""
    points, problems = [], []
    for number, each in enumerate(text.split("\n"), start=1):
        if each.strip():
            try:
                points.append(_point(parse_object(each)))
            except _SavedRunError as error:  # of which every line would be a mistake
                raise RunFileError(Problem(str(error), path, number)) from error
            except ValueError as error:
                problems.append(Problem(str(error), path, number))
    if problems:
        raise RunFileError(problems, hint="Mend or remove the line, then run it again.")
    return in_order(points)


class _SavedRunError(ValueError):
    """Not a damaged history, but another file."""


def _point(entry: Mapping[str, object]) -> Point:
    if entry.get("rankgate") in {"run", "baseline"}:
        raise _SavedRunError("this is a saved run and no history; rankgate trend shows saved runs without --history")
    if entry.get("rankgate") != "history":
        raise ValueError('no run of the gate; expected {"rankgate": "history", ...}')
    if entry.get("format") != FORMAT:
        raise ValueError(f"format {entry.get('format')!r} is not known to this rankgate, which reads format {FORMAT}")
    lock, slices = _object(entry, "lock"), _object(entry, "slices")
    values: dict[Key, Value] = {}
    for name, found in ((ALL, _object(entry, "values")), *((name, _object(slices, name)) for name in slices)):
        values |= {(measure, name): _read_value(measure, _object(found, measure)) for measure in found}
    at, queries, measured = _string(entry, "at"), _count(entry, "queries"), _count(entry, "measured")
    if measured > queries:
        raise ValueError(f"measured is {measured}, more than the {queries} queries")
    return Point(
        values=values,
        label=_string(entry, "label") if "label" in entry else "",
        at=at,
        seconds=_seconds(at),
        verdict=_string(entry, "verdict"),
        exit_code=_count(entry, "exit_code"),
        queries=queries,
        measured=measured,
        judgments=_string(lock, "judgments"),
        request=_string(lock, "request"),
        fingerprint=_string(lock, "fingerprint"),
        baseline=_string(entry, "baseline"),
    )


def _read_value(measure: str, entry: Mapping[str, object]) -> Value:
    try:
        higher_is_better(measure)
    except KeyError:
        known = nearest(measure.partition("(")[0].partition("@")[0], (family.name for family in BY_NAME.values()))
        raise ValueError(f"unknown measure {measure!r}{known}") from None
    limits, broken = _object(entry, "limits") if "limits" in entry else {}, entry.get("broken", [])
    if not isinstance(broken, list) or not all(isinstance(kind, str) for kind in broken):
        raise ValueError(f"broken of {measure!r} must be a list of rules, found {broken!r}")
    return Value(
        now=_number(entry, "now"),
        baseline=_number(entry, "baseline"),
        queries=_count(entry, "queries"),
        limits={kind: limit for kind in limits if (limit := _number(limits, kind)) is not None},
        broken=tuple(broken),
    )


def _object(entry: Mapping[str, object], key: str) -> dict[str, object]:
    found = entry.get(key)
    if not isinstance(found, dict):
        raise ValueError(f"{key} must be an object, found {found!r}")  # noqa: TRY004 - of the file, not of a call
    return found


def _string(entry: Mapping[str, object], key: str) -> str:
    found = entry.get(key)
    if not isinstance(found, str):
        raise ValueError(f"{key} must be a string, found {found!r}")  # noqa: TRY004 - as above
    return found


def _count(entry: Mapping[str, object], key: str) -> int:
    found = entry.get(key)
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise ValueError(f"{key} must be a whole number of 0 or more, found {found!r}")
    return found


def _number(entry: Mapping[str, object], key: str) -> float | None:
    if key not in entry:
        raise ValueError(f"{key} is missing; null stands where it is not known")
    found = entry[key]
    if found is None:
        return None
    if not isinstance(found, int | float) or isinstance(found, bool) or not 0 <= found <= _MOST:
        raise ValueError(f"{key} must be a number of 0 or more or null, found {found!r}")
    return float(found)


def _seconds(at: str) -> float:
    with suppress(ValueError):
        found = datetime.fromisoformat(at)
        if found.tzinfo is not None:
            return found.timestamp()
    raise ValueError(f"at must be a moment with its zone, as in 2026-11-30T10:00:00+00:00, found {at!r}")
