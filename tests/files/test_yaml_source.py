"""What is written in a YAML file arrives as it was written, and what is wrong with it is said with its place."""

import gc
import os
import subprocess
import sys
import time
import tracemalloc
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rankgate.core.catalog import Scale
from rankgate.errors import ConfigError, GoldenFileError, Problem
from rankgate.files import yaml_parser
from rankgate.files.golden_file import load
from rankgate.files.yaml_source import Source, comments_after_text, parse, read
from rankgate.files.yaml_values import Loc, Plain, describe, resolve

LIBYAML_OR_NOT = pytest.mark.parametrize("loader", [yaml.CBaseLoader, yaml.BaseLoader], ids=["libyaml", "pure"])


def source(text: str | bytes) -> Source:
    return parse(text.encode() if isinstance(text, str) else text, "q.yaml", GoldenFileError)


def complaints(text: str | bytes) -> list[str]:
    with pytest.raises(GoldenFileError) as caught:
        source(text)
    return [str(problem) for problem in caught.value.problems]


def bomb(levels: str = "abcdefgh") -> str:
    lines = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    lines += [f"{name}: &{name} [{','.join([f'*{last}'] * 9)}]" for last, name in pairwise(levels)]
    return "\n".join(lines)


# --- scalars stay what was written


@LIBYAML_OR_NOT
@pytest.mark.parametrize(
    ("written", "read_back"),
    [
        pytest.param(
            "- id: on\n  text: no\n  judgments: {yes: 3, NO: 1, off: 0}\n",
            [{"id": "on", "text": "no", "judgments": {"yes": "3", "NO": "1", "off": "0"}}],
            id="G01-booleans",
        ),
        pytest.param(
            "text: 00100\njudgments: {01730: 3, 0x1F: 1, 1_000: 2}\n",
            {"text": "00100", "judgments": {"01730": "3", "0x1F": "1", "1_000": "2"}},
            id="G02-leading-zero",
        ),
        pytest.param("{07: 3, 08: 3, 09: 1}", {"07": "3", "08": "3", "09": "1"}, id="G03-octal-or-not"),
        pytest.param(
            'id: 12:30\ntext: "16:9 monitor"\njudgments: {3:7: 3, 21:15:00: 2}\n',
            {"id": "12:30", "text": "16:9 monitor", "judgments": {"3:7": "3", "21:15:00": "2"}},
            id="G04-base-60",
        ),
        pytest.param(
            "id: 2024-01-31\ntext: 2024-01-31T10:00:00Z\njudgments: {2023-12-01: 3}\n",
            {"id": "2024-01-31", "text": "2024-01-31T10:00:00Z", "judgments": {"2023-12-01": "3"}},
            id="G05-dates",
        ),
        pytest.param(
            "{id: q1, text: 2e3, judgments: {2e3: 2}, max_drop: 1e-3}",
            {"id": "q1", "text": "2e3", "judgments": {"2e3": "2"}, "max_drop": "1e-3"},
            id="G06-exponents",
        ),
        pytest.param(
            '{4821e07: 3, 77e0312: 1, 1E6: 2, true: 1, null: 1, "": 1}',
            {"4821e07": "3", "77e0312": "1", "1E6": "2", "true": "1", "null": "1", "": "1"},
            id="G07-float-like-ids",
        ),
        pytest.param(
            "text: 🐈 litter\njudgments: {d🐈: 3}\n", {"text": "🐈 litter", "judgments": {"d🐈": "3"}}, id="G11-emoji"
        ),
        pytest.param("text: c# tutorial", {"text": "c# tutorial"}, id="G13-hash-within-a-word"),
        pytest.param("{~: ~, null: Null}\n", {"~": "~", "null": "Null"}, id="nulls"),
        pytest.param("a:\nb: ''\n", {"a": "", "b": ""}, id="empty"),
        pytest.param("a: |\n  x\n  y\nb: >\n  x\n  y\n", {"a": "x\ny\n", "b": "x y\n"}, id="block-scalars"),
        pytest.param("? |\n  a\n: b\n? c\n", {"a\n": "b", "c": ""}, id="explicit-keys"),
        pytest.param("a: b\r\nc:\r\n  - d\r\n", {"a": "b", "c": ["d"]}, id="crlf"),
        pytest.param("!!str a: !!str 1", {"a": "1"}, id="the-one-tag"),
        pytest.param("%YAML 1.2\n---\na: b\n...\n", {"a": "b"}, id="directive-and-markers"),
        pytest.param("", None, id="empty-file"),
        pytest.param("# nothing\n---\n", None, id="only-a-comment"),
    ],
)
def test_scalars_are_the_text_that_was_written(
    written: str, read_back: object, loader: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No scalar, key or value, is given a meaning, by either parser."""
    monkeypatch.setattr(yaml_parser, "_LOADER", loader)
    assert read_back == source(written).value


def test_only_unquoted_values_are_plain() -> None:
    """Unquoted values are Plain; quoted ones, block scalars, tagged ones and all keys are exact str."""
    value = source("plain: a\nsingle: 'a'\ndouble: \"a\"\nblock: |-\n  a\ntagged: !!str a\nlist: [a, 'a']\n").value
    assert isinstance(value, dict)
    assert [Plain, str, str, str, str, list] == [type(item) for item in value.values()]
    assert [Plain, str] == [type(item) for item in value["list"] or ()]
    assert {str} == {type(key) for key in value}


@given(
    st.recursive(st.text(), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4))
)
def test_quoted_text_survives(value: Any) -> None:
    """Anything that PyYAML writes in double quotes reads back as the same strings."""
    written = yaml.safe_dump(value, default_style='"')
    assert value == source(written).value


@given(
    st.from_regex(r"[A-Za-z0-9_.+~\-]{1,12}", fullmatch=True).filter(lambda text: text.strip("-.") and text[0] != "-")
)
def test_unquoted_text_survives(text: str) -> None:
    """An unquoted word stays as written, as a key, as a value and in a list."""
    value = source(f"{text}: {text}\nlist:\n  - {text}\n  - [{text}]\n").value
    assert {text: text, "list": [text, [text]]} == value


# --- bytes


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xef\xbb\xbf- id: q1\n", id="G14-utf-8"),
        pytest.param(b"---\n\xef\xbb\xbf- id: q1\n", id="G14-after-the-marker"),
        pytest.param("- id: q1\n".encode("utf-16"), id="utf-16"),
        pytest.param(b"\xfe\xff" + "- id: q1\n".encode("utf-16-be"), id="utf-16-be"),
    ],
)
@LIBYAML_OR_NOT
def test_a_byte_order_mark_is_no_content(data: bytes, loader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with a byte order mark loads as the same file without one."""
    monkeypatch.setattr(yaml_parser, "_LOADER", loader)
    loaded = source(data)
    assert [{"id": "q1"}] == loaded.value
    assert 1 == loaded.key_place((0, "id"))[1] - len("- ")


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        pytest.param(
            b"id: q1\r\ntext: cr\xc3\xa8me br\xfbl\xe9e\n",
            "q.yaml:2:15: byte 0xFB at offset 23 is not UTF-8; save the file as UTF-8",
            id="G15-latin-1",
        ),
        pytest.param(b"\xe8", "q.yaml:1:1: byte 0xE8 at offset 0 is not UTF-8; save the file as UTF-8", id="at-once"),
        pytest.param(
            b"\xff\xfea\x00\x00\xd8",
            "q.yaml:1:2: byte 0x00 at offset 4 is not UTF-16; save the file as UTF-8",
            id="utf-16",
        ),
    ],
)
def test_bytes_that_are_no_text_are_refused_with_their_offset(data: bytes, complaint: str) -> None:
    """A file in another encoding is refused with offset, line and column, and never repaired."""
    assert [complaint] == complaints(data)


