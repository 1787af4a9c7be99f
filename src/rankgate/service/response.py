"""An answer into document ids; everything that is no proper list of hits is a failure with its reason."""

import codecs
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, NoReturn, Self

from rankgate.core.judgments import JsonValue
from rankgate.core.rankings import Detail, FailureKind
from rankgate.files.service_spec import Secret, ServiceSpec
from rankgate.service.failure import AnswerError
from rankgate.service.partial import REFUSALS, beginning, excerpt, kind_of, own_words, signs
from rankgate.service.paths import Path, compile_path
from rankgate.service.redaction import SHORTEST, address_secrets

_CHARSET: Final = re.compile(r"charset\s*=\s*\"?([\w.:-]+)", re.IGNORECASE)
_KEYS_SHOWN: Final = 12
#: Characters of a page in which its words are looked for.
_PAGE_READ: Final = 20_000
_FAILED: Final = "the answer has no hits and says of itself that it failed"
_INCOMPLETE: Final = "the answer says of itself that it is incomplete"

_SERVICE: Final = "look into the service, for only a whole answer is measured"
_HITS: Final = "is service.hits right? No hits are an empty list"
_ECHO: Final = "if the service rewrites the text itself, drop service.echo"
_TWICE: Final = "let the service write it once"
_ID: Final = "is service.id right for every hit?"
_ELSEWHERE: Final = "check that the search itself answers there"
_FORMAT: Final = "ask for JSON in service.params or service.headers"
_NUMBER: Final = "let the service write null or a number"
_UNICODE: Final = "let the service write UTF-8"
_SMALLER: Final = "ask for fewer fields of a hit"


@dataclass(frozen=True, slots=True)
class Page:
    """What one answer holds.

    Attributes:
        ids: Of the hits in the service's order, a repeated one as often as it came.
        details: Of each hit; empty where the config reads none.
        total: How many documents match; None where the answer does not say.
        cursor: Where the next page is, if the answer says so; None at the end.
    """

    ids: tuple[str, ...]
    details: tuple[Detail, ...] = ()
    total: int | None = None
    cursor: JsonValue = None


