"""GitLab's Code Quality report: a JSON array of findings, shown in a merge request beside the lines they are about.

GitLab compares it with the report of the target branch by fingerprint: what is in both is not new. So a fingerprint is
made of names only, never of a value, and a gate that passes reports nothing.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from rankgate.core.findings import Status
from rankgate.core.judgments import Place
from rankgate.core.verdict import Outcome
from rankgate.reports.places import Checkout
from rankgate.reports.records.report import Facts
from rankgate.reports.records.rules import RuleRow
from rankgate.reports.visible import inert_json, visible
from rankgate.reports.worsened import worsened

_OF_VERDICT: Final = {
    Outcome.FAIL: "blocker",
    Outcome.INCONCLUSIVE: "major",
    Outcome.WARN: "minor",
    Outcome.PARTIAL: "info",
}
_OF_RULE: Final = {Status.FAIL: "critical", Status.UNDECIDED: "major", Status.WARN: "minor"}


class _Issue(NamedTuple):
    """One finding.

    Attributes:
        name: What tells it from the others of its check, without any value.
        place: None for what stands in no file.
    """

    check: str
    name: str
    severity: str
    description: str
    place: Place | None


def render(facts: Facts, checkout: Checkout) -> str:
    """The array: the verdict, then the rules that decided it, then the queries that got worse."""
    if facts.outcome is Outcome.PASS:
        return "[]\n"
    somewhere = _somewhere(facts)
    found = [_entry(issue, issue.place or somewhere, checkout) for issue in _issues(facts)]
    return inert_json(json.dumps(found, indent=2, ensure_ascii=False)) + "\n"


def _issues(facts: Facts) -> Iterator[_Issue]:
    said = f"{facts.word} (exit code {facts.exit_code}): {facts.headline}; {facts.measured}"
    yield _Issue("verdict", "", _OF_VERDICT[facts.outcome], said, None)
    for row in (*facts.rules, *facts.pins):
        if severity := _OF_RULE.get(row.status):
            severity = "info" if facts.outcome is Outcome.PARTIAL else severity
            yield _Issue(row.rule, _rule_name(row), severity, row.message, row.place)
    severity = "major" if facts.outcome is Outcome.FAIL else "info"
    for each in worsened(facts):
        check = "lost-query" if each.lost else "worse-query"
        yield _Issue(check, each.query.id, severity, each.sentence, each.query.place)


def _entry(issue: _Issue, place: Place, checkout: Checkout) -> dict[str, Any]:
    path = checkout.path(place.path)
    return {
        "description": visible(issue.description),
        "check_name": f"rankgate.{issue.check}",
        "fingerprint": hashlib.sha256(json.dumps([issue.check, issue.name, path]).encode()).hexdigest(),
        "severity": issue.severity,
        "location": {"path": visible(path), "lines": {"begin": place.line}},
    }


def _somewhere(facts: Facts) -> Place:
    """The first line that is known, for GitLab asks one of each finding."""
    rows = (*facts.rules, *facts.pins)
    places = (*(row.place for row in rows), *(query.place for query in facts.queries))
    return next((place for place in places if place), Place("rankgate.yaml", 1))


def _rule_name(row: RuleRow) -> str:
    return "\n".join((row.label, row.measure or "", row.slice))
