"""Pages of answers into one ranking of the depth that is wanted."""

import json
from dataclasses import dataclass, replace
from typing import Final

from rankgate.core.findings import plural
from rankgate.core.rankings import Detail, FailureKind, Ranking
from rankgate.files.service_spec import ServiceSpec
from rankgate.service.failure import AnswerError
from rankgate.service.request import Ask, Step
from rankgate.service.response import Page, Reader, parse
from rankgate.service.source import Answer, Line

#: Times the hits that are wanted: where these are chunks of too few documents, more pages will not help.
MOST_HITS: Final = 10

_NONE_CAME: Final = "is service.hits right, and is {depth} sent where the service reads it?"


@dataclass(frozen=True, slots=True)
class Found:
    """What was found for a query.

    Attributes:
        total: How many documents match, by the service's own count; None when it does not say.
        stopped: ``max_pages`` ended it before the depth was reached.
        collapsed: Hits of documents that were there already, where several chunks make a document.
        capped: More hits match than came, though they were asked for.
        crowded: All hits that were asked for came, and are chunks of fewer documents than the depth.
    """

    ranking: Ranking
    total: int | None = None
    stopped: bool = False
    collapsed: int = 0
    capped: bool = False
    crowded: bool = False


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

    @property
    def wanted(self) -> int:
        """Hits that should hold as many documents as the depth."""
        return self.depth * self.spec.collapse

    @property
    def chunks(self) -> bool:
        """Whether several hits may be one document."""
        return self.spec.collapse > 1 or bool(self.spec.transform)

    @classmethod
    def of(cls, spec: ServiceSpec, reader: Reader, depth: int) -> "Paging":
        """Ask for everything at once, as far as the service allows that."""
        wanted = depth * spec.collapse
        return cls(spec, reader, depth, min(wanted, spec.page_size or wanted))

    @property
    def first(self) -> Step:
        """What is asked for first."""
        return Step(self.size, page=self.spec.first_page)

    async def rank(self, line: Line, query: Ask) -> Found:
        """Ask until the depth is reached or the service has no more.

        Raises:
            AnswerError: One of the pages was not measured, so the query was not.
        """
        ids: list[str] = []
        details: list[Detail] = []
        pages: list[object] = []
        followed: set[str] = set()
        step: Step | None = self.first
        number, stopped = 0, False
        while step is not None:
            answer = await line.fetch(query, step)
            number += 1
            try:
                page, served = self._read(answer, query)
                if number == 1:
                    _refuse_none(page)
                if page.ids and served in pages:
                    raise _repeated(number, pages.index(served) + 1)
                pages.append(served)
                documents = len({*ids, *page.ids})
                step = self._next(step, page, answer, documents)
                if step is not None and not self.chunks and documents == len(set(ids)):
                    raise _repeated(number)
                ids += page.ids
                details += page.details
                if step is not None and (step.cursor is not None or step.url):
                    _follow(step, followed)
            except AnswerError as exc:
                raise exc.at(answer.place) from exc
            if step is not None and number == self.spec.max_pages:
                stopped, step = True, None
            if step is not None and len(ids) >= MOST_HITS * self.wanted:
                break
        ranking = Ranking.of(ids, self.depth, details)
        few = len(ranking.ids) < self.depth
        found = Found(
            ranking,
            page.total,
            stopped,
            capped=few and len(ids) < min(page.total or 0, self.wanted),
            crowded=few and self.chunks and (step is not None or (number == 1 and len(ids) >= self.wanted)),
        )
        if self.spec.collapse == 1:
            return found
        return replace(found, ranking=replace(ranking, duplicates=0), collapsed=ranking.duplicates)

    def _read(self, answer: Answer, query: Ask) -> tuple[Page, object]:
        """What is in an answer, and what tells it from another: the ids, or the hits where several make a document."""
        value = parse(answer.content, answer.content_type, self.reader.redact)
        page = self.reader.read(value, query.text)
        if not page.ids:
            self.reader.refuse_key_twice(answer.content, answer.content_type)
        if answer.hidden:
            self._refuse_hidden(answer, page, query)
        return page, self.reader.hits.find(value) if self.chunks else page.ids

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
                reason = f"hit {rank} has the value of ${{{name}}} in its id: not kept"
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


def _refuse_none(page: Page) -> None:
    """Refuse a first page without hits that itself says that documents match."""
    if page.total and not page.ids:
        reason = f"{page.total} {plural(page.total, 'document matches', 'documents match')}, and none came"
        raise AnswerError(FailureKind.PATH, reason, cure=_NONE_CAME)


def _follow(step: Step, followed: set[str]) -> None:
    """Refuse a cursor or an address that was followed before: it would lead round for ever."""
    place = json.dumps([step.cursor, step.url])
    if place in followed:
        what = "address" if step.url else "cursor"
        reason = f"the {what} of page {step.page} came before"
        cure = "" if step.url else "does the service read {cursor} where it stands?"
        raise AnswerError(FailureKind.BODY, reason, cure=cure)
    followed.add(place)


def _repeated(number: int, first: int = 0) -> AnswerError:
    repeats = f"page {number} repeats page {first}" if first else f"page {number} has no hit that did not come before"
    return AnswerError(
        FailureKind.BODY, f"{repeats}; does the service read {{offset}}, {{page}} or {{cursor}} where they stand?"
    )
