"""What is doubtful about a golden set, each with the place of its query."""

from collections.abc import Sequence

import pytest

from rankgate.core.catalog import Measure, Scale, parse_measure
from rankgate.core.health import notes, warnings
from rankgate.core.judgments import GoldenSet, Place, Query
from tests.support import golden, query

P1 = Measure("P", 1, 1)
NDCG = Measure("nDCG", 10, dcg="exp-log2")
R2 = Measure("R", 2, 1)
TODAY = "2026-11-30"


def said(set_: GoldenSet, *measures: Measure, today: str = TODAY, refresh_after: int = 90) -> list[str]:
    return [str(problem) for problem in warnings(set_, measures or (P1,), today, refresh_after)]


def judged_on(*days: str) -> GoldenSet:
    """A query for each day; they stand in the lines of a file."""
    texts = ("apple", "bread", "cider", "dough", "eclair", "fennel", "grapes", "honey")
    return golden(
        *(
            query(f"q{number}", text=texts[number], judged_on=day, place=Place("q.yaml", number + 2, 3))
            for number, day in enumerate(days)
        )
    )


def test_a_sound_set() -> None:
    """Nothing is said of it."""
    assert [] == said(
        golden(query("a", {"x": 3, "y": 1}), query("b", {"x": 1}), query("c", {}, expects_nothing=True)), R2, NDCG
    )


# Old judgments.


@pytest.mark.parametrize(
    ("day", "refresh_after", "expected"),
    [
        pytest.param("", 90, [], id="no day"),
        pytest.param("2026-11-30", 90, [], id="today"),
        pytest.param("2026-09-01", 90, [], id="exactly as old as allowed"),
        pytest.param(
            "2026-08-31",
            90,
            [
                (
                    "q.yaml:2:3: query 'q0' was judged on 2026-08-31, 91 days ago, more than judgments.refresh_after: 90; "
                    "look at its judgments again and set the day anew"
                )
            ],
            id="a day older",
        ),
        pytest.param("2025-11-30", 365, [], id="a year"),
        pytest.param(
            "2026-12-01",
            90,
            ["q.yaml:2:3: query 'q0' was judged on 2026-12-01, which is after today, 2026-11-30"],
            id="tomorrow",
        ),
    ],
)
def test_old_judgments(day: str, refresh_after: int, expected: list[str]) -> None:
    """In days, by the day that is given; nothing is said where nobody wrote one."""
    assert expected == said(judged_on(day), refresh_after=refresh_after)


def test_of_many_the_oldest_are_named_and_the_others_counted() -> None:
    """Five and one line, which leads to the sixth."""
    days = ["2026-01-07", "2026-01-01", "2026-01-06", "2026-01-02", "2026-01-05", "2026-01-03", "2026-01-04"]

    *named, rest = said(judged_on(*days))

    assert ["'q1'", "'q3'", "'q5'", "'q6'", "'q4'"] == [line.split()[2] for line in named]
    assert "q.yaml:4:3: and 2 more queries judged more than 90 days ago" == rest


def test_one_more_is_counted_in_the_singular() -> None:
    """Six queries."""
    assert "q.yaml:7:3: and 1 more query judged after today" == said(judged_on(*["2027-01-01"] * 6))[-1]


# Queries of one grade.


@pytest.mark.parametrize(
    ("judgments", "scale", "measures", "warned"),
    [
        pytest.param({"x": 2, "y": 2}, Scale(), [NDCG], True, id="all alike"),
        pytest.param({"x": 2, "y": 1}, Scale(), [NDCG], False, id="two grades"),
        pytest.param({"x": 2, "y": 0}, Scale(), [NDCG], False, id="one is not relevant"),
        pytest.param({"x": 2}, Scale(), [NDCG], False, id="one document has one order"),
        pytest.param({"x": 1, "y": 1}, Scale(highest=1), [NDCG], False, id="there is no other grade"),
        pytest.param({"x": 2, "y": 2}, Scale(), [P1, R2], False, id="no nDCG is measured"),
    ],
)
def test_queries_of_one_grade(
    judgments: dict[str, int], scale: Scale, measures: Sequence[Measure], warned: bool
) -> None:
    """Only where another grade could have been given, and where a measure would tell."""
    expected = (
        "q.yaml:7:3: query 'q' has 2 judgments, all of grade 2: nDCG takes any order of these documents for the best; "
        "grade them apart if one is better"
    )

    assert [expected] * warned == said(
        golden(query("q", judgments, place=Place("q.yaml", 7, 3)), scale=scale), *measures
    )


