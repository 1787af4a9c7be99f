"""One request and its answer as rankgate sees them: for "why is my recall 0"."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from rankgate.core.catalog import Scale
from rankgate.core.judgments import Query
from rankgate.core.rankings import Detail, Ranking
from rankgate.reports.queries import not_returned
from rankgate.reports.rounding import number, score
from rankgate.reports.tables import Plain, hanging
from rankgate.reports.terminal import to_text
from rankgate.reports.visible import middle, visible
from rankgate.service.witness import Asked, Exchange

HITS_SHOWN: Final = 20
ANSWER_SHOWN: Final = 1500
_ID_LENGTH: Final = 200
_TITLE_LENGTH: Final = 60


@dataclass(frozen=True, slots=True)
class Subject:
    """What was asked.

    Attributes:
        query: The golden query of that text; None when it is in none.
        values: Each measure and its value for this answer.
    """

    text: str
    depth: int
    scale: Scale
    query: Query | None = None
    values: tuple[tuple[str, float | None], ...] = ()


def render(subject: Subject, asked: Asked, *, width: int, color: bool, whole: bool = False) -> str:
    """The request, the answer, and what was read from it.

    Args:
        whole: Show the answer's own text as well; it is shown anyway when no hit could be read from it.
    """
    ranking = next(iter(asked.run.rankings.values()), None)
    return to_text(_parts(subject, asked, ranking, whole=whole), width=width, color=color)


def _parts(subject: Subject, asked: Asked, ranking: Ranking | None, *, whole: bool) -> Iterator[RenderableType]:
    yield from _head(subject)
    found = ranking is not None and bool(ranking.ids)
    for number_, exchange in enumerate(asked.exchanges):
        yield Text()
        yield from _exchange(exchange, brief=number_ > 0, whole=whole or (not found and number_ == 0))
    yield Text()
    for failure in asked.run.failures.values():
        yield Text(f"Not measured: {visible(failure.message)}", "red")
    for key in asked.unread:
        yield Text(f"service.{key} finds nothing usable in this answer", "yellow")
    for key, note in asked.run.notes.items():
        yield Text(f"{key}: {visible(note)}", "yellow")
    if ranking is not None:
        yield from _hits(subject, ranking)


def _head(subject: Subject) -> Iterator[Text]:
    yield Text.assemble(("query    ", "dim"), (f'"{visible(subject.text)}"', "bold"))
    if subject.query is None:
        yield Text("         not a text or an id of the golden set, so nothing is judged", "dim")
    else:
        count = len(subject.query.judgments)
        yield Text(f"         {visible(subject.query.id)} of the golden set, {count} judged documents", "dim")


def _exchange(exchange: Exchange, *, brief: bool, whole: bool) -> Iterator[RenderableType]:
    yield Text.assemble(("request  ", "dim"), visible(exchange.request_line))
    if not brief:
        for name, value in exchange.headers:
            yield Text(f"         {visible(name)}: {visible(value)}", "dim")
        if exchange.body:
            yield hanging(Text(visible(exchange.body)), 9)
    if exchange.status is None:
        yield Text.assemble(("answer   ", "dim"), "none")
        return
    kind = f", {visible(exchange.content_type)}" if exchange.content_type else ""
    yield Text.assemble(("answer   ", "dim"), f"status {exchange.status}{kind}, {exchange.size} bytes")
    if whole:
        shown = visible(exchange.answer)
        cut = f" ... ({exchange.size} bytes in all)" if len(exchange.answer.encode()) < exchange.size else ""
        yield hanging(Text(f"{shown}{cut}"), 9)


def _hits(subject: Subject, ranking: Ranking) -> Iterator[RenderableType]:
    count = len(ranking.ids)
    dropped = f", {ranking.duplicates} repeated ids dropped" if ranking.duplicates else ""
    yield Text.assemble(("hits     ", "dim"), f"{count} of {subject.depth} asked for{dropped}")
    if ranking.ids:
        yield Text()
        yield hanging(_table(subject, ranking))
    if count > HITS_SHOWN:
        yield Text(f"  ... and {count - HITS_SHOWN} more", "dim")
    yield from _judged(subject, ranking)


def _table(subject: Subject, ranking: Ranking) -> Plain:
    table = Plain(padding=(0, 2, 0, 0))
    table.add_column("rank", justify="right", no_wrap=True)
    table.add_column("id", overflow="fold")
    details = ranking.details or (Detail(),) * len(ranking.ids)
    judged = subject.query.judgments if subject.query else None
    scored, titled = any(each.score is not None for each in details), any(each.title for each in details)
    for name, there in (("grade", judged is not None), ("score", scored), ("title", titled)):
        if there:
            table.add_column(name, justify="left" if name == "title" else "right", overflow="fold")
    for rank, (document, detail) in enumerate(zip(ranking.ids, details, strict=True), start=1):
        if rank > HITS_SHOWN:
            break
        cells = [str(rank), middle(visible(document), _ID_LENGTH)]
        if judged is not None:
            cells.append(str(judged.get(document, "-")))
        if scored:
            cells.append("" if detail.score is None else score(detail.score))
        if titled:
            cells.append(middle(visible(detail.title), _TITLE_LENGTH))
        table.add_row(*map(Text, cells))
    return table


def _judged(subject: Subject, ranking: Ranking) -> Iterator[RenderableType]:
    """How the answer and the judgments meet: ids of another kind show themselves here."""
    if subject.query is None:
        return
    judgments = subject.query.judgments
    judged = sum(document in judgments for document in ranking.ids)
    yield Text()
    yield Text.assemble(("judged   ", "dim"), f"{judged} of {len(ranking.ids)} hits")
    missing = not_returned(subject.query, [ranking], subject.scale.relevant_from)
    if missing:
        listed = ", ".join(f"{middle(visible(document), _ID_LENGTH)} (grade {grade})" for document, grade in missing)
        yield Text.assemble(("missing  ", "dim"), f"relevant and not returned: {listed}")
    if ranking.ids and judgments and not judged:
        came, wanted = visible(ranking.ids[0]), visible(next(iter(judgments)))
        says = f"Not one hit is judged: {came!r} came back, {wanted!r} is judged. "
        yield Text(f"{says}Is it the right index, and does service.id name the same kind of id?", "yellow")
    for name, value in subject.values:
        yield Text(f"         {name} {number(value)}")
