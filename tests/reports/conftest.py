"""Gate results for every outcome, and the comparison with golden report files."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from rankgate.core.catalog import Measure
from rankgate.core.comparison import compare
from rankgate.core.judgments import GoldenSet, Place, Query
from rankgate.core.limits import Gate, Limit
from rankgate.core.rankings import Failure, FailureKind, Ranking, Run
from rankgate.core.reference import Reference, judgments_digest
from rankgate.core.verdict import GateResult, decide

P1 = Measure("P", 1, 1)
NDCG = Measure("nDCG", 10, 0, "exp-log2")
R50 = Measure("R", 50, 1)
ZERO = Measure("ZeroResults")
JUDGED = Measure("Judged", 10)
MEASURES = (P1, NDCG, R50, ZERO, JUDGED)

CONFIG = "golden/rankgate.yaml"
QUERIES = "golden/queries/parts.yaml"

#: What R01, R02, R04, R07, R09, R10 and R11 of the bug log put into ids, texts and documents.
HOSTILE = (
    ("q\x01", "bell \x07 esc \x1b[31m nul \x00", "d\ufffe"),
    ("<q>", 'a < b & "c" ]]> d', "<d/>"),
    ("q1,title=x::y", "shoes\n::error::forged\r::add-mask::a%0Ab", "d1"),
    ("img", "<img src=x onerror=alert(1)>", '"><script>alert(1)</script>'),
    ("</script><script>alert(1)</script>", "</details><h1>forged</h1>", "javascript:alert(1)"),
    ("cat 🐈", "✓ ticked \u202egnp.exe\u202c zero\u200bwidth", "doc ✓"),
    ("=1+1", "@SUM(A1)", "-2+3|cmd"),
    ("-q", "\x1b[2J\x1b]0;title\x07 shoes", "[red]markup[/red]"),
    ("@octocat", "| a | `b` | @org/team #12 [x](javascript:1) ![y](z)", "# heading"),
    ("- item", "\u2028line\u2029paragraph\x85next", "**bold** _it_ ~~s~~ :smile:"),
)


def query(query_id: str, text: str, judgments: Mapping[str, int], *slices: str, line: int = 1, **more: object) -> Query:
    """One golden query with a place in the file of queries."""
    made = Query(query_id, text, judgments, slices, place=Place(QUERIES, line, 5))
    for name, value in more.items():
        object.__setattr__(made, name, value)
    return made


def run(rankings: Mapping[str, Sequence[str]], failures: Mapping[str, Failure] | None = None, depth: int = 50) -> Run:
    """A run over *rankings*."""
    return Run(depth, {key: Ranking.of(ids, depth) for key, ids in rankings.items()}, failures or {})


def reference(queries: Sequence[Query], rankings: Mapping[str, Sequence[str]], **texts: str) -> Reference:
    """The baseline: the texts and judgments of *queries* but for *texts*."""
    asked = {one.id: one.text for one in queries if one.id in rankings} | texts
    base = run(rankings)
    digests = {one.id: judgments_digest(one) for one in queries}
    return Reference(Run(base.depth, base.rankings, {}, asked, {"reason": "the first one"}), digests)


def limits(**kinds: float) -> tuple[Limit, ...]:
    """Limits on nDCG@10 over the whole set, each at a line of its own in the config."""
    return tuple(
        Limit(kind, NDCG, points, place=Place(CONFIG, line, 3))  # type: ignore[arg-type]
        for line, (kind, points) in enumerate(kinds.items(), start=10)
    )


def plain_set(size: int = 10) -> tuple[tuple[Query, ...], dict[str, list[str]]]:
    """Queries with one good and one fair document, and rankings in which both are in place."""
    queries = tuple(
        query(f"q{number:03}", f"part {number}", {f"good-{number}": 3, f"fair-{number}": 1}, line=number + 2)
        for number in range(size)
    )
    return queries, {
        one.id: [f"good-{number}", f"fair-{number}", f"hole-{number}"] for number, one in enumerate(queries)
    }


def swapped(rankings: Mapping[str, Sequence[str]], *ids: str) -> dict[str, list[str]]:
    """The same rankings with the first three turned round in the queries *ids*."""
    return {key: [*reversed(docs[:3]), *docs[3:]] if key in ids else [*docs] for key, docs in rankings.items()}


def refused(message: str = "connection refused by the service") -> Failure:
    """A query that was not measured."""
    return Failure(FailureKind.UNREACHABLE, message)


def rich_failure() -> GateResult:
    """A failing gate with something of everything a report can show."""
    queries = [
        query(
            "cracked-bracket",
            "cracked bracket",
            {"SN-2231": 3, "ML-0912": 2, "DR-77": 1, "WO-5": 0},
            "jargon",
            line=4,
            note="field name for a part with a fracture",
            must={P1: 1.0},
        ),
        query("hex-bolt", "hex bolt M8", {"HB-8": 3, "HB-10": 2}, "head", line=9),
        query("gasket", "gasket", {"GK-1": 2, "GK-2": 2, "GK-3": 1}, "head", line=13),
        query("impeller", "impeller kit", {"IM-9": 3}, "long-tail", line=17, never=("IM-0",)),
        query("o-ring", "o ring 12x2", {"OR-12": 3, "OR-13": 1, "OR-14": 2}, "head", line=22),
        query("oil", "gear oil 80W-90", {"OIL-80": 3, "OIL-75": 1}, "head", "jargon", line=26),
        query("spanner", "wrench 13", {"SP-13": 3}, "jargon", line=30),
        query("washer", "washer", {"WA-1": 1, "WA-2": 1}, "head", line=34),
        query("zerk", "zerk", {"GN-6": 3}, "jargon", line=38),
        query("no-such", "flux capacitor", {}, "zero-result", line=42, expects_nothing=True),
    ]
    before = {
        "cracked-bracket": ["SN-2231", "ML-0912", "X-1", "DR-77", "WO-5"],
        "hex-bolt": ["HB-8", "HB-10", "X-2"],
        "gasket": ["GK-1", "GK-2", "GK-3"],
        "impeller": ["IM-9", "IM-3"],
        "o-ring": ["X-3", "OR-12", "OR-13"],
        "oil": ["OIL-80", "OIL-75"],
        "spanner": ["SP-13"],
        "washer": ["WA-1", "WA-2"],
        "no-such": [],
        "pulley": ["PU-1"],
    }
    after = {
        "cracked-bracket": ["X-9", "ML-0912", "WO-5", "X-1", "SN-2231"],
        "hex-bolt": ["HB-10", "HB-8", "X-2"],
        "gasket": [],
        "impeller": ["IM-9", "IM-0"],
        "o-ring": ["OR-12", "OR-13", "X-3"],
        "oil": ["OIL-80", "OIL-75", "OIL-80"],
        "spanner": ["SP-13"],
        "washer": ["WA-1", "WA-2"],
        "zerk": ["GN-6"],
        "no-such": ["FL-1"],
    }
    golden = GoldenSet(tuple(sorted(queries, key=lambda one: one.id)))
    accepted = reference(queries, before, spanner="spanner 13", pulley="pulley")
    digests = {**accepted.digests, "washer": "another"}
    candidate = Run(50, run(after).rankings, {}, {}, {"service": "demo"})
    gate = Gate(
        limits=(
            Limit("floor", P1, 0.7, place=Place(CONFIG, 12, 9)),
            Limit("max_drop", P1, 0.02, place=Place(CONFIG, 12, 22)),
            Limit("max_drop", NDCG, 0.015, 0.05, place=Place(CONFIG, 13, 14)),
            Limit("warn_drop", NDCG, 0.005, place=Place(CONFIG, 13, 33)),
            Limit("max_drop", NDCG, 0.04, slice="jargon", min_queries=2, place=Place(CONFIG, 20, 40)),
            Limit("max_drop", NDCG, 0.04, slice="long-tail", min_queries=10, place=Place(CONFIG, 21, 40)),
            Limit("ceiling", ZERO, 0.5, place=Place(CONFIG, 15, 17)),
        ),
        lost_queries=1,
        lost_queries_place=Place(CONFIG, 16, 3),
    )
    comparison = compare(golden, candidate, MEASURES, Reference(accepted.run, digests))
    return decide(gate, comparison, extra=("1 of 3 answers differed when asked again",))


def hostile() -> GateResult:
    """A failing gate whose every text is out to break a report."""
    queries = tuple(
        query(query_id, text, {document: 3}, f"slice {document}", line=number, note=text, never=(text,))
        for number, (query_id, text, document) in enumerate(HOSTILE, start=1)
    )
    before = {query_id: [document, text] for query_id, text, document in HOSTILE}
    after = {query_id: [text, f"new {document}", document] for query_id, text, document in HOSTILE}
    failing, failure = HOSTILE[2][0], refused(HOSTILE[2][1])
    del after[failing]
    texts = {HOSTILE[0][0]: f"was {HOSTILE[0][1]}"}
    base = reference(queries, before | {"gone\x1b|": ["d"]}, **texts)
    rules = Gate(
        (
            *limits(max_drop=0.01),
            *(Limit("max_drop", P1, 0.1, slice=f"slice {document}") for *_, document in HOSTILE[1:4]),
        ),
        lost_queries=0,
    )
    candidate = run(after, {failing: failure})
    candidate = Run(50, candidate.rankings, candidate.failures, {}, {"note\x1b": HOSTILE[2][1]})
    golden = GoldenSet(tuple(sorted(queries, key=lambda one: one.id)))
    return decide(rules, compare(golden, candidate, (P1, NDCG), base), extra=(HOSTILE[7][1],))


def big(size: int = 120, depth: int = 50) -> GateResult:
    """Every query got worse, every document moved, every id is long."""
    queries = tuple(
        query(
            f"query-{number:03}-" + "i" * 50,
            "a long text " * 6 + str(number),
            {f"document-{number:03}-{rank:02}-" + "d" * 45: 3 for rank in range(0, depth, 2)},
            f"slice-{number % 8}",
            line=number + 1,
            must={P1: 1.0},
        )
        for number in range(size)
    )
    before = {
        one.id: [f"document-{number:03}-{rank:02}-" + "d" * 45 for rank in range(depth)]
        for number, one in enumerate(queries)
    }
    after = {key: [f"new-{key}-{rank}" for rank in range(12)] + list(reversed(docs)) for key, docs in before.items()}
    slices = (f"slice-{number}" for number in range(8))
    rules = Gate(
        (*limits(floor=0.9, max_drop=0.01), *(Limit("max_drop", NDCG, 0.01, slice=name) for name in slices)),
        lost_queries=3,
    )
    return decide(rules, compare(GoldenSet(queries), run(after), MEASURES, reference(queries, before)))


def little() -> GateResult:
    """One measure, a query that expects nothing and finds it, and a baseline in which a query failed."""
    queries, rankings = plain_set(2)
    golden = GoldenSet((query("nothing", "nothing", {}, expects_nothing=True), *queries))
    base = run({"q000": rankings["q000"], "nothing": []}, {"q001": refused()})
    allowing = Gate(max_errors=1)
    return decide(allowing, compare(golden, run({**rankings, "nothing": []}), (P1,), Reference(base)))


def twins() -> GateResult:
    """Two returned ids differ from judged ones in Unicode normalisation only."""
    queries = (query("cafe", "café", {"caf\u00e9": 3, "th\u00e9": 2, "tea": 1}),)
    rankings = {"cafe": ["tea", "cafe\u0301", "the\u0301"]}
    return decide(Gate(), compare(GoldenSet(queries), run(rankings), MEASURES, reference(queries, rankings)))


def all_results() -> dict[str, GateResult]:
    """A result for each way that a gate can end, by name."""
    queries, base = plain_set()
    golden, accepted = GoldenSet(queries), reference(queries, base)
    better = swapped(base, "q000", "q001")
    failed = {"q003": refused(), "q004": refused("timed out after 5 s")}
    without = {key: docs for key, docs in base.items() if key not in failed}
    drops = Gate(limits(floor=0.5, max_drop=0.05, warn_drop=0.005), lost_queries=1)
    floors = Gate(limits(floor=0.5))
    pins = Gate()
    pinned = tuple(query(one.id, one.text, one.judgments, must={P1: 1.0}) for one in queries[:2])
    few = golden.only(frozenset({"q000", "q001"}))
    worse = run(swapped(base, *base))
    none = run({}, {one.id: refused() for one in queries})
    half = {key: failed.get(key, refused()) for key in list(base)[:6]}
    rest = {key: docs for key, docs in base.items() if key not in half}
    return {
        "pass": decide(drops, compare(golden, run(base), MEASURES, accepted)),
        "pass, one worse": decide(
            Gate(limits(max_drop=0.05), lost_queries=1),
            compare(golden, run(swapped(base, "q002")), MEASURES, accepted),
        ),
        "pass without baseline": decide(floors, compare(golden, run(base), MEASURES, None)),
        "warn of little": little(),
        "warn drop": decide(drops, compare(golden, run(swapped(base, "q002")), MEASURES, accepted)),
        "warn headroom": decide(drops, compare(golden, run(base), MEASURES, reference(queries, better))),
        "warn floors only": decide(floors, compare(golden, run(base), MEASURES, None), floors_only=True),
        "warn strict": decide(drops, compare(golden, run(swapped(base, "q002")), MEASURES, accepted), strict=True),
        "warn tolerated failures": decide(
            Gate(floors.limits, max_errors=2), compare(golden, run(without, failed), MEASURES, accepted)
        ),
        "warn of what was not measured": decide(
            Gate(limits(warn_drop=0.005), max_errors=2), compare(golden, run(without, failed), MEASURES, accepted)
        ),
        "warn twins": twins(),
        "fail": rich_failure(),
        "fail floor alone": decide(Gate(limits(floor=0.9)), compare(golden, worse, MEASURES, None), floors_only=True),
        "fail pin alone": decide(pins, compare(GoldenSet(pinned), run(swapped(base, "q000")), MEASURES, None)),
        "fail removed alone": decide(drops, compare(GoldenSet(queries[1:]), run(base), MEASURES, accepted)),
        "fail with failures": decide(
            drops, compare(golden, run(swapped(without, *without), failed), MEASURES, accepted)
        ),
        "fail hostile": hostile(),
        "fail big": big(),
        "inconclusive": decide(drops, compare(golden, run(rest, half), MEASURES, accepted)),
        "inconclusive by max_errors": decide(floors, compare(golden, run(without, failed), MEASURES, accepted)),
        "inconclusive, nothing measured": decide(drops, compare(golden, none, MEASURES, accepted)),
        "inconclusive, nothing compared": decide(
            drops, compare(golden, run(base), MEASURES, Reference(none, name="http://b"))
        ),
        "inconclusive of both sides": decide(
            drops, compare(golden, run(without, failed), MEASURES, Reference(run(rest, half), name="http://b"))
        ),
        "inconclusive beside an exact search": decide(
            drops, compare(golden, run(base), MEASURES, accepted), exact=Reference(run(rest, half), name="exact")
        ),
        "partial": decide(drops, compare(few, run(base), MEASURES, accepted, partial=True), partial=True),
        "partial, would fail": decide(
            drops, compare(GoldenSet(pinned), worse, MEASURES, accepted, partial=True), partial=True
        ),
        "partial, unmeasured": decide(drops, compare(few, none, MEASURES, accepted, partial=True), partial=True),
    }


@pytest.fixture(scope="session")
def results() -> Mapping[str, GateResult]:
    """A result for each way that a gate can end, by name."""
    return all_results()


@pytest.fixture
def check_golden() -> Callable[[str, str], None]:
    """Compare a text with its golden file; a missing one is written, and the test fails that once."""
    folder = Path(__file__).parent / "golden"

    def check(name: str, text: str) -> None:
        path = folder / name
        if os.environ.get("RANKGATE_REGENERATE") == "1" or not path.exists():
            folder.mkdir(exist_ok=True)
            path.write_bytes(text.encode())
            pytest.fail(f"wrote {path.name}: read it, then run again")
        assert path.read_bytes().decode() == text

    return check
