"""One query from close."""

import re
from collections.abc import Mapping

import pytest

from rankgate.core.catalog import Measure
from rankgate.core.comparison import compare
from rankgate.core.judgments import GoldenSet
from rankgate.core.rankings import Detail, Ranking, Run
from rankgate.core.reference import Reference, judgments_digest
from rankgate.core.verdict import GateResult
from rankgate.errors import UsageError
from rankgate.reports import explain
from rankgate.reports.visible import columns
from tests.reports.conftest import query

NDCG = Measure("nDCG", 10, 0, "exp-log2")


def show(
    result: GateResult, query_id: str, measure: Measure | None = None, *, width: int = 80, ascii_only: bool = False
) -> str:
    """Explain a query without colour."""
    return explain.render(result.comparison, query_id, measure, width=width, color=False, ascii_only=ascii_only)


def test_both_rankings_side_by_side(results: Mapping[str, GateResult]) -> None:
    """Ranks, grades and moves of both sides, then what each move cost and why, adding up to the change."""
    expected = """\
cracked-bracket  "cracked bracket"
field name for a part with a fracture
jargon  golden/queries/parts.yaml:4:5

measure                  baseline       now    change
-----------------------------------------------------
P@1                        1.0000    0.0000   -1.0000
nDCG(dcg='exp-log2')@10    0.9926    0.4898   -0.5028
R@50                       1.0000    0.6667   -0.3333
ZeroResults                0.0000    0.0000    0.0000
Judged@10                  0.8000    0.6000   -0.2000

   baseline                        candidate
------------------------------------------------------------------
 1 SN-2231                  3      X-9                      · new
 2 ML-0912                  2      ML-0912                  2 =
 3 X-1                      ·      WO-5                     0 ↑2
 4 DR-77                    1 gone X-1                      · ↓1
 5 WO-5                     0      SN-2231                  3 ↓4

What each move cost  (in nDCG(dcg='exp-log2')@10)
    -0.4569  SN-2231  grade 3  1 -> 5     demoted behind ML-0912, WO-5, X-1
    -0.0459  DR-77    grade 1  4 -> gone  gone from the ranking
     0.0000  WO-5     grade 0  5 -> 3     rose
    -0.5028  in all: the change of nDCG(dcg='exp-log2')@10
"""
    assert expected == show(results["fail"], "cracked-bracket")


def test_ascii(results: Mapping[str, GateResult]) -> None:
    """For an encoding without arrows, the marks are ASCII."""
    text = show(results["fail"], "cracked-bracket", ascii_only=True)
    assert text.isascii()
    assert "SN-2231                  3 v4" in text
    assert "WO-5                     0 ^2" in text


def test_a_sum_over_ranks_is_weighed_in_itself(results: Mapping[str, GateResult]) -> None:
    """In P@1, what stands below rank 1 moves at no cost."""
    expected = """\
What each move cost  (in P@1)
    -1.0000  GK-1  grade 2  1 -> gone  nothing was returned
     0.0000  GK-2  grade 2  2 -> gone  nothing was returned
     0.0000  GK-3  grade 1  3 -> gone  nothing was returned
    -1.0000  in all: the change of P@1
"""
    assert show(results["fail"], "gasket", Measure("P", 1, 1)).endswith(expected)


def test_moves_are_weighed_in_the_first_ndcg(results: Mapping[str, GateResult]) -> None:
    """Where no measure is named."""
    assert show(results["fail"], "gasket", NDCG) == show(results["fail"], "gasket")


@pytest.mark.parametrize("name", ["RR", "AP"])
def test_what_is_no_sum_over_ranks_is_refused(results: Mapping[str, GateResult], name: str) -> None:
    """It gives a move no cost of its own, and another measure was not asked for."""
    with pytest.raises(UsageError, match=f"^{name}@10 is no sum over ranks, so no move has a cost of its own in it$"):
        show(results["fail"], "gasket", Measure(name, 10, 1))


def test_what_moved_far_down_at_no_cost_is_counted(results: Mapping[str, GateResult]) -> None:
    """Of 25 judged documents five left the first ten."""
    result = results["fail big"]
    text = show(result, result.comparison.golden.queries[0].id)
    assert 5 == text.count("  gone from the ranking\n")
    assert "             at no cost, 20 judged documents moved below rank 10\n" in text


