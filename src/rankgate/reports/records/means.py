"""What a report says of means and their changes: by slice, on what evidence, and how alike two services rank."""

from dataclasses import dataclass
from typing import Literal

Trend = Literal["better", "same", "worse"]


@dataclass(frozen=True, slots=True)
class MeanCell:
    """The means of one measure on one slice.

    Attributes:
        now: Over all *n* queries of the slice; at its worst where queries failed.
        now_best: The same at its best.
        baseline: Over the *compared* queries only.
        candidate: Over the *compared* queries only; at its worst where queries failed.
        change: candidate - baseline.
        change_best: The same at its best.
        trend: Which way the change went; None where the queries that failed leave that open.
        gated: Whether a rule judges it.
    """

    measure: str
    n: int
    failed: int
    now: float | None
    now_best: float | None
    baseline: float | None
    candidate: float | None
    change: float | None
    change_best: float | None
    trend: Trend | None
    compared: int
    better: int
    same: int
    worse: int
    gated: bool


@dataclass(frozen=True, slots=True)
class SliceRow:
    """One slice, a cell for each measure.

    Attributes:
        queries: How many queries are in it, those that expect nothing left out.
    """

    slice: str
    queries: int
    cells: tuple[MeanCell, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a change is worth, over the queries that both sides measured; context, for the verdict rests on limits.

    Attributes:
        measure: In full.
        n: How many queries.
        low: Lower end of the paired 95 % bootstrap interval of the change; None for fewer than two queries.
        high: Its upper end.
        p: Two-sided, of a paired randomization test; None for no query.
        p_holm: The same after Holm's correction for all rows of evidence: every measure on every slice.
        exact: Whether *p* counts every sign pattern.
        detectable: The smallest change that so many queries show in four of five cases; None without a spread.
        judged_before: Mean share of judged results within the measure's cutoff, in the baseline.
        judged: The same now.
        top_before: The baseline's mean if every unjudged result had the top grade, beside its mean as they count today,
            not relevant; None where that is not known.
        top: The candidate's.
        least: The least that judging the unjudged could make of the change; None where that is not known.
        greatest: The greatest.
    """

    measure: str
    label: str
    slice: str
    n: int
    change: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    exact: bool
    better: int
    same: int
    worse: int
    detectable: float | None
    judged_before: float | None
    judged: float | None
    top_before: float | None
    top: float | None
    least: float | None
    greatest: float | None


@dataclass(frozen=True, slots=True)
class BehindFact:
    """A slice without which the change of a mean is not understood, over the queries that both sides measured.

    Attributes:
        sentence: All of it in words.
        measure: In full.
        hidden: The slice got worse by more than it may and the whole did not; else the whole did, and of the slices
            that fell clearly deeper than the rest this one has the largest part in it.
        guarded: The slice has rules of its own for changes of the measure.
        change: Of the mean of the whole.
        slice_change: Of the mean of the slice.
        part: What the slice adds to *change*; slices may share queries, so parts need not add up.
    """

    sentence: str
    measure: str
    label: str
    slice: str
    hidden: bool
    guarded: bool
    change: float
    queries: int
    slice_change: float
    slice_queries: int
    part: float


@dataclass(frozen=True, slots=True)
class AgreementFact:
    """How alike two services rank, without judgments; means over the queries that both answered.

    Attributes:
        other: The other service, as it was named.
        overlap: By cutoff, the share of documents in common.
        rank_biased: Rank-biased overlap, the top counting most.
        ann_recall: By cutoff, where the other is the exact search of an approximate index; never relevance.
        ann_queries: Over how many queries that is the mean.
        unanswered: How many queries lack an answer of one side or of both.
        alike: How many queries have the same ranking on both sides.
        least: The queries that agree least, each with its rank-biased overlap.
    """

    other: str
    queries: int
    overlap: tuple[tuple[int, float], ...]
    rank_biased: float
    ann_recall: tuple[tuple[int, float], ...]
    ann_queries: int
    unanswered: int
    alike: int
    least: tuple[tuple[str, float], ...]
