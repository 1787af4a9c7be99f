"""Saved runs and baselines: written the same every time, read whole or refused with every mistake."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgate.core.comparability import Lock
from rankgate.core.findings import Finding, Status
from rankgate.core.rankings import Detail, Failure, FailureKind, Ranking, Run
from rankgate.core.reference import Reference
from rankgate.errors import Problem, RunFileError
from rankgate.files.run_file import SavedRun, parse, read, read_any, write

HEADER = '{"rankgate": "baseline", "format": 1, "depth": 50, "queries": 1}'
ENTRY = '{"id": "q1", "ids": ["a"]}'

FULL = SavedRun(
    Run(
        depth=50,
        rankings={"q2": Ranking(("b", "a"), duplicates=1), "q1": Ranking(())},
        failures={"q0": Failure(FailureKind.TIMEOUT, "no answer in 10 s")},
        texts={"q0": "zero", "q1": "one", "q2": 'caf\u00e9 \u2028 \U0001f408 "quoted"'},
        notes={"service": "http://127.0.0.1", "asked": "2 of 3"},
    ),
    digests={"q0": "000000000000", "q1": "111111111111", "q2": "222222222222"},
    scores={"q1": {"P@1": 0.0, "Judged@1": None}, "q2": {"P@1": 1.0, "nDCG@10": 0.30000000000000004}},
    partial=True,
    further=(Finding("unstable", Status.WARN, "q2 flaps", value=1.0, queries=2, query_ids=("q2",)),),
    missing=("DR-77", "x"),
)
BASELINE = SavedRun(
    Run(depth=10, rankings={"q": Ranking(("a",))}, texts={"q": "words"}),
    kind="baseline",
    digests={"q": "0123456789ab"},
    scores={"q": {"P@1": 1.0}},
    reason="the old index had a bug",
    worse=("P@1 fell by 0.1000", "1 query lost"),
)


def refusal(text: str) -> list[str]:
    with pytest.raises(RunFileError) as caught:
        parse(text, "runs/b.jsonl")
    return [str(problem).removeprefix("runs/b.jsonl:") for problem in caught.value.problems]


def lines(*entries: str, queries: int | None = None) -> str:
    """A baseline of *entries* whose header counts them right."""
    count = len(entries) if queries is None else queries
    return "\n".join([HEADER.replace('"queries": 1', f'"queries": {count}'), *entries]) + "\n"


@pytest.mark.parametrize("saved", [FULL, BASELINE, SavedRun(Run(0, {}))], ids=["run", "baseline", "no queries"])
def test_a_saved_run_reads_back_as_it_was(saved: SavedRun, tmp_path: Path) -> None:
    """Rankings, failures, texts, digests, scores, and why a worse result was accepted."""
    path = tmp_path / "run.jsonl"

    write(path, saved)

    assert saved == read(path)
    assert saved == read_any(path)


def test_a_saved_run_is_a_reference() -> None:
    """Its run and its digests are what a candidate is compared with."""
    assert Reference(FULL.run, FULL.digests) == FULL.reference


words = st.text(min_size=1).filter(lambda text: "\x00" not in text)
runs = st.dictionaries(
    words,
    st.one_of(
        st.lists(words, unique=True).map(lambda ids: Ranking(tuple(ids), len(ids))),
        st.builds(Failure, st.sampled_from(FailureKind), st.text()),
    ),
    max_size=5,
)


@given(runs, st.integers(0, 10**6))
def test_any_ids_and_texts_read_back(answers: dict[str, Ranking | Failure], depth: int) -> None:
    """Quotes, line breaks of every alphabet, control characters, halves of characters."""
    from rankgate.files.run_file import _lines

    saved = SavedRun(
        Run(
            depth,
            {key: answer for key, answer in answers.items() if isinstance(answer, Ranking)},
            {key: answer for key, answer in answers.items() if isinstance(answer, Failure)},
            texts={key: key * 2 for key in answers},
        )
    )

    assert saved == parse("".join(_lines(saved)), "x")


def test_half_a_character_reads_back(tmp_path: Path) -> None:
    """JSON can hold it and UTF-8 cannot: it is written as the escape that JSON has for it."""
    saved = SavedRun(Run(1, {"q": Ranking(("\ud83d", "\U0001f408"))}))

    write(tmp_path / "run.jsonl", saved)

    assert saved == read(tmp_path / "run.jsonl")


def test_a_baseline_is_written_the_same_every_time(tmp_path: Path) -> None:
    """Sorted by query id whatever the order of the queries, byte for byte, and nothing in it says when or where."""
    first, again = tmp_path / "first.jsonl", tmp_path / "again.jsonl"
    rankings = {name: Ranking((name, "x")) for name in ("q10", "q2", "Q1", "\u00e9")}
    notes = {"url": "http://secret.example", "time": "2024-01-31T10:00:00Z"}
    texts = {name: name for name in rankings}
    backwards = dict(reversed(list(rankings.items())))

    write(first, SavedRun(Run(2, rankings, texts=texts, notes=notes), kind="baseline"))
    write(again, SavedRun(Run(2, backwards, texts=texts), kind="baseline"))

    assert first.read_bytes() == again.read_bytes()
    assert (
        '{"rankgate": "baseline", "format": 1, "depth": 2, "queries": 4}\n'
        '{"id": "Q1", "text": "Q1", "ids": ["Q1", "x"]}\n'
        '{"id": "q10", "text": "q10", "ids": ["q10", "x"]}\n'
        '{"id": "q2", "text": "q2", "ids": ["q2", "x"]}\n'
        '{"id": "\u00e9", "text": "\u00e9", "ids": ["\u00e9", "x"]}\n'
    ) == first.read_text(encoding="utf-8")


def test_every_part_has_its_key(tmp_path: Path) -> None:
    """The lines of a run with everything in it, as they stand in the file."""
    write(tmp_path / "run.jsonl", FULL)

    header, failed, empty, found = map(
        json.loads, (tmp_path / "run.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    )

    assert {
        "rankgate": "run",
        "format": 1,
        "depth": 50,
        "queries": 3,
        "partial": True,
        "notes": {"asked": "2 of 3", "service": "http://127.0.0.1"},
        "unstable": [{"message": "q2 flaps", "value": 1.0, "queries": 2, "query_ids": ["q2"]}],
        "missing": ["DR-77", "x"],
    } == header
    assert {
        "id": "q0",
        "text": "zero",
        "judgments": "000000000000",
        "failure": {"kind": "timeout", "message": "no answer in 10 s"},
    } == failed
    assert {
        "id": "q1",
        "text": "one",
        "judgments": "111111111111",
        "scores": {"P@1": 0.0, "Judged@1": None},
        "ids": [],
    } == empty
    assert ["id", "text", "judgments", "scores", "duplicates", "ids"] == list(found)


def test_a_number_that_json_does_not_have_is_never_written(tmp_path: Path) -> None:
    """A mistake of the program must not become a file that nobody can read."""
    broken = SavedRun(Run(1, {"q": Ranking(())}), scores={"q": {"P@1": float("nan")}})

    with pytest.raises(ValueError, match="not JSON compliant"):
        write(tmp_path / "run.jsonl", broken)

    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(f"{HEADER}\n{ENTRY}\n".encode(), id="as written"),
        pytest.param(f"\ufeff{HEADER}\n{ENTRY}\n".encode(), id="byte order mark"),
        pytest.param(f"{HEADER}\r\n{ENTRY}\r\n".encode(), id="CRLF"),
        pytest.param(f"{HEADER}\n{ENTRY}".encode(), id="no line break at the end"),
        pytest.param(f"\n{HEADER}\n\n  \n{ENTRY}\n\n".encode(), id="blank lines"),
    ],
)
def test_what_editors_and_git_do_to_a_file_is_no_damage(data: bytes, tmp_path: Path) -> None:
    """The same run."""
    path = tmp_path / "b.jsonl"
    path.write_bytes(data)

    assert [SavedRun(Run(50, {"q1": Ranking(("a",))}), kind="baseline")] * 2 == [read(path), read_any(path)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", " the file is empty; expected a saved run or a baseline", id="empty"),
        pytest.param(" \n\n", " the file is empty; expected a saved run or a baseline", id="blank"),
        pytest.param(
            f"{ENTRY}\n",
            '1: the first line is no rankgate header; expected {"rankgate": "run" or "baseline", ...}',
            id="no header",
        ),
        pytest.param(
            '{"rankgate": ["run"], "format": 1}',
            '1: the first line is no rankgate header; expected {"rankgate": "run" or "baseline", ...}',
            id="a kind that is a list",
        ),
        pytest.param("[]", "1: expected an object, found list", id="a header that is a list"),
        pytest.param('{"rankgate": "run', "1: not JSON: unterminated string starting at column 14", id="cut header"),
        pytest.param(
            HEADER.replace('"format": 1', '"format": 2'),
            "1: format 2 is not known to this rankgate, which reads format 1",
            id="newer format",
        ),
        pytest.param(
            '{"rankgate": "run"}', "1: format None is not known to this rankgate, which reads format 1", id="no format"
        ),
        pytest.param(
            HEADER.replace("50", "true"), "1: depth must be a whole number, found True", id="depth is a boolean"
        ),
        pytest.param(HEADER.replace("50", "-1"), "1: depth must be a whole number, found -1", id="depth below 0"),
        pytest.param(HEADER.replace("50", "1.5"), "1: depth must be a whole number, found 1.5", id="depth and a half"),
        pytest.param(HEADER.replace('"depth": 50, ', ""), "1: depth must be a whole number, found None", id="no depth"),
        pytest.param(
            lines(ENTRY, queries=2), "1: the header counts 2 queries, the file has 1: was it cut?", id="lines lost"
        ),
        pytest.param(
            lines(queries=1), "1: the header counts 1 queries, the file has 0: was it cut?", id="all lines lost"
        ),
        pytest.param(
            HEADER.replace(', "queries": 1', "") + f"\n{ENTRY}",
            "1: the header counts None queries, the file has 1: was it cut?",
            id="no count",
        ),
        pytest.param(
            lines(ENTRY[:-4]), "2: not JSON: unterminated string starting at column 22", id="cut within a line"
        ),
        pytest.param(lines("{"), "2: not JSON: expecting property name enclosed in double quotes at column 2", id="{"),
        pytest.param(lines("<<<<<<< HEAD", queries=1), "2: a merge conflict was left in the file", id="conflict: ours"),
        pytest.param(lines("=======", queries=1), "2: a merge conflict was left in the file", id="conflict: middle"),
        pytest.param(
            lines(">>>>>>> main", queries=1), "2: a merge conflict was left in the file", id="conflict: theirs"
        ),
        pytest.param("<<<<<<< HEAD\n" + lines(), "1: a merge conflict was left in the file", id="conflict: the header"),
        pytest.param(lines("[" * 100_000), "2: nested too deeply", id="deep nesting"),
        pytest.param(lines("7"), "2: expected an object, found int", id="a number for a line"),
        pytest.param(lines('{"ids": []}'), "2: id must be a non-empty string, found None", id="no id"),
        pytest.param(lines('{"id": "", "ids": []}'), "2: id must be a non-empty string, found ''", id="empty id"),
        pytest.param(lines('{"id": 7, "ids": []}'), "2: id must be a non-empty string, found 7", id="a number as id"),
        pytest.param(lines('{"id": "q"}'), "2: ids must be a list of non-empty strings", id="no ids"),
        pytest.param(
            lines('{"id": "q", "ids": "ab"}'), "2: ids must be a list of non-empty strings", id="ids are a text"
        ),
        pytest.param(
            lines('{"id": "q", "ids": [1]}'), "2: ids must be a list of non-empty strings", id="a number as document"
        ),
        pytest.param(
            lines('{"id": "q", "ids": [""]}'), "2: ids must be a list of non-empty strings", id="an empty document"
        ),
        pytest.param(
            lines('{"id": "q", "ids": ["a", "b", "b"]}'),
            "2: document 'b' stands twice in ids",
            id="a document twice",
        ),
        pytest.param(lines('{"id": "q", "id": "q", "ids": []}'), "2: key 'id' stands twice", id="a key twice"),
        pytest.param(
            lines('{"id": "q", "ids": [], "duplicates": -1}'),
            "2: duplicates must be a whole number, found -1",
            id="duplicates below 0",
        ),
        pytest.param(
            lines('{"id": "q", "ids": [], "duplicates": true}'),
            "2: duplicates must be a whole number, found True",
            id="duplicates a boolean",
        ),
        pytest.param(
            lines('{"id": "q", "ids": [], "text": null}'), "2: text must be a string, found None", id="no text"
        ),
        pytest.param(
            lines('{"id": "q", "ids": [], "judgments": 7}'), "2: judgments must be a string, found 7", id="no digest"
        ),
        pytest.param(
            lines('{"id": "q", "txt": "a", "ids": []}'),
            "2: unknown key 'txt'; did you mean 'text'?",
            id="unknown key",
        ),
        pytest.param(
            lines('{"id": "q", "failure": {"kind": "tired", "message": "x"}}'),
            "2: failure must have a message and a kind, one of unreachable, timeout, status, body, path, hit, partial, "
            "request, not asked",
            id="unknown failure",
        ),
    ],
)
def test_damage_is_refused_with_its_line(text: str, message: str) -> None:
    """Never half read, never taken for an empty answer."""
    assert [message] == refusal(text)


@pytest.mark.parametrize(
    "failure", ["null", "[]", '"timeout"', "{}", '{"kind": ["timeout"], "message": "x"}', '{"kind": "timeout"}']
)
def test_a_failure_without_kind_and_message_is_refused(failure: str) -> None:
    """Whatever stands in its place."""
    (message,) = refusal(lines(f'{{"id": "q", "failure": {failure}}}'))

    assert message.startswith("2: failure must have a message and a kind, one of unreachable, ")


@pytest.mark.parametrize("name", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have_are_refused(name: str) -> None:
    """Python would read them, and NaN is in no comparison wrong."""
    assert [f"2: {name} is no JSON number"] == refusal(lines(f'{{"id": "q", "ids": [], "scores": {{"P@1": {name}}}}}'))


@pytest.mark.parametrize("score", ["1.0000001", "-0.1", "1e999", "true", '"1"', "[]", "1" + "0" * 400])
def test_scores_outside_their_range_are_refused(score: str) -> None:
    """Too large, below nothing, infinite, no number, larger than a float."""
    assert ["2: scores must map measures to numbers from 0 to 1 or null"] == refusal(
        lines(f'{{"id": "q", "ids": [], "scores": {{"P@1": {score}}}}}')
    )


def test_scores_that_are_no_mapping_are_refused() -> None:
    """A list of numbers says nothing."""
    assert ["2: scores must map measures to numbers from 0 to 1 or null"] == refusal(
        lines('{"id": "q", "ids": [], "scores": [1]}')
    )


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    """Python gives up on it; the line is named all the same."""
    (message,) = refusal(lines(f'{{"id": "q", "ids": [], "duplicates": {"9" * 5000}}}'))

    assert message.startswith("2: Exceeds the limit")


def test_a_query_that_stands_twice_is_named_with_its_first_line() -> None:
    """Two answers to one question."""
    assert ["4: query 'q1' stands twice, first in line 2"] == refusal(lines(ENTRY, '{"id": "q2", "ids": []}', ENTRY))


def test_every_mistake_of_a_file_is_named_in_one_go() -> None:
    """In the order of the lines, keys in the order of the alphabet; lines that were lost are not counted on top."""
    text = lines(
        '{"id": "q1", "ids": [], "zz": 1, "aa": 2, "text": 3}',
        "<<<<<<< ours",
        '{"id": "q2", "ids": ["a", "a"], "duplicates": "2"}',
        "{",
        queries=99,
    ).replace('"depth": 50', '"depth": "50"')

    assert [
        "1: depth must be a whole number, found '50'",
        "2: unknown key 'aa'; known: details, duplicates, failure, id, ids, judgments, scores, text",
        "2: unknown key 'zz'; known: details, duplicates, failure, id, ids, judgments, scores, text",
        "2: text must be a string, found 3",
        "3: a merge conflict was left in the file",
        "4: document 'a' stands twice in ids",
        "4: duplicates must be a whole number, found '2'",
        "5: not JSON: expecting property name enclosed in double quotes at column 2",
    ] == refusal(text)


@pytest.mark.parametrize(
    "member",
    [
        '"unstable": {}',
        '"unstable": [7]',
        '"unstable": [{"message": "m", "value": 1, "queries": 2}]',
        '"unstable": [{"message": "m", "value": 1, "queries": 2, "query_ids": [""]}]',
        '"missing": "x"',
        '"missing": [7]',
    ],
)
def test_evidence_that_cannot_be_read_is_refused(member: str) -> None:
    """A warning would be lost with it."""
    (message,) = refusal(lines(ENTRY).replace("}", f", {member}}}", 1))

    assert message.startswith(f"1: {json.loads(f'{{{member}}}').popitem()[0]} must be a list of ")


def test_a_newer_format_says_what_to_do() -> None:
    """The file is right and the program is old."""
    with pytest.raises(RunFileError) as caught:
        parse(HEADER.replace('"format": 1', '"format": 2'), "b.jsonl")

    assert ("Use a newer rankgate.", 2) == (caught.value.hint, caught.value.exit_code)


def test_notes_and_reasons_of_another_shape_are_let_go() -> None:
    """They are for the reader and decide nothing."""
    header = '{"rankgate": "run", "format": 1, "depth": 1, "queries": 0, "notes": 7, "worse": "x", "partial": "yes"}'

    assert SavedRun(Run(1, {})) == parse(header, "x")


@pytest.mark.parametrize("reader", [read, read_any])
def test_a_file_that_cannot_be_read_is_named(reader: object, tmp_path: Path) -> None:
    """Missing, a folder, Latin-1, a name that no file can have."""
    assert callable(reader)
    latin = tmp_path / "latin.jsonl"
    latin.write_bytes(HEADER.encode() + b"\n\xe8")
    found = {}
    for name, path in {"missing": tmp_path / "no", "folder": tmp_path, "latin": latin, "nul": Path("a\0b")}.items():
        with pytest.raises(RunFileError) as caught:
            reader(path)
        found[name] = caught.value.problems

    assert {
        "missing": (Problem("cannot read: No such file or directory", str(tmp_path / "no")),),
        "folder": (Problem("cannot read: Is a directory", str(tmp_path)),),
        "latin": (Problem(f"not UTF-8 at byte {len(HEADER) + 1}", str(latin)),),
        "nul": (Problem("cannot read: embedded null byte", "a\0b"),),
    } == found


def test_a_trec_run_is_told_from_a_saved_one(tmp_path: Path) -> None:
    """By how it starts; blank lines do not matter."""
    path = tmp_path / "x.run"
    path.write_text("\n q1 Q0 a 1 2.0 tag\n", encoding="utf-8")

    assert SavedRun(Run(0, {"q1": Ranking(("a",))})) == read_any(path)


def test_a_conflict_in_the_header_is_not_taken_for_a_trec_run(tmp_path: Path) -> None:
    """Two branches that both accepted a baseline: the first line of the file is the conflict's."""
    path = tmp_path / "b.jsonl"
    path.write_text(f"<<<<<<< HEAD\n{HEADER}\n=======\n{HEADER}\n>>>>>>> main\n{ENTRY}\n", encoding="utf-8")

    with pytest.raises(RunFileError) as caught:
        read_any(path)

    assert (Problem("a merge conflict was left in the file", str(path), 1),) == caught.value.problems
    assert caught.value.hint == (
        f"Take one side (git checkout --ours {path}, or --theirs); if it is the baseline: "
        "delete it, then rankgate accept makes it anew."
    )


