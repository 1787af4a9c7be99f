"""Answers over HTTP."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from urllib.parse import urljoin

import httpx

from rankgate.core.rankings import FailureKind
from rankgate.errors import ServiceUnreachableError
from rankgate.service.exchange import Manners, ask, origin
from rankgate.service.failure import AnswerError
from rankgate.service.partial import excerpt
from rankgate.service.redaction import Redactor
from rankgate.service.request import Ask, Request, Step, Templates
from rankgate.service.route import Route
from rankgate.service.source import Answer
from rankgate.service.template import TemplateError


@dataclass(frozen=True, slots=True)
class HttpSource:
    """A service with an address.

    Attributes:
        connect: Opens what one worker sends its requests through.
    """

    templates: Templates
    manners: Manners
    route: Route
    connect: Callable[[], httpx.AsyncBaseTransport]
    redactor: Redactor

    @property
    def address(self) -> str:
        return self.route.address

    @asynccontextmanager
    async def open(self, connected: Callable[[], None]) -> AsyncIterator["HttpLine"]:
        async with self.connect() as transport:
            yield HttpLine(transport, self, connected)

    def unreachable(self, refusal: AnswerError) -> ServiceUnreachableError:
        named = "The address is service.url in the config, or what --url, --target, --against or --exact names."
        hint = f"Is the service running at {self.address}? {named}"
        if self.route.proxy:
            hint = (
                f"The proxy is the one in {self.route.variable}; with {self.route.host} in NO_PROXY the way is direct."
            )
        message = f"the search service at {self.address} cannot be reached: {refusal}"
        return ServiceUnreachableError(self.redactor.redact(message), hint=self.redactor.redact(hint))


@dataclass(slots=True)
class HttpLine:
    """One connection; the pages of a query are asked for one after the other."""

    transport: httpx.AsyncBaseTransport
    source: HttpSource
    connected: Callable[[], None]
    _manners: Manners = field(init=False)
    _asked: Request | None = None

    def __post_init__(self) -> None:
        self._manners = replace(self.source.manners, on_connected=self._connected)

    async def fetch(self, query: Ask, step: Step) -> Answer:
        if step.url and self._asked is not None:
            step = replace(step, url=self._within(step.url, self._asked))
        try:
            request = self.source.templates.build(query, step)
        except TemplateError as exc:
            raise AnswerError(FailureKind.REQUEST, f"the request cannot be made: {exc}") from exc
        self._asked = request
        place = self._place(request)
        try:
            reply = await ask(self.transport, request, self._manners)
        except AnswerError as exc:
            raise exc.at(place) from exc
        return Answer(place, reply.content, reply.content_type, reply.next_url)

    def _place(self, request: Request) -> str:
        return f"{request.place}{self.source.route.via}"

    def _within(self, url: str, asked: Request) -> str:
        """Return the whole address of a next page; another origin would get the credentials of this request."""
        try:
            target = httpx.URL(urljoin(asked.url, url))
        except (httpx.InvalidURL, ValueError) as exc:
            shown = excerpt(url, self.source.redactor.redact)
            reason = f"the address of the next page is none: {shown!r}"
            raise AnswerError(FailureKind.BODY, reason).at(self._place(asked)) from exc
        if origin(target) != origin(httpx.URL(asked.url)):
            there = f"{target.scheme}://{target.netloc.decode()}"
            reason = (
                f"the next page is said to be at {there}, another origin, which does not get this request's credentials"
            )
            raise AnswerError(FailureKind.BODY, reason).at(self._place(asked))
        return str(target.copy_with(userinfo=b"", fragment=None))

    def _connected(self) -> None:
        # Being told costs time, so once is enough.
        self._manners = self.source.manners
        self.connected()
