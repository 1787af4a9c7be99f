"""Golden queries: what the files say, and everything that can be wrong with them."""

from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from rankgate.core.catalog import Measure, Scale
from rankgate.core.judgments import GoldenSet, Place, Query, problem_at
from rankgate.errors import GoldenFileError, Problem
from rankgate.files.golden_file import load

P1: Final = Measure("P", 1, 1)
ZERO: Final = Measure("ZeroResults")


def write(folder: Path, **files: str | bytes) -> Path:
    """Write files of golden queries into *folder*."""
    for name, content in files.items():
        path = folder / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def only(folder: Path, content: str | bytes, scale: Scale | None = None) -> GoldenSet:
    return load([write(folder, q=content)], scale or Scale()).golden


def refusal(folder: Path, scale: Scale | None = None, paths: list[Path] | None = None) -> list[str]:
    with pytest.raises(GoldenFileError) as caught:
        load(paths or [folder], scale or Scale())
    return [str(problem).removeprefix(f"{folder}/") for problem in caught.value.problems]


def wrong(folder: Path, content: str | bytes, scale: Scale | None = None) -> list[str]:
    """The problems of one file, without its name."""
    write(folder, q=content)
    return [problem.removeprefix("q.yaml:") for problem in refusal(folder, scale)]


def warnings(folder: Path, content: str) -> list[str]:
    found = load([write(folder, q=content)], Scale()).warnings
    return [str(problem).removeprefix(f"{folder}/q.yaml:") for problem in found]


def entry(rest: str = "", judgments: str = "{d1: 3}") -> str:
    """A file with one query, complete but for *rest*, which begins in line 5."""
    return f"queries:\n- id: q1\n  text: red shoes\n  judgments: {judgments}\n  {rest}\n"


# What a file says.


def test_every_part_of_a_query(tmp_path: Path) -> None:
    """Slices of file and query together, each once; pins, params, the note, and where it stands."""
    folder = write(
        tmp_path,
        jargon="""\
slice: jargon
slices: [all-words, jargon]
judged: 2026-10-01
queries:
  - id: cracked-bracket
    text: cracked bracket
    judgments: {SN-2231: 3, ML-0912: 2, WO-5: 0}
    slice: head
    slices: [jargon, complaints]
    tags: [parts, head]
    must: {precision@1: 1, ZeroResults: 0}
    never: [WO-5]
    first: [SN-2231, ML-0912]
    before: [[ML-0912, WO-5], [SN-2231, 07]]
    known_failure: no synonyms yet, ticket 7
    judged: 2026-09-30
    params: {locale: en, size: 5, filters: {stock: true}}
    note: asked about twice a week
  - id: bracket
    text: "bracket "
    expects: nothing
    never: {ids: [WO-5, WO-6], within: 3}
""",
    )
    path = str(folder / "jargon.yaml")

    loaded = load([folder], Scale())

    assert (
        GoldenSet(
            (
                Query(
                    "bracket",
                    "bracket ",
                    {},
                    slices=("jargon", "all-words"),
                    expects_nothing=True,
                    never=("WO-5", "WO-6"),
                    never_within=3,
                    judged_on="2026-10-01",
                    place=Place(path, 19, 5),
                ),
                Query(
                    "cracked-bracket",
                    "cracked bracket",
                    {"SN-2231": 3, "ML-0912": 2, "WO-5": 0},
                    slices=("jargon", "all-words", "head", "complaints", "parts"),
                    must={P1: 1.0, ZERO: 0.0},
                    never=("WO-5",),
                    first=("SN-2231", "ML-0912"),
                    before=(("ML-0912", "WO-5"), ("SN-2231", "07")),
                    known_failure="no synonyms yet, ticket 7",
                    judged_on="2026-09-30",
                    params={"locale": "en", "size": 5, "filters": {"stock": True}},
                    note="asked about twice a week",
                    place=Place(path, 5, 5),
                ),
            ),
            Scale(),
        )
        == loaded.golden
    )
    assert () == loaded.warnings
    assert ("all-words", "complaints", "head", "jargon", "parts") == loaded.golden.slices
    assert ("cracked-bracket",) == tuple(query.id for query in loaded.golden.judged)
    assert ("bracket",) == tuple(query.id for query in loaded.golden.only(frozenset({"bracket"})).queries)
    assert f"{path}:5:5" == str(loaded.golden.queries[1].place)


