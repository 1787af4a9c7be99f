"""Ids in the service's order, or the reason why there are none; never a shorter list."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgate.core.rankings import FailureKind
from rankgate.files.service_spec import Secret, ServiceSpec
from rankgate.service.failure import AnswerError
from rankgate.service.partial import excerpt, kind_of, own_words
from rankgate.service.paths import compile_path
from rankgate.service.redaction import Redactor
from rankgate.service.response import Reader, parse


def read(answer: object, hits: str = "hits", id_: str = "id", **changes: Any) -> tuple[str, ...]:
    """The ids in *answer*."""
    return Reader.compile(ServiceSpec(url="http://h", hits=hits, id=id_, **changes)).read(answer, "text").ids


def refusal(answer: object, hits: str = "hits", id_: str = "id", **changes: Any) -> tuple[FailureKind, str]:
    """Why *answer* is not measured."""
    with pytest.raises(AnswerError) as caught:
        read(answer, hits, id_, **changes)
    return caught.value.kind, str(caught.value)


def body_refusal(content: bytes, content_type: str = "application/json") -> str:
    """Why *content* is no JSON answer."""
    with pytest.raises(AnswerError) as caught:
        parse(content, content_type)
    assert FailureKind.BODY == caught.value.kind
    return str(caught.value)


GROUPED = {
    "grouped": {
        "sku": {
            "matches": 9,
            "groups": [{"doclist": {"docs": [{"id": "d1"}, {"id": "d2"}]}}, {"doclist": {"docs": [{"id": "d3"}]}}],
        }
    }
}
NESTED = {
    "hits": {
        "hits": [{"_id": "p1", "inner_hits": {"s": {"hits": {"hits": [{"_id": "p1"}, {"_id": "p2"}]}}}}, {"_id": "p9"}]
    }
}


@pytest.mark.parametrize(
    ("answer", "hits", "id_", "expected"),
    [
        ({"hits": [{"id": "a"}, {"id": "b"}]}, "hits", "id", ("a", "b")),
        ({"hits": []}, "hits", "id", ()),
        ([{"id": "a"}], "@", "id", ("a",)),
        ({"hits": ["a", "b"]}, "hits", "@", ("a", "b")),
        (
            {"hits": {"total": {"value": 10000, "relation": "gte"}, "hits": [{"_id": "d1"}]}},
            "hits.hits",
            "_id",
            ("d1",),
        ),
        ({"hits": {"total": 1, "hits": [{"_id": "d1"}]}}, "hits.hits", "_id", ("d1",)),
        ({"hits": {"total": 5, "hits": []}}, "hits.hits", "_id", ()),
        (GROUPED, "grouped.sku.groups[*].doclist.docs[0].id", "@", ("d1", "d3")),
        (GROUPED, "grouped.sku.groups[].doclist.docs[]", "id", ("d1", "d2", "d3")),
        (NESTED, "hits.hits[*]._id", "@", ("p1", "p9")),
        (NESTED, "hits.hits", "_id", ("p1", "p9")),
        ({"hits": [{"id": "a", "x": 1}, {"id": "b", "x": 2}]}, "hits[?x == `2`]", "id", ("b",)),
        ({"hits": [{"d": {"id": "a"}, "x": 1}, {"d": {"id": "b"}, "x": 2}]}, "hits[?x == `2`].d", "id", ("b",)),
        ({"hits": [{"id": "a"}, {"id": "b"}, {"id": "c"}]}, "hits[:2]", "id", ("a", "b")),
        ({"hits": [{"id": "a"}]}, "not_null(hits, results)", "id", ("a",)),
        ({"hits": [{"a": "x", "b": "y"}]}, "hits", "join('-', [a, b])", ("x-y",)),
    ],
)
def test_ids_are_read(answer: object, hits: str, id_: str, expected: tuple[str, ...]) -> None:
    """Lists, bare ids, totals of either kind (A16), groups (A22), inner hits (A23) and JMESPath's own means."""
    assert expected == read(answer, hits, id_)


@given(st.lists(st.integers() | st.text(st.characters(codec="utf-8"), min_size=1)))
def test_ids_lose_nothing(ids: list[int | str]) -> None:
    """Whole numbers of any size and all texts come back as they were, in order, through JSON (A20)."""
    content = json.dumps({"hits": [{"id": one} for one in ids]}).encode()
    assert tuple(map(str, ids)) == read(parse(content))


