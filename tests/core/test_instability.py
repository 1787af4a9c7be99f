"""Why answers to one query differ, by what they themselves show."""

from collections.abc import Sequence

import pytest

from rankgate.core.instability import Reason, reasons
from rankgate.core.rankings import Detail, Failure, FailureKind, Ranking

DOWN = Failure(FailureKind.TIMEOUT, "2 s")
REFUSED = Failure(FailureKind.STATUS, "503")
WRITTEN_TO = "replicas or shards with statistics of their own, or an index that is written to"
NO_SCORE = "the service gives no score to say why (service.score)"


def answer(ids: str, *scores: float | None, duplicates: int = 0) -> Ranking:
    """A ranking of documents of one letter each."""
    return Ranking(tuple(ids), duplicates, tuple(map(Detail, scores)))


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        pytest.param([], [], id="no answer"),
        pytest.param([answer("ab"), answer("ab")], [], id="the same"),
        pytest.param([answer("ab"), answer("ab", duplicates=1)], [], id="the same but for what was dropped"),
        pytest.param([answer("ab", 2, 1), answer("ab", 3, 1)], [], id="the same by other scores"),
        pytest.param(
            [answer("abc", 3, 2, 2), answer("abc", 3, 2, 2), answer("acb", 3, 2, 2)],
            [Reason("tied scores", "tied scores: 'b' and 'c' both have 2")],
            id="ties",
        ),
        pytest.param(
            [answer("ab", 3, 2), answer("ac", 3, 2)],
            [Reason("tied scores", "tied scores: 'b' and 'c' both have 2")],
            id="ties at the end of the list",
        ),
        pytest.param(
            [answer("ab", 1.5, 1.25), answer("ba", 1.75, 1.5)],
            [Reason("other scores", f"the same document has other scores ('b' 1.25 and 1.75): {WRITTEN_TO}")],
            id="replicas",
        ),
        pytest.param(
            [answer("ab", 3, 2), answer("ab", 3, 1), answer("ba", 3, 3)],
            [Reason("other scores", f"the same document has other scores ('b' 2 and 1): {WRITTEN_TO}")],
            id="scores that differ in an answer of the same order",
        ),
        pytest.param(
            [answer("abc", 3, 2, 1), answer("acd", 3, 1, 0.5), answer("abc", 3, 2, 1)],
            [
                Reason(
                    "other documents",
                    "other documents come and go ('b' is in 1 of 2 different answers), with the scores of the others as "
                    "they were: an approximate index, shards that do not answer, or an index that is written to",
                )
            ],
            id="an approximate index",
        ),
        pytest.param(
            [answer("ab", 3, 2), answer("ba", 2, 3)],
            [
                Reason(
                    "other order", "the order changes against scores that stay: something after the score orders anew"
                )
            ],
            id="something orders anew",
        ),
        pytest.param(
            [answer("ab"), answer("ba")], [Reason("other order", f"the order changes; {NO_SCORE}")], id="no scores"
        ),
        pytest.param(
            [answer("ab", 1, None), answer("ba", 1, None)],
            [Reason("other order", f"the order changes; {NO_SCORE}")],
            id="not every document has a score",
        ),
        pytest.param(
            [answer("ab"), answer("b"), answer("ba")],
            [
                Reason(
                    "other documents", f"other documents come and go ('a' is in 2 of 3 different answers); {NO_SCORE}"
                )
            ],
            id="other documents, no scores",
        ),
        pytest.param(
            [answer(""), answer("a", 1)],
            [
                Reason(
                    "other documents",
                    "other documents come and go ('a' is in 1 of 2 different answers), with the scores of the others as "
                    "they were: an approximate index, shards that do not answer, or an index that is written to",
                )
            ],
            id="nothing at times",
        ),
    ],
)
def test_the_strongest_evidence_is_the_cause(answers: Sequence[Ranking], expected: list[Reason]) -> None:
    """Other scores bring other documents and another order with them; ties leave the scores at each rank alone."""
    assert expected == list(reasons(answers, ()))


@pytest.mark.parametrize(
    ("answers", "failures", "expected"),
    [
        pytest.param(
            [answer("ab")] * 7,
            [DOWN, REFUSED, DOWN],
            [Reason("failures", "not measured in 3 of 10 runs (status 1, timeout 2)")],
            id="some failed",
        ),
        pytest.param(
            [answer("ab"), answer("ba")],
            [DOWN],
            [
                Reason("failures", "not measured in 1 of 3 runs (timeout 1)"),
                Reason("other order", f"the order changes; {NO_SCORE}"),
            ],
            id="and the answers differ",
        ),
        pytest.param([], [DOWN, DOWN], [], id="never measured is no noise"),
    ],
)
def test_failures_are_a_cause_of_their_own(
    answers: Sequence[Ranking], failures: Sequence[Failure], expected: list[Reason]
) -> None:
    """By kind, with how many runs there were."""
    assert expected == list(reasons(answers, failures))