@pytest.mark.parametrize(
    ("content", "query_id", "text", "judgments"),
    [
        pytest.param(
            "[{id: on, text: no, judgments: {yes: 3, NO: 1, off: 0}}]",
            "on",
            "no",
            {"yes": 3, "NO": 1, "off": 0},
            id="G01 words of YAML",
        ),
        pytest.param(
            "[{id: q1, text: 00100, judgments: {01730: 3, 0x1F: 1, 1_000: 2}}]",
            "q1",
            "00100",
            {"01730": 3, "0x1F": 1, "1_000": 2},
            id="G02 numbers of YAML",
        ),
        pytest.param(
            "[{id: q1, text: month, judgments: {07: 3, 08: 3, 09: 1}}]",
            "q1",
            "month",
            {"07": 3, "08": 3, "09": 1},
            id="G03 octal or not",
        ),
        pytest.param(
            '[{id: 12:30, text: "16:9 monitor", judgments: {3:7: 3, 21:15:00: 2}}]',
            "12:30",
            "16:9 monitor",
            {"3:7": 3, "21:15:00": 2},
            id="G04 base 60",
        ),
        pytest.param(
            "[{id: 2024-01-31, text: '2024-01-31T10:00:00Z', judgments: {2023-12-01: 3}}]",
            "2024-01-31",
            "2024-01-31T10:00:00Z",
            {"2023-12-01": 3},
            id="G05 dates",
        ),
        pytest.param("[{id: q1, text: 2e3, judgments: {2e3: 2}}]", "q1", "2e3", {"2e3": 2}, id="G06 exponents"),
        pytest.param(
            "[{id: 4821e07, text: 77e0312, judgments: {1E6: 2, true: 1, null: 1, ~: 1}}]",
            "4821e07",
            "77e0312",
            {"1E6": 2, "true": 1, "null": 1, "~": 1},
            id="G07 looks like a float",
        ),
        pytest.param(
            "[{id: q1, text: \U0001f408 litter, judgments: {d\U0001f408: 3}}]",
            "q1",
            "\U0001f408 litter",
            {"d\U0001f408": 3},
            id="G11 emoji",
        ),
        pytest.param("[{id: q1, text: c# tutorial, judgments: {d: 3}}]", "q1", "c# tutorial", {"d": 3}, id="G13 c#"),
    ],
)
def test_ids_and_texts_arrive_as_they_were_written(
    content: str, query_id: str, text: str, judgments: dict[str, int], tmp_path: Path
) -> None:
    """No scalar turns into something else on the way."""
    (query,) = only(tmp_path, f"queries: {content}\n").queries

    assert (query_id, text, judgments) == (query.id, query.text, query.judgments)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_encoding_of_the_file_is_no_part_of_the_first_key(encoding: str, tmp_path: Path) -> None:
    """With or without a byte order mark, in UTF-8 or UTF-16 (G14, G15)."""
    content = "queries: [{id: q1, text: cr\u00e8me br\u00fbl\u00e9e, judgments: {d1: 3}}]\n"

    (query,) = only(tmp_path, content.encode(encoding)).queries

    assert "cr\u00e8me br\u00fbl\u00e9e" == query.text


def test_folders_are_read_with_all_below_them_and_queries_are_sorted(tmp_path: Path) -> None:
    """Both spellings of the suffix, files and folders in one list; other files are left alone."""
    write(tmp_path, **{"queries/b/deep": entry().replace("q1", "q3"), "queries/a": entry().replace("q1", "q2")})
    write(tmp_path, extra=entry())
    (tmp_path / "queries" / "c.yml").write_text(entry().replace("q1", "q0"), encoding="utf-8")
    (tmp_path / "queries" / "notes.md").write_text("- id: x", encoding="utf-8")
    (tmp_path / "queries" / "folder.yaml").mkdir()

    loaded = load([tmp_path / "queries", tmp_path / "extra.yaml"], Scale())

    assert ["q0", "q1", "q2", "q3"] == [query.id for query in loaded.golden.queries]


