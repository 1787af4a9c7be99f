"""Each field gives an unquoted scalar its meaning, or says what it expected."""

import time
from typing import Annotated, Any

import pytest
from pydantic import Field, TypeAdapter, ValidationError
from pydantic.json_schema import JsonSchemaValue

from rankgate.files.fields import Day, Flag, Integer, JsonField, Judgments, NonEmptyText, Number, Percent, Text
from rankgate.files.yaml_values import Plain


def complaints(field: Any, value: object) -> list[tuple[tuple[int | str, ...], str]]:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(field).validate_python(value)
    return [(error["loc"], error["msg"]) for error in caught.value.errors()]


@pytest.mark.parametrize(
    ("field", "given", "value"),
    [
        pytest.param(Text, Plain("no"), "no", id="text-plain"),
        pytest.param(Text, "x", "x", id="text-quoted"),
        pytest.param(Text, "", "", id="text-empty"),
        pytest.param(Text, Plain(""), "", id="text-left-empty"),
        pytest.param(Text, "  x ", "  x ", id="text-keeps-blanks"),
        pytest.param(NonEmptyText, Plain("0"), "0", id="non-empty"),
        pytest.param(NonEmptyText, " x", " x", id="non-empty-keeps-blanks"),
        pytest.param(Integer, Plain("3"), 3, id="integer"),
        pytest.param(Integer, Plain("-3"), -3, id="integer-negative"),
        pytest.param(Integer, Plain("+03"), 3, id="integer-plus"),
        pytest.param(Integer, 3, 3, id="integer-native"),
        pytest.param(Number, Plain("1e-3"), 0.001, id="G06-exponent"),
        pytest.param(Number, Plain("0.02"), 0.02, id="number"),
        pytest.param(Number, Plain(".5"), 0.5, id="number-bare-point"),
        pytest.param(Number, Plain("1"), 1.0, id="number-whole"),
        pytest.param(Number, -1, -1.0, id="number-native-int"),
        pytest.param(Number, 0.5, 0.5, id="number-native"),
        pytest.param(Flag, Plain("true"), True, id="flag-true"),
        pytest.param(Flag, Plain("FALSE"), False, id="flag-false"),
        pytest.param(Flag, True, True, id="flag-native"),
        pytest.param(Day, Plain("2028-02-29"), "2028-02-29", id="day"),
        pytest.param(Day, "2026-10-01", "2026-10-01", id="day-quoted"),
        pytest.param(Percent, Plain("5%"), 0.05, id="percent"),
        pytest.param(Percent, "5%", 0.05, id="percent-quoted"),
        pytest.param(Percent, "2.3 %", 0.023, id="percent-exact"),
        pytest.param(Percent, "100%", 1.0, id="percent-all"),
        pytest.param(Percent, 0.05, 0.05, id="percent-native-share"),
        pytest.param(JsonField, {"a": [Plain("1"), "1"], "b": Plain("")}, {"a": [1, "1"], "b": None}, id="json"),
        pytest.param(Judgments, {"no": Plain("3"), "07": Plain("0")}, {"no": 3, "07": 0}, id="judgments"),
        pytest.param(Judgments, {"a": Plain("10"), "b": Plain("-1")}, {"a": 10, "b": -1}, id="judgments-wide"),
        pytest.param(Judgments, {"a": 1, "b": Plain("2")}, {"a": 1, "b": 2}, id="judgments-native"),
        pytest.param(Judgments, {}, {}, id="judgments-none"),
    ],
)
def test_a_field_accepts(field: Any, given: object, value: object) -> None:
    """The value has the field's own type and the meaning that was written."""
    accepted = TypeAdapter(field).validate_python(given)
    assert (value, type(value)) == (accepted, type(accepted))


