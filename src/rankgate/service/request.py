"""A request out of templates: each value escaped for the place it stands in."""

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self
from urllib.parse import quote, unquote, urlencode

from rankgate.files.service_spec import JsonValue, ServiceSpec
from rankgate.service.template import Template, TemplateError

BUILT_IN: Final = ("query", "depth", "offset", "page")
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


_Tree = Template | int | float | bool | None | list["_Tree"] | dict[str, "_Tree"]


@dataclass(frozen=True, slots=True)
class Templates:
    """All templates of a service, parsed once."""

    method: str
    url: Template
    params: tuple[tuple[str, Template], ...]
    headers: tuple[tuple[str, Template], ...]
    form: tuple[tuple[str, Template], ...] | None
    body: _Tree
    defaults: Mapping[str, JsonValue]

    @classmethod
    def compile(cls, spec: ServiceSpec) -> Self:
        """Parse the templates of *spec*.

        Raises:
            TemplateError: One of them cannot be read; ``check`` gives all mistakes with their places.
        """
        url, credentials = _without_userinfo(spec.url)
        headers = {"User-Agent": "rankgate", "Accept": "application/json", "Accept-Encoding": ", ".join(ENCODINGS)}
        if credentials:
            headers["Authorization"] = f"Basic {credentials}"
        if spec.form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        elif spec.body is not None:
            headers["Content-Type"] = "application/json"
        given = {name.lower() for name in spec.headers}
        headers = {name: value for name, value in headers.items() if name.lower() not in given}
        return cls(
            method=spec.method.upper(),
            url=Template.parse(url),
            params=_parsed(spec.params),
            headers=_parsed({**headers, **spec.headers}),
            form=None if spec.form is None else _parsed(spec.form),
            body=_tree(spec.body),
            defaults=spec.defaults,
        )

    def build(
        self, query_text: str, depth: int, offset: int, page: int, params: Mapping[str, JsonValue] | None = None
    ) -> Request:
        """Fill the templates for one query.

        Raises:
            TemplateError: A placeholder has no value, or a value cannot stand in its place.
        """
        values: dict[str, JsonValue] = {
            **self.defaults,
            **(params or {}),
            "query": query_text,
            "depth": depth,
            "offset": offset,
            "page": page,
        }
        try:
            return Request(self.method, self._url(values), self._headers(values), self._content(values))
        except UnicodeEncodeError as exc:
            raise TemplateError(
                f"a value holds half a character, {exc.object[exc.start]!r}, which has no UTF-8"
            ) from exc
        except TemplateError:
            raise
        except ValueError as exc:
            raise TemplateError(f"a value cannot be written as JSON: {exc}") from exc

    def _url(self, values: Mapping[str, JsonValue]) -> str:
        url = self.url.fill(values, _in_url)
        query = urlencode([(name, value.fill(values)) for name, value in self.params], quote_via=quote, safe="")
        if not query:
            return url
        return url + ("?" if "?" not in url else "" if url[-1] in "?&" else "&") + query

    def _headers(self, values: Mapping[str, JsonValue]) -> tuple[tuple[str, bytes], ...]:
        return tuple((name, _header(name, template.fill(values))) for name, template in self.headers)

    def _content(self, values: Mapping[str, JsonValue]) -> bytes | None:
        if self.form is not None:
            return urlencode([(name, value.fill(values)) for name, value in self.form]).encode()
        if self.body is None:
            return None
        return json.dumps(_fill(self.body, values), ensure_ascii=False, allow_nan=False).encode()


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


def _parsed(fields: Mapping[str, str]) -> tuple[tuple[str, Template], ...]:
    return tuple((name, Template.parse(text)) for name, text in fields.items())


def _tree(value: JsonValue) -> _Tree:
    if isinstance(value, str):
        return Template.parse(value)
    if isinstance(value, list):
        return [_tree(item) for item in value]
    if isinstance(value, dict):
        return {key: _tree(item) for key, item in value.items()}
    return value


def _fill(tree: _Tree, values: Mapping[str, JsonValue]) -> JsonValue:
    if isinstance(tree, Template):
        return tree.fill_json(values)
    if isinstance(tree, list):
        return [_fill(item, values) for item in tree]
    if isinstance(tree, dict):
        return {key: _fill(item, values) for key, item in tree.items()}
    return tree


def _in_url(text: str) -> str:
    # A path segment of dots would be resolved away before it is sent.
    return text.replace(".", "%2E") if not text.strip(".") else quote(text, safe="")


def _header(name: str, value: str) -> bytes:
    if control := _CONTROL.search(value):
        raise TemplateError(f"header {name!r} would hold the control character {control[0]!r}, which no header can")
    if value != value.strip(" \t"):
        raise TemplateError(f"header {name!r} would begin or end with a blank, which does not arrive")
    return value.encode()
