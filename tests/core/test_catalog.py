"""Measures by name: read, refused, printed."""

import pytest

from rankgate.core.catalog import MAX_GRADE, Gain, Measure, Scale, parse_measure
from rankgate.core.families import FAMILIES, Family
from rankgate.errors import UnknownMeasureError


def refusal(name: str, scale: Scale | None = None) -> str:
    with pytest.raises(UnknownMeasureError) as caught:
        parse_measure(name, scale or Scale())
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        pytest.param("P@1", Measure("P", 1, 1), id="P"),
        pytest.param("precision@1", Measure("P", 1, 1), id="precision"),
        pytest.param("recall@50", Measure("R", 50, 1), id="recall"),
        pytest.param("hit_rate@3", Measure("Success", 3, 1), id="hit_rate"),
        pytest.param("ndcg@10", Measure("nDCG", 10, dcg="exp-log2"), id="ndcg"),
        pytest.param("NDCG", Measure("nDCG", dcg="exp-log2"), id="upper case, no cutoff"),
        pytest.param("mrr", Measure("RR", rel=1), id="mrr"),
        pytest.param("MAP@10", Measure("AP", 10, 1), id="MAP"),
        pytest.param("zero_result_rate", Measure("ZeroResults"), id="zero_result_rate"),
        pytest.param("zero_results", Measure("ZeroResults"), id="zero_results"),
        pytest.param("Judged@10", Measure("Judged", 10), id="Judged"),
        pytest.param("P(rel=2)@3", Measure("P", 3, 2), id="rel"),
        pytest.param("nDCG(dcg='log2')@10", Measure("nDCG", 10, dcg="log2"), id="dcg"),
        pytest.param('nDCG(dcg="binary-log2")', Measure("nDCG", dcg="binary-log2"), id="dcg in double quotes"),
        pytest.param("  P ( rel = 2 , ) @ 3  ", Measure("P", 3, 2), id="blanks"),
        pytest.param("P(judged_only=True)@3", Measure("P", 3, 1, judged_only=True), id="judged_only"),
        pytest.param("P(judged_only=false)@3", Measure("P", 3, 1), id="not judged_only"),
        pytest.param("F(beta=0.5)@3", Measure("F", 3, 1, beta=0.5), id="beta"),
        pytest.param("RBP(p=.9)", Measure("RBP", rel=1, p=0.9), id="p"),
        pytest.param("ERR(max=4)@3", Measure("ERR", 3, max=4), id="max"),
        pytest.param("P@007", Measure("P", 7, 1), id="zeros in front"),
        pytest.param("P(judged_only=False)@3", Measure("P", 3, 1), id="not judged_only, as Python writes it"),
        pytest.param("P@999999999", Measure("P", 999_999_999, 1), id="the largest cutoff"),
        pytest.param("F(beta=1000)@3", Measure("F", 3, 1, beta=1000.0), id="the largest beta"),
        pytest.param("ERR(max=100)@3", Measure("ERR", 3, max=100), id="the largest max"),
    ],
)
def test_a_name_is_read_in_the_fields_notation_and_in_long_form(name: str, measure: Measure) -> None:
    """Every spelling of a measure gives the same, fully specified value."""
    assert measure == parse_measure(name, Scale())


@pytest.mark.parametrize(
    ("gain", "printed"),
    [
        ("exponential", "nDCG(dcg='exp-log2')@10"),
        ("linear", "nDCG(dcg='log2')@10"),
        ("binary", "nDCG(dcg='binary-log2')@10"),
    ],
)
def test_the_printed_ndcg_names_its_gain(gain: Gain, printed: str) -> None:
    """A name without a gain takes the scale's and prints it."""
    assert printed == str(parse_measure("nDCG@10", Scale(gain=gain)))


