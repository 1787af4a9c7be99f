"""Chance: intervals, p values, and what a set could show; against scipy, published examples, and simulated runs."""

import math
import os
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from random import Random
from statistics import NormalDist
from typing import Final

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from rankgate.core import resampling
from rankgate.core.alignment import FloatArray
from rankgate.core.resampling import FLIPS, LEAST_P, Steps, sign_flip_p
from rankgate.core.significance import Z_POWER, Z_TWO_SIDED, Paired, holm, paired, paired_all

NAN: Final = math.nan
#: The values of a reciprocal rank.
RECIPROCALS: Final = (0.0, *(1.0 / rank for rank in range(1, 11)))

#: Values that some query of some measure could have: on a lattice, and anywhere.
any_value = st.one_of(st.sampled_from(RECIPROCALS), st.floats(0.0, 1.0))
any_pairs = st.lists(st.tuples(any_value, any_value), min_size=2, max_size=40)


def column(*values: float) -> FloatArray:
    return np.array(values, dtype=np.float64)


def against_zero(differences: Sequence[float] | FloatArray) -> Paired:
    """The record of such differences."""
    now = np.asarray(differences, dtype=np.float64)
    return paired(np.zeros_like(now), now)


def p_alone(differences: FloatArray) -> float:
    """p without the interval, for simulations."""
    return sign_flip_p(Steps.of(differences).values)[0]


def smooth(queries: int, changed: int, seed: int, shift: float = 0.0) -> tuple[FloatArray, FloatArray]:
    """Two runs whose values lie on no lattice, as those of nDCG: *changed* of the queries have another value now."""
    source = np.random.default_rng(seed)
    before = source.random(queries)
    now = before.copy()
    now[:changed] += source.normal(shift, 0.2, changed)
    return before, now


def flips(better: int, worse: int, queries: int) -> tuple[FloatArray, FloatArray]:
    """Two runs of P@1 in which so many queries got a relevant first result, and so many lost theirs."""
    before = np.zeros(queries)
    before[better : better + worse] = 1.0
    now = before.copy()
    now[:better], now[better : better + worse] = 1.0, 0.0
    return before, now


def by_every_pattern(differences: Sequence[Fraction]) -> float:
    """The definition, in whole numbers: the share of sign patterns at least as extreme as the one that was seen."""
    seen = abs(sum(differences, Fraction()))
    sums = [sum(signed, Fraction()) for signed in product(*((each, -each) for each in differences))]
    return len([each for each in sums if abs(each) >= seen]) / len(sums)


def test_a_comparison_worked_by_hand() -> None:
    """Of 2^3 sign patterns of 0.4, 0.2 and -0.1, four add up to 0.5 or more, or to -0.5 or less."""
    actual = paired(column(0.1, 0.2, 0.9, 0.5), column(0.5, 0.4, 0.8, 0.5))

    assert (4, 2, 1, 1) == (actual.queries, actual.higher, actual.same, actual.lower)
    assert pytest.approx(0.125, abs=1e-12) == actual.change
    assert (0.5, True) == (actual.p, actual.exact)
    # Variance: (0.275^2 + 0.075^2 + 0.225^2 + 0.125^2) / 3; the means of resamples reach from -0.1 to 0.4.
    spread = math.sqrt((0.275**2 + 0.075**2 + 0.225**2 + 0.125**2) / 3)
    assert pytest.approx((1.959964 + 0.841621) * spread / 2, abs=1e-6) == actual.detectable
    # Of the 256 ways to draw four from -0.1, 0, 0.2 and 0.4, 5 have a sum below -0.2 and 6 one of -0.2: 2.0 and 4.3 %
    # together; 5 have one above 1.2 and 10 one of 1.2: 2.0 and 5.9 %. So 2.5 % are passed at -0.2 / 4 and at 1.2 / 4.
    assert pytest.approx([-0.05, 0.3], abs=1e-12) == [actual.low, actual.high]


def test_identical_runs_have_no_change_and_nothing_is_nan() -> None:
    """S02: the variance of the differences is zero, and no statistic is 0 / 0."""
    assert Paired(2, same=2, change=0.0, low=0.0, high=0.0, p=1.0, exact=True) == paired(
        column(0.2, 0.5), column(0.2, 0.5)
    )


