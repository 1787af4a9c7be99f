"""``rankgate score``: a TREC run against TREC judgments, with trec_eval's conventions as named options."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from pathlib import Path
from typing import Final, Literal

import numpy as np

from rankgate.core.alignment import SPAM, Aligned, Document, FloatArray, assemble, grades_by_rank
from rankgate.core.catalog import MAX_GRADE, Gain, Measure, Scale, parse_measure
from rankgate.core.evaluation import evaluate
from rankgate.core.measures import mean
from rankgate.errors import InputError, UnknownMeasureError
from rankgate.files.collector import collector_off
from rankgate.files.formats import trec_lines as trec
from rankgate.score_rows import TieOrder, read_judgments, read_rows

Average = Literal["judged", "returned"]
Undefined = Literal["left-out", "zero"]

DEFAULT_NAMES: Final = ("P@1", "P@3", "nDCG@10", "R@50", "RR", "AP")

#: What trec_eval calls our measures, where one name has a cutoff behind it; its gain is linear.
_TREC_EVAL: Final[Mapping[str, str]] = {
    "P": "P",
    "recall": "R",
    "success": "Success",
    "map_cut": "AP",
    "ndcg_cut": "nDCG(dcg='log2')",
}
_TREC_EVAL_WHOLE: Final[Mapping[str, str]] = {
    "map": "AP",
    "ndcg": "nDCG(dcg='log2')",
    "recip_rank": "RR",
    "Rprec": "Rprec",
    "bpref": "Bpref",
}
_TREC_EVAL_CUT: Final = re.compile(rf"({'|'.join(_TREC_EVAL)})_(\d+)")
#: Counts, which trec_eval sums where it means measures.
COUNTS: Final = ("num_q", "num_ret", "num_rel", "num_rel_ret")


@dataclass(frozen=True, slots=True)
class Conventions:
    """Where evaluators differ, by name.

    Attributes:
        tie_order: ``trec_eval`` sorts by score, then by id, both down; ``listed`` keeps the order of the lines.
        average: Over all ``judged`` queries, one without results counting 0, or those that the run ``returned``.
        undefined: A query without a relevant document is ``left-out`` of the mean, or counts ``zero``.
        relevant_from: The lowest grade that counts as relevant.
        gain: What nDCG makes of a grade.
    """

    tie_order: TieOrder = "trec_eval"
    average: Average = "judged"
    undefined: Undefined = "left-out"
    relevant_from: int = 1
    gain: Gain = "exponential"


@dataclass(frozen=True, slots=True)
class Column:
    """One measure's values.

    Attributes:
        name: As asked for in trec_eval's spelling, else in full.
        values: Shape (Q,); NaN where undefined and left out.
        summary: The mean over the queries that have a value; for a count, the sum.
        count: Whether the values are counts.
    """

    name: str
    values: FloatArray
    summary: float
    count: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """The scores of a run.

    Attributes:
        query_ids: Q ids, sorted.
        columns: In the order asked for.
        judged: How many queries have judgments.
        returned: How many of them the run has results for.
        unjudged: How many queries of the run have no judgments; they are left out.
    """

    query_ids: tuple[str, ...]
    columns: tuple[Column, ...]
    judged: int
    returned: int
    unjudged: int


def score_files(qrels: Path, run: Path, names: Sequence[str], conventions: Conventions) -> Table:
    """Score the TREC file *run* against the TREC file *qrels*.

    Raises:
        InputError: With every line that cannot be read; or the two files share no query.
        UnknownMeasureError: For a name that is neither ours nor trec_eval's.
    """
    with collector_off():
        judgments = read_judgments(qrels)
        return _table(judgments, read_rows(qrels, run, judgments, conventions.tie_order), names, conventions)


def score_run(
    judgments: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Sequence[str] | Mapping[str, float]],
    names: Sequence[str],
    conventions: Conventions,
) -> Table:
    """Score a run that is in memory: each ranking as ids in served order, or as scores by id, sorted as trec_eval does.

    Raises:
        InputError: The two share no query, a score is not finite, or a grade is not whole or too large.
        UnknownMeasureError: For a name that is neither ours nor trec_eval's.
    """
    try:
        falling = _falling({query: answer for query, answer in run.items() if answer and isinstance(answer, Mapping)})
        rows = {
            query: grades_by_rank(
                judgments.get(query, {}),
                answer if query in falling else _ordered(query, answer),
            )
            for query, answer in run.items()
        }
        return _table(judgments, rows, names, conventions)
    except (TypeError, ValueError):
        _refuse_grades(judgments)
        raise


def _refuse_grades(judgments: Mapping[str, Mapping[str, int]]) -> None:
    """Name the grade that does not fit into a byte; looked for only when something went wrong."""
    for query, grades in judgments.items():
        for document, grade in grades.items():
            if not isinstance(grade, int | np.integer) or grade > MAX_GRADE:
                expected = f"a whole number of at most {MAX_GRADE}"
                raise InputError(f"the grade of {document!r} for query {query!r} must be {expected}, found {grade!r}")


def _falling(run: Mapping[str, Mapping[str, float]]) -> frozenset[str]:
    """The queries whose scores fall from one to the next in single precision, as most do: their order is trec_eval's.

    All are looked at together, for an array of fifty numbers costs more to make than to compare.
    """
    if not run:
        return frozenset()
    lengths = np.fromiter(map(len, run.values()), np.int64, len(run))
    starts = lengths.cumsum() - lengths
    scores = np.fromiter(chain.from_iterable(map(_values, run.values())), np.float64, int(lengths.sum()))
    single = trec.single_precision(scores)
    falls = np.ones(len(scores), dtype=np.bool_)
    np.less(single[1:], single[:-1], out=falls[1:])
    falls[starts] = True
    falls &= np.isfinite(scores)
    return frozenset(compress(run, np.logical_and.reduceat(falls, starts).tolist()))


def _ordered(query: str, answer: Sequence[str] | Mapping[str, float]) -> Iterable[str]:
    if not isinstance(answer, Mapping):
        return answer if len(set(answer)) == len(answer) else dict.fromkeys(answer)
    scores = np.fromiter(answer.values(), np.float64, len(answer))
    if not np.isfinite(scores).all():
        raise InputError(f"a score of query {query!r} is not a finite number")
    return trec.trec_order(list(answer), scores)


def _values(answer: Mapping[str, float]) -> Iterable[float]:
    return answer.values()


def _scale(aligned: Aligned, conventions: Conventions) -> Scale:
    highest = int(aligned.ideal.max(initial=0))
    if highest > MAX_GRADE:
        raise InputError(f"grades run to {highest}, and {MAX_GRADE} is the largest that can be scored")
    if conventions.relevant_from > max(highest, 1):
        raise InputError(f"no judgment has grade {conventions.relevant_from} or more; the largest is {highest}")
    return Scale(highest=max(highest, 1), relevant_from=conventions.relevant_from, gain=conventions.gain)


def _asked(names: Sequence[str], scale: Scale) -> list[tuple[str, Measure | None]]:
    """Each name with its measure; None for a count."""
    return [(name, None if name in COUNTS else measure_of(name, scale)) for name in names or DEFAULT_NAMES]


def _table(
    judgments: Mapping[Document, Mapping[Document, int]],
    rows: Mapping[Document, bytes],
    names: Sequence[str],
    conventions: Conventions,
) -> Table:
    common = judgments.keys() & rows.keys()
    if not common:
        first, second = (_text(next(iter(side), "")) for side in (judgments, rows))
        raise InputError(f"judgments and run share no query: for example {first!r} against {second!r}")
    query_ids = sorted(judgments if conventions.average == "judged" else common)
    aligned = assemble(
        [_text(query) for query in query_ids],
        [judgments[query] for query in query_ids],
        [rows.get(query, b"") for query in query_ids],
    )
    scale = _scale(aligned, conventions)
    return Table(
        query_ids=aligned.query_ids,
        columns=tuple(_column(name, measure, aligned, conventions) for name, measure in _asked(names, scale)),
        judged=len(judgments),
        returned=len(common),
        unjudged=len(rows) - len(common),
    )


def measure_of(name: str, scale: Scale) -> Measure:
    """The measure that *name* means: in trec_eval's spelling, else in ours.

    Raises:
        UnknownMeasureError: It is neither.
    """
    cut = _TREC_EVAL_CUT.fullmatch(name)
    ours = f"{_TREC_EVAL[cut[1]]}@{cut[2]}" if cut else _TREC_EVAL_WHOLE.get(name, name)
    try:
        return parse_measure(ours, scale)
    except UnknownMeasureError as error:
        if ours == name:
            raise
        raise UnknownMeasureError(str(error).replace(ours, name)) from error


def lines(table: Table, *, per_query: bool) -> Iterator[str]:
    """The table in trec_eval's form: name, query or ``all``, and the value with four decimals."""
    if per_query:
        for row, query_id in enumerate(table.query_ids):
            for column in table.columns:
                if column.name != "num_q":
                    yield _line(column, query_id, float(column.values[row]))
    for column in table.columns:
        yield _line(column, "all", column.summary)


