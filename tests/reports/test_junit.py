"""The report as JUnit XML."""

from collections.abc import Callable, Mapping
from xml.etree import ElementTree as ET

from rankgate.core.verdict import GateResult
from rankgate.reports import render
from rankgate.reports.visible import visible


def suite(result: GateResult) -> ET.Element:
    """Parse a report and give its only suite."""
    found = ET.fromstring(render("junit", result)).find("testsuite")
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
        root = ET.fromstring(render("junit", result))
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


def test_a_query_names_its_file_and_class(results: Mapping[str, GateResult]) -> None:
    """A case of a query is classed by its first slice and points at the golden file."""
    found = case(results["fail"], "gasket")
    expected = ("rankgate.queries.head", "golden/queries/parts.yaml", "13")
    assert expected == (found.get("classname"), found.get("file"), found.get("line"))
    assert "rankgate.queries.all" == case(results["pass"], "q000").get("classname")


def test_hostile_texts_survive(results: Mapping[str, GateResult]) -> None:
    """Any parser reads it; markup characters come back as they were, forbidden ones in visible form."""
    names = [child.get("name") for child in suite(results["fail hostile"]).iter("testcase")]
    for query in results["fail hostile"].comparison.golden.queries:
        assert visible(query.id) in names
        assert f"query text: {visible(query.text)}" in "".join(suite(results["fail hostile"]).itertext())
    assert "<q>" in names


def test_nothing_depends_on_the_time(results: Mapping[str, GateResult]) -> None:
    """There is no time stamp, and the same result gives the same bytes."""
    assert render("junit", results["fail"]) == render("junit", results["fail"])
    assert "timestamp" not in render("junit", results["fail"])