def test_float_residue_is_no_difference() -> None:
    """0.1 + 0.2 is not 0.3, and no query changed."""
    assert Paired(3, same=3, change=0.0, low=0.0, high=0.0, p=1.0, exact=True) == paired(
        column(0.3, 0.3, 0.3), column(0.1 + 0.2, 0.3, 0.3 + 9e-10)
    )


def test_no_pair_has_no_number() -> None:
    """S05: where every request of a side failed there is nothing to call worse."""
    measured, failed = np.full(30, 0.8), np.full(30, NAN)

    assert Paired(0) == paired(measured, failed) == paired(failed, measured) == paired(column(), column())


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        pytest.param(0.25, Paired(1, higher=1, change=0.25, p=1.0, exact=True), id="rose"),
        pytest.param(0.0, Paired(1, same=1, change=0.0, p=1.0, exact=True), id="same"),
        pytest.param(-0.5, Paired(1, lower=1, change=-0.5, p=1.0, exact=True), id="fell"),
    ],
)
def test_one_query_has_a_change_and_neither_interval_nor_spread(now: float, expected: Paired) -> None:
    """Either sign of one difference is as far from zero, and a resample of it is always itself."""
    assert expected == paired(column(0.0), column(now))


def test_two_queries_that_changed_alike_show_no_spread() -> None:
    """Then nothing can be said of what such a set could detect."""
    assert Paired(2, higher=2, change=0.5, low=0.5, high=0.5, p=0.5, exact=True) == against_zero([0.5, 0.5])


def test_queries_without_a_value_on_a_side_are_left_out() -> None:
    """As if they had not been asked, on whichever side they lack it."""
    before, now = smooth(40, 20, seed=1)
    holed_before, holed_now = before.copy(), now.copy()
    holed_before[[3, 4]], holed_now[[4, 30]] = NAN, NAN
    kept = np.delete(np.arange(40), [3, 4, 30])

    assert paired(before[kept], now[kept]) == paired(holed_before, holed_now)


def test_measures_have_the_same_record_alone_and_beside_others() -> None:
    """Whether they are undefined for other queries, or have all."""
    pairs = [smooth(60, changed, seed=changed) for changed in (0, 5, 25, 60)]
    before, now = np.array([each[0] for each in pairs]), np.array([each[1] for each in pairs])
    before[1, :7], now[2, 50:] = NAN, NAN
    now[3] = NAN

    together = paired_all(before, now)

    assert [60, 53, 50, 0] == [each.queries for each in together]
    assert together == tuple(map(paired, before, now))


def test_no_measure_has_no_record() -> None:
    """A report may have none."""
    assert () == paired_all(np.zeros((0, 5)), np.zeros((0, 5)))


# The p value.


@pytest.mark.parametrize("seed", range(6))
def test_p_counts_every_pattern_as_scipy_does(seed: int) -> None:
    """The values are cut to 20 binary digits: scipy sums floats as they come, and may miss a tie over their residue."""
    before, now = (np.rint(values * 2**20) / 2**20 for values in smooth(12, 10 + seed % 3, seed))
    reference = stats.permutation_test((now, before), mean_difference, permutation_type="samples", n_resamples=10_000)

    actual = paired(before, now)

    assert actual.exact
    assert pytest.approx(reference.pvalue, abs=1e-12) == actual.p


def mean_difference(first: FloatArray, second: FloatArray, axis: int) -> FloatArray:
    difference: FloatArray = np.mean(first, axis=axis) - np.mean(second, axis=axis)
    return difference


@pytest.mark.parametrize("seed", range(4))
def test_a_sampled_p_is_as_near_to_scipys_as_chance_allows(seed: int) -> None:
    """Five standard errors of the difference of two samples: scipy's is of 200,000 patterns."""
    before, now = smooth(80, 60, seed, shift=0.04)
    reference = stats.permutation_test(
        (now, before),
        mean_difference,
        permutation_type="samples",
        n_resamples=200_000,
        batch=20_000,
        rng=np.random.default_rng(seed),
    ).pvalue

    actual = paired(before, now)

    error = math.sqrt(reference * (1 - reference) * (1 / FLIPS + 1 / 200_000))
    assert not actual.exact
    assert pytest.approx(reference, abs=5 * error + 1 / FLIPS) == actual.p


