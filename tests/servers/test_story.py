"""The whole story against search servers that other people wrote: their own index, their own ranking, their own JSON.

Each needs programs that this project does not depend on. ``.ci/run`` installs them all, and asks for every test to run.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from rankgate.demo.corpus import Document, documents
from tests.servers import anserini, datasette, groonga, osmem, postgresql, typesense
from tests.servers.support import KEY, KEY_VARIABLE, URL_VARIABLE, Engine, Service

pytestmark = pytest.mark.servers

GOLDEN: Final = Path(__file__).parents[2] / "golden"
ENGINES: Final = (
    datasette.ENGINE,
    typesense.ENGINE,
    groonga.ENGINE,
    postgresql.ENGINE,
    *osmem.ENGINES,
    anserini.ENGINE,
)

#: A row of the report's table, for a rule that is broken.
FAILED_RULE: Final = r"^FAIL (\S+ +max_drop|ZeroResults +max_rise|lost_queries) "

#: How the golden set is judged for any ranking: only against the baseline of the same one.
JUDGED: Final[dict[str, Any]] = {
    "judgments": {"grades": [0, 3], "relevant_from": 1, "gain": "exponential"},
    "gate": {
        "P@1": {"max_drop": 0.03},
        "P@3": {"max_drop": 0.03},
        "nDCG@10": {"max_drop": 0.015},
        "R@50": {"max_drop": 0.02},
        "ZeroResults": {"max_rise": 0.02},
        "lost_queries": {"max": 3},
    },
}


@pytest.fixture(scope="module")
def corpus() -> Sequence[Document]:
    """The demo's documents: the documentation of this Python's standard library."""
    return tuple(documents())


def rankgate(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the real command in *project*."""
    return subprocess.run(
        [sys.executable, "-m", "rankgate", *arguments],
        cwd=project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def start_project(project: Path, engine: Engine) -> Service:
    """Let ``init`` write a config, put this project's golden queries in place of the example; the preset's service."""
    project.mkdir()
    done = rankgate(project, "init", "--preset", engine.preset)
    assert 0 == done.returncode, done.stderr
    (project / "golden" / "queries" / "first.yaml").unlink()
    shutil.copytree(GOLDEN / "queries", project / "golden" / "queries", dirs_exist_ok=True)
    service: Service = yaml.safe_load((project / "golden" / "rankgate.yaml").read_text(encoding="utf-8"))["service"]
    return service


def write(project: Path, service: Service) -> None:
    """Write the config that asks *service*."""
    config = yaml.safe_dump({"version": 1, "service": service} | JUDGED, sort_keys=False)
    (project / "golden" / "rankgate.yaml").write_text(config, encoding="utf-8")


def unwrapped(report: str) -> str:
    """The report as one line, so that no sentence is broken."""
    return " ".join(report.split())


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_the_gate_holds_for_a_real_server(
    engine: Engine, corpus: Sequence[Document], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Accept, a clean check, a request that is refused, a worse ranking that is stopped, a server that is gone."""
    if missing := engine.missing():
        reason = f"not installed: {', '.join(missing)}"
        assert "required" != os.environ.get("RANKGATE_SERVERS"), reason
        pytest.skip(reason)
    project, data = tmp_path / "project", tmp_path / "server"
    data.mkdir()
    with engine.serve(data, corpus) as server:
        service = engine.configure(start_project(project, engine))
        write(project, service)
        monkeypatch.setenv(URL_VARIABLE, server.url)
        monkeypatch.setenv(KEY_VARIABLE, KEY)

        accepted = rankgate(project, "accept")
        assert 0 == accepted.returncode, accepted.stdout + accepted.stderr

        clean = rankgate(project, "check")
        assert 0 == clean.returncode, clean.stdout + clean.stderr

        write(project, engine.mistaken(service))
        refused = rankgate(project, "check")
        assert 3 == refused.returncode, refused.stdout + refused.stderr
        assert engine.refusal in unwrapped(refused.stdout), refused.stdout

        server.worsen()
        write(project, engine.worse(service))
        stopped = rankgate(project, "check")
        assert 1 == stopped.returncode, stopped.stdout + stopped.stderr
        assert re.search(FAILED_RULE, stopped.stdout, re.MULTILINE), stopped.stdout

        server.end()
        gone = rankgate(project, "check")
        assert 3 == gone.returncode, gone.stdout + gone.stderr
        assert f"the search service at {server.url.removeprefix('http://')} cannot be reached" in gone.stderr