def test_the_locale_has_no_say(tmp_path: Path) -> None:
    """A file in UTF-8 reads the same under the C locale without UTF-8 mode (G15)."""
    (tmp_path / "q.yaml").write_bytes("text: crème brûlée".encode())
    code = (
        "import pathlib; from rankgate.files.yaml_source import read; from rankgate.errors import InputError;"
        "print(ascii(read(pathlib.Path('q.yaml'), InputError).value))"
    )
    environment = {**os.environ, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
    )
    assert ascii({"text": "crème brûlée"}) == done.stdout.strip()


@pytest.mark.parametrize("char", ["\x00", "\x07", "\x7f", "\x85", "\u2028", "\u2029", "\uffff"], ids=ascii)
def test_invisible_characters_are_refused(char: str) -> None:
    """Control characters and line separators, which YAML would refuse or fold, are named with their place."""
    code = f"{ord(char):04X}"
    complaint = f"the character U+{code} cannot stand in YAML; remove it, or write \\u{code.lower()} in double quotes"
    assert [f"q.yaml:2:10: {complaint}"] == complaints(f"id: q1\ntext: abc{char}\n")


# --- mistakes


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("a:\n\tb: 1\n", "2:1: a tab stands where YAML allows only spaces; indent with spaces", id="tab"),
        pytest.param(
            "a:\n  b: c\n\td: e", "3:1: a tab stands where YAML allows only spaces; indent with spaces", id="tab-later"
        ),
        pytest.param(
            "a: x\n\tb: c", "2:1: a tab stands where YAML allows only spaces; indent with spaces", id="tab-in-text"
        ),
        pytest.param(
            "a: b: c",
            "1:5: a ':' stands where no key can end; check the indentation, or put the text in quotes",
            id="colon",
        ),
        pytest.param("a: [1,2", "1:8: the list that opens in line 1 needs ',' or ']' here", id="list-open"),
        pytest.param("a: {x: 1", "1:9: the mapping that opens in line 1 needs ',' or '}' here", id="mapping-open"),
        pytest.param('a: "x\nb: y', "1:4: the quote that opens here is never closed", id="quote-open"),
        pytest.param(
            "a: 'x\n---\n",
            "1:4: the quote that opens here is not closed before the next '---' or '...'",
            id="quote-cut",
        ),
        pytest.param("a: @x", "1:4: unquoted text cannot start with '@'; put it in quotes", id="at-sign"),
        pytest.param("a: %x", "1:4: unquoted text cannot start with '%'; put it in quotes", id="percent"),
        pytest.param("a: 1\nd: [", "2:5: the file ends in the middle of a list or mapping", id="cut-off"),
        pytest.param("a: - b", "1:4: a list cannot start here; begin it in a line of its own", id="list-in-line"),
        pytest.param(
            "- a\nb: c",
            "2:1: what starts in line 1 does not go on like this; check the indentation and the quotes",
            id="list-then-key",
        ),
        pytest.param(
            'a: "x" y',
            "1:8: what starts in line 1 does not go on like this; check the indentation and the quotes",
            id="text-after-quote",
        ),
        pytest.param(
            "a: b\nc\n",
            "2:2: line 2 holds no ':' after its key; check the indentation, or put the text in quotes",
            id="no-colon",
        ),
        pytest.param(
            "a: | foo",
            "1:6: text cannot follow '|' or '>' in its line; begin it in the next one, or quote it",
            id="text-after-bar",
        ),
        pytest.param(
            'a: "\\q"',
            "1:5: unknown escape in double quotes; write \\\\ for a backslash, or use single quotes",
            id="unknown-escape",
        ),
        pytest.param(
            'a: "\\x1"',
            "1:7: incomplete escape in double quotes; write \\\\ for a backslash, or use single quotes",
            id="incomplete-escape",
        ),
        pytest.param(
            "%YAML 2.0\n---\na: b",
            "1:1: only YAML 1 can be read; remove the line that starts with '%YAML'",
            id="version",
        ),
        pytest.param(
            "a: ?", "1:4: not valid YAML: mapping keys are not allowed in this context", id="words-of-libyaml"
        ),
        pytest.param(
            "a: 1\n---\nb: 2",
            "2:1: a second document starts here; a file holds only one: remove the '---'",
            id="documents",
        ),
        pytest.param(
            "a: b\na: c", "2:1: the key 'a' is given twice, first in line 1; remove one of them", id="G08-top-level"
        ),
        pytest.param(
            "judgments:\n  d1: 3\n  d2: 1\n  d1: 3\n",
            "4:3: the key 'd1' is given twice, first in line 2; remove one of them",
            id="G17-judged-twice",
        ),
        pytest.param(
            "judgments: {d1: 3,\n  'd1': 0}",
            "2:3: the key 'd1' is given twice, first in line 1; remove one of them",
            id="G08-quoted-and-not",
        ),
        pytest.param(
            "[a, b]: c",
            "1:1: a key must be text, found a list; put it in quotes if it is meant as text",
            id="list-as-key",
        ),
        pytest.param(
            "a: {{query}}",
            "1:5: a key must be text, found a mapping; put it in quotes if it is meant as text",
            id="mapping-as-key",
        ),
        pytest.param(
            "a: !!int 3",
            "1:4: tags are not supported, found 'tag:yaml.org,2002:int'; put the text in quotes if the '!' belongs to it",
            id="tag",
        ),
        pytest.param(
            "a: !x!y z", "1:4: tags are not supported; put the text in quotes if the '!' belongs to it", id="tag-handle"
        ),
        pytest.param(
            "a: *x",
            "1:4: the alias '*x' has no anchor '&x' before it; put the text in quotes if the '*' belongs to it",
            id="unknown-alias",
        ),
        pytest.param(
            "*x : a",
            "1:1: the alias '*x' has no anchor '&x' before it; put the text in quotes if the '*' belongs to it",
            id="unknown-alias-as-key",
        ),
        pytest.param(
            "a:\n  <<: *x",
            "2:7: the alias '*x' has no anchor '&x' before it; put the text in quotes if the '*' belongs to it",
            id="merge-of-an-unknown-alias",
        ),
        pytest.param("a: &x [b, *x]", "1:11: the alias '*x' stands within what it stands for", id="recursive-alias"),
        pytest.param("a: &x 1\nb: &x 2", "2:4: the anchor '&x' is given twice; rename one of them", id="anchor-twice"),
        pytest.param(
            "<<: 3",
            "1:1: '<<' adds the keys of another mapping, found '3'; put the '<<' in quotes if it is a key of its own",
            id="merge-of-text",
        ),
    ],
)
def test_a_mistake_is_named_with_its_place(text: str, complaint: str) -> None:
    """Each mistake gives line, column and what to do, in words of our own."""
    assert [f"q.yaml:{complaint}"] == complaints(text)