@dataclass(frozen=True, slots=True)
class Reader:
    """The paths of a service, compiled once.

    Attributes:
        each: What the hits path takes of every element, see ``Path.split``.
        details: The paths of score, title and snippet, each None where there is none.
        transform: Its one group is the document's part of an id.
        next: What the answer says of the next page: a cursor or an address.
        forbidden: Secrets that the service may not hand back inside an id.
        redact: Applied to what is quoted from an answer before it is shortened.
    """

    hits: Path
    id: Path
    each: Path | None = None
    details: tuple[Path | None, Path | None, Path | None] = (None, None, None)
    total: Path | None = None
    echo: Path | None = None
    transform: re.Pattern[str] | None = None
    next: Path | None = None
    partial: tuple[Path, ...] = ()
    forbidden: tuple[Secret, ...] = ()
    redact: Callable[[str], str] = field(default=str)

    @classmethod
    def compile(cls, spec: ServiceSpec, redact: Callable[[str], str] = str) -> Self:
        """Compile the paths of *spec*.

        Raises:
            ValueError: See ``compile_path``.
        """
        hits, each = compile_path(spec.hits).split()
        sent = "\n".join(spec.headers.values()).replace("{{", "{").replace("}}", "}")
        secrets = (*(secret for secret in spec.secrets if secret.value in sent), *address_secrets(spec.url))
        return cls(
            hits=hits,
            id=compile_path(spec.id),
            each=each,
            details=(_optional(spec.score), _optional(spec.title), _optional(spec.snippet)),
            total=_optional(spec.total),
            echo=_optional(spec.echo),
            transform=re.compile(spec.transform) if spec.transform else None,
            next=_optional(spec.next_page.path if spec.next_page else ""),
            partial=tuple(map(compile_path, spec.partial)),
            forbidden=tuple(secret for secret in secrets if len(secret.value) >= SHORTEST),
            redact=redact,
        )

    def read(self, answer: object, text: str) -> Page:
        """Return what is in the answer to the query *text*.

        Raises:
            AnswerError: PARTIAL, PATH, HIT, or BODY for the answer to another query.
        """
        self._refuse_partial(answer)
        hits = self.hits.find(answer)
        if not isinstance(hits, list):
            raise AnswerError(FailureKind.PATH, self._no_list(hits, answer), cure=_HITS)
        if not hits:
            self._refuse_failed(answer)
        self._refuse_another(answer, text)
        ids = tuple(self._id(hit, rank) for rank, hit in enumerate(hits, start=1))
        details = tuple(map(self._detail, hits)) if any(self.details) else ()
        total = self.total.find(answer) if self.total else None
        return Page(
            ids,
            details,
            total if isinstance(total, int) and not isinstance(total, bool) else None,
            self.next.find(answer) if self.next else None,
        )

    def unread(self, answer: object) -> Iterator[str]:
        """Yield the keys of the config whose paths find nothing in *answer* that they are for.

        Raises:
            AnswerError: As ``read``.
        """
        hits = self.hits.find(answer)
        details = [self._detail(hit) for hit in hits] if isinstance(hits, list) else []
        for key, path in zip(("score", "title", "snippet"), self.details, strict=True):
            if path and details and all(getattr(each, key) in {None, ""} for each in details):
                yield key
        if self.total and not isinstance(self.total.find(answer), int):
            yield "total"

    def _refuse_partial(self, answer: object) -> None:
        for place in self.hits.way(answer):
            for sign in signs(place, self.redact):
                raise AnswerError(FailureKind.PARTIAL, f"{_INCOMPLETE}: {sign}", cure=_SERVICE)
        for path in self.partial:
            if found := path.find(answer):
                shown = excerpt(json.dumps(found, ensure_ascii=False), self.redact)
                raise AnswerError(
                    FailureKind.PARTIAL,
                    f"{_INCOMPLETE}: {path.expression!r} (service.partial) is {shown}",
                    cure=_SERVICE,
                )

    def _refuse_failed(self, answer: object) -> None:
        """Refuse an empty list beside an error: a service that failed has not looked for anything."""
        for place in self.hits.way(answer):
            for sign in signs(place, self.redact, REFUSALS):
                raise AnswerError(FailureKind.PARTIAL, f"{_FAILED}: {sign}", cure=_SERVICE)

    def refuse_key_twice(self, content: bytes, content_type: str) -> None:
        """Refuse an answer without hits that has a key of the hits path twice: the last one won, and may hide hits.

        Raises:
            AnswerError: BODY. The content is one that was read.
        """
        twice: list[str] = []

        def noted(pairs: list[tuple[str, object]]) -> dict[str, object]:
            if len(found := dict(pairs)) < len(pairs):
                twice.extend(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
            return found

        json.loads(_decode(content, content_type).removeprefix("\ufeff"), object_pairs_hook=noted)
        if key := next((key for key in twice if key in self.hits.expression), ""):
            raise AnswerError(FailureKind.BODY, f"the answer has the key {key!r} twice in one object", cure=_TWICE)

    def _refuse_another(self, answer: object, text: str) -> None:
        if self.echo is None:
            return
        said = self.echo.find(answer)
        if not isinstance(said, str):
            reason = f"path {self.echo.expression!r} (service.echo) gives {kind_of(said)}, not the text of the query"
            raise AnswerError(FailureKind.PATH, reason, cure="is service.echo right?")
        if said != text:
            shown = excerpt(said, self.redact)
            reason = f"the answer is for another query, {shown!r}: does a cache stand in between?"
            raise AnswerError(FailureKind.BODY, reason, cure=_ECHO)

    def _detail(self, hit: object) -> Detail:
        inner = hit if self.each is None else self.each.find(hit)
        score, title, snippet = (path.find(inner) if path else None for path in self.details)
        return Detail(
            score if isinstance(score, int | float) and not isinstance(score, bool) else None,
            self._words(title),
            self._words(snippet),
        )

    def _words(self, found: object) -> str:
        """Text for a reader; a field of several values is shown as them all."""
        if isinstance(found, list):
            found = ", ".join(item for item in found if isinstance(item, str))
        return excerpt(found, self.redact) if isinstance(found, str) else ""

    def _no_list(self, found: object, answer: object) -> str:
        path = self.hits.expression
        if found is not None:
            there = f"; {_contents(found)}".replace("top-level ", "") if isinstance(found, dict) else ""
            return f"path {path!r} (service.hits) gives {kind_of(found)}, not a list{there}"
        words = own_words(answer, self.redact)
        says = f"; the service says: {words}" if words else ""
        if null := self._null(answer):
            return f"path {path!r} is null{says}" if null == path else f"path {path!r} ends at {null!r}: null{says}"
        return f"path {path!r} is not in the answer; {_contents(answer)}{says}"

    def _null(self, answer: object) -> str:
        """The part of a plain hits path that is in *answer* and null; empty for none."""
        keys = self.hits.keys or ()
        for count, (key, holder) in enumerate(zip(keys, self.hits.way(answer), strict=False), start=1):
            if isinstance(holder, dict) and key in holder and holder[key] is None:
                return ".".join(keys[:count])
        return ""

    def _id(self, hit: object, rank: int) -> str:
        inner = hit if self.each is None else self.each.find(hit)
        found = None if inner is None else self.id.find(inner)
        if isinstance(found, int) and not isinstance(found, bool):
            found = str(found)
        if isinstance(found, str) and found and (found.isascii() or _encodable(found)):
            self._refuse_secrets(found, rank)
            return self._document(found, rank) if self.transform else found
        raise AnswerError(FailureKind.HIT, f"hit {rank} {self._no_id(hit, found)}", cure=_ID)

    def _document(self, found: str, rank: int) -> str:
        match = self.transform.search(found) if self.transform else None
        if match is None or not match[1]:
            shown = excerpt(found, self.redact)
            reason = f"hit {rank} has the id {shown!r}, in which service.transform finds no document"
            raise AnswerError(FailureKind.HIT, reason, cure="is service.transform right for every hit?")
        return match[1]

    def _refuse_secrets(self, found: str, rank: int) -> None:
        for secret in self.forbidden:
            if secret.value in found:
                raise AnswerError(
                    FailureKind.HIT, f"hit {rank} has the value of ${{{secret.name}}} in its id: not kept"
                )

    def _no_id(self, hit: object, found: object) -> str:
        path = self.id.expression
        if hit is None:
            return "is null"
        if isinstance(found, str):
            return f"has an id at {path!r} that is empty" if not found else f"has an id at {path!r} that is no Unicode"
        if found is not None:
            return f"has {kind_of(found)} at {path!r} (service.id); an id is a text or a whole number"
        if not isinstance(hit, dict):
            return f"is {kind_of(hit)}, in which {path!r} (service.id) finds nothing; for a list of bare ids write '@'"
        keys = ", ".join(list(map(str, hit))[:_KEYS_SHOWN])
        quoted = f"; write '\"{path}\"' for the key of that name" if path in hit and self.id.keys != (path,) else ""
        return f"has no id at {path!r} (service.id); its keys are: {keys}{quoted}"


def _optional(expression: str) -> Path | None:
    return compile_path(expression) if expression else None


def parse(content: bytes, content_type: str = "", redact: Callable[[str], str] = str) -> object:
    """Return the JSON value of a body.

    Raises:
        AnswerError: BODY, with what came instead.
    """
    text = _decode(content, content_type)
    begin = text.lstrip("\ufeff \t\r\n")[:15].lower()
    if not begin:
        raise AnswerError(FailureKind.BODY, "the answer is empty", cure=_ELSEWHERE)
    if begin[0] == "<":
        name = "XML" if begin.startswith("<?xml") and "html" not in content_type else "HTML"
        words = excerpt(_untagged(beginning(text, redact, _PAGE_READ)))
        raise AnswerError(
            FailureKind.BODY,
            f"the answer is {name}, not JSON (a login page, an error page?): {words}",
            cure=_FORMAT if name == "XML" else _ELSEWHERE,
        )
    try:
        return json.loads(text.removeprefix("\ufeff"), parse_constant=_refuse_constant)
    except RecursionError:
        raise AnswerError(FailureKind.BODY, "the answer is nested too deeply", cure=_SMALLER) from None
    except json.JSONDecodeError as exc:
        place = f"line {exc.lineno} column {exc.colno} of {len(content)} bytes"
        raise AnswerError(
            FailureKind.BODY,
            f"the answer is no JSON ({exc.msg.lower()}, {place}): {excerpt(text, redact)}",
            cure=_ELSEWHERE,
        ) from exc
    except ValueError as exc:
        raise AnswerError(FailureKind.BODY, f"the answer is no JSON: {exc}", cure=_NUMBER) from exc


def _decode(content: bytes, content_type: str) -> str:
    try:
        return content.decode(json.detect_encoding(content))
    except UnicodeDecodeError as exc:
        # JSON is UTF-8 whatever the header says; only when it is not, the header may know better.
        declared = _CHARSET.search(content_type)
        if declared and (text := _decoded_as(content, declared[1])) is not None:
            return text
        said = f"its header says {declared[1]}" if declared else "its header names no charset"
        raise AnswerError(
            FailureKind.BODY, f"the answer is not UTF-8 from byte {exc.start} on; {said}", cure=_UNICODE
        ) from exc


def _decoded_as(content: bytes, charset: str) -> str | None:
    try:
        return content.decode(codecs.lookup(charset).name)
    except (LookupError, UnicodeError):
        return None


def _untagged(text: str) -> str:
    return re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL | re.IGNORECASE)


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")


def _contents(answer: object) -> str:
    if not isinstance(answer, dict):
        return f"the answer is {kind_of(answer)}"
    keys = ", ".join(list(map(str, answer))[:_KEYS_SHOWN])
    return f"its top-level keys are: {keys}" if keys else "it is an empty object"


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
