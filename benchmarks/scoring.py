"""Scoring beside its peers, in one run on the same generated data: ``python benchmarks/scoring.py [S M L]``.

Each cell is a process of its own, so that its peak memory is its own. Two ways are timed: evaluation from dictionaries
in memory (median of several, warm), and a whole process from TREC files to printed means. Six measures per query:
P@1, P@3, nDCG@10 (linear), R@50, RR, AP. The means of all are compared with trec_eval's.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from shapes import SHAPES, Shape, generate, scored, write_trec

REPEATS = {"S": 25, "M": 3, "L": 3}
TURNS = {"S": 5, "M": 3, "L": 1}
PEERS = {"rankgate": "rankgate", "pytrec_eval": "pytrec_eval", "ir_measures": "ir_measures", "ranx": "ranx"}
OURS = ["P_1", "P_3", "ndcg_cut_10", "recall_50", "recip_rank", "map"]
TREC = {"P.1,3", "ndcg_cut.10", "recall.50", "recip_rank", "map"}
RANX = ["precision@1", "precision@3", "ndcg@10", "recall@50", "mrr", "map"]
MEASURES = ["P@1", "P@3", "nDCG@10", "R@50", "RR", "AP"]


def from_memory(peer: str, judgments: Any, rankings: Any) -> Callable[[], list[float]]:
    """A function that evaluates dictionaries which are ready in memory, and gives the six means."""
    run = {query: scored(ranking) for query, ranking in rankings.items()}
    if peer == "rankgate":
        from rankgate.score import Conventions, score_run

        conventions = Conventions(undefined="zero")
        return lambda: [column.summary for column in score_run(judgments, run, OURS, conventions).columns]
    if peer == "pytrec_eval":
        import pytrec_eval

        def trec() -> list[float]:
            results = pytrec_eval.RelevanceEvaluator(judgments, TREC).evaluate(run)
            return [sum(values[name] for values in results.values()) / len(judgments) for name in OURS]

        return trec
    if peer == "ir_measures":
        import ir_measures

        asked = [ir_measures.parse_measure(name) for name in MEASURES]
        return lambda: list(map(ir_measures.calc_aggregate(asked, judgments, run).__getitem__, asked))
    import ranx

    def with_ranx() -> list[float]:
        means = ranx.evaluate(ranx.Qrels(judgments), ranx.Run(run), RANX, make_comparable=True)
        return [float(means[name]) for name in RANX]

    return with_ranx


def from_files(peer: str, qrels: Path, run: Path) -> list[float]:
    """The six means from TREC files, the way a user of the peer would."""
    if peer == "rankgate":
        from rankgate.score import Conventions, score_files

        table = score_files(qrels, run, OURS, Conventions(undefined="zero"))
        return [column.summary for column in table.columns]
    if peer == "pytrec_eval":
        import pytrec_eval

        with qrels.open() as stream:
            judgments = pytrec_eval.parse_qrel(stream)
        with run.open() as stream:
            results = pytrec_eval.RelevanceEvaluator(judgments, TREC).evaluate(pytrec_eval.parse_run(stream))
        return [sum(values[name] for values in results.values()) / len(judgments) for name in OURS]
    if peer == "ir_measures":
        import ir_measures

        asked = [ir_measures.parse_measure(name) for name in MEASURES]
        means = ir_measures.calc_aggregate(
            asked, ir_measures.read_trec_qrels(str(qrels)), ir_measures.read_trec_run(str(run))
        )
        return [means[measure] for measure in asked]
    import ranx

    means = ranx.evaluate(
        ranx.Qrels.from_file(str(qrels), kind="trec"),
        ranx.Run.from_file(str(run), kind="trec"),
        RANX,
        make_comparable=True,
    )
    return [float(means[name]) for name in RANX]


def child(way: str, peer: str, size: str, folder: Path) -> None:
    """Measure one cell and print it as JSON."""
    if way == "memory":
        evaluate = from_memory(peer, *generate(SHAPES[size]))
        means = evaluate()
        times = []
        for _ in range(REPEATS[size]):
            start = time.perf_counter()
            evaluate()
            times.append(time.perf_counter() - start)
        print(json.dumps({"seconds": statistics.median(times), "means": means}))
        return
    means = from_files(peer, folder / "qrels.txt", folder / "run.txt")
    # Not ru_maxrss, which a child inherits from its parent.
    status = Path("/proc/self/status").read_text()
    peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
    print(json.dumps({"means": means, "megabytes": peak}))


def cell(way: str, peer: str, size: str, folder: Path) -> dict[str, Any]:
    """Run one cell in a fresh process; a whole process is timed from outside."""
    command = [sys.executable, __file__, "--child", way, peer, size, str(folder)]
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - start
    return {"seconds": seconds} | json.loads(done.stdout.splitlines()[-1])


def cells(way: str, peers: list[str], size: str, folder: Path) -> dict[str, dict[str, Any]]:
    """Every peer's cell: the median of turns that alternate, for no machine is equally fast all the time."""
    turns = [{peer: cell(way, peer, size, folder) for peer in peers} for _ in range(TURNS[size])]
    return {
        peer: turns[-1][peer] | {"seconds": statistics.median(turn[peer]["seconds"] for turn in turns)}
        for peer in peers
    }


def gate_of_120() -> float:
    """Milliseconds for the gate's five measures of a set of 120 queries and 50 results, once loaded; the median."""
    from rankgate.core.catalog import Scale, parse_measure
    from rankgate.core.judgments import Query
    from rankgate.core.measures import mean
    from rankgate.core.rankings import Ranking, Run
    from rankgate.core.scoring import score

    judgments, rankings = generate(Shape("gate", queries=120, results=50, judged=30))
    queries = [Query(query, query, grades) for query, grades in judgments.items()]
    run = Run(50, {query: Ranking.of(ranking) for query, ranking in rankings.items()})
    measures = [parse_measure(name, Scale()) for name in ("P@1", "P@3", "nDCG@10", "R@50", "ZeroResults")]
    times = []
    for _ in range(50):
        start = time.perf_counter()
        values = score(queries, run, measures, 1).values
        for measure in measures:
            mean(values[measure])
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def main(sizes: list[str]) -> None:
    """Print the tables."""
    peers = [peer for peer, module in PEERS.items() if find_spec(module)]
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; peers: {', '.join(peers)}\n"
    )
    print(f"five gate measures of 120 queries, once loaded: {gate_of_120():.2f} ms\n")
    print("| size | way | peer | seconds | rankgate / peer | peak MB | largest difference of a mean |")
    print("|---|---|---|---|---|---|---|")
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_trec(folder, *generate(SHAPES[size]))
            for way in ("memory", "process"):
                found = cells(way, peers, size, folder)
                truth = found["pytrec_eval"]["means"]
                for peer, of_peer in found.items():
                    ratio = found["rankgate"]["seconds"] / of_peer["seconds"]
                    apart = max(abs(one - other) for one, other in zip(of_peer["means"], truth, strict=True))
                    peak = f"{of_peer['megabytes']:.0f}" if "megabytes" in of_peer else "-"
                    row = size, way, peer, f"{of_peer['seconds']:.4f}", f"{ratio:.2f}", peak, f"{apart:.1e}"
                    print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], sys.argv[3], sys.argv[4], Path(sys.argv[5]))
    else:
        main(sys.argv[1:] or list(SHAPES))
