"""The report for a terminal or a log."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from rankgate.core.attribution import Cause
from rankgate.core.comparison import compare
from rankgate.core.judgments import GoldenSet
from rankgate.core.limits import Gate, Limit
from rankgate.core.verdict import GateResult, decide
from rankgate.reports import CommandHints, gather, render
from rankgate.reports.records.queries import MovedDocument
from rankgate.reports.rounding import reach
from rankgate.reports.tables import shown_evidence
from rankgate.reports.terminal import _moves, more, to_text
from rankgate.reports.visible import columns
from tests.reports.conftest import (
    JUDGED,
    MEASURES,
    NDCG,
    P1,
    R50,
    ZERO,
    limits,
    plain_set,
    query,
    reference,
    run,
    swapped,
)
from tests.reports.pages import facts_of, page_of


def test_golden_report(results: Mapping[str, GateResult], check_golden: Callable[[str, str], None]) -> None:
    """The report of a failing gate at 80 columns is the recorded one, to the byte."""
    check_golden("fail.txt", render("text", results["fail"]))


def test_no_line_is_wider_than_the_page(results: Mapping[str, GateResult]) -> None:
    """At 40 to 120 columns, whatever the ids: no line is wider."""
    for result in results.values():
        for width in (40, 60, 80, 120):
            assert width >= max(columns(line) for line in page_of("text", result, width=width).splitlines())


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
            assert (name, True) == (name, page_of("text", result).isascii())


def test_no_line_is_a_command_to_a_runner(results: Mapping[str, GateResult]) -> None:
    """At any width, wrapping never puts a workflow command of the data at the start of a line."""
    for width in range(60, 130, 3):
        text = page_of("text", results["fail hostile"], width=width)
        assert [] == [line for line in text.splitlines() if line.lstrip().startswith("::")]


def test_120_bad_queries_stay_readable(results: Mapping[str, GateResult]) -> None:
    """However much failed, the report has some 150 lines, and counts what it leaves out."""
    text = page_of("text", results["fail big"])
    assert 160 >= len(text.splitlines())
    assert "8 of 120" in text
    assert "more queries" in text


def test_a_pass_is_short(results: Mapping[str, GateResult]) -> None:
    """A pass prints verdict, headline, the measured line and the table."""
    text = render("text", results["pass"])
    assert "Slices" not in text
    assert "Next" not in text
    assert 20 >= len(text.splitlines())


def test_a_pass_shows_what_got_worse(results: Mapping[str, GateResult]) -> None:
    """By no more than it may: the first few queries with their moves, and which lost their first result."""
    text = render("text", results["pass, one worse"])
    assert (
        """
Worst queries  (1; costs in nDCG(dcg='exp-log2')@10)
  q002  "part 2"
    P@1 1 -> 0   nDCG@10 1 -> 0.5413
      good-2  grade 3  1 -> 3     -0.4587  demoted behind hole-2, fair-2

Lost queries  (1)
  q002  good-2 1st -> rank 3; now hole-2 (unjudged)

Next
  look closer: rankgate explain q002
"""
        in text
    )
    assert "nothing to do" not in text

    queries, before = plain_set()
    everywhere = compare(GoldenSet(queries), run(swapped(before, *before)), MEASURES, reference(queries, before))
    assert "Worst queries  (3 of 10; " in render("text", decide(Gate(), everywhere))


@pytest.mark.parametrize(
    ("above", "width", "says"),
    [
        (2, 80, "demoted behind 2 documents"),
        (2, 95, "demoted behind 9007199254740000 and 1 more"),
        (2, 100, "demoted behind 9007199254740000, 9007199254740001"),
        (34, 80, "demoted behind 34 documents"),
        (34, 100, "demoted behind 9007199254740000 and 33 more"),
        (34, 120, "demoted behind 9007199254740000, 9007199254740001 and 32 more"),
        (34, 200, "demoted behind 9007199254740000, 9007199254740001, 9007199254740002 and 31 more"),
    ],
)
def test_a_cause_is_shortened_by_whole_ids(above: int, width: int, says: str) -> None:
    """Neither a sentence nor an id is cut: fewer are named, and where none has room they are counted."""
    newer = [str(9007199254740000 + place) for place in range(above)]
    golden = GoldenSet((query("q", "q", {"9007199254799999": 3, **dict.fromkeys(newer, 1)}),))
    before = {"q": ["9007199254799999", *newer]}
    result = decide(
        Gate(limits(max_drop=0.01)),
        compare(golden, run({"q": [*newer, "9007199254799999"]}), MEASURES, reference(golden.queries, before)),
    )
    text = render("text", result, width=width)

    assert [says] == [line.rpartition("  ")[2] for line in text.splitlines() if "demoted behind" in line]
    assert width >= max(map(columns, text.splitlines()))


def test_a_cause_that_has_no_room_has_a_line_of_its_own() -> None:
    """It cannot be put in fewer words, and is not cut."""
    move = MovedDocument(
        "document-" + "x" * 60, 3, 12, None, -0.5, Cause.DUPLICATES, "answer ended at rank 8, 12 repeated ids dropped"
    )
    text = to_text(_moves([move], 74), width=80, color=False)

    assert "  answer ended at rank 8, 12 repeated ids dropped" == text.splitlines()[1]


@pytest.mark.parametrize("width", [40, 60, 70, 80])
def test_no_rule_is_shown_without_its_measure(results: Mapping[str, GateResult], width: int) -> None:
    """However narrow the page is."""
    for name, result in results.items():
        gate = section(page_of("text", result, width=width), "Gate")
        wanted = {row.measure_label for row in facts_of(result).rules if row.measure}
        assert (name, width, []) == (name, width, [label for label in wanted if label not in gate])


@pytest.mark.parametrize("width", [60, 80, 100])
def test_what_is_gated_comes_first_where_slices_have_little_room(width: int) -> None:
    """Whatever the order of the measures."""
    queries, before = plain_set(4)
    for each in queries:
        object.__setattr__(each, "slices", ("some",))
    rules = Gate((Limit("max_rise", ZERO, 0.1), Limit("floor", P1, 0.9)))
    result = decide(
        rules,
        compare(
            GoldenSet(queries), run(swapped(before, *before)), (JUDGED, NDCG, R50, P1, ZERO), reference(queries, before)
        ),
    )
    slices = render("text", result, width=width).partition("\nSlices ")[2].partition("\n\n")[0]
    head, _, rest = slices.partition("\n")[2].partition("no room for ")

    assert ["P@1", "ZeroResults"] == [label for label in ("P@1", "ZeroResults") if label in head]
    assert (width, width < 100) == (width, "Judged@10" in rest or "R@50" in rest)


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


def test_a_narrow_page_has_every_number(results: Mapping[str, GateResult]) -> None:
    """At 40 columns a table has no room: its rows are paragraphs, and no number or word is cut."""
    narrow = render("text", results["fail"], width=40)
    gate = section(narrow, "Gate")
    wide = section(render("text", results["fail"], width=80), "Gate")

    assert (
        """\
