"""What makes a run doubtful although its queries were measured: a cap on the answers, ids that only look alike."""

from collections.abc import Iterator
from typing import Final

from rankgate.core.comparison import Comparison
from rankgate.core.findings import Finding, Status, plural
from rankgate.core.rankings import Ranking
from rankgate.core.scoring import normalisation_twins

#: Fewer queries, or shorter answers, end alike by chance: the index may hold no more.
FEWEST_QUERIES: Final = 3
SMALLEST_CAP: Final = 5


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
