"""Saved runs and baselines: one JSON line a query behind a header line.

A run says how and when it was obtained; a baseline does not, so that the same result is the same bytes.
Both hold the rankings, so both can be scored again with the judgments of another day.
"""

import dataclasses
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from rankgate.core.comparability import Lock
from rankgate.core.findings import Finding
from rankgate.core.rankings import Failure, FailureKind, Ranking, Run
from rankgate.core.reference import Reference
from rankgate.errors import Problem, RunFileError, nearest
from rankgate.files.atomic import write_text
from rankgate.files.json_lines import CONFLICT, parse_object, read_text
from rankgate.files.run_details import as_rows, from_rows
from rankgate.files.run_evidence import as_ids, as_objects, from_objects

FORMAT: Final = 1
Kind = Literal["run", "baseline"]
_ANEW: Final = "delete it, then rankgate accept makes it anew."


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A run as it stands in a file.

    Attributes:
        kind: "baseline" when it was accepted.
        digests: Of the judgments of each query when it was written.
        scores: The values of each query when it was written, by measure name; for the reader, never for a verdict.
        reason: Why a worse result was accepted; empty otherwise.
        worse: What was worse then, one sentence each.
        partial: It holds a selection of the queries only.
        lock: What it is an answer to; None in files of other kinds.
        further: Warnings that came from asking more than once.
        missing: Documents that the index no longer had, of those that were asked for; sorted.
        path: Where it was read; empty for one that was not.
    """

    run: Run
    kind: Kind = "run"
    digests: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    reason: str = ""
    worse: tuple[str, ...] = ()
    partial: bool = False
    lock: Lock | None = None
    further: tuple[Finding, ...] = ()
    missing: tuple[str, ...] = ()
    path: str = field(default="", compare=False)

    def __repr__(self) -> str:
        counts = f"queries={len(self.run.query_ids)} failed={len(self.run.failures)} depth={self.run.depth}"
        return f"<SavedRun kind={self.kind!r} partial={self.partial} {counts}>"

    @property
    def reference(self) -> Reference:
        """The saved run as what a candidate is compared with."""
        return Reference(self.run, self.digests, self.lock)


def write(path: Path, saved: SavedRun) -> None:
    """Write *saved* to *path* in one step; the lines are sorted by query id."""
    write_text(path, "".join(_lines(saved)))


def _lines(saved: SavedRun) -> Iterator[str]:
    run = saved.run
    header: dict[str, object] = {
        "rankgate": saved.kind,
        "format": FORMAT,
        "depth": run.depth,
        "queries": len(run.query_ids),
    }
    if saved.partial:
        header["partial"] = True
    if saved.lock:
        header["lock"] = dataclasses.asdict(saved.lock) | {"request": dict(sorted(saved.lock.request.items()))}
    if saved.reason:
        header |= {"reason": saved.reason, "worse": list(saved.worse)}
    if saved.kind == "run" and run.notes:
        header["notes"] = dict(sorted(run.notes.items()))
    if saved.further:
        header["unstable"] = as_objects(saved.further)
    if saved.missing:
        header["missing"] = saved.missing
    yield _line(header)
    for query_id in sorted(run.query_ids):
        yield _line(_entry(saved, query_id))


def _entry(saved: SavedRun, query_id: str) -> dict[str, object]:
    entry: dict[str, object] = {"id": query_id}
    if query_id in saved.run.texts:
        entry["text"] = saved.run.texts[query_id]
    if query_id in saved.digests:
        entry["judgments"] = saved.digests[query_id]
    if failure := saved.run.failures.get(query_id):
        return entry | {"failure": {"kind": failure.kind.value, "message": failure.message}}
    ranking = saved.run.rankings[query_id]
    if query_id in saved.scores:
        entry["scores"] = dict(saved.scores[query_id])
    if ranking.duplicates:
        entry["duplicates"] = ranking.duplicates
    entry["ids"] = list(ranking.ids)
    if ranking.details and saved.kind == "run":  # in a baseline a changed score would be a changed line
        entry["details"] = as_rows(ranking.details)
    return entry


def _line(entry: Mapping[str, object]) -> str:
    return json.dumps(entry, ensure_ascii=False, allow_nan=False) + "\n"


def read_any(path: Path) -> SavedRun:
    """Read a saved run, a baseline or a run in TREC form, told apart by how they start."""
    text = read_text(path)
    if text.lstrip().startswith(("{", "<<<<<<<")):
        return parse(text, str(path))
    from rankgate.files.formats.trec import read_run  # noqa: PLC0415 - numpy takes longer than a saved run

    return SavedRun(read_run(text, str(path)), path=str(path))


def read(path: Path) -> SavedRun:
    """Read a saved run or a baseline.

    Raises:
        RunFileError: With every mistake of the file and its line.
    """
    return parse(read_text(path), str(path))


def parse(text: str, path: str) -> SavedRun:
    """Read the text of a saved run; *path* is named in the messages."""
    sides = f"Take one side (git checkout --ours {path}, or --theirs); if it is the baseline: {_ANEW}"
    reader = _Reader(path, hint=sides if CONFLICT in text else "")
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise RunFileError(
            Problem("the file is empty; expected a saved run or a baseline", path),
            hint=f"If it is the baseline: {_ANEW}",
        )
    header = reader.header(*lines[0])
    for number, line in lines[1:]:
        reader.entry(number, line)
    return reader.finish(header)


def _lock(found: object) -> Lock | None:
    """What the run is an answer to; a lock that cannot be read says nothing, and decides nothing."""
    match found:
        case {
            "judgments": str(judgments),
            "measures": [*measures],
            "request": {**request},
            "fingerprint": str(fingerprint),
            **rest,
        } if all(isinstance(text, str) for text in (*measures, *request.values())):
            split = (digest if isinstance(digest := rest.get(key), str) else "" for key in ("queries", "grades"))
            return Lock(
                judgments,
                tuple(measures),
                {str(key): str(digest) for key, digest in request.items()},
                fingerprint,
                *split,
            )
    return None


class _Reader:
    """Collects the entries of one file and every mistake in it."""

    def __init__(self, path: str, *, hint: str = "") -> None:
        self.path = path
        self.hint = hint
        self.problems: list[Problem] = []
        self.lines: dict[str, int] = {}
        self.rankings: dict[str, Ranking] = {}
        self.failures: dict[str, Failure] = {}
        self.texts: dict[str, str] = {}
        self.digests: dict[str, str] = {}
        self.scores: dict[str, dict[str, float | None]] = {}

    def header(self, number: int, line: str) -> dict[str, object]:
        header = self._object(number, line)
        if header is None or header.get("rankgate") not in ("run", "baseline"):
            message = 'the first line is no rankgate header; expected {"rankgate": "run" or "baseline", ...}'
            if header is not None and header.get("rankgate") == "history":
                message = "this is a history and no saved run; rankgate trend --history shows it"
            raise RunFileError(self.problems or Problem(message, self.path, number), hint=self.hint)
        version = header.get("format")
        if version != FORMAT:
            message = f"format {version!r} is not known to this rankgate, which reads format {FORMAT}"
            raise RunFileError(Problem(message, self.path, number), hint="Use a newer rankgate.")
        depth = header.get("depth")
        if not isinstance(depth, int) or isinstance(depth, bool) or depth < 0:
            self._wrong(number, f"depth must be a whole number, found {depth!r}")
        return header

    def entry(self, number: int, line: str) -> None:
        entry = self._object(number, line)
        if entry is None:
            return
        query_id = entry.get("id")
        if not isinstance(query_id, str) or not query_id:
            self._wrong(number, f"id must be a non-empty string, found {query_id!r}")
            return
        if query_id in self.lines:
            self._wrong(number, f"query {query_id!r} stands twice, first in line {self.lines[query_id]}")
            return
        self.lines[query_id] = number
        for key in sorted(entry.keys() - _KEYS):
            self._wrong(number, f"unknown key {key!r}{nearest(key, _KEYS)}")
        self._texts(number, query_id, entry)
        if "failure" in entry:
            self._failure(number, query_id, entry["failure"])
        else:
            self._ranking(number, query_id, entry)

    def finish(self, header: Mapping[str, object]) -> SavedRun:
        expected = header.get("queries")
        if not self.problems and expected != len(self.lines):
            self._wrong(1, f"the header counts {expected!r} queries, the file has {len(self.lines)}: was it cut?")
        further, missing = from_objects(header.get("unstable", [])), as_ids(header.get("missing", []))
        if further is None:
            self._wrong(1, "unstable must be a list of objects with message, value, queries and query_ids")
        if missing is None:
            self._wrong(1, "missing must be a list of non-empty strings")
        if self.problems:
            raise RunFileError(self.problems, hint=self.hint)
        notes, worse, lock = header.get("notes", {}), header.get("worse", []), _lock(header.get("lock"))
        return SavedRun(
            Run(
                depth=int(str(header["depth"])),
                rankings=self.rankings,
                failures=self.failures,
                texts=self.texts,
                fingerprint=lock.fingerprint if lock else "",
                notes={str(key): str(value) for key, value in notes.items()} if isinstance(notes, dict) else {},
            ),
            kind="baseline" if header["rankgate"] == "baseline" else "run",
            digests=self.digests,
            scores=self.scores,
            reason=str(header.get("reason", "")),
            worse=tuple(map(str, worse)) if isinstance(worse, list) else (),
            partial=header.get("partial") is True,
            lock=lock,
            further=further or (),
            missing=missing or (),
            path=self.path,
        )

    def _object(self, number: int, line: str) -> dict[str, object] | None:
        try:
            return parse_object(line)
        except ValueError as error:
            self._wrong(number, str(error))
            return None

    def _texts(self, number: int, query_id: str, entry: Mapping[str, object]) -> None:
        for key, texts in (("text", self.texts), ("judgments", self.digests)):
            value = entry.get(key)
            if isinstance(value, str):
                texts[query_id] = value
            elif key in entry:
                self._wrong(number, f"{key} must be a string, found {value!r}")

    def _ranking(self, number: int, query_id: str, entry: Mapping[str, object]) -> None:
        ids, duplicates, scores = entry.get("ids"), entry.get("duplicates", 0), entry.get("scores", {})
        ids = as_ids(ids)
        if ids is None:
            self._wrong(number, "ids must be a list of non-empty strings")
            return
        if len(set(ids)) < len(ids):
            repeated = next(document for document in ids if ids.count(document) > 1)
            self._wrong(number, f"document {repeated!r} stands twice in ids")
        if not isinstance(duplicates, int) or isinstance(duplicates, bool) or duplicates < 0:
            self._wrong(number, f"duplicates must be a whole number, found {duplicates!r}")
            return
        if not isinstance(scores, dict) or not all(_is_value(*score) for score in scores.items()):
            self._wrong(number, "scores must map measures to numbers from 0 to 1 or null")
            return
        details = from_rows(entry["details"], len(ids)) if "details" in entry else ()
        if details is None:
            self._wrong(number, "details must have a score, a title and a snippet for each of ids")
            return
        self.rankings[query_id] = Ranking(ids, duplicates, details)
        if scores:
            self.scores[query_id] = scores

    def _failure(self, number: int, query_id: str, failure: object) -> None:
        kinds = {kind.value: kind for kind in FailureKind}
        if not isinstance(failure, dict) or failure.get("kind") not in list(kinds) or "message" not in failure:
            self._wrong(number, f"failure must have a message and a kind, one of {', '.join(kinds)}")
            return
        self.failures[query_id] = Failure(kinds[failure["kind"]], str(failure["message"]))

    def _wrong(self, number: int, message: str) -> None:
        self.problems.append(Problem(message, self.path, number))


_KEYS: Final = frozenset({"id", "text", "judgments", "scores", "duplicates", "ids", "details", "failure"})


def _is_value(name: str, value: object) -> bool:
    if value is None:
        return True
    high = math.inf if name == "NumRet" else 1
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= high and value < math.inf
