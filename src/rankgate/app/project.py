"""A config and its golden set, loaded and checked against each other."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rankgate.core.catalog import Measure
from rankgate.core.judgments import GoldenSet, problem_at
from rankgate.errors import ConfigError, InputError, Problem, UsageError, nearest
from rankgate.files import gate_file, gate_fit, golden_file
from rankgate.files.gate_file import Aim, Config
from rankgate.files.run_file import SavedRun
from rankgate.service import check, own_number_of_hits, placeholders
from rankgate.service.examples import is_example
from rankgate.service.request import RESERVED

#: Where ``check`` keeps the last full run, for ``explain``; beside the config, ignored by git.
LAST_RUN = Path(".rankgate") / "last-run.jsonl"


@dataclass(frozen=True, slots=True)
class Project:
    """A config and its golden set, checked against each other.

    Attributes:
        warnings: What is odd and not wrong.
    """

    config: Config
    golden: GoldenSet
    warnings: tuple[Problem, ...] = ()

    def __repr__(self) -> str:
        measures = ", ".join(map(str, self.measures))
        counts = f"queries={len(self.golden.queries)} measures=({measures}) warnings={len(self.warnings)}"
        return f"<Project {str(self.config.path)!r} {counts}>"

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What is measured: the config's measures and those that queries are pinned to."""
        pinned = (measure for query in self.golden.queries for measure in query.must)
        return tuple(dict.fromkeys((*self.config.measures, *pinned)))

    @property
    def last_run(self) -> Path:
        """Where the last full run of this project is kept."""
        return self.config.path.parent / LAST_RUN


def load_project(path: Path | None, environ: Mapping[str, str] | None, aim: Aim | None = None) -> Project:
    """Load the config and the golden set that it names.

    Args:
        path: The config; None looks for it under its usual names.
        environ: Where ``${NAME}`` comes from; None leaves variables alone, for commands that ask no service.
        aim: Another place to ask than the config's own.

    Raises:
        InputError: With every mistake of every file in one go.
    """
    config_path = gate_file.find(path)
    try:
        config = gate_file.load(config_path, environ, aim or Aim())
    except ConfigError as error:
        raise _with_golden_mistakes(error, config_path) from error
    missing = [path for path in config.queries if not path.exists()]
    if missing:
        raise ConfigError(problem_at(config.place("queries"), f"queries: there is no {str(missing[0])!r}"))
    loaded = golden_file.load(config.queries, config.scale, tuple(config.slice_by))
    found = [*gate_fit.fit(config, loaded.golden), *_service_mistakes(config, loaded.golden)]
    if found:
        raise ConfigError(found)
    warnings = (
        *_unused_params(config, loaded.golden),
        *unasked_depth(config),
        *config.warnings,
        *_examples(loaded.golden),
        *loaded.warnings,
        *gate_fit.never_first(config),
        *gate_fit.coarse(config, loaded.golden),
    )
    return Project(config, loaded.golden, warnings)


def _with_golden_mistakes(error: ConfigError, config_path: Path) -> InputError:
    """Add the mistakes of the golden files to a config's own, as far as they can be told without the config."""
    queries = config_path.parent / "queries"
    if not queries.is_dir():
        return error
    try:
        golden_file.load([queries], gate_file.LENIENT_SCALE)
    except InputError as also:
        return InputError([*error.problems, *also.problems], hint=error.hint)
    return error


