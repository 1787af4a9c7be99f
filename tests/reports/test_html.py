"""The report to look at, as far as that can be told without a browser; tests/browser has the rest."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from rankgate.core.verdict import GateResult
from rankgate.reports import CommandHints, gather, render, write
from rankgate.reports.html import data
from rankgate.reports.html.markup import element, escape
from rankgate.reports.visible import visible
from tests.reports.conftest import HOSTILE, all_results
from tests.reports.pages import HOSTILE_TITLE, LARGE_IDS, Element, facts_of, full, page_of, read, shared_names, titled


@pytest.fixture(scope="module")
def pages(results: Mapping[str, GateResult]) -> Mapping[str, str]:
    """The report of every way that a gate can end."""
    return {name: page_of("html", result) for name, result in {**results, "titled": titled()}.items()}


def block(page: str) -> dict[str, Any]:
    """The data that the script draws from."""
    found = next(each for each in read(page).all("script") if each.attributes.get("type") == "application/json")
    document = json.loads(found.text)
    assert isinstance(document, dict)
    return document


def test_every_page_is_well_formed(pages: Mapping[str, str]) -> None:
    """Every element ends, no id stands twice, and what an attribute points at is there."""
    for name, page in pages.items():
        assert page.startswith("<!DOCTYPE html>\n")
        elements = read(page).all()
        ids = [each.attributes["id"] for each in elements if "id" in each.attributes]
        assert sorted(set(ids)) == sorted(ids), name
        targets = {each.attributes["aria-labelledby"] for each in elements if "aria-labelledby" in each.attributes}
        links = {each.attributes["href"] for each in elements if each.tag == "a"}
        # The script makes the title of a query when it opens one.
        assert targets - {"detail-title"} <= set(ids), name
        assert {link[1:] for link in links if not link.startswith("#query=")} <= set(ids), name


def test_no_two_regions_share_a_name(pages: Mapping[str, str]) -> None:
    """Whoever jumps from one to the next by its name finds each."""
    for name, page in pages.items():
        assert [] == shared_names(page), name


def test_every_row_of_a_table_has_its_columns(pages: Mapping[str, str]) -> None:
    """A head, a caption, and as many cells in each row."""
    for page in pages.values():
        for table in read(page).all("table"):
            rows = [len(row.all("th")) + len(row.all("td")) for row in table.all("tr")]
            assert 1 >= len(set(rows))
            assert "caption" == table.children[0].tag


def test_the_policy_allows_its_own_style_and_script_alone(pages: Mapping[str, str]) -> None:
    """Their hashes are right, and nothing else is allowed."""
    for page in pages.values():
        root = read(page)
        policy = next(each for each in root.all("meta") if each.attributes.get("http-equiv")).attributes["content"]
        allowed = dict(part.split(" ", 1) for part in policy.split("; "))
        (style,) = root.all("style")
        scripts = [each for each in root.all("script") if not each.attributes]
        assert "Content-Security-Policy" in page[:200]
        assert allowed == {
            "default-src": "'none'",
            "style-src": source(style.text),
            "script-src": source(scripts[0].text),
            "base-uri": "'none'",
            "form-action": "'none'",
            "require-trusted-types-for": "'script'",
        }
        assert 1 == len(scripts)


def source(text: str) -> str:
    """What a policy calls a text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_nothing_comes_from_elsewhere(pages: Mapping[str, str]) -> None:
    """No address but that of the namespace of SVG, no import, no style or handler in an attribute."""
    for page in pages.values():
        root = read(page)
        code = "".join(each.text for each in (*root.all("style"), *root.all("script")) if not each.attributes)
        assert ["http://www.w3.org/2000/svg"] == re.findall(r"\w+://[^\"]*", code)
        assert not re.search(r"url\(|@import|innerHTML|insertAdjacent|outerHTML|\beval\b|\bfetch\b|XMLHttp", code)
        for each in root.all():
            assert not {name for name in each.attributes if name.startswith("on") or name in {"style", "src", "action"}}
            assert each.attributes.get("href", "#").startswith("#")


OWN_TAGS = (
    "html head meta title style body a header span nav ul li button main section h1 h2 h3 p div ol details summary table "
    "caption thead tbody tr th td svg line rect path circle article code noscript form label select input figure "
    "figcaption footer dialog script"
)


def test_data_is_text_and_nothing_else(pages: Mapping[str, str]) -> None:
    """No text of the data makes an element, ends the block of data, or hides what it is."""
    for page in pages.values():
        root = read(page)
        assert {each.tag for each in root.all()} <= set(OWN_TAGS.split())
        assert 2 == len(root.all("script")) == page.count("</script>")
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ud800-\udfff\ufffe]", page)
    assert visible(HOSTILE_TITLE) in page_text(pages["titled"])


def page_text(page: str) -> str:
    """The texts of the data block, as the script will read them."""
    return json.dumps(block(page), ensure_ascii=False).replace('\\"', '"').replace("\\\\", "\\")


def test_hostile_ids_are_shown_as_they_are(pages: Mapping[str, str]) -> None:
    """Every id and text is there, to be read."""
    queries = block(pages["fail hostile"])["queries"]
    expected = sorted((visible(query_id), visible(text)) for query_id, text, _ in HOSTILE)
    assert expected == sorted((query["id"], query["text"]) for query in queries)


def test_large_ids_keep_every_digit(pages: Mapping[str, str]) -> None:
    """They are strings on their whole way."""
    queries = block(pages["titled"])["queries"]
    assert "10000000000000000001" == queries[0]["id"]
    assert set(LARGE_IDS) == {document[0] for document in queries[0]["documents"]}


