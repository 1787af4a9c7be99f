"""What a service's own noise is: the spread of each mean, the queries that flap and why, and limits to paste."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rankgate.core.catalog import Measure, Scale, parse_measure
from rankgate.core.findings import in_queries
from rankgate.core.judgments import ALL
from rankgate.core.limits import Gate
from rankgate.core.proposals import Proposal, compared, propose
from rankgate.core.rankings import Failure
from rankgate.core.repeats import Flapping, Repeats, Spread
from rankgate.reports.rounding import number
from rankgate.reports.summary import count
from rankgate.reports.tables import PLAIN, SLICE_WIDTH
from rankgate.reports.terminal import to_text
from rankgate.reports.visible import inert, inert_json, middle, visible

FORMAT: Final = 1
QUERIES_SHOWN: Final = 10
_ID_LENGTH: Final = 200
#: A name that YAML reads as this text, whatever its version; anything else is quoted.
_PLAIN_NAME: Final = re.compile(r"(?!(?:y|yes|n|no|true|false|on|off|null)$)[a-z][\w.=-]*[\w=]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Calibration:
    """All that the page says.

    Attributes:
        measured: Queries with more than one answer.
        spreads: Of each measure shown, then of each that is compared on a slice.
        unmeasured: The queries that failed in every run, with their first failures.
        flapping: Those whose numbers move first.
        changed: The index said something else of itself in one run than in another.
    """

    runs: int
    queries: int
    measured: int
    unmeasured: Mapping[str, Failure]
    scale: Scale
    spreads: tuple[Spread, ...]
    flapping: tuple[Flapping, ...]
    proposals: tuple[Proposal, ...]
    changed: bool = False


def gather(repeats: Repeats, gate: Gate, measures: Sequence[Measure]) -> Calibration:
    """The facts of both forms.

    Args:
        measures: What is shown of the whole set.
    """
    rows = dict.fromkeys([*((measure, ALL) for measure in measures), *compared(gate, measures)])
    spreads = (repeats.spread(measure, name) for measure, name in rows)
    return Calibration(
        runs=len(repeats.runs),
        queries=len(repeats.golden.queries),
        measured=repeats.measured,
        unmeasured=repeats.unmeasured,
        scale=repeats.golden.scale,
        spreads=tuple(spread for spread in spreads if spread),
        flapping=tuple(sorted(repeats.flapping, key=lambda each: not each.matters)),
        proposals=propose(gate, repeats, measures),
        changed=len({run.fingerprint for run in repeats.runs}) > 1,
    )


def as_json(found: Calibration) -> str:
    """The page as JSON: complete, sorted, unrounded."""
    document = {
        "format": FORMAT,
        "tool": "rankgate",
        "runs": found.runs,
        "queries": found.queries,
        "measured": found.measured,
        "unmeasured": {query_id: failure.message for query_id, failure in found.unmeasured.items()},
        "index_changed": found.changed,
        "spreads": [_spread(spread) for spread in found.spreads],
        "flapping": [
            {
                "query": each.query_id,
                "measures": {str(measure): [ends.low, ends.high] for measure, ends in each.moving.items()},
                "answers": len(each.answers),
                "failures": len(each.failures),
                "pins_hold": each.pins_hold,
                "reasons": [{"kind": reason.kind, "message": reason.message} for reason in each.reasons],
            }
            for each in found.flapping
        ],
        "limits": [
            {
                "measure": str(each.spread.measure),
                "slice": each.spread.slice,
                each.kind: each.points,
                "queries": each.queries,
                "present": each.present,
            }
            for each in found.proposals
        ],
        "yaml": limits_yaml(found),
    }
    return inert_json(json.dumps(document, indent=2, sort_keys=True, allow_nan=False)) + "\n"


def _spread(spread: Spread) -> dict[str, object]:
    return {
        "measure": str(spread.measure),
        "slice": spread.slice,
        "queries": spread.queries,
        "runs": spread.runs,
        "mean": spread.mean,
        "deviation": spread.deviation,
        "low": spread.low,
        "high": spread.high,
        "largest_difference": spread.largest,
        "largest_difference_in_queries": spread.largest * spread.queries,
        "moving_queries": spread.moving,
    }


def render(found: Calibration, *, width: int, color: bool) -> str:
    """The page for a terminal or a log, at *width* columns; the limits last, as they are to be pasted."""
    page = to_text(_parts(found), width=width, color=color)
    limits = inert(limits_yaml(found))
    return f"{page}\n{limits}" if limits else page


def _parts(found: Calibration) -> Iterator[RenderableType]:
    yield Text(f"Noise: {count(found.runs, 'run', 'runs')} of the same service against itself", "bold")
    yield Text(f"{found.measured} of {count(found.queries, 'query', 'queries')} answered more than once", "dim")
    for query_id, failure in list(found.unmeasured.items())[:QUERIES_SHOWN]:
        name = middle(visible(query_id), _ID_LENGTH)
        yield Text(f"{name} was not measured in any run: {visible(failure.message)}", "magenta")
    if found.changed:
        yield Text("The index changed between two runs: what differs may be that, and not noise.", "yellow")
    if found.spreads:
        yield Text()
        yield _table(found)
    yield from _flapping(found.flapping)
    yield Text()
    if not found.proposals:
        yield Text("No limits are proposed: no query was measured in every run.", "yellow")
        return
    yield Text("Proposed limits: the largest difference between two runs, and one query at least", "bold")
    short = found.proposals[0].spread.runs
    yield Text(f"A further run falls outside of what {short} have shown in up to 2 of {short + 1} cases.", "dim")


def _table(found: Calibration) -> Table:
    table = Table(box=PLAIN, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("mean of", overflow="fold")
    for name in ("mean", "deviation", "lowest", "highest", "largest difference", "= queries", "moving"):
        table.add_column(name, justify="right")
    for spread in found.spreads:
        name = middle(visible(spread.slice), SLICE_WIDTH)
        table.add_row(
            Text(_name(spread.measure, found.scale) + ("" if spread.slice == ALL else f" {name}")),
            *map(number, (spread.mean, spread.deviation, spread.low, spread.high, spread.largest)),
            f"{in_queries(spread.largest * spread.queries)}/{spread.queries}",
            str(spread.moving),
        )
    return table


def _flapping(flapping: Sequence[Flapping]) -> Iterator[RenderableType]:
    yield Text()
    if not flapping:
        yield Text("Every query was answered the same in every run.")
        return
    yield Text.assemble(("Queries that flap", "bold"), (f"  ({len(flapping)})", "dim"))
    for each in flapping[:QUERIES_SHOWN]:
        effects = ", ".join(each.effects) or "no measure moves"
        yield _hanging(Text.assemble((middle(visible(each.query_id), _ID_LENGTH), "bold"), f"  {visible(effects)}"), 2)
        for reason in each.reasons:
            yield _hanging(Text(visible(reason.message), "dim"), 4)
    if len(flapping) > QUERIES_SHOWN:
        yield _hanging(Text(f"and {len(flapping) - QUERIES_SHOWN} more queries", "dim"), 2)


def _hanging(text: Text, by: int) -> RenderableType:
    return Padding(text, (0, 0, 0, by))


def limits_yaml(found: Calibration) -> str:
    """The proposed limits as a config has them; empty where there are none."""
    lines: list[str] = []
    slices = dict.fromkeys(each.spread.slice for each in found.proposals)
    if ALL in slices:
        lines.append("gate:")
        lines += [f"  {_limit(each, found.scale)}" for each in found.proposals if each.spread.slice == ALL]
    named = [name for name in slices if name != ALL]
    lines += ["slices:"] if named else []
    for name in named:
        rows = [each for each in found.proposals if each.spread.slice == name]
        lines += [f"  {_key(name)}:"]
        lines += [f"    min_queries: {rows[0].min_queries}"] if rows[0].min_queries > 1 else []
        lines += ["    gate:", *(f"      {_limit(each, found.scale)}" for each in rows)]
    return "".join(f"{line}\n" for line in lines)


def _limit(proposal: Proposal, scale: Scale) -> str:
    spread = proposal.spread
    worth = f"{in_queries(proposal.queries)} of {count(spread.queries, 'query', 'queries')}"
    now = ""
    if proposal.too_tight:
        now = f"; two runs differed by {number(spread.largest)}, more than the {proposal.present:g} of now"
    elif proposal.present is not None:
        now = f"; now {proposal.present:g}"
    return f"{_name(spread.measure, scale)}: {{{proposal.kind}: {proposal.points:g}}}  # {worth}{now}"


def _name(measure: Measure, scale: Scale) -> str:
    """As short as it can be written in a config of this scale."""
    return measure.short if parse_measure(measure.short, scale) == measure else str(measure)


def _key(name: str) -> str:
    # The escapes that make a character visible are YAML's own within double quotes.
    return name if _PLAIN_NAME.fullmatch(name) else visible(json.dumps(name, ensure_ascii=False))
