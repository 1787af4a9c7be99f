"""TREC's own files: a run of six columns, judgments (qrels) of four.

A run's order is trec_eval's: score down, then document id down; the rank column and the order of the lines say nothing.
Files are read as bytes, for a run may have millions of lines: ids are told apart without being made text, and only one
query's lines are held at a time.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, compress, islice
from operator import ne
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from rankgate.core.alignment import Document, FloatArray
from rankgate.core.catalog import MAX_GRADE
from rankgate.errors import Problem, RunFileError

RUN_COLUMNS: Final = ("query", "Q0", "document", "rank", "score", "tag")
QRELS_COLUMNS: Final = ("query", "iteration", "document", "grade")

#: Bytes read at once: few enough that their tokens stay in the processor's cache.
_BLOCK: Final = 1 << 17
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_MOST_PROBLEMS: Final = 50
_GRADE_DIGITS: Final = 9
_COMMENT: Final = b"#"  # at the start of a line, as in trec_eval 10; a document's id may hold it
_END: Final = b"\0"  # stands after each line's fields while a block is split


class Readable(Protocol):
    """What a file is read from."""

    def read(self, size: int, /) -> bytes:
        """The next bytes, at most *size*; none at the end."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """The lines of one query that stand together in a run, in their order.

    Attributes:
        documents: K ids.
        scores: Shape (K,).
        lines: The K numbers of the lines.
    """

    query: bytes
    documents: list[bytes]
    scores: FloatArray
    lines: Sequence[int]


def stream_run(stream: Readable, path: str) -> Iterator[Answer]:
    """Read a run query by query; lines of one query that do not stand together make several answers.

    Raises:
        RunFileError: With the lines that have not six columns or a score that is not finite, and repeated documents.
    """
    faults = _Faults(path)
    parts: list[Answer] = []
    for block in _blocks(stream, RUN_COLUMNS, faults):
        queries, _, documents, _, written, _ = block.columns
        scores = _numbers(written, block.lines, faults)
        for start, end in _stretches(queries):
            if parts and parts[0].query != queries[start]:
                yield _joined(parts, faults)
                parts = []
            parts.append(Answer(queries[start], documents[start:end], scores[start:end], block.lines[start:end]))
    if parts:
        yield _joined(parts, faults)
    elif not faults.problems:
        faults.add(0, "the file is empty; expected a run")
    faults.stop()


def stream_qrels(stream: Readable, path: str) -> dict[bytes, dict[bytes, int]]:
    """Read judgments: grade by document by query; negative grades, customary for spam, stay as written.

    Raises:
        RunFileError: With the lines that have not four columns, a grade that is not whole, and repeated documents.
    """
    faults = _Faults(path)
    judgments: dict[bytes, dict[bytes, int]] = {}
    for block in _blocks(stream, QRELS_COLUMNS, faults):
        queries, _, documents, grades = block.columns
        for query, document, grade, line in zip(queries, documents, grades, block.lines, strict=True):
            of_query = judgments.setdefault(query, {})
            if not grade.removeprefix(b"-").isdigit():
                faults.add(line, f"grade must be a whole number, found {text(grade)!r}")
            elif len(grade) > _GRADE_DIGITS or int(grade) > MAX_GRADE:
                faults.add(line, f"grade must be at most {MAX_GRADE}, found {text(grade)!r}")
            elif document in of_query:
                faults.add(line, f"document {text(document)!r} is judged twice for query {text(query)!r}")
            else:
                of_query[document] = int(grade)
    if not judgments and not faults.problems:
        faults.add(0, "the file is empty; expected judgments")
    faults.stop()
    return judgments


def merge(answers: dict[bytes, Answer], answer: Answer, path: str) -> None:
    """Add *answer* to what is already known of its query.

    Raises:
        RunFileError: For a document that both hold.
    """
    known = answers.setdefault(answer.query, answer)
    if known is not answer:
        faults = _Faults(path)
        answers[answer.query] = _joined([known, answer], faults)
        faults.stop()


def trec_order(documents: Sequence[Document], scores: FloatArray) -> Sequence[Document]:
    """Sort documents by score, then by id, both down, as trec_eval does: it keeps scores in single precision."""
    single = single_precision(scores)
    if (single[1:] < single[:-1]).all():
        return documents
    return [document for _, document in sorted(zip(single.tolist(), documents, strict=True), reverse=True)]


def single_precision(scores: FloatArray) -> NDArray[np.float32]:
    """Scores as trec_eval 9 compares them: what is equal so is a tie."""
    with np.errstate(over="ignore", under="ignore"):
        return scores.astype(np.float32)


class _Faults:
    """Collects what is wrong with one file, as far as a reader will want to know."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.problems: list[Problem] = []

    def add(self, line: int, message: str) -> None:
        if len(self.problems) == _MOST_PROBLEMS:
            raise RunFileError([*self._sorted(), Problem("and perhaps more: reading stopped here", self.path, line)])
        self.problems.append(Problem(message, self.path, line))

    def stop(self) -> None:
        if self.problems:
            raise RunFileError(self._sorted())

    def _sorted(self) -> list[Problem]:
        return sorted(self.problems, key=lambda problem: problem.line)


