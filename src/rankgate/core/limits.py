"""What a config asks of the gate: limits of measures, and what else may not get worse."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from rankgate.core.catalog import Measure
from rankgate.core.judgments import ALL, Place

LimitKind = Literal["floor", "ceiling", "max_drop", "max_rise", "warn_drop", "warn_rise"]

#: Float residue that is no difference: ``0.90 - 0.88`` is not more than 0.02.
BOUNDARY: Final = 1e-9
#: Which limits a measure may have, by whether higher is better.
KINDS_OF_DIRECTION: Final[Mapping[bool, tuple[LimitKind, ...]]] = {
    True: ("floor", "max_drop", "warn_drop"),
    False: ("ceiling", "max_rise", "warn_rise"),
}
#: The limits of the candidate's own value.
ALONE: Final[frozenset[LimitKind]] = frozenset({"floor", "ceiling"})
WARNING: Final[frozenset[LimitKind]] = frozenset({"warn_drop", "warn_rise"})
#: The limits of its change against the baseline, and those of them that fail where they are broken.
COMPARING: Final[frozenset[LimitKind]] = frozenset(get_args(LimitKind)) - ALONE
FAILING_CHANGE: Final = COMPARING - WARNING


@dataclass(frozen=True, slots=True)
class Limit:
    """One configured threshold of a measure on a slice.

    Attributes:
        points: In points of the measure; None where only a relative limit stands.
        relative: As a fraction of the baseline; where both stand, both must be exceeded.
        min_queries: A slice with fewer is shown and not gated.
        place: Where it is configured.
    """

    kind: LimitKind
    measure: Measure
    points: float | None
    relative: float | None = None
    slice: str = ALL
    min_queries: int = 1
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Gate:
    """All rules.

    Attributes:
        lost_queries: How many queries may be lost; None for no such rule.
        max_errors: How many queries may stay unmeasured and still be bounded rather than inconclusive.
        confirm: How often the queries that got worse are asked again before the verdict is to fail.
        unjudged: What becomes of a broken rule that judging alone could turn: it fails, or is undecided.
        require_significance: A drop is broken only where chance alone would hardly bring it.
    """

    limits: tuple[Limit, ...] = ()
    lost_queries: int | None = None
    max_errors: int = 0
    confirm: int = 0
    unjudged: Literal["fail", "inconclusive"] = "fail"
    require_significance: bool = False
    lost_queries_place: Place | None = None

    @property
    def compares(self) -> bool:
        """Whether any rule needs a baseline."""
        return self.lost_queries is not None or any(limit.kind not in ALONE for limit in self.limits)
