"""What a report says, as plain values: every renderer prints these and computes nothing of its own.

Numbers are unrounded, None stands where there is none, texts are as the golden set and the service gave them.
"""

from dataclasses import dataclass
from typing import Final, Literal

from rankgate.core.attribution import Cause, CauseTotal
from rankgate.core.findings import Status
from rankgate.core.judgments import ALL, Place
from rankgate.core.verdict import Outcome

Trend = Literal["better", "same", "worse"]
State = Literal[
    "unmeasured", "expects nothing", "new", "text changed", "uncompared", "lost", "worse", "mixed", "better", "same"
]


@dataclass(frozen=True, slots=True)
class CommandHints:
    """How the reader calls rankgate, options and all, for the lines that say what to do next.

    Attributes:
        check: Runs the gate over the whole set.
        explain: Takes a query id after it; empty where no run was kept to explain.
        accept: Makes this run the baseline; empty where it cannot be accepted.
        holes: Lists what to judge; empty where no run was kept.
    """

    check: str = "rankgate check"
    explain: str = "rankgate explain"
    accept: str = "rankgate accept"
    holes: str = "rankgate holes"


@dataclass(frozen=True, slots=True)
class NextStep:
    """One thing to do.

    Attributes:
        command: To be typed as it stands; may be empty.
    """

    text: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class MeasureFact:
    """A measure of the report.

    Attributes:
        name: In full, unambiguous.
        label: Without parameters, for narrow places; in full where two measures would share it.
        gated: Whether any rule judges it.
    """

    name: str
    label: str
    higher_is_better: bool
    gated: bool


@dataclass(frozen=True, slots=True)
class RuleRow:
    """What became of one rule.

    Attributes:
        rule: Its key in the config; empty for a measure without a rule.
        label: A few words that name it.
        message: The sentence for the reader.
        measure: In full; None for a rule that has none.
        baseline: Where queries failed, as *now* and *change*: that at which the change is at its worst.
        baseline_best: That at which the change is at its best.
        now_best: The same of *now*.
        change_best: The same of *change*.
        limit: In points, or a count of queries.
        limit_queries: The limit in queries.
        n: Over how many queries.
        trend: Which way the change went; None where the queries that failed leave that open.
        better: Compared queries whose value got better; None where nothing was compared.
        turns: Whether judging the unjudged alone could turn a rule that failed or warned; None where that is not known
            for the measure, for a rule that rests on no judgment, and for one that holds.
        holes: Query and document of the fewest unjudged results whose judging could; empty where it could not.
    """

    rule: str
    status: Status
    label: str
    message: str
    measure: str | None = None
    measure_label: str = ""
    slice: str = ALL
    baseline: float | None = None
    now: float | None = None
    change: float | None = None
    baseline_best: float | None = None
    now_best: float | None = None
    change_best: float | None = None
    trend: Trend | None = None
    limit: float | None = None
    limit_relative: float | None = None
    limit_queries: float | None = None
    n: int = 0
    better: int | None = None
    same: int | None = None
    worse: int | None = None
    query_ids: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    turns: bool | None = None
    holes: tuple[tuple[str, str], ...] = ()
    place: Place | None = None


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
class SliceRow:
    """One slice, a cell for each measure.

    Attributes:
        queries: How many queries are in it, those that expect nothing left out.
    """

    slice: str
    queries: int
    cells: tuple[MeanCell, ...]


@dataclass(frozen=True, slots=True)
class ValueChange:
    """One measure of one query; *change* is now - before."""

    measure: str
    label: str
    before: float | None
    now: float | None
    change: float | None
    trend: Trend | None


@dataclass(frozen=True, slots=True)
class MovedDocument:
    """A document whose rank changed; a rank is None where it was not returned.

    Attributes:
        grade: None when nobody judged it.
        cost: What its move did to the query's nDCG.
        cause: None where it has none: nobody judged the document, or the measure does not count its move.
        reason: The cause in words.
        above: Where other documents displaced it: those that did.
    """

    document: str
    grade: int | None
    before: int | None
    after: int | None
    cost: float
    cause: Cause | None = None
    reason: str = ""
    above: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CauseFacts:
    """What the moves of all compared queries did to a mean, by cause.

    Attributes:
        sentence: All of it in words; empty where no move changed the mean.
        measure: In full.
        compared: Over how many queries the mean is taken: those that were measured on both sides.
        totals: Losses, then gains; their costs add up to the change of the mean.
    """

    sentence: str
    measure: str
    compared: int
    totals: tuple[CauseTotal, ...]


@dataclass(frozen=True, slots=True)
class RankingFact:
    """What one side returned for a query, column by column: position in each tuple is the rank.

    Attributes:
        grades: None where nobody judged the document.
        titles: Empty where the service gave none.
        scores: As the service wrote them; empty where it gave none.
        duplicates: How many later occurrences of an id were dropped.
    """

    documents: tuple[str, ...]
    grades: tuple[int | None, ...]
    titles: tuple[str, ...] = ()
    scores: tuple[float | None, ...] = ()
    duplicates: int = 0


