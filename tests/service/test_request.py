"""A value arrives as it was written, wherever its placeholder stands."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgate.files.service_spec import Lookup, Secret, ServiceSpec
from rankgate.service.check import Fault, check, params_in_url, placeholders
from rankgate.service.client import Ask, measure
from rankgate.service.request import Request, Step, Templates
from rankgate.service.template import Template, TemplateError
from tests.service.support import Project

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from rankgate.core.judgments import JsonValue
    from tests.service.conftest import Service

AWKWARD = [
    "c++ a/b #1 ?x=y",
    'say "hello" {query} {{depth}} }',
    "100% & more; 50%25 %41 %",
    "tab\tnewline\nreturn\r\n",
    "naïve café 東京 🧑‍🚒",
    "..",
    ".",
    "../../etc",
    "a=b&c=d",
    "'); --",
    " leading and trailing ",
    "\\ back \\n slash",
    "\x00\x7f",
]


def spec(**changes: "Any") -> ServiceSpec:
    """A spec that needs no server."""
    return ServiceSpec(**{"url": "http://h/s", "hits": "hits", "id": "id", **changes})


def build(query: str = "a b", values: "dict[str, JsonValue] | None" = None, **changes: "Any") -> Request:
    """The request for page 3 of 20 hits each."""
    return Templates.compile(spec(**changes)).build(Ask("q1", query, values or {}), Step(20, 40, 3))


def everywhere(echo: "Service", text: str) -> None:
    """Send *text* in every place and compare what the server decodes."""
    places: dict[str, Any] = {
        "url": f"http://{echo.address}/in/{{query}}/path?fixed=1&in_url={{query}}",
        "params": {"q": "{query}", "around": "<{query}>"},
        "method": "POST",
    }
    for body in ({"body": {"q": "{query}", "deep": [{"around": "<{query}>"}]}}, {"form": {"q": "{query}"}}):
        echo.requests.clear()
        run = measure(echo.spec(**places, **body), [Ask("q1", text)], 10)
        assert {} == run.failures
        request = echo.requests[-1]
        assert f"/in/{text}/path" == request.path
        assert {"fixed": ["1"], "in_url": [text], "q": [text], "around": [f"<{text}>"]} == request.params
        if "body" in body:
            assert {"q": text, "deep": [{"around": f"<{text}>"}]} == request.json
        else:
            assert {"q": [text]} == request.form


@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_texts_arrive(echo: "Service", text: str) -> None:
    """Quotes, braces, &, %, +, #, newlines, dots and emoji arrive in URL, parameters, JSON and form (A07)."""
    everywhere(echo, text)


@settings(deadline=None, max_examples=60)
@given(text=st.text(st.characters(codec="utf-8"), min_size=1))
def test_any_text_arrives(echo: "Service", text: str) -> None:
    """Any text that has a UTF-8 form arrives in every place."""
    everywhere(echo, text)


@pytest.mark.parametrize("text", ["naïve 東京 🧑‍🚒", 'say "x" {y}', "100% & #1 + ?"])
def test_headers_carry_utf8(echo: "Service", text: str) -> None:
    """A header's value is sent as UTF-8."""
    run = measure(echo.spec(headers={"X-Query": "<{query}>"}), [Ask("q1", text)], 10)
    assert {} == run.failures
    assert f"<{text}>" == echo.requests[-1].headers["x-query"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("two\nlines", r"header 'X-Q' would hold the control character '\n'"),
        ("a\rb", r"control character '\r'"),
        ("a\x00b", r"control character '\x00'"),
        ("a ", "would begin or end with a blank"),
    ],
)
def test_headers_refuse_what_they_cannot_carry(text: str, fault: str) -> None:
    """A line feed would start another header, an outer blank would be lost: both are refused by name."""
    with pytest.raises(TemplateError) as caught:
        build(text, headers={"X-Q": "{query}"})
    assert fault in str(caught.value)


