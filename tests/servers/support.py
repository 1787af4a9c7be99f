"""Programs from elsewhere that serve search on this machine, and what the tests of them share."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from rankgate.demo.corpus import Document

#: What the presets take from the environment: where the server is, and the key that it wants.
URL_VARIABLE: Final = "SEARCH_URL"
KEY_VARIABLE: Final = "SEARCH_KEY"
KEY: Final = "no-secret"

#: The ``service`` block of a config.
Service = dict[str, Any]

#: How long a server may take until it answers, and until it has ended; seconds.
START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 10.0

#: Where programs are that need not be on the PATH: those of this Python's packages, and Debian's of PostgreSQL.
_FOLDERS: Final = (Path(sys.executable).parent, *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True))


@dataclass(frozen=True, slots=True)
class Server:
    """A search server that runs and has indexed the documents.

    Attributes:
        url: Its address, without a path.
        end: Ends it; nothing answers at *url* afterwards.
        worsen: Makes the change that no one should ship, where it is made in the server; else it does nothing.
    """

    url: str
    end: Callable[[], None]
    worsen: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class Engine:
    """A kind of search server.

    Attributes:
        name: Of the test.
        programs: What must be there to run it, found by :func:`program`.
        preset: The one that its config is made from.
        serve: Starts it in an empty folder and gives it the documents; ends it with the block.
        configure: What a user changes in the preset's ``service`` block; it keeps the address in a variable.
        mistaken: A mistake in the config that the server refuses.
        refusal: What it says then.
        worse: The change of the ranking that no one should ship, where it is made in the request.
    """

    name: str
    programs: tuple[str, ...]
    preset: str
    serve: Callable[[Path, Sequence[Document]], AbstractContextManager[Server]]
    configure: Callable[[Service], Service]
    mistaken: Callable[[Service], Service]
    refusal: str
    worse: Callable[[Service], Service] = lambda service: service

    def missing(self) -> list[str]:
        """The programs that are not on this machine."""
        return [name for name in self.programs if program(name) is None]


def with_params(service: Service, **params: str) -> Service:
    """*service* with some of its params changed or added."""
    return service | {"params": service["params"] | params}


def program(name: str) -> str | None:
    """Where the program is; None when it is not installed."""
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(map(str, _FOLDERS)))


def installed(name: str) -> str:
    """Where the program is that the test was not skipped for."""
    found = program(name)
    assert found is not None, name
    return found


def free_port() -> int:
    """A port of 127.0.0.1 that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def process(
    command: Sequence[str],
    folder: Path,
    *,
    ready: Callable[[], object],
    user: str | None = None,
    stop: signal.Signals = signal.SIGTERM,
) -> Iterator[Callable[[], None]]:
    """Run a server in a process group of its own for the length of a ``with`` block.

    Args:
        folder: Where it runs; its output goes to a file there.
        ready: Asks it something; an ``OSError`` or an ``httpx.HTTPError`` means that it is not ready yet.
        user: Who it runs as.
        stop: The signal that asks it to end.

    Yields:
        What ends it before the block does.

    Raises:
        AssertionError: It ended by itself, or was not ready in time; its output is told.
    """
    log = folder / f"{Path(command[0]).name}.log"
    with log.open("wb") as output:
        running = subprocess.Popen(
            list(command),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            user=user,
            start_new_session=True,
        )
    with ExitStack() as ending:
        ending.callback(_end, running, stop)
        _wait(running, ready, log)
        yield ending.close  # which ends it once: afterwards, its number may be another process's


def _wait(running: subprocess.Popen[bytes], ready: Callable[[], object], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert running.poll() is None, f"{log.name}: ended with {running.returncode}: {_tail(log)}"
        with suppress(OSError, httpx.HTTPError):
            ready()
            return
        time.sleep(0.05)
    raise AssertionError(f"{log.name}: not ready after {START_SECONDS:g} seconds: {_tail(log)}")


def _tail(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-20:])


def _end(running: subprocess.Popen[bytes], stop: signal.Signals) -> None:
    """End the whole group: asked first, then by force."""
    with suppress(ProcessLookupError):
        os.killpg(running.pid, stop)
    with suppress(subprocess.TimeoutExpired):
        running.wait(STOP_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGKILL)
    running.wait()


def ask(
    method: str, url: str, *, headers: Mapping[str, str] | None = None, json: object = None, content: str | None = None
) -> httpx.Response:
    """Send one request to a server.

    Raises:
        httpx.HTTPError: It did not answer, or not with success.
    """
    with httpx.Client(trust_env=False, timeout=START_SECONDS) as client:
        answer = client.request(method, url, headers=headers, json=json, content=content)
    return answer.raise_for_status()
