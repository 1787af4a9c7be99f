"""The accepted run that a candidate is compared with, and the digests by which a later comparison sees what changed."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from rankgate.core.comparability import Lock
from rankgate.core.judgments import GoldenSet, Query
from rankgate.core.rankings import Run


def digest(value: object) -> str:
    """A short digest of what JSON can hold."""
    return hashlib.sha256(json.dumps(value, separators=(",", ":")).encode()).hexdigest()[:12]


def judgments_digest(query: Query) -> str:
    """A short digest of a query's judgments, by which a later comparison sees that it was relabelled."""
    return digest(sorted(query.judgments.items()))


@dataclass(frozen=True, slots=True)
class Reference:
    """The accepted run that a candidate is compared with.

    Attributes:
        run: Its rankings and the query texts that were asked.
        digests: ``judgments_digest`` of each query when it was accepted; may lack queries.
        lock: What it is an answer to; None where nobody wrote that down.
        name: What the reader calls it, where it is another service or run; empty for the baseline.
    """

    run: Run
    digests: Mapping[str, str] = field(default_factory=dict, repr=False)
    lock: Lock | None = None
    name: str = ""

    @property
    def title(self) -> str:
        """How a sentence names it."""
        return self.name or "the baseline"


def golden_digest(golden: GoldenSet) -> str:
    """A short digest of all queries: their texts, params and judgments."""
    return digest(sorted((*_asked(query), judgments_digest(query)) for query in golden.queries))


def queries_digest(golden: GoldenSet) -> str:
    """A short digest of what is asked: the queries, their texts and params."""
    return digest(sorted(map(_asked, golden.queries)))


def grades_digest(golden: GoldenSet) -> str:
    """A short digest of the judgments of all queries, whatever their texts."""
    return digest(sorted((query.id, judgments_digest(query)) for query in golden.queries))


def _asked(query: Query) -> tuple[str, str, str, bool]:
    return query.id, query.text, json.dumps(dict(query.params), sort_keys=True), query.expects_nothing
