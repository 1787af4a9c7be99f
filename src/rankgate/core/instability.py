"""Why a service answers the same query differently, as far as its answers themselves show it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rankgate.core.rankings import Failure, Ranking

ReasonKind = Literal["failures", "tied scores", "other scores", "other documents", "other order"]


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason, with what shows it.

    Attributes:
        message: The sentence for the reader.
    """

    kind: ReasonKind
    message: str


def reasons(answers: Sequence[Ranking], failures: Sequence[Failure]) -> tuple[Reason, ...]:
    """Why the answers to one query differ; empty where they do not.

    Args:
        answers: One for each run that measured the query.
        failures: One for each run that did not.
    """
    return (*_failures(len(answers), failures), *_differing(answers))


def _failures(answered: int, failures: Sequence[Failure]) -> Iterator[Reason]:
    if failures and answered:
        kinds = Counter(failure.kind.value for failure in failures)
        named = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
        runs = answered + len(failures)
        yield Reason("failures", f"not measured in {len(failures)} of {runs} runs ({named})")


def _differing(answers: Sequence[Ranking]) -> Iterator[Reason]:
    """The strongest evidence alone: scores that differ would bring other documents and another order with them."""
    different = list({answer.ids: answer for answer in answers}.values())
    if len(different) < 2:  # noqa: PLR2004 - it takes two
        return
    scores = [_scores(answer) for answer in answers]
    if all(each is not None for each in scores):
        yield _by_scores(different, answers, [each for each in scores if each is not None])
    elif len({frozenset(answer.ids) for answer in different}) > 1:
        yield Reason("other documents", f"other documents come and go ({_exchanged(different)}); {_NO_SCORE}")
    else:
        yield Reason("other order", f"the order changes; {_NO_SCORE}")


_NO_SCORE = "the service gives no score to say why (service.score)"


def _by_scores(different: Sequence[Ranking], answers: Sequence[Ranking], scores: Sequence[tuple[float, ...]]) -> Reason:
    seen: dict[str, float] = {}
    for answer, by_rank in zip(answers, scores, strict=True):
        for document, score in zip(answer.ids, by_rank, strict=True):
            before = seen.setdefault(document, score)
            if before != score:
                return Reason(
                    "other scores",
                    f"the same document has other scores ({document!r} {before!r} and {score!r}): replicas or shards "
                    "with statistics of their own, or an index that is written to",
                )
    if len(set(scores)) == 1:
        # The scores stand still while documents change places below them: only equals were exchanged.
        first, other, score = _first_exchange(different, scores[0])
        return Reason("tied scores", f"tied scores: {first!r} and {other!r} both have {score!r}")
    if len({frozenset(answer.ids) for answer in different}) > 1:
        return Reason(
            "other documents",
            f"other documents come and go ({_exchanged(different)}), with the scores of the others as they were: an "
            "approximate index, shards that do not answer, or an index that is written to",
        )
    return Reason("other order", "the order changes against scores that stay: something after the score orders anew")


def _scores(answer: Ranking) -> tuple[float, ...] | None:
    """The score at each rank; None where a document has none."""
    found = tuple(detail.score for detail in answer.details if detail.score is not None)
    return found if len(found) == len(answer.ids) else None


def _first_exchange(different: Sequence[Ranking], scores: tuple[float, ...]) -> tuple[str, str, float]:
    """The two documents at the first rank at which two answers of one length differ, and the score there."""
    first, second = different[0].ids, different[1].ids
    rank = next(rank for rank, (one, other) in enumerate(zip(first, second, strict=True)) if one != other)
    return first[rank], second[rank], scores[rank]


def _exchanged(different: Sequence[Ranking]) -> str:
    """One document that is not in every answer."""
    everywhere = frozenset.intersection(*(frozenset(answer.ids) for answer in different))
    document = next(document for answer in different for document in answer.ids if document not in everywhere)
    there = sum(document in answer.ids for answer in different)
    return f"{document!r} is in {there} of {len(different)} different answers"
