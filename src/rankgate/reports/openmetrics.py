"""OpenMetrics: the numbers of a gate for a time series, and for the metrics report of a merge request in GitLab.

A value that there is none of has no line: a scraper must not take it for a zero.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from rankgate.core.verdict import Outcome
from rankgate.reports.records.report import Facts
from rankgate.reports.records.rules import STATUS_ORDER
from rankgate.reports.visible import inert, visible

Sample = tuple[Mapping[str, str], float | None]

#: What is said of a measure on a slice: the end of the metric's name, the field, and its meaning.
_MEANS: Final = (
    ("", "now", "mean over the queries of the slice, at its worst where queries failed"),
    ("_queries", "n", "queries that the mean is taken over"),
)
#: The same for what there is only where queries were compared.
_COMPARED: Final = (
    ("_baseline", "baseline", "mean of the baseline over the compared queries"),
    ("_candidate", "candidate", "mean of the candidate over the compared queries, at its worst where queries failed"),
    ("_change", "change", "candidate minus baseline, at its worst where queries failed"),
    ("_compared_queries", "compared", "queries that were compared"),
    ("_better_queries", "better", "compared queries whose value got better"),
    ("_same_queries", "same", "compared queries whose value stayed"),
    ("_worse_queries", "worse", "compared queries whose value got worse"),
)


def render(facts: Facts) -> str:
    """The report as one exposition, all gauges but the verdict."""
    lines = [
        # What changes with every run stands in the help, for as a label it would be a series of its own.
        *_family("rankgate_verdict", "stateset", f"{facts.word}: {facts.headline}", _verdict(facts)),
        *_family("rankgate_exit_code", "gauge", "0 passes, 1 fails, 3 is inconclusive", [({}, facts.exit_code)]),
        *_family("rankgate_queries", "gauge", "golden queries, by what became of them", _queries(facts)),
        *_family("rankgate_duplicate_hits", "gauge", "hits dropped as duplicates", [({}, facts.counts.duplicates)]),
        *_family("rankgate_rules", "gauge", "rules and pins, by status", _rules(facts)),
        *_family("rankgate_limit", "gauge", "limits, in points or in queries", _limits(facts)),
    ]
    cells = [(row.slice, cell) for row in facts.slices for cell in row.cells]
    compared = [(name, cell) for name, cell in cells if cell.compared]
    for found, told in ((cells, _MEANS), (compared, _COMPARED)):
        for end, field, help_text in told:
            samples = [({"measure": cell.measure, "slice": name}, getattr(cell, field)) for name, cell in found]
            lines += _family(f"rankgate_measure{end}", "gauge", help_text, samples)
    return "\n".join([*lines, "# EOF"]) + "\n"


def _family(name: str, kind: str, help_text: str, samples: Iterable[Sample]) -> Iterator[str]:
    yield f"# TYPE {name} {kind}"
    yield f"# HELP {name} {_escaped(help_text)}"
    for labels, value in samples:
        if value is not None:
            pairs = ",".join(f'{key}="{_escaped(label)}"' for key, label in labels.items())
            yield f"{name}{{{pairs}}} {value!r}" if pairs else f"{name} {value!r}"


def _escaped(text: str) -> str:
    r"""Backslash, quotation mark and line break as the format escapes them; the last is shown as ``\n`` by then."""
    return inert(visible(text)).replace("\\", "\\\\").replace('"', '\\"')


def _verdict(facts: Facts) -> Iterator[Sample]:
    for outcome in Outcome:
        yield {"rankgate_verdict": outcome.value}, int(outcome is facts.outcome)


def _queries(facts: Facts) -> Iterator[Sample]:
    counts = facts.counts
    named = {
        "all": counts.queries,
        "measured": counts.measured,
        "failed": counts.failed,
        "compared": counts.compared,
        "expects nothing": counts.expects_nothing,
        "lost": len(facts.lost),
        "gained": len(facts.gained),
        "new": counts.new,
        "changed": counts.changed,
        "relabelled": counts.relabelled,
        "removed": counts.removed,
    }
    for state, number in named.items():
        yield {"state": state}, number


def _rules(facts: Facts) -> Iterator[Sample]:
    found = Counter(row.status for row in (*facts.rules, *facts.pins))
    for status in STATUS_ORDER:
        yield {"status": status.value}, found[status]


def _limits(facts: Facts) -> Iterator[Sample]:
    for row in sorted(facts.rules, key=lambda row: (row.rule, row.measure or "", row.slice)):
        yield {"rule": row.rule, "measure": row.measure or "", "slice": row.slice}, row.limit
