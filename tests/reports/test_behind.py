"""The slice behind a mean, in words, and first in every report."""

import html
import json
from collections.abc import Mapping
from typing import Final

import pytest

from rankgate.core.behind import Behind
from rankgate.core.catalog import Measure
from rankgate.core.comparison import compare
from rankgate.core.judgments import GoldenSet
from rankgate.core.limits import Gate, Limit
from rankgate.core.verdict import GateResult, decide
from rankgate.reports import CommandHints, gather, render
from rankgate.reports.behind import behind_facts
from tests.reports.conftest import NDCG, P1, limits, query, reference, run

ZERO: Final = Measure("ZeroResults")
P10: Final = Measure("P", 10, 1)
HINTS: Final = CommandHints()


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            Behind(NDCG, "jargon", True, True, 0.01, 12, -0.04, 6, -0.02),
            "nDCG@10 rose by 0.0100 on the whole and fell by 0.0400 on slice 'jargon' (6 of 12 compared queries)",
        ),
        (
            Behind(NDCG, "jargon", True, False, 1e-12, 12, -0.04, 6, -0.02),
            (
                "nDCG@10 held on the whole and fell by 0.0400 on slice 'jargon' (6 of 12 compared queries), "
                "which has no rule for it"
            ),
        ),
        (
            Behind(NDCG, "jargon", True, True, -0.002, 12, -0.04, 6, -0.02),
            "nDCG@10 fell by 0.0020 on the whole and by 0.0400 on slice 'jargon' (6 of 12 compared queries)",
        ),
        (
            Behind(ZERO, "jargon", True, True, -0.125, 8, 0.5, 4, 0.25),
            "ZeroResults fell by 0.1250 on the whole and rose by 0.5000 on slice 'jargon' (4 of 8 compared queries)",
        ),
        (
            Behind(NDCG, "x", False, False, -0.023, 10, -0.095, 2, -0.019),
            (
                "nDCG@10 fell by 0.0230 on the whole, most of it on slice 'x' (2 of 10 compared queries): "
                "-0.0190 of -0.0230"
            ),
        ),
        (
            Behind(NDCG, "x", False, False, -0.023, 10, -0.03, 3, -0.009),
            (
                "nDCG@10 fell by 0.0230 on the whole, more than its share of it on slice 'x' (3 of 10 compared queries): "
                "-0.0090 of -0.0230"
            ),
        ),
        (
            Behind(ZERO, "x", False, True, 0.1, 10, 0.75, 4, 0.3),
            (
                "ZeroResults rose by 0.1000 on the whole, all of it on slice 'x' (4 of 10 compared queries): "
                "+0.3000 of +0.1000"
            ),
        ),
    ],
)
def test_every_kind_has_its_sentence(found: Behind, sentence: str) -> None:
    """With the numbers of the whole and of the slice, and which way they went."""
    assert [sentence] == [fact.sentence for fact in behind_facts([found], {NDCG: "nDCG@10", ZERO: "ZeroResults"})]


def paradox(*rules: Limit) -> GateResult:
    """Six of ten queries find three more relevant document, four lose three each: P@10 rises by 0.06.

    The first document stays what it was.
    """
    documents = [f"d{number}" for number in range(10)]
    rows = {f"h{number}": ("head", 5, 8) for number in range(6)} | {
        f"j{number}": ("jargon", 9, 6) for number in range(4)
    }
    queries = tuple(
        query(name, name, dict.fromkeys(documents, 1), slice_name) for name, (slice_name, *_) in rows.items()
    )
    others = [f"x{number}" for number in range(10)]
    before = {name: documents[:count] + others[count:] for name, (_, count, _) in rows.items()}
    now = {name: documents[:count] + others[count:] for name, (_, _, count) in rows.items()}
    comparison = compare(GoldenSet(queries), run(now, depth=10), (P10, P1), reference(queries, before))
    return decide(Gate(rules), comparison)


