"""The report for a pull request."""

import html
import re
from collections.abc import Callable, Mapping

import pytest

from rankgate.core.comparison import compare
from rankgate.core.judgments import GoldenSet
from rankgate.core.limits import Gate
from rankgate.core.verdict import GateResult, decide
from rankgate.reports import markdown, render
from rankgate.reports.visible import visible
from tests.reports.conftest import MEASURES, limits, plain_set, reference, run
from tests.reports.pages import page_of


def test_golden_report(results: Mapping[str, GateResult], check_golden: Callable[[str, str], None]) -> None:
    """The report of a failing gate is the recorded one, to the byte."""
    check_golden("fail.md", render("markdown", results["fail"]))


def test_it_fits_a_comment(results: Mapping[str, GateResult]) -> None:
    """However much failed, it stays under 60,000 characters and says what it left out."""
    for result in results.values():
        assert 60_000 > len(page_of("markdown", result))
    text = page_of("markdown", results["fail big"])
    left_out = re.search(r"Left out to stay under 60,000 characters: (.*)\. The JSON report has all\.", text)
    assert left_out is not None
    assert "queries" in left_out[1]
    assert text.index("### Not as it should be") < text.index("### Next") < text.index("### Gate")


def test_many_slices_leave_room_for_the_queries() -> None:
    """Neither may the worst queries take the room of the lost ones: of each there is something."""
    queries, before = plain_set(300)
    for number, each in enumerate(queries):
        object.__setattr__(each, "slices", (f"a slice whose name is long: number {number % 150:03}",))
    after = {each: [f"x-{rank}" for rank in range(9)] for each in before}
    rules = Gate(limits(max_drop=0.01), lost_queries=0)
    text = render(
        "markdown", decide(rules, compare(GoldenSet(queries), run(after), MEASURES, reference(queries, before)))
    )
    sizes = {
        title: len(part)
        for title, part in re.findall(r"(?:### |<summary>)(\w+)(.*?)(?=### |<summary>|\Z)", text, re.DOTALL)
    }

    assert 55_000 < len(text) < 60_000
    assert sizes["Slices"] < sizes["Worst"]
    assert min(sizes["Slices"], sizes["Worst"], sizes["Lost"]) > 5_000
    assert re.search(r"Left out .*: \d+ slices, \d+ queries, \d+ lost queries\.", text)


def test_parts_are_closed(results: Mapping[str, GateResult]) -> None:
    """Every collapsible part that is opened is closed, also where items were left out."""
    for result in results.values():
        text = page_of("markdown", result)
        assert text.count("<details>") == text.count("</details>")
        assert text.count("<code>") == text.count("</code>")


def test_every_row_of_a_table_has_its_columns(results: Mapping[str, GateResult]) -> None:
    """No pipe or line break of the data makes or breaks a cell."""
    for result in results.values():
        for table in re.findall(r"(?:^\|.*\n)+", page_of("markdown", result), re.MULTILINE):
            assert 1 == len({line.count("|") for line in table.splitlines()})


def test_only_own_tags(results: Mapping[str, GateResult]) -> None:
    """No tag, comment or link of the data is left as it was."""
    for result in results.values():
        text = page_of("markdown", result)
        tags = set(re.findall(r"<[^>]*>", text))
        assert tags <= {"<details>", "</details>", "<summary>", "</summary>", "<code>", "</code>"}
        assert not re.search(r"\]\(|!\[|`|~~|javascript:|://", text)


def test_nobody_is_mentioned(results: Mapping[str, GateResult]) -> None:
    """A mention or an issue number of the data is in code, or broken, in the finished page too."""
    text = page_of("markdown", results["fail hostile"])
    finished = html.unescape(re.sub(r"<code>.*?</code>", "", text))
    assert "@octocat" not in finished
    assert "@org/team" not in finished
    assert "#12" not in finished
    assert ":smile:" not in finished
    assert ")@10" not in finished
    assert "@octocat" not in text


@pytest.mark.parametrize(
    "text", ["a|b", "`x`", "<b>", "**x** _y_ ~z~", "# h", "- i", "[a](b)", "a\nb", "$x$", "www.x.org"]
)
def test_escaped_text_reads_as_it_was(text: str) -> None:
    """A reader sees the text as it is written, on one line."""
    escaped = markdown.escape(text)
    assert visible(text) == html.unescape(escaped)
    assert not re.search(r"[|`<*_~\[\]$\n]|^#", escaped.replace("&#", ""))


def test_data_starts_no_line(results: Mapping[str, GateResult]) -> None:
    """Every line starts as the report makes lines start, so no heading or list is forged."""
    own = re.compile(
        r"(## |### |\*\*|\| |- |  - |<details>|</details>|Costs of|Of the |No move |Means are|Left out|\d+ of \d+ "
        r"|interval&#58; |compared&#58; |$)"
    )
    for result in results.values():
        assert [] == [line for line in page_of("markdown", result).splitlines() if not own.match(line)]


def test_failures_are_listed(results: Mapping[str, GateResult]) -> None:
    """What was not measured is listed by reason, and the means say that they are at their worst."""
    text = page_of("markdown", results["inconclusive"])
    assert "- 5 x unreachable" in text
    assert "Means are at their worst" in text
