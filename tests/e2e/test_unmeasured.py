"""What cannot be measured is 3: not a pass, not a failure, not an empty result, and nothing on disk changes."""

import json
import time
from collections.abc import Callable

import pytest

from tests.e2e.support import Fault, Inside, Rankgate, Workspace


def fail_all(fault: Fault) -> Callable[[Workspace], None]:
    """Let every request fail."""
    return lambda workspace: workspace.search.faults.update({None: fault})


def fail_one(fault: Fault) -> Callable[[Workspace], None]:
    """Let one request among passing ones fail."""
    return lambda workspace: workspace.search.faults.update({"trail map": fault})


def ids_of_another_kind(workspace: Workspace) -> None:
    """Answer with ids that nobody judged."""
    workspace.search.rankings = {text: [f"uuid-{text}"] for text in workspace.search.rankings}


PARTIAL = Fault(body='{"hits": [{"id": "trail-map-1"}], "timed_out": true}')

FAULTS = {
    "all 500": (fail_all(Fault(500, '{"error": {"reason": "shard gone"}}')), "0 of 12", "shard gone"),
    "all 500 with an empty list": (fail_all(Fault(500, '{"hits": []}')), "0 of 12", "status 500"),
    "one 500": (fail_one(Fault(500)), "11 of 12", "trail-map"),
    "one 404": (fail_one(Fault(404)), "11 of 12", "status 404"),
    "one partial": (fail_one(PARTIAL), "11 of 12", "timed_out is true"),
    "all partial": (fail_all(PARTIAL), "0 of 12", "timed_out is true"),
    "all HTML": (fail_all(Fault(body="<html>Log in</html>")), "0 of 12", "HTML, not JSON"),
    "half a JSON": (fail_one(Fault(body='{"hits": [')), "11 of 12", "no JSON"),
    "empty body": (fail_one(Fault(body="")), "11 of 12", "the answer is empty"),
    "a hit without an id": (fail_one(Fault(body='{"hits": [{}]}')), "11 of 12", "no id at 'id'"),
    "NaN for an id": (fail_one(Fault(body='{"hits": [{"id": NaN}]}')), "11 of 12", "NaN"),
    "wrong hits path": (
        lambda workspace: workspace.configure("hits: hits", "hits: data.hits"),
        "0 of 12",
        "path 'data.hits' is not in the answer; its top-level keys are: hits",
    ),
}