def test_the_scale_decides_which_grades_there_are(tmp_path: Path) -> None:
    """From its lowest to its highest."""
    scale = Scale(lowest=1, highest=10, relevant_from=5)

    (query,) = only(tmp_path, entry(judgments="{a: 1, b: 10}"), scale).queries

    assert ({"a": 1, "b": 10}, scale) == (query.judgments, only(tmp_path, entry(judgments="{a: 5}"), scale).scale)


def test_a_pin_takes_what_counts_as_relevant_from_the_scale(tmp_path: Path) -> None:
    """As any measure does."""
    (query,) = only(tmp_path, entry("must: {P@1: 1}"), Scale(relevant_from=2)).queries

    assert {Measure("P", 1, 2): 1.0} == query.must


@pytest.mark.parametrize(
    ("written", "first", "before"),
    [
        pytest.param("first: 07", ("07",), (), id="one document"),
        pytest.param("first: [07]", ("07",), (), id="a list of one"),
        pytest.param("before: [d1, no]", (), (("d1", "no"),), id="one pair"),
        pytest.param("before: [[d1, no]]", (), (("d1", "no"),), id="a list of one pair"),
        pytest.param("before: [[a, b], [c, d]]", (), (("a", "b"), ("c", "d")), id="two pairs"),
        pytest.param("before: [[a, b], [b, c], [a, c]]", (), (("a", "b"), ("b", "c"), ("a", "c")), id="a chain"),
    ],
)
def test_pins_of_order_may_be_written_short(
    written: str, first: tuple[str, ...], before: tuple[tuple[str, str], ...], tmp_path: Path
) -> None:
    """One needs no list around it; ids stay as they were written."""
    (query,) = only(tmp_path, entry(written)).queries

    assert (first, before) == (query.first, query.before)


def test_params_become_slices_where_the_set_is_sliced_by_them(tmp_path: Path) -> None:
    """A slice for each value, beside the others; a query without the param is in none."""
    folder = write(
        tmp_path,
        q="""\
slice: head
queries:
  - {id: a, text: a, judgments: {d: 1}, params: {locale: de, shop: 07, other: x}}
  - {id: b, text: b, judgments: {d: 1}, params: {locale: "no", shop: 7.5, tags: [x]}, tags: [locale=no]}
  - {id: c, text: c, judgments: {d: 1}, params: {shop: true}}
  - {id: d, text: d, judgments: {d: 1}, params: {shop: "", locale: null}}
  - {id: e, text: e, judgments: {d: 1}}
""",
    )

    golden = load([folder], Scale(), ("locale", "shop")).golden

    assert {
        "a": ("head", "locale=de", "shop=7"),
        "b": ("head", "locale=no", "shop=7.5"),
        "c": ("head", "shop=true"),
        "d": ("head", "locale=null", "shop="),
        "e": ("head",),
    } == {query.id: query.slices for query in golden.queries}
    assert ("head", "locale=no") == load([folder], Scale()).golden.queries[1].slices


def test_a_set_cannot_be_sliced_by_a_list_or_mapping(tmp_path: Path) -> None:
    """It would have no name that anybody could write."""
    folder = write(tmp_path, q=entry("params: {locale: [de, at], shop: {id: 1}}"))

    with pytest.raises(GoldenFileError) as caught:
        load([folder], Scale(), ("locale", "shop"))
    assert [
        f"{folder}/q.yaml:5:20: query 'q1': slice_by needs a text, a number, true or false, found a list",
        f"{folder}/q.yaml:5:36: query 'q1': slice_by needs a text, a number, true or false, found a mapping",
    ] == [str(problem) for problem in caught.value.problems]


