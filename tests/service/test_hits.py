"""What is read of hits besides their ids: chunks of a document, totals, the echo of the query, and details."""

from typing import TYPE_CHECKING, Any

import pytest

from rankgate.core.rankings import Detail, Ranking
from rankgate.files.service_spec import Secret

if TYPE_CHECKING:
    from tests.service.conftest import Received, Reply, Service


def missing(service: "Service", **changes: Any) -> str:
    """The message of a failure behind its place."""
    return service.failure(**changes)[1].partition("/search: ")[2]


# Chunks.

CHUNKS: dict[str, Any] = {
    "collapse": 3,
    "transform": "^(.+)#",
    "params": {"k": "{depth}", "from": "{offset}"},
}


def test_the_first_chunk_of_a_document_is_kept(service: "Service") -> None:
    """Three hits are asked for per document; the others are counted in a note, not as duplicates."""
    service.always(service.hits("a#1", "b#1", "a#2", "c#7", "b#9", "a#3", "d#1"))
    run = service.measure(depth=4, **CHUNKS | {"params": {"k": "{depth}"}})

    assert {"q1": Ranking(("a", "b", "c", "d"), duplicates=0)} == run.rankings
    assert {"collapsed": "3 hits were further chunks of a document that was there already"} == run.notes
    assert [["12"]] == [request.params["k"] for request in service.requests]


def test_pages_go_on_until_there_are_enough_documents(service: "Service") -> None:
    """Six chunks are three documents: not enough for four; nine are."""
    chunks = [f"{document}#{number}" for document in "abcdefgh" for number in (1, 2)]

    def respond(request: "Received") -> "Reply":
        begin = int(request.params["from"][0])
        return service.hits(*chunks[begin : begin + 3])

    service.respond = respond
    run = service.measure(depth=4, page_size=3, **CHUNKS)

    assert {"q1": Ranking(("a", "b", "c", "d"))} == run.rankings
    assert ["0", "3", "6"] == [request.params["from"][0] for request in service.requests]
    assert ["3", "3", "3"] == [request.params["k"][0] for request in service.requests]


CROWDED = (
    "1 query got all hits that were asked for, and they are chunks of too few documents; 'q1' {} of 4: "
    "raise service.collapse, or set service.page_size"
)


@pytest.mark.parametrize("total", [12, 5_000])
def test_chunks_of_too_few_documents_are_noted(service: "Service", total: int) -> None:
    """All twelve hits came, of two documents: nobody knows which are the third and the fourth."""
    hits = {"many": [f"a#{n}" for n in range(11)] + ["b#1"], "few": ["a#1", "a#2"]}
    counts = {"many": total, "few": 2}
    service.respond = lambda r: service.json(
        {"hits": [{"id": each} for each in hits[r.params["q"][0]]], "count": counts[r.params["q"][0]]}
    )
    run = service.measure(*hits, depth=4, total="count", **CHUNKS | {"params": {"q": "{query}"}})

    assert [("a", "b"), ("a",)] == [ranking.ids for ranking in run.rankings.values()]
    assert CROWDED.format(2) == run.notes["chunks"]
    assert "page cap" not in run.notes


def test_chunks_of_one_query_hide_no_cap_of_another(service: "Service") -> None:
    """A cap is a query's own: that others have chunks says nothing of it."""
    answers = {"chunks": (["a#1", "a#2"], 2), "capped": (["a#1", "b#1", "c#1"], 900)}
    service.respond = lambda r: service.json(
        {"hits": [{"id": each} for each in answers[r.params["q"][0]][0]], "count": answers[r.params["q"][0]][1]}
    )
    run = service.measure(*answers, depth=4, total="count", **CHUNKS | {"params": {"q": "{query}"}})

    assert "'q2' 3 of 900, with 4 asked for" in run.notes["page cap"]
    assert "chunks" not in run.notes


def test_pages_of_one_document_come_to_an_end(service: "Service") -> None:
    """After ten times the hits that should have been enough, nobody asks for more."""
    service.respond = lambda r: service.hits(*(f"a#{int(r.params['from'][0]) + n}" for n in range(6)))
    run = service.measure(depth=4, page_size=6, **CHUNKS)

    assert {"q1": Ranking(("a",))} == run.rankings
    assert CROWDED.format(1) == run.notes["chunks"]
    assert 10 * 4 * 3 / 6 == len(service.requests)


