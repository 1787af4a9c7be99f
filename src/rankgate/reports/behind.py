"""The slice behind a mean, in words."""

from collections.abc import Iterable, Mapping
from typing import Final

from rankgate.core.behind import Behind
from rankgate.core.catalog import Measure
from rankgate.core.limits import BOUNDARY
from rankgate.reports.records.means import BehindFact
from rankgate.reports.rounding import number, signed
from rankgate.reports.visible import middle

#: A name can be as long as it likes; in a sentence its ends are enough.
NAME_LENGTH: Final = 60


def behind_facts(found: Iterable[Behind], named: Mapping[Measure, str]) -> tuple[BehindFact, ...]:
    """A fact for each of *found*, measures by the labels of *named*."""
    return tuple(
        BehindFact(
            sentence=_sentence(each, named[each.measure]),
            measure=str(each.measure),
            label=named[each.measure],
            slice=each.slice,
            hidden=each.hidden,
            guarded=each.guarded,
            change=each.change,
            queries=each.queries,
            slice_change=each.slice_change,
            slice_queries=each.slice_queries,
            part=each.part,
        )
        for each in found
    )


def _sentence(each: Behind, label: str) -> str:
    where = f"slice {middle(each.slice, NAME_LENGTH)!r} ({each.slice_queries} of {each.queries} compared queries)"
    whole, part = _moved(each.change), _moved(each.slice_change)
    if each.hidden:
        verb = "" if whole.split()[0] == part.split()[0] else f"{part.split()[0]} "
        bare = "" if each.guarded else ", which has no rule for it"
        return f"{label} {whole} on the whole and {verb}by {number(abs(each.slice_change))} on {where}{bare}"
    return f"{label} {whole} on the whole, {_share(each)} on {where}: {signed(each.part)} of {signed(each.change)}"


def _moved(change: float) -> str:
    if abs(change) <= BOUNDARY:
        return "held"
    return f"{'rose' if change > 0 else 'fell'} by {number(abs(change))}"


def _share(each: Behind) -> str:
    share = each.part / each.change
    if share >= 1 - BOUNDARY:
        return "all of it"
    return "most of it" if share > 1 / 2 else "more than its share of it"
