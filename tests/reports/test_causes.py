"""Why documents moved, in words."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from rankgate.core.attribution import Attribution, Cause, CauseTotal, Move
from rankgate.core.catalog import Measure
from rankgate.core.rankings import Ranking
from rankgate.core.verdict import GateResult
from rankgate.reports import CommandHints, gather
from rankgate.reports.causes import cause_facts, reason
from rankgate.reports.records.queries import CauseFacts

NDCG = Measure("nDCG", 10, 0, "exp-log2")
ANSWER = Ranking(("x", "y", "z"), duplicates=2)


@pytest.mark.parametrize(
    ("cause", "above", "answer", "expected"),
    [
        (Cause.GONE_FROM_INDEX, (), ANSWER, "gone from the index"),
        (Cause.GONE, (), ANSWER, "gone from the ranking"),
        (Cause.SHORTER, (), ANSWER, "answer ended at rank 3"),
        (Cause.SHORTER, (), Ranking(()), "nothing was returned"),
        (Cause.DUPLICATES, (), ANSWER, "answer ended at rank 3, 2 repeated ids dropped"),
        (Cause.DUPLICATES, (), Ranking(("x",), duplicates=1), "answer ended at rank 1, 1 repeated id dropped"),
        (Cause.NEWCOMERS, ("x",), ANSWER, "behind 1 unjudged newcomer"),
        (Cause.NEWCOMERS, ("x", "y"), ANSWER, "behind 2 unjudged newcomers"),
        (Cause.DEMOTED, ("SKU-2", "SKU-7", "SKU-9"), ANSWER, "demoted behind SKU-2, SKU-7, SKU-9"),
        (Cause.DEMOTED, ("1", "2", "3", "4", "5"), ANSWER, "demoted behind 1, 2, 3 and 2 more"),
        (Cause.DEMOTED, (f"long-{'d' * 60}-id",), ANSWER, f"demoted behind long-{'d' * 14}...{'d' * 15}-id"),
        (Cause.ROSE, (), ANSWER, "rose"),
        (Cause.NEW, (), ANSWER, "new in the ranking"),
        (None, (), ANSWER, ""),
        (Cause.GONE, (), None, ""),
    ],
)
def test_every_cause_has_its_words(
    cause: Cause | None, above: tuple[str, ...], answer: Ranking | None, expected: str
) -> None:
    """With the documents or numbers that decided it; nothing is said where nothing is known."""
    assert expected == reason(Move("a", 1, None, 3, -0.1, cause, above), answer)


LOST = (CauseTotal(Cause.GONE, 1, 1, -0.003), CauseTotal(Cause.DEMOTED, 9, 4, -0.019))
GAINED = (CauseTotal(Cause.ROSE, 2, 2, 0.004), CauseTotal(Cause.NEW, 1, 1, 0.006))


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        (
            LOST,
            "Of the 0.0220 of nDCG@10 lost over 9 queries: 0.0190 demoted (4 queries), 0.0030 gone from the ranking (1 query)",
        ),
        (
            (LOST[0], GAINED[0]),
            "Of the 0.0030 of nDCG@10 lost over 9 queries: 0.0030 gone from the ranking (1 query); gained: 0.0040 rose (2 queries); in all +0.0010",
        ),
        (
            GAINED,
            "No move lost nDCG@10 over 9 queries; gained: 0.0060 new in the ranking (1 query), 0.0040 rose (2 queries)",
        ),
        ((), ""),
    ],
    ids=["losses", "both", "gains", "nothing"],
)
def test_the_sentence_gives_each_cause_its_share(totals: tuple[CauseTotal, ...], expected: str) -> None:
    """The largest first; losses and gains apart, and what they come to where there are both."""
    facts = cause_facts(Attribution(NDCG, 9, totals), "nDCG@10")

    assert CauseFacts(expected, "nDCG(dcg='exp-log2')@10", 9, totals) == facts


def test_a_document_that_the_index_no_longer_has_is_said_to_be_gone_from_it(results: Mapping[str, GateResult]) -> None:
    """In the sentence and beside the document, once the comparison knows."""
    result = results["fail"]
    asked = replace(result, comparison=replace(result.comparison, missing=frozenset({"DR-77"})))

    facts = gather(asked, command_hints=CommandHints())

    assert "0.0066 gone from the index (1 query)" in facts.causes.sentence
    assert [("DR-77", "gone from the index")] == [
        (move.document, move.reason)
        for query in facts.worst
        for move in query.moves
        if move.cause is Cause.GONE_FROM_INDEX
    ]


def test_without_an_ndcg_in_the_set_causes_are_counted_in_its_own(results: Mapping[str, GateResult]) -> None:
    """A gate on P@1 alone has no cost for a fall from rank 2; the nDCG of the scale has."""
    facts = gather(results["warn of little"], command_hints=CommandHints())

    assert CauseFacts("", "nDCG(dcg='exp-log2')@10", 1, ()) == facts.causes
