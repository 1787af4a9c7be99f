"""The shape of the ``service`` block: each key with its type, default and bounds."""

import re
from collections.abc import Collection, Mapping
from typing import Annotated, Any, Final

from pydantic import AfterValidator, ConfigDict, Field
from pydantic.config import JsonDict

from rankgate.files.fields import Flag, Integer, JsonField, NonEmptyText, Number, Text, Texts, expected
from rankgate.files.validation import StrictModel

_METHOD: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def _method(value: str) -> str:
    if not _METHOD.fullmatch(value):
        raise expected("a method such as GET, POST or QUERY", value)
    return value.upper()


Method = Annotated[Text, AfterValidator(_method), Field(json_schema_extra={"pattern": f"^{_METHOD.pattern}$"})]

WAYS: Final = ("url", "adapter", "command")
BODIES: Final = ("body", "form", "text", "graphql")
#: What belongs to HTTP alone.
HTTP_ONLY: Final = (
    *BODIES,
    "method",
    "headers",
    "params",
    "basic_auth",
    "tls",
    "http2",
    "page_size",
    "first_page",
    "max_pages",
    "next_page",
    "retries",
    "fingerprint",
    "exists",
)
#: What a target adds to rather than replaces.
_MERGED: Final = ("params", "headers", "defaults", "timeout")

#: For editors, which see one key at a time: a service is asked in one of three ways.
_WAYS: JsonDict = {
    "anyOf": [{"required": ["url", "hits", "id"]}, {"required": ["adapter"]}, {"required": ["command"]}],
}


class TimeoutEntry(StrictModel):
    """Time limits in seconds."""

    connect: Annotated[Number, Field(gt=0)] = 5.0
    read: Annotated[Number, Field(gt=0)] = 10.0
    run: Annotated[Number, Field(gt=0)] = 300.0


class GraphqlEntry(StrictModel):
    """A GraphQL request; a string in the query that is just ``"{name}"`` stands for the value."""

    query: Annotated[NonEmptyText, Field(description="GraphQL as it is: braces are its own.")]
    variables: dict[str, JsonField] = Field(default_factory=dict)


class BasicAuthEntry(StrictModel):
    """User and password, sent as HTTP Basic authentication."""

    user: Text
    password: Text


class TlsEntry(StrictModel):
    """Files for encrypted connections, from the config: an authority of one's own, a client's certificate."""

    ca: Annotated[NonEmptyText | None, Field(description="PEM file of the authorities that are trusted.")] = None
    cert: Annotated[NonEmptyText | None, Field(description="PEM file of the client's certificate.")] = None
    key: Annotated[NonEmptyText | None, Field(description="PEM file of its key; in 'cert' otherwise.")] = None
    password: Annotated[Text | None, Field(description="Of the key.")] = None


class TransformEntry(StrictModel):
    """How the document's id is taken out of the id of a hit."""

    regex: Annotated[NonEmptyText, Field(description="With one group, which is the id.")]


class NextPageEntry(StrictModel):
    """How an answer says where the next page is, if not by {offset} or {page}."""

    cursor: Annotated[NonEmptyText | None, Field(description="JMESPath of the value for {cursor}.")] = None
    url: Annotated[NonEmptyText | None, Field(description="JMESPath of the next page's address.")] = None
    link_header: Annotated[Flag, Field(description='The Link header with rel="next" has it.')] = False


class FingerprintEntry(StrictModel):
    """Where the service says what it is: an index name, a number of documents, a model."""

    url: Annotated[NonEmptyText, Field(description="Asked with GET and the headers of the service.")]
    path: Annotated[NonEmptyText, Field(description="JMESPath of what to keep of the answer.")] = "@"


class ExistsEntry(StrictModel):
    """How to ask whether the index has a document."""

    url: Annotated[NonEmptyText, Field(description="With {id}; asked with GET. Status 404 says no.")]
    path: Annotated[NonEmptyText | None, Field(description="JMESPath, empty or false where there is none.")] = None


