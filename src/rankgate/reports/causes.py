"""Why documents moved, in words: of one move, and of all that changed a mean."""

import math
from typing import Final

from rankgate.core.attribution import Attribution, Cause, CauseTotal, Move
from rankgate.core.rankings import Ranking
from rankgate.reports.records.queries import CauseFacts, MovedDocument
from rankgate.reports.rounding import number, signed
from rankgate.reports.summary import count
from rankgate.reports.visible import middle

#: How many of the documents that came above another are named; the rest is counted.
NAMED: Final = 3
#: One id can be as long as it likes; in a sentence its ends are enough.
ID_LENGTH: Final = 40


def reason(move: Move, answer: Ranking | None) -> str:
    """The cause of *move* in words, ids as the service gave them; empty where there is none.

    Args:
        answer: The candidate's; None where it was not measured.
    """
    if move.cause is None or answer is None:
        return ""
    if move.cause is Cause.DEMOTED:
        return demoted(move.above)
    if move.cause is Cause.NEWCOMERS:
        return f"behind {count(len(move.above), 'unjudged newcomer', 'unjudged newcomers')}"
    if move.cause is Cause.SHORTER:
        return f"answer ended at rank {len(answer.ids)}" if answer.ids else "nothing was returned"
    if move.cause is Cause.DUPLICATES:
        dropped = f"{count(answer.duplicates, 'repeated id', 'repeated ids')} dropped"
        return f"answer ended at rank {len(answer.ids)}, {dropped}"
    return move.cause.value


def demoted(above: tuple[str, ...], named: int = NAMED) -> str:
    """Behind what, the first few by name."""
    if not named:
        return f"demoted behind {count(len(above), 'document', 'documents')}"
    more = f" and {len(above) - named} more" if len(above) > named else ""
    return f"demoted behind {', '.join(middle(document, ID_LENGTH) for document in above[:named])}{more}"


def reasons(move: MovedDocument) -> tuple[str, ...]:
    """The cause of *move* in words, ever shorter: with fewer names, and none cut."""
    if move.cause is not Cause.DEMOTED:
        return (move.reason,)
    return (move.reason, *(demoted(move.above, named) for named in reversed(range(min(NAMED, len(move.above))))))


def cause_facts(attribution: Attribution, label: str) -> CauseFacts:
    """What *attribution* says of a mean.

    Args:
        label: Its measure, as the report calls it.
    """
    measure, compared, totals = attribution.measure, attribution.compared, attribution.causes
    return CauseFacts(_sentence(attribution, label), str(measure), compared, totals)


def _sentence(attribution: Attribution, label: str) -> str:
    lost = sorted((each for each in attribution.causes if each.cost < 0), key=lambda each: each.cost)
    gained = sorted((each for each in attribution.causes if each.cost > 0), key=lambda each: -each.cost)
    over = f"over {count(attribution.compared, 'query', 'queries')}"
    if not lost:
        return f"No move lost {label} {over}; gained: {_shares(gained)}" if gained else ""
    line = f"Of the {_sum(lost)} of {label} lost {over}: {_shares(lost)}"
    if not gained:
        return line
    change = math.fsum(each.cost for each in attribution.causes)
    return f"{line}; gained: {_shares(gained)}; in all {signed(change)}"


def _shares(totals: list[CauseTotal]) -> str:
    """Of each cause, without its sign, what it did and in how many queries."""
    return ", ".join(
        f"{number(abs(each.cost))} {each.cause.value} ({count(each.queries, 'query', 'queries')})" for each in totals
    )


def _sum(totals: list[CauseTotal]) -> str:
    return number(abs(math.fsum(each.cost for each in totals)))
