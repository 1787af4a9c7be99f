"""What is wrong with the templates and paths of a config, all of it at once, before anything is sent."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from rankgate.core.judgments import JsonValue
from rankgate.errors import nearest
from rankgate.files.service_spec import Graphql, ServiceSpec
from rankgate.service.body import CURSOR, GraphqlBody, each_text, passed_over
from rankgate.service.paths import compile_path
from rankgate.service.redaction import Redactor
from rankgate.service.request import BUILT_IN, RESERVED
from rankgate.service.template import Template, TemplateError

_HEADER_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VARIABLE: Final = re.compile(r"\$\{[^}]*\}")
_NAMED: Final = re.compile(r"(?<!\{)\{([^\W\d][\w.-]*)\}(?!\})")
_FRAMING: Final = frozenset({"content-length", "transfer-encoding"})


class Fault(NamedTuple):
    """One mistake in the templates of a config.

    Attributes:
        place: Where, below ``service``: ``url``, ``headers.Authorization``, ``body.query.match.title``.
        message: What was found and what to write.
    """

    place: str
    message: str


def placeholders(spec: ServiceSpec) -> dict[str, tuple[str, ...]]:
    """Return the places of each name used in a template; templates that cannot be read are left to ``check``."""
    places: dict[str, list[str]] = {}
    for place, text in _leaves(spec):
        try:
            names = Template.parse(text).names
        except TemplateError:
            continue
        for name in dict.fromkeys(names):
            places.setdefault(name, []).append(place)
    return {name: tuple(found) for name, found in places.items()}


def params_in_url(spec: ServiceSpec) -> tuple[str, ...]:
    """Return the names that stand both in ``params`` and in the URL's own query string."""
    in_url = {name for name, _ in parse_qsl(spec.url.partition("?")[2].partition("#")[0], keep_blank_values=True)}
    return tuple(name for name in spec.params if name in in_url)


def own_number_of_hits(spec: ServiceSpec, depth: int) -> bool:
    """Whether nothing in the request of *spec* says how many hits are wanted: no placeholder, no number of *depth*."""
    if not spec.url or spec.next_page or not placeholders(spec).keys().isdisjoint({"depth", "offset", "page"}):
        return False
    written = (spec.url.partition("?")[2], spec.params, spec.form, spec.body, spec.text, spec.graphql)
    return not any(int(number) >= depth for number in re.findall(r"(?<!\d)\d{1,9}(?!\d)", repr(written)))


def check(spec: ServiceSpec, params: Iterable[str] = ()) -> tuple[Fault, ...]:
    """Return every mistake in the templates of *spec*.

    Args:
        params: The names that queries give values to; the defaults of *spec* and the built-in names are known.

    A ``${NAME}`` that was left unexpanded, for want of an environment, is taken for a value that fits.
    """
    built_in = ("query", "depth") if spec.command else BUILT_IN
    known = {*built_in, *spec.defaults, *params}
    if spec.next_page is None or spec.next_page.kind != CURSOR:
        known -= {CURSOR}
    lookups = (lookup.url for lookup in (spec.fingerprint, spec.exists) if lookup)
    redact = Redactor.of(spec, *lookups).redact
    faults = []
    for place, text in _leaves(spec):
        try:
            names = Template.parse(text).names
        except TemplateError:
            faults.append(Fault(place, _brace_fault(redact(text))))
            continue
        unknown = (name for name in dict.fromkeys(names) if name not in known)
        faults += [Fault(place, f"unknown placeholder {{{name}}}{nearest(name, known)}") for name in unknown]
    more = (
        *_unfilled_faults(spec, known),
        *_unused_defaults(spec),
        *_url_faults(spec, redact),
        *_header_faults(spec),
        *_paging_faults(spec),
        *_cursor_faults(spec),
        *_lookup_faults(spec, redact),
        *_path_faults(spec),
    )
    return (*faults, *(Fault(place, redact(message)) for place, message in more))


def _brace_fault(text: str) -> str:
    """Return what is wrong with *text*, from which the secrets are gone: a message quotes a piece of it."""
    try:
        Template.parse(text)
    except TemplateError as exc:
        return str(exc)
    return "a lone brace in the value of a variable; a literal brace is doubled"


def _unfilled_faults(spec: ServiceSpec, known: set[str]) -> Iterator[Fault]:
    """Return the placeholders that would be sent as they stand; other names in braces may well be meant so."""
    graphql = spec.graphql or Graphql("")
    named = {"params": spec.params, "form": spec.form, "body": spec.body, "graphql.variables": graphql.variables}
    for place, key in (found for group, value in named.items() for found in _keys(group, value)):
        for name in sorted(known.intersection(_NAMED.findall(key))):
            yield Fault(place, f"{{{name}}} in a key is not filled; a body under 'text' is a template throughout")
    for text in passed_over(graphql.query):
        for name in sorted(known.intersection(_NAMED.findall(text))):
            message = f"{{{name}}} is not filled within a longer string: write a variable, filled in graphql.variables"
            yield Fault("graphql.query", message)


