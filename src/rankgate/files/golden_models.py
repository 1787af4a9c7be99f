"""The shape of a file of golden queries: each key with its type and default; the schema for editors is made of it."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from rankgate.core.judgments import NEVER_WITHIN
from rankgate.files.fields import Day, Integer, JsonField, Judgments, NonEmptyText, Number, Text, expected
from rankgate.files.validation import StrictModel


def _pair(value: object) -> bool:
    match value:
        case [str(), str()]:
            return True
    return False


def _pairs(value: object) -> object:
    """Refuse what is neither a pair nor a list of pairs, in one sentence rather than in one for each reading of it."""
    if _pair(value) or (isinstance(value, list | tuple) and value and all(map(_pair, value))):
        return value
    raise expected("a pair such as [A, B], or a list of pairs", value)


Pair = Annotated[list[NonEmptyText], Field(min_length=2, max_length=2)]


class NeverEntry(StrictModel):
    """Documents that may not appear among the first *within*."""

    ids: Annotated[list[NonEmptyText], Field(min_length=1)]
    within: Annotated[Integer, Field(ge=1)] = NEVER_WITHIN


class QueryEntry(StrictModel):
    """One golden query."""

    id: Annotated[NonEmptyText, Field(description="Unique in the whole set.")]
    text: Annotated[NonEmptyText, Field(description="As sent to the service.")]
    judgments: Annotated[Judgments, Field(description="Grade by document id.")] = Field(default_factory=dict)
    expects: Annotated[Literal["nothing"] | None, Field(description="An empty answer is the right one.")] = None
    slice: Annotated[NonEmptyText | None, Field(description="A slice besides the file's.")] = None
    slices: Annotated[list[NonEmptyText], Field(description="Slices besides the file's.")] = Field(default_factory=list)
    tags: Annotated[list[NonEmptyText], Field(description="Each is a slice as well.")] = Field(default_factory=list)
    judged: Annotated[Day | None, Field(description="The day of its judgments; the file's otherwise.")] = None
    must: Annotated[
        dict[str, Number], Field(description="Pins: the least value of a measure (the largest, where lower is better).")
    ] = Field(default_factory=dict)
    never: Annotated[
        list[NonEmptyText] | NeverEntry, Field(description="Pins: documents that may not be among the first 10.")
    ] = Field(default_factory=list)
    first: Annotated[
        NonEmptyText | Annotated[list[NonEmptyText], Field(min_length=1)],
        Field(description="Pin: the document at rank 1; of a list, any of them."),
    ] = Field(default_factory=list)
    before: Annotated[
        Pair | Annotated[list[Pair], Field(min_length=1)],
        BeforeValidator(_pairs),
        Field(description="Pins: [A, B] ranks A before B; or a list of such pairs."),
    ] = Field(default_factory=list)
    known_failure: Annotated[
        NonEmptyText, Field(description="Why its pins may fail for now; once all of them hold, this fails the gate.")
    ] = Field(default="")
    params: Annotated[dict[str, JsonField], Field(description="Values for the request's templates.")] = Field(
        default_factory=dict
    )
    note: Annotated[Text, Field(description="Why the query is in the set.")] = ""


class GoldenFile(StrictModel):
    """A file of golden queries, usually one slice or topic."""

    slice: Annotated[NonEmptyText | None, Field(description="The slice of every query of the file.")] = None
    slices: Annotated[list[NonEmptyText], Field(description="Slices of every query of the file.")] = Field(
        default_factory=list
    )
    judged: Annotated[Day | None, Field(description="The day of the judgments of every query of the file.")] = None
    queries: Annotated[list[QueryEntry], Field(min_length=1)]
