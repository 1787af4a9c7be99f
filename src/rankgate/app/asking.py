"""Asking one query, for a reader."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from rankgate.app.project import Project
from rankgate.app.starting import refuse_missing
from rankgate.core.catalog import Measure
from rankgate.core.judgments import JsonValue, Query
from rankgate.core.scoring import score
from rankgate.errors import UsageError, nearest
from rankgate.service import placeholders
from rankgate.service.request import BUILT_IN

if TYPE_CHECKING:
    from rankgate.service.witness import Asked


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
    """
    from rankgate.service import witness  # noqa: PLC0415 - httpx takes longer to import than most commands to run

    refuse_missing(project)
    known = project.golden.queries
    query = next((each for each in known if each.id == text), None) or next((q for q in known if q.text == text), None)
    given: dict[str, JsonValue] = {**(query.params if query else {}), **params}
    asked = witness.ask(
        project.config.service, query.text if query else text, given, depth or project.config.depth, room=room
    )
    if query is None or query.expects_nothing or asked.run.failures:
        return query, {}, asked
    run = replace(asked.run, rankings={query.id: next(iter(asked.run.rankings.values()))})
    values = score([query], run, project.measures, project.golden.scale.relevant_from)
    return query, {each: values.value(each, query.id) for each in project.measures}, asked
