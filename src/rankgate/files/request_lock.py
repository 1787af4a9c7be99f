"""Digests of the request's template as it is written, so that a later run can say what is asked differently."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from rankgate.core.judgments import JsonValue
from rankgate.files.gate_models import DEFAULT_DEPTH
from rankgate.files.service_models import BODIES, WAYS, aimed
from rankgate.files.yaml_values import Plain, YamlValue, resolve

#: What decides which documents come back, and as which ids.
_ASKED: Final = (*WAYS, *BODIES, "method", "params", "headers", "hits", "id", "transform", "collapse", "defaults")
#: What decides which answers come back, for a recording of them; how they are read may change.
RECORDED: Final = (
    *(key for key in _ASKED if key not in {"hits", "id", "transform"}),
    *("page_size", "first_page", "next_page"),
)
#: Where a number in quotes is another value; anywhere else all is text.
_TYPED: Final = ("body", "graphql", "collapse", "defaults", "depth")
#: A digest of a short secret could be searched for; and another key is no other question.
CREDENTIAL: Final = re.compile(
    r"authorization|api[-_]?key|token(?!s|i[sz])|secret|password|cookie|(?<![a-z])auth(?![a-z])", re.IGNORECASE
)
#: A digest of a host could be searched for too; and another host with the same path is asked the same. A variable that
#: an address begins with stands for the host.
_ORIGIN: Final = re.compile(r"^(?:[a-z][a-z0-9+.-]*://(?:\$\{[^}]*\}|[^/?#])*|\$\{[^}]*\})", re.IGNORECASE)
_DEFAULT: Final = re.compile(r"(?<!\$)\$\{(\w+):-[^}]*\}")


def request_lock(config: YamlValue, target: str = "", url: str = "", *, keys: Sequence[str] = _ASKED) -> dict[str, str]:
    """Digests by key, such as ``params.boost`` or ``body.query``; of variables their names, never their values.

    Args:
        config: The file as it was read and found right, its variables unexpanded.
        target: The chosen target; its keys replace those of the service as ``service_models.aimed`` has it.
        url: Asked in place of the config's.
        keys: Of the service.
    """
    service = config.get("service") if isinstance(config, dict) else None
    if not isinstance(config, dict) or not isinstance(service, dict):
        return {}
    targets = service.get("targets")
    changes = targets.get(target) if isinstance(targets, dict) else None
    asked = aimed(service, changes) if isinstance(changes, dict) else service
    depth = config.get("depth", Plain(DEFAULT_DEPTH))
    parts = _parts(
        {**{key: asked[key] for key in keys if key in asked}, **({"url": url} if url else {}), "depth": depth}
    )
    return {key: _digest(value) for key, value in sorted(parts) if not CREDENTIAL.search(key)}


def _parts(asked: Mapping[str, YamlValue]) -> Iterator[tuple[str, JsonValue]]:
    for key, value in asked.items():
        said = _public(resolve(value) if key in _TYPED else _text(value))
        if isinstance(said, dict):
            yield from ((f"{key}.{inner}", child) for inner, child in said.items())
        else:
            yield key, _WRITTEN[key](said) if key in _WRITTEN and isinstance(said, str) else said


def _text(value: YamlValue) -> JsonValue:
    """*value* with every scalar as it was written."""
    if isinstance(value, dict):
        return {str(key): _text(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_text(child) for child in value]
    return None if value is None else str(value)


def _public(value: JsonValue) -> JsonValue:
    """*value* without credentials at any depth, and without the values that variables have where they are not set."""
    if isinstance(value, dict):
        return {key: _public(child) for key, child in value.items() if not CREDENTIAL.search(key)}
    if isinstance(value, list):
        return [_public(child) for child in value]
    return _DEFAULT.sub(r"${\1}", value) if isinstance(value, str) else value


def _address(url: str) -> str:
    """Path and parameters of *url*, without its host and without credentials."""
    path, _, query = _ORIGIN.sub("", url).partition("?")
    kept = [each for each in query.split("&") if each and not CREDENTIAL.search(each.partition("=")[0])]
    return "?".join(filter(None, (path, "&".join(kept))))


#: What may be written in several ways.
_WRITTEN: Final = {"url": _address, "method": str.upper}


def is_literal(value: str) -> bool:
    """Whether *value* is sent as it is written: no variable, no placeholder, no mere number such as of max_token."""
    return "{" not in value.replace("{{", "") and not value.isdecimal()


def url_credentials(url: str) -> Iterator[tuple[str, str]]:
    """Yield the credentials in *url*: without a name, its password or a user alone; then parameters named like one."""
    try:
        parts = urlsplit(url)
        userinfo = parts.password or parts.username
    except ValueError:
        return
    if userinfo:
        yield "", unquote(userinfo)
    yield from ((name, value) for name, value in parse_qsl(parts.query) if CREDENTIAL.search(name))


def _digest(value: JsonValue) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
