"""Recorded answers give the same report again, without the service, its variables or their secrets."""

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from rankgate.core.rankings import Detail, Ranking
from rankgate.errors import RunFileError
from rankgate.files.service_spec import NextPage, Secret, ServiceSpec
from rankgate.service.client import Ask, measure
from tests.service.support import Project, record, replay

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.service.conftest import Received, Reply, Service

KEY = 'hunter-22/"é\\x'
VARIABLES = {"SEARCH_KEY": KEY}
PAGED: dict[str, Any] = {"page_size": 2, "next_page": NextPage("url", "next")}


def leaks(folder: Path, value: str) -> list[str]:
    """The files below *folder* that hold *value* in any usual spelling."""
    spellings = {value, json.dumps(value)[1:-1], json.dumps(json.dumps(value))[3:-3], quote(value, safe="")}
    spellings |= {json.dumps(json.dumps(value, ensure_ascii=False), ensure_ascii=False)[3:-3]}
    spellings |= {base64.b64encode(value.encode()).decode()[:-4], value.encode("utf-16-le").decode("latin-1")}
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    return [name for name, text in texts.items() for spelling in spellings if spelling in text]


@pytest.fixture
def project(service: "Service", tmp_path: Path) -> Project:
    """Four queries and a service of which two fail, one only once; it repeats the key that it is given."""

    def respond(request: "Received") -> "Reply":
        text = request.params["q"][0]
        asked = [each for each in service.requests if each.params["q"] == [text]]
        if text == "busy" and len(asked) == 1:
            return service.plain("", 503)
        if text == "broken":
            return service.json({"error": f"bad key {request.headers['x-key']}"}, 500)
        if text == "odd":
            return service.json({"hits": [{"title": KEY}], "key": KEY})
        return service.json({"hits": [{"id": f"d{n}", "title": f"{text} {KEY}", "s": n} for n in (2, 1)], "key": KEY})

    service.respond = respond
    made = Project(tmp_path)
    spec = {
        "url": f"http://{service.address}/search",
        "params": {"q": "{query}", "key": "${SEARCH_KEY}"},
        "headers": {"X-Key": "${SEARCH_KEY}"},
        "hits": "hits",
        "id": "id",
        "title": "title",
        "retries": 1,
        "requests_per_second": 500,
    }
    made.write(spec, {"good": "boots", "retried": "busy", "status": "broken", "hit": "odd"})
    return made


