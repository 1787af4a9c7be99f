"""What to judge next: the results that nobody judged and that a verdict hangs on, in an order that tells nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from rankgate.core.attainable import BLIND
from rankgate.core.holes import in_labelling_order
from rankgate.core.judgments import Query
from rankgate.core.verdict import GateResult
from rankgate.files.labels import ToJudge


@dataclass(frozen=True, slots=True)
class Labelling:
    """Documents to judge.

    Attributes:
        rules: The sentences of the rules that judging could turn; empty where all holes were asked for.
    """

    documents: tuple[ToJudge, ...]
    rules: tuple[str, ...] = ()


def to_judge(result: GateResult, *, everything: bool = False) -> Labelling:
    """The fewest documents whose judging could turn a broken rule.

    Args:
        everything: Every unjudged document that either side returned within a measure's cutoff instead.
    """
    comparison = result.comparison
    if everything:
        pairs = _all_pairs(result)
        rules: tuple[str, ...] = ()
    else:
        open_rules = [finding for finding in result.verdict.findings if finding.holes]
        pairs = {pair for finding in open_rules for pair in finding.holes}
        rules = tuple(finding.message for finding in open_rules)
    queries: Mapping[str, Query] = {query.id: query for query in comparison.golden.queries}
    titles = _titles(result)
    documents = (
        ToJudge(query_id, queries[query_id].text, document, titles.get(document, ""))
        for query_id, document in in_labelling_order(pairs)
    )
    return Labelling(tuple(documents), rules)


def _all_pairs(result: GateResult) -> set[tuple[str, str]]:
    """Of a query that was asked in other words the baseline's answer has no part: it is compared with nothing."""
    comparison = result.comparison
    looking = [measure for measure in comparison.measures if measure.name not in BLIND]
    cutoffs = [measure.cutoff or None for measure in looking]  # None looks at everything
    deepest = None if None in cutoffs else max(filter(None, cutoffs), default=0)
    now, before = comparison.run.rankings, comparison.reference.run.rankings if comparison.reference else {}
    return {
        (query.id, document)
        for query, comparable in zip(comparison.golden.judged, comparison.comparable, strict=True)
        for ranking in (now.get(query.id), before.get(query.id) if comparable else None)
        for document in (ranking.ids[:deepest] if ranking else ())
        if document not in query.judgments
    }


def _titles(result: GateResult) -> dict[str, str]:
    """What the service calls the documents, where it was asked for titles."""
    return {
        document: detail.title
        for ranking in result.comparison.run.rankings.values()
        for document, detail in zip(ranking.ids, ranking.details, strict=False)
        if detail.title
    }
