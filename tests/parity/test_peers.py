"""Values on generated input against independent implementations: trec_eval (pytrec_eval-terrier) and ir_measures."""

import sys
from collections.abc import Mapping, Sequence
from typing import Final

import ir_measures
import pytest
import pytrec_eval
from hypothesis import assume, given, settings
from hypothesis import strategies as st

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
    "Rprec": "Rprec",
    "Bpref": "bpref",
    "NumRet": "num_ret",
}
ASKED: Final = {
    *{"P.1,3", "recall.10", "success.3", "recip_rank", "map", "map_cut.10", "ndcg_cut.10", "ndcg"},
    *{"Rprec", "bpref", "num_ret"},
}
IR_MEASURES: Final = ["nDCG(dcg='log2')@3", "P(rel=2)@3", "R(rel=2)@10", "AP(rel=2)@10", "RR(rel=2)@3", "Judged@10"]

needs_names_read = pytest.mark.skipif(
    sys.version_info >= (3, 14), reason="ir_measures reads names with parts of ast that Python 3.14 no longer has"
)


def falling(ranking: tuple[str, ...]) -> dict[str, float]:
    """Scores that keep the order of *ranking* under trec_eval's sorting."""
    return {document: float(len(ranking) - rank) for rank, document in enumerate(ranking)}


def by_trec_eval(judgments: Mapping[str, int], ranking: tuple[str, ...], level: int = 1) -> dict[str, float]:
    """trec_eval's values; a ranking must not be empty, for pytrec_eval-terrier 0.5.11 crashes on one."""
    evaluator = pytrec_eval.RelevanceEvaluator({"q": dict(judgments)}, ASKED, relevance_level=level)
    values: dict[str, float] = evaluator.evaluate({"q": falling(ranking)})["q"]
    return {theirs: values[theirs] for theirs in TREC_EVAL.values()}


@given(strategies.judgments, strategies.rankings.filter(bool))
def test_every_measure_equals_trec_eval(judgments: Mapping[str, int], ranking: tuple[str, ...]) -> None:
    """To 1e-12, with holes, short rankings and more relevant documents than the cutoff."""
    actual = {theirs: value(ours, judgments, ranking) for ours, theirs in TREC_EVAL.items()}

    assert pytest.approx(by_trec_eval(judgments, ranking), abs=1e-12) == actual


#: pytrec_eval-terrier 0.5.11 never returns when all grades are below 0.
not_all_spam = strategies.any_judgments.filter(lambda grades: max(grades.values()) >= 0)


@given(not_all_spam, strategies.repeating_rankings.filter(bool))
def test_spam_duplicates_and_queries_without_relevant_documents_count_as_in_trec_eval(
    judgments: Mapping[str, int], ranking: tuple[str, ...]
) -> None:
    """Grades below 0 gain nothing and are no part of bpref; what repeats is dropped; our undefined is trec_eval's 0."""
    once = tuple(dict.fromkeys(ranking))

    actual = {theirs: value(ours, judgments, ranking) or 0.0 for ours, theirs in TREC_EVAL.items()}

    assert pytest.approx(by_trec_eval(judgments, once), abs=1e-12) == actual


@given(not_all_spam, strategies.rankings.filter(bool), st.sampled_from([2, 3]))
def test_relevance_levels_equal_trec_eval(judgments: Mapping[str, int], ranking: tuple[str, ...], level: int) -> None:
    """trec_eval's -l; nDCG and num_ret do not look at it."""
    scale = Scale(lowest=-2, relevant_from=level)

    actual = {theirs: value(ours, judgments, ranking, scale) or 0.0 for ours, theirs in TREC_EVAL.items()}

    assert pytest.approx(by_trec_eval(judgments, ranking, level), abs=1e-12) == actual


@given(
    st.dictionaries(st.integers(0, 59), st.integers(-1, 3), min_size=30, max_size=60).filter(
        lambda g: max(g.values()) >= 0
    ),
    st.lists(st.integers(0, 79), unique=True, min_size=1, max_size=60),
)
@settings(max_examples=50)
def test_many_more_relevant_documents_than_the_cutoff_count_as_in_trec_eval(
    judgments: Mapping[int, int], ranking: list[int]
) -> None:
    """Up to sixty of them against cutoffs of ten, half of them past the end of the ranking."""
    grades, served = {f"d{n}": grade for n, grade in judgments.items()}, tuple(f"d{n}" for n in ranking)

    actual = {theirs: value(ours, grades, served) or 0.0 for ours, theirs in TREC_EVAL.items()}

    assert pytest.approx(by_trec_eval(grades, served), abs=1e-12) == actual


@given(strategies.judgments)
def test_an_empty_ranking_counts_nothing(judgments: Mapping[str, int]) -> None:
    """0 for every measure, as with trec_eval -c (the peers crash, or leave it out); tests of its outputs hold that."""
    assert dict.fromkeys(TREC_EVAL, 0.0) == {ours: value(ours, judgments, ()) for ours in TREC_EVAL}


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


@needs_names_read
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


