"""What GitHub Actions is told beside the report: the summary of the step, and the step's outputs.

Nothing here turns a verdict: it is on stdout by then, and what cannot be told is a note on stderr.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rankgate.cli import streams
from rankgate.errors import Problem

if TYPE_CHECKING:
    from rankgate.reports import Facts

#: A summary beyond it is refused whole; it is one for all commands of a step.
SUMMARY_BYTES: Final = 1024 * 1024
_CUT: Final = "\n\nCut here: a step's summary has room for 1 MiB. The other reports have all.\n"


def tell(facts: "Facts", code: int, written: Sequence[tuple[str, Path]]) -> None:
    """Append the report to ``GITHUB_STEP_SUMMARY`` and the outputs to ``GITHUB_OUTPUT``, where they are set.

    Args:
        code: That the command ends with.
        written: The format and the path of each report that is in a file.
    """
    summary, outputs = _named("GITHUB_STEP_SUMMARY"), _named("GITHUB_OUTPUT")
    if summary and summary not in {path for _, path in written}:
        _try("the step's summary", lambda: _summarize(summary, facts))
    if outputs:
        import secrets  # on a runner only

        report = next((path for name, path in written if name == "json"), written[0][1] if written else "")
        values = {"verdict": facts.word, "exit_code": str(code), "report": str(report)}
        _try("the step's outputs", lambda: _append(outputs, output_lines(values, secrets.token_hex(16))))


def annotate(problems: Sequence[Problem]) -> None:
    """Write what keeps the gate from a verdict to stdout, beside the lines that it is about."""
    from rankgate.reports.github import mistakes

    streams.write(mistakes(problems, streams.checkout()))


def output_lines(values: Mapping[str, str], delimiter: str) -> str:
    """The outputs in the form that may hold line breaks: nothing in a value ends it but the *delimiter*."""
    return "".join(f"{name}<<{delimiter}\n{value}\n{delimiter}\n" for name, value in values.items())


def _named(variable: str) -> Path | None:
    name = os.environ.get(variable)
    return Path(name) if name else None


def _try(what: str, write: Callable[[], None]) -> None:
    try:
        write()
    except OSError as error:
        streams.say(f"note: {what} could not be written: {error.strerror or error}; the verdict stands")


def _summarize(path: Path, facts: "Facts") -> None:
    from rankgate.reports import write

    room = SUMMARY_BYTES - (path.stat().st_size if path.exists() else 0)
    _append(path, fitting(write("markdown", facts), room))


def fitting(report: str, room: int) -> str:
    """*report* in *room* bytes, cut between lines and saying so; nothing where not even that fits."""
    if len(report.encode()) <= room:
        return report
    kept = ""
    for line in report.splitlines(keepends=True):
        if len((kept + line + _CUT).encode()) > room:
            break
        kept += line
    return kept + _CUT if kept else ""


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
        stream.write(text)
