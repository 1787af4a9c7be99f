"""The report as workflow commands, read back the way GitHub's runner reads them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgate.core.comparison import compare
from rankgate.core.judgments import GoldenSet, Place
from rankgate.core.limits import Gate, Limit
from rankgate.core.verdict import GateResult, decide
from rankgate.errors import Problem
from rankgate.reports import Checkout, CommandHints, gather, render, write
from rankgate.reports.github import MESSAGE_BYTES, escape, mistakes
from rankgate.reports.visible import visible
from tests.reports.conftest import (
    CONFIG,
    HOSTILE,
    MEASURES,
    P1,
    limits,
    plain_set,
    query,
    reference,
    refused,
    run,
    swapped,
)

COMMAND = re.compile(r"::(?P<name>[a-z-]+) (?P<properties>[^:]*)::(?P<message>.*)")


@dataclass(frozen=True, slots=True)
class Annotation:
    """A command as the runner takes it."""

    level: str
    properties: Mapping[str, str]
    message: str


def undone(text: str, *, prop: bool = False) -> str:
    """What the runner makes of an escaped text."""
    codes = {"%0D": "\r", "%0A": "\n", **({"%3A": ":", "%2C": ","} if prop else {}), "%25": "%"}
    for code, character in codes.items():
        text = text.replace(code, character)
    return text


def annotations(report: str) -> list[Annotation]:
    """The commands of a log, whatever the line separator the runner splits it at."""
    found = []
    for line in re.split(r"\r\n|\r|\n", report):
        if line.lstrip().startswith("::"):
            match = COMMAND.fullmatch(line)
            assert match is not None, line
            pairs = (pair.split("=", 1) for pair in match["properties"].split(","))
            properties = {name: undone(value, prop=True) for name, value in pairs}
            found.append(Annotation(match["name"], properties, undone(match["message"])))
    return found


def of(result: GateResult) -> list[Annotation]:
    """The annotations of a result."""
    return annotations(render("github", result))


def worse(size: int) -> GateResult:
    """A gate whose only rule fails because every one of *size* queries lost its first result."""
    queries, base = plain_set(size)
    after = run(swapped(base, *base))
    return decide(Gate(lost_queries=1), compare(GoldenSet(queries), after, MEASURES, reference(queries, base)))


def test_golden_report(results: Mapping[str, GateResult], check_golden: Callable[[str, str], None]) -> None:
    """The report of a failing gate is the recorded one, to the byte."""
    check_golden("fail.github.txt", render("github", results["fail"]))


def test_a_lost_query_is_an_error_on_its_line_of_the_golden_file(results: Mapping[str, GateResult]) -> None:
    """Place, title, and a message that says what happened to which text."""
    place = {"file": "golden/queries/parts.yaml", "line": "13", "col": "5", "title": "rankgate: lost query"}
    message = (
        "query 'gasket' ('gasket') lost its relevant first result: 'GK-1' was first, now not returned; "
        "nothing is returned now; P@1 1 -> 0, nDCG@10 1 -> 0, R@50 1 -> 0, ZeroResults 0 -> 1"
    )

    assert Annotation("error", place, message) in of(results["fail"])


def test_a_failed_rule_is_an_error_on_its_line_of_the_config(results: Mapping[str, GateResult]) -> None:
    """The first annotation of all."""
    first = of(results["fail"])[0]

    assert "error" == first.level
    expected = {"file": "golden/rankgate.yaml", "line": "12", "col": "22", "title": "rankgate: P@1 max_drop"}
    assert expected == first.properties
    assert first.message.startswith("P@1 fell by 0.1429, from 0.8571 to 0.7143 over 7 queries")


def test_a_warning_is_a_warning_unless_strict_makes_it_fatal(results: Mapping[str, GateResult]) -> None:
    """The same rule and the same query, one level up."""
    expected = ["rankgate: nDCG@10 warn_drop", "rankgate: lost query"]
    for name, level in (("warn drop", "warning"), ("warn strict", "error")):
        found = of(results[name])
        assert (name, [level] * 2, expected) == (
            name,
            [each.level for each in found],
            [each.properties["title"] for each in found],
        )


@pytest.mark.parametrize(("size", "shown", "more"), [(3, 3, []), (9, 9, []), (10, 9, ["1 more query"])])
def test_nine_queries_are_shown_then_how_many_more(size: int, shown: int, more: list[str]) -> None:
    """The rule first, at most nine queries, and the rest counted in a notice."""
    found = of(worse(size))
    titles = [each.properties["title"] for each in found]

    assert ["rankgate: lost_queries", *["rankgate: lost query"] * shown, *["rankgate"] * len(more)] == titles
    notices = [each.message for each in found if each.level == "notice"]
    assert [f"{each} got worse; the log of this step lists them" for each in more] == notices


def test_what_is_not_shown_is_listed_in_the_log() -> None:
    """Twenty-five queries got worse: nine errors beside the rule's, sixteen plain lines."""
    report = render("github", worse(25))
    listed = re.findall(r"^- query '(q\d+)'", report, re.MULTILINE)

    assert 10 == report.count("\n::error ") + report.startswith("::error ")
    assert ["16 more queries got worse; the log of this step lists them"] == re.findall(r"::(16 more.*)", report)
    assert [f"q{number:03}" for number in range(9, 25)] == listed


