"""A text as a value or a key of YAML that is written."""

import json
import re
from typing import Final

#: What YAML takes for this text without quotes, whatever version of it; some read yes, no, on and off as booleans.
_PLAIN: Final = re.compile(r"(?!(?:y|yes|n|no|true|false|on|off|null)$)[^\W\d][\w./:=-]*(?<!:)", re.IGNORECASE)


def plain_or_quoted(text: str) -> str:
    """*text* without quotes where that is read back as the same text."""
    return text if _PLAIN.fullmatch(text) else quoted(text)


def quoted(text: str) -> str:
    """A JSON string is one of YAML too; what nobody could see is written as an escape."""
    return "".join(
        each if each.isprintable() else json.dumps(each)[1:-1] for each in json.dumps(text, ensure_ascii=False)
    )