# What is wrong with a file.


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        pytest.param("", ["1:1: expected a mapping with the key 'queries', found nothing"], id="empty"),
        pytest.param("# x\n", ["1:1: expected a mapping with the key 'queries', found nothing"], id="a comment only"),
        pytest.param(
            "- id: q1\n", ["1:1: expected a mapping with the key 'queries', found a list"], id="a list of queries"
        ),
        pytest.param("text", ["1:1: expected a mapping with the key 'queries', found a text"], id="a text"),
        pytest.param(
            "slice: a\n",
            ["1:1: the key 'queries' is missing from the mapping that starts here"],
            id="no queries",
        ),
        pytest.param("queries: []\n", ["1:10: queries: needs 1 or more entries, has 0"], id="a list of no queries"),
        pytest.param("queries:\n", ["1:9: queries: expected a list, found nothing"], id="queries left empty"),
        pytest.param(
            "queries:\n- text: x\n  judgements: {d1: 3}\n",
            [
                "2:3: queries[0]: the key 'id' is missing from the mapping that starts here",
                "3:3: queries[0]: unknown key 'judgements'; did you mean 'judgments'?",
            ],
            id="no id, and a key misspelt",
        ),
        pytest.param(
            entry(judgments="{d1: 0.9}"),
            ["4:19: queries[0].judgments.d1: expected a whole number, found '0.9'"],
            id="M23 a fraction",
        ),
        pytest.param(
            entry(judgments="{d1: '3'}"),
            ["4:19: queries[0].judgments.d1: expected a whole number without quotes, found '3'"],
            id="a grade in quotes",
        ),
        pytest.param(
            entry(judgments="{'': 3}"),
            ["4:19: queries[0].judgments['']: the document id must not be empty"],
            id="G07 an empty document id",
        ),
        pytest.param(
            entry(judgments="{d1: 3, d2: 1, d1: 0}"),
            ["4:29: the key 'd1' is given twice, first in line 4; remove one of them"],
            id="G08 a document twice",
        ),
        pytest.param(
            "queries:\n- id: q1\n  text: #5 gloves\n  judgments: {d1: 3}\n",
            ["3:8: queries[0].text: must not be empty"],
            id="G13 only a comment",
        ),
        pytest.param("[" * 2000, ["1:1001: nested too deeply: more than 100 levels"], id="G10 deep nesting"),
        pytest.param(
            b"queries:\n- text: cr\xe8me\n",
            ["2:11: byte 0xE8 at offset 19 is not UTF-8; save the file as UTF-8"],
            id="G15 Latin-1",
        ),
        pytest.param(
            entry(judgments="[{id: d1, grade: 3}, {id: d1, grade: 3}]"),
            ["4:14: queries[0].judgments: expected a mapping of document ids to grades, found a list"],
            id="G17 a list of judgments",
        ),
        pytest.param(
            entry("expects: something"),
            ["5:12: queries[0].expects: expected 'nothing', found 'something'"],
            id="expects",
        ),
        pytest.param(
            entry("never: {ids: []}"),
            ["5:16: queries[0].never.ids: needs 1 or more entries, has 0"],
            id="never nothing",
        ),
        pytest.param(
            entry("never: {ids: [a], within: 0}"),
            ["5:29: queries[0].never.within: expected at least 1, found '0'"],
            id="never within 0",
        ),
        pytest.param(entry("slice: ''"), ["5:10: queries[0].slice: must not be empty"], id="an empty slice"),
        pytest.param(
            entry("first: []"), ["5:10: queries[0].first: needs 1 or more entries, has 0"], id="first of none"
        ),
        pytest.param(entry("first: ''"), ["5:10: queries[0].first: must not be empty"], id="first of no id"),
        pytest.param(entry("first: [a, '']"), ["5:14: queries[0].first[1]: must not be empty"], id="an empty id first"),
        pytest.param(entry("before: [a, '']"), ["5:15: queries[0].before[1]: must not be empty"], id="before no id"),
        pytest.param(
            entry("before: [[a, b], ['', c]]"), ["5:21: queries[0].before[1][0]: must not be empty"], id="no id before"
        ),
        *(
            pytest.param(
                entry(f"before: {written}"),
                [f"5:11: queries[0].before: expected a pair such as [A, B], or a list of pairs, found {found}"],
                id=f"before {written}",
            )
            for written, found in (
                ("x", "'x'"),
                ("[]", "a list"),
                ("[a]", "a list"),
                ("[a, b, c]", "a list"),
                ("[[a, b], c]", "a list"),
                ("[[a, b], [c]]", "a list"),
                ("{a: b}", "a mapping"),
            )
        ),
        pytest.param(
            entry("known_failure:"), ["5:17: queries[0].known_failure: must not be empty"], id="a failure for no reason"
        ),
        pytest.param(
            entry("judged: 2026-02-29"),
            ["5:11: queries[0].judged: expected a date such as 2026-10-01, found '2026-02-29'"],
            id="a day that the calendar lacks",
        ),
        pytest.param(
            "judged: 20261001\n" + entry(),
            ["1:9: judged: expected a date such as 2026-10-01, found '20261001'"],
            id="a number for a day",
        ),
    ],
)
def test_a_file_of_the_wrong_shape_is_refused_with_its_place(
    content: str | bytes, problems: list[str], tmp_path: Path
) -> None:
    """Line and column of each mistake."""
    assert problems == wrong(tmp_path, content)


