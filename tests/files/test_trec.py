"""TREC's files: six columns for a run, four for judgments, and trec_eval's order."""

import pytest

from rankgate.core.catalog import Measure
from rankgate.core.rankings import Ranking, Run
from rankgate.core.scoring import score
from rankgate.errors import RunFileError
from rankgate.files.formats.trec import read_run
from tests.support import queries_of, read_qrels

P1 = Measure("P", 1, 1)
RR = Measure("RR", rel=1)
NDCG = Measure("nDCG", 10, dcg="exp-log2")


def ids(text: str) -> dict[str, tuple[str, ...]]:
    return {query_id: ranking.ids for query_id, ranking in read_run(text, "x.run").rankings.items()}


def run_refusal(text: str) -> list[str]:
    with pytest.raises(RunFileError) as caught:
        read_run(text, "x.run")
    return [str(problem) for problem in caught.value.problems]


def qrels_refusal(text: str) -> list[str]:
    with pytest.raises(RunFileError) as caught:
        read_qrels(text, "x.qrels")
    return [str(problem) for problem in caught.value.problems]


def values(qrels: str, run: str, query_id: str = "q1") -> dict[str, float]:
    scores = score(queries_of(read_qrels(qrels, "x.qrels")), read_run(run, "x.run"), [P1, RR, NDCG], 1)
    return {measure.short: round(scores.value(measure, query_id) or 0.0, 6) for measure in (P1, RR, NDCG)}


def test_a_run_has_the_rankings_of_its_queries_and_no_known_depth() -> None:
    """Ids as written; what was asked for is not in the file."""
    assert Run(0, {"q1": Ranking(("north,_1992", "0007")), "q2": Ranking(("d",))}) == read_run(
        "q1 Q0 north,_1992 1 3.2 tag\nq1 Q0 0007 2 2.9 tag\nq2 Q0 d 1 1 tag\n", "x.run"
    )


def test_lines_of_other_than_six_columns_are_refused_and_nothing_is_half_read() -> None:
    """Five and seven: both named, with their lines."""
    assert [
        "x.run:2: expected 6 columns (query Q0 document rank score tag), found 5",
        "x.run:3: expected 6 columns (query Q0 document rank score tag), found 7",
    ] == run_refusal("q1 Q0 north,_1992 1 3.2 tag\nq1 Q0 d2 2 2.9\nq1 Q0 d 3 3 2.5 tag\n")


def test_blank_lines_carriage_returns_and_a_missing_line_break_do_not_matter() -> None:
    """No id and no tag ends in a carriage return."""
    assert {"q1": {"d1": 1, "d2": 0}} == read_qrels("q1 0 d1 1\r\n\r\nq1 0 d2 0\r\n   \r\n", "x.qrels")
    assert {"q1": ("b", "a")} == ids("\r\nq1 Q0 a 1 1.0 t\r\n\r\nq1 Q0 b 2 2.0 t")


def test_tabs_and_spaces_separate_alike() -> None:
    """Whichever the writer chose, also mixed."""
    assert {"q1": {"d1": 1, "d2": 0, "d3": 2}} == read_qrels("q1\t0\td1\t1\nq1 0 d2 0\nq1   0\td3  2\n", "x.qrels")
    assert {"q1": ("a",)} == ids("q1\tQ0\ta\t1  1.0\tt\n")


def test_the_order_is_that_of_the_scores_and_not_of_the_ranks() -> None:
    """As in trec_eval: b, c, a."""
    run = "q1 Q0 a 1 1.5 t\nq1 Q0 b 2 9.0 t\nq1 Q0 c 3 4.0 t\n"

    assert {"q1": ("b", "c", "a")} == ids(run)
    assert {"P@1": 0.0, "RR": 0.333333, "nDCG@10": 0.5} == values("q1 0 a 1\n", run)


@pytest.mark.parametrize("lines", [("a", "b"), ("b", "a")], ids=["a first", "b first"])
def test_a_tie_goes_to_the_larger_id_whatever_the_order_of_lines(lines: tuple[str, str]) -> None:
    """As in trec_eval: b, a."""
    run = "".join(f"q1 Q0 {document} 1 2.0 t\n" for document in lines)

    assert {"q1": ("b", "a")} == ids(run)
    assert {"P@1": 1.0, "RR": 1.0, "nDCG@10": 1.0} == values("q1 0 b 1\n", run)


