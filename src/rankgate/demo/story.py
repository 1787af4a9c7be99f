"""The demo's story: a gate that passes, a bad change that it stops, a good change that it lets through.

Every step is a rankgate command in a process of its own, shown as one would type it: the service is asked over HTTP by
the committed config, as any service is.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rankgate.demo.server import DemoError, serve
from rankgate.errors import InputError, RankgateError

#: Inside an installed package, and in a checkout.
GOLDEN: Final = (Path(__file__).with_name("golden"), Path(__file__).parents[3] / "golden")
PARTS: Final = ("rankgate.yaml", "baseline.jsonl", "queries")


@dataclass(frozen=True, slots=True)
class Step:
    """One command of the story.

    Attributes:
        says: What happens, for the reader.
        arguments: Of rankgate, without ``--config``.
        knobs: The environment variables that stand for the change of the ranking.
        code: The exit code that the story promises.
    """

    says: str
    arguments: tuple[str, ...]
    code: int
    knobs: Mapping[str, str] = field(default_factory=dict)


STEPS: Final = (
    Step(
        "Nothing has changed: 100 golden queries are asked and compared with the accepted baseline.",
        ("check",),
        code=0,
    ),
    Step(
        "A bad change: somebody sets the weight of the title to 0. Three queries tried by hand look fine.",
        ("check",),
        code=1,
        knobs={"TITLE_WEIGHT": "0"},
    ),
    Step("Why did one of them get worse?", ("explain", "glob"), code=0),
    Step(
        "A better change: the weight of the title goes from 5 to 2.",
        ("check",),
        code=0,
        knobs={"TITLE_WEIGHT": "2"},
    ),
    Step(
        "It becomes the new baseline, in a copy of the golden set: a reviewer would see the file change with it.",
        ("accept",),
        code=0,
        knobs={"TITLE_WEIGHT": "2"},
    ),
)

CLOSING: Final = """
That was the whole of it: golden queries, a baseline, a gate. Now your own service:

  rankgate init                     writes golden/rankgate.yaml and a first query file
  (edit both: where your service is, what people search for, which documents are right)
  rankgate validate                 says what is wrong with them, without asking the service
  rankgate accept                   makes today's answers the baseline; commit it
  rankgate check                    after every change of the ranking, on your laptop and in CI

To try your own queries on this demo: rankgate demo --serve --port 8001, and rankgate init --preset datasette."""


def tell(port: int) -> int:
    """Serve the demo's search, run every step against it, and say what to do next.

    Returns:
        0 when every step ended as the story says.

    Raises:
        InputError: The search service cannot be started here.
        RankgateError: A step ended otherwise.
    """
    with _serving(port) as url, tempfile.TemporaryDirectory(prefix="rankgate-demo-") as folder:
        golden = _copy(Path(folder) / "golden")
        _print(f"A search service over the documentation of Python's standard library answers at {url}")
        for number, step in enumerate(STEPS, start=1):
            _print(f"\n{number}. {step.says}\n\n$ {_typed(step)}")
            code = _run(step, url, golden)
            _print(f"(exit code {code})")
            if code != step.code:
                raise RankgateError(f"the demo expected exit code {step.code} of step {number}, and it was {code}")
    _print(CLOSING)
    return 0


def serve_only(port: int) -> int:
    """Serve the demo's search until Ctrl-C."""
    with _serving(port) as url:
        try:
            _print(
                f"serving at {url}; Ctrl-C ends it\ntry: {url}/docs/search.json?q=merge+sorted+lists&k=5&_shape=array"
            )
            threading.Event().wait()
        except KeyboardInterrupt:
            _print("\nended")
    return 0


@contextmanager
def _serving(port: int) -> Iterator[str]:
    try:
        with serve(port) as url:
            yield url
    except DemoError as error:
        raise InputError(str(error)) from error


def _copy(folder: Path) -> Path:
    source = next((path for path in GOLDEN if (path / PARTS[0]).is_file()), None)
    if source is None:
        raise InputError("this installation does not hold the demo's golden set")
    folder.mkdir()
    for part in PARTS:
        copy = shutil.copytree if (source / part).is_dir() else shutil.copyfile
        copy(source / part, folder / part)
    return folder


def _typed(step: Step) -> str:
    knobs = [f"{name}={value}" for name, value in step.knobs.items()]
    return " ".join((*knobs, "rankgate", *step.arguments))


def _run(step: Step, url: str, golden: Path) -> int:
    environ = {**os.environ, "SEARCH_URL": url, **step.knobs}
    command = [sys.executable, "-m", "rankgate", *step.arguments]
    # From beside the golden folder, where rankgate finds its config by itself, as the reader will run it.
    return subprocess.run(command, env=environ, cwd=golden.parent, check=False).returncode  # noqa: S603 - our own command


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
