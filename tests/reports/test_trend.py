"""The trend as text, JSON and a page: the same series, marks and sentences in each."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from rankgate.core.trend import Key, Point, Series, Trend, Value, gated, trend
from rankgate.reports import queries, trend_json, trend_page, trend_words
from rankgate.reports import trend as page
from rankgate.reports.visible import columns
from tests.reports.conftest import HOSTILE
from tests.reports.pages import Element, read, shared_names

NDCG: Key = ("nDCG(dcg='exp-log2')@10", "all")
ZERO: Key = ("ZeroResults", "all")
JARGON: Key = ("nDCG(dcg='exp-log2')@10", "jargon")
LIMITS = {"max_drop": 0.015}


def point(week: int, values: Mapping[Key, float | None], **more: Any) -> Point:
    """A run on a Monday of autumn."""
    day = f"2026-{10 + (4 + 7 * week) // 31:02d}-{(4 + 7 * week) % 31 + 1:02d}"
    broken = more.pop("broken", ())
    limits = more.pop("limits", LIMITS)
    known: dict[str, Any] = {"verdict": "pass", "judgments": "j", "baseline": "b", "queries": 100, "measured": 100}
    return Point(
        values={key: Value(now, 0.8, 100, limits, broken) for key, now in values.items()},
        label=f"c{week}",
        at=f"{day}T06:00:00+00:00",
        seconds=week * 7 * 86400.0,
        **(known | more),
    )


FALLING = [0.8 - 0.004 * week for week in range(6)]

#: Six weeks of a measure that creeps, one that does not, and all that can change around them.
POINTS = [
    point(0, {NDCG: FALLING[0], ZERO: 0.0}, fingerprint="v1"),
    point(1, {NDCG: FALLING[1], ZERO: 0.01}, fingerprint="v1"),
    point(2, {NDCG: FALLING[2], ZERO: None}, fingerprint="v1", measured=98),
    point(3, {NDCG: FALLING[3], ZERO: 0.0}, fingerprint="v2"),
    point(4, {NDCG: FALLING[4], ZERO: 0.0}, fingerprint="v2", baseline="c", request="r"),
    point(5, {NDCG: FALLING[5], ZERO: 0.01}, fingerprint="v2", baseline="c", request="s", verdict="warn"),
]


def over(points: Sequence[Point], **more: Any) -> Trend:
    """The trend of what is gated."""
    return trend(points, gated(points), **more)


def text(points: Sequence[Point], width: int = 80, **more: Any) -> list[str]:
    """The lines of the page for a terminal."""
    return page.render(over(points), width=width, color=False, **more).splitlines()


def sentence(points: Sequence[Point]) -> str | None:
    """What is said of the drift of the first series."""
    found = over(points)
    return trend_words.statement(found, found.series[0], trend_words.labels(found))


def test_the_text_says_what_drifts_and_what_changed_when() -> None:
    """At 80 columns: the statement, a sparkline a series with the marks below, the runs with what they brought."""
    assert [
        "Trend: 6 runs from 2026-10-05 to 2026-11-09",
        "as recorded by check --history",
        "1 of 2 series drifts in the wrong direction",
        "  nDCG@10 fell in 5 of the last 5 runs, by 0.0200 since 2026-10-05, 0.0040 a",
        "  week; no single run broke its limit of 0.0150; 1 other baseline was accepted",
        "  meanwhile",
        "",
        "measure                                 now  change   since    low   high trend",
        "-" * 80,
        "nDCG@10                              0.7800 -0.0040 -0.0200 0.7800 0.8000 █▇▅▄▂▁",
        "ZeroResults                          0.0100 +0.0100 +0.0100 0.0000 0.0100 ▁█ ▁▁█",
        "changes                                                                      ibr",
        "change: against the run before; since, low, high: of all runs since the golden",
        "set changed",
        "i other index, b another baseline accepted, r request changed",
        "drift: a change in the wrong direction as steady as chance alone brings to fewer",
        "than 1 in 20 flat series (Mann-Kendall), over the last 12 runs since the golden",
        "set changed; each series is tested by itself",
        "",
        "run              verdict queries label what changed",
        "-" * 80,
        "2026-11-09 06:00 WARN        100 c5    the request changed; ZeroResults +0.0100,",
        "                                       nDCG@10 -0.0040",
        "2026-11-02 06:00 PASS        100 c4    another baseline was accepted",
        "2026-10-26 06:00 PASS        100 c3    other index: the fingerprint was 'v1' and",
        "                                       is 'v2'; ZeroResults -0.0100, nDCG@10",
        "                                       -0.0040",
        "2026-10-19 06:00 PASS     98/100 c2",
        "2026-10-12 06:00 PASS        100 c1",
        "2026-10-05 06:00 PASS        100 c0",
    ] == text(POINTS)


def test_where_only_ascii_can_be_printed_the_sparklines_are() -> None:
    """Five levels that any code page has; the rest of the page is ASCII anyway."""
    lines = text(POINTS, ascii_only=True)

    assert "\n".join(lines).isascii()
    assert ["#=--._", "_# __#"] == [line[-6:] for line in lines[9:11]]


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    """However many runs there are; a sparkline has the last of them."""
    points = [point(week % 12, {NDCG: week / 100, JARGON: None}) for week in range(70)]
    lines = text(points, width)

    assert width >= max(map(columns, lines))
    assert [f"last {min(max(width - 59, 8), 40)}"] == re.findall(r"high (last \d+)", "\n".join(lines))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.0, 0.5, 1.0], "▁▅█"),
        ([0.3, 0.3], "▅▅"),
        ([0.3, 0.3 + 1e-12], "▅▅"),
        ([None, 0.3], " ▅"),
        ([None], " "),
        ([], ""),
    ],
)
def test_a_sparkline_has_the_range_of_its_own_values(values: list[float | None], expected: str) -> None:
    """A flat one is in the middle, and what is not known is a gap."""
    assert expected == page.sparkline(values, page.UNICODE)


@pytest.mark.parametrize(
    ("change", "higher", "expected"),
    [(0.1, True, "better"), (0.1, False, "worse"), (-0.1, False, "better"), (1e-12, True, "same"), (None, True, None)],
)
def test_a_change_has_a_direction(change: float | None, higher: bool, expected: str | None) -> None:
    """By the measure's own."""
    series = Series("P@1", "all", higher, (0.5,), (None,), (False,), 0, (), {}, None)

    assert expected == queries.trend(series, change)


