"""Asking more than once: the queries that got worse, the whole set several times, a service against itself."""

from collections.abc import Callable

from rankgate.app.gating import gate
from rankgate.app.measuring import measure, measure_both
from rankgate.app.project import Project
from rankgate.core.findings import Status
from rankgate.core.judgments import GoldenSet
from rankgate.core.noise import settle, told, unstable_finding, worse
from rankgate.core.rankings import Run
from rankgate.core.repeats import Repeats
from rankgate.core.verdict import GateResult, Outcome
from rankgate.errors import ServiceError
from rankgate.service.source import Progress


def confirm(
    project: Project,
    result: GateResult,
    *,
    other: Project | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> GateResult:
    """Ask the queries that got worse again before the verdict is to fail, and judge once more; never a third time.

    Args:
        result: Of a whole set that was measured just now.
        other: Aimed at the service that it is compared with, which is asked again as often; None for a baseline.

    Returns:
        *result* itself where it does not fail, where ``gate.confirm`` is 0, and where no answer could change it.
    """
    comparison, times = result.comparison, project.config.gate.confirm
    # That a query was removed from the set is no matter of answers.
    movable = any(finding.rule != "removed" for finding in result.verdict.of(Status.FAIL))
    if result.verdict.outcome is not Outcome.FAIL or not (movable and times):
        return result
    again = comparison.golden.only(worse(project.config.gate, comparison))
    if not again.queries:
        return result
    repeats: list[Run] = []
    seconds: list[Run] = []
    for place in range(times):
        part = _part(progress, place, times)
        try:
            if other is None:
                repeats.append(measure(project, again, part))
            else:
                run, second = measure_both(project, other, again, part)
                repeats.append(run)
                seconds.append(second)
        except ServiceError:
            break  # it went away: what was measured before stands, and the note says that it was not asked again
    settled = settle(project.config.gate, comparison, repeats, seconds)
    return gate(
        project,
        told(settled, times),
        settled.reference,
        strict=strict,
        lock=comparison.lock,
        further=unstable_finding(settled),
        exact=result.exact,
    )


def repeat(project: Project, golden: GoldenSet, times: int, progress: Progress | None = None) -> Repeats:
    """Ask the service every query of *golden* several times, one whole run after the other.

    Args:
        times: At least 2.

    Raises:
        ServiceUnreachableError: It did not answer the first request of a run.
    """
    runs = tuple(measure(project, golden, _part(progress, place, times)) for place in range(times))
    return Repeats(golden, project.measures, runs)


def calibrate(project: Project, times: int, progress: Progress | None = None) -> Repeats:
    """Run the whole set against the service several times: what differs is the service's own noise.

    Raises:
        ServiceError: No query has two answers that could be compared, or the gate could judge none of them.
    """
    repeats = repeat(project, project.golden, times, progress)
    if not repeats.measured:
        failure = next(failure for run in repeats.runs for failure in run.failures.values())
        raise ServiceError(
            f"nothing could be measured twice in {times} runs, so nothing is known of its noise: {failure.message}",
            hint="rankgate ask TEXT shows one request and its answer.",
        )
    gate(project, repeats.usual(), None)  # which refuses answers that are none, such as one and the same to all
    return repeats


def _part(progress: Progress | None, place: int, times: int) -> Callable[[int, int], None] | None:
    """The progress of all runs, told by the run at *place*."""
    if progress is None:
        return None
    return lambda done, total: progress(place * total + done, times * total)
