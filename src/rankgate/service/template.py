"""A text with places for values."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Self

from rankgate.core.judgments import JsonValue

_TOKEN: Final = re.compile(r"\{\{|\}\}|\{([^\W\d][\w.-]*)\}|[{}]")
_SHOWN: Final = 20


class TemplateError(ValueError):
    """A template cannot be read, or not be filled for this query."""


@dataclass(frozen=True, slots=True)
class Template:
    """A text with places for values.

    Attributes:
        literals: The text between the placeholders, one more than there are names.
    """

    literals: tuple[str, ...]
    names: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``{name}`` as a placeholder, ``{{`` and ``}}`` as braces.

        Raises:
            TemplateError: A brace stands alone.
        """
        literals, names = [""], []
        end = 0
        for token in _TOKEN.finditer(text):
            literals[-1] += text[end : token.start()]
            end = token.end()
            if token[1]:
                names.append(token[1])
                literals.append("")
            elif len(token[0]) == 1:
                shown = text[token.start() : token.start() + _SHOWN]
                raise TemplateError(
                    f"a lone {token[0]!r} at {shown!r}: a placeholder is {{name}}, a literal brace is {token[0] * 2}"
                )
            else:
                literals[-1] += token[0][0]
        literals[-1] += text[end:]
        return cls(tuple(literals), tuple(names))

    def fill(self, values: Mapping[str, JsonValue], escape: Callable[[str], str] = str) -> str:
        """Return the text with each value as *escape* writes it."""
        pieces = [self.literals[0]]
        for name, literal in zip(self.names, self.literals[1:], strict=True):
            pieces += escape(_text(_value(name, values))), literal
        return "".join(pieces)

    @property
    def bare(self) -> str:
        """The name of the placeholder that the template consists of, or an empty text."""
        return self.names[0] if len(self.names) == 1 and not any(self.literals) else ""

    def fill_json(self, values: Mapping[str, JsonValue]) -> JsonValue:
        """Return the text, or the bare value with its own type where the template is one placeholder."""
        return _value(self.bare, values) if self.bare else self.fill(values)


def _value(name: str, values: Mapping[str, JsonValue]) -> JsonValue:
    if name not in values:
        raise TemplateError(f"no value for {{{name}}}: give it in the query's params or in service.defaults")
    return values[name]


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
