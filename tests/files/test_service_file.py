"""The ``service`` block: what does not fit together, and what a target changes."""

import base64
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rankgate.errors import ConfigError, UsageError
from rankgate.files.gate_file import Aim, Config, load
from rankgate.files.service_spec import Graphql, NextPage, Secret, ServiceSpec, Tls

URL = "  url: http://x\n  hits: hits\n  id: id\n"


def config(folder: Path, service: str, environ: dict[str, str] | None = None, **aim: str) -> Config:
    """Load a config whose ``service`` has the lines *service*, of which the first is line 3."""
    path = folder / "g.yaml"
    path.write_text(f"version: 1\nservice:\n{service}\ngate: {{P@1: {{floor: 0.5}}}}\n", encoding="utf-8")
    return load(path, environ, Aim(**aim))


def spec(folder: Path, service: str, environ: dict[str, str] | None = None, **aim: str) -> ServiceSpec:
    """The service that is asked."""
    return config(folder, service, environ, **aim).service


def mistakes(folder: Path, service: str, environ: dict[str, str] | None = None, **aim: str) -> list[str]:
    """What is wrong, with line and column."""
    with pytest.raises(ConfigError) as caught:
        config(folder, service, environ, **aim)
    return [str(problem).removeprefix(f"{folder}/g.yaml:") for problem in caught.value.problems]


# What does not fit together.

GROUPS = "the part of an id that names the document"
PAGE = "expected one of cursor, url and link_header"
AUTHORIZATION = "basic_auth makes the header Authorization, which is under headers too; keep one of them"
MISTAKES: dict[str, list[str]] = {
    "  retries: 1": ["3:3: service: the key 'url' is missing from the mapping that starts here (or 'adapter', or 'command')"],
    "  url: http://x": [
        "3:3: service: the key 'hits' is missing from the mapping that starts here",
        "3:3: service: the key 'id' is missing from the mapping that starts here",
    ],
    URL + "  adapter: a:b": ["6:12: service: the service is asked in one way: url or adapter, not both"],
    URL + "  command: [a]\n  adapter: a:b": ["7:12: service: the service is asked in one way: url or adapter or command, not all"],
    "  command: [a]\n  headers: {a: b}\n  first_page: 0\n  retries: 0\n  tls: {}\n  http2: false\n  text: x": [
        f"{line}: service: {key!r} belongs to a url; 'command' makes its own requests"
        for line, key in (("4:12", "headers"), ("5:15", "first_page"), ("6:12", "retries"), ("7:8", "tls"), ("8:10", "http2"), ("9:9", "text"))
    ],
    URL + "  body: {a: b}\n  form: {a: b}": ["7:9: service: a request has one of body and form, not both"],
    URL + "  form: {}\n  text: x\n  graphql: {query: x}": ["7:9: service: a request has one of form and text and graphql, not all"],
    URL + "  method: GE T": ["6:11: service.method: expected a method such as GET, POST or QUERY, found 'GE T'"],
    URL + "  method: []": ["6:11: service.method: expected text, found a list"],
    URL + "  params: {fq: {a: b}}": ["6:16: service.params.fq: expected text, found a mapping"],
    URL + "  form: {fq: [a, [b]]}": ["6:18: service.form.fq[1]: expected text, found a list"],
    URL + "  basic_auth: {user: a, password: b}\n  headers: {authorization: x}": [f"6:15: service: {AUTHORIZATION}"],
    URL + "  tls: {ca: no.pem, cert: g.yaml}": ["6:13: service: there is no file '{folder}/no.pem'"],
    URL + "  tls: {key: g.yaml}": ["6:14: service: a key without a certificate; expected 'cert' too"],
    URL + "  transform: {regex: '('}": ["6:22: service: no regular expression: missing ), unterminated subpattern at position 0"],
    URL + "  transform: {regex: 'a(?:b)'}": [f"6:22: service: expected one group, {GROUPS}, found 0; (?:...) does not count"],
    URL + "  transform: {regex: '(a)(b)'}": [f"6:22: service: expected one group, {GROUPS}, found 2; (?:...) does not count"],
    URL + "  next_page: {}": [f"6:14: service: {PAGE}, found 0"],
    URL + "  next_page: {link_header: false}": [f"6:14: service: {PAGE}, found 0"],
    URL + "  next_page: {cursor: a, link_header: true}": [f"6:14: service: {PAGE}, found 2"],
    URL + "  http2: maybe": ["6:10: service.http2: expected true or false, found 'maybe'"],
    URL + "  concurrency: 0": ["6:16: service.concurrency: expected at least 1, found '0'"],
    "  command: []": ["3:12: service.command: needs 1 or more entries, has 0"],
    URL + "  targets: {a: 5}": ["6:16: service.targets.a: expected a mapping, found '5'"],
    URL + "  targets: {a: {retries: x}}": ["6:26: service.targets.a.retries: expected a whole number, found 'x'"],
}  # fmt: skip