def drop(points: float, slice_name: str = "all") -> Limit:
    return Limit("max_drop", P10, points, slice=slice_name)


SAID: Final = "P@10 rose by 0.0600 on the whole and fell by 0.3000 on slice 'jargon' (4 of 10 compared queries)"


def test_every_format_says_it_first() -> None:
    """Before the broken rules; the numbers are in the JSON, unrounded, and its sentence is that of the others."""
    result = paradox(drop(0.1), drop(0.04, "jargon"))
    document = json.loads(render("json", result))
    text = " ".join(render("text", result, width=200).split())
    markdown = html.unescape(render("markdown", result)).replace("\u200b", "")
    fact = document["behind"][0]

    assert {
        "sentence": SAID,
        "measure": "P@10",
        "label": "P@10",
        "slice": "jargon",
        "hidden": True,
        "guarded": True,
        "queries": 10,
        "slice_queries": 4,
    } == {key: value for key, value in fact.items() if not isinstance(value, float)}
    assert pytest.approx({"change": 0.06, "slice_change": -0.3, "part": -0.12}) == {
        key: value for key, value in fact.items() if isinstance(value, float)
    }
    assert 0 < text.index(SAID) < text.index("P@10 on slice 'jargon' fell by 0.3000, from")
    assert 0 < markdown.index(f"### Behind the means\n\n- {SAID}\n") < markdown.index("### Not as it should be")


@pytest.mark.parametrize(
    ("rules", "headline"),
    [
        (
            (drop(0.1), drop(0.04, "jargon")),
            (
                "Search got worse on slice 'jargon', though P@10 rose on the whole: "
                "1 of 2 rules failed (P@10 max_drop on 'jargon'), most of all for query 'j0' and 3 alike"
            ),
        ),
        (
            (drop(0.1),),
            (
                "Search got worse nowhere beyond its limits: 1 rule holds; 6 queries better, 0 same, 4 worse, "
                "most of all for query 'j0' and 3 alike, but P@10 rose on the whole and got worse on slice 'jargon'"
            ),
        ),
        (
            (drop(0.05),),
            (
                "Search got better by more than its limits can guard (P@10 headroom), but P@10 rose on the whole "
                "and got worse on slice 'jargon'"
            ),
        ),
    ],
)
def test_the_headline_does_not_hide_it(rules: tuple[Limit, ...], headline: str) -> None:
    """Neither a pass nor a failure is told as if the mean were all."""
    found = gather(paradox(*rules), command_hints=CommandHints("", "", "", "")).headline

    assert headline == found


def test_no_slice_no_word(results: Mapping[str, GateResult]) -> None:
    """A set without slices, and a selection, of which a mean says nothing, have no such line."""
    for name in ("pass", "warn drop", "partial", "partial, would fail"):
        assert () == gather(results[name], command_hints=HINTS).behind
        assert "Behind the means" not in render("markdown", results[name])


def test_many_slices_are_counted() -> None:
    """The terminal shows the first few; a slice name is cut in the middle, and escaped."""
    documents = ["a", "b"]
    names = [f"slice {'x' * 80} {number} \x1b[31m" for number in range(7)]
    queries = tuple(
        query(f"q{place}{each}", "text", {"a": 3}, names[place]) for place in range(7) for each in range(2)
    ) + tuple(query(f"z{number:02}", "text", {"a": 3}) for number in range(30))
    before = {each.id: documents if each.slices else documents[::-1] for each in queries}
    now = {each.id: documents[::-1] if each.slices else documents for each in queries}
    rules = Gate((*limits(max_drop=0.01), *(Limit("max_drop", NDCG, 0.01, slice=name) for name in names)))
    result = decide(rules, compare(GoldenSet(queries), run(now), (NDCG,), reference(queries, before)))
    text = render("text", result)

    assert 7 == len(json.loads(render("json", result))["behind"])
    assert "  and 3 more slices behind a mean\n" in text
    assert "\x1b" not in text
    assert 4 == text.count("compared queries)") + text.count("compared\nqueries)")
