"""The report as JSON."""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from rankgate.core.verdict import GateResult
from rankgate.reports import render
from tests.reports.pages import page_of


def test_golden_report(results: Mapping[str, GateResult], check_golden: Callable[[str, str], None]) -> None:
    """The report of a failing gate is the recorded one, to the byte."""
    check_golden("fail.json", render("json", results["fail"]))


def refuse(constant: str) -> float:
    """NaN and the infinities are not JSON."""
    raise AssertionError(constant)


def load(result: GateResult) -> dict[str, Any]:
    """Read a report back, strictly."""
    document = json.loads(page_of("json", result), parse_constant=refuse)
    assert isinstance(document, dict)
    return document


def test_it_is_versioned_sorted_ascii(results: Mapping[str, GateResult]) -> None:
    """Every report is strict JSON with sorted keys, in ASCII, and ends with a line break."""
    for result in results.values():
        text = page_of("json", result)
        document = load(result)
        assert 1 == document["format"]
        assert text.isascii()
        assert "\n" == text[-1]
        assert sorted(document) == list(document)


def test_numbers_are_unrounded(results: Mapping[str, GateResult]) -> None:
    """Means and changes have all their digits."""
    rules = load(results["fail"])["rules"]
    row = next(row for row in rules if row["label"] == "P@1 max_drop")
    assert 6 / 7 == row["baseline"]
    assert math.isclose(-1 / 7, row["change"])
    assert {"path": "golden/rankgate.yaml", "line": 12, "column": 22} == row["place"]


def test_every_query_and_the_moves_of_the_worst(results: Mapping[str, GateResult]) -> None:
    """All queries are there; those that got worse carry all their moves."""
    document = load(results["fail big"])
    assert 120 == len(document["queries"]) == len(document["worst"])
    assert all(len(query["moves"]) > 30 for query in document["queries"])


def test_texts_survive(results: Mapping[str, GateResult]) -> None:
    """Ids and texts are read back as they were, hostile or not."""
    result = results["fail hostile"]
    expected = [(query.id, query.text) for query in result.comparison.golden.queries]
    assert expected == [(query["id"], query["text"]) for query in load(result)["queries"]]


def test_no_command_to_a_runner(results: Mapping[str, GateResult]) -> None:
    """Doubled number signs, which some runners act on anywhere in a line, are written as an escape."""
    for result in results.values():
        assert "##" not in page_of("json", result)


def test_an_undefined_value_is_null(results: Mapping[str, GateResult]) -> None:
    """A measure that is undefined for a query is null, never NaN."""
    gasket = next(query for query in load(results["fail"])["queries"] if query["id"] == "gasket")
    judged = next(value for value in gasket["values"] if value["label"] == "Judged@10")
    assert None is judged["now"]
