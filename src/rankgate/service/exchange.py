"""One request and its answer over HTTP: what is tried again, what is followed, and what a failure says."""

import asyncio
import errno
import random
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, Self
from urllib.parse import parse_qsl

import httpx

from rankgate.core.findings import plural
from rankgate.core.rankings import FailureKind
from rankgate.files.service_spec import ServiceSpec
from rankgate.service.failure import AnswerError
from rankgate.service.pace import Pace
from rankgate.service.partial import excerpt, own_words
from rankgate.service.request import ENCODINGS, Request
from rankgate.service.response import parse

LARGEST_ANSWER: Final = 64 * 2**20
MOST_REDIRECTS: Final = 5
FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 5.0
#: Where the end of the run is not known.
LONGEST_RETRY_AFTER: Final = 10.0

_WORTH_RETRYING: Final = frozenset({429, 502, 503, 504})
#: How services refuse a page that is too large.
_MAYBE_TOO_MANY: Final = frozenset({400, 413, 422, 500})
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_KEEP_METHOD: Final = frozenset({307, 308})
_NO_ANSWER: Final = {202: "202 Accepted: accepted, and not answered", 204: "204 No Content"}

_BUSY: Final = "is the service up, and not overloaded? A lower service.concurrency asks less of it"
_REFUSED: Final = (
    "do the templates fit what the service reads? And does it allow that many hits in one answer? "
    "A page cap goes into service.page_size"
)
_CURES: Final = {
    400: _REFUSED,
    401: "the service wants credentials: check service.headers and the variables in it",
    403: "the credentials are not allowed to search here: check service.headers and the variables in it",
    404: "is the path or the index in service.url right?",
    405: "is service.method right?",
    408: "the service, or what stands before it, gave up waiting: look into its time limits",
    407: "the proxy wants credentials: they go into its address, http://user:password@host:port",
    413: "the request is too large for the service: check service.body and service.page_size",
    414: "the address is too long for the service: can it take the query in service.body?",
    422: _REFUSED,
    429: "lower service.concurrency, or raise the service's rate limit for this client",
    502: _BUSY,
    503: _BUSY,
    504: _BUSY,
}
_FAILED: Final = "the service failed: look into its log"
_ENDED: Final = "the service, or what stands before it, ended it: look into its log"
_UNUSUAL: Final = "is service.url right? If it is, the service's log says why"
_MOVED: Final = "put the final address into service.url"
_UNPACKED: Final = "service.headers {Accept-Encoding: identity} asks for none"
_UNASKED: Final = "let the service, or what stands before it, heed Accept-Encoding"
_EMPTY: Final = "let the service answer 200 with one"
_CERTIFICATE: Final = "does the service want a certificate (service.tls.cert)?"
_FITTING: Final = "does the query fit where {query} stands?"


