"""The formulas: arrays in, one value a query out.

Each takes Q queries at once. NaN means that the measure is undefined for the query: it has no relevant document (or,
for Judged, nothing was returned); NaN never leaves ``scoring``.
"""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from rankgate.core.alignment import UNJUDGED, Aligned, BoolArray, FloatArray, GradeArray, IntArray
from rankgate.core.catalog import GAIN_OF_DCG, Gain, Measure


def precision(relevant: BoolArray, cutoff: int) -> FloatArray:
    """P@k = (sum of rel_1..k) / k, also when fewer than k came back.

    Args:
        relevant: Shape (Q, K). Whether the document at rank j + 1 is relevant; holes and padding are not.
        cutoff: Last rank counted, >= 1.

    Returns:
        Shape (Q,), in [0, 1].
    """
    return _count(relevant[:, :cutoff]) / cutoff


def recall(relevant: BoolArray, total: IntArray, cutoff: int) -> FloatArray:
    """R@k = (sum of rel_1..k) / R.

    Args:
        relevant: Shape (Q, K).
        total: Shape (Q,). R, the relevant judged documents of the query, retrieved or not.
        cutoff: Last rank counted, >= 1.

    Returns:
        Shape (Q,), in [0, 1]; NaN where R is 0.
    """
    return _ratio(_count(relevant[:, :cutoff]), total.astype(np.float64))


def success(relevant: BoolArray, cutoff: int) -> FloatArray:
    """Success@k: 1 when any of the first k is relevant, else 0; shape (Q,)."""
    return np.where(_count(relevant[:, :cutoff]) > 0, 1.0, 0.0)


def reciprocal_rank(relevant: BoolArray, cutoff: int) -> FloatArray:
    """RR@k = 1 / rank of the first relevant document, 0 when none of the first k is.

    Source: Kantor & Voorhees, Information Retrieval 2, 2000, doi:10.1023/A:1009902609570.

    Args:
        relevant: Shape (Q, K).
        cutoff: Last rank counted; 0 for all.

    Returns:
        Shape (Q,), in [0, 1].
    """
    head = relevant[:, : cutoff or None]
    if not head.shape[1]:
        return np.zeros(len(head))
    first: FloatArray = np.where(head.any(axis=1), 1.0 / (head.argmax(axis=1) + 1.0), 0.0)
    return first


def average_precision(relevant: BoolArray, total: IntArray, cutoff: int) -> FloatArray:
    """AP@k = (sum over relevant ranks r <= k of P@r) / R; relevant documents that are missing count 0.

    Source: Harman, TREC-1, NIST SP 500-207, 1992; with a cutoff as trec_eval's map_cut.

    Args:
        relevant: Shape (Q, K).
        total: Shape (Q,). R, retrieved or not.
        cutoff: Last rank counted; 0 for all.

    Returns:
        Shape (Q,), in [0, 1]; NaN where R is 0.
    """
    head = relevant[:, : cutoff or None]
    ranks = np.arange(1, head.shape[1] + 1, dtype=np.float64)
    precisions: FloatArray = np.where(head, head.cumsum(axis=1) / ranks, 0.0)
    return _ratio(precisions.sum(axis=1), total.astype(np.float64))


def ndcg(gains: FloatArray, ideal: FloatArray, cutoff: int) -> FloatArray:
    """Normalised discounted cumulative gain.

    DCG@k = sum over ranks r = 1..k of gain(r) / log2(r + 1); nDCG = DCG / ideal DCG.
    Source: Järvelin & Kekäläinen, ACM TOIS 20(4), 2002, doi:10.1145/582415.582418,
    in the log2(r + 1) form of trec_eval.

    Args:
        gains: Shape (Q, K). Gain at rank j + 1; holes and padding are 0.
        ideal: Shape (Q, J). All judged gains, descending, padded with 0.
        cutoff: Last rank counted; 0 for all.

    Returns:
        Shape (Q,), in [0, 1]; NaN where the query has no positive gain.
    """
    width = cutoff or max(gains.shape[1], ideal.shape[1])
    discount = np.log2(np.arange(2, width + 2, dtype=np.float64))
    # Both sides are summed over arrays of one width, so that the ideal ranking is divided by itself to the last bit.
    dcg = (_to_width(gains, width) / discount).sum(axis=1)
    best = (_to_width(ideal, width) / discount).sum(axis=1)
    return _ratio(dcg, best)


