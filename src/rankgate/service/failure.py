"""Why one query was not measured."""

from rankgate.core.rankings import FailureKind


class AnswerError(Exception):
    """One query was not measured; becomes a ``Failure``.

    Attributes:
        cure: What to do about it; empty where the message says that already.
        connected: False when not even a connection could be made.
        busy: The service only said that it cannot answer now.
    """

    def __init__(
        self, kind: FailureKind, message: str, *, cure: str = "", connected: bool = True, busy: bool = False
    ) -> None:
        self.kind = kind
        self.cure = cure
        self.connected = connected
        self.busy = busy
        super().__init__(message)

    @property
    def whole(self) -> str:
        """What happened and what to do."""
        return "; ".join(filter(None, (str(self), self.cure)))

    @property
    def unanswered(self) -> bool:
        """Whether the service said nothing of this query, so that it may be down."""
        return self.busy or self.kind in {FailureKind.UNREACHABLE, FailureKind.TIMEOUT}

    def at(self, place: str) -> "AnswerError":
        """Return the same error with the request it belongs to in front."""
        return AnswerError(self.kind, f"{place}: {self}", cure=self.cure, connected=self.connected, busy=self.busy)
