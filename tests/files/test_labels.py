"""Documents to be judged, as files that are filled in by hand and read back by the golden set or a spreadsheet."""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgate.core.catalog import Scale
from rankgate.errors import GoldenFileError
from rankgate.files.golden_file import load
from rankgate.files.labels import ToJudge, as_csv, as_yaml

AWKWARD: Final = (
    *("plain", "it's", 'say "x"', "a: b", "- a", "# no comment", "a #b", "{x}", "[y]", "&z", "*z", "!t", "%d", "@at"),
    *("=1+1", "no", "null", "~", "0123", "1e3", "2024-01-01", "12:30", "<<", "?", "? x", ":", "|", ">", "back\\slash"),
    *("two\nlines", "tab\there", "cr\rhere", "nul\x00", "nel\x85", "ls\u2028ps\u2029", "bom\ufeff", "del\x7f"),
    *("\U0001f600", "caf\u00e9", "\u0416\u0443\u043a", "\u0627", "nbsp\u00a0", "\U000e0001", " blank ", "x" * 3000),
)


def graded(text: str) -> str:
    """Fill in a grade everywhere, as a person would: behind the colon of each document."""
    return re.sub(r'^( {6}(?:"(?:[^"\\]|\\.)*")?:)', r"\1 3", text, flags=re.MULTILINE)


def read_back(folder: Path, text: str) -> dict[str, tuple[str, dict[str, int]]]:
    """Text and judgments by query id, as the golden set has them."""
    (folder / "labels.yaml").write_bytes(text.encode())
    loaded = load([folder / "labels.yaml"], Scale()).golden
    return {query.id: (query.text, dict(query.judgments)) for query in loaded.queries}


def test_the_list_is_a_golden_file_without_grades() -> None:
    """Grouped by query; titles stand behind, for the reader."""
    documents = [
        ToJudge("q1", "red shoes", "d1", "Red running shoe"),
        ToJudge("q1", "red shoes", "d2"),
        ToJudge("q2", "blue shoes", "d1"),
    ]

    assert """\
# Grade each document from 0 to 3 for its query, then move the lines under the query's judgments.
# Their order says nothing of rank, and nothing of which side returned them.
queries:
  - id: "q1"
    text: "red shoes"
    judgments:
      "d1":  # Red running shoe
      "d2":
  - id: "q2"
    text: "blue shoes"
    judgments:
      "d1":
""" == as_yaml(documents, (0, 3))


def test_whatever_an_id_or_a_text_is_reads_back_once_it_is_graded(tmp_path: Path) -> None:
    """As it was, to the character: quotes, colons, line breaks, emoji, what YAML would take for something else."""
    documents = [ToJudge(f"q {text}", text, each) for text in AWKWARD for each in AWKWARD]

    assert {f"q {text}": (text, dict.fromkeys(AWKWARD, 3)) for text in AWKWARD} == read_back(
        tmp_path, graded(as_yaml(documents, (0, 3)))
    )


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5, unique=True))
def test_any_id_reads_back(tmp_path_factory: pytest.TempPathFactory, ids: Sequence[str]) -> None:
    """Whatever Unicode there is."""
    text = graded(as_yaml([ToJudge("q", "words", each) for each in ids], (0, 3)))

    assert {"q": ("words", dict.fromkeys(ids, 3))} == read_back(tmp_path_factory.mktemp("labels"), text)


def test_letters_of_any_alphabet_stay_readable() -> None:
    """People grade them; what cannot be seen is an escape."""
    assert '      "\u0416\u0443\u043a \U0001f600 \\u200b\\u2028":\n' in as_yaml(
        [ToJudge("q", "q", "\u0416\u0443\u043a \U0001f600 \u200b\u2028")], (0, 3)
    )


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("a\n      evil: 3", "a evil: 3"),
        ("a\r\nb: 3", "a b: 3"),
        ("a\u2028b: 3", "a b: 3"),
        ("a\x85b", "a b"),
        ("a\x00b", "a b"),
        ("\u202ea \u200b b", "a b"),
        ("# ## a", "# ## a"),
    ],
)
def test_a_title_cannot_break_out_of_its_comment(title: str, shown: str, tmp_path: Path) -> None:
    """It comes from the service."""
    text = as_yaml([ToJudge("q", "words", "d1", title), ToJudge("q", "words", "d2", title)], (0, 3))

    assert [f'      "d1":  # {shown}', f'      "d2":  # {shown}'] == text.split("\n")[6:-1]
    assert {"q": ("words", {"d1": 3, "d2": 3})} == read_back(tmp_path, graded(text))


def test_a_list_without_grades_is_refused_by_the_golden_set(tmp_path: Path) -> None:
    """What was forgotten is named and never taken for a grade."""
    text = as_yaml([ToJudge("q", "words", "d1"), ToJudge("q", "words", "d2")], (0, 3))

    with pytest.raises(GoldenFileError) as caught:
        read_back(tmp_path, text)

    assert [7, 8] == [problem.line for problem in caught.value.problems]


def test_nothing_to_judge_is_an_empty_list() -> None:
    """Both forms have their heads, and no query."""
    assert as_yaml([], (1, 5)).endswith("\nqueries: []\n")
    assert as_yaml([], (1, 5)).startswith("# Grade each document from 1 to 5 ")
    assert '"query_id","query","document","title","grade"\n' == as_csv([])


def test_a_spreadsheet_reads_the_same_cells_back() -> None:
    """Quotes, commas, line breaks; each document in one row, with its grade still empty."""
    harmless = [text for text in AWKWARD if not text.startswith(tuple("=+-@"))]
    documents = [ToJudge("q,1", 'the "best"\nshoe', each, f"title {each}") for each in harmless]

    assert [["query_id", "query", "document", "title", "grade"]] + [
        ["q,1", 'the "best"\nshoe', each, f"title {each}", ""] for each in harmless
    ] == list(csv.reader(io.StringIO(as_csv(documents), newline="")))


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", '=HYPERLINK("http://x")'])
def test_no_cell_is_a_formula(cell: str) -> None:
    """Whichever column it is in: a query, an id and a title come from anywhere."""
    rows = list(csv.reader(io.StringIO(as_csv([ToJudge(cell, cell, cell, cell)]), newline="")))

    assert [f"'{cell}"] * 4 + [""] == rows[1]
