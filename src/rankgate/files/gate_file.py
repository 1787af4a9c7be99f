"""``rankgate.yaml``: from its entries to the domain's values, with everything that can be wrong with them."""

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from rankgate.core.catalog import MAX_GRADE, Measure, Scale, parse_measure
from rankgate.core.judgments import ALL, Place, problem_at
from rankgate.core.limits import KINDS_OF_DIRECTION, Gate, Limit
from rankgate.errors import ConfigError, Problem, UnknownMeasureError, UsageError, nearest
from rankgate.files.gate_models import DEFAULT_REFRESH_AFTER, ConfigFile, GateEntry, LimitsEntry
from rankgate.files.request_lock import CREDENTIAL, RECORDED, is_literal, request_lock, url_credentials
from rankgate.files.service_file import moved, of_target, service_spec
from rankgate.files.service_models import TargetEntry
from rankgate.files.service_spec import Secret, ServiceSpec
from rankgate.files.validation import dotted, located, problems
from rankgate.files.variables import Expansion
from rankgate.files.yaml_source import Source, read
from rankgate.files.yaml_values import Loc, YamlValue

NAMES: Final = ("rankgate.yaml", "golden/rankgate.yaml")
_ADDRESS: Final = re.compile(r"https?://[^/?#]")
#: The mappings of ``service`` that hold what somebody asks by.
_HOLD_SECRETS: Final = ("headers", "params", "form", "basic_auth", "tls")
#: Refuses no grade that any config allows.
LENIENT_SCALE: Final = Scale(highest=MAX_GRADE)


@dataclass(frozen=True, slots=True)
class Config:
    """A config, checked.

    Attributes:
        path: The file.
        queries: Files and folders of golden queries.
        baseline: Where the accepted run is.
        measures: What is measured, gated or not, in the order of the report.
        slices: Where each slice with rules is configured.
        slice_by: Params of queries of which each value is a slice, with where each is named.
        refresh_after: Days after which judgments are called old.
        request: Digests of the request's template, by key.
        recorded: Digests of the part of it that recorded answers depend on, by key.
        targets: The other places to ask, by name; *service* is the one that was chosen.
        warnings: What is odd and not wrong.
        not_asked: Which of fingerprint and exists would have asked another host than *service*, and are not asked.
    """

    path: Path
    service: ServiceSpec
    queries: tuple[Path, ...]
    baseline: Path
    scale: Scale
    measures: tuple[Measure, ...]
    gate: Gate
    depth: int
    slices: Mapping[str, Place]
    source: Source = field(repr=False, compare=False)
    slice_by: Mapping[str, Place] = field(default_factory=dict)
    refresh_after: int = DEFAULT_REFRESH_AFTER
    targets: Mapping[str, ServiceSpec] = field(default_factory=dict)
    request: Mapping[str, str] = field(default_factory=dict)
    recorded: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()
    not_asked: tuple[str, ...] = ()

    def place(self, *loc: str | int) -> Place:
        """Where a part of the config stands."""
        return Place(self.source.path, *self.source.place(loc))


def find(given: Path | None, *, folder: Path | None = None) -> Path:
    """The config: *given*, else the first of the usual names below *folder*.

    Raises:
        ConfigError: There is none.
    """
    if given is not None:
        inside = given / NAMES[0]
        return inside if inside.is_file() else given
    places = [(folder or Path()) / name for name in NAMES]
    for path in places:
        if path.is_file():
            return path
    names = " and ".join(str(path) for path in places)
    raise ConfigError(f"no config: looked for {names}", hint="rankgate init writes one; --config PATH names another.")


@dataclass(frozen=True, slots=True)
class Aim:
    """Which service is asked: one of the config's targets, another address; the config's own without either."""

    target: str = ""
    url: str = ""


