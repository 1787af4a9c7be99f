"""The ``service`` block of a config, checked and with its variables expanded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from rankgate.core.judgments import JsonValue

#: Templates by name; several send the name several times.
Fields = Mapping[str, str | list[str]]


@dataclass(frozen=True, slots=True)
class Secret:
    """One expanded ``${NAME}``; the value is redacted from everything that is printed or written."""

    name: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Graphql:
    """A GraphQL request.

    Attributes:
        query: GraphQL, in which a string that is just ``"{name}"`` stands for a value.
        variables: Templates, as in a JSON body.
    """

    query: str
    variables: Mapping[str, JsonValue] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Tls:
    """PEM files for encrypted connections; None leaves the part to the system."""

    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class NextPage:
    """How an answer says where the next page is.

    Attributes:
        kind: A value for ``{cursor}``, an address in the body, or the Link header.
        path: JMESPath of the value or of the address; empty for the header.
    """

    kind: Literal["cursor", "url", "link_header"]
    path: str = ""


@dataclass(frozen=True, slots=True)
class Lookup:
    """Another address of the service, asked with GET and the same headers.

    Attributes:
        url: Template.
        path: JMESPath of what is wanted of the answer; empty where its status is all that counts.
    """

    url: str = field(repr=False)
    path: str = ""


@dataclass(frozen=True, slots=True)
class ServiceSpec:
    """How to ask the search service and how to read its answer.

    URL, headers, params and bodies are templates: ``{query}``, ``{depth}``, ``{offset}``, ``{page}``, ``{cursor}``
    and the names of the query's own params stand for values; ``{{`` is a literal brace.

    Attributes:
        url: Empty where an *adapter* or a *command* answers.
        adapter: ``package.module:function`` in Python.
        command: A program and its arguments.
        body: Any JSON value, sent as JSON; None sends none. At most one of body, form, text and graphql is there.
        form: Fields of a form-encoded body.
        text: A body of any other kind.
        hits: JMESPath of the ordered list in the answer.
        id: JMESPath of the document id within one hit; score, title and snippet are read likewise where given.
        total: JMESPath of how many documents match.
        echo: JMESPath of the query text as the answer repeats it.
        transform: Regular expression whose one group is the document's part of an id.
        collapse: Hits to ask for per document wanted, >= 1; more than 1 where several chunks make a document.
        partial: JMESPath expressions that are true (or non-empty) when an answer is incomplete.
        defaults: Values of params for queries that do not give them.
        page_size: The most hits that one answer can have; None for no such cap.
        first_page: The number of the first page for ``{page}``.
        max_pages: The most pages of one query; None for no cap.
        fingerprint: Where the service says which index or model it is.
        exists: Where it says whether it has a document, by ``{id}``.
        concurrency: Requests under way at once, >= 1.
        requests_per_second: None for no limit.
        connect_timeout: Seconds.
        read_timeout: Seconds without a byte of the answer.
        run_timeout: Seconds for the whole run.
        retries: Tries after the first, only for what is worth it.
        folder: Where an adapter's module and a program are looked for.
        secrets: The expanded variables.
    """

    url: str = field(repr=False)
    hits: str
    id: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    params: Fields = field(default_factory=dict, repr=False)
    body: JsonValue = field(default=None, repr=False)
    form: Fields | None = field(default=None, repr=False)
    text: str | None = field(default=None, repr=False)
    graphql: Graphql | None = None
    adapter: str = ""
    command: tuple[str, ...] = field(default=(), repr=False)
    tls: Tls = Tls()
    http2: bool = False
    score: str = ""
    title: str = ""
    snippet: str = ""
    total: str = ""
    echo: str = ""
    transform: str = ""
    collapse: int = 1
    partial: tuple[str, ...] = ()
    defaults: Mapping[str, JsonValue] = field(default_factory=dict)
    page_size: int | None = None
    first_page: int = 1
    max_pages: int | None = None
    next_page: NextPage | None = None
    fingerprint: Lookup | None = None
    exists: Lookup | None = None
    concurrency: int = 8
    requests_per_second: float | None = None
    connect_timeout: float = 5.0
    read_timeout: float = 10.0
    run_timeout: float = 300.0
    retries: int = 2
    folder: Path = Path()
    secrets: tuple[Secret, ...] = ()

    @property
    def paths(self) -> Mapping[str, str]:
        """Every JMESPath by the key under which it stands; those of ``partial`` are not among them."""
        next_path = {f"next_page.{self.next_page.kind}": self.next_page.path} if self.next_page else {}
        named = {key: getattr(self, key) for key in ("hits", "id", "score", "title", "snippet", "total", "echo")}
        looked_up = {"fingerprint.path": self.fingerprint, "exists.path": self.exists}
        further = {key: lookup.path for key, lookup in looked_up.items() if lookup}
        return {key: path for key, path in {**named, **next_path, **further}.items() if path}
