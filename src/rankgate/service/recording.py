"""Raw answers on disk: recorded while a service is asked, given again without one."""

import hashlib
import json
import shutil
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, Self
from urllib.parse import quote

from rankgate.core.rankings import FailureKind
from rankgate.errors import InputError, Problem, RunFileError, ServiceUnreachableError, UsageError, reason
from rankgate.files.atomic import write_text
from rankgate.files.json_lines import read_text
from rankgate.service.failure import AnswerError
from rankgate.service.ledger import Ledger
from rankgate.service.partial import kind_of
from rankgate.service.redaction import Redactor
from rankgate.service.request import Ask, Step
from rankgate.service.source import Answer, Line, Source

FORMAT: Final = 1
_HEADER: Final = "recording.json"
_NAME_SHOWN: Final = 60
#: What a replay takes of the header, in the order of ``Recording``.
_HEADER_TYPES: Final = {"retries": int, "fingerprint": str, "no_fingerprint": str}
_NAMES: Final = {dict: "an object", int: "a number", str: "a text"}
_KEYS_SHOWN: Final = 5
_PAGE_KEYS: Final = ("place", "content_type", "next_url", "hidden", "encoding", "content")


@dataclass(frozen=True, slots=True)
class Recorder:
    """A source whose answers are kept in a folder, a file for each query, secrets redacted.

    Attributes:
        folder: Where it is once it is complete; must not hold anything yet.
        part: Where it is until then, beside it.
        request: Digests of what is asked, by key.
    """

    source: Source
    folder: Path
    part: Path
    redactor: Redactor
    request: Mapping[str, str]

    @classmethod
    def of(cls, source: Source, folder: Path, redactor: Redactor, request: Mapping[str, str]) -> Self:
        """Begin a recording, which ``close`` completes and ``discard`` leaves nothing of.

        Raises:
            UsageError: The folder has something in it, which is never overwritten.
        """
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(
                Problem("is already there and not empty, and is never overwritten", str(folder)),
                hint="Record into a new folder, or remove this one first.",
            )
        whole = folder.resolve()
        return cls(source, whole, whole.with_name(f".{whole.name}.{token_hex(4)}.part"), redactor, request)

    @property
    def address(self) -> str:
        return self.source.address

    def unreachable(self, refusal: AnswerError) -> ServiceUnreachableError:
        return self.source.unreachable(refusal)

    @asynccontextmanager
    async def open(self, connected: Callable[[], None]) -> AsyncIterator["_RecordingLine"]:
        async with self.source.open(connected) as line:
            yield _RecordingLine(self, line)

    def keep(self, query: Ask, pages: Sequence[dict[str, Any]]) -> None:
        """Write what is known of a query so far, in one step."""
        entry = {"id": query.id, "text": query.text, "params": dict(query.params), "pages": list(pages)}
        write_text(self.part / _file_name(query.id), json.dumps(entry, ensure_ascii=False, indent=1) + "\n")

    def close(self, depth: int, queries: int, ledger: Ledger) -> None:
        """Write the header and give the folder its name: a complete recording.

        Raises:
            InputError: The folder cannot be written, or something got into it meanwhile.
        """
        header = {
            "rankgate": "recording",
            "format": FORMAT,
            "depth": depth,
            "request": dict(self.request),
            "queries": queries,
            "retries": ledger.retries,
            "fingerprint": ledger.fingerprint,
            "no_fingerprint": ledger.no_fingerprint,
        }
        write_text(self.part / _HEADER, json.dumps(header, ensure_ascii=False) + "\n")
        try:
            if self.folder.exists():
                self.folder.rmdir()
            self.part.rename(self.folder)
        except OSError as exc:
            raise InputError(Problem(f"cannot write: {reason(exc)}", str(self.folder))) from exc

    def discard(self) -> None:
        """Remove what is there of an incomplete recording; a complete one stays."""
        shutil.rmtree(self.part, ignore_errors=True)


