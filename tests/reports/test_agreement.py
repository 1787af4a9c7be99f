"""Every format says the same verdict and the same exit code, whatever the gate's end and whatever the texts."""

import html
import json
import re
from collections.abc import Callable, Mapping
from xml.etree import ElementTree as ET

import pytest

from rankgate.core.findings import Status
from rankgate.core.verdict import GateResult, Outcome
from rankgate.reports import FORMATS, rounding
from rankgate.reports.terminal import FAILED_SHOWN, SENTENCE_LENGTH
from rankgate.reports.visible import visible
from tests.reports.pages import facts_of, page_of, read

Reader = Callable[[str], tuple[str, int]]


def read_text(report: str) -> tuple[str, int]:
    """The first line."""
    word, code = re.match(r"([A-Z]+)  exit code (\d)\n", report).groups()  # type: ignore[union-attr]
    return word, int(code)


def read_json(report: str) -> tuple[str, int]:
    """Two keys."""
    document = json.loads(report)
    return document["verdict"], document["exit_code"]


def read_markdown(report: str) -> tuple[str, int]:
    """The heading, and the measured line."""
    word = re.match(r"## rankgate: ([A-Z]+)\n", report)[1]  # type: ignore[index]
    return word, int(re.search(r"; exit code (\d)\n", report)[1])  # type: ignore[index]


def read_junit(report: str) -> tuple[str, int]:
    """Two properties."""
    properties = {node.get("name"): node.get("value", "") for node in ET.fromstring(report).iter("property")}
    return properties["verdict"], int(properties["exit_code"])


def read_github(report: str) -> tuple[str, int]:
    """The last line."""
    word, code = re.fullmatch(r"rankgate: ([A-Z]+) \(exit code (\d)\): .*", report.splitlines()[-1]).groups()  # type: ignore[union-attr]
    return word, int(code)


def read_gitlab(report: str) -> tuple[str, int]:
    """The first finding; a pass is what has none."""
    found = json.loads(report)
    if not found:
        return "PASS", 0
    word, code = re.match(r"([A-Z]+) \(exit code (\d)\): ", found[0]["description"]).groups()  # type: ignore[union-attr]
    return word, int(code)


def read_openmetrics(report: str) -> tuple[str, int]:
    """The state that is 1, and a gauge."""
    word = re.search(r'^rankgate_verdict\{rankgate_verdict="(\w+)"\} 1$', report, re.MULTILINE)[1]  # type: ignore[index]
    return word.upper(), int(re.search(r"^rankgate_exit_code (\d)$", report, re.MULTILINE)[1])  # type: ignore[index]


def read_html(report: str) -> tuple[str, int]:
    """The first heading, and the line beside it."""
    word = re.search(r"<h1>.*?</span> ([A-Z]+)</h1>", report)[1]  # type: ignore[index]
    return word, int(re.search(r">exit code (\d)</p>", report)[1])  # type: ignore[index]


READERS: Mapping[str, Reader] = {
    "text": read_text,
    "json": read_json,
    "markdown": read_markdown,
    "github": read_github,
    "junit": read_junit,
    "gitlab": read_gitlab,
    "openmetrics": read_openmetrics,
    "html": read_html,
}


@pytest.mark.parametrize("name", sorted(READERS))
def test_verdict_and_exit_code(results: Mapping[str, GateResult], name: str) -> None:
    """The word and the code that a report states are those of the verdict."""
    for case, result in results.items():
        expected = (case, result.verdict.outcome.value.upper(), result.verdict.exit_code)
        assert expected == (case, *READERS[name](page_of(name, result)))


def sentences_of_json(report: str) -> str:
    """What is said of the verdict and of each rule."""
    document = json.loads(report)
    rows = [*document["rules"], *document["pins"]]
    return " ".join(map(visible, [document["headline"], document["measured"], *(row["message"] for row in rows)]))


#: The text of a report without the escaping of its format.
PLAIN: Mapping[str, Callable[[str], str]] = {
    "text": str,
    "json": sentences_of_json,
    "markdown": lambda report: html.unescape(report).replace("\u200b", ""),
    "github": lambda report: report.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%"),
    "junit": lambda report: " ".join(
        text for node in ET.fromstring(report).iter() for text in (node.text or "", *node.attrib.values())
    ),
    "gitlab": lambda report: " ".join(found["description"] for found in json.loads(report)),
    "openmetrics": lambda report: report.replace('\\"', '"').replace("\\\\", "\\"),
    "html": html.unescape,
}


def words(text: str) -> str:
    return " ".join(visible(text).split())


@pytest.mark.parametrize("name", sorted(READERS))
def test_headline_and_measured_line_are_in_every_format(results: Mapping[str, GateResult], name: str) -> None:
    """What answers the reader's question is the same everywhere.

    Code Quality has nothing for a pass, and metrics count what was measured in samples.
    """
    for case, result in results.items():
        facts = facts_of(result)
        report = words(PLAIN[name](page_of(name, result, width=10_000)))
        nothing = name == "gitlab" and facts.outcome is Outcome.PASS

        assert (case, not nothing) == (case, words(facts.headline) in report)
        assert (case, not nothing and name != "openmetrics") == (case, words(facts.measured) in report)


@pytest.mark.parametrize("name", sorted({*READERS} - {"openmetrics"}))
def test_the_sentence_of_each_broken_rule_is_in_every_format(results: Mapping[str, GateResult], name: str) -> None:
    """Failed, undecided or warned; as many as a terminal shows, and none that is too long for a line of it."""
    for case, result in results.items():
        facts = facts_of(result)
        rows = [row for status in (Status.FAIL, Status.UNDECIDED, Status.WARN) for row in facts.with_status(status)]
        report = words(PLAIN[name](page_of(name, result, width=10_000)))
        told = [row.message for row in rows[:FAILED_SHOWN] if len(visible(row.message)) <= SENTENCE_LENGTH]

        assert (case, []) == (case, [each for each in told if words(each) not in report])


