"""From one answer to the paths that fit it."""

from typing import Any

import pytest

from rankgate.errors import UsageError
from rankgate.service.discovery import Address, Shape, shape_of

ELASTICSEARCH = {
    "took": 3,
    "_shards": {"total": 1, "failed": 0},
    "hits": {
        "total": {"value": 40, "relation": "eq"},
        "hits": [
            {"_index": "p", "_id": "a", "_score": 2.5, "_source": {"title": "A"}},
            {"_index": "p", "_id": "b", "_score": 1.5, "_source": {"title": "B"}},
        ],
    },
}
TYPESENSE = {
    "found": 7,
    "request_params": {"q": "shoes"},
    "hits": [{"document": {"id": "a", "name": "A"}, "text_match": 1157451470904229898, "highlights": [{"field": "t"}]}],
}
SOLR = {"responseHeader": {"params": {"q": "shoes"}}, "response": {"numFound": 9, "docs": [{"id": 17}, {"id": 18}]}}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param(
            ELASTICSEARCH,
            Shape("hits.hits", "_id", "a", 2, "_score", "_source.title", "hits.total.value"),
            id="elasticsearch",
        ),
        pytest.param(
            TYPESENSE,
            Shape("hits", "document.id", "a", 1, "text_match", "document.name", "found"),
            id="typesense",
        ),
        pytest.param(
            SOLR,
            Shape("response.docs", "id", "17", 2, total="response.numFound"),
            id="solr",
        ),
        pytest.param([{"sku": "a"}, {"sku": "b"}], Shape("@", "sku", "a", 2), id="the answer is the list"),
        pytest.param({"ids": ["a", "b"]}, Shape("ids", "@", "a", 2), id="the hits are the ids"),
        pytest.param(
            {"columns": ["id", "title"], "rows": [["a", "A"], ["b", "B"]]},
            Shape("rows", "[0]", "a", 2),
            id="rows of columns before the names of the columns",
        ),
        pytest.param(
            {"facets": [{"name": "x"}], "items": [{"product-id": "a"}]},
            Shape("items", '"product-id"', "a", 1),
            id="a name that only ends like an id, in quotes for its hyphen",
        ),
        pytest.param(
            {"results": [{"id": 1, "group": 5}, {"id": 2, "group": 5}]},
            Shape("results", "id", "1", 2),
            id="an id is different in every hit",
        ),
    ],
)
def test_the_paths_that_fit(answer: Any, expected: Shape) -> None:
    """Usual names before others, shallow before deep; what is in no usual place is left out."""
    assert expected == shape_of(answer, "shoes")


@pytest.mark.parametrize(
    ("text", "repeated", "expected"),
    [
        ("Red  Shoes", "Red  Shoes", "q"),
        ("Red  Shoes", "red  shoes", ""),
        ("Red  Shoes", "Red Shoes", ""),
        ("red  shoes", "red  shoes", ""),
        ("Red Shoes", "Red Shoes", ""),
        (" Shoes  ", " Shoes  ", ""),
        ("", "", ""),
    ],
)
def test_an_echo_that_may_be_tidied_is_not_proposed(text: str, repeated: str, expected: str) -> None:
    """A service that repeats all in small letters or without double blanks would fail at the first query with some."""
    found = shape_of({"q": repeated, "hits": [{"id": "a"}]}, text)

    assert found is not None
    assert expected == found.echo


def test_params_of_one_name() -> None:
    """They are one key of the config, in the order of the address."""
    found = Address.of("http://h/s?fq=a&q=x&fq=b")

    assert {"fq": ["a", "b"], "q": "{query}"} == found.fields


@pytest.mark.parametrize("answer", [{}, {"hits": []}, {"hits": [{"price": 1.5}]}, "text", {"a": [True, False]}])
def test_no_list_with_ids(answer: Any) -> None:
    """Nothing is made up."""
    assert None is shape_of(answer, "shoes")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "http://h/s?q=red+shoes&size=5&lang=de",
            Address("http://h/s", (("q", "{query}"), ("size", "{depth}"), ("lang", "de")), "red shoes"),
        ),
        ("http://h/s/{query}?size=5", Address("http://h/s/{query}", (("size", "{depth}"),), "")),
        ("http://h/s?find={query}&f={{a}}", Address("http://h/s", (("find", "{query}"), ("f", "{{a}}")), "")),
        ("http://h/s?query=a&filter={x}", Address("http://h/s", (("query", "{query}"), ("filter", "{{x}}")), "a")),
        ("https://h/s?q=a#top", Address("https://h/s", (("q", "{query}"),), "a")),
    ],
)
def test_where_the_query_stands(url: str, expected: Address) -> None:
    """A usual parameter, or {query}; what else is in the address stays as it is."""
    assert expected == Address.of(url)


@pytest.mark.parametrize(
    ("url", "says"), [("http://h/s?find=a", "looks like the text of a query"), ("h/s?q=a", "http")]
)
def test_an_address_without_a_query(url: str, says: str) -> None:
    """It is refused, with what to write."""
    with pytest.raises(UsageError, match=says):
        Address.of(url)
