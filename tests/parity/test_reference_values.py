"""Values against recorded outputs of trec_eval (through pytrec_eval-terrier) on public collections with human judgments."""

import json
import math
from functools import cache
from typing import Any, Final

import pytest

from rankgate.core.catalog import Measure
from rankgate.core.judgments import Query
from rankgate.core.rankings import Ranking, Run
from rankgate.core.scoring import Scores, score
from rankgate.files.formats.trec import read_run
from tests.support import COLLECTIONS, needs_collections, queries_of, read_qrels

#: trec_eval's name of each of our measures at relevance level 1.
MEASURES: Final = {
    "P_1": Measure("P", 1, 1),
    "P_3": Measure("P", 3, 1),
    "P_5": Measure("P", 5, 1),
    "P_10": Measure("P", 10, 1),
    "recall_10": Measure("R", 10, 1),
    "recall_50": Measure("R", 50, 1),
    "success_1": Measure("Success", 1, 1),
    "success_5": Measure("Success", 5, 1),
    "recip_rank": Measure("RR", rel=1),
    "map": Measure("AP", rel=1),
    "map_cut_10": Measure("AP", 10, 1),
    "ndcg_cut_10": Measure("nDCG", 10, dcg="log2"),
    "ndcg": Measure("nDCG", dcg="log2"),
    "ndcg_exp_cut_10": Measure("nDCG", 10, dcg="exp-log2"),
    "Rprec": Measure("Rprec", rel=1),
    "bpref": Measure("Bpref", rel=1),
    "num_ret": Measure("NumRet"),
}
AT_LEVEL_2: Final = {
    name: Measure(measure.name, measure.cutoff, rel=2) for name, measure in MEASURES.items() if measure.rel
}
COLLECTIONS_WITH_VALUES: Final = ("adi", "cacm", "cisi", "cranfield", "dl2019_passage", "haystack_icecat", "npl")
RUNS: Final = [
    (path.parent.parent.name, path.stem)
    for collection in COLLECTIONS_WITH_VALUES
    for path in sorted((COLLECTIONS / collection / "runs").glob("*.run"))
]
GRADED: Final = [run for run in RUNS if run[0] in {"cranfield", "dl2019_passage", "haystack_icecat"}]

pytestmark = needs_collections


@cache
def qrels(collection: str) -> tuple[Query, ...]:
    lines = (COLLECTIONS / collection / "qrels.tsv").read_text().splitlines()
    return queries_of(read_qrels("\n".join(line.replace("\t", " 0 ", 1) for line in lines), "qrels.tsv"))


@cache
def reference(collection: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((COLLECTIONS / collection / "reference.json").read_text())["runs"]
    return found


def served(collection: str, name: str) -> Run:
    """The run in the order of its rank column: the order in which the service returned it."""
    rows: dict[str, list[tuple[int, str]]] = {}
    for line in (COLLECTIONS / collection / "runs" / f"{name}.run").read_text().splitlines():
        query_id, _, document, rank, _, _ = line.split()
        rows.setdefault(query_id, []).append((int(rank), document))
    return Run(0, {query_id: Ranking.of(document for _, document in sorted(ranks)) for query_id, ranks in rows.items()})


def by_score(collection: str, name: str) -> Run:
    return read_run((COLLECTIONS / collection / "runs" / f"{name}.run").read_text(), f"{name}.run")


def differences(expected: dict[str, dict[str, float]], scores: Scores, measures: dict[str, Measure]) -> dict[str, str]:
    """Where a value is not the recorded one; an undefined value stands for trec_eval's 0 of a query without relevant."""
    found = {}
    for query_id, values in expected.items():
        for name, measure in measures.items():
            if name in values:
                actual = scores.value(measure, query_id)
                if not math.isclose(values[name], actual or 0.0, rel_tol=0, abs_tol=1e-9):
                    found[f"{query_id} {name}"] = f"{values[name]} != {actual}"
    return found


@pytest.mark.parametrize(("collection", "name"), RUNS)
def test_every_query_in_served_order_has_the_recorded_value(collection: str, name: str) -> None:
    """In the order that the service gave, per query, for every measure with a recorded value, to 1e-9."""
    scores = score(qrels(collection), served(collection, name), MEASURES.values(), 1)

    assert {} == differences(reference(collection)[name]["rank_order"]["per_query"], scores, MEASURES)


@pytest.mark.parametrize(("collection", "name"), RUNS)
def test_every_query_in_trec_order_has_the_recorded_value(collection: str, name: str) -> None:
    """In trec_eval's order (score down, id down), per query, to 1e-9."""
    scores = score(qrels(collection), by_score(collection, name), MEASURES.values(), 1)

    assert {} == differences(reference(collection)[name]["score_order"]["per_query"], scores, MEASURES)


@pytest.mark.parametrize(("collection", "name"), GRADED)
def test_every_query_at_relevance_level_2_has_the_recorded_value(collection: str, name: str) -> None:
    """With only grades of 2 and more counted as relevant, to 1e-9."""
    scores = score(qrels(collection), served(collection, name), AT_LEVEL_2.values(), 2)

    assert {} == differences(
        reference(collection)[name]["rank_order"]["relevance_level_2"]["per_query"], scores, AT_LEVEL_2
    )


@pytest.mark.parametrize(("collection", "name"), RUNS)
def test_the_means_over_all_judged_queries_are_the_recorded_ones(collection: str, name: str) -> None:
    """A query without results counts 0, as with trec_eval -c; undefined queries count 0 there and are left out here."""
    rankings = served(collection, name).rankings
    queries = qrels(collection)
    complete = Run(0, {query.id: rankings.get(query.id, Ranking(())) for query in queries})
    scores = score(queries, complete, MEASURES.values(), 1)

    means = {
        key: math.fsum(value for value in scores.values[measure].tolist() if not math.isnan(value)) / len(queries)
        for key, measure in MEASURES.items()
    }

    expected = reference(collection)[name]["rank_order"]["mean_complete"]
    assert pytest.approx({key: expected[key] for key in means if key in expected}, abs=1e-9) == {
        key: value for key, value in means.items() if key in expected
    }
