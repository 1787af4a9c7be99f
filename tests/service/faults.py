"""A golden set of three queries before the service of ``conftest``, and what can go wrong with one of its answers."""

import gzip
import json
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler
from io import StringIO
from pathlib import Path
from typing import Any, Final

from rankgate.cli import entry
from tests.e2e.support import Result, put
from tests.service.conftest import Received, Reply, Service

#: The queries by their ids; ``jacket`` is the one that a fault strikes.
TEXTS: Final = {"shoes": "running shoes", "jacket": "rain jacket", "socks": "wool socks"}
STRUCK: Final = "jacket"

#: What changes in the block ``service``; None takes a key away.
Changes = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Fault:
    """How an answer goes wrong, and what a reader of the report has to find there.

    Attributes:
        reply: The answer to the query that is struck.
        reason: A part of what happened, in the report.
        cure: A part of what to do, in the report.
        service: What the config needs for the fault to show.
        request: Method and path, as the report names them.
    """

    reply: Callable[[Service], Reply]
    reason: str
    cure: str
    service: Changes = field(default_factory=dict)
    request: str = "GET http://{address}/search"


@dataclass(frozen=True, slots=True)
class Checked:
    """How ``rankgate check`` ended.

    Attributes:
        facts: The report in JSON; empty when there was nothing to report.
    """

    code: int
    stdout: str
    stderr: str
    facts: dict[str, Any]

    @property
    def failures(self) -> list[tuple[str, list[str]]]:
        """Each message with the ids of the queries it is about."""
        return [(failure["message"], failure["query_ids"]) for failure in self.facts["failures"]]

    @property
    def measured_and_failed(self) -> tuple[int, int]:
        """How many queries were measured, and how many were not."""
        return self.facts["counts"]["measured"], self.facts["counts"]["failed"]

    def now(self, measure: str) -> float:
        """The mean of *measure* over the whole set."""
        (cell,) = (cell for cell in self.facts["slices"][0]["cells"] if cell["measure"] == measure)
        return float(cell["now"])

    def says(self, words: str) -> bool:
        """Whether *words* are printed, wherever lines are broken."""
        return "".join(words.split()) in "".join((self.stdout + self.stderr).split())


@dataclass(slots=True)
class Gate:
    """A project in *root* that gates *service*.

    Attributes:
        wells: The right ids of each query, by its text.
        matches: How many documents the service says there are.
    """

    root: Path
    service: Service
    config: dict[str, Any] = field(default_factory=dict)
    wells: dict[str, list[Any]] = field(default_factory=dict)
    matches: int = 2

    @property
    def baseline(self) -> Path:
        """The accepted run."""
        return self.root / "golden" / "baseline.jsonl"

    def begin(self) -> None:
        """Write a config and the golden queries, and let the service answer well."""
        self.config = {
            "version": 1,
            "service": {
                "url": f"http://{self.service.address}/search",
                "params": {"q": "{query}"},
                "hits": "hits",
                "id": "id",
                "retries": 1,
                "timeout": {"connect": 5, "read": 5, "run": 20},
            },
            "depth": 50,
            "measures": ["P@1", "R@50", "ZeroResults"],
            "gate": {"P@1": {"max_drop": 0.1}, "ZeroResults": {"max_rise": 0.1}},
        }
        queries = [{"id": id_, "text": text, "judgments": {f"{id_}-1": 3}} for id_, text in TEXTS.items()]
        put(self.root / "golden" / "queries" / "all.yaml", json.dumps({"queries": queries}))
        self.wells = {text: [f"{id_}-1", f"{id_}-2"] for id_, text in TEXTS.items()}
        self.configure()
        self.service.respond = self.well

    def configure(self, **service: object) -> None:
        """Write the config with *service* in its block of that name."""
        block = self.config["service"] | service
        self.config["service"] = {key: value for key, value in block.items() if value is not None}
        put(self.root / "golden" / "rankgate.yaml", json.dumps(self.config))

    def well(self, request: Received) -> Reply:
        """What a service answers that has no fault."""
        text = asked(request)
        hits = [{"id": document} for document in self.wells[text]]
        return self.service.json({"hits": hits, "total": self.matches, "q": text})

    def strike(self, reply: Reply, *, all_of_them: bool = False) -> None:
        """Answer *reply* to the query that is struck, or to every query."""
        self.service.respond = lambda r: reply if all_of_them or asked(r) == TEXTS[STRUCK] else self.well(r)

    def run(self, *arguments: str) -> Result:
        """Run rankgate in this process."""
        with redirect_stdout(StringIO()) as stdout, redirect_stderr(StringIO()) as stderr:
            code = entry._run([*arguments, "--config", str(self.root / "golden" / "rankgate.yaml")])
        return Result(code, stdout.getvalue(), stderr.getvalue())

    def accept(self) -> None:
        """Accept what the service answers now as the baseline."""
        result = self.run("accept")
        assert 0 == result.code, result.stderr

    def check(self) -> Checked:
        """Gate the service."""
        report = self.root / "report.json"
        report.unlink(missing_ok=True)
        result = self.run("check", "--output", f"json:{report}")
        facts = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
        return Checked(result.code, result.stdout, result.stderr, facts)


