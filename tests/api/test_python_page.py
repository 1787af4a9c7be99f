"""docs/python.md: its code runs against the demo's service, and it names all that is public."""

import inspect
import re
import shutil
from pathlib import Path
from typing import Final

import pytest

import rankgate
from rankgate.demo.server import serve

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
BLOCKS: Final = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_code_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Block after block, as in one notebook, beside this project's own golden set."""
    shutil.copytree(ROOT / "golden", tmp_path / "golden")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    with serve() as url:
        monkeypatch.setenv("SEARCH_URL", url)
        for number, block in enumerate(BLOCKS):
            exec(compile(block, f"block {number} of docs/python.md", "exec"), names)
        result = names["result"]
        assert isinstance(result, rankgate.GateResult)
        names["test_the_long_tail_is_not_forgotten"](rankgate.facts(result))  # type: ignore[operator]

    assert rankgate.Outcome.FAIL is not result.verdict.outcome
    assert 100 == len(rankgate.read_run("today.jsonl").run.rankings)
    assert capsys.readouterr().out.startswith(f"{result.verdict.outcome} 0\n")


def test_the_notebook_has_ten_lines() -> None:
    """As promised; a reader counts."""
    assert 10 >= len(BLOCKS[0].strip().splitlines())


def test_the_page_has_every_public_name() -> None:
    """Functions with their call, types and errors by name."""
    public = set(rankgate.__all__) - {"__version__"}

    assert set() == {name for name in public if not re.search(rf"\b{name}\b", PAGE)}


def test_the_page_names_every_parameter() -> None:
    """In the table of functions, in the order of the code."""
    public = {name: getattr(rankgate, name) for name in rankgate.__all__}
    expected = {
        name: list(inspect.signature(value).parameters) for name, value in public.items() if inspect.isfunction(value)
    }
    rows = dict(re.findall(r"^\| `(\w+)\(([^)]*)\)` \|", PAGE, re.MULTILINE))

    assert expected == {name: re.findall(r"\w+", parameters) for name, parameters in rows.items()}
