"""A large run is read by several processes, and nobody can tell by the result."""

from pathlib import Path

import pytest

from rankgate import score_rows
from rankgate.errors import RunFileError
from rankgate.score import Conventions, Table, lines, score_files

QUERIES = 40


@pytest.fixture
def several(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is large, and there are three cores."""
    monkeypatch.setattr(score_rows, "LARGE", 0)
    monkeypatch.setattr("os.cpu_count", lambda: 3)


def write(folder: Path, run: list[str]) -> tuple[Path, Path]:
    """Judgments of forty queries, and *run*."""
    qrels = folder / "qrels.txt"
    qrels.write_text("".join(f"q{n} 0 d{m} {(n + m) % 3}\n" for n in range(QUERIES) for m in range(4)))
    path = folder / "run.txt"
    path.write_text("".join(run))
    return qrels, path


def listed(query: int, size: int) -> list[str]:
    return [f"q{query} Q0 d{(query * 7 + m) % 9} {m + 1} {size - m} tag\n" for m in range(min(size, 9))]


def shown(table: Table) -> list[str]:
    return list(lines(table, per_query=True))


def alone(qrels: Path, run: Path) -> list[str]:
    """What one process makes of the files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(score_rows, "LARGE", 1 << 60)
        return shown(score_files(qrels, run, [], Conventions()))


RUNS = {
    "queries of several lines": [line for query in range(QUERIES) for line in listed(query, 1 + query % 9)],
    "one query only": listed(0, 9),
    "one long query among short ones": [
        *listed(0, 1),
        *(f"q1 Q0 x{n} 1 {-n} tag\n" for n in range(2000)),
        *listed(2, 3),
    ],
    "lines of a query that do not stand together": [
        *listed(0, 4),
        *listed(1, 9),
        *(f"q0 Q0 y{n} 1 -{n} t\n" for n in range(9)),
    ],
    "no line break at the end": [*listed(0, 4), *listed(1, 9), *listed(2, 9), "q3 Q0 d1 1 1 t"],
}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_several_processes_give_what_one_gives(run: list[str], several: None, tmp_path: Path) -> None:
    """Wherever the file is cut, no query is cut in two, and what cannot be cut is read by one."""
    qrels, path = write(tmp_path, run)

    assert alone(qrels, path) == shown(score_files(qrels, path, [], Conventions()))


def test_several_processes_do_share_the_work(several: None, tmp_path: Path) -> None:
    """The stretches are whole queries, and together the file."""
    qrels, path = write(tmp_path, RUNS["queries of several lines"])
    judgments = score_rows.read_judgments(qrels)

    cuts = list(score_rows._cuts(path, 3))
    rows = score_rows._together(qrels, path, judgments, "trec_eval", 3)

    assert [0, path.stat().st_size] == [cuts[0], cuts[-1]]
    assert sorted(set(cuts)) == cuts
    assert all(path.read_bytes()[cut - 1 : cut] == b"\n" for cut in cuts[1:-1])
    assert score_rows._alone(path, judgments, "trec_eval") == rows


def test_a_mistake_in_a_later_stretch_has_its_line(several: None, tmp_path: Path) -> None:
    """The line is counted from the start of the file, whoever read it."""
    qrels, path = write(tmp_path, [*RUNS["queries of several lines"], "q39 Q0 five fields only\n"])

    with pytest.raises(RunFileError) as caught:
        score_files(qrels, path, [], Conventions())

    assert [len(RUNS["queries of several lines"]) + 1] == [problem.line for problem in caught.value.problems]


def test_a_process_that_does_not_start_costs_time_and_nothing_else(
    several: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no other Python can be started, one reads it all."""
    qrels, path = write(tmp_path, RUNS["queries of several lines"])
    monkeypatch.setattr("sys.executable", "/bin/false")

    assert alone(qrels, path) == shown(score_files(qrels, path, [], Conventions()))