class TargetEntry(StrictModel):
    """How to ask the search service and how to read its answer."""

    url: NonEmptyText | None = None
    adapter: Annotated[NonEmptyText | None, Field(description="package.module:function, instead of a url.")] = None
    command: Annotated[
        list[Text] | None, Field(min_length=1, description="A program and its arguments, instead of a url.")
    ] = None
    method: Method | None = None
    headers: dict[str, Text] = Field(default_factory=dict)
    params: Annotated[
        dict[str, Texts], Field(description="Parameters of the URL's query string; a list repeats the name.")
    ] = Field(default_factory=dict)
    body: Annotated[JsonField, Field(description="Any JSON value, sent as JSON.")] = None
    form: Annotated[
        dict[str, Texts] | None, Field(description="Fields of a form-encoded body; a list repeats the name.")
    ] = None
    text: Annotated[NonEmptyText | None, Field(description="A body of any other kind.")] = None
    graphql: GraphqlEntry | None = None
    basic_auth: BasicAuthEntry | None = None
    tls: TlsEntry | None = None
    http2: Annotated[Flag, Field(description="HTTP/2, which needs the extra of that name.")] = False
    hits: Annotated[NonEmptyText | None, Field(description="JMESPath of the ordered list in the answer.")] = None
    id: Annotated[NonEmptyText | None, Field(description="JMESPath of the document id within one hit.")] = None
    score: Annotated[NonEmptyText | None, Field(description="JMESPath of its score within one hit.")] = None
    title: Annotated[NonEmptyText | None, Field(description="JMESPath of a title within one hit.")] = None
    snippet: Annotated[NonEmptyText | None, Field(description="JMESPath of a piece of text within one hit.")] = None
    total: Annotated[NonEmptyText | None, Field(description="JMESPath of how many documents match.")] = None
    echo: Annotated[NonEmptyText | None, Field(description="JMESPath of the query text that was answered.")] = None
    transform: TransformEntry | None = None
    collapse: Annotated[Integer, Field(ge=1, le=100, description="Hits to ask for per document wanted.")] = 1
    partial: Annotated[list[NonEmptyText], Field(description="JMESPath, true when an answer is incomplete.")] = Field(
        default_factory=list
    )
    defaults: Annotated[dict[str, JsonField], Field(description="Params of queries that do not give them.")] = Field(
        default_factory=dict
    )
    page_size: Annotated[Integer, Field(ge=1, description="The most hits that one answer can have.")] | None = None
    first_page: Annotated[Integer, Field(ge=0)] = 1
    max_pages: Annotated[Integer, Field(ge=1)] | None = None
    next_page: NextPageEntry | None = None
    fingerprint: FingerprintEntry | None = None
    exists: ExistsEntry | None = None
    concurrency: Annotated[Integer, Field(ge=1, le=256)] = 8
    requests_per_second: Annotated[Number, Field(gt=0)] | None = None
    timeout: TimeoutEntry = Field(default_factory=TimeoutEntry)
    retries: Annotated[Integer, Field(ge=0, le=10)] = 2


class ServiceEntry(TargetEntry):
    """How to ask the search service and how to read its answer."""

    model_config = ConfigDict(json_schema_extra=_WAYS)

    targets: Annotated[
        dict[str, TargetEntry], Field(description="Other places to ask, each with what is different there.")
    ] = Field(default_factory=dict)


def aimed(service: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The given keys of a service as they are for a target: its keys replace them, mappings and time limits key by key.

    Args:
        service: The keys that are given, as they were read or as they are meant.
        changes: Those of the target, likewise.
    """
    unused = replaced(changes)
    asked = {key: value for key, value in service.items() if key not in unused}
    if "basic_auth" in changes and isinstance(headers := asked.get("headers"), dict):
        asked["headers"] = {name: value for name, value in headers.items() if not authorizes([name])}
    for key, new in changes.items():
        old = asked.get(key)
        asked[key] = {**old, **new} if isinstance(old, dict) and isinstance(new, dict) else new
    return asked


def replaced(changes: Mapping[str, Any]) -> set[str]:
    """The keys of the service of which nothing is left for a target.

    A way to ask replaces the others, with all that belongs to HTTP alone where it is none; a body replaces the others,
    and who asks is said in one way, ``basic_auth`` or a header.
    """
    found = {key for group in (WAYS, BODIES) if changes.keys() & set(group) for key in group}
    if changes.keys() & {"adapter", "command"}:
        found |= set(HTTP_ONLY)
    headers = changes.get("headers")
    if isinstance(headers, dict) and authorizes(headers):
        found.add("basic_auth")
    return found | (changes.keys() - set(_MERGED))


def authorizes(headers: Collection[str]) -> bool:
    return any(name.lower() == "authorization" for name in headers)
