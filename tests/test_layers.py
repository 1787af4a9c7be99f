"""Each layer imports only from those above it in the design; every import of every module is read, wherever it stands."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import rankgate
from rankgate import app

ROOT: Final = Path(rankgate.__file__).parent

#: From the domain outwards: a layer imports from itself and from those before it, and everybody from ``errors``.
LAYERS: Final = ("errors", "core", "files", "service", "reports", "app", "cli")
#: Modules at the top that are not named after their layer.
LAYER_OF: Final = {
    "api": "app",
    "score": "app",
    "score_rows": "app",
    "__main__": "cli",
    "pytest_gate": "cli",
    "pytest_plugin": "cli",
    "demo": "demo",
}
#: What reads or writes anything, asks the clock, or rolls dice; numpy's own arrays are all that the domain needs.
IMPURE: Final = frozenset(
    [
        "asyncio",
        "click",
        "datetime",
        "glob",
        "httpx",
        "io",
        "jmespath",
        "logging",
        "multiprocessing",
        "os",
        "pathlib",
        "pydantic",
        "random",
        "rich",
        "secrets",
        "shutil",
        "signal",
        "socket",
        "subprocess",
        "sys",
        "tempfile",
        "threading",
        "time",
        "urllib",
        "uuid",
        "yaml",
    ]
)

#: A day is a value; which one it is today is asked of the clock.
DAY: Final = "datetime.date"


def modules() -> Iterator[tuple[str, ast.Module]]:
    """The dotted name below the package, and the syntax tree, of every module."""
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts), ast.parse(path.read_text(encoding="utf-8"))


def imports(tree: ast.Module) -> Iterator[str]:
    """What a module imports, as dotted names: at the top, within functions, for type checking only."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports are not read here"
            assert node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def impurities(tree: ast.Module) -> Iterator[str]:
    """What reads, writes, rolls dice or asks the clock."""
    yield from (
        f"imports {imported}"
        for imported in imports(tree)
        if (imported.partition(".")[0] in IMPURE and imported != DAY) or ".random" in imported
    )
    yield from (
        f"asks for the day in line {node.lineno}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr == "today"
        and isinstance(node.value, ast.Name)
        and node.value.id == "date"
    )


def own(name: str) -> str | None:
    """The part of the package that a dotted name is from; None for another package, "" for the package itself."""
    package, _, rest = name.partition(".")
    if package != "rankgate":
        return None
    part = rest.partition(".")[0]
    return part if part == "__main__" or (ROOT / part).is_dir() or (ROOT / f"{part}.py").is_file() else ""


def layer(part: str) -> str:
    return LAYER_OF.get(part, part)


def upward(name: str, imported: str) -> bool:
    """Whether a module may not import that."""
    part = own(imported)
    if not part:
        return False
    here, there = layer(name.partition(".")[0]), layer(part)
    if here == "__init__":
        return part != "api"  # what is public
    if here == "demo":
        return there not in {"demo", "errors"}
    if there == "demo":
        return here != "cli"
    return LAYERS.index(there) > LAYERS.index(here)


def test_every_part_of_the_package_has_its_layer() -> None:
    """A new module or folder must be given one before it can be imported."""
    parts = {name.partition(".")[0] for name, _ in modules()} - {"__init__"}

    assert set() == parts - {*LAYERS, *LAYER_OF}


def test_no_module_imports_from_a_layer_below_its_own() -> None:
    """core < files < service < reports < app < cli; the demo stands beside them, and only its command imports it."""
    assert [] == [
        f"{name} imports {imported}" for name, tree in modules() for imported in imports(tree) if upward(name, imported)
    ]


def test_the_domain_imports_nothing_that_reads_writes_or_rolls_dice() -> None:
    """No file, no network, no clock: the same input is judged the same, forever."""
    assert [] == [f"{name} {what}" for name, tree in modules() if name.startswith("core.") for what in impurities(tree)]