def read_by_ir_measures() -> list[str]:
    """Those of our printed names that ir_measures reads and can compute here.

    Not among them: F@k, RBPResidual, ZeroResults and the binary gain, which it does not have; ERR, whose largest grade
    it fixes at 4, and exponential nDCG, both computed by gdeval, which needs perl; RBP, which needs cwl_eval.
    """
    found = []
    for name in strategies.ALL_NAMES:
        printed = str(parse_measure(name, Scale()))
        try:
            theirs = ir_measures.parse_measure(printed)
            theirs.validate_params()  # type: ignore[no-untyped-call]  # of a library without types
        except (NameError, AssertionError):
            continue
        if any(provider.supports(theirs) for provider in IN_PYTHON):
            found.append(printed)
    return sorted(set(found))


IN_PYTHON: Final = (ir_measures.pytrec_eval, ir_measures.msmarco, ir_measures.judged)
READ_BY_IR_MEASURES: Final = read_by_ir_measures() if sys.version_info < (3, 14) else ["P@1"]


@needs_names_read
def test_ir_measures_reads_most_of_the_printed_names() -> None:
    """With every parameter that it has too: else the next test would show little."""
    families = {parse_measure(name, Scale()).name for name in READ_BY_IR_MEASURES}

    assert {"P", "R", "Success", "RR", "AP", "nDCG", "Rprec", "Bpref", "NumRet", "Judged"} == families
    assert sum("judged_only=True" in name for name in READ_BY_IR_MEASURES) >= 40
    assert sum("rel=2" in name for name in READ_BY_IR_MEASURES) >= 20


@needs_names_read
@given(st.sampled_from(READ_BY_IR_MEASURES), strategies.judgments, strategies.rankings.filter(bool))
@settings(max_examples=400)
def test_a_printed_name_means_the_same_to_ir_measures(
    name: str, judgments: Mapping[str, int], ranking: tuple[str, ...]
) -> None:
    """The same number to 1e-12; judged_only is trec_eval's -J there."""
    measure = ir_measures.parse_measure(name)
    qrels = [ir_measures.Qrel("q", document, grade) for document, grade in judgments.items()]
    run = [ir_measures.ScoredDoc("q", document, score) for document, score in falling(ranking).items()]
    provider = next(provider for provider in IN_PYTHON if provider.supports(measure))
    expected = {metric.query_id: metric.value for metric in provider.iter_calc([measure], qrels, run)}

    actual = value(name, judgments, ranking)

    assert pytest.approx(expected["q"], abs=1e-12) == (actual or 0.0)


def test_a_condensed_list_keeps_spam_where_trec_eval_takes_it_out() -> None:
    """A difference on purpose: to trec_eval -J a grade below 0 means "in the pool, not judged", to us a judgment."""
    judgments, ranking = {"a": 1, "s": -1}, ("s", "a")
    evaluator = pytrec_eval.RelevanceEvaluator({"q": judgments}, {"recip_rank"}, judged_docs_only_flag=True)

    assert 1.0 == evaluator.evaluate({"q": falling(ranking)})["q"]["recip_rank"]
    assert 0.5 == value("RR(judged_only=True)", judgments, ranking)


def err(grades: Sequence[int], largest: int) -> float:
    """Chapelle et al., CIKM 2009, algorithm 1: walk down, and stop with the chance that the document satisfies."""
    total, still_looking = 0.0, 1.0
    for rank, grade in enumerate(grades, start=1):
        satisfied = (2 ** max(grade, 0) - 1) / 2**largest
        total += still_looking * satisfied / rank
        still_looking *= 1 - satisfied
    return total


def rbp(relevant: Sequence[bool], p: float) -> float:
    """Moffat and Zobel, TOIS 27(1), 2008, equation 4."""
    total, weight = 0.0, 1.0 - p
    for each in relevant:
        total += weight * each
        weight *= p
    return total


@given(strategies.any_judgments, strategies.rankings, st.integers(1, 14), st.integers(3, 5))
def test_err_equals_a_loop_written_from_its_paper(
    judgments: Mapping[str, int], ranking: tuple[str, ...], cutoff: int, largest: int
) -> None:
    """No peer computes it here: ir_measures asks gdeval.pl, which needs perl and fixes the largest grade at 4."""
    assume(max(judgments.values()) > 0)
    grades = [judgments.get(document, 0) for document in ranking]
    scale = Scale(lowest=-2)

    assert pytest.approx(err(grades, largest), abs=1e-12) == value(f"ERR(max={largest})", judgments, ranking, scale)
    assert pytest.approx(err(grades[:cutoff], 3), abs=1e-12) == value(f"ERR@{cutoff}", judgments, ranking, scale)


@given(strategies.any_judgments, strategies.rankings, st.floats(0.01, 0.99), st.integers(1, 14))
def test_rbp_and_its_residual_equal_a_loop_written_from_their_paper(
    judgments: Mapping[str, int], ranking: tuple[str, ...], p: float, cutoff: int
) -> None:
    """No peer computes it here: ir_measures asks cwl_eval, which is not installed.

    The residual is what RBP would gain if all that is unknown were relevant: holes, and without end what stands behind.
    """
    assume(max(judgments.values()) > 0)
    for ending, served in (("", ranking), (f"@{cutoff}", ranking[:cutoff])):
        gained = rbp([judgments.get(document, 0) > 0 for document in served], p)
        at_best = [judgments.get(document, 1) > 0 for document in served] + [True] * 4000

        assert pytest.approx(gained, abs=1e-12) == value(f"RBP(p={p!r}){ending}", judgments, ranking)
        assert pytest.approx(rbp(at_best, p) - gained, abs=1e-9) == value(
            f"RBPResidual(p={p!r}){ending}", judgments, ranking
        )
