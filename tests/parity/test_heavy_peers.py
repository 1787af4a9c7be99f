"""Values on generated input against ranx and scikit-learn, where they are installed (extra ``peers``)."""

import math
import warnings
from collections.abc import Mapping
from random import Random
from typing import Final

import pytest

from tests.support import value

pytestmark = pytest.mark.peers

RANX: Final = {
    "P@3": "precision@3",
    "R@50": "recall@50",
    "Success@3": "hit_rate@3",
    "RR": "mrr",
    "RR@10": "mrr@10",
    "AP": "map",
    "AP@10": "map@10",
    "nDCG(dcg='log2')@10": "ndcg@10",
    "nDCG(dcg='exp-log2')@10": "ndcg_burges@10",
}


def cases(most: int) -> list[tuple[dict[str, int], tuple[str, ...]]]:
    """Seeded judgments and rankings: holes, missing relevant documents, more relevant ones than the cutoff."""
    random = Random(7)
    documents = [f"d{number}" for number in range(60)]
    found = []
    for _ in range(most):
        judgments = {document: random.randint(0, 3) for document in random.sample(documents, random.randint(1, 40))}
        judgments[random.choice(documents)] = 3
        found.append((judgments, tuple(random.sample(documents, random.randint(10, 50)))))
    return found


def test_every_value_equals_ranx() -> None:
    """Each row of the documentation's table, per query."""
    ranx = pytest.importorskip("ranx")
    examples = cases(50)
    qrels = ranx.Qrels({f"q{n}": judgments for n, (judgments, _) in enumerate(examples)})
    run = ranx.Run(
        {
            f"q{n}": {document: float(len(ranking) - rank) for rank, document in enumerate(ranking)}
            for n, (_, ranking) in enumerate(examples)
        }
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numba warns of its own casts
        ranx.evaluate(qrels, run, list(RANX.values()))

    for ours, theirs in RANX.items():
        for n, (judgments, ranking) in enumerate(examples):
            assert pytest.approx(run.scores[theirs][f"q{n}"], abs=1e-9) == value(ours, judgments, ranking), ours


@pytest.mark.parametrize("dcg", ["log2", "exp-log2", "binary-log2"])
def test_ndcg_equals_scikit_learn_where_the_cutoff_was_reached(dcg: str) -> None:
    """It sees only the matrix that it is given: the judged documents that were not returned stand behind the others."""
    metrics = pytest.importorskip("sklearn.metrics")

    for judgments, ranking in cases(50):
        everything = (*ranking, *(document for document in judgments if document not in ranking))
        true = [gain(dcg, judgments, document) for document in everything]
        scores = [-rank for rank in range(len(everything))]
        expected = metrics.ndcg_score([true], [scores], k=10, ignore_ties=True)

        assert pytest.approx(expected, abs=1e-9) == value(f"nDCG(dcg='{dcg}')@10", judgments, ranking)


def gain(dcg: str, judgments: Mapping[str, int], document: str) -> float:
    grade = judgments.get(document, 0)
    return {"log2": float(grade), "exp-log2": math.pow(2, grade) - 1, "binary-log2": float(grade > 0)}[dcg]