def test_half_a_character_is_refused() -> None:
    """A lone surrogate has no UTF-8 form; the message says so and nothing is sent in its place."""
    for places in ({"params": {"q": "{query}"}}, {"body": "{query}"}, {"headers": {"X-Q": "{query}"}}):
        with pytest.raises(TemplateError, match="half a character"):
            build("a\ud800", **places)


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{depth}", 20),
        ("{offset}", 40),
        ("{page}", 3),
        ("{query}", "a b"),
        ("{flag}", True),
        ("{none}", None),
        ("{list}", ["x", 1]),
        ("{object}", {"k": 1.5}),
        ("<{depth}>", "<20>"),
        ("{flag} {none} {list}", 'true null ["x", 1]'),
        ("{depth}{page}", "203"),
        ("{{depth}}", "{depth}"),
        ("{{{depth}}}", "{20}"),
        ("no placeholder", "no placeholder"),
        ("", ""),
        (7, 7),
        (None, None),
        ([1, {"a": "{depth}"}], [1, {"a": 20}]),
    ],
)
def test_a_json_value_of_one_placeholder_keeps_its_type(template: "JsonValue", expected: object) -> None:
    """``"{depth}"`` becomes the number 20; within a longer text it is text."""
    import json

    params: dict[str, JsonValue] = {"flag": True, "none": None, "list": ["x", 1], "object": {"k": 1.5}}
    content = build(values=params, body={"value": template}).content
    assert content is not None
    assert {"value": expected} == json.loads(content)


def test_fixed_parameters_of_the_url_stay() -> None:
    """``params`` are added to the query string of the URL and replace nothing (A05)."""
    url = build("x y", url="http://h/search?size=50&lang=de", params={"q": "{query}"}).url
    assert "http://h/search?size=50&lang=de&q=x%20y" == url
    assert "http://h/search?q=x" == build("x", url="http://h/search?", params={"q": "{query}"}).url
    assert "http://h/search?a&q=x" == build("x", url="http://h/search?a&", params={"q": "{query}"}).url


def test_a_parameter_in_both_places_is_reported() -> None:
    """The same name in the URL and in ``params`` is a mistake (A05)."""
    both = spec(url="http://h/s?q=1&size=5", params={"q": "{query}", "lang": "de"})
    assert ("q",) == params_in_url(both)
    assert (Fault("params.q", "'q' is in the query string of the url too; keep one of them"),) == check(both)


def test_params_of_the_query_go_before_the_defaults() -> None:
    """A query's own value wins over the config's; neither can replace a built-in name."""
    url = build(
        "text",
        {"locale": "en", "query": "other"},
        url="http://h/{locale}/{query}/{segment}",
        defaults={"locale": "de", "segment": "all", "depth": 1},
    ).url
    assert "http://h/en/text/all" == url


def test_a_placeholder_without_value_is_named() -> None:
    """A query that does not give a param that the template needs cannot be asked."""
    with pytest.raises(TemplateError, match=r"no value for \{locale\}: give it in the query's params or"):
        build(url="http://h/{locale}")


@pytest.mark.parametrize(
    ("text", "literals", "names"),
    [
        ("", ("",), ()),
        ("plain", ("plain",), ()),
        ("{a}", ("", ""), ("a",)),
        ("x{a}y{b-c.d_1}z", ("x", "y", "z"), ("a", "b-c.d_1")),
        ("{{}}", ("{}",), ()),
        ("{{{a}}}", ("{", "}"), ("a",)),
        ("{größe}", ("", ""), ("größe",)),
    ],
)
def test_templates_are_read(text: str, literals: tuple[str, ...], names: tuple[str, ...]) -> None:
    """A placeholder is a name in braces; doubled braces are braces."""
    assert Template(literals, names) == Template.parse(text)


