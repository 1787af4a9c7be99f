"""The items of ``pytest --rankgate golden/``.

Which items there are follows from the files alone, so they keep their names from run to run, and collecting them asks
nothing. The service is asked once, when the first of them runs; where pytest-xdist has several workers, by the process
that hands out the tests. Of a whole run there is a failure or an error exactly when ``rankgate check`` does not exit
with 0.

========== =================================== =======================
rule       item                                the whole verdict's
========== =================================== =======================
fails      failed                              failed
undecided  error                               error
warns      passed, with a warning              passed
known      expected to fail
not gated  skipped
========== =================================== =======================
"""

import pickle
from collections.abc import Generator, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest

from rankgate import api, app
from rankgate.api import Facts, Project, RankgateError
from rankgate.cli import reporting
from rankgate.core.findings import Status
from rankgate.core.judgments import ALL
from rankgate.core.rankings import Failure, FailureKind, Run
from rankgate.core.verdict import Outcome
from rankgate.pytest_plugin import GateWarning
from rankgate.reports import gather, terminal
from rankgate.reports.records.queries import QueryFact
from rankgate.reports.records.rules import RuleRow
from rankgate.reports.terminal import failures_section, queries_section
from rankgate.reports.visible import inert, visible

#: Node ids begin with it, items are marked with it, and the workers of xdist find the result under it.
_NAME: Final = "rankgate"
_VERDICT: Final = "verdict"
_NARROWEST: Final = 80


def install(config: pytest.Config, path: str, baseline: str | None, target: str) -> "Gate":
    """Let pytest collect the gate of the config at *path*."""
    given = getattr(config, "workerinput", {}).get(_NAME)
    gate = Gate(Path(path), Path(baseline) if baseline else None, target, given)
    config.pluginmanager.register(_Hooks(gate), "rankgate-gate")
    return gate


class Gate:
    """The gate that the options name, measured when that is first needed, and once.

    Attributes:
        told_by: The node id of the item that reports why there is no result; empty while there is none.
    """

    def __init__(self, path: Path, baseline: Path | None, target: str, given: bytes | None) -> None:
        """Take the *given* outcome of another process, where there is one."""
        self._path, self._baseline, self._target, self._given = path, baseline, target, given
        self.told_by = ""

    @cached_property
    def project(self) -> Project:
        """The config and its golden set.

        Raises:
            InputError: With every mistake of every file in one go.
        """
        return api.load(self._path, target=self._target)

    @cached_property
    def outcome(self) -> Facts | RankgateError:
        """What the report says, or why there is none."""
        if self._given is not None:
            given: Facts | RankgateError = pickle.loads(self._given)  # noqa: S301 - from the process that began this one
            return given
        try:
            result = api.check(self.project, baseline=self._baseline)
        except RankgateError as error:
            return error
        return gather(result, command_hints=reporting.hints(self.project.config.path, self._baseline, kept=False))

    def report(self) -> Facts:
        """What the report says; where there is none, the test that asks fails, with the reason."""
        if isinstance(self.outcome, RankgateError):
            _fail(_told(self.outcome))
        return self.outcome

    def rules(self) -> dict[str, RuleRow]:
        """The rules and pins that any run is judged by, by name: those that a run without a single answer gets.

        Raises:
            InputError: The config, the golden set or the baseline is wrong.
        """
        saved = api.read_baseline(self.project, self._baseline)
        failures = {query.id: Failure(FailureKind.NOT_ASKED, "") for query in self.project.golden.queries}
        unmeasured = Run(self.project.config.depth, {}, failures)
        facts = api.facts(app.gate(self.project, unmeasured, saved.reference if saved else None))
        return {_named(row): row for row in (*facts.rules, *facts.pins) if row.rule != "max_errors"}


