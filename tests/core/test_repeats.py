"""The same queries asked several times: the usual run, what flaps, and how the means spread."""

import dataclasses
from collections.abc import Sequence

import pytest

from rankgate.core.catalog import Measure
from rankgate.core.findings import Finding, Status
from rankgate.core.instability import Reason
from rankgate.core.judgments import Query
from rankgate.core.rankings import Failure, FailureKind, Ranking, Run
from rankgate.core.repeats import Flapping, Repeats, Spread
from rankgate.core.scoring import Interval
from tests.support import golden, query, run

P1 = Measure("P", 1, 1)
R2 = Measure("R", 2, 1)
DOWN = Failure(FailureKind.TIMEOUT, "2 s")
GOOD, BAD, TAIL = ["a", "b"], ["b", "a"], ["a", "c"]
NO_SCORE = "the service gives no score to say why (service.score)"

Answer = Sequence[str] | None


def repeats(answers: dict[str, list[Answer]], *queries: Query) -> Repeats:
    """As many runs as each query has answers; None is a failure."""
    runs = []
    for each in zip(*answers.values(), strict=True):
        asked = dict(zip(answers, each, strict=True))
        found = {query_id: ids for query_id, ids in asked.items() if ids is not None}
        runs.append(run(found, failures={query_id: DOWN for query_id in asked if query_id not in found}))
    return Repeats(golden(*(queries or map(query, answers))), (P1, R2), tuple(runs))


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        pytest.param([GOOD, BAD, BAD], run({"q": BAD}), id="the most frequent"),
        pytest.param([GOOD, BAD, BAD, GOOD, TAIL], run({"q": GOOD}), id="of equally frequent ones the earliest"),
        pytest.param([None, BAD, None], run({"q": BAD}), id="failures are no answer"),
        pytest.param([None, None], run({}, failures={"q": DOWN}), id="failed in every run"),
    ],
)
def test_the_usual_run_has_the_most_frequent_ranking(answers: list[Answer], expected: Run) -> None:
    """Whole rankings are counted, never mixed."""
    usual = repeats({"q": answers}).usual()

    assert (expected.rankings, expected.failures) == (usual.rankings, usual.failures)


def test_the_usual_run_has_the_notes_of_all_and_how_the_means_spread() -> None:
    """Only of the measures that move; what moves no measure is counted."""
    several = repeats({"q1": [GOOD, BAD], "q2": [GOOD, TAIL], "q3": [GOOD, GOOD]})
    first, second = several.runs
    noted = [
        Run(1, first.rankings, texts=first.texts, fingerprint="v1", notes={"retries": "1"}),
        Run(1, second.rankings, texts=second.texts, fingerprint="v2", notes={"retries": "2", "page cap": "one"}),
    ]
    usual = Repeats(several.golden, several.measures, tuple(noted)).usual()

    assert ("v1", first.texts) == (usual.fingerprint, usual.texts)
    assert {
        "retries": "1",
        "page cap": "one",
        "repeat": "2 runs of the same queries; 1 query has other rankings in which no measure moves; the index changed "
        "while they were made",
        "spread of P@1": "mean 0.8333, from 0.6667 to 1.0000, standard deviation 0.2357, over 3 queries",
    } == usual.notes


def test_several_queries_whose_measures_do_not_move_are_counted() -> None:
    """They are noted and no warning: nothing that is judged depends on them."""
    several = repeats({"q1": [GOOD, TAIL], "q2": [GOOD, TAIL]})

    assert () == several.finding()
    assert {
        "repeat": "2 runs of the same queries; 2 queries have other rankings in which no measure moves"
    } == several.usual().notes