def broken(*weeks: int) -> list[Point]:
    """A creeping measure that broke its limit in these weeks."""
    return [
        point(week, {NDCG: value}, broken=("max_drop",) if week in weeks else ()) for week, value in enumerate(FALLING)
    ]


FACT = "nDCG@10 fell in 5 of the last 5 runs, by 0.0200 since 2026-10-05, 0.0040 a week"


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        pytest.param(broken(), f"{FACT}; no single run broke its limit of 0.0150", id="unseen by the gate"),
        pytest.param(broken(2, 4), f"{FACT}; 2 of these 6 runs broke a rule on it", id="seen by it"),
        pytest.param(
            [point(week, {NDCG: value}, limits={"floor": 0.5}) for week, value in enumerate(FALLING)],
            FACT,
            id="without a limit on changes nothing is said of one",
        ),
        pytest.param(
            [point(week, {NDCG: value}, verdict="") for week, value in enumerate(FALLING)],
            FACT,
            id="nor of runs that were not judged",
        ),
        pytest.param(
            [point(week, {NDCG: value}, limits={"max_drop": week / 10}) for week, value in enumerate(FALLING)],
            f"{FACT}; no single run broke its limit",
            id="a limit that changed",
        ),
        pytest.param(
            [point(week, {ZERO: value}) for week, value in enumerate([0.0, 0.01, 0.01, 0.02, 0.03, 0.04])],
            "ZeroResults rose in 4 of the last 5 runs, by 0.0400 since 2026-10-05, 0.0077 a week; "
            "no single run broke its limit of 0.0150",
            id="lower is better",
        ),
        pytest.param(
            [point(week, {NDCG: value}) for week, value in enumerate([*FALLING[:3], None, *FALLING[3:]])],
            "nDCG@10 fell in 5 of the last 5 measured runs, by 0.0200 since 2026-10-05, 0.0031 a week; "
            "no single run broke its limit of 0.0150",
            id="a gap",
        ),
        pytest.param(
            [replace(each, seconds=0.0) for each in broken()],
            f"{FACT.partition(', 0.0040')[0]}; no single run broke its limit of 0.0150",
            id="all of one moment",
        ),
        pytest.param(broken()[:4], None, id="too few to tell"),
        pytest.param([point(week, {NDCG: 0.8}) for week in range(6)], None, id="flat"),
    ],
)
def test_the_statement_says_only_what_was_computed(points: list[Point], expected: str | None) -> None:
    """How often, by how much, since when, and whether any run was stopped by a limit."""
    assert expected == sentence(points)


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        pytest.param(POINTS, "1 of 2 series drifts in the wrong direction", id="one"),
        pytest.param(
            [point(week, {NDCG: value, JARGON: value}) for week, value in enumerate(FALLING)],
            "2 of 2 series drift in the wrong direction",
            id="both",
        ),
        pytest.param(
            POINTS[:3], "no series has the 5 comparable runs that it takes to tell a drift from chance", id="too few"
        ),
        pytest.param(
            [point(week, {NDCG: 0.8, **({JARGON: 0.5} if week else {})}) for week in range(5)],
            "no drift found in 1 series; 1 with fewer than 5 comparable runs not tested",
            id="none found",
        ),
    ],
)
def test_the_headline_says_what_was_tested(points: list[Point], expected: str) -> None:
    """That no drift was found is not said of what could not be tested."""
    assert expected == trend_words.headline(over(points))


