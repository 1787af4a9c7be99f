"""The facts as JSON: complete, versioned, sorted; what any other tool reads.

A consumer may rely on every key within one ``format`` number: keys are added, never renamed or given another meaning.
Numbers are unrounded, null stands where there is none, everything outside ASCII is escaped, so the bytes are the same
in every code page and no control character reaches a terminal.
"""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Final

from rankgate.reports.records.report import Facts
from rankgate.reports.visible import inert_json

FORMAT: Final = 1


def render(facts: Facts) -> str:
    """The report as a JSON document."""
    moved = {query.id: query for query in facts.worst}
    document: dict[str, object] = {
        field.name: getattr(facts, field.name) for field in fields(facts) if field.name != "outcome"
    }
    document |= {
        "format": FORMAT,
        "tool": "rankgate",
        "verdict": facts.word,
        "queries": [moved.get(query.id, query) for query in facts.queries],
        "worst": [query.id for query in facts.worst],
        "weakest": [query.id for query in facts.weakest],
        "notes": dict(facts.notes),
        "baseline_notes": dict(facts.baseline_notes),
    }
    return text(document)


def text(document: object) -> str:
    """Records, or what is made of them, as they are written in every JSON document."""
    return inert_json(json.dumps(_plain(document), indent=2, sort_keys=True, allow_nan=False)) + "\n"


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value
