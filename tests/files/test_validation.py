"""What pydantic finds becomes problems with a place, in our own words."""

import time
from datetime import date
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator
from typing_extensions import TypeAliasType

from rankgate.errors import GoldenFileError, Problem
from rankgate.files.fields import Integer, Judgments, NonEmptyText, Number, Percent, Text
from rankgate.files.validation import StrictModel, dotted, problems
from rankgate.files.yaml_source import parse
from rankgate.files.yaml_values import Loc


class Limits(StrictModel):
    floor: Annotated[Number, Field(ge=0, le=1)] | None = None
    max_drop_rel: Percent | None = None
    size: Integer = Field(default=1, gt=0, alias="n")


class Lost(StrictModel):
    max: Integer


class Entry(StrictModel):
    id: NonEmptyText
    text: NonEmptyText
    slices: Text | list[Text] = ""
    judgments: Judgments = Field(default_factory=dict)
    expects: Literal["nothing"] | None = None
    must: dict[NonEmptyText, Limits | Number | list[Limits]] = Field(default_factory=dict)
    pair: tuple[Limits, ...] = ()
    note: Text = ""

    @field_validator("note")
    @classmethod
    def _no_shouting(cls, note: str) -> str:
        if note.isupper():
            raise ValueError("must not shout")
        return note

    @model_validator(mode="after")
    def _fits_together(self) -> "Entry":
        if self.expects and self.judgments:
            raise ValueError("it expects nothing and has judgments")
        return self


class File(StrictModel):
    slice: Text = ""
    queries: Annotated[list[Entry], Field(min_length=1, max_length=3)] = Field(default_factory=list)
    gate: Limits | Lost | None = None


def found(text: str, model: type[BaseModel] = File, at: Loc = ()) -> list[str]:
    source = parse(text.encode(), "q.yaml", GoldenFileError)
    value: Any = source.value
    for step in at:
        value = value[step]
    with pytest.raises(ValidationError) as caught:
        model.model_validate(value)
    return [str(problem).removeprefix("q.yaml:") for problem in problems(caught.value, source, model, at=at)]


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
            entry("expects: nothing\n  judgments: {a: 1}"),
            ["2:3: queries[0]: it expects nothing and has judgments"],
            id="model-validator",
        ),
        pytest.param(
            entry("must: {P@1: {flor: 1}}"),
            ["4:16: queries[0].must.P@1: unknown key 'flor'; did you mean 'floor'?"],
            id="unknown-within-a-union",
        ),
        pytest.param(
            entry("must: {P@1: {size: 1}}"),
            ["4:16: queries[0].must.P@1: unknown key 'size'; known: floor, max_drop_rel, n"],
            id="aliases-are-what-is-known",
        ),
        pytest.param(
            entry("must: {P@1: [{floor: 0.5}, {n: 0, floor: 3}]}"),
            [
                "4:34: queries[0].must.P@1[1].n: expected more than 0, found 0",
                "4:44: queries[0].must.P@1[1].floor: expected at most 1, found '3'",
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
        pytest.param(entry("must: {'': 1}"), ["4:10: queries[0].must: the key '': must not be empty"], id="key"),
        pytest.param(
            entry("pair: [{n: 1}, {m: 1}]"),
            ["4:19: queries[0].pair[1]: unknown key 'm'; known: floor, max_drop_rel, n"],
            id="tuple",
        ),
        pytest.param(
            "gate: {max: 1, floor: 2}",
            ["1:16: gate: unknown key 'floor'; known: max, max_drop_rel, n"],
            id="the-model-with-fewest-mistakes",
        ),
        pytest.param("gate: [a]", ["1:7: gate: expected a mapping, found a list"], id="same-expectation-once"),
        pytest.param(entry("note: ABC"), ["4:9: queries[0].note: must not shout"], id="field-validator"),
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


def test_places_count_from_the_whole_file() -> None:
    """A part of a file that is validated by itself is named and placed within the file."""
    text = "version: 1\ngate:\n  P@1: {flor: 1}\n  P@2:\n    floor: x\n"
    model: Any = Limits
    assert ["3:9: gate.P@1: unknown key 'flor'; did you mean 'floor'?"] == found(text, model, ("gate", "P@1"))
    assert ["5:12: gate.P@2.floor: expected a number, found 'x'"] == found(text, model, ("gate", "P@2"))


def test_a_problem_is_complete() -> None:
    """Path, line, column and message are fields of their own."""
    source = parse(b"slcie: a\n", "golden/q.yaml", GoldenFileError)
    with pytest.raises(ValidationError) as caught:
        File.model_validate(source.value)
    expected = [Problem("unknown key 'slcie'; did you mean 'slice'?", "golden/q.yaml", 1, 1)]
    assert expected == problems(caught.value, source, File)


class Other(BaseModel):
    """A model with pydantic's own types, strict where it says so."""

    text: str = ""
    many: set[int] = Field(default_factory=set)
    whole: Annotated[int, Field(strict=True)] = 0
    share: Annotated[float, Field(lt=1, gt=0)] = 0.5
    flag: bool = False
    short: Annotated[str, Field(max_length=2, min_length=1, pattern="^a")] = "a"
    by_word: dict[Annotated[str, Field(max_length=1)], Limits] = Field(default_factory=dict)
    by_grade: dict[int, int] = Field(default_factory=dict)
    when: date | None = None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("text: [a]", "1:7: text: expected text, found a list", id="text"),
        pytest.param("many: {a: b}", "1:7: many: expected a list, found a mapping", id="set"),
        pytest.param("whole: a", "1:8: whole: expected a whole number, found 'a'", id="whole"),
        pytest.param("share: 1", "1:8: share: expected less than 1.0, found '1'", id="below"),
        pytest.param("share: x", "1:8: share: expected a number, found 'x'", id="number"),
        pytest.param("flag: x", "1:7: flag: expected true or false, found 'x'", id="flag"),
        pytest.param("short: abc", "1:8: short: expected at most 2 characters, found 'abc'", id="long"),
        pytest.param("short: ''", "1:8: short: expected at least 1 characters, found ''", id="short"),
        pytest.param("short: b", "1:8: short: expected text that matches ^a, found 'b'", id="pattern"),
        pytest.param(
            "by_word: {ab: {}}", "1:11: by_word: the key 'ab': expected at most 1 characters", id="a-key-of-some-kind"
        ),
        pytest.param(
            "by_word: {a: {x: 1}}", "1:15: by_word.a: unknown key 'x'; known: floor, max_drop_rel, n", id="nested"
        ),
        pytest.param(
            "when: x", "1:7: when: Input should be a valid date or datetime, input is too short", id="words-of-pydantic"
        ),
    ],
)
def test_mistakes_in_types_of_pydantic(text: str, complaint: str) -> None:
    """Models may use pydantic's own types; their mistakes are told in the same words."""
    assert [complaint] == found(text, Other)


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
    assert {"type": "integer", "exclusiveMinimum": 0, "default": 1, "title": "N"} == limits["n"]


def test_models_do_not_change() -> None:
    """What was read from a file stays as it was read."""
    limits = Limits(n=3)
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