@pytest.mark.parametrize("text", ["{", "}", "a { b", "{a", "a}", "{1a}", "{a b}", "{}", '{"q": 1}', "{{a}"])
def test_a_lone_brace_is_an_error(text: str) -> None:
    """A brace that belongs to nothing is refused with its place, and both right spellings."""
    with pytest.raises(TemplateError, match=r"a lone '[{}]' at '.*: a placeholder is {name}, a literal brace is"):
        Template.parse(text)


def test_all_mistakes_come_at_once() -> None:
    """``check`` lists every faulty place; unknown names come with the nearest known one."""
    faulty = spec(
        url="http://h/{qurey}",
        headers={"X-{a}": "1", "bad name": "{lokale}", "Content-Length": "5"},
        body={"a": ["{", {"b": "{dept}"}]},
        page_size=10,
    )
    assert {
        "url": "unknown placeholder {qurey}; did you mean 'query'?",
        "headers.bad name": "'bad name' cannot be the name of a header",
        "headers.Content-Length": "'Content-Length' follows from the body and cannot be set",
        "headers.X-{a}": "'X-{a}' cannot be the name of a header",
        "body.a[1].b": "unknown placeholder {dept}; did you mean 'depth'?",
        "body.a[0]": "a lone '{' at '{': a placeholder is {name}, a literal brace is {{",
        "page_size": "pages are asked for, but no template has {offset} or {page}",
    } == {fault.place: fault.message for fault in check(faulty, ["locale"]) if "lokale" not in fault.message}
    assert Fault("headers.bad name", "unknown placeholder {lokale}; did you mean 'locale'?") in check(
        faulty, ["locale"]
    )


def test_mistakes_are_told_without_secrets() -> None:
    """A message quotes a piece of the template; the value of a variable in it does not show, not even in part."""
    secrets = (Secret("KEY", "hunter22-and-a-long-tail"), Secret("ODD", "brace{brace"))
    faulty = spec(headers={"A": "{ hunter22-and-a-long-tail", "B": "brace{brace"}, secrets=secrets)
    lone = "a lone '{' at '{ [KEY]': a placeholder is {name}, a literal brace is {{"
    odd = "a lone brace in the value of a variable; a literal brace is doubled"
    assert (Fault("headers.A", lone), Fault("headers.B", odd)) == check(faulty)


@pytest.mark.parametrize(
    ("secret", "changes", "place", "message"),
    [
        ("a-secret-with-a-tail", {"fingerprint": Lookup("http://h/{ $", "")}, "fingerprint.url", "a lone '{' at '{ [KEY]': "),
        ("a-secret-with-a-tail", {"exists": Lookup("http://h/{id}/{ $", "")}, "exists.url", "a lone '{' at '{ [KEY]': "),
        ("a/long-tail", {"url": "http://u:$@h/s"}, "url", "not an address; a '/', '?' or '@' in a secret is written "),
        ("a/long-tail", {"fingerprint": Lookup("http://u:$@h/s", "")}, "fingerprint.url", "not an address; a '/', "),
        ("a#long-tail", {"url": "http://h/s?k=$&q={query}"}, "url", "what follows '#' is never sent; a literal '#' is %23 (found in the value of a variable)"),
        ("a#long-tail", {"url": "http://h/s#$"}, "url", "what follows '#' is never sent; a literal '#' is %23 (found '#[KEY]')"),
        ("a{{long-tail", {"headers": {"A": "{ $"}}, "headers.A", "a lone '{' at '{ [KEY]': "),
        ("a}long-tail", {"body": {"a": ["{ $"]}}, "body.a[0]", "a lone '{' at '{ [KEY]': "),
        ("a long-tail", {"id": "a.$["}, "id", "path 'a.[KEY][': cannot be read from column "),
    ],
)  # fmt: skip
def test_no_message_holds_half_a_secret(secret: str, changes: "dict[str, Any]", place: str, message: str) -> None:
    """A piece that is cut out of a text is cut after the secrets are gone; ``$`` is the value as the file has it."""
    doubled = secret.replace("{", "{{").replace("}", "}}")

    def filled(value: "Any") -> "Any":
        if isinstance(value, Lookup):
            return replace(value, url=filled(value.url))
        if isinstance(value, dict):
            return {key: filled(child) for key, child in value.items()}
        if isinstance(value, list):
            return [filled(child) for child in value]
        return value.replace("$", secret if "id" in changes else doubled)

    (fault, *_) = check(spec(**filled(changes), secrets=(Secret("KEY", secret),)))

    assert place == fault.place
    assert fault.message.startswith(message)
    assert "tail" not in fault.message


