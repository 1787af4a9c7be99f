"""The use cases that the commands call, for Python as well; nothing here prints."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rankgate.core.catalog import Measure
from rankgate.core.comparison import Reference, compare, judgments_digest
from rankgate.core.findings import Status
from rankgate.core.judgments import GoldenSet
from rankgate.core.rankings import Failure, FailureKind, Ranking, Run
from rankgate.core.rules import ALONE
from rankgate.core.scoring import judged_hits, score
from rankgate.core.verdict import GateResult, Outcome, decide
from rankgate.errors import (
    BaselineMismatchError,
    BaselineMissingError,
    ConfigError,
    InputError,
    Problem,
    ServiceError,
    UsageError,
    nearest,
)
from rankgate.files import gate_file, golden_file, run_file
from rankgate.files.atomic import write_text
from rankgate.files.gate_file import Config
from rankgate.files.run_file import SavedRun
from rankgate.service import Ask, Redactor, check, compile_path, placeholders

Progress = Callable[[int, int], None]

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

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What is measured: the config's measures and those that queries are pinned to."""
        pinned = (measure for query in self.golden.queries for measure in query.must)
        return tuple(dict.fromkeys((*self.config.measures, *pinned)))

    @property
    def last_run(self) -> Path:
        """Where the last full run of this project is kept."""
        return self.config.path.parent / LAST_RUN


def load_project(path: Path | None, environ: Mapping[str, str] | None) -> Project:
    """Load the config and the golden set that it names.

    Args:
        path: The config; None looks for it under its usual names.
        environ: Where ``${NAME}`` comes from; None leaves variables alone, for commands that ask no service.

    Raises:
        InputError: With every mistake of every file in one go.
    """
    config_path = gate_file.find(path)
    try:
        config = gate_file.load(config_path, environ)
    except ConfigError as error:
        raise _with_golden_mistakes(error, config_path) from error
    missing = [path for path in config.queries if not path.exists()]
    if missing:
        place = config.place("queries")
        message = f"queries: there is no {str(missing[0])!r}"
        raise ConfigError(Problem(message, place.path, place.line, place.column))
    loaded = golden_file.load(config.queries, config.scale)
    found = [*gate_file.fit(config, loaded.golden), *_service_mistakes(config, loaded.golden)]
    if found:
        raise ConfigError(found)
    warnings = (*config.warnings, *loaded.warnings, *gate_file.coarse(config, loaded.golden))
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
    """What is wrong with the templates and paths of the service, for the queries of this set."""

    def problem(message: str, *loc: str | int) -> Problem:
        place = config.place("service", *loc)
        return Problem(message, place.path, place.line, place.column)

    spec = config.service
    params = {name for query in golden.queries for name in query.params}
    for fault in check(spec, params):
        yield problem(f"service.{fault.place}: {fault.message}", *_steps(fault.place))
    for key, expression in (("hits", spec.hits), ("id", spec.id), *(("partial", each) for each in spec.partial)):
        try:
            compile_path(expression)
        except ValueError as error:
            yield problem(Redactor.of(spec).redact(f"service.{key}: {error}"), key)
    used = set(placeholders(spec)) & params - set(spec.defaults)
    for query in golden.queries:
        missing = sorted(used - set(query.params))
        if missing and query.place:
            yield Problem(
                f"query {query.id!r} has no param {missing[0]!r}, which the request needs; "
                f"give it, or a default under service.defaults",
                query.place.path,
                query.place.line,
                query.place.column,
            )


def _steps(dotted: str) -> tuple[str | int, ...]:
    return tuple(int(step) if step.isdecimal() else step for step in dotted.split("."))


def select(golden: GoldenSet, query_ids: Sequence[str], slices: Sequence[str]) -> GoldenSet:
    """The queries named, and those in the slices named.

    Raises:
        UsageError: For a name that no query or slice has, with the nearest; an empty selection never passes.
    """
    known = {query.id for query in golden.queries}
    wrong = [f"no query {query_id!r}{nearest(query_id, known)}" for query_id in query_ids if query_id not in known]
    wrong += [f"no slice {name!r}{nearest(name, golden.slices)}" for name in slices if name not in golden.slices]
    if wrong:
        raise UsageError(map(Problem, wrong))
    chosen = {query.id for query in golden.queries if query.id in query_ids or set(slices) & set(query.slices)}
    return golden.only(frozenset(chosen))


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


