"""Pages become one ranking of the depth that is wanted, or the query is not measured."""

from typing import TYPE_CHECKING, Any

import pytest

from rankgate.core.rankings import Ranking
from rankgate.files.service_spec import Graphql, NextPage, Secret
from rankgate.service.check import Fault, check
from rankgate.service.client import Ask, measure

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.service.conftest import Received, Reply, Service

CURSOR = NextPage("cursor", "next")
URL = NextPage("url", "next")
LINK = NextPage("link_header")


def page(service: "Service", number: int, following: object = None, size: int = 2) -> "Reply":
    """Page *number* of *size* hits, d0 first; *following* is what it says of the next."""
    hits = [{"id": f"d{n}"} for n in range(number * size, (number + 1) * size)]
    return service.json({"hits": hits, "next": following})


def ids(count: int) -> dict[str, Ranking]:
    """The rankings of a run in which one query has found *count* documents."""
    return {"q1": Ranking(tuple(f"d{n}" for n in range(count)))}


def missing(service: "Service", **changes: Any) -> str:
    """The message of a failure behind its place."""
    return service.failure(**changes)[1].partition("/search: ")[2]


# A cursor.

BY_TOKEN: dict[str, tuple[dict[str, Any], "Callable[[Received], object]"]] = {
    "params": ({"params": {"q": "{query}", "after": "{cursor}"}}, lambda r: r.params.get("after", [None])[0]),
    "body": ({"body": {"deep": {"after": "{cursor}"}}}, lambda r: r.json["deep"].get("after")),
    "form": ({"form": {"q": "{query}", "after": "{cursor}"}}, lambda r: r.form.get("after", [None])[0]),
    "variables": (
        {"graphql": Graphql("query($after: String) { s }", {"after": "{cursor}"})},
        lambda r: r.json["variables"].get("after"),
    ),
}


@pytest.mark.parametrize("place", BY_TOKEN)
def test_a_cursor_is_left_out_of_the_first_request(service: "Service", place: str) -> None:
    """Its key is absent, not empty; afterwards it is what the answer before said."""
    changes, cursor = BY_TOKEN[place]
    service.in_turn(page(service, 0, "c=1&"), page(service, 1, "c=2&"), page(service, 2, "c=3&"))
    method = "GET" if place == "params" else "POST"
    run = service.measure(depth=6, page_size=2, next_page=CURSOR, method=method, **changes)

    assert (ids(6), {}) == (run.rankings, run.notes)
    assert [None, "c=1&", "c=2&"] == [cursor(request) for request in service.requests]


def test_a_cursor_within_graphql_begins_as_null(service: "Service") -> None:
    """A literal cannot be left out, and null says the same."""
    service.in_turn(page(service, 0, 'c "1"'), page(service, 1))
    graphql = Graphql('{ s(after: "{cursor}", first: "{depth}") { id } }')
    run = service.measure(depth=4, page_size=2, next_page=CURSOR, graphql=graphql, method="POST", params={})

    assert ids(4) == run.rankings
    after = ["null", '"c \\"1\\""']
    assert [f"{{ s(after: {each}, first: 2) {{ id }} }}" for each in after] == [
        r.json["query"] for r in service.requests
    ]


@pytest.mark.parametrize("end", [None, "", [], {}, False, "absent"])
def test_the_end_of_a_cursor(service: "Service", end: object) -> None:
    """Null, empty or absent: there are no more."""
    last = service.hits("d2") if end == "absent" else page(service, 2, end, size=1)
    service.in_turn(page(service, 0, "c1"), last)
    run = service.measure(depth=9, page_size=2, next_page=CURSOR, params={"after": "{cursor}"})

    assert ids(3) == run.rankings
    assert 2 == len(service.requests)


def test_a_cursor_keeps_its_type(service: "Service") -> None:
    """The sort values of the last hit go back as the list that they are; an empty page ends it."""
    first = [{"id": "d0", "sort": [1.5, 7]}, {"id": "d1", "sort": [1.0, "x"]}]
    service.in_turn(*(service.json({"hits": hits}) for hits in (first, [{"id": "d2", "sort": [0.5, None]}], [])))
    body = {"size": "{depth}", "search_after": "{cursor}"}
    run = service.measure(
        depth=9, page_size=2, next_page=NextPage("cursor", "hits[-1].sort"), body=body, method="POST", params={}
    )

    assert ids(3) == run.rankings
    expected = [{"size": 2}, {"size": 2, "search_after": [1.0, "x"]}, {"size": 2, "search_after": [0.5, None]}]
    assert expected == [request.json for request in service.requests]


