"""What every measure holds to, whatever the input."""

import re
from collections.abc import Mapping
from random import Random
from typing import Final

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rankgate.core.catalog import MAX_BETA, Measure, Scale, parse_measure
from rankgate.core.families import FAMILIES, PARAMETERS
from rankgate.core.measures import mean
from rankgate.core.rankings import Ranking
from rankgate.core.scoring import score
from tests.property import strategies
from tests.support import query, run, value

Judgments = Mapping[str, int]

#: As tests.support.value has it.
SCALE: Final = Scale(lowest=-5, highest=10)
#: What a hole may raise: the share of holes, the count of documents, what is not known.
SEE_HOLES: Final = {"Judged", "NumRet", "RBPResidual", "ZeroResults"}
#: Whose value is 1 when all judged documents stand by falling grade, as far as the cutoff lets it.
IDEAL_IS_ONE: Final = {"R", "Success", "RR", "AP", "nDCG", "Rprec", "Bpref", "Judged"}
#: Whose value cannot fall when a better document changes places with a worse one above it.
FEEL_ORDER: Final = {"P", "R", "F", "Success", "RR", "AP", "nDCG", "ERR", "RBP", "Rprec"}


def has_value(measure: Measure, judgments: Judgments, ranking: tuple[str, ...]) -> bool:
    """Whether the measure is defined, as its family declares in words."""
    largest = max(judgments.values())
    return {
        "never": True,
        "no judged document is relevant": largest >= measure.rel,
        "no judged document has a positive gain": largest > 0,
        "no judged document has a positive grade": largest > 0,
        "nothing was returned": bool(ranking),
    }[measure.family.undefined]


@given(strategies.names, strategies.any_judgments, strategies.repeating_rankings)
def test_a_value_is_in_range_or_undefined(name: str, judgments: Judgments, ranking: tuple[str, ...]) -> None:
    """From 0 to 1, or to the documents there are; undefined exactly where the family says so."""
    measure = parse_measure(name, SCALE)

    actual = value(name, judgments, ranking)

    assert has_value(measure, judgments, ranking) == (actual is not None)
    assert actual is None or 0.0 <= actual <= measure.high(len(ranking))


@given(
    st.sampled_from([name for name in strategies.ALL_NAMES if parse_measure(name, SCALE).name in IDEAL_IS_ONE]),
    strategies.judgments,
)
def test_the_ideal_ranking_scores_exactly_one(name: str, judgments: Judgments) -> None:
    """All judged documents by falling grade: 1.0 to the last bit."""
    measure = parse_measure(name, SCALE)
    relevant = sum(grade >= measure.rel for grade in judgments.values())
    assume(relevant)
    assume(not (measure.name in {"AP", "R"} and 0 < measure.cutoff < relevant))
    ideal = sorted(judgments, key=lambda document: -judgments[document])

    assert value(name, judgments, ideal) == 1.0


@example(p=0.16591297776103536, judgments={"d0": 1}, ranking=("d1", "d2", "d3", "d4", "d5"))
@given(st.floats(0.001, 0.999), strategies.judgments, strategies.rankings)
def test_rbp_and_its_residual_never_exceed_one(p: float, judgments: Judgments, ranking: tuple[str, ...]) -> None:
    """What is gained and what is unknown are shares of one whole."""
    gained, unknown = (value(f"{name}(p={p!r})", judgments, ranking) for name in ("RBP", "RBPResidual"))

    assert gained is not None
    assert unknown is not None
    assert gained <= 1.0
    assert unknown <= 1.0
    assert gained + unknown <= 1.0 + 1e-12


@given(
    st.sampled_from([name for name in strategies.ALL_NAMES if "judged_only" in name]),
    strategies.judgments,
    strategies.rankings,
)
def test_a_condensed_list_is_the_list_without_its_holes(
    name: str, judgments: Judgments, ranking: tuple[str, ...]
) -> None:
    """judged_only gives the value that the ranking has with the unjudged documents taken out by hand."""
    plain = re.sub(r"judged_only=True,?", "", name).replace("()", "")

    condensed = value(name, judgments, ranking)

    assert condensed == value(plain, judgments, [document for document in ranking if document in judgments])


def test_every_family_and_every_parameter_is_among_the_generated_names() -> None:
    """What follows from the registry cannot be forgotten here."""
    measures = [parse_measure(name, SCALE) for name in strategies.ALL_NAMES]

    assert {family.name for family in FAMILIES} == {measure.name for measure in measures}
    assert set(PARAMETERS) == {
        parameter for parameter in PARAMETERS if any(f"{parameter}=" in str(m) for m in measures)
    }


@given(
    st.sampled_from(
        [
            name
            for name in strategies.ALL_NAMES
            if parse_measure(name, SCALE).name in FEEL_ORDER and "judged_only" not in name
        ]
    ),
    strategies.judgments,
    strategies.rankings.filter(lambda ranking: len(ranking) > 1),
    st.data(),
)
def test_lifting_a_better_document_never_lowers_the_value(
    name: str, judgments: Judgments, ranking: tuple[str, ...], data: st.DataObject
) -> None:
    """Of two documents, the better one above the worse one is worth at least as much as the other way round."""
    upper = data.draw(st.integers(0, len(ranking) - 2))
    lower = data.draw(st.integers(upper + 1, len(ranking) - 1))
    pair = sorted((ranking[upper], ranking[lower]), key=lambda document: judgments.get(document, 0))
    sunk, lifted = list(ranking), list(ranking)
    sunk[upper], sunk[lower] = pair
    lifted[lower], lifted[upper] = pair

    before, after = value(name, judgments, sunk), value(name, judgments, lifted)

    assert (before is None) == (after is None)
    assert before is None or after is None or after >= before - 1e-12