#: What the status of a measure that no rule judges is called.
NO_RULE = re.compile(r"\bno (rule|verdict)\b")
#: Baseline, now, change and limit of a rule, as written.
Numbers = tuple[str, ...]


def numbers_of_json(report: str) -> list[Numbers]:
    """Written as tables do it: with the sign that says where queries failed."""
    return [
        (
            rounding.bounded(row["baseline"], row["baseline_best"]),
            rounding.bounded(row["now"], row["now_best"])
            if row["measure"] or row["now"] is None
            else f"{row['now']:g}",
            rounding.bounded_change(row["change"], row["change_best"]),
            " ".join(
                [
                    *([] if row["limit"] is None else [f"{row['limit']:g}"]),
                    *([] if row["limit_relative"] is None else [f"{100 * row['limit_relative']:g}%"]),
                ]
            )
            or "-",
        )
        for row in json.loads(report)["rules"]
        if row["measure"] or row["limit"] is not None
    ]


def numbers_of_markdown(report: str) -> list[Numbers]:
    """Of the table of rules, those that no rule judges left out."""
    lines = report.partition("\n### Gate\n\n")[2].partition("\n\n")[0].splitlines()[2:]
    rows = [html.unescape(line).strip("| ").split(" | ") for line in lines if not NO_RULE.search(line)]
    return [tuple(row[4:8]) for row in rows]


def numbers_of_html(report: str) -> list[Numbers]:
    """The same; a sign and a word stand beside a change."""
    gate = next(each for each in read(report).all("section") if each.attributes.get("id") == "gate")
    rows = [[cell.text for cell in row.all("td")] for row in gate.all("tr")[1:]]
    return [(*row[2:4], re.sub(r"[^-+.<>=\d]", "", row[4]), row[5]) for row in rows if not NO_RULE.search(row[0])]


def numbers_of_text(report: str) -> list[Numbers]:
    """Of a page that is wide enough for the table; the last column is the limit in queries."""
    lines = report.partition("\nGate\n")[2].partition("\n\n")[0].splitlines()[2:]
    rows = [line for line in lines if not line.startswith("  ") and not NO_RULE.search(line)]
    return [re.search(r"(\S+) +(\S+) +(\S+) +(\S+(?: [\d.]+%)?) +\S+$", row).groups() for row in rows]  # type: ignore[union-attr]


TABLES: Mapping[str, Callable[[str], list[Numbers]]] = {
    "text": numbers_of_text,
    "markdown": numbers_of_markdown,
    "html": numbers_of_html,
}


@pytest.mark.parametrize("name", sorted(TABLES))
def test_the_numbers_of_each_rule_are_the_same_in_every_table(results: Mapping[str, GateResult], name: str) -> None:
    """Unrounded in JSON, and rounded the same way wherever people read them."""
    for case, result in results.items():
        expected = numbers_of_json(page_of("json", result))
        assert (case, expected) == (case, TABLES[name](page_of(name, result, width=200)))


def test_the_data_of_a_page_says_what_the_json_says(results: Mapping[str, GateResult]) -> None:
    """Query by query: its state, its values, and the sentences of the rules that are about it."""
    for case, result in results.items():
        document = json.loads(page_of("json", result))
        scripts = [
            each for each in read(page_of("html", result)).all("script") if "json" in each.attributes.get("type", "")
        ]
        data = json.loads(scripts[0].text)
        rows = [*document["rules"], *document["pins"]]
        expected = [
            (
                visible(query["id"]),
                query["state"],
                [
                    [rounding.brief(each["before"]), rounding.brief(each["now"]), rounding.signed(each["change"])]
                    for each in query["values"]
                ],
                [visible(row["message"]) for row in rows if query["id"] in row["query_ids"]],
            )
            for query in document["queries"]
        ]
        found = [
            (
                query["id"],
                query["state"],
                [value[:3] for value in query.get("values", [])],
                [sentence for _, _, sentence, _ in query.get("rules", [])],
            )
            for query in data["queries"]
        ]

        assert (case, expected) == (case, found)


def test_causes_are_the_same_in_every_format(results: Mapping[str, GateResult]) -> None:
    """Each of the first moves of a worst query beside its document, and the sentence of the totals."""
    result = results["fail"]
    document = json.loads(page_of("json", result))
    pages = {
        "text": " ".join(page_of("text", result, width=200).split()),
        "markdown": html.unescape(page_of("markdown", result)).replace("\u200b", ""),
    }
    said = [
        (move["document"], move["reason"])
        for query in document["queries"]
        for move in query["moves"][:3]
        if query["id"] in document["worst"] and move["reason"]
    ]
    patterns = {"text": r"{} grade \d \S+ -> \S+ \S+ {}", "markdown": r"<code>{}</code> \(grade \d\): [^\n]*, {}\n"}

    assert {"nothing was returned", "demoted behind HB-10", "gone from the ranking"} < {each for _, each in said}
    for name, page in pages.items():
        assert document["causes"]["sentence"] in page
        for moved, why in said:
            assert re.search(patterns[name].format(re.escape(moved), re.escape(why)), page), (name, moved, why)


def test_every_outcome_is_covered(results: Mapping[str, GateResult]) -> None:
    """The cases have every outcome and every exit code that a verdict can give."""
    assert set(Outcome) == {result.verdict.outcome for result in results.values()}
    assert {0, 1, 3} == {result.verdict.exit_code for result in results.values()}


def test_every_format_has_its_reader() -> None:
    """A format that is added is held to agree with the others."""
    assert set(FORMATS) == set(READERS)
