"""The report as JUnit XML."""

import re
from collections.abc import Callable, Mapping
from typing import Final
from xml.etree import ElementTree as ET

from rankgate.core.verdict import GateResult
from rankgate.reports import render
from rankgate.reports.visible import visible
from tests.reports.pages import page_of

MARK: Final[tuple[set[str], set[str], set[str]]] = (set(), {"type", "message"}, set())

#: What junit-10.xsd of Jenkins' xUnit plugin says of each element: attributes it needs, others it may have, children.
SCHEMA: Final[Mapping[str, tuple[set[str], set[str], set[str]]]] = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
    ),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, set(), set()),
    "testcase": (
        {"name"},
        {"time", "classname", "group"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": MARK,
    "error": MARK,
    "skipped": MARK,
    "system-out": (set(), set(), set()),
}


def suite(result: GateResult) -> ET.Element:
    """Parse a report and give its only suite."""
    found = ET.fromstring(page_of("junit", result)).find("testsuite")
    assert found is not None
    return found


def case(result: GateResult, name: str) -> ET.Element:
    """The test case with a name."""
    return next(child for child in suite(result).iter("testcase") if child.get("name") == name)


def test_golden_report(results: Mapping[str, GateResult], check_golden: Callable[[str, str], None]) -> None:
    """The report of a failing gate is the recorded one, to the byte."""
    check_golden("fail.junit.xml", render("junit", results["fail"]))


def test_counts_are_right(results: Mapping[str, GateResult]) -> None:
    """The suite's counts are those of its cases, and the root's too."""
    for result in results.values():
        root = ET.fromstring(page_of("junit", result))
        found = suite(result)
        cases = list(found.iter("testcase"))
        counts = {
            "tests": str(len(cases)),
            "failures": str(sum(child.find("failure") is not None for child in cases)),
            "errors": str(sum(child.find("error") is not None for child in cases)),
        }
        assert counts == {key: root.get(key) for key in counts}
        counts["skipped"] = str(sum(child.find("skipped") is not None for child in cases))
        assert counts == {key: found.get(key) for key in counts}


def test_one_case_a_rule_and_a_query(results: Mapping[str, GateResult]) -> None:
    """No finding and no query is without its case, and no two cases share class and name."""
    for result in results.values():
        cases = [(child.get("classname"), child.get("name")) for child in suite(result).iter("testcase")]
        assert len(result.verdict.findings) + len(result.comparison.golden.queries) == len(cases)
        assert len(cases) == len(set(cases))


def test_marks(results: Mapping[str, GateResult]) -> None:
    """Failure is worse, error is unmeasured, skipped is not gated; what the rules tolerate passes with a note."""
    fail = results["fail"]
    assert None is not case(fail, "P@1 max_drop").find("failure")
    assert None is not case(fail, "nDCG(dcg='exp-log2')@10 max_drop on 'long-tail'").find("skipped")
    assert None is case(fail, "P@1 floor").find("failure")
    assert None is not case(fail, "gasket").find("failure")
    assert "got worse, within" in (case(fail, "hex-bolt").findtext("system-out") or "")
    assert [] == list(case(fail, "oil"))
    assert None is not case(results["inconclusive"], "q000").find("error")
    assert None is not case(results["inconclusive"], "lost_queries").find("error")
    assert None is not case(results["warn tolerated failures"], "q003").find("skipped")
    assert None is not case(results["warn strict"], "nDCG(dcg='exp-log2')@10 warn_drop").find("failure")
    assert None is not case(results["partial, would fail"], "must P@1 for query 'q000'").find("skipped")


def test_failures_or_errors_exactly_when_the_exit_code_says_so(results: Mapping[str, GateResult]) -> None:
    """A server that reads only this file comes to the verdict of the exit code."""
    for name, result in results.items():
        found = suite(result)
        bad = int(found.get("failures", "")) + int(found.get("errors", ""))
        assert (name, result.verdict.exit_code != 0) == (name, bad > 0)


def test_a_query_names_its_class_and_its_line(results: Mapping[str, GateResult]) -> None:
    """A case of a query is classed by its first slice, and its text begins with the line of the golden file."""
    found = case(results["fail"], "gasket")

    assert "rankgate.queries.head" == found.get("classname")
    assert (found.findtext("failure") or "").startswith("golden/queries/parts.yaml:13:5\nquery text: gasket\n")
    assert "rankgate.queries.all" == case(results["pass"], "q000").get("classname")


def test_the_report_is_valid_by_the_schema_of_jenkins(results: Mapping[str, GateResult]) -> None:
    """Every element has the attributes that junit-10.xsd asks for, none that it does not know, and only its children."""
    for name, result in results.items():
        for element in ET.fromstring(page_of("junit", result)).iter():
            needed, allowed, children = SCHEMA[element.tag]
            assert needed <= set(element.attrib) <= needed | allowed, (name, element.tag, element.attrib)
            assert {child.tag for child in element} <= children, (name, element.tag)


def test_control_characters_are_shown_and_nothing_that_xml_forbids_is_left(results: Mapping[str, GateResult]) -> None:
    """In attributes as in texts."""
    report = render("junit", results["fail hostile"])

    assert "bell \\x07 esc \\x1b[31m nul \\x00" in report
    assert 'name="q\\x01"' in report
    assert None is re.search(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", report)


def test_hostile_texts_survive(results: Mapping[str, GateResult]) -> None:
    """Any parser reads it; markup characters come back as they were, forbidden ones in visible form."""
    names = [child.get("name") for child in suite(results["fail hostile"]).iter("testcase")]
    for query in results["fail hostile"].comparison.golden.queries:
        assert visible(query.id) in names
        assert f"query text: {visible(query.text)}" in "".join(suite(results["fail hostile"]).itertext())
    assert "<q>" in names


def test_nothing_depends_on_the_time(results: Mapping[str, GateResult]) -> None:
    """There is no time stamp."""
    assert "timestamp" not in render("junit", results["fail"])