def test_rankings_name_documents_by_number(pages: Mapping[str, str]) -> None:
    """Each document stands once with its grade, and its title where the service gave one."""
    first, second, third = LARGE_IDS
    query = block(pages["titled"])["queries"][0]
    documents = [
        [first, 3, "Another"],
        [second, 1, visible(HOSTILE_TITLE)],
        [third, None, "A plain title"],
    ]
    assert {"documents": documents, "before": [0, 1, 2], "now": [1, 2, 0]} == {
        key: query[key] for key in ("documents", "before", "now")
    }


def test_a_query_that_was_not_measured_carries_why(pages: Mapping[str, str]) -> None:
    """A sentence for each side that it was not measured of; a query that was measured carries none."""
    refused, late = "Not measured: connection refused by the service", "Not measured: timed out after 5 s"
    alone = reasons(pages["inconclusive"])
    both = reasons(pages["inconclusive of both sides"])

    assert ([refused], [late]) == (alone["q003"], alone["q004"])
    assert {(), (refused,), (late,)} == set(map(tuple, alone.values()))
    assert [refused, refused.replace("measured", "measured of http://b")] == both["q003"]


def reasons(page: str) -> dict[str, list[str]]:
    """Why each query was not measured."""
    return {query["id"]: query.get("reasons", []) for query in block(page)["queries"]}


def test_it_needs_no_script_for_what_decides(results: Mapping[str, GateResult], pages: Mapping[str, str]) -> None:
    """Verdict, sentences, commands, every rule and the worst queries are in the HTML itself."""
    for name, result in results.items():
        facts = facts_of(result)
        main = next(each for each in read(pages[name]).all("main"))
        shown = main.text
        assert [facts.word] == [each.own_text[-1].strip() for each in main.all("h1")]
        assert facts.headline == next(each for each in main.all("p") if each.attributes.get("class") == "headline").text
        assert [visible(each.sentence) for each in facts.behind if visible(each.sentence) not in shown] == []
        codes = [each.text for each in main.all("code")]
        for step in facts.next_steps:
            assert not step.command or visible(step.command) in codes
        for row in (*facts.rules, *facts.pins):
            assert row.status.value in {"pass", "not gated"} or visible(row.message) in shown, row.message
        gate = [each for each in main.all("section") if each.attributes["id"] == "gate"]
        expected = sum(row.limit is not None or row.measure is not None for row in facts.rules) + len(facts.ungated)
        assert expected == sum(len(each.all("tr")) - len(each.all("table")) for each in gate)
        cards = [each.all("code")[0].text for each in main.all("article")]
        assert [visible(query.id) for query in facts.worst or facts.weakest][:12] == cards


def test_intervals_are_drawn(pages: Mapping[str, str]) -> None:
    """A rule on a change has its interval, its change and its limit beside its numbers."""
    rows = [row for row in section(pages["fail"], "gate").all("tr") if "max_drop" in row.text]
    drawn = [sorted(each.attributes["class"] for each in row.all() if each.tag in {"rect", "path"}) for row in rows]
    # A limit that is relative as well has no one place on the axis.
    assert [
        ["limit", "ninety-five", "point"],
        ["ninety-five", "point"],
        ["limit", "ninety-five", "point"],
    ] == drawn[:3]


def section(page: str, ident: str) -> Element:
    """One part of a page."""
    return next(each for each in read(page).all("section") if each.attributes["id"] == ident)


def test_a_colour_is_never_alone(pages: Mapping[str, str]) -> None:
    """What is marked as better or worse says so with a sign and, for who cannot see it, in words."""
    for page in pages.values():
        for each in read(page).all("span"):
            kinds = set(each.attributes.get("class", "").split()) & {"better", "worse"}
            if kinds:
                assert [sign(*kinds), f" {next(iter(kinds))}"] == [child.text for child in each.children]


def sign(kind: str) -> str:
    """The sign of a trend."""
    return {"better": "\u25b2", "worse": "\u25bc"}[kind]


@pytest.mark.parametrize("make", [full, lambda: all_results()["fail big"]], ids=["titles", "long ids"])
def test_120_queries_of_50_results_stay_small(make: Any) -> None:
    """Under 1.5 MB, also where every document is another, has a title, or an id of 60 characters."""
    page = render("html", make())
    assert 1_500_000 > len(page.encode())
    assert 120 == len([query for query in block(page)["queries"] if query["carried"]])


def test_rankings_beyond_the_room_are_left_out(
    results: Mapping[str, GateResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worst queries keep theirs; of the others the file says that it has none."""
    monkeypatch.setattr(data, "HITS", 22)
    facts = gather(results["fail"], command_hints=CommandHints())
    queries = block(write("html", facts))["queries"]
    carried = {query["id"] for query in queries if query.get("carried")}
    assert {query.id for query in facts.worst} <= carried
    assert carried < {query.id for query in facts.queries}
    assert {None} == {query["now"] for query in queries if query["id"] not in carried}


def test_no_command_to_a_runner(pages: Mapping[str, str]) -> None:
    """A log that the page is printed to takes nothing in it for a command."""
    for page in pages.values():
        assert "##" not in page
        assert not re.search(r"^\s*::", page, re.MULTILINE)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (element("p", "a < b & c", class_="x"), '<p class="x">a &lt; b &amp; c</p>'),
        (element("p", element("b", "x"), None, aria_label='"q"'), '<p aria-label="&quot;q&quot;"><b>x</b></p>'),
        (element("button", "x", hidden=True, disabled=False, title=None), "<button hidden>x</button>"),
        (element("td", "0", tabindex=0), '<td tabindex="0">0</td>'),
        (escape("##[a]\x1b\n"), "#&#35;[a]\\x1b\\n"),
    ],
)
def test_elements_escape_all_that_is_not_theirs(made: str, expected: str) -> None:
    """Texts and attributes alike."""
    assert expected == made