def load(path: Path, environ: Mapping[str, str] | None, aim: Aim = Aim()) -> Config:
    """Load a config.

    Args:
        path: The file.
        environ: Where ``${NAME}`` comes from; None leaves variables unexpanded, for commands that ask no service.

    Raises:
        ConfigError: With every mistake of the file.
        UsageError: The config has no such target.
    """
    source = read(path, ConfigError)
    if not isinstance(source.value, dict):
        raise ConfigError(Problem("expected a mapping with the keys version, service and gate", source.path, 1, 1))
    expansion = Expansion(source, environ)
    raw = dict(source.value)
    if "service" in raw:
        raw["service"] = expansion.service(raw["service"], aim.target, replaces_url=bool(aim.url))
    gate = raw.get("gate")
    misspelt = _misspelt_rules(gate, source)
    if isinstance(gate, dict):
        raw["gate"] = {key: value for key, value in gate.items() if key not in misspelt}
    try:
        file = ConfigFile.model_validate(raw)
    except ValidationError as error:
        found = problems(error, source, ConfigFile)
        raise ConfigError(_sorted([*expansion.problems, *misspelt.values(), *found])) from error
    reader = _Reader(source, file, [*expansion.problems, *misspelt.values()])
    config = reader.config(path, expansion, aim)
    if reader.problems:
        raise ConfigError(_sorted(reader.problems))
    return config


def _sorted(found: Iterable[Problem]) -> list[Problem]:
    return sorted(found, key=lambda problem: (problem.line, problem.column))


def _misspelt_rules(gate: YamlValue, source: Source) -> dict[str, Problem]:
    """What is nearly the name of a rule; taken for a measure, its own keys would be called unknown."""
    found: dict[str, Problem] = {}
    for key in gate if isinstance(gate, dict) else ():
        meant = get_close_matches(key.casefold(), GateEntry.model_fields, n=1, cutoff=0.8)
        if meant and key not in GateEntry.model_fields:
            message = f"gate: unknown key {key!r}; did you mean {meant[0]!r}?"
            found[key] = Problem(message, source.path, *source.key_place(("gate", key)))
    return found


