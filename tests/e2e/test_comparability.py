"""Whether both sides of a report answer the same question: said in each, and kept in the baseline."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pytest

from tests.e2e.support import Fault, Inside, Search, Workspace, name, put

SAME: Final = "compared: the same ranking question"
RESCORED: Final = "other judgments (re-scored): both sides are scored with those of today"
REWORDED: Final = "other queries: which there are, their texts or their params"
INDEX: Final = "other index: the fingerprint was 'products-v1' and is 'products-v2'"


def compared(inside: Inside, *command: str) -> tuple[list[str], list[str]]:
    """What the text of a report says was compared, and what its JSON says."""
    text = " ".join(inside(*command).stdout.split())
    found: Mapping[str, Any] = json.loads(inside(*command, "--format", "json").stdout)
    lines = [f"compared: {each}" for each in found["differences"]] or [SAME]
    return [line for line in lines if line in text], list(found["differences"])


def says(*differences: str) -> tuple[list[str], list[str]]:
    """What ``compared`` gives where the report names these, and in the text too."""
    return [f"compared: {each}" for each in differences] or [SAME], list(differences)


@pytest.fixture
def identified(workspace: Workspace, inside: Inside) -> Workspace:
    """The workspace after its right rankings were accepted, on a service that says which index it is."""
    workspace.configure(
        "  id: id\n", f'  id: id\n  fingerprint: {{url: "{workspace.search.url}/?q=index", path: name}}\n'
    )
    index(workspace, "products-v1")
    assert 0 == inside("accept").code
    return workspace


def index(workspace: Workspace, text: str) -> None:
    """Let the service say that it is *text*."""
    workspace.search.faults["index"] = Fault(200, json.dumps({"name": text}))


def boost(workspace: Workspace) -> None:
    workspace.configure('k: "{depth}"}', 'k: "{depth}", boost: 2}')


def deepen(workspace: Workspace) -> None:
    workspace.configure("depth: 10", "depth: 20")


def relabel(workspace: Workspace) -> None:
    workspace.queries["head"]["trail map"]["trail-map-3"] = 1
    workspace.write()


def reword(workspace: Workspace) -> None:
    path = workspace.file("head")
    put(path, path.read_text(encoding="utf-8").replace('"trail map"', '"trail maps"'))
    workspace.search.rankings["trail maps"] = workspace.search.rankings["trail map"]


def measure_more(workspace: Workspace) -> None:
    workspace.configure("R@10, ", "R@10, RR, ")


def reindex(workspace: Workspace) -> None:
    index(workspace, "products-v2")


def hide(workspace: Workspace) -> None:
    workspace.search.faults["index"] = Fault(500)


def be_patient(workspace: Workspace) -> None:
    workspace.configure("retries: 0", "retries: 1\n  concurrency: 2")


def move(workspace: Workspace) -> None:
    workspace.configure(
        f"url: {workspace.search.url}/search", f"url: {workspace.search.url.replace('127.0.0.1', 'localhost')}/search"
    )


@pytest.mark.parametrize(
    ("changes", "differences"),
    [
        ([], []),
        ([be_patient], []),
        ([move], []),
        ([boost], ["other request: params.boost"]),
        ([deepen], ["other request: depth"]),
        ([boost, deepen], ["other request: depth, params.boost"]),
        ([relabel], [RESCORED]),
        ([reword], [REWORDED]),
        ([measure_more], ["other measures (re-scored): now also RR"]),
        ([reindex], [INDEX]),
        ([hide], ["perhaps another index: the fingerprint was 'products-v1' and is not known"]),
        ([relabel, boost, reindex], [INDEX, "other request: params.boost", RESCORED]),
    ],
)
def test_a_report_says_whether_the_question_is_the_same(
    identified: Workspace, inside: Inside, changes: list[Callable[[Workspace], None]], differences: list[str]
) -> None:
    """In its text and in its JSON, whatever the verdict is; what only says how it is asked is no difference."""
    for change in changes:
        change(identified)

    assert says(*differences) == compared(inside, "check")
    assert 0 == inside("check").code


def test_a_saved_run_keeps_what_it_was_asked(identified: Workspace, inside: Inside) -> None:
    """Compared later, in either direction, after the config has changed back."""
    config = identified.config.read_text(encoding="utf-8")
    boost(identified)
    assert 0 == inside("run", "-o", "boosted.jsonl").code
    identified.config.write_text(config, encoding="utf-8")

    assert says("other request: params.boost") == compared(inside, "report", "boosted.jsonl")
    assert says("other request: params.boost") == compared(inside, "diff", "boosted.jsonl", str(identified.baseline))
    assert says() == compared(inside, "diff", "boosted.jsonl", "boosted.jsonl")
    assert says() == compared(inside, "check")


def test_a_baseline_out_of_a_saved_run_keeps_that_run_s_request(identified: Workspace, inside: Inside) -> None:
    """It is not what the config asks today; to accept what is asked today makes it the same question again."""
    boost(identified)
    assert 0 == inside("run", "-o", "boosted.jsonl").code
    identified.configure(", boost: 2", "")
    assert 0 == inside("accept", "--from", "boosted.jsonl").code

    assert says("other request: params.boost") == compared(inside, "check")

    assert 0 == inside("accept").code
    assert says() == compared(inside, "check")


def test_a_run_of_another_kind_does_not_say(identified: Workspace, inside: Inside) -> None:
    """In TREC form there is no place for it."""
    lines = [
        f"{name(text)} Q0 {document} {rank} {9 - rank} x\n"
        for text, documents in identified.search.rankings.items()
        for rank, document in enumerate(documents)
    ]
    (identified.root / "b.run").write_text("".join(lines), encoding="utf-8")

    assert says("the candidate's file does not say what it was asked") == compared(
        inside, "diff", str(identified.baseline), "b.run"
    )


def test_without_a_baseline_nothing_is_said(workspace: Workspace, inside: Inside) -> None:
    """There is no other side."""
    assert ([], []) == compared(inside, "check", "--floors-only")


def test_nothing_in_a_baseline_is_searched_back_into_an_address(identified: Workspace) -> None:
    """The header has digests and the fingerprint, and no host."""
    header = identified.baseline.read_text(encoding="utf-8").partition("\n")[0]

    assert "127.0.0.1" not in header
    assert "products-v1" == json.loads(header)["lock"]["fingerprint"]


@pytest.fixture
def elsewhere(identified: Workspace) -> Iterator[Search]:
    """A second service that ranks like the first and says that it has another index."""
    running = Search()
    running.rankings = identified.search.rankings
    running.faults["index"] = Fault(200, json.dumps({"name": "products-v2"}))
    yield running
    running.close()


def test_the_index_of_another_address_is_not_known(identified: Workspace, inside: Inside, elsewhere: Search) -> None:
    """The service of the config is not asked in its place; the report and a note say so."""
    unknown = "perhaps another index: the fingerprint was 'products-v1' and is not known"
    against = "perhaps another index: the fingerprint was not known and is 'products-v1'"
    address = f"{elsewhere.url}/search"
    said = (
        "note: service.fingerprint would ask another host than is measured, so nobody is asked about the index; "
        "a target under service.targets can have its own\n"
    )

    assert says(unknown) == compared(inside, "check", "--url", address)
    assert says(against) == compared(inside, "check", "--against", address)
    for command in (["check", "--against", address], ["check", "--url", address], ["run", "-o", "r", "--url", address]):
        assert 1 == inside(*command).stderr.count(said), command
        assert said not in inside(*command, "--quiet").stderr
    assert said in inside("accept", "--url", address).stderr


def test_the_index_of_a_target_is_asked_where_it_says_how(
    identified: Workspace, inside: Inside, elsewhere: Search
) -> None:
    """It differs from that of the service."""
    own = f"{{url: {elsewhere.url}/search, fingerprint: {{url: '{elsewhere.url}/?q=index', path: name}}}}"
    identified.configure("  retries: 0", f"  retries: 0\n  targets: {{second: {own}}}")

    assert says(INDEX) == compared(inside, "check", "--target", "second")
