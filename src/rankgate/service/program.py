"""Answers of a program: it is started for each query and writes JSON to its stdout."""

import asyncio
import contextlib
import errno
import json
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Final, Self

from rankgate.core.rankings import FailureKind
from rankgate.errors import ConfigError, ServiceUnreachableError
from rankgate.files.service_spec import ServiceSpec
from rankgate.service.failure import AnswerError
from rankgate.service.pace import Pace
from rankgate.service.partial import LONGEST_SECRET, excerpt
from rankgate.service.redaction import Redactor
from rankgate.service.request import Ask, Step
from rankgate.service.source import Answer
from rankgate.service.template import Template, TemplateError

_ROOM: Final = 200
_WAITS: Final = 3


@dataclass(frozen=True, slots=True)
class ProgramSource:
    """A program that stands for a service.

    It gets its arguments without a shell in between, and on stdin one line of JSON with query, depth and params.
    """

    spec: ServiceSpec
    arguments: tuple[Template, ...]
    pace: Pace
    redactor: Redactor

    @classmethod
    def of(cls, spec: ServiceSpec, pace: Pace, redactor: Redactor) -> Self:
        """Parse the arguments.

        Raises:
            TemplateError: One of them cannot be read.
            ConfigError: See ``find``.
        """
        arguments = tuple(map(Template.parse, spec.command))
        find(spec.command[0], spec.folder)
        return cls(spec, arguments, pace, redactor)

    @property
    def address(self) -> str:
        return self.spec.command[0]

    @asynccontextmanager
    async def open(self, connected: Callable[[], None]) -> AsyncIterator["ProgramLine"]:
        yield ProgramLine(self, connected)

    def unreachable(self, refusal: AnswerError) -> ServiceUnreachableError:
        message = self.redactor.redact(str(refusal))
        return ServiceUnreachableError(message, hint="The program is service.command in the config.")


def find(name: str, folder: Path) -> None:
    """Look for a program as starting it will: with a path from *folder* on, else in the folders of PATH.

    Raises:
        ConfigError: There is none, or it is nothing that can be run. A name with placeholders is not looked for.
    """
    template = Template.parse(name)
    if template.names:
        return
    program, base = template.fill({}), folder.resolve()
    if os.path.dirname(program):  # noqa: PTH120 - a Path would take ./name for name, which is looked for elsewhere
        if which(base / program):
            return
        what = "is nothing that can be run" if (base / program).exists() else "is not there"
        hint = f"A program with a path is looked for from {folder} on."
    else:
        if which(program, path=os.pathsep.join(str(base / each) for each in os.get_exec_path())):
            return
        what, hint = "is in no folder of PATH", f"A program beside the config is written './{program}'."
    raise ConfigError(f"service.command: the program {name!r} {what}", hint=hint)


@dataclass(frozen=True, slots=True)
class ProgramLine:
    """Starts the program for one query after the other."""

    source: ProgramSource
    connected: Callable[[], None]

    async def fetch(self, query: Ask, step: Step) -> Answer:
        name, spec = self.source.address, self.source.spec
        params = {**spec.defaults, **query.params}
        given = {**params, "query": query.text, "depth": step.size}
        try:
            arguments = [template.fill(given) for template in self.source.arguments]
        except TemplateError as exc:
            raise AnswerError(FailureKind.REQUEST, f"{name} cannot be started: {exc}") from exc
        line = json.dumps({"query": query.text, "depth": step.size, "params": params})
        await self.source.pace.turn()
        process = await self._start(arguments)
        self.connected()
        try:
            async with asyncio.timeout(spec.read_timeout):
                output, errors = await process.communicate(line.encode() + b"\n")
        except BaseException as exc:
            await _end(process)
            if not isinstance(exc, TimeoutError):
                raise
            reason = f"{name}: not done within {spec.read_timeout:g} s; a slow one needs a longer service.timeout.read"
            raise AnswerError(FailureKind.TIMEOUT, reason) from exc
        if process.returncode:
            words = _last_words(errors.decode("utf-8", "replace"), self.source.redactor.redact)
            said = f": {words}" if words else " and wrote nothing to stderr"
            raise AnswerError(FailureKind.STATUS, f"{name} ended with {process.returncode}{said}")
        return Answer(name, output)

    async def _start(self, arguments: list[str]) -> Process:
        try:
            return await asyncio.create_subprocess_exec(
                *arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=self.source.spec.folder, start_new_session=True
            )
        except ValueError as exc:  # a NUL or half a character, which no argument can hold
            raise self._not_started(FailureKind.REQUEST, exc) from exc
        except OSError as exc:
            kind = FailureKind.REQUEST if exc.errno == errno.E2BIG else FailureKind.UNREACHABLE
            raise self._not_started(kind, exc.strerror) from exc

    def _not_started(self, kind: FailureKind, reason: object) -> AnswerError:
        there = kind is FailureKind.REQUEST  # another query may well start it
        return AnswerError(kind, f"{self.source.address} cannot be started: {reason}", connected=there)


def _last_words(text: str, redact: Callable[[str], str]) -> str:
    """The end of *text* on one line: there is the reason, after all that led to it."""
    searched = text[-_ROOM * 50 - LONGEST_SECRET :]
    shown = redact(searched) if searched == text else redact(searched)[LONGEST_SECRET:]
    line = excerpt(shown, room=_ROOM * 100)
    return line if len(line) <= _ROOM else f"…{line[1 - _ROOM :]}"


async def _end(process: Process) -> None:
    """End what is left of the program and of those that it started, which may outlive it."""
    with contextlib.suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    ended = asyncio.ensure_future(process.communicate())  # not wait: a pipe that is still open outlives the loop
    for _ in range(_WAITS):
        # A run that is given up cancels its workers more than once, and what was killed is gone in a moment.
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait({ended}, timeout=1.0)
        if ended.done():
            return
