"""A run as the grades by rank of each query: what is left of a file once the judgments are laid beside it.

A large file is read by as many processes as there are cores, each a stretch of whole queries. Where one of them finds
anything amiss, this process reads the whole file by itself and says what it is.
"""

import io
import os
import pickle
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Final, Literal

from rankgate.core.alignment import grades_by_rank
from rankgate.errors import Problem, RunFileError
from rankgate.files.collector import collector_off
from rankgate.files.formats import trec_lines as trec

TieOrder = Literal["trec_eval", "listed"]
Judgments = Mapping[bytes, Mapping[bytes, int]]
Rows = dict[bytes, bytes]

#: Bytes from which on more processes are worth their start.
LARGE: Final = 64 << 20
_MOST_PROCESSES: Final = 8


def open_file(path: Path) -> BinaryIO:
    """Open *path* for reading bytes.

    Raises:
        RunFileError: It cannot be read.
    """
    try:
        return path.open("rb")
    except OSError as error:
        raise RunFileError(Problem(f"cannot read: {error.strerror or error}", str(path))) from error


def read_judgments(qrels: Path) -> dict[bytes, dict[bytes, int]]:
    """Read TREC judgments, ids as bytes."""
    with open_file(qrels) as stream:
        return trec.stream_qrels(stream, str(qrels))


def read_rows(qrels: Path, run: Path, judgments: Judgments, tie_order: TieOrder) -> Rows:
    """The grades by rank of each query of *run*, as bytes.

    Args:
        qrels: Where *judgments* come from; other processes read them anew.
    """
    cores = min(os.cpu_count() or 1, _MOST_PROCESSES)
    if cores > 1 and run.is_file() and run.stat().st_size >= LARGE:
        rows = _together(qrels, run, judgments, tie_order, cores)
        if rows is not None:
            return rows
    return _alone(run, judgments, tie_order)


def _alone(run: Path, judgments: Judgments, tie_order: TieOrder) -> Rows:
    with open_file(run) as opened:
        # A pipe is read once and what was read is gone.
        stream = opened if opened.seekable() else io.BytesIO(opened.read())
        rows = _streamed(stream, str(run), judgments, tie_order)
        if rows is not None:
            return rows
        # The lines of a query do not stand together: the run is read again, and held as a whole.
        stream.seek(0)
        answers: dict[bytes, trec.Answer] = {}
        for answer in trec.stream_run(stream, str(run)):
            trec.merge(answers, answer, str(run))
    return {query: _row(answer, judgments, tie_order) for query, answer in answers.items()}


def _streamed(stream: trec.Readable, path: str, judgments: Judgments, tie_order: TieOrder) -> Rows | None:
    """The rows of a run read one query at a time; None where the lines of a query do not stand together."""
    rows: Rows = {}
    for answer in trec.stream_run(stream, path):
        if answer.query in rows:
            return None
        rows[answer.query] = _row(answer, judgments, tie_order)
    return rows


def _row(answer: trec.Answer, judgments: Judgments, tie_order: TieOrder) -> bytes:
    documents: Sequence[bytes] = answer.documents
    ordered = trec.trec_order(documents, answer.scores) if tie_order == "trec_eval" else documents
    return grades_by_rank(judgments.get(answer.query, {}), ordered)


def _together(qrels: Path, run: Path, judgments: Judgments, tie_order: TieOrder, cores: int) -> Rows | None:
    """The rows of a large run, read in stretches by several processes; None where that did not work out."""
    import subprocess  # noqa: PLC0415 - a small run need not wait for it
    import tempfile  # noqa: PLC0415

    (start, end), *others = pairwise(_cuts(run, cores))
    with tempfile.TemporaryDirectory(prefix="rankgate-score-") as folder:
        files = [Path(folder) / str(begin) for begin, _ in others]
        command = [sys.executable, "-m", __name__, str(qrels), str(run), tie_order]
        children = [
            subprocess.Popen([*command, str(begin), str(stop), str(file)], stderr=subprocess.DEVNULL)  # noqa: S603 - ours
            for (begin, stop), file in zip(others, files, strict=True)
        ]
        try:
            parts = [_stretch(run, start, end, judgments, tie_order)]
            for child, file in zip(children, files, strict=True):
                done = child.wait() == 0
                parts.append(pickle.loads(file.read_bytes()) if done else None)  # noqa: S301 - our own child's
        except RunFileError:
            return None
        finally:
            for child in children:
                child.kill()
                child.wait()
    rows: Rows = {}
    for part in parts:
        if part is None or rows.keys() & part.keys():
            return None
        rows |= part
    return rows


def _stretch(run: Path, start: int, end: int, judgments: Judgments, tie_order: TieOrder) -> Rows | None:
    if start == end:
        return {}
    with open_file(run) as stream:
        stream.seek(start)
        return _streamed(_Limited(stream, end - start), str(run), judgments, tie_order)


class _Limited:
    """The next so many bytes of a stream."""

    def __init__(self, stream: BinaryIO, left: int) -> None:
        self._stream = stream
        self._left = left

    def read(self, size: int) -> bytes:
        data = self._stream.read(min(size, self._left))
        self._left -= len(data)
        return data


def _cuts(run: Path, parts: int) -> Iterator[int]:
    """Where to cut a run into *parts* of about one size, none of them within a query."""
    size = run.stat().st_size
    yield 0
    last = 0
    with open_file(run) as stream:
        for part in range(1, parts):
            stream.seek(max(last, size * part // parts))
            stream.readline()
            query = stream.readline().split(maxsplit=1)[:1]
            last = stream.tell()
            while (line := stream.readline()) and line.split(maxsplit=1)[:1] == query:
                last = stream.tell()
            yield last
    yield size


def main(qrels: str, run: str, tie_order: TieOrder, start: str, end: str, file: str) -> None:  # noqa: PLR0917 - argv
    """Read one stretch and leave its rows in *file*, for the process that started this one."""
    with collector_off():
        rows = _stretch(Path(run), int(start), int(end), read_judgments(Path(qrels)), tie_order)
    Path(file).write_bytes(pickle.dumps(rows))


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]  # our own command line
