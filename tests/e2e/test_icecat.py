"""A real shop's search: every number of a diff is trec_eval's, vectors that rank alike are said to, and the trap is told."""

import html
import json
import math
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import pytest

from tests.e2e.icecat import SNAPSHOTS, answered, reference, relevant, write
from tests.e2e.support import LIMIT_SECONDS, Result
from tests.parity.test_reference_values import AT_LEVEL_2, MEASURES
from tests.support import needs_collections

pytestmark = [needs_collections, pytest.mark.slow]

NAMES: Final = {key: str(measure) for key, measure in MEASURES.items()}
#: num_ret counts what is returned, relevant or not.
OF_RELEVANCE: Final = {key: name for key, name in NAMES.items() if key != "num_ret"}
NAMES_AT_2: Final = {key: str(measure) for key, measure in AT_LEVEL_2.items() if key != "bpref"}
FORMS: Final = [("jsonl", "rank_order"), ("run", "score_order")]
BY_LEVEL: Final = {1: NAMES, 2: NAMES_AT_2}
PAIRS: Final = list(combinations(SNAPSHOTS, 2))
TOLERANCE: Final = 1e-9


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The 129 queries that can be measured, with every measure that has a recorded value."""
    folder = tmp_path_factory.mktemp("shop")
    write(folder, answered(), [*NAMES.values(), *NAMES_AT_2.values()], 50)
    return folder


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with the query that no snapshot holds."""
    folder = tmp_path_factory.mktemp("complete")
    write(folder, relevant(), list(NAMES.values()), 50)
    return folder


def diff(folder: Path, before: str, after: str, *arguments: str) -> Result:
    """The real command, in a process of its own."""
    command = [sys.executable, "-m", "rankgate", "diff", before, after, *arguments]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "COLUMNS": "160"},
        capture_output=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


@cache
def report(folder: Path, before: str, after: str) -> Mapping[str, Any]:
    """Its JSON."""
    found: Mapping[str, Any] = json.loads(diff(folder, before, after, "--format", "json").stdout)
    return found


def recorded(name: str, order: str, level: int = 1) -> Mapping[str, Mapping[str, float]]:
    """The recorded values of a run, by query."""
    found = reference()[name][order]
    values: Mapping[str, Mapping[str, float]] = (found["relevance_level_2"] if level == 2 else found)["per_query"]
    return values


def by_query(document: Mapping[str, Any], names: Mapping[str, str]) -> dict[tuple[str, str, str], float]:
    """What a report says of each query and measure; what has no value stands for trec_eval's 0."""
    return {
        (query["id"], value["measure"], side): value[side] or 0.0
        for query in document["queries"]
        for value in query["values"]
        if value["measure"] in names.values()
        for side in ("before", "now", "change")
    }


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize(("form", "order"), FORMS)
@pytest.mark.parametrize("level", BY_LEVEL)
def test_every_query_of_a_diff_has_the_recorded_values(
    shop: Path, pair: tuple[str, str], form: str, order: str, level: int
) -> None:
    """On both sides and in its change, for every measure, at both levels of relevance.

    A saved run has the shop's order, and a TREC run trec_eval's, which for eleven queries of the keyword run is another.
    """
    (before, after), names = pair, BY_LEVEL[level]
    document = report(shop, f"{before}.{form}", f"{after}.{form}")
    old, new = recorded(before, order, level), recorded(after, order, level)
    expected = {
        (query_id, name, side): value
        for query_id in answered()
        for key, name in names.items()
        for side, value in (
            ("before", old[query_id][key]),
            ("now", new[query_id][key]),
            ("change", new[query_id][key] - old[query_id][key]),
        )
    }

    assert 129 * len(names) * 3 == len(expected)
    assert pytest.approx(expected, rel=0, abs=TOLERANCE) == by_query(document, names)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize(("form", "order"), FORMS)
