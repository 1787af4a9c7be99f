"""What services say of themselves: that an answer is incomplete, or what went wrong, in their own words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

_WORDS: Final = (
    "root_cause",
    "reason",
    "message",
    "msg",
    "error",
    "errors",
    "detail",
    "summary",
    "description",
    "title",
)
#: Objects at the top in which some services (Vespa, Qdrant, Groonga) put their errors.
_HOLDERS: Final = ("root", "status", "header")
_FAILED: Final = frozenset({"error", "fail", "failed", "failure"})
_ROOM: Final = 200
#: Characters: no secret is longer, however it is spelled.
LONGEST_SECRET: Final = 2000
_DEEPEST: Final = 8


@dataclass(frozen=True, slots=True)
class Sign:
    """One way of saying "incomplete".

    Attributes:
        path: Keys from the top of the answer.
        shown: Whether the value there is the sign.
        says: With ``{value}``, and the keys of the object that holds it.
    """

    path: tuple[str, ...]
    shown: Callable[[object], bool]
    says: str


def _true(value: object) -> bool:
    return value is True or (isinstance(value, str) and value.lower() == "true")


def _partial_in_solr(value: object) -> bool:
    return _true(value) or value == "omitted"


def _false(value: object) -> bool:
    return value is False or (isinstance(value, str) and value.lower() == "false")


def _positive(value: object) -> bool:
    return isinstance(value, int) and value > 0


def _negative(value: object) -> bool:
    return isinstance(value, int) and value < 0


def _full(value: object) -> bool:
    return bool(any(value.values()) if isinstance(value, dict) else value)


def _failing(value: object) -> bool:
    """An HTTP status of a failure, or the word for one; other numbers are a service's own, and may mean a success."""
    text = str(value).lower()
    return text in _FAILED or (len(text) == 3 and text.isdecimal() and text[0] in "45")  # noqa: PLR2004 - digits


SIGNS: Final = (
    # Elasticsearch, OpenSearch. Skipped shards are fine, skipped clusters are not.
    Sign(("timed_out",), _true, "timed_out is true"),
    Sign(("is_partial",), _true, "is_partial is true"),  # of an asynchronous search, of ES|QL
    Sign(("_shards", "failed"), _positive, "{value} of {total} shards failed"),
    Sign(("_clusters", "skipped"), _positive, "{value} of {total} clusters were skipped"),
    Sign(("_clusters", "partial"), _positive, "{value} of {total} clusters answered in part"),
    Sign(("_clusters", "failed"), _positive, "{value} of {total} clusters failed"),
    # Solr
    Sign(("responseHeader", "partialResults"), _partial_in_solr, "responseHeader.partialResults is {value}"),
    # Vespa
    Sign(("root", "coverage", "degraded"), _full, "degraded coverage, {coverage} %"),
    Sign(("root", "coverage", "full"), _false, "coverage is not full, {coverage} %"),
    Sign(("root", "errors"), bool, "root.errors is not empty"),
    # Typesense
    Sign(("search_cutoff",), _true, "search_cutoff is true"),
    # Groonga, command version 3
    Sign(("header", "return_code"), _negative, "header.return_code is {value}"),
    # Qdrant: status is "ok", or an object
    Sign(("status", "error"), bool, "status.error is not empty"),
    # GraphQL
    Sign(("errors",), lambda value: isinstance(value, list) and bool(value), "errors is not empty"),
)


#: How an answer says that it failed. An application may have a use of its own for such keys, so beside hits they are
#: no sign; beside an empty list they are the difference between nothing found and nothing looked for.
REFUSALS: Final = (
    *(Sign((key,), _full, f"{key} is not empty") for key in ("error", "errors")),
    *(Sign((key,), _false, f"{key} is false") for key in ("success", "ok")),
    *(Sign((key,), _failing, f"{key} is {{value}}") for key in ("status", "code")),
)


def signs(answer: object, redact: Callable[[str], str] = str, known: Sequence[Sign] = SIGNS) -> Iterator[str]:
    """Yield each of the *known* signs that *answer* shows, with the service's words where it has some."""
    if not isinstance(answer, dict):
        return
    for sign in known:
        if sign.path[0] not in answer:
            continue
        holder: object = answer
        for key in sign.path[:-1]:
            holder = holder.get(key) if isinstance(holder, dict) else None
        if not isinstance(holder, dict) or sign.path[-1] not in holder:
            continue
        value = holder[sign.path[-1]]
        if sign.shown(value):
            text = sign.says.format_map(_Known({**holder, "value": value}))
            words = own_words(answer, redact) or own_words(holder.get("failures"), redact)
            yield f"{text} ({words})" if words else text


class _Known(dict[str, object]):
    def __missing__(self, key: str) -> str:
        return "?"


def own_words(value: object, redact: Callable[[str], str] = str) -> str:
    """Return the service's own error message from a JSON answer, or an empty text."""
    return excerpt(_words(value, top=True), redact)


def _words(value: object, *, top: bool = False, depth: int = 0) -> str:
    if depth > _DEEPEST:
        return ""
    if isinstance(value, str):
        return "" if top else value
    if isinstance(value, list):
        return next(filter(None, (_words(item, depth=depth + 1) for item in value)), "")
    if isinstance(value, Mapping):
        inner = (
            [value.get(key) for key in _HOLDERS if isinstance(value.get(key), Mapping)] if top else [value.get("type")]
        )
        parts = [*(value.get(key) for key in _WORDS), *inner]
        return next(filter(None, (_words(part, depth=depth + 1) for part in parts)), "")
    return ""


def beginning(text: str, redact: Callable[[str], str], room: int) -> str:
    """Return about *room* characters from the beginning of *text*, without secrets.

    Secrets go before it is cut, for half of one is not recognised; and not all of a long text is searched.
    """
    searched = text[: room + LONGEST_SECRET]
    shown = redact(searched)
    return shown if searched == text else shown[:-LONGEST_SECRET]


def excerpt(text: str, redact: Callable[[str], str] = str, room: int = _ROOM) -> str:
    """Return the beginning of *text* on one line, without secrets."""
    shown = beginning(text, redact, room * 50)
    line = " ".join("".join(char if char.isprintable() else " " for char in shown).split())
    return line if len(line) <= room else f"{line[: room - 1]}…"


def kind_of(value: object) -> str:
    """Return the JSON type of *value* in words, with the value where it is short."""
    match value:
        case None:
            return "null"
        case bool():
            return f"the value {str(value).lower()}"
        case str():
            return "a text"
        case int() | float():
            return f"the number {value!r}" if abs(value) < 10**15 else "a number"
        case list():
            return f"a list of {len(value)}"
        case _:
            return "an object"