def measure(project: Project, golden: GoldenSet, progress: Progress | None = None) -> Run:
    """Ask the service every query of *golden*.

    Raises:
        ServiceUnreachableError: It did not answer the first request.
    """
    from rankgate.service import client  # noqa: PLC0415 - httpx takes longer to import than most commands to run

    asks = [Ask(query.id, query.text, query.params) for query in golden.queries]  # type: ignore[arg-type]  # JSON values, by the golden file
    return client.measure(project.config.service, asks, project.config.depth, progress=progress)


def load_reference(project: Project, path: Path | None, *, floors_only: bool = False) -> SavedRun | None:
    """Load the baseline; None where there need not be one.

    Raises:
        BaselineMissingError: There is none, and rules need one.
        BaselineMismatchError: It is no accepted run, or too shallow for what is compared.
    """
    if floors_only:
        return None
    baseline = path or project.config.baseline
    if not baseline.exists():
        if not project.config.gate.compares:
            return None
        raise BaselineMissingError(
            Problem("there is no baseline to compare with", str(baseline)),
            hint="rankgate accept makes the service's present answers the baseline; commit the file.\n"
            "rankgate check --floors-only judges floors, ceilings and pins alone.",
        )
    saved = run_file.read_any(baseline)
    if saved.partial:
        raise BaselineMismatchError(Problem("a selection of the queries cannot be a baseline", str(baseline)))
    check_depth(project, saved.run, baseline)
    return saved


def too_shallow(project: Project, run: Run) -> dict[str, int]:
    """The compared measures that look at more documents than *run* was asked for, each with how many it looks at."""
    return {
        str(limit.measure): limit.measure.cutoff or project.config.depth
        for limit in project.config.gate.limits
        if limit.kind not in ALONE
        and limit.measure.name != "ZeroResults"  # which looks at one, whatever was asked for
        and 0 < run.depth < (limit.measure.cutoff or project.config.depth)
    }


def check_depth(project: Project, run: Run, path: Path) -> None:
    """Refuse a saved run that was asked for fewer documents than a comparing rule looks at.

    Raises:
        BaselineMismatchError: Naming the measures.
    """
    measures = too_shallow(project, run)
    if measures:
        raise BaselineMismatchError(
            Problem(
                f"it was asked for {run.depth} documents a query, and {', '.join(measures)} "
                f"{'is' if len(measures) == 1 else 'are'} compared at {max(measures.values())}",
                str(path),
            ),
            hint="rankgate accept makes a new baseline at the depth of the config.",
        )


def gate(
    project: Project,
    run: Run,
    reference: Reference | None,
    *,
    golden: GoldenSet | None = None,
    strict: bool = False,
) -> GateResult:
    """Score, compare and judge *run*.

    Args:
        golden: A selection of the project's queries; None for all, and only all can have a verdict.

    Raises:
        ServiceError: Not one returned id is judged: another index was asked, or ids of another kind came back.
    """
    partial = golden is not None
    chosen = golden or project.golden
    run, notes = _completed(run, chosen)
    _refuse_foreign_ids(chosen, run)
    comparison = compare(chosen, run, project.measures, reference, partial=partial)
    return decide(
        project.config.gate,
        comparison,
        partial=partial,
        strict=strict,
        floors_only=reference is None and not partial,
        extra=notes,
    )


def _completed(run: Run, golden: GoldenSet) -> tuple[Run, tuple[str, ...]]:
    """Account for queries that *run* does not hold, and drop those that the set does not have."""
    wanted = {query.id for query in golden.queries}
    missing = sorted(wanted - run.query_ids)
    rankings = {query_id: ranking for query_id, ranking in run.rankings.items() if query_id in wanted}
    failures = {query_id: failure for query_id, failure in run.failures.items() if query_id in wanted}
    notes: tuple[str, ...] = ()
    if missing and not rankings and not failures:
        example = next(iter(run.query_ids), "none")
        raise InputError(f"the run and the golden set share no query: {example!r} against {missing[0]!r}")
    if missing and not run.depth:
        # The TREC form has no line for a query without results, so absence is an empty answer there.
        rankings |= dict.fromkeys(missing, Ranking(()))
        notes = (f"queries without a line in the TREC run, counted as empty answers: {len(missing)}",)
    elif missing:
        message = "the saved run does not hold this query; measure again"
        failures |= dict.fromkeys(missing, Failure(FailureKind.NOT_ASKED, message))
    return dataclasses.replace(run, rankings=rankings, failures=failures), notes