def _nothing() -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Manners:
    """How a request is made, the same for all queries of a run.

    Attributes:
        retries: Tries after the first.
        depth: Hits asked for by one request, for messages.
        pace: Gives every try its turn.
        until: When the run ends, by the clock of the event loop; None where nobody says.
        redact: Applied to what is quoted before it is shortened.
        on_retry: Called before each further try.
        on_connected: Called when there is a connection, before the request goes out.
        on_reply: Called with every request and its answer.
    """

    connect_timeout: float
    read_timeout: float
    retries: int
    depth: int
    pace: Pace
    redact: Callable[[str], str] = str
    on_retry: Callable[[], None] = _nothing
    on_connected: Callable[[], None] = _nothing
    on_reply: "Callable[[httpx.Request, Reply], None] | None" = None
    until: float | None = None

    @classmethod
    def of(
        cls,
        spec: ServiceSpec,
        depth: int,
        redact: Callable[[str], str],
        *,
        on_retry: Callable[[], None] = _nothing,
        on_reply: "Callable[[httpx.Request, Reply], None] | None" = None,
    ) -> Self:
        """The manners of *spec*, with a pace of their own."""
        limits = spec.connect_timeout, spec.read_timeout, spec.retries
        return cls(*limits, depth, Pace(spec.requests_per_second), redact, on_retry, on_reply=on_reply)

    @property
    def extensions(self) -> dict[str, object]:
        """What httpx hands down to the connection."""
        limits = {"connect": self.connect_timeout, "read": self.read_timeout, "write": self.read_timeout}
        return {"timeout": limits} | ({} if self.on_connected is _nothing else {"trace": self._trace})

    async def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        # A proxy that takes the wish for a tunnel is no connection yet.
        if event.endswith("send_request_headers.started") and info["request"].method != b"CONNECT":
            self.on_connected()


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete HTTP answer.

    Attributes:
        tries: How often it was asked for.
    """

    status: int
    headers: httpx.Headers
    content: bytes
    tries: int = 1

    @property
    def content_type(self) -> str:
        """The Content-Type header in lower case, or an empty text."""
        return str(self.headers.get("content-type", "")).lower()

    @property
    def next_url(self) -> str:
        """The address in the Link header with rel="next", or an empty text."""
        if "link" not in self.headers:
            return ""
        return httpx.Response(self.status, headers=self.headers).links.get("next", {}).get("url", "")


async def ask(line: httpx.AsyncBaseTransport, request: Request, manners: Manners) -> Reply:
    """Return what the service answers to *request*, when it is a success.

    Raises:
        AnswerError: There is none; the message names fault and cure.
    """
    reply = await reply_to(line, request, manners)
    refuse_failure(reply, manners)
    return reply


async def reply_to(line: httpx.AsyncBaseTransport, request: Request, manners: Manners) -> Reply:
    """Return what the service answers, whatever its status.

    Raises:
        AnswerError: Nothing complete came back.
    """
    return await _followed(line, message_of(request, manners.extensions), manners)


def message_of(request: Request, extensions: dict[str, object] | None = None) -> httpx.Request:
    """Return *request* as it is sent.

    Raises:
        AnswerError: REQUEST, when it cannot be.
    """
    try:
        return httpx.Request(
            request.method,
            request.url,
            headers=[(name.encode("ascii"), value) for name, value in request.headers],
            content=request.content,
            extensions=extensions,
        )
    except (httpx.InvalidURL, ValueError, TypeError) as exc:
        raise AnswerError(FailureKind.REQUEST, f"the request cannot be made: {exc}", cure=_FITTING) from exc


def refuse_failure(reply: Reply, manners: Manners) -> None:
    """Raise where *reply* is no success.

    Raises:
        AnswerError: STATUS or BODY, with the service's own words.
    """
    if not 200 <= reply.status < 300:  # noqa: PLR2004 - the successes
        cure = _CURES.get(reply.status, _FAILED if reply.status >= 500 else _UNUSUAL)  # noqa: PLR2004 - its own fault
        busy = reply.status in _WORTH_RETRYING
        raise AnswerError(FailureKind.STATUS, _status_message(reply, manners), cure=cure, busy=busy)
    if reply.status in _NO_ANSWER:
        reason = f"the answer is {_NO_ANSWER[reply.status]}; a search without hits is an empty list"
        raise AnswerError(FailureKind.BODY, reason, cure=_EMPTY)


async def _followed(line: httpx.AsyncBaseTransport, message: httpx.Request, manners: Manners) -> Reply:
    """Follow redirects as long as nothing is lost and nobody else sees the request."""
    for _ in range(MOST_REDIRECTS + 1):
        reply = await _persistent(line, message, manners)
        if reply.status not in _REDIRECTS:
            return reply
        target = _target(message, reply, manners)
        message = httpx.Request(
            message.method, target, headers=message.headers, content=message.content, extensions=message.extensions
        )
    raise AnswerError(
        FailureKind.STATUS, f"redirected more than {MOST_REDIRECTS} times, at last to {_shown(target)}", cure=_MOVED
    )


def _target(message: httpx.Request, reply: Reply, manners: Manners) -> httpx.URL:
    location = reply.headers.get("location", "")
    try:
        target = message.url.join(location)
    except (httpx.InvalidURL, ValueError):
        target = httpx.URL()
    if not location or not target.host:
        raise AnswerError(FailureKind.STATUS, f"status {reply.status} redirects to no address", cure=_MOVED)
    says = f"status {reply.status} redirects to {excerpt(_shown(target), manners.redact)}"
    if origin(target) != origin(message.url):
        reason = f"{says}, another origin, which does not get this request's credentials"
        raise AnswerError(FailureKind.STATUS, reason, cure=_MOVED)
    if message.method not in {"GET", "HEAD"} and reply.status not in _KEEP_METHOD:
        reason = f"{says}, which would turn {message.method} into GET without a body"
        raise AnswerError(FailureKind.STATUS, reason, cure=_MOVED)
    lost = _pairs(message.url) - _pairs(target)
    if lost:
        reason = f"{says}, which would lose parameters of the query string"
        raise AnswerError(FailureKind.STATUS, reason, cure=_MOVED)
    return target.copy_with(userinfo=b"", fragment=None)


def origin(url: httpx.URL) -> tuple[str, str, int | None]:
    """What two addresses share that may see the same credentials; httpx leaves out a scheme's own port."""
    return url.scheme, url.host, url.port