def test_saved_runs_are_named_by_their_files() -> None:
    """And the page says that all were scored anew, over which queries."""
    points = [
        Point({NDCG: Value(0.5, None, 9)}, label=f"run{number}.jsonl", queries=9, measured=9) for number in (1, 2)
    ]
    found = trend(points, [NDCG])
    shared = Trend(found.points, found.series, found.marks, rescored=True, shared=9, queries=10)
    lines = page.render(shared, width=100, color=False).splitlines()

    assert [
        "Trend: 2 runs",
        "saved runs, scored and judged anew with today's judgments over the 9 of 10 queries that every run",
        "answered",
    ] == lines[:3]
    assert ["run2.jsonl -             9", "run1.jsonl -             9"] == lines[-2:]


def test_saved_runs_of_the_whole_set_leave_no_query_out() -> None:
    """Then nothing is said of how many."""
    whole = replace(over(POINTS), rescored=True, shared=100, queries=100)

    assert "saved runs, scored and judged anew with today's judgments" == trend_words.origin(whole)


def test_a_run_that_broke_a_rule_says_on_what() -> None:
    """In its row, and with a mark below the sparklines."""
    points = [point(0, {NDCG: 0.8}), point(1, {NDCG: 0.7}, verdict="fail", broken=("max_drop",), judgments="k")]
    lines = text(points)

    (sparks,), (failed,) = ([line for line in lines if line.startswith(name)] for name in ("nDCG@10", "failed"))
    assert (["failed", "x"], len(sparks)) == (failed.split(), len(failed))
    said = " ".join("\n".join(lines).split())
    assert (
        "2026-10-12 06:00 FAIL 100 c1 the golden set changed: what comes before is not comparable; "
        "broke a rule on nDCG@10"
    ) in said


def test_series_that_would_share_a_name_have_it_in_full() -> None:
    """Two gains of one measure."""
    keys: list[Key] = [NDCG, ("nDCG(dcg='log2')@10", "all"), JARGON]
    found = trend([Point(dict.fromkeys(keys, Value(0.5)))], keys)

    assert [NDCG[0], "nDCG(dcg='log2')@10", "nDCG@10 jargon"] == list(trend_words.labels(found).values())


def test_the_json_has_everything() -> None:
    """Unrounded, null for what is not known, sorted, one line break at its end."""
    document = trend_json.render(over(POINTS))
    found = json.loads(document)
    ndcg, zero = found["series"]

    assert document == json.dumps(found, indent=2, sort_keys=True) + "\n"
    assert (1, "rankgate", False, 0) == (found["format"], found["tool"], found["rescored"], found["left_out"])
    assert [[], [], [], ["index"], ["baseline"], ["request"]] == [
        [mark["kind"] for mark in run["marks"]] for run in found["runs"]
    ]
    assert FALLING == ndcg["values"]
    assert [0.0, 0.01, None, 0.0, 0.0, 0.01] == zero["values"]
    assert (LIMITS, [0.8] * 6, 0.01) == (ndcg["limits"], ndcg["baselines"], zero["change"])
    assert {"change", "falls", "p", "rises", "since", "slope", "values", "weekly", "worse"} == set(ndcg["drift"])
    assert (sentence(POINTS), None) == (ndcg["statement"], zero["statement"])


DOCUMENT = trend_page.render(over(POINTS))


def points_of(document: str) -> list[Element]:
    """The points of all charts."""
    return [link for link in read(document).all("a") if "trend-point" in link.attributes.get("class", "")]


