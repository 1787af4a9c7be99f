"""``import rankgate``: the same verdicts as the commands, from Python."""

import asyncio
import dataclasses
import inspect
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Final, get_type_hints

import pytest

import rankgate
from rankgate import api
from tests.e2e.support import HEAD, JARGON, Fault, Inside, Workspace, name, put

#: What the command line ends with, by the verdict.
CODES: Final = {"pass": 0, "warn": 0, "fail": 1, "inconclusive": 3}


@pytest.fixture
def project(accepted: Workspace) -> rankgate.Project:
    """The workspace's, after its right rankings were accepted."""
    return rankgate.load(accepted.config)


def test_what_is_public_is_imported_when_it_is_used() -> None:
    """The package alone imports nothing else of rankgate, and nothing that is installed."""
    code = "import sys, rankgate; print(sorted(m for m in sys.modules if m.partition('.')[0] in {'rankgate', 'numpy'}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "['rankgate']\n" == done.stdout


def test_the_package_offers_what_the_api_has() -> None:
    """One list of names, seen by ``dir`` and by ``import *``, and nothing else."""
    assert rankgate.__all__ == sorted([*api.__all__, "__version__"])
    assert set(rankgate.__all__) <= set(dir(rankgate))
    assert {getattr(api, each) for each in api.__all__} == {getattr(rankgate, each) for each in api.__all__}
    with pytest.raises(AttributeError, match="module 'rankgate' has no attribute 'mesure'"):
        rankgate.mesure  # type: ignore[attr-defined]  # noqa: B018 - to read it is the test


@pytest.mark.parametrize("public", [each for each in rankgate.__all__ if each != "__version__"])
def test_every_public_name_is_documented_and_typed(public: str) -> None:
    """A sentence for each; for a function its arguments, where it has some that need words, and what it returns."""
    found = getattr(rankgate, public)

    assert (found.__doc__ or "").partition("\n")[0].endswith((".", "::"))
    if inspect.isfunction(found):
        assert {*inspect.signature(found).parameters, "return"} == set(get_type_hints(found))


@pytest.mark.parametrize(
    ("worse", "failing", "expected"),
    [
        pytest.param((), (), "pass", id="pass"),
        pytest.param(HEAD[:3], (), "fail", id="fail"),
        pytest.param((), HEAD[:1], "inconclusive", id="inconclusive"),
    ],
)
def test_the_verdict_is_that_of_the_command(
    accepted: Workspace, inside: Inside, worse: tuple[str, ...], failing: tuple[str, ...], expected: str
) -> None:
    """``check`` asks as the command does, also again before it fails, and says the same."""
    accepted.worsen(*worse)
    accepted.search.faults |= {text: Fault(500) for text in failing}
    accepted.search.requests.clear()
    command = inside("check", "--format", "json")
    asked = [request.text for request in accepted.search.requests]
    accepted.search.requests.clear()

    result = rankgate.check(rankgate.load("golden"))

    assert (expected, CODES[expected]) == (result.verdict.outcome, command.code)
    assert sorted(asked) == sorted(request.text for request in accepted.search.requests)
    assert said(json.loads(command.stdout)) == said(json.loads(rankgate.render(result, "json")))


def said(report: dict[str, object]) -> dict[str, object]:
    """A report but for what to do next, which names the last run and the options of the command."""
    return {key: value for key, value in report.items() if key not in {"headline", "next_steps"}}


def test_it_writes_no_file(accepted: Workspace, project: rankgate.Project) -> None:
    """Not even the last run, which is for ``rankgate explain``."""
    before = accepted.snapshot()
    rankgate.check(project)

    assert before == accepted.snapshot()