def test_numbers_above_two_to_the_53_and_leading_zeros() -> None:
    """9007199254740993 stays exact, 7 is "7", "007" stays "007" (A20)."""
    answer = parse(b'{"hits": [{"id": 9007199254740993}, {"id": 7}, {"id": "007"}]}')
    assert ("9007199254740993", "7", "007") == read(answer)


@pytest.mark.parametrize(
    ("hit", "fault"),
    [
        ({"id": 7.0}, "has the number 7.0 at 'id' (service.id); an id is a text or a whole number"),
        ({"id": 1e300}, "has a number at 'id' (service.id); an id is a text or a whole number"),
        ({"id": True}, "has the value true at 'id' (service.id); an id is a text or a whole number"),
        ({"id": ["a"]}, "has a list of 1 at 'id' (service.id); an id is a text or a whole number"),
        ({"id": {"a": 1}}, "has an object at 'id' (service.id); an id is a text or a whole number"),
        ({"id": None, "sku": 1}, "has no id at 'id' (service.id); its keys are: id, sku"),
        ({"sku": 1}, "has no id at 'id' (service.id); its keys are: sku"),
        ({"id": ""}, "has an id at 'id' that is empty"),
        ({"id": "\ud800"}, "has an id at 'id' that is no Unicode"),
        (None, "is null"),
        ("d1", "is a text, in which 'id' (service.id) finds nothing; for a list of bare ids write '@'"),
    ],
)
def test_a_hit_without_a_usable_id_is_a_failure(hit: object, fault: str) -> None:
    """One odd hit makes the query unmeasured, with its position; it is never left out (A13, A20)."""
    assert (FailureKind.HIT, f"hit 2 {fault}") == refusal({"hits": [{"id": "a"}, hit, {"id": "c"}]})


def test_a_projection_does_not_close_up_the_ranks() -> None:
    """JMESPath drops a child without fields; d1 must not move to rank 1 (A13)."""
    answer = {"root": {"children": [{"id": "grp", "relevance": 1.0}, {"id": "x", "fields": {"docid": "d1"}}]}}
    expected = (FailureKind.HIT, "hit 1 has no id at '@' (service.id); its keys are: id, relevance")
    assert expected == refusal(answer, "root.children[*].fields.docid", "@")
    assert FailureKind.HIT == refusal(answer, "root.children", "fields.docid")[0]
    assert FailureKind.HIT == refusal(answer, "root.children[?relevance].fields", "docid")[0]
    assert FailureKind.HIT == refusal({"hits": [None, {"id": "a"}]}, "hits[*]")[0]


@pytest.mark.parametrize(
    ("answer", "hits", "fault"),
    [
        (
            {"x": 1, "status": 404},
            "hits.hits",
            "path 'hits.hits' is not in the answer; its top-level keys are: x, status",
        ),
        (
            GROUPED,
            "response.docs[*].id",
            "path 'response.docs[*].id' is not in the answer; its top-level keys are: grouped",
        ),
        ({"hits": None}, "hits", "path 'hits' is null"),
        ({"data": None}, "data.hits", "path 'data.hits' ends at 'data': null"),
        ({"data": {"hits": None}, "errors": "off"}, "data.hits", "path 'data.hits' is null; the service says: off"),
        ({}, "hits", "path 'hits' is not in the answer; it is an empty object"),
        ([], "hits", "path 'hits' is not in the answer; the answer is a list of 0"),
        (None, "hits", "path 'hits' is not in the answer; the answer is null"),
        ("no", "hits", "path 'hits' is not in the answer; the answer is a text"),
        ({"hits": {"a": 1}}, "hits", "path 'hits' (service.hits) gives an object, not a list; its keys are: a"),
        ({"hits": 0}, "hits", "path 'hits' (service.hits) gives the number 0, not a list"),
        ({"hits": ""}, "hits", "path 'hits' (service.hits) gives a text, not a list"),
        ({"hits": False}, "hits", "path 'hits' (service.hits) gives the value false, not a list"),
        (
            {"error": {"type": "no_shard", "reason": "all shards failed"}, "status": 503},
            "hits.hits",
            "path 'hits.hits' is not in the answer; its top-level keys are: error, status; the service says: all shards failed",
        ),
    ],
)
def test_hits_that_are_not_there_are_no_zero_result(answer: object, hits: str, fault: str) -> None:
    """A wrong path, a null and an error with status 200 say what the answer holds instead (A22)."""
    assert (FailureKind.PATH, fault) == refusal(answer, hits)


