"""Values worked out by hand from the definitions, as fractions, with the arithmetic beside each.

Sources: F, van Rijsbergen 1979, chapter 7; ERR, Chapelle et al., CIKM 2009, equation 5, with the grade's
R(g) = (2^g - 1) / 2^max of its equation 4; RBP and its residual, Moffat and Zobel, TOIS 27(1), 2008, sections 3 and 4;
Rprec, Buckley and Voorhees, SIGIR 2000; Bpref, Buckley and Voorhees, SIGIR 2004, as bpref in trec_eval's m_bpref.c
says; the condensed list, Sakai, SIGIR 2007.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import log2
from typing import Final

import pytest

from rankgate.core.catalog import Scale
from tests.support import value

SCALE: Final = Scale(lowest=-2, highest=3)

#: Relevant a, b, c, d; returned are two of them, at 1 and 3 of 5: P@5 = 2/5, R@5 = 1/2; P@2 = 1/2, R@2 = 1/4.
TWO_OF_FOUR: Final = {"a": 1, "b": 1, "c": 2, "d": 3}, ["a", "x", "b", "y", "z"]
#: c and d have grade 2 or more; only c is returned, at 4: P(rel=2)@4 = 1/4, R(rel=2)@4 = 1/2.
GRADED: Final = {"a": 1, "b": 1, "c": 2, "d": 3}, ["a", "x", "b", "c"]
NOTHING: Final[tuple[dict[str, int], list[str]]] = {"a": 1, "b": 1, "c": 2, "d": 3}, []

F = [
    pytest.param("F@5", TWO_OF_FOUR, Fraction(4, 9), id="2 * 2/5 * 1/2 / (2/5 + 1/2) = 2/5 / (9/10)"),
    pytest.param("F(beta=2)@5", TWO_OF_FOUR, Fraction(10, 21), id="5 * 1/5 / (4 * 2/5 + 1/2) = 1 / (21/10)"),
    pytest.param("F(beta=0.5)@5", TWO_OF_FOUR, Fraction(5, 12), id="5/4 * 1/5 / (1/4 * 2/5 + 1/2) = 1/4 / (3/5)"),
    pytest.param("F@2", TWO_OF_FOUR, Fraction(1, 3), id="2 * 1/2 * 1/4 / (1/2 + 1/4) = 1/4 / (3/4)"),
    pytest.param("F(beta=3)@2", TWO_OF_FOUR, Fraction(5, 19), id="10 * 1/8 / (9 * 1/2 + 1/4) = 5/4 / (19/4)"),
    pytest.param("F@10", TWO_OF_FOUR, Fraction(2, 7), id="P@10 = 2/10: 2 * 1/5 * 1/2 / (1/5 + 1/2) = 1/5 / (7/10)"),
    pytest.param("F(rel=2)@4", GRADED, Fraction(1, 3), id="2 * 1/4 * 1/2 / (1/4 + 1/2) = 1/4 / (3/4)"),
    pytest.param("F(rel=2)@3", GRADED, 0, id="P and R are 0, and so is F"),
    pytest.param("F@5", NOTHING, 0, id="nothing returned"),
]

#: The largest grade is 3, so s(3) = 7/8, s(2) = 3/8, s(1) = 1/8; with max=4: 7/16, 3/16, 1/16.
THREE_NONE_TWO: Final = {"a": 3, "b": 0, "c": 2}, ["a", "b", "c"]
TWO_THREE: Final = {"a": 3, "c": 2}, ["c", "a"]
ONES: Final = {"a": 1, "b": 1}, ["a", "b"]
HOLE_FIRST: Final = {"a": 3, "c": 2}, ["x", "a"]

ERR = [
    pytest.param("ERR", THREE_NONE_TWO, Fraction(57, 64), id="7/8 + 1/3 * 3/8 * (1 - 7/8) = 7/8 + 1/64"),
    pytest.param("ERR@2", THREE_NONE_TWO, Fraction(7, 8), id="only the first: 7/8"),
    pytest.param("ERR(max=4)@10", THREE_NONE_TWO, Fraction(121, 256), id="7/16 + 1/3 * 3/16 * 9/16 = 7/16 + 9/256"),
    pytest.param("ERR", TWO_THREE, Fraction(83, 128), id="3/8 + 1/2 * 7/8 * 5/8 = 3/8 + 35/128"),
    pytest.param("ERR(max=4)", TWO_THREE, Fraction(187, 512), id="3/16 + 1/2 * 7/16 * 13/16 = 3/16 + 91/512"),
    pytest.param("ERR", ONES, Fraction(23, 128), id="1/8 + 1/2 * 1/8 * 7/8 = 1/8 + 7/128"),
    pytest.param("ERR@10", HOLE_FIRST, Fraction(7, 16), id="a hole satisfies nobody: 1/2 * 7/8"),
    pytest.param("ERR", ({"a": 1}, ["a"]), Fraction(1, 8), id="one document of the least positive grade: 1/8"),
    pytest.param("ERR@5", NOTHING, 0, id="nothing returned"),
]

#: Relevant at 1 and 3, judged not relevant at 2, a hole at 4; e and f are judged and missing.
RELEVANT_HOLE: Final = {"a": 1, "b": 0, "c": 2, "e": 3, "f": 0}, ["a", "b", "c", "x"]
HOLES: Final = {"a": 1}, ["x", "y"]

RBP = [
    pytest.param("RBP(p=0.5)", RELEVANT_HOLE, Fraction(5, 8), id="1/2 * (1 + 1/4)"),
    pytest.param("RBP(p=0.8)", RELEVANT_HOLE, Fraction(41, 125), id="1/5 * (1 + 16/25)"),
    pytest.param("RBP", RELEVANT_HOLE, Fraction(41, 125), id="p is 0.8 where nobody says"),
    pytest.param("RBP(p=0.5,rel=2)", RELEVANT_HOLE, Fraction(1, 8), id="only c at 3: 1/2 * 1/4"),
    pytest.param("RBP(p=0.5)@2", RELEVANT_HOLE, Fraction(1, 2), id="only a: 1/2"),
    pytest.param("RBP(p=0.5)", HOLES, 0, id="holes are not relevant"),
    pytest.param("RBP(p=0.5)", NOTHING, 0, id="nothing returned, no RBP"),
    pytest.param("RBPResidual(p=0.5)", RELEVANT_HOLE, Fraction(1, 8), id="x: 1/2 * 1/8; behind rank 4: 1/16"),
    pytest.param("RBPResidual(p=0.8)", RELEVANT_HOLE, Fraction(64, 125), id="x: 1/5 * 64/125; behind: 256/625"),
    pytest.param("RBPResidual", RELEVANT_HOLE, Fraction(64, 125), id="the residual's p is 0.8 too"),
    pytest.param("RBPResidual(p=0.5)@2", RELEVANT_HOLE, Fraction(1, 4), id="no hole in the first 2; behind: 1/4"),
    pytest.param("RBPResidual(p=0.5)@9", RELEVANT_HOLE, Fraction(1, 8), id="a cutoff past the end changes nothing"),
    pytest.param("RBPResidual(p=0.5)", HOLES, 1, id="all holes: 1/2 + 1/4, and 1/4 behind: nothing is known"),
    pytest.param("RBPResidual(p=0.5)", NOTHING, 1, id="nothing returned, nothing known"),
]

#: R = 3, all returned, two of them in the first 3.
ALL_OF_THREE: Final = {"a": 1, "b": 2, "c": 3, "n": 0}, ["a", "n", "b", "x", "c"]
FIVE_RELEVANT: Final = {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}, ["a", "b"]

RPREC = [
    pytest.param("Rprec", ALL_OF_THREE, Fraction(2, 3), id="a, n, b: two of the first three"),
    pytest.param("Rprec(rel=2)", ALL_OF_THREE, 0, id="R = 2: a, n are not of grade 2"),
    pytest.param("Rprec(rel=3)", ({"a": 3, "b": 1}, ["a", "b"]), 1, id="R = 1, and it is first"),
    pytest.param("Rprec", TWO_OF_FOUR, Fraction(1, 2), id="R = 4: a and b of a, x, b, y"),
    pytest.param("Rprec", FIVE_RELEVANT, Fraction(2, 5), id="R = 5 and two returned"),
    pytest.param("Rprec", NOTHING, 0, id="nothing returned"),
]

#: Relevant a, b; judged not relevant m, n, o.
TWO_AND_THREE: Final = {"a": 1, "b": 1, "m": 0, "n": 0, "o": 0}

BPREF = [
    pytest.param(
        "Bpref", (TWO_AND_THREE, ["m", "a", "n", "b"]), Fraction(1, 4), id="(1 - 1/2 + 1 - 2/2) / 2, min(R, N) = 2"
    ),
    pytest.param(
        "Bpref", (TWO_AND_THREE, ["m", "n", "o", "a"]), 0, id="three above, no more than R = 2 count: 1 - 2/2"
    ),
    pytest.param("Bpref", (TWO_AND_THREE, ["x", "y", "z", "a", "b"]), 1, id="the unjudged above cost nothing"),
    pytest.param("Bpref", (TWO_AND_THREE, ["a", "m", "x", "b"]), Fraction(3, 4), id="(1 + 1 - 1/2) / 2"),
    pytest.param("Bpref", (TWO_AND_THREE, ["a", "x"]), Fraction(1, 2), id="b is missing: (1 + 0) / 2"),
    pytest.param("Bpref", ({"a": 1, "b": 1}, ["x", "a"]), Fraction(1, 2), id="N = 0: nothing can stand above"),
    pytest.param("Bpref", ({"a": 1, "m": 0, "n": 0, "o": 0}, ["m", "a"]), 0, id="R = 1, N = 3: one above is all"),
    pytest.param("Bpref", ({"a": 1, "b": 1, "c": 1, "m": 0}, ["a", "m", "b"]), Fraction(1, 3), id="N = 1: (1 + 0) / 3"),
    pytest.param(
        "Bpref",
        ({"a": 1, "b": 1, "c": 1, "d": 1, "m": 0, "n": 0}, ["m", "a", "n", "b"]),
        Fraction(1, 8),
        id="R = 4, N = 2: (1 - 1/2 + 1 - 2/2) / 4",
    ),
    pytest.param("Bpref", ({"a": 1, "s": -1, "m": 0}, ["s", "a", "m"]), 1, id="spam is no part of it"),
    pytest.param("Bpref", ({"a": 1, "s": -1, "m": 0}, ["m", "s", "a"]), 0, id="beside spam a 0 still counts: 1 - 1/1"),
    pytest.param(
        "Bpref",
        ({"a": 1, "b": 1, "s": -1, "m": 0, "n": 0}, ["m", "s", "a"]),
        Fraction(1, 4),
        id="beside spam N is 2, the zeros: (1 - 1/2) / 2",
    ),
    pytest.param("Bpref(rel=2)", ({"a": 2, "b": 1}, ["b", "a"]), 0, id="grade 1 is judged and not relevant: 1 - 1/1"),
    pytest.param("Bpref", NOTHING, 0, id="nothing returned"),
]

NUM_RET = [
    pytest.param("NumRet", TWO_OF_FOUR, 5, id="five, judged or not"),
    pytest.param("NumRet", ({"a": 1}, ["a", "x", "a"]), 2, id="a repeated document counts once"),
    pytest.param("NumRet", NOTHING, 0, id="nothing returned"),
]

#: Condensed, the list is a, b, c with grades 3, 0, 2; d (grade 1) is missing, so R = 3.
CONDENSED: Final = {"a": 3, "b": 0, "c": 2, "d": 1}, ["x", "a", "y", "b", "c"]
IDEAL_LINEAR = 3 + 2 / log2(3) + 1 / 2
IDEAL_EXPONENTIAL = 7 + 3 / log2(3) + 1 / 2
IDEAL_BINARY = 1 + 1 / log2(3) + 1 / 2

JUDGED_ONLY = [
    pytest.param("P@3", CONDENSED, Fraction(1, 3), id="P@3 with the holes: a of x, a, y"),
    pytest.param("P(judged_only=True)@3", CONDENSED, Fraction(2, 3), id="P@3: a and c of a, b, c"),
    pytest.param("P(judged_only=True,rel=3)@3", CONDENSED, Fraction(1, 3), id="P@3 of grade 3: a"),
    pytest.param("P(judged_only=True)@5", CONDENSED, Fraction(2, 5), id="P@5: three are left, the divisor stays 5"),
    pytest.param("R@3", CONDENSED, Fraction(1, 3), id="R@3 with the holes"),
    pytest.param("R(judged_only=True)@3", CONDENSED, Fraction(2, 3), id="R@3: two of three"),
    pytest.param("F(judged_only=True)@3", CONDENSED, Fraction(2, 3), id="F@3: P and R are 2/3"),
    pytest.param("Success(judged_only=True)@1", CONDENSED, 1, id="Success@1: a is first now"),
    pytest.param("RR", CONDENSED, Fraction(1, 2), id="RR with the holes"),
    pytest.param("RR(judged_only=True)", CONDENSED, 1, id="RR"),
    pytest.param("AP", CONDENSED, Fraction(3, 10), id="AP with the holes: (1/2 + 2/5) / 3"),
    pytest.param("AP(judged_only=True)", CONDENSED, Fraction(5, 9), id="AP: (1/1 + 2/3) / 3"),
    pytest.param("AP(judged_only=True)@2", CONDENSED, Fraction(1, 3), id="AP@2: (1/1) / 3"),
    pytest.param("nDCG(dcg='log2',judged_only=True)@3", CONDENSED, 4 / IDEAL_LINEAR, id="nDCG@3: 3 + 2/2"),
    pytest.param(
        "nDCG(dcg='exp-log2',judged_only=True)@3", CONDENSED, 8.5 / IDEAL_EXPONENTIAL, id="nDCG@3, exponential: 7 + 3/2"
    ),
    pytest.param("nDCG(dcg='binary-log2',judged_only=True)", CONDENSED, 1.5 / IDEAL_BINARY, id="nDCG, binary: 1 + 1/2"),
    pytest.param("ERR(judged_only=True)@3", CONDENSED, Fraction(57, 64), id="ERR@3: 7/8 + 1/3 * 3/8 * 1/8"),
    pytest.param("RBP(p=0.5)", CONDENSED, Fraction(9, 32), id="RBP with the holes: 1/2 * (1/2 + 1/16)"),
    pytest.param("RBP(judged_only=True,p=0.5)", CONDENSED, Fraction(5, 8), id="RBP: 1/2 * (1 + 1/4)"),
    pytest.param("Rprec(judged_only=True)", CONDENSED, Fraction(2, 3), id="Rprec: two of a, b, c"),
    pytest.param("P(judged_only=True)@3", HOLES, 0, id="nothing but holes: an empty list"),
    pytest.param(
        "AP(judged_only=True)", ({"a": 1, "s": -1}, ["s", "a"]), Fraction(1, 2), id="spam is judged: it stays"
    ),
]

BINARY_GAIN = [
    pytest.param(
        "nDCG(dcg='binary-log2')@2", ({"a": 1, "b": 3}, ["x", "a"]), 1 / log2(3) / (1 + 1 / log2(3)), id="binary gain"
    ),
    pytest.param("nDCG(dcg='binary-log2')", ({"a": 1, "b": 3}, ["a", "b"]), 1, id="binary gain: grades do not matter"),
    pytest.param(
        "nDCG(dcg='binary-log2')@3",
        ({"a": 1, "b": 0, "c": 2}, ["b", "c", "a"]),
        (1 / log2(3) + 1 / 2) / (1 + 1 / log2(3)),
        id="binary gain: a judged 0 is no gain",
    ),
]


@pytest.mark.parametrize(
    ("name", "example", "expected"), [*F, *ERR, *RBP, *RPREC, *BPREF, *NUM_RET, *JUDGED_ONLY, *BINARY_GAIN]
)
def test_a_value_worked_out_by_hand(
    name: str, example: tuple[Mapping[str, int], Sequence[str]], expected: Fraction | float
) -> None:
    """The value is the one that pencil and paper give."""
    assert pytest.approx(float(expected), abs=1e-15) == value(name, *example, SCALE)


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
def test_rbp_its_residual_and_what_is_judged_not_relevant_share_out_all_there_is(p: float) -> None:
    """Of the whole weight 1, b at rank 2 holds (1 - p) p; the rest is gained or unknown."""
    gained, unknown = (value(f"{name}(p={p})", *RELEVANT_HOLE, SCALE) for name in ("RBP", "RBPResidual"))

    assert gained is not None
    assert unknown is not None
    assert pytest.approx(1.0 - (1.0 - p) * p, abs=1e-15) == gained + unknown


@pytest.mark.parametrize(
    ("name", "judgments", "ranking"),
    [
        *((name, {"a": 0, "s": -1}, ["a"]) for name in ("F@3", "ERR", "RBP", "Rprec", "Bpref", "nDCG")),
        *((f"{name}(rel=2)", {"a": 1}, ["a"]) for name in ("RBP", "Rprec", "Bpref", "AP", "RR")),
        ("Judged@3", {"a": 1}, []),
    ],
)
def test_a_value_that_is_not_there(name: str, judgments: Mapping[str, int], ranking: Sequence[str]) -> None:
    """Without a relevant document, and for Judged without any document, there is no value."""
    assert value(name, judgments, ranking, SCALE) is None
