"""The report as GitLab's Code Quality JSON."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from rankgate.core.comparison import compare
from rankgate.core.judgments import GoldenSet
from rankgate.core.limits import Gate
from rankgate.core.verdict import GateResult, decide
from rankgate.reports import Checkout, CommandHints, gather, render, write
from tests.reports.conftest import MEASURES, limits, plain_set, reference, run, swapped

SEVERITIES = {"info", "minor", "major", "critical", "blocker"}


def issues(result: GateResult) -> list[dict[str, Any]]:
    """The entries of a report."""
    found: list[dict[str, Any]] = json.loads(render("gitlab", result))
    return found


def test_golden_report(results: Mapping[str, GateResult], check_golden: Callable[[str, str], None]) -> None:
    """The report of a failing gate is the recorded one, to the byte."""
    check_golden("fail.gitlab.json", render("gitlab", results["fail"]))


def test_every_entry_has_what_gitlab_asks_for(results: Mapping[str, GateResult]) -> None:
    """An entry without one of these is dropped without a word; so is the second with a fingerprint."""
    for name, result in results.items():
        found = issues(result)
        for entry in found:
            assert {"description", "check_name", "fingerprint", "severity", "location"} == set(entry), name
            assert entry["severity"] in SEVERITIES
            assert entry["location"]["path"]
            assert entry["location"]["lines"]["begin"] >= 1
        assert len(found) == len({entry["fingerprint"] for entry in found}), name


def test_the_verdict_comes_first_and_a_pass_reports_nothing(results: Mapping[str, GateResult]) -> None:
    """What is not as it should be is a finding; a pass has none."""
    first = issues(results["fail"])[0]

    assert ("rankgate.verdict", "blocker") == (first["check_name"], first["severity"])
    assert [] == issues(results["pass"])


def test_a_lost_query_points_at_its_line(results: Mapping[str, GateResult]) -> None:
    """As major as a query can be."""
    found = next(entry for entry in issues(results["fail"]) if "'gasket'" in entry["description"][:20])

    assert ("rankgate.lost-query", "major") == (found["check_name"], found["severity"])
    assert {"path": "golden/queries/parts.yaml", "lines": {"begin": 13}} == found["location"]


def test_fingerprints_do_not_change_with_the_values() -> None:
    """Two runs that are differently worse have the same findings for the same rules and queries."""
    queries, base = plain_set()
    rules = Gate(limits(max_drop=0.001), lost_queries=0)
    found = []
    for changed in (swapped(base, "q000"), {**base, "q000": []}):
        result = decide(rules, compare(GoldenSet(queries), run(changed), MEASURES, reference(queries, base)))
        found.append({entry["fingerprint"]: entry["description"] for entry in issues(result)})

    assert set(found[0]) == set(found[1])
    assert [] == [one for one, description in found[0].items() if description == found[1][one]][1:]


def test_a_selection_is_for_information(results: Mapping[str, GateResult]) -> None:
    """Without a verdict nothing is severe."""
    assert {"info"} == {entry["severity"] for entry in issues(results["partial, would fail"])}


def test_paths_are_counted_from_the_root_of_the_repository(results: Mapping[str, GateResult]) -> None:
    """GitLab finds the line by it."""
    facts = gather(results["fail"], command_hints=CommandHints())
    found = json.loads(write("gitlab", facts, checkout=Checkout("/repo", "/repo/search")))

    assert {"search/golden/rankgate.yaml", "search/golden/queries/parts.yaml"} == {
        entry["location"]["path"] for entry in found
    }


def test_hostile_texts_are_seen_and_do_nothing(results: Mapping[str, GateResult]) -> None:
    """Control characters are visible, and no line is a command to a runner that prints the file."""
    report = render("gitlab", results["fail hostile"])

    assert "\\\\x1b[2J" in report
    assert "##" not in report