def test_the_halves_of_a_character_are_joined_as_json_writes_them() -> None:
    """A file that json.dumps has written is YAML too; outside of double quotes a backslash is a backslash."""
    text = r"""{"text": "\ud83d\udc08 \\\ud83d\udc08 \\ud83d", note: '\ud83d\udc08'}"""

    value = parse(text.encode(), "golden.yaml", GoldenFileError).value

    assert {"text": "\U0001f408 \\\U0001f408 \\ud83d", "note": r"\ud83d\udc08"} == value


@LIBYAML_OR_NOT
@pytest.mark.parametrize("escape", ["\\ud800", "\\udc00", "\\ude00\\ud83d"], ids=["high", "low", "pair turned round"])
def test_half_characters_are_refused(escape: str, loader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of a character is refused by both parsers, alone and with the wrong other half."""
    monkeypatch.setattr(yaml_parser, "_LOADER", loader)
    [complaint] = complaints(f'a: b\nc: "{escape}"')
    assert complaint.startswith("q.yaml:2:")
    message = "this escape is half of a character, as in JSON; write the character itself, or \\U and its 8 digits"
    assert complaint.endswith(message)


def test_what_the_parser_gives_no_place_for_is_still_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the parser without a place ends as a problem of the file, not as a crash."""

    class Failing(yaml.BaseLoader):
        def get_event(self) -> Any:
            raise yaml.YAMLError("the parser gave up")

    monkeypatch.setattr(yaml_parser, "_LOADER", Failing)
    assert ["q.yaml: not valid YAML: the parser gave up"] == complaints("a: b")


def test_all_mistakes_are_reported_at_once() -> None:
    """Mistakes that do not stop the reading are all reported, in the order of their places, before one that does."""
    expected = [
        Problem("the key 'a' is given twice, first in line 1; remove one of them", "q.yaml", 3, 1),
        Problem("the key 'b' is given twice, first in line 2; remove one of them", "q.yaml", 4, 1),
        Problem("tags are not supported, found '!t'; put the text in quotes if the '!' belongs to it", "q.yaml", 5, 4),
        Problem("the key 'd' is given twice, first in line 6; remove one of them", "q.yaml", 7, 5),
        Problem("unquoted text cannot start with '@'; put it in quotes", "q.yaml", 8, 4),
    ]
    with pytest.raises(ConfigError) as caught:
        parse(b"a: 1\nb: 2\na: 3\nb: 4\nc: !t 1\ne: {d: 1,\n    d: 2}\nf: @\n", "q.yaml", ConfigError)
    assert tuple(expected) == caught.value.problems


# --- aliases


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("a: &x {b: c}\nd: *x\n", {"a": {"b": "c"}, "d": {"b": "c"}}, id="alias"),
        pytest.param("&k a: b\nc: *k\n", {"a": "b", "c": "a"}, id="anchor-on-a-key"),
        pytest.param("a: &k b\n*k : c\n", {"a": "b", "b": "c"}, id="alias-as-a-key"),
        pytest.param(
            "x: &x {a: 1, b: 2}\ny: {<<: *x, a: 3}\n",
            {"x": {"a": "1", "b": "2"}, "y": {"a": "3", "b": "2"}},
            id="merge",
        ),
        pytest.param("<<: [{a: 1, b: 2}, {a: 3, c: 4}]\nb: 9\n", {"a": "1", "b": "9", "c": "4"}, id="merge-several"),
        pytest.param('"<<": 3', {"<<": "3"}, id="quoted-merge-is-a-key"),
    ],
)
def test_anchors_and_merges_work(text: str, value: object) -> None:
    """Aliases give the anchored value; of merged keys the explicit one wins, then the first, and none is a repetition."""
    assert value == source(text).value


