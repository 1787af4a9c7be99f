"""Asks a search service all queries, several at once, and returns the run."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx

from rankgate.core.rankings import Run
from rankgate.errors import ConfigError, Problem, RankgateError
from rankgate.files.service_spec import Lookup, ServiceSpec
from rankgate.service.adapter import AdapterSource
from rankgate.service.check import check, own_number_of_hits, placeholders
from rankgate.service.connection import connector, run
from rankgate.service.exchange import Manners, Reply
from rankgate.service.failure import AnswerError
from rankgate.service.http_source import HttpSource
from rankgate.service.ledger import Ledger
from rankgate.service.lookup import Looker, route_to
from rankgate.service.pace import Pace
from rankgate.service.paging import Paging
from rankgate.service.program import ProgramSource
from rankgate.service.recording import Recorder, Recording
from rankgate.service.redaction import Redactor
from rankgate.service.request import Ask, Templates
from rankgate.service.response import Reader
from rankgate.service.route import Route
from rankgate.service.source import Line, Progress, Source

__all__ = ["Ask", "Reply", "Tape", "measure", "measure_async", "measure_together"]

_Result = TypeVar("_Result")

#: Seconds between the first requests of the workers: in step, they would wait for each other's answers to be read.
STAGGER: Final = 0.001


@dataclass(frozen=True, slots=True)
class Tape:
    """What becomes of the raw answers.

    Attributes:
        record: A new folder to keep them in.
        replay: A folder to take them from, instead of asking.
        on_reply: Called with every request over HTTP and its answer.
        request: Digests of what is asked, by key: answers are not replayed to another request.
    """

    record: Path | None = None
    replay: Path | None = None
    on_reply: Callable[[httpx.Request, Reply], None] | None = None
    request: Mapping[str, str] = field(default_factory=dict)


def measure(
    spec: ServiceSpec,
    queries: Sequence[Ask],
    depth: int,
    *,
    progress: Progress | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
    tape: Tape | None = None,
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
        ConfigError: A template, a path or an adapter of *spec* cannot be used.
        InputError: The folder of the tape cannot be used.
    """
    return run(measure_async(spec, queries, depth, progress=progress, transport=transport, tape=tape))


def measure_together(
    specs: Sequence[ServiceSpec], queries: Sequence[Ask], depth: int, *, progress: Progress | None = None
) -> tuple[Run, ...]:
    """Ask several services the same queries at the same time, so that all are measured under the same conditions.

    Raises:
        ServiceUnreachableError, ConfigError: As ``measure``, of whichever comes first; the others are ended.
    """
    done = [0] * len(specs)

    def counted(place: int) -> Progress:
        def report(count: int, total: int) -> None:
            done[place] = count
            if progress is not None:
                progress(sum(done), total * len(specs))

        return report

    jobs = [measure_async(spec, queries, depth, progress=counted(place)) for place, spec in enumerate(specs)]
    return tuple(run(_together(jobs)))


async def measure_async(
    spec: ServiceSpec,
    queries: Sequence[Ask],
    depth: int,
    *,
    progress: Progress | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
    tape: Tape | None = None,
) -> Run:
    """Do what ``measure`` does, inside a running event loop."""
    tape = tape or Tape()
    route = Route.to("" if tape.replay else spec.url)  # a recording needs neither an address nor its variables
    redactor = Redactor.of(spec, route.proxy or "")
    if faults := check(spec, placeholders(spec)):
        raise ConfigError(Problem(redactor.redact(f"service.{fault.place}: {fault.message}")) for fault in faults)
    ledger = Ledger(len(queries), redactor, progress, together=spec.concurrency)
    ledger.own_depth = own_number_of_hits(spec, depth)
    try:
        paging = Paging.of(spec, Reader.compile(spec, redactor.redact), depth)
        source = _source(spec, depth, tape, route=route, ledger=ledger, size=paging.size, transport=transport)
    except ValueError as exc:
        raise ConfigError(redactor.redact(f"service: {exc}")) from exc
    plan = _Plan(source, paging, ledger, deque(queries), spec.concurrency)
    with ExitStack() as ending:
        if isinstance(source, Recorder):
            ending.callback(source.discard)
        try:
            async with asyncio.timeout(spec.run_timeout):
                with suppress(_GivenUpError):
                    await _ask_all(plan)
        except TimeoutError:
            reached = f"the run on {source.address} reached its limit of {spec.run_timeout:g} s"
            ledger.close(queries, f"{reached}; raise service.timeout.run or service.concurrency")
        given_up = f"given up after {ledger.patience} queries in a row without an answer from {source.address}"
        ledger.close(queries, f"{given_up}; is it still up?")
        if spec.fingerprint is not None and tape.replay is None:
            await _note_fingerprint(spec, spec.fingerprint, ledger, transport)
        if isinstance(source, Recorder):
            source.close(depth, len(queries), ledger)
    return ledger.run(queries, depth)