NOTHING_RELEVANT: Final = (
    "query 'q1': no judgment is relevant (grade 1 or more), so nothing can be measured; "
    "judge the right document, or say 'expects: nothing' if an empty answer is right"
)


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        pytest.param(
            entry(judgments="{d1: 4, d2: -1, d3: 3}"),
            [
                "4:19: query 'q1': grade of 'd1' must be from 0 to 3, found 4",
                "4:26: query 'q1': grade of 'd2' must be from 0 to 3, found -1",
            ],
            id="M08 grades outside the scale",
        ),
        pytest.param(entry(judgments="{d1: 0, d2: 0}"), [f"4:14: {NOTHING_RELEVANT}"], id="M09 nothing relevant"),
        pytest.param(entry(judgments="{}"), [f"4:14: {NOTHING_RELEVANT}"], id="no judgments"),
        pytest.param("queries:\n- {id: q1, text: x}\n", [f"2:3: {NOTHING_RELEVANT}"], id="judgments left out"),
        pytest.param(
            entry("expects: nothing"),
            ["5:12: query 'q1': it expects nothing and has a relevant judgment; one of the two is wrong"],
            id="expects nothing, and finds",
        ),
        pytest.param(
            entry("expects: nothing\n  must: {P@1: 1}", judgments="{d1: 0}"),
            ["6:9: query 'q1': it expects nothing, so it can have no 'must'"],
            id="expects nothing, and must",
        ),
        pytest.param(
            entry("must: {P@1: 1.5, nDGC@10: 1, ZeroResults: -1}"),
            [
                "5:15: P@1 runs from 0 to 1, found 1.5",
                "5:20: unknown measure 'nDGC@10'; did you mean 'nDCG'?",
                "5:45: ZeroResults runs from 0 to 1, found -1",
            ],
            id="pins out of range, and of no measure",
        ),
        pytest.param(
            entry("must: {NumRet: -5}"), ["5:18: NumRet is 0 or more, found -5"], id="a count has no upper end"
        ),
        pytest.param(
            entry("must: {P@1: 1, precision@1: 0.5}"),
            ["5:18: 'precision@1' repeats a measure of 'must'"],
            id="a measure pinned twice",
        ),
        pytest.param(
            entry("never: [d2, d1]"),
            ["5:10: query 'q1': document 'd1' is judged relevant and may never be shown"],
            id="never the right one",
        ),
        pytest.param(
            entry("expects: nothing\n  first: a\n  before: [a, b]", judgments="{d1: 0}"),
            [
                "6:10: query 'q1': it expects nothing, so it can have no 'first'",
                "7:11: query 'q1': it expects nothing, so it can have no 'before'",
            ],
            id="expects nothing, and an order",
        ),
        pytest.param(
            entry("first: [d1, d2, d1, d3]\n  never: [d3]", judgments="{d1: 3, d2: 0}"),
            [
                "5:10: query 'q1': document 'd1' is given twice",
                "5:10: query 'q1': document 'd2' must be first and is judged not relevant (grade 0)",
                "5:10: query 'q1': document 'd3' must be first and may never be shown",
            ],
            id="first what may not be",
        ),
        pytest.param(
            entry("before: [d1, d1]"), ["5:11: query 'q1': document 'd1' cannot be before itself"], id="before itself"
        ),
        pytest.param(
            entry("before: [[d1, d2], [d1, d3], [d1, d2]]"),
            ["5:11: query 'q1': the pair 'd1' before 'd2' is given twice"],
            id="a pair twice",
        ),
        pytest.param(
            entry("before: [[d1, d2], [d2, d1]]"),
            ["5:11: query 'q1': no order is right: 'd1' before 'd2' before 'd1'"],
            id="each before the other",
        ),
        pytest.param(
            entry("before: [[d1, d2], [d2, d3], [d3, d1]]"),
            ["5:11: query 'q1': no order is right: 'd1' before 'd2' before 'd3' before 'd1'"],
            id="in a circle",
        ),
        pytest.param(
            entry("first: d1\n  before: [d2, d1]"),
            ["6:11: query 'q1': document 'd1' must be first, and 'd2' before it"],
            id="first, and after another",
        ),
        pytest.param(
            entry("known_failure: ticket 7"),
            [
                (
                    "5:18: query 'q1': known_failure lets the pins of a query fail, and it has none; "
                    "expected must, never, first or before"
                )
            ],
            id="a known failure of nothing",
        ),
        pytest.param(
            entry("slice: all"),
            ["2:3: query 'q1': the slice 'all' always holds every query and cannot be given"],
            id="the slice of all",
        ),
    ],
)
def test_a_query_that_contradicts_itself_is_refused_with_its_place(
    content: str, problems: list[str], tmp_path: Path
) -> None:
    """The shape is right and the meaning is not."""
    assert problems == wrong(tmp_path, content)