# Queries that are almost the same.


def test_near_duplicates_are_named_with_both_ids_and_texts() -> None:
    """At the place of the later one."""
    shoes = query("b", text="red shoes!", place=Place("q.yaml", 9, 3))

    assert [
        "q.yaml:9:3: query 'b' is almost the same as 'a' ('red shoes!', 'Red shoes'): what they ask counts twice in every mean"
    ] == said(golden(shoes, query("a", text="Red shoes")))


def test_of_many_near_duplicates_five_are_named() -> None:
    """The same summary as everywhere."""
    spellings = ["red shoes" + "!" * times for times in range(8)]

    assert (
        "and 2 more queries almost the same as another"
        == said(golden(*(query(f"q{number}", text=text) for number, text in enumerate(spellings))))[-1]
    )


# Means that cannot reach 1.


def test_a_recall_that_cannot_reach_1_is_one_warning_a_measure() -> None:
    """With the query that suffers most, at its place, and the best mean there can be."""
    relevant = dict.fromkeys("abcdefgh", 1)
    queries = golden(
        query("few", {"a": 1, "b": 2}),
        query("most", relevant, place=Place("q.yaml", 5, 3)),
        query("three", {"a": 1, "b": 1, "c": 3, "d": 0}),
        query("nothing", {}, expects_nothing=True),
    )
    strict = parse_measure("R(rel=2)@1", Scale())

    assert [
        (
            "q.yaml:5:3: R@2 cannot reach 1: 2 of 3 queries have more relevant documents than its cutoff; "
            "the best mean is 0.6389, and query 'most', with 8, has at most 0.2500"
        )
    ] == said(queries, P1, R2, strict, Measure("R", 8, 1), Measure("Rprec", 0, 1))


def test_a_stricter_relevance_counts_its_own_documents() -> None:
    """A query without any has no recall, and no part in the best mean."""
    strict = parse_measure("R(rel=2)@1", Scale())
    queries = golden(query("two", {"a": 2, "b": 3, "c": 1}), query("none", {"a": 1, "b": 1}))

    assert [
        (
            "R(rel=2)@1 cannot reach 1: 1 of 1 queries have more relevant documents than its cutoff; "
            "the best mean is 0.5000, and query 'two', with 2, has at most 0.5000"
        )
    ] == said(queries, strict)


# The size of the set.


def of_size(size: int) -> GoldenSet:
    return golden(*(Query(f"q{number}", f"q{number}", {"a": 1}, judged_on=TODAY) for number in range(size)))


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (1, ["the set has 1 query; 80 to 120 are usual, fewer see large changes only"]),
        (79, ["the set has 79 queries; 80 to 120 are usual, fewer see large changes only"]),
        (80, []),
        (120, []),
        (121, ["the set has 121 queries; 80 to 120 are usual, more are hard to keep judged"]),
    ],
)
def test_a_set_outside_the_usual_size_is_a_note(size: int, expected: list[str]) -> None:
    """One line, and no warning."""
    assert expected == [str(note) for note in notes(of_size(size))]
    assert [] == said(of_size(size))


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ([TODAY, TODAY], []),
        ([TODAY, ""], ["1 query has no day of judgment"]),
        (["", "", TODAY], ["2 queries have no day of judgment"]),
    ],
    ids=["none", "one", "two"],
)
def test_queries_that_will_never_be_old_are_a_note(days: Sequence[str], expected: list[str]) -> None:
    """One line at the first of them."""
    _, *found = notes(judged_on(*days))

    assert [
        f"{start} and will never be called old; 'judged: 2026-10-01' says it, of a query or of a file"
        for start in expected
    ] == [str(note) for note in found]
