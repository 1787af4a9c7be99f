"""What is known of a run while it is under way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from rankgate.core.rankings import Failure, FailureKind, Ranking, Run
from rankgate.service.failure import AnswerError
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
    retries: int = 0
    cut: int = 0
    unreachable: int = 0

    @property
    def hopeless(self) -> bool:
        return self.unreachable >= GIVE_UP_AFTER

    def retried(self) -> None:
        self.retries += 1

    def measured(self, query: Ask, ranking: Ranking) -> None:
        self.rankings[query.id] = ranking
        self.unreachable = 0
        self._report()

    def failed(self, query: Ask, error: AnswerError) -> None:
        self.failures[query.id] = Failure(error.kind, self.redactor.redact(str(error)))
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
        if self.cut:
            notes["page cap"] = f"{self.cut} queries were cut by service.max_pages before {depth} hits"
        return Run(
            depth=depth,
            rankings={query.id: self.rankings[query.id] for query in queries if query.id in self.rankings},
            failures={query.id: self.failures[query.id] for query in queries if query.id in self.failures},
            texts={query.id: query.text for query in queries},
            notes=notes,
        )

    def _report(self) -> None:
        if self.progress is not None:
            self.progress(len(self.rankings) + len(self.failures), self.total)