def test_what_is_relevant_comes_from_the_scale(tmp_path: Path) -> None:
    """Grade 1 is not enough where relevance begins at 2; a pin against it is then no contradiction."""
    scale = Scale(relevant_from=2)

    assert [f"4:14: {NOTHING_RELEVANT.replace('grade 1', 'grade 2')}"] == wrong(
        tmp_path, entry("never: [d1]", judgments="{d1: 1}"), scale
    )


def test_an_alias_bomb_is_refused_at_once(tmp_path: Path) -> None:
    """A few hundred bytes that stand for gigabytes (G09)."""
    names = "abcdefghi"
    lines = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    lines += [f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]" for before, name in pairwise(names)]

    (problem,) = wrong(tmp_path, "\n".join(lines))

    assert problem.endswith("the aliases up to here stand for more than 1,000,000 values; use fewer")


def test_a_query_id_is_given_once_in_the_whole_set(tmp_path: Path) -> None:
    """Across files and within one, with the first place."""
    folder = write(tmp_path, a=entry(), b=entry() + "- id: q1\n  text: x\n  judgments: {d1: 3}\n")

    assert [
        f"b.yaml:2:3: query id 'q1' is given twice, first at {folder}/a.yaml:2:3",
        f"b.yaml:6:3: query id 'q1' is given twice, first at {folder}/a.yaml:2:3",
    ] == refusal(folder)


