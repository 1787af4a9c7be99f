"""The gate as tests: ``pytest --rankgate golden/`` has an item for each rule and each pin, and one for the verdict.

Only the options, and the fixture that gives the report; ``rankgate.pytest_gate`` has the rest, and is imported where
``--rankgate`` is given.
"""

from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from rankgate import Facts
    from rankgate.pytest_gate import Gate

_GATE: "Final[pytest.StashKey[Gate]]" = pytest.StashKey()


class GateWarning(pytest.PytestWarning):
    """A rule warns: the gate passes, and somebody should look."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, which have rankgate's name in theirs."""
    group = parser.getgroup("rankgate", "search relevance")
    group.addoption("--rankgate", metavar="PATH", help="A rankgate config or its folder: its gate becomes tests.")
    group.addoption("--rankgate-baseline", metavar="PATH", help="The baseline; the config's otherwise.")
    group.addoption("--rankgate-target", metavar="NAME", default="", help="One of service.targets.")


def pytest_configure(config: pytest.Config) -> None:
    """Put the gate in place where one is asked for."""
    config.addinivalue_line("markers", "rankgate: an item of the gate that --rankgate names")
    path, baseline = config.getoption("--rankgate"), config.getoption("--rankgate-baseline")
    target = config.getoption("--rankgate-target")
    if path:
        from rankgate import pytest_gate  # noqa: PLC0415 - it imports all of rankgate

        config.stash[_GATE] = pytest_gate.install(config, path, baseline, target)
    elif baseline or target:
        raise pytest.UsageError("--rankgate-baseline and --rankgate-target need --rankgate PATH")


@pytest.fixture(scope="session")
def rankgate_report(pytestconfig: pytest.Config) -> "Facts":
    """What the report of the gate says, as plain values."""
    gate = pytestconfig.stash.get(_GATE, None)
    if gate is None:
        pytest.fail("the fixture rankgate_report needs the option --rankgate PATH", pytrace=False)
    return gate.report()