def test_a_printed_name_carries_the_lowest_relevant_grade_of_the_scale() -> None:
    """What counts as relevant comes from the scale and is in the name, unless it is 1."""
    assert ["P@1", "P(rel=2)@1", "AP(rel=2)"] == [
        str(parse_measure("P@1", Scale())),
        str(parse_measure("P@1", Scale(relevant_from=2))),
        str(parse_measure("AP", Scale(relevant_from=2))),
    ]


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("F(beta=2)@3", "F(beta=2.0)@3"),
        ("f_measure@3", "F@3"),
        ("RBP", "RBP(p=0.8,rel=1)"),
        ("ERR@3", "ERR(max=3)@3"),
        ("nDCG(judged_only=true)", "nDCG(dcg='exp-log2',judged_only=True)"),
        ("RBP( rel=2 , p = 0.5 )@10", "RBP(p=0.5,rel=2)@10"),
    ],
)
def test_a_printed_name_carries_every_parameter_by_name(name: str, printed: str) -> None:
    """In one order and one spelling; a default of the field's own is left out."""
    assert printed == str(parse_measure(name, Scale()))


def test_how_deep_a_measure_looks() -> None:
    """To its cutoff, else at all that was asked for; whether a list is empty is seen at its first document."""
    measures = Measure("P", 3, 1), Measure("RR", rel=1), Measure("ZeroResults")

    assert [3, 50, 1] == [measure.looks_at(50) for measure in measures]


def test_a_short_name_has_no_parameters() -> None:
    """For places where there is no room."""
    assert ["nDCG@10", "RR"] == [Measure("nDCG", 10, dcg="log2").short, Measure("RR", rel=2).short]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("P@0", "the cutoff of 'P@0' must be a whole number of 1 or more, found '0'"),
        ("P@-1", "the cutoff of 'P@-1' must be a whole number of 1 or more, found '-1'"),
        ("P@1.5", "the cutoff of 'P@1.5' must be a whole number of 1 or more, found '1.5'"),
        ("P@ten", "the cutoff of 'P@ten' must be a whole number of 1 or more, found 'ten'"),
        ("P@\u0663", "the cutoff of 'P@\u0663' must be a whole number of 1 or more, found '\u0663'"),
        (
            "P@1000000000",
            "the cutoff of 'P@1000000000' must be a whole number of 1 or more, found '1000000000'",
        ),
        ("P", "measure 'P' needs a cutoff, for example P@10"),
        ("P@", "measure 'P@' needs a cutoff, for example P@10"),
        ("nDCG@", "the cutoff of 'nDCG@' must be a whole number of 1 or more, found ''"),
        ("RR@", "the cutoff of 'RR@' must be a whole number of 1 or more, found ''"),
        ("AP@", "the cutoff of 'AP@' must be a whole number of 1 or more, found ''"),
        ("RBP(p=0.5)@", "the cutoff of 'RBP(p=0.5)@' must be a whole number of 1 or more, found ''"),
        ("ZeroResults@", "measure 'ZeroResults@' takes no cutoff; write ZeroResults"),
        ("ZeroResults@5", "measure 'ZeroResults@5' takes no cutoff; write ZeroResults"),
        ("nDGC@10", "unknown measure 'nDGC@10'; did you mean 'nDCG'?"),
        ("ndgc(dcg='log2')@10", "unknown measure \"ndgc(dcg='log2')@10\"; did you mean 'nDCG'?"),
        ("ndcg@10@20@30", "unknown measure 'ndcg@10@20@30'; did you mean 'nDCG'?"),
        ("P1", "unknown measure 'P1'; did you mean 'P@1'?"),
        ("precison@1", "unknown measure 'precison@1'; did you mean 'precision'?"),
        ("reciprocalrank", "unknown measure 'reciprocalrank'; did you mean 'reciprocal_rank'?"),
        ("P(rel=0)@3", "rel of 'P(rel=0)@3' must be a grade from 1 to 3, found '0'"),
        ("P(rel=4)@3", "rel of 'P(rel=4)@3' must be a grade from 1 to 3, found '4'"),
        ("P(rel=x)@3", "rel of 'P(rel=x)@3' must be a grade from 1 to 3, found 'x'"),
        ("RBP(p=0)", "p of 'RBP(p=0)' must be between 0 and 1, found '0'"),
        ("RBP(p=0.1_5)", "p of 'RBP(p=0.1_5)' must be between 0 and 1, found '0.1_5'"),
        ("RBP(p=0.\u0663)", "p of 'RBP(p=0.\u0663)' must be between 0 and 1, found '0.\u0663'"),
        ("RBP(p=1)", "p of 'RBP(p=1)' must be between 0 and 1, found '1'"),
        ("RBP(p=x)", "p of 'RBP(p=x)' must be between 0 and 1, found 'x'"),
        ("RBP(p=nan)", "p of 'RBP(p=nan)' must be between 0 and 1, found 'nan'"),
        ("P(judged_only=yes)@3", "judged_only of 'P(judged_only=yes)@3' must be True or False, found 'yes'"),
        ("ERR(max=2)@3", "max of 'ERR(max=2)@3' must be a grade from 3, the largest of the scale, to 100, found '2'"),
        (
            "ERR(max=101)@3",
            "max of 'ERR(max=101)@3' must be a grade from 3, the largest of the scale, to 100, found '101'",
        ),
        ("P(rel=1,rel=2)@3", "parameter 'rel' stands twice in 'P(rel=1,rel=2)@3'"),
        ("P(2)@3", "cannot read parameter '2' of 'P(2)@3'; expected name=value"),
        ("P(dcg=log2)@3", "P has no parameter 'dcg'; known: judged_only, rel"),
        ("ZeroResults(rel=1)", "ZeroResults has no parameter 'rel'; it takes none"),
        ("nDCG(dcg='exp')@3", "unknown dcg 'exp' in \"nDCG(dcg='exp')@3\"; known: binary-log2, exp-log2, log2"),
        ("nDCG(dcg='exp-log')@3", "unknown dcg 'exp-log' in \"nDCG(dcg='exp-log')@3\"; did you mean 'exp-log2'?"),
    ],
)
def test_a_wrong_name_is_refused_with_what_is_wrong_and_what_is_near(name: str, message: str) -> None:
    """Each mistake has its own sentence."""
    assert message == refusal(name)


