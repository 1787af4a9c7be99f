"""The comment on a pull request, against a server that answers as GitHub's interface does."""

import io
import json
import re
import sys
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.ci.support import ROOT, document, shell
from tests.e2e.support import Result, put

SHA: Final = "a" * 40
MARK: Final = "<!-- rankgate -->"
#: What every comment begins with.
HEAD: Final = f"{MARK}\nGate of commit aaaaaaa.\n\n"
EVENT: Final = {
    "workflow_run": {
        "id": 7,
        "html_url": "https://github.test/o/r/actions/runs/7",
        "head_sha": SHA,
        "head_branch": "$(touch pwned)",
        "head_repository": {"owner": {"login": "fork"}},
    }
}


class GitHub:
    """The repository, and what was asked of it.

    Attributes:
        archive: The files of the artifact; None for no artifact.
        pulls: Number and newest commit of the open pull requests of the branch.
        comments: Of the pull request 12.
        refuses: Methods that are answered with 403.
        archive_headers: What the server that holds the archives was sent.
    """

    def __init__(self) -> None:
        self.archive: dict[str, bytes] | None = {"rankgate.md": b"## rankgate: FAIL\n"}
        self.pulls = {12: SHA}
        self.comments: list[dict[str, Any]] = []
        self.refuses: set[str] = set()
        self.asked: list[tuple[str, str]] = []
        self.tokens: set[str | None] = set()
        self.archive_tokens: set[str | None] = set()
        self.server = _Server(("127.0.0.1", 0), _Handler)
        self.server.github = self
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        """Of the interface."""
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def answer(self, method: str, target: str, content: Any) -> tuple[int, Any]:
        """Status and content."""
        path = urlsplit(target).path.removeprefix("/repos/o/r/")
        query = parse_qs(urlsplit(target).query)
        self.asked.append((method, path))
        if method in self.refuses:
            return 403, {"message": "Resource not accessible by integration"}
        if path == "actions/runs/7/artifacts":
            assert ["rankgate-report"] == query["name"]
            return 200, {"artifacts": [] if self.archive is None else [{"id": 5}]}
        if path == "pulls":
            assert ["fork:$(touch pwned)"] == query["head"]
            return 200, [{"number": number, "head": {"sha": sha}} for number, sha in self.pulls.items()]
        if method == "POST":
            self.comments.append({"id": 99, "user": {"type": "Bot"}, **content})
            return 201, {}
        if method == "PATCH":
            number = int(path.rpartition("/")[2])
            next(each for each in self.comments if each["id"] == number).update(content)
            return 200, {}
        start = (int(query["page"][0]) - 1) * int(query["per_page"][0])
        return 200, self.comments[start : start + int(query["per_page"][0])]

    def zipped(self) -> bytes:
        """The archive."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as members:
            for name, data in (self.archive or {}).items():
                members.writestr(name, data)
        return packed.getvalue()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        github = self.server.github
        if self.path == "/archives/5":
            github.archive_tokens.add(self.headers.get("authorization"))
            self.send(200, github.zipped())
            return
        github.tokens.add(self.headers.get("authorization"))
        if self.path.endswith("/actions/artifacts/5/zip"):
            self.send_response(302)
            self.send_header("Location", f"{github.url}/archives/5")
            self.end_headers()
            return
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        status, content = github.answer(self.command, self.path, json.loads(body or "null"))
        self.send(status, json.dumps(content).encode())

    do_POST = do_GET  # noqa: N815 - named by http.server
    do_PATCH = do_GET  # noqa: N815

    def send(self, status: int, body: bytes) -> None:
        """Answer."""
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    github: GitHub


@pytest.fixture
def github() -> Iterator[GitHub]:
    """A repository with one open pull request, whose newest commit was gated."""
    running = GitHub()
    yield running
    running.server.shutdown()
    running.server.server_close()
    running.thread.join()


def commented(github: GitHub, folder: Path) -> Result:
    """Run the step of the action."""
    (only,) = document("ci/github/comment/action.yml")["runs"]["steps"]
    env = {
        "GITHUB_ACTION_PATH": str(ROOT / "ci" / "github" / "comment"),
        "GITHUB_API_URL": github.url,
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_EVENT_PATH": str(put(folder / "event.json", json.dumps(EVENT))),
        "RANKGATE_ARTIFACT": "rankgate-report",
        "RANKGATE_TOKEN": "t0ken",
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
    }
    return shell(only["run"], folder, env, "-eo", "pipefail")


def test_the_first_time_it_is_written_and_then_edited(github: GitHub, tmp_path: Path) -> None:
    """One comment, whatever the number of runs."""
    first = commented(github, tmp_path)
    assert (0, "commented on 1 pull requests whose newest commit was gated\n") == (first.code, first.stdout), (
        first.stderr
    )
    github.archive = {"rankgate.md": b"## rankgate: PASS\n"}
    commented(github, tmp_path)

    assert [f"{HEAD}## rankgate: PASS\n"] == [each["body"] for each in github.comments]
    assert ["POST", "PATCH"] == [method for method, _ in github.asked if method != "GET"]


def test_the_marked_comment_is_found_among_many_and_only_a_bots_counts(github: GitHub, tmp_path: Path) -> None:
    """Anybody can write the mark; on a later page it is found too."""
    github.comments = [{"id": number, "user": {"type": "User"}, "body": f"{MARK} mine"} for number in range(150)]
    github.comments.append({"id": 500, "user": {"type": "Bot"}, "body": f"{MARK}\nold"})
    commented(github, tmp_path)

    assert {f"{MARK} mine"} == {each["body"] for each in github.comments[:-1]}
    assert (500, f"{HEAD}## rankgate: FAIL\n") == (github.comments[-1]["id"], github.comments[-1]["body"])


def test_a_pull_request_that_moved_on_is_left_alone(github: GitHub, tmp_path: Path) -> None:
    """Its newer commit has a gate of its own; and no artifact can name the pull request."""
    github.pulls = {12: "b" * 40}
    github.archive = {"rankgate.md": b"x", "number": b"12"}

    assert (0, []) == (commented(github, tmp_path).code, github.comments)


def test_the_token_does_not_follow_to_where_the_archives_lie(github: GitHub, tmp_path: Path) -> None:
    """It is for the interface alone."""
    commented(github, tmp_path)

    assert ({"Bearer t0ken"}, {None}) == (github.tokens, github.archive_tokens)


@pytest.mark.parametrize(
    "archive",
    [
        {"../../pwned": b"x", "rankgate.md/../pwned": b"x"},
        {},
        {"rankgate.md": b"\xff\xfe \x00 $(touch pwned) `touch pwned`"},
        {"rankgate.md": b"@everyone " * 100_000},
    ],
)
def test_a_hostile_archive_writes_no_file_and_calls_nobody(
    github: GitHub, tmp_path: Path, archive: dict[str, bytes]
) -> None:
    """Only one member is read, up to a length; what is no report is no comment."""
    github.archive = archive
    ended = commented(github, tmp_path)
    bodies = [each["body"] for each in github.comments]

    assert (0, ("rankgate.md" in archive)) == (ended.code, bool(bodies))
    assert ["event.json"] == [path.name for path in tmp_path.rglob("*")]
    assert all(len(body) <= 65_536 and re.search(r"@\w", body) is None for body in bodies)


@pytest.mark.parametrize("refuses", [{"GET"}, {"POST"}])
def test_what_github_refuses_is_a_warning(github: GitHub, tmp_path: Path, refuses: set[str]) -> None:
    """A token that may not write turns no verdict."""
    github.refuses = refuses
    ended = commented(github, tmp_path)

    assert 0 == ended.code
    assert re.fullmatch(r"::warning title=rankgate::the report could not be shown[^\n]*: HTTPError 403\n", ended.stdout)


NOTHING_LEFT = pytest.mark.parametrize("archive", [None, {}, {"rankgate.json": b"{}"}])


@NOTHING_LEFT
def test_a_gate_without_a_report_takes_the_verdict_of_an_earlier_commit_away(
    github: GitHub, tmp_path: Path, archive: dict[str, bytes] | None
) -> None:
    """As after a wrong config: a green comment of the commit before would be taken for this one's."""
    github.archive = {"rankgate.md": b"## rankgate: PASS\n"}
    commented(github, tmp_path)
    github.archive = archive
    ended = commented(github, tmp_path)
    (only,) = github.comments

    assert (0, "::notice title=rankgate::the gate left no report to show\n") == (ended.code, ended.stdout)
    assert (
        f"{HEAD}## rankgate: no verdict for aaaaaaa\n\n"
        "The gate left no report; [its log](https://github.test/o/r/actions/runs/7) says why.\n"
    ) == only["body"]


@NOTHING_LEFT
def test_a_gate_without_a_report_writes_no_first_comment(
    github: GitHub, tmp_path: Path, archive: dict[str, bytes] | None
) -> None:
    """The check says that it failed; there is nothing to correct."""
    github.archive = archive

    assert (0, []) == (commented(github, tmp_path).code, github.comments)


def test_a_pull_request_that_moved_on_keeps_its_comment(github: GitHub, tmp_path: Path) -> None:
    """Also where the gate of the older commit left no report."""
    github.comments = [{"id": 500, "user": {"type": "Bot"}, "body": f"{MARK}\nof the newer commit"}]
    github.pulls = {12: "b" * 40}
    github.archive = None
    commented(github, tmp_path)

    assert [f"{MARK}\nof the newer commit"] == [each["body"] for each in github.comments]
