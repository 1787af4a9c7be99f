"""The sentences that reports share: what was measured and compared, how alike two services rank, which pins hold."""

from collections.abc import Iterator, Sequence
from typing import Final

from rankgate.core.findings import Status
from rankgate.reports.records.means import AgreementFact
from rankgate.reports.records.report import Counts, Facts
from rankgate.reports.records.rules import RuleRow, with_status
from rankgate.reports.rounding import number
from rankgate.reports.visible import middle

#: An id or a command that is longer is cut, or left to the rest of the report.
LONG: Final = 100

#: Stands under every table of evidence.
EVIDENCE: Final = (
    "interval: paired bootstrap; p: randomization test, Holm-corrected over all measures and slices; "
    "+/=/-: queries better, same, worse; detects: the smallest change that so many queries show in four of five cases; "
    "judged: of the results, before > now"
)


def measured_line(counts: Counts, compared_with: str) -> str:
    """How much was measured and compared; what is not there is counted too."""
    parts = [f"{counts.measured} of {count(counts.queries, 'query', 'queries')} measured, {counts.failed} failed"]
    if counts.reference_failed:
        parts.append(f"{counts.reference_failed} failed of {compared_with}")
    if compared_with:
        parts += [
            f"{counts.compared} compared with {compared_with}",
            f"{counts.new} new, {counts.changed} changed text",
            f"{counts.relabelled} relabelled, {counts.removed} removed",
        ]
    else:
        parts.append("no baseline")
    if counts.expects_nothing:
        parts.append(count(counts.expects_nothing, "expects nothing", "expect nothing"))
    parts += [f"{count(counts.duplicates, 'duplicate hit', 'duplicate hits')} dropped", f"depth {counts.depth}"]
    return "; ".join(parts)


def compared_as(facts: Facts) -> tuple[str, ...]:
    """Whether both sides answer the same question, and if not, every way in which they do not."""
    if not facts.differences:
        return ("compared: the same ranking question",)
    return tuple(f"compared: {difference}" for difference in facts.differences)


def agreement_lines(found: AgreementFact) -> Iterator[str]:
    """How alike two services rank, in sentences; ANN recall is called so, and has a line of its own."""
    lacking = f", {found.unanswered} without an answer of both" if found.unanswered else ""
    if found.alike == found.queries:
        yield f"this run and {found.other} rank alike: no ranking of {count(found.queries, 'query', 'queries')} differs"
    yield (
        f"against {found.other}: {found.alike} of {count(found.queries, 'query', 'queries')} rank the same{lacking}; "
        f"{_at('overlap', found.overlap)}; rank-biased overlap {number(found.rank_biased)}"
    )
    if found.ann_recall:
        over = count(found.ann_queries, "query", "queries")
        recall = _at("ANN recall", found.ann_recall)
        yield f"{recall} over {over}: of what the exact search {found.other} finds, relevant or not"
    if found.least:
        least = ", ".join(f"{middle(query_id, LONG)!r} {number(value)}" for query_id, value in found.least)
        yield f"least alike by rank-biased overlap: {least}"


def _at(name: str, values: Sequence[tuple[int, float]]) -> str:
    return ", ".join(f"{name}@{cutoff} {number(value)}" for cutoff, value in values)


def pins_line(pins: Sequence[RuleRow]) -> str:
    """How many pins hold, and how many of the others are known failures."""
    judged = [row for row in pins if row.rule != "known_failure"]
    known = len(with_status(judged, Status.KNOWN))
    held = f"{len(with_status(judged, Status.PASS))} of {count(len(judged), 'pin holds', 'pins hold')}"
    return f"{held}, {count(known, 'known failure', 'known failures')}" if known else held


def count(number: int, one: str, many: str) -> str:
    """A number and its noun: ``1 query``, ``2 queries``."""
    return f"{number} {one if number == 1 else many}"
