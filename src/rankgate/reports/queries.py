"""The part of the facts that goes query by query: what each measure did, who got worse most, which documents moved."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rankgate.core.attribution import Move, moves
from rankgate.core.catalog import DCG_OF_GAIN, Measure, Scale
from rankgate.core.comparison import Comparison
from rankgate.core.findings import Finding, Status
from rankgate.core.judgments import ALL, Query
from rankgate.core.limits import BOUNDARY
from rankgate.core.rankings import Ranking
from rankgate.core.trend import Series
from rankgate.reports.causes import reason
from rankgate.reports.records.means import Trend
from rankgate.reports.records.queries import FirstChange, MovedDocument, QueryFact, RankingFact, State, ValueChange

#: A newcomer without a judgment is worth a reader's look when it is on the first page of most services.
FIRST_PAGE: Final = 10

#: How much of the results is judged says nothing about whether they are good.
_ABOUT_JUDGMENTS: Final = frozenset({"Judged"})


def moves_measure(measures: Sequence[Measure], scale: Scale) -> Measure:
    """The measure in which a document's move has a cost: the report's first nDCG, else the scale's own nDCG@10."""
    for measure in measures:
        if measure.dcg:
            return measure
    return Measure("nDCG", FIRST_PAGE, 0, DCG_OF_GAIN[scale.gain])


def labels(measures: Iterable[Measure]) -> dict[Measure, str]:
    """Each measure without its parameters, or in full where two would look the same."""
    known = tuple(dict.fromkeys(measures))
    taken = Counter(measure.short for measure in known)
    return {measure: measure.short if taken[measure.short] == 1 else str(measure) for measure in known}


def trend(of: Measure | Series, change: float | None) -> Trend | None:
    """Which way a change went, in the own direction of the measure."""
    if change is None:
        return None
    if abs(change) <= BOUNDARY:
        return "same"
    return "better" if (change > 0) is of.higher_is_better else "worse"


def query_facts(comparison: Comparison) -> tuple[QueryFact, ...]:
    """All golden queries in the order of the set, moves left out."""
    named = labels(comparison.measures)
    candidate, baseline = comparison.candidate, comparison.baseline
    rows = {query_id: row for row, query_id in enumerate(candidate.query_ids)}
    now = {measure: candidate.values[measure].tolist() for measure in comparison.measures}
    before = {measure: baseline.values[measure].tolist() for measure in comparison.measures} if baseline else {}
    states = _States.of(comparison)

    def values(query: Query) -> tuple[ValueChange, ...]:
        row = rows.get(query.id)
        if row is None:
            return ()
        pairs = ((measure, before[measure][row] if before else None, now[measure][row]) for measure in now)
        return tuple(_value_change(measure, named[measure], old, new) for measure, old, new in pairs)

    facts = []
    for query in comparison.golden.queries:
        changes = values(query)
        answers = comparison.answers(query.id)
        facts.append(
            QueryFact(
                id=query.id,
                text=query.text,
                note=query.note,
                slices=query.slices,
                place=query.place,
                state=states.state(query, changes),
                values=changes,
                before=_ranking_fact(query, answers[0]),
                now=_ranking_fact(query, answers[1]),
                not_returned=not_returned(query, answers, comparison.golden.scale.relevant_from),
            )
        )
    return tuple(facts)


def _value_change(measure: Measure, label: str, before: float | None, now: float | None) -> ValueChange:
    old, new = _defined(before), _defined(now)
    change = None if old is None or new is None else new - old
    return ValueChange(str(measure), label, old, new, change, trend(measure, change))


def _ranking_fact(query: Query, ranking: Ranking | None) -> RankingFact | None:
    if ranking is None:
        return None
    titles = tuple(detail.title for detail in ranking.details)
    scores = tuple(detail.score for detail in ranking.details)
    return RankingFact(
        ranking.ids,
        tuple(map(query.judgments.get, ranking.ids)),
        titles if any(titles) else (),
        scores if any(score is not None for score in scores) else (),
        ranking.duplicates,
    )


def not_returned(query: Query, answers: Iterable[Ranking | None], relevant_from: int) -> tuple[tuple[str, int], ...]:
    """The relevant documents that are in none of *answers*, each with its grade, the highest grade first."""
    returned = {document for ranking in answers if ranking for document in ranking.ids}
    missing = [
        (document, grade)
        for document, grade in query.judgments.items()
        if grade >= relevant_from and document not in returned
    ]
    return tuple(sorted(missing, key=lambda entry: (-entry[1], entry[0])))


