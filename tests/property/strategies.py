"""The shared vocabulary of generated judgments, rankings and measures."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final

from hypothesis import strategies as st

from rankgate.core.families import FAMILIES, Family, Parameter

DOCUMENTS = tuple(f"d{number}" for number in range(12))

documents = st.sampled_from(DOCUMENTS)
rankings = st.lists(documents, unique=True, max_size=len(DOCUMENTS)).map(tuple)
repeating_rankings = st.lists(documents, max_size=2 * len(DOCUMENTS)).map(tuple)
judgments = st.dictionaries(documents, st.integers(0, 3), min_size=1).filter(lambda grades: any(grades.values()))
#: With spam, and perhaps without a relevant document.
any_judgments = st.dictionaries(documents, st.integers(-2, 3), min_size=1)

#: What may stand in a name's brackets; an empty one leaves the parameter out.
WRITTEN: Final[Mapping[Parameter, tuple[str, ...]]] = {
    "rel": ("", "rel=2", "rel=3"),
    "dcg": ("", "dcg='exp-log2'", "dcg='log2'", "dcg='binary-log2'"),
    "p": ("", "p=0.5", "p=0.95"),
    "beta": ("", "beta=0.5", "beta=2"),
    "max": ("", "max=12"),
    "judged_only": ("", "judged_only=True"),
}
CUTOFFS: Final = {"required": ("@1", "@3", "@10"), "optional": ("", "@1", "@3", "@10"), "none": ("",)}


def spellings(family: Family) -> Iterator[str]:
    """A family's name with every parameter and cutoff."""
    for cutoff, *written in product(CUTOFFS[family.cutoff], *(WRITTEN[each] for each in family.parameters)):
        inside = ",".join(filter(None, written))
        yield f"{family.name}{f'({inside})' if inside else ''}{cutoff}"


ALL_NAMES: Final = tuple(name for family in FAMILIES for name in spellings(family))
names = st.sampled_from(ALL_NAMES)