@given(
    st.sampled_from([name for name in strategies.ALL_NAMES if "@3" in name and "judged_only" not in name]),
    strategies.judgments,
    strategies.rankings,
    strategies.rankings,
)
def test_what_stands_past_the_cutoff_changes_nothing(
    name: str, judgments: Judgments, ranking: tuple[str, ...], tail: tuple[str, ...]
) -> None:
    """The same first three, the same value."""
    assume(len(ranking) >= 3)
    longer = (*ranking[:3], *(document for document in tail if document not in ranking[:3]))

    assert value(name, judgments, ranking[:3]) == value(name, judgments, longer)


@given(
    strategies.names.filter(lambda name: parse_measure(name, SCALE).name not in SEE_HOLES),
    strategies.judgments,
    strategies.rankings,
    st.integers(0, 11),
)
def test_a_hole_never_raises_a_value(name: str, judgments: Judgments, ranking: tuple[str, ...], at: int) -> None:
    """Putting an unjudged document somewhere into the ranking never helps; a condensed list does not see it."""
    with_hole = (*ranking[:at], "nobody judged this", *ranking[at:])

    before, after = value(name, judgments, ranking), value(name, judgments, with_hole)

    assert (before is None) == (after is None)
    if "judged_only" in name or name.startswith("Bpref"):
        assert before == after
    else:
        assert before is None or after is None or after <= before + 1e-12


@given(strategies.names, strategies.judgments, strategies.rankings, st.data())
def test_a_repeated_document_changes_nothing(
    name: str, judgments: Judgments, ranking: tuple[str, ...], data: st.DataObject
) -> None:
    """The first occurrence counts, the later ones close up."""
    assume(ranking)
    first = data.draw(st.integers(0, len(ranking) - 1))
    later = data.draw(st.integers(first + 1, len(ranking)))
    repeated = (*ranking[:later], ranking[first], *ranking[later:])

    assert Ranking(ranking, 1) == Ranking.of(repeated)
    assert value(name, judgments, ranking) == value(name, judgments, repeated)


@given(
    strategies.names,
    st.lists(st.tuples(strategies.any_judgments, strategies.rankings), min_size=1, max_size=8),
    st.randoms(use_true_random=False),
)
def test_the_order_of_queries_and_of_judgments_changes_no_value(
    name: str, cases: list[tuple[Judgments, tuple[str, ...]]], random: Random
) -> None:
    """Each value, and so the mean, is the same to the last bit in whatever order the set is written."""
    measure = parse_measure(name, SCALE)
    queries = [query(f"q{number}", judgments) for number, (judgments, _) in enumerate(cases)]
    answers = run({f"q{number}": ranking for number, (_, ranking) in enumerate(cases)})
    shuffled = [query(each.id, dict(reversed(list(each.judgments.items())))) for each in queries]
    random.shuffle(shuffled)

    straight, mixed = (score(each, answers, [measure], 1) for each in (queries, shuffled))

    assert [straight.value(measure, each.id) for each in queries] == [mixed.value(measure, each.id) for each in queries]
    means = [mean(values[~np.isnan(values)]) for values in (straight.values[measure], mixed.values[measure])]
    assert repr(means[0]) == repr(means[1])


@pytest.mark.parametrize("name", strategies.ALL_NAMES)
@pytest.mark.parametrize("relevant_from", [1, 2])
def test_a_printed_name_reads_back_as_the_same_measure(name: str, relevant_from: int) -> None:
    """Names round-trip, and print the same again, whatever gain the scale has they are read with."""
    measure = parse_measure(name, Scale(relevant_from=relevant_from, gain="linear"))

    again = parse_measure(str(measure), Scale(relevant_from=measure.rel or 1, gain="binary"))

    assert (measure, str(measure)) == (again, str(again))


@given(
    st.floats(0, 1, exclude_min=True, exclude_max=True),
    st.floats(0, MAX_BETA, exclude_min=True),
    st.integers(1, 999_999_999),
)
def test_a_printed_number_reads_back_as_the_same_number(p: float, beta: float, cutoff: int) -> None:
    """Also one that is printed with an exponent."""
    measures = [Measure("RBP", cutoff, rel=1, p=p), Measure("RBPResidual", p=p), Measure("F", cutoff, rel=1, beta=beta)]

    assert measures == [parse_measure(str(measure), SCALE) for measure in measures]


@pytest.mark.parametrize("gain", ["exponential", "linear", "binary"])
def test_scoring_a_run_again_gives_the_same_bytes(gain: str) -> None:
    """A hundred times the same run: one result."""
    measure = parse_measure("nDCG@10", Scale(gain=gain))  # type: ignore[arg-type]  # the three gains
    queries = [query("q1", {"a": 1}), query("q2", {"b": 2})]
    answers = run({"q1": ["x", "a"], "q2": []})

    results = {score(queries, answers, [measure], 1).values[measure].tobytes() for _ in range(100)}

    assert len(results) == 1
