"""From the ``service`` block of a config to what the service layer is given; a target changes a part of it."""

import base64
import dataclasses
import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from rankgate.files.service_models import (
    BODIES,
    HTTP_ONLY,
    WAYS,
    NextPageEntry,
    ServiceEntry,
    TargetEntry,
    aimed,
    authorizes,
)
from rankgate.files.service_spec import Graphql, Lookup, NextPage, Secret, ServiceSpec, Tls

_HOST: Final = re.compile(r"(?P<scheme>https?)://(?:[^/?#@]*@)?(?P<host>[^/?#]*)|\$\{[^}]*\}", re.IGNORECASE)
_USUAL_PORTS: Final = {"http": ":80", "https": ":443"}
_ITSELF: Final = "@"

Wrong = Callable[..., None]  # a message, and where below ``service`` the mistake stands


def of_target(entry: ServiceEntry, target: str) -> TargetEntry:
    """*entry* as it is for a target."""
    service, changes = (each.model_dump(exclude_unset=True) for each in (entry, entry.targets[target]))
    del service["targets"]
    return TargetEntry.model_validate(aimed(service, changes))


def moved(spec: ServiceSpec, before: str, given: Collection[str] = ()) -> tuple[ServiceSpec, tuple[str, ...]]:
    """*spec*, whose address took the place of *before*, without what would ask another host about its index.

    Args:
        given: Keys that were given for this address.

    Returns:
        The spec, and the keys that it lost.
    """
    host = _host(spec.url)
    lost = tuple(
        key
        for key, lookup in (("fingerprint", spec.fingerprint), ("exists", spec.exists))
        if lookup and key not in given and host not in {_host(before), _host(lookup.url)}
    )
    return dataclasses.replace(spec, **dict.fromkeys(lost)), lost  # type: ignore[arg-type]  # both may be None


def _host(url: str) -> str:
    """Scheme, host and port of *url*, or the variable that stands for them."""
    match = _HOST.match(url)
    if match is None:
        return ""
    scheme, host = (match["scheme"] or "").lower(), (match["host"] or match[0]).lower()
    return f"{scheme}://{host.removesuffix(_USUAL_PORTS.get(scheme, ''))}"


def service_spec(entry: TargetEntry, folder: Path, secrets: tuple[Secret, ...], wrong: Wrong) -> ServiceSpec:
    """Turn a checked entry into a spec; *wrong* is told what does not fit together.

    Args:
        folder: What the paths of TLS files, adapters and programs are relative to.
    """
    _check_way(entry, wrong)
    bodies = [name for name in BODIES if getattr(entry, name) is not None]
    if len(bodies) > 1:
        wrong(f"a request has one of {' and '.join(bodies)}, not {_all(bodies)}", bodies[1])
    remote = entry.url is not None
    timeout = entry.timeout
    return ServiceSpec(
        url=entry.url or "",
        adapter=entry.adapter or "",
        command=tuple(entry.command or ()),
        method=entry.method or ("POST" if bodies else "GET"),
        headers=_headers(entry, wrong),
        params=entry.params,
        body=entry.body,
        form=entry.form,
        text=entry.text,
        graphql=Graphql(entry.graphql.query, entry.graphql.variables) if entry.graphql else None,
        tls=_tls(entry, folder, wrong),
        http2=entry.http2,
        hits=entry.hits or ("" if remote else _ITSELF),
        id=entry.id or ("" if remote else _ITSELF),
        score=entry.score or "",
        title=entry.title or "",
        snippet=entry.snippet or "",
        total=entry.total or "",
        echo=entry.echo or "",
        transform=_transform(entry, wrong),
        collapse=entry.collapse,
        partial=tuple(entry.partial),
        defaults=entry.defaults,
        page_size=entry.page_size,
        first_page=entry.first_page,
        max_pages=entry.max_pages,
        next_page=_next_page(entry.next_page, wrong),
        fingerprint=Lookup(entry.fingerprint.url, entry.fingerprint.path) if entry.fingerprint else None,
        exists=Lookup(entry.exists.url, entry.exists.path or "") if entry.exists else None,
        concurrency=entry.concurrency,
        requests_per_second=entry.requests_per_second,
        connect_timeout=timeout.connect,
        read_timeout=timeout.read,
        run_timeout=timeout.run,
        retries=entry.retries,
        folder=folder,
        secrets=secrets,
    )


def _all(names: list[str]) -> str:
    return "both" if len(names) == 2 else "all"  # noqa: PLR2004 - English has a word for two


def _check_way(entry: TargetEntry, wrong: Wrong) -> None:
    ways = [way for way in WAYS if getattr(entry, way) is not None]
    if not ways:
        wrong("the key 'url' is missing from the mapping that starts here (or 'adapter', or 'command')")
    elif len(ways) > 1:
        wrong(f"the service is asked in one way: {' or '.join(ways)}, not {_all(ways)}", ways[1])
    elif ways == ["url"]:
        for key in ("hits", "id"):
            if getattr(entry, key) is None:
                wrong(f"the key {key!r} is missing from the mapping that starts here")
    else:
        for key in sorted(entry.model_fields_set.intersection(HTTP_ONLY)):
            wrong(f"{key!r} belongs to a url; {ways[0]!r} makes its own requests", key)


def _headers(entry: TargetEntry, wrong: Wrong) -> dict[str, str]:
    if entry.basic_auth is None:
        return entry.headers
    if authorizes(entry.headers):
        wrong("basic_auth makes the header Authorization, which is under headers too; keep one of them", "basic_auth")
    pair = f"{entry.basic_auth.user}:{entry.basic_auth.password}".encode()
    return {**entry.headers, "Authorization": f"Basic {base64.b64encode(pair).decode()}"}


def _tls(entry: TargetEntry, folder: Path, wrong: Wrong) -> Tls:
    given = entry.tls
    if given is None:
        return Tls()
    paths = {key: folder / name for key in ("ca", "cert", "key") if (name := getattr(given, key))}
    for key, path in paths.items():
        if "${" not in str(path) and not path.is_file():
            wrong(f"there is no file {str(path)!r}", "tls", key)
    if given.key and not given.cert:
        wrong("a key without a certificate; expected 'cert' too", "tls", "key")
    return Tls(paths.get("ca"), paths.get("cert"), paths.get("key"), given.password)


def _transform(entry: TargetEntry, wrong: Wrong) -> str:
    if entry.transform is None:
        return ""
    regex = str(entry.transform.regex)
    if "${" in regex:
        return regex  # a command that asks no service leaves variables as they are
    try:
        groups = re.compile(regex).groups
    except re.error as exc:
        wrong(f"no regular expression: {exc}", "transform", "regex")
        return ""
    if groups != 1:
        wrong(
            f"expected one group, the part of an id that names the document, found {groups}; (?:...) does not count",
            "transform",
            "regex",
        )
    return regex


def _next_page(entry: NextPageEntry | None, wrong: Wrong) -> NextPage | None:
    if entry is None:
        return None
    ways = [NextPage("cursor", entry.cursor or ""), NextPage("url", entry.url or ""), NextPage("link_header")]
    given = [way for way in ways if way.path or (way.kind == "link_header" and entry.link_header)]
    if len(given) != 1:
        wrong(f"expected one of cursor, url and link_header, found {len(given)}", "next_page")
        return None
    return given[0]
