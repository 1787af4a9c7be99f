"""Meeting a service: init asks it once, ask shows a request and its answer."""

import base64

import pytest
import yaml

from tests.e2e.support import Fault, Inside, Workspace, put, right

SECRET = "s3cr3t-value"


def test_ask_shows_the_request_the_answer_and_the_grades(workspace: Workspace, inside: Inside) -> None:
    """For a golden query by its text or its id: hits with grades, what is missing, and the values."""
    workspace.search.rankings["rain jacket"] = [*right("rain jacket")[1:], "ad-1"]
    by_text, by_id = inside("ask", "rain jacket"), inside("ask", "rain-jacket")

    assert (0, "") == (by_text.code, by_text.stderr)
    assert by_text == by_id
    assert f"GET {workspace.search.url}/search?q=rain%20jacket&k=10" in by_text.stdout
    assert "status 200, application/json" in by_text.stdout
    assert ["1 rain-jacket-2 2", "2 rain-jacket-3 0", "3 rain-jacket-4 -", "4 ad-1 -"] == [
        " ".join(line.split()) for line in by_text.stdout.splitlines() if line.strip()[:1] in {"1", "2", "3", "4"}
    ]
    assert "relevant and not returned: rain-jacket-1 (grade 3)" in by_text.stdout
    assert "P@1 1.0000" in by_text.stdout


def test_ask_takes_any_text(workspace: Workspace, inside: Inside) -> None:
    """One that is not golden is asked too, and nothing is judged; a parameter fills its template."""
    workspace.search.rankings["blue hat"] = ["hat-1"]
    workspace.configure("  hits: hits", "  headers: {X-Shop: '{shop}'}\n  defaults: {shop: main}\n  hits: hits")
    result = inside("ask", "blue hat", "--param", "shop=outlet", "--depth", "3", "--raw")

    assert (0, "") == (result.code, result.stderr)
    assert "not a text or an id of the golden set" in result.stdout
    assert "x-shop: outlet" in result.stdout.lower()
    assert "1 of 3 asked for" in result.stdout
    assert '{"hits": [{"id": "hat-1"}]}' in result.stdout
    assert "outlet" == workspace.search.requests[-1].headers["X-Shop"]


def test_ask_says_why_nothing_could_be_read(workspace: Workspace, inside: Inside) -> None:
    """The answer is shown, the code is 3, and stderr has the reason."""
    workspace.search.faults[None] = Fault(body='{"results": [{"key": "a"}]}')
    result = inside("ask", "rain jacket")

    assert 3 == result.code
    assert '{"results": [{"key": "a"}]}' in result.stdout
    assert "path 'hits' is not in the answer; its top-level keys are: results" in " ".join(result.stderr.split())


def test_ask_shows_an_answer_without_hits(workspace: Workspace, inside: Inside) -> None:
    """Nothing found may be a wrong field, and the answer may say so."""
    workspace.search.faults[None] = Fault(body='{"hits": [], "note": "no such field"}')
    result = inside("ask", "rain jacket")

    assert 0 == result.code
    assert '{"hits": [], "note": "no such field"}' in result.stdout


def test_ask_shows_scores_that_can_be_read(workspace: Workspace, inside: Inside) -> None:
    """Six digits that count; what is stored and reported as JSON keeps them all."""
    shown = {
        "0.30000000000000004": "0.3",
        "12.345678901234567": "12.3457",
        "1": "1",
        "2.0": "2.0",
        "1234567.8": "1234570.0",
        "12345678901": "12345678901",
        "1e-9": "1e-09",
        "null": "",
    }
    hits = ", ".join(f'{{"id": "d{number}", "score": {score}}}' for number, score in enumerate(shown))
    workspace.search.faults[None] = Fault(body=f'{{"hits": [{hits}]}}')
    workspace.configure("  id: id", "  id: id\n  score: score")
    result = inside("ask", "boots")
    rows = [line.split() for line in result.stdout.splitlines()]

    assert list(shown.values()) == [" ".join(row[2:]) for row in rows if row[1:] and row[1].startswith("d")]


def test_ask_tells_ids_of_another_kind(workspace: Workspace, inside: Inside) -> None:
    """The most frequent reason for a recall of 0 is said in words."""
    workspace.search.rankings["rain jacket"] = ["doc:1", "doc:2"]
    result = inside("ask", "rain jacket")

    assert "Not one hit is judged: 'doc:1' came back, 'rain-jacket-1' is judged." in " ".join(result.stdout.split())


