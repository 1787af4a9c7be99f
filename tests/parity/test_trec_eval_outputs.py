"""trec_eval's own test files: ``rankgate score`` prints the lines that trec_eval 10 published for them.

Left out are the lines of what we do not measure: ``runid``, geometric means (``gm_map``, ``gm_bpref``), interpolated
precision (``iprec_at_recall_*``, ``11pt_avg``), ``relstring_*``, ``infAP``, ``Rprec_mult_*``, ``utility``, ``binG``,
``G``, ``ndcg_rel``, ``Rndcg``, ``relative_P_*``, the set measures (``set_*``), ``num_nonrel_judged_ret``,
``unj_*``, and of the two that we have under other names ``rbp_resid`` where it is 0 for want of a hole: trec_eval then
leaves out what stands behind the ranking.
"""

import json
import math
import re
from pathlib import Path
from typing import Any, Final

import pytest

from rankgate import score
from rankgate.errors import InputError
from tests.support import COLLECTIONS, needs_collections

pytestmark = needs_collections

FILES: Final = COLLECTIONS / "trec_eval"
OURS: Final = re.compile(
    r"num_q|num_ret|num_rel|num_rel_ret|map|Rprec|bpref|recip_rank|ndcg|(P|recall|success|map_cut|ndcg_cut)_\d+"
)
LEFT_OUT: Final = re.compile(
    r"runid|gm_(map|bpref)|iprec_at_recall_\d\.\d\d|11pt_avg(_.*)?|relstring(_\d+)?|infAP|Rprec_mult_\d\.\d\d|utility(_.*)?"
    r"|binG|G|ndcg_rel|Rndcg|relative_P_\d+|set_(P|relative_P|recall|map|F)|num_nonrel_judged_ret|unj_\d+"
    r"|rbp|rbp_resid|ndcg_1=3,2=9,4=4\.5"  # the first two as numbers below; the last has gains that are not the grades
)


def lines(name: str) -> list[str]:
    return (FILES / name).read_text().splitlines(keepends=True)


def measured(line: str) -> str:
    return line.partition("\t")[0].strip()


def six_columns(name: str, folder: Path) -> Path:
    """A copy without what follows the tag: trec_eval ignores it, and we refuse such lines."""
    copy = folder / name
    copy.write_text("".join("\t".join(line.split()[:6]) + "\n" for line in lines(name)))
    return copy


def scored(qrels: str | Path, run: str | Path, names: list[str], **conventions: Any) -> score.Table:
    """With trec_eval's conventions, and an average over the queries returned unless said otherwise."""
    known: dict[str, Any] = {"average": "returned", "undefined": "zero"}
    return score.score_files(FILES / qrels, FILES / run, names, score.Conventions(**(known | conventions)))


@pytest.mark.parametrize(
    ("published", "qrels", "run", "conventions"),
    [
        ("out.test", "qrels.test", "results.test", {}),
        ("out.test", "qrels.test.with-comments", "results.test", {}),
        ("out.comment.test", "qrels.comment.test", "results.comment.test", {}),
        ("out.test.a", "qrels.test", "results.test", {}),
        ("out.test.aq", "qrels.test", "results.test", {}),
        ("out.test.aqc", "qrels.test", "results.trunc", {"average": "judged"}),
        ("out.test.aql", "qrels.rel_level", "results.test", {"relevant_from": 2}),
        ("out.test.meas_params", "qrels.test", "results.test", {}),
    ],
)
def test_the_published_lines_are_printed_byte_for_byte(
    published: str, qrels: str, run: str, conventions: dict[str, Any], tmp_path: Path
) -> None:
    """Every line of a measure that we have, in trec_eval's order: names, padding, queries and four decimals."""
    expected = [line for line in lines(published) if OURS.fullmatch(measured(line))]
    names = list(dict.fromkeys(measured(line) for line in expected if line.split("\t")[1] == "all"))
    path = six_columns(run, tmp_path) if run == "results.trunc" else run
    per_query = any(line.split("\t")[1] != "all" for line in expected)

    table = scored(qrels, path, names, **conventions)

    assert expected == list(score.lines(table, per_query=per_query))


@pytest.mark.parametrize(
    "published", ["out.test", "out.comment.test", *(f"out.test.{s}" for s in ("a", "aq", "aqc", "aql"))]
)
def test_every_published_line_is_compared_or_named_as_left_out(published: str) -> None:
    """So that nothing is left out by accident."""
    names = {measured(line) for line in lines(published)}

    assert set() == {name for name in names if bool(OURS.fullmatch(name)) == bool(LEFT_OUT.fullmatch(name))}
    assert len([name for name in names if OURS.fullmatch(name)]) >= 17


@pytest.mark.parametrize(("theirs", "ours"), [("rbp", "RBP(p=0.9)"), ("rbp_resid", "RBPResidual(p=0.9)")])
def test_the_published_rbp_is_ours_with_a_persistence_of_nine_tenths(theirs: str, ours: str) -> None:
    """On binary grades, and where a hole was returned; to the four decimals that are printed."""
    expected = {
        query_id: shown
        for name, query_id, shown in (line.split() for line in lines("out.test.aq"))
        if name == theirs and query_id != "all"
    }

    table = scored("qrels.test", "results.test", [ours])

    actual = dict(zip(table.query_ids, (f"{value:.4f}" for value in table.columns[0].values), strict=True))
    assert expected == actual


