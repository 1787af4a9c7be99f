"""How often the gate cries wolf, and how often it sleeps, when a service flaps: with and without asking again.

``python benchmarks/confirm.py [TRIALS]`` prints the table of the README, the same for the same number of trials. A
golden set of 100 queries is answered by a service of which an answer may flap to a ranking whose first document is not
relevant. A false alarm is a gate that fails although nothing changed; a miss is one that does not fail although more
queries got worse than its limits allow. The answers are drawn, those of the baseline too; the rest is the gate's own
code.
"""

import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison, compare
from rankgate.core.judgments import GoldenSet, Query
from rankgate.core.limits import Gate, Limit
from rankgate.core.noise import settle, unstable_finding, worse
from rankgate.core.rankings import Ranking, Run
from rankgate.core.reference import Reference
from rankgate.core.repeats import Repeats
from rankgate.core.verdict import Outcome, decide

SEED: Final = 20261130
TRIALS: Final = 500
QUERIES: Final = 100
CONFIRMS: Final = (0, 2, 4)
#: As of ``rankgate accept --repeat 3``.
REPEATED: Final = 3
#: How many queries truly got worse; a mean may lose 2 of them, and 3 may be lost.
CHANGES: Final = (0, 4, 6, 10)

GOOD: Final = Ranking(("a", "b", "c", "x", "y"))
BAD: Final = Ranking(("x", "y", "a", "b", "c"))
MEASURES: Final = (Measure("P", 1, 1), Measure("nDCG", 10, dcg="exp-log2"))
GATE: Final = Gate(limits=tuple(Limit("max_drop", measure, 0.02) for measure in MEASURES), lost_queries=3)
GOLDEN: Final = GoldenSet(
    tuple(Query(f"q{number:03}", f"query {number}", {"a": 3, "b": 2, "c": 1}) for number in range(QUERIES))
)


@dataclass(frozen=True, slots=True)
class Service:
    """A service that flaps.

    Attributes:
        flapping: How many of the queries do.
        probability: That one answer to such a query is the bad ranking.
    """

    flapping: int
    probability: float

    def run(self, draw: random.Random, changed: int, asked: Sequence[Query] = GOLDEN.queries) -> Run:
        """Answer *asked*; the last *changed* queries of the set are always bad, the first ones flap."""
        bad = {query.id for query in GOLDEN.queries[QUERIES - changed :]}
        bad |= {query.id for query in GOLDEN.queries[: self.flapping] if draw.random() < self.probability}
        texts = {query.id: query.text for query in asked}
        return Run(len(GOOD.ids), {query.id: BAD if query.id in bad else GOOD for query in asked}, texts=texts)


SERVICES: Final = (Service(100, 0.01), Service(100, 0.02), Service(100, 0.05), Service(100, 0.1), Service(10, 0.5))


def failures(
    service: Service, changed: int, trials: int, confirms: Sequence[int] = CONFIRMS, accepted: int = 1
) -> Mapping[int, float]:
    """The share of *trials* in which the gate fails, for each number of times that worse queries are asked again.

    Args:
        accepted: How many runs the baseline is the most frequent answers of.
    """
    draw = random.Random(f"{SEED} {service.flapping} {service.probability} {changed} {accepted}")
    failed = dict.fromkeys(confirms, 0)
    for _ in range(trials):
        baseline = Repeats(GOLDEN, (), tuple(service.run(draw, 0) for _ in range(accepted))).usual()
        comparison = compare(GOLDEN, service.run(draw, changed), MEASURES, Reference(baseline))
        again = GOLDEN.only(worse(GATE, comparison)).queries
        repeats = [service.run(draw, changed, again) for _ in range(max(confirms))]
        for times in confirms:
            failed[times] += _fails(comparison, repeats[:times])
    return {times: count / trials for times, count in failed.items()}


def _fails(comparison: Comparison, repeats: Sequence[Run]) -> bool:
    """Whether the gate fails, at the end of what ``rankgate check`` does."""
    first = decide(GATE, comparison).verdict.outcome is Outcome.FAIL
    if not first or not repeats:
        return first
    settled = settle(GATE, comparison, repeats)
    judged = compare(GOLDEN, settled.run, MEASURES, comparison.reference)
    return decide(GATE, judged, further=unstable_finding(settled)).verdict.outcome is Outcome.FAIL


def table(trials: int) -> Iterator[str]:
    """The lines of the README's table."""
    changes = " | ".join(f"missed, {each} worse" for each in CHANGES[1:])
    yield f"| flapping | baseline of | confirm | false alarms | {changes} |"
    yield "|---" * (4 + len(CHANGES[1:])) + "|"
    for service in SERVICES:
        for accepted, confirms in ((1, CONFIRMS), (REPEATED, CONFIRMS[1:2])):
            rates = [failures(service, changed, trials, confirms, accepted) for changed in CHANGES]
            for times in confirms:
                alarms, *found = (rate[times] for rate in rates)
                cells = " | ".join(f"{1 - each:.1%}" for each in found)
                runs = "1 run" if accepted == 1 else f"{accepted} runs"
                flapping = f"{service.flapping} queries, {service.probability:.0%}"
                yield f"| {flapping} | {runs} | {times} | {alarms:.1%} | {cells} |"


if __name__ == "__main__":
    for line in table(int(sys.argv[1]) if len(sys.argv) > 1 else TRIALS):
        print(line, flush=True)
