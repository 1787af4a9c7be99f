"""Pages of answers into one ranking of the depth that is wanted."""

import json
from dataclasses import dataclass

from rankgate.core.rankings import Detail, FailureKind, Ranking
from rankgate.files.service_spec import ServiceSpec
from rankgate.service.failure import AnswerError
from rankgate.service.request import Ask, Step
from rankgate.service.response import Page, Reader, parse
from rankgate.service.source import Answer, Line


@dataclass(frozen=True, slots=True)
class Found:
    """What was found for a query.

    Attributes:
        total: How many documents match, by the service's own count; None when it does not say.
        stopped: ``max_pages`` ended it before the depth was reached.
        collapsed: Hits of documents that were there already, where several chunks make a document.
    """

    ranking: Ranking
    total: int | None = None
    stopped: bool = False
    collapsed: int = 0


@dataclass(frozen=True, slots=True)
class Paging:
    """How many pages are asked for, and how each follows from the one before.

    Attributes:
        depth: Documents wanted.
        size: Hits asked for at once.
    """

    spec: ServiceSpec
    reader: Reader
    depth: int
    size: int

    @classmethod
    def of(cls, spec: ServiceSpec, reader: Reader, depth: int) -> "Paging":
        """Ask for everything at once, as far as the service allows that."""
        wanted = depth * spec.collapse
        return cls(spec, reader, depth, min(wanted, spec.page_size or wanted))

    async def rank(self, line: Line, query: Ask) -> Found:
        """Ask until the depth is reached or the service has no more.

        Raises:
            AnswerError: One of the pages was not measured, so the query was not.
        """
        ids: list[str] = []
        details: list[Detail] = []
        served: object = None
        followed: set[str] = set()
        step: Step | None = Step(self.size, page=self.spec.first_page)
        number, stopped = 0, False
        while step is not None:
            answer = await line.fetch(query, step)
            number += 1
            try:
                before = served
                page, served = self._read(answer, query)
                if page.ids and served == before:
                    raise _repeated(number)
                ids += page.ids
                details += page.details
                step = self._next(step, page, answer, len(set(ids)))
                if step is not None and (step.cursor is not None or step.url):
                    _follow(step, followed)
            except AnswerError as exc:
                raise exc.at(answer.place) from exc
            if step is not None and number == self.spec.max_pages:
                stopped, step = True, None
        ranking = Ranking.of(ids, self.depth, details)
        if self.spec.collapse == 1:
            return Found(ranking, page.total, stopped)
        return Found(Ranking(ranking.ids, 0, ranking.details), page.total, stopped, ranking.duplicates)

    def _read(self, answer: Answer, query: Ask) -> tuple[Page, object]:
        """What is in an answer, and what tells it from another: the ids, or the hits where several make a document."""
        value = parse(answer.content, answer.content_type, self.reader.redact)
        page = self.reader.read(value, query.text)
        if answer.hidden:
            self._refuse_hidden(answer, page, query)
        return page, page.ids if self.spec.collapse == 1 else self.reader.hits.find(value)

    def _refuse_hidden(self, answer: Answer, page: Page, query: Ask) -> None:
        """Refuse what is read otherwise from a recording, where the values of variables are left out.

        An id is refused when it is recorded and when it is replayed; all else is noticed when it is recorded.
        """
        try:
            kept = (
                page if answer.kept is None else self.reader.read(parse(answer.kept, answer.content_type), query.text)
            )
        except AnswerError:
            kept = None
        for rank, document in enumerate(kept.ids if kept else (), start=1):
            if name := next((name for name in answer.hidden if f"[{name}]" in document), ""):
                reason = f"hit {rank} of {len(page.ids)} has the value of ${{{name}}} in its id: not kept"
                raise AnswerError(FailureKind.HIT, reason)
        if kept is None or (kept.ids, kept.total, bool(kept.cursor)) != (page.ids, page.total, bool(page.cursor)):
            names = " and ".join(f"${{{name}}}" for name in answer.hidden)
            reason = f"what is read of the answer holds the value of {names}, which no recording keeps"
            cure = "a value that is no secret can stand in the config as it is"
            raise AnswerError(FailureKind.BODY, reason, cure=cure)

    def _next(self, step: Step, page: Page, answer: Answer, documents: int) -> Step | None:
        """Where the next page is; None when no more is needed or there."""
        follows, offset, number = self.spec.next_page, step.offset + self.size, step.page + 1
        if self.spec.page_size is None or documents >= self.depth or not page.ids:
            return None
        if follows is None:
            return Step(self.size, offset, number) if len(page.ids) >= self.size else None
        found = answer.next_url if follows.kind == "link_header" else page.cursor
        if not found:
            return None
        if follows.kind == "cursor":
            return Step(self.size, offset, number, cursor=found)
        if not isinstance(found, str):
            raise AnswerError(FailureKind.PATH, "what stands at service.next_page.url is no text")
        return Step(self.size, offset, number, url=found)


def _follow(step: Step, followed: set[str]) -> None:
    """Refuse a cursor or an address that was followed before: it would lead round for ever."""
    place = json.dumps([step.cursor, step.url])
    if place in followed:
        what = "address" if step.url else "cursor"
        reason = f"the {what} of page {step.page} came before"
        cure = "" if step.url else "does the service read {cursor} where it stands?"
        raise AnswerError(FailureKind.BODY, reason, cure=cure)
    followed.add(place)


def _repeated(number: int) -> AnswerError:
    repeats = f"page {number} repeats page {number - 1}"
    return AnswerError(
        FailureKind.BODY, f"{repeats}; does the service read {{offset}}, {{page}} or {{cursor}} where they stand?"
    )