def test_an_alias_bomb_is_refused_at_once() -> None:
    """A few hundred bytes that stand for gigabytes are refused in well under a second and in little memory (G09)."""
    tracemalloc.start()
    start = time.perf_counter()
    found = complaints(bomb())
    seconds = time.perf_counter() - start
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert ["q.yaml:7:8: the aliases up to here stand for more than 1,000,000 values; use fewer"] == found
    assert seconds < 0.5
    assert peak < 1_000_000


def test_a_small_bomb_is_just_a_file() -> None:
    """Aliases of aliases are fine as long as they stand for a sensible number of values."""
    value = source(bomb("abc")).value
    assert isinstance(value, dict)
    assert [[["x"] * 9] * 9] * 9 == value["c"]


@LIBYAML_OR_NOT
@pytest.mark.parametrize("levels", [2_000, 100_000])
@pytest.mark.parametrize("opening", ["[", "- ", "{a: ", "? ", "[\n"], ids=["flow", "block", "mapping", "key", "lines"])
def test_deep_nesting_is_refused(opening: str, levels: int, loader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of brackets is refused and overflows no stack (G10)."""
    monkeypatch.setattr(yaml_parser, "_LOADER", loader)
    [complaint] = complaints(opening * levels)
    assert complaint.endswith("nested too deeply: more than 100 levels")


def test_a_hundred_levels_are_allowed() -> None:
    """The limit of depth is inclusive."""
    value: Any = source("[" * 100 + "]" * 100).value
    for _ in range(99):
        [value] = value
    assert [] == value
    assert ["q.yaml:1:101: nested too deeply: more than 100 levels"] == complaints("[" * 101 + "]" * 101)


# --- places

PLACES = """\
# a comment
slice: jargon
queries:
  - id: q1
    judgments: {SN-1: 3, "b c": 1}
  - id: q2
    empty:
    base: &base {x: 1}
    more:
      <<: [*base, {y: 2}]
      z: 3
"""


@pytest.mark.parametrize(
    ("loc", "value", "key"),
    [
        pytest.param((), (2, 1), (2, 1), id="root"),
        pytest.param(("slice",), (2, 8), (2, 1), id="scalar"),
        pytest.param(("queries",), (4, 3), (3, 1), id="list"),
        pytest.param(("queries", 1), (6, 5), (6, 5), id="entry"),
        pytest.param(("queries", 0, "judgments", "b c"), (5, 33), (5, 26), id="quoted-key"),
        pytest.param(("queries", 1, "empty"), (7, 11), (7, 5), id="empty-value"),
        pytest.param(("queries", 1, "more", "x"), (8, 21), (8, 18), id="merged-from-an-alias"),
        pytest.param(("queries", 1, "more", "y"), (10, 23), (10, 20), id="merged"),
        pytest.param(("queries", 0, "text"), (4, 5), (4, 5), id="no-such-key"),
        pytest.param(("queries", 7, "text"), (4, 3), (4, 3), id="no-such-entry"),
        pytest.param(("slice", "x", "y"), (2, 8), (2, 8), id="within-a-scalar"),
    ],
)
@LIBYAML_OR_NOT
def test_places(
    loc: Loc, value: tuple[int, int], key: tuple[int, int], loader: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values and keys are found where they stand, what does not exist at its deepest ancestor."""
    monkeypatch.setattr(yaml_parser, "_LOADER", loader)
    loaded = source(PLACES)
    assert (value, key) == (loaded.place(loc), loaded.key_place(loc))


def test_an_empty_file_has_a_place() -> None:
    """What is missing from an empty file is missing at its start."""
    assert ((1, 1), (1, 1)) == (source("").place(("a",)), source("").key_place(()))


def test_mappings_know_where_they_start() -> None:
    """Each mapping's start is known from the first reading, and is the place that the second one finds."""
    loaded = source(PLACES)
    assert isinstance(loaded.value, dict)
    queries = loaded.value["queries"]
    assert isinstance(queries, list)
    places = [loaded.mapping_place(query) for query in queries if isinstance(query, dict)]
    assert [(4, 5), (6, 5)] == places
    assert [loaded.place(("queries", 0)), loaded.place(("queries", 1))] == places


# --- files


def test_the_path_is_shown_as_one_would_write_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file below the working directory is shown relative to it, any other as it was given."""
    (tmp_path / "work" / "golden").mkdir(parents=True)
    (tmp_path / "work" / "golden" / "q.yaml").write_text("a: b")
    (tmp_path / "far.yaml").write_text("a: b")
    monkeypatch.chdir(tmp_path / "work")
    below = tmp_path / "work" / "golden" / "q.yaml"
    paths = [below, Path("golden/../golden/q.yaml"), tmp_path / "far.yaml", Path("../far.yaml")]
    shown = [read(path, GoldenFileError).path for path in paths]
    inside = str(Path("golden/q.yaml"))
    assert [inside, inside, str(tmp_path / "far.yaml"), str(Path("../far.yaml"))] == shown


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("none.yaml", "there is no such file", id="missing"),
        pytest.param("folder", "expected a file, found a directory", id="directory"),
        pytest.param("q.yaml/x", "the file cannot be read: Not a directory", id="below-a-file"),
        pytest.param("a\0b", "the file cannot be read: embedded null byte", id="no-name"),
    ],
)
def test_a_file_that_cannot_be_read(name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not there or no file is an input error that names it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "q.yaml").touch()
    with pytest.raises(ConfigError) as caught:
        read(Path(name), ConfigError)
    assert (Problem(message, name),) == caught.value.problems


@pytest.mark.parametrize("was_on", [True, False], ids=["on", "off"])
@pytest.mark.parametrize("text", ["a: b", "a: @"], ids=["good", "bad"])
def test_the_collector_is_left_as_it_was(text: str, was_on: bool) -> None:
    """Loading turns the garbage collector off and leaves it as it was, after an error too."""
    before = gc.isenabled()
    try:
        (gc.enable if was_on else gc.disable)()
        with suppress(GoldenFileError):
            source(text)
        assert was_on == gc.isenabled()
    finally:
        (gc.enable if before else gc.disable)()


@pytest.mark.parametrize("grade", ["3", "9"], ids=["good", "bad"])
def test_a_golden_set_loads_without_a_collection(grade: str, tmp_path: Path) -> None:
    """The garbage collector rests until all is loaded or refused; then it is on again and may run once."""
    entries = (f"- {{id: q{n}, text: bracket {n}, judgments: {{SN-{n}: {grade}}}}}" for n in range(1000))
    (tmp_path / "q.yaml").write_text("\n".join(["queries:", *entries]))
    collections: list[str] = []

    def note(phase: str, _: object) -> None:
        collections.append(phase)

    gc.callbacks.append(note)
    try:
        with suppress(GoldenFileError):
            load([tmp_path], Scale())
        found = collections.count("start")
    finally:
        gc.callbacks.remove(note)
    assert found <= 1
    assert gc.isenabled()


def test_loading_is_much_faster_than_the_safe_loader() -> None:
    """A thousand queries of twenty judgments load in less than two thirds of the time of yaml.CSafeLoader."""
    entry = "- id: q{0}\n  text: cracked bracket {0}\n  judgments:\n"
    data = "".join(entry.format(n) + "".join(f"    SN-{n}-{d}: {d % 4}\n" for d in range(20)) for n in range(1000))

    def seconds(load: Any) -> float:
        start = time.process_time()
        load()
        return time.process_time() - start

    ours = min(seconds(lambda: source(data)) for _ in range(3))
    theirs = min(seconds(lambda: yaml.load(data, Loader=yaml.CSafeLoader)) for _ in range(3))
    assert ours < theirs / 1.5


# --- what a scalar means in JSON


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((text, None) for text in ("", "~", "null", "Null", "NULL")),
        *((text, True) for text in ("true", "True", "TRUE")),
        *((text, False) for text in ("false", "False", "FALSE")),
        *(
            (text, text)
            for text in ("no", "on", "nULL", "12:30", "1_000", "2024-01-31", "0b1", "1e", ".", "-", "0o8", "٣")
        ),
        *(("7", 7), ("-7", -7), ("+7", 7), ("007", 7), ("0o17", 15), ("0x1F", 31), ("9" * 30, int("9" * 30))),
        *(("0.5", 0.5), (".5", 0.5), ("5.", 5.0), ("1e3", 1000.0), ("-1.5E-3", -0.0015)),
    ],
    ids=repr,
)
def test_plain_scalars_resolve_by_the_core_schema(text: str, value: object) -> None:
    """Unquoted scalars mean what YAML 1.2's core schema says, with its types; quoted ones mean themselves."""
    resolved = resolve(Plain(text))
    assert (value, type(value)) == (resolved, type(resolved))
    assert (text, str) == (resolve(str(text)), type(resolve(str(text))))


def test_resolving_goes_all_the_way_down() -> None:
    """Containers are resolved within, keys stay text, native values stay themselves."""
    value = source("{a: [1, '1', {2: yes, b: true}], c: null}").value
    assert {"a": [1, "1", {"2": "yes", "b": True}], "c": None} == resolve(value)
    assert {"a": [1, 0.5, True, None]} == resolve({"a": (1, 0.5, True, None)})


@pytest.mark.parametrize(
    "value", [Plain(".inf"), Plain("-.INF"), Plain(".nan"), Plain("1e999"), float("nan"), float("inf")], ids=repr
)
def test_numbers_that_json_lacks_are_refused(value: object) -> None:
    """Infinite and undefined numbers, written or native, have no form in JSON."""
    with pytest.raises(ValueError, match=r"JSON has no number .*; put it in quotes if it is text"):
        resolve([{"a": value}])


def test_other_objects_are_refused() -> None:
    """What is no JSON value at all is named by its type."""
    with pytest.raises(ValueError, match="a bytes has no form in JSON"):
        resolve(b"x")


# --- lint and wording


def test_a_comment_after_an_unquoted_text_is_reported() -> None:
    """A word that starts with # right after an unquoted text is probably part of it (G13)."""
    loaded = source(
        "queries:\n"
        "  - text: #5 gloves\n"
        "  - text: c #tutorial\n"
        '  - text: "c" #quoted\n'
        "  - text: c  # asked twice a week\n"
        "  - text: c# tutorial\n"
        "    note: x #y\n"
    )
    advice = "is a comment; put the text in quotes to keep it"
    expected = [
        Problem(f"nothing is left of the text: '#5 gloves' {advice}", "q.yaml", 2, 10),
        Problem(f"only 'c' is left of the text: '#tutorial' {advice}", "q.yaml", 3, 11),
    ]
    assert expected == comments_after_text(loaded)


@pytest.mark.parametrize("text", ["", "a: b\n", "# x\n", "text: [a] #b\n", "a: &x {text: b}\nc: *x #d\n"])
def test_other_comments_are_fine(text: str) -> None:
    """Comments elsewhere, and files without any, give no warning."""
    assert [] == comments_after_text(source(text))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param({}, "a mapping", id="mapping"),
        pytest.param([], "a list", id="list"),
        pytest.param((), "a list", id="tuple"),
        pytest.param(None, "nothing", id="none"),
        pytest.param(Plain(""), "nothing", id="left-empty"),
        pytest.param("", "''", id="quoted-empty"),
        pytest.param(Plain("0.9"), "'0.9'", id="plain"),
        pytest.param(True, "True", id="native"),
        pytest.param("x" * 58, f"'{'x' * 58}'", id="just-fits"),
        pytest.param("x" * 59, f"'{'x' * 58}…", id="too-long"),
        pytest.param("\n" * 10_000_000, "'" + r"\n" * 29 + "…", id="huge"),
    ],
)
def test_values_are_described_in_short(value: object, text: str) -> None:
    """Messages show at most 60 characters of a value and only the kind of a container."""
    assert text == describe(value)
    assert len(describe(value)) <= 60


def test_a_merge_conflict_is_called_one() -> None:
    """At its first mark, whatever the parser would say of the lines in between."""
    text = "queries:\n<<<<<<< HEAD\n- {id: a}\n=======\n- {id: b}\n>>>>>>> theirs\n"

    message = (
        "a merge conflict was left in the file; take one side, and remove the lines of <<<<<<<, ======= and >>>>>>>"
    )
    assert [f"q.yaml:2:1: {message}"] == complaints(text)
