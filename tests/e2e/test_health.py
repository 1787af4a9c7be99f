"""What ``validate`` says of a golden set in which nothing is wrong."""

import json
from typing import Any

import pytest

from tests.e2e.support import Inside, Workspace, put

NOTE = "note: the set has 12 queries; 80 to 120 are usual, fewer see large changes only"


def edit(workspace: Workspace, number: int = 0, /, *, of_file: dict[str, Any] | None = None, **keys: Any) -> None:
    """Give a query of the jargon file, or the file, more keys; JSON is YAML."""
    path = workspace.file("jargon")
    document = json.loads(path.read_text(encoding="utf-8"))
    document["queries"][number] |= keys
    put(path, json.dumps(document | (of_file or {}), indent=1))


def said(inside: Inside) -> list[str]:
    """What is said besides the missing baseline, places without line and column."""
    result = inside("validate")

    assert 0 == result.code, result.stderr
    return [line for line in result.stderr.splitlines() if "no baseline" not in line]


def test_a_sound_set_has_one_note(workspace: Workspace, inside: Inside) -> None:
    """Of its size, in one line; the exit code and stdout are those of a right set."""
    assert [NOTE] == said(inside)
    assert "ok: 12 queries, 36 judgments, no baseline\n" == inside("validate").stdout


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
    assert NOTE == note
    assert 1 == sum("'vibram-outsole' was judged on 2999-01-01, which is after today" in line for line in said(inside))


def test_how_old_is_old_is_configured(workspace: Workspace, inside: Inside) -> None:
    """In days."""
    edit(workspace, judged="2020-01-01")
    workspace.configure("depth: 10", "judgments: {refresh_after: 36500}\ndepth: 10")

    assert [NOTE] == said(inside)


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

    assert [says, NOTE] == said(inside)


def test_the_gate_does_not_ask_for_the_day(accepted: Workspace, inside: Inside) -> None:
    """The same input gives the same report on every day: the health of the set is validate's."""
    edit(accepted, judged="2020-01-01")

    assert "judged" not in inside("check").stderr
