"""``${NAME}`` and ``${NAME:-default}`` in the ``service`` block: the only way for a secret to get in."""

import re
from collections.abc import Collection, Mapping
from typing import Final, Self, SupportsIndex

from rankgate.errors import Problem, nearest
from rankgate.files.service_models import replaced
from rankgate.files.service_spec import Secret
from rankgate.files.yaml_source import Source
from rankgate.files.yaml_values import Loc, Plain, YamlValue, resolve

_VARIABLE: Final = re.compile(r"\$(?P<escaped>\$)?\{(?P<name>[^}:]*)(?::-(?P<default>[^}]*)|(?P<rest>:[^}]*))?\}")
#: The parts of ``service`` that are templates, where a brace that stands for itself is written twice.
_TEMPLATES: Final = frozenset({"url", "headers", "params", "body", "form", "text", "command"})
_TEMPLATES_WITHIN: Final = frozenset({("graphql", "variables"), ("fingerprint", "url"), ("exists", "url")})
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Expanded(str):
    """A text with expanded variables; shown as it was written, so that no message can quote a secret."""

    __slots__ = ("written",)
    written: str

    def __new__(cls, text: str, written: str) -> Self:
        """Hold *text*, show *written*."""
        expanded = super().__new__(cls, text)
        expanded.written = written
        return expanded

    def __repr__(self) -> str:
        return repr(self.written)

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        """A part of what is shown: messages cut long texts."""
        return self.written[key]


class ExpandedPlain(Expanded, Plain):
    """The same for an unquoted text."""

    __slots__ = ()


class Expansion:
    """Expands the variables of one config and remembers what it put in.

    Attributes:
        secrets: Every value that came from the environment.
        problems: Every variable that is missing or misspelt, with its place.
    """

    def __init__(self, source: Source, environ: Mapping[str, str] | None) -> None:
        """Expand from *environ*; None leaves every variable as written, for commands that never ask the service."""
        self._source = source
        self._environ = environ
        self.secrets: dict[str, Secret] = {}
        self.problems: list[Problem] = []

    def service(self, value: YamlValue, target: str, *, replaces_url: bool) -> YamlValue:
        """Expand the ``service`` block as far as it is used: variables of anything else may be missing.

        Args:
            target: The chosen one; of the others nothing is used, nor of what this one replaces.
            replaces_url: The address is given elsewhere.
        """
        if not isinstance(value, dict):
            return self.expand(value, ("service",))
        targets = value.get("targets")
        chosen = targets.get(target) if isinstance(targets, dict) else None
        unused = {"url"} if replaces_url else set()
        skipped = unused | (replaced(chosen) if isinstance(chosen, dict) else set())
        unexpanded = Expansion(self._source, None)

        def block(entries: Mapping[str, YamlValue], left: Collection[str], *at: str) -> dict[str, YamlValue]:
            return {
                key: (unexpanded if key in left else self).expand(child, (*at, key)) for key, child in entries.items()
            }

        rest = block({key: child for key, child in value.items() if key != "targets"}, skipped, "service")
        if not isinstance(targets, dict):
            return rest if targets is None else {**rest, "targets": targets}
        others = {
            name: block(child, unused if name == target else child, "service", "targets", name)
            if isinstance(child, dict)
            else child
            for name, child in targets.items()
        }
        return {**rest, "targets": others}

    def expand(self, value: YamlValue, loc: Loc) -> YamlValue:
        """Expand every text within *value*, which stands at *loc*; an unquoted text stays unquoted."""
        if isinstance(value, dict):
            return {key: self.expand(child, (*loc, key)) for key, child in value.items()}
        if isinstance(value, list):
            return [self.expand(child, (*loc, index)) for index, child in enumerate(value)]
        if value is None or "${" not in value:
            return value
        expanded = _VARIABLE.sub(lambda match: self._replace(match, loc), value)
        plain = isinstance(value, Plain) and _has_meaning(expanded)
        return (ExpandedPlain if plain else Expanded)(expanded, str(value))

    def _replace(self, match: re.Match[str], loc: Loc) -> str:
        name, default = match["name"], match["default"]
        if match["escaped"]:
            return _literal(match[0][1:], loc)
        if match["rest"] is not None or not _NAME.fullmatch(name):
            self._wrong(f"{match[0]!r} names no variable; expected ${{NAME}} or ${{NAME:-default}}", loc)
            return match[0]
        if self._environ is None:
            return match[0] if default is None else default
        # A secret pasted into a CI's form often ends in a line break, which no URL and no header can hold.
        found = self._environ.get(name, "").rstrip("\r\n")
        if found:
            self.secrets[name] = Secret(name, found)
            return _literal(found, loc)
        if default is not None:
            return default
        if name in self._environ:
            self._wrong(f"the environment variable {name} is empty", loc)
        else:
            suggestion = nearest(name, self._environ, or_known=False) if len(name) > 1 else ""
            self._wrong(f"the environment variable {name} is not set{suggestion}", loc)
        return match[0]

    def _wrong(self, message: str, loc: Loc) -> None:
        self.problems.append(Problem(message, self._source.path, *self._source.place(loc)))


def _has_meaning(text: str) -> bool:
    """Whether an unquoted *text* can be read; 4821e07777 cannot, and a message would quote it."""
    try:
        resolve(Plain(text))
    except ValueError:
        return False
    return True


def _literal(text: str, loc: Loc) -> str:
    """*text* as it stands for itself at *loc*: no brace of a secret opens a placeholder."""
    below = loc[3:] if loc[1:2] == ("targets",) else loc[1:]
    template = (below[:1] and below[0] in _TEMPLATES) or below[:2] in _TEMPLATES_WITHIN
    return text.replace("{", "{{").replace("}", "}}") if template else text
