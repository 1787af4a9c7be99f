"""The published schemas: made from the code, true of every report, and no looser than they must be."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import jsonschema  # type: ignore[import-untyped]
import pytest

from rankgate.core.findings import Status
from rankgate.files import json_schema
from rankgate.reports import CommandHints, gather, schema
from rankgate.reports import json as json_report
from tests.e2e.support import HEAD, Fault, Inside, Workspace
from tests.reports.conftest import big, hostile, rich_failure

PUBLISHED: Final = Path(__file__).parents[2] / "docs" / "schemas"
SCHEMAS: Final[dict[str, dict[str, Any]]] = {kind: json.loads(schema.text(kind)) for kind in schema.KINDS}
KINDS: Final = ("config", "golden", *schema.KINDS)


def mistakes(report: dict[str, Any], kind: str = "report") -> list[str]:
    """Where the schema of *kind* finds fault with a document, and with what."""
    found = jsonschema.Draft202012Validator(SCHEMAS[kind]).iter_errors(report)
    return sorted(f"{error.json_path}: {error.validator}" for error in found)


def rich() -> Any:
    """A report with something of everything."""
    return json.loads(json_report.render(gather(rich_failure(), command_hints=CommandHints())))


def trended(inside: Inside) -> Any:
    """What ``trend`` says of two runs."""
    for _ in range(2):
        assert 0 == inside("check", "--history", "h.jsonl").code
    return json.loads(inside("trend", "--history", "h.jsonl", "--format", "json").stdout)


def calibrated(inside: Inside) -> Any:
    """What ``calibrate`` says of a service."""
    return json.loads(inside("calibrate", "--runs", "2", "--format", "json").stdout)


@pytest.fixture
def accepted_inside(accepted: Workspace, inside: Inside) -> Inside:
    """Commands where a run was accepted."""
    assert accepted.baseline.exists()
    return inside


@pytest.mark.parametrize("kind", KINDS)
def test_the_published_schemas_are_those_of_the_code(kind: str) -> None:
    """RANKGATE_REGENERATE=1 writes them anew, and still fails that once."""
    path = PUBLISHED / f"{kind}.schema.json"
    published = path.read_text(encoding="utf-8") if path.exists() else ""
    expected = schema.text(kind) if kind in schema.KINDS else json_schema.text(kind)
    if os.environ.get("RANKGATE_REGENERATE"):
        path.write_text(expected, encoding="utf-8")

    assert expected == published


@pytest.mark.parametrize("kind", KINDS)
def test_the_command_prints_them(inside: Inside, kind: str) -> None:
    """``rankgate schema KIND``, to the byte."""
    result = inside("schema", kind)

    assert (0, (PUBLISHED / f"{kind}.schema.json").read_text(encoding="utf-8")) == (result.code, result.stdout)


@pytest.mark.parametrize("kind", schema.KINDS)
def test_it_is_a_schema_of_the_draft_that_it_names(kind: str) -> None:
    """2020-12, for which ``prefixItems`` are the parts of a pair."""
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[kind])

    assert "https://json-schema.org/draft/2020-12/schema" == SCHEMAS[kind]["$schema"]


@pytest.mark.parametrize("made", [rich_failure, hostile, big])
def test_the_reports_of_the_tests_are_valid(made: Any) -> None:
    """What can be in a report, and what tries to break one."""
    report = json.loads(json_report.render(gather(made(), command_hints=CommandHints())))

    assert [] == mistakes(report)


@pytest.mark.parametrize(
    ("arguments", "verdict"),
    [
        (("check",), "PASS"),
        (("check", "--floors-only"), "WARN"),
        (("check", "--slice", "jargon"), "PARTIAL"),
        (("diff", "golden/baseline.jsonl", "golden/baseline.jsonl"), "PASS"),
    ],
)
def test_the_reports_of_the_commands_are_valid(
    accepted: Workspace, inside: Inside, arguments: tuple[str, ...], verdict: str
) -> None:
    """With and without a baseline, with and without a verdict."""
    report = json.loads(inside(*arguments, "--format", "json").stdout)

    assert (verdict, []) == (report["verdict"], mistakes(report))


def test_reports_of_failures_are_valid(accepted: Workspace, inside: Inside) -> None:
    """Broken rules, and queries that were not measured."""
    accepted.worsen(*HEAD[:3])
    accepted.search.faults[HEAD[3]] = Fault(500)
    report = json.loads(inside("check", "--format", "json").stdout)

    assert ("FAIL", []) == (report["verdict"], mistakes(report))


def test_a_trend_of_recorded_and_of_saved_runs_is_valid(accepted: Workspace, inside: Inside) -> None:
    """With values as they were recorded, and scored anew."""
    accepted.worsen(*HEAD[:3])
    assert 1 == inside("check", "--history", "h.jsonl").code
    accepted.best()
    assert 0 == inside("run", "-o", "run.jsonl").code
    saved = inside("trend", "run.jsonl", "golden/baseline.jsonl", "--format", "json")

    assert [] == mistakes(trended(inside), "trend")
    assert [] == mistakes(json.loads(saved.stdout), "trend")


def test_a_calibration_is_valid(accepted: Workspace, inside: Inside) -> None:
    """Of a service that answers the same, with limits of every kind."""
    accepted.search.faults[HEAD[3]] = Fault(500)

    assert [] == mistakes(calibrated(inside), "calibration")


@pytest.mark.parametrize(
    ("kind", "path", "value", "expected"),
    [
        pytest.param("trend", ("format",), 2, "$.format: enum", id="another form"),
        pytest.param("trend", ("unknown",), 1, "$: additionalProperties", id="unknown key"),
        pytest.param("trend", ("runs", 0, "unknown"), 1, "$.runs[0]: additionalProperties", id="unknown key of a run"),
        pytest.param("trend", ("series", 0, "now"), "1", "$.series[0].now: type", id="text for a number"),
        pytest.param(
            "trend", ("series", 0, "limits"), {"floor": None}, "$.series[0].limits.floor: type", id="no limit"
        ),
        pytest.param("calibration", ("tool",), "other", "$.tool: enum", id="another tool"),
        pytest.param("calibration", ("unknown",), 1, "$: additionalProperties", id="unknown key of a calibration"),
        pytest.param("calibration", ("limits", 0, "kind"), "min", "$.limits[0].kind: enum", id="another kind of limit"),
        pytest.param("calibration", ("spreads", 0, "low"), None, "$.spreads[0].low: type", id="no number"),
    ],
)
def test_what_is_no_trend_and_no_calibration_is_not_valid(
    accepted_inside: Inside, kind: str, path: tuple[str | int, ...], value: object, expected: str
) -> None:
    """One wrong thing, and its place."""
    document = part = (trended if kind == "trend" else calibrated)(accepted_inside)
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value

    assert [expected] == mistakes(document, kind)


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        pytest.param(("format",), 2, "$.format: const", id="another form"),
        pytest.param(("verdict",), "fail", "$.verdict: enum", id="verdict"),
        pytest.param(("unknown",), 1, "$: additionalProperties", id="unknown key"),
        pytest.param(("rules", 0, "status"), "failed", "$.rules[0].status: enum", id="status"),
        pytest.param(("rules", 0, "now"), "0.5", "$.rules[0].now: type", id="text for a number"),
        pytest.param(("rules", 0, "unknown"), 1, "$.rules[0]: additionalProperties", id="unknown key of a record"),
        pytest.param(
            ("queries", 0, "not_returned"), [["d"]], "$.queries[0].not_returned[0]: minItems", id="half a pair"
        ),
        pytest.param(("notes",), {"service": 1}, "$.notes.service: type", id="note"),
    ],
)
def test_what_is_no_report_is_not_valid(path: tuple[str | int, ...], value: object, expected: str) -> None:
    """One wrong thing, and its place."""
    report = part = rich()
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value

    assert [expected] == mistakes(report)


def test_every_key_is_there() -> None:
    """A report is complete: a key that has nothing to say is null or empty, and not left out."""
    report = rich()

    assert [] == [key for key in report if mistakes({each: report[each] for each in report if each != key}) == []]


def test_a_schema_follows_its_records() -> None:
    """Types, choices, pairs, records in records, and the sentences of the docstring."""
    parts: dict[str, Any] = {}
    found = schema._record(Sample, parts)

    assert {
        "type": "object",
        "description": "A record.",
        "properties": {
            "status": {"enum": [each.value for each in Status]},
            "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
            "pairs": {
                "type": "array",
                "items": {
                    "type": "array",
                    "prefixItems": [{"type": "string"}, {"type": ["number", "null"]}],
                    "minItems": 2,
                    "maxItems": 2,
                },
            },
            "inner": {
                "anyOf": [{"$ref": "#/$defs/Inner"}, {"type": "null"}],
                "description": "Of two lines; null where there is none.",
            },
        },
        "required": ["counts", "inner", "pairs", "status"],
        "additionalProperties": False,
    } == found
    assert ["Inner"] == list(parts)


@dataclass(frozen=True, slots=True)
class Inner:
    """Another record."""

    flag: bool


@dataclass(frozen=True, slots=True)
class Sample:
    """A record.

    Attributes:
        inner: Of two
            lines; None where there is none.
    """

    status: Status
    counts: Mapping[str, int]
    pairs: tuple[tuple[str, float | None], ...]
    inner: Inner | None
