"""What each change is worth: intervals, tests, and how far the unjudged could move it, gathered for the reports."""

from collections.abc import Mapping

from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison
from rankgate.core.evidence import evidence_everywhere
from rankgate.core.holes import Holes
from rankgate.core.significance import Paired
from rankgate.reports.records.means import Evidence


def evidence_of(comparison: Comparison, named: Mapping[Measure, str]) -> tuple[Evidence, ...]:
    """A row for each slice and measure; empty where there is nothing to compare with."""
    holes = Holes(comparison)
    return tuple(
        _row(measure, paired, holes, label=named[measure], slice_name=name, p_holm=p_holm)
        for (name, measure), (paired, p_holm) in evidence_everywhere(comparison).items()
    )


def _row(
    measure: Measure, paired: Paired, holes: Holes, *, label: str, slice_name: str, p_holm: float | None
) -> Evidence:
    higher = measure.higher_is_better
    reach = holes.range_of(measure, slice_name)
    change = reach.change if reach else None
    share = holes.judged_at(measure, slice_name)
    return Evidence(
        measure=str(measure),
        label=label,
        slice=slice_name,
        n=paired.queries,
        change=paired.change,
        low=paired.low,
        high=paired.high,
        p=paired.p,
        p_holm=p_holm,
        exact=paired.exact,
        better=paired.higher if higher else paired.lower,
        same=paired.same,
        worse=paired.lower if higher else paired.higher,
        detectable=paired.detectable,
        judged_before=share.baseline,
        judged=share.candidate,
        top_before=reach.baseline.top if reach and reach.baseline else None,
        top=reach.candidate.top if reach else None,
        least=change.least if change else None,
        greatest=change.greatest if change else None,
    )
