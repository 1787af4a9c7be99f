"""Why a query changed: each judged document that moved, under one cause, with what its move did to the measure.

A measure that is a sum over ranks can be laid to documents: a document at a rank adds something of its own, so its move
costs what it adds now less what it added before, and the costs of a query add up to its change. The change of any other
measure is explained in an nDCG.
"""

import math
from collections.abc import Container, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from itertools import compress, islice
from typing import Final

from rankgate.core.additive import Weigher, weigher
from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison
from rankgate.core.limits import BOUNDARY
from rankgate.core.rankings import Ranking

#: What stands for a ranking that was not measured.
_NOTHING: Final = Ranking(())


class Cause(StrEnum):
    """Why a judged document has another rank than in the baseline; the first that holds, in this order.

    Ranks are those that the measure counts: where it removes unjudged documents first, those of the condensed list.
    Of a document that the candidate did not return:

    - GONE_FROM_INDEX: the index has no such document any more.
    - DUPLICATES: the answer ends above the rank to which newcomers alone would have pushed it, it has fewer documents
      than the baseline's, and with its dropped repeats it would have reached the old rank.
    - SHORTER: the answer ends above its old rank.
    - GONE: the answer reaches its old rank and does not hold it.

    Of a document that stands lower than before, by the documents above it that did not stand above it before. They are
    newcomers where nobody judged them and the baseline did not return them, and known otherwise:

    - NEWCOMERS: at least half of them are newcomers. A tie is laid to them, for what they cost is not known to be a
      loss until somebody judges them.
    - DEMOTED: most of them are judged, or were in the baseline's ranking below it.

    Of the others:

    - ROSE: it stands higher than before.
    - NEW: the baseline did not return it.
    """

    GONE_FROM_INDEX = "gone from the index"
    DUPLICATES = "duplicates"
    SHORTER = "shorter answer"
    GONE = "gone from the ranking"
    NEWCOMERS = "newcomers nobody judged"
    DEMOTED = "demoted"
    ROSE = "rose"
    NEW = "new in the ranking"


@dataclass(frozen=True, slots=True)
class Move:
    """One document of one query: where it was, where it is, why, and what that did to the measure.

    Attributes:
        before: Rank in the baseline; None when it was not returned.
        after: Rank in the candidate; None when it was not returned.
        grade: None when nobody judged it.
        cost: Change of the measure that this document's move brings; the costs of a query add up to its change.
        cause: None when nobody judged it, when its rank is the same, and when a side was not measured.
        above: For NEWCOMERS and DEMOTED, the documents that decided it, from the top down.
    """

    document: str
    before: int | None
    after: int | None
    grade: int | None
    cost: float = 0.0
    cause: Cause | None = None
    above: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CauseTotal:
    """What one cause did to the mean of a measure.

    Attributes:
        documents: How many moves it is the cause of, those that cost nothing left out.
        queries: In how many queries.
        cost: In points of the mean, negative for a loss.
    """

    cause: Cause
    documents: int
    queries: int
    cost: float


@dataclass(frozen=True, slots=True)
class Attribution:
    """The change of the mean of a measure, laid to causes.

    Attributes:
        compared: How many queries the mean is taken over: compared, measured on both sides, and with a value.
        causes: In the order of ``Cause``, first those of losses, then those of gains. Their costs add up to the change.
    """

    measure: Measure
    compared: int
    causes: tuple[CauseTotal, ...]


def moves(comparison: Comparison, query_id: str, measure: Measure) -> tuple[Move, ...]:
    """Every document of either ranking of a query, as ``attribute`` has them."""
    judgments = comparison.by_id[query_id].judgments
    return attribute(judgments, *comparison.answers(query_id), measure, comparison.missing)


def attribute(
    judgments: Mapping[str, int],
    before: Ranking | None,
    after: Ranking | None,
    measure: Measure,
    missing: AbstractSet[str] = frozenset(),
) -> tuple[Move, ...]:
    """Every document of either ranking, with the cause and the cost of its move.

    Args:
        before: The baseline's; None where it was not measured.
        after: The candidate's; None where it was not measured.
        measure: One that ``is_additive``.
        missing: Documents that the index no longer has.

    Returns:
        Sorted by cost, the most costly first; documents that did not move are among them.
    """
    pair = _Pair.of(judgments, before, after, measure, missing)
    compared = before is not None and after is not None
    ranks_before, ranks_after = _ranks(pair.before), _ranks(pair.after)
    found = []
    for document in dict.fromkeys((*ranks_before, *ranks_after)):
        ranks, grade = (ranks_before.get(document), ranks_after.get(document)), judgments.get(document)
        if grade is None:
            found.append(Move(document, *ranks, grade))
        else:
            cause, above = pair.cause(document) if compared and pair.moved(document) else (None, ())
            found.append(Move(document, *ranks, grade, pair.cost(document), cause, above))
    return tuple(sorted(found, key=lambda move: (move.cost, move.after or move.before or 0)))


