"""Three snapshots of one shop's search, judged by people, as a golden set and saved runs; the texts stay in the folder."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from rankgate.core.rankings import Ranking, Run
from rankgate.files import run_file
from rankgate.files.run_file import SavedRun
from tests.e2e.support import put
from tests.support import COLLECTIONS

ICECAT: Final = COLLECTIONS / "haystack_icecat"
SNAPSHOTS: Final = ("no_vector", "with_vector", "vector_2")
DEPTH: Final = 10

CONFIG: Final = """\
version: 1
service: {url: "http://127.0.0.1:9/search?q={query}", hits: hits, id: id}
depth: DEPTH
measures: [MEASURES]
gate:
  P@1: {max_drop: 0.02}
  nDCG@10: {max_drop: 0.015, warn_drop: 0.005}
  R@10: {max_drop: 0.02}
  Success@5: {max_drop: 0.02}
  lost_queries: {max: 10}
slices:
  one-word: {min_queries: 20, gate: {nDCG@10: {max_drop: 0.04}}}
  several-words: {min_queries: 20, gate: {nDCG@10: {max_drop: 0.04}}}
  model-number: {min_queries: 10, gate: {nDCG@10: {max_drop: 0.04}}}
"""


@cache
def reference() -> Mapping[str, Any]:
    """The recorded values, by run."""
    found: Mapping[str, Any] = json.loads((ICECAT / "reference.json").read_text(encoding="utf-8"))["runs"]
    return found


@cache
def judgments() -> Mapping[str, Mapping[str, int]]:
    """Grade by document, by query."""
    found: dict[str, dict[str, int]] = {}
    for line in (ICECAT / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        query_id, document, grade = line.split("\t")
        found.setdefault(query_id, {})[document] = int(grade)
    return found


@cache
def texts() -> Mapping[str, str]:
    """Text by query."""
    lines = (ICECAT / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    return {query["id"]: query["text"] for query in map(json.loads, lines)}


@cache
def served(name: str) -> Mapping[str, Sequence[str]]:
    """The ids of each query in the order in which the shop showed them."""
    rows: dict[str, list[tuple[int, str]]] = {}
    for line in (ICECAT / "runs" / f"{name}.run").read_text(encoding="utf-8").splitlines():
        query_id, _, document, rank, _, _ = line.split()
        rows.setdefault(query_id, []).append((int(rank), document))
    return {query_id: [document for _, document in sorted(found)] for query_id, found in rows.items()}


def slices(text: str) -> list[str]:
    """What the text alone says: how many words, and whether it names a model by a number."""
    words = "one-word" if len(text.split()) == 1 else "several-words"
    return [words, "model-number"] if any(each.isdigit() for each in text) else [words]


@cache
def relevant() -> tuple[str, ...]:
    """The queries for which somebody found a relevant document; of the others no measure can tell anything."""
    return tuple(sorted(query_id for query_id, grades in judgments().items() if max(grades.values()) > 0))


@cache
def answered() -> tuple[str, ...]:
    """Of those, the queries that the snapshots hold."""
    return tuple(query_id for query_id in relevant() if query_id in served("no_vector"))


def write(folder: Path, queries: Sequence[str], measures: Sequence[str], depth: int = DEPTH) -> None:
    """A golden set of *queries*, and each snapshot as a saved run and in TREC form.

    Args:
        depth: Of the config: what the deepest of *measures* looks at.
    """
    config = CONFIG.replace("MEASURES", ", ".join(f'"{each}"' for each in measures))
    put(folder / "rankgate.yaml", config.replace("DEPTH", str(depth)))
    entries = [
        {"id": each, "text": texts()[each], "judgments": judgments()[each], "slices": slices(texts()[each])}
        for each in queries
    ]
    put(folder / "queries" / "shop.yaml", json.dumps({"queries": entries}))
    for name in SNAPSHOTS:
        asked = {each: Ranking.of(served(name)[each]) for each in queries if each in served(name)}
        run_file.write(
            folder / f"{name}.jsonl", SavedRun(Run(DEPTH, asked, {}, {each: texts()[each] for each in asked}))
        )
        lines = (ICECAT / "runs" / f"{name}.run").read_text(encoding="utf-8").splitlines(keepends=True)
        put(folder / f"{name}.run", "".join(line for line in lines if line.split()[0] in queries))
