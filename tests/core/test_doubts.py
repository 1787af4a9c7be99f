"""What makes a measured run doubtful: a cap on the answers, and ids that only look alike."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import pytest

from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison, compare
from rankgate.core.doubts import judge_doubts, unfound
from rankgate.core.findings import Finding, Status
from rankgate.core.limits import Gate
from rankgate.core.rankings import Ranking, Run
from rankgate.core.rules import judge
from tests.support import golden, query, run

P1: Final = Measure("P", 1, 1)
P10: Final = Measure("P", 10, 1)
R50: Final = Measure("R", 50, 1)
NDCG: Final = Measure("nDCG", 0, dcg="log2")
ZERO: Final = Measure("ZeroResults")


def returned(
    lengths: Sequence[int], measures: Sequence[Measure] = (R50,), *, depth: int = 50, duplicates: int = 0
) -> Comparison:
    """Queries whose answers have these lengths, *duplicates* of which were dropped."""
    names = [f"q{number:02}" for number in range(len(lengths))]
    rankings = {
        name: Ranking(tuple(f"d{rank}" for rank in range(length - duplicates)), duplicates)
        for name, length in zip(names, lengths, strict=True)
    }
    texts = {name: name for name in names}
    return compare(golden(*map(query, names)), Run(depth, rankings, texts=texts), measures, None)


def caps(comparison: Comparison) -> list[Finding]:
    return [finding for finding in judge_doubts(comparison) if finding.rule == "page_cap"]


def test_answers_that_all_end_at_one_length_are_doubtful() -> None:
    """Three of five end at 10, none is longer, and 50 were asked for."""
    assert [
        Finding(
            rule="page_cap",
            status=Status.WARN,
            message="3 of 5 queries returned exactly 10 documents and none more, though 50 were asked for: a page cap? "
            "R@50 is then not measured beyond rank 10; service.page_size: 10 asks page by page",
            limit=50.0,
            value=10.0,
            queries=5,
            query_ids=("q00", "q01", "q04"),
        )
    ] == caps(returned([10, 10, 7, 3, 10]))


def test_chunks_that_end_at_one_length_ask_for_more_of_them() -> None:
    """More pages would bring no more documents where each of them came with several hits."""
    comparison = returned([10, 10, 10])
    (finding,) = caps(replace(comparison, run=replace(comparison.run, notes={"collapsed": "90 hits"})))

    assert finding.message.endswith(
        "; a document has several chunks here, and a higher service.collapse asks for more of them"
    )


def test_the_gate_reports_it() -> None:
    """It warns, whatever the rules are."""
    assert ["page_cap"] == [finding.rule for finding in judge(Gate(), returned([10] * 5))]


@pytest.mark.parametrize(
    ("lengths", "capped"),
    [
        ([10, 10, 10], 3),
        ([10, 10], 0),  # two end alike by chance
        ([5, 5, 5], 3),
        ([4, 4, 4], 0),  # the index may hold no more that fit
        ([49, 49, 49], 3),
        ([50, 50, 50], 0),  # all that were asked for
        ([60, 60, 60], 0),
        ([10, 10, 10, 7, 7, 7], 3),  # half of them
        ([10, 10, 10, 7, 7, 7, 7], 0),
        ([10, 10, 10, 11], 0),  # one is longer: there is no cap at 10
        ([10, 10, 10, 0, 0, 0, 0], 3),  # an empty answer is not cut
        ([0, 0, 0], 0),
        ([], 0),
    ],
)
def test_how_many_must_end_alike(lengths: Sequence[int], capped: int) -> None:
    """At the greatest length of all, from 5 documents on: 3 queries, and half of those with results."""
    assert [capped] * bool(capped) == [len(finding.query_ids) for finding in caps(returned(lengths))]


@pytest.mark.parametrize(
    ("measures", "named"),
    [
        ([P1], None),
        ([P10], None),
        ([P1, R50], "R@50 is then"),
        ([R50, P1, Measure("P", 11, 1)], "R@50, P@11 are then"),
        ([NDCG], "nDCG(dcg='log2') is then"),
        ([ZERO], None),
        ([ZERO, P10], None),
    ],
)
def test_only_measures_that_look_deeper_are_in_doubt(measures: Sequence[Measure], named: str | None) -> None:
    """Those within the cap are measured as they should be, and whether an answer is empty needs one document."""
    found = caps(returned([10] * 5, measures))

    assert (named is not None) == bool(found)
    assert all(named is not None and f"a page cap? {named} not measured" in finding.message for finding in found)


def test_what_was_served_counts_and_not_what_was_kept() -> None:
    """The service cut its answers at 10, two of which were the same document again."""
    assert [10.0] == [finding.value for finding in caps(returned([10] * 5, duplicates=2))]
    assert [] == caps(returned([50] * 5, duplicates=2))


def test_what_was_asked_for_and_came_is_no_cap() -> None:
    """Not even for a measure that looks at everything."""
    assert [] == caps(returned([50] * 5, [NDCG]))


def test_a_trec_run_was_asked_for_no_depth() -> None:
    """Nobody knows how many documents were wanted."""
    assert [] == caps(returned([10] * 5, depth=0))


@pytest.mark.parametrize(
    ("judgments", "ids", "twins"),
    [
        ({"caf\u00e9": 1}, ["cafe\u0301"], [("cafe\u0301", "caf\u00e9")]),
        ({"caf\u00e9": 1}, ["caf\u00e9"], []),
        ({"caf\u00e9": 1}, ["cafe"], []),
    ],
)
def test_an_id_that_only_looks_like_a_judged_one_is_named(
    judgments: Mapping[str, int], ids: Sequence[str], twins: list[tuple[str, str]]
) -> None:
    """Neither silently equal nor silently missed."""
    found = list(judge_doubts(compare(golden(query("q", judgments)), run({"q": ids}), [P1], None)))

    assert twins == [finding.documents for finding in found]
    assert {"twins"} >= {finding.rule for finding in found}
    assert all("'cafe\\u0301' differs from the judged 'caf\\xe9' only in" in finding.message for finding in found)


def test_a_query_whose_relevant_documents_never_come_is_noted() -> None:
    """Not one without an answer, one that expects nothing, or one whose document the baseline had."""
    queries = golden(
        query("typo", {"R-1l": 3, "R-2": 0}),
        query("found", {"R-1": 3}),
        query("lost", {"R-3": 1}),
        query("empty", {"R-4": 1}),
        query("nothing", {}, expects_nothing=True),
    )
    now = run({"typo": ["R-11", "R-2"], "found": ["R-1"], "lost": ["R-9"], "empty": [], "nothing": ["R-7"]})

    assert ["no relevant document came back for 1 query: 'typo' ('R-1l'); is the id right?"] == list(
        unfound(queries, now, run({"lost": ["R-3"]}))
    )


def test_of_many_such_queries_three_are_named() -> None:
    """In one note a run."""
    names = [f"q{number}" for number in range(5)]
    (note,) = unfound(golden(*map(query, names)), run({key: ["b"] for key in names}))

    assert (
        "no relevant document came back for 5 queries: 'q0' ('a'), 'q1' ('a'), 'q2' ('a') and 2 more; "
        "are the ids right?" == note
    )
