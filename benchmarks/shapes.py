"""Generated judgments and runs of three sizes: graded 0 to 3, about 30 % of the head unjudged, string ids.

2 % of the queries have no results and 3 % only judgments of grade 0. The retrieved judged documents stand in the head.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

Judgments = dict[str, dict[str, int]]
Rankings = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Shape:
    """How much to generate."""

    name: str
    queries: int
    results: int
    judged: int


SHAPES = {
    "S": Shape("S", queries=100, results=50, judged=30),
    "M": Shape("M", queries=7_000, results=1_000, judged=30),
    "L": Shape("L", queries=100_000, results=100, judged=20),
}


def generate(shape: Shape, seed: int = 7) -> tuple[Judgments, Rankings]:
    """Judgments and rankings of *shape*, the same for the same seed."""
    draw = random.Random(seed)
    judgments: Judgments = {}
    rankings: Rankings = {}
    for number in range(shape.queries):
        query = f"q{number:06d}"
        judgments[query], rankings[query] = _query(draw, shape)
    return judgments, rankings


def _query(draw: random.Random, shape: Shape) -> tuple[dict[str, int], list[str]]:
    base = draw.randrange(10**7)
    pool = [f"doc-{base + 17 * offset:09d}" for offset in range(shape.results + shape.judged)]
    only_zero = draw.random() < 0.03
    judged = pool[: shape.judged]
    grades = {document: 0 if only_zero else draw.choices((0, 1, 2, 3), (50, 25, 15, 10))[0] for document in judged}
    if not only_zero:
        grades[judged[0]] = grades[judged[0]] or 1
    if draw.random() < 0.02:
        return grades, []
    head = draw.sample(judged, round(len(judged) * 0.7)) + pool[shape.judged : shape.judged + round(len(judged) * 0.3)]
    draw.shuffle(head)
    tail = pool[shape.judged + round(len(judged) * 0.3) :]
    return grades, (head + tail)[: shape.results]


def scored(ranking: list[str]) -> dict[str, float]:
    """Scores that fall strictly with rank."""
    return {document: float(len(ranking) - rank) for rank, document in enumerate(ranking)}


def write_trec(folder: Path, judgments: Judgments, rankings: Rankings) -> tuple[Path, Path]:
    """Write qrels and run in TREC form."""
    qrels, run = folder / "qrels.txt", folder / "run.txt"
    with qrels.open("w") as stream:
        stream.writelines(_qrel_lines(judgments))
    with run.open("w") as stream:
        stream.writelines(_run_lines(rankings))
    return qrels, run


def _qrel_lines(judgments: Judgments) -> Iterator[str]:
    for query, grades in judgments.items():
        for document, grade in grades.items():
            yield f"{query} 0 {document} {grade}\n"


def _run_lines(rankings: Rankings) -> Iterator[str]:
    for query, ranking in rankings.items():
        size = len(ranking)
        for rank, document in enumerate(ranking):
            yield f"{query} Q0 {document} {rank + 1} {float(size - rank)} run\n"
