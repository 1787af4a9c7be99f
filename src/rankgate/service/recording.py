"""Raw answers on disk: recorded while a service is asked, given again without one."""

import hashlib
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import quote

from rankgate.core.rankings import FailureKind
from rankgate.errors import Problem, RunFileError, ServiceUnreachableError, UsageError
from rankgate.files.atomic import write_text
from rankgate.service.failure import AnswerError
from rankgate.service.ledger import Ledger
from rankgate.service.redaction import Redactor
from rankgate.service.request import Ask, Step
from rankgate.service.source import Answer, Line, Source

FORMAT: Final = 1
_HEADER: Final = "recording.json"
_NAME_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class Recorder:
    """A source whose answers are kept in a folder, a file for each query, secrets redacted.

    Attributes:
        folder: Must not hold a recording yet.
    """

    source: Source
    folder: Path
    redactor: Redactor

    @classmethod
    def of(cls, source: Source, folder: Path, redactor: Redactor) -> Self:
        """Begin a recording.

        Raises:
            UsageError: The folder has something in it, which is never overwritten.
        """
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(
                Problem("is already there and not empty, and is never overwritten", str(folder)),
                hint="Record into a new folder, or remove this one first.",
            )
        return cls(source, folder, redactor)

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
        write_text(self.folder / _file_name(query.id), json.dumps(entry, ensure_ascii=False, indent=1) + "\n")

    def close(self, depth: int, queries: int, ledger: Ledger) -> None:
        """Write the header, which makes the folder a complete recording."""
        header: dict[str, object] = {"rankgate": "recording", "format": FORMAT, "depth": depth, "queries": queries}
        header |= {
            "retries": ledger.retries,
            "fingerprint": ledger.fingerprint,
            "no_fingerprint": ledger.no_fingerprint,
        }
        write_text(self.folder / _HEADER, json.dumps(header, ensure_ascii=False) + "\n")


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
    def read(cls, folder: Path, depth: int) -> Self:
        """Open the recording in *folder*.

        Raises:
            RunFileError: There is none, it was not finished, or it was asked for another *depth*.
        """
        path = folder / _HEADER
        header = _json(path, "no complete recording; rankgate run --record FOLDER makes one")
        if header.get("rankgate") != "recording" or header.get("format") != FORMAT:
            raise RunFileError(Problem(f"no header of a recording of format {FORMAT}", str(path)))
        if header.get("depth") != depth:
            recorded = f"it was recorded at a depth of {header.get('depth')}, and the config asks for {depth}"
            raise RunFileError(Problem(recorded, str(path)), hint="Record again at the depth of the config.")
        said = (str(header.get(key, "")) for key in ("fingerprint", "no_fingerprint"))
        return cls(folder, depth, int(header.get("retries", 0)), *said)

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
    pages: list[dict[str, Any]] = field(default_factory=list)

    async def fetch(self, query: Ask, step: Step) -> Answer:
        if not step.offset:
            self.pages = self._pages(query)
        if not self.pages:
            raise AnswerError(FailureKind.NOT_ASKED, "the recording ends before this page; record again")
        page = self.pages.pop(0)
        try:
            if failure := page.get("failure"):
                kind, message = FailureKind(failure["kind"]), str(failure["message"])
            else:
                content = page["content"].encode(page["encoding"])
                hidden = tuple(page["hidden"])
                return Answer(page["place"], content, page["content_type"], page["next_url"], hidden=hidden)
        except (AttributeError, KeyError, LookupError, TypeError, ValueError) as exc:
            path = self.recording.folder / _file_name(query.id)
            raise RunFileError(Problem("no page of a recording", str(path))) from exc
        raise AnswerError(kind, message)

    def _pages(self, query: Ask) -> list[dict[str, Any]]:
        path = self.recording.folder / _file_name(query.id)
        if not path.exists():
            raise AnswerError(FailureKind.NOT_ASKED, "the recording does not hold this query; record again")
        entry = _json(path, "the file cannot be read")
        if entry.get("text") != query.text or entry.get("params") != dict(query.params):
            raise AnswerError(
                FailureKind.NOT_ASKED, "the recording holds this query with another text or other params; record again"
            )
        pages = entry.get("pages")
        return list(pages) if isinstance(pages, list) else []


def _file_name(query_id: str) -> str:
    """A name that every file system takes, and that no two ids share."""
    digest = hashlib.sha256(query_id.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{quote(query_id, safe='', errors='replace')[:_NAME_SHOWN].strip('.')}-{digest}.json"


def _json(path: Path, otherwise: str) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        raise RunFileError(Problem(otherwise, str(path))) from exc
    if not isinstance(value, dict):
        raise RunFileError(Problem(otherwise, str(path)))
    return value