def test_a_pointer_of_git_lfs_is_called_one(tmp_path: Path) -> None:
    """Not a run in TREC form whose lines have too few columns."""
    path = tmp_path / "b.jsonl"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", encoding="utf-8")

    with pytest.raises(RunFileError) as caught:
        read_any(path)

    assert (Problem("this is a pointer of Git LFS, not the file", str(path)),) == caught.value.problems
    assert "Run: git lfs pull" == caught.value.hint


LOCK = Lock(
    "0123456789ab",
    ("P@1", "R@10"),
    {"url": "111111111111", "params.q": "222222222222"},
    "products v1 \u00e9",
    "3" * 12,
    "4" * 12,
)


def test_what_a_run_is_an_answer_to_reads_back(tmp_path: Path) -> None:
    """All parts of the lock; the fingerprint is the run's too, and a candidate is compared with it."""
    saved = SavedRun(Run(1, {"q": Ranking(("a",))}, fingerprint=LOCK.fingerprint), lock=LOCK)
    write(tmp_path / "run.jsonl", saved)

    assert saved == read(tmp_path / "run.jsonl")
    assert LOCK == read(tmp_path / "run.jsonl").reference.lock


def test_the_lock_is_written_the_same_every_time(tmp_path: Path) -> None:
    """Whatever the order of the keys in the config; in the header, where a reviewer sees it change."""
    first, again = tmp_path / "first.jsonl", tmp_path / "again.jsonl"
    backwards = Lock(
        LOCK.judgments, LOCK.measures, dict(reversed(list(LOCK.request.items()))), LOCK.fingerprint, "3" * 12, "4" * 12
    )

    write(first, SavedRun(Run(2, {}), kind="baseline", lock=LOCK))
    write(again, SavedRun(Run(2, {}), kind="baseline", lock=backwards))

    assert first.read_bytes() == again.read_bytes()
    assert (
        '{"rankgate": "baseline", "format": 1, "depth": 2, "queries": 0, "lock": {"judgments": "0123456789ab", '
        '"measures": ["P@1", "R@10"], "request": {"params.q": "222222222222", "url": "111111111111"}, '
        '"fingerprint": "products v1 \u00e9", "queries": "333333333333", "grades": "444444444444"}}\n'
    ) == first.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "lock",
    [
        "7",
        '"x"',
        "null",
        "[]",
        "{}",
        '{"judgments": 7, "measures": [], "request": {}, "fingerprint": ""}',
        '{"judgments": "", "measures": "P@1", "request": {}, "fingerprint": ""}',
        '{"judgments": "", "measures": [1], "request": {}, "fingerprint": ""}',
        '{"judgments": "", "measures": [], "request": [], "fingerprint": ""}',
        '{"judgments": "", "measures": [], "request": {"url": null}, "fingerprint": ""}',
        '{"judgments": "", "measures": [], "request": {}, "fingerprint": null}',
        '{"judgments": "", "measures": [], "request": {}}',
    ],
)
def test_a_damaged_lock_says_nothing(lock: str) -> None:
    """It decides nothing, so the rankings are still good; half of it would name differences that there are not."""
    text = lines(ENTRY).replace('"depth"', f'"lock": {lock}, "depth"')

    assert parse(lines(ENTRY), "x") == parse(text, "x")


