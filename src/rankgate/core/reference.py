"""The accepted run that a candidate is compared with, and the digests by which a later comparison sees what changed."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from rankgate.core.comparability import Lock
from rankgate.core.judgments import GoldenSet, Query
from rankgate.core.rankings import Run


def judgments_digest(query: Query) -> str:
    """A short digest of a query's judgments, by which a later comparison sees that it was relabelled."""
    canonical = json.dumps(sorted(query.judgments.items()), separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Reference:
    """The accepted run that a candidate is compared with.

    Attributes:
        run: Its rankings and the query texts that were asked.
        digests: ``judgments_digest`` of each query when it was accepted; may lack queries.
        lock: What it is an answer to; None where nobody wrote that down.
    """

    run: Run
    digests: Mapping[str, str] = field(default_factory=dict)
    lock: Lock | None = None


def golden_digest(golden: GoldenSet) -> str:
    """A short digest of all queries: their texts, params and judgments."""
    queries = sorted(
        (
            query.id,
            query.text,
            json.dumps(dict(query.params), sort_keys=True),
            query.expects_nothing,
            judgments_digest(query),
        )
        for query in golden.queries
    )
    return hashlib.sha256(json.dumps(queries, separators=(",", ":")).encode()).hexdigest()[:12]
