"""What the paired values of a comparison are worth: context for a verdict that rests on thresholds."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison
from rankgate.core.findings import Finding, RuleKind, Status
from rankgate.core.judgments import ALL
from rankgate.core.significance import Paired, holm, paired_all

#: The chance of a false alarm that ``require_significance`` allows.
SIGNIFICANT: Final = 0.05
_CHANGES: Final[frozenset[RuleKind]] = frozenset({"max_drop", "max_rise"})


def evidence(comparison: Comparison, measures: Collection[Measure], slice_name: str = ALL) -> Mapping[Measure, Paired]:
    """Interval, p and detectable change of each measure on a slice, over the queries that both sides measured.

    Returns:
        Empty where there is nothing to compare with.
    """
    baseline = comparison.baseline
    if baseline is None or not measures:
        return {}
    chosen = tuple(measures)
    rows = comparison.in_slice(slice_name) & comparison.comparable
    before = np.array([baseline.values[measure][rows] for measure in chosen])
    now = np.array([comparison.candidate.values[measure][rows] for measure in chosen])
    return dict(zip(chosen, paired_all(before, now), strict=True))


def with_significance(findings: Sequence[Finding], comparison: Comparison) -> tuple[Finding, ...]:
    """Let a broken drop or rise only warn where chance alone could well have brought it."""
    return tuple(_tested(finding, comparison) if finding.rule in _CHANGES else finding for finding in findings)


def _tested(finding: Finding, comparison: Comparison) -> Finding:
    if finding.status is not Status.FAIL or finding.measure is None:
        return finding
    p = evidence(comparison, [finding.measure], finding.slice)[finding.measure].p
    if p is None or p < SIGNIFICANT:
        return finding
    return replace(
        finding,
        status=Status.WARN,
        message=f"{finding.message}; chance alone could bring it (p {p:.2g}), and require_significance is set",
    )


def adjusted(found: Mapping[Measure, Paired]) -> Mapping[Measure, float | None]:
    """The p of each measure after Holm's correction for how many are shown together."""
    return dict(zip(found, holm([each.p for each in found.values()]), strict=True))
