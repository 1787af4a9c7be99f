"""The presets: what each asks, and how it reads the answers that its engine documents."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from rankgate.core.rankings import Detail, Ranking, Run
from rankgate.files import gate_file
from rankgate.service import starter
from rankgate.service.client import Ask, measure
from tests.service.conftest import Received, Service

#: Each of its characters means something in JSON, in a URL, in a template or in GraphQL.
TEXT: Final = 'a "b" {c} & d% é'
VECTOR: Final = [0.25, -1.5, 3]
KEY: Final = "key-of-the-tests"
#: More than any engine gives in one answer without being asked to.
DEEP: Final = 2_000


@dataclass(frozen=True)
class Hit:
    """One hit that the engine answers with."""

    id: str | int
    score: float = 1.0
    title: str = ""


HITS: Final = (Hit("d1", 2.5, "First"), Hit("d2", 1.25, "Second"))
EVERYTHING: Final = (Detail(2.5, "First"), Detail(1.25, "Second"))

Answer = Callable[[Sequence[Hit]], Any]
Broken = Mapping[str, tuple[Any, str, str]]


@dataclass(frozen=True)
class Asked:
    """A request as the engine documents it.

    Attributes:
        headers: Those that matter.
    """

    path: str
    method: str = "POST"
    params: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Engine:
    """What an engine documents, and what is to be made of it.

    Attributes:
        asked: The request for 10 documents.
        answer: To TEXT, with the hits in the order given.
        details: What is read of HITS besides their ids.
        broken: By name: an answer under status 200 that is no measurement, the kind of failure, and words of it.
        pages: What tells apart the requests for *depth* documents.
        size: How many hits each of them can bring.
        totals: Where the answer, or that of another version, says how many documents match.
        params: Of the query.
    """

    asked: Asked
    answer: Answer
    broken: Broken
    pages: tuple[Mapping[str, Any], ...]
    size: int = DEEP
    depth: int = DEEP
    hits: tuple[Hit, ...] = HITS
    details: tuple[Detail, ...] = EVERYTHING
    totals: tuple[tuple[str, ...], ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)


def elasticsearch(hits: Sequence[Hit]) -> Any:
    found = [
        {"_index": "products", "_id": hit.id, "_score": hit.score, "_source": {"title": hit.title}} for hit in hits
    ]
    return {
        "took": 5,
        "timed_out": False,
        "_shards": {"total": 5, "successful": 5, "skipped": 2, "failed": 0},
        "hits": {
            "total": {"value": len(hits), "relation": "eq"},
            "max_score": hits[0].score if hits else None,
            "hits": found,
        },
    }


def solr(hits: Sequence[Hit]) -> Any:
    docs = [{"id": hit.id, "title": [hit.title], "score": hit.score} for hit in hits]
    return {
        "responseHeader": {"zkConnected": True, "status": 0, "QTime": 1, "params": {"q": TEXT, "wt": "json"}},
        "response": {"numFound": len(hits), "start": 0, "maxScore": 2.5, "numFoundExact": True, "docs": docs},
    }


def vespa(hits: Sequence[Hit]) -> Any:
    children = [
        {
            "id": f"id:shop:product::{hit.id}",
            "relevance": hit.score,
            "source": "shop",
            "fields": {"sddocname": "product", "documentid": f"id:shop:product::{hit.id}", "title": hit.title},
        }
        for hit in hits
    ]
    root: dict[str, Any] = {
        "id": "toplevel",
        "relevance": 1.0,
        "fields": {"totalCount": len(hits)},
        "coverage": {"coverage": 100, "documents": 9, "full": True, "nodes": 1, "results": 1, "resultsFull": 1},
    }
    return {"root": root | ({"children": children} if children else {})}


def typesense(hits: Sequence[Hit]) -> Any:
    found = [
        {
            "document": {"id": hit.id, "title": hit.title},
            "highlights": [{"field": "title", "matched_tokens": ["b"], "snippet": f"<mark>{hit.title}</mark>"}],
            "text_match": hit.score,
        }
        for hit in hits
    ]
    return {
        "facet_counts": [],
        "found": len(hits),
        "hits": found,
        "out_of": 9,
        "page": 1,
        "request_params": {"collection_name": "products", "per_page": 10, "q": TEXT, "first_q": "a b"},
        "search_cutoff": False,
        "search_time_ms": 1,
    }


def meilisearch(hits: Sequence[Hit]) -> Any:
    found = [
        {
            "id": hit.id,
            "title": hit.title,
            "_rankingScore": hit.score,
            "_rankingScoreDetails": {"words": {"order": 0, "matchingWords": 1, "maxMatchingWords": 1, "score": 1.0}},
        }
        for hit in hits
    ]
    return {
        "hits": found,
        "query": TEXT,
        "processingTimeMs": 1,
        "limit": 10,
        "offset": 0,
        "estimatedTotalHits": len(hits),
    }


def algolia(hits: Sequence[Hit]) -> Any:
    return {
        "hits": [{"objectID": hit.id, "title": hit.title} for hit in hits],
        "nbHits": len(hits),
        "page": 0,
        "nbPages": 1,
        "hitsPerPage": 10,
        "exhaustive": {"nbHits": False, "typo": True},  # only the count is a guess
        "query": TEXT,
        "params": "query=a&hitsPerPage=10",
        "processingTimeMS": 1,
    }


def weaviate(hits: Sequence[Hit]) -> Any:
    found = [{"title": hit.title, "_additional": {"id": hit.id, "score": str(hit.score)}} for hit in hits]
    return {"data": {"Get": {"Product": found}}}


def weaviate_query(limit: int) -> str:
    return (
        "{\n  Get {\n"
        f'    Product(bm25: {{query: "a \\"b\\" {{c}} & d% é"}}, limit: {limit}, offset: 0) {{\n'
        "      title\n      _additional { id score }\n    }\n  }\n}\n"
    )


def qdrant(hits: Sequence[Hit]) -> Any:
    points = [{"id": hit.id, "version": 3, "score": hit.score, "payload": {"title": hit.title}} for hit in hits]
    return {"result": {"points": points}, "status": "ok", "time": 0.001}


def chroma(hits: Sequence[Hit]) -> Any:
    columns = dict.fromkeys(("documents", "embeddings", "metadatas", "uris"))
    return {
        "ids": [[hit.id for hit in hits]],
        "distances": [[hit.score for hit in hits]],
        "include": ["distances"],
        **columns,
    }


def postgrest(hits: Sequence[Hit]) -> Any:
    return [{"id": hit.id, "title": hit.title, "score": hit.score} for hit in hits]


def datasette(hits: Sequence[Hit]) -> Any:
    rows = [{"id": hit.id, "title": hit.title, "score": hit.score, "snippet": f"of {hit.title}"} for hit in hits]
    return {"ok": True, "rows": rows, "truncated": False, "columns": ["id", "title", "score", "snippet"], "error": None}


def groonga(hits: Sequence[Hit]) -> Any:
    columns = [
        {"name": name, "type": kind} for name, kind in {"_key": "ShortText", "_score": "Float", "title": "Text"}.items()
    ]
    records = [[hit.id, hit.score, hit.title] for hit in hits]
    return {
        "header": {"return_code": 0, "start_time": 1796037712.99, "elapsed_time": 0.01},
        "body": {"n_hits": len(hits), "columns": columns, "records": records},
    }


def anserini(hits: Sequence[Hit]) -> Any:
    candidates = [{"docid": hit.id, "score": hit.score, "doc": f"of {hit.title}"} for hit in hits]
    return {"api": "v1", "index": "INDEX", "query": {"text": TEXT}, "candidates": candidates}


def postgraphile(hits: Sequence[Hit]) -> Any:
    nodes = [{"id": hit.id, "title": hit.title, "score": hit.score} for hit in hits]
    return {"data": {"search": {"totalCount": len(hits), "nodes": nodes}}}


def postgraphile_query(first: int, offset: int = 0) -> str:
    call = f"search(q: {json.dumps(TEXT, ensure_ascii=False)}, first: {first}, offset: {offset})"
    return f"{{\n  {call} {{\n    totalCount\n    nodes {{ id title score }}\n  }}\n}}\n"


FAILED_SHARDS: Final = {
    "total": 5,
    "successful": 3,
    "skipped": 0,
    "failed": 2,
    "failures": [{"shard": 1, "reason": {"type": "es_rejected_execution_exception", "reason": "queue is full"}}],
}
OUT_OF_TIME: Final = {"words": {"order": 0, "score": 1.0}, "skipped": {"order": 1}}
LUCENE: Final = Engine(
    asked=Asked(
        "/products/_search",
        body={"query": {"match": {"title": TEXT}}, "from": 0, "size": 10, "_source": ["title"]},
    ),
    answer=elasticsearch,
    totals=(("hits", "total", "value"), ("hits", "total")),
    broken={
        "too slow": (elasticsearch(HITS) | {"timed_out": True}, "partial", "timed_out is true"),
        "failed shards": (
            elasticsearch(HITS) | {"_shards": FAILED_SHARDS},
            "partial",
            "2 of 5 shards failed (queue is full)",
        ),
        "a cluster that was not there": (
            elasticsearch(()) | {"_clusters": {"total": 2, "successful": 1, "skipped": 1}},
            "partial",
            "1 of 2 clusters were skipped",
        ),
        "an error": ({"error": {"reason": "no such index"}, "status": 404}, "path", "no such index"),
        "an error beside no hits": (
            elasticsearch(()) | {"error": {"reason": "boom"}, "status": 500},
            "partial",
            "it failed: error is not empty (boom)",
        ),
        "ended early": (elasticsearch(HITS) | {"terminated_early": True}, "partial", "'terminated_early'"),
    },
    pages=({"from": 0, "size": 10_000},),
    size=10_000,
    depth=10_001,
)
ENGINES: Final[Mapping[str, Engine]] = {
    "elasticsearch": LUCENE,
    "opensearch": LUCENE,
    "solr": Engine(
        asked=Asked(
            "/solr/products/select",
            "GET",
            params={
                "q": TEXT,
                "defType": "edismax",
                "qf": "title",
                "rows": "10",
                "fl": "id,score,title",
                "wt": "json",
                "echoParams": "explicit",
            },
        ),
        answer=solr,
        totals=(("response", "numFound"),),
        broken={
            "time allowed is over": (
                solr(HITS) | {"responseHeader": {"status": 0, "partialResults": True}},
                "partial",
                "partialResults is True",
            ),
            "results left out": (
                solr(()) | {"responseHeader": {"status": 0, "partialResults": "omitted"}},
                "partial",
                "partialResults is omitted",
            ),
            "a status in the header": (solr(()) | {"responseHeader": {"status": 500}}, "partial", "is 500"),
            "an answer to another query": (
                solr(HITS) | {"responseHeader": {"status": 0, "params": {"q": "x"}}},
                "body",
                "another query, 'x'",
            ),
            "an error beside no hits": (
                solr(()) | {"error": {"msg": "boom", "code": 500}},
                "partial",
                "it failed: error is not empty (boom)",
            ),
            "grouped": ({"grouped": {"sku": {"matches": 9, "groups": []}}}, "path", "top-level keys are: grouped"),
        },
        pages=({"rows": "2000"},),
    ),
    "vespa": Engine(
        asked=Asked(
            "/search/",
            body={
                "yql": "select * from product where userInput(@text)",
                "text": TEXT,
                "hits": 10,
                "offset": 0,
                "ranking": "default",
                "timeout": "5s",
            },
        ),
        answer=vespa,
        totals=(("root", "fields", "totalCount"),),
        broken={
            "soft time-out": (
                {
                    "root": {
                        "fields": {"totalCount": 0},
                        "coverage": {"coverage": 69, "full": False, "degraded": {"timeout": True}},
                        "errors": [{"code": 12, "summary": "Timed out", "message": "in summary fetching"}],
                    }
                },
                "partial",
                "degraded coverage, 69 % (in summary fetching)",
            ),
            "a part of the corpus": (
                {"root": vespa(HITS)["root"] | {"coverage": {"coverage": 50, "full": False}}},
                "partial",
                "coverage is not full, 50 %",
            ),
            "a hit that was not filled": (
                {"root": {"children": [{"id": "index:shop/0/aa", "relevance": 1.0}]}},
                "hit",
                "'index:shop/0/aa'",
            ),
            "nothing at all": ({"root": {"id": "toplevel", "relevance": 1.0}}, "path", "root.children"),
        },
        pages=tuple({"hits": 400, "offset": offset} for offset in (0, 400, 800)),
        size=400,
    ),
    "typesense": Engine(
        asked=Asked(
            "/collections/products/documents/search",
            "GET",
            params={"q": TEXT, "query_by": "title", "page": "1", "per_page": "10", "include_fields": "id,title"},
            headers={"x-typesense-api-key": KEY},
        ),
        answer=typesense,
        totals=(("found",),),
        details=(Detail(2.5, "First", "<mark>First</mark>"), Detail(1.25, "Second", "<mark>Second</mark>")),
        broken={
            "cut off": (typesense(HITS) | {"search_cutoff": True}, "partial", "search_cutoff is true"),
            "an answer to another query": (typesense(HITS) | {"request_params": {"q": "x"}}, "body", "another query"),
        },
        pages=({"page": "1", "per_page": "250"}, {"page": "2", "per_page": "250"}),
        size=250,
        depth=251,
    ),
    "meilisearch": Engine(
        asked=Asked(
            "/indexes/products/search",
            body={
                "q": TEXT,
                "offset": 0,
                "limit": 10,
                "attributesToRetrieve": ["id", "title"],
                "showRankingScore": True,
                "showRankingScoreDetails": True,
            },
        ),
        answer=meilisearch,
        totals=(("estimatedTotalHits",),),
        broken={
            "out of time": (
                {**meilisearch(()), "hits": [{"id": "d1", "_rankingScoreDetails": OUT_OF_TIME}]},
                "partial",
                'is [{"order": 1}]',
            ),
            "a remote that was not there": (
                meilisearch(HITS) | {"remoteErrors": {"ms-1": {"message": "proxy timeout", "code": "proxy_timeout"}}},
                "partial",
                "proxy timeout",
            ),
            "an answer to another query": (meilisearch(()) | {"query": ""}, "body", "another query, ''"),
        },
        pages=({"offset": 0, "limit": 1000}, {"offset": 1000, "limit": 1000}),
        size=1_000,
        depth=1_001,
    ),
    "algolia": Engine(
        asked=Asked(
            "/1/indexes/products/query",
            body={
                "query": TEXT,
                "page": 0,
                "hitsPerPage": 10,
                "attributesToRetrieve": ["title"],
                "attributesToHighlight": [],
                "analytics": False,
                "enableABTest": False,
            },
            headers={"x-algolia-application-id": "YOUR_APP_ID", "x-algolia-api-key": KEY},
        ),
        answer=algolia,
        totals=(("nbHits",),),
        details=(Detail(None, "First"), Detail(None, "Second")),
        broken={
            "typos not all looked at": (
                algolia(HITS) | {"exhaustive": {"typo": False}},
                "partial",
                "exhaustive.typo",
            ),
            "out of time": (algolia(()) | {"timeoutHits": True}, "partial", "'timeoutHits'"),
            "rules not all looked at": (
                algolia(HITS) | {"exhaustive": {"rulesMatch": False}},
                "partial",
                "exhaustive.rulesMatch",
            ),
            "an answer to another query": (algolia(HITS) | {"query": "x"}, "body", "another query, 'x'"),
        },
        pages=({"page": 0, "hitsPerPage": 1000}, {"page": 1, "hitsPerPage": 1000}),
        size=1_000,
        depth=1_001,
    ),
    "weaviate": Engine(
        asked=Asked("/v1/graphql", body={"query": weaviate_query(10)}),
        answer=weaviate,
        broken={
            "errors": (
                {"data": {"Get": {"Product": None}}, "errors": [{"message": "vectorizer not reachable"}]},
                "partial",
                "errors is not empty (vectorizer not reachable)",
            ),
            "no list": ({"data": {"Get": {"Product": None}}}, "path", "is null"),
        },
        pages=({"query": weaviate_query(10_000)},),
        size=10_000,
        depth=10_001,
    ),
    "qdrant": Engine(
        asked=Asked(
            "/collections/products/points/query", body={"query": VECTOR, "limit": 10, "with_payload": ["title"]}
        ),
        answer=qdrant,
        hits=(Hit(7, 2.5, "First"), Hit("550e8400-e29b-41d4-a716-446655440000", 1.25, "Second")),
        params={"vector": VECTOR},
        broken={
            "an error": (
                {"status": {"error": "Wrong input: Vector dimension error: expected dim: 4, got 3"}, "time": 0.0},
                "partial",
                "status.error is not empty (Wrong input: Vector dimension error",
            ),
            "another status": (qdrant(HITS) | {"status": "accepted"}, "partial", '"accepted"'),
        },
        pages=({"limit": 2000},),
    ),
    "chroma": Engine(
        asked=Asked(
            "/api/v2/tenants/default_tenant/databases/default_database/collections/COLLECTION_ID/query",
            body={"query_embeddings": [VECTOR], "n_results": 10, "include": ["distances"]},
        ),
        answer=chroma,
        details=(),
        params={"vector": VECTOR},
        broken={
            "an error": (
                {"error": "InvalidArgumentError", "message": "Collection expecting embedding with dimension of 4"},
                "partial",
                "dimension of 4",
            ),
            "an answer to no vector": (chroma(()) | {"ids": []}, "path", "'ids[0]'"),
        },
        pages=({"n_results": 2000},),
    ),
    "postgrest": Engine(
        asked=Asked("/rpc/search", params={"limit": "10", "offset": "0"}, body={"q": TEXT}),
        answer=postgrest,
        broken={
            "an error": (
                {"code": "57014", "details": None, "hint": None, "message": "canceling statement due to timeout"},
                "path",
                "an object, not a list",
            ),
        },
        pages=({"limit": "1000", "offset": "0"}, {"limit": "1000", "offset": "1000"}),
        size=1_000,
        depth=1_001,
    ),
    "datasette": Engine(
        asked=Asked("/docs/search.json", "GET", params={"q": TEXT, "k": "10", "o": "0", "_shape": "objects"}),
        answer=datasette,
        details=(Detail(2.5, "First", "of First"), Detail(1.25, "Second", "of Second")),
        broken={
            "cut off": (datasette(HITS) | {"truncated": True}, "partial", "'truncated' (service.partial) is true"),
            "an error": (datasette(()) | {"ok": False, "error": "SQL Interrupted"}, "partial", "SQL Interrupted"),
            "an error beside no rows": (datasette(()) | {"error": "interrupted"}, "partial", "not empty (interrupted)"),
        },
        pages=({"k": "1000", "o": "0"}, {"k": "1000", "o": "1000"}),
        size=1_000,
        depth=1_001,
    ),
    "groonga": Engine(
        asked=Asked(
            "/d/select",
            "GET",
            params={
                "table": "Docs",
                "match_columns": "title * 5 || body",
                "query": TEXT,
                "output_columns": "_key,_score,title",
                "sort_keys": "-_score,_key",
                "limit": "10",
                "command_version": "3",
            },
        ),
        answer=groonga,
        totals=(("body", "n_hits"),),
        broken={
            "a syntax error": (
                {"header": {"return_code": -63, "error": {"message": "Syntax error: <(red||>"}}},
                "partial",
                "header.return_code is -63 (Syntax error: <(red||>)",
            ),
            "an error beside records": (
                groonga(HITS) | {"header": {"return_code": -12, "error": {"message": "out of memory"}}},
                "partial",
                "header.return_code is -12 (out of memory)",
            ),
            "the array of command version 1": (
                [[0, 1796037712.97, 0.01], [[[1], [["_key", "ShortText"]], ["d1"]]]],
                "path",
                "the answer is a list of 2",
            ),
        },
        pages=({"limit": "2000"},),
    ),
    "anserini": Engine(
        asked=Asked("/v1/INDEX/search", "GET", params={"query": TEXT, "hits": "10"}),
        answer=anserini,
        details=(Detail(2.5), Detail(1.25)),
        broken={
            "an error": ({"error": "Unable to open index: INDEX"}, "path", "its top-level keys are: error"),
        },
        pages=({"hits": "2000"},),
    ),
    "postgraphile": Engine(
        asked=Asked("/graphql", body={"query": postgraphile_query(10)}),
        answer=postgraphile,
        totals=(("data", "search", "totalCount"),),
        broken={
            "errors": (
                {"errors": [{"message": "canceling statement due to statement timeout"}], "data": {"search": None}},
                "partial",
                "errors is not empty (canceling statement due to statement timeout)",
            ),
            "no list": ({"data": {"search": None}}, "path", "ends at 'data.search': null"),
        },
        pages=({"query": postgraphile_query(1000)}, {"query": postgraphile_query(1000, 1000)}),
        size=1_000,
        depth=1_001,
    ),
}
EACH: Final = pytest.mark.parametrize("name", ENGINES)


def ask(service: Service, folder: Path, name: str, depth: int = 10, params: Mapping[str, Any] | None = None) -> Run:
    """Ask TEXT with the config that ``rankgate init`` writes for the preset, only the address changed."""
    starter.write(folder, starter.preset_text(name))
    environ = {"SEARCH_URL": f"http://{service.address}", "SEARCH_KEY": KEY}
    spec = gate_file.load(folder / "rankgate.yaml", environ).service
    return measure(spec, [Ask("q1", TEXT, ENGINES[name].params if params is None else params)], depth)


def sent(request: Received) -> dict[str, Any]:
    """All that a request says besides its address: parameters, and keys of the body."""
    params = {key: values[0] for key, values in request.params.items()}
    return params | (request.json if request.body else {})


@pytest.mark.parametrize(
    ("name", "place"), [(name, place) for name, engine in ENGINES.items() for place in engine.totals], ids=str
)
def test_none_of_many_is_a_failure(service: Service, tmp_path: Path, name: str, place: tuple[str, ...]) -> None:
    """An answer without hits that counts some is no zero result."""
    answer = ENGINES[name].answer(())
    holder = answer
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = 57
    service.always(service.json(answer))
    run = ask(service, tmp_path, name)

    assert {} == run.rankings
    assert "57 documents match, and none came" in run.failures["q1"].message


def test_every_preset_of_an_engine_is_tested() -> None:
    """The one for any service over HTTP has no engine."""
    assert {*ENGINES, "http"} == set(starter.presets())


@EACH
def test_an_answer_is_read(service: Service, tmp_path: Path, name: str) -> None:
    """Ids in the engine's order, and what it says of each."""
    engine = ENGINES[name]
    service.always(service.json(engine.answer(engine.hits)))
    run = ask(service, tmp_path, name)

    assert {} == run.failures
    assert tuple(str(hit.id) for hit in engine.hits) == run.rankings["q1"].ids
    assert engine.details == run.rankings["q1"].details


