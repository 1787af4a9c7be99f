"""A service asked once, and what its answer suggests: where the hits are, and what in them is the id."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from rankgate.errors import UsageError

QUERY_PARAMS: Final = ("q", "query", "search", "text", "term", "keywords", "keyword", "searchterm", "s", "_search")
SIZE_PARAMS: Final = (
    "size",
    "limit",
    "rows",
    "per_page",
    "perpage",
    "page_size",
    "pagesize",
    "hitsperpage",
    "k",
    "n",
    "num",
    "count",
    "depth",
    "top",
    "hits",
    "nhits",
)

_LISTS: Final = (
    "hits",
    "results",
    "docs",
    "documents",
    "items",
    "candidates",
    "nodes",
    "children",
    "records",
    "products",
    "rows",
    "data",
    "value",
)
_IDS: Final = (
    "_id",
    "id",
    "docid",
    "doc_id",
    "documentid",
    "document_id",
    "objectid",
    "uid",
    "uuid",
    "key",
    "_key",
    "sku",
    "@id",
    "url",
    "path",
    "slug",
)
_SCORES: Final = (
    "_score",
    "score",
    "relevance",
    "text_match",
    "_rankingscore",
    "@search.score",
    "similarity",
    "distance",
    "weight",
)
_TITLES: Final = ("title", "name", "label", "headline", "subject")
_TOTALS: Final = (
    "total",
    "numfound",
    "nbhits",
    "estimatedtotalhits",
    "totalhits",
    "found",
    "count",
    "n_hits",
    "total_count",
    "value",
)

_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_ITSELF: Final = "@"
_DEEPEST: Final = 6
_SAMPLE: Final = 20

Keys = tuple[str, ...]

#: The first of a row's columns.
_COLUMN: Final[Keys] = ("[0]",)


@dataclass(frozen=True, slots=True)
class Address:
    """A URL as it was typed, taken apart.

    Attributes:
        base: Without the query string, maybe with ``{query}`` in its path.
        params: Templates.
        text: The query text that stood there; empty where ``{query}`` did.
    """

    base: str
    params: tuple[tuple[str, str], ...]
    text: str

    @property
    def fields(self) -> dict[str, str | list[str]]:
        """The params by name, those of one name as a list."""
        found: dict[str, list[str]] = {}
        for name, template in self.params:
            found.setdefault(name, []).append(template)
        return {name: templates if len(templates) > 1 else templates[0] for name, templates in found.items()}

    @classmethod
    def of(cls, url: str) -> "Address":
        """Find where the query text stands.

        Raises:
            UsageError: Nowhere, as far as can be told.
        """
        base, _, query = url.partition("#")[0].partition("?")
        if not _is_address(base):
            raise UsageError(f"--url takes an address that begins with http:// or https://, found {url!r}")
        pairs = parse_qsl(query, keep_blank_values=True)
        marked = "{query}" in url
        place = next((name for known in QUERY_PARAMS for name, _ in pairs if name.lower() == known), None)
        if not marked and place is None:
            raise UsageError(
                f"no parameter of {base} looks like the text of a query",
                hint="Write {query} where it stands: --url 'http://localhost:8080/search?find={query}'",
            )
        params, text = [], ""
        for name, value in pairs:
            template = value if marked else _escaped(value)
            if not marked and name == place:
                template, text = "{query}", value
            elif name.lower() in SIZE_PARAMS and value.isdecimal():
                template = "{depth}"
            params.append((name, template))
        return cls(base, tuple(params), text)


@dataclass(frozen=True, slots=True)
class Shape:
    """Paths that fit an answer.

    Attributes:
        example: The first id.
        count: How many hits there are.
    """

    hits: str
    id: str
    example: str
    count: int
    score: str = ""
    title: str = ""
    total: str = ""
    echo: str = ""


@dataclass(frozen=True, slots=True)
class _Candidate:
    keys: Keys
    hits: Sequence[object]
    id: Keys
    penalty: tuple[int, int, int]


def shape_of(answer: object, text: str) -> Shape | None:
    """Return the paths that fit *answer* to the query *text* best; None where no list in it has ids."""
    candidates = sorted(_candidates(answer), key=lambda each: each.penalty)
    if not candidates:
        return None
    best = candidates[0]
    return Shape(
        hits=_written(best.keys) or _ITSELF,
        id=_written(best.id) or _ITSELF,
        example=str(_follow(best.hits[0], best.id)),
        count=len(best.hits),
        score=_written(_first(best.hits, _SCORES, (int, float)) or ()) if best.id else "",
        title=_written(_first(best.hits, _TITLES, (str,)) or ()) if best.id else "",
        total=_total(answer, best),
        echo=_echo(answer, best.keys, text),
    )


def _candidates(answer: object) -> Iterator[_Candidate]:
    for keys, found in _lists(answer):
        listed = _rank(keys[-1] if keys else "", _LISTS)
        if all(isinstance(hit, dict) for hit in found):
            identity = _first(found, _IDS, (str, int), unique=True) or _any_id(found)
            if identity is not None:
                yield _Candidate(keys, found, identity, (listed, _rank(identity[-1], _IDS), len(keys)))
        elif all(isinstance(hit, list) and hit for hit in found):
            if _fits(found, _COLUMN, (str, int), unique=True):
                yield _Candidate(keys, found, _COLUMN, (listed, len(_IDS) + 1, len(keys)))
        elif all(isinstance(hit, str | int) and not isinstance(hit, bool) for hit in found):
            yield _Candidate(keys, found, (), (len(_LISTS) + listed, 0, len(keys)))


def _lists(value: object, keys: Keys = ()) -> Iterator[tuple[Keys, list[object]]]:
    """Every list with something in it that can be reached by keys alone."""
    if isinstance(value, list) and value:
        yield keys, value
    elif isinstance(value, dict) and len(keys) < _DEEPEST:
        for key, child in value.items():
            yield from _lists(child, (*keys, key))


def _leaves(value: object, keys: Keys = ()) -> Iterator[tuple[Keys, object]]:
    if isinstance(value, dict) and len(keys) < _DEEPEST:
        for key, child in value.items():
            yield from _leaves(child, (*keys, key))
    else:
        yield keys, value


def _first(
    hits: Sequence[object], names: Sequence[str], kinds: tuple[type, ...], *, unique: bool = False
) -> Keys | None:
    """The best known name that every hit has with a value of one of *kinds*, the shallowest first."""
    fitting = [
        keys
        for keys, _ in _leaves(hits[0])
        if keys and keys[-1].lower() in names and _fits(hits, keys, kinds, unique=unique)
    ]
    return min(fitting, key=lambda keys: (_rank(keys[-1], names), len(keys)), default=None)


def _any_id(hits: Sequence[object]) -> Keys | None:
    """A name that at least ends like one of an id."""
    for keys, _ in _leaves(hits[0]):
        if keys and keys[-1].lower().endswith("id") and _fits(hits, keys, (str, int), unique=True):
            return keys
    return None


def _fits(hits: Sequence[object], keys: Keys, kinds: tuple[type, ...], *, unique: bool) -> bool:
    values = [_follow(hit, keys) for hit in hits[:_SAMPLE]]
    right = all(isinstance(value, kinds) and not isinstance(value, bool) and value != "" for value in values)
    return right and (not unique or len(set(map(str, values))) == len(values))


def _total(answer: object, best: _Candidate) -> str:
    """A count of at least as many as there are hits, under a usual name, outside of the hits."""
    found = [
        keys
        for keys, value in _leaves(answer)
        if keys
        and keys[: len(best.keys)] != best.keys
        and keys[-1].lower() in _TOTALS
        and isinstance(value, int)
        and not isinstance(value, bool)
        and value >= len(best.hits)
    ]
    return _written(min(found, key=lambda keys: (_rank(keys[-1], _TOTALS), len(keys)), default=()))


def _echo(answer: object, hits: Keys, text: str) -> str:
    found = (keys for keys, value in _leaves(answer) if keys and value == text and keys[: len(hits)] != hits)
    return _written(next(found, ())) if hits and _telling(text) else ""


def _telling(text: str) -> bool:
    """Whether a service that repeats *text* repeats any as it is: one that tidies its queries would change this."""
    return text != text.lower() and "  " in text.strip()


def _follow(value: object, keys: Keys) -> object:
    if keys == _COLUMN:
        return value[0] if isinstance(value, list) else None
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _rank(name: str, names: Sequence[str]) -> int:
    return names.index(name.lower()) if name.lower() in names else len(names)


def _written(keys: Keys) -> str:
    """Write keys as JMESPath; those with special characters in quotes."""
    if keys == _COLUMN:
        return keys[0]
    return ".".join(key if _IDENTIFIER.fullmatch(key) else json.dumps(key, ensure_ascii=False) for key in keys)


def _is_address(url: str) -> bool:
    try:
        return urlsplit(url).scheme in {"http", "https"}
    except ValueError:
        return False


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
