"""The schemas that editors get, from the models that read the files."""

import json
from pathlib import Path
from typing import Any, Final

import jsonschema  # type: ignore[import-untyped]
import pytest

from rankgate.errors import InputError
from rankgate.files.json_schema import MODELS, text
from rankgate.files.yaml_source import parse, read
from rankgate.files.yaml_values import Plain, YamlValue, resolve

GOLDEN: Final = Path(__file__).parents[2] / "golden"


def validator(kind: str) -> Any:
    schema = json.loads(text(kind))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def typed(value: YamlValue, *, ids: bool = False) -> Any:
    """A file as an editor sees it: with the types of JSON; ids and texts are strings there."""
    if isinstance(value, dict):
        return {key: typed(child, ids=key in {"id", "text", "note", "slice"}) for key, child in value.items()}
    if isinstance(value, list):
        return [typed(child) for child in value]
    return str(value) if ids or not isinstance(value, Plain) else resolve(value)


def mistakes(kind: str, yaml: str) -> list[str]:
    """Where the schema finds fault with a file."""
    value = typed(parse(yaml.encode(), "x.yaml", InputError).value)
    return sorted({error.json_path for error in validator(kind).iter_errors(value)})


@pytest.mark.parametrize(
    ("kind", "path"),
    [("config", GOLDEN / "rankgate.yaml"), *(("golden", path) for path in sorted(GOLDEN.glob("queries/*.yaml")))],
    ids=lambda value: value.stem if isinstance(value, Path) else "",
)
def test_the_projects_own_golden_set_is_valid(kind: str, path: Path) -> None:
    """An editor with the schema shows no mistake in what rankgate reads."""
    validator(kind).validate(typed(read(path, InputError).value))


CONFIG: Final = "version: 1\nservice: {url: u, hits: h, id: i, %s}\ngate: {P@1: {floor: 0.5}, %s}\n%s"


@pytest.mark.parametrize(
    ("service", "gate", "rest"),
    [
        ("body: {a: [1, null, true]}", "lost_queries: {max: 0}, max_errors: 3", "queries: [a, b]"),
        ("method: PUT, retries: 0, timeout: {read: 0.5}", "nDCG@10: {max_drop: 1, max_drop_rel: 5%}", "depth: 1"),
        ("form: {a: b}, page_size: 10", "ZeroResults: {ceiling: 0}", "slices: {s: {gate: {P@1: {floor: 0}}}}"),
        ("", "", "slice_by: [locale]\nslices: {locale=de: {gate: {P@1: {floor: 0}}}}\njudgments: {refresh_after: 30}"),
    ],
)
def test_right_configs_are_valid(service: str, gate: str, rest: str) -> None:
    """Every kind of value where it may stand."""
    assert [] == mistakes("config", CONFIG % (service, gate, rest))


@pytest.mark.parametrize(
    ("service", "gate", "rest", "path"),
    [
        ("a: b", "", "", "$.service"),
        ("retries: 11", "", "", "$.service.retries"),
        ("method: GE T", "", "", "$.service.method"),
        ("timeout: {read: 0}", "", "", "$.service.timeout.read"),
        ("", "P@3: {flor: 1}", "", "$.gate['P@3']"),
        ("", "P@3: {floor: x}", "", "$.gate['P@3'].floor"),
        ("", "P@3: {max_drop_rel: 5}", "", "$.gate['P@3'].max_drop_rel"),
        ("", "lost_queries: {max: -1}", "", "$.gate.lost_queries"),
        ("", "max_errors: -1", "", "$.gate.max_errors"),
        ("", "", "slcies: {}", "$"),
        ("", "", "judgments: {gain: cubic}", "$.judgments.gain"),
        ("", "", "depth: 0", "$.depth"),
        ("", "", "judgments: {refresh_after: 0}", "$.judgments.refresh_after"),
        ("", "", "slice_by: locale", "$.slice_by"),
    ],
)
def test_wrong_configs_are_not_valid(service: str, gate: str, rest: str, path: str) -> None:
    """Unknown keys, wrong types, values out of bounds."""
    (found,) = mistakes("config", CONFIG % (service, gate, rest))

    assert found.startswith(path)


@pytest.mark.parametrize(
    "entry",
    [
        "first: a",
        "first: [a, b]",
        "before: [a, b]",
        "before: [[a, b], [c, d]]",
        "never: [a]",
        "judged: 2026-10-01, tags: [a, b]",
        "must: {P@1: 1}, known_failure: ticket 7",
    ],
)
def test_right_queries_are_valid(entry: str) -> None:
    """Whatever may be written short may be written in full."""
    assert [] == mistakes("golden", f"judged: 2026-10-01\nqueries: [{{id: q, text: x, {entry}}}]")


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ("{id: q, text: x, judgments: {d: 1.5}}", "$.queries[0].judgments.d"),
        ("{id: '', text: x}", "$.queries[0].id"),
        ("{id: q}", "$.queries[0]"),
        ("{id: q, text: x, judgements: {}}", "$.queries[0]"),
        ("{id: q, text: x, expects: something}", "$.queries[0].expects"),
        ("{id: q, text: x, never: {ids: []}}", "$.queries[0].never"),
        ("{id: q, text: x, must: {P@1: yes}}", "$.queries[0].must['P@1']"),
        ("{id: q, text: x, first: []}", "$.queries[0].first"),
        ("{id: q, text: x, before: [a]}", "$.queries[0].before"),
        ("{id: q, text: x, before: [[a, b], [c, d, e]]}", "$.queries[0].before"),
        ("{id: q, text: x, judged: 1.10.2026}", "$.queries[0].judged"),
        ("{id: q, text: x, known_failure: ''}", "$.queries[0].known_failure"),
    ],
)
def test_wrong_queries_are_not_valid(entry: str, path: str) -> None:
    """The same for golden files."""
    assert [path] == mistakes("golden", f"queries: [{entry}]")


def test_a_schema_describes_and_says_which_schema_it_is() -> None:
    """Every model has a sentence, and the text is the same each time."""
    for kind in MODELS:
        schema = json.loads(text(kind))

        assert "https://json-schema.org/draft/2020-12/schema" == schema["$schema"]
        assert [] == [
            name
            for name, part in schema["$defs"].items()
            if part.get("type") == "object" and not part.get("description")
        ]
        assert text(kind) == text(kind)