def test_every_mistake_of_every_file_is_named_in_one_go(tmp_path: Path) -> None:
    """In the order of the files and within each in the order of the lines, whatever found them."""
    folder = write(
        tmp_path,
        a=entry() + "- {id: q9, text: x, judgments: {d1: 0}}\n",
        b="queries: [",
        c=entry("must: {P: 1}", judgments="{d1: 4}") + "- {id: q2, text: x, judgments: {d1: 1}, never: [d1]}\n",
        d="queries:\n- id: q3\n  text: x\n  judgments: {d1: one}\n  slcie: x\n",
        e=entry().replace("q1", "q2"),
    )

    assert [
        "a.yaml:6:32: query 'q9': " + NOTHING_RELEVANT.removeprefix("query 'q1': "),
        "b.yaml:1:11: the file ends in the middle of a list or mapping",
        f"c.yaml:2:3: query id 'q1' is given twice, first at {folder}/a.yaml:2:3",
        "c.yaml:4:19: query 'q1': grade of 'd1' must be from 0 to 3, found 4",
        "c.yaml:5:10: measure 'P' needs a cutoff, for example P@10",
        "c.yaml:6:48: query 'q2': document 'd1' is judged relevant and may never be shown",
        "d.yaml:4:19: queries[0].judgments.d1: expected a whole number, found 'one'",
        "d.yaml:5:3: queries[0]: unknown key 'slcie'; did you mean 'slice'?",
        f"e.yaml:2:3: query id 'q2' is given twice, first at {folder}/c.yaml:6:3",
    ] == refusal(folder)


def test_a_folder_without_queries_and_a_file_that_is_not_there_are_refused(tmp_path: Path) -> None:
    """Both, and together with the mistakes of what is there (G19)."""
    (tmp_path / "empty").mkdir()
    folder = write(tmp_path, bad=entry(judgments="{d1: 0}"))

    assert [
        "empty: the folder holds no golden queries; expected .yaml files",
        "missing.yaml: there is no such file",
        f"bad.yaml:4:14: {NOTHING_RELEVANT}",
    ] == refusal(folder, paths=[folder / "empty", folder / "missing.yaml", folder / "bad.yaml"])


# What is odd and not wrong.


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(entry(), [], id="nothing odd"),
        pytest.param(
            entry().replace("red shoes", "c #tutorial"),
            ["3:9: only 'c' is left of the text: '#tutorial' is a comment; put the text in quotes to keep it"],
            id="G13 a text cut short",
        ),
        pytest.param(
            entry(judgments='{"caf\\u00e9": 3, "cafe\\u0301": 0, "\\u00fcber": 1, plain: 1}'),
            [
                (
                    "2:3: query 'q1' judges 'caf\\xe9' and 'cafe\\u0301', which differ only in Unicode normalisation "
                    "and are two documents here"
                )
            ],
            id="G16 two spellings of one id",
        ),
        pytest.param(
            entry() + "- {id: q0, text: red shoes, judgments: {d2: 1}}\n",
            ["2:3: query 'q1' asks the same as 'q0': it counts twice in every mean"],
            id="one text asked twice",
        ),
        pytest.param(
            entry("params: {locale: en}") + "- {id: q0, text: red shoes, judgments: {d2: 1}, params: {locale: de}}\n",
            [],
            id="one text, other params",
        ),
        pytest.param(
            entry("first: [d1, d9]"),
            ["2:3: query 'q1': document 'd9' must be first and has no judgment, so it counts as not relevant"],
            id="first, and not judged",
        ),
        pytest.param(
            entry("before: [[d2, d1], [d3, d2]]", judgments="{d1: 3, d2: 1}"),
            [
                "2:3: query 'q1': 'd2' (grade 1) must be before 'd1' (grade 3), which is judged better",
                "2:3: query 'q1': 'd3' (grade 0) must be before 'd2' (grade 1), which is judged better",
            ],
            id="before what is judged better",
        ),
    ],
)
def test_what_is_odd_is_a_warning(content: str, expected: list[str], tmp_path: Path) -> None:
    """It loads."""
    assert expected == warnings(tmp_path, content)


def test_a_problem_is_told_without_a_place_as_well() -> None:
    """Queries may come from elsewhere."""
    assert [Problem("odd"), Problem("odd", "q.yaml", 3, 5)] == [
        problem_at(place, "odd") for place in (None, Place("q.yaml", 3, 5))
    ]


def test_a_folder_that_cannot_be_read_is_not_called_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cause is named; root may read anything, so the answer of the system is stood in for."""
    monkeypatch.setattr("os.access", lambda path, mode: False)

    with pytest.raises(GoldenFileError, match="the folder cannot be read: permission denied"):
        load([tmp_path], Scale())