@pytest.mark.parametrize("service", MISTAKES, ids=[service.removeprefix(URL).strip() for service in MISTAKES])
def test_mistakes_have_their_place(tmp_path: Path, service: str) -> None:
    """Each with what was found and what to write, all of a file at once."""
    assert [message.format(folder=tmp_path) for message in MISTAKES[service]] == mistakes(tmp_path, service)


def test_variables_that_are_not_expanded_are_no_mistake(tmp_path: Path) -> None:
    """Commands that ask no service cannot know the file or the expression."""
    service = URL + "  tls: {ca: '${CA}', cert: '${C}', key: '${K}'}\n  transform: {regex: '${REGEX}'}"

    assert "${REGEX}" == spec(tmp_path, service).transform


def test_every_key_arrives(tmp_path: Path) -> None:
    """The keys that other tests of configs do not have."""
    for name in ("ca", "cert", "key"):
        (tmp_path / name).touch()
    long = """\
  url: http://x
  graphql: {query: '{ s(q: "{query}") }', variables: {n: "{depth}"}}
  tls: {ca: ca, cert: cert, key: key, password: "${PASSWORD}"}
  http2: true
  hits: hits
  id: id
  score: s
  title: t
  snippet: u
  total: n
  echo: q
  transform: {regex: "^(.+)#"}
  collapse: 4
  next_page: {cursor: c}
  requests_per_second: 2.5"""
    expected = ServiceSpec(
        "http://x",
        "hits",
        "id",
        method="POST",
        graphql=Graphql('{ s(q: "{query}") }', {"n": "{depth}"}),
        tls=Tls(tmp_path / "ca", tmp_path / "cert", tmp_path / "key", "{p}"),
        http2=True,
        score="s",
        title="t",
        snippet="u",
        total="n",
        echo="q",
        transform="^(.+)#",
        collapse=4,
        next_page=NextPage("cursor", "c"),
        requests_per_second=2.5,
        folder=tmp_path,
        secrets=(Secret("PASSWORD", "{p}"),),
    )

    assert expected == spec(tmp_path, long, {"PASSWORD": "{p}"})


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ("adapter: a.b:c", {"adapter": "a.b:c"}),
        ("command: [prog, '{query}', ''] ", {"command": ("prog", "{query}", "")}),
    ],
)
def test_ways_without_an_address_have_their_defaults(tmp_path: Path, way: str, expected: dict[str, Any]) -> None:
    """The answer is the list, a hit is its id."""
    assert ServiceSpec("", "@", "@", folder=tmp_path, **expected) == spec(tmp_path, f"  {way}")


@pytest.mark.parametrize("password", ["hunter2", "a:b@c/d", "", ":", "pä ß 東", "{x}", "per%cent"])
def test_basic_auth_is_a_header(tmp_path: Path, password: str) -> None:
    """Base64 of user and password in UTF-8, whatever characters they have (RFC 7617)."""
    service = URL + "  basic_auth: {user: 'us er', password: '${PASSWORD:-}'}\n  headers: {X: y}"
    header = f"Basic {base64.b64encode(f'us er:{password}'.encode()).decode()}"

    assert {"X": "y", "Authorization": header} == spec(tmp_path, service, {"PASSWORD": password}).headers


# Targets.

