"""``rankgate holes``: which unjudged results a verdict hangs on, as a list that is filled in."""

import csv
import io
import json
from typing import Final

import pytest

from tests.e2e.support import JARGON, Inside, Workspace, name, put, right

#: They newly have a first result that nobody judged.
TURNED: Final = ("rain jacket", "running shoes")


def put_first(workspace: Workspace, *texts: str) -> None:
    """Let a new document be first for each text."""
    for text in texts:
        workspace.search.rankings[text] = [f"new-{name(text)}", *right(text)]


@pytest.fixture
def failed(accepted: Workspace, inside: Inside) -> Workspace:
    """The workspace after a check that failed on two first results that nobody judged."""
    put_first(accepted, *TURNED)
    result = inside("check")

    assert 1 == result.code
    assert "judging alone could turn this: 'new-rain-jacket' for query 'rain-jacket'" in " ".join(result.stdout.split())
    assert "rankgate holes" in result.stdout
    return accepted


TURNS: Final = "judging alone could turn this: 'new-rain-jacket' for query 'rain-jacket'"
HEAD_LINES: Final = """\
# Grade each document from 0 to 3 for its query, then move the lines under the query's judgments.
# Their order says nothing of rank, and nothing of which side returned them.
"""


def test_the_fewest_documents_that_could_turn_the_verdict_are_listed(failed: Workspace, inside: Inside) -> None:
    """One of the two: then the other is within every limit. On stderr stand the rules, and nothing is written."""
    before = failed.snapshot()
    result = inside("holes")

    assert (
        0,
        f"""\
{HEAD_LINES}\
queries:
  - id: "rain-jacket"
    text: "rain jacket"
    judgments:
      "new-rain-jacket":
""",
        f"""\
note: P@1 fell by 0.1667, from 1.0000 to 0.8333 over 12 queries; max_drop 0.1000 = 1.2 of 12 queries; {TURNS}
note: 2 queries lost a relevant first result or newly return nothing; lost_queries allows 1; {TURNS}
""",
    ) == (result.code, result.stdout, result.stderr)
    assert "" == inside("-q", "holes").stderr
    assert before == failed.snapshot()


def test_a_spreadsheet_of_the_same(failed: Workspace, inside: Inside) -> None:
    """One row a document; the grade is still empty."""
    assert [
        ["query_id", "query", "document", "title", "grade"],
        ["rain-jacket", "rain jacket", "new-rain-jacket", "", ""],
    ] == list(csv.reader(io.StringIO(inside("holes", "--format", "csv").stdout)))


def test_all_that_nobody_judged(failed: Workspace, inside: Inside) -> None:
    """What either side returned within the cutoff of a measure; no rule is named, for none asked."""
    result = inside("holes", "--all", "--format", "csv")
    rows = list(csv.reader(io.StringIO(result.stdout)))[1:]
    fourth = {(name(text), right(text)[3]) for texts in failed.queries.values() for text in texts}
    new = {(name(text), f"new-{name(text)}") for text in TURNED}

    assert (0, "") == (result.code, result.stderr)
    assert fourth | new == {(row[0], row[2]) for row in rows}
    assert 14 == len(rows)


def test_all_is_no_deeper_than_a_measure_looks(failed: Workspace, inside: Inside) -> None:
    """Where only first results count, the others need no grade; whether an answer is empty needs none at all."""
    failed.configure("measures: [P@1, nDCG@10, R@10, ZeroResults]", "measures: [P@1, ZeroResults]")
    failed.configure("  nDCG@10: {max_drop: 0.1}\n", "")
    failed.configure("gate: {nDCG@10: {max_drop: 0.2}}", "gate: {P@1: {max_drop: 0.2}}")
    rows = list(csv.reader(io.StringIO(inside("holes", "--all", "--format", "csv").stdout)))[1:]

    assert [f"new-{name(text)}" for text in TURNED] == [row[2] for row in rows]


def test_of_a_query_that_was_reworded_the_old_answer_needs_no_grades(failed: Workspace, inside: Inside) -> None:
    """It answered another question."""
    texts = failed.queries["head"]
    texts["dry jacket"] = texts.pop("rain jacket")
    failed.write()
    put(failed.file("head"), failed.file("head").read_text(encoding="utf-8").replace('"dry-jacket"', '"rain-jacket"'))
    failed.search.rankings["dry jacket"] = ["only-now", *right("rain jacket")[:3]]
    assert 0 == inside("run", "-o", "now.jsonl").code

    rows = csv.reader(io.StringIO(inside("holes", "--all", "--format", "csv", "--run", "now.jsonl").stdout))

    assert ["only-now"] == [row[2] for row in rows if row[0] == "rain-jacket"]


