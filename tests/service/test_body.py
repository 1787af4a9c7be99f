"""A value arrives as it was written, whatever kind of body it stands in."""

import json
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgate.files.service_spec import Graphql, ServiceSpec
from rankgate.service.body import GraphqlBody
from rankgate.service.check import Fault, check, placeholders
from rankgate.service.client import Ask, measure

if TYPE_CHECKING:
    from tests.service.conftest import Received, Service

AWKWARD = [
    "c++ a/b #1 ?x=y",
    'say "hello" {query} {{depth}} }',
    '"{query}" """{query}""" # {depth}',
    "tab\tnewline\nreturn\r\n",
    "<b>&amp;</b> ]]> <!-- '",
    "naïve café 東京 🧑‍🚒 \u2028",
    " leading and trailing ",
    "\\ back \\n slash \\u0041 \\",
    "100% & more; 50%25 %41 %",
    "\x7f",
]
JSON = "Application/JSON; charset=utf-8"


def sent(echo: "Service", query: str = "a", params: dict[str, Any] | None = None, **changes: Any) -> "Received":
    """The one request that asks for *query*."""
    echo.requests.clear()
    spec = echo.spec(**{"method": "POST", "params": {}, **changes})
    assert {} == measure(spec, [Ask("q1", query, params or {})], 20).failures
    assert 1 == len(echo.requests)
    return echo.requests[0]


def graphql(query: str, **variables: Any) -> dict[str, Any]:
    """A change of a spec that sends GraphQL."""
    return {"graphql": Graphql(query, variables)}


def literals(query: str) -> list[str]:
    """The strings of a GraphQL document, read as the language says: its escapes are those of JSON."""
    return [json.loads(found[0]) for found in re.finditer(r'"(?:[^"\\\n]|\\.)*"', query)]


# Text.


@pytest.mark.parametrize("text", AWKWARD)
def test_a_text_that_is_json(echo: "Service", text: str) -> None:
    """Lines of JSON, as a bulk search takes them: the value is escaped within its quotes, the rest stays."""
    lines = '{{"index": "shop"}}\n{{"q": "<{query}>", "size": {depth}}}\n'
    request = sent(echo, text, text=lines, headers={"Content-Type": "application/x-ndjson"})

    assert "application/x-ndjson" == request.headers["content-type"]
    assert [{"index": "shop"}, {"q": f"<{text}>", "size": 20}] == [*map(json.loads, request.body.split(b"\n")[:2])]
    assert request.body.endswith(b"\n")


@pytest.mark.parametrize("text", AWKWARD)
def test_a_text_that_is_xml(echo: "Service", text: str) -> None:
    """In an element and in an attribute, where a reader would make a blank of a bare line feed."""
    xml = '<search size="{depth}" again="{query}"><q>{query}</q></search>'
    request = sent(echo, text, text=xml, headers={"content-type": "text/xml"})
    root = ET.fromstring(request.body)

    assert {"size": "20", "again": text} == root.attrib
    assert text == root.findtext("q")


@pytest.mark.parametrize("text", ["\x00", "bell\x07", "\x0b", "\uffff"])
def test_what_no_xml_can_hold_is_not_sent(echo: "Service", text: str) -> None:
    """The query is not measured; nothing is left out or put in its place."""
    echo.requests.clear()
    spec = echo.spec(method="POST", text="<q>{query}</q>", headers={"Content-Type": "application/xml"})
    run = measure(spec, [Ask("q1", text)], 10)

    expected = f"the request cannot be made: a value holds the character {text[-1]!r}, which no XML can hold"
    assert [("request", expected)] == [(str(each.kind), each.message) for each in run.failures.values()]
    assert [] == echo.requests


@pytest.mark.parametrize("text", [*AWKWARD, "\x00"])
def test_a_text_of_any_other_kind(echo: "Service", text: str) -> None:
    """It is sent as it is, in UTF-8, and says so."""
    request = sent(echo, text, text="q = {query}\nsize = {depth} {{}}")

    assert "text/plain; charset=utf-8" == request.headers["content-type"]
    assert f"q = {text}\nsize = 20 {{}}" == request.body.decode()


