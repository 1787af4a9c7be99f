"""What went over the wire, for a reader: each request and its answer, secrets redacted."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import httpx

from rankgate.core.rankings import Run
from rankgate.files.service_spec import JsonValue, ServiceSpec
from rankgate.service.client import Tape, measure
from rankgate.service.exchange import Reply
from rankgate.service.redaction import Redactor
from rankgate.service.request import Ask


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer.

    Attributes:
        request_line: Method and complete address.
        body: Of the request; may be empty.
        answer: The beginning of the answer's body.
        size: Of the answer's body in bytes.
    """

    request_line: str
    headers: tuple[tuple[str, str], ...]
    body: str
    status: int
    content_type: str
    answer: str
    size: int


@dataclass(frozen=True, slots=True)
class Asked:
    """One query, asked for a reader.

    Attributes:
        exchanges: Every request over HTTP in order, repeated ones and further pages too.
    """

    run: Run
    exchanges: tuple[Exchange, ...]


@dataclass(slots=True)
class _Witness:
    redactor: Redactor
    room: int
    seen: list[Exchange] = field(default_factory=list)

    def note(self, request: httpx.Request, reply: Reply) -> None:
        redact = self.redactor.redact
        self.seen.append(
            Exchange(
                request_line=redact(f"{request.method} {request.url}"),
                headers=tuple((name, redact(value)) for name, value in request.headers.multi_items()),
                body=redact(request.content.decode("utf-8", "replace")),
                status=reply.status,
                content_type=reply.content_type,
                answer=redact(reply.content[: self.room * 4].decode("utf-8", "replace"))[: self.room],
                size=len(reply.content),
            )
        )


def ask(spec: ServiceSpec, text: str, params: Mapping[str, JsonValue], depth: int, *, room: int) -> Asked:
    """Ask one query and keep what was said.

    Args:
        room: Characters of an answer to keep.

    Raises:
        ServiceUnreachableError, ConfigError: As ``measure``.
    """
    witness = _Witness(Redactor.of(spec), room)
    run = measure(spec, [Ask(text, text, params)], depth, tape=Tape(on_reply=witness.note))
    return Asked(run, tuple(witness.seen))
