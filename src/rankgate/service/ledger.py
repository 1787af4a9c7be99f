"""What is known of a run while it is under way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from rankgate.core.findings import plural
from rankgate.core.rankings import Failure, FailureKind, Ranking, Run
from rankgate.service.failure import AnswerError
from rankgate.service.paging import Found
from rankgate.service.redaction import Redactor
from rankgate.service.request import Ask

GIVE_UP_AFTER: Final = 10  # unreachable queries in a row

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Ledger:
    """What is known so far of a run; the only thing that the workers write to."""

    total: int
    redactor: Redactor
    progress: Progress | None
    rankings: dict[str, Ranking] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    matches: dict[str, int] = field(default_factory=dict)
    retries: int = 0
    stopped: int = 0
    collapsed: int = 0
    fingerprint: str = ""
    no_fingerprint: str = ""
    unreachable: int = 0

    @property
    def hopeless(self) -> bool:
        return self.unreachable >= GIVE_UP_AFTER

    def retried(self) -> None:
        self.retries += 1

    def measured(self, query: Ask, found: Found) -> None:
        self.rankings[query.id] = found.ranking
        self.unreachable = 0
        self.stopped += found.stopped
        self.collapsed += found.collapsed
        if found.total is not None:
            self.matches[query.id] = found.total
        self._report()

    def failed(self, query: Ask, error: AnswerError) -> None:
        self.failures[query.id] = Failure(error.kind, self.redactor.redact(error.whole))
        self.unreachable = self.unreachable + 1 if error.kind is FailureKind.UNREACHABLE else 0
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
        elif short := self._short(queries, depth):
            example = short[0]
            found, total = len(self.rankings[example].ids), self.matches[example]
            notes["page cap"] = (
                f"{len(short)} {plural(len(short), 'query got fewer of its', 'queries got fewer of their')} matches "
                f"than were asked for; {example!r} {found} of {total}, with {depth} asked for: "
                "does the service cap a page? (service.page_size)"
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

    def _short(self, queries: Sequence[Ask], depth: int) -> list[str]:
        """The queries that have more matches than they got, though fewer than were asked for."""
        found = {query_id: len(ranking.ids) + ranking.duplicates for query_id, ranking in self.rankings.items()}
        return [
            query.id
            for query in queries  # in their order, not in that of the answers: the note names the first
            if query.id in self.matches and found[query.id] < min(self.matches[query.id], depth) and not self.collapsed
        ]

    def _report(self) -> None:
        if self.progress is not None:
            self.progress(len(self.rankings) + len(self.failures), self.total)
