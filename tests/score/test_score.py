"""``rankgate score``: the same numbers from files and from memory, the named conventions, and every refusal."""

import gc
import math
import os
import random
import subprocess
import sys
import tempfile
import threading
import tracemalloc
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
import pytrec_eval
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rankgate import score
from rankgate.core.catalog import Scale
from rankgate.errors import InputError, UnknownMeasureError
from rankgate.files.formats import trec_lines as trec
from rankgate.score import Conventions, Table, measure_of, score_files, score_run

Judgments = Mapping[str, Mapping[str, int]]
Scored = Mapping[str, Mapping[str, float]]

NAMES: Final = (
    *("P@1", "P@3", "nDCG@10", "R@50", "RR", "AP", "ERR@5", "RBP", "RBPResidual", "F@3", "Rprec", "Bpref", "Judged@3"),
    *("NumRet", "ZeroResults", "P(judged_only=True)@3", "num_q", "num_ret", "num_rel", "num_rel_ret", "ndcg_cut_5"),
)

query_ids = st.sampled_from(["q1", "q2", "10", "9", "é", "q#"])
documents = st.sampled_from([*(f"d{n}" for n in range(8)), "Z", "a#b", "ü", "日本"])
judgments = st.dictionaries(
    query_ids, st.dictionaries(documents, st.integers(-2, 4), min_size=1, max_size=8), min_size=1, max_size=4
)
#: Few different ones, so that ties are common; the last two are one number in single precision.
scores = st.sampled_from([-1.5, 0.0, 1.0, 2.0, 1e300, 12.34567889, 12.34567891])
runs = st.dictionaries(query_ids, st.dictionaries(documents, scores, min_size=1, max_size=8), min_size=1, max_size=4)


def qrels_text(judgments: Judgments) -> str:
    return "".join(f"{q} 0 {d} {grade}\n" for q, grades in judgments.items() for d, grade in grades.items())


def run_text(run: Scored) -> str:
    return "".join(f"{q} Q0 {d} 1 {number!r} t\n" for q, answer in run.items() for d, number in answer.items())


def files(folder: Path, qrels: str | bytes, run: str | bytes) -> tuple[Path, Path]:
    paths = folder / "x.qrels", folder / "x.run"
    for path, text in zip(paths, (qrels, run), strict=True):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return paths


def shown(table: Table) -> object:
    """A table as values that compare, NaN included."""
    columns = [(column.name, repr(column.values.tolist()), repr(column.summary)) for column in table.columns]
    return table.query_ids, columns, table.judged, table.returned, table.unjudged


def means(table: Table) -> dict[str, float]:
    return {column.name: column.summary for column in table.columns}


def refusal(
    folder: Path, qrels: str | bytes, run: str | bytes, names: Sequence[str] = (), **conventions: Any
) -> list[str]:
    """The problems, with the files' names in place of their paths."""
    with pytest.raises(InputError) as caught:
        score_files(*files(folder, qrels, run), names, Conventions(**conventions))
    return [str(problem).replace(f"{folder}{os.sep}", "") for problem in caught.value.problems]


# Files and memory


@given(judgments, runs, st.randoms(use_true_random=False), st.data())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_a_file_in_any_dress_scores_as_the_same_run_in_memory(
    judgments: dict[str, dict[str, int]], run: dict[str, dict[str, float]], chance: random.Random, data: st.DataObject
) -> None:
    """Shuffled lines, tied scores, queries mixed, blank lines, CRLF, tabs, comments, a mark in front, no last newline."""
    judgments[next(iter(run))] = {"d1": 2, "d2": 0}
    conventions = Conventions(
        average=data.draw(st.sampled_from(["judged", "returned"])),
        undefined=data.draw(st.sampled_from(["left-out", "zero"])),
        gain=data.draw(st.sampled_from(["exponential", "linear", "binary"])),
        relevant_from=data.draw(st.integers(1, 2)),
    )

    def dressed(text: str) -> bytes:
        lines = text.splitlines()
        chance.shuffle(lines)
        lines = [line.replace(" ", chance.choice([" ", "\t", "  ", " \t "])) for line in lines]
        for extra in chance.choices(["", "   ", "# a comment", "#", "  # six words in a comment now"], k=3):
            lines.insert(chance.randrange(len(lines) + 1), extra)
        ending = chance.choice(["\n", "\r\n"])
        mark = chance.choice(["", "\ufeff"])
        return (mark + ending.join(lines) + chance.choice(["", ending])).encode()

    expected = score_run(judgments, run, NAMES, conventions)

    with tempfile.TemporaryDirectory() as folder:
        paths = files(Path(folder), dressed(qrels_text(judgments)), dressed(run_text(run)))
        actual = score_files(*paths, NAMES, conventions)

    assert shown(expected) == shown(actual)