def _defined(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


@dataclass(frozen=True, slots=True)
class _States:
    """What is known of a query before its values are looked at."""

    fixed: Mapping[str, State]
    has_baseline: bool

    @classmethod
    def of(cls, comparison: Comparison) -> "_States":
        fixed: dict[str, State] = {}
        reference = comparison.reference
        if reference is not None:
            fixed |= dict.fromkeys(reference.run.failures, "uncompared")
        fixed |= dict.fromkeys(comparison.lost, "lost")
        fixed |= dict.fromkeys(comparison.changed, "text changed")
        fixed |= dict.fromkeys(comparison.new, "new")
        for query in comparison.golden.queries:
            if query.id not in comparison.run.rankings:
                fixed[query.id] = "unmeasured"
            elif query.expects_nothing:
                fixed[query.id] = "expects nothing"
        return cls(fixed, reference is not None)

    def state(self, query: Query, values: Sequence[ValueChange]) -> State:
        if query.id in self.fixed:
            return self.fixed[query.id]
        if not self.has_baseline:
            return "uncompared"
        trends = {value.trend for value in values if value.measure.partition("@")[0] not in _ABOUT_JUDGMENTS}
        if "worse" in trends:
            return "mixed" if "better" in trends else "worse"
        return "better" if "better" in trends else "same"


def worst_queries(
    facts: Sequence[QueryFact], comparison: Comparison, findings: Iterable[Finding]
) -> tuple[QueryFact, ...]:
    """The queries that got worse, with the documents that moved; first those that the broken rules suffer from most."""
    if comparison.reference is None:
        return ()
    broken = {
        (str(finding.measure), finding.slice)
        for finding in findings
        if finding.status is Status.FAIL and finding.measure is not None and finding.change is not None
    }
    weighed = moves_measure(comparison.measures, comparison.golden.scale)

    def rank(fact: QueryFact) -> tuple[float, float, float, str]:
        harm = {value.measure: _harm(value) for value in fact.values}
        blame = max((harm[name] for name, part in broken if part in {ALL, *fact.slices}), default=0.0)
        return -blame, -harm.get(str(weighed), 0.0), -sum(harm.values()), fact.id

    worse = [
        fact
        for fact in facts
        if fact.state in {"lost", "worse", "mixed"} or (fact.state in {"better", "same"} and rank(fact)[0] < -BOUNDARY)
    ]
    return tuple(replace(fact, moves=_moved(comparison, fact.id, weighed)) for fact in sorted(worse, key=rank))


def _harm(value: ValueChange) -> float:
    """By how much a value got worse; negative where it got better."""
    if value.change is None:
        return 0.0
    return abs(value.change) if value.trend == "worse" else -abs(value.change)


def _moved(comparison: Comparison, query_id: str, measure: Measure) -> tuple[MovedDocument, ...]:
    """The moves worth reading: what cost most, then the newcomers that nobody judged, then gains, then the rest."""
    answer = comparison.run.rankings.get(query_id)
    kept = [
        MovedDocument(
            move.document,
            move.grade,
            move.before,
            move.after,
            move.cost,
            move.cause,
            reason(move, answer),
            move.above,
        )
        for move in moves(comparison, query_id, measure)
        if (move.cause or move.before != move.after if move.grade is not None else _newcomer(move))
    ]
    return tuple(sorted(kept, key=_reading_order))


def _newcomer(move: Move) -> bool:
    on_page = move.after is not None and move.after <= FIRST_PAGE
    return on_page and (move.before is None or move.before > FIRST_PAGE)


def _reading_order(move: MovedDocument) -> tuple[int, float, int, str]:
    if move.cost < -BOUNDARY:
        group = 0
    elif move.grade is None:
        group = 1
    else:
        group = 2 if move.cost > BOUNDARY else 3
    cost = move.cost if group == 0 else -move.cost
    return group, cost, move.after or move.before or 0, move.document


def weakest_queries(facts: Sequence[QueryFact], findings: Iterable[Finding]) -> tuple[QueryFact, ...]:
    """The queries beyond a broken floor or ceiling, the weakest first: where to look when nothing was compared."""
    for finding in findings:
        measure, limit = finding.measure, finding.limit
        broken = finding.status is Status.FAIL and finding.rule in {"floor", "ceiling"}
        if not broken or measure is None or limit is None:
            continue
        sign = 1.0 if measure.higher_is_better else -1.0
        found = [
            (sign * value.now, fact.id, fact)
            for fact in facts
            if finding.slice in {ALL, *fact.slices}
            for value in fact.values
            if value.measure == str(measure) and value.now is not None and sign * value.now < sign * limit - BOUNDARY
        ]
        return tuple(fact for *_, fact in sorted(found, key=lambda entry: entry[:2]))
    return ()


def lost_firsts(comparison: Comparison) -> tuple[FirstChange, ...]:
    """The lost queries: where the relevant document that was first is now, and what is first instead."""
    return _first_changes(comparison, comparison.lost, lost=True)


def gained_firsts(comparison: Comparison) -> tuple[FirstChange, ...]:
    """The gained queries: where the relevant document that is first now was before."""
    return _first_changes(comparison, comparison.gained, lost=False)


def _first_changes(comparison: Comparison, ids: Iterable[str], *, lost: bool) -> tuple[FirstChange, ...]:
    relevant_from = comparison.golden.scale.relevant_from
    changes = []
    for query_id in ids:
        query = comparison.by_id[query_id]
        before, after = comparison.answers(query_id)
        top = _first(before if lost else after)
        document = top if top is not None and query.judgments.get(top, 0) >= relevant_from else None
        first = _first(after)
        changes.append(
            FirstChange(
                id=query_id,
                text=query.text,
                place=query.place,
                document=document,
                before=_rank(before, document),
                after=_rank(after, document),
                first=first,
                first_grade=None if first is None else query.judgments.get(first),
            )
        )
    return tuple(changes)


def _first(ranking: Ranking | None) -> str | None:
    return ranking.ids[0] if ranking and ranking.ids else None


def _rank(ranking: Ranking | None, document: str | None) -> int | None:
    return ranking.ids.index(document) + 1 if ranking and document is not None and document in ranking.ids else None
