"""Runs on disk: the last one, and the baseline that accepting makes."""

import dataclasses
from typing import Final

from rankgate.app.project import Project
from rankgate.core.comparability import Lock
from rankgate.core.findings import Status
from rankgate.core.rankings import Run
from rankgate.core.reference import golden_digest, grades_digest, judgments_digest, queries_digest
from rankgate.core.scoring import score
from rankgate.core.verdict import GateResult, Outcome
from rankgate.errors import BaselineMismatchError, Problem, ServiceError
from rankgate.files import run_file
from rankgate.files.atomic import write_text
from rankgate.files.run_file import SavedRun

#: Of a value in a saved run; the same result is the same bytes.
DIGITS: Final = 10


def lock_of(project: Project, run: Run) -> Lock:
    """What *run* is an answer to, as far as the config and the service say."""
    return Lock(
        judgments=golden_digest(project.golden),
        measures=tuple(sorted(map(str, project.measures))),
        request=project.config.request,
        fingerprint=run.fingerprint,
        queries=queries_digest(project.golden),
        grades=grades_digest(project.golden),
    )


def saved(project: Project, run: Run, *, kind: run_file.Kind = "run", partial: bool = False) -> SavedRun:
    """*run* as it is written to a file, with its scores and the digests of today's judgments."""
    asked = run.query_ids
    values = score(project.golden.judged, run, project.measures, project.golden.scale.relevant_from)
    return SavedRun(
        run=run,
        kind=kind,
        digests={query.id: judgments_digest(query) for query in project.golden.queries if query.id in asked},
        scores={
            query_id: {str(each): _stable(values.value(each, query_id)) for each in project.measures}
            for query_id in values.query_ids
            if query_id in run.rankings
        },
        partial=partial,
        lock=lock_of(project, run),
    )


def _stable(value: float | None) -> float | None:
    """A value for the reader of a file, without the digits that another processor may sum to otherwise."""
    return None if value is None else round(value, DIGITS)


def keep_last_run(project: Project, result: GateResult) -> None:
    """Keep the full run of *result* for ``explain`` and ``accept --from``, in a folder that git ignores.

    With it goes what no later reader can ask the service for: which queries were unstable, and what the index lacks.
    """
    path = project.last_run
    ignore = path.parent / ".gitignore"
    if not ignore.exists():
        write_text(ignore, "*\n")
    comparison = result.comparison
    kept = saved(project, comparison.run)
    evidence = dataclasses.replace(kept, further=result.further, missing=tuple(sorted(comparison.missing)))
    run_file.write(path, evidence)


def worsened(result: GateResult) -> tuple[str, ...]:
    """What accepting *result* would make worse: every broken rule but two.

    The removal of queries is settled by accepting, and a known failure that passes its pins got better. A fall within
    its limit is the trade that the limit allows; the diff that is shown first has it.
    """
    no_worse = {"removed", "known_failure"}
    broken = (*result.verdict.of(Status.FAIL), *(each for each in result.verdict.of(Status.UNDECIDED) if each.holes))
    return tuple(finding.message for finding in broken if finding.rule not in no_worse)


def accepted(
    project: Project,
    result: GateResult,
    current: SavedRun | None,
    *,
    allow_worse: bool,
    reason: str,
    again: str = "rankgate accept",
) -> SavedRun:
    """The baseline that accepting *result* makes.

    Args:
        again: How the reader calls accept, options and all.

    Raises:
        ServiceError: The run is inconclusive or incomplete; it can never be accepted.
        BaselineMismatchError: It is worse, and that was not allowed.
    """
    open_rules = [finding for finding in result.verdict.of(Status.UNDECIDED) if not finding.holes]
    if result.verdict.outcome is Outcome.PARTIAL or open_rules or result.comparison.run.failures:
        raise ServiceError(
            "the run was not measured completely, so it cannot be accepted",
            hint="Mend what the report names and measure again.",
        )
    if any(finding.rule == "no_results" for finding in result.verdict.findings):
        raise ServiceError(
            "every query came back empty, so there is nothing to accept",
            hint="rankgate ask TEXT shows one request and its answer.",
        )
    worse = worsened(result)
    if worse and not allow_worse:
        anyway = f"{again} --allow-worse --reason '...'; the reason is kept in the file."
        if result.comparison.reference:
            refusal, hint = "this run is worse than what it would replace", f"If that is meant: {anyway}"
        else:
            refusal = "this run breaks rules that no baseline can settle"
            hint = f"Mend the ranking, or the rule where it is written; to accept it all the same: {anyway}"
        raise BaselineMismatchError([Problem(f"{refusal}, so it is not accepted"), *map(Problem, worse)], hint=hint)
    run = dataclasses.replace(result.comparison.run, notes={})
    baseline = saved(project, run, kind="baseline")
    # A saved run may have been asked otherwise than the config asks today, and one in TREC form does not say how.
    asked = result.comparison.lock
    lock = dataclasses.replace(baseline.lock, request=asked.request) if asked and baseline.lock else None
    baseline = dataclasses.replace(baseline, lock=lock)
    if current is not None and current.run.rankings == run.rankings:
        return dataclasses.replace(baseline, reason=current.reason, worse=current.worse)
    return dataclasses.replace(baseline, reason=reason if worse else "", worse=worse)