def test_a_lock_of_a_later_version_may_hold_more() -> None:
    """What is known of it is read."""
    lock = '{"judgments": "a", "measures": ["P@1"], "request": {"url": "b"}, "fingerprint": "c", "model": "d"}'

    assert (
        Lock("a", ("P@1",), {"url": "b"}, "c")
        == parse(lines(ENTRY).replace('"depth"', f'"lock": {lock}, "depth"'), "x").lock
    )


@pytest.mark.parametrize("held", ["", ', "queries": 7, "grades": null'])
def test_a_lock_of_an_earlier_version_may_hold_less(held: str) -> None:
    """One digest for queries and judgments together."""
    lock = f'{{"judgments": "a", "measures": ["P@1"], "request": {{"url": "b"}}, "fingerprint": "c"{held}}}'

    assert (
        Lock("a", ("P@1",), {"url": "b"}, "c", "", "")
        == parse(lines(ENTRY).replace('"depth"', f'"lock": {lock}, "depth"'), "x").lock
    )


def test_a_file_without_a_lock_reads_as_before() -> None:
    """Runs in TREC form and files of earlier versions: nobody wrote down what was asked."""
    saved = parse(lines(ENTRY), "x")

    assert (None, "", None) == (saved.lock, saved.run.fingerprint, saved.reference.lock)


