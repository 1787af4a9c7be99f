"""The files of golden queries: from their entries to the domain's values, with all that can be wrong with them."""

import json
import os
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from rankgate.core.catalog import Measure, Scale, parse_measure
from rankgate.core.judgments import ALL, GoldenSet, Place, Query, problem_at
from rankgate.errors import GoldenFileError, Problem, UnknownMeasureError
from rankgate.files import pin_mistakes
from rankgate.files.collector import collector_off
from rankgate.files.golden_models import GoldenFile, NeverEntry, QueryEntry
from rankgate.files.validation import located, problems
from rankgate.files.yaml_source import Source, comments_after_text, read
from rankgate.files.yaml_values import Loc, describe

SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A golden set as read, with what is odd and not wrong about it."""

    golden: GoldenSet
    warnings: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Parsed:
    source: Source
    queries: tuple[Query, ...]


@collector_off()
def load(paths: Sequence[Path], scale: Scale, slice_by: Collection[str] = ()) -> Loaded:
    """Load every golden query under *paths*: files, and folders of ``.yaml`` files.

    Args:
        slice_by: Params of queries; a query that gives one is in the slice of its value, such as ``locale=de``.

    Raises:
        GoldenFileError: With every mistake of every file, in the order of files and lines.
    """
    found: list[Problem] = []
    parsed: list[_Parsed] = []
    files = _files(paths, found)
    read_as = [problem.path for problem in found]
    for path in files:
        try:
            parsed.append(_parse(path, scale, slice_by, found))
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
            if not os.access(path, os.R_OK | os.X_OK):  # rglob would find nothing there, and say nothing
                found.append(Problem("the folder cannot be read: permission denied", str(path)))
                continue
            inside = sorted(child for child in path.rglob("*") if child.suffix in SUFFIXES and child.is_file())
            if not inside:
                found.append(Problem("the folder holds no golden queries; expected .yaml files", str(path)))
            files.extend(inside)
        else:
            files.append(path)
    return files


def _parse(path: Path, scale: Scale, slice_by: Collection[str], found: list[Problem]) -> _Parsed:
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
        slices = [
            *(name for name in (file.slice, *file.slices, entry.slice, *entry.slices, *entry.tags) if name is not None),
            *_sliced(entry, slice_by, source, loc, found),
        ]
        query = _query(entry, file, Place(source.path, line, column), slices, _must(entry, source, loc, scale, found))
        found.extend(_wrong(query, scale, source, loc))
        queries.append(query)
    return _Parsed(source, tuple(queries))


def _query(
    entry: QueryEntry, file: GoldenFile, place: Place, slices: Iterable[str], must: Mapping[Measure, float]
) -> Query:
    never = entry.never if isinstance(entry.never, NeverEntry) else NeverEntry.model_construct(ids=entry.never)
    return Query(
        id=entry.id,
        text=entry.text,
        judgments=entry.judgments,
        slices=tuple(dict.fromkeys(slices)),
        expects_nothing=entry.expects is not None,
        must=must,
        never=tuple(never.ids),
        never_within=never.within,
        first=(entry.first,) if isinstance(entry.first, str) else tuple(entry.first),
        before=tuple(_pairs(entry.before)),
        known_failure=entry.known_failure,
        judged_on=entry.judged or file.judged or "",
        params=entry.params,
        note=entry.note,
        place=place,
    )


def _pairs(before: Sequence[str] | Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """``[A, B]`` is one pair, ``[[A, B], [C, D]]`` are two."""
    match before:
        case [str(sooner), str(later)]:
            yield sooner, later
        case _:
            for pair in before:
                yield pair[0], pair[1]


def _sliced(
    entry: QueryEntry, slice_by: Collection[str], source: Source, loc: Loc, found: list[Problem]
) -> Iterator[str]:
    """The slices that the params of a query put it in."""
    for name in slice_by:
        value = entry.params.get(name, "")
        if isinstance(value, dict | list):
            message = f"query {entry.id!r}: slice_by needs a text, a number, true or false, found {describe(value)}"
            found.append(Problem(message, source.path, *source.place((*loc, "params", name))))
        elif name in entry.params:
            yield f"{name}={value if isinstance(value, str) else json.dumps(value)}"


def _must(entry: QueryEntry, source: Source, loc: Loc, scale: Scale, found: list[Problem]) -> dict[Measure, float]:
    must: dict[Measure, float] = {}
    for name, wanted in entry.must.items():
        at = (*loc, "must", name)
        try:
            measure = parse_measure(name, scale)
        except UnknownMeasureError as error:
            found.extend(located(error, source, at))
            continue
        if measure in must:
            found.append(Problem(f"{name!r} repeats a measure of 'must'", source.path, *source.key_place(at)))
        must[measure] = wanted
        high = measure.family.high
        if wanted < 0 or (high is not None and wanted > high):
            runs = "is 0 or more" if high is None else f"runs from 0 to {high:g}"
            found.append(Problem(f"{name} {runs}, found {wanted:g}", source.path, *source.place(at)))
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
    if not query.expects_nothing and not relevant:
        yield problem(
            f"no judgment is relevant (grade {scale.relevant_from} or more), so nothing can be measured; "
            "judge the right document, or say 'expects: nothing' if an empty answer is right",
            ("judgments",),
        )
    for message, at in pin_mistakes.mistakes(query, scale):
        yield problem(message, at)
    if ALL in query.slices:
        yield problem(f"the slice {ALL!r} always holds every query and cannot be given", ())


def _repeated(queries: Sequence[Query]) -> Iterator[Problem]:
    first: dict[str, Query] = {}
    for query in queries:
        earlier = first.setdefault(query.id, query)
        if earlier is not query:
            yield problem_at(query.place, f"query id {query.id!r} is given twice, first at {earlier.place}")


def _warnings(parsed: Sequence[_Parsed], golden: GoldenSet) -> Iterator[Problem]:
    for each in parsed:
        yield from comments_after_text(each.source)
    yield from _look_alikes(golden)
    for query in golden.queries:
        for message in pin_mistakes.oddities(query):
            yield problem_at(query.place, f"query {query.id!r}: {message}")
    asked: dict[tuple[str, str], Query] = {}
    for query in golden.queries:
        earlier = asked.setdefault((query.text, repr(sorted(query.params.items()))), query)
        if earlier is not query:
            message = f"query {query.id!r} asks the same as {earlier.id!r}: it counts twice in every mean"
            yield problem_at(query.place, message)


def _look_alikes(golden: GoldenSet) -> Iterator[Problem]:
    for query in golden.queries:
        seen: dict[str, str] = {}
        for document in query.judgments:
            if document.isascii():
                continue
            other = seen.setdefault(unicodedata.normalize("NFC", document), document)
            if other != document:
                yield problem_at(
                    query.place,
                    f"query {query.id!r} judges {other!a} and {document!a}, "
                    "which differ only in Unicode normalisation and are two documents here",
                )