def test_what_follows_the_tag_is_refused_with_its_lines() -> None:
    """Five lines of results.trunc have more than six columns, which trec_eval skips: half a document id in the wild."""
    with pytest.raises(InputError) as caught:
        scored("qrels.test", "results.trunc", ["map"])

    expected = "expected 6 columns (query Q0 document rank score tag), found"
    path = FILES / "results.trunc"
    numbers = [
        (n, len(line.split())) for n, line in enumerate(lines("results.trunc"), start=1) if len(line.split()) != 6
    ]
    assert 5 == len(numbers)
    assert [f"{path}:{line}: {expected} {found}" for line, found in numbers] == [str(p) for p in caught.value.problems]


@pytest.mark.parametrize("qrels", ["prefs.test", "prefs.comment.test"])
def test_preferences_are_no_judgments(qrels: str) -> None:
    """Five columns: refused, with the lines and the columns that were expected."""
    first = next(n for n, line in enumerate(lines(qrels), start=1) if not line.startswith("#"))

    with pytest.raises(InputError) as caught:
        scored(qrels, "prefs.results.test", ["map"])

    assert f"{FILES / qrels}:{first}: expected 4 columns (query iteration document grade), found 5" == str(
        caught.value.problems[0]
    )


@pytest.mark.parametrize("qrels", ["qrels.123", "qrels.comments.123"])
def test_judgments_of_several_groups_are_refused(qrels: str) -> None:
    """Three groups judged the same documents: the second judgment of a document is named, not taken for the first."""
    with pytest.raises(InputError) as caught:
        scored(qrels, "results.test", ["map"])

    problem = caught.value.problems[0]
    query_id, _, document, _ = lines(qrels)[problem.line - 1].split()
    assert f"document {document!r} is judged twice for query {query_id!r}" == problem.message
    assert str(FILES / qrels) == problem.path


def test_a_run_is_no_set_of_judgments_and_the_other_way_round() -> None:
    """The two files changed about: refused in the first line."""
    with pytest.raises(InputError) as caught:
        scored("results.test", "qrels.test", ["map"])

    assert f"{FILES / 'results.test'}:1: expected 4 columns (query iteration document grade), found 6" == str(
        caught.value.problems[0]
    )


#: In reference.json too, and not ours: the precision of the whole returned set.
NOT_OURS: Final = {"set_P"}


def in_rank_order(name: str, folder: Path) -> Path:
    """A copy whose lines stand in the order of the rank column."""
    rows = sorted((line.split()[:6] for line in lines(name)), key=lambda row: (row[0], int(row[3])))
    copy = folder / f"{name}.ranked"
    copy.write_text("".join(" ".join(row) + "\n" for row in rows))
    return copy


def differences(expected: dict[str, float], actual: dict[str, float]) -> dict[str, str]:
    return {
        name: f"{number} != {actual[name]}"
        for name, number in expected.items()
        if name not in NOT_OURS and not math.isclose(number, actual[name], rel_tol=0, abs_tol=1e-9)
    }


@pytest.mark.parametrize("average", ["returned", "judged"])
@pytest.mark.parametrize("order", ["score_order", "rank_order"])
@pytest.mark.parametrize("run", ["results.test", "results.trunc"])
def test_every_recorded_value_and_mean_is_met(run: str, order: str, average: str, tmp_path: Path) -> None:
    """reference.json, from pytrec_eval, to 1e-9: in both orders, over both sets of queries."""
    reference = json.loads((FILES / "reference.json").read_text())["runs"][run][order]
    means = reference["mean" if average == "returned" else "mean_complete"]
    names = [name for name in means if name not in NOT_OURS]
    spelled = ["nDCG(dcg='exp-log2')@10" if name == "ndcg_exp_cut_10" else name for name in names]
    path = six_columns(run, tmp_path) if order == "score_order" else in_rank_order(run, tmp_path)
    tie_order = "trec_eval" if order == "score_order" else "listed"
    table = scored("qrels.test", path, spelled, tie_order=tie_order, average=average)

    columns = dict(zip(names, table.columns, strict=True))
    counted = {name: column.summary / (len(table.query_ids) if column.count else 1) for name, column in columns.items()}
    if run == "results.trunc" and average == "judged":
        # The reference counts 0 for what it did not get; trec_eval -c counts the relevant documents: 561, as above.
        assert 561.0 == columns["num_rel"].summary
        del means["num_rel"]
    assert {} == differences(means, counted)
    for query_id, values in reference["per_query"].items():
        row = table.query_ids.index(query_id)
        assert {} == differences(values, {name: float(column.values[row]) for name, column in columns.items()})


def test_a_relevance_level_that_no_grade_reaches_is_refused() -> None:
    """A difference on purpose: trec_eval, and reference.json, give 0 for all of this binary set at level 2."""
    with pytest.raises(InputError) as caught:
        scored("qrels.test", "results.test", ["map"], relevant_from=2)

    assert "no judgment has grade 2 or more; the largest is 1" == str(caught.value)
