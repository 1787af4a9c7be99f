"""What makes a golden set weaker than it looks: old judgments, queries that tell little, means that cannot reach 1.

None of it is wrong, so all of it is a warning. ``near_duplicates`` finds the queries that are almost the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import islice
from typing import Final

from rankgate.core.catalog import Measure
from rankgate.core.findings import number, plural
from rankgate.core.judgments import GoldenSet, problem_at
from rankgate.core.near_duplicates import near_duplicates
from rankgate.errors import Problem

#: How many queries of a kind are named; the rest is counted.
NAMED: Final = 5

#: So many queries tell a change of a few points from chance, and a team can still keep them judged.
USUAL_SIZE: Final = (80, 120)


def warnings(golden: GoldenSet, measures: Sequence[Measure], today: str, refresh_after: int) -> Iterator[Problem]:
    """Everything that is doubtful about *golden*, at most ``NAMED`` of a kind and then how many more.

    Args:
        measures: What is measured.
        today: A day such as ``2026-10-01``.
        refresh_after: In days; older judgments are called old.
    """
    yield from _summarised(_old(golden, today, refresh_after), f"judged more than {refresh_after} days ago")
    yield from _summarised(_not_yet(golden, today), "judged after today")
    yield from _summarised(_of_one_grade(golden, measures), "with judgments of one grade")
    yield from _summarised(_alike(golden), "almost the same as another")
    yield from _unreachable(golden, measures)


def notes(golden: GoldenSet) -> Iterator[Problem]:
    """What a team may want to know of *golden* and need not change."""
    size = len(golden.queries)
    fewest, most = USUAL_SIZE
    if not fewest <= size <= most:
        why = "fewer see large changes only" if size < fewest else "more are hard to keep judged"
        counted = f"{size} {plural(size, 'query', 'queries')}"
        yield Problem(f"the set has {counted}; {fewest} to {most} are usual, {why}")
    undated = [query for query in golden.queries if not query.judged_on]
    if undated:
        have = plural(len(undated), "query has", "queries have")
        yield Problem(
            f"{len(undated)} {have} no day of judgment and will never be called old; "
            "'judged: 2026-10-01' says it, of a query or of a file",
        )


def _old(golden: GoldenSet, today: str, refresh_after: int) -> list[Problem]:
    """The oldest first; a query without a day is never old."""
    aged = sorted((-_days(query.judged_on, today), query.id, query) for query in golden.queries if query.judged_on)
    return [
        problem_at(
            query.place,
            f"query {query.id!r} was judged on {query.judged_on}, {-age} days ago, more than judgments.refresh_after: "
            f"{refresh_after}; look at its judgments again and set the day anew",
        )
        for age, _, query in aged
        if -age > refresh_after
    ]


def _not_yet(golden: GoldenSet, today: str) -> list[Problem]:
    return [
        problem_at(query.place, f"query {query.id!r} was judged on {query.judged_on}, which is after today, {today}")
        for query in golden.queries
        if query.judged_on and _days(query.judged_on, today) < 0
    ]


def _days(since: str, until: str) -> int:
    return (date.fromisoformat(until) - date.fromisoformat(since)).days


def _of_one_grade(golden: GoldenSet, measures: Sequence[Measure]) -> list[Problem]:
    """Queries for which nDCG takes any order of their judged documents for the best.

    With one document there is no order to tell, and on a scale of one relevant grade there is no other grade to give.
    """
    if golden.scale.highest <= golden.scale.relevant_from or not any(measure.dcg for measure in measures):
        return []
    return [
        problem_at(
            query.place,
            f"query {query.id!r} has {len(query.judgments)} judgments, all of grade {min(query.judgments.values())}: "
            "nDCG takes any order of these documents for the best; grade them apart if one is better",
        )
        for query in golden.judged
        if len(query.judgments) > 1 and len(set(query.judgments.values())) == 1
    ]


def _alike(golden: GoldenSet) -> list[Problem]:
    return [
        problem_at(
            later.place,
            f"query {later.id!r} is almost the same as {earlier.id!r} ({later.text!r}, {earlier.text!r}): "
            "what they ask counts twice in every mean",
        )
        for earlier, later in near_duplicates(golden.queries)
    ]


def _unreachable(golden: GoldenSet, measures: Sequence[Measure]) -> Iterator[Problem]:
    """A warning for each recall whose cutoff is less than the number of relevant documents of some queries."""
    for measure in measures:
        if measure.name != "R" or not measure.cutoff:
            continue
        counted = [(sum(grade >= measure.rel for grade in query.judgments.values()), query) for query in golden.judged]
        counted = [(relevant, query) for relevant, query in counted if relevant]
        over = [(relevant, query) for relevant, query in counted if relevant > measure.cutoff]
        if over:
            most, worst = max(over, key=lambda entry: entry[0])
            best = sum(min(1.0, measure.cutoff / relevant) for relevant, _ in counted) / len(counted)
            yield problem_at(
                worst.place,
                f"{measure} cannot reach 1: {len(over)} of {len(counted)} queries have more relevant documents than "
                f"its cutoff; the best mean is {number(best)}, and query {worst.id!r}, with {most}, has at most "
                f"{number(measure.cutoff / most)}",
            )


def _summarised(found: Sequence[Problem], what: str) -> Iterator[Problem]:
    """The first of *found*, and in one line how many more there are, at the place of the next."""
    yield from islice(found, NAMED)
    left = len(found) - NAMED
    if left > 0:
        yield replace(found[NAMED], message=f"and {left} more {plural(left, 'query', 'queries')} {what}")
