"""What ``rankgate init`` writes: a config for one kind of service, and a first file of golden queries."""

import shlex
from importlib import resources
from pathlib import Path
from typing import Final

from rankgate.errors import Problem, UsageError, nearest
from rankgate.files.atomic import write_text
from rankgate.files.gate_file import NAMES

_CONFIG_NAME: Final = "rankgate.yaml"
_QUERIES_NAME: Final = Path("queries") / "first.yaml"

_NEXT: Final = """next:
  1. put your service's address and paths into {config}
  2. write five golden queries into {queries}: a text, and the ids of the right documents
  3. rankgate validate{option}
  4. rankgate accept{option}, and commit the baseline
  5. rankgate check{option}, after every change of the ranking"""

_CONFIG: Final = """\
# What rankgate asks, how it scores, and what may not get worse.
# Editors check this file with the schema that `rankgate schema config` prints.
version: 1

{service}
judgments:
  grades: [0, 3]        # 0 = not relevant ... 3 = exactly what was meant
  relevant_from: 1      # what the binary measures (P, R, RR, AP) count
  gain: exponential     # what nDCG makes of a grade: exponential, linear or binary

# Bare numbers are points of the measure: 0.02 is two points, or 2 of 100 queries.
gate:
  P@1: {{max_drop: 0.02}}
  P@3: {{max_drop: 0.02}}
  nDCG@10: {{max_drop: 0.015, warn_drop: 0.005}}
  R@50: {{max_drop: 0.02}}
  ZeroResults: {{max_rise: 0.01}}
  lost_queries: {{max: 3}}
"""

_QUERIES: Final = """\
# Golden queries: what people search for, and which documents answer it.
# Ids are the ones that your service returns; grades are 0 to 3. Replace these examples by your own.
slice: head
queries:
  - id: running-shoes
    text: running shoes
    judgments: {SKU-1001: 3, SKU-1002: 2, SKU-2001: 0}
    note: the most frequent query of the shop

  - id: waterproof-jacket
    text: waterproof jacket
    judgments: {SKU-3001: 3, SKU-3002: 1}
    must: {P@1: 1}      # a pin: the first result must be relevant, whatever the means say
"""


def presets() -> tuple[str, ...]:
    """The names of the kinds of service, in the order of the alphabet."""
    folder = resources.files("rankgate.service") / "presets"
    return tuple(sorted(child.name.removesuffix(".yaml") for child in folder.iterdir() if child.name.endswith(".yaml")))


def next_steps(folder: Path) -> str:
    """What to do once the files below *folder* are written."""
    config, queries = folder / _CONFIG_NAME, folder / _QUERIES_NAME
    found = str(config) in NAMES and not any(Path(name).exists() for name in NAMES if name != str(config))
    return _NEXT.format(config=config, queries=queries, option="" if found else f" --config {shlex.quote(str(config))}")


def write(folder: Path, preset: str) -> tuple[Path, ...]:
    """Write a config for the kind of service *preset*, and a first query file, below *folder*.

    Returns:
        The files written.

    Raises:
        UsageError: The preset is unknown, or a file is already there; nothing is written then.
    """
    if preset not in presets():
        raise UsageError(f"unknown preset {preset!r}{nearest(preset, presets())}")
    service = (resources.files("rankgate.service") / "presets" / f"{preset}.yaml").read_text(encoding="utf-8")
    files = {folder / _CONFIG_NAME: _CONFIG.format(service=service), folder / _QUERIES_NAME: _QUERIES}
    there = [path for path in files if path.exists()]
    if there:
        raise UsageError(
            [Problem("is already there, and is never overwritten", str(path)) for path in there],
            hint="rankgate init OTHER_FOLDER starts elsewhere.",
        )
    for path, text in files.items():
        write_text(path, text)
    return tuple(files)
