"""A request out of templates: each value escaped for the place it stands in."""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self
from urllib.parse import quote, unquote, urlencode

from rankgate.core.judgments import JsonValue
from rankgate.files.service_spec import ServiceSpec
from rankgate.service.body import CURSOR, Body, Fields, Values, body_of, fill_fields, parse_fields
from rankgate.service.template import Template, TemplateError

BUILT_IN: Final = ("query", "depth", "offset", "page", CURSOR)
#: What no param of a query takes the place of; a cursor it may give, for the first page.
RESERVED: Final = frozenset(BUILT_IN) - {CURSOR}
ENCODINGS: Final = ("gzip", "deflate")

_CONTROL: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Ask:
    """One query to be asked.

    Attributes:
        params: The query's own values for the templates; they go before the config's defaults.
    """

    id: str
    text: str
    params: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """Which part of a query's ranking is asked for.

    Attributes:
        size: Hits wanted.
        offset: Hits before it.
        page: Its number, as the service counts.
        cursor: What the answer before it said; None for the first.
        url: Its address, where the answer before it said that.
    """

    size: int
    offset: int = 0
    page: int = 1
    cursor: JsonValue = None
    url: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request, complete."""

    method: str
    url: str = field(repr=False)
    headers: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)
    content: bytes | None = field(default=None, repr=False)

    @property
    def place(self) -> str:
        """Method and address for messages, without the query string: the same for many queries."""
        return f"{self.method} {self.url.partition('?')[0]}"


@dataclass(frozen=True, slots=True)
class Templates:
    """All templates of a service, parsed once."""

    method: str
    url: Template
    params: Fields
    headers: Fields
    body: Body | None
    defaults: Values

    @classmethod
    def compile(cls, spec: ServiceSpec) -> Self:
        """Parse the templates of *spec*.

        Raises:
            TemplateError: One of them cannot be read; ``check`` gives all mistakes with their places.
        """
        url, credentials = _without_userinfo(spec.url)
        given = {name.lower(): value for name, value in spec.headers.items()}
        body = body_of(spec, given.get("content-type", ""))
        headers = {"User-Agent": "rankgate", "Accept": "application/json", "Accept-Encoding": ", ".join(ENCODINGS)}
        if credentials:
            headers["Authorization"] = f"Basic {credentials}"
        if body is not None:
            headers["Content-Type"] = body.content_type
        headers = {name: value for name, value in headers.items() if name.lower() not in given}
        return cls(
            method=spec.method.upper(),
            url=Template.parse(url),
            params=parse_fields(spec.params),
            headers=parse_fields({**headers, **spec.headers}),
            body=body,
            defaults=spec.defaults,
        )

    def build(self, query: Ask, step: Step) -> Request:
        """Fill the templates for one page of a query.

        Raises:
            TemplateError: A placeholder has no value, or a value cannot stand in its place.
        """
        values: dict[str, JsonValue] = {
            **self.defaults,
            **query.params,
            "query": query.text,
            "depth": step.size,
            "offset": step.offset,
            "page": step.page,
        }
        if step.cursor is not None:
            values[CURSOR] = step.cursor
        try:
            # The address of a next page has everything in it that the templates put into the first.
            url = step.url or self._url(values)
            return Request(self.method, url, self._headers(values), self.body.fill(values) if self.body else None)
        except UnicodeEncodeError as exc:
            raise TemplateError(
                f"a value holds half a character, {exc.object[exc.start]!r}, which has no UTF-8"
            ) from exc
        except TemplateError:
            raise
        except ValueError as exc:
            raise TemplateError(f"a value cannot be written as JSON: {exc}") from exc

    def _url(self, values: Values) -> str:
        url = self.url.fill(values, _in_url)
        query = urlencode(fill_fields(self.params, values), quote_via=quote, safe="")
        if not query:
            return url
        return url + ("?" if "?" not in url else "" if url[-1] in "?&" else "&") + query

    def _headers(self, values: Values) -> tuple[tuple[str, bytes], ...]:
        return tuple((name, _header(name, template.fill(values))) for name, template in self.headers)


def _without_userinfo(url: str) -> tuple[str, str]:
    """Return *url* without user and password, and these two as Basic credentials: they belong into a header."""
    scheme, _, rest = url.partition("://")
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    userinfo, at, host = authority.rpartition("@")
    if not at:
        return url, ""
    user, _, password = userinfo.partition(":")
    pair = f"{unquote(user)}:{unquote(password)}".encode()
    return f"{scheme}://{host}{rest[len(authority) :]}", base64.b64encode(pair).decode()


def _in_url(text: str) -> str:
    # A path segment of dots would be resolved away before it is sent.
    return text.replace(".", "%2E") if not text.strip(".") else quote(text, safe="")


def _header(name: str, value: str) -> bytes:
    if control := _CONTROL.search(value):
        raise TemplateError(f"header {name!r} would hold the control character {control[0]!r}, which no header can")
    if value != value.strip(" \t"):
        raise TemplateError(f"header {name!r} would begin or end with a blank, which does not arrive")
    return value.encode()
