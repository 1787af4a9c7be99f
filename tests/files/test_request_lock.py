"""What a later run can say was asked differently, and what is never written down for it."""

import json
from pathlib import Path
from typing import Final

import pytest

from rankgate import app
from rankgate.core.rankings import Ranking, Run
from rankgate.files import gate_file, run_file
from rankgate.files.gate_file import Aim
from rankgate.files.request_lock import request_lock
from rankgate.files.yaml_values import YamlValue

SERVICE: Final = """\
url: http://h/search
params: {q: "{query}", boost: 2}
hits: hits
id: id
"""


def lock(folder: Path, service: str = SERVICE, target: str = "", rest: str = "") -> dict[str, str]:
    """The lock of a config with *service*, read as every command reads it."""
    block = "".join(f"  {line}\n" for line in service.splitlines())
    path = folder / "rankgate.yaml"
    path.write_text(f"version: 1\nservice:\n{block}gate: {{P@1: {{floor: 0.5}}}}\n{rest}", encoding="utf-8")
    return dict(gate_file.load(path, None, Aim(target=target)).request)


def changed(folder: Path, service: str, again: str, target: str = "", rest: str = "") -> list[str]:
    """The keys whose digests differ between two configs; *target* and *rest* are of the second."""
    before, now = lock(folder, service), lock(folder, again, target, rest)
    return sorted(key for key in {*before, *now} if before.get(key) != now.get(key))


def test_each_part_of_the_request_has_a_short_digest(tmp_path: Path) -> None:
    """By key, mappings one level deep, in the order of the alphabet; the depth is asked for too."""
    found = lock(tmp_path)

    assert ["depth", "hits", "id", "params.boost", "params.q", "url"] == list(found)
    assert {12} == {len(digest) for digest in found.values()}
    assert len(found) == len(set(found.values()))


@pytest.mark.parametrize(
    ("found", "wanted", "keys"),
    [
        ("boost: 2", "boost: 3", ["params.boost"]),
        ("boost: 2", "synonyms: 2", ["params.boost", "params.synonyms"]),
        ("http://h/search", "http://h/v2/search", ["url"]),
        ("http://h/search", "http://h/search?index=b", ["url"]),
        ("hits: hits", "hits: results", ["hits"]),
        ("id: id", "id: sku", ["id"]),
        ("id: id", "id: id\ntransform: {regex: '^(.*)#'}", ["transform.regex"]),
        ("id: id", "id: id\ncollapse: 3", ["collapse"]),
        ("id: id", "id: id\ndefaults: {locale: de}", ["defaults.locale"]),
        ("id: id", "id: id\nheaders: {X-Variant: b}", ["headers.X-Variant"]),
        ("id: id", "id: id\nbody: {query: {match: x}, size: 3}", ["body.query", "body.size"]),
        ("id: id", "id: id\nbody: [1, 2]", ["body"]),
        ("id: id", "id: id\nform: {q: x}", ["form.q"]),
        ("id: id", "id: id\ntext: <q/>", ["text"]),
        ("id: id", "id: id\ngraphql: {query: '{a}'}", ["graphql.query"]),
        ("id: id", "id: id\nmethod: POST", ["method"]),
    ],
)
def test_what_decides_which_documents_come_back_is_in_it(
    found: str, wanted: str, keys: list[str], tmp_path: Path
) -> None:
    """One key of the service is changed; that one is named."""
    assert keys == changed(tmp_path, SERVICE, SERVICE.replace(found, wanted))


def test_a_program_is_asked_by_its_arguments_and_a_function_by_its_name(tmp_path: Path) -> None:
    """Services that are no HTTP API."""
    assert ["command"] == changed(tmp_path, "command: [find, a]", "command: [find, b]")
    assert ["adapter"] == changed(tmp_path, "adapter: shop:find", "adapter: shop:find_all")


def test_the_depth_is_in_it(tmp_path: Path) -> None:
    """An approximate index finds other documents when more are asked for; the default is no other depth."""
    assert ["depth"] == changed(tmp_path, SERVICE, SERVICE, rest="depth: 60\n")
    assert [] == changed(tmp_path, SERVICE, SERVICE, rest="depth: 50\n")