def _refuse_foreign_ids(golden: GoldenSet, run: Run) -> None:
    judged, returned = judged_hits(golden.judged, run)
    if judged or not returned:
        return
    query = next(query for query in golden.judged if query.id in run.rankings and run.rankings[query.id].ids)
    raise ServiceError(
        f"not one of the {returned} returned ids is judged; for example {run.rankings[query.id].ids[0]!r} "
        f"against {next(iter(query.judgments))!r} for query {query.id!r}",
        hint="Is it the right index, and does service.id name the same kind of id as the judgments?",
    )


def saved(project: Project, run: Run, *, kind: run_file.Kind = "run", partial: bool = False) -> SavedRun:
    """*run* as it is written to a file, with its scores and the digests of today's judgments."""
    values = score(project.golden.judged, run, project.measures, project.golden.scale.relevant_from)
    return SavedRun(
        run=run,
        kind=kind,
        digests={query.id: judgments_digest(query) for query in project.golden.queries if query.id in run.query_ids},
        scores={
            query_id: {str(each): values.value(each, query_id) for each in project.measures}
            for query_id in values.query_ids
            if query_id in run.rankings
        },
        partial=partial,
    )


def keep_last_run(project: Project, run: Run) -> None:
    """Keep a full run for ``explain`` and ``accept --from``, in a folder that git ignores."""
    path = project.last_run
    ignore = path.parent / ".gitignore"
    if not ignore.exists():
        write_text(ignore, "*\n")
    run_file.write(path, saved(project, run))


def worsened(result: GateResult) -> tuple[str, ...]:
    """What accepting *result* would make worse: every broken rule but the removal of queries, which accepting settles.

    A fall within its limit is the trade that the limit allows; the diff that is shown first has it.
    """
    return tuple(finding.message for finding in result.verdict.of(Status.FAIL) if finding.rule != "removed")


def accepted(
    project: Project, result: GateResult, current: SavedRun | None, *, allow_worse: bool, reason: str
) -> SavedRun:
    """The baseline that accepting *result* makes.

    Raises:
        ServiceError: The run is inconclusive or incomplete; it can never be accepted.
        BaselineMismatchError: It is worse, and that was not allowed.
    """
    if result.verdict.outcome in {Outcome.INCONCLUSIVE, Outcome.PARTIAL} or result.comparison.run.failures:
        raise ServiceError(
            "the run was not measured completely, so it cannot be accepted",
            hint="Mend what the report names and measure again.",
        )
    worse = worsened(result)
    if worse and not allow_worse:
        raise BaselineMismatchError(
            [Problem("this run is worse than what it would replace, so it is not accepted"), *map(Problem, worse)],
            hint="If that is meant: rankgate accept --allow-worse --reason '...'; the reason is kept in the file.",
        )
    run = dataclasses.replace(result.comparison.run, notes={})
    baseline = saved(project, run, kind="baseline")
    if current is not None and current.run.rankings == run.rankings:
        return dataclasses.replace(baseline, reason=current.reason, worse=current.worse)
    return dataclasses.replace(baseline, reason=reason if worse else "", worse=worse)


def validate(path: Path | None) -> tuple[Project, SavedRun | None, tuple[Problem, ...]]:
    """Check config, golden set and baseline without a network.

    Returns:
        The project, its baseline where there is one, and every warning.

    Raises:
        InputError: With everything that is wrong in one go.
    """
    found: list[Problem] = []
    hint = ""
    project: Project | None = None
    try:
        project = load_project(path, None)
    except InputError as error:
        found.extend(error.problems)
        hint = error.hint
    baseline: SavedRun | None = None
    if project is not None and project.config.baseline.exists():
        try:
            baseline = load_reference(project, None)
        except InputError as error:
            found.extend(error.problems)
            hint = error.hint
    if project is None or found:
        raise InputError(found, hint=hint)
    warnings = [*project.warnings]
    if baseline is None and project.config.gate.compares:
        warnings.append(Problem("there is no baseline yet; rankgate accept makes one", str(project.config.baseline)))
    return project, baseline, tuple(warnings)
