"""Why one query was not measured."""

from rankgate.core.rankings import FailureKind


class AnswerError(Exception):
    """One query was not measured; becomes a ``Failure``.

    Attributes:
        connected: False when not even a connection could be made.
    """

    def __init__(self, kind: FailureKind, message: str, *, connected: bool = True) -> None:
        self.kind = kind
        self.connected = connected
        super().__init__(message)

    def at(self, place: str) -> "AnswerError":
        """Return the same error with the request it belongs to in front."""
        return AnswerError(self.kind, f"{place}: {self}", connected=self.connected)