def test_the_policy_of_the_page_allows_its_own_style_and_nothing_else() -> None:
    """By the hash of what stands there; there is no script."""
    (style,) = re.findall(r"<style>(.*?)</style>", DOCUMENT, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    metas = [meta.attributes for meta in read(DOCUMENT).all("meta")]

    assert [f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"] == [
        meta["content"] for meta in metas if meta.get("http-equiv") == "Content-Security-Policy"
    ]


def test_the_page_refers_to_nothing_outside_of_it() -> None:
    """No address, no script, no style in an attribute, no listener; links lead to ids that are there."""
    elements = read(DOCUMENT).all()
    attributes = [pair for element in elements for pair in element.attributes.items()]
    ids = {f"#{value}" for name, value in attributes if name == "id"}

    assert not {"script", "link", "img", "iframe", "object", "form", "base"} & {element.tag for element in elements}
    assert [] == [name for name, _ in attributes if name in {"src", "style", "action"} or name.startswith("on")]
    assert {value for name, value in attributes if name == "href"} <= ids
    assert not re.search(r"(?:https?:)?//|url\(|@import", DOCUMENT)


def test_every_known_value_is_a_point_that_the_keyboard_reaches() -> None:
    """A link to the row of its run, which says what it is."""
    points = [point.attributes for point in points_of(DOCUMENT)]

    assert 2 == len(read(DOCUMENT).all("svg"))
    assert [f"#run-{number}" for number in (1, 2, 3, 4, 5, 6, 1, 2, 4, 5, 6)] == [point["href"] for point in points]
    assert "2026-10-12 06:00: 0.7960 (-0.0040)" == points[1]["aria-label"]


def test_the_page_says_what_the_text_says() -> None:
    """The statement, every value in a table beside the charts, every mark."""
    (main,) = read(DOCUMENT).all("main")
    rows = [[cell.text for cell in row.children] for row in main.all("tr") if row.attributes.get("id")]

    assert str(sentence(POINTS)) in main.text
    assert [f"{value:.4f}" for value in reversed(FALLING)] == [row[3] for row in rows]
    assert ["2026-10-19 06:00c2", "PASS", "98/100", "0.7920", "-", ""] == [*rows[3]]
    assert "another baseline was accepted" == rows[1][-1]


def test_a_line_is_broken_where_its_values_are_not_comparable_or_not_known() -> None:
    """And what was accepted goes in steps."""
    values = [0.8, 0.7, 0.6, None, 0.5]
    points = [point(week, {NDCG: value}, judgments="jjkkk"[week]) for week, value in enumerate(values)]
    paths = [path.attributes for path in read(trend_page.render(over(points))).all("path")]
    commands = [(path["class"], re.sub(r"[\d. ]+", "", path["d"])) for path in paths]

    assert [
        ("trend-accepted", "MHV"),
        ("trend-accepted", "MHVHV"),
        ("trend-line", "ML"),
        ("trend-line", "M"),
        ("trend-line", "M"),
    ] == commands


def test_a_broken_rule_has_a_shape_of_its_own() -> None:
    """Nobody needs to tell colours apart."""
    points = points_of(trend_page.render(over(broken(2))))

    assert [None, None, "2026-10-19 06:00: 0.7920 (-0.0040), broke a rule", None, None, None] == [
        point.attributes["aria-label"] if point.all("path") else None for point in points
    ]


@pytest.mark.parametrize("number", [1, 2, 200])
def test_any_number_of_runs_has_a_page(number: int) -> None:
    """One run is a point in the middle; a series of no value is an empty chart."""
    points = [point(week % 12, {NDCG: week / 1000, ZERO: None}) for week in range(number)]

    assert number == len(points_of(trend_page.render(over(points))))


@pytest.mark.parametrize("hostile", [text for texts in HOSTILE for text in texts])
def test_hostile_labels_are_inert_in_every_form(hostile: str) -> None:
    """They come from anywhere; no markup, no escape code, no command to a runner."""
    key = ("P@1", hostile)
    points = [
        Point({key: Value(0.5)}, label=hostile, at="2026-10-05T06:00:00+00:00", seconds=0.0, fingerprint="v1"),
        Point({key: Value(0.4)}, label=hostile, verdict=hostile, fingerprint=hostile),
    ]
    found = trend(points, [key])
    document, shown = trend_page.render(found), page.render(found, width=80, color=False)

    assert not {"script", "img", "details"} & {element.tag for element in read(document).all()}
    assert 1 == len(read(document).all("h1"))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029]", document + shown)
    assert not re.search(r"^\s*::|##\[", shown, re.MULTILINE)
    assert hostile == json.loads(trend_json.render(found))["runs"][0]["label"]


def test_no_two_regions_of_the_page_share_a_name() -> None:
    """Whoever jumps from one to the next by its name finds each."""
    assert [] == shared_names(DOCUMENT)
