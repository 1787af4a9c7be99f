"""How alike two services rank, whoever is right: overlap and rank-biased overlap, and what an approximate index loses.

None of it needs a judgment, and none of it says which side is better.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from rankgate.core.rankings import Run

#: How far down a reader goes on from one rank to the next: the first ten ranks have 86 % of the weight.
PERSISTENCE: Final = 0.9


def overlap(first: Sequence[str], second: Sequence[str], cutoff: int) -> float:
    """Overlap at a cutoff: documents in both of the first k, divided by the longer of the two, at most k.

    Args:
        first: Ids, best first, each once; likewise *second*.
        cutoff: k >= 1.

    Returns:
        From 0 to 1; 1 for two empty rankings, 0 when just one is empty.
    """
    head, other = set(first[:cutoff]), set(second[:cutoff])
    longest = max(len(head), len(other))
    return len(head & other) / longest if longest else 1.0


def rank_biased_overlap(first: Sequence[str], second: Sequence[str], p: float = PERSISTENCE) -> float:
    """Rank-biased overlap, extrapolated: agreement at every depth d, weighted by p^(d - 1), top first.

    RBO_ext of Webber, Moffat & Zobel, ACM TOIS 28(4), 2010, equation 32, doi:10.1145/1852102.1852106: what lies
    beyond the end of the shorter ranking is taken to agree as the ranks before it do.

    Args:
        first: Ids, best first, each once; likewise *second*.
        p: Above 0 and below 1.

    Returns:
        From 0 to 1; 1 for two empty rankings, 0 when just one is empty.
    """
    if first == second:
        return 1.0  # the sum below is, but for its residue
    short, long = sorted((first, second), key=len)
    if not short:
        return 0.0
    s, length = len(short), len(long)
    shared = _shared(short, long)
    at_short, at_end = shared[s - 1], shared[-1]
    agreed = fsum(count / depth * p**depth for depth, count in enumerate(shared, start=1))
    assumed = fsum(at_short * (depth - s) / (s * depth) * p**depth for depth in range(s + 1, length + 1))
    tail = ((at_end - at_short) / length + at_short / s) * p**length
    return min(1.0, (1 - p) / p * (agreed + assumed) + tail)


def _shared(short: Sequence[str], long: Sequence[str]) -> list[int]:
    """At each depth of *long*, how many documents the two have in common so far."""
    seen_short: set[str] = set()
    seen_long: set[str] = set()
    counts, common = [], 0
    for depth, document in enumerate(long):
        if depth < len(short):
            seen_short.add(short[depth])
            common += short[depth] in seen_long
        seen_long.add(document)
        common += document in seen_short
        counts.append(common)
    return counts


def ann_recall(approximate: Sequence[str], exact: Sequence[str], cutoff: int) -> float | None:
    """ANN recall: the share of the exact search's first k that the approximate search has among its own first k.

    It says what an approximate index loses, and nothing of relevance.

    Returns:
        From 0 to 1; None when the exact search finds nothing.
    """
    wanted = exact[:cutoff]
    return len(set(wanted) & set(approximate[:cutoff])) / len(wanted) if wanted else None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Means over the queries that both sides answered.

    Attributes:
        overlap: By cutoff.
        ann_recall: By cutoff, of the first against the second as the exact search; empty where it is none.
        ann_queries: How many queries that is the mean of: those for which the exact search finds something.
        queries: How many queries both answered.
        unanswered: How many both were asked and one or both did not answer.
        alike: How many of them have the same ranking on both sides.
        least: The queries that agree least by rank-biased overlap, each with its value, the least first.
    """

    overlap: tuple[tuple[int, float], ...]
    rank_biased: float
    ann_recall: tuple[tuple[int, float], ...]
    ann_queries: int
    queries: int
    unanswered: int
    alike: int
    least: tuple[tuple[str, float], ...]


def agreement(
    first: Run, second: Run, cutoffs: Collection[int], *, exact: bool = False, shown: int = 5
) -> Agreement | None:
    """Compare two runs ranking by ranking.

    Args:
        exact: *second* is an exact search, of which *first* is the approximation.
        shown: How many of the least alike queries to name.

    Returns:
        None when no query was answered by both.
    """
    pairs = {
        query_id: (ranking.ids, second.rankings[query_id].ids)
        for query_id, ranking in sorted(first.rankings.items())
        if query_id in second.rankings
    }
    if not pairs:
        return None
    values = {query_id: rank_biased_overlap(*pair) for query_id, pair in pairs.items()}
    different = sorted((value, query_id) for query_id, value in values.items() if value < 1)
    recalls, found = [], []
    for cutoff in sorted(set(cutoffs)) if exact else ():
        found = [value for pair in pairs.values() if (value := ann_recall(*pair, cutoff)) is not None]
        if found:
            recalls.append((cutoff, fsum(found) / len(found)))
    return Agreement(
        overlap=tuple(
            (k, fsum(overlap(*pair, k) for pair in pairs.values()) / len(pairs)) for k in sorted(set(cutoffs))
        ),
        rank_biased=fsum(values.values()) / len(values),
        ann_recall=tuple(recalls),
        ann_queries=len(found),
        queries=len(pairs),
        unanswered=len((first.query_ids & second.query_ids) - pairs.keys()),
        alike=sum(before == now for before, now in pairs.values()),
        least=tuple((query_id, value) for value, query_id in different[:shown]),
    )
