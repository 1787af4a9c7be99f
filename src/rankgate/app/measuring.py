"""Asking the service: the whole set, or one query for a reader."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rankgate.app.project import Project
from rankgate.core.catalog import Measure
from rankgate.core.findings import listed, plural
from rankgate.core.judgments import GoldenSet, Place, Query
from rankgate.core.rankings import Run
from rankgate.core.scoring import score
from rankgate.core.verdict import GateResult, Outcome
from rankgate.errors import ConfigError, Problem, UsageError, nearest
from rankgate.files.service_spec import JsonValue
from rankgate.service import Ask, placeholders
from rankgate.service.request import BUILT_IN

if TYPE_CHECKING:
    from rankgate.service.lookup import Existence
    from rankgate.service.witness import Asked

Progress = Callable[[int, int], None]


def measure(
    project: Project,
    golden: GoldenSet,
    progress: Progress | None = None,
    *,
    record: Path | None = None,
    replay: Path | None = None,
) -> Run:
    """Ask the service every query of *golden*.

    Args:
        record: A new folder to keep the raw answers in.
        replay: A folder of raw answers, instead of asking.

    Raises:
        ServiceUnreachableError: It did not answer the first request.
    """
    from rankgate.service import client  # noqa: PLC0415 - httpx takes longer to import than most commands to run

    tape = client.Tape(record, replay)
    return client.measure(project.config.service, _asks(golden), project.config.depth, progress=progress, tape=tape)


def measure_both(
    project: Project, other: Project, golden: GoldenSet, progress: Progress | None = None
) -> tuple[Run, Run]:
    """Ask two services the same queries at the same time.

    Raises:
        ServiceUnreachableError: One of them did not answer its first request.
    """
    from rankgate.service import client  # noqa: PLC0415 - as in measure

    specs = project.config.service, other.config.service
    first, second = client.measure_together(specs, _asks(golden), project.config.depth, progress=progress)
    return first, second


def missing_documents(project: Project, documents: Iterable[str], progress: Progress | None = None) -> "Existence":
    """Ask for each document whether the index has it; nothing is known where ``service.exists`` is not configured."""
    from rankgate.service import lookup  # noqa: PLC0415 - as in measure

    if project.config.service.exists is None:
        return lookup.Existence()
    return lookup.existing(project.config.service, documents, progress=progress)


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
    found = missing_documents(project, documents, progress)
    warnings = []
    for query in project.golden.queries:
        gone = tuple(document for document in query.judgments if document in found.missing)
        if gone:
            place = query.place or Place("", 0, 0)
            message = f"query {query.id!r}: the index no longer has {listed(gone)}, which is judged"
            warnings.append(Problem(message, place.path, place.line, place.column))
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
        if gain < 0
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


def _asks(golden: GoldenSet) -> list[Ask]:
    return [Ask(query.id, query.text, query.params) for query in golden.queries]  # type: ignore[arg-type]  # JSON values, by the golden file


def refuse_unused_params(project: Project, params: Mapping[str, JsonValue]) -> None:
    """Refuse params that no template of the request has.

    Raises:
        UsageError: With the nearest that one has.
    """
    spec = project.config.service
    known = {*placeholders(spec), *spec.defaults} - set(BUILT_IN)
    for name in params:
        if name not in known and not spec.adapter:
            raise UsageError(f"no template of the request has {{{name}}}{nearest(name, known)}")


def ask(
    project: Project, text: str, params: Mapping[str, JsonValue], depth: int | None, *, room: int
) -> "tuple[Query | None, dict[Measure, float | None], Asked]":
    """Ask one query, for a reader.

    Args:
        text: Of the query, or the id of a golden one.
        params: For the templates, before those of the golden query.
        depth: Documents wanted; None for the config's.
        room: Characters of an answer to keep.

    Returns:
        The golden query of that id or text, its value in each measure, and what was said.

    Raises:
        ServiceUnreachableError: The service did not answer.
    """
    from rankgate.service import witness  # noqa: PLC0415 - as in measure

    known = project.golden.queries
    query = next((each for each in known if each.id == text), None) or next((q for q in known if q.text == text), None)
    given: dict[str, JsonValue] = {**(query.params if query else {}), **params}  # type: ignore[dict-item]  # JSON values, by the golden file
    asked = witness.ask(
        project.config.service, query.text if query else text, given, depth or project.config.depth, room=room
    )
    if query is None or query.expects_nothing or asked.run.failures:
        return query, {}, asked
    run = replace(asked.run, rankings={query.id: next(iter(asked.run.rankings.values()))})
    values = score([query], run, project.measures, project.golden.scale.relevant_from)
    return query, {each: values.value(each, query.id) for each in project.measures}, asked
