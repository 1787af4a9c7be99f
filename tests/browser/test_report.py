"""The HTML report in a real browser: every control, by pointer and by keyboard, in every outcome, on every size of screen."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import pytest

from rankgate.reports.visible import visible
from tests.browser.conftest import TRENDS, Visits
from tests.reports.conftest import HOSTILE
from tests.reports.pages import HOSTILE_TITLE, LARGE_IDS

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

#: One of each kind of page, and those that are hardest on it.
NAMES = (
    "fail",
    "fail big",
    "fail hostile",
    "fail with failures",
    "inconclusive, nothing measured",
    "partial, would fail",
    "pass",
    "pass without baseline",
    "titled",
    "warn drop",
)
PHONE = 360


def ids(page: "Page") -> list[str]:
    """The queries of the list, in its order."""
    found: list[str] = page.locator("#list tbody th code").all_inner_texts()
    return found


def focused(page: "Page") -> str:
    """What has the focus, in a few words."""
    found: str = page.evaluate(
        "(() => { const e = document.activeElement;"
        " return e.id || e.getAttribute('aria-label') || e.textContent.trim() || e.tagName; })()"
    )
    return found


def opened(page: "Page") -> "Locator":
    """The query that is open; an address opens one a moment after it was followed."""
    detail = page.locator("dialog[open]")
    detail.wait_for()
    return detail


def closed(page: "Page") -> None:
    """Wait until no query is open and the focus is back."""
    page.locator("#detail > *").wait_for(state="detached")


def escape(page: "Page") -> None:
    """Close the query that is open."""
    page.keyboard.press("Escape")
    closed(page)


def violations(page: "Page", axe: str) -> list[str]:
    """What axe-core finds, each with the elements that it found it in."""
    page.evaluate(axe)
    found: list[dict[str, Any]] = page.evaluate("axe.run().then(({ violations }) => violations)")
    return [f"{each['id']}: {[node['html'][:200] for node in each['nodes'][:3]]}" for each in found]


@pytest.mark.parametrize("width", [1280, PHONE])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_nothing(visit: Visits, axe: str, name: str, scheme: Literal["light", "dark"], width: int) -> None:
    """The page, and one of its queries: names, roles, order, contrast, what can be scrolled can be reached."""
    page = visit(name, width=width, scheme=scheme, bypass_csp=True)
    assert [] == violations(page, axe)
    page.locator("#list a.query-link").first.click()
    opened(page)
    assert [] == violations(page, axe)


@pytest.mark.parametrize("width", [1280, PHONE])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", TRENDS)
def test_axe_finds_nothing_in_a_trend(
    visit: Visits, axe: str, name: str, scheme: Literal["light", "dark"], width: int
) -> None:
    """The same of measures over time, where every point is a link."""
    page = visit(name, width=width, scheme=scheme, bypass_csp=True)
    assert [] == violations(page, axe)
    assert width >= page.evaluate("document.documentElement.scrollWidth")


def test_a_point_of_a_trend_leads_to_its_run(visit: Visits) -> None:
    """By pointer and by keyboard; it says what it is to whoever comes to it."""
    page = visit("trend")
    point = page.locator("a.trend-point").nth(1)
    point.focus()
    assert "2026-10-12 06:00: 0.7960 (-0.0040)" == focused(page)
    page.keyboard.press("Enter")
    assert page.url.endswith("#run-2")
    page.locator("a.trend-point .hit").nth(2).click()
    assert page.url.endswith("#run-3")


@pytest.mark.parametrize("name", NAMES)
def test_no_page_scrolls_sideways_on_a_phone(visit: Visits, name: str) -> None:
    """Tables scroll in boxes of their own; the open query too fits."""
    page = visit(name, width=PHONE)
    assert PHONE >= page.evaluate("document.documentElement.scrollWidth")
    page.locator("#list a.query-link").first.click()
    assert page.evaluate(
        "(() => { const d = document.getElementById('detail'); return d.scrollWidth <= d.clientWidth })()"
    )


@pytest.mark.parametrize("name", [name for name in NAMES if name != "fail big"])
def test_every_query_opens(visit: Visits, name: str) -> None:
    """One after the other, until the last has no next."""
    page = visit(name)
    expected = int(page.locator("#shown").inner_text().split()[0])
    page.locator("#list a.query-link").first.click()
    opened(page)
    seen = 1
    while page.get_by_role("button", name="Next query").is_enabled():
        page.get_by_role("button", name="Next query").click()
        seen += 1
    assert expected == seen
    assert page.get_by_role("button", name="Previous query").is_enabled() is (seen > 1)


def test_search_and_filters(visit: Visits) -> None:
    """They narrow the list together, say how many are left, and step the marks of the others back."""
    page = visit("fail")
    shown, search = page.locator("#shown"), page.locator("#search")
    assert "10 of 10 queries" == shown.inner_text()
    search.fill("BOLT")
    assert ["hex-bolt"] == ids(page)
    assert "1 of 10 queries" == shown.inner_text()
    assert page.locator("#bars .button").count() == page.locator("#bars .button.dim").count()
    search.fill("no such thing")
    assert "No query passes these filters." == page.locator("#list tbody").inner_text().strip()
    search.fill("")
    page.locator("#state").select_option("lost")
    assert ["gasket", "cracked-bracket"] == ids(page)
    page.locator("#slice").select_option(label="jargon")
    assert ["cracked-bracket"] == ids(page)
    page.get_by_role("button", name="Clear filters").click()
    assert 10 == len(ids(page))
    page.get_by_label("only changed").check()
    assert ["gasket", "cracked-bracket", "o-ring"] == ids(page)


def test_the_list_sorts_by_each_column(visit: Visits) -> None:
    """Up, down, and back to the order of the report; what has no value stays last."""
    page = visit("fail")
    page.locator("#measure").select_option(label="nDCG@10")
    report = ids(page)
    for name in ("query", "state", "baseline", "now", "change"):
        button = page.locator("#list thead").get_by_role("button", name=name)
        button.click()
        up = ids(page)
        assert "ascending" == page.locator("#list th[aria-sort]").get_attribute("aria-sort")
        button.click()
        down = ids(page)
        assert "descending" == page.locator("#list th[aria-sort]").get_attribute("aria-sort")
        assert up != down
        if name in {"baseline", "now", "change"}:
            # It expects nothing and has no value; what is new has none in the baseline.
            last = 1 if name == "now" else 2
            assert {"no-such", "zerk"} >= set(up[-last:]) == set(down[-last:])
        button.click()
        assert 0 == page.locator("#list th[aria-sort]").count()
        assert report == ids(page)
    page.locator("#list thead").get_by_role("button", name="query").click()
    assert sorted(report) == ids(page)


def test_the_measure_is_that_of_charts_and_list(visit: Visits) -> None:
    """At first that of the first broken rule."""
    page = visit("fail")
    assert "P@1: baseline against now" == page.locator("#scatter-caption").inner_text()
    page.locator("#measure").select_option(label="ZeroResults")
    assert "ZeroResults: baseline against now" == page.locator("#scatter-caption").inner_text()
    assert (
        "ZeroResults: change of each query (less is better, so up is less)"
        == page.locator("#bars-caption").inner_text()
    )
    gasket = page.locator("#list tbody tr", has_text="gasket")
    assert ["0", "1", "\u25bc +1.0000 worse"] == [
        text.replace("\n", " ") for text in gasket.locator("td.number").all_inner_texts()
    ]


def test_marks_open_a_query_or_list_many(visit: Visits) -> None:
    """A mark of one query opens it; a mark of several lists them; a bar is always one."""
    page = visit("fail")
    page.locator("#scatter .button", has_text="4").click()
    assert "4 of 10 queries, out of the 4 chosen in the chart" == page.locator("#shown").inner_text()
    assert {"hex-bolt", "impeller", "oil", "washer"} == set(ids(page))
    page.get_by_role("button", name="Clear filters").click()
    page.get_by_role("button", name=re.compile(r"^o-ring: P@1 0 . 1, better by 1")).first.click()
    assert "o-ring" == page.locator("#detail-title").inner_text()
    escape(page)
    page.locator("#bars .button").first.click()
    assert page.locator("#detail-title").inner_text() in {"gasket", "cracked-bracket"}


def test_a_cell_of_the_heat_map_lists_its_queries(visit: Visits) -> None:
    """Those of its slice that changed, in its measure."""
    page = visit("fail")
    page.locator("#slices tr", has_text="jargon").locator("button").nth(1).click()
    assert ["nDCG@10", "jargon", True] == [
        page.locator("#measure option:checked").inner_text(),
        page.locator("#slice option:checked").inner_text(),
        page.get_by_label("only changed").is_checked(),
    ]
    assert ["cracked-bracket"] == ids(page)
    assert "slice" == focused(page)


def test_a_query_shows_its_rankings_side_by_side(visit: Visits) -> None:
    """Rank by rank, with grades, holes, moves, and what each move cost."""
    page = visit("fail", at="#query=cracked-bracket")
    detail = opened(page)
    rows = detail.locator(".rankings tbody tr")
    cells = [" ".join(text.split()) for text in rows.locator("td.hit").all_inner_texts()]
    assert cells == [
        *("grade 3 now 5 SN-2231", "unjudged + new X-9"),
        *("grade 2 ML-0912", "grade 2 = same ML-0912"),
        *("unjudged now 4 X-1", "grade 0 \u2191 up 2 WO-5"),
        *("grade 1 \u2715 gone DR-77", "unjudged \u2193 down 1 X-1"),
        *("grade 0 now 3 WO-5", "grade 3 \u2193 down 4 SN-2231"),
    ]
    assert 4 == detail.locator(".lines path").count()
    text = detail.inner_text()
    for part in ("cracked bracket", "jargon", "golden/queries/parts.yaml:4:5", "field name for a part with a fracture"):
        assert part in text
    assert "must have P@1 of at least 1.0000: it is 0.0000" in text
    moves = detail.get_by_role("region", name="Moves and what they cost").locator("tbody tr")
    first = " ".join(moves.first.inner_text().split())
    assert "SN-2231 grade 3 1 \u2192 5 \u25bc -0.4569 worse demoted behind ML-0912, WO-5, X-1" == first


def test_a_query_that_is_not_measured_says_so(visit: Visits) -> None:
    """And why; it has the ranking of the baseline alone, and one that is new has that of the candidate."""
    page = visit("inconclusive, nothing measured", at="#query=q003")
    assert ["rank", "baseline", "", "now: not measured"] == page.locator(".rankings thead th").all_inner_texts()
    assert "Not measured: connection refused by the service" in opened(page).inner_text()
    other = visit("fail", at="#query=zerk")
    assert ["rank", "baseline: none", "", "now"] == other.locator(".rankings thead th").all_inner_texts()
    nothing = visit("fail", at="#query=gasket")
    assert "nothing was returned" == nothing.locator(".rankings td.none").first.inner_text()


def test_titles_and_large_ids(visit: Visits) -> None:
    """The title stands above its id, hostile or not, and no id loses a digit."""
    page = visit("titled", at="#query=10000000000000000001")
    assert "10000000000000000001" == page.locator("#detail-title").inner_text()
    now = page.locator(".rankings tbody tr td.hit:last-child .hit-name")
    assert [visible(HOSTILE_TITLE), "A plain title", "Another"] == now.locator(".title").all_inner_texts()
    assert [*LARGE_IDS[1:], LARGE_IDS[0]] == now.locator("code").all_inner_texts()
    assert "FAIL: rankgate" == page.title()


def test_hostile_data_stays_text(visit: Visits) -> None:
    """Each hostile query is in the list as it is written, opens, and makes no element of its own."""
    page = visit("fail hostile")
    assert {visible(query_id) for query_id, *_ in HOSTILE} == set(ids(page))
    before = page.evaluate("document.querySelectorAll('script, img, iframe, h1').length")
    for query_id, text, _ in HOSTILE:
        page.locator("#list a.query-link", has_text=re.compile(f"^{re.escape(visible(query_id))}$")).click()
        assert visible(query_id) == page.locator("#detail-title").inner_text()
        assert visible(text) == page.locator("dialog .query-text").inner_text()
        escape(page)
    assert before == page.evaluate("document.querySelectorAll('script, img, iframe, h1').length") == 3
    assert "FAIL: rankgate" == page.title()


def test_a_query_has_an_address(visit: Visits) -> None:
    """It opens with it, shows it while it is open, and gives it up when it closes; back opens and closes as well."""
    page = visit("fail", at="#query=oil")
    assert "oil" == page.locator("#detail-title").inner_text()
    page.get_by_role("button", name="Close").click()
    closed(page)
    assert page.url.endswith("#queries")
    assert focused(page).startswith("queries-title")
    page.locator("#list a.query-link", has_text="gasket").click()
    opened(page)
    assert page.url.endswith("#query=gasket")
    page.go_back()
    closed(page)
    page.go_forward()
    assert "gasket" == page.locator("#detail-title").inner_text()
    page.mouse.click(5, 5)
    closed(page)
    for unknown in ("#query=no-such-id", "#query=%E0%A4%A"):
        assert not visit("fail", at=unknown).locator("dialog[open]").count()


def test_the_focus_returns(visit: Visits) -> None:
    """From where a query was opened, to there again."""
    page = visit("fail")
    page.locator("#list a.query-link", has_text="oil").focus()
    page.keyboard.press("Enter")
    opened(page)
    assert "detail-title" == focused(page)
    escape(page)
    assert "oil" == focused(page)
    page.locator("#bars .button").first.focus()
    page.keyboard.press("Enter")
    opened(page)
    escape(page)
    assert focused(page).startswith(("gasket", "cracked-bracket"))


def test_the_keyboard_reaches_everything(visit: Visits) -> None:
    """Tab from the top visits each control once, in the order of the page, and each can be seen to have the focus."""
    page = visit("fail")
    walked = []
    for _ in range(400):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        walked.append(focused(page))
        shown = page.evaluate(
            "(() => { const e = document.activeElement; const s = getComputedStyle(e.querySelector('.mark') || e);"
            " return s.outlineStyle !== 'none' || s.strokeWidth === '4px' })()"
        )
        assert shown, f"{walked[-1]} does not show its focus"
    assert ["Skip to the report", "Broken"] == walked[:2]
    expected = page.evaluate(
        "[...document.querySelectorAll('a[href], button, select, input, summary, [tabindex=\"0\"]')]"
        ".filter((e) => e.checkVisibility()).length"
    )
    assert expected == len(walked)
    controls = (
        "theme",
        "measure",
        "search",
        "state",
        "slice",
        "changed",
        "clear",
        "Rules of the gate",
        "List of queries",
    )
    assert sorted(controls, key=walked.index) == [
        *("theme", "Rules of the gate", "measure", "search", "state", "slice", "changed", "clear", "List of queries")
    ]


def test_arrow_keys_walk_the_marks(visit: Visits) -> None:
    """A chart is one stop; within it, arrows go from mark to mark, Home and End to its ends, and Enter opens."""
    page = visit("fail")
    bars = page.locator("#bars .button")
    bars.first.focus()
    labels = [bars.nth(number).get_attribute("aria-label") for number in range(bars.count())]
    assert 3 == len(labels)
    page.keyboard.press("ArrowRight")
    assert labels[1] == focused(page)
    assert labels[1] == page.locator("#bars .readout").inner_text()
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    assert labels[-1] == focused(page)
    page.keyboard.press("Home")
    assert labels[0] == focused(page)
    assert 1 == page.locator("#bars [tabindex='0']").count()
    page.keyboard.press("Space")
    opened(page)


def test_long_lists_grow_on_demand(visit: Visits) -> None:
    """25 queries at first, then the rest; a ranking shows its first page, then all of it."""
    page = visit("full")
    assert 25 == len(ids(page))
    page.get_by_role("button", name="Show 95 more").click()
    assert 120 == len(set(ids(page)))
    assert not page.locator("#more").is_visible()
    page.locator("#list a.query-link").first.click()
    opened(page)
    rows = page.locator(".rankings tbody tr:not([hidden])")
    assert 10 == rows.count()
    page.get_by_role("button", name="Show all 50 ranks").click()
    assert 50 == rows.count()
    assert page.locator(".rankings tbody tr").nth(10).evaluate("(row) => row === document.activeElement")


def test_the_theme_can_be_chosen(visit: Visits) -> None:
    """As the system, then light, then dark."""
    page = visit("pass", scheme="dark")
    background = "getComputedStyle(document.documentElement).backgroundColor"
    dark = page.evaluate(background)
    button = page.locator("#theme")
    button.click()
    light = page.evaluate(background)
    assert "Theme: light" == button.inner_text()
    button.click()
    assert "Theme: dark" == button.inner_text()
    assert dark == page.evaluate(background) != light


def test_commands_are_copied(visit: Visits) -> None:
    """Onto the clipboard as they stand."""
    page = visit("fail", permissions=["clipboard-read", "clipboard-write"])
    page.locator(".command button").first.click()
    page.get_by_role("button", name="Copied").wait_for()
    assert "rankgate explain gasket" == page.evaluate("navigator.clipboard.readText()")


def test_without_a_clipboard_the_command_is_selected(visit: Visits) -> None:
    """So that it takes one more key."""
    page = visit("fail")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.locator(".command button").first.click()
    page.get_by_role("button", name="Selected").wait_for()
    assert "rankgate explain gasket" == page.evaluate("getSelection().toString()")


def test_without_javascript(visit: Visits) -> None:
    """Verdict, sentences, commands, rules, slices and worst queries are there; what needs a script says so."""
    page = visit("fail", java_script_enabled=False)
    for part in (
        "#verdict",
        "#broken",
        "#gate table",
        "#gate svg",
        "#evidence table",
        "#slices table",
        "#worst article",
    ):
        assert page.locator(part).first.is_visible(), part
    assert page.locator("noscript").is_visible()
    assert not page.locator("#explorer").is_visible()
    assert not page.locator("#theme").is_visible()


@pytest.mark.parametrize("name", ["fail", "full", "titled"])
def test_it_prints(visit: Visits, name: str) -> None:
    """On paper, as wide as a page of A4: verdict, tables, charts and worst queries, nothing that needs a pointer."""
    page = visit(name, width=690, scheme="dark")
    page.emulate_media(media="print")
    assert 690 >= page.evaluate("document.documentElement.scrollWidth")
    for part in ("#verdict", "#broken", "#gate table", "#worst article", "#bars svg"):
        assert page.locator(part).first.is_visible(), part
    for part in (".bar", "#filters", "#list", ".command button"):
        assert not page.locator(part).first.is_visible(), part
    assert "rgb(255, 255, 255)" == page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert page.pdf().startswith(b"%PDF")


def test_motion_is_reduced_for_who_asks(visit: Visits) -> None:
    """Nothing glides then."""
    behaviour = "getComputedStyle(document.documentElement).scrollBehavior"
    assert "smooth" == visit("pass").evaluate(behaviour)
    assert "auto" == visit("pass", reduced_motion="reduce").evaluate(behaviour)


def test_without_a_baseline(visit: Visits) -> None:
    """One chart of the values; nothing about a change."""
    page = visit("pass without baseline")
    assert "nDCG@10: value of each query, the lowest first" == page.locator("#bars-caption").inner_text()
    assert 10 == page.locator("#bars .button").count()
    assert not page.locator("#scatter-figure").is_visible()
    assert not page.get_by_label("only changed").is_visible()
    page.locator("#bars .button").first.click()
    assert ["rank", "now"] == page.locator(".rankings thead th").all_inner_texts()


def test_all_pages_open_in_silence(visit: Visits, reports: Mapping[str, str]) -> None:
    """Every way that a gate can end."""
    for name in reports:
        assert visit(name).locator("#charts" if name in TRENDS else "#explorer").is_visible()