@pytest.mark.parametrize("round_trip", [["c1", "c1"], ["c1", "c2", "c1"]])
def test_a_cursor_that_came_before_is_a_failure(service: "Service", round_trip: list[str]) -> None:
    """It would lead round for ever, or count documents twice."""
    service.in_turn(*(page(service, number, cursor) for number, cursor in enumerate(round_trip)))
    found = missing(service, depth=20, page_size=2, next_page=CURSOR, params={"after": "{cursor}"})

    last = len(round_trip) + 1
    assert f"the cursor of page {last} came before; does the service read {{cursor}} where it stands?" == found
    assert last - 1 == len(service.requests)


def test_a_cursor_that_is_ignored(service: "Service") -> None:
    """The same hits under ever new cursors."""
    service.respond = lambda _: page(service, 0, len(service.requests))

    assert "page 2 repeats page 1; does the service read {offset}, {page} or {cursor} where they stand?" == missing(
        service, depth=20, page_size=2, next_page=CURSOR, params={"after": "{cursor}"}
    )


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"params": {"a": "x{cursor}"}}, Fault("params.a", "{cursor} must be the whole value of a key, which the first request goes without")),
        ({"url": "http://h/{cursor}"}, Fault("url", "{cursor} must be the whole value of a key, which the first request goes without")),
        ({"headers": {"X": "{cursor}"}}, Fault("headers.X", "{cursor} must be the whole value of a key, which the first request goes without")),
        ({"body": {"a": ["{cursor}"]}}, Fault("body.a[0]", "{cursor} must be the whole value of a key, which the first request goes without")),
        ({"body": "{cursor}"}, Fault("body", "{cursor} must be the whole value of a key, which the first request goes without")),
        ({}, Fault("next_page.cursor", "the cursor of the next page is read, but no template has {cursor}")),
        ({"params": {"a": "{cursor}"}, "page_size": None}, Fault("next_page", "pages are described, but page_size does not say how many hits each one has")),
        ({"params": {"a": "{cursor}"}, "next_page": NextPage("cursor", "a[")}, Fault("next_page.cursor", "path 'a[': cannot be read from column 3 on")),
    ],
)  # fmt: skip
def test_a_cursor_where_it_cannot_stand(service: "Service", changes: dict[str, Any], fault: Fault) -> None:
    """The mistakes of a config are told before anything is sent."""
    assert (fault,) == check(service.spec(**{"params": {}, "page_size": 2, "next_page": CURSOR, **changes}))


def test_a_cursor_is_unknown_where_no_answer_gives_one(service: "Service") -> None:
    """{cursor} needs next_page.cursor."""
    known = "known: depth, offset, page, query"
    fault = Fault("params.a", f"unknown placeholder {{cursor}}; {known}")

    assert (fault,) == check(service.spec(params={"a": "{cursor}"}))


@pytest.mark.parametrize("transform", ["", "^(.+)$"])
def test_pages_that_take_turns_are_a_failure(service: "Service", transform: str) -> None:
    """A, B, A, B: the third has nothing new, and would be followed for ever."""
    service.respond = lambda _: page(service, (len(service.requests) + 1) % 2)
    found = missing(service, depth=20, page_size=2, params={"from": "{offset}"}, transform=transform)

    assert found.startswith("page 3 repeats page 1; does the service read {offset}")
    assert 3 == len(service.requests)


def test_a_page_of_what_came_before_is_a_failure(service: "Service") -> None:
    """In another order, or from several pages: nothing new comes, and more would be asked for."""
    service.in_turn(page(service, 0), page(service, 1), service.hits("d3", "d0"))

    assert "page 3 has no hit that did not come before; does the service read {offset}, {page} or {cursor} where they stand?" == missing(service, depth=20, page_size=2, params={"from": "{offset}"})  # fmt: skip


# An address.


@pytest.mark.parametrize(
    "form", ["http://{address}/more?from=2&q=a%20b", "/more?from=2&q=a%20b", "more?from=2&q=a%20b"]
)
@pytest.mark.parametrize("follows", [URL, LINK])
def test_the_next_page_has_an_address(service: "Service", form: str, follows: NextPage) -> None:
    """Whole or relative, in the body or in the Link header; it is asked as it is, with the same headers and body."""
    target = form.format(address=service.address)
    first = page(service, 0, target) if follows == URL else page(service, 0)
    first.headers["Link"] = f'</first>; rel="first", <{target}>; rel="next"'
    service.in_turn(first, page(service, 1))
    run = service.measure(
        "a b", depth=4, page_size=2, next_page=follows, headers={"X-Key": "k"}, body={"q": "{query}"}, method="POST"
    )

    assert ids(4) == run.rankings
    assert ["/search?q=a%20b", "/more?from=2&q=a%20b"] == [request.target for request in service.requests]
    assert [("POST", "k", {"q": "a b"})] * 2 == [(r.method, r.headers["x-key"], r.json) for r in service.requests]


