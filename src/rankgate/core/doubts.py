"""What makes a run doubtful although its queries were measured: a cap on the answers, ids that only look alike."""

from collections.abc import Iterator
from typing import Final

from rankgate.core.comparison import Comparison
from rankgate.core.findings import Finding, Status, plural
from rankgate.core.judgments import GoldenSet
from rankgate.core.rankings import Ranking, Run
from rankgate.core.scoring import normalisation_twins

#: Fewer queries, or shorter answers, end alike by chance: the index may hold no more.
FEWEST_QUERIES: Final = 3
SMALLEST_CAP: Final = 5
#: So many queries that found nothing relevant are named; more are counted.
NAMED: Final = 3


def unfound(golden: GoldenSet, run: Run, before: Run | None = None) -> Iterator[str]:
    """A note on the queries of which no relevant document came back: a misspelt id would score 0 for ever.

    Left out are answers without documents, which have a measure of their own, and queries whose relevant documents
    *before* has: those were lost, and their ids are right.
    """
    missed: dict[str, list[str]] = {}
    for query in golden.judged:
        wanted = [document for document, grade in query.judgments.items() if grade >= golden.scale.relevant_from]
        came = [each.rankings[query.id].ids for each in (run, before) if each and query.id in each.rankings]
        if run.rankings.get(query.id, Ranking(())).ids and not any(set(wanted) & set(ids) for ids in came):
            missed[query.id] = wanted
    if missed:
        named = ", ".join(f"{query_id!r} ({wanted[0]!r})" for query_id, wanted in list(missed.items())[:NAMED])
        more = f" and {len(missed) - NAMED} more" if len(missed) > NAMED else ""
        queries, ids = plural(len(missed), "query", "queries"), plural(len(missed), "is the id", "are the ids")
        yield f"no relevant document came back for {len(missed)} {queries}: {named}{more}; {ids} right?"


def judge_doubts(comparison: Comparison) -> Iterator[Finding]:
    yield from _nothing(comparison)
    yield from _page_cap(comparison)
    yield from _twins(comparison)


def _nothing(comparison: Comparison) -> Iterator[Finding]:
    """Warn when every query came back empty: a wrong field or index answers so, and no rule need be broken."""
    asked = [query.id for query in comparison.golden.judged if query.id in comparison.run.rankings]
    if len(asked) >= FEWEST_QUERIES and not any(comparison.run.rankings[query_id].ids for query_id in asked):
        yield Finding(
            rule="no_results",
            status=Status.WARN,
            message=f"all {len(asked)} queries came back empty: is it the right index, and does the text of a query "
            "stand where the service looks? (rankgate ask)",
            value=float(len(asked)),
            queries=len(asked),
            query_ids=tuple(asked),
        )


def _page_cap(comparison: Comparison) -> Iterator[Finding]:
    """Warn when the answers end at one length that nobody asked for: what comes after it was never seen."""
    run = comparison.run
    lengths = {query_id: _served(ranking) for query_id, ranking in run.rankings.items() if ranking.ids}
    cap = max(lengths.values(), default=0)
    capped = tuple(sorted(query_id for query_id, length in lengths.items() if length == cap))
    if not SMALLEST_CAP <= cap < run.depth or len(capped) < max(FEWEST_QUERIES, len(lengths) / 2):
        return
    deeper = tuple(str(each) for each in comparison.measures if each.looks_at(run.depth) > cap)
    cure = f"service.page_size: {cap} asks page by page"
    if "collapsed" in run.notes:  # the hits came, and are chunks of too few documents
        cure = "a document has several chunks here, and a higher service.collapse asks for more of them"
    if deeper:
        yield Finding(
            rule="page_cap",
            status=Status.WARN,
            message=f"{len(capped)} of {len(lengths)} queries returned exactly {cap} documents and none more, though "
            f"{run.depth} were asked for: a page cap? {', '.join(deeper)} {plural(len(deeper), 'is', 'are')} then not "
            f"measured beyond rank {cap}; {cure}",
            limit=float(run.depth),
            value=float(cap),
            queries=len(lengths),
            query_ids=capped,
        )


def _served(ranking: Ranking) -> int:
    return len(ranking.ids) + ranking.duplicates


def _twins(comparison: Comparison) -> Iterator[Finding]:
    """Warn of returned ids that only look like a judged one: neither silently equal nor silently missed."""
    for twin in normalisation_twins(comparison.golden.queries, comparison.run):
        yield Finding(
            rule="twins",
            status=Status.WARN,
            message=f"query {twin.query_id!r}: the returned id {twin.returned!a} differs from the judged "
            f"{twin.judged!a} only in Unicode normalisation; here they are two documents",
            queries=1,
            query_ids=(twin.query_id,),
            documents=(twin.returned, twin.judged),
        )