def test_scores_may_be_negative_and_whole() -> None:
    """Log probabilities, and counts."""
    run = "q1 Q0 a 1 -3.4 t\nq1 Q0 b 2 -1.2 t\nq2 Q0 a 1 10000 t\n"

    assert {"q1": ("b", "a"), "q2": ("a",)} == ids(run)
    assert [1.0, 1.0] == [values("q1 0 b 1\nq2 0 a 1\n", run, query_id)["RR"] for query_id in ("q1", "q2")]


@pytest.mark.parametrize(
    ("first", "second", "order"),
    [
        pytest.param(12.34567891, 12.34567890, ("b", "a"), id="equal in single precision"),
        pytest.param(0.1000001, 0.1, ("a", "b"), id="apart in single precision"),
        pytest.param(1e300, 1e299, ("b", "a"), id="too large"),
        pytest.param(-1e299, -1e300, ("b", "a"), id="too small"),
        pytest.param(1e-50, 0.0, ("b", "a"), id="next to nothing"),
    ],
)
def test_scores_are_compared_as_trec_eval_compares_them(first: float, second: float, order: tuple[str, ...]) -> None:
    """In single precision: what is equal there is a tie, and the id decides; orders as recorded from trec_eval 9."""
    assert {"q": order} == ids(f"q Q0 a 1 {first!r} t\nq Q0 b 2 {second!r} t\n")


@pytest.mark.parametrize("written", ["nan", "inf", "-inf", "1e999", "NaN", "1,5", "1_000", "x"])
def test_a_score_that_is_no_finite_number_is_refused(written: str) -> None:
    """With its line."""
    assert [f"x.run:2: score must be a finite number, found {written!r}"] == run_refusal(
        f"q1 Q0 a 1 1.0 t\nq1 Q0 b 2 {written} t\n"
    )


def test_a_document_that_stands_twice_for_a_query_is_refused() -> None:
    """For another query it may stand again."""
    assert ["x.run:3: document 'a' stands twice for query 'q1', first in line 1"] == run_refusal(
        "q1 Q0 a 1 2.0 t\nq2 Q0 a 1 2.0 t\nq1 Q0 a 2 1.0 t\n"
    )


@pytest.mark.parametrize("text", ["", "\n \r\n"], ids=["empty", "blank"])
def test_an_empty_file_is_refused(text: str) -> None:
    """Nothing read is never a run and never a set of judgments."""
    assert ["x.run: the file is empty; expected a run"] == run_refusal(text)
    assert ["x.qrels: the file is empty; expected judgments"] == qrels_refusal(text)


def test_every_mistake_of_a_run_is_named_in_one_go() -> None:
    """In the order of the lines."""
    assert [
        "x.run:1: expected 6 columns (query Q0 document rank score tag), found 1",
        "x.run:3: document 'a' stands twice for query 'q1', first in line 2",
        "x.run:4: score must be a finite number, found 'nan'",
    ] == run_refusal("q1\nq1 Q0 a 1 1.0 t\nq1 Q0 a 2 0.5 t\nq1 Q0 b 3 nan t\n")


def test_a_file_without_one_right_line_is_not_called_empty() -> None:
    """What is wrong with its lines is enough."""
    assert ["x.run:1: expected 6 columns (query Q0 document rank score tag), found 2"] == run_refusal("q1 a\n")
    assert ["x.qrels:1: grade must be a whole number, found 'x'"] == qrels_refusal("q1 0 a x\n")