@given(judgments, runs, st.integers(4, 40))
@settings(max_examples=60)
def test_where_the_blocks_end_changes_nothing(
    judgments: dict[str, dict[str, int]], run: dict[str, dict[str, float]], block: int
) -> None:
    """Reading a few bytes at a time, lines, fields and letters fall apart between two reads."""
    judgments[next(iter(run))] = {"d1": 2, "d2": 0}
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        paths = files(Path(folder), f"\ufeff{qrels_text(judgments)}", f"\ufeff{run_text(run)}")
        whole = score_files(*paths, NAMES, Conventions())
        patch.setattr(trec, "_BLOCK", block)
        piece_by_piece = score_files(*paths, NAMES, Conventions())

    assert shown(whole) == shown(piece_by_piece)


@given(judgments, runs)
@example({"q1": {"d1": 1}}, {"q1": {"d1": 12.34567891, "d2": 12.34567889}})
def test_scores_in_memory_are_sorted_as_trec_eval_does(
    judgments: dict[str, dict[str, int]], run: dict[str, dict[str, float]]
) -> None:
    """Score down in single precision, then id down: also where the doubles fall and their single forms are tied."""
    judgments = {query: {"d1": 1} | grades for query, grades in judgments.items()}
    judgments[next(iter(run))] = {"d1": 1, "Z": 2, "ü": 1}
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, {"recip_rank", "map"})
    expected = evaluator.evaluate(run)

    table = score_run(judgments, run, ["recip_rank", "map"], Conventions(average="returned", undefined="zero"))

    assert set(expected) == set(table.query_ids)
    for column in table.columns:
        actual = dict(zip(table.query_ids, column.values.tolist(), strict=True))
        assert {query: pytest.approx(expected[query][column.name], abs=1e-12) for query in expected} == actual


def test_a_ranking_of_ids_keeps_the_served_order_and_drops_what_repeats() -> None:
    """A list, a tuple, or any other sequence; served first is rank 1 whatever the ids are."""
    for served in (["a", "z", "a"], ("a", "z", "a"), dict.fromkeys("az").keys()):
        table = score_run({"q": {"a": 1}}, {"q": served}, ["RR", "num_ret"], Conventions())  # type: ignore[dict-item]

        assert {"RR": 1.0, "num_ret": 2.0} == means(table)


@pytest.mark.parametrize("answer", [{}, []], ids=["scores", "ids"])
def test_an_empty_answer_in_memory_is_a_query_that_returned_nothing(answer: Any) -> None:
    """Beside one with results: it counts 0, also over the queries returned."""
    run = {"q1": {"a": 1.0}, "q2": answer, "q3": {"x": 2.0, "a": 1.0}}
    judgments = {query: {"a": 1} for query in run}

    table = score_run(judgments, run, ["RR", "ZeroResults"], Conventions(average="returned"))

    assert {"RR": 0.5, "ZeroResults": pytest.approx(1 / 3)} == means(table)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("others", [[], [1.0], [2.0, 1.0]], ids=len)
@pytest.mark.parametrize("at", ["first", "last"])
def test_a_score_in_memory_that_is_not_finite_is_refused(number: float, others: list[float], at: str) -> None:
    """Wherever it stands, also where the scores fall; the query is named."""
    numbers = [number, *others] if at == "first" else [*others, number]

    with pytest.raises(InputError) as caught:
        score_run({"q": {"a": 1}}, {"q": {f"d{n}": each for n, each in enumerate(numbers)}}, (), Conventions())

    assert "a score of query 'q' is not a finite number" == str(caught.value)


