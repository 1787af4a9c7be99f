"""Secrets stay out of every message, however they are spelled in it."""

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self
from urllib.parse import quote

from rankgate.files.request_lock import CREDENTIAL, is_literal, url_credentials
from rankgate.files.service_models import authorizes
from rankgate.files.service_spec import Secret, ServiceSpec

SHORTEST: Final = 4  # a shorter value is found by chance in ordinary words


@dataclass(frozen=True)
class Redactor:
    """Replaces the values of secrets by their names in brackets, the longest first.

    Found are the value itself, any mixture with percent-encoding, JSON and HTML escapes and the doubled braces of a
    template, and base64 of it or of a longer text around it, as in ``Authorization: Basic``. The password of an address
    is a secret of its own, and so is a credential that is written out in the config.
    """

    secrets: tuple[Secret, ...] = ()

    @classmethod
    def of(cls, spec: ServiceSpec, *addresses: str) -> Self:
        """Hide the secrets of *spec*, the credentials written in it and those written in *addresses*."""
        return cls((*_written(spec), *spec.secrets)).also(spec.url, *addresses)

    def also(self, *addresses: str) -> Self:
        """Hide the credentials written in *addresses* too."""
        return type(self)((*self.secrets, *(secret for url in addresses for secret in _of_address(url))))

    def redact(self, text: str) -> str:
        """Return *text* with every secret replaced by ``[NAME]``."""
        hidden = self._hidden
        return self._pattern.sub(lambda found: f"[{hidden[(found.lastindex or 1) - 1].name}]", text) if hidden else text

    @cached_property
    def _hidden(self) -> tuple[Secret, ...]:
        """One secret for each value that is looked for, the longest first."""
        by_value = {each.value: each for each in (*self.secrets, *_passwords(self.secrets))}
        return tuple(by_value[value] for value in sorted(by_value, key=len, reverse=True) if len(value) >= SHORTEST)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(f"({_spellings(each.value)})" for each in self._hidden))


def address_secrets(url: str, name: str = "password") -> Iterator[Secret]:
    """Yield the password in *url*, or a user name without one: such a name is a token."""
    yield from (Secret(name, value) for param, value in url_credentials(url) if not param)


def _of_address(url: str) -> Iterator[Secret]:
    yield from address_secrets(url)
    yield from (Secret(param, value) for param, value in url_credentials(url) if param and is_literal(value))


def _written(spec: ServiceSpec) -> Iterator[Secret]:
    """Yield what somebody asks by where it stands in the config itself, under the name that it has there."""
    variables = spec.graphql.variables if spec.graphql else None
    for name, text in _texts([spec.headers, spec.params, spec.form, spec.body, variables]):
        if CREDENTIAL.search(name) and is_literal(text):
            sent = text.replace("{{", "{").replace("}}", "}")
            scheme, _, rest = sent.partition(" ") if authorizes([name]) else ("", "", sent)
            yield Secret(name, rest or scheme)
            if scheme.lower() == "basic":
                with suppress(ValueError):
                    yield Secret(name, base64.b64decode(rest).decode().partition(":")[2])


def _texts(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield each text within *value* after the key that it stands under."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item, name)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _texts(item, key)


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
    escapes |= {" ": {"+"}, "/": {r"\/"}, "{": {"{{"}, "}": {"}}"}}.get(char, set())
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
