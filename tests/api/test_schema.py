"""The published schemas: made from the code, true of every report, and no looser than they must be."""

import json
import os
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
SCHEMA: Final[dict[str, Any]] = json.loads(schema.text())


def mistakes(report: dict[str, Any]) -> list[str]:
    """Where the schema finds fault with a report, and with what."""
    found = jsonschema.Draft202012Validator(SCHEMA).iter_errors(report)
    return sorted(f"{error.json_path}: {error.validator}" for error in found)


def rich() -> Any:
    """A report with something of everything."""
    return json.loads(json_report.render(gather(rich_failure(), command_hints=CommandHints())))


@pytest.mark.parametrize("kind", ["config", "golden", "report"])
def test_the_published_schemas_are_those_of_the_code(kind: str) -> None:
    """RANKGATE_REGENERATE=1 writes them anew, and still fails that once."""
    path = PUBLISHED / f"{kind}.schema.json"
    published = path.read_text(encoding="utf-8")
    expected = schema.text() if kind == "report" else json_schema.text(kind)
    if os.environ.get("RANKGATE_REGENERATE"):
        path.write_text(expected, encoding="utf-8")

    assert expected == published


@pytest.mark.parametrize("kind", ["config", "golden", "report"])
def test_the_command_prints_them(inside: Inside, kind: str) -> None:
    """``rankgate schema KIND``, to the byte."""
    result = inside("schema", kind)

    assert (0, (PUBLISHED / f"{kind}.schema.json").read_text(encoding="utf-8")) == (result.code, result.stdout)


def test_it_is_a_schema_of_the_draft_that_it_names() -> None:
    """2020-12, for which ``prefixItems`` are the parts of a pair."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)

    assert "https://json-schema.org/draft/2020-12/schema" == SCHEMA["$schema"]


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
        "required": ["inner", "pairs", "status"],
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
    pairs: tuple[tuple[str, float | None], ...]
    inner: Inner | None
