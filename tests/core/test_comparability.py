"""Whether two runs answer the same question, and the sentence for each way in which they do not."""

import pytest

from rankgate.core.comparability import Aspect, Difference, Lock, differences

LOCK = Lock(
    judgments="111111111111",
    measures=("P@1", "R@10"),
    request={"params.q": "aaaaaaaaaaaa", "url": "bbbbbbbbbbbb"},
    fingerprint="products-v1",
    queries="dddddddddddd",
    grades="eeeeeeeeeeee",
)


def other(**changes: object) -> Lock:
    """The same lock but for *changes*."""
    known = {name: getattr(LOCK, name) for name in Lock.__slots__}
    return Lock(**(known | changes))


@pytest.mark.parametrize(
    ("now", "aspect", "message"),
    [
        (
            other(fingerprint="products-v2"),
            "index",
            "other index: the fingerprint was 'products-v1' and is 'products-v2'",
        ),
        (
            other(fingerprint=""),
            "unknown",
            "perhaps another index: the fingerprint was 'products-v1' and is not known",
        ),
        (other(request={"params.q": "cccccccccccc", "url": "bbbbbbbbbbbb"}), "request", "other request: params.q"),
        (other(request={"params.q": "aaaaaaaaaaaa"}), "request", "other request: url"),
        (other(request=dict(LOCK.request) | {"body": "dddddddddddd"}), "request", "other request: body"),
        (other(request={}), "request", "other request: params.q, url"),
        (
            other(judgments="222222222222", grades="222222222222"),
            "judgments",
            "other judgments (re-scored): both sides are scored with those of today",
        ),
        (
            other(judgments="222222222222", queries="222222222222"),
            "queries",
            "other queries: which there are, their texts or their params",
        ),
        (other(measures=("P@1", "R@10", "RR")), "measures", "other measures (re-scored): now also RR"),
        (other(measures=("R@10",)), "measures", "other measures (re-scored): no longer P@1"),
        (other(measures=("P@3", "R@10")), "measures", "other measures (re-scored): now also P@3; no longer P@1"),
        (other(measures=("R@10", "P@1")), "measures", "other measures (re-scored): in another order"),
    ],
)
def test_each_difference_has_its_sentence(now: Lock, aspect: Aspect, message: str) -> None:
    """One thing was changed, and only that is named."""
    assert (Difference(aspect, message),) == differences(LOCK, now)


@pytest.mark.parametrize("older", ["both", "before", "now"])
def test_of_an_older_file_queries_and_judgments_have_one_digest(older: str) -> None:
    """It is compared as a whole: which of the two changed nobody can tell, and nothing differs where it does not."""
    whole, anew = other(queries="", grades=""), other(judgments="222222222222")
    before = LOCK if older == "now" else whole
    now = anew if older == "before" else other(judgments="222222222222", queries="", grades="")
    message = "other queries or judgments (re-scored): both sides are scored with those of today"

    assert (Difference("judgments", message),) == differences(before, now)
    assert () == differences(whole, LOCK)
    assert () == differences(LOCK, whole)


def test_the_same_question_has_no_difference() -> None:
    """Equal in all parts, in whatever order the request's keys stand."""
    assert () == differences(LOCK, other(request=dict(reversed(list(LOCK.request.items())))))
    assert () == differences(Lock(), Lock())


def test_a_fingerprint_that_only_one_side_has_says_nothing_of_the_index() -> None:
    """It may be the same one: the service was not asked then, or did not tell now."""
    message = "perhaps another index: the fingerprint was not known and is 'products-v1'"

    assert (Difference("unknown", message),) == differences(other(fingerprint=""), LOCK)


@pytest.mark.parametrize(
    ("before", "now", "message"),
    [
        (None, LOCK, "the baseline's file does not say what it was asked"),
        (LOCK, None, "the candidate's file does not say what it was asked"),
        (None, None, "the baseline's file does not say what it was asked"),
    ],
)
def test_a_run_that_does_not_say_what_it_was_asked(before: Lock | None, now: Lock | None, message: str) -> None:
    """A TREC run or an older file: that nobody knows is said, and is not taken for the same."""
    assert (Difference("unknown", message),) == differences(before, now)


@pytest.mark.parametrize(
    ("keys", "shown"),
    [("abcdef", "a, b, c, d, e, f"), ("abcdefg", "a, b, c, d, e, f and 1 more"), ("fedcba", "a, b, c, d, e, f")],
)
def test_many_changed_keys_are_summed_up(keys: str, shown: str) -> None:
    """Six are named, in the order of the alphabet; the others are counted."""
    changed = dict.fromkeys(keys, "eeeeeeeeeeee")

    assert (Difference("request", f"other request: {shown}"),) == differences(Lock(), Lock(request=changed))


def test_the_order_is_index_request_queries_judgments_measures() -> None:
    """What matters most comes first, whichever side has what."""
    assert ["index", "request", "queries", "judgments", "measures"] == [
        each.aspect for each in differences(LOCK, Lock("2" * 12, ("RR",), {}, "products-v2", "3" * 12, "4" * 12))
    ]