def test_a_function_that_does_not_fit() -> None:
    """An expression that fails on this answer is a failure of this query."""
    kind, message = refusal({"hits": 1}, "sort(hits)")
    assert FailureKind.PATH == kind
    assert "path 'sort(hits)' cannot be applied to the answer: In function sort()" in message


SHARDS = {"total": 5, "successful": 3, "failed": 2, "failures": [{"shard": 1, "reason": {"type": "es_rejected"}}]}
WHOLE = {"total": 5, "successful": 5, "skipped": 3, "failed": 0}


@pytest.mark.parametrize(
    ("signs", "fault"),
    [
        ({"timed_out": False, "_shards": SHARDS}, "2 of 5 shards failed (es_rejected)"),
        ({"timed_out": True, "_shards": WHOLE}, "timed_out is true"),
        ({"_shards": {"failed": 1}}, "1 of ? shards failed"),
        ({"_clusters": {"total": 2, "skipped": 1}}, "1 of 2 clusters were skipped"),
        ({"_clusters": {"total": 2, "partial": 1}}, "1 of 2 clusters answered in part"),
        ({"_clusters": {"total": 2, "failed": 1}}, "1 of 2 clusters failed"),
        ({"responseHeader": {"partialResults": True}}, "responseHeader.partialResults is True"),
        ({"root": {"coverage": {"coverage": 69, "degraded": {"timeout": True}}}}, "degraded coverage, 69 %"),
        ({"root": {"coverage": {"coverage": 69, "full": False}}}, "coverage is not full, 69 %"),
        ({"root": {"errors": [{"code": 12, "summary": "Timed out"}]}}, "root.errors is not empty (Timed out)"),
        ({"search_cutoff": True}, "search_cutoff is true"),
        (
            {"data": None, "errors": [{"message": "vectorizer not reachable"}]},
            "errors is not empty (vectorizer not reachable)",
        ),
    ],
)
def test_an_answer_that_says_it_is_partial(signs: dict[str, object], fault: str) -> None:
    """Failed shards, time-outs, degraded coverage and GraphQL errors with hits are not measured (A10, A11, A12, A14)."""
    expected = (FailureKind.PARTIAL, f"the answer says of itself that it is incomplete: {fault}")
    assert expected == refusal({"hits": [{"id": "a"}], **signs})
    assert expected == refusal({"hits": [], **signs})


@pytest.mark.parametrize(
    "signs",
    [
        {"timed_out": False, "_shards": WHOLE, "terminated_early": True},
        {
            "_shards": "x",
            "responseHeader": {"partialResults": False},
            "root": {"coverage": {"full": True, "degraded": {"timeout": False}}},
        },
        {"errors": [], "root": {"errors": []}, "search_cutoff": False},
        {"timed_out": "omitted", "is_partial": "omitted", "search_cutoff": "omitted"},
        {"errors": None, "root": None},
        {"errors": False},
    ],
)
def test_a_whole_answer_is_measured(signs: dict[str, object]) -> None:
    """Skipped shards, false flags and empty lists of errors are no sign of trouble."""
    assert ("a",) == read({"hits": [{"id": "a"}], **signs})


@pytest.mark.parametrize(
    ("expression", "way"),
    [
        ("@", []),
        ("a", []),
        ("a.b.c", ["a", "b"]),
        ("x.y || a.b.c", ["a", "b"]),
        ("a.groups[].docs[]", ["a", "g1", "g2"]),
        ("a.b.c[?name == 'hit']", ["a", "b"]),
        ("sort_by(a.b.c, &name)", []),
    ],
)
def test_the_way_to_the_hits(expression: str, way: list[str]) -> None:
    """The objects that hold them, and neither the hits nor what lies beside."""
    groups = [{"name": "g1", "docs": []}, {"name": "g2", "docs": []}]
    answer = {"a": {"name": "a", "b": {"name": "b", "c": [{"name": "hit"}]}, "groups": groups}, "z": {"name": "z"}}
    path, _ = compile_path(expression).split()
    first, *others = path.way(answer)

    assert answer is first
    assert way == [each["name"] for each in others]


