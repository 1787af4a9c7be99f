"""What ``validate`` says of a golden set in which nothing is wrong."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.e2e.support import Inside, Workspace, put

SIZE = "note: the set has 12 queries; 80 to 120 are usual, fewer see large changes only"


def edit(workspace: Workspace, number: int = 0, /, *, of_file: dict[str, Any] | None = None, **keys: Any) -> None:
    """Give a query of the jargon file, or the file, more keys; JSON is YAML."""
    path = workspace.file("jargon")
    document = json.loads(path.read_text(encoding="utf-8"))
    document["queries"][number] |= keys
    put(path, json.dumps(document | (of_file or {}), indent=1))


def said(inside: Inside) -> list[str]:
    """What is said besides the missing baseline and the missing days."""
    result = inside("validate")

    assert 0 == result.code, result.stderr
    return [
        line for line in result.stderr.splitlines() if "no baseline" not in line and "no day of judgment" not in line
    ]


def test_a_sound_set_has_two_notes(workspace: Workspace, inside: Inside) -> None:
    """Of its size and of its days; the exit code and stdout are those of a right set."""
    result = inside("validate")
    days = (
        "note: 12 queries have no day of judgment and will never be called old; "
        "'judged: 2026-10-01' says it, of a query or of a file"
    )

    assert (0, "ok: 12 queries, 36 judgments, no baseline\n") == (result.code, result.stdout)
    assert [SIZE, days] == result.stderr.splitlines()[-2:]


def test_one_query_is_counted_in_the_singular(workspace: Workspace, inside: Inside) -> None:
    """And one judgment."""
    workspace.file("jargon").unlink()
    put(
        workspace.file("head"),
        json.dumps({"slice": "only", "queries": [{"id": "q", "text": "q", "judgments": {"a": 1}}]}),
    )
    workspace.configure("  jargon: {min_queries: 6, gate", "  only: {gate")

    assert "ok: 1 query, 1 judgment, no baseline\n" == inside("validate").stdout


def test_old_judgments_of_a_file(workspace: Workspace, inside: Inside) -> None:
    """Five are named, the others counted; a query judged anew is not among them."""
    edit(workspace, of_file={"judged": "2020-01-01"})
    *named, rest, note = said(inside)
    edit(workspace, 2, judged="2999-01-01")

    assert ["'drop-4mm'", "'gtx-membrane'", "'merino-150'", "'r-value-pad'", "'usb-c-lamp'"] == [
        line.split()[3] for line in named
    ]
    assert all("was judged on 2020-01-01, " in line and "judgments.refresh_after: 90" in line for line in named)
    assert rest.startswith("warning: golden/queries/jargon.yaml:")
    assert rest.endswith(": and 1 more query judged more than 90 days ago")
    assert SIZE == note
    assert 1 == sum("'vibram-outsole' was judged on 2999-01-01, which is after today" in line for line in said(inside))


def test_how_old_is_old_is_configured(workspace: Workspace, inside: Inside) -> None:
    """In days."""
    edit(workspace, judged="2020-01-01")
    workspace.configure("depth: 10", "judgments: {refresh_after: 36500}\ndepth: 10")

    assert [SIZE] == said(inside)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        (
            {"judgments": {"a": 2, "b": 2}},
            (
                "warning: golden/queries/jargon.yaml:4:3: query 'gtx-membrane' has 2 judgments, all of grade 2: nDCG takes any "
                "order of these documents for the best; grade them apart if one is better"
            ),
        ),
        (
            {"text": "Outsoles, Vibram"},
            (
                "warning: golden/queries/jargon.yaml:22:3: query 'vibram-outsole' is almost the same as 'gtx-membrane' "
                "('vibram outsole', 'Outsoles, Vibram'): what they ask counts twice in every mean"
            ),
        ),
        (
            {"judgments": {f"d{number}": 1 + number % 2 for number in range(12)}},
            (
                "warning: golden/queries/jargon.yaml:4:3: R@10 cannot reach 1: 1 of 12 queries have more relevant documents than "
                "its cutoff; the best mean is 0.9861, and query 'gtx-membrane', with 12, has at most 0.8333"
            ),
        ),
    ],
    ids=["one grade", "near duplicates", "out of reach"],
)
def test_what_is_doubtful_is_named_with_its_place(
    workspace: Workspace, inside: Inside, keys: dict[str, Any], says: str
) -> None:
    """One line each, and the set is right all the same."""
    edit(workspace, **keys)

    assert [says, SIZE] == said(inside)


def test_the_gate_does_not_ask_for_the_day(accepted: Workspace, inside: Inside) -> None:
    """The same input gives the same report on every day: the health of the set is validate's."""
    edit(accepted, judged="2020-01-01")

    assert "judged" not in inside("check").stderr


