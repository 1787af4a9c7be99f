"""The reports of a result: where they go, what they advise, and the code that the command ends with."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rankgate.cli import github, streams
from rankgate.cli.options import Asking, without_password
from rankgate.errors import InputError, UsageError

if TYPE_CHECKING:
    from rankgate.cli.against import Other
    from rankgate.core.verdict import GateResult
    from rankgate.reports import CommandHints


def sinks(report: str, outputs: Sequence[str], *others: Path) -> tuple[tuple[str, Path], ...]:
    """The files to write, checked before anything is asked; none is one of *others* or stands twice."""
    from rankgate.reports import check_format

    found = []
    for output in outputs:
        name, colon, path = output.partition(":")
        if not colon or not path:
            raise UsageError(f"--output takes FORMAT:PATH, for example junit:report.xml; found {output!r}")
        if path == "-":
            raise UsageError(f"--output writes a file; on stdout the report comes with --format {name}")
        found.append((name, Path(path)))
    for name in (report, *(name for name, _ in found)):
        check_format(name)
    files = [file for _, file in found]
    places = [file.resolve() for file in (*others, *files)]
    for file in files:
        if places.count(file.resolve()) > 1:
            raise UsageError(f"{str(file)!r} would be written twice; give each --output a file of its own")
    return tuple(found)


def emit(result: "GateResult", report: str, sinks: Sequence[tuple[str, Path]], hints: "CommandHints") -> int:
    """Write every report of *result*; one that cannot be written never turns the verdict green.

    Who sees only stderr, as beside a report in a file, learns there why the code is not 0.
    """
    from rankgate.files.atomic import write_text
    from rankgate.reports import gather, write

    code = result.verdict.exit_code
    facts = gather(result, command_hints=hints)
    placed = streams.checkout()
    unwritten: InputError | None = None
    written = []
    for name, path in sinks:
        try:
            write_text(path, write(name, facts, width=100, checkout=placed))
            written.append((name, path))
        except InputError as error:
            unwritten = error
            streams.say_problems(
                error.problems, "the verdict stands; only the report could not be written.", streams.EXIT_INPUT
            )
    code = code or (streams.EXIT_INPUT if unwritten else 0)
    page = write(report, facts, width=streams.width(), color=streams.color(), checkout=placed)
    code = streams.write(page, code)
    if result.verdict.exit_code:
        streams.say(f"{facts.word}: {facts.headline}")
    if "github" in {report, *(name for name, _ in sinks)}:
        github.tell(facts, code, written)
    return code


def hints(
    config: Path | None,
    baseline: Path | None,
    *,
    kept: bool,
    accepts: bool = True,
    asking: Asking | None = None,
    second: "Other | None" = None,
    run: Path | None = None,
    beside: Path | None = None,
    times: int | None = None,
    replay: Path | None = None,
) -> "CommandHints":
    """The commands that a report names as the next step; explain only where the run was *kept*.

    Args:
        accepts: The run can become the baseline.
        asking: Which service was asked, for what asks it again; of a replay the words are those of the run it replays.
        second: The service that was asked too.
        run: The file that holds the run; None for the one that ``check`` keeps.
        beside: What it is compared with, where that is not the baseline.
        times: How often the whole set was asked, for what accepts the same.
        replay: Whose answers are accepted.
    """
    from rankgate.reports import CommandHints

    asked = ""
    if asking:
        asked = _options(target=asking.target, url=without_password(asking.url))
    suffix = _options(config=config, baseline=baseline) + asked
    closer = _options(config=config, baseline=beside or baseline, run=run)
    return CommandHints(
        check=f"rankgate check{suffix}{second.option if second else ''}",
        explain=f"rankgate explain{closer}" if kept else "",
        accept=f"rankgate accept{suffix}{_options(**{'from': run}, repeat=times, replay=replay)}" if accepts else "",
        holes=f"rankgate holes{closer}" if kept else "",
    )


def _options(**given: Path | str | int | None) -> str:
    return "".join(f" --{name} {shlex.quote(str(path))}" for name, path in given.items() if path)
