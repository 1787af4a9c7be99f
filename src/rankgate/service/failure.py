"""Why one query was not measured."""

from rankgate.core.rankings import FailureKind


class AnswerError(Exception):
    """One query was not measured; becomes a ``Failure``.

    Attributes:
        cure: What to do about it; empty where the message says that already.
        connected: False when not even a connection could be made.
    """

    def __init__(self, kind: FailureKind, message: str, *, cure: str = "", connected: bool = True) -> None:
        self.kind = kind
        self.cure = cure
        self.connected = connected
        super().__init__(message)

    @property
    def whole(self) -> str:
        """What happened and what to do."""
        return "; ".join(filter(None, (str(self), self.cure)))

    def at(self, place: str) -> "AnswerError":
        """Return the same error with the request it belongs to in front."""
        return AnswerError(self.kind, f"{place}: {self}", cure=self.cure, connected=self.connected)
