"""Series over runs: what changed with each run, what can be compared with what, and what creeps."""

import math
from collections.abc import Mapping, Sequence

import pytest
from scipy import stats

from rankgate.core.drift import FEWEST, WINDOW, Drift, drift, least_squares, mann_kendall
from rankgate.core.trend import (
    Key,
    Mark,
    Point,
    Value,
    gated,
    higher_is_better,
    in_order,
    keys_of,
    moved,
    rankings_digest,
    request_digest,
    short,
    trend,
)
from tests.support import run

NDCG: Key = ("nDCG(dcg='exp-log2')@10", "all")
ZERO: Key = ("ZeroResults", "all")
JARGON: Key = ("P@1", "jargon")
WEEK = 7 * 24 * 3600.0


def point(
    values: Mapping[Key, float | None] | float | None = 0.5,
    *,
    week: int = 0,
    queries: int = 10,
    limits: Mapping[str, float] | None = None,
    broken: tuple[str, ...] = (),
    judgments: str = "j",
    request: str = "r",
    fingerprint: str = "",
    baseline: str = "b",
) -> Point:
    """A weekly run in which every value is of so many *queries*."""
    given = values if isinstance(values, Mapping) else {NDCG: values}
    return Point(
        values={key: Value(now, 0.5, queries, limits or {}, broken) for key, now in given.items()},
        label=f"run {week}",
        seconds=week * WEEK,
        judgments=judgments,
        request=request,
        fingerprint=fingerprint,
        baseline=baseline,
    )


def weekly(values: Sequence[float | None]) -> list[Point]:
    """A point a week."""
    return [point(value, week=week) for week, value in enumerate(values)]


def drift_of(values: Sequence[float | None], *, start: int = 0, higher: bool = True) -> Drift | None:
    """The drift of values that are a week apart."""
    return drift(values, [week * WEEK for week in range(len(values))], start=start, higher_is_better=higher)


def test_a_series_is_one_value_a_run() -> None:
    """With its change from the run before and from the first, beside what was accepted."""
    (series,) = trend(weekly([0.5, 0.75, 0.25]), [NDCG]).series

    assert ((0.5, 0.75, 0.25), (0.5, 0.5, 0.5)) == (series.values, series.baselines)
    assert (0.25, -0.5, -0.25) == (series.now, series.change, series.since_first)
    assert [None, 0.25, -0.5] == [series.step(place) for place in range(3)]
    assert (0, (), None) == (series.start, series.breaks, series.drift)


def test_a_value_that_is_not_known_is_a_gap() -> None:
    """The next one is compared with the last that is known; where the last run has none, nothing is said of now."""
    gap, open_end = (trend(weekly(values), [NDCG]).series[0] for values in ([0.5, None, 0.25], [0.5, 0.25, None]))

    assert (0.25, -0.25, -0.25) == (gap.now, gap.change, gap.since_first)
    assert [None, None, -0.25] == [gap.step(place) for place in range(3)]
    assert (None, None, None) == (open_end.now, open_end.change, open_end.since_first)
    assert (0.5, 0.25) == open_end.comparable


def test_a_run_without_a_measure_is_a_gap_of_its_series() -> None:
    """A measure that was added later, or taken away."""
    points = [point({NDCG: 0.5}), point({ZERO: 0.0}, week=1), point({NDCG: 0.75, ZERO: 0.25}, week=2)]
    found = trend(points, [NDCG, ZERO])

    assert [(0.5, None, 0.75), (None, 0.0, 0.25)] == [series.values for series in found.series]
    assert [0.25, 0.25] == [series.change for series in found.series]


@pytest.mark.parametrize(
    ("changes", "breaks"),
    [
        pytest.param([{}, {"judgments": "k"}, {"judgments": "k"}], (1,), id="other judgments"),
        pytest.param([{}, {"judgments": "k"}, {}], (1, 2), id="and back again"),
        pytest.param([{}, {}, {"queries": 11}], (2,), id="another number of queries in the slice"),
        pytest.param([{}, {"baseline": "c"}, {"request": "s", "fingerprint": "v2"}], (), id="all else is comparable"),
    ],
)
def test_a_change_of_what_is_measured_begins_the_series_anew(
    changes: list[dict[str, object]], breaks: tuple[int, ...]
) -> None:
    """What comes before a break is shown, and compared with nothing after it."""
    points = [point(0.5 + week / 4, week=week, **more) for week, more in enumerate(changes)]  # type: ignore[arg-type]
    (series,) = trend(points, [NDCG]).series

    assert breaks == series.breaks
    assert max(breaks, default=0) == series.start
    assert (0.5, 0.75, 1.0)[series.start :] == series.comparable
    assert [place for place in range(3) if series.step(place) is None] == [0, *breaks]


