"""One query from close: both rankings side by side, and what each move did to the measure."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from rankgate.core.additive import is_additive
from rankgate.core.attribution import Move, moves
from rankgate.core.catalog import Measure
from rankgate.core.comparison import Comparison
from rankgate.core.judgments import Query
from rankgate.core.limits import BOUNDARY
from rankgate.core.rankings import Detail, Ranking
from rankgate.errors import UsageError, nearest
from rankgate.reports.causes import reason
from rankgate.reports.queries import moves_measure, query_facts
from rankgate.reports.records.queries import QueryFact
from rankgate.reports.rounding import number, score, signed
from rankgate.reports.summary import count
from rankgate.reports.tables import TREND_STYLES, Plain, hanging
from rankgate.reports.terminal import to_text
from rankgate.reports.visible import columns, middle, visible

#: The least depth that is shown: the first page of most services.
FIRST_PAGE: Final = 10

#: Ids are folded rather than cut, up to this length: two that differ in their middle must not look the same.
ID_LENGTH: Final = 200

#: Columns of a line that are not for the two ids: rank, gaps, grades, marks.
_TAKEN: Final = 20
#: Columns of the cost of a move, and of its document unless that is longer.
_COST: Final = 9
_NAME_WIDTH: Final = 24


@dataclass(frozen=True, slots=True)
class Signs:
    """The marks beside a document."""

    up: str
    down: str
    unjudged: str


UNICODE: Final = Signs("\u2191", "\u2193", "\u00b7")
ASCII: Final = Signs("^", "v", "-")


def render(
    comparison: Comparison,
    query_id: str,
    measure: Measure | None = None,
    *,
    width: int,
    color: bool,
    ascii_only: bool = False,
) -> str:
    """What happened to one query.

    Args:
        measure: The costs of moves are counted in it; None for the comparison's first nDCG.
        ascii_only: Use no arrows, for encodings that cannot print them.

    Raises:
        UsageError: The golden set has no such query; offers the nearest. Or *measure* is no sum over ranks.
    """
    known = comparison.by_id
    if query_id not in known:
        raise UsageError(f"no query {query_id!r} in the golden set{nearest(query_id, known)}")
    if measure and not is_additive(measure):
        raise UsageError(
            f"{measure} is no sum over ranks, so no move has a cost of its own in it",
            hint="Name a measure that is one, such as P@3, R@50 or nDCG@10.",
        )
    weighed = measure or moves_measure(comparison.measures, comparison.golden.scale)
    fact = next(fact for fact in query_facts(comparison) if fact.id == query_id)
    view = _View(comparison, known[query_id], fact, weighed, width, ASCII if ascii_only else UNICODE)
    return to_text(view.parts(), width=width, color=color)


def _name(document: str) -> str:
    return middle(visible(document), ID_LENGTH)


def _detail(ranking: Ranking | None, document: str) -> Detail:
    """What the service said of a document; an empty one where it said nothing."""
    if ranking is None or not ranking.details or document not in ranking.ids:
        return Detail()
    return ranking.details[ranking.ids.index(document)]


@dataclass(frozen=True, slots=True)
class _View:
    comparison: Comparison
    query: Query
    fact: QueryFact
    measure: Measure
    width: int
    signs: Signs

    @property
    def before(self) -> Ranking | None:
        return self.comparison.answers(self.query.id)[0]

    @property
    def after(self) -> Ranking | None:
        return self.comparison.answers(self.query.id)[1]

    @property
    def depth(self) -> int:
        """The last rank that is shown: the first page, or all that the measure counts."""
        return max(FIRST_PAGE, self.measure.cutoff)

    def parts(self) -> Iterator[RenderableType]:
        yield from self._head()
        if self.fact.values:
            yield Text()
            yield self._values()
        yield Text()
        yield self._rankings()
        yield from self._moves()
        yield from self._missing()

    def _head(self) -> Iterator[RenderableType]:
        yield Text.assemble((visible(self.query.id), "bold"), f'  "{visible(self.query.text)}"')
        if self.query.note:
            yield Text(visible(self.query.note))
        slices = ", ".join(map(visible, self.query.slices)) or "in no slice"
        place = f"  {visible(str(self.query.place))}" if self.query.place else ""
        yield Text(f"{slices}{place}", "dim")
        yield from (Text(visible(remark), "yellow") for remark in self._remarks())

    def _remarks(self) -> Iterator[str]:
        """What keeps the two sides from being compared as they stand."""
        reference, query_id = self.comparison.reference, self.query.id
        if query_id in self.comparison.run.failures:
            yield f"not measured: {self.comparison.run.failures[query_id].message}"
        if reference is None:
            yield "there is no baseline: only the candidate is shown"
        elif query_id in self.comparison.new:
            yield "new since the baseline: only the candidate is shown"
        elif query_id in reference.run.failures:
            yield f"not measured in the baseline: {reference.run.failures[query_id].message}"
        sides = [("the baseline", reference.run)] if reference else []
        for side, run in (*sides, ("this run", self.comparison.run)):
            asked = run.texts.get(query_id, self.query.text)
            if asked != self.query.text:
                yield f"the text changed: {side} was asked {asked!r}; kept out of the drop rules"
        if query_id in self.comparison.relabelled:
            yield "relabelled since the baseline: both sides are scored with the new judgments"
        if self.query.expects_nothing:
            yield "it expects nothing: any document is one too many"

    def _values(self) -> Plain:
        table = Plain()
        table.add_column("measure", no_wrap=True)
        for name in ("baseline", "now", "change"):
            table.add_column(name, justify="right", no_wrap=True, min_width=9)
        for value in self.fact.values:
            change = Text(signed(value.change), TREND_STYLES[value.trend])
            table.add_row(Text(value.measure), Text(number(value.before)), Text(number(value.now)), change)
        return table

    def _rankings(self) -> RenderableType:
        before = self.before.ids if self.before else None
        after = self.after.ids if self.after else None
        shown = min(self.depth, max(len(before or ()), len(after or ())))
        if not shown:
            return Text("nothing was returned" if after is not None else "there is no ranking to show", "dim")
        table = Plain()
        table.add_column("", justify="right", no_wrap=True, min_width=2)
        sides = [name for name, ids in (("baseline", before), ("candidate", after)) if ids is not None]
        each = max((self.width - _TAKEN) // len(sides), 12)
        for name in sides:
            table.add_column(name, overflow="fold", min_width=min(each, 24), max_width=each)
            table.add_column("", no_wrap=True, min_width=6)
        for rank in range(1, shown + 1):
            cells: list[Text] = []
            if before is not None:
                cells += self._cell(before, rank, after, each, left=True)
            if after is not None:
                cells += self._cell(after, rank, before, each, left=False)
            table.add_row(Text(str(rank), "dim"), *cells)
        return table

    def _cell(
        self, ids: Sequence[str], rank: int, other: Sequence[str] | None, room: int, *, left: bool
    ) -> tuple[Text, Text]:
        """A document, then its grade and, on the candidate's side, how far it moved.

        Args:
            room: Columns for what the service says of the document, on a line below its id.
        """
        if rank > len(ids):
            return Text(), Text()
        document = ids[rank - 1]
        judged = self.query.judgments.get(document)
        mark = "" if other is None else self._mark(document, rank, other, left=left)
        grade = self.signs.unjudged if judged is None else str(judged)
        style = "dim" if judged is None else ""
        name = Text(_name(document), style)
        if said := self._said(document, left=left):
            name.append(f"\n{middle(said, room)}", "dim")
        return name, Text.assemble((grade, style), f" {mark}")

    def _said(self, document: str, *, left: bool) -> str:
        """Score and title that the service gave a document; empty where it gave none.

        A title that only the other side has serves both, for a baseline may be older than the path to it.
        """
        here, there = (self.before, self.after) if left else (self.after, self.before)
        own, other = _detail(here, document), _detail(there, document)
        scored = "" if own.score is None else score(own.score)
        return "  ".join(filter(None, (scored, visible(own.title or other.title))))

    def _mark(self, document: str, rank: int, other: Sequence[str], *, left: bool) -> str:
        if document not in other:
            return "gone" if left else "new"
        if left:
            return ""
        moved = other.index(document) + 1 - rank
        if not moved:
            return "="
        return f"{self.signs.up if moved > 0 else self.signs.down}{abs(moved)}"

    def _moves(self) -> Iterator[RenderableType]:
        if self.before is None or self.after is None:
            return
        moved = moves(self.comparison, self.query.id, self.measure)
        costly = [move for move in moved if abs(move.cost) > BOUNDARY]
        yield Text()
        if not costly:
            yield Text(f"No move changed {self.measure}.")
            return
        free = [move for move in moved if move.cause and move not in costly]
        seen = [move for move in free if min(rank for rank in (move.before, move.after) if rank) <= self.depth]
        width = min(max(columns(_name(move.document)) for move in (*costly, *seen)), _NAME_WIDTH)
        yield Text.assemble(("What each move cost", "bold"), (f"  (in {self.measure})", "dim"))
        for move in (*costly, *seen):
            yield from self._move(move, width)
        if len(free) > len(seen):
            more = count(len(free) - len(seen), "judged document", "judged documents")
            yield hanging(Text(f"at no cost, {more} moved below rank {self.depth}", "dim"), 4 + _COST)
        total = math.fsum(move.cost for move in moved)
        yield hanging(Text(f"{signed(total):>{_COST}}  in all: the change of {self.measure}", "bold"))

    def _move(self, move: Move, width: int) -> Iterator[RenderableType]:
        """On one line, or the document on one and what became of it on the next."""
        style = TREND_STYLES["worse" if move.cost < 0 else "better"] if move.cost else "dim"
        name = _name(move.document)
        ranks = f"{move.before or 'new'} -> {move.after or 'gone'}"
        rest = f"grade {move.grade}  {ranks:<9}  {visible(reason(move, self.after))}"
        head = Text.assemble((f"{signed(move.cost):>{_COST}}", style), f"  {name}")
        if 2 + _COST + 2 + max(columns(name), width) + 2 + columns(rest) <= self.width:
            yield hanging(head.append(" " * max(width - columns(name), 0) + f"  {rest}"))
        else:
            yield hanging(head)
            yield hanging(Text(rest), 4 + _COST)

    def _missing(self) -> Iterator[RenderableType]:
        """Relevant documents that neither side returned."""
        missing = self.fact.not_returned
        if missing and (self.before or self.after):
            listed = ", ".join(f"{_name(document)} (grade {grade})" for document, grade in missing)
            where = "neither ranking" if self.before and self.after else "no ranking"
            yield Text()
            yield Text(f"Relevant and in {where}: {listed}")