def test_a_page_of_the_same_document_is_no_repeated_page(service: "Service") -> None:
    """Its chunks differ; where they do not, the service ignores the page."""
    service.in_turn(service.hits("a#1", "a#2"), service.hits("a#3", "a#4"), service.hits("b#1"))
    run = service.measure(depth=2, page_size=2, **CHUNKS)
    service.always(service.hits("a#1", "a#2"))

    assert {"q1": Ranking(("a", "b"))} == run.rankings
    assert missing(service, depth=2, page_size=2, **CHUNKS).startswith("page 2 repeats page 1; ")


def test_a_last_page_of_one_hit_that_was_there_is_no_repeated_page(service: "Service") -> None:
    """A document that moved between two requests is a duplicate, as it would be on one page."""
    service.in_turn(service.hits("a", "b"), service.hits("b"))

    assert {"q1": Ranking(("a", "b"), duplicates=1)} == service.measure(
        depth=9, page_size=2, params={"from": "{offset}"}
    ).rankings


def test_an_id_that_the_transform_does_not_fit(service: "Service") -> None:
    """The hit is named, with the cure; it is neither left out nor kept as it is."""
    service.always(service.hits("a#1", "plain", "b#1"))
    cure = "is service.transform right for every hit?"
    where = "has the id 'plain', in which service.transform finds no document"

    assert f"hit 2 {where}; {cure}" == missing(service, transform="^(.+)#")
    service.always(service.hits("#1"))
    assert missing(service, transform="^(.*)#").startswith("hit 1 has the id '#1', in which")


def test_an_id_without_a_document_shows_no_half_of_a_secret(service: "Service") -> None:
    """It is cut after the secrets are gone."""
    service.always(service.hits("x" * 190 + "hunter22-and-a-long-tail"))
    said = missing(service, transform="^(.+)#", secrets=(Secret("KEY", "hunter22-and-a-long-tail"),))

    assert said.startswith(f"hit 1 has the id '{'x' * 190}[KEY]', in which")


@pytest.mark.parametrize(
    ("regex", "expected"), [("^(.+)#", "shop/a"), (r"([^/#]+)#", "a"), ("(?:shop)/(.)", "a"), ("#(.*)", "1")]
)
def test_the_one_group_is_the_document(service: "Service", regex: str, expected: str) -> None:
    """It is searched for anywhere in the id."""
    service.always(service.hits("shop/a#1"))

    assert {"q1": Ranking((expected,))} == service.measure(transform=regex).rankings


# What the service says of all that matches.


@pytest.mark.parametrize(
    ("total", "found", "noted"),
    [
        (100, 4, "'q1' 4 of 100"),
        (7, 4, "'q1' 4 of 7"),
        (4, 4, ""),
        (2, 4, ""),
        (100, 10, ""),
        ("100", 4, ""),
        (True, 4, ""),
        (None, 4, ""),
        (0, 0, ""),
    ],
)
def test_a_total_tells_a_cap_from_a_short_answer(service: "Service", total: object, found: int, noted: str) -> None:
    """Fewer hits than asked for, though more match, is noted; it is no failure."""
    service.always(service.json({"hits": [{"id": f"d{n}"} for n in range(found)], "count": total}))
    run = service.measure(depth=10, total="count")

    assert {"q1": Ranking(tuple(f"d{n}" for n in range(found)))} == run.rankings
    cap = "with 10 asked for: no template sends {depth}; or does the service cap a page? (service.page_size)"
    expected = {"page cap": f"1 query got fewer of its matches than were asked for; {noted}, {cap}"} if noted else {}
    assert expected == run.notes


def test_several_capped_queries_are_one_note(service: "Service") -> None:
    """With one of them as an example; a duplicate was served, so it is no cap."""
    service.respond = lambda r: service.json({"hits": [{"id": "a"}, {"id": "a"}], "count": int(r.params["q"][0])})
    run = service.measure("2", "5", "9", depth=3, total="count")

    cap = (
        "'q2' 1 of 5, with 3 asked for: no template sends {depth}; or does the service cap a page? (service.page_size)"
    )
    assert {"page cap": f"2 queries got fewer of their matches than were asked for; {cap}"} == run.notes


