"""Pins: what single queries must show, may never show, or must leave empty; a fixed complaint stays fixed."""

from collections.abc import Iterator

from rankgate.core.catalog import Measure
from rankgate.core.comparison import BOUNDARY, Comparison
from rankgate.core.findings import Finding, Status, apart, number, plural
from rankgate.core.judgments import Query


def judge_pins(comparison: Comparison) -> Iterator[Finding]:
    for query in comparison.golden.queries:
        if query.expects_nothing:
            yield _expects_nothing(query, comparison)
        for measure, wanted in sorted(query.must.items()):
            yield _must(query, measure, wanted, comparison)
        if query.never:
            yield _never(query, comparison)


def _expects_nothing(query: Query, comparison: Comparison) -> Finding:
    ranking = comparison.run.rankings.get(query.id)
    documents = ranking.ids if ranking else ()
    if ranking is None:
        status, says = Status.UNDECIDED, "it was not measured"
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
    if value is None:
        measured = query.id in comparison.run.rankings
        status = Status.FAIL if measured else Status.UNDECIDED
        says = "it is undefined for this query" if measured else "it was not measured"
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
    seen = tuple(document for document in query.never if document in head)
    if ranking is None:
        status, says = Status.UNDECIDED, "it was not measured"
    elif seen:
        places = ", ".join(f"{document!r} at rank {head.index(document) + 1}" for document in seen)
        status, says = Status.FAIL, f"found {places}"
    else:
        status, says = Status.PASS, "none is there"
    return Finding(
        rule="never",
        status=status,
        message=f"query {query.id!r} may never show {len(query.never)} pinned "
        f"{plural(len(query.never), 'document', 'documents')} in its first {query.never_within}: {says}",
        limit=0.0,
        value=float(len(seen)) if ranking else None,
        queries=1,
        query_ids=(query.id,),
        documents=seen,
        place=query.place,
    )