def test_no_level_has_more_annotations_than_github_shows(results: Mapping[str, GateResult]) -> None:
    """It drops the rest of more than ten without a word; those that share one stand on no other's line."""
    for name, result in results.items():
        levels = [each.level for each in of(result)]
        assert max((levels.count(level) for level in set(levels)), default=0) <= 10, name
    shared = next(each for each in of(results["fail"]) if each.properties["title"] == "rankgate: 2 findings")
    assert "golden/queries/parts.yaml" == shared.properties["file"]
    assert "line" not in shared.properties
    assert ["17:5: query 'impeller'", "42:5: query 'no-such' "] == [
        line.removeprefix("golden/queries/parts.yaml:")[:22] for line in shared.message.split("\n")
    ]


def test_no_message_is_longer_than_github_keeps(results: Mapping[str, GateResult]) -> None:
    """What is cut is counted, and the cut is between two characters."""
    longest = max((each.message for each in of(results["fail big"])), key=len)

    assert MESSAGE_BYTES < len(longest.encode()) < 4_096
    assert re.search(r"\.\.\. \(\d+ characters more in the other reports\)$", longest)


def test_a_query_that_is_better_by_one_measure_and_worse_by_another_says_so() -> None:
    """Its first result is right now, and another relevant one is gone."""
    queries = (query("q", "mixed", {"a": 3, "b": 3, "c": 3}),)
    before, after = {"q": ["x", "a", "b", "c"]}, {"q": ["a", "x", *"defghijk"]}
    rules = Gate(limits(max_drop=0.01))
    result = decide(rules, compare(GoldenSet(queries), run(after), MEASURES, reference(queries, before)))

    assert of(result)[-1].message.startswith("query 'q' ('mixed') got better and worse: P@1 0 -> 1, nDCG@10 ")


def test_a_pass_has_no_annotation_and_says_so_in_one_line(results: Mapping[str, GateResult]) -> None:
    """A green check is quiet."""
    report = render("github", results["pass"])

    assert [] == annotations(report)
    assert report.splitlines()[-1].startswith("rankgate: PASS (exit code 0): Search did not get worse")


def test_a_selection_gives_no_error(results: Mapping[str, GateResult]) -> None:
    """Without a verdict there is nothing that fails."""
    assert {"warning"} == {each.level for each in of(results["partial, would fail"])}


def test_queries_that_were_not_measured_share_an_annotation_by_their_reason(results: Mapping[str, GateResult]) -> None:
    """An outage is told once, not once a query."""
    found = [
        each.message for each in of(results["inconclusive"]) if each.properties["title"] == "rankgate: not measured"
    ]
    refused = "'q000', 'q001', 'q002', 'q003', 'q005'"

    assert [
        f"5 queries were not measured: connection refused by the service: {refused}",
        "1 query was not measured: timed out after 5 s: 'q004'",
    ] == found


def test_why_nothing_was_measured_comes_before_what_follows_from_it() -> None:
    """A service that is down leaves every rule without a number; the first annotation says why, with few of the ids."""
    queries, base = plain_set(120)
    down = run({}, {each.id: refused() for each in queries})
    rules = Gate(tuple(Limit("floor", P1, number / 10, place=Place(CONFIG, number)) for number in range(1, 13)))
    result = decide(rules, compare(GoldenSet(queries), down, MEASURES, reference(queries, base)))
    first, *others = of(result)

    assert ("error", "rankgate: not measured") == (first.level, first.properties["title"])
    assert (
        "120 queries were not measured: connection refused by the service: "
        "'q000', 'q001', 'q002', 'q003', 'q004', 'q005', 'q006', 'q007', 'q008' and 111 more"
    ) == first.message
    assert [] == [each for each in others if "refused" in each.message]


def test_a_rule_that_failed_comes_before_what_was_not_measured() -> None:
    """It is why the gate failed."""
    queries, base = plain_set(12)
    after = {**swapped(base, *base)}
    del after["q000"]
    down = run(after, {"q000": refused()})
    result = decide(Gate(limits(floor=0.9)), compare(GoldenSet(queries), down, MEASURES, reference(queries, after)))

    assert ["rankgate: nDCG@10 floor", "rankgate: not measured", "rankgate: max_errors"] == [
        each.properties["title"] for each in of(result) if each.level == "error"
    ]


