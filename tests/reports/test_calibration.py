"""The page of a service's own noise, as text, as JSON, and the limits to paste."""

import json
from collections.abc import Sequence

import pytest
import yaml

from rankgate.core.catalog import Measure
from rankgate.core.judgments import Query
from rankgate.core.limits import Gate, Limit
from rankgate.core.rankings import Detail, Failure, FailureKind, Ranking, Run
from rankgate.core.repeats import Repeats
from rankgate.reports import calibration, calibration_json
from rankgate.reports.calibration import Calibration
from tests.support import golden, query

P1 = Measure("P", 1, 1)
NDCG = Measure("nDCG", 10, dcg="exp-log2")
LINEAR = Measure("nDCG", 10, dcg="log2")
ZERO = Measure("ZeroResults")
GATE = Gate(
    limits=(
        Limit("floor", P1, 0.5),
        Limit("max_drop", P1, 0.1),
        Limit("max_drop", LINEAR, 0.5),
        Limit("max_drop", P1, 0.5, slice="jargon", min_queries=2),
    )
)
DOWN = Failure(FailureKind.TIMEOUT, "2 s")
FIRST, SECOND = (Ranking(ids, details=(Detail(2), Detail(2))) for ids in (("a", "b"), ("b", "a")))


def gathered(
    answers: dict[str, Sequence[Ranking | None]], *queries: Query, prints: Sequence[str] = (), gate: Gate = GATE
) -> Calibration:
    """As many runs as each query has answers; None is a failure."""
    runs = []
    for place, each in enumerate(zip(*answers.values(), strict=True)):
        asked = dict(zip(answers, each, strict=True))
        found = {name: ranking for name, ranking in asked.items() if ranking}
        failed = {name: DOWN for name, ranking in asked.items() if not ranking}
        runs.append(Run(10, found, failed, fingerprint=prints[place] if prints else ""))
    several = Repeats(golden(*(queries or map(query, answers))), (P1, NDCG, LINEAR, ZERO), tuple(runs))
    return calibration.gather(several, gate, (P1, ZERO))


def flapping(prints: Sequence[str] = ()) -> Calibration:
    """Three queries, of which one has ties at its top and one failed once."""
    return gathered(
        {"shoes": [FIRST, SECOND, FIRST], "gtx": [FIRST, FIRST, FIRST], "vibram": [FIRST, None, FIRST]},
        query("shoes"),
        query("gtx", slices=("jargon",)),
        query("vibram", slices=("jargon",)),
        prints=prints,
    )


PAGE = """\
Noise: 3 runs of the same service against itself
3 of 3 queries answered more than once

mean of                 mean   deviation   lowest   highest   largest difference   = queries   moving
-----------------------------------------------------------------------------------------------------
P@1                   0.8333      0.2887   0.5000    1.0000               0.5000         1/2        1
ZeroResults           0.0000      0.0000   0.0000    0.0000               0.0000         0/2        0
nDCG(dcg='log2')@10   0.9385      0.1065   0.8155    1.0000               0.1845      0.37/2        1
P@1 jargon            1.0000      0.0000   1.0000    1.0000               0.0000         0/1        0

Queries that flap  (2)
  shoes  P@1 between 0 and 1, nDCG(dcg='exp-log2')@10 between 0.6309 and 1, nDCG(dcg='log2')@10 between
  0.6309 and 1
    tied scores: 'a' and 'b' both have 2
  vibram  not measured in 1 of 3 runs
    not measured in 1 of 3 runs (timeout 1)

Proposed limits: the largest difference between two runs, and one query at least
What is tighter now and was not broken stays; how good is good enough is yours to say.
A further run falls outside of what 3 have shown in up to 2 of 4 cases.

gate:
  P@1: {floor: 0.5, max_drop: 0.5}  # max_drop 1 of 2 queries; two runs differed by 0.5000, more than the 0.1 of now
  nDCG(dcg='log2')@10: {max_drop: 0.5}  # max_drop 1 of 2 queries
slices:
  jargon:
    min_queries: 2
    gate:
      P@1: {max_drop: 0.5}  # max_drop 0.5 of 1 query; finer than one query, so any that moves breaks it
"""


