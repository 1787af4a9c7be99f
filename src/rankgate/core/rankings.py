"""What a service returned: a ranking per query, a run for the whole set."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice


@dataclass(frozen=True, slots=True)
class Detail:
    """What a service says of a hit besides its id: for the reader, never for a rank.

    Attributes:
        score: As the service wrote it, whole numbers of any size; None when it gave none.
        title: On one line; may be empty.
        snippet: On one line; may be empty.
    """

    score: float | None = None
    title: str = ""
    snippet: str = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ordered documents that a service returned for one query; a position is a rank.

    Attributes:
        ids: Document ids, best first, each once.
        duplicates: How many later occurrences of an id were dropped.
        details: Of each document, in the same order; empty when the service was not asked for any.
    """

    ids: tuple[str, ...]
    duplicates: int = 0
    details: tuple[Detail, ...] = field(default=(), compare=False)

    @classmethod
    def of(cls, ids: Iterable[str], depth: int | None = None, details: Iterable[Detail] = ()) -> "Ranking":
        """Keep the first occurrence of each id, close up the ranks, cut at *depth*.

        Args:
            details: One for each of *ids*, or none at all.
        """
        served = tuple(ids)
        kept = tuple(dict.fromkeys(served))
        shown: dict[str, Detail] = {}
        for document, detail in zip(served, details, strict=False):
            shown.setdefault(document, detail)
        cut = tuple(islice(kept, depth))
        return cls(cut, len(served) - len(kept), tuple(shown[document] for document in cut) if shown else ())


class FailureKind(StrEnum):
    """Why a query was not measured."""

    UNREACHABLE = "unreachable"  # no connection, or it broke
    TIMEOUT = "timeout"
    STATUS = "status"  # an HTTP status, or a program's exit code, that is no success
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
        fingerprint: What the service said of itself, such as an index or a model; empty where it was not asked.
        notes: Facts about how the run was obtained, for the reader; never part of a verdict.
    """

    depth: int
    rankings: Mapping[str, Ranking]
    failures: Mapping[str, Failure] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    fingerprint: str = ""

    def __repr__(self) -> str:
        return f"<Run queries={len(self.query_ids)} failed={len(self.failures)} depth={self.depth}>"

    @property
    def query_ids(self) -> frozenset[str]:
        """The ids of all queries that were asked."""
        return frozenset(self.rankings) | frozenset(self.failures)