@pytest.mark.parametrize("report", ["text", "json", "markdown"])
def test_the_report_is_the_same_without_the_service(
    project: Project, service: "Service", report: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the failures and the note of the retries; no variable is needed."""
    monkeypatch.chdir(project.folder)
    here = Project(Path())
    recorded = here.run("run", "-o", "run", "--record", "tape", **VARIABLES)
    service.requests.clear()
    live = here.run("check", "--floors-only", "--format", report, **VARIABLES)
    service.close()
    again = here.run("check", "--floors-only", "--format", report, "--replay", "tape")

    assert (3, 3, 3) == (recorded.code, live.code, again.code)
    assert live.stdout == again.stdout
    assert "bad key" in again.stdout
    assert [] == leaks(project.folder / "tape", KEY)


def test_every_command_that_asks_takes_a_recording(project: Project, service: "Service") -> None:
    """A run saved from it holds the same rankings, details, failures and notes."""
    tape, first, second = (project.folder / name for name in ("tape", "first", "second"))
    project.run("run", "-o", first, "--record", tape, **VARIABLES)
    asked = len(service.requests)
    saved = project.run("run", "-o", second, "--replay", tape)
    accepted = project.run("accept", "--replay", tape)

    assert (3, 3) == (saved.code, accepted.code)
    lines = [path.read_text(encoding="utf-8").splitlines()[1:] for path in (first, second)]
    assert lines[0] == lines[1]
    assert asked == len(service.requests)


def test_other_paths_are_applied_to_a_recording(service: "Service", tmp_path: Path) -> None:
    """What is recorded are whole answers, so hits, id and details may be read in another way."""
    service.always(service.json({"hits": [{"id": "a", "sku": 7}], "more": [{"id": "b", "sku": 8}]}))
    record(service.spec(), tmp_path / "tape")

    assert {"q1": Ranking(("8",))} == replay(service.spec(hits="more", id="sku"), tmp_path / "tape").rankings
    failure = replay(service.spec(hits="none"), tmp_path / "tape").failures["q1"]
    assert f"GET http://{service.address}/search: path 'none' is not in the answer" in failure.message


@pytest.mark.parametrize("form", ["{url}/more?page=2", "/more?page=2"])
def test_pages_are_replayed(service: "Service", other_service: "Service", tmp_path: Path, form: str) -> None:
    """One after the other, also where the address is a variable; another origin is refused as it was."""
    url = f"http://{service.address}/search"
    spec = service.spec(url=url, secrets=(Secret("SEARCH_URL", url), Secret("HOST", service.address)), **PAGED)
    ends = {"stay": form.format(url=url), "leave": f"http://{other_service.address}/x"}

    def respond(request: "Received") -> "Reply":
        if "page" in request.params:
            return service.hits("c")
        return service.json({"hits": [{"id": "a"}, {"id": "b"}], "next": ends[request.params["q"][0]]})

    service.respond = respond
    asks = [Ask("q1", "stay"), Ask("q2", "leave")]
    live = record(spec, tmp_path / "tape", *asks)
    bare = service.spec(url="${SEARCH_URL}", **PAGED)

    assert {"q1": Ranking(("a", "b", "c"))} == live.rankings
    assert "another origin" in live.failures["q2"].message
    assert live == replay(bare, tmp_path / "tape", *asks)
    assert ([], []) == (leaks(tmp_path / "tape", service.address), other_service.requests)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("escaped", [True, False])
def test_no_spelling_of_a_secret_is_recorded(service: "Service", tmp_path: Path, encoding: str, escaped: bool) -> None:
    """As JSON escapes it, in base64, in an address, in any encoding of JSON; the rest is kept as it was."""
    coded = base64.b64encode(f"user:{KEY}".encode()).decode()
    answer = {"hits": [{"id": "東京"}], "echo": [KEY, coded, f"http://h/?k={quote(KEY, safe='')}"]}
    content = json.dumps(answer, ensure_ascii=escaped).encode(encoding)
    service.always(service.plain(content, Link=f'</next?key={quote(KEY, safe="")}>; rel="next"'))
    spec = service.spec(secrets=(Secret("KEY", KEY),), page_size=1, next_page=NextPage("link_header"), max_pages=1)
    live = record(spec, tmp_path / "tape")

    assert {"q1": Ranking(("東京",))} == live.rankings
    assert [] == leaks(tmp_path / "tape", KEY)
    assert live == replay(spec, tmp_path / "tape")


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\x80\x81 no text", b"", '{"hits": ["é"]}'.encode("latin-1")])
def test_answers_that_are_no_text_are_replayed(service: "Service", tmp_path: Path, content: bytes) -> None:
    """Byte for byte."""
    service.always(service.plain(content))
    live = record(service.spec(), tmp_path / "tape")

    assert ["body"] == [str(failure.kind) for failure in live.failures.values()]
    assert live == replay(service.spec(), tmp_path / "tape")


def test_an_id_that_would_be_redacted_is_not_measured(service: "Service", tmp_path: Path) -> None:
    """A variable that is a part of ids cannot be left out without changing them: it is told when it is recorded."""
    service.always(service.hits("shoes-1", "other"))
    spec = service.spec(url=f"http://{service.address}/shoes", secrets=(Secret("INDEX", "shoes"),))
    live = record(spec, tmp_path / "tape")
    bare = service.spec(url=f"http://{service.address}/${{INDEX}}")

    assert {} == live.rankings
    assert live.failures["q1"].message.endswith("hit 1 has the value of ${INDEX} in its id: not kept")
    assert ["q1"] == list(replay(bare, tmp_path / "tape").failures)
    assert {"q1": Ranking(("shoes-1", "other"))} == measure(spec, [Ask("q1", "a")], 10).rankings


NUMBERS = {"hits": [{"id": 19200, "score": 1.92001, "exact": True, "none": None}], "total": 12, "port": 9200}


@pytest.mark.parametrize(("variable", "kept"), [("9200", '"port": "[X]"'), ("true", "true"), ("null", "null")])
def test_variables_that_look_like_json_leave_it_json(
    service: "Service", tmp_path: Path, variable: str, kept: str
) -> None:
    """A port, a flag: the digits of a number and the words of JSON are not their values."""
    service.always(service.json(NUMBERS | {"said": variable}))
    spec = service.spec(score="score", total="total", secrets=(Secret("X", variable),))
    live = record(spec, tmp_path / "tape")
    again = replay(spec, tmp_path / "tape")

    assert ({"q1": Ranking(("19200",))}, (Detail(1.92001),)) == (live.rankings, live.rankings["q1"].details)
    assert (live, live.rankings["q1"].details) == (again, again.rankings["q1"].details)
    text = next(path for path in (tmp_path / "tape").iterdir() if path.name != "recording.json").read_text()
    assert kept in json.loads(text)["pages"][0]["content"]
    assert '"said": "[X]"' in json.loads(text)["pages"][0]["content"]


@pytest.mark.parametrize(
    "reading",
    [
        {"hits": "docs", "secrets": (Secret("X", "docs"),)},
        {"hits": "hits[?kind == 'shoe']", "secrets": (Secret("X", "shoe"),)},
        {"total": "n", "secrets": (Secret("X", "9200"),)},
        {"echo": "q", "secrets": (Secret("X", "boots"),)},
    ],
)
def test_what_would_be_read_otherwise_is_not_measured(
    service: "Service", tmp_path: Path, reading: dict[str, Any]
) -> None:
    """A variable that is a key, a total or a part of the query: it is told when it is recorded, not weeks later."""
    hits = [{"id": "a", "kind": "shoe"}]
    service.always(service.json({"hits": hits, "docs": hits, "n": 9200, "q": "red boots"}))
    live = record(service.spec(**reading), tmp_path / "tape", Ask("q1", "red boots"))

    expected = "what is read of the answer holds the value of ${X}, which no recording keeps; "
    assert expected in live.failures["q1"].message
    assert {} == measure(service.spec(**reading), [Ask("q1", "red boots")], 10).failures


# A recording that somebody edited, or that was cut.


def damaged(tape: Path, found: str, change: "Callable[[dict[str, Any]], object] | str") -> str:
    """What is said of a recording of one query after *change* to the file whose name begins with *found*."""
    (path,) = tape.glob(f"{found}*")
    if isinstance(change, str):
        path.write_text(change, encoding="utf-8")
    else:
        entry = json.loads(path.read_text(encoding="utf-8"))
        change(entry)
        path.write_text(json.dumps(entry), encoding="utf-8")
    with pytest.raises(RunFileError) as caught:
        replay(ServiceSpec("http://h/s", "hits", "id"), tape)
    (problem,) = caught.value.problems
    assert str(path) == problem.path
    place = f"{problem.line}:{problem.column}: " if problem.line else ""
    return place + problem.message


@pytest.mark.parametrize("key", ["retries", "fingerprint", "no_fingerprint"])
@pytest.mark.parametrize(
    ("value", "kind"),
    [(None, "null"), ([1], "a list of 1"), (True, "the value true"), ({}, "an object"), (1.5, "the number 1.5")],
)
def test_a_header_with_a_value_of_another_kind(
    service: "Service", tmp_path: Path, key: str, value: object, kind: str
) -> None:
    """No default takes its place."""
    record(service.spec(), tmp_path / "tape")
    expected = f"no header of a recording: {key}: expected {'a number' if key == 'retries' else 'a text'}, found"

    assert f"{expected} {kind}" == damaged(
        tmp_path / "tape", "recording.json", lambda header: header.update({key: value})
    )
    assert f"{expected} nothing" == damaged(tmp_path / "tape", "recording.json", lambda header: header.pop(key))


@pytest.mark.parametrize("file", ["recording.json", "q1-"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n "a": 1,\n', "3:1: not JSON: expecting property name enclosed in double quotes"),
        ("", "1:1: not JSON: expecting value"),
        ("[1]", "expected an object, found a list of 1"),
        ("[" * 100_000, "not JSON: maximum recursion depth exceeded"),
        ('{"a": ' + "1" * 5000 + "}", "not JSON: Exceeds the limit"),
    ],
)
def test_a_file_that_was_cut(service: "Service", tmp_path: Path, file: str, text: str, message: str) -> None:
    """The file and the line are named."""
    record(service.spec(), tmp_path / "tape")

    assert damaged(tmp_path / "tape", file, text).startswith(message)


WHOLE = "expected an answer with place, content_type, next_url, hidden, encoding, content, or a failure"


@pytest.mark.parametrize(
    ("pages", "message"),
    [
        (None, "pages: expected a list, found null"),
        ({}, "pages: expected a list, found an object"),
        ([1], f"page 1 is none of a recording: {WHOLE}; found the number 1"),
        ([{"place": "x"}], f"page 1 is none of a recording: {WHOLE}; found the keys place"),
        ([{"failure": {"kind": "status"}}], f"page 1 is none of a recording: {WHOLE}; found the keys failure"),
        ([{"failure": {"kind": "odd", "message": ""}}], "page 1 is none of a recording: 'odd' is not a valid FailureKind"),
    ],
)  # fmt: skip
def test_pages_that_are_none(service: "Service", tmp_path: Path, pages: object, message: str) -> None:
    """They are a mistake of the file, and no answer without hits."""
    record(service.spec(), tmp_path / "tape")

    assert message == damaged(tmp_path / "tape", "q1-", lambda entry: entry.update(pages=pages))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"encoding": "utf-9"}, "page 1 is none of a recording: unknown encoding: utf-9"),
        ({"encoding": "ascii", "content": "\u00e9"}, "page 1 is none of a recording: 'ascii' codec can't encode character"),
        ({"hidden": [1]}, f"page 1 is none of a recording: {WHOLE}; found the keys place"),
        ({"content": None}, f"page 1 is none of a recording: {WHOLE}; found the keys place"),
    ],
)  # fmt: skip
def test_a_page_that_cannot_be_given(
    service: "Service", tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    """One value in it is of another kind, or does not fit its encoding."""
    record(service.spec(), tmp_path / "tape")

    assert damaged(tmp_path / "tape", "q1-", lambda entry: entry["pages"][0].update(changes)).startswith(message)
