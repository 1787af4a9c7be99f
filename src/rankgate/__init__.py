"""rankgate tells whether a ranking change made search worse.

The command line is the main way in. From Python, in a notebook or a test, the same steps are functions of this module::

    project = rankgate.load("golden/rankgate.yaml")
    result = rankgate.judge(project, rankgate.measure(project), rankgate.read_baseline(project))
    print(rankgate.render(result))

What ``__all__`` names is public, and so are the fields of those types; ``docs/python.md`` describes it, and
``docs/compatibility.md`` says what may change.
"""

TYPE_CHECKING = False  # which type checkers take for true; typing's own takes longer to import than this module
if TYPE_CHECKING:
    from rankgate.api import (
        BaselineError,
        BaselineMismatchError,
        BaselineMissingError,
        Comparison,
        ConfigError,
        Facts,
        GateResult,
        GoldenFileError,
        InputError,
        Outcome,
        Problem,
        Project,
        RankgateError,
        RunFileError,
        SavedRun,
        ServiceError,
        ServiceUnreachableError,
        UnknownMeasureError,
        UsageError,
        check,
        compare,
        facts,
        judge,
        load,
        measure,
        read_baseline,
        read_run,
        render,
        save_run,
    )

__version__ = "0.1.0"

__all__ = [
    "BaselineError",
    "BaselineMismatchError",
    "BaselineMissingError",
    "Comparison",
    "ConfigError",
    "Facts",
    "GateResult",
    "GoldenFileError",
    "InputError",
    "Outcome",
    "Problem",
    "Project",
    "RankgateError",
    "RunFileError",
    "SavedRun",
    "ServiceError",
    "ServiceUnreachableError",
    "UnknownMeasureError",
    "UsageError",
    "__version__",
    "check",
    "compare",
    "facts",
    "judge",
    "load",
    "measure",
    "read_baseline",
    "read_run",
    "render",
    "save_run",
]


if not TYPE_CHECKING:  # to which any name would be one

    def __getattr__(name: str) -> object:
        """Import what is public when it is first asked for: the package alone costs the command line nothing."""
        if name in __all__:
            from rankgate import api  # noqa: PLC0415 - as said above

            value: object = getattr(api, name)
            globals()[name] = value
            return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