@dataclass(slots=True)
class _RecordingLine:
    recorder: Recorder
    line: Line
    pages: list[dict[str, Any]] = field(default_factory=list)

    async def fetch(self, query: Ask, step: Step) -> Answer:
        redact = self.recorder.redactor.redact
        if not step.offset:
            self.pages = []
        try:
            answer = await self.line.fetch(query, step)
        except AnswerError as exc:
            self.pages.append({"failure": {"kind": exc.kind.value, "message": redact(exc.whole)}})
            raise
        else:
            # Redacted one by one: within JSON within JSON, a secret is spelled in ways that nobody looks for.
            text, encoding = _decoded(answer.content)
            kept = _kept(text, self.recorder.redactor)
            names = {secret.name for secret in self.recorder.redactor.secrets}
            hidden = tuple(sorted(name for name in names if kept.count(f"[{name}]") > text.count(f"[{name}]")))
            fields = {"place": answer.place, "content_type": answer.content_type, "next_url": answer.next_url}
            page = {key: redact(value) for key, value in fields.items()}
            self.pages.append({**page, "hidden": hidden, "encoding": encoding, "content": kept})
            return replace(answer, kept=kept.encode(encoding), hidden=hidden) if kept != text else answer
        finally:
            self.recorder.keep(query, self.pages)


def _decoded(content: bytes) -> tuple[str, str]:
    """The text of an answer, and the encoding that makes the same bytes of it."""
    encoding = json.detect_encoding(content)
    try:
        return content.decode(encoding), encoding
    except UnicodeDecodeError:
        return content.decode("latin-1"), "latin-1"  # every byte is a character there


def _kept(text: str, redactor: Redactor) -> str:
    """*text* without secrets; of JSON, what is left is JSON: a secret may be spelled as its words and numbers are."""
    redacted = redactor.redact(text)
    if redacted == text:
        return text
    try:
        value = json.loads(text)
        return json.dumps(_redacted(value, redactor), ensure_ascii=False)
    except (ValueError, RecursionError):
        return redacted


def _redacted(value: Any, redactor: Redactor) -> Any:
    if isinstance(value, str):
        return redactor.redact(value)
    if isinstance(value, list):
        return [_redacted(item, redactor) for item in value]
    if isinstance(value, dict):
        return {redactor.redact(key): _redacted(item, redactor) for key, item in value.items()}
    if isinstance(value, int | float) and not isinstance(value, bool):
        shown = json.dumps(value)  # a part of a number is no secret, however its digits run
        return next((f"[{secret.name}]" for secret in redactor.secrets if secret.value == shown), value)
    return value


@dataclass(frozen=True, slots=True)
class Recording:
    """A source that gives recorded answers.

    Attributes:
        depth: What was asked for when it was recorded.
        retries: How many tries it took more than there were requests, for the report.
        fingerprint: What the service said of itself then.
        no_fingerprint: Why it said nothing.
    """

    folder: Path
    depth: int
    retries: int
    fingerprint: str = ""
    no_fingerprint: str = ""

    @classmethod
    def read(cls, folder: Path, depth: int, request: Mapping[str, str]) -> Self:
        """Open the recording in *folder*.

        Args:
            request: Digests of what the config asks, by key.

        Raises:
            RunFileError: There is none, it was not finished, or something else was asked.
        """
        path = folder / _HEADER
        if not path.is_file():
            raise RunFileError(Problem("no complete recording; rankgate run --record FOLDER makes one", str(path)))
        header = _json(path)
        if header.get("rankgate") != "recording" or header.get("format") != FORMAT:
            raise RunFileError(Problem(f"no header of a recording of format {FORMAT}", str(path)))
        if header.get("depth") != depth:
            other_depth = f"it was recorded at a depth of {header.get('depth')}, and the config asks for {depth}"
            raise RunFileError(Problem(other_depth, str(path)), hint="Record again at the depth of the config.")
        for key, kind in {"request": dict, **_HEADER_TYPES}.items():
            if type(header.get(key)) is not kind:
                found = f"found {kind_of(header[key])}" if key in header else "found nothing"
                raise RunFileError(
                    Problem(f"no header of a recording: {key}: expected {_NAMES[kind]}, {found}", str(path)),
                    hint="Record again: rankgate run --record FOLDER.",
                )
        recorded = header["request"]
        other = sorted(key for key in {*recorded, *request} if recorded.get(key) != request.get(key))
        if other:
            more = f" and {len(other) - _KEYS_SHOWN} more" if len(other) > _KEYS_SHOWN else ""
            asked = f"it was recorded for another request: {', '.join(other[:_KEYS_SHOWN])}{more}"
            raise RunFileError(
                Problem(asked, str(path)),
                hint="Record again with this config, or replay with the --target or --url that was recorded.",
            )
        return cls(folder, depth, *(header[key] for key in _HEADER_TYPES))

    @property
    def address(self) -> str:
        return f"the recording {self.folder}"

    def unreachable(self, refusal: AnswerError) -> ServiceUnreachableError:
        return ServiceUnreachableError(str(refusal))

    @asynccontextmanager
    async def open(self, connected: Callable[[], None]) -> AsyncIterator["_ReplayedLine"]:
        connected()
        yield _ReplayedLine(self)


