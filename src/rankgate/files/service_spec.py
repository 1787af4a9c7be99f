"""The ``service`` block of a config, checked and with its variables expanded."""

from collections.abc import Mapping
from dataclasses import dataclass, field

JsonValue = str | int | float | bool | None | list["JsonValue"] | dict[str, "JsonValue"]


@dataclass(frozen=True, slots=True)
class Secret:
    """One expanded ``${NAME}``; the value is redacted from everything that is printed or written."""

    name: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ServiceSpec:
    """How to ask the search service and how to read its answer.

    URL, headers, params, body and form are templates: ``{query}``, ``{depth}``, ``{offset}``, ``{page}`` and the
    names of the query's own params stand for values; ``{{`` is a literal brace.

    Attributes:
        body: Any JSON value, sent as JSON; None sends none. Never together with *form*.
        form: Fields of a form-encoded body.
        hits: JMESPath of the ordered list in the answer.
        id: JMESPath of the document id within one hit.
        partial: JMESPath expressions that are true (or non-empty) when an answer is incomplete.
        defaults: Values of params for queries that do not give them.
        page_size: Hits asked for by one request; None asks for the whole depth at once.
        first_page: The number of the first page for ``{page}``.
        max_pages: The service's own page cap; None for no cap.
        concurrency: Requests under way at once, >= 1.
        connect_timeout: Seconds.
        read_timeout: Seconds without a byte of the answer.
        run_timeout: Seconds for the whole run.
        retries: Tries after the first, only for what is worth it.
        secrets: The expanded variables.
    """

    url: str = field(repr=False)
    hits: str
    id: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    params: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: JsonValue = field(default=None, repr=False)
    form: Mapping[str, str] | None = field(default=None, repr=False)
    partial: tuple[str, ...] = ()
    defaults: Mapping[str, JsonValue] = field(default_factory=dict)
    page_size: int | None = None
    first_page: int = 1
    max_pages: int | None = None
    concurrency: int = 8
    connect_timeout: float = 5.0
    read_timeout: float = 10.0
    run_timeout: float = 300.0
    retries: int = 2
    secrets: tuple[Secret, ...] = ()
