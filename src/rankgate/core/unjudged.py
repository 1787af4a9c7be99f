"""What the holes mean for the findings: whether judging alone could turn a broken rule, said by its finding."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from rankgate.core.comparison import Comparison
from rankgate.core.findings import Finding, Status, apart
from rankgate.core.holes import Hole, Holes
from rankgate.core.limits import BOUNDARY, COMPARING
from rankgate.core.turning import Turnable, turnable

#: So many documents are named; more are counted.
NAMED: Final = 3


def with_holes(
    findings: Sequence[Finding], comparison: Comparison, unjudged: Literal["fail", "inconclusive"]
) -> tuple[Finding, ...]:
    """Say of each rule that failed or warned whether judging alone could turn it, and by which documents.

    Args:
        unjudged: What becomes of a failure that it could turn; ``inconclusive`` leaves it undecided.
    """
    holes = Holes(comparison)
    return tuple(_settled(finding, turnable(holes, finding), unjudged) for finding in findings)


def _settled(finding: Finding, found: Turnable | None, unjudged: Literal["fail", "inconclusive"]) -> Finding:
    if found is None:
        return finding
    undecided = found.turns and unjudged == "inconclusive" and finding.status is Status.FAIL
    return replace(
        finding,
        message=f"{finding.message}; {_answer(finding, found)}",
        status=Status.UNDECIDED if undecided else finding.status,
        turns=found.turns,
        holes=tuple((hole.query_id, hole.document) for hole in found.holes),
    )


def _answer(finding: Finding, found: Turnable) -> str:
    """Could judging alone turn *finding*?"""
    if found.turns is None:
        return f"whether judging could turn this is not known for {finding.measure}"
    if found.turns:
        return f"judging alone could turn this: {_named(found.holes)}"
    return f"judging alone cannot turn this{_at_best(finding, found)}"


def _named(holes: Sequence[Hole]) -> str:
    if len(holes) > NAMED:
        return f"{len(holes)} unjudged results (see rankgate holes)"
    return ", ".join(f"{hole.document!r} for query {hole.query_id!r}" for hole in holes)


def _at_best(finding: Finding, found: Turnable) -> str:
    """How far judging could bring the number; nothing where it could not move it, and where queries failed."""
    if found.best is None or finding.number is None or not found.measured:
        return ""
    if abs(found.best - finding.number) <= BOUNDARY:
        return ""
    if finding.measure is None:
        return f" (at best {found.best:g})"
    limit = finding.limit if finding.limit is not None else found.best
    shown, _ = apart(found.best, -limit if finding.rule in COMPARING else limit)
    return f" (at best {shown})"