async def _note_fingerprint(
    spec: ServiceSpec, lookup: Lookup, ledger: Ledger, transport: httpx.AsyncBaseTransport | None
) -> None:
    """Ask the service what it is; that it does not say spoils no measurement, and is noted."""
    if not ledger.rankings:
        return  # a service that answered no query has nothing to say, and is not waited for any longer
    looker = Looker.of(spec, lookup, ledger.redactor)
    try:
        route = route_to(lookup, "fingerprint")
        async with connector(spec, route, transport, ledger.redactor)() as line:
            ledger.fingerprint = await looker.fingerprint(line)
    except (AnswerError, RankgateError) as exc:
        ledger.no_fingerprint = str(exc)


def _source(
    spec: ServiceSpec,
    depth: int,
    tape: Tape,
    *,
    route: Route,
    ledger: Ledger,
    size: int,
    transport: httpx.AsyncBaseTransport | None,
) -> Source:
    """Where the answers come from."""
    if tape.replay is not None:
        recording = Recording.read(tape.replay, depth, tape.request)
        ledger.retries = recording.retries
        ledger.fingerprint, ledger.no_fingerprint = recording.fingerprint, recording.no_fingerprint
        return recording
    redactor = ledger.redactor
    source: Source
    if spec.adapter:
        source = AdapterSource.of(spec, Pace(spec.requests_per_second), redactor)
    elif spec.command:
        source = ProgramSource.of(spec, Pace(spec.requests_per_second), redactor)
    else:
        manners = replace(
            Manners.of(spec, size, redactor.redact, on_retry=ledger.retried, on_reply=tape.on_reply),
            until=asyncio.get_running_loop().time() + spec.run_timeout,
        )
        connect = connector(spec, route, transport, redactor)
        source = HttpSource(Templates.compile(spec), manners, route, connect, redactor)
    return Recorder.of(source, tape.record, redactor, tape.request) if tape.record is not None else source


class _GivenUpError(Exception):
    """A service that has not answered once is not waited for any longer."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """All that a worker needs."""

    source: Source
    paging: Paging
    ledger: Ledger
    queue: deque[Ask]
    workers: int
    connected: asyncio.Event = field(default_factory=asyncio.Event)


async def _ask_all(plan: _Plan) -> None:
    if not plan.queue:
        return
    workers = min(plan.workers, len(plan.queue))
    await _together([_lead(plan), *(_join(plan, place) for place in range(1, workers))])


async def _together(jobs: Sequence[Coroutine[Any, Any, _Result]]) -> list[_Result]:
    """Run *jobs* at once; when one raises, or this is cancelled, all are ended first."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _lead(plan: _Plan) -> None:
    """Ask the first query; the others start once it is connected: nobody waits 120 times for a service that is down."""
    async with plan.source.open(plan.connected.set) as line:
        refusal = await _next(plan, line)
        if refusal is not None and not refusal.connected and not plan.connected.is_set():
            raise plan.source.unreachable(refusal)
        plan.connected.set()
        await _work(plan, line)


async def _join(plan: _Plan, place: int) -> None:
    await plan.connected.wait()
    await asyncio.sleep(place * STAGGER)
    async with plan.source.open(plan.connected.set) as line:
        await _work(plan, line)


async def _work(plan: _Plan, line: Line) -> None:
    while plan.queue and not plan.ledger.hopeless:
        await _next(plan, line)


async def _next(plan: _Plan, line: Line) -> AnswerError | None:
    """Ask the next query and book its result."""
    query = plan.queue.popleft()
    plan.ledger.begun.add(query.id)
    try:
        found = await plan.paging.rank(line, query)
    except AnswerError as exc:
        plan.ledger.failed(query, exc)
        if plan.ledger.hopeless and not plan.ledger.rankings:
            raise _GivenUpError from exc
        return exc
    plan.ledger.measured(query, found)
    return None
