"""The page about a real shop: every row of its tables, and every sentence that it quotes, comes out of the command again."""

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from rankgate.reports.rounding import brief, interval, number, probability, shares, signed
from tests.e2e import icecat
from tests.support import needs_collections

pytestmark = needs_collections

PAGE: Final = Path(__file__).parents[2] / "docs" / "icecat.md"
MEASURES: Final = ("P@1", "nDCG@10", "R@10", "Success@5", "RR", "AP", "Judged@10")
SHOWN: Final = MEASURES[:6]
WORST: Final = 12
SLICES: Final = ("all", "several-words", "one-word", "model-number")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The golden set and the runs that the page is about."""
    folder = tmp_path_factory.mktemp("shop")
    icecat.write(folder, icecat.answered(), MEASURES)
    return folder


def rankgate(folder: Path, *arguments: str) -> str:
    """What the real command prints."""
    command = [sys.executable, "-m", "rankgate", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return done.stdout.decode()


@pytest.fixture(scope="module")
def report(shop: Path) -> Mapping[str, Any]:
    """Keyword against vector."""
    found: Mapping[str, Any] = json.loads(
        rankgate(shop, "diff", "no_vector.jsonl", "with_vector.jsonl", "--format", "json")
    )
    return found


@pytest.fixture(scope="module")
def vectors(shop: Path) -> Mapping[str, Any]:
    """Vector against vector."""
    found: Mapping[str, Any] = json.loads(
        rankgate(shop, "diff", "with_vector.jsonl", "vector_2.jsonl", "--format", "json")
    )
    return found


def tables() -> dict[str, list[tuple[str, ...]]]:
    """The rows of each table of the page, by the first word of its head."""
    found: dict[str, list[tuple[str, ...]]] = {}
    name = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = tuple(cell.strip().strip("`") for cell in line.strip("|").split("|")) if line.startswith("|") else ()
        if not cells:
            name = ""
        elif not name:
            name = cells[0]
            found[name] = []
        elif set(cells[0]) != {"-"}:
            found[name].append(cells)
    return found


def evidence(report: Mapping[str, Any]) -> dict[tuple[str, str], Mapping[str, Any]]:
    return {(row["slice"], row["label"]): row for row in report["evidence"]}


def cells(report: Mapping[str, Any]) -> dict[tuple[str, str], Mapping[str, Any]]:
    labels = {fact["name"]: fact["label"] for fact in report["measures"]}
    return {(row["slice"], labels[cell["measure"]]): cell for row in report["slices"] for cell in row["cells"]}


def sides(cell: Mapping[str, Any]) -> tuple[str, str, str]:
    return number(cell["baseline"]), number(cell["candidate"]), signed(cell["change"])


def test_what_was_compared(shop: Path, report: Mapping[str, Any]) -> None:
    """How many queries and results there are, of which nobody judged some."""
    judged, found = icecat.judgments(), icecat.answered()
    unjudged = {
        name: sum(document not in judged[query_id] for query_id in found for document in icecat.served(name)[query_id])
        for name in icecat.SNAPSHOTS[:2]
    }
    returned = {name: sum(len(icecat.served(name)[query_id]) for query_id in found) for name in unjudged}
    both = rankgate(
        shop, "holes", "--baseline", "no_vector.jsonl", "--run", "with_vector.jsonl", "--all", "--format", "csv"
    )

    assert [
        ("queries with judgments", str(len(judged))),
        ("of them without a relevant document, left out", str(len(judged) - len(icecat.relevant()))),
        ("of the rest in no snapshot, left out", str(len(icecat.relevant()) - len(found))),
        ("queries compared", str(report["counts"]["compared"])),
        ("results of keyword, unjudged among them", f"{returned['no_vector']}, {unjudged['no_vector']}"),
        ("results of vector, unjudged among them", f"{returned['with_vector']}, {unjudged['with_vector']}"),
        ("unjudged results of either", str(len(both.splitlines()) - 1)),
        ("queries that lost a relevant first result", str(len(report["lost"]))),
        ("queries that gained one", str(len(report["gained"]))),
    ] == tables()["what"]


def test_the_means(report: Mapping[str, Any]) -> None:
    """Of the whole, with what each change is worth."""
    rows, worth = cells(report), evidence(report)

    assert [
        (
            label,
            *sides(rows["all", label]),
            interval(row["low"], row["high"]),
            number(row["p"]),
            f"{row['better']} / {row['same']} / {row['worse']}",
            number(row["detectable"]),
        )
        for label in SHOWN
        for row in [worth["all", label]]
    ] == tables()["measure"]


def test_the_slices(report: Mapping[str, Any]) -> None:
    """What the means hide."""
    rows, worth = cells(report), evidence(report)

    assert [
        (
            name,
            str(worth[name, "nDCG@10"]["n"]),
            *sides(rows[name, "nDCG@10"]),
            interval(worth[name, "nDCG@10"]["low"], worth[name, "nDCG@10"]["high"]),
            f"{number(worth[name, 'nDCG@10']['p'])}, {probability(worth[name, 'nDCG@10']['p_holm'])}",
            signed(rows[name, "R@10"]["change"]),
            signed(rows[name, "Success@5"]["change"]),
        )
        for name in SLICES
    ] == tables()["slice"]


def test_the_worst_queries(report: Mapping[str, Any]) -> None:
    """Ids only: what they had and have, what was judged of it, and what became of the document that cost most."""
    queries = {query["id"]: query for query in report["queries"]}

    def row(query: Mapping[str, Any]) -> tuple[str, ...]:
        value = next(each for each in query["values"] if each["label"] == "nDCG@10")
        grades = [grade for grade in query["now"]["grades"] if grade is not None]
        move = query["moves"][0]
        return (
            query["id"],
            ", ".join(query["slices"]),
            f"{brief(value['before'])} -> {brief(value['now'])}",
            f"{len(grades)} of {len(query['now']['grades'])}",
            str(sum(grade > 0 for grade in grades)),
            f"{move['document']} (grade {move['grade']}) from rank {move['before']}: {move['reason']}",
        )

    assert [row(queries[query_id]) for query_id in report["worst"][:WORST]] == tables()["query"]


def test_how_far_judging_could_move_it(report: Mapping[str, Any]) -> None:
    """The least and the greatest that each change could become, and how few judgments could turn a broken rule."""
    worth = evidence(report)
    fewest = {(row["slice"], row["measure_label"]): str(len(row["holes"])) for row in report["rules"] if row["holes"]}
    wanted = (*(("all", label) for label in SHOWN[:5]), ("model-number", "nDCG@10"), ("model-number", "R@10"))

    assert [
        (
            label if name == "all" else f"{label} on {name}",
            shares(row["judged_before"], row["judged"]),
            signed(row["change"]),
            signed(row["least"]),
            signed(row["greatest"]),
            fewest.get((name, label), "-"),
        )
        for name, label in wanted
        for row in [worth[name, label]]
    ] == tables()["change of"]


def test_how_alike_they_rank(report: Mapping[str, Any], vectors: Mapping[str, Any]) -> None:
    """Keyword and vector share hardly a document; the two vector snapshots share every rank."""

    def row(title: str, found: Mapping[str, Any]) -> tuple[str, ...]:
        overlaps = (number(value) for _, value in found["overlap"])
        return title, f"{found['alike']} of {found['queries']}", *overlaps, number(found["rank_biased"])

    expected = [row("keyword, vector", report["agreement"]), row("vector, vector 2", vectors["agreement"])]

    assert expected == tables()["pair"]


def quoted(report: Mapping[str, Any], vectors: Mapping[str, Any]) -> Iterable[str]:
    yield from (fact["sentence"] for fact in report["behind"])
    yield report["causes"]["sentence"]
    yield from (f"{each['verdict']}, exit code {each['exit_code']}" for each in (report, vectors))
    yield vectors["headline"]
    # The smallest change that a set detects falls with the root of its size.
    ndcg = evidence(report)["all", "nDCG@10"]
    yield f"about {round(ndcg['n'] * (ndcg['detectable'] / ndcg['change']) ** 2, -2):,.0f} queries"
    found = [query["now"]["grades"] for query in report["queries"] if query["id"] in report["worst"][:WORST]]
    yield f"{sum(set(grades) == {0} for grades in found)} of these {WORST}"


def test_every_sentence_that_the_page_quotes_is_said(report: Mapping[str, Any], vectors: Mapping[str, Any]) -> None:
    """Word by word, wherever the page breaks its lines."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    page = " ".join(" ".join(line.removeprefix(">") for line in lines).split())

    assert [] == [each for each in quoted(report, vectors) if each not in page]


def test_the_page_has_the_config_and_no_text_of_a_query(shop: Path) -> None:
    """The rules stand there as they are; queries are named by their ids."""
    page = PAGE.read_text(encoding="utf-8")
    config = (shop / "rankgate.yaml").read_text(encoding="utf-8")
    prose = page.replace("`", "").lower()
    long_texts = [text for text in icecat.texts().values() if " " in text]

    assert config[config.index("gate:") :] in page
    assert [] == [text for text in long_texts if text in prose]