# What the service said of its hits.


def test_details_are_kept_in_a_run_and_not_in_a_baseline(tmp_path: Path) -> None:
    """Scores of any size and titles in any script come back; a baseline's lines stay the same when a score moves."""
    details = (Detail(1157451470904229898, "Schuhe, größe 42", "a\tb"), Detail(0.1 + 0.2), Detail(None, "", "x"))
    run = Run(10, {"q": Ranking(("a", "b", "c"), 0, details)})
    write(tmp_path / "run.jsonl", SavedRun(run))
    write(tmp_path / "baseline.jsonl", SavedRun(run, kind="baseline"))

    assert details == read(tmp_path / "run.jsonl").run.rankings["q"].details
    assert () == read(tmp_path / "baseline.jsonl").run.rankings["q"].details


@pytest.mark.parametrize(
    "details",
    ["[]", '[[1, "t"]]', '[[true, "t", "s"]]', '[["1", "t", "s"]]', '{"a": 1}', '[[1, "t", "s"], [1, "t", "s"]]'],
)
def test_details_of_another_shape_are_a_mistake(tmp_path: Path, details: str) -> None:
    """They are named with their line, like any other part of the file."""
    path = tmp_path / "run.jsonl"
    header = '{"rankgate": "run", "format": 1, "depth": 10, "queries": 1}'
    path.write_text(f'{header}\n{{"id": "q", "ids": ["a"], "details": {details}}}\n', encoding="utf-8")

    with pytest.raises(RunFileError, match=r"run.jsonl:2: details must have a score, a title and a snippet"):
        read(path)
