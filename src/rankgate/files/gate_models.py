"""The shape of ``rankgate.yaml``: each key with its type, default and bounds; the schema for editors is made of it."""

from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field

from rankgate.core.catalog import Gain
from rankgate.files.fields import Flag, Integer, NonEmptyText, Number, Percent
from rankgate.files.service_models import ServiceEntry
from rankgate.files.validation import StrictModel

DEFAULT_MEASURES: Final = ("P@1", "P@3", "nDCG@10", "R@50", "ZeroResults")
DEFAULT_DEPTH: Final = 50
DEFAULT_CONFIRM: Final = 2
DEFAULT_REFRESH_AFTER: Final = 90


class JudgmentsEntry(StrictModel):
    """What the grades mean."""

    grades: Annotated[list[Integer], Field(min_length=2, max_length=2, description="Smallest and largest.")] = Field(
        default_factory=lambda: [0, 3]
    )
    relevant_from: Annotated[Integer, Field(ge=1)] = 1
    gain: Gain = "exponential"
    refresh_after: Annotated[Integer, Field(ge=1, description="Days after which judgments are called old.")] = (
        DEFAULT_REFRESH_AFTER
    )


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
    confirm: Annotated[
        Integer, Field(ge=0, le=20, description="How often queries that got worse are asked again, before it fails.")
    ] = DEFAULT_CONFIRM
    unjudged: Annotated[
        Literal["fail", "inconclusive"], Field(description="What a failure is that judging alone could turn.")
    ] = "fail"
    require_significance: Annotated[
        Flag, Field(description="A drop fails only where chance alone would hardly bring it: p < 0.05.")
    ] = False


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
    judgments: JudgmentsEntry = Field(default_factory=JudgmentsEntry)
    measures: Annotated[list[NonEmptyText], Field(description="What is shown besides the gated measures.")] = Field(
        default_factory=lambda: list(DEFAULT_MEASURES)
    )
    depth: Annotated[Integer, Field(ge=1, description="How many documents each query asks for.")] = DEFAULT_DEPTH
    gate: GateEntry
    slices: dict[str, SliceEntry] = Field(default_factory=dict)
    slice_by: Annotated[
        list[NonEmptyText], Field(description="Params of queries of which each value is a slice, such as locale=de.")
    ] = Field(default_factory=list)
