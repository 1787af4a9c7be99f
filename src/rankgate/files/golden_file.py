"""The files of golden queries: their shape, and everything that can be wrong with them."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from rankgate.core.catalog import Measure, Scale, locate, parse_measure
from rankgate.core.judgments import ALL, NEVER_WITHIN, GoldenSet, Place, Query
from rankgate.errors import GoldenFileError, Problem, UnknownMeasureError
from rankgate.files.collector import collector_off
from rankgate.files.fields import Integer, JsonField, Judgments, NonEmptyText, Number, Text
from rankgate.files.validation import StrictModel, problems
from rankgate.files.yaml_source import Source, comments_after_text, read
from rankgate.files.yaml_values import Loc

SUFFIXES = (".yaml", ".yml")


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
    must: Annotated[
        dict[str, Number], Field(description="Pins: the least value of a measure (the largest, where lower is better).")
    ] = Field(default_factory=dict)
    never: Annotated[
        list[NonEmptyText] | NeverEntry, Field(description="Pins: documents that may not be among the first 10.")
    ] = Field(default_factory=list)
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
    queries: Annotated[list[QueryEntry], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A golden set as read, with what is odd and not wrong about it."""

    golden: GoldenSet
    warnings: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Parsed:
    source: Source
    file: GoldenFile
    queries: tuple[Query, ...] = field(default=())


@collector_off()
def load(paths: Sequence[Path], scale: Scale) -> Loaded:
    """Load every golden query under *paths*: files, and folders of ``.yaml`` files.

    Raises:
        GoldenFileError: With every mistake of every file, in the order of files and lines.
    """
    found: list[Problem] = []
    parsed: list[_Parsed] = []
    files = _files(paths, found)
    read_as = [problem.path for problem in found]
    for path in files:
        try:
            parsed.append(_parse(path, scale, found))
            read_as.append(parsed[-1].source.path)
        except GoldenFileError as error:
            found.extend(error.problems)
            read_as.append(error.problems[0].path)
    queries = [query for each in parsed for query in each.queries]
    found.extend(_repeated(queries))
    if found:
        order = {path: number for number, path in enumerate(dict.fromkeys(read_as))}
        found.sort(key=lambda problem: (order[problem.path], problem.line, problem.column))
        raise GoldenFileError(found)
    golden = GoldenSet(tuple(sorted(queries, key=lambda query: query.id)), scale)
    return Loaded(golden, tuple(_warnings(parsed, golden)))


def _files(paths: Sequence[Path], found: list[Problem]) -> list[Path]:
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(child for child in path.rglob("*") if child.suffix in SUFFIXES and child.is_file())
            if not inside:
                found.append(Problem("the folder holds no golden queries; expected .yaml files", str(path)))
            files.extend(inside)
        else:
            files.append(path)
    return files


def _parse(path: Path, scale: Scale, found: list[Problem]) -> _Parsed:
    source = read(path, GoldenFileError)
    if not isinstance(source.value, dict):
        what = "nothing" if source.value is None else "a list" if isinstance(source.value, list) else "a text"
        raise GoldenFileError(Problem(f"expected a mapping with the key 'queries', found {what}", source.path, 1, 1))
    try:
        file = GoldenFile.model_validate(source.value)
    except ValidationError as error:
        raise GoldenFileError(problems(error, source, GoldenFile)) from error
    raw = source.value["queries"]
    queries: list[Query] = []
    for index, entry in enumerate(file.queries):
        loc: Loc = ("queries", index)
        written = raw[index] if isinstance(raw, list) else None
        line, column = source.mapping_place(written) if isinstance(written, dict) else source.place(loc)
        query = _query(entry, file, Place(source.path, line, column), must=_must(entry, source, loc, scale, found))
        found.extend(_wrong(query, scale, source, loc))
        queries.append(query)
    return _Parsed(source, file, tuple(queries))