def _service_mistakes(config: Config, golden: GoldenSet) -> Iterator[Problem]:
    """What is wrong with the templates and paths of the service and its targets, for the queries of this set."""

    def problem(message: str, *loc: str | int) -> Problem:
        return problem_at(config.place(*loc), message)

    params = {name for query in golden.queries for name in query.params}
    seen = set()
    for name, spec in {"": config.service, **config.targets}.items():
        at = ("service", "targets", name) if name else ("service",)
        for fault in check(spec, params):
            if fault not in seen:  # a target has the mistakes of the service too
                seen.add(fault)
                yield problem(f"{'.'.join(at)}.{fault.place}: {fault.message}", *at, *_steps(fault.place))
    spec = config.service
    of_query = {"query", *params - RESERVED, *spec.defaults}
    if spec.url and not of_query & placeholders(spec).keys():
        where = "in the url, params, headers or a body"
        yield problem(f"service: {{query}} stands nowhere {where}, so every query would get the same answer", "service")
    used = set(placeholders(spec)) & params - set(spec.defaults)
    for query in golden.queries:
        missing = sorted(used - set(query.params))
        if missing:
            yield problem_at(
                query.place,
                f"query {query.id!r} has no param {missing[0]!r}, which the request needs; "
                f"give it, or a default under service.defaults",
            )


def _unused_params(config: Config, golden: GoldenSet) -> Iterator[Problem]:
    """Warn of params that no template has: a misspelt one would send its default for ever."""
    if config.service.adapter or config.service.command:
        return
    used = {*placeholders(config.service)} - RESERVED | {*config.slice_by}
    for name in sorted({name for query in golden.queries for name in query.params} - used):
        first = next(query for query in golden.queries if name in query.params)
        if name in RESERVED:
            why = f"its param {name!r} is not sent: {{{name}}} is rankgate's own; rename it"
        else:
            why = f"no template of the service has its param {name!r}{nearest(name, used)}"
        yield problem_at(first.place, f"query {first.id!r}: {why}")


def unasked_depth(config: Config) -> Iterator[Problem]:
    """Warn of a request that does not say how many hits are wanted: measured is then what the service gives unasked."""
    if own_number_of_hits(config.service, config.depth):
        deepest = max(config.measures, key=lambda measure: measure.looks_at(config.depth))
        yield problem_at(
            config.place("service"),
            f"no template sends {{depth}}: the service answers with its own number of hits, and {deepest} is measured "
            "over those",
        )


def _examples(golden: GoldenSet) -> Iterator[Problem]:
    """Warn of the queries that ``init`` wrote: no service but that of the example has their documents."""
    for query in golden.queries:
        if is_example(query):
            yield problem_at(query.place, f"query {query.id!r} is init's example; replace it by one of your own")


def _steps(dotted: str) -> tuple[str | int, ...]:
    return tuple(int(step) if step.isdecimal() else step for step in re.findall(r"[^.\[\]]+", dotted))


def select(golden: GoldenSet, query_ids: Sequence[str], slices: Sequence[str]) -> GoldenSet:
    """The queries named, and those in the slices named.

    Raises:
        UsageError: For a name that no query or slice has, with the nearest; an empty selection never passes.
    """
    known = {query.id for query in golden.queries}
    wrong = [f"no query {text!r}{_meant(golden, text, known)}" for text in query_ids if text not in known]
    wrong += [f"no slice {name!r}{nearest(name, golden.slices)}" for name in slices if name not in golden.slices]
    if wrong:
        raise UsageError(map(Problem, wrong))
    ids, names = set(query_ids), set(slices)
    chosen = frozenset(query.id for query in golden.queries if query.id in ids or not names.isdisjoint(query.slices))
    if not chosen:
        raise UsageError("the selection holds no query")
    return golden.only(chosen)


def _meant(golden: GoldenSet, text: str, known: Collection[str]) -> str:
    """The end of a message about an id that no query has: whose text it is, else the nearest id."""
    of_text = [query.id for query in golden.queries if query.text == text]
    return f"; it is the text of {' and '.join(map(repr, of_text[:2]))}" if of_text else nearest(text, known)


def held(golden: GoldenSet, *saved: SavedRun) -> GoldenSet | None:
    """The queries that every run of a selection among *saved* holds; None where all hold the whole set.

    Raises:
        InputError: There is no such query; an empty selection never passes.
    """
    selections = [each.run.query_ids for each in saved if each.partial]
    if not selections:
        return None
    chosen = golden.only(frozenset.intersection(*map(frozenset, selections)))
    if not chosen.queries:
        raise InputError("these runs of a selection and the golden set share no query")
    return chosen