def test_a_run_in_trec_form_has_holes_too(accepted: Workspace, inside: Inside) -> None:
    """It does not say how many documents were asked for; where a measure looks at all of them, all are listed."""
    accepted.configure("measures: [P@1, nDCG@10, R@10, ZeroResults]", "measures: [P@1, nDCG]")
    documents = [f"d{rank:02}" for rank in range(1, 16)]
    lines = [
        f"{name(text)} Q0 {document} {rank} {99 - rank} x\n"
        for text in JARGON
        for rank, document in enumerate([right(text)[0], *documents])
    ]
    put(accepted.root / "b.run", "".join(lines))

    rows = list(csv.reader(io.StringIO(inside("holes", "--all", "--format", "csv", "--run", "b.run").stdout)))

    assert {*documents, right(JARGON[0])[3]} == {row[2] for row in rows if row[0] == name(JARGON[0])}


def test_the_order_does_not_depend_on_the_side(accepted: Workspace, inside: Inside) -> None:
    """Who grades cannot tell which service returned a document, and how high: both ways round it is the same list."""
    runs = []
    for number in range(2):
        for text in (*TURNED, *JARGON):
            accepted.search.rankings[text] = [f"{number}-{place}" for place in range(4)] + right(text)
        runs.append(f"{number}.jsonl")
        assert 0 == inside("run", "-o", runs[-1]).code

    there = inside("holes", "--all", "--baseline", runs[0], "--run", runs[1]).stdout
    back = inside("holes", "--all", "--baseline", runs[1], "--run", runs[0]).stdout
    first = [line.strip()[1] for line in there.splitlines() if line.startswith(('      "0-', '      "1-'))]

    assert there == back
    assert {"0", "1"} == set(first)
    assert first != sorted(first)


def test_nothing_to_judge(accepted: Workspace, inside: Inside) -> None:
    """After a check that passed, and where a drop is real: an empty list, and a word on stderr."""
    assert 0 == inside("check").code
    passed = inside("holes")
    accepted.search.rankings |= {text: right(text)[2:3] for text in TURNED}  # judged not relevant
    assert 1 == inside("check").code
    fell = inside("holes")

    nothing = (0, f"{HEAD_LINES}queries: []\n", "note: no unjudged result could turn a rule\n")
    assert nothing == (passed.code, passed.stdout, passed.stderr)
    assert nothing == (fell.code, fell.stdout, fell.stderr)


def test_everything_is_judged(accepted: Workspace, inside: Inside) -> None:
    """A service that returns nothing new."""
    accepted.search.rankings = {text: right(text)[:3] for text in accepted.search.rankings}
    assert 0 == inside("run", "-o", "now.jsonl").code
    result = inside("holes", "--all", "--run", "now.jsonl", "--baseline", "now.jsonl")

    assert (0, "note: everything is judged\n") == (result.code, result.stderr)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "there is no saved run to look at"),
        (("--run", "no.jsonl"), "there is no saved run to look at"),
        (("--format", "json"), "'json' is not one of 'yaml', 'csv'"),
    ],
)
def test_without_a_run_there_is_nothing_to_look_at(
    accepted: Workspace, inside: Inside, arguments: tuple[str, ...], message: str
) -> None:
    """Exit code 2, and what to do; nothing on stdout."""
    result = inside("holes", *arguments)

    assert (2, "") == (result.code, result.stdout)
    assert message in result.stderr


def test_a_baseline_that_is_not_there_is_an_error(failed: Workspace, inside: Inside) -> None:
    """To leave it out in silence would list too little."""
    result = inside("holes", "--baseline", "no.jsonl")

    assert (2, "") == (result.code, result.stdout)
    assert "there is no baseline to compare with" in result.stderr


@pytest.mark.parametrize(("grade", "code"), [(3, 0), (0, 1)])
def test_once_it_is_filled_in_the_verdict_stands(failed: Workspace, inside: Inside, grade: int, code: int) -> None:
    """Graded as relevant, report and diff of the very same run pass; as not relevant, they fail, and nothing is open."""
    document = "new-rain-jacket"
    assert f'      "{document}":\n' in inside("holes").stdout
    failed.queries["head"]["rain jacket"][document] = grade
    failed.write()

    assert code == inside("report", failed.last_run).code
    assert code == inside("diff", failed.baseline, failed.last_run).code
    assert ("queries: []" in inside("holes").stdout) == (grade == 3)


def test_a_gate_that_waits_for_judgments_is_undecided(accepted: Workspace, inside: Inside) -> None:
    """``unjudged: inconclusive``: exit code 3 until somebody judges, then 0 or 1."""
    accepted.configure("  lost_queries: {max: 1}\n", "  lost_queries: {max: 1}\n  unjudged: inconclusive\n")
    put_first(accepted, *TURNED)

    assert 3 == inside("check").code
    assert "INCONCLUSIVE" == json.loads(inside("check", "--format", "json").stdout)["verdict"]
    assert 0 == inside("run", "-o", "now.jsonl").code
    assert '"new-rain-jacket":' in inside("holes", "--run", "now.jsonl").stdout

    accepted.queries["head"]["rain jacket"]["new-rain-jacket"] = 2
    accepted.write()

    assert 0 == inside("check").code
