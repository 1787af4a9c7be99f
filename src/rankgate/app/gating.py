"""From a run and what it is compared with to the gate's result."""

import dataclasses
from collections import Counter
from collections.abc import Collection
from typing import Final

from rankgate.app.baseline import check_depth, compared_at, judged_at
from rankgate.app.project import Project, held
from rankgate.core.agreement import agreement
from rankgate.core.comparability import Lock
from rankgate.core.comparison import compare
from rankgate.core.findings import Finding
from rankgate.core.judgments import GoldenSet
from rankgate.core.rankings import Failure, FailureKind, Ranking, Run
from rankgate.core.reference import Reference
from rankgate.core.verdict import GateResult, decide
from rankgate.errors import InputError, Problem, ServiceError
from rankgate.files.run_file import SavedRun
from rankgate.reports.visible import middle

#: Of an id in a sentence; its ends tell more than its middle.
ID_SHOWN: Final = 200
#: So many different queries do not have one and the same answer by chance.
ALIKE: Final = 3
#: Why other queries failed, beside what is wrong with the rest.
REASONS: Final = 3


def unreached(golden: GoldenSet, depth: int, message: str) -> Run:
    """The run of a service that did not answer its first request: every query failed for that reason."""
    failures = {query.id: Failure(FailureKind.UNREACHABLE, message) for query in golden.queries}
    return Run(depth, {}, failures, texts={query.id: query.text for query in golden.queries})


def turned_away(run: Run, error: ServiceError) -> Run:
    """*run* without its rankings, which *error* says are no answers; what failed before keeps its own reason."""
    no_answer = Failure(FailureKind.HIT, error.problems[0].message)
    return dataclasses.replace(run, rankings={}, failures={**dict.fromkeys(run.rankings, no_answer), **run.failures})


def gate(
    project: Project,
    run: Run,
    reference: Reference | None,
    *,
    golden: GoldenSet | None = None,
    strict: bool = False,
    lock: Lock | None = None,
    further: tuple[Finding, ...] = (),
    missing: Collection[str] = (),
    other: str = "",
    exact: Reference | None = None,
) -> GateResult:
    """Score, compare and judge *run*, and say how alike it and *reference* rank.

    Args:
        golden: A selection of the project's queries; None for all, and only all can have a verdict.
        lock: What *run* is an answer to.
        further: Findings that come from asking more than once.
        missing: Documents that the index no longer has.
        other: What the reader calls *reference* where it is not the baseline.
        exact: The exact search of the approximate one that *run* is of: how alike those two rank is said instead.

    Raises:
        ServiceError: Not one returned id is known: another index was asked, or ids of another kind came back.
    """
    partial = golden is not None
    chosen = golden or project.golden
    run, notes = _completed(run, chosen)
    asked = {query.id for query in chosen.queries}
    _refuse_foreign_ids(project.golden, chosen, run, reference)
    _refuse_one_answer(run)
    if reference and other:
        reference = dataclasses.replace(reference, name=other)
    comparison = compare(chosen, run, project.measures, reference, partial=partial, lock=lock)
    comparison = dataclasses.replace(comparison, missing=frozenset(missing))
    result = decide(
        project.config.gate,
        comparison,
        partial=partial,
        strict=strict,
        floors_only=reference is None and not partial,
        extra=notes,
        further=tuple(each for each in further if not asked.isdisjoint(each.query_ids)),
        exact=exact,
    )
    return _with_agreement(result)


def gate_saved(
    project: Project, saved: SavedRun, baseline: SavedRun | None = None, *, strict: bool = False, other: str = ""
) -> GateResult:
    """What the gate says of a saved run, without asking the service: of the queries that both sides hold.

    Args:
        other: What the reader calls *baseline* where it is not the baseline.

    Raises:
        InputError: The runs and the golden set share no query.
        BaselineMismatchError: One of them was asked for fewer documents than are looked at.
        ServiceError: *saved* holds no answers to these queries.
    """
    check_depth(saved.run, judged_at(project), saved.path or "run")
    if baseline:
        check_depth(baseline.run, compared_at(project), baseline.path or "baseline")
    return gate(
        project,
        saved.run,
        baseline.reference if baseline else None,
        golden=held(project.golden, *filter(None, (baseline, saved))),
        strict=strict,
        lock=saved.lock,
        further=saved.further,
        missing=saved.missing,
        other=other,
    )