@pytest.mark.parametrize(
    ("better", "worse", "queries"), [(0, 1, 5), (3, 3, 9), (0, 5, 100), (2, 9, 100), (30, 52, 120), (900, 1000, 2000)]
)
def test_for_measures_of_zero_and_one_it_is_the_sign_test(better: int, worse: int, queries: int) -> None:
    """However many queries there are, p is that of a coin."""
    actual = paired(*flips(better, worse, queries))

    expected = stats.binomtest(better, better + worse).pvalue
    assert (better, worse, True) == (actual.higher, actual.lower, actual.exact)
    assert pytest.approx(expected, rel=1e-9) == actual.p


@pytest.mark.parametrize(("losses", "significant"), [(4, False), (5, False), (6, True)])
def test_six_of_a_hundred_must_be_lost_before_a_test_sees_it(losses: int, significant: bool) -> None:
    """Two-sided at 5 %, with no query won: the reason why the verdict rests on thresholds."""
    actual = paired(*flips(0, losses, 100))

    assert (0.5 ** (losses - 1), significant) == (actual.p, actual.p is not None and actual.p < 0.05)


@given(st.lists(st.sampled_from([Fraction(n, d) for d in range(1, 11) for n in range(-d, d + 1)]), max_size=9))
def test_a_p_on_a_lattice_is_exact_to_the_tie(differences: list[Fraction]) -> None:
    """0.1 + 0.2 is as far from zero as 0.3, though not as floats; the definition in whole numbers has no residue."""
    actual = against_zero([float(each) for each in differences])

    assert (actual.p or 1.0) == pytest.approx(by_every_pattern(differences), abs=1e-12)


def test_sums_that_only_rounding_tells_apart_are_equal() -> None:
    """1 / log2(rank + 1) of ranks 1 to 4: what the first loses, the others win, so every pattern is as extreme."""
    gains = [1 / math.log2(rank + 1) for rank in (1, 2, 3, 4)]
    steps = [gains[0] - gains[1], gains[1] - gains[2], gains[2] - gains[3], gains[3] - gains[0]]

    actual = against_zero(steps)

    assert (1.0, True) == (actual.p, actual.exact)


def test_sixteen_changes_are_enumerated_and_seventeen_are_sampled() -> None:
    """Unless they lie on a lattice; unchanged queries never count."""
    exact = {changed: paired(*smooth(100, changed, seed=3)).exact for changed in (16, 17)}

    assert {16: True, 17: False} == exact
    assert paired(*flips(40, 50, 100)).exact


def test_the_three_ways_to_a_p_agree() -> None:
    """On the same differences: by the lattice and by enumeration to rounding, by samples to their error."""
    sizes = np.array([1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 8, 9], dtype=np.int64)
    for extreme in (0, 10, 20, 30, 54, 55):
        enumerated = resampling._enumerated_p(sizes, extreme)

        assert pytest.approx(enumerated, abs=1e-12) == resampling._lattice_p(sizes, 1, extreme)
        error = 5 * math.sqrt(enumerated * (1 - enumerated) / FLIPS) + 1 / FLIPS
        assert pytest.approx(enumerated, abs=error) == resampling._sampled_p(sizes, extreme)


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        pytest.param(np.linspace(0.1, 0.9, 200) ** 1.5, 1 / (FLIPS + 1), id="sampled"),
        pytest.param(np.ones(2000), LEAST_P, id="exact, but below any float"),
    ],
)
def test_p_is_never_zero(differences: FloatArray, expected: float) -> None:
    """S07: the pattern that was seen is one of them."""
    assert expected == against_zero(differences).p


def test_under_the_null_hypothesis_p_is_uniform() -> None:
    """S07: with interchangeable sides, 5 % of the comparisons have a p of at most 0.05, and so on."""
    source = np.random.default_rng(5)
    p_values = [p_alone(source.normal(0.0, 0.1, 30)) for _ in range(1000)]

    assert stats.kstest(p_values, "uniform").pvalue > 0.01


