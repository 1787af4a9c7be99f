"""Show the Markdown report of a finished gate in its pull request: one comment, found again by its mark and edited.

It names the commit, and a gate that left no report takes the verdict of an earlier commit away.

Runs in a workflow of its own on ``workflow_run``, whose token may write, also when the gate ran for a fork, whose token
may not. So nothing of the fork is run or unpacked here, and all that is taken from it is the text of one file; which
pull request it belongs to is asked of GitHub. What cannot be done is a warning: the verdict is the gate's.
"""

import io
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path
from typing import Any, Final

MARK: Final = "<!-- rankgate -->"
REPORT: Final = "rankgate.md"
#: A comment beyond 65,536 characters is refused whole.
COMMENT_LENGTH: Final = 65_000
ARCHIVE_BYTES: Final = 50_000_000
#: Of a commit's name, as GitHub shows it.
SHORT: Final = 7
TIMEOUT_SECONDS: Final = 30
PAGE: Final = 100


class Repository:
    """The repository's part of GitHub's interface.

    Attributes:
        url: Of the repository.
        token: Sent with every request, and not to where one leads.
    """

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.token = token

    def ask(self, path: str, method: str = "GET", content: object = None) -> bytes:
        """The body of the answer."""
        address = f"{self.url}/{path}"
        data = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(address, data, {"Accept": "application/vnd.github+json"}, method=method)  # noqa: S310
        # Archives lie elsewhere, behind a redirect: the token stays here.
        request.add_unredirected_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310
            return bytes(answer.read(ARCHIVE_BYTES))

    def json(self, path: str, **query: object) -> Any:
        """The answer, read."""
        return json.loads(self.ask(f"{path}?{urllib.parse.urlencode(query)}"))


def report_of(repository: Repository, run: int, artifact: str) -> str | None:
    """The text of the report that the gate kept; None where it kept none, as for a wrong config."""
    found = repository.json(f"actions/runs/{run}/artifacts", name=artifact)["artifacts"]
    if not found:
        return None
    archive = repository.ask(f"actions/artifacts/{int(found[0]['id'])}/zip")
    with zipfile.ZipFile(io.BytesIO(archive)) as members:
        if REPORT not in members.namelist():
            return None
        with members.open(REPORT) as member:
            return member.read(4 * COMMENT_LENGTH).decode(errors="replace")


def pull_requests(repository: Repository, run: dict[str, Any]) -> list[int]:
    """The open pull requests whose newest commit is the one that was gated; for a fork, the event names none."""
    owner = (run.get("head_repository") or {}).get("owner", {}).get("login", "")
    found = repository.json("pulls", state="open", head=f"{owner}:{run['head_branch']}", per_page=PAGE)
    return [int(each["number"]) for each in found if each["head"]["sha"] == run["head_sha"]]


def earlier_comment(repository: Repository, number: int) -> int | None:
    """The id of the marked comment, which only a bot's can be: anybody may write the mark."""
    page = 1
    while True:
        comments = repository.json(f"issues/{number}/comments", per_page=PAGE, page=page)
        for each in comments:
            if each["user"]["type"] == "Bot" and each["body"].startswith(MARK):
                return int(each["id"])
        if len(comments) < PAGE:
            return None
        page += 1


def comment(repository: Repository, number: int, run: dict[str, Any], report: str | None) -> None:
    """Edit the marked comment, or write it; without a report only what there is needs to be corrected."""
    commit = run["head_sha"][:SHORT]
    earlier = earlier_comment(repository, number)
    if report is None:
        if earlier is None:
            return
        report = (
            f"## rankgate: no verdict for {commit}\n\nThe gate left no report; [its log]({run['html_url']}) says why.\n"
        )
    # The file is what a fork's run left: nobody is called by it.
    body = (f"{MARK}\nGate of commit {commit}.\n\n" + report.replace("@", "@\u200b"))[:COMMENT_LENGTH]
    if earlier is None:
        repository.ask(f"issues/{number}/comments", "POST", {"body": body})
    else:
        repository.ask(f"issues/comments/{earlier}", "PATCH", {"body": body})


def main() -> str:
    """Do it, and say what was done."""
    environ = os.environ
    run = json.loads(Path(environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))["workflow_run"]
    url = f"{environ['GITHUB_API_URL']}/repos/{environ['GITHUB_REPOSITORY']}"
    repository = Repository(url, environ["RANKGATE_TOKEN"])
    report = report_of(repository, int(run["id"]), environ["RANKGATE_ARTIFACT"])
    numbers = pull_requests(repository, run)
    for number in numbers:
        comment(repository, number, run, report)
    if report is None:
        return "::notice title=rankgate::the gate left no report to show"
    return f"commented on {len(numbers)} pull requests whose newest commit was gated"


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{main()}\n")
    except Exception as error:  # noqa: BLE001 - the archive comes from anybody, and none may turn a verdict
        reason = f"{type(error).__name__} {getattr(error, 'code', '')}".strip()
        sys.stdout.write(f"::warning title=rankgate::the report could not be shown in the pull request: {reason}\n")