@pytest.mark.parametrize("grade", [101, 254, 255, 256, 10**9, 1.5, "2", None])
@pytest.mark.parametrize("returned", [True, False])
def test_a_grade_in_memory_that_cannot_be_one_is_refused(grade: Any, returned: bool) -> None:
    """Too large or not whole: never a crash, never another grade's meaning."""
    run = {"q": ["a"] if returned else ["b"]}

    with pytest.raises(InputError) as caught:
        score_run({"q": {"a": grade, "b": 1}}, run, ["P@1"], Conventions())

    assert repr(grade).strip("'") in str(caught.value)
    assert "100" in str(caught.value)


def test_what_is_wrong_with_the_caller_stays_the_callers_error() -> None:
    """A score that is no number is a programming error, and no word about grades."""
    with pytest.raises((TypeError, ValueError)):
        score_run({"q": {"a": 1}}, {"q": {"a": "high"}}, (), Conventions())  # type: ignore[dict-item]


# Conventions

QRELS: Final = "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\nq3 0 a 0\n"
RUN: Final = "q1 Q0 b 1 2.0 t\nq1 Q0 a 2 2.0 t\nq3 Q0 a 1 1.0 t\nq9 Q0 a 1 1.0 t\n"


def test_a_tie_goes_to_the_larger_id_or_stays_as_listed(tmp_path: Path) -> None:
    """b before a by trec_eval's rule; with the lines the other way round, a before b as listed."""
    listed = "q1 Q0 a 1 2.0 t\nq1 Q0 b 2 2.0 t\n"
    paths = files(tmp_path, QRELS, listed)

    assert {"RR": 0.5} == means(score_files(*paths, ["RR"], Conventions(average="returned")))
    assert {"RR": 1.0} == means(score_files(*paths, ["RR"], Conventions(average="returned", tie_order="listed")))


def test_as_listed_neither_the_scores_nor_the_ranks_matter(tmp_path: Path) -> None:
    """Lines of one query that do not stand together keep their order too."""
    listed = "q1 Q0 b 9 1.0 t\nq3 Q0 a 1 1.0 t\nq1 Q0 a 1 9.0 t\n"
    paths = files(tmp_path, QRELS, listed)

    table = score_files(*paths, ["RR"], Conventions(average="returned", tie_order="listed"))

    assert [0.5] == table.columns[0].values[:1].tolist()


@pytest.mark.parametrize(
    ("average", "undefined", "queries", "mean"),
    [
        ("judged", "left-out", ("q1", "q2", "q3"), 1 / 4),
        ("judged", "zero", ("q1", "q2", "q3"), 1 / 6),
        ("returned", "left-out", ("q1", "q3"), 1 / 2),
        ("returned", "zero", ("q1", "q3"), 1 / 4),
    ],
)
def test_a_mean_is_over_the_queries_that_the_conventions_name(
    average: Any, undefined: Any, queries: tuple[str, ...], mean: float, tmp_path: Path
) -> None:
    """q1 has 1/2, q2 no results, q3 no relevant document; q9 has no judgments and is never counted."""
    table = score_files(*files(tmp_path, QRELS, RUN), ["RR"], Conventions(average=average, undefined=undefined))

    assert queries == table.query_ids
    assert pytest.approx(mean) == table.columns[0].summary
    assert (3, 2, 1) == (table.judged, table.returned, table.unjudged)


def test_what_the_means_are_over_is_said_in_a_sentence(tmp_path: Path) -> None:
    """So that two reports which differ in it cannot be taken for the same."""
    paths = files(tmp_path, QRELS, RUN)
    said = [
        score.said(score_files(*paths, ["RR"], conventions), conventions)
        for conventions in (Conventions(), Conventions("listed", "returned", "zero"))
    ]

    undefined = "up to 1 queries are undefined and left out of a mean"
    left_out = "1 queries of the run have no judgments and are left out"
    assert [
        f"means over all 3 judged queries, 1 of 3 have no results; {left_out}; {undefined}; order: score down, then id down",
        f"means over the 2 queries returned, 1 of 3 have no results; {left_out}; order: as the lines stand",
    ] == said


