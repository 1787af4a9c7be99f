"""Several runs of one set against one service: what stays, what flaps, and by how much the means move."""

import dataclasses
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, permutations
from typing import Final

import numpy as np

from rankgate.core.alignment import BoolArray, FloatArray
from rankgate.core.catalog import Measure
from rankgate.core.comparison import compare, lost_between, members
from rankgate.core.findings import Finding, Status, apart, number, plural
from rankgate.core.instability import Reason, reasons
from rankgate.core.judgments import ALL, GoldenSet
from rankgate.core.limits import BOUNDARY, Gate
from rankgate.core.measures import mean
from rankgate.core.noise import worse
from rankgate.core.rankings import Failure, Ranking, Run
from rankgate.core.scoring import Interval, Scores, score

_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class Spread:
    """How the mean of a measure moves from run to run, over the queries that every answered run measured.

    Attributes:
        queries: How many these are; at least 1.
        runs: How many runs answered anything.
        mean: Of the means of the runs.
        deviation: Their standard deviation, that of a sample; 0 for one run.
        low: The lowest mean of a run.
        high: The highest.
        moving: How many queries have another value in some run than in another.
    """

    measure: Measure
    slice: str
    queries: int
    runs: int
    mean: float
    deviation: float
    low: float
    high: float
    moving: int

    @property
    def largest(self) -> float:
        """The largest difference between any two runs, in points of the measure."""
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class Flapping:
    """A query that is not answered the same in every run.

    Attributes:
        answers: One for each run that measured it, in the order of the runs.
        failures: One for each run that did not.
        moving: The lowest and the highest value of each measure whose value is not the same in all of *answers*.
        pins_hold: In how many of *answers* all its pins hold.
    """

    query_id: str
    answers: tuple[Ranking, ...]
    failures: tuple[Failure, ...]
    moving: Mapping[Measure, Interval]
    pins_hold: int

    @property
    def matters(self) -> bool:
        """Whether a number or a pin depends on the run, not only the order of documents that none looks at."""
        return bool(self.moving or self.failures) or 0 < self.pins_hold < len(self.answers)

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why, as far as the answers show it."""
        return reasons(self.answers, self.failures)

    @property
    def effects(self) -> tuple[str, ...]:
        """What depends on the run, in words."""
        moves = [f"{measure} between {_between(ends)}" for measure, ends in self.moving.items()]
        if 0 < self.pins_hold < len(self.answers):
            moves.append(f"its pins hold in {self.pins_hold} of {len(self.answers)} answers")
        if self.failures:
            moves.append(f"not measured in {len(self.failures)} of {len(self.answers) + len(self.failures)} runs")
        return tuple(moves)


@dataclass(frozen=True)
class Repeats:
    """The same queries asked several times.

    Attributes:
        runs: In the order in which they were made; each holds every query of *golden*, measured or failed.
    """

    golden: GoldenSet
    measures: tuple[Measure, ...]
    runs: tuple[Run, ...]

    @property
    def measured(self) -> int:
        """How many queries have more than one answer, so that the answers can be compared."""
        return sum(len(self._answers(query.id)) > 1 for query in self.golden.queries)

    @property
    def unmeasured(self) -> Mapping[str, Failure]:
        """The queries that failed in every run, each with its first failure."""
        first = self.runs[0].failures
        return {query.id: first[query.id] for query in self.golden.queries if not self._answers(query.id)}

    @cached_property
    def flapping(self) -> tuple[Flapping, ...]:
        """The queries that are not answered the same in every run, in the order of the set; never measured is none."""
        return tuple(self._flapping())

    def usual(self) -> Run:
        """The run of the most frequent ranking of each query, of equally frequent ones the earliest.

        A query that failed in some runs is measured by its answers; one that failed in all keeps its first failure.
        """
        rankings = {}
        for query in self.golden.queries:
            answers = self._answers(query.id)
            counts = Counter(answer.ids for answer in answers)
            if answers:
                rankings[query.id] = max(answers, key=lambda answer: counts[answer.ids])  # the first of the largest
        notes = {key: note for run in reversed(self.runs) for key, note in run.notes.items()} | self._notes()
        return dataclasses.replace(self.runs[0], rankings=rankings, failures=self.unmeasured, notes=notes)

    def spread(self, measure: Measure, slice_name: str = ALL) -> Spread | None:
        """How the mean of *measure* moves; None where no query of the slice was measured in every answered run."""
        values = self._values(measure)[:, members(self.golden, slice_name)]
        values = values[:, ~np.isnan(values).any(axis=0)]
        if not values.size:
            return None
        means = [mean(row) for row in values]
        return Spread(
            measure,
            slice_name,
            queries=values.shape[1],
            runs=len(means),
            mean=mean(np.array(means)),
            deviation=_deviation(means),
            low=min(means),
            high=max(means),
            moving=int((np.ptp(values, axis=0) > BOUNDARY).sum()),
        )

    @property
    def most_lost(self) -> int:
        """The most queries that were lost from any run to any other, as ``lost_queries`` counts them."""
        pairs = permutations(compress(self._scores, self._answered), 2)
        return max((int(lost_between(*pair)[0].sum()) for pair in pairs), default=0)

    def finding(self) -> tuple[Finding, ...]:
        """The warning about the queries whose numbers depend on the run; empty where none does."""
        unstable = [each for each in self.flapping if each.matters]
        if not unstable:
            return ()
        named = "; ".join(f"{each.query_id!r}: {', '.join(each.effects)}" for each in unstable[:_NAMED])
        more = f"; and {len(unstable) - _NAMED} more" if len(unstable) > _NAMED else ""
        are = "is" if len(unstable) == 1 else "are each"
        finding = Finding(
            rule="unstable",
            status=Status.WARN,
            message=f"{len(unstable)} of {len(self.golden.queries)} queries {are} answered differently from run to run "
            f"({len(self.runs)} runs) and judged by the most frequent ranking: {named}{more}",
            value=float(len(unstable)),
            queries=len(self.golden.queries),
            query_ids=tuple(each.query_id for each in unstable),
        )
        return (finding,)

    def _notes(self) -> dict[str, str]:
        """The spread of each mean that moves, and what else a reader should know."""
        unseen = sum(not each.matters for each in self.flapping)
        more = (
            f"; {unseen} {plural(unseen, 'query has', 'queries have')} other rankings in which no measure moves"
            if unseen
            else ""
        )
        index = "; the index changed while they were made" if len({run.fingerprint for run in self.runs}) > 1 else ""
        notes = {"repeat": f"{len(self.runs)} runs of the same queries{more}{index}"}
        for measure in self.measures:
            spread = self.spread(measure)
            if spread and spread.moving:
                notes[f"spread of {measure}"] = (
                    f"mean {number(spread.mean)}, from {number(spread.low)} to {number(spread.high)}, standard "
                    f"deviation {number(spread.deviation)}, over {spread.queries} queries"
                )
        return notes

    def _answers(self, query_id: str) -> tuple[Ranking, ...]:
        return tuple(run.rankings[query_id] for run in self.runs if query_id in run.rankings)

    def _flapping(self) -> Iterator[Flapping]:
        broken = [worse(Gate(), compare(self.golden, run, self.measures, None)) for run in self.runs]
        rows = {query_id: row for row, query_id in enumerate(self._scores[0].query_ids)}
        for query in self.golden.queries:
            answers = self._answers(query.id)
            failures = tuple(run.failures[query.id] for run in self.runs if query.id in run.failures)
            if answers and (failures or len({answer.ids for answer in answers}) > 1):
                held = sum(query.id in run.rankings for run in self.runs) - sum(query.id in each for each in broken)
                row = rows.get(query.id)
                yield Flapping(query.id, answers, failures, {} if row is None else dict(self._moving(row)), held)

    def _moving(self, row: int) -> Iterator[tuple[Measure, Interval]]:
        for measure in self.measures:
            values = self._values(measure)[:, row]
            values = values[~np.isnan(values)]
            if values.size and np.ptp(values) > BOUNDARY:
                yield measure, Interval(float(values.min()), float(values.max()))

    @cached_property
    def _scores(self) -> tuple[Scores, ...]:
        return tuple(
            score(self.golden.judged, run, self.measures, self.golden.scale.relevant_from) for run in self.runs
        )

    @cached_property
    def _answered(self) -> BoolArray:
        """Shape (N,): the run measured anything; one that did not says nothing of noise."""
        return np.array([bool(run.rankings) for run in self.runs], dtype=np.bool_)

    def _values(self, measure: Measure) -> FloatArray:
        """Shape (answered runs, Q), NaN where a query was not measured or the measure is undefined."""
        return np.array([scores.values[measure] for scores in self._scores])[self._answered]


def _between(ends: Interval) -> str:
    """Both ends, whole numbers as such: most values of one query are 0 or 1."""
    return " and ".join(text.rstrip("0").rstrip(".") for text in apart(ends.low, ends.high))


def _deviation(means: Sequence[float]) -> float:
    if len(means) == 1:
        return 0.0
    middle = mean(np.array(means))
    return math.sqrt(math.fsum((each - middle) ** 2 for each in means) / (len(means) - 1))
