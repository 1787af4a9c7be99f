"""What is wrong, or odd, with the pins of one query: pins that nothing can meet, or that work against the judgments."""

from collections import Counter
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

from rankgate.core.catalog import Scale
from rankgate.core.judgments import Query
from rankgate.files.yaml_values import Loc

#: A message, and the key within the query's entry that it is about.
Mistake = tuple[str, Loc]

Given = TypeVar("Given", str, tuple[str, str])


def mistakes(query: Query, scale: Scale) -> Iterator[Mistake]:
    """What makes the pins of *query* wrong."""
    if query.expects_nothing:
        for pin, given in (("must", query.must), ("first", query.first), ("before", query.before)):
            if given:
                yield f"it expects nothing, so it can have no {pin!r}", (pin,)
    for document in query.never:
        if query.judgments.get(document, 0) >= max(scale.relevant_from, 1):
            yield f"document {document!r} is judged relevant and may never be shown", ("never",)
    if query.first:
        yield from _first(query, scale)
    if query.before:
        yield from _before(query)
    if query.known_failure and not (query.expects_nothing or _pins(query)):
        message = "known_failure lets the pins of a query fail, and it has none; expected must, never, first or before"
        yield message, ("known_failure",)


def _pins(query: Query) -> bool:
    return bool(query.must or query.never or query.first or query.before)


def _first(query: Query, scale: Scale) -> Iterator[Mistake]:
    for document in _repeated(query.first):
        yield f"document {document!r} is given twice", ("first",)
    for document in dict.fromkeys(query.first):
        grade = query.judgments.get(document, scale.relevant_from)
        if document in query.never:
            yield f"document {document!r} must be first and may never be shown", ("first",)
        elif grade < scale.relevant_from:
            yield f"document {document!r} must be first and is judged not relevant (grade {grade})", ("first",)


def _before(query: Query) -> Iterator[Mistake]:
    later = {pair[1]: pair[0] for pair in query.before}
    for sooner, _ in (pair for pair in query.before if pair[0] == pair[1]):
        yield f"document {sooner!r} cannot be before itself", ("before",)
    for pair in _repeated(query.before):
        yield f"the pair {pair[0]!r} before {pair[1]!r} is given twice", ("before",)
    circle = _circle(pair for pair in query.before if pair[0] != pair[1])
    if circle:
        yield f"no order is right: {' before '.join(map(repr, circle))}", ("before",)
    if query.first and all(document in later for document in query.first):
        document = query.first[0]
        yield f"document {document!r} must be first, and {later[document]!r} before it", ("before",)


def _circle(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Documents of which each would have to be before the next and the last is the first again; empty for none."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for sooner, later in pairs:
        sorter.add(later, sooner)
    try:
        sorter.prepare()
    except CycleError as error:
        circle: list[str] = error.args[1][1:]
        start = circle.index(min(circle))
        return [*circle[start:], *circle[: start + 1]]
    return []


def _repeated(given: Iterable[Given]) -> list[Given]:
    return [each for each, times in Counter(given).items() if times > 1]


def oddities(query: Query) -> Iterator[str]:
    """What is odd about the pins of *query*: met, they would make its measures worse."""
    for document in query.first:
        if document not in query.judgments:
            yield f"document {document!r} must be first and has no judgment, so it counts as not relevant"
    for sooner, later in query.before:
        grades = query.judgments.get(sooner, 0), query.judgments.get(later, 0)
        if grades[0] < grades[1]:
            yield f"{sooner!r} (grade {grades[0]}) must be before {later!r} (grade {grades[1]}), which is judged better"
