"""The registry of measures: what each is, where it comes from, which way is better, and what it cannot see.

The command line's listing, the reference page and the look-up by name are all made from this table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Parameter = Literal["rel", "dcg", "p", "beta", "max", "judged_only"]

#: What each parameter of a name means.
PARAMETERS: Final[Mapping[Parameter, str]] = {
    "rel": "the lowest grade that counts as relevant; else the set's relevant_from",
    "dcg": "gain and discount: 'exp-log2' (2^g - 1), 'log2' (g), 'binary-log2' (1 when g > 0); else by the set's gain",
    "p": "the persistence of the searcher: the chance of looking at one more result, between 0 and 1; else 0.8",
    "beta": "how much recall weighs against precision, more than 0; else 1",
    "max": "the grade that satisfies best; else the largest of the set's scale",
    "judged_only": "True removes unjudged documents before ranks are counted (the condensed list); else False",
}


@dataclass(frozen=True, slots=True)
class Family:
    """A measure before its parameters and its cutoff are chosen.

    Attributes:
        name: As printed.
        title: In words.
        aliases: Other spellings that are read, in lower case; the first is the long name.
        formula: The definition; g_i is the grade at rank i, rel_i whether it is relevant, R how many are.
        cutoff: Whether ``@k`` must, may or must not follow.
        parameters: What may stand in its brackets.
        higher_is_better: Its direction.
        high: The largest value there can be; None where the depth of the run is the only bound. The least is always 0.
        unit: What a value counts.
        undefined: When a query has no value.
        citation: Where the formula comes from.
        blind_to: One sentence: what it cannot see.
    """

    name: str
    title: str
    aliases: tuple[str, ...]
    formula: str
    citation: str
    blind_to: str
    cutoff: Literal["required", "optional", "none"] = "required"
    parameters: tuple[Parameter, ...] = ("judged_only", "rel")
    higher_is_better: bool = True
    high: float | None = 1.0
    unit: str = "share"
    undefined: str = "no judged document is relevant"


FAMILIES: Final[tuple[Family, ...]] = (
    Family(
        "P",
        "Precision",
        ("precision", "p"),
        "(rel_1 + ... + rel_k) / k, also when fewer than k came back",
        "C. J. van Rijsbergen, Information Retrieval, 2nd ed., Butterworths, 1979",
        "The order within the first k, and grades above the relevant one.",
    ),
    Family(
        "R",
        "Recall",
        ("recall", "r"),
        "(rel_1 + ... + rel_k) / R",
        "C. J. van Rijsbergen, Information Retrieval, 2nd ed., Butterworths, 1979",
        "The order within the first k; and it cannot reach 1 where a query has more than k relevant documents.",
    ),
    Family(
        "F",
        "F-measure",
        ("f_measure", "f"),
        "(1 + beta^2) P@k R@k / (beta^2 P@k + R@k), 0 when both are 0",
        "C. J. van Rijsbergen, Information Retrieval, 2nd ed., Butterworths, 1979",
        "The order within the first k, and which of precision and recall moved.",
        parameters=("beta", "judged_only", "rel"),
    ),
    Family(
        "Success",
        "Success (hit rate)",
        ("hit_rate", "success", "hitrate"),
        "1 when any of the first k documents is relevant, else 0",
        "E. M. Voorhees, Overview of the TREC 2003 Robust Retrieval Track, NIST SP 500-255",
        "Where among the first k the relevant document is, and whether there is a second one.",
    ),
    Family(
        "RR",
        "Reciprocal rank",
        ("mrr", "rr", "reciprocal_rank"),
        "1 / rank of the first relevant document, 0 when there is none (within k)",
        "P. B. Kantor and E. M. Voorhees, Information Retrieval 2, 2000, doi:10.1023/A:1009902609570",
        "Everything behind the first relevant document; and a step from rank 1 to 2 costs as much as from 2 to none.",
        cutoff="optional",
    ),
    Family(
        "AP",
        "Average precision",
        ("map", "ap", "average_precision"),
        "mean over all R relevant documents of the precision at their rank; missing ones count 0",
        "D. Harman, Overview of the First TREC Conference, NIST SP 500-207, 1993",
        "Grades above the relevant one; and nobody reads a list the way it averages.",
        cutoff="optional",
    ),
    Family(
        "nDCG",
        "Normalised discounted cumulative gain",
        ("ndcg",),
        "DCG / ideal DCG, DCG = sum of gain(g_i) / log2(i + 1); the ideal orders all judged documents, cut at k",
        "K. Järvelin and J. Kekäläinen, ACM TOIS 20(4), 2002, doi:10.1145/582415.582418",
        "How good the best judged document is: a query whose documents all have one grade scores 1 in any order.",
        cutoff="optional",
        parameters=("dcg", "judged_only"),
        undefined="no judged document has a positive gain",
    ),
    Family(
        "ERR",
        "Expected reciprocal rank",
        ("err",),
        "sum over i of 1/i * s_i * product over j < i of (1 - s_j), with s = (2^g - 1) / 2^max",
        "O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan, CIKM 2009, doi:10.1145/1645953.1646033",
        "What stands behind a document of the largest grade; and it does not reach 1.",
        cutoff="optional",
        parameters=("judged_only", "max"),
        undefined="no judged document has a positive grade",
    ),
    Family(
        "RBP",
        "Rank-biased precision",
        ("rbp",),
        "(1 - p) * sum over i of rel_i * p^(i - 1)",
        "A. Moffat and J. Zobel, ACM TOIS 27(1), 2008, doi:10.1145/1416950.1416952",
        "How many relevant documents there are to find; a query with one of them cannot come near 1.",
        cutoff="optional",
        parameters=("judged_only", "p", "rel"),
        unit="relevant documents seen per document looked at",
    ),
    Family(
        "RBPResidual",
        "Residual of rank-biased precision",
        ("rbp_residual",),
        "what RBP could still gain: (1 - p) * sum over unjudged i of p^(i - 1), and p^n for all behind the n returned",
        "A. Moffat and J. Zobel, ACM TOIS 27(1), 2008, doi:10.1145/1416950.1416952",
        "Relevance: it says how much of RBP is not known, not how good the ranking is.",
        cutoff="optional",
        parameters=("p",),
        higher_is_better=False,
        unit="points of RBP that are not known",
        undefined="never",
    ),
    Family(
        "Rprec",
        "R-precision",
        ("r_precision", "rprec"),
        "relevant documents among the first R, divided by R",
        "C. Buckley and E. M. Voorhees, SIGIR 2000, doi:10.1145/345508.345543",
        "The order within the first R, and everything behind them.",
        cutoff="none",
    ),
    Family(
        "Bpref",
        "Binary preference",
        ("bpref",),
        "1/R * sum over relevant returned r of 1 - min(n_r, R) / min(R, N), n_r the judged not relevant above r, N all",
        "C. Buckley and E. M. Voorhees, SIGIR 2004, doi:10.1145/1008992.1009000; in trec_eval's form",
        "Unjudged documents, wherever they stand: a page full of them costs nothing.",
        cutoff="none",
        parameters=("rel",),
    ),
    Family(
        "Judged",
        "Judged share",
        ("judged",),
        "share of the first min(k, returned) documents that have a judgment",
        "C. Buckley and E. M. Voorhees, SIGIR 2004, doi:10.1145/1008992.1009000",
        "Relevance: it says how far the other measures can be trusted, not how good the ranking is.",
        parameters=(),
        undefined="nothing was returned",
    ),
    Family(
        "NumRet",
        "Documents returned",
        ("num_ret", "numret"),
        "how many documents were returned, at most the depth asked for",
        "trec_eval",
        "Relevance altogether.",
        cutoff="none",
        parameters=(),
        high=None,
        unit="documents",
        undefined="never",
    ),
    Family(
        "ZeroResults",
        "Zero results",
        ("zero_result_rate", "zeroresults", "zero_results"),
        "1 when the service answered and the list was empty; as a mean, the zero-result rate",
        "rankgate",
        "Relevance: a page of wrong documents is no zero result.",
        cutoff="none",
        parameters=(),
        higher_is_better=False,
        undefined="never",
    ),
)

BY_NAME: Final[Mapping[str, Family]] = {
    spelling: family for family in FAMILIES for spelling in (family.name.lower(), *family.aliases)
}