@pytest.mark.parametrize(
    "further",
    [
        "timeout: {connect: 1, read: 2, run: 3}",
        "concurrency: 2",
        "retries: 0",
        "requests_per_second: 5",
        "partial: [degraded]",
        "page_size: 5\nmax_pages: 3\nnext_page: {url: next}",
        "score: s\ntitle: t\nsnippet: u\ntotal: v\necho: w",
        "http2: true",
        "basic_auth: {user: u, password: hunter2}",
        "fingerprint: {url: http://h/index}\nexists: {url: 'http://h/doc/{id}'}",
        "targets: {staging: {params: {boost: 7}}}",
    ],
)
def test_what_only_says_how_is_not_in_it(further: str, tmp_path: Path) -> None:
    """Patience, manners, credentials, what is for the reader, and targets that are not asked."""
    assert [] == changed(tmp_path, SERVICE, SERVICE + further)


@pytest.mark.parametrize(
    "address",
    [
        "http://other-host:9200/search",
        "https://h/search",
        "http://user:hunter2@h/search",
        "http://${HOST}:9200/search",
        "${SEARCH_URL:-http://127.0.0.1:9200}/search",
        "http://[::1]:80/search",
        "http://h/search?api_key=hunter2",
    ],
)
def test_of_an_address_neither_host_nor_credentials_are_in_it(address: str, tmp_path: Path) -> None:
    """All IPv4 addresses are soon tried; and the same path on another host is asked the same."""
    assert [] == changed(tmp_path, SERVICE, SERVICE.replace("http://h/search", address))


@pytest.mark.parametrize(
    "key",
    [
        "Authorization",
        "X-Api-Key",
        "api_key",
        "apikey",
        "access_token",
        "X-Auth",
        "Cookie",
        "client_secret",
        "password",
    ],
)
def test_a_credential_is_left_out_by_its_name(key: str, tmp_path: Path) -> None:
    """A digest of a short secret could be searched for. At any depth; and another key is no other question."""
    for form in (f"headers: {{{key}: {{}}}}", f"body: {{query: x, {key}: {{}}}}", f"body: {{query: {{{key}: {{}}}}}}"):
        first, second = (SERVICE + form.replace("{}", secret) for secret in ("hunter2", "hunter3"))

        assert [] == changed(tmp_path, first, second)
        assert [] == [name for name in lock(tmp_path, first) if key in name]


@pytest.mark.parametrize("key", ["drop_tokens_threshold", "tokenizer", "tokenize", "max_tokens"])
def test_a_word_of_a_text_is_no_credential(key: str, tmp_path: Path) -> None:
    """A key about tokens may well decide which documents come back."""
    assert [f"params.{key}"] == changed(tmp_path, SERVICE, SERVICE.replace("boost: 2", f"boost: 2, {key}: 5"))


def test_a_method_is_the_same_in_any_case(tmp_path: Path) -> None:
    """As it is sent."""
    assert [] == changed(tmp_path, SERVICE + "method: post\n", SERVICE + "method: POST\n")
    assert ["method"] == changed(tmp_path, SERVICE + "method: post\n", SERVICE + "method: QUERY\n")


@pytest.mark.parametrize(("before", "after"), [("[a]", "a"), ("[a, b]", "[b, a]"), ("[a]", "[a, b]")])
def test_each_value_of_a_list_is_in_it(before: str, after: str, tmp_path: Path) -> None:
    """As it is written."""
    first, second = (SERVICE.replace("boost: 2", f"fq: {given}") for given in (before, after))
    assert ["params.fq"] == changed(tmp_path, first, second)


def test_an_author_is_no_credential(tmp_path: Path) -> None:
    """A key that only begins so."""
    assert ["params.author"] == changed(tmp_path, SERVICE, SERVICE.replace("boost: 2", "boost: 2, author: x"))


def test_of_a_variable_the_name_counts_and_not_the_value(tmp_path: Path) -> None:
    """Neither what the environment has for it nor its default; another name is another request."""
    known = SERVICE.replace("boost: 2", "boost: '${BOOST:-2}'")
    unexpanded = lock(tmp_path, known)
    expanded = [gate_file.load(tmp_path / "rankgate.yaml", {"BOOST": value}, Aim()).request for value in ("7", "9")]

    assert [unexpanded, unexpanded] == expanded
    assert [] == changed(tmp_path, known, known.replace(":-2", ":-3"))
    assert [] == changed(tmp_path, known, known.replace(":-2", ""))
    assert ["params.boost"] == changed(tmp_path, known, known.replace("BOOST", "WEIGHT"))


