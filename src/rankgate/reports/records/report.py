"""The whole of a report: the verdict, how much was measured, what to do next, and all other records."""

from dataclasses import dataclass

from rankgate.core.findings import Status
from rankgate.core.verdict import Outcome
from rankgate.reports.records.means import AgreementFact, BehindFact, Evidence, SliceRow
from rankgate.reports.records.queries import CauseFacts, FirstChange, QueryFact, TextChange
from rankgate.reports.records.rules import MeasureFact, RuleRow, with_status


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
        return tuple(with_status((*self.rules, *self.pins), status))
