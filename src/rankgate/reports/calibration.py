"""What a service's own noise is: the spread of each mean, the queries that flap and why, and limits to paste."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from rankgate.core.catalog import Measure, Scale, parse_measure
from rankgate.core.findings import in_queries
from rankgate.core.judgments import ALL
from rankgate.core.limits import ALONE, Gate
from rankgate.core.proposals import LostProposal, Proposal, compared, propose, propose_lost
from rankgate.core.rankings import Failure
from rankgate.core.repeats import Flapping, Repeats, Spread
from rankgate.files.yaml_text import plain_or_quoted
from rankgate.reports.rounding import number
from rankgate.reports.summary import count
from rankgate.reports.tables import SLICE_WIDTH, Plain, hanging
from rankgate.reports.terminal import more, to_text
from rankgate.reports.visible import inert, middle, visible

QUERIES_SHOWN: Final = 10
_ID_LENGTH: Final = 200


@dataclass(frozen=True, slots=True)
class Calibration:
    """All that the page says.

    Attributes:
        measured: Queries with more than one answer.
        spreads: Of each measure shown, then of each that the gate limits.
        unmeasured: The queries that failed in every run, with their first failures.
        proposals: Empty where no query was measured in every run.
        lost: None where the gate has no such rule.
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
    lost: LostProposal | None = None
    changed: bool = False


def gather(repeats: Repeats, gate: Gate, measures: Sequence[Measure]) -> Calibration:
    """The facts of both forms.

    Args:
        measures: What is shown of the whole set.
    """
    rows = dict.fromkeys([*((measure, ALL) for measure in measures), *compared(gate, measures)])
    spreads = (repeats.spread(measure, name) for measure, name in rows)
    proposals = propose(gate, repeats, measures)
    return Calibration(
        runs=len(repeats.runs),
        queries=len(repeats.golden.queries),
        measured=repeats.measured,
        unmeasured=repeats.unmeasured,
        scale=repeats.golden.scale,
        spreads=tuple(spread for spread in spreads if spread),
        flapping=tuple(sorted(repeats.flapping, key=lambda each: not each.matters)),
        proposals=proposals,
        lost=propose_lost(gate, repeats) if proposals else None,
        changed=len({run.fingerprint for run in repeats.runs}) > 1,
    )


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
    yield from _crossed(found)
    yield Text("Proposed limits: the largest difference between two runs, and one query at least", "bold")
    yield Text("What is tighter now and was not broken stays; how good is good enough is yours to say.", "dim")
    short = found.proposals[0].spread.runs
    yield Text(f"A further run falls outside of what {short} have shown in up to 2 of {short + 1} cases.", "dim")


def _table(found: Calibration) -> Plain:
    table = Plain(padding=(0, 2, 0, 0))
    table.add_column("mean of", overflow="fold")
    for name in ("mean", "deviation", "lowest", "highest", "largest difference", "= queries", "moving"):
        table.add_column(name, justify="right")
    for spread in found.spreads:
        table.add_row(
            Text(_named(spread, found.scale)),
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
        yield hanging(Text.assemble((middle(visible(each.query_id), _ID_LENGTH), "bold"), f"  {visible(effects)}"))
        for reason in each.reasons:
            yield hanging(Text(visible(reason.message), "dim"), 4)
    yield from more(len(flapping) - QUERIES_SHOWN, "query", "queries")


def _crossed(found: Calibration) -> Iterator[RenderableType]:
    """The floors and ceilings that some runs hold and others break."""
    crossed = [each for each in found.proposals if each.kind in ALONE and each.too_tight]
    if not crossed:
        return
    yield Text("Floors and ceilings that noise alone breaks", "bold")
    for each in crossed:
        spread = each.spread
        ends = f"{each.kind} {each.points:g}, and the runs are from {number(spread.low)} to {number(spread.high)}"
        yield hanging(Text(f"{_named(spread, found.scale)}: {ends}"))
    yield Text()


def limits_yaml(found: Calibration) -> str:
    """The proposed limits as a config has them; empty where there are none."""
    slices = dict.fromkeys(each.spread.slice for each in found.proposals)
    whole = [*_limits(found, ALL), *([_lost(found.lost)] if found.lost else [])]
    lines = ["gate:", *(f"  {line}" for line in whole)] if whole else []
    named = [name for name in slices if name != ALL]
    lines += ["slices:"] if named else []
    for name in named:
        least = max(each.limit.min_queries for each in found.proposals if each.limit and each.spread.slice == name)
        lines += [f"  {plain_or_quoted(name)}:"]
        lines += [f"    min_queries: {least}"] if least > 1 else []
        lines += ["    gate:", *(f"      {line}" for line in _limits(found, name))]
    return "".join(f"{line}\n" for line in lines)


def _limits(found: Calibration, slice_name: str) -> Iterator[str]:
    """A line for each measure, with all its limits."""
    here = [each for each in found.proposals if each.spread.slice == slice_name]
    for measure in dict.fromkeys(each.spread.measure for each in here):
        proposals = [each for each in here if each.spread.measure == measure]
        entries = ", ".join(entry for each in proposals for entry in _entries(each))
        remarks = [remark for each in proposals for remark in _remarks(each)]
        said = f"  # {'; '.join(remarks)}" if remarks else ""
        yield f"{_name(measure, found.scale)}: {{{entries}}}{said}"


def _entries(proposal: Proposal) -> Iterator[str]:
    if proposal.points is not None:
        yield f"{proposal.kind}: {proposal.points:g}"
    if proposal.limit and proposal.limit.relative is not None:
        yield f'{proposal.kind}_rel: "{100 * proposal.limit.relative:.6g}%"'


def _remarks(proposal: Proposal) -> Iterator[str]:
    spread, present = proposal.spread, proposal.present
    if proposal.queries is not None:
        yield f"{proposal.kind} {in_queries(proposal.queries)} of {count(spread.queries, 'query', 'queries')}"
    if proposal.kind in ALONE:
        if proposal.too_tight:
            yield f"noise alone breaks the {proposal.kind}"
    elif proposal.too_tight:
        now = "its share of the baseline" if present is None else f"the {present:g} of now"
        yield f"two runs differed by {number(spread.largest)}, more than {now}"
    elif proposal.finer_than_a_query:
        yield "finer than one query, so any that moves breaks it"
    elif present is not None and present != proposal.points:
        yield f"now {present:g}"


def _lost(lost: LostProposal) -> str:
    now = ""
    if lost.too_tight:
        now = f"; from one run to another {lost.most} were lost, more than the {lost.present} of now"
    elif lost.present != lost.allowed:
        now = f"; now {lost.present}"
    return f"lost_queries: {{max: {lost.allowed}}}  # of {count(lost.queries, 'query', 'queries')}{now}"


def _named(spread: Spread, scale: Scale) -> str:
    slice_name = "" if spread.slice == ALL else f" {middle(visible(spread.slice), SLICE_WIDTH)}"
    return _name(spread.measure, scale) + slice_name


def _name(measure: Measure, scale: Scale) -> str:
    """As short as it can be written in a config of this scale."""
    return measure.short if parse_measure(measure.short, scale) == measure else str(measure)