def test_every_mistake_of_judgments_is_named_in_one_go() -> None:
    """Fractional grades are never cut to whole ones; a document judged twice is named."""
    assert [
        "x.qrels:2: document 'd1' is judged twice for query 'q1'",
        "x.qrels:3: grade must be a whole number, found '0.9'",
        "x.qrels:4: grade must be a whole number, found '--1'",
        "x.qrels:5: grade must be a whole number, found '-'",
        "x.qrels:6: expected 4 columns (query iteration document grade), found 3",
        "x.qrels:7: grade must be at most 100, found '101'",
        f"x.qrels:8: grade must be at most 100, found '{'9' * 5000}'",
    ] == qrels_refusal(
        "q1 0 d1 1\nq1 0 d1 1\nq1 0 d2 0.9\nq1 0 d3 --1\nq1 0 d4 -\nq1 d5 1\nq1 0 d6 101\n"
        f"q1 0 d7 {'9' * 5000}\nq2 0 d1 100\n"
    )


def test_a_file_that_is_all_wrong_is_not_read_to_its_end() -> None:
    """Fifty mistakes are enough to see that it is another kind of file."""
    problems = run_refusal("not a run\n" * 1000)

    assert [
        f"x.run:{line}: expected 6 columns (query Q0 document rank score tag), found 3" for line in range(1, 51)
    ] == problems[:-1]
    assert "x.run:51: and perhaps more: reading stopped here" == problems[-1]


def test_lines_of_a_query_need_not_stand_together() -> None:
    """They are put in one order; a document in two of its places is refused all the same."""
    assert {"q1": ("b", "a"), "q2": ("c",)} == ids("q1 Q0 a 1 1.0 t\nq2 Q0 c 1 1.0 t\nq1 Q0 b 2 2.0 t\n")
    assert ["x.run:3: document 'a' stands twice for query 'q1', first in line 1"] == run_refusal(
        "q1 Q0 a 1 1.0 t\nq2 Q0 a 1 1.0 t\nq1 Q0 a 2 2.0 t\n"
    )


def test_a_byte_order_mark_is_no_part_of_the_first_id() -> None:
    """In a run and in judgments."""
    assert {"q1": ("a",)} == ids("\ufeffq1 Q0 a 1 1.0 t\n")
    assert {"q1": {"a": 1}} == read_qrels("\ufeffq1 0 a 1\n", "x.qrels")


def test_a_file_longer_than_one_block_is_read_whole() -> None:
    """Lines are not cut where the reader takes a breath, and line numbers go on."""
    lines = [f"q{number % 7} Q0 document-{number:06} 1 {number}.5 tag" for number in range(10_000)]

    found = ids("\n".join(lines))

    assert 10_000 == sum(map(len, found.values()))
    assert tuple(f"document-{number:06}" for number in range(9_996, -1, -7)) == found["q0"]
    assert ["x.run:10001: expected 6 columns (query Q0 document rank score tag), found 1"] == run_refusal(
        "\n".join([*lines, "cut"])
    )


def test_a_line_longer_than_one_block_is_read_whole() -> None:
    """However long an id is."""
    long = "d" * 300_000

    assert {"q1": (long, "a")} == ids(f"q1 Q0 {long} 1 2.0 t\nq1 Q0 a 2 1.0 t\n")


def test_comments_are_skipped() -> None:
    """Lines that begin with #, whether they look like a line of the file or not."""
    assert {"q1": ("a",)} == ids("# a run\n#q0 Q0 a 1 1.0 t\nq1 Q0 a 1 1.0 t\n")
    assert {"q1": {"a": 1}} == read_qrels("#q0 0 a 1\n# judged by hand in spring\nq1 0 a 1\n", "x.qrels")


def test_a_null_byte_is_no_trec_file() -> None:
    """Refused with its line, in a run of any other shape."""
    assert ["x.run:2: a NUL byte: is it a TREC file?"] == run_refusal("q1 Q0 a 1 1.0 t\nq1 Q0 \0 2 1.0 t\n")


def test_negative_grades_are_kept_and_count_for_nothing() -> None:
    """Customary for spam; RR 0.5 behind a spam document, nDCG as if it were judged 0."""
    qrels = "q1 0 a 2\nq1 0 b -1\nq1 0 c 1\n"

    assert {"q1": {"a": 2, "b": -1, "c": 1}} == read_qrels(qrels, "x.qrels")
    assert {"P@1": 0.0, "RR": 0.5, "nDCG@10": 0.659002} == values(
        qrels, "q1 Q0 b 1 3 t\nq1 Q0 a 2 2 t\nq1 Q0 c 3 1 t\n"
    )
