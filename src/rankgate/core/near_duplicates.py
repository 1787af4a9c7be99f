"""Queries that are almost the same: other case, punctuation or order of words, or one word spelt another way."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final

from rankgate.core.judgments import Query

#: How alike two texts must be, as ``difflib`` measures it, from 0 to 1.
ALIKE: Final = 0.93

#: Of the queries that share all words but one, each is compared with so many at most, the next ones in the alphabet.
NEIGHBOURS: Final = 20

#: Punctuation that is part of a word: ``c#``, ``at&t``, ``50%``.
_TELLING: Final = frozenset("#&%@")
_APOSTROPHES: Final = frozenset("'\N{RIGHT SINGLE QUOTATION MARK}")

#: The params that a query is asked with, and its words in the order of the alphabet.
Key = tuple[str, tuple[str, ...]]


def near_duplicates(queries: Sequence[Query]) -> list[tuple[Query, Query]]:
    """The pairs of queries that are almost the same, in the order of *queries*, the earlier one first.

    Queries are compared only with those that are asked with the same params and share all words but one, so ten
    thousand take about a second; two that differ in two words are not found. The word must be one of letters alone:
    ``galaxy s21`` and ``galaxy s22`` are two queries. Of queries with the very same text, none is paired with another.
    """
    groups: dict[Key, list[int]] = defaultdict(list)
    for number, query in enumerate(queries):
        groups[repr(sorted(query.params.items())), words(query.text)].append(number)
    found = {
        (numbers[0], other)
        for numbers in groups.values()
        for other in numbers[1:]
        if queries[other].text != queries[numbers[0]].text
    }
    for one, another in _candidates(groups):
        if alike(" ".join(one[1]), " ".join(another[1])):
            first, second = sorted((groups[one][0], groups[another][0]))
            found.add((first, second))
    return [(queries[first], queries[second]) for first, second in sorted(found)]


def words(text: str) -> tuple[str, ...]:
    """The words of *text* without case and punctuation, in the order of the alphabet; never none."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    kept = "".join(_plain(character) for character in folded if character not in _APOSTROPHES)
    return tuple(sorted(kept.split())) or (text,)


def _plain(character: str) -> str:
    punctuation = unicodedata.category(character).startswith("P") and character not in _TELLING
    return " " if punctuation else character


def _candidates(groups: Mapping[Key, object]) -> Iterator[tuple[Key, Key]]:
    """The pairs worth comparing: one has a word more than the other, or each has another word in its place."""
    sharing: dict[Key, list[tuple[str, Key]]] = defaultdict(list)
    for key in groups:
        params, own = key
        for place, word in enumerate(own):
            if not word.isalpha() or own.index(word) < place:
                continue
            rest = params, own[:place] + own[place + 1 :]
            if rest in groups:
                yield rest, key
            sharing[rest].append((word, key))
    for entries in sharing.values():
        entries.sort()
        for place, (_, key) in enumerate(entries):
            for _, neighbour in entries[place + 1 : place + 1 + NEIGHBOURS]:
                yield key, neighbour


def alike(one: str, another: str) -> bool:
    """Whether two texts are at least ``ALIKE``; the cheap bounds come first."""
    if 2 * min(len(one), len(another)) < ALIKE * (len(one) + len(another)):
        return False
    matcher = SequenceMatcher(None, one, another, autojunk=False)
    return matcher.quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE
