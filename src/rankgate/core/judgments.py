"""What the team expects: golden queries with their judgments and pins."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rankgate.core.catalog import Measure, Scale
from rankgate.errors import Problem

JsonValue = str | int | float | bool | None | list["JsonValue"] | dict[str, "JsonValue"]

#: The slice that every query is in.
ALL = "all"

#: How far down a pinned ``never`` looks when it does not say: the first page of most services.
NEVER_WITHIN = 10


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a file; line and column are 1-based."""

    path: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


def problem_at(place: Place | None, message: str) -> Problem:
    """What is wrong, or doubtful, at *place*; without a place where it came from nowhere."""
    return Problem(message, place.path, place.line, place.column) if place else Problem(message)


@dataclass(frozen=True, slots=True)
class Query:
    """One golden query.

    Attributes:
        id: Unique in the set.
        text: As sent to the service.
        slices: The named groups it belongs to, ``all`` not among them.
        judgments: Grade by document id; empty only where nothing is expected.
        expects_nothing: An empty answer is the right one.
        must: The least value (for a measure where lower is better, the largest) that it must reach, by measure.
        never: Documents that may not appear among the first *never_within*.
        never_within: A rank, >= 1.
        first: Documents of which one must be at rank 1.
        before: Pairs of which the first document must be ranked before the second.
        known_failure: Why its pins may fail for now; empty where they may not.
        judged_on: The day of its judgments, as in ``2026-10-01``; empty where nobody said.
        params: Values for the request's templates.
        note: Why it is in the set.
        place: Where it is written; None for one that came from elsewhere.
    """

    id: str
    text: str
    judgments: Mapping[str, int]
    slices: tuple[str, ...] = ()
    expects_nothing: bool = False
    must: Mapping[Measure, float] = field(default_factory=dict)
    never: tuple[str, ...] = ()
    never_within: int = NEVER_WITHIN
    first: tuple[str, ...] = ()
    before: tuple[tuple[str, str], ...] = ()
    known_failure: str = ""
    judged_on: str = ""
    params: Mapping[str, JsonValue] = field(default_factory=dict)
    note: str = ""
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class GoldenSet:
    """The judged queries, sorted by id, and what their grades mean."""

    queries: tuple[Query, ...]
    scale: Scale = field(default_factory=Scale)

    def __repr__(self) -> str:
        return f"<GoldenSet queries={len(self.queries)} slices={len(self.slices)}>"

    @property
    def judged(self) -> tuple[Query, ...]:
        """The queries that the means are taken over: all but those that expect nothing."""
        return tuple(query for query in self.queries if not query.expects_nothing)

    @property
    def slices(self) -> tuple[str, ...]:
        """The names of the slices, in the order of the alphabet."""
        return tuple(sorted({name for query in self.queries for name in query.slices}))

    def only(self, ids: frozenset[str]) -> "GoldenSet":
        """The same set with only the queries of *ids*."""
        return GoldenSet(tuple(query for query in self.queries if query.id in ids), self.scale)