@pytest.mark.parametrize(
    "url", ["${SEARCH_URL}/x?q={query}", "http://${HOST}:${PORT}/{query}", "${SCHEME}://h/{query}"]
)
def test_variables_without_an_environment_are_no_mistake(url: str) -> None:
    """Commands that ask no service leave ``${NAME}`` as it is, and still check the templates."""
    given = spec(url=url, headers={"Authorization": "ApiKey ${KEY}"}, body={"a": "${KEY} {depth}"})
    assert () == check(given)
    assert {"query": ("url",), "depth": ("body.a",)} == placeholders(given)
    assert ("body", "unknown placeholder {KEY}; known: depth, offset, page, query") in check(spec(body="{KEY}"))


def test_a_value_that_is_no_json() -> None:
    """NaN has no JSON form."""
    with pytest.raises(TemplateError, match="cannot be written as JSON"):
        build(values={"x": float("nan")}, body="{x}")


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("search.example.com/x", "must begin with http:// or https:// and a host"),
        ("ftp://h/x", "must begin with http:// or https:// and a host"),
        ("http:///x", "must begin with http:// or https:// and a host"),
        ("http://{query}.example.com/", "a placeholder may stand in the path and the query string only"),
        ("http://h/x#y?q={query}", "what follows '#' is never sent; a literal '#' is %23 (found '#y?q={query}')"),
        ("http://h:port/", "not an address: Port could not be cast to integer value as 'port'"),
        ("http://[::1/", "not an address: Invalid IPv6 URL"),
    ],
)
def test_addresses_that_cannot_work(url: str, fault: str) -> None:
    """An address that would be sent wrongly, or to somebody else, is a mistake of the config."""
    assert [("url", fault)] == list(check(spec(url=url)))


def test_placeholders_are_listed_with_their_places() -> None:
    """Each name comes with every place that uses it; unreadable templates are left to ``check``."""
    given = spec(
        url="http://h/{index}",
        params={"q": "{query} {query}"},
        headers={"X": "{query}"},
        body=["{query}", "{", {"size": "{depth}"}],
        form={"f": "{page}"},
    )
    assert {
        "index": ("url",),
        "query": ("headers.X", "params.q", "body[0]"),
        "page": ("form.f",),
        "depth": ("body[2].size",),
    } == placeholders(given)


def test_headers_that_are_always_sent() -> None:
    """The media types follow the body, and the config may set its own in any case."""
    assert b"application/json" == dict(build(body={}).headers)["Content-Type"]
    assert b"application/x-www-form-urlencoded" == dict(build(form={}).headers)["Content-Type"]
    assert "Content-Type" not in dict(build().headers)
    own = dict(build(body={}, headers={"content-type": "application/vnd.x+json", "ACCEPT": "*/*"}).headers)
    assert {"content-type": b"application/vnd.x+json", "ACCEPT": b"*/*"}.items() <= own.items()
    assert not {"Content-Type", "Accept"} & own.keys()


