"""The noise of a service as JSON: the records that it is written from, and that its schema follows.

They repeat what is alike in the core's ``Spread``: that may change with the core, a published form may not. A spread
names its measure by its text here, has what the core only computes, and calls some things by longer names.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rankgate.core.instability import Reason
from rankgate.core.limits import LimitKind
from rankgate.core.proposals import LostProposal, Proposal
from rankgate.core.repeats import Flapping, Spread
from rankgate.reports import json
from rankgate.reports.calibration import Calibration, limits_yaml


@dataclass(frozen=True, slots=True)
class SpreadFact:
    """How the mean of a measure moves from run to run.

    Attributes:
        queries: Those that every answered run measured.
        runs: How many runs answered anything.
        mean: Of the means of the runs.
        deviation: Their standard deviation, that of a sample; 0 for one run.
        low: The lowest mean of a run.
        high: The highest.
        largest_difference: The largest between any two runs, in points.
        moving_queries: How many queries have another value in some run than in another.
    """

    measure: str
    slice: str
    queries: int
    runs: int
    mean: float
    deviation: float
    low: float
    high: float
    largest_difference: float
    largest_difference_in_queries: float
    moving_queries: int


@dataclass(frozen=True, slots=True)
class FlappingFact:
    """A query that is not answered the same in every run.

    Attributes:
        query: Its id.
        measures: The lowest and the highest value of each measure that moves.
        answers: In how many runs it was measured.
        failures: In how many it was not.
        pins_hold: In how many of the answers all its pins hold.
        reasons: Why, as far as the answers show it.
    """

    query: str
    measures: Mapping[str, tuple[float, float]]
    answers: int
    failures: int
    pins_hold: int
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class LimitFact:
    """A limit that is proposed; a floor or a ceiling stays as it is.

    Attributes:
        points: Of the measure; None where the limit of now is relative alone, and holds.
        relative: As a fraction; None where there is no such limit now.
        queries: The points in queries; None where they have no such meaning.
        present: The points of now; None where the gate says nothing in points.
        too_tight: Noise alone breaks the limit of now.
    """

    measure: str
    slice: str
    kind: LimitKind
    points: float | None
    relative: float | None
    queries: float | None
    present: float | None
    too_tight: bool


@dataclass(frozen=True, slots=True)
class LostFact:
    """How many queries may be lost.

    Attributes:
        max: What is proposed.
        present: What the gate allows now.
        most: The most that were lost from any run to any other.
        too_tight: Noise alone breaks the limit of now.
    """

    max: int
    present: int
    most: int
    too_tight: bool


@dataclass(frozen=True, slots=True)
class Document:
    """The noise of a service, measured against itself.

    Attributes:
        format: Of this form; another number is another form.
        queries: How many were asked.
        measured: Queries with more than one answer.
        unmeasured: The queries that failed in every run, with their first failures.
        index_changed: The index said something else of itself in one run than in another.
        lost_queries: None where the gate has no such rule.
        yaml: The limits, to be pasted into a config; empty where none is proposed.
    """

    format: Literal[1]
    tool: Literal["rankgate"]
    runs: int
    queries: int
    measured: int
    unmeasured: Mapping[str, str]
    index_changed: bool
    spreads: tuple[SpreadFact, ...]
    flapping: tuple[FlappingFact, ...]
    limits: tuple[LimitFact, ...]
    lost_queries: LostFact | None
    yaml: str


def render(found: Calibration) -> str:
    """The page as JSON: complete, sorted, unrounded."""
    return json.text(
        Document(
            format=1,
            tool="rankgate",
            runs=found.runs,
            queries=found.queries,
            measured=found.measured,
            unmeasured={query_id: failure.message for query_id, failure in found.unmeasured.items()},
            index_changed=found.changed,
            spreads=tuple(map(_spread, found.spreads)),
            flapping=tuple(map(_flapping, found.flapping)),
            limits=tuple(map(_limit, found.proposals)),
            lost_queries=_lost(found.lost) if found.lost else None,
            yaml=limits_yaml(found),
        )
    )


def _spread(spread: Spread) -> SpreadFact:
    return SpreadFact(
        measure=str(spread.measure),
        slice=spread.slice,
        queries=spread.queries,
        runs=spread.runs,
        mean=spread.mean,
        deviation=spread.deviation,
        low=spread.low,
        high=spread.high,
        largest_difference=spread.largest,
        largest_difference_in_queries=spread.largest * spread.queries,
        moving_queries=spread.moving,
    )


def _flapping(each: Flapping) -> FlappingFact:
    return FlappingFact(
        query=each.query_id,
        measures={str(measure): (ends.low, ends.high) for measure, ends in each.moving.items()},
        answers=len(each.answers),
        failures=len(each.failures),
        pins_hold=each.pins_hold,
        reasons=each.reasons,
    )


def _limit(each: Proposal) -> LimitFact:
    return LimitFact(
        measure=str(each.spread.measure),
        slice=each.spread.slice,
        kind=each.kind,
        points=each.points,
        relative=each.limit.relative if each.limit else None,
        queries=each.queries,
        present=each.present,
        too_tight=each.too_tight,
    )


def _lost(lost: LostProposal) -> LostFact:
    return LostFact(lost.allowed, lost.present, lost.most, lost.too_tight)
