"""What the holes mean for the findings: which broken rules judging alone could turn, said by the findings."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from rankgate.core.comparison import Comparison
from rankgate.core.findings import Finding, Status, plural
from rankgate.core.holes import Hole, Holes
from rankgate.core.turning import turnable

#: Rules that judging could turn.
_BROKEN: Final = frozenset({Status.FAIL, Status.WARN})


def with_holes(
    findings: Sequence[Finding], comparison: Comparison, unjudged: Literal["fail", "inconclusive"]
) -> tuple[Finding, ...]:
    """Say of each broken rule whether judging alone could turn it, and by which documents.

    Args:
        unjudged: What becomes of a failure that it could turn; ``inconclusive`` leaves it undecided.
    """
    if not any(finding.status in _BROKEN for finding in findings):
        return tuple(findings)
    holes = Holes(comparison)
    return tuple(_settled(finding, holes, unjudged) for finding in findings)


def _settled(finding: Finding, holes: Holes, unjudged: Literal["fail", "inconclusive"]) -> Finding:
    found = turnable(holes, finding) if finding.status in _BROKEN else None
    if found is None or not found.turns:
        return finding
    count = len(found.holes)
    says = (
        f"{finding.message}; judging alone could turn this: {count} unjudged {plural(count, 'result', 'results')} "
        "could do it"
    )
    undecided = unjudged == "inconclusive" and finding.status is Status.FAIL
    return replace(
        finding, message=says, holes=_pairs(found.holes), status=Status.UNDECIDED if undecided else finding.status
    )


def _pairs(holes: Sequence[Hole]) -> tuple[tuple[str, str], ...]:
    return tuple((hole.query_id, hole.document) for hole in holes)