def test_the_domain_needs_numpy_and_nothing_else_that_is_installed() -> None:
    """Whatever else it imports is Python's own."""
    packages = {
        imported.partition(".")[0] for name, tree in modules() if name.startswith("core.") for imported in imports(tree)
    }

    assert {"numpy", "rankgate"} == packages - sys.stdlib_module_names


def test_only_the_command_line_writes_to_the_streams() -> None:
    """Everything else returns text: no print, and no sys.stdout."""
    found = [
        f"{name}:{node.lineno}"
        for name, tree in modules()
        if layer(name.partition(".")[0]) not in {"cli", "demo"}
        for node in ast.walk(tree)
        if (isinstance(node, ast.Name) and node.id == "print")
        or (isinstance(node, ast.Attribute) and node.attr in {"stdout", "stderr"})
    ]

    assert [] == found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("import os", ["os"], id="plain"),
        pytest.param("import os.path as p, re", ["os.path", "re"], id="several"),
        pytest.param("from rankgate import app", ["rankgate.app"], id="from the package"),
        pytest.param("def f():\n    from rankgate.app import gate", ["rankgate.app.gate"], id="within a function"),
        pytest.param(
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import httpx",
            ["typing.TYPE_CHECKING", "httpx"],
            id="for type checking",
        ),
    ],
)
def test_imports_are_seen_wherever_they_stand(source: str, expected: list[str]) -> None:
    """So that the picture cannot drift from the code."""
    assert expected == list(imports(ast.parse(source)))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("from datetime import date\nage = date(2026, 1, 2) - since", [], id="days"),
        pytest.param(
            "from datetime import date\n\nage = date.today() - since", ["asks for the day in line 3"], id="today"
        ),
        pytest.param("from datetime import datetime", ["imports datetime.datetime"], id="moments"),
        pytest.param("import datetime", ["imports datetime"], id="all of it"),
        pytest.param("delta.today - delta.before", [], id="a field of that name"),
        pytest.param("import time", ["imports time"], id="the clock"),
        pytest.param("from numpy.random import default_rng", ["imports numpy.random.default_rng"], id="dice"),
    ],
)
def test_what_is_impure_is_told_from_days(source: str, expected: list[str]) -> None:
    """How far apart two days are can be said without asking which one it is."""
    assert expected == list(impurities(ast.parse(source)))


@pytest.mark.parametrize(
    ("name", "imported", "expected"),
    [
        ("core.rules", "rankgate.core.judgments.Query", False),
        ("core.rules", "rankgate.errors.Problem", False),
        ("core.rules", "rankgate.files.atomic", True),
        ("files.run_file", "rankgate.core.rankings.Run", False),
        ("files.run_file", "rankgate.service.client", True),
        ("reports.junit", "rankgate.app.gate", True),
        ("errors", "rankgate.core.rankings", True),
        ("app", "rankgate.cli.main", True),
        ("app", "rankgate.demo.story", True),
        ("cli", "rankgate.demo.story", False),
        ("demo.story", "rankgate.app", True),
        ("demo.story", "rankgate.errors.RankgateError", False),
        ("__init__", "rankgate.core.rules", True),
        ("__init__", "rankgate.api.check", False),
        ("files.run_file", "rankgate.__version__", False),
        ("core.rules", "rankgates.files", False),
    ],
)
def test_an_import_from_a_layer_below_is_told_from_others(name: str, imported: str, expected: bool) -> None:
    """The judge of the test above, judged."""
    assert expected == upward(name, imported)


def test_the_use_cases_are_listed_alike_wherever_they_are_listed() -> None:
    """For type checkers, for ``import *`` and for whoever asks at run time; all of them can be had."""
    (tree,) = [tree for name, tree in modules() if name == "app.__init__"]
    typed = {tuple(name.split(".")[2:]) for name in imports(tree) if name.startswith("rankgate.app.")}

    assert typed == {(home, name) for name, home in app._HOMES.items()}
    assert app.__all__ == list(app._HOMES)
    assert app.__all__ == sorted(app.__all__)
    assert [] == [name for name in app.__all__ if not callable(getattr(app, name))]
