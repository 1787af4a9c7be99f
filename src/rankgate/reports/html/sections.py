"""The parts of the page that are sentences and lists: verdict, broken rules, worst queries, what else happened."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rankgate.core.findings import Status
from rankgate.core.verdict import Outcome
from rankgate.reports import rounding
from rankgate.reports.html.markup import (
    Markup,
    code,
    columns,
    element,
    query_link,
    section,
    table,
    together,
)
from rankgate.reports.html.tables import change, status
from rankgate.reports.records.queries import FirstChange, MovedDocument, QueryFact, ValueChange
from rankgate.reports.records.report import Facts, NextStep
from rankgate.reports.records.rules import RuleRow
from rankgate.reports.summary import agreement_lines, count

#: Beyond these the script's list has the rest.
QUERIES_SHOWN: Final = 12
MOVES_SHOWN: Final = 3
IDS_SHOWN: Final = 60

SIGNS: Final = {
    Outcome.FAIL: "\u2715",
    Outcome.INCONCLUSIVE: "?",
    Outcome.WARN: "!",
    Outcome.PASS: "\u2713",
    Outcome.PARTIAL: "\u25d0",
}


def links(parts: Iterable[tuple[str, str, Markup]]) -> Markup:
    """A way to every part that has something to say: its id, its name, the part itself."""
    items = (element("li", element("a", name, href=f"#{ident}")) for ident, name, part in parts if part)
    return element("ul", *items)


def verdict(facts: Facts) -> Markup:
    """The word, the exit code, the sentence, and what to do next."""
    word = element("h1", element("span", SIGNS[facts.outcome], class_="sign", aria_hidden="true"), " ", facts.word)
    return element(
        "section",
        element("div", word, element("p", f"exit code {facts.exit_code}", class_="exit-code"), class_="word"),
        element("p", facts.headline, class_="headline"),
        element("p", facts.measured, class_="measured"),
        _next(facts.next_steps),
        id="verdict",
        class_=f"verdict {facts.outcome.value}",
        aria_label="Verdict",
    )


def _next(steps: Sequence[NextStep]) -> Markup | None:
    if not steps:
        return None
    items = (element("li", element("span", _sentence(step.text)), _command(step.command)) for step in steps)
    return element("div", element("h2", "Next"), element("ol", *items), class_="next")


def _command(command: str) -> Markup | None:
    return element("div", element("code", command), class_="command") if command else None


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def broken(facts: Facts) -> Markup:
    """Every rule that is not as it should be, with where it is written."""
    serious = (Status.FAIL, Status.UNDECIDED, Status.WARN, Status.KNOWN)
    rows = [row for each in serious for row in facts.with_status(each)]
    known = {query.id for query in facts.queries}
    items = [_broken(row, facts, known) for row in rows]
    listed = element("ul", *items, class_="findings")
    return section("broken", "Not as it should be", listed if items else None, count=str(len(items)))


def behind(facts: Facts) -> Markup:
    """The slices behind the means, before anything that a mean could hide them in."""
    items = [element("li", each.sentence) for each in facts.behind]
    return section("behind", "Behind the means", element("ul", *items) if items else None, count=str(len(items)))


def _broken(row: RuleRow, facts: Facts, known: set[str]) -> Markup:
    return element(
        "li",
        status(row, facts),
        element(
            "div",
            element("p", row.message),
            element("p", "written at ", code(str(row.place)), class_="place") if row.place else None,
            _holes(row),
            element("p", "queries: ", _ids(row.query_ids, known), class_="place") if row.query_ids else None,
        ),
        class_=row.status.name.lower(),
    )


def _holes(row: RuleRow) -> Markup | None:
    if not row.holes:
        return None
    pairs = (element("li", query_link(query_id), " ", code(document)) for query_id, document in row.holes[:IDS_SHOWN])
    named = f"Judge these {len(row.holes)}" if len(row.holes) > 1 else "Judge this one"
    return element("details", element("summary", f"{named} and the rule could hold"), element("ul", *pairs))


def _ids(ids: Sequence[str], known: set[str]) -> Markup:
    """Ids, each a link where the golden set has such a query."""
    links = [query_link(query_id) if query_id in known else code(query_id) for query_id in ids[:IDS_SHOWN]]
    more = f" and {len(ids) - IDS_SHOWN} more" if len(ids) > IDS_SHOWN else None
    return together([*[part for link in links for part in (link, " ")][:-1], more])


def worst(facts: Facts) -> Markup:
    """The queries that got worse, or the weakest where nothing was compared, with what moved."""
    queries, title = (facts.worst, "Worst queries") if facts.worst else (facts.weakest, "Weakest queries")
    if not queries:
        return Markup()
    more = len(queries) - QUERIES_SHOWN
    return section(
        "worst",
        title,
        element("p", "Costs of moves are in ", code(facts.moves_measure), ".", class_="key"),
        element("div", *(_card(query) for query in queries[:QUERIES_SHOWN]), class_="cards"),
        element("p", f"{count(more, 'more query', 'more queries')} below, in the list.") if more > 0 else None,
        count=str(len(queries)),
    )


def _card(query: QueryFact) -> Markup:
    changed = [value for value in query.values if value.trend in {"better", "worse"}] or query.values
    # What moved at no cost is in the script's view of the query.
    telling = [move for move in query.moves if move.cost or move.grade is None]
    more = len(telling) - MOVES_SHOWN
    moves = together(map(_move, telling[:MOVES_SHOWN]))
    return element(
        "article",
        element("h3", query_link(query.id)),
        element("p", query.text, class_="query-text"),
        element("ul", *map(_value, changed), class_="values"),
        element("ul", moves, class_="moves") if moves else None,
        element("p", f"and {count(more, 'more document', 'more documents')}", class_="key") if more > 0 else None,
        class_="card",
    )


def _value(value: ValueChange) -> Markup:
    before = "" if value.change is None else f"{rounding.brief(value.before)} \u2192 "
    return element(
        "li",
        element("span", value.label, class_="label"),
        " ",
        f"{before}{rounding.brief(value.now)} ",
        change(rounding.signed(value.change), value.trend) if value.change is not None else None,
    )


def _move(move: MovedDocument) -> Markup:
    ranks = f"was {move.before}" if move.after is None else f"{move.before or 'new'} \u2192 {move.after}"
    cost = element("span", rounding.signed(move.cost), class_="number") if move.cost else None
    parts = (rounding.grade(move.grade), ranks, move.reason)
    return element(
        "li",
        element("div", code(move.document), cost, class_="moved-document"),
        element("div", ", ".join(part for part in parts if part), class_="label"),
    )


def firsts(facts: Facts) -> Markup:
    """The queries that lost their relevant first result, and those that gained one."""
    lost, gained = _firsts("Lost queries", facts.lost), _firsts("Gained queries", facts.gained)
    return section("firsts", "First results", lost, gained)


def _firsts(title: str, changes: Sequence[FirstChange]) -> Markup | None:
    if not changes:
        return None
    head = columns(
        ("query", ""), ("relevant document", ""), ("rank before", "number"), ("rank now", "number"), ("first now", "")
    )
    rows = (
        element(
            "tr",
            element("th", query_link(each.id), " ", each.text, scope="row"),
            element("td", "-" if each.document is None else code(each.document)),
            element("td", _rank(each.before), class_="number"),
            element("td", _rank(each.after), class_="number"),
            element("td", *_first(each)),
        )
        for each in changes
    )
    heading = element("h3", title, element("span", str(len(changes)), class_="count"))
    return together([heading, table(title, head, rows)])


def _rank(rank: int | None) -> str:
    return "not returned" if rank is None else str(rank)


def _first(each: FirstChange) -> Iterator[Markup | str]:
    if each.first is None:
        yield "returns nothing"
    else:
        yield from (code(each.first), " ", element("span", rounding.grade(each.first_grade), class_="label"))


def golden_set(facts: Facts) -> Markup:
    """What is another question than it was."""
    known = {query.id for query in facts.queries}
    texts = [
        element("li", "Text changed: ", query_link(each.id), " ", code(each.before), " \u2192 ", code(each.now))
        for each in facts.changed
    ]
    groups = [
        element("li", f"{title}: ", _ids(ids, known))
        for title, ids in (
            ("New, only floors apply", facts.new),
            ("Removed", facts.removed),
            ("Relabelled, both sides scored with the new judgments", facts.relabelled),
        )
        if ids
    ]
    items = [*groups, *texts]
    return section("golden-set", "Changes of the golden set", element("ul", *items) if items else None)


def failures(facts: Facts) -> Markup:
    """What was not measured, by reason."""
    known = {query.id for query in facts.queries}
    items = [
        element(
            "li",
            element("p", f"{len(group.query_ids)} \u00d7 {group.kind}{group.side}: {group.message}"),
            element("p", _ids(group.query_ids, known), class_="place"),
        )
        for group in facts.failures
    ]
    listed = element("ul", *items, class_="plain") if items else None
    failed = len({query_id for group in facts.failures for query_id in group.query_ids})
    return section("failures", "Not measured", listed, count=count(failed, "query", "queries"))


def agreement(facts: Facts) -> Markup:
    """How alike two services rank."""
    lines = tuple(agreement_lines(facts.agreement)) if facts.agreement else ()
    return section("agreement", "Agreement", _lines(map(_sentence, lines)))


def notes(facts: Facts) -> Markup:
    """How the run came about."""
    own = [*facts.extra, *(f"{key}: {value}" for key, value in facts.notes)]
    before = (f"baseline: {key}: {value}" for key, value in facts.baseline_notes)
    return section("notes", "Notes", _lines([*own, *before]))


def _lines(lines: Iterable[str]) -> Markup | None:
    items = [element("li", line) for line in lines]
    return element("ul", *items) if items else None