def _keys(place: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield place and text of every key."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _keys(f"{place}[{index}]", item)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield f"{place}.{key}", key
            yield from _keys(f"{place}.{key}", item)


def _unused_defaults(spec: ServiceSpec) -> Iterator[Fault]:
    for name in sorted(RESERVED.intersection(spec.defaults)) if spec.url else ():
        yield Fault(f"defaults.{name}", f"{{{name}}} is rankgate's own, so no default takes its place; rename it")


def _url_faults(spec: ServiceSpec, redact: Callable[[str], str]) -> Iterator[Fault]:
    if spec.adapter or spec.command:
        return
    yield from _address_faults("url", spec.url, redact)
    for name in params_in_url(spec):
        yield Fault(f"params.{name}", f"{name!r} is in the query string of the url too; keep one of them")


def _address_faults(place: str, url: str, redact: Callable[[str], str]) -> Iterator[Fault]:
    """Return what is wrong with *url*; a secret that does not fit there is parted by it, and no part is quoted."""
    settled = _settled(url)
    shown = redact(settled)
    try:
        parts = urlsplit(settled)
        _ = parts.port
    except ValueError as exc:
        secret = "; a '/', '?' or '@' in a secret is written %2F, %3F or %40"
        yield Fault(place, f"not an address{f': {exc}' if shown == settled else secret}")
        return
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        yield Fault(place, "must begin with http:// or https:// and a host")
    elif "{" in parts.netloc:
        yield Fault(place, "a placeholder may stand in the path and the query string only")
    if parts.fragment:
        _, mark, rest = shown.partition("#")
        found = repr(mark + rest) if mark else "in the value of a variable"
        yield Fault(place, f"what follows '#' is never sent; a literal '#' is %23 (found {found})")


def _header_faults(spec: ServiceSpec) -> Iterator[Fault]:
    for name in spec.headers:
        if not _HEADER_NAME.fullmatch(name):
            yield Fault(f"headers.{name}", f"{name!r} cannot be the name of a header")
        elif name.lower() in _FRAMING:
            yield Fault(f"headers.{name}", f"{name!r} follows from the body and cannot be set")


def _paging_faults(spec: ServiceSpec) -> Iterator[Fault]:
    places = placeholders(spec)
    if spec.next_page is not None and spec.page_size is None:
        yield Fault("next_page", "pages are described, but page_size does not say how many hits each one has")
    if spec.next_page is not None and spec.next_page.kind == CURSOR and CURSOR not in places:
        yield Fault("next_page.cursor", "the cursor of the next page is read, but no template has {cursor}")
    if spec.page_size is not None and spec.next_page is None and not {"offset", "page"} & places.keys():
        yield Fault("page_size", "pages are asked for, but no template has {offset} or {page}")


def _cursor_faults(spec: ServiceSpec) -> Iterator[Fault]:
    """The first request has no cursor, so it must stand where a key can be left out."""
    for place, text in _leaves(spec):
        group, _, key = place.partition(".")
        with suppress(TemplateError):
            template = Template.parse(text)
            droppable = group in {"params", "form", "body", "graphql"} and key and not key.endswith("]")
            if CURSOR in template.names and not (template.bare and droppable):
                yield Fault(place, "{cursor} must be the whole value of a key, which the first request goes without")


def _lookup_faults(spec: ServiceSpec, redact: Callable[[str], str]) -> Iterator[Fault]:
    """Addresses beside the search: there is no query, and only an existence is of one document."""
    for key, lookup, names in (("fingerprint", spec.fingerprint, ()), ("exists", spec.exists, ("id",))):
        if lookup is None:
            continue
        try:
            found = Template.parse(_settled(lookup.url)).names
        except TemplateError:
            yield Fault(f"{key}.url", _brace_fault(redact(_settled(lookup.url))))
            continue
        yield from _address_faults(f"{key}.url", lookup.url, redact)
        known = {*names, *spec.defaults}
        for name in dict.fromkeys(found):
            if name not in known:
                yield Fault(f"{key}.url", f"unknown placeholder {{{name}}}{nearest(name, known)}")
        if names and "id" not in found:
            yield Fault(f"{key}.url", "it does not have {id}, so it would ask the same of every document")


def _path_faults(spec: ServiceSpec) -> Iterator[Fault]:
    for place, expression in (*spec.paths.items(), *(("partial", each) for each in spec.partial)):
        try:
            compile_path(expression)
        except ValueError as exc:
            yield Fault(place, str(exc))


def _leaves(spec: ServiceSpec) -> Iterator[tuple[str, str]]:
    """Yield place and text of every template."""
    yield "url", _settled(spec.url)
    for group, fields in (("headers", spec.headers), ("params", spec.params), ("form", spec.form or {})):
        for name, given in fields.items():
            for index, text in enumerate(each_text(given)):
                yield f"{group}.{name}" + ("" if isinstance(given, str) else f"[{index}]"), _settled(text)
    yield from _json_leaves("body", spec.body)
    if spec.text is not None:
        yield "text", _settled(spec.text)
    for index, text in enumerate(spec.command):
        yield f"command[{index}]", text
    if spec.graphql is not None:
        yield from (("graphql.query", f"{{{name}}}") for name in GraphqlBody.compile(spec.graphql).names)
        yield from _json_leaves("graphql.variables", dict(spec.graphql.variables))


def _settled(text: str) -> str:
    """Return *text* with something plausible for each variable; at the beginning, an address."""
    return _VARIABLE.sub(lambda found: "1" if found.start() else "http://1", text)


def _json_leaves(place: str, value: JsonValue) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, _settled(value)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _json_leaves(f"{place}[{index}]", item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _json_leaves(f"{place}.{key}", item)