def test_what_matches_and_does_not_come_is_no_zero_result(service: "Service") -> None:
    """The answer itself says that there is something to find; on a later page there may be nothing left."""
    service.always(service.json({"hits": [], "count": 120}))
    cure = "is service.hits right, and is {depth} sent where the service reads it?"
    assert f"120 documents match, and none came; {cure}" == missing(service, total="count")

    pages = [service.json({"hits": hits, "count": 2}) for hits in ([{"id": "a"}, {"id": "b"}], [])]
    service.in_turn(*pages)
    run = service.measure(depth=9, page_size=2, params={"from": "{offset}"}, total="count")
    assert {"q1": Ranking(("a", "b"))} == run.rankings


# The echo of the query.


def test_the_answer_to_another_query_is_no_result(service: "Service") -> None:
    """A cache that mixes up two queries is found where the answer repeats the text."""
    service.always(service.json({"hits": [{"id": "a"}], "header": {"q": "boots"}}))
    run = service.measure("boots", "Boots", echo="header.q")

    assert {"q1": Ranking(("a",))} == run.rankings
    assert {"q2": "body"} == {query: str(failure.kind) for query, failure in run.failures.items()}
    expected = "the answer is for another query, 'boots': does a cache stand in between?"
    expected += "; if the service rewrites the text itself, drop service.echo"
    assert expected == run.failures["q2"].message.partition("/search: ")[2]


@pytest.mark.parametrize(("said", "kind"), [({}, "null"), ({"q": 7}, "the number 7"), ({"q": ["a"]}, "a list of 1")])
def test_an_echo_that_is_not_there(service: "Service", said: dict[str, object], kind: str) -> None:
    """A check that checks nothing is a failure."""
    service.always(service.json({"hits": [], **said}))

    expected = f"path 'q' (service.echo) gives {kind}, not the text of the query; is service.echo right?"
    assert expected == missing(service, echo="q")


# Details.

DETAILS: dict[str, Any] = {"score": "_score", "title": "doc.title", "snippet": "doc.text"}


def test_details_follow_the_documents(service: "Service") -> None:
    """In the order of the ranks, of the first hit of each document, across pages; odd values are none."""
    hits = [
        {"id": "a", "_score": 2.5, "doc": {"title": "Red  boots\n", "text": ["one", "two"]}},
        {"id": "b", "_score": "high", "doc": {"title": 7}},
        {"id": "a", "_score": 1, "doc": {"title": "again"}},
        {"id": "c"},
    ]
    service.in_turn(service.json({"hits": hits[:2]}), service.json({"hits": hits[2:]}), service.hits())
    found = service.measure(depth=4, page_size=2, params={"from": "{offset}"}, **DETAILS).rankings["q1"]

    assert ("a", "b", "c") == found.ids
    assert (Detail(2.5, "Red boots", "one, two"), Detail(), Detail()) == found.details


def test_details_end_with_the_depth(service: "Service") -> None:
    """One for each document that is kept."""
    service.always(service.json({"hits": [{"id": name, "_score": 1} for name in "abc"]}))

    assert (Detail(1), Detail(1)) == service.measure(depth=2, score="_score").rankings["q1"].details


def test_details_are_no_part_of_a_ranking(service: "Service") -> None:
    """Other scores and titles are the same ranking; where none are asked for there are none."""
    service.in_turn(*(service.json({"hits": [{"id": "a", "_score": n, "doc": {"title": str(n)}}]}) for n in (1, 2, 3)))
    first, second = service.measure(**DETAILS), service.measure(**DETAILS)

    assert first.rankings["q1"].details != second.rankings["q1"].details
    assert first == second
    assert () == service.measure().rankings["q1"].details


def test_details_hold_no_secret(service: "Service") -> None:
    """A service that repeats the key in a title or a snippet does not bring it into a report."""
    hit = {"id": "a", "doc": {"title": "key hunter22", "text": f"{'x' * 190} hunter22 hunter%32%32"}}
    service.always(service.json({"hits": [hit]}))
    secrets = (Secret("KEY", "hunter22"),)

    (detail,) = service.measure(secrets=secrets, **DETAILS).rankings["q1"].details
    assert ("key [KEY]", f"{'x' * 190} [KEY] [K…") == (detail.title, detail.snippet)
