"""Asks a search service all queries, several at once, and returns the run."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any

import httpx

from rankgate.core.rankings import FailureKind, Ranking, Run
from rankgate.errors import ConfigError, Problem, ServiceUnreachableError
from rankgate.files.service_spec import ServiceSpec
from rankgate.service.check import check, placeholders
from rankgate.service.connection import Abandonable, connector
from rankgate.service.exchange import Manners, ask
from rankgate.service.failure import AnswerError
from rankgate.service.ledger import GIVE_UP_AFTER, Ledger, Progress
from rankgate.service.redaction import Redactor
from rankgate.service.request import Ask, Templates
from rankgate.service.response import Reader
from rankgate.service.route import Route
from rankgate.service.template import TemplateError

__all__ = ["Ask", "measure", "measure_async"]


def measure(
    spec: ServiceSpec,
    queries: Sequence[Ask],
    depth: int,
    *,
    progress: Progress | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
) -> Run:
    """Ask the service every query and return its rankings.

    Args:
        queries: Their ids differ.
        depth: How many documents a ranking shall hold.
        progress: Called with the number of queries done and of all, after each one.
        transport: Used in place of the network; stays open.

    Returns:
        Each query in ``rankings`` or in ``failures``, in the order given.

    Raises:
        ServiceUnreachableError: The first query got no connection.
        ConfigError: A template or a path of *spec* cannot be used.
    """
    with asyncio.Runner() as runner:
        runner.get_loop().set_default_executor(Abandonable())
        return runner.run(measure_async(spec, queries, depth, progress=progress, transport=transport))


async def measure_async(
    spec: ServiceSpec,
    queries: Sequence[Ask],
    depth: int,
    *,
    progress: Progress | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
) -> Run:
    """Do what ``measure`` does, inside a running event loop."""
    route = Route.to(spec.url)
    redactor = Redactor.of(spec, route.proxy or "")
    if faults := check(spec, placeholders(spec)):
        raise ConfigError(Problem(redactor.redact(f"service.{fault.place}: {fault.message}")) for fault in faults)
    try:
        templates, reader = Templates.compile(spec), Reader.compile(spec, redactor.redact)
    except ValueError as exc:
        raise ConfigError(redactor.redact(f"service: {exc}")) from exc
    ledger = Ledger(len(queries), redactor, progress)
    plan = _Plan(
        spec=spec,
        depth=depth,
        templates=templates,
        reader=reader,
        manners=Manners(
            connect_timeout=spec.connect_timeout,
            read_timeout=spec.read_timeout,
            retries=spec.retries,
            depth=spec.page_size or depth,
            redact=redactor.redact,
            on_retry=ledger.retried,
        ),
        ledger=ledger,
        queue=deque(queries),
        via=route.via,
    )
    connect = connector(route, transport, redactor)
    try:
        async with asyncio.timeout(spec.run_timeout):
            await _ask_all(plan, connect, route)
    except TimeoutError:
        ledger.close(queries, f"the run reached its limit of {spec.run_timeout:g} s (service.timeout.run)")
    ledger.close(queries, f"given up after {GIVE_UP_AFTER} queries in a row without an answer from {route.address}")
    return ledger.run(queries, depth)


@dataclass(frozen=True, slots=True)
class _Plan:
    """All that a worker needs."""

    spec: ServiceSpec
    depth: int
    templates: Templates
    reader: Reader
    manners: Manners
    ledger: Ledger
    queue: deque[Ask]
    via: str


async def _ask_all(plan: _Plan, connect: Callable[[], httpx.AsyncBaseTransport], route: Route) -> None:
    if not plan.queue:
        return
    connected = asyncio.Event()
    workers = min(plan.spec.concurrency, len(plan.queue))
    more = [_join(plan, connect, connected) for _ in range(workers - 1)]
    await _together([_lead(plan, connect, connected, route), *more])


async def _together(jobs: list[Coroutine[Any, Any, None]]) -> None:
    """Run *jobs* at once; when one raises, or this is cancelled, all are ended first."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _lead(
    plan: _Plan, connect: Callable[[], httpx.AsyncBaseTransport], connected: asyncio.Event, route: Route
) -> None:
    """Ask the first query; the others start once it is connected: nobody waits 120 times for a service that is down."""
    async with connect() as line:
        probe = replace(plan, manners=replace(plan.manners, on_connected=connected.set))
        refusal = await _next(probe, line)
        if refusal is not None and not refusal.connected and not connected.is_set():
            raise _unreachable(refusal, route, plan.ledger.redactor)
        connected.set()
        await _work(plan, line)


async def _join(plan: _Plan, connect: Callable[[], httpx.AsyncBaseTransport], connected: asyncio.Event) -> None:
    await connected.wait()
    async with connect() as line:
        await _work(plan, line)


def _unreachable(refusal: AnswerError, route: Route, redactor: Redactor) -> ServiceUnreachableError:
    hint = f"Is the service running at {route.address}? The address is service.url in the config."
    if route.proxy:
        hint = f"The proxy is the one in {route.variable}; with {route.host} in NO_PROXY the way is direct."
    message = f"the search service at {route.address} cannot be reached: {refusal}"
    return ServiceUnreachableError(redactor.redact(message), hint=redactor.redact(hint))


async def _work(plan: _Plan, line: httpx.AsyncBaseTransport) -> None:
    while plan.queue and not plan.ledger.hopeless:
        await _next(plan, line)


async def _next(plan: _Plan, line: httpx.AsyncBaseTransport) -> AnswerError | None:
    """Ask the next query and book its result."""
    query = plan.queue.popleft()
    plan.ledger.begun.add(query.id)
    try:
        ranking = await _rank(plan, line, query)
    except AnswerError as exc:
        plan.ledger.failed(query, exc)
        return exc
    plan.ledger.measured(query, ranking)
    return None


async def _rank(plan: _Plan, line: httpx.AsyncBaseTransport, query: Ask) -> Ranking:
    spec = plan.spec
    size = spec.page_size or plan.depth
    ids: list[str] = []
    last: tuple[str, ...] = ()
    number = 0
    while True:
        found = await _page(plan, line, query, number, size)
        if number and found and found == last:
            repeats = f"page {number + 1} repeats page {number}"
            raise AnswerError(
                FailureKind.BODY, f"{repeats}; does the service read {{offset}} or {{page}} where they stand?"
            )
        ids += found
        last = found
        number += 1
        if spec.page_size is None or len(found) < size or len(ids) >= plan.depth:
            break
        if number == spec.max_pages:
            plan.ledger.cut += 1
            break
    return Ranking.of(ids, plan.depth)


async def _page(plan: _Plan, line: httpx.AsyncBaseTransport, query: Ask, number: int, size: int) -> tuple[str, ...]:
    page = plan.spec.first_page + number
    try:
        request = plan.templates.build(query.text, size, number * size, page, query.params)
    except TemplateError as exc:
        raise AnswerError(FailureKind.REQUEST, f"the request cannot be made: {exc}") from exc
    try:
        return plan.reader.read(await ask(line, request, plan.manners))
    except AnswerError as exc:
        raise exc.at(f"{request.place}{plan.via}") from exc
