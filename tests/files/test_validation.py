"""What pydantic finds becomes problems with a place, in our own words."""

import time
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError
from typing_extensions import TypeAliasType

from rankgate.errors import GoldenFileError, Problem, UnknownMeasureError
from rankgate.files.fields import Integer, Judgments, NonEmptyText, Number, Percent, Text
from rankgate.files.validation import StrictModel, dotted, located, problems
from rankgate.files.yaml_source import parse
from rankgate.files.yaml_values import Loc


class Limits(StrictModel):
    floor: Annotated[Number, Field(ge=0, le=1)] | None = None
    max_drop_rel: Percent | None = None
    size: Integer = Field(default=1, gt=0)


class Lost(StrictModel):
    max: Integer


class Entry(StrictModel):
    id: NonEmptyText
    text: NonEmptyText
    slices: Text | list[Text] = ""
    judgments: Judgments = Field(default_factory=dict)
    expects: Literal["nothing"] | None = None
    must: dict[str, Limits | Number | list[Limits]] = Field(default_factory=dict)
    pair: list[Limits] = Field(default_factory=list)


class File(StrictModel):
    slice: Text = ""
    queries: Annotated[list[Entry], Field(min_length=1, max_length=3)] = Field(default_factory=list)
    gate: Limits | Lost | None = None


def found(text: str, model: type[BaseModel] = File) -> list[str]:
    source = parse(text.encode(), "q.yaml", GoldenFileError)
    with pytest.raises(ValidationError) as caught:
        model.model_validate(source.value)
    return [str(problem).removeprefix("q.yaml:") for problem in problems(caught.value, source, model)]


def entry(text: str) -> str:
    return f"queries:\n- id: q\n  text: t\n  {text}\n"


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        pytest.param("", ["1:1: expected a mapping, found nothing"], id="empty-file"),
        pytest.param("- a", ["1:1: expected a mapping, found a list"], id="list-for-file"),
        pytest.param("queries: {a: b}", ["1:10: queries: expected a list, found a mapping"], id="mapping-for-list"),
        pytest.param("queries: [foo]", ["1:11: queries[0]: expected a mapping, found 'foo'"], id="text-for-mapping"),
        pytest.param("queries: []", ["1:10: queries: needs 1 or more entries, has 0"], id="too-few"),
        pytest.param("slice: [a]", ["1:8: slice: expected text, found a list"], id="list-for-text"),
        pytest.param("slcie: a", ["1:1: unknown key 'slcie'; did you mean 'slice'?"], id="unknown-top-level"),
        pytest.param("zzz: a", ["1:1: unknown key 'zzz'; known: gate, queries, slice"], id="unknown-nothing-near"),
        pytest.param(
            "queries:\n  - id: a\n    txt: b\n",
            [
                "2:5: queries[0]: the key 'text' is missing from the mapping that starts here",
                "3:5: queries[0]: unknown key 'txt'; did you mean 'text'?",
            ],
            id="missing-and-misspelt",
        ),
        pytest.param(
            "queries:\n- id: a\n  text: #5 gloves\n",
            ["3:8: queries[0].text: must not be empty"],
            id="G13-only-a-comment",
        ),
        pytest.param(
            entry("judgments: {SN-2231: 0.9, 'b c': \"1\"}"),
            [
                "4:24: queries[0].judgments.SN-2231: expected a whole number, found '0.9'",
                "4:36: queries[0].judgments['b c']: expected a whole number without quotes, found '1'",
            ],
            id="grades",
        ),
        pytest.param(
            entry("judgments: [a]"),
            ["4:14: queries[0].judgments: expected a mapping of document ids to grades, found a list"],
            id="judgments-kind",
        ),
        pytest.param(
            entry("expects: nothng"), ["4:12: queries[0].expects: expected 'nothing', found 'nothng'"], id="literal"
        ),
        pytest.param(
            entry("must: {P@1: {flor: 1}}"),
            ["4:16: queries[0].must.P@1: unknown key 'flor'; did you mean 'floor'?"],
            id="unknown-within-a-union",
        ),
        pytest.param(
            entry("must: {P@1: [{floor: 0.5}, {size: 0, floor: 3}]}"),
            [
                "4:37: queries[0].must.P@1[1].size: expected more than 0, found 0",
                "4:47: queries[0].must.P@1[1].floor: expected at most 1, found '3'",
            ],
            id="bounds-within-a-union",
        ),
        pytest.param(
            entry("must: {P@1: abc}"),
            ["4:15: queries[0].must.P@1: expected a mapping or a number or a list, found 'abc'"],
            id="no-member-fits",
        ),
        pytest.param(
            entry("slices: {a: b}"),
            ["4:11: queries[0].slices: expected text or a list, found a mapping"],
            id="neither-text-nor-list",
        ),
        pytest.param(
            entry("slices: [a, {b: c}]"),
            ["4:15: queries[0].slices[1]: expected text, found a mapping"],
            id="list-was-meant",
        ),
        pytest.param(
            entry("pair: [{size: 1}, {m: 1}]"),
            ["4:22: queries[0].pair[1]: unknown key 'm'; known: floor, max_drop_rel, size"],
            id="list",
        ),
        pytest.param(
            "gate: {max: 1, floor: 2}",
            ["1:16: gate: unknown key 'floor'; known: max, max_drop_rel, size"],
            id="the-model-with-fewest-mistakes",
        ),
        pytest.param("gate: [a]", ["1:7: gate: expected a mapping, found a list"], id="same-expectation-once"),
        pytest.param("queries: [a, b, c, d]", ["1:10: queries: may have 3 entries, has 4"], id="too-many"),
        pytest.param(
            "slice: &x {a: 1}\nqueries: *x\n",
            ["1:8: slice: expected text, found a mapping", "1:8: queries: expected a list, found a mapping"],
            id="alias",
        ),
        pytest.param(
            "queries: [&q {id: a}, *q]",
            [
                "1:11: queries[0]: the key 'text' is missing from the mapping that starts here",
                "1:11: queries[1]: the key 'text' is missing from the mapping that starts here",
            ],
            id="alias-of-a-query",
        ),
        pytest.param(
            f"slice: [{'x' * 100}]\nqueries:\n- {'y' * 100}\n",
            ["1:8: slice: expected text, found a list", f"3:3: queries[0]: expected a mapping, found '{'y' * 58}…"],
            id="long-values-are-cut",
        ),
    ],
)
def test_mistakes(text: str, complaints: list[str]) -> None:
    """Each mistake is one problem: its place, the way to it, what was expected, what was found, what is near."""
    assert complaints == found(text)