def test_what_flaps_is_told_with_what_depends_on_it() -> None:
    """The measures with both ends, the pins, the failures; a query that is the same in all runs is not there."""
    several = repeats(
        {
            "moves": [GOOD, BAD, GOOD],
            "same": [GOOD, GOOD, GOOD],
            "tail": [GOOD, TAIL, TAIL],
            "fails": [GOOD, None, GOOD],
            "down": [None, None, None],
            "empties": [[], ["x"], []],
            "pinned": [GOOD, TAIL, TAIL],
        },
        *map(query, ("moves", "same", "tail", "fails", "down")),
        query("empties", {}, expects_nothing=True),
        query("pinned", never=("b",)),
    )
    good, bad, tail = (Ranking(tuple(ids)) for ids in (GOOD, BAD, TAIL))
    empties, fails, moves, pinned, only_tail = several.flapping

    assert Flapping("moves", (good, bad, good), (), {P1: Interval(0.0, 1.0)}, 3) == moves
    assert Flapping("tail", (good, tail, tail), (), {}, 3) == only_tail
    assert Flapping("fails", (good, good), (DOWN,), {}, 2) == fails
    assert Flapping("pinned", (good, tail, tail), (), {}, 2) == pinned
    assert Flapping("empties", (Ranking(()), Ranking(("x",)), Ranking(())), (), {}, 2) == empties
    assert [
        ("its pins hold in 2 of 3 answers",),
        ("not measured in 1 of 3 runs",),
        ("P@1 between 0 and 1",),
        ("its pins hold in 2 of 3 answers",),
        (),
    ] == [each.effects for each in several.flapping]
    assert [True, True, True, True, False] == [each.matters for each in several.flapping]
    assert (Reason("other order", f"the order changes; {NO_SCORE}"),) == moves.reasons


def test_the_same_query_answered_differently_each_time_is_unstable() -> None:
    """A case from the field: three calls, [a, b], [b, a], [a, b], of which only a is relevant."""
    several = repeats({"q1": [GOOD, BAD, GOOD]})

    assert (
        Finding(
            "unstable",
            Status.WARN,
            "1 of 1 queries is answered differently from run to run (3 runs) and judged by the most frequent ranking: "
            "'q1': P@1 between 0 and 1",
            value=1.0,
            queries=1,
            query_ids=("q1",),
        ),
    ) == several.finding()


def test_the_warning_names_five_queries_and_holds_all() -> None:
    """The others are counted in its sentence."""
    several = repeats({f"q{number}": [GOOD, BAD] for number in range(7)})
    (finding,) = several.finding()

    assert "7 of 7 queries are each answered differently" in finding.message
    assert finding.message.endswith("'q4': P@1 between 0 and 1; and 2 more")
    assert tuple(f"q{number}" for number in range(7)) == finding.query_ids


def rounded(spread: Spread) -> Spread:
    return dataclasses.replace(spread, mean=round(spread.mean, 4), deviation=round(spread.deviation, 4))


def test_the_spread_of_a_mean() -> None:
    """Over the queries that every answered run measured; a run without any answer says nothing of noise."""
    several = repeats(
        {
            "q1": [GOOD, BAD, None, BAD],
            "q2": [GOOD, GOOD, None, GOOD],
            "q3": [GOOD, BAD, None, GOOD],
            "q4": [GOOD, None, None, GOOD],
        },
        *map(query, ("q1", "q2", "q4")),
        query("q3", slices=("s",)),
    )

    whole, part = several.spread(P1), several.spread(P1, "s")
    assert whole is not None
    assert part is not None

    assert 4 == several.measured
    assert Spread(P1, "all", 3, 3, 0.6667, 0.3333, 1 / 3, 1.0, 2) == rounded(whole)
    assert pytest.approx(2 / 3) == whole.largest
    assert Spread(P1, "s", 1, 3, 0.6667, 0.5774, 0.0, 1.0, 1) == rounded(part)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        pytest.param([GOOD, GOOD], Spread(P1, "all", 1, 2, 1.0, 0.0, 1.0, 1.0, 0), id="no noise"),
        pytest.param([GOOD, None], Spread(P1, "all", 1, 1, 1.0, 0.0, 1.0, 1.0, 0), id="one answered run"),
        pytest.param([None, None], None, id="nothing was measured"),
    ],
)
def test_the_spread_where_nothing_moves(answers: list[Answer], expected: Spread | None) -> None:
    """Zero, and none without a measurement."""
    assert expected == repeats({"q": answers}).spread(P1)


def test_a_slice_of_which_every_query_failed_in_some_run_has_no_spread() -> None:
    """Means over other queries are not compared."""
    assert None is repeats({"q1": [GOOD, None], "q2": [None, GOOD]}).spread(P1)
