"""Values that are often written wrong: the message ends with what to write."""

import pytest

from rankgate.files.cures import key_cure, value_cure


@pytest.mark.parametrize(
    ("key", "value", "cure"),
    [
        ("q", {"query": ""}, '; a placeholder needs quotes: "{query}"'),
        ("q", {"query": "", "depth": ""}, ""),
        ("q", {"a b": ""}, ""),
        ("q", {}, ""),
        ("R-3:3", "", "; a blank is missing after the colon: R-3: 3"),
        ("R-3", "", ""),
        ("max_drop", "2%", "; a limit relative to the baseline is max_drop_rel: 2%"),
        ("floor", "2%", ""),
        ("max_drop", "0,02", "; write 0.02"),
        ("lost_queries", "3", "; write lost_queries: {max: 3}"),
        ("timeout", "5", "; write timeout: {read: 5}"),
        ("timeout", "soon", ""),
        ("grades", ["0"], ""),
    ],
)
def test_a_value_has_a_cure_where_what_was_meant_is_plain(key: str, value: object, cure: str) -> None:
    """And none where it would be a guess."""
    assert cure == value_cure(key, value)


@pytest.mark.parametrize(
    ("key", "value", "cure"),
    [
        ("02", "", "; a decimal point is '.', and ',' parts two entries: 0.02"),
        ("a:3", "", "; a blank is missing after the colon: a: 3"),
        ("max_dorp", "0.02", ""),
    ],
)
def test_a_key_has_a_cure_too(key: str, value: object, cure: str) -> None:
    """Within braces a comma or a missing blank makes a key of what was a number."""
    assert cure == key_cure(key, value)
