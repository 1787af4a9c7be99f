"""Draws docs/gate.svg: the real output of a gate that fails on the demo's bad ranking change.

Run it from a checkout with the demo installed: ``python docs/picture.py``
"""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from rankgate.demo.server import serve

ROOT = Path(__file__).parents[1]
COMMAND = "TITLE_WEIGHT=0 rankgate check"
WIDTH = 100


def output() -> str:
    """What the gate prints, colours included."""
    with serve() as url:
        knobs = {"SEARCH_URL": url, "TITLE_WEIGHT": "0", "FORCE_COLOR": "1", "COLUMNS": str(WIDTH)}
        done = subprocess.run(
            [sys.executable, "-m", "rankgate", "-q", "check"],
            cwd=ROOT,
            env={**os.environ, **knobs},
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    return done.stdout


def main() -> None:
    """Write the picture: everything up to the third of the worst queries, and the last lines."""
    lines = output().rstrip("\n").split("\n")
    worst = next(number for number, line in enumerate(lines) if "Worst queries" in line)
    end = max(number for number, line in enumerate(lines) if "Next" in line)
    shown = [*lines[: worst + 16], "  ...", "", *lines[end:]]
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi("\n".join(shown)))
    svg = console.export_svg(title=COMMAND, unique_id="gate")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # the picture asks no other host for fonts
    (ROOT / "docs" / "gate.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