def test_the_content_type_is_read_in_any_case(echo: "Service") -> None:
    """It decides on the escapes, and is sent as it was written."""
    request = sent(echo, 'a "b"', text='["{query}"]', headers={"CONTENT-type": JSON})

    assert (JSON, ['a "b"']) == (request.headers["content-type"], request.json)


# GraphQL.


@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_texts_in_graphql(echo: "Service", text: str) -> None:
    """As a literal of the query and as a variable."""
    query = 'query($v: String!) { a: search(q: "{query}") { id } b: search(q: $v) { id } }'
    request = sent(echo, text, **graphql(query, v="{query}", around=["<{query}>"]))

    assert "application/json" == request.headers["content-type"]
    assert [text] == literals(request.json["query"])
    assert request.json["query"].endswith(") { id } b: search(q: $v) { id } }")
    assert {"v": text, "around": [f"<{text}>"]} == request.json["variables"]


@settings(max_examples=60)
@given(text=st.text(st.characters(codec="utf-8")))
def test_any_text_in_graphql(text: str) -> None:
    """No text ends its literal early."""
    body = GraphqlBody.compile(Graphql('{ s(q: "{query}", n: 1) }'))
    query = json.loads(body.fill({"query": text}))["query"]

    assert [text] == literals(query)
    assert (query.startswith('{ s(q: "'), query.endswith(", n: 1) }")) == (True, True)


def test_values_in_graphql_keep_their_type(echo: "Service") -> None:
    """A string that is just a placeholder becomes a number, a boolean, a list or null."""
    query = '{ s(first: "{depth}", exact: "{exact}", boost: "{boost}", langs: "{langs}", none: "{none}") { id } }'
    params = {"exact": True, "boost": 1.5, "langs": ["de", "en"], "none": None}
    request = sent(echo, params=params, **graphql(query, first="{depth}", exact="{exact}"))

    filled = '{ s(first: 20, exact: true, boost: 1.5, langs: ["de", "en"], none: null) { id } }'
    assert {"query": filled, "variables": {"first": 20, "exact": True}} == request.json


def test_the_rest_of_graphql_is_left_alone(echo: "Service") -> None:
    """Braces, comments, block strings and strings that are more than a placeholder are GraphQL's own."""
    query = (
        '# not "{query}"\n'
        '{ s(a: "x {word}", b: """{word} "{word}" \\""" and\\\nmore""", c: "", d: "\\"{word}", e: "{{query}}", '
        'f: "{query}") { id } } # "{nobody}'
    )
    request = sent(echo, "boots", **graphql(query))

    assert {"query": query.replace('f: "{query}"', 'f: "boots"')} == request.json


def test_placeholders_of_graphql_are_checked() -> None:
    """An unknown name is told with the nearest one, in the query and in the variables."""
    given = ServiceSpec(
        url="http://h/graphql",
        hits="data.s",
        id="id",
        method="POST",
        graphql=Graphql('{ s(q: "{qurey}", n: "{depth}", l: "{lang}") { id } }', {"page": {"size": "{dept}"}}),
    )

    assert (
        Fault("graphql.query", "unknown placeholder {qurey}; did you mean 'query'?"),
        Fault("graphql.variables.page.size", "unknown placeholder {dept}; did you mean 'depth'?"),
    ) == check(given, ["lang"])
    assert ("graphql.query",) == placeholders(given)["lang"]


@pytest.mark.parametrize(
    "string", ['"locale:{lang}"', '"{lang} and {query}"', '"""{lang}"""', '"\\"{lang}\\""', '"{query}{depth}"']
)
def test_a_placeholder_within_a_longer_string_of_graphql_is_a_fault(string: str) -> None:
    """It would be sent as it stands, and the filter that it was meant for would match nothing, or everything."""
    query = f'{{ s(q: "{{query}}", f: {string}, other: "a {{word}}") {{ id }} }} # {{lang}}'
    faults = check(ServiceSpec("http://h/g", "data.s", "id", graphql=Graphql(query)), ["lang"])

    found = [name for name in ("depth", "lang", "query") if f"{{{name}}}" in string]
    wrong = "is not filled within a longer string: write a variable, filled in graphql.variables"
    assert tuple(Fault("graphql.query", f"{{{name}}} {wrong}") for name in found) == faults


