"""What services say of themselves: that an answer is incomplete, or what went wrong, in their own words."""

from collections.abc import Callable, Iterator, Mapping
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
_ROOM: Final = 200
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
    return value is True or value == "omitted"


def _false(value: object) -> bool:
    return value is False


def _positive(value: object) -> bool:
    return isinstance(value, int) and value > 0


def _negative(value: object) -> bool:
    return isinstance(value, int) and value < 0


def _full(value: object) -> bool:
    return bool(any(value.values()) if isinstance(value, dict) else value)


SIGNS: Final = (
    # Elasticsearch, OpenSearch. Skipped shards are fine, skipped clusters are not.
    Sign(("timed_out",), _true, "timed_out is true"),
    Sign(("is_partial",), _true, "is_partial is true"),  # of an asynchronous search, of ES|QL
    Sign(("_shards", "failed"), _positive, "{value} of {total} shards failed"),
    Sign(("_clusters", "skipped"), _positive, "{value} of {total} clusters were skipped"),
    Sign(("_clusters", "partial"), _positive, "{value} of {total} clusters answered in part"),
    Sign(("_clusters", "failed"), _positive, "{value} of {total} clusters failed"),
    # Solr
    Sign(("responseHeader", "partialResults"), _true, "responseHeader.partialResults is {value}"),
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


def signs(answer: object, redact: Callable[[str], str] = str) -> Iterator[str]:
    """Yield each self-declared sign that *answer* is incomplete, with the service's words where it has some."""
    for sign in SIGNS:
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


def excerpt(text: str, redact: Callable[[str], str] = str, room: int = _ROOM) -> str:
    """Return the beginning of *text* on one line; secrets go before it is cut, for half of one is not recognised."""
    line = " ".join("".join(char if char.isprintable() else " " for char in redact(text[: room * 50])).split())
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
