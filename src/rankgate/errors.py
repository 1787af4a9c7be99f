"""Everything rankgate raises on purpose.

::

    RankgateError
    ├─ InputError                exit 2   the command line, a config, a golden file, a run or a baseline is wrong
    │  ├─ UsageError                      the command line
    │  ├─ ConfigError                     rankgate.yaml
    │  ├─ GoldenFileError                 a file of golden queries
    │  ├─ RunFileError                    a saved run, a TREC file
    │  ├─ UnknownMeasureError             a measure's name or parameters
    │  └─ BaselineError
    │     ├─ BaselineMissingError         there is none yet
    │     └─ BaselineMismatchError        it cannot be compared, or may not be replaced
    └─ ServiceError              exit 3   the search service could not be measured
       └─ ServiceUnreachableError         it did not answer the first request

The types and their fields are public; the texts are not.
A gate that fails is no error: its verdict says so.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

#: How many known names a message lists.
NAMED: Final = 12


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake and where it stands.

    Attributes:
        message: What was found, what was expected, the nearest valid name.
        path: The file, as the user would write it; empty when there is none.
        line: 1-based; 0 when the mistake is the file's as a whole.
        column: 1-based; 0 when unknown.
    """

    message: str
    path: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part)
        return f"{place}: {self.message}" if place else self.message


class RankgateError(Exception):
    """Something that rankgate can name; carries its exit code and what to do next.

    Attributes:
        problems: At least one, in the order of their places.
        hint: The next step, a sentence or a command; may be empty.
    """

    exit_code: ClassVar[int] = 4

    def __init__(self, problems: str | Problem | Iterable[Problem], *, hint: str = "") -> None:
        if isinstance(problems, str):
            problems = Problem(problems)
        self.problems: tuple[Problem, ...] = (problems,) if isinstance(problems, Problem) else tuple(problems)
        self.hint = hint
        super().__init__("\n".join(map(str, self.problems)))


class InputError(RankgateError):
    """What the user gave is wrong or missing."""

    exit_code = 2


class UsageError(InputError):
    """The command line does not fit together."""


class ConfigError(InputError):
    """The config is wrong, or there is none."""


class GoldenFileError(InputError):
    """A file of golden queries is wrong."""


class RunFileError(InputError):
    """A saved run, a baseline's line or a TREC file cannot be read."""


class UnknownMeasureError(InputError):
    """A measure's name, parameter or cutoff is unknown."""


class BaselineError(InputError):
    """The baseline cannot be used."""


class BaselineMissingError(BaselineError):
    """There is no baseline yet."""


class BaselineMismatchError(BaselineError):
    """The baseline cannot be compared with this candidate, or may not be replaced by it."""


class ServiceError(RankgateError):
    """The search service could not be measured."""

    exit_code = 3


class ServiceUnreachableError(ServiceError):
    """The service did not answer the first request."""


def reason(error: Exception) -> str:
    """Why a file cannot be read or written, in the words of the system."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def nearest(name: str, known: Iterable[str], *, or_known: bool = True) -> str:
    """Return ``; did you mean 'x'?`` for the closest of *known*, else what is known, for the end of a message.

    Args:
        or_known: Where nothing is close, the first ``NAMED`` of *known* are named and the others counted.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - for a mistake only

    choices: Sequence[str] = sorted(set(known))
    folded = {choice.casefold(): choice for choice in choices}
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    if close:
        return f"; did you mean {folded[close[0]]!r}?"
    if not choices or not or_known:
        return ""
    more = f" and {len(choices) - NAMED} more" if len(choices) > NAMED else ""
    return f"; known: {', '.join(choices[:NAMED])}{more}"