def test_a_gap_is_no_change_of_the_number_of_queries() -> None:
    """A run that does not have the measure says nothing of how many queries it is the mean of."""
    (series,) = trend([point(), point({}, week=1), point(week=2)], [NDCG]).series

    assert () == series.breaks


def test_every_change_around_the_numbers_is_marked() -> None:
    """Accepted baseline, golden set, request, index; against the last run that knows."""
    points = [
        point(fingerprint="v1"),
        point(week=1, baseline="c"),
        point(week=2, baseline="", request="s"),
        point(week=3, baseline="c", request="s", judgments="k", fingerprint="v2"),
        point(week=4, baseline="c", request="s", judgments="k", fingerprint="v2"),
    ]

    assert (
        (),
        (Mark("baseline", "another baseline was accepted"),),
        (Mark("request", "the request changed"),),
        (
            Mark("golden", "the golden set changed: what comes before is not comparable"),
            Mark("index", "other index: the fingerprint was 'v1' and is 'v2'"),
        ),
        (),
    ) == trend(points, [NDCG]).marks


def test_a_first_baseline_and_a_first_fingerprint_are_no_change() -> None:
    """Before them nothing was known that could have been another."""
    points = [point(baseline="", request=""), point(week=1, fingerprint="v1")]

    assert ((), ()) == trend(points, [NDCG]).marks


def test_the_last_runs_keep_their_marks() -> None:
    """The first that is shown is marked against the one before it, which is not."""
    points = [point(week=week, baseline="bbc"[week]) for week in range(3)]
    found = trend(points, [NDCG], last=1)

    assert (1, 2, "run 2") == (len(found.points), found.left_out, found.points[0].label)
    assert ("baseline",) == tuple(mark.kind for mark in found.marks[0])
    assert trend(points, [NDCG]) == trend(points, [NDCG], last=3) == trend(points, [NDCG], last=9)


def test_points_are_in_the_order_of_time() -> None:
    """Files of two branches may have been put together; runs of one moment stay as they stand."""
    late, early, also = point(week=2), point(week=1, baseline="one"), point(week=1, baseline="two")

    assert (early, also, late) == in_order([late, early, also])


def test_a_step_is_named_with_the_series_that_moved_most() -> None:
    """What stayed, and what is not known, is left out."""
    points = [point({NDCG: 0.5, ZERO: 0.0, JARGON: 0.5}), point({NDCG: 0.25, ZERO: 0.5, JARGON: 0.5}, week=1)]
    found = trend(points, [NDCG, ZERO, JARGON])

    assert [("ZeroResults", 0.5), (NDCG[0], -0.25)] == [(series.measure, step) for series, step in moved(found, 1)]
    assert () == moved(found, 0)


def test_the_gated_series_are_those_with_a_limit_in_any_run() -> None:
    """The whole set first; where nothing is gated, everything is shown."""
    free = [point({ZERO: 0.0, JARGON: 0.5}), point({NDCG: 0.5, JARGON: 0.5}, week=1)]
    limited = [*free, point({JARGON: 0.5}, week=2, limits={"max_drop": 0.1})]

    assert (NDCG, ZERO, JARGON) == keys_of(free) == gated(free)
    assert (JARGON,) == gated(limited)
    assert {"max_drop": 0.1} == trend(limited, [JARGON]).series[0].limits


@pytest.mark.parametrize(
    ("name", "expected", "better"),
    [("nDCG(dcg='exp-log2')@10", "nDCG@10", True), ("RR", "RR", True), ("ZeroResults", "ZeroResults", False)],
)
def test_a_printed_name_has_a_direction_and_a_short_form(name: str, expected: str, better: bool) -> None:
    """By its family, whatever its parameters."""
    assert (expected, better) == (short(name), higher_is_better(name))


def test_a_measure_that_nobody_knows_has_no_direction() -> None:
    """It is never guessed."""
    with pytest.raises(KeyError):
        higher_is_better("Applause@10")