def test_how_the_yaml_is_written_does_not_matter(tmp_path: Path) -> None:
    """Order, quotes, block style, comments; but a number in quotes is another value in a body."""
    body = "body: {query: {match: {title: '{query}'}}, size: 10}\n"
    block = """\
id: "id"   # of a hit
hits: 'hits'
body:
  size: 10
  query:
    match: {"title": "{query}"}
params:
  boost: "2"
  q: '{query}'
url: http://h/search
"""

    assert lock(tmp_path, SERVICE + body) == lock(tmp_path, block)
    assert list(lock(tmp_path, SERVICE + body)) == list(lock(tmp_path, block))
    assert ["body.size"] == changed(tmp_path, SERVICE + body, SERVICE + body.replace("10", "'10'"))


@pytest.mark.parametrize(
    ("target", "keys"),
    [
        ("{url: http://staging/search}", []),
        ("{url: http://staging/v2}", ["url"]),
        ("{params: {boost: 7}}", ["params.boost"]),
        ("{headers: {X-Variant: b}, timeout: {read: 3}}", ["headers.X-Variant"]),
        ("{form: {q: x}}", ["body.query", "form.q"]),
        ("{adapter: 'mod:find'}", ["adapter", "body.query", "params.boost", "params.q", "url"]),
    ],
)
def test_a_target_is_merged_as_it_is_asked(target: str, keys: list[str], tmp_path: Path) -> None:
    """Mappings key by key; a body replaces the others, and a way to ask replaces all that belongs to HTTP."""
    known = SERVICE + f"body: {{query: x}}\ntargets: {{t: {target}}}\n"

    assert keys == changed(tmp_path, known, known, target="t")


@pytest.mark.parametrize(
    ("url", "same"), [("http://127.0.0.1:8000/search", True), ("http://h/v2/search", False), ("http://h/", False)]
)
def test_another_address_is_another_request_where_its_path_is(url: str, same: bool) -> None:
    """``--url`` asks elsewhere: the same of another host, or something else."""
    config: YamlValue = {"service": {"url": "http://h/search", "hits": "hits", "id": "id"}}

    assert same == (request_lock(config) == request_lock(config, url=url))


@pytest.mark.parametrize("config", [None, "text", [], {}, {"service": None}, {"service": "x"}])
def test_a_config_without_the_block_has_no_lock(config: object) -> None:
    """Nothing is known of what it asks."""
    assert {} == request_lock(config)  # type: ignore[arg-type]  # any YAML at all


def test_a_baseline_holds_no_host_no_secret_and_no_time(tmp_path: Path) -> None:
    """Its header, key by key, of a service that has them all; written twice it is the same to the byte."""
    service = SERVICE.replace("http://h/", "http://user:hunter2@search.example:9200/")
    lock(tmp_path, service + "headers: {X-Api-Key: '${KEY}'}")
    (tmp_path / "queries").mkdir()
    queries = {"queries": [{"id": "q1", "text": "red shoes", "judgments": {"a": 3}}]}
    (tmp_path / "queries" / "q.yaml").write_text(json.dumps(queries), encoding="utf-8")
    project = app.load_project(tmp_path / "rankgate.yaml", {"KEY": "hunter3"})
    answers = {"q1": Ranking(("a",))}
    written = []
    for number in range(2):
        notes = {"asked": f"2026-01-0{number}T00:00:00Z", "host": "search.example"}
        run = Run(50, answers, texts={"q1": "red shoes"}, fingerprint="products-v1", notes=notes)
        run_file.write(tmp_path / "b.jsonl", app.saved(project, run, kind="baseline"))
        written.append((tmp_path / "b.jsonl").read_text(encoding="utf-8"))
    header = json.loads(written[0].splitlines()[0])

    assert written[0] == written[1]
    assert ["rankgate", "format", "depth", "queries", "lock"] == list(header)
    assert ["judgments", "measures", "request", "fingerprint", "queries", "grades"] == list(header["lock"])
    assert ["depth", "hits", "id", "params.boost", "params.q", "url"] == list(header["lock"]["request"])
    for word in ("search.example", "9200", "hunter", "user", "2026", "red shoes"):
        assert word not in written[0].splitlines()[0]