# The interval.


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", ["smooth", "flips", "reciprocals"])
def test_the_interval_is_as_near_to_scipys_as_chance_allows(kind: str, seed: int) -> None:
    """An end of 10,000 resamples wanders by some 3 % of the standard error of the mean; scipy's are 100,000."""
    source = np.random.default_rng(seed)
    before, now = {
        "smooth": smooth(120, 80, seed),
        "flips": flips(3 + seed, 9, 120),
        "reciprocals": (source.choice(RECIPROCALS, 60), source.choice(RECIPROCALS, 60)),
    }[kind]
    differences = now - before
    reference = stats.bootstrap(
        (differences,), np.mean, n_resamples=100_000, batch=10_000, method="percentile", rng=np.random.default_rng(seed)
    ).confidence_interval

    actual = paired(before, now)

    error = 5 * 0.03 * float(differences.std()) / math.sqrt(len(differences))
    step = 1 / len(differences) if kind == "flips" else 0.0  # the mean of P@1 only moves by whole queries
    assert pytest.approx(reference.low, abs=error + step) == actual.low
    assert pytest.approx(reference.high, abs=error + step) == actual.high


def test_nineteen_of_twenty_intervals_hold_the_true_change() -> None:
    """A percentile interval of the mean of 60 queries is a little short, so somewhat fewer."""
    source = np.random.default_rng(11)
    covered = 0
    for _ in range(400):
        actual = against_zero(source.normal(0.03, 0.2, 60))
        assert actual.low is not None
        assert actual.high is not None
        covered += actual.low <= 0.03 <= actual.high

    assert 0.91 <= covered / 400 <= 0.97


def test_every_resample_draws_as_many_queries_as_there_are() -> None:
    """And each query as often as any other: 5,000 x 7 draws, five standard errors."""
    counts = np.vstack(list(resampling._resamples(7, 5000)))

    assert (5000, 7) == counts.shape
    assert {7.0} == set(counts.sum(axis=1).tolist())
    assert pytest.approx(counts.sum(axis=0), abs=5 * math.sqrt(35_000 / 7 * 6 / 7)) == [5000] * 7


def test_the_counts_of_a_resample_have_the_moments_of_a_multinomial() -> None:
    """Variance 1 - 1/Q and covariance -1/Q, over many blocks of draws too."""
    queries = 400
    counts = np.vstack(list(resampling._resamples(queries, 5000)))
    covariance = np.cov(counts, rowvar=False)

    assert pytest.approx(1 - 1 / queries, abs=0.01) == np.diag(covariance).mean()
    off = covariance[~np.eye(queries, dtype=np.bool_)]
    assert pytest.approx(-1 / queries, abs=1e-4) == off.mean()
    assert off.max() < 6 / math.sqrt(5000)


def test_signs_are_fair_and_apart() -> None:
    """Each is kept in half of the patterns, any two in a quarter, and no two rows are alike; five standard errors."""
    signs = np.vstack(list(resampling._signs(50, FLIPS)))

    assert (FLIPS, 50) == signs.shape
    assert {0.0, 1.0} == set(np.unique(signs).tolist())
    assert pytest.approx(signs.mean(axis=0), abs=5 * 0.5 / math.sqrt(FLIPS)) == [0.5] * 50
    both = (signs.T @ signs / FLIPS)[np.triu_indices(50, 1)]
    assert pytest.approx(both, abs=5 * 0.44 / math.sqrt(FLIPS)) == [0.25] * len(both)
    assert FLIPS == len(np.unique(signs, axis=0))


# The same input, the same bytes.

#: A process that compares two made-up measures.
PROGRAM: Final = """
import numpy as np
from rankgate.core.significance import paired_all
before = (np.arange(240.0).reshape(2, 120) * 0.6180339887) % 1
now = (np.arange(240.0).reshape(2, 120) * 0.4142135624) % 1
print(*paired_all(before, now), sep="\\n")
"""
DIGITS: Final = """\
Paired(queries=120, higher=58, same=1, lower=61, change=-0.0023153648500160743, low=-0.07471106204249842, \
high=0.0699259746858201, p=0.9484051594840516, exact=False, detectable=0.10319054957621375)
Paired(queries=120, higher=61, same=0, lower=59, change=0.005900145816661678, low=-0.06692218841915881, \
high=0.07872087112833344, p=0.8720127987201279, exact=False, detectable=0.10378406839662253)
"""