TARGETS = """\
  url: http://prod
  hits: hits
  id: id
  headers: {A: "1", B: "2"}
  params: {q: "{query}"}
  defaults: {lang: de}
  timeout: {read: 3, run: 60}
  retries: 1
  body: {q: "{query}"}
  targets:
    same: {}
    merged: {url: "http://staging", headers: {B: "3", C: "4"}, params: {v: "2"}, defaults: {lang: en}, timeout: {run: 9}}
    other body: {form: {q: "{query}"}, retries: 0}
    no body: {body: null, method: GET}
    function: {adapter: "a:b"}
    program: {command: [prog], concurrency: 1, hits: found}
"""
PROD = ServiceSpec(
    "http://prod",
    "hits",
    "id",
    method="POST",
    headers={"A": "1", "B": "2"},
    params={"q": "{query}"},
    defaults={"lang": "de"},
    read_timeout=3.0,
    run_timeout=60.0,
    retries=1,
    body={"q": "{query}"},
)
ALONE = replace(PROD, url="", method="GET", headers={}, params={}, body=None, retries=2)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("", PROD),
        ("same", PROD),
        (
            "merged",
            replace(
                PROD,
                url="http://staging",
                headers={"A": "1", "B": "3", "C": "4"},
                params={"q": "{query}", "v": "2"},
                defaults={"lang": "en"},
                run_timeout=9.0,
            ),
        ),
        ("other body", replace(PROD, body=None, form={"q": "{query}"}, retries=0)),
        ("no body", replace(PROD, body=None, method="GET")),
        ("function", replace(ALONE, adapter="a:b")),
        ("program", replace(ALONE, command=("prog",), concurrency=1, hits="found")),
    ],
)
def test_a_target_changes_what_it_names(tmp_path: Path, target: str, expected: ServiceSpec) -> None:
    """Mappings are merged and time limits too; one body or way to ask takes the place of another; the rest stays."""
    assert replace(expected, folder=tmp_path) == spec(tmp_path, TARGETS, {}, target=target)
    assert replace(expected, folder=tmp_path) == config(tmp_path, TARGETS).targets.get(target, spec(tmp_path, TARGETS))


def test_who_asks_is_said_anew_by_a_target(tmp_path: Path) -> None:
    """A key in place of user and password, or the reverse."""
    basic, key = "basic_auth: {user: u, password: p}", "headers: {authorization: ApiKey k, A: b}"
    first = spec(tmp_path, f"{URL}  {basic}\n  targets: {{x: {{{key}}}}}", target="x")
    second = spec(tmp_path, f"{URL}  {key}\n  targets: {{x: {{{basic}}}}}", target="x")

    assert {"authorization": "ApiKey k", "A": "b"} == first.headers
    assert {"A": "b", "Authorization": "Basic dTpw"} == second.headers


def test_only_the_variables_of_the_chosen_target_are_needed(tmp_path: Path) -> None:
    """Each developer has those of one place; a missing one is told where it stands."""
    service = URL + "  targets:\n    staging: {url: '${STAGING}'}\n    prod: {url: '${PROD}'}"
    prod = spec(tmp_path, service, {"PROD": "http://p{x}"}, target="prod")

    assert ("http://p{{x}}", (Secret("PROD", "http://p{x}"),)) == (prod.url, prod.secrets)
    assert "http://x" == spec(tmp_path, service, {}).url
    missing = ["7:20: the environment variable STAGING is not set"]
    assert missing == mistakes(tmp_path, service, {"PROD": "http://p"}, target="staging")


@pytest.mark.parametrize(
    ("targets", "known"),
    [("  targets: {staging: {}, prod: {}}", "; did you mean 'staging'?"), ("", ""), ("  targets: {}", "")],
)
def test_an_unknown_target(tmp_path: Path, targets: str, known: str) -> None:
    """The nearest one is named."""
    with pytest.raises(UsageError) as caught:
        spec(tmp_path, URL + targets, target="stagin")
    assert f"no target 'stagin' under service.targets{known}" == str(caught.value)


def test_mistakes_of_a_target_stand_at_the_target(tmp_path: Path) -> None:
    """Of each one, whichever is chosen; those that it has from the service are told once."""
    service = URL + (
        "  form: {}\n  text: x\n  targets:\n    a: {}\n    b: {url: y}\n    c: {transform: {regex: x}, tls: {ca: no}}\n"
        "    d: {command: [x], retries: 1}"
    )
    expected = [
        "7:9: service: a request has one of form and text, not both",
        f"11:28: service.targets.c: expected one group, {GROUPS}, found 0; (?:...) does not count",
        f"11:42: service.targets.c: there is no file '{tmp_path}/no'",
        "12:32: service.targets.d: 'retries' belongs to a url; 'command' makes its own requests",
    ]

    assert expected == mistakes(tmp_path, service)
    assert expected == mistakes(tmp_path, service, {}, target="a")


def test_another_address_for_once(tmp_path: Path) -> None:
    """Of the service or of a target; the rest stays."""
    assert replace(PROD, url="http://u", folder=tmp_path) == spec(tmp_path, TARGETS, url="http://u")
    assert "1" == spec(tmp_path, TARGETS, url="http://u", target="merged").headers["A"]


