"""JMESPath expressions: compiled once, with errors that say what to write."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

import jmespath
from jmespath.exceptions import JMESPathError, ParseError
from jmespath.functions import Functions
from jmespath.visitor import TreeInterpreter

from rankgate.core.rankings import FailureKind
from rankgate.errors import nearest
from rankgate.service.failure import AnswerError

_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_IDENTITY: Final = {"type": "identity", "children": []}
_Node = Any  # jmespath's syntax tree: a dict of type, children and value


class _Keeping(TreeInterpreter):
    """Keeps an element of which a projection finds nothing, as null: without it the ranks after it would close up."""

    def visit_projection(self, node: _Node, value: Any) -> Any:
        base = self.visit(node["children"][0], value)
        return [self.visit(node["children"][1], item) for item in base] if isinstance(base, list) else None

    def visit_value_projection(self, node: _Node, value: Any) -> Any:
        base = self.visit(node["children"][0], value)
        return [self.visit(node["children"][1], item) for item in base.values()] if isinstance(base, dict) else None

    def visit_filter_projection(self, node: _Node, value: Any) -> Any:
        base = self.visit(node["children"][0], value)
        if not isinstance(base, list):
            return None
        wanted = self._is_true  # type: ignore[attr-defined]  # missing in the stubs
        chosen = (item for item in base if wanted(self.visit(node["children"][2], item)))
        return [self.visit(node["children"][1], item) for item in chosen]


class _Tracing(_Keeping):
    """Notes the objects in which the path looks for a key; what a filter or a function looks into is not on the way."""

    def __init__(self) -> None:
        super().__init__()
        self.passed: list[dict[str, Any]] = []

    def visit_field(self, node: _Node, value: Any) -> Any:
        if isinstance(value, dict):
            self.passed.append(value)
        return super().visit_field(node, value)

    def visit_filter_projection(self, node: _Node, value: Any) -> Any:
        self.visit(node["children"][0], value)
        return _Keeping().visit(node, value)

    def visit_function_expression(self, node: _Node, value: Any) -> Any:
        return _Keeping().visit(node, value)


@dataclass(frozen=True, slots=True)
class Path:
    """A compiled expression.

    Attributes:
        keys: The keys of a plain ``a.b.c``, followed without JMESPath: it would take a third of an answer's time.
        keeps: Whether what a projection finds nothing in is kept as null, where JMESPath drops it.
    """

    expression: str
    node: _Node = field(repr=False)
    keys: tuple[str, ...] | None
    keeps: bool = False

    @classmethod
    def of(cls, expression: str, node: _Node, *, keeps: bool = False) -> Self:
        """Wrap a syntax tree."""
        return cls(expression, node, _keys(node), keeps)

    def find(self, value: Any) -> Any:
        """Return what the path finds in *value*; None when that is nothing.

        Raises:
            AnswerError: PATH, when a function in the expression does not fit the value.
        """
        if self.keys is None:
            return self._visit(_Keeping() if self.keeps else TreeInterpreter(), value)
        for key in self.keys:
            if not isinstance(value, dict):
                return None
            value = value.get(key)
        return value

    def way(self, value: Any) -> Iterator[Any]:
        """Yield *value*, and the objects within it on the way to what the path finds there.

        Raises:
            AnswerError: As ``find``, when *value* was yielded.
        """
        yield value
        if self.keys is None:
            tracing = _Tracing()
            self._visit(tracing, value)
            yield from (passed for passed in tracing.passed if passed is not value)
            return
        for key in self.keys[:-1]:
            value = value.get(key) if isinstance(value, dict) else None
            yield value

    def _visit(self, interpreter: TreeInterpreter, value: Any) -> Any:
        try:
            return interpreter.visit(self.node, value)
        except JMESPathError as exc:
            reason = f"path {self.expression!r} cannot be applied to the answer: {exc}"
            raise AnswerError(FailureKind.PATH, reason) from exc

    def split(self) -> "tuple[Path, Path | None]":
        """Part the path at its last projection: what gives the elements, and what is then taken of each.

        JMESPath drops an element of ``results[*].doc`` that has no ``doc``, and the ranks after it close up; of
        ``groups[].docs[]`` it drops a whole group. Both are kept as null here.
        """
        left, right = _split(self.node)
        each = None if right is None or right == _IDENTITY else Path.of(self.expression, right)
        return Path.of(self.expression, left, keeps=True), each


def compile_path(expression: str) -> Path:
    """Compile a JMESPath expression.

    Raises:
        ValueError: It is wrong; the message has the column and, for a key with special characters, its quoted spelling.
    """
    try:
        compiled = jmespath.compile(expression)
    except JMESPathError as exc:
        column = exc.lex_position + 1 if isinstance(exc, ParseError) else 1
        reason = f"cannot be read from column {column} on{_quoted_hint(expression)}"
        raise ValueError(f"path {expression!r}: {reason if expression.strip() else 'it is empty'}") from exc
    known = Functions.FUNCTION_TABLE
    for name in _functions(compiled.parsed):
        if name not in known:
            column = expression.find(name) + 1
            raise ValueError(f"path {expression!r}: unknown function {name!r} at column {column}{nearest(name, known)}")
    return Path.of(expression, compiled.parsed)


def _split(node: _Node) -> tuple[_Node, _Node]:
    """Part a hits path at its last projection: what gives the elements, and what is then taken of each."""
    children = node.get("children", [])
    match node["type"]:
        case "subexpression":
            left, right = _split(children[-1])
            return {**node, "children": [*children[:-1], left]}, right
        case "projection":
            return children[0], children[1]
        case "filter_projection":
            return {**node, "children": [children[0], _IDENTITY, children[2]]}, children[1]
    return node, None


def _functions(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if node.get("type") == "function_expression":
            yield node["value"]
        yield from _functions(node.get("children", ()))
    elif isinstance(node, Sequence) and not isinstance(node, str):
        for child in node:
            yield from _functions(child)


def _quoted_hint(expression: str) -> str:
    """Return the hint with every odd key in quotes, or without the ``$`` of JSONPath, if that is what was wrong."""
    if re.match(r"\$(?:[.\[]|$)", expression):
        rest = expression.removeprefix("$").removeprefix(".") or "@"
        return f"; JMESPath has no '$' for the whole answer: write {rest!r}"
    steps = [re.fullmatch(r"([^\"\[\]().]+)((?:\[[^\]]*\])*)", step) for step in expression.split(".")]
    if not all(steps):
        return ""
    plain = ("*", "@") if len(steps) > 1 else ()
    quoted = ".".join(
        step[0] if _IDENTIFIER.fullmatch(step[1]) or step[1] in plain else f'"{step[1]}"{step[2]}'
        for step in steps
        if step
    )
    try:
        jmespath.compile(quoted)
    except JMESPathError:
        return ""
    return f"; a key with special characters needs quotes: '{quoted}'" if quoted != expression else ""


def _keys(node: _Node) -> tuple[str, ...] | None:
    match node["type"]:
        case "field":
            return (node["value"],)
        case "identity" | "current":
            return ()
        case "subexpression":
            parts = [_keys(child) for child in node["children"]]
            return None if None in parts else tuple(key for part in parts for key in part or ())
    return None