def _with_agreement(result: GateResult) -> GateResult:
    comparison, other = result.comparison, result.other
    if other is None:
        return result
    cutoffs = [measure.cutoff for measure in comparison.measures if measure.cutoff]
    # Another text is another question, and its answer tells nothing of how alike the two rank.
    apart = () if result.exact else comparison.changed
    alike = dataclasses.replace(
        other.run,
        rankings={key: ranking for key, ranking in other.run.rankings.items() if key not in apart},
        failures={key: failure for key, failure in other.run.failures.items() if key not in apart},
    )
    found = agreement(comparison.run, alike, cutoffs, exact=result.exact is not None)
    return dataclasses.replace(result, agreement=found)


def _completed(run: Run, golden: GoldenSet) -> tuple[Run, tuple[str, ...]]:
    """Account for queries that *run* does not hold, and drop those that the set does not have."""
    wanted = {query.id for query in golden.queries}
    missing = sorted(wanted - run.query_ids)
    rankings = {query_id: ranking for query_id, ranking in run.rankings.items() if query_id in wanted}
    failures = {query_id: failure for query_id, failure in run.failures.items() if query_id in wanted}
    notes: tuple[str, ...] = ()
    if missing and not rankings and not failures:
        example = next(iter(run.query_ids), "none")
        raise InputError(f"the run and the golden set share no query: {example!r} against {missing[0]!r}")
    if missing and not run.depth:
        # The TREC form has no line for a query without results, so absence is an empty answer there.
        rankings |= dict.fromkeys(missing, Ranking(()))
        notes = (f"queries without a line in the TREC run, counted as empty answers: {len(missing)}",)
    elif missing:
        message = "the saved run does not hold this query; measure again"
        failures |= dict.fromkeys(missing, Failure(FailureKind.NOT_ASKED, message))
    return dataclasses.replace(run, rankings=rankings, failures=failures), notes


def _refuse_foreign_ids(golden: GoldenSet, chosen: GoldenSet, run: Run, reference: Reference | None) -> None:
    """Refuse a run without any document that is known; one that is known, for whatever query, shows the right index.

    A ranking of known documents that nobody judged for these queries is bad, and that is for the rules to say.
    """
    returned = [document for query in chosen.judged for document in _ids(run, query.id)]
    if not returned or not _known(golden, reference).isdisjoint(returned):
        return
    query = next(query for query in chosen.judged if _ids(run, query.id))
    came, wanted = (middle(text, ID_SHOWN) for text in (_ids(run, query.id)[0], next(iter(query.judgments))))
    foreign = Problem(
        f"not one of the {len(returned)} returned ids is judged; for example {came!r} against {wanted!r} "
        f"for query {middle(query.id, ID_SHOWN)!r}"
    )
    raise ServiceError(
        [foreign, *_failed(run)],
        hint="Is it the right index, and does service.id name the same kind of id as the judgments?",
    )


def _known(golden: GoldenSet, reference: Reference | None) -> set[str]:
    """The documents that are judged for any query, and with them those of *reference* where it returns one of these."""
    judged = {document for query in golden.queries for document in query.judgments}
    rankings = reference.run.rankings.values() if reference else ()
    accepted = {document for ranking in rankings for document in ranking.ids}
    return judged if judged.isdisjoint(accepted) else judged | accepted


def _ids(run: Run, query_id: str) -> tuple[str, ...]:
    ranking = run.rankings.get(query_id)
    return ranking.ids if ranking else ()


def _failed(run: Run) -> list[Problem]:
    """What else is wrong with *run*: the commonest reasons why queries of it were not measured at all."""
    counts = Counter(failure.message for failure in run.failures.values())
    return [
        Problem(f"{number} of {len(run.query_ids)} queries were not measured: {message}")
        for message, number in counts.most_common(REASONS)
    ]


def _refuse_one_answer(run: Run) -> None:
    """Refuse a run in which every query has the same answer: the query text did not reach the search."""
    rankings = list(run.rankings.values())
    texts = {run.texts.get(query_id, query_id) for query_id in run.rankings}
    if len(texts) >= ALIKE and rankings[0].ids and all(each.ids == rankings[0].ids for each in rankings):
        alike = Problem(
            f"all {len(rankings)} queries have the same answer, {len(rankings[0].ids)} documents that begin with "
            f"{rankings[0].ids[0]!r}"
        )
        raise ServiceError(
            [alike, *_failed(run)],
            hint="Does {query} stand where the service reads it, or does a cache answer? "
            "rankgate ask TEXT shows a request and its answer.",
        )
