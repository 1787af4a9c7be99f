"""The shape of ``rankgate.yaml``: each key with its type, default and bounds; the schema for editors is made of it."""

from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field

from rankgate.core.catalog import Gain
from rankgate.files.fields import Integer, JsonField, NonEmptyText, Number, Percent, Text
from rankgate.files.validation import StrictModel

DEFAULT_MEASURES: Final = ("P@1", "P@3", "nDCG@10", "R@50", "ZeroResults")
DEFAULT_DEPTH: Final = 50

Method = Literal["GET", "POST", "PUT", "PATCH"]


class TimeoutEntry(StrictModel):
    """Time limits in seconds."""

    connect: Annotated[Number, Field(gt=0)] = 5.0
    read: Annotated[Number, Field(gt=0)] = 10.0
    run: Annotated[Number, Field(gt=0)] = 300.0


class ServiceEntry(StrictModel):
    """How to ask the search service and how to read its answer."""

    url: NonEmptyText
    method: Method | None = None
    headers: dict[str, Text] = Field(default_factory=dict)
    params: Annotated[dict[str, Text], Field(description="Parameters of the URL's query string.")] = Field(
        default_factory=dict
    )
    body: Annotated[JsonField, Field(description="Any JSON value, sent as JSON.")] = None
    form: Annotated[dict[str, Text] | None, Field(description="Fields of a form-encoded body.")] = None
    hits: Annotated[NonEmptyText, Field(description="JMESPath of the ordered list in the answer.")]
    id: Annotated[NonEmptyText, Field(description="JMESPath of the document id within one hit.")]
    partial: Annotated[list[NonEmptyText], Field(description="JMESPath, true when an answer is incomplete.")] = Field(
        default_factory=list
    )
    defaults: Annotated[dict[str, JsonField], Field(description="Params of queries that do not give them.")] = Field(
        default_factory=dict
    )
    page_size: Annotated[Integer, Field(ge=1)] | None = None
    first_page: Annotated[Integer, Field(ge=0)] = 1
    max_pages: Annotated[Integer, Field(ge=1)] | None = None
    concurrency: Annotated[Integer, Field(ge=1, le=256)] = 8
    timeout: TimeoutEntry = TimeoutEntry()
    retries: Annotated[Integer, Field(ge=0, le=10)] = 2


class JudgmentsEntry(StrictModel):
    """What the grades mean."""

    grades: Annotated[list[Integer], Field(min_length=2, max_length=2, description="Smallest and largest.")] = Field(
        default_factory=lambda: [0, 3]
    )
    relevant_from: Annotated[Integer, Field(ge=1)] = 1
    gain: Gain = "exponential"


class LimitsEntry(StrictModel):
    """The limits of one measure; numbers are points of the measure, 0.02 is two points."""

    floor: Number | None = None
    ceiling: Number | None = None
    max_drop: Number | None = None
    max_rise: Number | None = None
    max_drop_rel: Percent | None = None
    max_rise_rel: Percent | None = None
    warn_drop: Number | None = None
    warn_rise: Number | None = None


class LostQueriesEntry(StrictModel):
    """How many queries may lose a relevant first result, or newly return nothing."""

    max: Annotated[Integer, Field(ge=0)]


class GateEntry(StrictModel):
    """The rules: limits by measure, and what a mean hides."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, LimitsEntry]

    lost_queries: LostQueriesEntry | None = None
    max_errors: Annotated[Integer, Field(ge=0, description="Queries that may stay unmeasured.")] = 0


class SliceEntry(StrictModel):
    """The rules of one slice."""

    min_queries: Annotated[Integer, Field(ge=1)] = 1
    gate: dict[str, LimitsEntry]


class ConfigFile(StrictModel):
    """The config of a golden set."""

    version: Annotated[Integer, Field(ge=1, le=1, description="Of the form of this file.")]
    service: ServiceEntry
    queries: Annotated[
        NonEmptyText | list[NonEmptyText], Field(description="Files or folders of golden queries, from the config.")
    ] = "queries"
    baseline: Annotated[NonEmptyText, Field(description="The accepted run, from the config.")] = "baseline.jsonl"
    judgments: JudgmentsEntry = JudgmentsEntry()
    measures: Annotated[list[NonEmptyText], Field(description="What is shown besides the gated measures.")] = Field(
        default_factory=lambda: list(DEFAULT_MEASURES)
    )
    depth: Annotated[Integer, Field(ge=1, description="How many documents each query asks for.")] = DEFAULT_DEPTH
    gate: GateEntry
    slices: dict[str, SliceEntry] = Field(default_factory=dict)