def _pairs(url: httpx.URL) -> set[tuple[str, str]]:
    return set(parse_qsl(url.query.decode("ascii", "replace"), keep_blank_values=True))


def _shown(url: httpx.URL) -> str:
    return str(url.copy_with(userinfo=b"", query=None, fragment=None))


async def _persistent(line: httpx.AsyncBaseTransport, message: httpx.Request, manners: Manners) -> Reply:
    """Try again what may only have been bad luck."""
    attempt = -1
    while True:
        attempt += 1
        last = attempt >= manners.retries
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2**attempt) * random.uniform(0.5, 1.0)  # noqa: S311 - no secret
        await manners.pace.turn()
        try:
            reply = await _once(line, message)
        except (httpx.NetworkError, httpx.TimeoutException, httpx.RemoteProtocolError, httpx.ProxyError) as exc:
            if last:
                raise _broken(exc, manners) from exc
        except ssl.SSLError as exc:  # with TLS 1.3 a refused client hears of it only when it reads
            raise AnswerError(FailureKind.UNREACHABLE, f"TLS fails: {exc.reason or exc}", cure=_CERTIFICATE) from exc
        except httpx.DecodingError as exc:
            raise AnswerError(
                FailureKind.BODY, f"the answer's compression cannot be undone: {exc}", cure=_UNPACKED
            ) from exc
        except (httpx.LocalProtocolError, httpx.UnsupportedProtocol) as exc:
            raise AnswerError(FailureKind.REQUEST, f"the request cannot be made: {exc}", cure=_FITTING) from exc
        else:
            if manners.on_reply is not None:
                manners.on_reply(message, reply)
            wanted = _retry_after(reply)
            if last or reply.status not in _WORTH_RETRYING or (wanted or 0) > _time_left(manners):
                return replace(reply, tries=attempt + 1)
            pause = pause if wanted is None else wanted
        manners.on_retry()
        await asyncio.sleep(pause)


async def _once(line: httpx.AsyncBaseTransport, message: httpx.Request) -> Reply:
    response = await line.handle_async_request(message)
    try:
        coding = response.headers.get("content-encoding", "identity").strip().lower()
        if coding not in ("identity", *ENCODINGS):
            raise AnswerError(
                FailureKind.BODY, f"the answer is compressed as {coding!r}, which was not asked for", cure=_UNASKED
            )
        content = bytearray()
        async for chunk in response.aiter_bytes():
            content += chunk
            if len(content) > LARGEST_ANSWER:
                size = LARGEST_ANSWER // 2**20
                raise AnswerError(
                    FailureKind.BODY, f"the answer is larger than {size} MB; ask for fewer fields of a hit"
                )
    finally:
        await response.aclose()
    return Reply(response.status_code, response.headers, bytes(content))