def _query(entry: QueryEntry, file: GoldenFile, place: Place, must: Mapping[Measure, float]) -> Query:
    slices = [file.slice, *file.slices, entry.slice, *entry.slices]
    never = entry.never if isinstance(entry.never, NeverEntry) else NeverEntry.model_construct(ids=entry.never)
    return Query(
        id=entry.id,
        text=entry.text,
        judgments=entry.judgments,
        slices=tuple(dict.fromkeys(name for name in slices if name is not None)),
        expects_nothing=entry.expects is not None,
        must=must,
        never=tuple(never.ids),
        never_within=never.within,
        params=entry.params,
        note=entry.note,
        place=place,
    )


def _must(entry: QueryEntry, source: Source, loc: Loc, scale: Scale, found: list[Problem]) -> dict[Measure, float]:
    must: dict[Measure, float] = {}
    for name, wanted in entry.must.items():
        at = (*loc, "must", name)
        try:
            measure = parse_measure(name, scale)
        except UnknownMeasureError as error:
            found.extend(locate(error, source.path, *source.key_place(at)))
            continue
        if measure in must:
            found.append(Problem(f"{name!r} repeats a measure of 'must'", source.path, *source.key_place(at)))
        must[measure] = wanted
        if not 0 <= wanted <= 1:
            found.append(Problem(f"{name} runs from 0 to 1, found {wanted:g}", source.path, *source.place(at)))
    return must


def _wrong(query: Query, scale: Scale, source: Source, loc: Loc) -> Iterator[Problem]:
    """What is wrong with one query beyond its shape."""

    def problem(message: str, at: Loc) -> Problem:
        return Problem(f"query {query.id!r}: {message}", source.path, *source.place((*loc, *at)))

    grades = query.judgments.values()
    if query.judgments and (max(grades) > scale.highest or min(grades) < scale.lowest):
        for document, grade in query.judgments.items():
            if not scale.lowest <= grade <= scale.highest:
                message = f"grade of {document!r} must be from {scale.lowest} to {scale.highest}, found {grade}"
                yield problem(message, ("judgments", document))
    relevant = bool(query.judgments) and max(grades) >= scale.relevant_from
    if query.expects_nothing and relevant:
        yield problem("it expects nothing and has a relevant judgment; one of the two is wrong", ("expects",))
    if query.expects_nothing and query.must:
        yield problem("it expects nothing, so it can have no 'must'", ("must",))
    if not query.expects_nothing and not relevant:
        yield problem(
            f"no judgment is relevant (grade {scale.relevant_from} or more), so nothing can be measured; "
            "judge the right document, or say 'expects: nothing' if an empty answer is right",
            ("judgments",),
        )
    for document in query.never:
        if query.judgments.get(document, 0) >= max(scale.relevant_from, 1):
            yield problem(f"document {document!r} is judged relevant and may never be shown", ("never",))
    if ALL in query.slices:
        yield problem(f"the slice {ALL!r} always holds every query and cannot be given", ())


def _repeated(queries: Sequence[Query]) -> Iterator[Problem]:
    first: dict[str, Query] = {}
    for query in queries:
        earlier = first.setdefault(query.id, query)
        if earlier is not query and query.place and earlier.place:
            yield Problem(
                f"query id {query.id!r} is given twice, first at {earlier.place}",
                query.place.path,
                query.place.line,
                query.place.column,
            )


def _warnings(parsed: Sequence[_Parsed], golden: GoldenSet) -> Iterator[Problem]:
    for each in parsed:
        yield from comments_after_text(each.source)
    yield from _look_alikes(golden)
    asked: dict[tuple[str, str], Query] = {}
    for query in golden.queries:
        earlier = asked.setdefault((query.text, repr(sorted(query.params.items()))), query)
        if earlier is not query:
            yield _at(query, f"query {query.id!r} asks the same as {earlier.id!r}: it counts twice in every mean")


def _look_alikes(golden: GoldenSet) -> Iterator[Problem]:
    for query in golden.queries:
        seen: dict[str, str] = {}
        for document in query.judgments:
            if document.isascii():
                continue
            other = seen.setdefault(unicodedata.normalize("NFC", document), document)
            if other != document:
                yield _at(
                    query,
                    f"query {query.id!r} judges {other!a} and {document!a}, "
                    "which differ only in Unicode normalisation and are two documents here",
                )


def _at(query: Query, message: str) -> Problem:
    place = query.place or Place("", 0, 0)
    return Problem(message, place.path, place.line, place.column)
