"""The lines that the workers speak through, and the loop's threads."""

import asyncio
import ssl
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any, TypeVar

import httpx

from rankgate.errors import ConfigError, ServiceUnreachableError
from rankgate.files.service_spec import ServiceSpec, Tls
from rankgate.service.redaction import Redactor
from rankgate.service.route import Route

_Result = TypeVar("_Result")


def connector(
    spec: ServiceSpec, route: Route, transport: httpx.AsyncBaseTransport | None, redactor: Redactor
) -> Callable[[], httpx.AsyncBaseTransport]:
    """Return what opens a worker's line, of one connection; all share one TLS context.

    A pool that workers share is searched through for each request, which costs more than the request.
    And a transport does not follow, remember cookies or add credentials, as a client does.

    Raises:
        ConfigError: A file of ``service.tls`` cannot be used, or the extra for HTTP/2 is missing.
    """
    if transport is not None:
        return lambda: _Borrowed(transport)
    if spec.http2 and find_spec("h2") is None:
        raise ConfigError("service.http2: HTTP/2 needs another package", hint="pip install 'rankgate[http2]'")
    # Loading the authorities takes 20 ms; without them the context trusts nobody.
    context = _tls_context(spec.tls) if route.needs_tls else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    limits = httpx.Limits(max_connections=1, max_keepalive_connections=1)

    def connect() -> httpx.AsyncBaseTransport:
        try:
            return _OneAnswerEach(verify=context, trust_env=False, proxy=route.proxy, limits=limits, http2=spec.http2)
        except (ValueError, ImportError, httpx.InvalidURL) as exc:
            raise ServiceUnreachableError(
                redactor.redact(f"the proxy of {route.variable} cannot be used: {exc}"),
                hint=f"Correct or unset {route.variable}.",
            ) from exc

    return connect


def _tls_context(tls: Tls) -> ssl.SSLContext:
    try:
        context = httpx.create_ssl_context() if tls.ca is None else ssl.create_default_context(cafile=tls.ca)
    except OSError as exc:
        raise ConfigError(f"service.tls.ca: {tls.ca} holds no authorities in PEM form: {exc}") from exc
    if tls.cert is not None:
        try:
            # Without a password OpenSSL would ask for one on the terminal, and wait.
            context.load_cert_chain(tls.cert, tls.key, password=tls.password or "")
        except OSError as exc:
            reason = "the key, its password and the certificate do not fit together, or are not in PEM form"
            raise ConfigError(f"service.tls.cert: {tls.cert}: {reason}: {exc}") from exc
    return context


class _OneAnswerEach(httpx.AsyncHTTPTransport):
    """Leaves a connection on which more came than the answer: the rest would be taken for the next query's.

    And takes a new one where the service has left the old one.
    """

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        for connection in self._pool.connections:
            if _has_more(connection):
                await connection.aclose()
        used = any(not connection.has_expired() for connection in self._pool.connections)
        try:
            return await super().handle_async_request(request)
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
            # The service closed an idle connection in the moment in which it was used again: nobody's fault.
            if not used:
                raise
            return await super().handle_async_request(request)


def _has_more(connection: object) -> bool:
    # Neither httpx nor httpcore tells; a proxy's connection wraps that of the service.
    while (inner := getattr(connection, "_connection", None)) is not None:
        connection = inner
    state = getattr(connection, "_h11_state", None)
    return state is not None and bool(state.trailing_data[0])


class _Borrowed(httpx.AsyncBaseTransport):
    """A transport that its owner closes, not the client."""

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await self._transport.handle_async_request(request)


def run(job: Coroutine[Any, Any, _Result]) -> _Result:
    """Run *job* in an event loop of its own, whose end waits for no thread."""
    with asyncio.Runner() as runner:
        runner.get_loop().set_default_executor(_Abandonable())
        return runner.run(job)


class _Abandonable(ThreadPoolExecutor):
    """Runs each job in a daemon thread: looking up a host name cannot be stopped, but need not be waited for."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()

        def job() -> None:
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as exc:  # noqa: BLE001 - it is the waiter's
                future.set_exception(exc)

        future.set_running_or_notify_cancel()
        threading.Thread(target=job, daemon=True).start()
        return future
