"""Text that is written as YAML comes back as the same text."""

from collections.abc import Callable

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rankgate.errors import InputError
from rankgate.files.yaml_source import parse
from rankgate.files.yaml_text import plain_or_quoted, quoted

WORDS = ("y", "yes", "n", "no", "true", "false", "on", "off", "null")


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("case", [str.lower, str.upper, str.title], ids=["lower", "upper", "title"])
def test_words_that_some_yaml_reads_as_a_value_are_quoted(word: str, case: Callable[[str], str]) -> None:
    """In whatever case, for a reader of YAML 1.1 takes them so."""
    text = case(word)

    assert f'"{text}"' == plain_or_quoted(text)
    assert {text: text} == yaml.safe_load(f"{plain_or_quoted(text)}: {plain_or_quoted(text)}")


@pytest.mark.parametrize("text", ["title", "hits.total", "http://h:9200/a-b", "größe", "_id", "nothing", "x=1", "no.1"])
def test_ordinary_names_stay_bare(text: str) -> None:
    """They are easier to read."""
    assert text == plain_or_quoted(text)


@pytest.mark.parametrize(
    "text", ["", "1", "1e3", "a b", "a:", "a#", "- a", "~", "{query}", "[0]", "@", "=", "<<", "'", '"', "\n", "\u202e"]
)
def test_anything_else_is_quoted(text: str) -> None:
    """And a line holds no character that nobody can see."""
    assert plain_or_quoted(text).startswith('"')
    assert plain_or_quoted(text).isprintable()


@given(st.one_of(st.text(st.characters(exclude_categories=["Cs"])), st.from_regex(r"[\w./:=-]+", fullmatch=True)))
def test_every_text_comes_back(text: str) -> None:
    """As a key and as a value, bare or in quotes."""
    for written in (plain_or_quoted(text), quoted(text)):
        found = parse(f"? {written}\n: {written}\n".encode(), "f.yaml", InputError).value

        assert {text: text} == found
