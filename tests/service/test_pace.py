"""No two requests come closer together than the limit allows, however many wait."""

import asyncio
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rankgate.core.rankings import Ranking
from rankgate.files.service_spec import ServiceSpec
from rankgate.service import exchange
from rankgate.service.client import Ask, measure
from rankgate.service.pace import Pace

if TYPE_CHECKING:
    from tests.service.conftest import Received, Reply, Service

PER_SECOND = 20.0
#: A request that waits for the processor is late, and the next one seems early.
SLACK = 0.6


@pytest.fixture
def arrivals(service: "Service") -> list[float]:
    """When requests arrived, in seconds of the monotonic clock; each query is refused once."""
    moments: list[float] = []

    def respond(request: "Received") -> "Reply":
        with service.lock:
            moments.append(time.monotonic())
        asked = sum(request.params == each.params for each in service.requests)
        return service.hits("d") if asked > 1 else service.plain("", 503)

    service.respond = respond
    return moments


def spacing(moments: list[float]) -> list[float]:
    """The seconds between one and the next."""
    return [after - before for before, after in pairwise(sorted(moments))]


def test_requests_keep_their_distance_and_so_do_retries(service: "Service", arrivals: list[float]) -> None:
    """Five queries at once, each asked twice: ten requests, never two in one go."""
    run = service.measure(*"abcde", requests_per_second=PER_SECOND, concurrency=5, read_timeout=5.0)
    distances = spacing(arrivals)

    assert (5, {"retries": "5"}) == (len(run.rankings), run.notes)
    assert 9 == len(distances)
    assert sum(distances) >= 9 / PER_SECOND * SLACK
    assert sorted(distances)[len(distances) // 2] >= 1 / PER_SECOND * SLACK


def test_waiting_for_a_turn_is_no_time_out(service: "Service") -> None:
    """The limit of an answer begins when it is asked for."""
    run = service.measure(*"abcdef", requests_per_second=8, concurrency=6, read_timeout=0.5, connect_timeout=0.5)

    assert {} == run.failures


def test_pages_keep_their_distance(service: "Service", monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page is a request."""
    turns: list[int] = []

    async def turn(_: Pace) -> None:
        turns.append(len(service.requests))

    monkeypatch.setattr(Pace, "turn", turn)
    service.in_turn(service.hits("a", "b"), service.hits("c", "d"), service.hits("e"))
    service.measure(depth=9, page_size=2, params={"from": "{offset}"}, requests_per_second=1)

    assert [0, 1, 2] == turns


def test_a_retry_waits_for_its_turn(service: "Service", monkeypatch: pytest.MonkeyPatch) -> None:
    """A pause shorter than the distance does not shorten it."""
    turns: list[int] = []

    async def turn(_: Pace) -> None:
        turns.append(len(service.requests))

    monkeypatch.setattr(Pace, "turn", turn)
    monkeypatch.setattr(exchange, "FIRST_PAUSE", 0.0)
    service.always(service.plain("", 503))
    service.measure(retries=3, requests_per_second=1)

    assert [0, 1, 2, 3] == turns


@pytest.mark.parametrize("way", ["adapter", "command"])
def test_functions_and_programs_keep_it_too(tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands behind them has its limit as well."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    turns: list[None] = []

    async def turn(_: Pace) -> None:
        turns.append(None)

    monkeypatch.setattr(Pace, "turn", turn)
    (tmp_path / "paced_adapter.py").write_text("def search(query, depth, params): return [query]\nprint('[\"a\"]')")
    spec = (
        ServiceSpec(url="", hits="@", id="@", adapter="paced_adapter:search", folder=tmp_path)
        if way == "adapter"
        else ServiceSpec(url="", hits="@", id="@", command=(sys.executable, "paced_adapter.py"), folder=tmp_path)
    )
    run = measure(spec, [Ask("q1", "a"), Ask("q2", "a")], 10)

    assert {"q1": Ranking(("a",)), "q2": Ranking(("a",))} == run.rankings
    assert 2 == len(turns)


@pytest.mark.parametrize(
    ("per_second", "asked", "expected"),
    [
        (None, [0, 0, 0], [0, 0, 0]),
        (10, [0, 0, 0], [0, 0.1, 0.2]),
        (0.5, [0, 0, 7], [0, 2, 7]),
        (10, [0, 0.05, 0.5, 0.5], [0, 0.1, 0.5, 0.6]),
    ],
)
def test_turns_are_given_in_order(
    monkeypatch: pytest.MonkeyPatch, per_second: float | None, asked: list[float], expected: list[float]
) -> None:
    """On a clock that is set: the first at once, the others a distance later, and a pause is not made up for."""

    async def turns() -> list[float]:
        loop = asyncio.get_running_loop()
        now, given = 0.0, []

        async def sleep(seconds: float) -> None:
            waited.append(seconds)

        monkeypatch.setattr(loop, "time", lambda: now)
        monkeypatch.setattr(asyncio, "sleep", sleep)
        pace = Pace(per_second)
        for now in asked:
            waited: list[float] = []
            await pace.turn()
            given.append(now + sum(waited))
        return given

    assert expected == pytest.approx(asyncio.run(turns()))