def test_a_problem_is_complete() -> None:
    """Path, line, column and message are fields of their own."""
    source = parse(b"slcie: a\n", "golden/q.yaml", GoldenFileError)
    with pytest.raises(ValidationError) as caught:
        File.model_validate(source.value)
    expected = [Problem("unknown key 'slcie'; did you mean 'slice'?", "golden/q.yaml", 1, 1)]
    assert expected == problems(caught.value, source, File)


def test_the_problems_of_a_measure_stand_at_its_name() -> None:
    """Which is a key."""
    source = parse(b"gate:\n  P@x: {floor: 1}\n", "g.yaml", GoldenFileError)
    error = UnknownMeasureError("unknown measure 'x'")

    assert [Problem("unknown measure 'x'", "g.yaml", 2, 3)] == located(error, source, ("gate", "P@x"))


@pytest.mark.parametrize(
    ("loc", "text"),
    [
        pytest.param((), "", id="root"),
        pytest.param(("queries", 3, "judgments", "SN-2231"), "queries[3].judgments.SN-2231", id="usual"),
        pytest.param(("gate", "P@1", "floor"), "gate.P@1.floor", id="measure"),
        pytest.param(("a", "b.c", "d e", "", "[f]"), "a['b.c']['d e']['']['[f]']", id="quoted"),
        pytest.param((0, 1), "[0][1]", id="lists"),
    ],
)
def test_ways_are_dotted(loc: Loc, text: str) -> None:
    """The way to a value reads as one would write it, in quotes where it could be misread."""
    assert text == dotted(loc)


def test_bounds_have_their_names_in_the_schema() -> None:
    """Bounds after a field type appear in JSON Schema under its own names, at every depth."""
    limits = File.model_json_schema()["$defs"]["Limits"]["properties"]
    assert {"type": "number", "minimum": 0, "maximum": 1} == limits["floor"]["anyOf"][0]
    assert {"type": "integer", "exclusiveMinimum": 0, "default": 1, "title": "Size"} == limits["size"]


def test_models_do_not_change() -> None:
    """What was read from a file stays as it was read."""
    limits = Limits(size=3)
    with pytest.raises(ValidationError, match="frozen"):
        limits.size = 4


def test_known_keys_are_found_behind_a_named_type() -> None:
    """A named union, with members that have no such key or none at all, hides no known key."""
    named: Any = TypeAliasType("named", Limits | Lost | int | dict[str, Limits])

    class Named(StrictModel):
        a: named

    assert ["1:9: a.b: unknown key 'flor'; did you mean 'floor'?"] == found("a: {b: {flor: 1}}", Named)


def test_many_mistakes_are_told_in_good_time() -> None:
    """Ten thousand mistakes in one file are placed in seconds, not minutes."""
    rows = "".join(f"  - id: q{n}\n    text: t\n    judgments: {{a: x, b: y}}\n" for n in range(5_000))
    start = time.process_time()
    source = parse(f"queries:\n{rows}".encode(), "q.yaml", GoldenFileError)
    with pytest.raises(ValidationError) as caught:
        Many.model_validate(source.value)
    assert 10_000 == len(problems(caught.value, source, Many))
    assert time.process_time() - start < 5


class Many(StrictModel):
    queries: list[Entry]