def test_a_mean_of_nothing_is_undefined_and_no_number(tmp_path: Path) -> None:
    """All queries without a relevant document: the word, not nan and not 0."""
    table = score_files(*files(tmp_path, "q1 0 a 0\n", "q1 Q0 a 1 1.0 t\n"), ["RR", "num_rel"], Conventions())

    assert [
        "RR                    \tq1\tundefined\n",
        "num_rel               \tq1\t0\n",
        "RR                    \tall\tundefined\n",
        "num_rel               \tall\t0\n",
    ] == list(score.lines(table, per_query=True))


def test_counts_are_summed_and_the_number_of_queries_has_no_line_of_its_own(tmp_path: Path) -> None:
    """As in trec_eval."""
    table = score_files(*files(tmp_path, QRELS, RUN), score.COUNTS, Conventions())

    assert {"num_q": 3.0, "num_ret": 3.0, "num_rel": 2.0, "num_rel_ret": 1.0} == means(table)
    assert 3 * 3 + 4 == len(list(score.lines(table, per_query=True)))


@pytest.mark.parametrize(("level", "expected"), [(1, [1.0, 0.5, 2.0]), (2, [0.5, 0.5, 1.0]), (3, [0.5, 0.5, 1.0])])
def test_the_relevance_level_holds_for_every_measure_without_a_level_of_its_own(
    level: int, expected: list[float], tmp_path: Path
) -> None:
    """RR and the counts follow --rel; P(rel=2) keeps its own."""
    paths = files(tmp_path, "q 0 a 1\nq 0 b 3\n", "q Q0 a 1 2 t\nq Q0 b 2 1 t\n")

    table = score_files(*paths, ["RR", "P(rel=2)@2", "num_rel_ret"], Conventions(relevant_from=level))

    assert expected == [column.summary for column in table.columns]


@pytest.mark.parametrize(
    ("gain", "ndcg"),
    [
        ("exponential", (1 + 7 / math.log2(3)) / (7 + 1 / math.log2(3))),
        ("linear", (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))),
        ("binary", 1.0),
    ],
)
def test_the_gain_holds_for_an_ndcg_that_names_none(gain: Any, ndcg: float, tmp_path: Path) -> None:
    """trec_eval's own names keep the linear gain whatever the option says."""
    paths = files(tmp_path, "q 0 a 1\nq 0 b 3\n", "q Q0 a 1 2 t\nq Q0 b 2 1 t\n")
    linear = (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))

    table = score_files(*paths, ["nDCG@2", "ndcg_cut_2", "ndcg"], Conventions(gain=gain))

    assert [pytest.approx(each) for each in (ndcg, linear, linear)] == [column.summary for column in table.columns]