def test_the_steps_one_by_one_are_the_whole(accepted: Workspace, project: rankgate.Project, tmp_path: Path) -> None:
    """Load, measure, save, read, compare, judge, render."""
    accepted.worsen(*HEAD[:3])
    rankgate.save_run(rankgate.measure(project), tmp_path / "run.jsonl")
    run, baseline = rankgate.read_run(tmp_path / "run.jsonl"), rankgate.read_baseline(project)
    assert baseline is not None
    comparison = rankgate.compare(project, run, baseline)
    result = rankgate.judge(project, run, baseline)

    assert tuple(sorted(map(name, HEAD[:3]))) == comparison.lost
    assert rankgate.Outcome.FAIL is result.verdict.outcome
    assert rankgate.render(result).startswith("FAIL  exit code 1\n")
    assert {query.id for query in rankgate.facts(result).worst} == set(comparison.lost)


def test_a_selection_has_no_verdict(project: rankgate.Project) -> None:
    """As with ``--slice`` and ``--query``."""
    run = rankgate.measure(project, slices=["jargon"], queries=[name(HEAD[0])])
    result = rankgate.judge(project, run, rankgate.read_baseline(project))

    assert {name(text) for text in (*JARGON, HEAD[0])} == run.run.query_ids
    assert rankgate.Outcome.PARTIAL is result.verdict.outcome


@pytest.mark.parametrize("selection", [{"queries": []}, {"slices": ()}, {"queries": [], "slices": []}])
def test_an_empty_selection_asks_nothing(
    accepted: Workspace, project: rankgate.Project, selection: dict[str, Any]
) -> None:
    """It never passes, and it never is the whole set."""
    accepted.search.requests.clear()
    with pytest.raises(rankgate.UsageError, match="the selection holds no query"):
        rankgate.measure(project, **selection)

    assert [] == accepted.search.requests


def test_without_a_baseline_the_verdict_says_so(project: rankgate.Project) -> None:
    """No silent pass: what was compared with nothing warns, and fails under ``strict``."""
    run = rankgate.measure(project)

    assert rankgate.Outcome.WARN is rankgate.judge(project, run).verdict.outcome
    assert 1 == rankgate.judge(project, run, strict=True).verdict.exit_code
    assert 1 == rankgate.check(project, floors_only=True, strict=True).verdict.exit_code


def test_other_services_are_asked_by_target_and_address(accepted: Workspace, dead_port: int) -> None:
    """``load`` takes what ``--url`` and ``--target`` take."""
    there = rankgate.load(accepted.config, url=f"http://127.0.0.1:{dead_port}/search")

    with pytest.raises(rankgate.ServiceUnreachableError, match=str(dead_port)):
        rankgate.measure(there)
    with pytest.raises(rankgate.UsageError, match="no target 'nowhere'"):
        rankgate.load(accepted.config, target="nowhere")


def test_progress_is_told(project: rankgate.Project) -> None:
    """After each query, with the number of all."""
    told: list[tuple[int, int]] = []
    rankgate.measure(project, progress=lambda done, total: told.append((done, total)))

    assert [(done, 12) for done in range(1, 13)] == told


def test_it_measures_where_an_event_loop_runs(accepted: Workspace, project: rankgate.Project) -> None:
    """As in a notebook, whose cells run inside one; measured in a thread that is gone afterwards."""
    told: list[int] = []

    async def cell() -> tuple[rankgate.SavedRun, rankgate.GateResult]:
        run = rankgate.measure(project, progress=lambda done, _: told.append(done))
        accepted.worsen(*HEAD[:3])
        return run, rankgate.check(project)

    run, result = asyncio.run(cell())

    assert 12 == len(run.run.rankings) == len(told)
    assert rankgate.Outcome.FAIL is result.verdict.outcome
    assert [] == [thread.name for thread in threading.enumerate() if thread.name.startswith("rankgate")]


def test_an_error_in_a_notebook_is_the_same_error(accepted: Workspace, dead_port: int) -> None:
    """What is raised in the thread is raised in the cell."""
    there = rankgate.load(accepted.config, url=f"http://127.0.0.1:{dead_port}/search")

    async def cell() -> None:
        rankgate.measure(there)

    with pytest.raises(rankgate.ServiceUnreachableError):
        asyncio.run(cell())