def test_validate_waits_for_no_library_that_it_needs_not(accepted: Workspace) -> None:
    """Neither numpy nor httpx, also where there are days to reckon with and a baseline to read."""
    edit(accepted, judged="2020-01-01")
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from rankgate import app\n"
        "found = app.validate(Path('golden/rankgate.yaml'), '2026-11-30')\n"
        "assert found.baseline\n"
        "assert 'was judged on 2020-01-01' in str(found.warnings[0])\n"
        "sys.exit(bool({'numpy', 'httpx'} & sys.modules.keys()))\n"
    )
    assert 0 == subprocess.run([sys.executable, "-c", code], check=False, cwd=accepted.root).returncode


@pytest.mark.parametrize(
    ("lost", "says"),
    [
        (["gtx-membrane-2"], "the index no longer has 'gtx-membrane-2', which is judged"),
        (
            ["gtx-membrane-2", "gtx-membrane-3"],
            "the index no longer has 'gtx-membrane-2', 'gtx-membrane-3', which are judged",
        ),
    ],
)
def test_documents_that_are_gone_are_counted(workspace: Workspace, inside: Inside, lost: list[str], says: str) -> None:
    """One, or several."""
    lookup = f"{{url: '{workspace.search.url}/docs?q={{id}}', path: 'hits'}}"
    workspace.configure("  retries: 0", f"  retries: 0\n  exists: {lookup}")
    judged = {
        document for group in workspace.queries.values() for judgments in group.values() for document in judgments
    }
    workspace.search.rankings |= {document: ["there"] for document in judged - {*lost}}

    assert f"query 'gtx-membrane': {says}\n" in inside("validate", "--live").stderr


def test_a_request_that_sends_no_depth_is_warned_of(workspace: Workspace, inside: Inside) -> None:
    """The service answers with its own number of hits then; a number of the depth says as much as {depth}."""
    workspace.configure('k: "{depth}"', "lang: en")
    without = said(inside)
    workspace.configure("lang: en", "size: '10'")

    assert 1 == sum("no template sends {depth}: the service answers with its own number of hits" in w for w in without)
    assert [SIZE] == said(inside)


def test_an_example_of_init_is_warned_of_until_it_is_replaced(workspace: Workspace, inside: Inside) -> None:
    """Its documents are in no index but the example's."""
    edit(workspace, id="waterproof-jacket", text="waterproof jacket", judgments={"SKU-3001": 3, "SKU-3002": 1})
    (warning, size) = said(inside)
    edit(workspace, judgments={"SKU-3001": 3, "SKU-9": 1})

    assert warning.endswith("query 'waterproof-jacket' is init's example; replace it by one of your own")
    assert [SIZE] == [size] == said(inside)


def test_a_warning_that_can_never_come_first_is_warned_of(workspace: Workspace, inside: Inside) -> None:
    """The rule beside it fails by then."""
    workspace.configure("floor: 0.5, max_drop: 0.1", "floor: 0.5, warn_drop: 0.5, max_drop: 0.1")

    assert any(
        "warn_drop 0.5 of " in line and "can never warn first: max_drop 0.1 fails" in line for line in said(inside)
    )