@EACH
def test_the_request_is_the_documented_one(service: Service, tmp_path: Path, name: str) -> None:
    """Method, path, parameters, body, and the text of the query to the last character."""
    engine = ENGINES[name]
    service.always(service.json(engine.answer(engine.hits)))
    ask(service, tmp_path, name)

    (got,) = service.requests
    assert engine.asked == Asked(
        got.path,
        got.method,
        {key: values[0] for key, values in got.params.items()},
        got.json if got.body else None,
        {key: got.headers[key] for key in engine.asked.headers},
    )


@EACH
def test_an_empty_answer_is_a_zero_result(service: Service, tmp_path: Path, name: str) -> None:
    """An engine that honestly found nothing was measured."""
    service.always(service.json(ENGINES[name].answer(())))
    run = ask(service, tmp_path, name)

    assert ({"q1": Ranking(())}, {}) == (run.rankings, run.failures)


@pytest.mark.parametrize(("name", "case"), [(name, case) for name, engine in ENGINES.items() for case in engine.broken])
def test_an_answer_that_is_no_measurement_is_a_failure(service: Service, tmp_path: Path, name: str, case: str) -> None:
    """Partial, an error under status 200, the answer to another query: never a ranking."""
    answer, kind, words = ENGINES[name].broken[case]
    service.always(service.json(answer))
    run = ask(service, tmp_path, name)

    assert {} == run.rankings
    assert (kind, True) == (str(run.failures["q1"].kind), words in run.failures["q1"].message), run.failures["q1"]


