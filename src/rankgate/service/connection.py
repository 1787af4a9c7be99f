"""The lines that the workers speak through, and the loop's threads."""

import ssl
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import httpx

from rankgate.errors import ServiceUnreachableError
from rankgate.service.redaction import Redactor
from rankgate.service.route import Route


def connector(
    route: Route, transport: httpx.AsyncBaseTransport | None, redactor: Redactor
) -> Callable[[], httpx.AsyncBaseTransport]:
    """Return what opens a worker's line, of one connection; all share one TLS context.

    A pool that workers share is searched through for each request, which costs more than the request.
    And a transport does not follow, remember cookies or add credentials, as a client does.
    """
    if transport is not None:
        return lambda: _Borrowed(transport)
    # Loading the authorities takes 20 ms; without them the context trusts nobody.
    context = httpx.create_ssl_context() if route.needs_tls else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    limits = httpx.Limits(max_connections=1, max_keepalive_connections=1)

    def connect() -> httpx.AsyncBaseTransport:
        try:
            return httpx.AsyncHTTPTransport(verify=context, trust_env=False, proxy=route.proxy, limits=limits)
        except (ValueError, ImportError, httpx.InvalidURL) as exc:
            raise ServiceUnreachableError(
                redactor.redact(f"the proxy of {route.variable} cannot be used: {exc}"),
                hint=f"Correct or unset {route.variable}.",
            ) from exc

    return connect


class _Borrowed(httpx.AsyncBaseTransport):
    """A transport that its owner closes, not the client."""

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await self._transport.handle_async_request(request)


class Abandonable(ThreadPoolExecutor):
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
