"""Secrets stay out of every message, however they are spelled in it."""

import base64
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Self
from urllib.parse import quote, unquote, urlsplit

from rankgate.files.service_spec import Secret, ServiceSpec

SHORTEST: Final = 4  # a shorter value is found by chance in ordinary words


@dataclass(frozen=True)
class Redactor:
    """Replaces the values of secrets by their names in brackets, the longest first.

    Found are the value itself, any mixture with percent-encoding, JSON and HTML escapes, and base64 of it or of a
    longer text around it, as in ``Authorization: Basic``. The password of an address is a secret of its own.
    """

    secrets: tuple[Secret, ...]
    _pattern: re.Pattern[str] | None = field(init=False, repr=False, compare=False)
    _names: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        given = tuple(secrets)
        hidden = {s.value: s.name for s in (*given, *_passwords(given)) if len(s.value) >= SHORTEST}
        values = sorted(hidden, key=len, reverse=True)
        spellings = [f"({_spellings(value)})" for value in values]
        object.__setattr__(self, "secrets", given)
        object.__setattr__(self, "_names", tuple(hidden[value] for value in values))
        object.__setattr__(self, "_pattern", re.compile("|".join(spellings)) if spellings else None)

    @classmethod
    def of(cls, spec: ServiceSpec, *addresses: str) -> Self:
        """Hide the secrets of *spec* and the passwords written in its URL and in *addresses*."""
        return cls((*spec.secrets, *(s for url in (spec.url, *addresses) for s in address_secrets(url))))

    def redact(self, text: str) -> str:
        """Return *text* with every secret replaced by ``[NAME]``."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: f"[{self._names[(found.lastindex or 1) - 1]}]", text)


def address_secrets(url: str, name: str = "password") -> Iterator[Secret]:
    """Yield the password in *url*, or a user name without one: such a name is a token."""
    try:
        parts = urlsplit(url)
        userinfo = parts.password or parts.username
    except ValueError:
        return
    if userinfo:
        yield Secret(name, unquote(userinfo))


def _passwords(secrets: Iterable[Secret]) -> Iterator[Secret]:
    for secret in secrets:
        if "://" in secret.value:
            yield from address_secrets(secret.value, secret.name)


def _spellings(value: str) -> str:
    """Return a pattern without groups for *value*, each character plain or escaped in any common way."""
    misread = value.encode(errors="replace").decode("latin-1")  # a service that takes UTF-8 for Latin-1 and echoes it
    texts = {value: None, misread: None}
    return "|".join((*("".join(map(_character, text)) for text in texts), *map(re.escape, _base64(value))))


def _character(char: str) -> str:
    escapes = {char, json.dumps(char)[1:-1], quote(char, safe="", errors="replace")}
    if char.isascii():
        escapes |= {f"%{ord(char):02X}", f"\\u{ord(char):04x}", f"&#{ord(char)};", f"&#x{ord(char):x};"}
    escapes |= {" ": {"+"}, "/": {r"\/"}}.get(char, set())
    escapes |= {"&": {"&amp;"}, "<": {"&lt;"}, ">": {"&gt;"}, '"': {"&quot;"}, "'": {"&#39;"}}.get(char, set())
    plain = "|".join(re.escape(escape) for escape in sorted(escapes, key=len, reverse=True) if len(escape) == 1)
    coded = "|".join(re.escape(escape) for escape in sorted(escapes, key=len, reverse=True) if len(escape) > 1)
    return f"(?:(?i:{coded})|{plain})" if coded else plain


def _base64(value: str) -> Iterator[str]:
    """Yield what stays the same in base64 of any text that contains *value*, at each of its three alignments."""
    data = value.encode(errors="replace")
    for before in range(3):
        coded = base64.b64encode(bytes(before) + data).decode()
        first = (before * 8 + 5) // 6
        last = (before + len(data)) * 8 // 6
        core = coded[first:last]
        yield core
        yield core.translate(str.maketrans("+/", "-_"))