def test_user_and_password_go_into_a_header() -> None:
    """Credentials in the address become Basic ones and are not in the address that is shown."""
    request = build(url="http://us%40er:pass:w%2Ford@h:81/x@y?z=@")
    assert "http://h:81/x@y?z=@" == request.url
    assert b"Basic dXNAZXI6cGFzczp3L29yZA==" == dict(request.headers)["Authorization"]
    assert "GET http://h:81/x@y" == request.place
    own = build(url="http://u:p@h/x", headers={"authorization": "Bearer t"})
    assert "Authorization" not in dict(own.headers)


def test_the_repr_shows_no_secret() -> None:
    """A request in a traceback shows its method only."""
    assert "Request(method='GET')" == repr(build(headers={"X": "secret"}))


@pytest.mark.parametrize("method", ["GET", "QUERY", "SEARCH", "post", "REPORT"])
@pytest.mark.parametrize("kind", [{"body": {"q": "{query}"}}, {"text": "{query}"}, {"form": {"q": "{query}"}}])
def test_any_method_takes_a_body(echo: "Service", method: str, kind: "dict[str, Any]") -> None:
    """Elasticsearch documents GET with one, and HTTP has a method of its own for a search."""
    echo.requests.clear()
    run = measure(echo.spec(method=method, params={}, **kind), [Ask("q1", "a b")], 10)

    assert {} == run.failures
    assert method.upper() == echo.requests[0].method
    assert echo.requests[0].body in {b'{"q": "a b"}', b"a b", b"q=a+b"}


@pytest.mark.parametrize("name", ["depth", "offset", "page", "query"])
def test_a_default_for_what_rankgate_says_itself_is_a_fault(name: str) -> None:
    """It would never be sent. A first cursor is."""
    url = "http://h/s?q={query}&c={page}"
    expected = Fault(f"defaults.{name}", f"{{{name}}} is rankgate's own, so no default takes its place; rename it")

    assert (expected,) == check(spec(url=url, defaults={name: 1}))
    assert () == check(spec(url=url, defaults={"cursor": "*", "lang": 1}))


@pytest.mark.parametrize(
    ("param", "why"),
    [
        ("depth", "its param 'depth' is not sent: {depth} is rankgate's own; rename it"),
        ("query", "its param 'query' is not sent: {query} is rankgate's own; rename it"),
        ("lnag", "no template of the service has its param 'lnag'; did you mean 'lang'?"),
    ],
)
def test_a_param_that_is_not_sent_is_a_warning(tmp_path: "Path", param: str, why: str) -> None:
    """A misspelt one, and one of a name that rankgate has a value for itself; not one that only makes a slice."""
    service = {"url": "http://h/s?q={query}&n={depth}&l={lang}", "hits": "hits", "id": "id", "defaults": {"lang": "de"}}
    project = Project(tmp_path)
    project.write(service, {"q1": "boots"})
    queries = [{"id": "q1", "text": "boots", "judgments": {"d1": 3}, "params": {param: "5"}}]
    (tmp_path / "queries" / "all.yaml").write_text(json.dumps({"queries": queries}), encoding="utf-8")
    config = tmp_path / "rankgate.yaml"
    warned = project.run("validate").stderr
    config.write_text(config.read_text(encoding="utf-8") + f"slice_by: [{param}]\n", encoding="utf-8")

    assert f"query 'q1': {why}" in warned
    assert "its param" not in project.run("validate").stderr


@pytest.mark.parametrize("param", ["query", "depth", "page"])
def test_a_param_that_is_not_sent_makes_no_request_another(tmp_path: "Path", param: str) -> None:
    """Every query would get the same answer."""
    project = Project(tmp_path)
    project.write({"url": "http://h/s?n={depth}&p={page}", "hits": "hits", "id": "id"}, {"q1": "boots"})
    queries = [{"id": "q1", "text": "boots", "judgments": {"d1": 3}, "params": {param: "5"}}]
    (tmp_path / "queries" / "all.yaml").write_text(json.dumps({"queries": queries}), encoding="utf-8")
    result = project.run("validate")

    assert 2 == result.code
    assert "{query} stands nowhere" in result.stderr