class _Hooks:
    """What is hooked into pytest where ``--rankgate`` is given."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Add the gate to what the session collects."""
        report = yield
        if isinstance(collector, pytest.Session) and report.passed:
            report.result.append(Rules.from_parent(collector, name=_NAME, nodeid=_NAME, gate=self._gate))
        return report

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Measure before the first worker of xdist starts, and give all of them the one result."""
        node.workerinput[_NAME] = pickle.dumps(self._gate.outcome)


class Rules(pytest.Collector):
    """All items of the gate."""

    def __init__(self, *, gate: Gate, **options: Any) -> None:
        super().__init__(**options)
        self._gate = gate

    def collect(self) -> Iterator[pytest.Item]:
        """The verdict first, then the rules and pins in the order of the files."""
        try:
            rules = self._gate.rules()
        except RankgateError as error:
            raise self.CollectError(inert(_told(error))) from error
        yield Verdict.from_parent(self, name=_VERDICT, gate=self._gate, rules=rules)
        for name, row in rules.items():
            yield Rule.from_parent(self, name=name, gate=self._gate, row=row)


class Item(pytest.Item):
    """What every item of the gate has: the report, or an error that one of them tells and the others point to."""

    def __init__(self, *, gate: Gate, **options: Any) -> None:
        super().__init__(**options)
        self._gate = gate
        self.add_marker(_NAME)

    def facts(self) -> Facts:
        if isinstance(self._gate.outcome, RankgateError):
            self._gate.told_by = self._gate.told_by or self.nodeid
            if self._gate.told_by != self.nodeid:
                pytest.skip(f"nothing was measured: {self._gate.told_by} says why")
        return self._gate.report()

    @property
    def width(self) -> int:
        return max(self.config.get_terminal_writer().fullwidth, _NARROWEST)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self._gate.project.config.path, 0, self.name  # a warning must have a line


class Verdict(Item):
    """The verdict, with the whole report where it is no pass; it also warns of what no other item is about."""

    def __init__(self, *, rules: Mapping[str, RuleRow], **options: Any) -> None:
        super().__init__(**options)
        self._rules = rules

    def setup(self) -> None:
        facts = self.facts()
        if facts.outcome is Outcome.INCONCLUSIVE:
            self._tell(facts)

    def runtest(self) -> None:
        facts = self.facts()
        if facts.exit_code:
            self._tell(facts)
        for row in facts.with_status(Status.WARN):
            if _named(row) not in self._rules:
                self.warn(GateWarning(visible(row.message)))

    def _tell(self, facts: Facts) -> NoReturn:
        report = terminal.render(facts, width=self.width, color=False)
        _fail(f"{facts.word}: {visible(facts.headline)}\n\n{report}")


class Rule(Item):
    """One rule, or one pin of one query."""

    def __init__(self, *, row: RuleRow, **options: Any) -> None:
        super().__init__(**options)
        self._row = row

    def setup(self) -> None:
        facts = self.facts()
        if self._judged(facts).status is Status.UNDECIDED:
            self._tell(facts)

    def runtest(self) -> None:
        facts = self.facts()
        row = self._judged(facts)
        if row.status is Status.FAIL:
            self._tell(facts)
        elif row.status is Status.NOT_GATED:
            pytest.skip(visible(row.message))
        elif row.status is Status.KNOWN:
            pytest.xfail(visible(row.message))
        elif row.status is Status.WARN:
            self.warn(GateWarning(visible(row.message)))

    def reportinfo(self) -> tuple[Path, int, str]:
        place = self._row.place
        return (Path(place.path), place.line - 1, self.name) if place else super().reportinfo()

    def _judged(self, facts: Facts) -> RuleRow:
        """What became of the rule, the worst should two have one name; undecided still, should it be missing."""
        return next((row for row in (*facts.rules, *facts.pins) if _named(row) == self.name), self._row)

    def _tell(self, facts: Facts) -> NoReturn:
        """Fail with the sentence, its place, and what the report has on its queries."""
        row, costs = self._judged(facts), f"costs in {facts.moves_measure}"
        if row.status is Status.UNDECIDED:
            parts = failures_section(facts)
        else:
            parts = queries_section("Queries", _queries_of(row, facts), costs, self.width)
        place = f"{visible(str(row.place))}\n" if row.place else ""
        _fail(f"{visible(row.message)}\n{place}{terminal.to_text(parts, width=self.width, color=False)}")


def _queries_of(row: RuleRow, facts: Facts) -> tuple[QueryFact, ...]:
    """The queries that a broken rule is about; of a mean, those that pulled it down."""
    if row.query_ids:
        known = {query.id: query for query in (*facts.queries, *facts.worst)}  # the worst know their moves
        return tuple(known[query_id] for query_id in row.query_ids if query_id in known)
    among = [query for query in (*facts.worst, *facts.weakest) if row.slice in {ALL, *query.slices}]
    worse = [
        query for query in among if (row.measure, "worse") in {(each.measure, each.trend) for each in query.values}
    ]
    return tuple(worse or among)


def _named(row: RuleRow) -> str:
    """The name of a rule's item: what every report calls it."""
    return visible(row.label)


def _told(error: RankgateError) -> str:
    """An error as the command line tells it."""
    lines = [*map(str, error.problems), *(f"next: {error.hint}" if error.hint else "").splitlines()]
    return "\n".join(map(visible, lines))


def _fail(text: str) -> NoReturn:
    """Fail with *text* and nothing else: where this code stands helps no reader."""
    pytest.fail(inert(text), pytrace=False)