@pytest.mark.parametrize(
    ("name", "query_id", "remark"),
    [
        ("fail", "zerk", "new since the baseline: only the candidate is shown"),
        ("fail", "spanner", "the text changed: the baseline was asked 'spanner 13'"),
        ("fail", "washer", "relabelled since the baseline"),
        ("fail", "no-such", "it expects nothing"),
        ("fail", "oil", "No move changed"),
        ("fail floor alone", "q000", "there is no baseline: only the candidate is shown"),
        ("warn of little", "q001", "not measured in the baseline: connection refused by the service"),
        ("warn of little", "nothing", "nothing was returned"),
        ("inconclusive", "q000", "not measured: connection refused by the service"),
        ("inconclusive, nothing measured", "q000", "not measured: connection refused by the service"),
    ],
)
def test_remarks(results: Mapping[str, GateResult], name: str, query_id: str, remark: str) -> None:
    """What keeps the two sides from being compared as they stand is said."""
    assert remark in show(results[name], query_id)


def test_missing_from_both(results: Mapping[str, GateResult]) -> None:
    """Relevant judged documents that neither side returned are named with their grade."""
    assert "Relevant and in neither ranking: OR-14 (grade 2)\n" in show(results["fail"], "o-ring")
    assert "neither ranking" not in show(results["fail"], "gasket")


def test_depth_is_the_first_page_or_the_cutoff(results: Mapping[str, GateResult]) -> None:
    """Ten ranks are shown, or as many as the measure counts."""
    result = results["fail big"]
    query_id = result.comparison.golden.queries[0].id
    ranks = re.findall(r"^ ?(\d+) (?:doc|new)", show(result, query_id, width=200), re.MULTILINE)
    assert "10" == ranks[-1]
    deeper = show(result, query_id, Measure("nDCG", 20, 0, "exp-log2"), width=200)
    assert "20" == re.findall(r"^ ?(\d+) (?:doc|new)", deeper, re.MULTILINE)[-1]


def test_long_ids_are_folded_not_cut(results: Mapping[str, GateResult]) -> None:
    """Two ids that differ in their middle stay apart, and no line is wider than the page."""
    result = results["fail big"]
    text = show(result, result.comparison.golden.queries[0].id)
    assert 80 >= max(columns(line) for line in text.splitlines())
    assert "..." not in text


def test_scores_and_titles_of_the_service() -> None:
    """On a line below the id; a title that one side lacks is taken from the other, and none is wider than its side."""
    asked = query("q", "bolt", {"a": 1})
    old = Ranking.of(["a", "b"])
    new = Ranking.of(["b", "a"], details=[Detail(7.5, "Bolt \x1b[31m"), Detail(title="Nut, " + "long " * 20)])
    digests = {"q": judgments_digest(asked)}
    before = Reference(Run(10, {"q": old}, {}, {"q": "bolt"}), digests)
    comparison = compare(GoldenSet((asked,)), Run(10, {"q": new}, {}), (NDCG,), before)
    text = explain.render(comparison, "q", width=80, color=False, ascii_only=True)
    table = text.split("candidate", 1)[1].split("What each", 1)[0].splitlines()[2:-1]

    assert [
        " 1 a                              1      b                              - ^1",
        "   Nut, long long...ng long long         7.5  Bolt \\x1b[31m",
        " 2 b                              -      a                              1 v1",
        "   Bolt \\x1b[31m                         Nut, long long...ng long long",
    ] == table


def test_hostile_texts(results: Mapping[str, GateResult]) -> None:
    """Control characters are written out, brackets are no markup."""
    result = results["fail hostile"]
    for each in result.comparison.golden.queries:
        text = show(result, each.id)
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029]", text)
    assert "[red]markup[/red]" in show(result, "-q")


def test_unknown_query(results: Mapping[str, GateResult]) -> None:
    """An unknown id is an input error that offers the nearest."""
    with pytest.raises(UsageError, match="did you mean 'gasket'"):
        show(results["fail"], "gaskett")