@pytest.mark.parametrize("follows", [URL, LINK])
@pytest.mark.parametrize(
    "form", ["http://{other}/more", "//{other}/more", "http://u:pw@{other}/more", "https://{own}/m"]
)
def test_another_origin_gets_nothing(
    service: "Service", other_service: "Service", form: str, follows: NextPage
) -> None:
    """Neither a request nor the credentials; the message names it without a password."""
    target = form.format(other=other_service.address, own=service.address)
    first = page(service, 0, target if follows == URL else None)
    first.headers["Link"] = f'<{target}>; rel="next"'
    service.always(first)
    found = missing(service, depth=4, page_size=2, next_page=follows, headers={"Authorization": "ApiKey k"})

    origin = f"https://{service.address}" if form.startswith("https") else f"http://{other_service.address}"
    why = "another origin, which does not get this request's credentials"
    assert f"the next page is said to be at {origin}, {why}" == found
    assert ([], 1) == (other_service.requests, len(service.requests))


@pytest.mark.parametrize(
    ("following", "message"),
    [
        (7, "what stands at service.next_page.url is no text"),
        ("http://h:port/", "the address of the next page is none: 'http://h:port/'"),
        ("http://[::1/x", "the address of the next page is none: 'http://[::1/x'"),
    ],
)
def test_an_address_that_is_none(service: "Service", following: object, message: str) -> None:
    """Whatever stands there is a failure with its reason."""
    service.always(page(service, 0, following))

    assert missing(service, depth=4, page_size=2, next_page=URL).startswith(message)


def test_addresses_that_lead_round(service: "Service") -> None:
    """Page 3 points to page 2 again."""
    service.in_turn(page(service, 0, "/a"), page(service, 1, "/b"), page(service, 2, "/a"))

    assert (
        "the address of page 4 came before"
        == service.failure(depth=20, page_size=2, next_page=URL)[1].partition("/b: ")[2]
    )


# How much is asked for.


@pytest.mark.parametrize(("depth", "asked"), [(10, ["10"]), (100, ["100"]), (101, ["100", "100"])])
def test_a_page_is_no_larger_than_what_is_wanted(service: "Service", depth: int, asked: list[str]) -> None:
    """A page size above the depth is one request for the depth."""
    service.respond = lambda r: page(service, int(r.params["p"][0]) - 7, size=int(r.params["k"][0]))
    params = {"k": "{depth}", "p": "{page}"}
    run = service.measure(depth=depth, page_size=100, first_page=7, params=params)

    assert ids(depth) == run.rankings
    assert asked == [request.params["k"][0] for request in service.requests]


@pytest.mark.parametrize("follows", [CURSOR, URL])
def test_max_pages_is_noted(service: "Service", follows: NextPage) -> None:
    """A run that was cut short says so; one that ended there by itself does not."""
    changes: dict[str, Any] = {"page_size": 2, "max_pages": 2, "next_page": follows}
    changes["params"] = {"q": "{query}", **({"after": "{cursor}"} if follows == CURSOR else {})}
    service.in_turn(page(service, 0, "/1"), page(service, 1, "/2"))
    cut = service.measure(depth=6, **changes)
    service.in_turn(page(service, 0, "/1"), page(service, 1))
    whole = service.measure(depth=6, **changes)

    assert [ids(4), ids(4)] == [cut.rankings, whole.rankings]
    assert {"page cap": "1 query was cut by service.max_pages before 6 hits"} == cut.notes
    assert {} == whole.notes


def test_a_secret_in_the_address_of_a_page_stays_out_of_the_message(service: "Service") -> None:
    """The place of a failure is the address without its query string, secrets redacted."""
    service.in_turn(page(service, 0, "/more/hunter22?key=hunter22"), service.plain("", 500))
    secrets = (Secret("KEY", "hunter22"),)
    spec = service.spec(page_size=2, next_page=URL, secrets=secrets, url=f"http://{service.address}/hunter22")
    message = measure(spec, [Ask("q1", "a")], 4).failures["q1"].message

    assert message.startswith(f"GET http://{service.address}/more/[KEY]: status 500")