FAIL  nDCG@10 jargon  max_drop
  baseline 0.9963   now 0.7449
  change -0.2514   limit 0.04
  = queries 0.08/2
FAIL  lost_queries
  now 2   limit 1   = queries 1/7
"""
        in gate
    )
    assert re.findall(r"[-+]?[\d.]+%?", wide) == re.findall(r"[-+]?[\d.]+%?", gate)
    assert "\N{HORIZONTAL ELLIPSIS}" not in narrow
    assert (
        """\
      SN-2231
        grade 3    1 -> 5     -0.4569
        demoted behind ML-0912, WO-5,
        X-1
      DR-77
        grade 1    4 -> gone  -0.0459
        gone from the ranking
      X-9
        unjudged new -> 1
"""
        in narrow
    )


def section(text: str, title: str) -> str:
    """What stands under a title."""
    return text.partition(f"\n{title}\n")[2].partition("\n\n")[0]


def guarded(broken: str) -> GateResult:
    """Eight slices of two queries each; every query got a little worse, and those of *broken* lost all."""
    queries, before = plain_set(16)
    for number, each in enumerate(queries):
        object.__setattr__(each, "slices", (f"slice-{number // 2}",))
    lost = {each.id for each in queries if broken in each.slices}
    after = {name: ["x"] if name in lost else [docs[1], docs[0]] for name, docs in before.items()}
    rules = (
        Limit("warn_drop" if name < "slice-4" else "max_drop", NDCG, 0.1 if name < "slice-4" else 0.6, slice=name)
        for name in sorted({each.slices[0] for each in queries})
    )
    return decide(Gate(tuple(rules)), compare(GoldenSet(queries), run(after), MEASURES, reference(queries, before)))


@pytest.mark.parametrize("broken", ["slice-4", "slice-7"])
def test_evidence_begins_with_the_rules_that_failed(broken: str) -> None:
    """Then what warned; what the room does not suffice for is the least of it."""
    result = guarded(broken)
    shown = [(row.label, row.slice) for row in shown_evidence(gather(result, command_hints=CommandHints()))]

    assert ("nDCG@10", broken) == shown[0]
    assert [("nDCG@10", f"slice-{number}") for number in range(4)] == shown[1:5]
    assert {"all"} == {name for _, name in shown[5:]}
    assert f"nDCG@10 {broken}" in render("text", result).partition("\nEvidence ")[2]


def test_evidence_says_how_far_judging_could_move_a_change(results: Mapping[str, GateResult]) -> None:
    """As far as it could, and of what it could not move or nobody knows: nothing."""
    text = " ".join(render("text", results["fail"]).split())
    rows = gather(results["fail"], command_hints=CommandHints()).evidence
    unknown = next(row for row in rows if row.label == "Judged@10")
    still = replace(unknown, least=-0.25, greatest=-0.25)

    assert "judging alone could make the change: " in text
    assert "P@1 -0.2857 to 0.0000; nDCG@10 -0.3021 to -0.0383; " in text
    assert ("", "", "-0.2500 to 0.0000") == (reach(unknown), reach(still), reach(replace(still, greatest=0.0)))


@pytest.mark.parametrize(("left", "says"), [(0, []), (1, ["  and 1 more query"]), (2, ["  and 2 more queries"])])
def test_what_is_left_out_is_counted_as_people_do(left: int, says: list[str]) -> None:
    """One more query, two more queries."""
    assert says == to_text(more(left, "query", "queries"), width=80, color=False).splitlines()[: len(says)]


def test_the_next_step_is_the_command_of_who_asks(results: Mapping[str, GateResult]) -> None:
    """A team that has a name for it reads that name."""
    assert "make search-gate" in render("text", results["inconclusive"], hints=CommandHints(check="make search-gate"))
