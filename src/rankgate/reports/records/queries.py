"""What a report says of single queries: their values and rankings, what moved in them, and why."""

from dataclasses import dataclass
from typing import Final, Literal

from rankgate.core.attribution import Cause, CauseTotal
from rankgate.core.judgments import Place
from rankgate.reports.records.means import Trend

State = Literal[
    "unmeasured", "expects nothing", "new", "text changed", "uncompared", "lost", "worse", "mixed", "better", "same"
]
#: The states of a query that got worse.
WORSE: Final = frozenset({"lost", "worse"})


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
