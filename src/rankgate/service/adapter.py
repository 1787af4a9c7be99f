"""Answers of a function in Python, for what no template of a request can ask."""

import asyncio
import importlib
import inspect
import json
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankgate.core.judgments import JsonValue
from rankgate.core.rankings import FailureKind
from rankgate.errors import ConfigError, ServiceUnreachableError
from rankgate.files.service_spec import ServiceSpec
from rankgate.service.failure import AnswerError
from rankgate.service.pace import Pace
from rankgate.service.partial import excerpt
from rankgate.service.redaction import Redactor
from rankgate.service.request import Ask, Step
from rankgate.service.source import Answer

#: ``function(query, depth, params)`` returns what a service would answer as JSON; it may be a coroutine function.
Function = Callable[[str, int, Mapping[str, JsonValue]], Any]


@dataclass(frozen=True, slots=True)
class AdapterSource:
    """A function that stands for a service; every worker calls it, in a thread of its own unless it is async."""

    name: str
    function: Function
    defaults: Mapping[str, JsonValue]
    seconds: float
    pace: Pace
    redactor: Redactor

    @classmethod
    def of(cls, spec: ServiceSpec, pace: Pace, redactor: Redactor) -> "AdapterSource":
        """Import the function.

        Raises:
            ConfigError: There is no such module or function.
        """
        function = load(spec.adapter, spec.folder)
        return cls(spec.adapter, function, spec.defaults, spec.read_timeout, pace, redactor)

    @property
    def address(self) -> str:
        return self.name

    @asynccontextmanager
    async def open(self, connected: Callable[[], None]) -> AsyncIterator["AdapterSource"]:
        connected()
        yield self

    async def fetch(self, query: Ask, step: Step) -> Answer:
        await self.pace.turn()
        params = {**self.defaults, **query.params}
        try:
            async with asyncio.timeout(self.seconds) as limit:
                answer = await self._call(query.text, step.size, params)
        except (Exception, SystemExit, KeyboardInterrupt) as exc:  # whatever others' code raises, it is this query's
            if limit.expired():
                slow = f"no answer within {self.seconds:g} s; a slow one needs a longer service.timeout.read"
                raise AnswerError(FailureKind.TIMEOUT, f"{self.name}: {slow}") from exc
            said = excerpt(f"{type(exc).__name__}: {exc}", self.redactor.redact).removesuffix(":")
            raise AnswerError(FailureKind.STATUS, f"{self.name} raised {said}") from exc
        try:
            content = json.dumps(answer, ensure_ascii=False, allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError) as exc:
            reason = f"{self.name} returned what is no JSON value: {exc}; expected lists, mappings, texts and numbers"
            raise AnswerError(FailureKind.BODY, reason) from exc
        return Answer(self.name, content)

    async def _call(self, text: str, depth: int, params: Mapping[str, JsonValue]) -> object:
        if inspect.iscoroutinefunction(self.function):
            return await self.function(text, depth, params)
        answer, error = await asyncio.to_thread(self._outcome, text, depth, params)
        if error is not None:
            raise error
        return await answer if inspect.isawaitable(answer) else answer

    def _outcome(self, text: str, depth: int, params: Mapping[str, JsonValue]) -> tuple[Any, BaseException | None]:
        """What comes of a call; raised in its thread, StopIteration would not get to the one that waits."""
        try:
            return self.function(text, depth, params), None
        except (Exception, SystemExit, KeyboardInterrupt) as exc:  # noqa: BLE001 - raised again where the query is
            return None, exc

    def unreachable(self, refusal: AnswerError) -> ServiceUnreachableError:
        return ServiceUnreachableError(str(refusal), hint="The function is service.adapter in the config.")


def load(name: str, folder: Path) -> Function:
    """Import ``package.module:function``; modules beside the config are found too.

    Raises:
        ConfigError: There is none, or importing it fails.
    """
    module_name, colon, attribute = name.partition(":")
    if not (module_name and colon and attribute):
        raise ConfigError(f"service.adapter: expected package.module:function, found {name!r}")
    for place in (str(Path.cwd()), str(folder.resolve())):
        if place not in sys.path:
            sys.path.append(place)  # behind the rest: a folder may hold a json.py
    importlib.invalidate_caches()
    try:
        found = importlib.import_module(module_name)
    except (Exception, SystemExit) as exc:  # the module is somebody else's code
        raise ConfigError(
            f"service.adapter: importing {module_name!r} fails: {type(exc).__name__}: {exc}",
            hint=f"Modules are looked for in {folder} and where this Python finds its own.",
        ) from exc
    for step in attribute.split("."):
        found = getattr(found, step, None)  # type: ignore[assignment]
    if not callable(found):
        raise ConfigError(f"service.adapter: module {module_name!r} has no function {attribute!r}")
    return found
