"""JUnit XML: a test case for each rule and for each query, as CI servers show them.

``failure`` is worse, ``error`` is unmeasured, ``skipped`` is not gated or a known failure. There is a failure or an
error exactly when the exit code is not 0: a CI server that reads only this file comes to the same verdict.
Elements and attributes are those of Jenkins' schema (junit-10.xsd of its xUnit plugin), the strictest in use: it gives
a case no attributes for file and line, so these stand in the text.
"""

from collections.abc import Mapping
from typing import Final, Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rankgate.core.findings import Status
from rankgate.core.judgments import ALL
from rankgate.core.verdict import Outcome
from rankgate.reports.records.queries import QueryFact
from rankgate.reports.records.report import Facts
from rankgate.reports.records.rules import RuleRow
from rankgate.reports.rounding import number
from rankgate.reports.visible import inert_xml, visible

Mark = Literal["failure", "error", "skipped"]

_SUITE: Final = "rankgate"


def render(facts: Facts) -> str:
    """The report as one ``testsuites`` document."""
    suite = Element("testsuite", name=_SUITE)
    _properties(suite, facts)
    broken = {query_id: row for row in reversed(facts.with_status(Status.FAIL)) for query_id in row.query_ids}
    own = (group for group in facts.failures if not group.of)
    reasons = {query_id: group.message for group in own for query_id in group.query_ids}
    marks = [
        *(_rule_case(suite, row, facts) for row in (*facts.rules, *facts.pins)),
        *(_query_case(suite, query, broken, reasons, facts) for query in facts.queries),
    ]
    counts = {
        "tests": str(len(marks)),
        "failures": str(marks.count("failure")),
        "errors": str(marks.count("error")),
        "skipped": str(marks.count("skipped")),
    }
    suite.attrib.update(counts)
    verdict = f"{facts.word} (exit code {facts.exit_code}): {facts.headline}"
    SubElement(suite, "system-out").text = _lines(verdict, facts.measured)
    # Servers differ over whether "skipped" may stand on the root; the other three are understood by all.
    root = Element("testsuites", {"name": _SUITE} | {key: counts[key] for key in ("tests", "failures", "errors")})
    root.append(suite)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + inert_xml(tostring(root, encoding="unicode")) + "\n"


def _properties(suite: Element, facts: Facts) -> None:
    properties = SubElement(suite, "properties")
    for name, value in (
        ("verdict", facts.word),
        ("exit_code", str(facts.exit_code)),
        ("headline", facts.headline),
        ("measured", facts.measured),
    ):
        SubElement(properties, "property", name=name, value=visible(value))


def _rule_case(suite: Element, row: RuleRow, facts: Facts) -> Mark | None:
    case = _case(suite, "rankgate.rules", _rule_name(row))
    mark = _rule_mark(row.status, facts)
    if mark is None:
        SubElement(case, "system-out").text = visible(row.message)
        return None
    message = row.message
    if mark == "skipped" and row.status is Status.FAIL:
        message = f"a selection gives no verdict; on it: {message}"
    child = SubElement(case, mark, message=visible(message))
    if mark != "skipped":
        child.set("type", f"rankgate.{row.rule}")
        child.text = visible(f"{row.place}: {message}" if row.place else message)
    return mark


def _rule_name(row: RuleRow) -> str:
    """Unambiguous, and without any value, so that a server can follow the case from run to run."""
    return row.label if row.measure is None else row.label.replace(row.measure_label, row.measure, 1)


def _rule_mark(status: Status, facts: Facts) -> Mark | None:
    if status in {Status.NOT_GATED, Status.KNOWN}:
        return "skipped"
    if status is Status.UNDECIDED:
        return "error"
    if status is Status.FAIL:
        return "skipped" if facts.outcome is Outcome.PARTIAL else "failure"
    fatal = status is Status.WARN and facts.strict and facts.outcome is Outcome.WARN
    return "failure" if fatal else None


def _query_case(
    suite: Element, query: QueryFact, broken: Mapping[str, RuleRow], reasons: Mapping[str, str], facts: Facts
) -> Mark | None:
    case = _case(suite, f"rankgate.queries.{query.slices[0] if query.slices else ALL}", query.id)
    if query.state == "unmeasured":
        message = f"not measured: {reasons.get(query.id, 'it was not asked')}"
        if facts.exit_code == 0:
            SubElement(case, "skipped", message=visible(f"{message} (tolerated by max_errors)"))
            return "skipped"
        child = SubElement(case, "error", message=visible(message), type="rankgate.unmeasured")
        child.text = _about(query)
        return "error"
    if query.id in broken and facts.outcome is Outcome.FAIL:
        row = broken[query.id]
        child = SubElement(case, "failure", message=visible(row.message), type=f"rankgate.{row.rule}")
        child.text = _about(query)
        return "failure"
    if query.state in {"lost", "worse", "mixed"}:
        SubElement(case, "system-out").text = f"got worse, within what the rules allow\n{_about(query)}"
    return None


def _about(query: QueryFact) -> str:
    place = (str(query.place),) if query.place else ()
    values = (f"{value.measure}: {number(value.before)} -> {number(value.now)}" for value in query.values)
    return _lines(*place, f"query text: {query.text}", *values)


def _case(suite: Element, classname: str, name: str) -> Element:
    return SubElement(suite, "testcase", classname=visible(classname), name=visible(name))


def _lines(*lines: str) -> str:
    """Lines of which none can hold a line break of its own."""
    return "\n".join(map(visible, lines))