@pytest.mark.parametrize(
    "environment",
    [
        pytest.param({"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}, id="one thread"),
        pytest.param({"PYTHONHASHSEED": "4711", "OPENBLAS_NUM_THREADS": "2"}, id="two threads, another hash seed"),
        pytest.param({"OPENBLAS_CORETYPE": "Prescott"}, id="matrices multiplied in another order"),
    ],
)
def test_every_process_finds_these_digits(environment: dict[str, str]) -> None:
    """S01: wherever it runs."""
    actual = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=os.environ | environment, stdout=subprocess.PIPE, check=True, timeout=60
    ).stdout.decode()

    assert DIGITS.splitlines() == actual.splitlines()


def test_the_draws_are_these_for_ever() -> None:
    """A report of today can be checked in ten years: the draws are those of a published standard."""
    assert [[1, 0, 0, 2, 2], [0, 2, 0, 1, 2], [1, 0, 0, 2, 2]] == next(resampling._resamples(5, 3)).tolist()
    assert [[0, 1, 0, 0, 0], [1, 1, 0, 1, 1], [0, 1, 1, 1, 1]] == next(resampling._signs(5, 3)).tolist()


@given(any_pairs, st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_the_order_of_the_queries_changes_nothing(pairs: list[tuple[float, float]], random: Random) -> None:
    """S01: neither p nor interval, to the last bit."""
    shuffled = random.sample(pairs, len(pairs))

    assert paired(*np.array(pairs).T) == paired(*np.array(shuffled).T)


@given(any_pairs)
@settings(max_examples=50)
def test_swapping_the_sides_mirrors_the_record_exactly(pairs: list[tuple[float, float]]) -> None:
    """S06: the change and its interval turn around, p stays."""
    before, now = np.array(pairs).T
    there, back = paired(before, now), paired(now, before)

    assert None not in (there.change, there.low, there.high)
    assert there == Paired(
        back.queries,
        higher=back.lower,
        same=back.same,
        lower=back.higher,
        change=-(back.change or 0.0),
        low=-(back.high or 0.0),
        high=-(back.low or 0.0),
        p=back.p,
        exact=back.exact,
        detectable=back.detectable,
    )


@given(any_pairs)
@settings(max_examples=50)
def test_every_number_is_in_range(pairs: list[tuple[float, float]]) -> None:
    """The observed mean never leaves the middle 95 % of its own resamples: no distribution is as skewed as that."""
    before, now = np.array(pairs).T
    actual = paired(before, now)

    assert actual.low is not None
    assert actual.change is not None
    assert actual.high is not None
    assert actual.p is not None
    assert (now - before).min() - 1e-9 <= actual.low <= actual.change <= actual.high <= (now - before).max() + 1e-9
    assert pytest.approx(float((now - before).mean()), abs=1e-9) == actual.change
    assert 0.0 < actual.p <= 1.0
    assert len(pairs) == actual.queries == actual.higher + actual.same + actual.lower
    assert (actual.detectable is None) == (actual.low == actual.high and actual.same in {0, len(pairs)})


@given(any_pairs, st.integers(1, 12))
@example([(0.0, 0.9453125), (1 / 3, 0.0)], 12)
@settings(max_examples=50)
def test_a_measure_in_other_units_has_the_same_p(pairs: list[tuple[float, float]], power: int) -> None:
    """Twice the points are twice the change, the interval and what could be shown."""
    before, now = np.array(pairs).T.round(3)
    scale = 2.0**power
    one, other = paired(before, now), paired(scale * before, scale * now)

    assert (one.p, one.exact) == (other.p, other.exact)
    scaled = [None if each is None else each * scale for each in points(one)]
    assert pytest.approx(scaled, abs=1e-9 * scale) == points(other)


def points(record: Paired) -> list[float | None]:
    return [record.change, record.low, record.high, record.detectable]


def test_counts_of_documents_are_summed_exactly_too() -> None:
    """A measure that counts to thousands gets coarser steps, never a sum that a float cannot hold."""
    differences = np.concatenate((np.full(3000, 1000.0), np.full(3000, -1000.0), [7.0]))

    actual = against_zero(differences)
    steps = Steps.of(differences)

    assert (7 / 6001, 1.0) == (actual.change, actual.p)
    assert abs(steps.values).sum() < 2**53
    assert actual.low is not None
    assert actual.high is not None
    assert actual.low < 0 < actual.high


# What a set could show.


def test_the_quantiles_are_those_of_the_normal_distribution() -> None:
    """Written out, because their computation differs in the last digit from one mathematical library to another."""
    normal = NormalDist()

    assert pytest.approx([normal.inv_cdf(0.975), normal.inv_cdf(0.8)], rel=1e-15) == [Z_TWO_SIDED, Z_POWER]


@pytest.mark.parametrize("queries", [60, 120, 400])
def test_a_change_of_the_detectable_size_is_found_four_times_in_five(queries: int) -> None:
    """By a t test, in 4,000 simulated comparisons; it is a little weaker than the z that the formula reckons with."""
    source = np.random.default_rng(queries)
    pilot = source.normal(0.0, 1.0, queries)
    pilot = 0.2 * (pilot - pilot.mean()) / pilot.std(ddof=1)
    detectable = against_zero(pilot).detectable
    assert detectable is not None

    found = stats.ttest_1samp(source.normal(detectable, 0.2, (4000, queries)), 0.0, axis=1).pvalue < 0.05

    assert pytest.approx(0.795, abs=5 * math.sqrt(0.8 * 0.2 / 4000)) == found.mean()


def test_a_change_of_the_detectable_size_is_found_by_this_very_test() -> None:
    """The randomization test has the same power, here in 1,000 comparisons of 60 queries."""
    source = np.random.default_rng(2)
    detectable = (Z_TWO_SIDED + Z_POWER) * 0.2 / math.sqrt(60)

    found = sum(p_alone(source.normal(detectable, 0.2, 60)) < 0.05 for _ in range(1000)) / 1000

    assert pytest.approx(0.795, abs=4 * math.sqrt(0.8 * 0.2 / 1000)) == found


def test_a_limit_of_half_a_point_is_below_what_eighty_queries_can_show() -> None:
    """S08: P@1 with a single loss among 80 moves by 0.0125, and only a change of 3.5 points would be significant."""
    actual = paired(*flips(0, 1, 80))

    assert (1, 79, -0.0125, 1.0) == (actual.lower, actual.same, actual.change, actual.p)
    assert actual.detectable is not None
    assert pytest.approx(0.035, abs=1e-3) == actual.detectable
    assert actual.detectable > 0.005


# Several tests.


@pytest.mark.parametrize(
    ("p_values", "expected"),
    [
        pytest.param([], (), id="none"),
        pytest.param([0.03], (0.03,), id="one is left as it is"),
        pytest.param([0.01, 0.04, 0.03, 0.005], (0.03, 0.06, 0.06, 0.02), id="in the order given, none below the last"),
        pytest.param([0.5, 0.003, 0.32, 0.054, 0.0003], (0.64, 0.012, 0.64, 0.162, 0.0015), id="as pingouin shows it"),
        pytest.param([0.02, 0.02, 0.02], (0.06, 0.06, 0.06), id="equal ones stay equal"),
        pytest.param([0.5, 0.9], (1.0, 1.0), id="none above 1"),
        pytest.param([None, 0.01, None, 0.02], (None, 0.02, None, 0.02), id="what was not tested is not counted"),
    ],
)
def test_holms_procedure_worked_by_hand(p_values: list[float | None], expected: tuple[float | None, ...]) -> None:
    """The smallest times m, the next times m - 1, and so on."""
    assert [None if each is None else pytest.approx(each, abs=1e-15) for each in expected] == list(holm(p_values))


def test_a_p_that_is_nan_stays_nan() -> None:
    """And does not weigh on the others."""
    first, second = holm([NAN, 0.04])

    assert (True, 0.04) == (first is not None and math.isnan(first), second)


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=6))
def test_holm_is_the_closed_test_of_bonferronis(p_values: list[float]) -> None:
    """What it is a shortcut for: the largest p of any set of tests with this one among them, each by Bonferroni."""
    rows = range(len(p_values))
    expected = [
        max(
            min(1.0, len(members) * min(p_values[member] for member in members))
            for size in range(1, len(p_values) + 1)
            for members in combinations(rows, size)
            if row in members
        )
        for row in rows
    ]

    assert pytest.approx(expected, rel=1e-12) == list(holm(p_values))


def test_p_of_no_difference_is_one() -> None:
    """Of the steps alone, too."""
    assert (1.0, True) == sign_flip_p(np.zeros(4, dtype=np.int64))
