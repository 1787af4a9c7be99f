"""Characters that cannot be seen, and texts that a CI runner would act on."""

import pytest

from rankgate.reports.visible import columns, inert, middle, shortened, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x07", r"\x1b[2J\x07"),
        ("a\nb\rc\td", r"a\nb\rc\td"),
        ("\u202egnp\u202c \u2066x\u2069", r"\u202egnp\u202c \u2066x\u2069"),
        ("zero\u200bwidth\ufeff", r"zero\u200bwidth\ufeff"),
        ("\x00\x7f\x85\x9b", r"\x00\x7f\x85\x9b"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("\ud800 \ufffe", r"\ud800 \ufffe"),
        ("\U000e0041", r"\U000e0041"),
        ("plain, é, 検索, 🐈, ✓", "plain, é, 検索, 🐈, ✓"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    """Controls, overrides and zero width are written out; letters and symbols of any script stay."""
    assert shown == visible(text)


@pytest.mark.parametrize(
    ("text", "width", "cut"),
    [
        ("short", 5, "short"),
        ("abcdefghij", 9, "abc...hij"),
        ("abcdefghij", 8, "abc...ij"),
        ("検索検索検索", 9, "検...索"),
        ("abcdefghij", 0, "a...j"),
    ],
)
def test_middle(text: str, width: int, cut: str) -> None:
    """What is too wide loses its middle; wide characters count as two columns."""
    assert cut == middle(text, width)


def test_a_sentence_is_shortened_by_its_ids() -> None:
    """Every word of it stays, and each id keeps both ends; what is short enough is left alone."""
    first, second = "a" + "x" * 98 + "b", "c" + "x" * 98 + "d"
    said = f"judging alone could turn this: {first} for query {second}"
    ids = [f"{head}{'x' * 18}...{'x' * 17}{tail}" for head, tail in ("ab", "cd")]

    assert said == shortened(said, len(said))
    assert f"judging alone could turn this: {ids[0]} for query {ids[1]}" == shortened(said, len(said) - 1)
    assert 30 == columns(shortened(said, 30))


def test_columns() -> None:
    """A combining mark takes no column, a wide character two."""
    assert (3, 1, 4) == (columns("abc"), columns("e\u0301"), columns("検索"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\n::error::x", "a\n\\x3a:error::x"),
        ("  ::add-mask::x", "  \\x3a:add-mask::x"),
        ("a ::error::x", "a ::error::x"),
        ("x ##[error] y", "x #\\x23[error] y"),
        ("##vso[task.setvariable]", "#\\x23vso[task.setvariable]"),
        ("## heading", "## heading"),
    ],
)
def test_inert(text: str, shown: str) -> None:
    """A line of a log never is a command to the runner because of what a query says."""
    assert shown == inert(text)
