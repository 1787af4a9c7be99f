"""The report as OpenMetrics, read by the format's reference parser."""

import json
from collections.abc import Callable, Mapping

from prometheus_client.openmetrics.parser import text_string_to_metric_families

from rankgate.core.verdict import GateResult
from rankgate.reports import render
from rankgate.reports.visible import visible
from tests.reports.pages import page_of

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def samples(result: GateResult) -> Samples:
    """Every sample by its name and labels."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(page_of("openmetrics", result))  # type: ignore[no-untyped-call]
        for sample in family.samples
    }


def value(found: Samples, name: str, **labels: str) -> float | None:
    """One sample's value; None where there is none."""
    return found.get((name, frozenset(labels.items())))


def test_golden_report(results: Mapping[str, GateResult], check_golden: Callable[[str, str], None]) -> None:
    """The report of a failing gate is the recorded one, to the byte."""
    check_golden("fail.openmetrics.txt", render("openmetrics", results["fail"]))


def test_the_means_are_those_of_the_json_report(results: Mapping[str, GateResult]) -> None:
    """For every measure and slice of every result, with no value where there is none."""
    for name, result in results.items():
        found = samples(result)
        for row in json.loads(page_of("json", result))["slices"]:
            for cell in row["cells"]:
                labels = {"measure": cell["measure"], "slice": visible(row["slice"])}
                assert (name, cell["now"]) == (name, value(found, "rankgate_measure", **labels))
                compared = cell["compared"] > 0
                assert (cell["change"] if compared else None) == value(found, "rankgate_measure_change", **labels)
                assert (cell["worse"] if compared else None) == value(found, "rankgate_measure_worse_queries", **labels)


def test_counts_limits_and_the_verdict(results: Mapping[str, GateResult]) -> None:
    """What a time series of the gate is drawn from."""
    found = samples(results["fail"])
    ndcg = "nDCG(dcg='exp-log2')@10"

    assert 1 == value(found, "rankgate_verdict", rankgate_verdict="fail")
    assert 0 == value(found, "rankgate_verdict", rankgate_verdict="pass")
    assert 1 == value(found, "rankgate_exit_code")
    assert 2 == value(found, "rankgate_queries", state="lost")
    assert 8 == value(found, "rankgate_rules", status="fail")
    assert 0.015 == value(found, "rankgate_limit", rule="max_drop", measure=ndcg, slice="all")
    assert 0.04 == value(found, "rankgate_limit", rule="max_drop", measure=ndcg, slice="jargon")


def test_hostile_slices_are_escaped(results: Mapping[str, GateResult]) -> None:
    """The parser gives their names back, control characters in visible form."""
    names = {dict(labels)["slice"] for (name, labels) in samples(results["fail hostile"]) if name == "rankgate_measure"}

    assert {"all", *map(visible, results["fail hostile"].comparison.golden.slices)} == names


def test_it_ends_as_the_format_asks(results: Mapping[str, GateResult]) -> None:
    """A reader tells a whole report from a part of one by its last line."""
    for result in results.values():
        assert page_of("openmetrics", result).endswith("\n# EOF\n")
