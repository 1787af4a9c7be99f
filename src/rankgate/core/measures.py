"""The formulas: arrays in, one value a query out.

Each takes Q queries at once. NaN means that the measure is undefined for the query; it never leaves ``scoring``.
"""

import math
from collections.abc import Mapping

import numpy as np

from rankgate.core.alignment import SPAM, UNJUDGED, BoolArray, FloatArray, IntArray
from rankgate.core.catalog import Gain


def precision(relevant: BoolArray, cutoff: int) -> FloatArray:
    """P@k = (sum of rel_1..k) / k, also when fewer than k came back.

    Args:
        relevant: Shape (Q, K), K at most the cutoff. Whether the document at rank j + 1 is relevant; holes and
            padding are not.
        cutoff: Last rank counted, >= 1.

    Returns:
        Shape (Q,), in [0, 1].
    """
    return _count(relevant) / cutoff


def recall(relevant: BoolArray, total: IntArray) -> FloatArray:
    """R@k = (sum of rel_1..k) / R.

    Args:
        relevant: Shape (Q, K), K the cutoff.
        total: Shape (Q,). R, the relevant judged documents of the query, retrieved or not.

    Returns:
        Shape (Q,), in [0, 1]; NaN where R is 0.
    """
    return _ratio(_count(relevant), total)


def success(relevant: BoolArray) -> FloatArray:
    """Success@k: 1 when any of the first k is relevant, else 0; shape (Q,)."""
    return np.where(relevant.any(axis=1), 1.0, 0.0)


def reciprocal_rank(relevant: BoolArray) -> FloatArray:
    """RR@k = 1 / rank of the first relevant document, 0 when none of the first k is.

    Source: Kantor & Voorhees, Information Retrieval 2, 2000, doi:10.1023/A:1009902609570.

    Args:
        relevant: Shape (Q, K), K the cutoff.

    Returns:
        Shape (Q,), in [0, 1].
    """
    if not relevant.shape[1]:
        return np.zeros(len(relevant))
    first: FloatArray = np.where(relevant.any(axis=1), 1.0 / (relevant.argmax(axis=1) + 1.0), 0.0)
    return first


def average_precision(relevant: BoolArray, total: IntArray) -> FloatArray:
    """AP@k = (sum over relevant ranks r <= k of P@r) / R; relevant documents that are missing count 0.

    Source: Harman, TREC-1, NIST SP 500-207, 1992; with a cutoff as trec_eval's map_cut.

    Args:
        relevant: Shape (Q, K), K the cutoff.
        total: Shape (Q,). R, retrieved or not.

    Returns:
        Shape (Q,), in [0, 1]; NaN where R is 0.
    """
    # Only the relevant documents are walked over: they are few, and a run may be a thousand documents deep.
    rows, columns = np.nonzero(relevant)
    found = relevant.sum(axis=1)
    seen = np.arange(1, len(rows) + 1) - np.repeat(found.cumsum() - found, found)
    sums = np.bincount(rows, weights=seen / (columns + 1.0), minlength=len(relevant))
    return _ratio(sums.astype(np.float64), total)


def ndcg(gains: FloatArray, ideal: FloatArray) -> FloatArray:
    """Normalised discounted cumulative gain.

    DCG@k = sum over ranks r = 1..k of gain(r) / log2(r + 1); nDCG = DCG / ideal DCG.
    Source: Järvelin & Kekäläinen, ACM TOIS 20(4), 2002, doi:10.1145/582415.582418,
    in the log2(r + 1) form of trec_eval.

    Args:
        gains: Shape (Q, K), K the cutoff. Gain at rank j + 1; holes and padding are 0.
        ideal: Shape (Q, J), J the cutoff. The largest judged gains, descending, padded with 0.

    Returns:
        Shape (Q,), in [0, 1]; NaN where the query has no positive gain.
    """
    return _ratio(_dcg(gains), _dcg(ideal))


def judged_share(judged: BoolArray, returned: IntArray, cutoff: int) -> FloatArray:
    """Judged@k = judged documents among the first k, divided by min(k, returned).

    Args:
        judged: Shape (Q, K). Whether the document at rank j + 1 has a judgment.
        returned: Shape (Q,).
        cutoff: Last rank counted, >= 1.

    Returns:
        Shape (Q,), in [0, 1]; NaN where nothing was returned.
    """
    return _ratio(_count(judged[:, :cutoff]), np.minimum(returned, cutoff))


def f_measure(precisions: FloatArray, recalls: FloatArray, beta: float) -> FloatArray:
    """F = (1 + beta^2) P R / (beta^2 P + R), 0 where both are 0.

    Source: van Rijsbergen, Information Retrieval, 2nd ed., 1979, chapter 7.

    Args:
        precisions: Shape (Q,).
        recalls: Shape (Q,).
        beta: How much recall weighs against precision, > 0.

    Returns:
        Shape (Q,), in [0, 1].
    """
    weighted = beta * beta * precisions + recalls
    product = (1.0 + beta * beta) * precisions * recalls
    return np.nan_to_num(_ratio(product, weighted))


def r_precision(relevant: BoolArray, total: IntArray) -> FloatArray:
    """Rprec = relevant documents among the first R, divided by R.

    Source: Buckley & Voorhees, SIGIR 2000, doi:10.1145/345508.345543.

    Args:
        relevant: Shape (Q, K).
        total: Shape (Q,). R, retrieved or not.

    Returns:
        Shape (Q,), in [0, 1]; NaN where R is 0.
    """
    first = np.arange(relevant.shape[1]) < total[:, np.newaxis]
    return _ratio(_count(relevant & first), total)