def test_digests_tell_rankings_and_requests_apart() -> None:
    """The order of queries and keys does not matter, that of documents does."""
    first, same, other = run({"p": "ab", "q": "c"}), run({"q": "c", "p": "ab"}), run({"p": "ba", "q": "c"})

    assert rankings_digest(first) == rankings_digest(same) != rankings_digest(other)
    assert request_digest({"a": "1", "b": "2"}) == request_digest({"b": "2", "a": "1"}) != request_digest({"a": "1"})
    assert "" == request_digest({})


def test_a_steady_fall_is_a_drift() -> None:
    """Each step is small, and all go the same way."""
    found = drift_of([0.80, 0.79, 0.78, 0.77, 0.76])

    assert found is not None
    assert (0, 5, 4, 0, True, True) == (
        found.since,
        found.values,
        found.falls,
        found.rises,
        found.weekly,
        found.worse,
    )
    # All 10 pairs fall; the variance of that sum is 5 * 4 * 15 / 18.
    expected = (-0.04, -0.01, math.erfc((10 - 1) / math.sqrt(2 * 50 / 3)))
    assert pytest.approx(expected) == (found.change, found.slope, found.p)


@pytest.mark.parametrize(
    ("values", "higher", "worse"),
    [
        pytest.param([0.1, 0.2, 0.3, 0.4, 0.5], True, False, id="better is no drift"),
        pytest.param([0.1, 0.2, 0.3, 0.4, 0.5], False, True, id="of a measure that should be low it is"),
        pytest.param([0.5, 0.4, 0.3, 0.2, 0.1], False, False, id="and its fall is none"),
        pytest.param([0.5] * 12, True, False, id="flat"),
        pytest.param([0.5, 0.5, 0.5, 0.5, 0.1], True, False, id="one bad run"),
        pytest.param([0.5, 0.1, 0.5, 0.1, 0.5, 0.1], True, False, id="up and down"),
        pytest.param([0.5, 0.5, 0.4, 0.4, 0.3, 0.3, 0.2], True, True, id="with ties"),
        pytest.param([0.5 - 1e-10 * week for week in range(12)], True, False, id="residue of floats"),
        pytest.param([0.1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2], True, False, id="above its first"),
    ],
)
def test_only_what_chance_would_hardly_bring_is_a_drift(values: list[float], higher: bool, worse: bool) -> None:
    """And only in the wrong direction."""
    found = drift_of(values, higher=higher)

    assert found is not None
    assert worse == found.worse


def test_too_few_values_are_not_tested() -> None:
    """Not even a fall every time could be told from chance; values before a break do not count."""
    falling = [0.9, 0.8, 0.7, 0.6, 0.5]

    assert FEWEST == len(falling)
    assert drift_of(falling) is not None
    assert [None, None, None] == [drift_of(falling[1:]), drift_of(falling, start=1), drift_of([None, *falling[1:]])]


def test_only_the_last_values_are_looked_at() -> None:
    """What rose a year ago does not hide what falls now; gaps are passed over."""
    found = drift_of(
        [0.1, 0.2, 0.3, *[0.9 - week / 100 for week in range(6)], None, *[0.8 - week / 100 for week in range(6)]]
    )

    assert found is not None
    assert (3, WINDOW, True) == (found.since, found.values, found.worse)


def test_without_times_the_slope_is_a_run_s() -> None:
    """As of saved runs, whose order is all that is known."""
    found = drift([0.5, 0.4, 0.3, 0.2, 0.1], [None] * 5, start=0, higher_is_better=True)

    assert found is not None
    assert not found.weekly
    assert pytest.approx(-0.1) == found.slope


def test_runs_of_one_moment_have_no_slope() -> None:
    """Nothing is divided by no time."""
    assert least_squares([3.0, 3.0], [0.1, 0.2]) is None
    assert pytest.approx(0.05) == least_squares([0.0, 2.0], [0.1, 0.2])


@pytest.mark.parametrize(
    "values",
    [
        pytest.param([0.9, 0.7, 0.8, 0.6, 0.5, 0.55, 0.4, 0.3, 0.35, 0.2], id="falling"),
        pytest.param([0.5, 0.5, 0.4, 0.5, 0.4, 0.3, 0.3, 0.4, 0.3, 0.2], id="with ties"),
    ],
)
def test_the_test_is_kendalls_with_his_correction_for_continuity(values: list[float]) -> None:
    """Without that correction, and so with a smaller p, it is SciPy's."""
    expected = stats.kendalltau(range(len(values)), values, method="asymptotic").pvalue

    assert 0 < expected < mann_kendall(values) < 2.5 * expected
