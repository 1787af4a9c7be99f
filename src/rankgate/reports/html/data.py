"""What the script draws from: every query with its values and rankings, as one JSON block.

Numbers are texts already, written as every other report writes them, so that no two reports can round differently; ids
are texts, so that none is too large. Documents stand once a query and are named by their position.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Final

from rankgate.core.findings import Status
from rankgate.reports import rounding
from rankgate.reports.records.queries import MovedDocument, QueryFact, RankingFact
from rankgate.reports.records.report import Facts
from rankgate.reports.records.rules import RuleRow, status_word
from rankgate.reports.visible import inert_json, visible

#: How many hits the file carries in all; beyond them, queries have no rankings, the least interesting first.
HITS: Final = 200_000

#: What would end the block, or a line of it, is written as JSON's own escape.
_ESCAPES: Final = {ord(each): f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"}


def block(facts: Facts) -> str:
    """The content of a ``script`` element that holds data."""
    worst = {query.id: query for query in facts.worst}
    order = {query.id: number for number, query in enumerate(facts.worst or facts.weakest)}
    slices = {row.slice: number for number, row in enumerate(facts.slices[1:])}
    rules = _rules_by_query(facts)
    reasons = _reasons_by_query(facts)
    carried = _carried(facts, order)
    document = {
        "measures": [[fact.label, fact.name, int(fact.higher_is_better), int(fact.gated)] for fact in facts.measures],
        "slices": [visible(name) for name in slices],
        "measure": _first_measure(facts),
        "hasBaseline": facts.has_baseline,
        "movesMeasure": facts.moves_measure,
        "queries": [
            _query(
                worst.get(query.id, query),
                slices,
                rules.get(query.id, []),
                reasons.get(query.id, []),
                carried=query.id in carried,
            )
            for query in facts.queries
        ],
        "worst": [position for _, position in sorted(_positions(facts, order))],
    }
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return inert_json(text).translate(_ESCAPES)


def _first_measure(facts: Facts) -> int:
    """The position of the measure to look at first: that of the first broken rule, else that of the moves."""
    names = [fact.name for fact in facts.measures]
    broken = [row.measure for row in facts.with_status(Status.FAIL) if row.measure in names]
    wanted = (*broken, facts.moves_measure)
    return next((names.index(name) for name in wanted if name in names), 0)


def _positions(facts: Facts, order: Mapping[str, int]) -> Iterable[tuple[int, int]]:
    """Of the worst queries, their order and their position in the set."""
    return ((order[query.id], position) for position, query in enumerate(facts.queries) if query.id in order)


def _carried(facts: Facts, order: Mapping[str, int]) -> frozenset[str]:
    """The queries whose rankings the file has room for: the worst first, then those that changed, then the rest."""
    room = HITS
    kept = []
    for query in sorted(facts.queries, key=lambda one: (order.get(one.id, len(order)), one.state == "same")):
        room -= sum(len(side.documents) for side in (query.before, query.now) if side)
        if room < 0:
            break
        kept.append(query.id)
    return frozenset(kept)


def _rules_by_query(facts: Facts) -> dict[str, list[list[str]]]:
    """The rules that are about a query: name of the status, its word, the sentence, the place."""
    found: dict[str, list[list[str]]] = {}
    for row in (*facts.rules, *facts.pins):
        for query_id in row.query_ids:
            found.setdefault(query_id, []).append(_rule(row, facts))
    return found


def _rule(row: RuleRow, facts: Facts) -> list[str]:
    place = visible(str(row.place)) if row.place else ""
    return [row.status.name.lower(), status_word(row, facts.outcome), visible(row.message), place]


def _reasons_by_query(facts: Facts) -> dict[str, list[str]]:
    """Why queries were not measured, a sentence for each side."""
    found: dict[str, list[str]] = {}
    for group in facts.failures:
        for query_id in group.query_ids:
            found.setdefault(query_id, []).append(visible(f"Not measured{group.side}: {group.message}"))
    return found


def _query(
    query: QueryFact, slices: Mapping[str, int], rules: list[list[str]], reasons: list[str], *, carried: bool
) -> dict[str, object]:
    documents = _Documents()
    before, now = (documents.ranking(side) if carried else None for side in (query.before, query.now))
    found: dict[str, object] = {
        "id": visible(query.id),
        "text": visible(query.text),
        "note": visible(query.note),
        "reasons": reasons,
        "slices": [slices[name] for name in query.slices if name in slices],
        "place": visible(str(query.place)) if query.place else "",
        "state": query.state,
        "values": [
            [rounding.brief(each.before), rounding.brief(each.now), rounding.signed(each.change), each.trend or ""]
            for each in query.values
        ],
        "rules": rules,
        "before": before,
        "now": now,
        "duplicates": query.now.duplicates if query.now else 0,
        "moves": [documents.move(move) for move in query.moves] if carried else [],
        "missing": [[visible(document), grade] for document, grade in query.not_returned],
        "carried": carried,
    }
    found["documents"] = documents.rows
    return {key: value for key, value in found.items() if value or key in {"before", "now", "id", "state"}}


class _Documents:
    """The documents of one query, each once: id, grade or null, and a title where there is one."""

    def __init__(self) -> None:
        self.rows: list[list[str | int | None]] = []
        self._numbers: dict[str, int] = {}

    def ranking(self, side: RankingFact | None) -> list[int] | None:
        """The numbers of the documents of a ranking."""
        if side is None:
            return None
        titles = side.titles or ("",) * len(side.documents)
        return [
            self._number(document, grade, title)
            for document, grade, title in zip(side.documents, side.grades, titles, strict=True)
        ]

    def move(self, move: MovedDocument) -> list[int | str]:
        """The document's number, the cost, the cause; ranks are those of the rankings."""
        cost = rounding.signed(move.cost) if move.cost else ""
        return [self._number(move.document, move.grade, ""), cost, visible(move.reason)]

    def _number(self, document: str, grade: int | None, title: str) -> int:
        number = self._numbers.setdefault(document, len(self.rows))
        if number == len(self.rows):
            self.rows.append([visible(document), grade])
        if title and len(self.rows[number]) < 3:  # noqa: PLR2004 - id, grade, title
            self.rows[number].append(visible(title))
        return number