def asked(request: Received) -> str:
    """The query that *request* is for, in its address or in its body."""
    return request.params["q"][0] if "q" in request.params else str(request.json["q"])


def hang(service: Service, begun: bytes = b"") -> Reply:
    """Write *begun* and nothing more."""

    def raw(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(begun)
        handler.wfile.flush()
        service.closing.wait(10)

    return Reply(raw=raw)


def drip(service: Service, begun: bytes) -> Reply:
    """Write *begun*, and one more byte ten times a second."""

    def raw(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(begun)
        while not service.closing.wait(0.1):
            handler.wfile.write(b" ")
            handler.wfile.flush()

    return Reply(raw=raw)


def circle(_: Service) -> Reply:
    """Redirect every request to where it came from."""

    def raw(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: %b\r\n\r\n" % handler.path.encode())

    return Reply(raw=raw)


def stay(handler: BaseHTTPRequestHandler, data: bytes) -> None:
    """Write *data* and keep the connection."""
    handler.wfile.write(data)
    handler.wfile.flush()
    handler.close_connection = False


# The table.

OK: Final = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
ONE_HIT: Final = b'{"hits": [{"id": "jacket-1"}]}'
SEVERAL: Final = {"hits": "hits || responses[0].hits.hits"}
WITHIN: Final = {"hits": "hits || data.hits"}
POST: Final = {"method": "POST", "params": None, "body": {"q": "{query}"}}
YESTERDAY: Final = format_datetime(datetime.now(UTC) - timedelta(days=1), usegmt=True)

BROKEN: Final = "the connection broke"
LOG: Final = "look into its log"
CREDENTIALS: Final = "check service.headers and the variables in it"
FINAL_ADDRESS: Final = "put the final address into service.url"
ELSEWHERE: Final = "check that the search itself answers there"
RIGHT_HITS: Final = "is service.hits right?"
RIGHT_ID: Final = "is service.id right for every hit?"
WHOLE: Final = "only a whole answer is measured"
PLAIN: Final = "service.headers {Accept-Encoding: identity}"
FITTING: Final = "does the query fit where {query} stands?"
LONGER: Final = "a slow service needs a longer service.timeout.read"
LONGER_RUN: Final = "raise service.timeout.run or service.concurrency"

LOST: dict[str, Fault] = {
    "reset before the answer": Fault(lambda s: s.wire(b"", reset=True), BROKEN, LOG),
    "closed before the answer": Fault(lambda s: s.wire(b""), BROKEN, LOG),
    "closed in the headers": Fault(lambda s: s.wire(OK[:30]), BROKEN, LOG),
    "reset in the body": Fault(lambda s: s.wire(OK + b'Content-Length: 99\r\n\r\n{"hits": [', reset=True), BROKEN, LOG),
    "closed in the body": Fault(lambda s: s.wire(OK + b"Content-Length: 99\r\n\r\n" + ONE_HIT), BROKEN, LOG),
    "closed in a chunk": Fault(lambda s: s.wire(OK + b"Transfer-Encoding: chunked\r\n\r\nff\r\n{"), BROKEN, LOG),
    "no last chunk": Fault(lambda s: s.wire(OK + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n" % (len(ONE_HIT), ONE_HIT)), BROKEN, LOG),
    "no HTTP": Fault(lambda s: s.wire(b"SSH-2.0-OpenSSH_9.2\r\n"), BROKEN, LOG),
    "slow headers": Fault(hang, "no answer within 0.3 s", LONGER, {"timeout": {"read": 0.3}, "retries": 0}),
    "slow headers, again": Fault(hang, "no answer within 0.2 s (2 tries)", LONGER, {"timeout": {"read": 0.2}, "retries": 1}),
    "slow body": Fault(lambda s: hang(s, OK + b'Content-Length: 99\r\n\r\n{"hits": ['), "no answer within 0.3 s", LONGER, {"timeout": {"read": 0.3}, "retries": 0}),
    "slower than the run": Fault(hang, "reached its limit of 0.5 s", LONGER_RUN, {"timeout": {"run": 0.5}}, "{address}"),
    "a body without an end": Fault(lambda s: drip(s, OK + b'\r\n{"hits": ['), "reached its limit of 0.5 s", LONGER_RUN, {"timeout": {"run": 0.5}}, "{address}"),
}  # fmt: skip

STATUS: dict[str, Fault] = {
    "304": Fault(lambda s: s.wire(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 0\r\n\r\n"), "status 304", "is service.url right"),
    "400 (A17)": Fault(lambda s: s.json({"message": "at most 25 per page"}, 400), "status 400 (at most 25 per page); 50 hits were asked for", "A page cap goes into service.page_size"),
    "401": Fault(lambda s: s.json({"error": "no key"}, 401), "status 401 (no key)", CREDENTIALS),
    "403": Fault(lambda s: s.json({"message": "denied"}, 403), "status 403 (denied)", CREDENTIALS),
    "404": Fault(lambda s: s.json({"error": "no such index [x]"}, 404), "status 404 (no such index [x])", "is the path or the index in service.url right?"),
    "405": Fault(lambda s: s.plain("", 405, Allow="GET"), "status 405", "is service.method right?", POST, "POST http://{address}/search"),
    "407": Fault(lambda s: s.plain("", 407), "status 407", "the proxy wants credentials"),
    "413": Fault(lambda s: s.plain("", 413), "status 413", "check service.body and service.page_size", POST, "POST http://{address}/search"),
    "414": Fault(lambda s: s.plain("", 414), "status 414", "can it take the query in service.body?"),
    "418": Fault(lambda s: s.json({"error": "a teapot"}, 418), "status 418 (a teapot)", "is service.url right"),
    "422": Fault(lambda s: s.json({"detail": [{"msg": "limit must be <= 25"}]}, 422), "status 422 (limit must be <= 25)", "A page cap goes into service.page_size"),
    "429 without a word": Fault(lambda s: s.plain("", 429), "status 429 after 2 tries", "lower service.concurrency"),
    "429 in seconds, again and again": Fault(lambda s: s.plain("", 429, Retry_After="0"), "status 429 after 2 tries", "lower service.concurrency"),
    "429 with a date, again and again": Fault(lambda s: s.plain("", 429, Retry_After=YESTERDAY), "status 429 after 2 tries", "lower service.concurrency"),
    "429 for a day": Fault(lambda s: s.plain("", 429, Retry_After="86400"), "status 429 after 1 try, and asks to wait 86400 s", "lower service.concurrency"),
    "429 until 2100": Fault(lambda s: s.plain("", 429, Retry_After="Fri, 31 Dec 2100 23:59:59 GMT"), "status 429 after 1 try, and asks to wait", "lower service.concurrency"),
    "500 with an empty list": Fault(lambda s: s.json({"hits": []}, 500), 'status 500 ({"hits": []})', LOG),
    "500 with hits": Fault(lambda s: s.json({"hits": [{"id": "jacket-1"}]}, 500), "status 500", LOG),
    "500 of a result window (A19)": Fault(lambda s: s.json({"error": {"root_cause": [{"reason": "window of 10000 exceeded"}]}}, 500), "status 500 (window of 10000 exceeded); 50 hits were asked for", LOG),
    "501": Fault(lambda s: s.plain("", 501), "status 501", LOG),
    "502 in HTML": Fault(lambda s: s.plain("<html><h1>Bad gateway</h1></html>", 502, Content_Type="text/html"), "Bad gateway) after 2 tries", "is the service up"),
    "503": Fault(lambda s: s.json({"hits": [], "error": "overloaded"}, 503), "status 503 (overloaded) after 2 tries", "is the service up"),
    "504": Fault(lambda s: s.plain("", 504), "status 504 after 2 tries", "is the service up"),
    "202": Fault(lambda s: s.json({"hits": [], "status": "pending"}, 202), "the answer is 202 Accepted: accepted, and not answered", "let the service answer 200"),
    "400 of a query that is not understood": Fault(lambda s: s.json({"error": {"reason": "Failed to parse query [text]"}}, 400), "status 400 (Failed to parse query [text])", "do the templates fit what the service reads?"),
    "408": Fault(lambda s: s.plain("", 408), "status 408", "gave up waiting: look into its time limits"),
    "503 for longer than the run": Fault(lambda s: s.plain("", 503, Retry_After="30"), "status 503 after 1 try, and asks to wait 30 s, longer than service.timeout.run leaves", "is the service up"),
    "204": Fault(lambda s: s.plain("", 204), "the answer is 204 No Content", "a search without hits is an empty list"),
    "redirect to another host": Fault(lambda s: s.plain("", 302, Location="http://search.invalid/search?q=rain+jacket"), "status 302 redirects to http://search.invalid/search, another origin, which does not get this request's credentials", FINAL_ADDRESS),
    "redirect to https": Fault(lambda s: s.plain("", 301, Location=f"https://{s.address}/search?q=rain+jacket"), "another origin", FINAL_ADDRESS),
    "redirect in a circle": Fault(circle, "redirected more than 5 times", FINAL_ADDRESS),
    "redirect that turns POST into GET (A02)": Fault(lambda s: s.plain("", 302, Location="/v2"), "would turn POST into GET without a body", FINAL_ADDRESS, POST, "POST http://{address}/search"),
    "redirect that loses the query": Fault(lambda s: s.plain("", 301, Location="/login"), "would lose parameters of the query string", FINAL_ADDRESS),
    "redirect to nowhere": Fault(lambda s: s.plain("", 301), "status 301 redirects to no address", FINAL_ADDRESS),
}  # fmt: skip

BODY: dict[str, Fault] = {
    "nothing": Fault(lambda s: s.plain(""), "the answer is empty", ELSEWHERE),
    "blanks": Fault(lambda s: s.plain(" \r\n"), "the answer is empty", ELSEWHERE),
    "HTML": Fault(lambda s: s.plain("<html><title>Log in</title>", Content_Type="text/html"), "the answer is HTML, not JSON (a login page, an error page?): Log in", ELSEWHERE),
    "XML": Fault(lambda s: s.plain("<?xml version='1.0'?><response>0 hits</response>", Content_Type="text/xml"), "the answer is XML, not JSON", "ask for JSON in service.params or service.headers"),
    "plain text": Fault(lambda s: s.plain("0 hits", Content_Type="text/plain"), "the answer is no JSON", ELSEWHERE),
    "half a JSON": Fault(lambda s: s.plain('{"hits": ['), "the answer is no JSON (expecting value, line 1 column 11 of 10 bytes)", ELSEWHERE),
    "two JSONs": Fault(lambda s: s.plain('{"hits": []}\n{"hits": []}'), "the answer is no JSON (extra data", ELSEWHERE),
    "NaN": Fault(lambda s: s.plain('{"hits": [], "max_score": NaN}'), "NaN is no JSON number", "let the service write null"),
    "Infinity": Fault(lambda s: s.plain('{"hits": [{"id": "jacket-1", "score": -Infinity}]}'), "-Infinity is no JSON number", "let the service write null"),
    "another charset": Fault(lambda s: s.plain('{"hits": [{"id": "é"}]}'.encode("latin-1"), Content_Type="application/json; charset=utf-8"), "the answer is not UTF-8 from byte 18 on; its header says utf-8", "let the service write UTF-8"),
    "gzip that is none": Fault(lambda s: s.plain(ONE_HIT, Content_Encoding="gzip"), "the answer's compression cannot be undone", PLAIN),
    "half a gzip": Fault(lambda s: s.plain(gzip.compress(ONE_HIT)[:-20], Content_Encoding="gzip"), "the answer is", ELSEWHERE),
    "brotli": Fault(lambda s: s.plain(b"\x8b\x05", Content_Encoding="br"), "the answer is compressed as 'br', which was not asked for", "let the service, or what stands before it, heed Accept-Encoding"),
    "the answer to another query": Fault(lambda s: s.json({"hits": [{"id": "jacket-1"}], "q": "rain coat"}), "the answer is for another query, 'rain coat'", "does a cache stand in between?", {"echo": "q"}),
    "a query that the service rewrites": Fault(lambda s: s.json({"hits": [{"id": "jacket-1"}], "q": "rain_jacket"}), "the answer is for another query, 'rain_jacket'", "if the service rewrites the text itself, drop service.echo", {"echo": "q"}),
    "hits twice": Fault(lambda s: s.plain('{"hits": [{"id": "jacket-1"}], "hits": []}'), "the answer has the key 'hits' twice in one object", "let the service write it once"),
    "bottomless": Fault(lambda s: s.plain("[" * 100_000), "the answer is nested too deeply", "ask for fewer fields of a hit"),
    "a length that is too short": Fault(lambda s: s.wire(OK + b"Content-Length: 11\r\n\r\n" + ONE_HIT), "the answer is no JSON (expecting property name enclosed in double quotes, line 1 column 12 of 11 bytes)", ELSEWHERE),
    "beyond the limit": Fault(lambda s: s.plain(b" " * 2**20 + ONE_HIT), "the answer is larger than 1 MB", "ask for fewer fields of a hit"),
    "beyond the limit, unpacked": Fault(lambda s: s.plain(gzip.compress(b" " * 2**20 + ONE_HIT), Content_Encoding="gzip"), "the answer is larger than 1 MB", "ask for fewer fields of a hit"),
}  # fmt: skip

HITS: dict[str, Fault] = {
    "an error with 200": Fault(lambda s: s.json({"error": {"reason": "boom"}}), "path 'hits' is not in the answer; its top-level keys are: error; the service says: boom", RIGHT_HITS),
    "hits that are null": Fault(lambda s: s.json({"hits": None}), "path 'hits' is null", RIGHT_HITS),
    "hits that are missing": Fault(lambda s: s.json({"total": 0}), "path 'hits' is not in the answer; its top-level keys are: total", RIGHT_HITS),
    "an empty object": Fault(lambda s: s.json({}), "it is an empty object", RIGHT_HITS),
    "an empty list at the top": Fault(lambda s: s.json([]), "the answer is a list of 0", RIGHT_HITS),
    "null": Fault(lambda s: s.json(None), "the answer is null", RIGHT_HITS),
    "hits that are an object": Fault(lambda s: s.json({"hits": {"total": 0, "hits": []}}), "path 'hits' (service.hits) gives an object, not a list", RIGHT_HITS),
    "hits that are a number": Fault(lambda s: s.json({"hits": 0}), "gives the number 0, not a list", RIGHT_HITS),
    "hits that are a text": Fault(lambda s: s.json({"hits": ""}), "gives a text, not a list", RIGHT_HITS),
    "hits that are false": Fault(lambda s: s.json({"hits": False}), "gives the value false, not a list", RIGHT_HITS),
    "none of many": Fault(lambda s: s.json({"hits": [], "total": 120}), "120 documents match, and none came", "is service.hits right, and is {depth} sent", {"total": "total"}),
    "grouped hits (A22)": Fault(lambda s: s.json({"grouped": {"sku": {"matches": 9}}}), "its top-level keys are: grouped", RIGHT_HITS),
    "a hit that is null": Fault(lambda s: s.json({"hits": [{"id": "jacket-1"}, None]}), "hit 2 is null", RIGHT_ID),
    "a hit without id": Fault(lambda s: s.json({"hits": [{"id": "jacket-1"}, {"sku": 1}]}), "hit 2 has no id at 'id' (service.id); its keys are: sku", RIGHT_ID),
    "a hit that is a text": Fault(lambda s: s.json({"hits": ["jacket-1"]}), "hit 1 is a text", "for a list of bare ids write '@'"),
    "an id that is null": Fault(lambda s: s.hits("jacket-1", None), "hit 2 has no id at 'id'", RIGHT_ID),
    "an id that is true": Fault(lambda s: s.hits("jacket-1", True), "hit 2 has the value true at 'id'", RIGHT_ID),
    "an id that is a float": Fault(lambda s: s.hits("jacket-1", 7.0), "hit 2 has the number 7.0 at 'id'", RIGHT_ID),
    "an id that is a list": Fault(lambda s: s.hits("jacket-1", ["a"]), "hit 2 has a list of 1 at 'id'", RIGHT_ID),
    "an id that is an object": Fault(lambda s: s.hits("jacket-1", {"$oid": "a"}), "hit 2 has an object at 'id'", RIGHT_ID),
    "an id that is empty": Fault(lambda s: s.hits("jacket-1", ""), "hit 2 has an id at 'id' that is empty", RIGHT_ID),
    "a placeholder among the hits (A13)": Fault(lambda s: s.json({"hits": [{"relevance": 1.0}, {"fields": {"docid": "jacket-1"}}]}), "hit 1 has no id at 'not_null(id, fields.docid)' (service.id); its keys are: relevance", RIGHT_ID, {"id": "not_null(id, fields.docid)"}),
}  # fmt: skip

PARTIAL: dict[str, Fault] = {
    "failed shards (A10)": Fault(lambda s: s.json({"hits": [{"id": "jacket-1"}], "timed_out": False, "_shards": {"total": 5, "successful": 3, "failed": 2, "failures": [{"reason": {"type": "es_rejected"}}]}}), "2 of 5 shards failed (es_rejected)", WHOLE),
    "timed_out (A11)": Fault(lambda s: s.json({"hits": [], "timed_out": True, "_shards": {"total": 40, "successful": 40, "failed": 0}}), "timed_out is true", WHOLE),
    "skipped clusters": Fault(lambda s: s.json({"hits": [], "_clusters": {"total": 2, "skipped": 1}}), "1 of 2 clusters were skipped", WHOLE),
    "Solr's partialResults": Fault(lambda s: s.json({"hits": [], "responseHeader": {"status": 0, "partialResults": True}}), "responseHeader.partialResults is True", WHOLE),
    "Vespa's degraded coverage (A12)": Fault(lambda s: s.json({"hits": [], "root": {"coverage": {"coverage": 69, "full": False, "degraded": {"timeout": True}}}}), "degraded coverage, 69 %", WHOLE),
    "Vespa's errors (A12)": Fault(lambda s: s.json({"hits": [], "root": {"errors": [{"code": 12, "summary": "Timed out"}]}}), "root.errors is not empty (Timed out)", WHOLE),
    "Typesense's search_cutoff": Fault(lambda s: s.json({"hits": [], "search_cutoff": True}), "search_cutoff is true", WHOLE),
    "GraphQL's errors (A14)": Fault(lambda s: s.json({"data": {"Get": {"Product": None}}, "errors": [{"message": "vectorizer not reachable"}]}), "errors is not empty (vectorizer not reachable)", WHOLE),
    "GraphQL's errors beside hits (A14)": Fault(lambda s: s.json({"hits": [], "errors": [{"message": "resolver failed"}]}), "errors is not empty (resolver failed)", WHOLE),
    "timed_out in words": Fault(lambda s: s.json({"hits": [{"id": "jacket-1"}], "timed_out": "true"}), "timed_out is true", WHOLE),
    "failed shards of a search among several": Fault(lambda s: s.json({"responses": [{"_shards": {"total": 5, "failed": 4}, "hits": {"hits": [{"id": "jacket-1"}]}}]}), "4 of 5 shards failed", WHOLE, SEVERAL),
    "timed_out within": Fault(lambda s: s.json({"data": {"timed_out": True, "hits": [{"id": "jacket-1"}]}}), "timed_out is true", WHOLE, WITHIN),
    "a group that timed out": Fault(lambda s: s.json({"groups": [{"docs": [{"id": "jacket-1"}]}, {"timed_out": True, "docs": []}]}), "timed_out is true", WHOLE, {"hits": "groups[].docs[] || hits"}),
    "the team's own sign": Fault(lambda s: s.json({"hits": [], "meta": {"cut": True}}), "'meta.cut' (service.partial) is true", WHOLE, {"partial": ["meta.cut"]}),
}  # fmt: skip

#: Beside an empty list: what came is no list of hits, it is the lack of one.
EMPTY: dict[str, Fault] = {
    name: Fault(lambda s, answer=answer: s.json({"hits": []} | answer), f"the answer has no hits and says of itself that it failed: {reason}", WHOLE)  # type: ignore[misc]
    for name, answer, reason in (
        ("an error in words", {"error": "index is closed"}, "error is not empty (index is closed)"),
        ("an error of parts", {"error": {"reason": "boom"}}, "error is not empty (boom)"),
        ("an error of a code", {"error": 7}, "error is not empty"),
        ("errors by name", {"errors": {"q": "bad"}}, "errors is not empty"),
        ("errors in words", {"errors": "backend down"}, "errors is not empty (backend down)"),
        ("a status", {"status": 500, "message": "internal"}, "status is 500 (internal)"),
        ("a status in words", {"status": "error", "message": "internal"}, "status is error (internal)"),
        ("a code", {"code": "503"}, "code is 503"),
        ("no success", {"success": False, "message": "no backend"}, "success is false (no backend)"),
        ("not ok", {"ok": "false"}, "ok is false"),
    )
}  # fmt: skip
EMPTY["an error within"] = Fault(lambda s: s.json({"data": {"hits": [], "error": "boom"}}), "it failed: error is not empty (boom)", WHOLE, WITHIN)  # fmt: skip
EMPTY["an error where a path has a choice"] = Fault(lambda s: s.json({"data": {"error": "boom"}}), "it failed: error is not empty (boom)", WHOLE, {"hits": "hits || data.hits || `[]`"})  # fmt: skip

FAULTS: Final = {
    f"{group}: {name}": fault
    for group, table in (
        ("lost", LOST),
        ("status", STATUS),
        ("body", BODY),
        ("hits", HITS),
        ("partial", PARTIAL),
        ("empty", EMPTY),
    )
    for name, fault in table.items()
}
