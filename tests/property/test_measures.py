"""What every measure holds to, whatever the input."""

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rankgate.core.catalog import Scale, parse_measure
from rankgate.core.rankings import Ranking
from rankgate.core.scoring import mean, score
from tests.property import strategies
from tests.support import query, run, value

Judgments = Mapping[str, int]


@given(strategies.names, strategies.judgments, strategies.repeating_rankings)
def test_a_value_is_in_range_or_undefined(name: str, judgments: Judgments, ranking: tuple[str, ...]) -> None:
    """From 0 to 1; only Judged of an empty ranking has no value."""
    actual = value(name, judgments, ranking)

    if actual is None:
        assert (name.startswith("Judged"), ()) == (True, ranking)
    else:
        assert 0.0 <= actual <= 1.0


@given(
    st.sampled_from(["nDCG", "nDCG@3", "nDCG(dcg='log2')@10", "nDCG(dcg='binary-log2')", "AP", "RR"]),
    strategies.judgments,
)
def test_the_ideal_ranking_scores_exactly_one(name: str, judgments: Judgments) -> None:
    """All judged documents by falling grade: 1.0 to the last bit."""
    ideal = sorted(judgments, key=lambda document: -judgments[document])

    assert value(name, judgments, ideal) == 1.0


@given(
    st.sampled_from(["nDCG", "nDCG@3", "nDCG(dcg='log2')@10", "AP", "AP@10", "RR", "RR@3", "P@3", "R@3"]),
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

    assert before is not None
    assert after is not None
    assert after >= before - 1e-12


@given(
    strategies.names.filter(lambda name: "@3" in name), strategies.judgments, strategies.rankings, strategies.rankings
)
def test_what_stands_past_the_cutoff_changes_nothing(
    name: str, judgments: Judgments, ranking: tuple[str, ...], tail: tuple[str, ...]
) -> None:
    """The same first three, the same value."""
    assume(len(ranking) >= 3)
    longer = (*ranking[:3], *(document for document in tail if document not in ranking[:3]))

    assert value(name, judgments, ranking[:3]) == value(name, judgments, longer)


@given(
    strategies.names.filter(lambda name: "Judged" not in name),
    strategies.judgments,
    strategies.rankings,
    st.integers(0, 11),
)
def test_a_hole_never_raises_a_value(name: str, judgments: Judgments, ranking: tuple[str, ...], at: int) -> None:
    """Putting an unjudged document somewhere into the ranking never helps."""
    with_hole = (*ranking[:at], "nobody judged this", *ranking[at:])
    assume(name != "ZeroResults")

    before, after = value(name, judgments, ranking), value(name, judgments, with_hole)

    assert before is not None
    assert after is not None
    assert after <= before + 1e-12


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
    st.lists(st.tuples(strategies.judgments, strategies.rankings), min_size=1, max_size=8),
    st.randoms(use_true_random=False),
)
def test_the_order_of_queries_and_of_judgments_changes_no_mean(
    cases: list[tuple[Judgments, tuple[str, ...]]], random: Random
) -> None:
    """The mean is the same to the last bit in whatever order the set is written."""
    measure = parse_measure("nDCG@10", Scale())
    queries = [query(f"q{number}", judgments) for number, (judgments, _) in enumerate(cases)]
    answers = run({f"q{number}": ranking for number, (_, ranking) in enumerate(cases)})
    shuffled = [query(each.id, dict(reversed(list(each.judgments.items())))) for each in queries]
    random.shuffle(shuffled)

    straight, mixed = (mean(score(each, answers, [measure], 1).values[measure]) for each in (queries, shuffled))

    assert straight == mixed


@given(strategies.names)
def test_a_printed_name_reads_back_as_the_same_measure(name: str) -> None:
    """Names round-trip, whatever the scale they are read with."""
    measure = parse_measure(name, Scale(relevant_from=2))

    assert measure == parse_measure(str(measure), Scale(relevant_from=2))


@pytest.mark.parametrize("gain", ["exponential", "linear", "binary"])
def test_scoring_a_run_again_gives_the_same_bytes(gain: str) -> None:
    """A hundred times the same run: one result."""
    measure = parse_measure("nDCG@10", Scale(gain=gain))  # type: ignore[arg-type]  # the three gains
    queries = [query("q1", {"a": 1}), query("q2", {"b": 2})]
    answers = run({"q1": ["x", "a"], "q2": []})

    results = {score(queries, answers, [measure], 1).values[measure].tobytes() for _ in range(100)}

    assert len(results) == 1