@pytest.mark.parametrize(("change", "measured", "says"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_3_and_changes_nothing(
    accepted: Workspace, inside: Inside, change: Callable[[Workspace], None], measured: str, says: str
) -> None:
    """The report counts what was measured and quotes the fault; last run and baseline stay."""
    assert 0 == inside("check").code
    change(accepted)
    before = accepted.snapshot()
    result = inside("check")
    report = " ".join(result.stdout.split())

    assert 3 == result.code
    assert report.startswith("INCONCLUSIVE exit code 3")
    assert f"{measured} queries measured" in report
    assert says in report
    assert before == accepted.snapshot()
    assert "INCONCLUSIVE: " in result.stderr


@pytest.mark.parametrize("command", [["accept"], ["accept", "--allow-worse", "--reason", "x"]])
def test_an_incomplete_run_is_never_accepted(accepted: Workspace, inside: Inside, command: list[str]) -> None:
    """Not even with a reason: there is nothing to accept."""
    fail_one(Fault(500))(accepted)
    before = accepted.snapshot()
    result = inside(*command)

    assert 3 == result.code
    assert "cannot be accepted" in result.stderr
    assert before == accepted.snapshot()


def test_a_first_run_that_is_incomplete_makes_no_baseline(workspace: Workspace, inside: Inside) -> None:
    """No baseline of eleven queries comes from twelve."""
    fail_one(Fault(500))(workspace)

    assert 3 == inside("accept").code
    assert not workspace.baseline.exists()


def test_ids_of_another_kind_are_3_and_name_both(accepted: Workspace, inside: Inside) -> None:
    """A wrong index, or a wrong id path, is no fall of all measures to zero."""
    ids_of_another_kind(accepted)
    before = accepted.snapshot()
    checked, taken = inside("check"), inside("accept", "--allow-worse", "--reason", "x")

    assert [(3, "")] * 2 == [(each.code, each.stdout) for each in (checked, taken)]
    for words in ("not one of the 12 returned ids is judged", "'uuid-drop 4mm'", "'drop-4mm-1'", "service.id"):
        assert words in checked.stderr, words
    assert before == accepted.snapshot()


def test_ids_of_another_kind_are_reported_to_who_reads_no_stderr(accepted: Workspace, inside: Inside) -> None:
    """No report of an earlier pass stays in its place; a query that failed otherwise keeps its own reason."""
    assert 0 == inside("check", "--output", "junit:junit.xml").code
    ids_of_another_kind(accepted)
    accepted.search.faults["trail map"] = Fault(503)
    result = inside("check", "--output", "junit:junit.xml", "--format", "json")
    report = json.loads(result.stdout)
    failures = {each["message"].partition(" returned")[0]: len(each["query_ids"]) for each in report["failures"]}

    assert (3, "INCONCLUSIVE", 12) == (result.code, report["verdict"], report["counts"]["failed"])
    assert (2, 11) == (len(failures), failures["not one of the 11"])
    for text in (result.stderr, (accepted.root / "junit.xml").read_text(encoding="utf-8")):
        assert "returned ids is judged" in text
        assert "status 503" in text


def test_a_saved_run_of_another_kind_of_ids_is_reported_too(accepted: Workspace, inside: Inside) -> None:
    """As a live one: no report of an earlier pass stays in its place."""
    ids_of_another_kind(accepted)
    assert 0 == inside("run", "-o", "run.jsonl").code
    result = inside("report", "run.jsonl", "--output", "json:report.json")
    report = json.loads((accepted.root / "report.json").read_text(encoding="utf-8"))

    assert (3, "INCONCLUSIVE", 12) == (result.code, report["verdict"], report["counts"]["failed"])
    assert "service.id" in result.stderr


@pytest.mark.parametrize("judged_elsewhere", [True, False])
def test_known_documents_that_nobody_judged_for_the_query_are_a_bad_ranking(
    accepted: Workspace, inside: Inside, judged_elsewhere: bool
) -> None:
    """A document that is judged for another query, or that the baseline returns, is of the right index: that fails."""
    ids_of_another_kind(accepted)
    # Of 'wool socks', the first is judged and the fourth is only in the baseline.
    accepted.search.rankings["trail map"].append("wool-socks-1" if judged_elsewhere else "wool-socks-4")
    result = inside("check", "--output", "junit:junit.xml", "--no-confirm")

    assert 1 == result.code
    assert result.stdout.startswith("FAIL")
    assert "FAIL" in (accepted.root / "junit.xml").read_text(encoding="utf-8")


def test_a_dead_port_is_3_within_seconds(accepted: Workspace, rankgate: Rankgate, dead_port: int) -> None:
    """Twelve queries are not waited for: the address and the cure come with the first refusal."""
    accepted.configure(accepted.search.url, f"http://127.0.0.1:{dead_port}")
    before, begun = accepted.snapshot(), time.monotonic()
    result = rankgate("check")

    assert (3, "") == (result.code, result.stdout)
    assert f"127.0.0.1:{dead_port} cannot be reached" in result.stderr
    assert "connection refused" in result.stderr
    assert "service.url" in result.stderr
    assert time.monotonic() - begun < 5
    assert before == accepted.snapshot()


def test_a_request_that_hangs_is_given_up(accepted: Workspace, inside: Inside) -> None:
    """A time-out is a failed query, with the limit that it ran into."""
    accepted.configure("read: 2", "read: 0.3")
    fail_one(Fault(hangs=True))(accepted)
    result = inside("check")

    assert 3 == result.code
    assert "no answer within 0.3 s" in " ".join(result.stdout.split())


def test_a_failed_query_that_could_not_matter_passes_with_a_warning(accepted: Workspace, inside: Inside) -> None:
    """Within max_errors, and with every rule holding at the query's worst: WARN, 0; strict makes it 1."""
    accepted.configure("gate:\n  P@1", "gate:\n  max_errors: 1\n  P@1")
    fail_one(Fault(500))(accepted)
    result = inside("check")

    assert 0 == result.code
    assert result.stdout.startswith("WARN")
    assert "trail-map" in result.stdout
    assert 1 == inside("check", "--strict").code
    assert 3 == inside("accept").code


def test_failed_queries_that_could_matter_are_3_within_max_errors(accepted: Workspace, inside: Inside) -> None:
    """The allowance is of errors, not of what they may hide."""
    accepted.configure("gate:\n  P@1", "gate:\n  max_errors: 12\n  P@1")
    for text in ("trail map", "wool socks", "rain jacket"):
        accepted.search.faults[text] = Fault(500)
    assert 3 == inside("check").code

    fail_all(Fault(500))(accepted)
    nothing = inside("check")

    assert 3 == nothing.code
    assert "Nothing was measured" in nothing.stdout


def test_an_empty_answer_is_measured(accepted: Workspace, inside: Inside) -> None:
    """A well-formed empty list is a zero result and counts, unlike every failure."""
    accepted.search.rankings["trail map"] = []
    result = inside("check", "--format", "json")
    facts = json.loads(result.stdout)

    assert 0 == result.code
    assert 12 == facts["counts"]["measured"]
    accepted.search.rankings["wool socks"] = []
    assert 1 == inside("check").code


def test_run_saves_what_it_has_and_never_over_a_better_one(accepted: Workspace, inside: Inside) -> None:
    """A new file holds the failure beside the rankings; an old one stays; both are 3."""
    fail_one(Fault(500))(accepted)
    first = inside("run", "-o", "run.jsonl")
    before = accepted.snapshot()
    second = inside("run", "-o", "run.jsonl")

    assert (3, 3) == (first.code, second.code)
    assert "saved 11 of 12 rankings" in first.stderr
    assert "query 'trail-map' was not measured" in first.stderr
    assert "run.jsonl: 1 of 12 queries were not measured, so it is not replaced" in second.stderr
    assert before == accepted.snapshot()
    assert (3, 3) == (inside("report", "run.jsonl").code, inside("accept", "--from", "run.jsonl").code)


def test_a_service_that_is_down_is_reported_to_who_reads_no_stderr(accepted: Workspace, inside: Inside) -> None:
    """Each report that was asked for says that nothing was measured, and why; on a terminal the error is enough."""
    address = "http://127.0.0.1:9/search"
    plain = inside("check", "--url", address)
    result = inside("check", "--url", address, "--format", "json", "--output", "junit:junit.xml")
    report = json.loads(result.stdout)

    assert (3, "") == (plain.code, plain.stdout)
    assert (3, "INCONCLUSIVE", 12) == (result.code, report["verdict"], report["counts"]["failed"])
    assert "the search service at 127.0.0.1:9 cannot be reached" in report["failures"][0]["message"]
    assert "cannot be reached" in (accepted.root / "junit.xml").read_text(encoding="utf-8")
    assert "the search service at 127.0.0.1:9 cannot be reached" in result.stderr


@pytest.mark.parametrize("option", ["--url", "--target", "--against", "--exact"])
def test_an_empty_place_is_refused(accepted: Workspace, inside: Inside, option: str) -> None:
    """A variable that is not set must not gate another service."""
    result = inside("check", option, "")

    assert (2, "") == (result.code, result.stdout)
    assert "is empty; is a variable not set?" in result.stderr


def test_an_address_without_the_query_is_refused(accepted: Workspace, inside: Inside) -> None:
    """Every query would get the same answer, and each its own verdict."""
    accepted.configure('  params: {q: "{query}", k: "{depth}"}\n', "")
    result = inside("check")

    assert 2 == result.code
    assert "{query} stands nowhere in the url, params, headers or a body" in result.stderr


@pytest.mark.parametrize("option", ["--target", "--url", "--against"])
def test_what_to_run_again_asks_the_same_service(accepted: Workspace, inside: Inside, option: str) -> None:
    """By its name in the config, or its address; never with the password in it."""
    address = f"{accepted.search.url}/search"
    accepted.configure("  retries: 0", f"  retries: 0\n  targets: {{mirror: {{url: {address}}}}}")
    fail_one(Fault(500))(accepted)
    with_password = address.replace("://", "://user:canary-password@")
    result = inside("check", option, "mirror" if option == "--target" else with_password)
    said = " ".join(result.stdout.split())
    place = "mirror" if option == "--target" else f"'{address.replace('://', '://user:[password]@')}'"

    assert 3 == result.code
    assert f"mend what failed, then run again: rankgate check {option} {place}" in said
    assert "canary-password" not in result.stdout + result.stderr
