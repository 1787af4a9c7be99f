"""Findings folded into one verdict, once; every report and the exit code come from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rankgate.core.agreement import Agreement
from rankgate.core.comparison import Comparison
from rankgate.core.doubts import unfound
from rankgate.core.evidence import with_significance
from rankgate.core.findings import Finding, Status
from rankgate.core.limits import Gate
from rankgate.core.reference import Reference
from rankgate.core.rules import judge
from rankgate.core.unjudged import with_holes


class Outcome(StrEnum):
    """The gate's answer."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    PARTIAL = "partial"  # a selection of the queries: a diff and no verdict


EXIT_FAIL: Final = 1
EXIT_INCONCLUSIVE: Final = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gate's answer with the findings that it rests on.

    Attributes:
        strict: Warnings count as failures.
    """

    outcome: Outcome
    findings: tuple[Finding, ...]
    strict: bool = False

    def __repr__(self) -> str:
        return f"<Verdict {self.outcome} exit_code={self.exit_code} findings={len(self.findings)}>"

    @property
    def exit_code(self) -> int:
        """0 passes, 1 fails, 3 could not tell."""
        if self.outcome is Outcome.FAIL or (self.strict and self.outcome is Outcome.WARN):
            return EXIT_FAIL
        undecided = any(finding.status is Status.UNDECIDED for finding in self.findings)
        if self.outcome is Outcome.INCONCLUSIVE or (self.outcome is Outcome.PARTIAL and undecided):
            return EXIT_INCONCLUSIVE
        return 0

    def of(self, status: Status) -> tuple[Finding, ...]:
        """The findings with *status*."""
        return tuple(finding for finding in self.findings if finding.status is status)


@dataclass(frozen=True, slots=True)
class GateResult:
    """Everything a report needs: the comparison, the rules and the verdict.

    Attributes:
        extra: Facts for the reader that no rule judges.
        further: Those of the findings that come from asking more than once.
        exact: The exact search that was asked beside the candidate; None where none was.
        agreement: How alike the candidate and ``other`` rank; None where nothing was answered by both.
    """

    comparison: Comparison
    gate: Gate
    verdict: Verdict
    extra: tuple[str, ...] = ()
    further: tuple[Finding, ...] = ()
    exact: Reference | None = None
    agreement: Agreement | None = None

    @property
    def other(self) -> Reference | None:
        """What stands beside the candidate: the exact search, else what it is compared with."""
        return self.exact or self.comparison.reference

    def __repr__(self) -> str:
        verdict, queries = self.verdict, len(self.comparison.golden.queries)
        counts = f"queries={queries} findings={len(verdict.findings)}"
        return f"<GateResult {verdict.outcome} exit_code={verdict.exit_code} {counts}>"


def fold(findings: Sequence[Finding], *, partial: bool = False, strict: bool = False) -> Verdict:
    """The verdict of *findings*: fail over inconclusive over warn over pass; a selection has none."""
    statuses = {finding.status for finding in findings}
    if partial:
        outcome = Outcome.PARTIAL
    elif Status.FAIL in statuses:
        outcome = Outcome.FAIL
    elif Status.UNDECIDED in statuses:
        outcome = Outcome.INCONCLUSIVE
    elif Status.WARN in statuses:
        outcome = Outcome.WARN
    else:
        outcome = Outcome.PASS
    return Verdict(outcome, tuple(findings), strict)


def decide(
    gate: Gate,
    comparison: Comparison,
    *,
    partial: bool = False,
    strict: bool = False,
    floors_only: bool = False,
    extra: tuple[str, ...] = (),
    further: tuple[Finding, ...] = (),
    exact: Reference | None = None,
) -> GateResult:
    """Judge every rule and fold the findings; of a selection only pins are judged, for a mean of it says nothing.

    Args:
        further: Findings that come from asking more than once.
        exact: The exact search that was asked beside the candidate.
    """
    judged = Gate(max_errors=gate.max_errors) if partial else gate
    findings = (*judge(judged, comparison, floors_only=floors_only, exact=exact), *further)
    if gate.require_significance:
        findings = with_significance(findings, comparison)
    findings = with_holes(findings, comparison, gate.unjudged)
    if not {Status.FAIL, Status.UNDECIDED}.isdisjoint(finding.status for finding in findings):
        # A run that cannot be accepted as it is has no headroom to accept.
        findings = tuple(finding for finding in findings if finding.rule != "headroom")
    before = comparison.reference.run if comparison.reference else None
    extra = (*extra, *unfound(comparison.golden, comparison.run, before))
    return GateResult(comparison, gate, fold(findings, partial=partial, strict=strict), extra, further, exact)
