"""Whether baseline and candidate answer the same question: what was asked, of which index, and how it is judged."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

Aspect = Literal["index", "request", "queries", "judgments", "measures", "unknown"]

_SHOWN: Final = 6
_RESCORED: Final = "(re-scored): both sides are scored with those of today"


@dataclass(frozen=True, slots=True)
class Lock:
    """What a run is an answer to. Nothing in it can be turned back into a secret, a host or a query.

    Attributes:
        judgments: Digest of all queries with their judgments.
        measures: Unambiguous names of what was measured, with their variants.
        request: Digests of the parts of the request's template, by their keys.
        fingerprint: What the service says of itself: an index, a count, a model; empty where that is not known.
        queries: Digest of the queries without their judgments; empty in older files.
        grades: Digest of the judgments alone; empty in older files.
    """

    judgments: str = ""
    measures: tuple[str, ...] = ()
    request: Mapping[str, str] = field(default_factory=dict)
    fingerprint: str = ""
    queries: str = ""
    grades: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """One way in which two runs do not answer the same question, or in which nobody can tell.

    Attributes:
        aspect: "unknown" where nobody can tell.
        message: The sentence for the reader.
    """

    aspect: Aspect
    message: str


def differences(before: Lock | None, now: Lock | None) -> tuple[Difference, ...]:
    """Name every difference between what two runs are answers to; none is the same ranking question.

    Args:
        before: None for a run whose file does not say; likewise *now*.
    """
    if before is not None and now is not None:
        return (*_index(before, now), *_request(before, now), *_judging(before, now))
    side = "baseline" if before is None else "candidate"
    return (Difference("unknown", f"the {side}'s file does not say what it was asked"),)


def _index(before: Lock, now: Lock) -> Iterator[Difference]:
    if before.fingerprint == now.fingerprint:
        return
    was, is_ = (repr(text) if text else "not known" for text in (before.fingerprint, now.fingerprint))
    if before.fingerprint and now.fingerprint:
        yield Difference("index", f"other index: the fingerprint was {was} and is {is_}")
    else:
        yield Difference("unknown", f"perhaps another index: the fingerprint was {was} and is {is_}")


def _request(before: Lock, now: Lock) -> Iterator[Difference]:
    changed = sorted(key for key in {*before.request, *now.request} if before.request.get(key) != now.request.get(key))
    if changed:
        more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
        yield Difference("request", f"other request: {', '.join(changed[:_SHOWN])}{more}")


def _judging(before: Lock, now: Lock) -> Iterator[Difference]:
    split = before.queries and now.queries
    if split and before.queries != now.queries:
        yield Difference("queries", "other queries: which there are, their texts or their params")
    if split and before.grades != now.grades:
        yield Difference("judgments", f"other judgments {_RESCORED}")
    if not split and before.judgments != now.judgments:
        yield Difference("judgments", f"other queries or judgments {_RESCORED}")
    if before.measures != now.measures:
        new = [name for name in now.measures if name not in before.measures]
        gone = [name for name in before.measures if name not in now.measures]
        said = [f"{word} {', '.join(names)}" for word, names in (("now also", new), ("no longer", gone)) if names]
        yield Difference("measures", f"other measures (re-scored): {'; '.join(said) or 'in another order'}")
