"""The golden queries that ``rankgate init`` writes, to be replaced, and whether one was left as it is."""

from collections.abc import Mapping
from typing import Final

from rankgate.core.judgments import Query

TEXT: Final = """\
# Golden queries: what people search for, and which documents answer it.
# Ids are the ones that your service returns; grades are 0 to 3. Replace these examples by your own.
slice: head
queries:
  - id: running-shoes
    text: running shoes
    judgments: {SKU-1001: 3, SKU-1002: 2, SKU-2001: 0}
    note: the most frequent query of the shop

  - id: waterproof-jacket
    text: waterproof jacket
    judgments: {SKU-3001: 3, SKU-3002: 1}
    # must: {P@1: 1}    # a pin: the first result must be relevant, whatever the means say
"""

#: The judgments of each query of the text, by its id.
_JUDGMENTS: Final[Mapping[str, Mapping[str, int]]] = {
    "running-shoes": {"SKU-1001": 3, "SKU-1002": 2, "SKU-2001": 0},
    "waterproof-jacket": {"SKU-3001": 3, "SKU-3002": 1},
}


def is_example(query: Query) -> bool:
    """Whether *query* is one of them, with the judgments that it came with."""
    return query.judgments == _JUDGMENTS.get(query.id)
