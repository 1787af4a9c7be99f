"""The commands beside the gate: help, version, schemas, presets, and runs in TREC form."""

import json
from importlib import metadata

import click
import jsonschema  # type: ignore[import-untyped]
import pytest
import yaml

from rankgate.cli import cli
from rankgate.service import starter
from tests.e2e.support import HEAD, JARGON, Inside, Rankgate, Workspace, name, put, right

COMMANDS = sorted(cli.commands)


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(inside: Inside, command: str, flag: str) -> None:
    """It shows how the command is called and every option with a word of what it is for."""
    result = inside(command, flag)
    options = result.stdout.partition("Options:\n")[2]

    assert (0, "") == (result.code, result.stderr)
    assert result.stdout.startswith(f"Usage: rankgate {command} ")
    assert [] == [
        each.name for each in cli.commands[command].params if isinstance(each, click.Option) and not each.help
    ]
    assert "--help" in options


def test_help_lists_every_command(inside: Inside) -> None:
    """And the exit codes."""
    long, short = inside("--help"), inside("-h")

    assert (0, "") == (long.code, long.stderr)
    assert long == short
    assert [] == [command for command in COMMANDS if f"\n  {command} " not in long.stdout]
    assert "0 passes, 1 fails, 2 wrong input, 3 could not be measured, 4 a" in long.stdout


def test_version_is_that_of_the_package(rankgate: Rankgate) -> None:
    """One line that a script can read."""
    result = rankgate("--version")

    assert (0, f"rankgate {metadata.version('rankgate')}\n", "") == (result.code, result.stdout, result.stderr)


def test_the_schema_of_the_config_takes_a_config(workspace: Workspace, inside: Inside) -> None:
    """It is valid JSON Schema, takes the config that the gate takes, and refuses a misspelt key."""
    result = inside("schema", "config")
    schema = json.loads(result.stdout)
    config = yaml.safe_load(workspace.config.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    assert 0 == result.code
    assert [] == list(validator.iter_errors(config))
    assert [] != list(validator.iter_errors(config | {"depht": 1}))


def test_the_schema_of_the_golden_set_takes_a_golden_file(workspace: Workspace, inside: Inside) -> None:
    """It is valid JSON Schema, takes the file that the gate takes, and refuses a query without text."""
    result = inside("schema", "golden")
    schema = json.loads(result.stdout)
    golden = json.loads(workspace.file("head").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    assert 0 == result.code
    assert [] == list(validator.iter_errors(golden))
    del golden["queries"][0]["text"]
    assert [] != list(validator.iter_errors(golden))


@pytest.mark.parametrize("preset", starter.presets())
def test_every_preset_is_valid_as_it_is_written(workspace: Workspace, inside: Inside, preset: str) -> None:
    """What init writes passes validate before a word is changed, and the steps that it names can be pasted."""
    begun = inside("init", "my shop", "--preset", preset)
    result = inside("validate", "--config", "my shop/rankgate.yaml")

    assert 0 == begun.code
    assert "rankgate check --config 'my shop/rankgate.yaml'" in begun.stderr
    assert (0, "ok: 2 queries, 5 judgments, no baseline\n") == (result.code, result.stdout), result.stderr


def test_init_leaves_what_is_there(workspace: Workspace, inside: Inside) -> None:
    """One file that exists is enough for nothing to be written."""
    put(workspace.root / "new" / "queries" / "first.yaml", "mine")
    before = workspace.snapshot()
    result = inside("init", "new")

    assert 2 == result.code
    assert "new/queries/first.yaml: is already there" in result.stderr
    assert before == workspace.snapshot()


def trec(rankings: dict[str, list[str]]) -> str:
    """*rankings* as a run in TREC form, of falling scores."""
    lines = [
        f"{name(text)} Q0 {document} {rank} {100 - rank} tag"
        for text, documents in rankings.items()
        for rank, document in enumerate(documents, start=1)
    ]
    return "\n".join(lines) + "\n"


def test_trec_runs_are_compared(workspace: Workspace, inside: Inside) -> None:
    """Two files of another tool, no service, no baseline: the same report and exit codes."""
    best = {text: right(text) for text in (*HEAD, *JARGON)}
    worse = best | {text: right(text)[::-1] for text in ("trail map", "usb-c lamp")}
    put(workspace.root / "a.run", trec(best))
    put(workspace.root / "b.run", trec(worse))
    same, fell, rose = (
        inside("diff", "a.run", "a.run"),
        inside("diff", "a.run", "b.run"),
        inside("diff", "b.run", "a.run"),
    )

    assert [0, 1, 0] == [each.code for each in (same, fell, rose)]
    assert "trail-map-1" in fell.stdout
    assert "1 -> 4" in fell.stdout
    assert [] == workspace.search.requests


def test_a_trec_run_is_compared_with_the_baseline(accepted: Workspace, inside: Inside) -> None:
    """A query without a line is an empty answer there, which is said."""
    put(accepted.root / "b.run", trec({text: right(text) for text in (*HEAD, *JARGON) if text != "trail map"}))
    result = inside("diff", accepted.baseline, "b.run")

    assert 0 == result.code
    assert "queries without a line in the TREC run, counted as empty answers: 1" in " ".join(result.stdout.split())


def test_a_damaged_trec_run_is_2_with_its_line(accepted: Workspace, inside: Inside) -> None:
    """A score that is none."""
    put(accepted.root / "b.run", "trail-map Q0 d1 1 high tag\n")
    result = inside("diff", accepted.baseline, "b.run")

    assert (2, "") == (result.code, result.stdout)
    assert "b.run:1" in result.stderr
    assert "'high'" in result.stderr


def test_runs_of_another_set_have_nothing_to_compare(accepted: Workspace, inside: Inside) -> None:
    """No query in common is wrong input, not a fall to zero."""
    put(accepted.root / "b.run", "another-query Q0 d1 1 9 tag\n")
    result = inside("diff", accepted.baseline, "b.run")

    assert (2, "") == (result.code, result.stdout)
    assert "share no query" in result.stderr
