"""Bodies of requests: JSON, a form, GraphQL or any other text, each with its way to hold a value safely."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, Self
from urllib.parse import urlencode

from rankgate.core.judgments import JsonValue
from rankgate.files import service_spec
from rankgate.files.service_spec import Graphql, ServiceSpec
from rankgate.service.template import Template, TemplateError

#: What the first request has no value for: where it is the whole value of a key, that key is left out.
CURSOR: Final = "cursor"

#: The strings of GraphQL that are one placeholder; block strings and all others are passed over.
_GRAPHQL_STRING: Final = re.compile(
    r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""|"\{([^\W\d][\w.-]*)\}"|"(?:[^"\\\n]|\\.)*"|#[^\n]*'
)
#: XML has no way to write these.
_NOT_IN_XML: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
#: What is markup, and what a reader of XML would turn into a blank or a line feed. (The library's ``escape`` imports
#: urllib.request and with it TLS, for a command that may ask nobody.)
_XML_ESCAPES: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)

Values = Mapping[str, JsonValue]
Fields = tuple[tuple[str, Template], ...]
Tree = Template | int | float | bool | None | list["Tree"] | dict[str, "Tree"]


class Body(Protocol):
    """What is sent after the headers."""

    @property
    def content_type(self) -> str:
        """The value of the header, where the config has none."""

    def fill(self, values: Values) -> bytes:
        """Return the bytes for one request.

        Raises:
            TemplateError: A placeholder has no value, or one that this kind of body cannot hold.
            ValueError: A value has no form here: NaN in JSON, half a character.
        """


@dataclass(frozen=True, slots=True)
class JsonBody:
    """Any JSON value; a string that is just one placeholder takes the type of its value."""

    tree: Tree
    content_type: str = "application/json"

    def fill(self, values: Values) -> bytes:
        return _json(fill_tree(self.tree, values))


@dataclass(frozen=True, slots=True)
class FormBody:
    """Fields, percent-encoded."""

    fields: Fields
    content_type: str = "application/x-www-form-urlencoded"

    def fill(self, values: Values) -> bytes:
        return urlencode(fill_fields(self.fields, values)).encode()


@dataclass(frozen=True, slots=True)
class TextBody:
    """A text of any kind; values are escaped as its Content-Type asks for."""

    template: Template
    content_type: str

    def fill(self, values: Values) -> bytes:
        return self.template.fill(values, self._escape).encode()

    def _escape(self, value: str) -> str:
        if "json" in self.content_type:
            return json.dumps(value, ensure_ascii=False)[1:-1]
        if "xml" in self.content_type:
            if found := _NOT_IN_XML.search(value):
                raise TemplateError(f"a value holds the character {found[0]!r}, which no XML can hold")
            return value.translate(_XML_ESCAPES)
        return value


@dataclass(frozen=True, slots=True)
class GraphqlBody:
    """A GraphQL query with its variables, sent as JSON.

    Attributes:
        pieces: The query between its placeholders, one more than there are names.
    """

    pieces: tuple[str, ...]
    names: tuple[str, ...]
    variables: Tree
    content_type: str = "application/json"

    @classmethod
    def compile(cls, graphql: Graphql) -> Self:
        """Find the strings that stand for values; what is in quotes otherwise, or a comment, stays."""
        pieces, names, end = [""], [], 0
        for token in _GRAPHQL_STRING.finditer(graphql.query):
            pieces[-1] += graphql.query[end : token.start()]
            end = token.end()
            if token[1]:
                names.append(token[1])
                pieces.append("")
            else:
                pieces[-1] += token[0]
        pieces[-1] += graphql.query[end:]
        return cls(tuple(pieces), tuple(names), parse_tree(dict(graphql.variables)))

    def fill(self, values: Values) -> bytes:
        # A GraphQL literal of a string, a number or a list is written as in JSON.
        known = {CURSOR: None, **values}
        query = self.pieces[0]
        for name, piece in zip(self.names, self.pieces[1:], strict=True):
            query += json.dumps(Template(("", ""), (name,)).fill_json(known), ensure_ascii=False) + piece
        request: dict[str, JsonValue] = {"query": query}
        if self.variables:
            request["variables"] = fill_tree(self.variables, values)
        return _json(request)


def passed_over(query: str) -> Iterator[str]:
    """Yield the strings of a GraphQL query that are left as they are, being more than a placeholder."""
    for token in _GRAPHQL_STRING.finditer(query):
        if not token[1] and token[0][0] == '"':
            yield token[0]


def body_of(spec: ServiceSpec, content_type: str) -> Body | None:
    """The body of *spec*; None where it sends none.

    Raises:
        TemplateError: A template cannot be read.
    """
    if spec.form is not None:
        return FormBody(parse_fields(spec.form))
    if spec.text is not None:
        return TextBody(Template.parse(spec.text), content_type.lower() or "text/plain; charset=utf-8")
    if spec.graphql is not None:
        return GraphqlBody.compile(spec.graphql)
    return None if spec.body is None else JsonBody(parse_tree(spec.body))


def parse_fields(fields: service_spec.Fields) -> Fields:
    """Parse the templates of each field."""
    return tuple((name, Template.parse(text)) for name, given in fields.items() for text in each_text(given))


def each_text(given: str | list[str]) -> list[str]:
    """The one text, or the several."""
    return [given] if isinstance(given, str) else given


def parse_tree(value: JsonValue) -> Tree:
    """Parse each text within a JSON value."""
    if isinstance(value, str):
        return Template.parse(value)
    if isinstance(value, list):
        return [parse_tree(item) for item in value]
    if isinstance(value, dict):
        return {key: parse_tree(item) for key, item in value.items()}
    return value


def fill_fields(fields: Fields, values: Values) -> list[tuple[str, str]]:
    """Fill the template of each field that has a value."""
    return [(name, template.fill(values)) for name, template in fields if not _left_out(template, values)]


def fill_tree(tree: Tree, values: Values) -> JsonValue:
    """Fill each template within a tree; keys without a value are left out."""
    if isinstance(tree, Template):
        return tree.fill_json(values)
    if isinstance(tree, list):
        return [fill_tree(item, values) for item in tree]
    if isinstance(tree, dict):
        return {key: fill_tree(item, values) for key, item in tree.items() if not _left_out(item, values)}
    return tree


def _left_out(item: Tree, values: Values) -> bool:
    return isinstance(item, Template) and item.bare == CURSOR and CURSOR not in values


def _json(value: JsonValue) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
