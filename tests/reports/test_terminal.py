"""The report for a terminal or a log."""

import re
import unicodedata
from collections.abc import Callable, Mapping

import pytest

from rankgate.core.verdict import GateResult
from rankgate.reports import CommandHints, render
from rankgate.reports.visible import columns


def test_golden_report(results: Mapping[str, GateResult], check_golden: Callable[[str, str], None]) -> None:
    """The report of a failing gate at 80 columns is the recorded one, to the byte."""
    check_golden("fail.txt", render("text", results["fail"]))


def test_no_line_is_wider_than_the_page(results: Mapping[str, GateResult]) -> None:
    """At 80, 60 and 120 columns, whatever the ids: no line is wider."""
    for result in results.values():
        for width in (60, 80, 120):
            assert width >= max(columns(line) for line in render("text", result, width=width).splitlines())


def test_without_color_there_is_no_escape_code(
    results: Mapping[str, GateResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the data nor an environment that asks for colour brings one in, and no control character either."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    for result in results.values():
        text = render("text", result)
        assert set() == {char for char in text if unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp"}} - {"\n"}


def test_with_color_the_data_still_has_no_say(
    results: Mapping[str, GateResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every escape code is a plain colour of rankgate's own; without them the report is the same text."""
    monkeypatch.setenv("NO_COLOR", "1")
    colored = render("text", results["fail hostile"], color=True)
    assert "\x1b[1;31mFAIL\x1b[0m" in colored
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", colored)
    assert "\x1b" not in stripped
    plain = render("text", results["fail hostile"])
    assert [line.rstrip() for line in plain.splitlines()] == [line.rstrip() for line in stripped.splitlines()]


def test_data_is_no_markup(results: Mapping[str, GateResult]) -> None:
    """Brackets and emoji names in ids and texts are printed as they are."""
    text = render("text", results["fail hostile"], width=200)
    assert "[red]markup[/red]" in text
    assert ":smile:" in text


def test_own_words_are_ascii(results: Mapping[str, GateResult]) -> None:
    """What rankgate itself writes can be printed in every code page."""
    for name, result in results.items():
        if name not in {"fail hostile", "warn twins"}:
            assert (name, True) == (name, render("text", result).isascii())


def test_no_line_is_a_command_to_a_runner(results: Mapping[str, GateResult]) -> None:
    """At any width, wrapping never puts a workflow command of the data at the start of a line."""
    for width in range(60, 130, 3):
        text = render("text", results["fail hostile"], width=width)
        assert [] == [line for line in text.splitlines() if line.lstrip().startswith("::")]


def test_120_bad_queries_stay_readable(results: Mapping[str, GateResult]) -> None:
    """However much failed, the report has some 150 lines, and counts what it leaves out."""
    text = render("text", results["fail big"])
    assert 150 >= len(text.splitlines())
    assert "8 of 120" in text
    assert "more queries" in text


def test_a_pass_is_short(results: Mapping[str, GateResult]) -> None:
    """A pass prints verdict, headline, the measured line and the table."""
    text = render("text", results["pass"])
    assert "Slices" not in text
    assert "Next" not in text
    assert 20 >= len(text.splitlines())


def test_order_is_verdict_reasons_numbers_queries_next(results: Mapping[str, GateResult]) -> None:
    """What decides comes first."""
    text = render("text", results["fail"])
    marks = (
        "FAIL  exit code 1",
        "Search got worse",
        "measured",
        "golden/rankgate.yaml:12:22: P@1 fell",
        "\nGate\n",
        "\nSlices ",
        "\nWorst queries ",
        "\nLost queries ",
        "\nGained queries ",
        "\nChanges of the golden set",
        "\nNotes",
        "\nNext\n",
    )
    places = [text.index(mark) for mark in marks]
    assert sorted(places) == places


def test_unmeasured_queries_are_named(results: Mapping[str, GateResult]) -> None:
    """The failures are listed by reason with the ids of the queries."""
    text = render("text", results["inconclusive"])
    assert "5 x unreachable: connection refused by the service" in text
    assert "q000, q001, q002, q003, q005" in text
    assert "means are at their worst" in text


def test_the_bare_width_is_enough(results: Mapping[str, GateResult]) -> None:
    """A very narrow page is taken as it is: the numbers may be cut, nothing breaks."""
    assert render("text", results["fail"], width=40).startswith("FAIL")


def test_the_same_result_gives_the_same_bytes(results: Mapping[str, GateResult]) -> None:
    """Rendering twice changes nothing."""
    hints = CommandHints(check="make search-gate")
    first, second = (render("text", results["inconclusive"], hints=hints) for _ in range(2))
    assert first == second
    assert "make search-gate" in first
