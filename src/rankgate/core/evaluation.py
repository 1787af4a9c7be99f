"""From a measure and aligned queries to its values: which arrays each formula is given."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from rankgate.core import measures
from rankgate.core.alignment import SPAM, UNJUDGED, Aligned, BoolArray, FloatArray, GradeArray, IntArray
from rankgate.core.catalog import GAIN_OF_DCG, Measure
from rankgate.core.measures import gain_table

Evaluator = Callable[[Measure, Aligned], FloatArray]
#: A formula on relevance by rank, shape (Q, K), and on R, shape (Q,).
BinaryFormula = Callable[[BoolArray, IntArray, Measure], FloatArray]


def evaluate(measure: Measure, aligned: Aligned) -> FloatArray:
    """The value of *measure* for each aligned query.

    Returns:
        Shape (Q,); NaN where the measure is undefined and where the query failed.
    """
    return _where(~aligned.failed, _EVALUATORS[measure.name](measure, aligned))


def _where(defined: BoolArray, values: FloatArray) -> FloatArray:
    kept: FloatArray = np.where(defined, values, np.nan)
    return kept


def _ranked(measure: Measure, aligned: Aligned) -> GradeArray:
    """The grades by rank to the cutoff, shape (Q, <= k); holes removed where the measure asks for that."""
    grades = aligned.grades
    if measure.judged_only:
        order = np.argsort(grades == UNJUDGED, axis=1, kind="stable")
        grades = np.take_along_axis(grades, order, axis=1)
    return grades[:, : measure.cutoff or None]


def _total(measure: Measure, aligned: Aligned) -> IntArray:
    """R: the relevant judged documents of each query, retrieved or not; shape (Q,)."""
    total: IntArray = (aligned.ideal >= measure.rel).sum(axis=1)
    return total


def _relevant(grades: GradeArray, measure: Measure) -> BoolArray:
    relevant: BoolArray = (grades >= measure.rel) & (grades < SPAM)
    return relevant


def _binary(measure: Measure, aligned: Aligned) -> FloatArray:
    """The value by a formula on relevance; undefined where the query has no relevant document."""
    total = _total(measure, aligned)
    relevant = _relevant(_ranked(measure, aligned), measure)
    return _where(total > 0, _BINARY_FORMULAS[measure.name](relevant, total, measure))


def _f_measure(relevant: BoolArray, total: IntArray, measure: Measure) -> FloatArray:
    precisions = measures.precision(relevant, measure.cutoff)
    recalls = measures.recall(relevant, total)
    return measures.f_measure(precisions, recalls, measure.beta)


def _ndcg(measure: Measure, aligned: Aligned) -> FloatArray:
    table = gain_table(GAIN_OF_DCG[measure.dcg])
    gains, ideal = table[_ranked(measure, aligned)], table[aligned.ideal[:, : measure.cutoff or None]]
    return measures.ndcg(gains, ideal)


def _err(measure: Measure, aligned: Aligned) -> FloatArray:
    satisfaction = gain_table("exponential")[_ranked(measure, aligned)] / 2.0**measure.max
    return _where(aligned.ideal.sum(axis=1) > 0, measures.expected_reciprocal_rank(satisfaction))


def _bpref(measure: Measure, aligned: Aligned) -> FloatArray:
    total = _total(measure, aligned)
    relevant = _relevant(aligned.grades, measure)
    return measures.bpref(relevant, (aligned.grades < SPAM) & ~relevant, total, aligned.judged - total)


def _residual(measure: Measure, aligned: Aligned) -> FloatArray:
    unjudged = _ranked(measure, aligned) == UNJUDGED
    return measures.rank_biased_residual(unjudged, aligned.returned, measure.p)


def _judged(measure: Measure, aligned: Aligned) -> FloatArray:
    return measures.judged_share(aligned.grades != UNJUDGED, aligned.returned, measure.cutoff)


_BINARY_FORMULAS: Final[Mapping[str, BinaryFormula]] = {
    "P": lambda relevant, _, measure: measures.precision(relevant, measure.cutoff),
    "R": lambda relevant, total, _: measures.recall(relevant, total),
    "F": _f_measure,
    "Success": lambda relevant, *_: measures.success(relevant),
    "RR": lambda relevant, *_: measures.reciprocal_rank(relevant),
    "AP": lambda relevant, total, _: measures.average_precision(relevant, total),
    "RBP": lambda relevant, _, measure: measures.rank_biased(relevant, measure.p),
    "Rprec": lambda relevant, total, _: measures.r_precision(relevant, total),
}

_EVALUATORS: Final[Mapping[str, Evaluator]] = {
    **dict.fromkeys(_BINARY_FORMULAS, _binary),
    "nDCG": _ndcg,
    "ERR": _err,
    "RBPResidual": _residual,
    "Bpref": _bpref,
    "Judged": _judged,
    "NumRet": lambda _, aligned: aligned.returned.astype(np.float64),
    "ZeroResults": lambda _, aligned: measures.zero_results(aligned.returned),
}