def said(table: Table, conventions: Conventions) -> str:
    """One sentence on what the means are taken over."""
    over = (
        f"all {table.judged} judged queries"
        if conventions.average == "judged"
        else f"the {table.returned} queries returned"
    )
    empty = table.judged - table.returned
    parts = [f"means over {over}, {empty} of {table.judged} have no results"]
    if table.unjudged:
        parts.append(f"{table.unjudged} queries of the run have no judgments and are left out")
    without = max((int(np.isnan(column.values).sum()) for column in table.columns), default=0)
    if without:
        parts.append(f"up to {without} queries are undefined and left out of a mean")
    order = "score down, then id down" if conventions.tie_order == "trec_eval" else "as the lines stand"
    return "; ".join([*parts, f"order: {order}"])


def _line(column: Column, query_id: str, value: float) -> str:
    shown = "undefined" if np.isnan(value) else f"{value:.0f}" if column.count else f"{value:.4f}"
    return f"{column.name:<22}\t{query_id}\t{shown}\n"


def _column(name: str, measure: Measure | None, aligned: Aligned, conventions: Conventions) -> Column:
    if measure is None:
        counts = _counts(name, aligned, conventions.relevant_from)
        return Column(name, counts, float(counts.sum()), count=True)
    values = evaluate(measure, aligned)
    if conventions.undefined == "zero":
        values = np.where(np.isnan(values), 0.0, values)
    known = name in _TREC_EVAL_WHOLE or _TREC_EVAL_CUT.fullmatch(name)
    return Column(name if known else str(measure), values, mean(values[~np.isnan(values)]))


def _counts(name: str, aligned: Aligned, rel: int) -> FloatArray:
    relevant_returned = ((aligned.grades >= rel) & (aligned.grades < SPAM)).sum(axis=1, dtype=np.float64)
    counts: Mapping[str, FloatArray] = {
        "num_q": np.ones(len(aligned.query_ids)),
        "num_ret": aligned.returned.astype(np.float64),
        "num_rel": (aligned.ideal >= rel).sum(axis=1, dtype=np.float64),
        "num_rel_ret": relevant_returned,
    }
    return counts[name]


def _text(query: bytes | str) -> str:
    return query if isinstance(query, str) else query.decode(errors="backslashreplace")
