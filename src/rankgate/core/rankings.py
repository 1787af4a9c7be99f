"""What a service returned: a ranking per query, a run for the whole set."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ordered documents that a service returned for one query; a position is a rank.

    Attributes:
        ids: Document ids, best first, each once.
        duplicates: How many later occurrences of an id were dropped.
    """

    ids: tuple[str, ...]
    duplicates: int = 0

    @classmethod
    def of(cls, ids: Iterable[str], depth: int | None = None) -> "Ranking":
        """Keep the first occurrence of each id, close up the ranks, cut at *depth*."""
        served = tuple(ids)
        kept = tuple(dict.fromkeys(served))
        return cls(tuple(islice(kept, depth)), len(served) - len(kept))


class FailureKind(StrEnum):
    """Why a query was not measured."""

    UNREACHABLE = "unreachable"  # no connection, or it broke
    TIMEOUT = "timeout"
    STATUS = "status"  # an HTTP status that is no success
    BODY = "body"  # not JSON, or not the expected shape
    PATH = "path"  # the hits are not where the config says
    HIT = "hit"  # a hit without a usable id
    PARTIAL = "partial"  # the answer says of itself that it is incomplete
    REQUEST = "request"  # the request could not be built
    NOT_ASKED = "not asked"  # the run was given up before this query


@dataclass(frozen=True, slots=True)
class Failure:
    """A query that was asked and not measured; never a zero result.

    Attributes:
        message: What happened and what to do, secrets already redacted.
    """

    kind: FailureKind
    message: str


@dataclass(frozen=True, slots=True)
class Run:
    """The rankings for a set of queries; every query asked is in exactly one of the two mappings.

    Attributes:
        depth: How many documents were asked for.
        texts: The query text that was sent, by query id.
        notes: Facts about how the run was obtained, for the reader; never part of a verdict.
    """

    depth: int
    rankings: Mapping[str, Ranking]
    failures: Mapping[str, Failure] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def query_ids(self) -> frozenset[str]:
        """The ids of all queries that were asked."""
        return frozenset(self.rankings) | frozenset(self.failures)