def test_an_interrupted_cell_stops_asking(
    accepted: Workspace, project: rankgate.Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever waits is interrupted; what measures ends with the next answer, instead of asking all the rest."""
    accepted.configure("retries: 0", "retries: 0\n  concurrency: 1")
    project = rankgate.load(accepted.config)
    asked = len(accepted.search.requests)
    monkeypatch.setattr("concurrent.futures.Future.result", _interrupted)

    async def cell() -> None:
        rankgate.measure(project)

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(cell())
    assert 12 > len(accepted.search.requests) - asked


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("side", ["run", "baseline"])
def test_a_shallow_run_is_compared_with_nothing(accepted: Workspace, project: rankgate.Project, side: str) -> None:
    """A run that was asked for fewer documents than a rule looks at is refused, and it is said which."""
    deep = rankgate.measure(project)
    rules = accepted.config.read_text(encoding="utf-8")
    accepted.config.write_text(rules.replace("depth: 10", "depth: 5").replace("@10", "@5"), encoding="utf-8")
    shallow = rankgate.measure(rankgate.load(accepted.config))
    run, baseline = (shallow, deep) if side == "run" else (deep, shallow)

    with pytest.raises(rankgate.BaselineMismatchError, match=f"^{side}: it was asked for 5 documents a query"):
        rankgate.judge(project, run, baseline)


@pytest.mark.parametrize(
    ("found", "wanted", "named"),
    [
        ("nDCG@10: {max_drop: 0.1}\n  ZeroR", "R@10: {floor: 0.9}\n  ZeroR", r"R@10, nDCG\(dcg='exp-log2'\)@10 look"),
        ('"text": "wool socks"', '"text": "wool socks", "must": {"P@7": 0.1}', r"nDCG\(dcg='exp-log2'\)@10, P@7 look"),
        ('"text": "wool socks"', '"text": "wool socks", "never": ["x"]', r"nDCG\(dcg='exp-log2'\)@10, never look"),
    ],
    ids=["floor", "must", "never"],
)
def test_a_shallow_run_is_judged_by_nothing(
    accepted: Workspace, project: rankgate.Project, found: str, wanted: str, named: str
) -> None:
    """No floor and no pin says anything of documents that nobody asked for, with a baseline or without one."""
    run = rankgate.measure(project)
    shallow = dataclasses.replace(run, run=dataclasses.replace(run.run, depth=5))
    for path in (accepted.config, accepted.file("head")):
        put(path, path.read_text(encoding="utf-8").replace(found, wanted))
    project = rankgate.load(accepted.config)

    for baseline in (None, run):
        with pytest.raises(rankgate.BaselineMismatchError, match=f"^run: it was asked for 5 .* and {named} at 10$"):
            rankgate.judge(project, shallow, baseline)


def test_the_last_line_of_a_cell_shows_counts_and_no_megabyte(accepted: Workspace, project: rankgate.Project) -> None:
    """What a notebook prints of a value by itself; the reports are for the rest."""
    accepted.worsen(*HEAD[:3])
    accepted.search.faults[JARGON[0]] = Fault(500)
    run = rankgate.measure(project)
    result = rankgate.judge(project, run, rankgate.read_baseline(project))
    facts = rankgate.facts(result)
    measures = ", ".join(map(str, project.measures))

    assert [
        f"<Project {str(accepted.config)!r} queries=12 measures=({measures}) warnings={len(project.warnings)}>",
        "<GoldenSet queries=12 slices=2>",
        "<SavedRun kind='run' partial=False queries=12 failed=1 depth=10>",
        "<Run queries=12 failed=1 depth=10>",
        f"<Comparison queries=12 measures=({measures}) failed=1 baseline=12>",
        f"<GateResult fail exit_code=1 queries=12 findings={len(result.verdict.findings)}>",
        f"<Verdict fail exit_code=1 findings={len(result.verdict.findings)}>",
        "<Facts FAIL exit_code=1 queries=12 worst=3>",
    ] == [
        repr(each) for each in (project, project.golden, run, run.run, result.comparison, result, result.verdict, facts)
    ]
