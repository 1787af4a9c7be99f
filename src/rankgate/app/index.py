"""Asking the service which documents its index has."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from rankgate.app.measuring import measure
from rankgate.app.project import Project
from rankgate.core.findings import listed, plural
from rankgate.core.judgments import problem_at
from rankgate.core.limits import BOUNDARY
from rankgate.core.rankings import Run
from rankgate.core.verdict import GateResult, Outcome
from rankgate.errors import ConfigError, Problem, ServiceError
from rankgate.service.source import Progress

if TYPE_CHECKING:
    from rankgate.service.lookup import Existence


def missing_documents(
    project: Project, documents: Iterable[str], returned: Iterable[str], progress: Progress | None = None
) -> "Existence":
    """Ask for each document whether the index has it; nothing is known where ``service.exists`` is not configured.

    Args:
        returned: What search returned. Where a document is missing, the first of these is looked up too: an address
            that says no even to that one says nothing of the index.
    """
    from rankgate.service import lookup  # noqa: PLC0415 - httpx takes longer to import than most commands to run

    spec = project.config.service
    if spec.exists is None:
        return lookup.Existence()
    found = lookup.existing(spec, documents, progress=progress)
    there = next(iter(returned), None) if found.missing else None
    if there is None or not lookup.existing(spec, [there]).missing:
        return found
    reason = f"service.exists says no even to {there!r}, which search returned; check service.exists.url"
    return lookup.Existence(unknown=found.missing | found.unknown, reason=reason)


def returned_documents(run: Run) -> Iterator[str]:
    """The first document of each ranking that has one."""
    return (ranking.ids[0] for ranking in run.rankings.values() if ranking.ids)


def _returned_now(project: Project) -> Iterator[str]:
    """What search returns for one query; nothing where it does not answer."""
    query = next((query for query in project.golden.queries if not query.expects_nothing), None)
    if query is not None:
        with suppress(ServiceError):
            yield from returned_documents(measure(project, project.golden.only(frozenset({query.id}))))


def lost_judgments(project: Project, progress: Progress | None = None) -> tuple[Problem, ...]:
    """Ask for every judged document whether the index still has it.

    Returns:
        A warning for each query with documents that are gone, at its place; and one for those that could not be told.

    Raises:
        ConfigError: The config does not say how to ask.
    """
    if project.config.service.exists is None:
        raise ConfigError(
            "service.exists is not configured, so nobody can be asked which documents the index has",
            hint="service: {exists: {url: 'http://.../products/_doc/{id}'}} in the config; status 404 says no.",
        )
    documents = dict.fromkeys(document for query in project.golden.queries for document in query.judgments)
    found = missing_documents(project, documents, _returned_now(project), progress)
    warnings = []
    for query in project.golden.queries:
        gone = tuple(document for document in query.judgments if document in found.missing)
        if gone:
            are = plural(len(gone), "is", "are")
            message = f"query {query.id!r}: the index no longer has {listed(gone)}, which {are} judged"
            warnings.append(problem_at(query.place, message))
    if found.unknown:
        warnings.append(Problem(_untold(found)))
    return tuple(warnings)


def gone_documents(result: GateResult) -> tuple[str, ...]:
    """The judged documents that the baseline returned and the candidate does not, for queries that got worse."""
    comparison = result.comparison
    if comparison.reference is None or result.verdict.outcome is Outcome.PASS:
        return ()
    before, now = comparison.reference.run.rankings, comparison.run.rankings
    worse = {
        query_id
        for measure in comparison.measures
        for query_id, gain in comparison.changes(measure).items()
        if gain < -BOUNDARY
    }
    gone = (
        document
        for query in comparison.golden.queries
        if query.id in worse
        for document in before[query.id].ids
        if document in query.judgments and document not in now[query.id].ids
    )
    return tuple(dict.fromkeys(gone))


def with_missing(result: GateResult, existence: "Existence") -> GateResult:
    """*result* with what the index said of the documents that are gone."""
    extra = result.extra
    if existence.unknown:
        extra = (*extra, _untold(existence))
    return replace(result, comparison=replace(result.comparison, missing=existence.missing), extra=extra)


def _untold(found: "Existence") -> str:
    count = len(found.unknown)
    documents = plural(count, "document", "documents")
    return f"whether the index still has {count} {documents} could not be told: {found.reason}"
