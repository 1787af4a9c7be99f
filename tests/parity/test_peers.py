"""Values on generated input against independent implementations: trec_eval (pytrec_eval-terrier) and ir_measures."""

from collections.abc import Mapping
from typing import Final

import ir_measures
import pytest
import pytrec_eval
from hypothesis import given

from rankgate.core.catalog import Scale, parse_measure
from tests.property import strategies
from tests.support import value

TREC_EVAL: Final = {
    "P@1": "P_1",
    "P@3": "P_3",
    "R@10": "recall_10",
    "Success@3": "success_3",
    "RR": "recip_rank",
    "AP": "map",
    "AP@10": "map_cut_10",
    "nDCG(dcg='log2')@10": "ndcg_cut_10",
    "nDCG(dcg='log2')": "ndcg",
}
ASKED: Final = {"P.1,3", "recall.10", "success.3", "recip_rank", "map", "map_cut.10", "ndcg_cut.10", "ndcg"}
IR_MEASURES: Final = ["nDCG(dcg='log2')@3", "P(rel=2)@3", "R(rel=2)@10", "AP(rel=2)@10", "RR(rel=2)@3", "Judged@10"]


def falling(ranking: tuple[str, ...]) -> dict[str, float]:
    """Scores that keep the order of *ranking* under trec_eval's sorting."""
    return {document: float(len(ranking) - rank) for rank, document in enumerate(ranking)}


@given(strategies.judgments, strategies.rankings.filter(bool))
def test_every_measure_equals_trec_eval(judgments: Mapping[str, int], ranking: tuple[str, ...]) -> None:
    """To 1e-12, with holes, short rankings and more relevant documents than the cutoff."""
    evaluator = pytrec_eval.RelevanceEvaluator({"q": dict(judgments)}, ASKED)
    expected = evaluator.evaluate({"q": falling(ranking)})["q"]

    actual = {theirs: value(ours, judgments, ranking) for ours, theirs in TREC_EVAL.items()}

    assert pytest.approx({theirs: expected[theirs] for theirs in actual}, abs=1e-12) == actual


@pytest.mark.parametrize("gain", ["exp-log2", "binary-log2"])
@given(judgments=strategies.judgments, ranking=strategies.rankings.filter(bool))
def test_other_gains_equal_trec_eval_on_grades_that_are_the_gains(
    gain: str, judgments: Mapping[str, int], ranking: tuple[str, ...]
) -> None:
    """trec_eval's gain is the grade itself, so grades of 2^g - 1 make its nDCG the exponential one."""
    gains = {document: 2**grade - 1 if gain == "exp-log2" else int(grade > 0) for document, grade in judgments.items()}
    evaluator = pytrec_eval.RelevanceEvaluator({"q": gains}, {"ndcg_cut.10", "ndcg"})
    expected = evaluator.evaluate({"q": falling(ranking)})["q"]

    assert pytest.approx(expected["ndcg_cut_10"], abs=1e-12) == value(f"nDCG(dcg='{gain}')@10", judgments, ranking)
    assert pytest.approx(expected["ndcg"], abs=1e-12) == value(f"nDCG(dcg='{gain}')", judgments, ranking)


@given(strategies.judgments.filter(lambda grades: max(grades.values()) > 1), strategies.rankings.filter(bool))
def test_every_parameter_equals_ir_measures(judgments: Mapping[str, int], ranking: tuple[str, ...]) -> None:
    """The printed name, read by ir_measures, gives the same number."""
    qrels = [ir_measures.Qrel("q", document, grade) for document, grade in judgments.items()]
    run = [ir_measures.ScoredDoc("q", document, score) for document, score in falling(ranking).items()]
    names = {name: str(parse_measure(name, Scale())) for name in IR_MEASURES}
    expected = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in names.values()], qrels, run)

    actual = {name: value(name, judgments, ranking) for name in names}

    assert (
        pytest.approx(
            {name: expected[ir_measures.parse_measure(printed)] for name, printed in names.items()}, abs=1e-12
        )
        == actual
    )
