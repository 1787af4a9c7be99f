"""What is known of a run while it is under way."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Final

from rankgate.core.findings import plural
from rankgate.core.rankings import Failure, FailureKind, Ranking, Run
from rankgate.service.failure import AnswerError
from rankgate.service.paging import Found
from rankgate.service.redaction import Redactor
from rankgate.service.request import Ask
from rankgate.service.source import Progress

#: Unreachable queries in a row.
GIVE_UP_AFTER: Final = 10
#: Queries in a row without an answer, where there was none yet: or as many as are asked at once.
FEWEST_UNANSWERED: Final = 3


@dataclass(slots=True)
class Ledger:
    """What is known so far of a run; the only thing that the workers write to.

    Attributes:
        total: Queries in all.
        begun: Ids of the queries that were asked, answered or not.
        capped: Queries that got fewer hits than match and were asked for, with how many of how many.
        crowded: Queries whose hits are chunks of too few documents, with how many.
        retries: Tries beyond the first of a request.
        stopped: Queries that ``service.max_pages`` ended.
        collapsed: Hits of documents that were there already.
        fingerprint: What the service says of itself.
        no_fingerprint: Why it says nothing.
        unanswered: Failures since the last answer that count towards giving up.
        together: Queries that are asked at once.
        own_depth: No template says how many hits are wanted.
    """

    total: int
    redactor: Redactor
    progress: Progress | None
    rankings: dict[str, Ranking] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    capped: dict[str, str] = field(default_factory=dict)
    crowded: dict[str, int] = field(default_factory=dict)
    retries: int = 0
    stopped: int = 0
    collapsed: int = 0
    fingerprint: str = ""
    no_fingerprint: str = ""
    unanswered: int = 0
    together: int = 1
    own_depth: bool = False

    @property
    def patience(self) -> int:
        """How many queries without an answer are enough to give up; fewer where the service may hang altogether."""
        return GIVE_UP_AFTER if self.rankings else min(GIVE_UP_AFTER, max(FEWEST_UNANSWERED, self.together))

    @property
    def hopeless(self) -> bool:
        return self.unanswered >= self.patience

    def retried(self) -> None:
        self.retries += 1

    def measured(self, query: Ask, found: Found) -> None:
        self.rankings[query.id] = found.ranking
        self.unanswered = 0
        self.stopped += found.stopped
        self.collapsed += found.collapsed
        if found.crowded:
            self.crowded[query.id] = len(found.ranking.ids)
        if found.capped:
            self.capped[query.id] = f"{len(found.ranking.ids)} of {found.total}"
        self._report()

    def failed(self, query: Ask, error: AnswerError) -> None:
        self.failures[query.id] = Failure(error.kind, self.redactor.redact(error.whole))
        # A service that has answered is only slow or busy.
        counts = error.kind is FailureKind.UNREACHABLE if self.rankings else error.unanswered
        self.unanswered = self.unanswered + 1 if counts else 0
        self._report()

    def close(self, queries: Sequence[Ask], reason: str) -> None:
        """Book every query that has no result."""
        reason = self.redactor.redact(reason)
        for query in queries:
            if query.id not in self.rankings and query.id not in self.failures:
                asked = query.id in self.begun
                kind, what = (FailureKind.TIMEOUT, "not answered") if asked else (FailureKind.NOT_ASKED, "not asked")
                self.failures[query.id] = Failure(kind, f"{what}: {reason}")

    def run(self, queries: Sequence[Ask], depth: int) -> Run:
        notes = {}
        if self.retries:
            notes["retries"] = str(self.retries)
        if self.stopped:
            were = plural(self.stopped, "query was", "queries were")
            notes["page cap"] = f"{self.stopped} {were} cut by service.max_pages before {depth} hits"
        elif self.capped:
            count = len(self.capped)
            example = _first(queries, self.capped)
            unasked = "no template sends {depth}; or " if self.own_depth else ""
            notes["page cap"] = (
                f"{count} {plural(count, 'query got fewer of its', 'queries got fewer of their')} matches "
                f"than were asked for; {example!r} {self.capped[example]}, with {depth} asked for: "
                f"{unasked}does the service cap a page? (service.page_size)"
            )
        if self.crowded:
            count, example = len(self.crowded), _first(queries, self.crowded)
            notes["chunks"] = (
                f"{count} {plural(count, 'query', 'queries')} got all hits that were asked for, and they are chunks of "
                f"too few documents; {example!r} {self.crowded[example]} of {depth}: "
                "raise service.collapse, or set service.page_size"
            )
        if self.collapsed:
            were = plural(self.collapsed, "hit was a further chunk", "hits were further chunks")
            notes["collapsed"] = f"{self.collapsed} {were} of a document that was there already"
        if self.no_fingerprint:
            notes["fingerprint"] = self.redactor.redact(f"not read: {self.no_fingerprint}")
        return Run(
            depth=depth,
            fingerprint=self.fingerprint,
            rankings={query.id: self.rankings[query.id] for query in queries if query.id in self.rankings},
            failures={query.id: self.failures[query.id] for query in queries if query.id in self.failures},
            texts={query.id: query.text for query in queries},
            notes=notes,
        )

    def _report(self) -> None:
        if self.progress is not None:
            self.progress(len(self.rankings) + len(self.failures), self.total)


def _first(queries: Sequence[Ask], ids: Container[str]) -> str:
    """The first of *ids* in the order of the queries, not in that of the answers."""
    return next(query.id for query in queries if query.id in ids)