@dataclass(slots=True)
class _ReplayedLine:
    recording: Recording
    pages: list[Any] = field(default_factory=list)
    given: int = 0

    async def fetch(self, query: Ask, step: Step) -> Answer:
        if not step.offset:
            self.pages, self.given = self._pages(query), 0
        if self.given == len(self.pages):
            raise AnswerError(FailureKind.NOT_ASKED, "the recording ends before this page; record again")
        self.given += 1
        try:
            answer = _recorded(self.pages[self.given - 1])
        except (LookupError, ValueError) as exc:
            path = self.recording.folder / _file_name(query.id)
            raise RunFileError(Problem(f"page {self.given} is none of a recording: {exc}", str(path))) from exc
        if isinstance(answer, AnswerError):
            raise answer
        return answer

    def _pages(self, query: Ask) -> list[Any]:
        path = self.recording.folder / _file_name(query.id)
        if not path.exists():
            raise AnswerError(FailureKind.NOT_ASKED, "the recording does not hold this query; record again")
        entry = _json(path)
        if entry.get("text") != query.text or entry.get("params") != dict(query.params):
            raise AnswerError(
                FailureKind.NOT_ASKED, "the recording holds this query with another text or other params; record again"
            )
        pages = entry.get("pages")
        if not isinstance(pages, list):
            raise RunFileError(Problem(f"pages: expected a list, found {kind_of(pages)}", str(path)))
        return pages


def _recorded(page: object) -> Answer | AnswerError:
    """The answer or the failure that *page* is.

    Raises:
        LookupError, ValueError: Saying why it is neither.
    """
    match page:
        case {"failure": {"kind": str(kind), "message": str(message)}}:
            return AnswerError(FailureKind(kind), message)
        case {
            "place": str(place),
            "content_type": str(content_type),
            "next_url": str(next_url),
            "hidden": list(hidden),
            "encoding": str(encoding),
            "content": str(content),
        } if all(isinstance(name, str) for name in hidden):
            return Answer(place, content.encode(encoding), content_type, next_url, hidden=tuple(hidden))
    found = f"the keys {', '.join(map(str, page))}" if isinstance(page, dict) else kind_of(page)
    raise ValueError(f"expected an answer with {', '.join(_PAGE_KEYS)}, or a failure; found {found}")


def _file_name(query_id: str) -> str:
    """A name that every file system takes, and that no two ids share."""
    digest = hashlib.sha256(query_id.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{quote(query_id, safe='', errors='replace')[:_NAME_SHOWN].strip('.')}-{digest}.json"


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(read_text(path))
    except json.JSONDecodeError as exc:
        raise RunFileError(Problem(f"not JSON: {exc.msg.lower()}", str(path), exc.lineno, exc.colno)) from exc
    except (ValueError, RecursionError) as exc:
        raise RunFileError(Problem(f"not JSON: {exc}", str(path))) from exc
    if not isinstance(value, dict):
        raise RunFileError(Problem(f"expected an object, found {kind_of(value)}", str(path)))
    return value
