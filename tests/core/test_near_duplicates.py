"""Queries that are almost the same, and those that only look so."""

import pytest

from rankgate.core.judgments import Query
from rankgate.core.near_duplicates import alike, near_duplicates, words
from tests.support import query


def found(*queries: Query) -> list[tuple[str, str]]:
    return [(one.id, another.id) for one, another in near_duplicates(queries)]


@pytest.mark.parametrize(
    ("one", "another"),
    [
        pytest.param("red shoes", "Red  SHOES", id="case and blanks"),
        pytest.param("red shoes", "red-shoes?", id="punctuation"),
        pytest.param("women's jackets", "womens jackets", id="apostrophe"),
        pytest.param("rain jacket", "jacket rain", id="order of words"),
        pytest.param("\uff32ain", "rain", id="full width"),
        pytest.param("waterproof jacket", "waterproof jackets", id="plural"),
        pytest.param("headphone", "headphones", id="one word"),
        pytest.param("how to open a file", "how to open file", id="a word more"),
        pytest.param("new new york city hotels", "new york new city hotel", id="a word twice"),
    ],
)
def test_near_duplicates(one: str, another: str) -> None:
    """In the order of the set, whichever of the two comes first."""
    assert [("q0", "q1")] == found(query("q0", text=one), query("q1", text=another))
    assert [("q0", "q1")] == found(query("q0", text=another), query("q1", text=one))


@pytest.mark.parametrize(
    ("one", "another"),
    [
        pytest.param("galaxy s21 case", "galaxy s22 case", id="another number"),
        pytest.param("how to read a file in c#", "how to read a file in c++", id="another language"),
        pytest.param("running shoes for men", "running shoes for women", id="another word"),
        pytest.param("jacket", "jackets", id="a letter of few"),
        pytest.param("?", "!", id="nothing but punctuation"),
        pytest.param("", "!", id="nothing at all"),
        pytest.param("red wool jackets of merino wool", "red wool jacket of merino wools", id="two words spelt anew"),
        pytest.param("red shoes", "red shoes", id="the very same text"),
    ],
)
def test_no_near_duplicates(one: str, another: str) -> None:
    """What differs is another query, or is named elsewhere."""
    assert [] == found(query("q0", text=one), query("q1", text=another))


def test_other_params_make_another_query() -> None:
    """One text in two languages is two queries."""
    german, english = (
        query(locale, text=text, params={"locale": locale}) for locale, text in (("de", "A"), ("en", "a"))
    )

    assert [] == found(german, english)
    assert [("de", "en")] == found(german, query("en", text="a", params={"locale": "de"}))


def test_a_group_is_paired_with_its_first() -> None:
    """Three spellings are two pairs; a further spelling of all is paired with the first of them."""
    spellings = [query(f"q{number}", text=text) for number, text in enumerate(["Headphone", "headphone", "headphone!"])]

    assert [("q0", "q1"), ("q0", "q2"), ("q0", "q3")] == found(*spellings, query("q3", text="headphones"))


def test_only_neighbours_in_the_alphabet_are_compared() -> None:
    """A set of ten thousand queries of one word does not cost fifty million comparisons."""
    between = [query(f"x{number:02}", text="headphonea" + "ab"[number % 2] * (number + 9)) for number in range(30)]

    assert ("a", "z") not in found(query("a", text="headphone"), *between, query("z", text="headphonez"))
    assert [("a", "z")] == found(query("a", text="headphone"), query("z", text="headphonez"))


def test_words() -> None:
    """Sorted and folded; what is part of a word stays, and there is always one."""
    assert ("50%", "at&t", "c#", "c++", "straße".casefold()) == words("C#, c++ 50% AT&T Straße")
    assert ("?!",) == words("?!")


@pytest.mark.parametrize(
    ("one", "another", "expected"),
    [
        ("abcdefghijklm", "abcdefghijklmn", True),  # 26 of 27
        ("abcdefghijklm", "abcdefghijklmno", False),  # 26 of 28 is 0.9286
        ("abc", "abcdef", False),
        ("abcdefghijklmn", "nmlkjihgfedcba", False),
    ],
)
def test_alike(one: str, another: str, expected: bool) -> None:
    """By the share of characters in common runs."""
    assert expected is alike(one, another)
