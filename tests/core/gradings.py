"""Every way of judging what nobody judged, for few documents: what the core's exact answers are held against."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from hypothesis import assume
from hypothesis import strategies as st

from rankgate.core.catalog import Measure, Scale
from rankgate.core.comparison import Comparison, compare
from rankgate.core.judgments import Query
from rankgate.core.rankings import Failure, FailureKind
from rankgate.core.reference import Reference
from tests.support import golden, query, run

#: With every parameter, with and without a cutoff.
NAMES: Final = (
    *("P@1", "P@3", "P(rel=2)@3", "R@1", "R@3", "R(rel=3)@2", "F@3", "F(beta=2,rel=2)@2"),
    *("RBP", "RBP(p=0.5,rel=2)@3", "RR", "RR@2", "RR(rel=3)", "Success@1", "Success(rel=2)@3"),
    *(f"nDCG(dcg='{dcg}'){cutoff}" for dcg in ("exp-log2", "log2", "binary-log2") for cutoff in ("", "@1", "@3")),
)
#: No more than this many documents are unjudged where all gradings are tried.
FEW: Final = 4
DOWN: Final = Failure(FailureKind.TIMEOUT, "no answer within 5 s")


def gradings(holes: Sequence[str], scale: Scale) -> Iterator[dict[str, int]]:
    """Every way of judging any of *holes*."""
    allowed = (None, *range(max(scale.lowest, 1), scale.highest + 1))
    for given_grades in product(allowed, repeat=len(holes)):
        yield {hole: grade for hole, grade in zip(holes, given_grades, strict=True) if grade is not None}


def seen(ranking: Sequence[str], measure: Measure) -> Sequence[str]:
    return ranking[: measure.cutoff or None]


def compared(
    queries: Sequence[Query],
    now: Mapping[str, Sequence[str]],
    before: Mapping[str, Sequence[str]] | None,
    *measures: Measure,
    scale: Scale | None = None,
    down: Sequence[str] = (),
) -> Comparison:
    """Compare under the judgments of *queries*; those that are *down* were not measured now."""
    reference = None if before is None else Reference(run(before))
    candidate = run(now, failures=dict.fromkeys(down, DOWN))
    return compare(golden(*queries, scale=scale), candidate, measures, reference)


#: Up to three queries; some may have no value until somebody judges.
few_queries = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3), max_size=3),
        st.lists(st.sampled_from("abcd"), unique=True, max_size=2).map(tuple),
        st.lists(st.sampled_from("abcd"), unique=True, max_size=2).map(tuple),
    ),
    min_size=1,
    max_size=3,
)
#: Grade by query and document.
Grading = dict[tuple[str, str], int]
SetOfQueries = list[tuple[dict[str, int], tuple[str, ...], tuple[str, ...]]]


def rejudged(
    drawn: SetOfQueries, measure: Measure, *, must: float | None = None, down: Sequence[str] = ()
) -> Iterator[tuple[Grading, Comparison]]:
    """Every way of judging the holes of all queries, none of them first, and what is compared then.

    Args:
        must: What the first query must have of *measure*.
        down: Queries that were not measured now.
    """
    names = [str(number) for number in range(len(drawn))]
    now = {name: each for name, (_, each, _) in zip(names, drawn, strict=True) if name not in down}
    before = {name: each for name, (_, _, each) in zip(names, drawn, strict=True)}
    holes = [
        (name, document)
        for name, (judgments, *_) in zip(names, drawn, strict=True)
        for document in dict.fromkeys((*seen(now.get(name, ()), measure), *seen(before[name], measure)))
        if document not in judgments
    ]
    assume(len(holes) <= FEW)
    for graded in product((None, 1, 2, 3), repeat=len(holes)):
        given_grades = {hole: grade for hole, grade in zip(holes, graded, strict=True) if grade is not None}
        queries = [
            query(
                name,
                judgments | {each: grade for (of, each), grade in given_grades.items() if of == name},
                must={} if must is None or name != names[0] else {measure: must},
            )
            for name, (judgments, *_) in zip(names, drawn, strict=True)
        ]
        yield given_grades, compared(queries, now, before, measure, down=down)