def test_the_page_shows_spreads_queries_causes_and_limits() -> None:
    """In this order, and the limits as they are to be pasted."""
    assert PAGE == calibration.render(flapping(), width=106, color=False)


def test_the_limits_are_yaml_that_a_config_takes() -> None:
    """With the comments, which say what each is in queries."""
    assert {
        "gate": {"P@1": {"floor": 0.5, "max_drop": 0.5}, "nDCG(dcg='log2')@10": {"max_drop": 0.5}},
        "slices": {"jargon": {"min_queries": 2, "gate": {"P@1": {"max_drop": 0.5}}}},
    } == yaml.safe_load(calibration.limits_yaml(flapping()))


def test_the_json_form_has_everything_unrounded() -> None:
    """For another tool; the limits as text too."""
    found = flapping()
    document = json.loads(calibration_json.render(found))

    assert (1, "rankgate", 3, 3, 3, False) == tuple(
        document[key] for key in ("format", "tool", "runs", "queries", "measured", "index_changed")
    )
    assert {
        "measure": "P@1",
        "slice": "all",
        "queries": 2,
        "runs": 3,
        "mean": pytest.approx(5 / 6),
        "deviation": pytest.approx(0.288675),
        "low": 0.5,
        "high": 1.0,
        "largest_difference": 0.5,
        "largest_difference_in_queries": 1.0,
        "moving_queries": 1,
    } == document["spreads"][0]
    assert ["P@1", "ZeroResults", "nDCG(dcg='log2')@10", "P@1"] == [each["measure"] for each in document["spreads"]]
    assert {
        "query": "vibram",
        "measures": {},
        "answers": 2,
        "failures": 1,
        "pins_hold": 2,
        "reasons": [{"kind": "failures", "message": "not measured in 1 of 3 runs (timeout 1)"}],
    } == document["flapping"][1]
    assert [0.0, 1.0] == document["flapping"][0]["measures"]["P@1"]
    assert {
        "measure": "P@1",
        "slice": "jargon",
        "kind": "max_drop",
        "points": 0.5,
        "relative": None,
        "queries": 0.5,
        "present": 0.5,
        "too_tight": False,
    } == document["limits"][3]
    assert document["lost_queries"] is None
    assert calibration.limits_yaml(found) == document["yaml"]


def test_a_service_without_noise_says_so() -> None:
    """And gets limits of one query, without a word on a limit that is not there."""
    page = calibration.render(gathered({"q": [FIRST, FIRST]}, gate=Gate()), width=100, color=False)

    assert "Every query was answered the same in every run." in page
    assert page.endswith(
        "\ngate:\n  P@1: {max_drop: 1}  # max_drop 1 of 1 query\n  ZeroResults: {max_rise: 1}  # max_rise 1 of 1 query\n"
    )


def test_every_rule_that_noise_alone_breaks_is_named() -> None:
    """Floor, ceiling and lost queries too; a rule that only warns stays one that warns."""
    nothing = Ranking(())
    gate = Gate(
        limits=(
            Limit("floor", P1, 0.9),
            Limit("warn_drop", P1, 0.1),
            Limit("max_drop", P1, None, 0.7),
            Limit("ceiling", ZERO, 0.05),
            Limit("max_rise", ZERO, 0.01),
        ),
        lost_queries=0,
    )
    answers: dict[str, Sequence[Ranking | None]] = {
        "q1": [FIRST, SECOND],
        "q2": [FIRST, nothing],
        "q3": [FIRST, FIRST],
        "q4": [FIRST, FIRST],
    }
    found = gathered(answers, gate=gate)

    assert calibration.render(found, width=130, color=False).endswith("""
Floors and ceilings that noise alone breaks
  P@1: floor 0.9, and the runs are from 0.5000 to 1.0000
  ZeroResults: ceiling 0.05, and the runs are from 0.0000 to 0.2500

Proposed limits: the largest difference between two runs, and one query at least
What is tighter now and was not broken stays; how good is good enough is yours to say.
A further run falls outside of what 2 have shown in up to 2 of 3 cases.

gate:
  P@1: {floor: 0.9, warn_drop: 0.5, max_drop_rel: "70%"}\
  # noise alone breaks the floor; warn_drop 2 of 4 queries; two runs differed by 0.5000, more than the 0.1 of now
  ZeroResults: {ceiling: 0.05, max_rise: 0.25}\
  # noise alone breaks the ceiling; max_rise 1 of 4 queries; two runs differed by 0.2500, more than the 0.01 of now
  lost_queries: {max: 2}  # of 4 queries; from one run to another 2 were lost, more than the 0 of now
""")
    assert {"max": 2, "present": 0, "most": 2, "too_tight": True} == json.loads(calibration_json.render(found))[
        "lost_queries"
    ]