@dataclass(frozen=True, slots=True)
class _Block:
    """Some lines, as columns."""

    columns: Sequence[list[bytes]]
    lines: Sequence[int]


def _blocks(stream: Readable, names: Sequence[str], faults: _Faults) -> Iterator[_Block]:
    first, rest = 1, b""
    while read := stream.read(_BLOCK):
        data = rest + (read.removeprefix(_BYTE_ORDER_MARK) if first == 1 and not rest else read)
        end = data.rfind(b"\n") + 1
        if end:
            yield _split(data[:end], first, names, faults)
            first += data.count(b"\n", 0, end)
        rest = data[end:]
    if rest.strip():
        yield _split(rest + b"\n", first, names, faults)


def _split(block: bytes, first: int, names: Sequence[str], faults: _Faults) -> _Block:
    """Split whole lines into columns, all at once; line by line only where a line is not as it should be."""
    lines, width = block.count(b"\n"), len(names) + 1
    if _END not in block:
        # The mark behind each line shows whether each has its fields: a short and a long line do not cancel out.
        tokens = block.replace(b"\n", b" \0\n").split()
        whole = len(tokens) == width * lines and tokens[width - 1 :: width].count(_END) == lines
        if whole and not (_COMMENT in block and any(query.startswith(_COMMENT) for query in set(tokens[::width]))):
            return _Block([tokens[column::width] for column in range(width - 1)], range(first, first + lines))
    rows, numbers = [], []
    for number, line in enumerate(block.split(b"\n"), start=first):
        fields = line.split()
        if not fields or fields[0].startswith(_COMMENT):
            continue
        if len(fields) == len(names) and _END not in line:
            rows.append(fields)
            numbers.append(number)
        else:
            expected = f"expected {len(names)} columns ({' '.join(names)}), found {len(fields)}"
            faults.add(number, "a NUL byte: is it a TREC file?" if _END in line else expected)
    return _Block([[row[column] for row in rows] for column in range(len(names))], numbers)


def _stretches(queries: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Start and end of each stretch of lines that name one query."""
    starts = [0, *compress(range(1, len(queries)), map(ne, queries, islice(queries, 1, None)))]
    yield from zip(starts, [*starts[1:], len(queries)], strict=True) if queries else ()


def _numbers(written: Sequence[bytes], lines: Sequence[int], faults: _Faults) -> FloatArray:
    try:
        numbers = np.array(written, dtype=np.float64)
    except ValueError:
        numbers = np.full(len(written), np.nan)
    # Python's numbers may hold underscores; nobody else's may.
    if np.isfinite(numbers).all() and b"_" not in b"".join(written):
        return numbers
    return np.array([_number(token, line, faults) for token, line in zip(written, lines, strict=True)])


def _number(token: bytes, line: int, faults: _Faults) -> float:
    try:
        number = float(token)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or b"_" in token:
        faults.add(line, f"score must be a finite number, found {text(token)!r}")
        return 0.0
    return number


def _joined(parts: Sequence[Answer], faults: _Faults) -> Answer:
    """One answer of several that follow on each other, each of its documents once."""
    answer = parts[0]
    if len(parts) > 1:
        answer = Answer(
            answer.query,
            list(chain.from_iterable(part.documents for part in parts)),
            np.concatenate([part.scores for part in parts]),
            list(chain.from_iterable(part.lines for part in parts)),
        )
    if len(set(answer.documents)) < len(answer.documents):
        first: dict[bytes, int] = {}
        for document, line in zip(answer.documents, answer.lines, strict=True):
            if document in first:
                where = f"first in line {first[document]}"
                faults.add(line, f"document {text(document)!r} stands twice for query {text(answer.query)!r}, {where}")
            first.setdefault(document, line)
    return answer


def text(token: bytes) -> str:
    return token.decode(errors="backslashreplace")