@dataclass(frozen=True, slots=True)
class QueryFact:
    """One golden query.

    Attributes:
        values: One a measure; empty for a query that expects nothing.
        moves: For a query that got worse: judged documents that moved, unjudged ones that came into the first page.
        before: The baseline's ranking; None where there is none.
        now: The candidate's; None where the query was not measured.
        not_returned: Relevant documents that neither ranking has, each with its grade, the highest grade first.
    """

    id: str
    text: str
    note: str
    slices: tuple[str, ...]
    place: Place | None
    state: State
    values: tuple[ValueChange, ...] = ()
    moves: tuple[MovedDocument, ...] = ()
    before: RankingFact | None = None
    now: RankingFact | None = None
    not_returned: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FirstChange:
    """A query that lost its relevant first document, or gained one.

    Attributes:
        document: The relevant document that was first (lost) or is first (gained).
        before: Its rank in the baseline.
        after: Its rank now.
        first: What is first now; None for an empty answer.
        first_grade: None when nobody judged it.
    """

    id: str
    text: str
    place: Place | None
    document: str | None
    before: int | None
    after: int | None
    first: str | None
    first_grade: int | None


@dataclass(frozen=True, slots=True)
class TextChange:
    """A query whose text is another than the baseline's."""

    id: str
    before: str
    now: str


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """The queries that were not measured for one and the same reason.

    Attributes:
        of: What they were not measured of, where it is not this run: the other service, or the baseline.
    """

    kind: str
    message: str
    query_ids: tuple[str, ...]
    of: str = ""

    @property
    def side(self) -> str:
        """The same after a noun; nothing for this run."""
        return f" of {self.of}" if self.of else ""


@dataclass(frozen=True, slots=True)
class Counts:
    """How much was measured and compared, in queries; *duplicates* in hits, *depth* in documents.

    Attributes:
        reference_failed: Not measured of what this run is compared with.
    """

    queries: int
    measured: int
    failed: int
    expects_nothing: int
    compared: int
    new: int
    changed: int
    relabelled: int
    removed: int
    duplicates: int
    depth: int
    reference_failed: int = 0

    @property
    def incomplete(self) -> bool:
        """Whether anything was not measured, of this run or of what it is compared with."""
        return self.failed + self.reference_failed > 0


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a report prints.

    Attributes:
        headline: Did it get worse, where, and what now: one sentence.
        measured: How much the verdict rests on: one line.
        has_baseline: Whether there was anything to compare with.
        compared_with: What that is called: the baseline, another service, a file; empty without any.
        moves_measure: The measure that the costs of moves are counted in.
        causes: What the moves did to its mean, by cause.
        differences: How baseline and candidate answer different questions; empty for the same ranking question.
        behind: The slices behind the means: first those that a mean hides, then what pulled one down.
        evidence: What each change is worth, by slice and measure.
        agreement: How alike two services rank; None where only one was asked.
        rules: All rules but pins: failures first, then undecided, warnings, known failures, passes, not gated.
        ungated: The measures that no rule judges.
        pins: The rules on single queries, in the same order.
        worst: The queries that got worse, the worst first.
        weakest: Where a limit failed and no query got worse: the queries with the lowest values of its measure.
        removed: Ids that only the baseline has.
        relabelled: Ids whose judgments were edited since the baseline.
    """

    outcome: Outcome
    exit_code: int
    strict: bool
    headline: str
    measured: str
    counts: Counts
    has_baseline: bool
    compared_with: str
    measures: tuple[MeasureFact, ...]
    moves_measure: str
    causes: CauseFacts
    differences: tuple[str, ...]
    behind: tuple[BehindFact, ...]
    evidence: tuple[Evidence, ...]
    agreement: AgreementFact | None
    rules: tuple[RuleRow, ...]
    ungated: tuple[RuleRow, ...]
    pins: tuple[RuleRow, ...]
    slices: tuple[SliceRow, ...]
    lost: tuple[FirstChange, ...]
    gained: tuple[FirstChange, ...]
    queries: tuple[QueryFact, ...]
    worst: tuple[QueryFact, ...]
    weakest: tuple[QueryFact, ...]
    new: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[TextChange, ...]
    relabelled: tuple[str, ...]
    failures: tuple[FailureGroup, ...]
    notes: tuple[tuple[str, str], ...]
    baseline_notes: tuple[tuple[str, str], ...]
    extra: tuple[str, ...]
    next_steps: tuple[NextStep, ...]

    def __repr__(self) -> str:
        counts = f"queries={len(self.queries)} worst={len(self.worst)}"
        return f"<Facts {self.word} exit_code={self.exit_code} {counts}>"

    @property
    def word(self) -> str:
        """The verdict as every report writes it."""
        return self.outcome.value.upper()

    def with_status(self, status: Status) -> tuple[RuleRow, ...]:
        """The rules and pins with *status*."""
        return tuple(row for row in (*self.rules, *self.pins) if row.status is status)


#: The order in which rules are shown.
STATUS_ORDER: Final = (
    Status.FAIL,
    Status.UNDECIDED,
    Status.WARN,
    Status.KNOWN,
    Status.PASS,
    Status.NOT_GATED,
)


def status_word(row: RuleRow, outcome: Outcome) -> str:
    """What a report calls a rule's status: shouted where it decides, conditional where there is no verdict."""
    status = row.status
    if not row.rule:
        return "no verdict" if outcome is Outcome.PARTIAL else "no rule"
    if status is Status.FAIL and outcome is Outcome.PARTIAL:
        return "would fail"
    return status.value.upper() if status in {Status.FAIL, Status.UNDECIDED} else status.value