@pytest.mark.parametrize(
    ("value", "is_partial"),
    [(True, True), (["x"], True), ("no", True), (False, False), ([], False), (None, False), ("", False)],
)
def test_the_team_s_own_sign(value: object, is_partial: bool) -> None:
    """``service.partial`` is for home-made APIs (A14)."""
    answer = {"hits": [], "meta": {"cut": value}}
    if is_partial:
        kind, message = refusal(answer, partial=("meta.cut",))
        assert FailureKind.PARTIAL == kind
        assert f"incomplete: 'meta.cut' (service.partial) is {json.dumps(value)}" in message
    else:
        assert () == read(answer, partial=("meta.cut",))


def test_a_secret_in_an_id_is_refused() -> None:
    """A service that echoes a header must not carry a key into a baseline."""
    changes: dict[str, Any] = {
        "headers": {"X-Key": "hunter22"},
        "secrets": (Secret("KEY", "hunter22"), Secret("INDEX", "books")),
    }
    expected = (FailureKind.HIT, "hit 1 has the value of ${KEY} in its id: not kept")
    assert expected == refusal({"hits": [{"id": "x-hunter22-y"}]}, **changes)
    braces: dict[str, Any] = {"headers": {"X-Key": "a{{b}}c"}, "secrets": (Secret("KEY", "a{b}c"),)}
    assert expected == refusal({"hits": [{"id": "a{b}c"}]}, **braces)
    assert ("books-1",) == read({"hits": [{"id": "books-1"}]}, **changes)


@pytest.mark.parametrize(
    ("content", "content_type", "fault"),
    [
        (b"", "application/json", "the answer is empty"),
        (b" \n", "", "the answer is empty"),
        (
            b"<!DOCTYPE html><title>Sign in</title><p>Please",
            "text/html",
            "the answer is HTML, not JSON (a login page, an error page?): Sign in Please",
        ),
        (
            b"<?xml version='1.0'?><response>no</response>",
            "text/xml",
            "the answer is XML, not JSON (a login page, an error page?): no",
        ),
        (b'{"hits": [', "", 'the answer is no JSON (expecting value, line 1 column 11 of 10 bytes): {"hits": ['),
        (b'{"hits": []} {}', "", 'the answer is no JSON (extra data, line 1 column 14 of 15 bytes): {"hits": []} {}'),
        (b'{"hits": [], "max": NaN}', "", "the answer is no JSON: NaN is no JSON number"),
        (b'{"hits": [], "max": -Infinity}', "", "the answer is no JSON: -Infinity is no JSON number"),
        (
            b'{"hits": [{"id": "caf\xe9"}]}',
            "application/json; charset=utf-8",
            "the answer is not UTF-8 from byte 21 on; its header says utf-8",
        ),
        (
            b'{"hits": [{"id": "caf\xe9"}]}',
            "application/json",
            "the answer is not UTF-8 from byte 21 on; its header names no charset",
        ),
        (
            b'{"hits": [{"id": "caf\xe9"}]}',
            "application/json; charset=klingon",
            "the answer is not UTF-8 from byte 21 on; its header says klingon",
        ),
        (b"[" * 100_000, "", "the answer is nested too deeply"),
        (b'{"hits": ' + b"9" * 5000 + b"}", "", "the answer is no JSON: Exceeds the limit"),
    ],
)
def test_what_is_no_json(content: bytes, content_type: str, fault: str) -> None:
    """Empty, HTML, XML, cut, NaN, wrong charset, bottomless: each says what came instead."""
    assert body_refusal(content, content_type).startswith(fault)


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        ('{"id": "café"}'.encode(), "application/json"),
        ('{"id": "café"}'.encode(), "application/json; charset=iso-8859-1"),
        ('\ufeff{"id": "café"}'.encode(), ""),
        ('{"id": "café"}'.encode("utf-16"), ""),
        ('{"id": "café"}'.encode("latin-1"), 'application/json; charset="ISO-8859-1"'),
    ],
)
def test_charsets(content: bytes, content_type: str) -> None:
    """JSON is UTF-8 whatever the header says; the header counts only when it is not."""
    assert {"id": "café"} == parse(content, content_type)