@pytest.mark.parametrize("beta", ["0", "-1", "x", "inf", "nan", "1e999"])
def test_a_weight_that_is_no_positive_number_is_refused(beta: str) -> None:
    """Nor an infinite one."""
    assert refusal(f"F(beta={beta})@3").startswith(f"beta of 'F(beta={beta})@3' must be a number above 0")


def test_a_name_like_no_measure_is_answered_with_all_measures() -> None:
    """Nothing near: everything that is known."""
    message = refusal("§")

    assert message.startswith(
        "unknown measure '§'; known: AP, Bpref, ERR, F, Judged, NumRet, P, R, RBP, RBPResidual, RR, "
    )


@pytest.mark.parametrize("name", ["P@{}", "P(rel={})@1"])
def test_a_number_of_thousands_of_digits_is_refused_like_any_other(name: str) -> None:
    """Python refuses to read such a number; that is a wrong name and no crash."""
    assert "found '999" in refusal(name.format("9" * 5000))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_family_is_found_by_each_of_its_spellings(family: Family) -> None:
    """Name and aliases lead to one measure, whose printed name leads back to it."""
    cutoff = "@3" if family.cutoff == "required" else ""

    measures = {parse_measure(spelling + cutoff, Scale()) for spelling in (family.name, *family.aliases)}

    (measure,) = measures
    assert family == measure.family
    assert measure == parse_measure(str(measure), Scale())
    assert family.higher_is_better == measure.higher_is_better


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_family_is_described(family: Family) -> None:
    """What it is, where it comes from, what it cannot see."""
    assert all([family.title, family.formula, family.citation, family.blind_to, family.aliases])


def test_the_largest_value_of_a_count_is_the_depth() -> None:
    """All others end at 1."""
    assert {"NumRet": 50.0} == {
        family.name: high for family in FAMILIES if (high := Measure(family.name).high(50)) != 1.0
    }


def test_no_scale_reaches_the_bytes_that_stand_for_no_grade() -> None:
    """Grades are bytes in the arrays, and the largest two are taken."""
    from rankgate.core.alignment import SPAM, UNJUDGED

    assert MAX_GRADE < min(SPAM, UNJUDGED)
