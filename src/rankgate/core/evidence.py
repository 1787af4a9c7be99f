"""What the paired values of a comparison are worth: context for a verdict that rests on thresholds."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison
from rankgate.core.findings import Finding, Status
from rankgate.core.judgments import ALL
from rankgate.core.limits import FAILING_CHANGE
from rankgate.core.significance import Paired, holm, paired_all

#: The chance of a false alarm that ``require_significance`` allows.
SIGNIFICANT: Final = 0.05


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
    """Let a broken drop or rise only warn where chance alone could well have brought it.

    Each rule is tested as if it were the only one: a rule that is added elsewhere must not let this one pass.
    """
    return tuple(_tested(finding, comparison) if finding.rule in FAILING_CHANGE else finding for finding in findings)


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


def evidence_everywhere(comparison: Comparison) -> Mapping[tuple[str, Measure], tuple[Paired, float | None]]:
    """The evidence by slice and measure, each with its p after Holm's correction for all of them together.

    A report shows of it what broke or changed, so the correction is for everything that it chooses from.

    Returns:
        Without those that no query was measured for; empty where there is nothing to compare with.
    """
    found = {
        (name, measure): paired
        for name in (ALL, *comparison.golden.slices)
        for measure, paired in evidence(comparison, comparison.measures, name).items()
        if paired.queries
    }
    corrected = holm([each.p for each in found.values()])
    return {key: (paired, p) for (key, paired), p in zip(found.items(), corrected, strict=True)}
