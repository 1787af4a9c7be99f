"""What holds for every workflow and action of this repository, whatever they do."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.ci.support import ROOT, document

WORKFLOWS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / ".github" / "workflows").glob("*.yml"))
ACTIONS = ("action.yml", "ci/github/comment/action.yml")
PINNED = re.compile(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|uses: \./")


def steps(path: str) -> Iterator[Mapping[str, Any]]:
    """Every step of a workflow or an action."""
    found = document(path)
    if "runs" in found:
        yield from found["runs"]["steps"]
    for job in found.get("jobs", {}).values():
        yield from job.get("steps", [])


@pytest.mark.parametrize("path", [*WORKFLOWS, *ACTIONS, "docs/ci.md"])
def test_every_action_is_pinned_to_a_commit(path: str) -> None:
    """By the whole hash, with the version that it is; in what the docs show, too."""
    text = (ROOT / path).read_text(encoding="utf-8")
    used = [line.strip().removeprefix("- ") for line in text.splitlines() if re.match(r"\s*(- )?uses: ", line)]

    assert [] == [line for line in used if not PINNED.match(line) and "@COMMIT" not in line]


@pytest.mark.parametrize("path", [*WORKFLOWS, *ACTIONS])
def test_no_expression_is_spliced_into_a_script(path: str) -> None:
    """What comes from outside reaches a script through the environment."""
    assert [] == [each["run"] for each in steps(path) if "${{" in each.get("run", "")]


@pytest.mark.parametrize("path", WORKFLOWS)
def test_a_workflow_may_read_and_only_the_comment_may_write(path: str) -> None:
    """Permissions are named, and the least."""
    workflow = document(path)
    comment = Path(path).name == "comment.yml"

    assert ({} if comment else {"contents": "read"}) == workflow["permissions"]
    asked = [job["permissions"] for job in workflow["jobs"].values() if "permissions" in job]
    assert ([{"contents": "read", "actions": "read", "pull-requests": "write"}] if comment else []) == asked


@pytest.mark.parametrize("path", WORKFLOWS)
def test_no_checkout_keeps_the_token_or_takes_the_code_of_a_fork(path: str) -> None:
    """The token is not left in the folder, and no checkout names a ref."""
    checkouts = [each.get("with", {}) for each in steps(path) if "checkout@" in each.get("uses", "")]

    assert [{"persist-credentials": False}] * len(checkouts) == checkouts


@pytest.mark.parametrize("path", WORKFLOWS)
def test_no_workflow_gives_a_fork_a_token_that_writes(path: str) -> None:
    """pull_request_target is nowhere, and workflow_run only where nothing of the fork is run."""
    triggers = document(path)[True]  # YAML 1.1 reads the key "on" so

    assert "pull_request_target" not in triggers
    assert ("workflow_run" in triggers) == (Path(path).name == "comment.yml")