def test_mistakes_stand_on_their_lines_and_ten_have_room() -> None:
    """Of a file as a whole there is no line; those beyond the ninth share the last annotation."""
    problems = [Problem(f"wrong {number}", "golden/a.yaml", number, number and 3) for number in range(12)]
    found = annotations(mistakes(problems, Checkout("/repo", "/repo/shop")))
    place = {"file": "shop/golden/a.yaml"}

    assert [
        Annotation("error", place | {"title": "rankgate"}, "wrong 0"),
        Annotation("error", place | {"line": "1", "col": "3", "title": "rankgate"}, "wrong 1"),
    ] == found[:2]
    shared = "\n".join(f"golden/a.yaml:{number}:3: wrong {number}" for number in (9, 10, 11))
    assert [Annotation("error", place | {"title": "rankgate: 3 findings"}, shared)] == found[9:]
    assert [Annotation("error", {"title": "rankgate"}, "a,b: ::c")] == annotations(
        mistakes([Problem("a,b: ::c")], Checkout())
    )


@pytest.mark.parametrize(("query_id", "text", "document"), HOSTILE)
def test_a_hostile_text_stays_in_its_annotation(query_id: str, text: str, document: str) -> None:
    """The runner finds the annotations of the same gate over plain texts, and in one of them the text, to be seen."""
    queries, base = plain_set(2)
    first = queries[0]
    for name, value in (("id", query_id), ("text", text), ("judgments", {document: 3})):
        object.__setattr__(first, name, value)
    before = {query_id: [document, text], queries[1].id: base[queries[1].id]}
    after = {query_id: [text, document], queries[1].id: base[queries[1].id]}
    golden = GoldenSet(tuple(sorted(queries, key=lambda one: one.id)))
    rules = Gate(limits(max_drop=0.01), lost_queries=0)
    result = decide(rules, compare(golden, run(after), MEASURES, reference(queries, before)))
    report = render("github", result)
    found = annotations(report)

    assert ["rankgate: nDCG@10 max_drop", "rankgate: lost_queries", "rankgate: lost query"] == [
        each.properties["title"] for each in found
    ]
    assert {"error"} == {each.level for each in found}
    assert f"({visible(repr(text))})" in found[-1].message
    assert len(found) + 2 == len(report.splitlines())


def test_nothing_but_our_own_commands_begins_a_line(results: Mapping[str, GateResult]) -> None:
    """Neither in GitHub's form nor in the older one, which counts anywhere in a line, and which Azure reads too."""
    for name, result in results.items():
        report = render("github", result)
        starts = {line.split(" ")[0] for line in report.splitlines() if line.startswith("::")}
        assert starts <= {"::error", "::warning", "::notice"}, name
        assert None is re.search(r"##(vso)?\[|[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]", report), name


@given(query_id=st.text(min_size=1), text=st.text(), document=st.text(min_size=1))
@settings(max_examples=60)
def test_any_text_stays_in_its_annotation(query_id: str, text: str, document: str) -> None:
    """As many annotations, on as many lines, as for the plainest text."""
    queries = (query(query_id, text, {document: 3}),)
    before, after = {query_id: [document, f"{document}."]}, {query_id: [f"{document}.", document]}
    rules = Gate(limits(max_drop=0.01), lost_queries=0)
    result = decide(rules, compare(GoldenSet(queries), run(after), MEASURES, reference(queries, before)))
    report = render("github", result)

    assert 3 == len(annotations(report))
    assert 5 == len(report.splitlines())


def test_messages_and_properties_are_escaped_as_the_runner_undoes_it() -> None:
    """Percent first, or its own escapes would be escaped."""
    text = "100%, a: b\r\n::error::c%0Ad"

    assert "100%25, a: b%0D%0A::error::c%250Ad" == escape(text)
    assert text == undone(escape(text))


@pytest.mark.parametrize(
    ("checkout", "file"),
    [
        (Checkout(), "golden/queries/parts.yaml"),
        (Checkout("/repo", "/repo"), "golden/queries/parts.yaml"),
        (Checkout("/repo", "/repo/services/search"), "services/search/golden/queries/parts.yaml"),
        (Checkout("/repo", "/elsewhere"), "golden/queries/parts.yaml"),
    ],
)
def test_files_are_named_from_the_root_of_the_repository(
    results: Mapping[str, GateResult], checkout: Checkout, file: str
) -> None:
    """Wherever in it rankgate was started; outside of it they stay as they are."""
    facts = gather(results["fail"], command_hints=CommandHints())
    found = annotations(write("github", facts, checkout=checkout))

    assert file == next(each for each in found if each.properties["title"] == "rankgate: lost query").properties["file"]
