"""The use cases that the commands call, for Python as well; nothing here prints.

Each comes with the module that it needs, when it is asked for: ``validate`` does not wait for numpy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rankgate.app.asking import ask, refuse_unused_params
    from rankgate.app.baseline import check_depth, load_reference, too_shallow
    from rankgate.app.gating import gate, unreached
    from rankgate.app.index import gone_documents, lost_judgments, missing_documents, with_missing
    from rankgate.app.keeping import accepted, keep_last_run, lock_of, saved, worsened
    from rankgate.app.labelling import Labelling, to_judge
    from rankgate.app.measuring import measure, measure_both
    from rankgate.app.noise import calibrate, confirm, repeat
    from rankgate.app.project import Project, held, load_project, select
    from rankgate.app.validating import validate

__all__ = [
    "Labelling",
    "Project",
    "accepted",
    "ask",
    "calibrate",
    "check_depth",
    "confirm",
    "gate",
    "gone_documents",
    "held",
    "keep_last_run",
    "load_project",
    "load_reference",
    "lock_of",
    "lost_judgments",
    "measure",
    "measure_both",
    "missing_documents",
    "refuse_unused_params",
    "repeat",
    "saved",
    "select",
    "to_judge",
    "too_shallow",
    "unreached",
    "validate",
    "with_missing",
    "worsened",
]

_HOMES: Final = {
    "check_depth": "baseline",
    "gate": "gating",
    "unreached": "gating",
    "load_reference": "baseline",
    "too_shallow": "baseline",
    "accepted": "keeping",
    "keep_last_run": "keeping",
    "lock_of": "keeping",
    "saved": "keeping",
    "worsened": "keeping",
    "Labelling": "labelling",
    "to_judge": "labelling",
    "ask": "asking",
    "gone_documents": "index",
    "lost_judgments": "index",
    "measure": "measuring",
    "measure_both": "measuring",
    "missing_documents": "index",
    "refuse_unused_params": "asking",
    "with_missing": "index",
    "calibrate": "noise",
    "confirm": "noise",
    "repeat": "noise",
    "Project": "project",
    "held": "project",
    "load_project": "project",
    "select": "project",
    "validate": "validating",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