# Names


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("map", "AP"),
        ("map_cut_10", "AP@10"),
        ("P_5", "P@5"),
        ("recall_100", "R@100"),
        ("success_1", "Success@1"),
        ("ndcg", "nDCG(dcg='log2')"),
        ("ndcg_cut_10", "nDCG(dcg='log2')@10"),
        ("recip_rank", "RR"),
        ("Rprec", "Rprec"),
        ("bpref", "Bpref"),
        ("num_ret", "NumRet"),
    ],
)
def test_trec_evals_name_and_ours_are_one_measure(theirs: str, ours: str, tmp_path: Path) -> None:
    """The same values; each column has the name that was asked for."""
    table = score_files(*files(tmp_path, QRELS, RUN), [theirs, ours], Conventions())

    assert [theirs, ours] == [column.name for column in table.columns]
    assert repr(table.columns[0].values.tolist()) == repr(table.columns[1].values.tolist())
    if theirs not in score.COUNTS:
        assert str(measure_of(ours, Scale())) == str(measure_of(theirs, Scale()))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ndgc", "unknown measure 'ndgc'; did you mean 'nDCG'?"),
        ("map_cut", "unknown measure 'map_cut'"),
        ("recall_ten", "unknown measure 'recall_ten'; did you mean 'recall'?"),
        ("P_0", "the cutoff of 'P_0' must be a whole number of 1 or more, found '0'"),
        ("ndcg_cut_0", "the cutoff of \"ndcg_cut_0\" must be a whole number of 1 or more, found '0'"),
        ("P(rel=2)@1", "rel of 'P(rel=2)@1' must be a grade from 1 to 1, found '2'"),
        ("RBP(p=0.8_5)", "p of 'RBP(p=0.8_5)' must be between 0 and 1, found '0.8_5'"),
        ("RBP(p=nan)", "p of 'RBP(p=nan)' must be between 0 and 1, found 'nan'"),
        ("F(beta=1_0)@3", "beta of 'F(beta=1_0)@3' must be a number above 0, at most 1000, found '1_0'"),
        ("F(beta=1e200)@3", "beta of 'F(beta=1e200)@3' must be a number above 0, at most 1000, found '1e200'"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(name: str, message: str, tmp_path: Path) -> None:
    """In the spelling in which it was asked for."""
    with pytest.raises(UnknownMeasureError) as caught:
        score_files(*files(tmp_path, QRELS, RUN), [name], Conventions())

    assert message in str(caught.value)


def test_no_name_means_the_six_of_a_gate(tmp_path: Path) -> None:
    """With the gain in the printed name."""
    table = score_files(*files(tmp_path, QRELS, RUN), (), Conventions())

    assert ["P@1", "P@3", "nDCG(dcg='exp-log2')@10", "R@50", "RR", "AP"] == [column.name for column in table.columns]


# What is refused

COLUMNS: Final = "columns (query Q0 document rank score tag), found"
JUDGED: Final = "expected 4 columns (query iteration document grade), found"
GOOD: Final = "q1 Q0 a 1 2.0 t\n"


@pytest.mark.parametrize("written", ["nan", "NaN", "inf", "-inf", "Infinity", "1e999", "1_000", "0x10", "1,5", "high"])
def test_a_score_that_is_no_finite_number_is_refused_with_its_line(written: str, tmp_path: Path) -> None:
    """Python's underscores are no part of a number in a run."""
    run = f"{GOOD}q1 Q0 b 2 {written} t\n"

    assert [f"x.run:2: score must be a finite number, found {written!r}"] == refusal(tmp_path, QRELS, run)


@pytest.mark.parametrize("written", ["0.5", "1.0", "1e0", "+1", "--1", "-", "1_0", "x", "٣", "nan"])
def test_a_grade_that_is_not_whole_is_refused_with_its_line(written: str, tmp_path: Path) -> None:
    """Never cut to a whole number, as others do."""
    assert [f"x.qrels:2: grade must be a whole number, found {written!r}"] == refusal(
        tmp_path, f"q1 0 a 1\nq1 0 b {written}\n", GOOD
    )


@pytest.mark.parametrize("written", ["101", "255", "256", "99999999999999999999"])
def test_a_grade_above_the_largest_is_refused_with_its_line(written: str, tmp_path: Path) -> None:
    """A typing mistake, or a score taken for a grade."""
    assert [f"x.qrels:2: grade must be at most 100, found {written!r}"] == refusal(
        tmp_path, f"q1 0 a 100\nq1 0 b {written}\n", GOOD
    )


@pytest.mark.parametrize("grade", [1, 2], ids=["the same grade", "another grade"])
def test_a_document_judged_twice_is_refused_with_its_line(grade: int, tmp_path: Path) -> None:
    """Also where other queries stand between."""
    assert ["x.qrels:3: document 'a' is judged twice for query 'q1'"] == refusal(
        tmp_path, f"q1 0 a 1\nq2 0 a 1\nq1 0 a {grade}\n", GOOD
    )


@pytest.mark.parametrize("between", ["", "q2 Q0 a 1 1.0 t\n"], ids=["together", "apart"])
def test_a_document_returned_twice_is_refused_with_both_lines(between: str, tmp_path: Path) -> None:
    """Also where the lines of the query do not stand together."""
    line = 2 + between.count("\n")

    assert [f"x.run:{line}: document 'a' stands twice for query 'q1', first in line 1"] == refusal(
        tmp_path, QRELS, f"{GOOD}{between}q1 Q0 a 2 1.0 t\n"
    )


def test_a_short_and_a_long_line_do_not_cancel_out(tmp_path: Path) -> None:
    """Five and seven fields: twelve tokens in two lines, and both are refused."""
    assert [f"x.run:2: expected 6 {COLUMNS} 5", f"x.run:3: expected 6 {COLUMNS} 7"] == refusal(
        tmp_path, QRELS, f"{GOOD}q1 Q0 b 2 1.5\nq1 Q0 c d 3 1.0 t\n"
    )
    assert [f"x.qrels:1: {JUDGED} 3", f"x.qrels:2: {JUDGED} 5"] == refusal(tmp_path, "q1 0 a\nq1 0 b 1 1\n", GOOD)


def test_a_field_that_looks_like_the_end_of_a_line_to_the_reader_is_refused(tmp_path: Path) -> None:
    """A NUL where the columns would come out right by chance."""
    assert ["x.run:2: a NUL byte: is it a TREC file?", "x.run:3: a NUL byte: is it a TREC file?"] == refusal(
        tmp_path, QRELS, f"{GOOD}q1 Q0 b 2 1.5 \0 q1\nQ0 c 3 1.0 t \0\n"
    )


@pytest.mark.parametrize("text", ["", "\n\r\n  \n", "# only\n# comments here, of six words\n", "\ufeff"])
def test_a_file_without_a_line_is_refused(text: str, tmp_path: Path) -> None:
    """Nothing read is no zero."""
    assert ["x.qrels: the file is empty; expected judgments"] == refusal(tmp_path, text, GOOD)
    assert ["x.run: the file is empty; expected a run"] == refusal(tmp_path, QRELS, text)


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    """A picture, a compressed run: the first line says it."""
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x04\0"

    assert f"x.run:1: expected 6 {COLUMNS} 1" == refusal(tmp_path, QRELS, picture)[0]
    assert "a NUL byte: is it a TREC file?" in refusal(tmp_path, QRELS, picture)[-1]
    assert f"x.qrels:1: {JUDGED} 1" == refusal(tmp_path, picture, GOOD)[0]


def test_files_that_share_no_query_are_refused(tmp_path: Path) -> None:
    """With a query of each, so that the difference can be seen."""
    assert ["judgments and run share no query: for example '101.1' against '101'"] == refusal(
        tmp_path, "101.1 0 a 1\n", "101 Q0 a 1 1.0 t\n"
    )


def test_a_level_that_no_grade_reaches_is_refused(tmp_path: Path) -> None:
    """All values would be undefined."""
    assert ["no judgment has grade 4 or more; the largest is 1"] == refusal(tmp_path, QRELS, RUN, relevant_from=4)


@pytest.mark.parametrize("which", ["qrels", "run"])
def test_a_file_that_is_not_there_or_no_file_is_refused(which: str, tmp_path: Path) -> None:
    """With its path and the system's word for it."""
    paths = dict(zip(("qrels", "run"), files(tmp_path, QRELS, RUN), strict=True))
    for wrong, why in ((tmp_path / "none", "No such file or directory"), (tmp_path, "Is a directory")):
        with pytest.raises(InputError) as caught:
            score_files(**(paths | {which: wrong}), names=(), conventions=Conventions())

        assert f"{wrong}: cannot read: {why}" == str(caught.value)


def test_a_comment_is_a_comment_however_many_words_it_has(tmp_path: Path) -> None:
    """Six words in a run, four in judgments: as many as a line of theirs; a document's id may have the sign in it."""
    paths = files(
        tmp_path,
        "# q1 0 b 1\n# a comment here\n#q2 0 a 1\nq1 0 a#1 1\n",
        "# q1 Q0 b 1 3.0\n  # q1 Q0 b 1 3.0\n#q2 Q0 a 1 3.0 t\nq1 Q0 a#1 1 2.0 t\n",
    )

    table = score_files(*paths, ["RR", "num_ret"], Conventions())

    assert (("q1",), {"RR": 1.0, "num_ret": 1.0}, 1, 0) == (
        table.query_ids,
        means(table),
        table.judged,
        table.unjudged,
    )


# Large and unusual files


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_run_from_a_pipe_whose_queries_are_mixed_is_read_whole(tmp_path: Path) -> None:
    """What was read of a pipe is gone: it is not read twice, as a file would be."""
    qrels, run = files(tmp_path, "q1 0 a 1\nq1 0 b 1\nq2 0 a 1\n", "q1 Q0 a 1 2 t\nq2 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(run.read_bytes()))
    writer.start()

    table = score_files(qrels, pipe, NAMES, Conventions())

    writer.join()
    assert shown(score_files(qrels, run, NAMES, Conventions())) == shown(table)


def write_run(path: Path, queries: int, results: int) -> None:
    with path.open("w") as stream:
        for query in range(queries):
            stream.writelines(
                f"q{query} Q0 document-{query}-{rank} {rank} {9_000 - rank} tag\n" for rank in range(results)
            )


def peak_of(folder: Path, queries: int, results: int) -> int:
    """The most memory that is taken while a run is read, above what its rows need at a byte a result."""
    qrels, run = folder / f"{queries}.qrels", folder / f"{queries}.run"
    qrels.write_text("q0 0 document-0-3 1\n")
    write_run(run, queries, results)
    gc.collect()
    tracemalloc.start()
    try:
        table = score_files(qrels, run, ["RR"], Conventions())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (0.25, queries - 1) == (table.columns[0].summary, table.unjudged)
    return peak


def test_a_run_streams_query_by_query(tmp_path: Path) -> None:
    """Five times the queries, 100,000 lines, take no more memory than their rows: a byte a result, and a name."""
    few, many = peak_of(tmp_path, 200, 100), peak_of(tmp_path, 1_000, 100)
    rows = (1_000 - 200) * (100 + 200)

    assert many - few < rows + (1 << 18)
    assert many < 5 << 20


# The command


def command(folder: Path, *arguments: str) -> tuple[int, str, str]:
    environ = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "rankgate", *arguments],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


def test_the_command_prints_the_table_and_says_what_the_means_are_over(tmp_path: Path) -> None:
    """The report on stdout, in trec_eval's form; the note on stderr."""
    files(tmp_path, QRELS, RUN)

    code, out, err = command(
        tmp_path, "score", "x.qrels", "x.run", "-m", "recip_rank", "-m", "P@1", "--per-query", "--average", "returned"
    )

    expected = [("q1", "0.5000", "0.0000"), ("q3", "undefined", "undefined"), ("all", "0.5000", "0.0000")]
    assert (
        0,
        "".join(f"recip_rank            \t{q}\t{rr}\nP@1                   \t{q}\t{p}\n" for q, rr, p in expected),
    ) == (code, out)
    assert err.startswith("note: means over the 2 queries returned, 1 of 3 have no results; 1 queries of the run")


def test_the_command_ends_with_2_where_a_file_or_a_name_is_wrong(tmp_path: Path) -> None:
    """Nothing on stdout; file, line and fault on stderr, without a traceback."""
    files(tmp_path, QRELS, "q1 Q0 a 1 nan t\n")

    code, out, err = command(tmp_path, "score", "x.qrels", "x.run")

    assert (2, "") == (code, out)
    assert "x.run:1: score must be a finite number, found 'nan'" in err
    assert "Traceback" not in err


def test_the_command_lists_measures_and_explains_one(tmp_path: Path) -> None:
    """And for a name that is none it offers the nearest, with exit code 2."""
    listed, explained, unknown = (command(tmp_path, "measures", *name) for name in ((), ("ndcg@10",), ("ndgc",)))

    assert (0, "") == (listed[0], listed[2])
    assert "RBP[@k]         Rank-biased precision" in listed[1]
    assert (0, "") == (explained[0], explained[2])
    assert explained[1].startswith("nDCG[@k]  Normalised discounted cumulative gain\n")
    assert (2, "") == unknown[:2]
    assert "unknown measure 'ndgc'; did you mean 'nDCG'?" in unknown[2]
