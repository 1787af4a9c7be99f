"""Documents to be judged, as a file that is filled in: YAML for the golden set, CSV for a spreadsheet."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from rankgate.files.yaml_text import quoted

_HEAD: Final = """\
# Grade each document from {lowest} to {highest} for its query, then move the lines under the query's judgments.
# Their order says nothing of rank, and nothing of which side returned them.
"""
#: A spreadsheet would take a cell that begins so for a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
#: A longer key is one of YAML only where it says so; the quotes count.
_LONGEST_KEY: Final = 1000


@dataclass(frozen=True, slots=True)
class ToJudge:
    """A document that nobody judged for a query; *title* may be empty."""

    query_id: str
    text: str
    document: str
    title: str = ""


def as_yaml(documents: Sequence[ToJudge], grades: tuple[int, int]) -> str:
    """A list of queries, each with its documents and no grades yet.

    Args:
        documents: Those of a query together.
        grades: The smallest and the largest, for the reader.
    """
    return _HEAD.format(lowest=grades[0], highest=grades[1]) + "".join(_yaml_lines(documents))


def _yaml_lines(documents: Sequence[ToJudge]) -> Iterator[str]:
    yield "queries:\n" if documents else "queries: []\n"
    for (query_id, text), found in groupby(documents, key=lambda each: (each.query_id, each.text)):
        yield f"  - id: {quoted(query_id)}\n    text: {quoted(text)}\n    judgments:\n"
        for each in found:
            title = f"  # {_comment(each.title)}" if each.title else ""
            key = quoted(each.document)
            yield f"      {key}:{title}\n" if len(key) < _LONGEST_KEY else f"      ? {key}\n      :{title}\n"


def as_csv(documents: Sequence[ToJudge]) -> str:
    """A line for each document with an empty column for its grade; no cell is a formula."""
    out = io.StringIO()
    # All in quotes: what has a carriage return in it would else be read back as two lines.
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(["query_id", "query", "document", "title", "grade"])
    for each in documents:
        writer.writerow([*map(_cell, (each.query_id, each.text, each.document, each.title)), ""])
    return out.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _comment(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