def by_cause(comparison: Comparison, measure: Measure) -> Attribution:
    """The change of the mean of *measure* by cause.

    Queries whose value is the same are left out: documents of one grade that change places are no loss and no gain.

    Args:
        measure: One that ``is_additive``; it need not be one of the comparison's.
    """
    compared = 0
    costs: dict[Cause, list[float]] = {}
    queries: dict[Cause, set[str]] = {}
    for query in compress(comparison.golden.judged, comparison.comparable):
        rankings = comparison.answers(query.id)
        pair = _Pair.of(query.judgments, *rankings, measure, comparison.missing)
        if None in rankings or not pair.weigh.whole:
            continue
        compared += 1
        moved = [(document, cost) for document in query.judgments if (cost := pair.cost(document))]
        if abs(math.fsum(cost for _, cost in moved)) <= BOUNDARY:
            continue
        for document, cost in moved:
            cause, _ = pair.cause(document)
            costs.setdefault(cause, []).append(cost)
            queries.setdefault(cause, set()).add(query.id)
    return Attribution(
        measure,
        compared,
        tuple(
            CauseTotal(cause, len(costs[cause]), len(queries[cause]), math.fsum(costs[cause]) / compared)
            for cause in Cause
            if cause in costs
        ),
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    """The two rankings of a query, and the ranks in them that the measure counts."""

    judgments: Mapping[str, int]
    before: Ranking
    after: Ranking
    counted_before: Mapping[str, int]
    counted_after: Mapping[str, int]
    weigh: Weigher
    missing: AbstractSet[str]

    @classmethod
    def of(
        cls,
        judgments: Mapping[str, int],
        before: Ranking | None,
        after: Ranking | None,
        measure: Measure,
        missing: AbstractSet[str],
    ) -> "_Pair":
        # In a condensed list a judged document stands where it would if nobody had returned the others.
        only = judgments if measure.judged_only else None
        weigh = weigher(measure, judgments)
        sides = before or _NOTHING, after or _NOTHING
        return cls(judgments, *sides, _ranks(sides[0], only), _ranks(sides[1], only), weigh, missing)

    def moved(self, document: str) -> bool:
        """Whether a judged document has another counted rank than before."""
        return self.counted_before.get(document) != self.counted_after.get(document)

    def cost(self, document: str) -> float:
        """What the move of a judged document did to the measure; 0 where it did not move."""
        now, before = self.counted_after.get(document), self.counted_before.get(document)
        return 0.0 if now == before else self.weigh(document, now) - self.weigh(document, before)

    def cause(self, document: str) -> tuple[Cause, tuple[str, ...]]:
        """The cause of the move of a judged document that moved, and the documents that decided it."""
        old, new = self.counted_before.get(document), self.counted_after.get(document)
        if old is None:
            return Cause.NEW, ()
        if new is None:
            return self._not_returned(document), ()
        return self._fell(old, new) if old < new else (Cause.ROSE, ())

    def _not_returned(self, document: str) -> Cause:
        if document in self.missing:
            return Cause.GONE_FROM_INDEX
        # Where an answer ends is a matter of the whole ranking, whatever the measure counts of it.
        old, end, served = self.before.ids.index(document) + 1, len(self.after.ids), len(self.before.ids)
        pushed = old + len(set(self.after.ids).difference(self.before.ids))
        if end < min(pushed, served) and old <= end + self.after.duplicates and self.after.duplicates:
            return Cause.DUPLICATES
        return Cause.GONE if end >= old else Cause.SHORTER

    def _fell(self, old: int, new: int) -> tuple[Cause, tuple[str, ...]]:
        before = self.counted_before
        above = [document for document in islice(self.counted_after, new - 1) if before.get(document, new) > old]
        newcomers = [each for each in above if each not in before and each not in self.judgments]
        if 2 * len(newcomers) >= len(above):
            return Cause.NEWCOMERS, tuple(newcomers)
        if not newcomers:
            return Cause.DEMOTED, tuple(above)
        return Cause.DEMOTED, tuple(each for each in above if each in before or each in self.judgments)


def _ranks(ranking: Ranking, only: Container[str] | None = None) -> dict[str, int]:
    """The rank of each document from the top down, among those of *only* where it is given."""
    counted = ranking.ids if only is None else [document for document in ranking.ids if document in only]
    return {document: rank for rank, document in enumerate(counted, start=1)}
