"""What else a service can be asked: which index it is, and whether it has a document."""

import asyncio
import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

import httpx

from rankgate.core.rankings import FailureKind
from rankgate.errors import ConfigError
from rankgate.files.service_spec import Lookup, ServiceSpec
from rankgate.service.connection import connector, run
from rankgate.service.exchange import Manners, Reply, reply_to
from rankgate.service.failure import AnswerError
from rankgate.service.ledger import GIVE_UP_AFTER
from rankgate.service.partial import excerpt
from rankgate.service.paths import compile_path
from rankgate.service.redaction import Redactor
from rankgate.service.request import Ask, Request, Step, Templates
from rankgate.service.response import parse
from rankgate.service.route import Route
from rankgate.service.source import Progress
from rankgate.service.template import TemplateError

_NOT_FOUND: Final = 404
_FIRST: Final = Step(1)
#: Characters of a fingerprint that a report quotes; of a longer one a digest is kept.
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Existence:
    """Which documents the index has.

    Attributes:
        missing: It says that it has them not.
        unknown: It did not answer properly; the first reason is in *reason*.
    """

    missing: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Looker:
    """Asks another address of a service, with GET and the service's own headers."""

    templates: Templates
    manners: Manners
    redactor: Redactor
    path: str

    @classmethod
    def of(cls, spec: ServiceSpec, lookup: Lookup, redactor: Redactor) -> "Looker":
        """Compile the templates of *lookup*.

        Raises:
            TemplateError: One of them cannot be read.
        """
        bare = replace(spec, url=lookup.url, method="GET", params={}, body=None, form=None, text=None, graphql=None)
        redactor = redactor.also(lookup.url)
        return cls(Templates.compile(bare), Manners.of(spec, 1, redactor.redact), redactor, lookup.path)

    async def fingerprint(self, line: httpx.AsyncBaseTransport) -> str:
        """What the service says of itself, as text; a digest where that is long.

        Raises:
            AnswerError: It says nothing.
        """
        request = self._request(Ask("", ""))
        try:
            reply = await reply_to(line, request, self.manners)
            self._refuse(reply)
            found = compile_path(self.path or "@").find(parse(reply.content, reply.content_type, self.redactor.redact))
        except AnswerError as exc:
            raise self._told(exc, request) from exc
        if found is None or found in ("", [], {}):
            raise AnswerError(FailureKind.PATH, f"{request.place}: path {self.path or '@'!r} gives nothing")
        said = found if isinstance(found, str) else json.dumps(found, sort_keys=True, ensure_ascii=False)
        text = self.redactor.redact(said)
        if len(text) > _LONGEST:
            return f"sha256 {hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
        return text

    async def has(self, line: httpx.AsyncBaseTransport, document: str) -> bool:
        """Whether the index has *document*.

        Raises:
            AnswerError: It did not say.
        """
        request = self._request(Ask("", "", {"id": document}))
        try:
            reply = await reply_to(line, request, self.manners)
            if reply.status == _NOT_FOUND:
                return False
            self._refuse(reply)
            answer = parse(reply.content, reply.content_type, self.redactor.redact) if self.path else True
        except AnswerError as exc:
            raise self._told(exc, request) from exc
        return bool(compile_path(self.path).find(answer)) if self.path else True

    def _request(self, ask: Ask) -> Request:
        try:
            return self.templates.build(ask, _FIRST)
        except TemplateError as exc:  # a header may want a param that only queries have
            raise AnswerError(FailureKind.REQUEST, f"the request cannot be made: {exc}") from exc

    def _refuse(self, reply: Reply) -> None:
        """Raise where *reply* is no success; what ``refuse_failure`` says of it is meant for a search."""
        if not 200 <= reply.status < 300:  # noqa: PLR2004 - the successes
            words = excerpt(reply.content.decode("utf-8", "replace"), self.redactor.redact)
            raise AnswerError(FailureKind.STATUS, f"status {reply.status}" + (f" ({words})" if words else ""))

    def _told(self, error: AnswerError, request: Request) -> AnswerError:
        """*error* with its request in front and without secrets; what to do is said of searches, and left out."""
        message = self.redactor.redact(f"{request.place}: {error}")
        return AnswerError(error.kind, message, connected=error.connected)


def route_to(lookup: Lookup, key: str) -> Route:
    """The way to the address under *key* of the service.

    Raises:
        ConfigError: It is no address.
    """
    try:
        return Route.to(lookup.url)
    except ValueError as exc:
        raise ConfigError(f"service.{key}.url: not an address: {exc}") from exc


def existing(
    spec: ServiceSpec,
    documents: Iterable[str],
    *,
    progress: Progress | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
) -> Existence:
    """Ask for each document whether the index has it; *spec* must say how.

    Raises:
        ValueError: *spec* has no ``exists``.
        ConfigError: What it has there is no address.
    """
    if spec.exists is None:
        raise ValueError("service.exists is not configured")
    route = route_to(spec.exists, "exists")
    redactor = Redactor.of(spec, route.proxy or "")
    looker = Looker.of(spec, spec.exists, redactor)
    search = _Search(looker, deque(dict.fromkeys(documents)), progress)
    run(search.all(connector(spec, route, transport, redactor), spec.concurrency, spec.run_timeout))
    return Existence(frozenset(search.missing), frozenset(search.unknown), search.reason)


@dataclass(slots=True)
class _Search:
    """What is known so far of the documents; those in *open* are still to be told."""

    looker: Looker
    queue: deque[str]
    progress: Progress | None
    missing: set[str] = field(default_factory=set)
    unknown: set[str] = field(default_factory=set)
    open: set[str] = field(init=False)
    total: int = field(init=False)
    reason: str = ""
    unreachable: int = 0

    def __post_init__(self) -> None:
        self.open = set(self.queue)
        self.total = len(self.queue)

    async def all(self, connect: Callable[[], httpx.AsyncBaseTransport], workers: int, seconds: float) -> None:
        lines = [connect() for _ in range(min(workers, len(self.queue)))]
        try:
            async with asyncio.timeout(seconds), asyncio.TaskGroup() as group:
                for line in lines:
                    group.create_task(self._work(line))
        except TimeoutError:
            self.reason = self.reason or f"not told within {seconds:g} s; raise service.timeout.run"
        self.unknown |= self.open

    async def _work(self, connection: httpx.AsyncBaseTransport) -> None:
        async with connection as line:
            while self.queue and self.unreachable < GIVE_UP_AFTER:
                await self._tell(line, self.queue.popleft())

    async def _tell(self, line: httpx.AsyncBaseTransport, document: str) -> None:
        try:
            if not await self.looker.has(line, document):
                self.missing.add(document)
            self.unreachable = 0
        except AnswerError as exc:
            self.unknown.add(document)
            self.reason = self.reason or str(exc)
            self.unreachable = self.unreachable + 1 if exc.unanswered else 0
        self.open.discard(document)
        if self.progress is not None:
            self.progress(self.total - len(self.open), self.total)
