"""The measures that are a sum over ranks, taken apart: what one document at one rank adds to the value of a query."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rankgate.core.catalog import GAIN_OF_DCG, Gain, Measure
from rankgate.core.measures import gain_table


@dataclass(frozen=True, slots=True)
class Weigher:
    """What a judged document at a rank adds: its worth, times the discount of the rank, divided by the whole.

    Attributes:
        worth: Of each judged document, 0 or more.
        whole: What the sum over ranks is divided by; 0 where the measure is undefined, and nothing adds anything.
        cutoff: The last rank counted; 0 for none.
        discount: Of a rank.
    """

    worth: Mapping[str, float]
    whole: float
    cutoff: int
    discount: Callable[[int], float]

    def __call__(self, document: str, rank: int | None) -> float:
        """In points of the measure; 0 for a document that is not returned or stands below the cutoff."""
        if rank is None or not self.whole or (self.cutoff and rank > self.cutoff):
            return 0.0
        return self.worth[document] * self.discount(rank) / self.whole


def is_additive(measure: Measure) -> bool:
    """Whether *measure* is a sum over ranks, so that its change can be laid to documents.

    In RR, AP, Success, F, ERR and Bpref what a document adds hangs on the others, too.
    """
    return measure.name in _WEIGHERS


def weigher(measure: Measure, judgments: Mapping[str, int]) -> Weigher:
    """What each document of *judgments* adds to *measure*, which ``is_additive``; their sum is its value."""
    return _WEIGHERS[measure.name](measure, judgments)


def _ndcg(measure: Measure, judgments: Mapping[str, int]) -> Weigher:
    gains = _gains(GAIN_OF_DCG[measure.dcg])
    worth = {document: gains[max(grade, 0)] for document, grade in judgments.items()}
    best = sorted(worth.values(), reverse=True)[: measure.cutoff or None]
    ideal = math.fsum(gain * _logarithmic(rank) for rank, gain in enumerate(best, start=1))
    return Weigher(worth, ideal, measure.cutoff, _logarithmic)


def _precision(measure: Measure, judgments: Mapping[str, int]) -> Weigher:
    worth, total = _relevant(measure, judgments)
    return Weigher(worth, measure.cutoff if total else 0, measure.cutoff, _flat)


def _recall(measure: Measure, judgments: Mapping[str, int]) -> Weigher:
    worth, total = _relevant(measure, judgments)
    return Weigher(worth, total, measure.cutoff, _flat)


def _r_precision(measure: Measure, judgments: Mapping[str, int]) -> Weigher:
    worth, total = _relevant(measure, judgments)
    return Weigher(worth, total, total, _flat)


def _rank_biased(measure: Measure, judgments: Mapping[str, int]) -> Weigher:
    worth, total = _relevant(measure, judgments)
    p = measure.p
    return Weigher(worth, 1.0 if total else 0.0, measure.cutoff, lambda rank: (1.0 - p) * p ** (rank - 1))


def _relevant(measure: Measure, judgments: Mapping[str, int]) -> tuple[dict[str, float], int]:
    """1 for each relevant document and 0 for the others, and how many are relevant."""
    worth = {document: 1.0 if grade >= measure.rel else 0.0 for document, grade in judgments.items()}
    return worth, int(sum(worth.values()))


@lru_cache(maxsize=8)
def _gains(gain: Gain) -> tuple[float, ...]:
    """``gain_table`` as plain numbers, which are quicker one by one."""
    return tuple(gain_table(gain).tolist())


def _logarithmic(rank: int) -> float:
    return 1.0 / math.log2(rank + 1)


def _flat(_: int) -> float:
    return 1.0


_WEIGHERS: Final[Mapping[str, Callable[[Measure, Mapping[str, int]], Weigher]]] = {
    "nDCG": _ndcg,
    "P": _precision,
    "R": _recall,
    "Rprec": _r_precision,
    "RBP": _rank_biased,
}