@EACH
def test_more_than_one_answer_can_hold_is_asked_for_page_by_page(service: Service, tmp_path: Path, name: str) -> None:
    """No request asks for more than the engine gives, and none goes beyond what it can reach."""
    engine = ENGINES[name]
    documents = [Hit(f"d{rank}") for rank in range(engine.depth)]
    starts = range(0, engine.depth, engine.size)
    service.in_turn(*(service.json(engine.answer(documents[start : start + engine.size])) for start in starts))
    run = ask(service, tmp_path, name, engine.depth)

    assert engine.pages == tuple(
        {key: sent(got)[key] for key in page} for got, page in zip(service.requests, engine.pages, strict=True)
    )
    reached = min(engine.depth, engine.size * len(engine.pages))
    assert tuple(str(hit.id) for hit in documents[:reached]) == run.rankings["q1"].ids


@pytest.mark.parametrize(
    ("name", "place"), [(name, place) for name, engine in ENGINES.items() for place in engine.totals], ids=str
)
def test_an_answer_shorter_than_its_own_count_is_noted(
    service: Service, tmp_path: Path, name: str, place: tuple[str, ...]
) -> None:
    """A cap that nobody knew of shows itself."""
    answer = ENGINES[name].answer(HITS)
    holder = answer
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = 9
    service.always(service.json(answer))
    run = ask(service, tmp_path, name)

    assert "'q1' 2 of 9, with 10 asked for" in run.notes["page cap"]


@pytest.mark.parametrize(
    ("name", "place", "answer"),
    [
        ("qdrant", "query", {"status": {"error": "Wrong input: expected dim: 4, got 0"}, "time": 0.0}),
        ("chroma", "query_embeddings", {"error": "InvalidArgumentError", "message": "dimension of 4, got 0"}),
    ],
)
def test_a_query_without_a_vector_is_left_to_the_engine_to_refuse(
    service: Service, tmp_path: Path, name: str, place: str, answer: Any
) -> None:
    """No other query's vector stands in for it, and nothing is measured."""
    service.always(service.json(answer, 400))
    run = ask(service, tmp_path, name, params={})

    assert service.requests[0].json[place] in ([], [[]])
    assert ({}, "status") == (run.rankings, str(run.failures["q1"].kind))
    assert "got 0)" in run.failures["q1"].message