def judged_share(judged: BoolArray, returned: IntArray, cutoff: int) -> FloatArray:
    """Judged@k = judged documents among the first k, divided by min(k, returned).

    Args:
        judged: Shape (Q, K). Whether the document at rank j + 1 has a judgment.
        returned: Shape (Q,).
        cutoff: Last rank counted, >= 1.

    Returns:
        Shape (Q,), in [0, 1]; NaN where nothing was returned.
    """
    seen = np.minimum(returned, cutoff).astype(np.float64)
    return _ratio(_count(judged[:, :cutoff]), seen)


def zero_results(returned: IntArray) -> FloatArray:
    """1 where the answer was empty, else 0; shape (Q,)."""
    return np.where(returned == 0, 1.0, 0.0)


def gain_table(gain: Gain) -> FloatArray:
    """The gain of each grade 0..254, and 0 for UNJUDGED; shape (256,)."""
    grades = np.arange(256, dtype=np.float64)
    gains: Mapping[Gain, FloatArray] = {
        "exponential": np.exp2(grades) - 1.0,
        "linear": grades,
        "binary": (grades > 0).astype(np.float64),
    }
    table = gains[gain]
    table[UNJUDGED] = 0.0
    return table


def evaluate(measure: Measure, aligned: Aligned) -> FloatArray:
    """The value of *measure* for each aligned query.

    Returns:
        Shape (Q,); NaN where the measure is undefined and where the query failed.
    """
    values = _EVALUATORS[measure.name](measure, aligned)
    return _where(~aligned.failed, values)


def _count(flags: BoolArray) -> FloatArray:
    counts: FloatArray = flags.sum(axis=1, dtype=np.float64)
    return counts


def _where(defined: BoolArray, values: FloatArray) -> FloatArray:
    kept: FloatArray = np.where(defined, values, np.nan)
    return kept


def _ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    return np.divide(numerator, denominator, out=np.full_like(numerator, np.nan), where=denominator > 0)


def _to_width(array: FloatArray, width: int) -> FloatArray:
    missing = width - array.shape[1]
    return np.pad(array, ((0, 0), (0, missing))) if missing > 0 else np.ascontiguousarray(array[:, :width])


def _relevant(grades: GradeArray, rel: int) -> BoolArray:
    relevant: BoolArray = (grades >= rel) & (grades != UNJUDGED)
    return relevant


def _binary(
    formula: Callable[[BoolArray, IntArray, int], FloatArray],
) -> Callable[[Measure, Aligned], FloatArray]:
    """Make an evaluator of a formula on relevance; undefined where the query has no relevant document."""

    def evaluator(measure: Measure, aligned: Aligned) -> FloatArray:
        total = (aligned.ideal >= measure.rel).sum(axis=1)
        values = formula(_relevant(aligned.grades, measure.rel), total, measure.cutoff)
        return _where(total > 0, values)

    return evaluator


def _ndcg(measure: Measure, aligned: Aligned) -> FloatArray:
    table = gain_table(GAIN_OF_DCG[measure.dcg])
    cutoff = measure.cutoff or None
    return ndcg(table[aligned.grades[:, :cutoff]], table[aligned.ideal[:, :cutoff]], measure.cutoff)


_EVALUATORS: Final[Mapping[str, Callable[[Measure, Aligned], FloatArray]]] = {
    "P": _binary(lambda relevant, _, cutoff: precision(relevant, cutoff)),
    "R": _binary(recall),
    "Success": _binary(lambda relevant, _, cutoff: success(relevant, cutoff)),
    "RR": _binary(lambda relevant, _, cutoff: reciprocal_rank(relevant, cutoff)),
    "AP": _binary(average_precision),
    "nDCG": _ndcg,
    "Judged": lambda measure, aligned: judged_share(aligned.grades != UNJUDGED, aligned.returned, measure.cutoff),
    "ZeroResults": lambda _, aligned: zero_results(aligned.returned),
}
