"""Where keys and values stand, found by a second reading: only files with something to say about need it."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import yaml

from rankgate.files.yaml_parser import root_node
from rankgate.files.yaml_values import MERGE, Loc


class Nodes:
    """The places of all keys and values, from a second reading when the first is asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[int, dict[str, tuple[Any, Any]]] = {}

    @cached_property
    def _root(self) -> Any:
        return root_node(self._text)

    def find(self, loc: Loc) -> tuple[Any, Any]:
        """Return the nodes of key and value at *loc*; no key and the deepest ancestor where there is no such place."""
        key, node = None, self._root
        for step in loc:
            if isinstance(node, yaml.MappingNode) and step in (entries := self._entries(node)):
                key, node = entries[str(step)]
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
                key, node = None, node.value[step]
            else:
                return None, node
        return key, node

    def texts(self) -> Iterator[Any]:
        """Yield the scalar node of each value whose key is ``text``."""
        waiting, seen = [self._root], set()
        while waiting:
            node = waiting.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if isinstance(node, yaml.SequenceNode):
                waiting += node.value
            elif isinstance(node, yaml.MappingNode):
                waiting += [value for _, value in node.value]
                yield from (
                    value for key, value in node.value if key.value == "text" and isinstance(value, yaml.ScalarNode)
                )

    def _entries(self, node: Any) -> dict[str, tuple[Any, Any]]:
        if id(node) not in self._known:
            own: dict[str, tuple[Any, Any]] = {}
            merged: dict[str, tuple[Any, Any]] = {}
            for key, value in node.value:
                if key.value == MERGE and not key.style:
                    for item in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                        merged = self._entries(item) | merged
                else:
                    own[key.value] = key, value
            self._known[id(node)] = merged | own
        return self._known[id(node)]


def node_place(node: Any) -> tuple[int, int]:
    """Return line and column, from 1, where *node* starts; the start of the file where there is none."""
    return (1, 1) if node is None else (node.start_mark.line + 1, node.start_mark.column + 1)