def test_every_mean_and_count_of_a_diff_follows_from_the_recorded_values(
    shop: Path, pair: tuple[str, str], form: str, order: str
) -> None:
    """Means and change, and how many queries are better, the same and worse, on the whole and on every slice."""
    before, after = pair
    document = report(shop, f"{before}.{form}", f"{after}.{form}")
    old, new = recorded(before, order), recorded(after, order)
    members = {query["id"]: {"all", *query["slices"]} for query in document["queries"]}
    means, counts = {}, {}
    for slice_name in ("all", "model-number", "one-word", "several-words"):
        ids = [query_id for query_id in answered() if slice_name in members[query_id]]
        for key, name in NAMES.items():
            changes = [new[query_id][key] - old[query_id][key] for query_id in ids]
            better = sum(change > TOLERANCE for change in changes)
            worse = sum(change < -TOLERANCE for change in changes)
            counts[slice_name, name] = (len(ids), better, len(ids) - better - worse, worse)
            means[slice_name, name, "baseline"] = math.fsum(old[query_id][key] for query_id in ids) / len(ids)
            means[slice_name, name, "candidate"] = math.fsum(new[query_id][key] for query_id in ids) / len(ids)
            means[slice_name, name, "change"] = math.fsum(changes) / len(ids)
    cells = {(row["slice"], cell["measure"]): cell for row in document["slices"] for cell in row["cells"]}
    said = {where: cell for where, cell in cells.items() if where[1] in NAMES.values()}

    assert counts == {
        where: (cell["compared"], cell["better"], cell["same"], cell["worse"]) for where, cell in said.items()
    }
    assert pytest.approx(means, rel=0, abs=TOLERANCE) == {
        (*where, side): cell[side] for where, cell in said.items() for side in ("baseline", "candidate", "change")
    }


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize(("form", "order"), FORMS)
def test_the_means_are_the_recorded_ones(shop: Path, pair: tuple[str, str], form: str, order: str) -> None:
    """Those are over 135 queries, of which the six that are left out here have nothing relevant and count 0."""
    before, after = pair
    whole = report(shop, f"{before}.{form}", f"{after}.{form}")["slices"][0]["cells"]
    sides = (("baseline", before), ("candidate", after))
    expected = {
        (name, side): reference()[run][order]["mean"][key] for key, name in OF_RELEVANCE.items() for side, run in sides
    }

    assert pytest.approx(expected, rel=0, abs=TOLERANCE) == {
        (cell["measure"], side): cell[side] * 129 / 135
        for cell in whole
        if cell["measure"] in OF_RELEVANCE.values()
        for side, _ in sides
    }


def test_a_query_without_a_line_is_an_empty_answer_in_the_means_of_trec_eval(complete: Path) -> None:
    """With the query that no run holds, the mean is trec_eval's over all judged queries (-c), and the report says so."""
    document = report(complete, "no_vector.run", "with_vector.run")
    whole = {cell["measure"]: cell for cell in document["slices"][0]["cells"]}
    mean = reference()["with_vector"]["score_order"]["mean_complete"]

    assert ["hq001"] == document["new"]
    assert ["queries without a line in the TREC run, counted as empty answers: 1"] == document["extra"]
    assert pytest.approx({key: mean[key] for key in OF_RELEVANCE}, rel=0, abs=TOLERANCE) == {
        key: whole[name]["now"] * 130 / 137 for key, name in OF_RELEVANCE.items()
    }


@pytest.mark.parametrize("form", ["jsonl", "run"])
def test_the_two_vector_snapshots_are_said_to_rank_alike(shop: Path, form: str) -> None:
    """In the headline and in a line of its own, in text and in Markdown; every number of the JSON says the same."""
    before, after = f"with_vector.{form}", f"vector_2.{form}"
    text, markdown = diff(shop, before, after), diff(shop, before, after, "--format", "markdown")
    document = report(shop, before, after)
    line = f"this run and {before} rank alike: no ranking of 129 queries differs"
    agreement = document["agreement"]

    assert (0, 0, "PASS") == (text.code, markdown.code, document["verdict"])
    assert "; 0 queries better, 129 same, 0 worse, 129 of 129 rankings as before; nothing to do" in text.stdout
    assert line in " ".join(text.stdout.split())
    assert line in html.unescape(markdown.stdout)
    assert (129, 129, 1.0, []) == (
        agreement["queries"],
        agreement["alike"],
        agreement["rank_biased"],
        agreement["least"],
    )
    assert {1.0} == {value for _, value in agreement["overlap"]}
    assert {0.0} == {value for (*_, side), value in by_query(document, NAMES).items() if side == "change"}


def test_keyword_against_vector_leads_with_the_slice_that_the_mean_hides(shop: Path) -> None:
    """The mean of nDCG@10 rises and the queries that name a model by its number lose more than half of theirs."""
    result = diff(shop, "no_vector.jsonl", "with_vector.jsonl")
    text = " ".join(result.stdout.split())
    name = "nDCG(dcg='exp-log2')@10"
    trap = f"{name} rose by 0.0312 on the whole and fell by 0.3303 on slice 'model-number' (10 of 129 compared queries)"

    assert 1 == result.code
    assert text.startswith("FAIL exit code 1 Search got worse: 3 of 9 rules failed (Success@5 max_drop, ")
    assert (
        0 < text.index(trap) < text.index("Success@5 fell by 0.0233, from 0.8915 to 0.8682 over 129 queries; max_drop")
    )
    assert "Success@5 fell by 0.0233 on the whole, all of it on slice 'one-word' (52 of 129 compared queries)" in text
    assert "against no_vector.jsonl: 0 of 129 queries rank the same" in text