@pytest.mark.parametrize(
    ("expression", "fault"),
    [
        (
            "doc-id",
            "path 'doc-id': cannot be read from column 4 on; a key with special characters needs quotes: '\"doc-id\"'",
        ),
        ("@id", "path '@id': cannot be read from column 2 on; a key with special characters needs quotes: '\"@id\"'"),
        (
            "$key",
            "path '$key': cannot be read from column 1 on; a key with special characters needs quotes: '\"$key\"'",
        ),
        (
            "$.items",
            "path '$.items': cannot be read from column 1 on; JMESPath has no '$' for the whole answer: write 'items'",
        ),
        (
            "hits.doc-id",
            "path 'hits.doc-id': cannot be read from column 9 on; a key with special characters needs quotes: 'hits.\"doc-id\"'",
        ),
        (
            "a[*].b-c[0]",
            "path 'a[*].b-c[0]': cannot be read from column 7 on; a key with special characters needs quotes: 'a[*].\"b-c\"[0]'",
        ),
        ("a-b[x y]", "path 'a-b[x y]': cannot be read from column 2 on"),
        ("hits[", "path 'hits[': cannot be read from column 6 on"),
        ("a..b", "path 'a..b': cannot be read from column 3 on"),
        ("", "path '': it is empty"),
        ("  ", "path '  ': it is empty"),
        ("a | lenght(@)", "path 'a | lenght(@)': unknown function 'lenght' at column 5; did you mean 'length'?"),
    ],
)
def test_a_wrong_path_says_where_and_how(expression: str, fault: str) -> None:
    """The column, and for keys with special characters the quoted spelling (A24)."""
    with pytest.raises(ValueError, match="path") as caught:
        compile_path(expression)
    assert fault == str(caught.value)


@pytest.mark.parametrize("key", ["doc-id", "meta.id", "@id", "$key"])
def test_quoted_keys_are_reached(key: str) -> None:
    """Keys with a hyphen, dot, @ or $ work in quotes (A24)."""
    assert ("d1",) == read({"hits": [{key: "d1"}]}, id_=f'"{key}"')


def test_a_dotted_key_is_hinted_at() -> None:
    """``meta.id`` is a right path to somewhere else; the failure knows the key of that name (A24)."""
    expected = """hit 1 has no id at 'meta.id' (service.id); its keys are: meta.id; write '"meta.id"' for the key of that name"""
    assert (FailureKind.HIT, expected) == refusal({"hits": [{"meta.id": "d1"}]}, id_="meta.id")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            {"error": {"root_cause": [{"reason": "window of 10000 exceeded"}]}, "status": 500},
            "window of 10000 exceeded",
        ),
        ({"message": "at most 250 per page"}, "at most 250 per page"),
        ({"error": "no such index"}, "no such index"),
        ({"error": {"msg": "undefined field q", "code": 400}}, "undefined field q"),
        ({"errors": [{}, {"message": "second"}]}, "second"),
        ({"detail": [{"type": "missing"}]}, "missing"),
        ({"hits": []}, ""),
        ("just a text", ""),
        (None, ""),
    ],
)
def test_the_service_s_own_words(answer: object, words: str) -> None:
    """The message is dug out of the usual shapes (A17, A19)."""
    assert words == own_words(answer)


def test_words_that_never_end() -> None:
    """A deep answer does not overflow, a long text is cut on one line, and redacted before it is cut."""
    deep: object = "bottom"
    for _ in range(5000):
        deep = {"error": deep}
    assert "" == own_words(deep)
    assert "a b …" == excerpt("a\n\x1b\tb c d", room=5)
    assert "xxxx [KEY]" == excerpt("xxxx hunter22", lambda text: text.replace("hunter22", "[KEY]"), room=10)


@pytest.mark.parametrize(("place", "shown"), [(9_995, "before [KEY] after"), (11_995, "before"), (12_005, "before")])
def test_no_excerpt_holds_half_a_secret(place: int, shown: str) -> None:
    """Only the beginning of a long text is looked at, and a secret may stand across its end."""
    redact = Redactor((Secret("KEY", "hunter22-and-a-long-tail"),)).redact

    assert shown == excerpt(f"{'before':{place}}hunter22-and-a-long-tail after", redact)


def test_no_page_shows_half_a_secret() -> None:
    """Of a long page of tags, words from its end are shown too."""
    page = "<html>Sign in" + "<br>" * 4_000
    page += " " * (21_990 - len(page))
    with pytest.raises(AnswerError) as caught:
        parse(
            f"{page}hunter22-and-a-long-tail".encode(),
            "",
            Redactor((Secret("KEY", "hunter22-and-a-long-tail"),)).redact,
        )

    assert "the answer is HTML, not JSON (a login page, an error page?): Sign in" == str(caught.value)


def test_kinds_in_words() -> None:
    """JSON's types have names in messages."""
    kinds = ["null", "the value true", "a text", "the number 1", "a list of 0", "an object"]
    assert kinds == list(map(kind_of, [None, True, "x", 1, [], {}]))
