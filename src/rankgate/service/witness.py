"""What went over the wire, for a reader: each request and its answer, secrets redacted."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

import httpx

from rankgate.core.judgments import JsonValue
from rankgate.core.rankings import Failure, FailureKind, Run
from rankgate.errors import ServiceUnreachableError
from rankgate.files.service_models import authorizes
from rankgate.files.service_spec import ServiceSpec
from rankgate.service.client import Tape, measure
from rankgate.service.exchange import Manners, Reply, message_of, refuse_failure
from rankgate.service.failure import AnswerError
from rankgate.service.paging import Paging
from rankgate.service.partial import beginning
from rankgate.service.redaction import Redactor
from rankgate.service.request import Ask, Templates
from rankgate.service.response import Reader, parse
from rankgate.service.template import TemplateError

#: A credential of which only the name is left, maybe after the scheme that it belongs to.
_NAMED: Final = re.compile(r"([\w-]+ )?\[[^\[\]]+\]")


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer.

    Attributes:
        request_line: Method and complete address.
        body: Of the request; may be empty.
        answer: The beginning of the answer's body.
        status: Of the answer; None where there was none.
        size: Of the answer's body in bytes.
    """

    request_line: str
    headers: tuple[tuple[str, str], ...]
    body: str
    status: int | None = None
    content_type: str = ""
    answer: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """One query, asked for a reader.

    Attributes:
        exchanges: Every request over HTTP that was answered, in order, repeated ones and further pages too; the first
            one where none was.
        unread: Keys of the config whose paths found nothing in the first answer.
        unreachable: Why there was no connection; None where there was one.
    """

    run: Run
    exchanges: tuple[Exchange, ...]
    unread: tuple[str, ...] = ()
    unreachable: ServiceUnreachableError | None = None


@dataclass(slots=True)
class _Witness:
    redactor: Redactor
    room: int
    seen: list[Exchange] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)

    def sent(self, request: httpx.Request) -> Exchange:
        redact = self.redactor.redact
        return Exchange(
            request_line=redact(f"{request.method} {request.url}"),
            headers=tuple((name, _shown(name, redact(value))) for name, value in request.headers.multi_items()),
            body=redact(request.content.decode("utf-8", "replace")),
        )

    def note(self, request: httpx.Request, reply: Reply) -> None:
        self.replies.append(reply)
        text = reply.content.decode("utf-8", "replace")
        self.seen.append(
            replace(
                self.sent(request),
                status=reply.status,
                content_type=reply.content_type,
                answer=beginning(text, self.redactor.redact, self.room)[: self.room],
                size=len(reply.content),
            )
        )


def _shown(name: str, redacted: str) -> str:
    """The value of a header; of one that says who asks, no part that nobody named."""
    if not authorizes([name]) or _NAMED.fullmatch(redacted):
        return redacted
    scheme, blank, _ = redacted.partition(" ")
    return f"{scheme} [{name}]" if blank else f"[{name}]"


def ask(spec: ServiceSpec, text: str, params: Mapping[str, JsonValue], depth: int, *, room: int) -> Asked:
    """Ask one query and keep what was said.

    Args:
        room: Characters of an answer to keep.

    Raises:
        ConfigError: As ``measure``.
    """
    witness, query, unreachable = _Witness(Redactor.of(spec), room), Ask(text, text, params), None
    try:
        run = measure(spec, [query], depth, tape=Tape(on_reply=witness.note))
    except ServiceUnreachableError as exc:
        unreachable = exc
        run = Run(depth, {}, {text: Failure(FailureKind.UNREACHABLE, str(exc))}, {text: text})
    if spec.url and not witness.seen:
        with suppress(TemplateError, AnswerError):  # which the failure tells
            first = Paging.of(spec, Reader.compile(spec), depth).first
            witness.seen.append(witness.sent(message_of(Templates.compile(spec).build(query, first))))
    return Asked(run, tuple(witness.seen), tuple(_unread(spec, witness.replies)) if run.rankings else (), unreachable)


def _unread(spec: ServiceSpec, replies: Sequence[Reply]) -> Iterator[str]:
    """Yield the keys whose paths found nothing in the first answer that was one."""
    for reply in replies:
        with suppress(AnswerError):
            refuse_failure(reply, Manners.of(spec, 0, str))
            yield from Reader.compile(spec).unread(parse(reply.content, reply.content_type))
            return
