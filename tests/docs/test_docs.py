"""The documentation: every command in it runs, and every name that the code knows is in it, and the reverse."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from pydantic import BaseModel

from rankgate.app.project import load_project
from rankgate.cli import cli
from rankgate.core.limits import KINDS_OF_DIRECTION
from rankgate.demo.server import serve
from rankgate.files import gate_models, golden_models, service_models
from rankgate.reports import FORMATS, catalogue
from rankgate.service import starter

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = (
    "README.md",
    "docs/measures.md",
    "docs/config.md",
    "docs/services.md",
    "docs/recipes.md",
    "docs/ci.md",
    "docs/python.md",
    "docs/compatibility.md",
)
#: Pages whose walk takes seconds, for each command is a process of its own.
MANY_COMMANDS: Final = frozenset({"README.md", "docs/recipes.md"})
BLOCK: Final = re.compile(r"```console\n(.*?)```", re.DOTALL)

#: Queries that the pages name as examples, over the demo's documents.
EXAMPLES: Final = """
slice: examples
queries:
  - {id: cracked-bracket, text: glob pattern, judgments: {glob.glob: 3}}
  - {id: running-shoes, text: sorted list, judgments: {sorted: 3}}
"""


#: What a config has besides its service.
REST: Final = {"version": "version: 1", "gate": "gate: {P@1: {floor: 0.5}}"}


def commands(page: str) -> list[list[str]]:
    """The rankgate commands of a page's console blocks, in order."""
    lines = "".join(BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))).splitlines()
    return [shlex.split(line[2:], comments=True) for line in lines if line.startswith("$ rankgate")]


@pytest.fixture(scope="session")
def service() -> Iterator[str]:
    """A running search service: the demo's."""
    with serve() as url:
        yield url


def put_a_real_set_in_place(folder: Path) -> None:
    """Do what the pages ask the reader to do after init: write down one's own service and queries."""
    shutil.copyfile(ROOT / "golden" / "rankgate.yaml", folder / "golden" / "rankgate.yaml")
    shutil.copytree(ROOT / "golden" / "queries", folder / "golden" / "queries", dirs_exist_ok=True)
    (folder / "golden" / "queries" / "first.yaml").write_text(EXAMPLES, encoding="utf-8")


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.slow] if page in MANY_COMMANDS else []) for page in PAGES if commands(page)],
)
def test_every_command_of_a_page_runs(page: str, service: str, tmp_path: Path) -> None:
    """In the order of the page, from an empty folder, against a real service: each exits with 0."""
    environ = {**os.environ, "SEARCH_URL": service}
    codes = {}
    for command in commands(page):
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=tmp_path, env=environ, capture_output=True, text=True, check=False
        )
        codes[" ".join(command)] = (done.returncode, done.stderr if done.returncode else "")
        if command[1] == "init":
            put_a_real_set_in_place(tmp_path)

    assert dict.fromkeys(codes, (0, "")) == codes


@pytest.mark.parametrize("page", ["README.md", "docs/recipes.md"])
def test_every_whole_service_of_a_page_is_sound(page: str, tmp_path: Path) -> None:
    """What a reader copies is refused for nothing, and asks for as many hits as are measured."""
    blocks = re.findall(r"```yaml\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    services = [block for block in blocks if re.search(r"^service:\n  url:", block, re.MULTILINE)]
    (tmp_path / "queries").mkdir()
    (tmp_path / "queries" / "q.yaml").write_text(EXAMPLES, encoding="utf-8")
    assert services
    for block in services:
        rest = "".join(f"{line}\n" for key, line in REST.items() if not re.search(f"^{key}:", block, re.MULTILINE))
        (tmp_path / "rankgate.yaml").write_text(block + rest, encoding="utf-8")

        assert not [each for each in load_project(tmp_path / "rankgate.yaml", None).warnings if "{depth}" in str(each)]


def test_the_readme_has_every_command_and_only_those() -> None:
    """The table of commands is complete."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert set(cli.commands) == set(re.findall(r"^\| `rankgate (\w+)", readme, re.MULTILINE))


def test_the_readme_has_every_preset() -> None:
    """Each preset that init knows is named."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert [] == [name for name in starter.presets() if name not in readme]


def test_the_readme_has_every_report_format() -> None:
    """Each format is in the sentence about --format."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert "|".join(FORMATS) in readme


def test_the_measures_page_is_the_catalogue() -> None:
    """Its tables are those that the registry makes; RANKGATE_REGENERATE=1 writes them anew, and still fails that once."""
    path = ROOT / "docs/measures.md"
    text = path.read_text(encoding="utf-8")
    before, _, rest = text.partition("<!-- measures -->\n")
    _, _, after = rest.partition("<!-- /measures -->")
    expected = f"{before}<!-- measures -->\n{catalogue.markdown()}<!-- /measures -->{after}"
    if os.environ.get("RANKGATE_REGENERATE"):
        path.write_text(expected, encoding="utf-8")

    assert expected == text


@pytest.mark.parametrize(
    "model",
    [
        gate_models.ConfigFile,
        service_models.ServiceEntry,
        service_models.GraphqlEntry,
        service_models.BasicAuthEntry,
        service_models.TlsEntry,
        service_models.TransformEntry,
        service_models.NextPageEntry,
        gate_models.JudgmentsEntry,
        gate_models.LimitsEntry,
        gate_models.GateEntry,
        gate_models.SliceEntry,
        service_models.TimeoutEntry,
        golden_models.GoldenFile,
        golden_models.QueryEntry,
        golden_models.NeverEntry,
    ],
)
def test_the_config_page_has_every_key(model: type[BaseModel]) -> None:
    """No key of a file is left out of the reference."""
    page = (ROOT / "docs/config.md").read_text(encoding="utf-8")

    assert [] == [name for name in model.model_fields if not re.search(rf"\b{name}\b", page)]


def test_the_config_page_has_every_rule() -> None:
    """Each kind of limit has its row."""
    page = (ROOT / "docs/config.md").read_text(encoding="utf-8")

    assert [] == [kind for kinds in KINDS_OF_DIRECTION.values() for kind in kinds if f"`{kind}" not in page]


@pytest.mark.parametrize("page", [*PAGES, "golden/README.md", "CHANGELOG.md"])
def test_every_link_of_a_page_leads_to_a_file(page: str) -> None:
    """No relative link is dead."""
    path = ROOT / page
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", path.read_text(encoding="utf-8"))

    assert [] == [link for link in links if not (path.parent / link).exists()]


@pytest.mark.parametrize("page", PAGES)
def test_no_page_pipes_the_gate_into_another_program(page: str) -> None:
    """A pipe would swallow the exit code."""
    text = (ROOT / page).read_text(encoding="utf-8")

    assert [] == re.findall(r"rankgate [^\n|`]*\| *(?:tee|head|cat)", text)