class _Reader:
    """Turns the file's entries into the domain's values, collecting what is wrong."""

    def __init__(self, source: Source, file: ConfigFile, found: list[Problem]) -> None:
        self.source = source
        self.file = file
        self.problems = found
        self.scale = Scale()

    def config(self, path: Path, expansion: Expansion, aim: Aim) -> Config:
        self.scale = self._scale()
        gate = self._gate()
        shown = [measure for measure in map(self._shown, enumerate(self.file.measures)) if measure]
        gated = [limit.measure for limit in gate.limits]
        measures = tuple(dict.fromkeys((*gated, *shown)))
        folder = path.parent
        queries = self.file.queries if isinstance(self.file.queries, list) else [self.file.queries]
        self._depth(measures)
        service, targets, lost = self._services(folder, tuple(expansion.secrets.values()), aim)
        return Config(
            path=path,
            service=service,
            targets=targets,
            request=request_lock(self.source.value, aim.target, aim.url),
            recorded=request_lock(self.source.value, aim.target, aim.url, keys=RECORDED),
            queries=tuple(folder / name for name in queries),
            baseline=folder / self.file.baseline,
            scale=self.scale,
            measures=measures,
            gate=gate,
            depth=self.file.depth,
            slices={name: self._place("slices", name) for name in self.file.slices},
            slice_by={name: self._place("slice_by", index) for index, name in enumerate(self.file.slice_by)},
            refresh_after=self.file.judgments.refresh_after,
            source=self.source,
            warnings=tuple(self._literal_secrets()),
            not_asked=lost,
        )

    def _scale(self) -> Scale:
        entry = self.file.judgments
        lowest, highest = entry.grades
        if not 0 <= lowest < highest <= MAX_GRADE:
            message = f"grades must be [smallest, largest] with 0 <= smallest < largest <= {MAX_GRADE}"
            self._wrong(f"{message}, found [{lowest}, {highest}]", "judgments", "grades")
        elif entry.relevant_from > highest:
            message = f"relevant_from must be a grade of the scale, at most {highest}, found {entry.relevant_from}"
            self._wrong(message, "judgments", "relevant_from")
        return Scale(lowest, highest, entry.relevant_from, entry.gain)

    def _services(
        self, folder: Path, secrets: tuple[Secret, ...], aim: Aim
    ) -> tuple[ServiceSpec, Mapping[str, ServiceSpec], tuple[str, ...]]:
        """The service that is asked, every target, and what of the index the service cannot be asked."""
        entry = self.file.service
        if aim.target and aim.target not in entry.targets:
            raise UsageError(f"no target {aim.target!r} under service.targets{nearest(aim.target, entry.targets)}")

        seen: set[str] = set()

        def spec(chosen: TargetEntry, *at: str) -> ServiceSpec:
            def wrong(message: str, *loc: str) -> None:
                if message not in seen:  # a target has the mistakes of the service too
                    seen.add(message)
                    self._wrong(f"{dotted(at)}: {message}", *at, *loc)

            return service_spec(chosen, folder, secrets, wrong)

        own = spec(entry, "service")
        aimed = {
            name: moved(
                spec(of_target(entry, name), "service", "targets", name), own.url, entry.targets[name].model_fields_set
            )
            for name in entry.targets
        }
        service, lost = aimed[aim.target] if aim.target else (own, ())
        if aim.url and not _ADDRESS.match(aim.url):
            raise UsageError(f"an address begins with http:// or https:// and a host, found {aim.url!r}")
        if aim.url and not service.url:
            raise UsageError(
                "--url replaces the service's url, and this service has none: an adapter or a command answers"
            )
        if aim.url:
            service, also = moved(dataclasses.replace(service, url=aim.url), service.url)
            lost = (*lost, *also)
        return service, {name: target for name, (target, _) in aimed.items()}, lost

    def _gate(self) -> Gate:
        entry = self.file.gate
        limits = [*self._limits(entry.__pydantic_extra__, ("gate",), ALL, 1)]
        for name, of_slice in self.file.slices.items():
            if name == ALL:
                self._wrong(f"the rules of slice {ALL!r} stand under 'gate'", "slices", name)
            if not of_slice.gate:
                self._wrong(f"slice {name!r} has no rule", "slices", name, "gate")
            limits.extend(self._limits(of_slice.gate, ("slices", name, "gate"), name, of_slice.min_queries))
        if not limits and entry.lost_queries is None and not self.problems:
            self._wrong("the gate has no rule, so nothing could ever fail; expected limits of a measure", "gate")
        return Gate(
            limits=tuple(limits),
            lost_queries=entry.lost_queries.max if entry.lost_queries else None,
            max_errors=entry.max_errors,
            confirm=entry.confirm,
            unjudged=entry.unjudged,
            require_significance=entry.require_significance,
            lost_queries_place=self._place("gate", "lost_queries") if entry.lost_queries else None,
        )

    def _limits(
        self, entries: Mapping[str, LimitsEntry], loc: Loc, slice_name: str, min_queries: int
    ) -> Iterator[Limit]:
        seen: dict[Measure, str] = {}
        for name, entry in entries.items():
            at = (*loc, name)
            measure = self._measure(name, at)
            if measure is None:
                continue
            if measure in seen:
                self._wrong(f"{name!r} and {seen[measure]!r} are the same measure", *at)
            seen[measure] = name
            if not entry.model_fields_set:
                self._wrong(f"{name} has no limit; expected one of {', '.join(LimitsEntry.model_fields)}", *at)
            yield from self._limits_of(measure, entry, at, slice_name, min_queries)

    def _limits_of(
        self, measure: Measure, entry: LimitsEntry, at: Loc, slice_name: str, min_queries: int
    ) -> Iterator[Limit]:
        kinds = KINDS_OF_DIRECTION[measure.higher_is_better]
        opposite = dict(zip(KINDS_OF_DIRECTION[not measure.higher_is_better], kinds, strict=True))
        for key in sorted(entry.model_fields_set, key=list(LimitsEntry.model_fields).index):
            kind = key.removesuffix("_rel")
            if kind in opposite:
                better = "higher" if measure.higher_is_better else "lower"
                meant = opposite[kind] + key.removeprefix(kind)
                self._wrong(
                    f"{measure.short} is better when {better}: {key!r} has no meaning; did you mean {meant!r}?",
                    *at,
                    key,
                )
                continue
            value = getattr(entry, key)
            if value is not None and not key.endswith("_rel") and not 0 <= value <= measure.high(self.file.depth):
                share = key.startswith("max_") and 1 < value <= 100  # noqa: PLR2004 - a percentage
                suggestion = f'; for a relative limit write {key}_rel: "{value:g}%"' if share else ""
                high = f"{measure.high(self.file.depth):g}"
                self._wrong(
                    f"{key} is in points of the measure, from 0 to {high}, found {value:g}{suggestion}", *at, key
                )
        for kind_name in kinds:
            points: float | None = getattr(entry, kind_name)
            relative: float | None = getattr(entry, f"{kind_name}_rel", None)
            if points is not None or relative is not None:
                key = kind_name if points is not None else f"{kind_name}_rel"
                place = self._place(*at, key)
                yield Limit(kind_name, measure, points, relative, slice_name, min_queries, place)

    def _shown(self, entry: tuple[int, str]) -> Measure | None:
        index, name = entry
        return self._measure(name, ("measures", index))

    def _measure(self, name: str, at: Loc) -> Measure | None:
        try:
            return parse_measure(name, self.scale)
        except UnknownMeasureError as error:
            self.problems.extend(located(error, self.source, at))
            return None

    def _depth(self, measures: tuple[Measure, ...]) -> None:
        deepest = max(measures, key=lambda measure: measure.cutoff, default=None)
        if deepest is not None and deepest.cutoff > self.file.depth:
            self._wrong(
                f"depth {self.file.depth} is less than {deepest.short} looks at; expected {deepest.cutoff} or more",
                "depth",
            )

    def _literal_secrets(self) -> Iterator[Problem]:
        """Warn of credentials that are written down; those in the environment do not get into the repository."""
        blocks: list[Loc] = [("service",), *(("service", "targets", name) for name in self.file.service.targets)]
        for loc in ((*block, group) for block in blocks for group in _HOLD_SECRETS):
            entries = _below(self.source.value, loc)
            for name, value in entries.items() if isinstance(entries, dict) else ():
                if CREDENTIAL.search(name) and isinstance(value, str) and is_literal(value):
                    yield self._literal((*loc, name), "a literal value")
        for block in blocks:
            for key in (("url",), ("fingerprint", "url"), ("exists", "url")):
                url = _below(self.source.value, (*block, *key))
                for name, value in url_credentials(url) if isinstance(url, str) else ():
                    if is_literal(value):
                        what = f"the literal value of {name!r}" if name else "literal credentials before the host"
                        yield self._literal((*block, *key), what)

    def _literal(self, loc: Loc, what: str) -> Problem:
        message = f"{dotted(loc)} holds {what}; expected ${{NAME}}: a secret does not belong in a file"
        return problem_at(self._place(*loc), message)

    def _place(self, *loc: str | int) -> Place:
        return Place(self.source.path, *self.source.place(loc))

    def _wrong(self, message: str, *loc: str | int) -> None:
        self.problems.append(Problem(message, self.source.path, *self.source.place(loc)))


def _below(value: YamlValue, loc: Loc) -> YamlValue:
    """What stands at *loc* below *value*; None where nothing does."""
    for step in loc:
        value = value.get(str(step)) if isinstance(value, dict) else None
    return value
