"""Every format says the same verdict and the same exit code, whatever the gate's end and whatever the texts."""

import html
import json
import re
from collections.abc import Callable, Mapping
from xml.etree import ElementTree as ET

import pytest

from rankgate.core.verdict import GateResult, Outcome
from rankgate.reports import FORMATS, render

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
        assert expected == (case, *READERS[name](render(name, result)))


def test_headline_is_in_every_format(results: Mapping[str, GateResult]) -> None:
    """The sentence that answers the reader's question is the same everywhere."""
    result = results["inconclusive"]
    sentence = "Could not tell whether search got worse"
    assert [True] * len(READERS) == [sentence in render(name, result) for name in READERS]


def test_causes_are_the_same_in_every_format(results: Mapping[str, GateResult]) -> None:
    """Each of the first moves of a worst query beside its document, and the sentence of the totals."""
    result = results["fail"]
    document = json.loads(render("json", result))
    pages = {
        "text": " ".join(render("text", result, width=200).split()),
        "markdown": html.unescape(render("markdown", result)).replace("\u200b", ""),
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
