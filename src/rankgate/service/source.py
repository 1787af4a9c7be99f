"""Where answers come from: a service over HTTP, a function in Python, a program, a recording."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol

from rankgate.errors import ServiceUnreachableError
from rankgate.service.failure import AnswerError
from rankgate.service.request import Ask, Step

#: Called with the queries that are done and the queries in all, after each one.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """One complete answer, not yet read.

    Attributes:
        place: What was asked, for messages: method and address, or the name of what answered.
        next_url: Address of the next page, where the Link header has one; relative to that of this page.
        kept: What a recording keeps of the content; None where that is all.
        hidden: Names of the variables whose values it leaves out.
    """

    place: str
    content: bytes = field(repr=False)
    content_type: str = ""
    next_url: str = field(default="", repr=False)
    kept: bytes | None = field(default=None, repr=False)
    hidden: tuple[str, ...] = ()


class Line(Protocol):
    """One worker's way to the service."""

    async def fetch(self, query: Ask, step: Step) -> Answer:
        """Ask for one page.

        Raises:
            AnswerError: There is no complete answer.
        """


class Source(Protocol):
    """Where all answers of a run come from."""

    @property
    def address(self) -> str:
        """The service in a few words."""

    def open(self, connected: Callable[[], None]) -> AbstractAsyncContextManager[Line]:
        """Give one worker its line.

        Args:
            connected: Called once there is a connection, before anything is sent.
        """

    def unreachable(self, refusal: AnswerError) -> ServiceUnreachableError:
        """What to say when the first query could not even be sent."""