def bpref(relevant: BoolArray, not_relevant: BoolArray, total: IntArray, rejected: IntArray) -> FloatArray:
    """Bpref = 1/R * sum over relevant returned r of 1 - min(n_r, R) / min(R, N).

    n_r is the number of judged, not relevant documents above r, and N the number of them altogether.
    Source: Buckley & Voorhees, SIGIR 2004, doi:10.1145/1008992.1009000, in the form that trec_eval has had since 8.0.

    Args:
        relevant: Shape (Q, K).
        not_relevant: Shape (Q, K). Judged with a grade of 0 or more, and not relevant.
        total: Shape (Q,). R, retrieved or not.
        rejected: Shape (Q,). N, retrieved or not.

    Returns:
        Shape (Q,), in [0, 1]; NaN where R is 0.
    """
    above = np.minimum(not_relevant.cumsum(axis=1), total[:, np.newaxis])
    # Where R or N is 0, nothing stands above: 0 / 1.
    lost = above / np.maximum(np.minimum(total, rejected), 1)[:, np.newaxis]
    return _ratio(_total(np.where(relevant, 1.0 - lost, 0.0)), total)


def expected_reciprocal_rank(satisfaction: FloatArray) -> FloatArray:
    """ERR = sum over ranks i of 1/i * s_i * product over j < i of (1 - s_j).

    Source: Chapelle, Metzler, Zhang & Grinspan, CIKM 2009, doi:10.1145/1645953.1646033.

    Args:
        satisfaction: Shape (Q, K), K the cutoff. s = (2^g - 1) / 2^max at rank j + 1; holes and padding are 0.

    Returns:
        Shape (Q,), in [0, 1).
    """
    still_looking = np.cumprod(1.0 - satisfaction, axis=1)
    reached = np.hstack([np.ones((len(satisfaction), 1)), still_looking])[:, : satisfaction.shape[1]]
    return _total(satisfaction * reached / np.arange(1, satisfaction.shape[1] + 1))


def rank_biased(flags: BoolArray, p: float) -> FloatArray:
    """(1 - p) * sum over the ranks i that are set of p^(i - 1): RBP of relevant documents, or the weight of any others.

    Source: Moffat & Zobel, ACM TOIS 27(1), 2008, doi:10.1145/1416950.1416952.

    Args:
        flags: Shape (Q, K), K the cutoff.
        p: Persistence, between 0 and 1.

    Returns:
        Shape (Q,), in [0, 1].
    """
    # The weights of all ranks add up to 1; their rounded sum may be a bit more.
    return np.minimum(_total(np.where(flags, (1.0 - p) * p ** np.arange(flags.shape[1]), 0.0)), 1.0)


def rank_biased_residual(unjudged: BoolArray, returned: IntArray, p: float) -> FloatArray:
    """What RBP could still gain: the weight of the unjudged among the *returned*, and p^n of all behind the n returned.

    Source: Moffat & Zobel, ACM TOIS 27(1), 2008, doi:10.1145/1416950.1416952.

    Args:
        unjudged: Shape (Q, K), K the cutoff. Holes; padding may be set, it counts as not returned.
        returned: Shape (Q,).
        p: Persistence, between 0 and 1.

    Returns:
        Shape (Q,), in [0, 1].
    """
    seen = np.minimum(returned, unjudged.shape[1])
    holes = unjudged & (np.arange(unjudged.shape[1]) < seen[:, np.newaxis])
    return np.minimum(rank_biased(holes, p) + np.power(p, seen), 1.0)


def zero_results(returned: IntArray) -> FloatArray:
    """1 where the answer was empty, else 0; shape (Q,)."""
    return np.where(returned == 0, 1.0, 0.0)


def gain_table(gain: Gain) -> FloatArray:
    """The gain of each grade, and 0 for UNJUDGED and SPAM; shape (256,)."""
    grades = np.arange(256, dtype=np.float64)
    gains: Mapping[Gain, FloatArray] = {
        "exponential": np.exp2(grades) - 1.0,
        "linear": grades,
        "binary": np.sign(grades),
    }
    table = gains[gain]
    table[[SPAM, UNJUDGED]] = 0.0
    return table


def _count(flags: BoolArray) -> FloatArray:
    counts: FloatArray = flags.sum(axis=1, dtype=np.float64)
    return counts


def _ratio(numerator: FloatArray, denominator: FloatArray | IntArray) -> FloatArray:
    return np.divide(numerator, denominator, out=np.full_like(numerator, np.nan), where=denominator > 0)


def _dcg(gains: FloatArray) -> FloatArray:
    return _total(gains / np.log2(np.arange(2, gains.shape[1] + 2)))


def _total(terms: FloatArray) -> FloatArray:
    """The sum of each row, from left to right.

    ``sum`` groups the terms by the width of the array, so the last bit of a query's value would depend on how much
    the other queries returned; and the ideal ranking, padded more than its ideal, would not score exactly 1.
    """
    return terms.cumsum(axis=1)[:, -1] if terms.shape[1] else np.zeros(len(terms))


def mean(values: FloatArray) -> float:
    """The plain mean, rounded once, so that the order of the queries cannot change it; NaN for no values."""
    return math.fsum(values.tolist()) / len(values) if len(values) else math.nan
