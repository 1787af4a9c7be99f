"""The words that every message shares."""

import pytest

from rankgate.errors import nearest, reason


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        pytest.param("Flor", ["floor", "ceiling"], "; did you mean 'floor'?", id="close"),
        pytest.param("x", ["b", "a", "b"], "; known: a, b", id="nothing close"),
        pytest.param("x", [], "", id="nothing known"),
        pytest.param(
            "x",
            [f"query-{number}" for number in range(10, 22)],
            "; known: " + ", ".join(f"query-{number}" for number in range(10, 22)),
            id="twelve",
        ),
        pytest.param(
            "x",
            [f"query-{number}" for number in range(10, 24)],
            "; known: " + ", ".join(f"query-{number}" for number in range(10, 22)) + " and 2 more",
            id="more than anybody reads",
        ),
    ],
)
def test_a_name_that_is_unknown_comes_with_those_that_are(name: str, known: list[str], expected: str) -> None:
    """The closest, else the first dozen."""
    assert expected == nearest(name, known)


def test_what_is_known_need_not_be_told() -> None:
    """Of an environment with a hundred variables only a close one is."""
    assert ["; did you mean 'PATH'?", ""] == [nearest(name, ["HOME", "PATH"], or_known=False) for name in ("PTH", "x")]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (FileNotFoundError(2, "No such file or directory"), "No such file or directory"),
        (OSError("odd"), "odd"),
        (ValueError("embedded null byte"), "embedded null byte"),
    ],
)
def test_a_reason_is_in_the_words_of_the_system(error: Exception, expected: str) -> None:
    """Without its number, and never empty."""
    assert expected == reason(error)
