"""Pool documents for labellers: what five different rankings of the demo find for each query.

Run it beside ``rankgate demo``::

    python golden/pool.py queries.tsv http://127.0.0.1:54321 > pool.jsonl

Each output line is ``{"id", "text", "documents": [{"id", "title", "text"}, ...]}``.
The documents are shuffled, by a seed that is the query's id, so that their order says nothing about any ranking.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx

RANKINGS: Final = (
    ("search", {"match": "any", "wt": "5"}),
    ("search", {"match": "any", "wt": "50"}),
    ("search", {"match": "any", "wt": "0"}),
    ("search", {"match": "all", "wt": "5"}),
    ("search_unstemmed", {"match": "any", "wt": "5"}),
)


@dataclass(frozen=True, slots=True)
class Query:
    """One line of the queries file."""

    id: str
    text: str


def main(arguments: list[str] | None = None) -> None:
    """Pool each query of the file that the command line names."""
    parser = argparse.ArgumentParser(description="Pool the demo's documents for labelling.")
    parser.add_argument("queries", type=Path, help="TSV file of query id and text")
    parser.add_argument("url", help="base URL of a running demo")
    parser.add_argument("--depth", type=int, default=20, help="documents to take from each ranking (default: 20)")
    parser.add_argument("--characters", type=int, default=600, help="of each text to write (default: 600)")
    options = parser.parse_args(arguments)
    with httpx.Client(base_url=options.url, trust_env=False, timeout=30.0) as client:
        for query in read_queries(options.queries.read_text(encoding="utf-8")):
            found = documents(client, shuffled(query, pooled(client, query, options.depth)))
            shown = [document | {"text": document["text"][: options.characters]} for document in found]
            line = {"id": query.id, "text": query.text, "documents": shown}
            sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")


def read_queries(text: str) -> Iterator[Query]:
    """Read lines of id, tab, text; blank lines are passed over."""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        query_id, tab, query_text = line.partition("\t")
        if not tab:
            raise SystemExit(f"line {number}: no tab between id and text: {line!r}")
        yield Query(query_id.strip(), query_text.strip())


def pooled(client: httpx.Client, query: Query, depth: int) -> set[str]:
    """Return the ids that any of the rankings has among its first *depth*."""
    return {
        hit["id"]
        for name, parameters in RANKINGS
        for hit in _get(client, name, parameters | {"q": query.text, "k": str(depth)})
    }


def shuffled(query: Query, ids: Iterable[str]) -> list[str]:
    """Order *ids* by chance, the same each time for the same query and ids."""
    order = sorted(ids)
    random.Random(query.id).shuffle(order)  # noqa: S311 - no secret
    return order


def documents(client: httpx.Client, ids: list[str]) -> list[dict[str, Any]]:
    """Fetch the documents *ids*, in that order."""
    rows = _get(client, "docs", {"id__in": ",".join(ids), "_size": "max"}) if ids else []
    by_id = {row["id"]: {key: row[key] for key in ("id", "title", "text")} for row in rows}
    return [by_id[document_id] for document_id in ids]


def _get(client: httpx.Client, name: str, parameters: dict[str, str]) -> list[dict[str, Any]]:
    """Ask the demo for the rows of a table or query."""
    response = client.get(f"/docs/{name}.json", params=parameters | {"_shape": "array"})
    response.raise_for_status()
    rows: list[dict[str, Any]] = response.json()
    return rows


if __name__ == "__main__":
    main()
