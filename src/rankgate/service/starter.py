"""What ``rankgate init`` writes: a config for one kind of service, and a first file of golden queries."""

import json
import re
import shlex
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rankgate.core.findings import plural
from rankgate.core.rankings import FailureKind
from rankgate.errors import Problem, ServiceError, UsageError, nearest
from rankgate.files.atomic import write_text
from rankgate.files.gate_file import NAMES
from rankgate.files.request_lock import url_credentials
from rankgate.files.service_spec import ServiceSpec
from rankgate.files.yaml_text import plain_or_quoted
from rankgate.service import examples
from rankgate.service.discovery import Address, Shape, shape_of
from rankgate.service.request import Ask

if TYPE_CHECKING:
    from rankgate.service.exchange import Reply

_CONFIG_NAME: Final = "rankgate.yaml"
_QUERIES_NAME: Final = Path("queries") / "first.yaml"
_FIRST_DEPTH: Final = 10

_NEXT: Final = """next:
  1. {first} {config}
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


def presets() -> tuple[str, ...]:
    """The names of the kinds of service, in the order of the alphabet."""
    folder = resources.files("rankgate.service") / "presets"
    return tuple(sorted(child.name.removesuffix(".yaml") for child in folder.iterdir() if child.name.endswith(".yaml")))


def config_path(folder: Path) -> Path:
    """Where the config of *folder* is written."""
    return folder / _CONFIG_NAME


def next_steps(folder: Path, *, known: bool) -> str:
    """What to do once the files below *folder* are written; where the service is *known*, its paths are proposed."""
    config, queries = folder / _CONFIG_NAME, folder / _QUERIES_NAME
    found = str(config) in NAMES and not any(Path(name).exists() for name in NAMES if name != str(config))
    first = "look at the address and the paths in" if known else "put your service's address and paths into"
    return _NEXT.format(
        first=first, config=config, queries=queries, option="" if found else f" --config {shlex.quote(str(config))}"
    )


def preset_text(preset: str) -> str:
    """The ``service`` block of a kind of service.

    Raises:
        UsageError: The preset is unknown.
    """
    if preset not in presets():
        raise UsageError(f"unknown preset {preset!r}{nearest(preset, presets())}")
    return (resources.files("rankgate.service") / "presets" / f"{preset}.yaml").read_text(encoding="utf-8")


def at_address(service: str, url: str) -> str:
    """*service*, the text of a preset, with *url* in place of its own.

    Raises:
        UsageError: *url* holds credentials.
    """
    bare = url.partition("?")[0]  # the preset has the parameters
    _refuse_credentials(bare)
    return re.sub(r"(?m)^  url: .*$", lambda _: f"  url: {plain_or_quoted(bare)}", service, count=1)


def _refuse_credentials(url: str) -> None:
    """Refuse what would be committed with the config."""
    lines = {}
    for name, value in url_credentials(url):
        if not name:
            lines["the address"] = 'service.basic_auth: {user: "${SEARCH_USER}", password: "${SEARCH_PASSWORD}"}'
        elif "{query}" not in value:
            lines[f"the parameter {name!r}"] = f'service.params: {{{plain_or_quoted(name)}: "${{SEARCH_KEY}}"}}'
    if lines:
        raise UsageError(
            [Problem(f"{place} holds credentials, which would stand in the config") for place in lines],
            hint="rankgate init --preset http --url ... without them, and in the config, from variables:\n"
            + "\n".join(lines.values()),
        )


def text_in(url: str) -> str:
    """The query text that stands in *url*, or an empty text."""
    try:
        return Address.of(url).text
    except UsageError:
        return ""


def propose(url: str, text: str) -> str:
    """Ask the service at *url* once and write the ``service`` block that its answer suggests.

    Args:
        text: What to ask where *url* has ``{query}``; otherwise what stands in *url* is asked.

    Raises:
        UsageError: *url* has no place for a query or holds credentials, or the answer has no list of hits with ids.
        ServiceError: The service did not answer, or not with JSON.
    """
    from rankgate.service.client import Tape, measure  # noqa: PLC0415 - httpx is for those who ask
    from rankgate.service.response import parse  # noqa: PLC0415

    _refuse_credentials(url)
    address = Address.of(url)
    text = address.text or text
    spec = ServiceSpec(address.base, "@", "@", params=address.fields, retries=0)
    seen: list[Reply] = []
    tape = Tape(on_reply=lambda _, reply: seen.append(reply))
    run = measure(spec, [Ask(text, text)], _FIRST_DEPTH, tape=tape)
    # That "@" is no list of hits is no matter; whatever else is wrong is, and what is left was read once as it is here.
    for failure in run.failures.values():
        if failure.kind not in {FailureKind.PATH, FailureKind.HIT}:
            raise ServiceError(f"no answer to learn from: {failure.message}")
    answer = parse(seen[-1].content, seen[-1].content_type)
    shape = shape_of(answer, text)
    if shape is None:
        keys = f"; its top-level keys are: {', '.join(answer)}" if isinstance(answer, dict) else ""
        raise UsageError(
            f"the answer to {text!r} has no list of hits with ids{keys}",
            hint="Ask for something that is found: --text 'WORDS' where the address has {query}, another text in it "
            "elsewhere; or write the paths by hand: rankgate init --preset http.",
        )
    return discovered(address, shape)


def discovered(address: Address, shape: Shape) -> str:
    """The ``service`` block for a service that was asked once."""
    hits = f"{shape.count} {plural(shape.count, 'hit', 'hits')}"
    lines = [
        f"# Proposed from one answer with {hits}, the first with the id {shape.example!r}.",
        "service:",
        f"  url: {plain_or_quoted(address.base)}",
    ]
    if address.params:
        lines.append("  params:")
        lines += [f"    {plain_or_quoted(name)}: {_fields_text(given)}" for name, given in address.fields.items()]
    for key in ("hits", "id", "score", "title", "total", "echo"):
        if path := getattr(shape, key):
            lines.append(f"  {key}: {plain_or_quoted(path)}")
    return "\n".join(lines) + "\n"


def _fields_text(given: str | list[str]) -> str:
    return plain_or_quoted(given) if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def write(folder: Path, service: str) -> tuple[Path, ...]:
    """Write a config with the block *service*, and a first query file, below *folder*.

    Returns:
        The files written.

    Raises:
        UsageError: A file is already there; nothing is written then.
    """
    files = {folder / _CONFIG_NAME: _CONFIG.format(service=service), folder / _QUERIES_NAME: examples.TEXT}
    refuse_existing(folder)
    for path, text in files.items():
        write_text(path, text)
    return tuple(files)


def refuse_existing(folder: Path) -> None:
    """Refuse to start where somebody has started.

    Raises:
        UsageError: A file is already there.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(Problem("is a file; init takes a folder", str(folder)), hint="rankgate init FOLDER")
    there = [path for path in (folder / _CONFIG_NAME, folder / _QUERIES_NAME) if path.exists()]
    if there:
        raise UsageError(
            [Problem("is already there, and is never overwritten", str(path)) for path in there],
            hint="rankgate init OTHER_FOLDER starts elsewhere.",
        )
