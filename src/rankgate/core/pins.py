"""Pins: what single queries must show, may never show, or must leave empty; a fixed complaint stays fixed.

A query may be marked as a known failure, as a test runner marks a test: its pins may fail, visibly, until the day that
all of them hold; then the mark itself fails, so that it goes. The mark is about pins alone: the query keeps its part in
every mean and among the lost queries.
"""

from collections.abc import Iterator
from dataclasses import replace

from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison
from rankgate.core.findings import Finding, Status, apart, listed, number, plural
from rankgate.core.judgments import Query
from rankgate.core.limits import BOUNDARY
from rankgate.core.rankings import Ranking

_UNMEASURED = Status.UNDECIDED, "it was not measured"


def judge_pins(comparison: Comparison) -> Iterator[Finding]:
    """Every pin of every query, in the order of the queries."""
    for query in comparison.golden.queries:
        findings = _of_query(query, comparison)
        yield from _as_known(query, tuple(findings)) if query.known_failure else findings


def _of_query(query: Query, comparison: Comparison) -> Iterator[Finding]:
    if query.expects_nothing:
        yield _expects_nothing(query, comparison)
    for measure, wanted in sorted(query.must.items()):
        yield _must(query, measure, wanted, comparison)
    if query.never:
        yield _never(query, comparison)
    if query.first:
        yield _first(query, comparison)
    for sooner, later in query.before:
        yield _before(query, sooner, later, comparison)


def _as_known(query: Query, findings: tuple[Finding, ...]) -> Iterator[Finding]:
    """The pins of a query that may fail them; a failure that is none any more fails in their place."""
    for finding in findings:
        if finding.status is Status.FAIL:
            message = f"{finding.message} (known failure: {query.known_failure})"
            yield replace(finding, status=Status.KNOWN, message=message)
        else:
            yield finding
    if all(finding.status is Status.PASS for finding in findings):
        yield Finding(
            rule="known_failure",
            status=Status.FAIL,
            message=f"query {query.id!r} passes its pins, though it is marked as a known failure "
            f"({query.known_failure}): remove known_failure",
            queries=1,
            query_ids=(query.id,),
            place=query.place,
        )


def _expects_nothing(query: Query, comparison: Comparison) -> Finding:
    ranking = comparison.run.rankings.get(query.id)
    documents = ranking.ids if ranking else ()
    if ranking is None:
        status, says = _UNMEASURED
    elif documents:
        status, says = Status.FAIL, f"{len(documents)} came back, first {documents[0]!r}"
    else:
        status, says = Status.PASS, "nothing came back"
    return Finding(
        rule="expects",
        status=status,
        message=f"query {query.id!r} expects nothing: {says}",
        value=float(len(documents)) if ranking else None,
        limit=0.0,
        queries=1,
        query_ids=(query.id,),
        documents=documents[:3],
        place=query.place,
    )


def _must(query: Query, measure: Measure, wanted: float, comparison: Comparison) -> Finding:
    value = comparison.candidate.value(measure, query.id)
    at = "at least" if measure.higher_is_better else "at most"
    if query.id not in comparison.run.rankings:
        status, says = _UNMEASURED
    elif value is None:
        status, says = Status.FAIL, "it is undefined for this query"
    else:
        short = wanted - value if measure.higher_is_better else value - wanted
        status = Status.FAIL if short > BOUNDARY else Status.PASS
        says = f"it is {apart(value, wanted)[0]}"
    return Finding(
        rule="must",
        status=status,
        message=f"query {query.id!r} must have {measure} of {at} {number(wanted)}: {says}",
        measure=measure,
        limit=wanted,
        value=value,
        queries=1,
        query_ids=(query.id,),
        place=query.place,
    )


def _never(query: Query, comparison: Comparison) -> Finding:
    ranking = comparison.run.rankings.get(query.id)
    head = ranking.ids[: query.never_within] if ranking else ()
    one = len(query.never) == 1
    seen = tuple(document for document in query.never if document in head)
    if ranking is None:
        status, says = _UNMEASURED
    elif seen:
        ranks = [f"{'it' if one else repr(document)} is at rank {head.index(document) + 1}" for document in seen]
        status, says = Status.FAIL, ", ".join(ranks)
    else:
        status, says = Status.PASS, "it is not there" if one else "none is there"
    return Finding(
        rule="never",
        status=status,
        message=f"query {query.id!r} must not show {'' if one else 'any of '}{listed(query.never)} "
        f"in its first {query.never_within}: {says}",
        limit=0.0,
        value=float(len(seen)) if ranking else None,
        queries=1,
        query_ids=(query.id,),
        documents=seen,
        place=query.place,
    )


def _first(query: Query, comparison: Comparison) -> Finding:
    ranking = comparison.run.rankings.get(query.id)
    ranks = {document: rank for document in query.first if (rank := _rank(ranking, document))}
    best = min(ranks.values(), default=None)
    wanted = plural(len(query.first), "", "one of ") + ", ".join(map(repr, query.first))
    if ranking is None:
        status, says = _UNMEASURED
    elif best == 1:
        status, says = Status.PASS, f"{ranking.ids[0]!r} is at rank 1"
    elif ranking.ids:
        places = ", ".join(_standing(document, ranks.get(document)) for document in query.first)
        status, says = Status.FAIL, f"{ranking.ids[0]!r} is at rank 1, {places}"
    else:
        status, says = Status.FAIL, "nothing came back"
    return Finding(
        rule="first",
        status=status,
        message=f"query {query.id!r} must show {wanted} first: {says}",
        limit=1.0,
        value=None if best is None else float(best),
        queries=1,
        query_ids=(query.id,),
        documents=query.first,
        place=query.place,
    )


def _before(query: Query, sooner: str, later: str, comparison: Comparison) -> Finding:
    ranking = comparison.run.rankings.get(query.id)
    ranks = _rank(ranking, sooner), _rank(ranking, later)
    if ranking is None:
        status, says = _UNMEASURED
    else:
        holds = ranks[0] is not None and (ranks[1] is None or ranks[0] < ranks[1])
        status = Status.PASS if holds else Status.FAIL
        says = f"{_standing(sooner, ranks[0])}, {_standing(later, ranks[1])}"
    return Finding(
        rule="before",
        status=status,
        message=f"query {query.id!r} must show {sooner!r} before {later!r}: {says}",
        value=None if ranks[0] is None else float(ranks[0]),
        queries=1,
        query_ids=(query.id,),
        documents=(sooner, later),
        place=query.place,
    )


def _rank(ranking: Ranking | None, document: str) -> int | None:
    """From 1; None for a document that was not returned."""
    return ranking.ids.index(document) + 1 if ranking and document in ranking.ids else None


def _standing(document: str, rank: int | None) -> str:
    return f"{document!r} was not returned" if rank is None else f"{document!r} is at rank {rank}"