def _retry_after(reply: Reply) -> float | None:
    """Return the seconds that the service asks to wait; None when it does not say."""
    text = reply.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def _time_left(manners: Manners) -> float:
    """Seconds that a wish of the service to wait can be heeded."""
    return LONGEST_RETRY_AFTER if manners.until is None else max(0.0, manners.until - asyncio.get_running_loop().time())


def _status_message(reply: Reply, manners: Manners) -> str:
    try:
        answer = parse(reply.content, reply.content_type, manners.redact)
        words = own_words(answer, manners.redact) or excerpt(reply.content.decode("utf-8", "replace"), manners.redact)
    except AnswerError as exc:
        plain = reply.content.decode("utf-8", "replace")
        words = str(exc) if plain.lstrip().startswith("<") else excerpt(plain, manners.redact)
    parts = [f"status {reply.status}" + (f" ({words})" if words else "")]
    if reply.status in _MAYBE_TOO_MANY:
        parts.append(f"{manners.depth} hits were asked for")
    if reply.status in _WORTH_RETRYING:
        parts[0] += f" after {reply.tries} {plural(reply.tries, 'try', 'tries')}"
        if reply.tries <= manners.retries:
            parts[0] += f", and asks to wait {_retry_after(reply):.0f} s, longer than service.timeout.run leaves"
    return "; ".join(parts)


def _broken(exc: httpx.TransportError, manners: Manners) -> AnswerError:
    """Say what became of a connection."""
    tries = f" ({manners.retries + 1} tries)" if manners.retries else ""
    match exc:
        case httpx.ConnectTimeout():
            return _unconnected(f"no connection within {manners.connect_timeout:g} s{tries}")
        case httpx.ConnectError():
            return _unconnected(f"{_connect_reason(exc)}{tries}")
        case httpx.ProxyError():
            return _unconnected(f"the proxy refuses: {excerpt(str(exc), manners.redact)}{tries}")
        case httpx.TimeoutException():
            waited = f"no answer within {manners.read_timeout:g} s{tries}"
            return AnswerError(FailureKind.TIMEOUT, f"{waited}; a slow service needs a longer service.timeout.read")
    reason = excerpt(str(exc), manners.redact) or _first_words(exc)
    return AnswerError(FailureKind.UNREACHABLE, f"the connection broke: {reason}{tries}", cure=_ENDED)


def _first_words(exc: BaseException) -> str:
    """What the first cause with words says; httpx says nothing of a connection that was reset."""
    return next((str(cause) for cause in _causes(exc) if str(cause)), type(exc).__name__)


def _unconnected(message: str) -> AnswerError:
    return AnswerError(FailureKind.UNREACHABLE, message, connected=False)


def _connect_reason(exc: BaseException) -> str:
    for cause in _causes(exc):
        match cause:
            case ssl.SSLCertVerificationError():
                why = cause.verify_message
                return f"the certificate is not trusted: {why}; SSL_CERT_FILE names a bundle with your own authority"
            case ssl.SSLError():
                return f"TLS fails: {cause.reason or cause}; is it https:// at all?"
            case socket.gaierror():
                return f"the host name is not known ({cause.strerror})"
            case ConnectionRefusedError():
                return "connection refused"
            case OSError(errno=errno.ENETUNREACH | errno.EHOSTUNREACH):
                return f"the host cannot be reached ({cause.strerror})"
    return f"no connection: {exc}"


def _causes(exc: BaseException | None) -> Iterator[BaseException]:
    """Yield *exc* and what it was raised from, inside groups too."""
    if exc is None:
        return
    yield exc
    if isinstance(exc, BaseExceptionGroup):
        for inner in exc.exceptions:
            yield from _causes(inner)
    yield from _causes(exc.__cause__ or exc.__context__)
