"""Whether a config fits its golden set: what is wrong between the two, and what is odd."""

from collections.abc import Iterator, Mapping
from typing import Final

from rankgate.core.findings import plural
from rankgate.core.judgments import ALL, NEVER_WITHIN, GoldenSet, problem_at
from rankgate.core.limits import ALONE, BOUNDARY, LimitKind
from rankgate.errors import Problem, nearest
from rankgate.files.gate_file import Config

#: Queries below which a significance test misses drops that matter.
ENOUGH_FOR_A_TEST: Final = 200
_FAILS_BESIDE: Final[Mapping[LimitKind, LimitKind]] = {"warn_drop": "max_drop", "warn_rise": "max_rise"}


def fit(config: Config, golden: GoldenSet) -> list[Problem]:
    """What is wrong between a config and its golden set: slices that no query is in, pins deeper than is asked for."""
    known = golden.slices
    found = [
        problem_at(place, f"slice {name!r} holds no query{nearest(name, known)}")
        for name, place in config.slices.items()
        if name not in known
    ]
    params = {name for query in golden.queries for name in query.params}
    found += [
        problem_at(place, f"slice_by: no query has a param {name!r}{nearest(name, params)}")
        for name, place in config.slice_by.items()
        if name not in params
    ]
    for query in golden.queries:
        pins = {f"'must' of {measure.short}": measure.cutoff for measure in query.must}
        if query.never_within > NEVER_WITHIN:
            pins["'never'"] = query.never_within
        found += [
            problem_at(
                query.place,
                f"query {query.id!r}: depth {config.depth} is less than its {pin} looks at; expected {deep} or more",
            )
            for pin, deep in pins.items()
            if deep > config.depth
        ]
        found += [
            problem_at(
                query.place,
                f"query {query.id!r}: 'must' of {measure} is {wanted:g}, more than the depth, {config.depth}, allows",
            )
            for measure, wanted in query.must.items()
            if measure.family.high is None and wanted > config.depth
        ]
    return found


def never_first(config: Config) -> Iterator[Problem]:
    """Warn of limits that warn where another has failed already."""
    points = {(limit.measure, limit.slice, limit.kind): limit.points for limit in config.gate.limits}
    for limit in config.gate.limits:
        failing = _FAILS_BESIDE.get(limit.kind)
        fails_at = points.get((limit.measure, limit.slice, failing)) if failing else None
        if limit.points is not None and fails_at is not None and limit.points >= fails_at and limit.place is not None:
            yield problem_at(
                limit.place,
                f"{limit.kind} {limit.points:g} of {limit.measure.short} can never warn first: "
                f"{failing} {fails_at:g} fails by then",
            )


def coarse(config: Config, golden: GoldenSet) -> Iterator[Problem]:
    """Warn of limits finer than one query: a single flip breaks them; and of a test that a small set cannot pass."""
    if config.gate.require_significance and len(golden.judged) < ENOUGH_FOR_A_TEST:
        yield problem_at(
            config.place("gate", "require_significance"),
            f"require_significance with {len(golden.judged)} queries: a test on fewer than {ENOUGH_FOR_A_TEST} "
            "is blind to drops of several points, which then only warn",
        )
    for limit in config.gate.limits:
        members = [query for query in golden.judged if limit.slice in (ALL, *query.slices)]
        if not members or limit.place is None:
            continue
        worth = limit.measure.high(config.depth) / len(members)
        if len(members) < limit.min_queries:
            counted = f"{len(members)} {plural(len(members), 'query', 'queries')}"
            yield problem_at(
                limit.place,
                f"slice {limit.slice!r} has {counted}, fewer than min_queries: {limit.min_queries}; "
                "it is shown and not gated",
            )
        elif limit.kind not in ALONE and limit.points is not None and limit.points < worth - BOUNDARY:
            yield problem_at(
                limit.place,
                f"{limit.kind} {limit.points:g} of {limit.measure.short} is finer than one query: "
                f"one of {len(members)} is worth up to {worth:.4f}",
            )