@pytest.mark.parametrize(
    ("place", "changes"),
    [
        ("body.q[0].{field}:", {"body": {"q": [{"{field}:": "{query}"}]}}),
        ("body.a{field}", {"body": {"a{field}": 1}}),
        ("form.{field}", {"form": {"{field}": "{query}"}}),
        ("params.{field}", {"params": {"{field}": "{query}"}}),
        ("graphql.variables.{field}", graphql('{ s(q: "{query}") }', **{"{field}": "x"})),
    ],
)
def test_a_placeholder_in_a_key_is_a_fault(place: str, changes: dict[str, Any]) -> None:
    """Keys are no templates. A name that nothing has a value for may be the service's own."""
    spec = ServiceSpec("http://h/s", "hits", "id", **changes)
    expected = "{field} in a key is not filled; a body under 'text' is a template throughout"

    assert (Fault(place, expected),) == check(spec, ["field"])
    assert () == check(spec)


def test_errors_of_graphql_are_no_zero_result(echo: "Service") -> None:
    """GraphQL answers 200 with what went wrong beside the data."""
    answer = {"data": {"s": []}, "errors": [{"message": "shard 3 is away"}]}
    echo.always(echo.json(answer))
    try:
        spec = echo.spec(method="POST", hits="data.s", **graphql('{ s(q: "{query}") { id } }'))
        run = measure(spec, [Ask("q1", "a")], 10)
    finally:
        echo.always(echo.hits("d1"))

    assert ["partial"] == [str(failure.kind) for failure in run.failures.values()]
    assert "shard 3 is away" in run.failures["q1"].message


# Forms.


def test_a_list_repeats_the_name(echo: "Service") -> None:
    """In the query string, as Solr's fq is given, and in a form; none of it joined, in the order written."""
    fields = {"fq": ["a:{query}", "b:2"], "one": "1", "none": []}
    echo.requests.clear()
    run = measure(echo.spec(method="POST", form=fields, params=fields), [Ask("q1", "x&y")], 20)
    (request,) = echo.requests

    assert {} == run.failures
    assert {"fq": ["a:x&y", "b:2"], "one": ["1"]} == request.params == request.form


def test_templates_of_a_list_are_checked() -> None:
    """Each with its place."""
    spec = ServiceSpec("http://h/s", "hits", "id", params={"q": "{query}", "fq": ["a", "{lnag}"]})

    assert (Fault("params.fq[1]", "unknown placeholder {lnag}; did you mean 'lang'?"),) == check(spec, ["lang"])


@pytest.mark.parametrize("text", [*AWKWARD, "a=b&c=d", "\x00"])
def test_forms(echo: "Service", text: str) -> None:
    """Each field is decoded to what was written; a field without a text is sent too."""
    request = sent(echo, text, form={"q": "{query}", "a&b": "<{query}>", "size": "{depth}", "empty": ""})

    assert "application/x-www-form-urlencoded" == request.headers["content-type"]
    assert {"q": [text], "a&b": [f"<{text}>"], "size": ["20"], "empty": [""]} == request.form


@pytest.mark.parametrize(
    "kind",
    [
        {"text": "{query}"},
        {"form": {"q": "{query}"}},
        graphql('{ s(q: "{query}") }'),
        graphql("{ s }", q="{query}"),
        {"body": ["{query}"]},
    ],
)
def test_half_a_character_is_not_sent(echo: "Service", kind: dict[str, Any]) -> None:
    """A lone surrogate has no UTF-8 form in any body."""
    echo.requests.clear()
    run = measure(echo.spec(method="POST", params={}, **kind), [Ask("q1", "a\ud800")], 10)

    assert "a value holds half a character" in run.failures["q1"].message
    assert [] == echo.requests