def test_ask_shows_no_secret(workspace: Workspace, inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what was sent nor what came back."""
    monkeypatch.setenv("ASK_SECRET", SECRET)
    workspace.configure("  hits: hits", "  headers: {Authorization: 'Bearer ${ASK_SECRET}'}\n  hits: hits")
    workspace.search.faults[None] = Fault(echoes=True)
    result = inside("ask", "rain jacket", "--raw")

    assert "authorization: Bearer [ASK_SECRET]" in result.stdout
    assert SECRET not in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ("headers: {Authorization: Bearer swordfish}", "authorization: Bearer [Authorization]"),
        ("headers: {Authorization: Bearer abc def}", "authorization: Bearer [Authorization]"),
        ("headers: {Authorization: abc}", "authorization: [authorization]"),
        ("headers: {Authorization: 'Bearer {lang}'}\n  defaults: {lang: abc}", "authorization: Bearer [authorization]"),
        ("headers: {X-Api-Key: swordfish}", "x-api-key: [X-Api-Key]"),
        ("basic_auth: {user: me, password: swordfish}", "authorization: Basic [Authorization]"),
        ("basic_auth: {user: me, password: abc}", "authorization: Basic [Authorization]"),
    ],
)  # fmt: skip
def test_ask_shows_no_credential_that_stands_in_the_config(
    workspace: Workspace, inside: Inside, keys: str, shown: str
) -> None:
    """Neither in the request nor in an answer that repeats it."""
    workspace.configure("  hits: hits", f"  {keys}\n  hits: hits")
    workspace.search.faults[None] = Fault(echoes=True)
    result = inside("ask", "rain jacket", "--raw")

    assert shown in result.stdout
    assert "swordfish" not in result.stdout
    assert base64.b64encode(b"me:swordfish").decode()[:8] not in result.stdout


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_ask_shows_a_request_that_nobody_answers(workspace: Workspace, inside: Inside, method: str) -> None:
    """Where the service is down, or hangs: what was asked, with its headers and its body, is the first thing to see."""
    body = "  text: '{query}!'\n" if method == "POST" else ""
    workspace.configure(
        "  hits: hits", f"  headers: {{X-Shop: a, Authorization: Bearer swordfish}}\n{body}  hits: hits"
    )
    workspace.configure("read: 2", "read: 0.2")
    workspace.search.faults[None] = Fault(hangs=True)
    hangs = inside("ask", "rain jacket")
    workspace.search.close()
    down = inside("ask", "rain jacket")

    for result in (hangs, down):
        assert 3 == result.code
        assert f"request  {method} {workspace.search.url}/search?q=rain%20jacket&k=10" in result.stdout
        assert "x-shop: a" in result.stdout
        assert "authorization: Bearer [Authorization]" in result.stdout
        assert ("rain jacket!" in result.stdout) == (method == "POST")
        assert "answer   none" in result.stdout
        assert "Not measured: " in result.stdout
    assert "no answer within 0.2 s" in hangs.stderr
    assert "cannot be reached" in down.stderr
    assert "next: Is the service running at " in down.stderr


def test_ask_says_which_paths_find_nothing(workspace: Workspace, inside: Inside) -> None:
    """A misspelt one would be silent for ever: nothing but a reader looks at it. One that finds something is not told."""
    workspace.search.rankings["rain jacket"] = right("rain jacket")
    paths = "score: sc0re\n  title: titel\n  snippet: id\n  total: hits[0].id"
    workspace.configure("  hits: hits", f"  {paths}\n  hits: hits")
    result = inside("ask", "rain jacket")
    said = [line.strip() for line in result.stdout.splitlines() if "finds nothing" in line]
    assert [f"service.{key} finds nothing usable in this answer" for key in ("score", "title", "total")] == said
    assert [] == [line for line in inside("ask", "no such query").stdout.splitlines() if "service.score" in line]


def test_run_says_what_check_warns_of(workspace: Workspace, inside: Inside) -> None:
    """A saved run is judged later, and who made it learns at once that the service caps a page."""
    workspace.configure("  hits: hits", "  total: '`500`'\n  hits: hits")
    result, quiet = inside("run", "-o", "run.jsonl"), inside("-q", "run", "-o", "run.jsonl")

    assert 0 == result.code
    assert "note: page cap: 12 queries got fewer of their matches than were asked for" in result.stderr
    assert "" == quiet.stderr


def test_init_proposes_paths_from_one_answer(workspace: Workspace, inside: Inside) -> None:
    """The config that it writes gets hits at once, by the id and with the query of the address."""
    workspace.search.rankings["rain jacket"] = right("rain jacket")
    result = inside("init", "new", "--url", f"{workspace.search.url}/search?q=rain+jacket&k=5&lang=no")
    config = yaml.safe_load((workspace.root / "new/rankgate.yaml").read_text(encoding="utf-8"))

    assert 0 == result.code
    assert {
        "url": f"{workspace.search.url}/search",
        "params": {"q": "{query}", "k": "{depth}", "lang": "no"},
        "hits": "hits",
        "id": "id",
    } == config["service"]
    assert "asked 'rain jacket': 4 hits, the first 'rain-jacket-1'" in result.stderr
    assert 0 == inside("validate", "--config", "new/rankgate.yaml").code


def test_init_puts_an_address_into_a_preset(workspace: Workspace, inside: Inside) -> None:
    """The rest of the preset stays, and what the service answered is said."""
    workspace.search.rankings["boots"] = ["a", "b"]
    result = inside("init", "new", "--preset", "http", "--url", f"{workspace.search.url}/search", "--text", "boots")
    config = yaml.safe_load((workspace.root / "new/rankgate.yaml").read_text(encoding="utf-8"))

    assert 0 == result.code
    assert f"{workspace.search.url}/search" == config["service"]["url"]
    assert "asked 'boots': 2 hits, the first 'a'" in result.stderr


def test_init_with_an_address_that_does_not_answer(workspace: Workspace, inside: Inside) -> None:
    """Nothing is written, and the code says whose fault it is."""
    before = workspace.snapshot()
    workspace.search.faults[None] = Fault(500, "{}")
    refused = inside("init", "new", "--url", f"{workspace.search.url}/search?q=a")
    workspace.search.faults[None] = Fault(body='{"hits": []}')
    empty = inside("init", "new", "--url", f"{workspace.search.url}/search?q=a")

    assert (3, 2) == (refused.code, empty.code)
    assert "status 500" in refused.stderr
    assert "has no list of hits with ids; its top-level keys are: hits" in empty.stderr
    assert before == workspace.snapshot()


def test_a_service_that_answers_every_query_alike(workspace: Workspace, inside: Inside) -> None:
    """The text did not arrive: that is no ranking to be judged."""
    workspace.search.faults[None] = Fault(body='{"hits": [{"id": "rain-jacket-1"}, {"id": "b"}]}')
    result = inside("check", "--floors-only")

    assert 3 == result.code
    assert "all 12 queries have the same answer, 2 documents that begin with 'rain-jacket-1'" in result.stderr


def test_answers_that_end_at_a_page_cap(workspace: Workspace, inside: Inside) -> None:
    """Seven hits for everybody, where ten were asked for: a warning names the measure and the setting."""
    workspace.search.rankings = {
        text: [*right(text), "x-1", "x-2", "x-3"] for group in workspace.queries.values() for text in group
    }
    result = inside("check", "--floors-only")
    said = " ".join(result.stdout.split())

    assert 0 == result.code
    assert "12 of 12 queries returned exactly 7 documents and none more, though 10 were asked for: a page cap?" in said
    assert "service.page_size: 7 asks page by page" in said


def test_another_place_is_asked_by_its_name(workspace: Workspace, inside: Inside) -> None:
    """A target, and an address for once; a name that is not there is offered the nearest."""
    good = workspace.search.url
    put(
        workspace.config,
        workspace.config.read_text(encoding="utf-8").replace(f"url: {good}", "url: http://127.0.0.1:9"),
    )
    workspace.configure("  retries: 0", f"  retries: 0\n  targets: {{staging: {{url: {good}/search}}}}")

    assert 3 == inside("check", "--floors-only").code
    assert 0 == inside("check", "--floors-only", "--target", "staging").code
    assert 0 == inside("check", "--floors-only", "--url", f"{good}/search").code
    unknown = inside("check", "--target", "stagign")
    assert 2 == unknown.code
    assert "no target 'stagign' under service.targets; did you mean 'staging'?" in unknown.stderr