LOOKUPS = "  fingerprint: {url: 'http://u:p@a.example/v'}\n  exists: {url: 'http://admin:9200/d/{id}'}\n"


@pytest.mark.parametrize(
    ("own", "aim", "lost"),
    [
        pytest.param("http://a.example/s", {}, (), id="the service of the config"),
        pytest.param(
            "http://a.example/s", {"url": "http://A.example:80/other"}, (), id="another path of the same host"
        ),
        pytest.param(
            "http://a.example/s", {"url": "https://a.example/s"}, ("fingerprint", "exists"), id="other scheme"
        ),
        pytest.param("http://b.example/s", {"url": "http://a.example/s"}, ("exists",), id="the host of one of them"),
        pytest.param("http://a.example/s", {"url": "http://b/s"}, ("fingerprint", "exists"), id="another host"),
        pytest.param("${A}/s", {"url": "http://b/s"}, ("fingerprint", "exists"), id="another than a variable names"),
        pytest.param("http://a.example/s", {"target": "moved"}, ("fingerprint", "exists"), id="a target elsewhere"),
        pytest.param("http://a.example/s", {"target": "whole"}, (), id="a target with its own"),
        pytest.param("http://a.example/s", {"target": "half"}, ("exists",), id="a target with one of its own"),
        pytest.param("http://a.example/s", {"target": "near"}, (), id="a target on the same host"),
        pytest.param(
            "http://a.example/s",
            {"target": "whole", "url": "http://d/s"},
            ("fingerprint", "exists"),
            id="another address for a target with its own",
        ),
    ],
)
def test_the_index_of_another_host_is_not_asked(
    tmp_path: Path, own: str, aim: dict[str, str], lost: tuple[str, ...]
) -> None:
    """Its answers would be taken for those of the service that is measured."""
    targets = (
        "  targets:\n"
        "    moved: {url: 'http://c/s'}\n"
        "    half: {url: 'http://c/s', fingerprint: {url: 'http://c/v'}}\n"
        "    whole: {url: 'http://c/s', fingerprint: {url: 'http://c/v'}, exists: {url: 'http://admin-c/{id}'}}\n"
        "    near: {url: 'http://a.example/t'}\n"
    )
    found = config(tmp_path, f"  url: '{own}'\n  hits: hits\n  id: id\n{LOOKUPS}{targets}", None, **aim)
    asked = {"fingerprint": found.service.fingerprint, "exists": found.service.exists}

    assert lost == found.not_asked
    assert {key: key in lost for key in asked} == {key: lookup is None for key, lookup in asked.items()}


def test_variables_of_another_way_to_ask_may_be_missing(tmp_path: Path) -> None:
    """A target that is no address has no use for the headers of the service, nor another body for its body."""
    service = (
        "  url: '${A}/s'\n  hits: hits\n  id: id\n  headers: {X: '${B}'}\n  body: {q: '${C}'}\n"
        "  targets: {own: {adapter: 'm:f'}, form: {url: 'http://x', form: {q: '{query}'}}}"
    )

    assert "m:f" == spec(tmp_path, service, {}, target="own").adapter
    assert "http://x" == spec(tmp_path, service, {"B": "b"}, target="form").url


@pytest.mark.parametrize(
    ("method", "expected"),
    [("QUERY", "QUERY"), ("search", "SEARCH"), ("post", "POST"), ("get", "GET"), ("X-FIND", "X-FIND")],
)
def test_any_method_with_a_body(tmp_path: Path, method: str, expected: str) -> None:
    """However it is written; whether it takes a body is for the service to say."""
    found = spec(tmp_path, URL + f"  method: {method}\n  text: x")

    assert (expected, "x") == (found.method, found.text)


def test_several_values_of_one_name(tmp_path: Path) -> None:
    """A list; unquoted, numbers are texts too. A target's takes its place."""
    keys = "  params: {fq: [a:1, 7], q: x}\n  form: {a: [b]}\n  targets: {t: {params: {fq: ['c']}}}"
    found, aimed = spec(tmp_path, URL + keys), spec(tmp_path, URL + keys, target="t")

    assert ({"fq": ["a:1", "7"], "q": "x"}, {"a": ["b"]}) == (found.params, found.form)
    assert {"fq": ["c"], "q": "x"} == aimed.params
