"""Pages that many tests read, results that only one to look at needs, and a reader that holds HTML to account."""

from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser
from typing import Final

from rankgate.core.comparison import compare
from rankgate.core.judgments import GoldenSet
from rankgate.core.limits import Gate
from rankgate.core.rankings import Detail, Ranking, Run
from rankgate.core.verdict import GateResult, decide
from rankgate.reports import CommandHints, Facts, gather, write
from tests.reports.conftest import MEASURES, limits, query, reference

#: Beyond 2^53, where a number of JavaScript would lose its last digits.
LARGE_IDS = ("9007199254740993", "9007199254740995", "18446744073709551615")
HOSTILE_TITLE = "<img src=x onerror=\"document.title='gotcha'\">\x1b[31m\u202e</script>"


@dataclass(frozen=True, slots=True)
class _Told:
    """What was made of a result.

    Attributes:
        result: Kept, so that no other takes its place in memory.
        pages: By format and width.
    """

    result: GateResult
    facts: Facts
    pages: dict[tuple[str, int], str] = field(default_factory=dict)


#: By the identity of the result, which is frozen and has no hash.
_TOLD: Final[dict[int, _Told]] = {}


def _told(result: GateResult) -> _Told:
    if id(result) not in _TOLD:
        _TOLD[id(result)] = _Told(result, gather(result, command_hints=CommandHints()))
    return _TOLD[id(result)]


def facts_of(result: GateResult) -> Facts:
    """Its facts for who has no commands of his own, gathered once for all tests: nobody may change them."""
    return _told(result).facts


def page_of(name: str, result: GateResult, *, width: int = 80) -> str:
    """What ``render`` makes of *result*, written once for all tests; not for those that change the environment."""
    told = _told(result)
    if (name, width) not in told.pages:
        told.pages[name, width] = write(name, told.facts, width=width)
    return told.pages[name, width]


def titled() -> GateResult:
    """Documents with titles, one of them hostile, and ids that are no numbers to JavaScript."""
    first, second, third = LARGE_IDS
    queries = (
        query("10000000000000000001", "a part", {first: 3, second: 1}, "head"),
        query("calm", "calm", {third: 2}),
    )
    before = {"10000000000000000001": [first, second, third], "calm": [third]}
    details = [Detail(2.5, HOSTILE_TITLE), Detail(1.5, "A plain title"), Detail(0.5, "Another")]
    candidate = Run(
        50,
        {
            "10000000000000000001": Ranking.of([second, third, first], 50, details),
            "calm": Ranking.of([third], 50),
        },
    )
    comparison = compare(GoldenSet(queries), candidate, MEASURES, reference(queries, before))
    return decide(Gate(limits(max_drop=0.01)), comparison)


def full(size: int = 120, depth: int = 50) -> GateResult:
    """As much as the report promises to hold: other documents on both sides, each with a title."""
    queries = tuple(
        query(
            f"query-{number:03}",
            f"what people ask when they look for part {number}",
            {f"document-{number:03}-{rank:03}": rank % 4 for rank in range(0, depth, 2)},
            f"slice-{number % 5}",
            line=number + 1,
        )
        for number in range(size)
    )
    before = {
        one.id: [f"document-{number:03}-{rank:03}" for rank in range(depth)] for number, one in enumerate(queries)
    }
    after = {
        one.id: Ranking.of(
            [f"document-{number:03}-{rank:03}" for rank in range(depth // 2 * (number % 3), depth)]
            + [f"newcomer-{number:03}-{rank:03}" for rank in range(depth)],
            depth,
            [Detail(float(rank), f"Title of document {rank} for query {number}") for rank in range(2 * depth)],
        )
        for number, one in enumerate(queries)
    }
    comparison = compare(GoldenSet(queries), Run(depth, after), MEASURES, reference(queries, before))
    return decide(Gate(limits(floor=0.5, max_drop=0.01), lost_queries=3), comparison)


#: HTML's elements without an end, as far as the page has them.
VOID = frozenset({"meta", "input"})


@dataclass
class Element:
    """An element with its attributes, its children and all text below it."""

    tag: str
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    own_text: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text of this element and of those in it, in no particular order."""
        return "".join([*self.own_text, *(child.text for child in self.children)])

    def all(self, tag: str = "") -> list["Element"]:
        """Every element below this one, or those of one tag, in the order of the page."""
        found = [child for child in self.children if tag in {"", child.tag}]
        return [each for child in self.children for each in ([child] if child in found else []) + child.all(tag)]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len(dict(attrs)), f"an attribute twice in <{tag}>"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop().tag

    def handle_data(self, data: str) -> None:
        self.open[-1].own_text.append(data)


@lru_cache(maxsize=64)  # every result's page, which many tests read and none changes
def read(page: str) -> Element:
    """The tree of a page; every element must end where it should."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert [reader.root] == reader.open, "an element has no end"
    return reader.root


def shared_names(page: str) -> list[str]:
    """The names that more than one region of *page* has."""
    elements = read(page).all()
    texts = {each.attributes.get("id"): each.text for each in elements}
    names = [
        each.attributes.get("aria-label") or texts.get(each.attributes.get("aria-labelledby"), "")
        for each in elements
        if each.tag == "section" or each.attributes.get("role") == "region"
    ]
    return sorted({name for name in names if name and names.count(name) > 1})