@pytest.mark.parametrize(
    ("gate", "line"),
    [
        pytest.param(
            Gate(limits=(Limit("max_drop", P1, 0.02),)),
            "P@1: {max_drop: 0.02}  # max_drop 0.02 of 1 query; finer than one query, so any that moves breaks it",
            id="finer than one query",
        ),
        pytest.param(
            Gate(limits=(Limit("max_rise", ZERO, None, 0.1),)), 'ZeroResults: {max_rise_rel: "10%"}', id="relative"
        ),
        pytest.param(Gate(lost_queries=0), "lost_queries: {max: 0}  # of 1 query", id="no query may be lost"),
        pytest.param(Gate(lost_queries=3), "lost_queries: {max: 1}  # of 1 query; now 3", id="three may be lost"),
    ],
)
def test_what_noise_does_not_break_is_not_raised(gate: Gate, line: str) -> None:
    """A service that answers the same gives no reason to."""
    assert f"  {line}" in calibration.limits_yaml(gathered({"q": [FIRST, FIRST]}, gate=gate)).splitlines()


def test_ten_queries_are_shown_first_those_whose_numbers_move() -> None:
    """The others are counted."""
    tail = Ranking(("a", "c"))
    answers: dict[str, Sequence[Ranking | None]] = {f"a{number}": [FIRST, tail] for number in range(10)}
    page = calibration.render(gathered(answers | {"z1": [FIRST, SECOND], "z2": [FIRST, None]}), width=100, color=False)
    names = [line.split()[0] for line in page.split("Queries that flap  (12)\n")[1].split("\n\n")[0].splitlines()]

    assert ["z1", "z2", *(f"a{number}" for number in range(8))] == [
        name for name in names if name[0] in "az" and name != "and"
    ]
    assert "  a0  no measure moves\n" in page
    assert "  and 2 more queries\n" in page


def test_an_index_that_changed_meanwhile_is_named() -> None:
    """Then the runs were not of the same service, and what differs may be no noise."""
    page = calibration.render(flapping(prints=("v1", "v2", "v2")), width=100, color=False)

    assert "The index changed between two runs: what differs may be that, and not noise." in page


def test_a_query_that_was_never_measured_is_named_with_its_failure() -> None:
    """It is no part of the noise, and no silence either."""
    found = gathered({"down": [None, None], "up": [FIRST, FIRST]})

    assert "1 of 2 queries answered more than once\ndown was not measured in any run: 2 s\n" in calibration.render(
        found, width=100, color=False
    )
    assert {"down": "2 s"} == json.loads(calibration_json.render(found))["unmeasured"]


def test_nothing_is_proposed_where_no_query_was_measured_in_every_run() -> None:
    """The page says why it ends."""
    page = calibration.render(gathered({"q1": [FIRST, None], "q2": [None, FIRST]}), width=100, color=False)

    assert page.endswith("\nNo limits are proposed: no query was measured in every run.\n")


@pytest.mark.parametrize(
    "name", ["jargon", "locale=de", "no", "a: b", "# x", "a-", 'say "hi"', "\x1b[2J", "\u202egnp", "🐈", "##[error]"]
)
def test_a_slice_of_any_name_can_be_pasted(name: str) -> None:
    """Quoted where YAML needs it; no control character reaches the terminal."""
    gate = Gate(limits=(Limit("max_drop", P1, 0.5, slice=name),))
    found = gathered({"q": [FIRST, FIRST]}, query("q", slices=(name,)), gate=gate)
    text = calibration.limits_yaml(found)

    assert {"slices": {name: {"gate": {"P@1": {"max_drop": 0.5}}}}} == yaml.safe_load(text)
    assert not {"\x1b", "\u202e"} & set(calibration.render(found, width=100, color=False))