@pytest.mark.parametrize(
    ("field", "given", "complaint"),
    [
        pytest.param(Text, 3, "expected text, found 3", id="text-number"),
        pytest.param(Text, None, "expected text, found nothing", id="text-none"),
        pytest.param(Text, [Plain("a")], "expected text, found a list", id="text-list"),
        pytest.param(NonEmptyText, Plain(""), "must not be empty", id="G13-left-empty"),
        pytest.param(NonEmptyText, " \t", "must not be empty", id="blank"),
        pytest.param(NonEmptyText, {}, "expected text, found a mapping", id="non-empty-mapping"),
        pytest.param(Integer, Plain("0.9"), "expected a whole number, found '0.9'", id="integer-fraction"),
        pytest.param(Integer, Plain("1e3"), "expected a whole number, found '1e3'", id="integer-exponent"),
        pytest.param(Integer, Plain("true"), "expected a whole number, found 'true'", id="integer-word"),
        pytest.param(Integer, Plain("1_000"), "expected a whole number, found '1_000'", id="integer-underscore"),
        pytest.param(Integer, Plain("٣"), "expected a whole number, found '٣'", id="integer-other-digits"),
        pytest.param(Integer, Plain(""), "expected a whole number, found nothing", id="integer-empty"),
        pytest.param(Integer, "3", "expected a whole number without quotes, found '3'", id="integer-quoted"),
        pytest.param(Integer, "x", "expected a whole number, found 'x'", id="integer-text"),
        pytest.param(Integer, True, "expected a whole number, found True", id="integer-native-flag"),
        pytest.param(Integer, 1.0, "expected a whole number, found 1.0", id="integer-native-float"),
        pytest.param(
            Integer,
            Plain("9" * 5000),
            f"expected a whole number of a sensible size, found '{'9' * 58}…",
            id="integer-huge",
        ),
        pytest.param(Number, Plain(".nan"), "expected a number, found '.nan'", id="number-nan"),
        pytest.param(Number, Plain("-.inf"), "expected a number, found '-.inf'", id="number-infinite"),
        pytest.param(Number, Plain("1e999"), "expected a number, found '1e999'", id="number-too-large"),
        pytest.param(Number, Plain("nan"), "expected a number, found 'nan'", id="number-python-nan"),
        pytest.param(Number, "0.5", "expected a number without quotes, found '0.5'", id="number-quoted"),
        pytest.param(Number, float("inf"), "expected a number, found inf", id="number-native-infinite"),
        pytest.param(Number, 10**400, f"expected a number, found 1{'0' * 58}…", id="number-native-too-large"),
        pytest.param(Number, False, "expected a number, found False", id="number-native-flag"),
        pytest.param(Number, Plain("5%"), "expected a number, found '5%'", id="number-percent"),
        pytest.param(Day, Plain("2026-02-29"), "expected a date such as 2026-10-01, found '2026-02-29'", id="day-none"),
        pytest.param(Day, "2026-W40-4", "expected a date such as 2026-10-01, found '2026-W40-4'", id="day-of-a-week"),
        pytest.param(Day, 20261001, "expected a date such as 2026-10-01, found 20261001", id="day-number"),
        pytest.param(Flag, Plain("yes"), "expected true or false, found 'yes'", id="flag-yes"),
        pytest.param(Flag, Plain("1"), "expected true or false, found '1'", id="flag-one"),
        pytest.param(Flag, 1, "expected true or false, found 1", id="flag-native-one"),
        pytest.param(Flag, "true", "expected true or false without quotes, found 'true'", id="flag-quoted"),
        *(
            pytest.param(
                Percent,
                Plain(text),
                f"expected a percentage above 0% and up to 100%, such as 5%, found '{text}'",
                id=text,
            )
            for text in ("5", "0.05", "0%", "-5%", "100.1%", "5 percent")
        ),
        pytest.param(
            Percent, 5, "expected a percentage above 0% and up to 100%, such as 5%, found 5", id="percent-native-points"
        ),
        pytest.param(
            Percent,
            10**400,
            f"expected a percentage above 0% and up to 100%, such as 5%, found 1{'0' * 58}…",
            id="percent-native-huge",
        ),
        pytest.param(
            Judgments, [Plain("a")], "expected a mapping of document ids to grades, found a list", id="judgments"
        ),
    ],
)
def test_a_field_refuses(field: Any, given: object, complaint: str) -> None:
    """What is wrong is told as what was expected and what was found."""
    assert [((), complaint)] == complaints(field, given)


def test_each_wrong_judgment_has_its_own_complaint() -> None:
    """One wrong grade among many hides neither the others nor their documents."""
    given = {"a": Plain("0.9"), "b": Plain("1"), "": Plain("1"), "c": "2", "d": Plain("")}
    expected = [
        (("a",), "expected a whole number, found '0.9'"),
        (("",), "the document id must not be empty"),
        (("c",), "expected a whole number without quotes, found '2'"),
        (("d",), "expected a whole number, found nothing"),
    ]
    assert expected == complaints(Judgments, given)


def test_each_wrong_number_of_a_json_value_has_its_own_complaint() -> None:
    """A number that JSON lacks is found wherever it stands."""
    given = {"a": [Plain("1"), Plain(".nan")], "b": {"c": Plain(".inf")}}
    expected = [
        (("a", 1), "JSON has no number '.nan'; put it in quotes if it is text"),
        (("b", "c"), "JSON has no number '.inf'; put it in quotes if it is text"),
    ]
    assert expected == complaints(JsonField, given)


@pytest.mark.parametrize(
    ("field", "schema"),
    [
        pytest.param(Text, {"type": "string"}, id="text"),
        pytest.param(NonEmptyText, {"type": "string", "pattern": r"\S"}, id="non-empty-text"),
        pytest.param(Integer, {"type": "integer"}, id="integer"),
        pytest.param(Number, {"type": "number"}, id="number"),
        pytest.param(Flag, {"type": "boolean"}, id="flag"),
        pytest.param(Day, {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}, id="day"),
        pytest.param(
            Percent, {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)? ?%$", "examples": ["5%"]}, id="percent"
        ),
        pytest.param(JsonField, {}, id="json"),
        pytest.param(Judgments, {"type": "object", "additionalProperties": {"type": "integer"}}, id="judgments"),
    ],
)
def test_a_field_has_its_json_schema(field: Any, schema: JsonSchemaValue) -> None:
    """Editors that check files against the schema accept what the field accepts."""
    assert schema == TypeAdapter(field).json_schema()


def test_bounds_may_follow_a_field() -> None:
    """A field takes pydantic's bounds on top."""
    bounded: Any = Annotated[Integer, Field(ge=1)]
    assert 1 == TypeAdapter(bounded).validate_python(Plain("1"))
    assert [((), "Input should be greater than or equal to 1")] == complaints(bounded, Plain("0"))


def test_many_judgments_are_fast() -> None:
    """A hundred thousand grades are checked in a small part of a second."""
    adapter = TypeAdapter(Judgments)
    queries = [{f"SN-{query}-{rank}": Plain(rank % 4) for rank in range(20)} for query in range(5_000)]

    def seconds() -> float:
        start = time.process_time()
        for judgments in queries:
            adapter.validate_python(judgments)
        return time.process_time() - start

    assert min(seconds() for _ in range(3)) < 0.3
