"""The use cases that the commands call, for Python as well; nothing here prints.

Each comes with the module that it needs, when it is asked for: ``validate`` does not wait for numpy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rankgate.app.asking import ask, refuse_unused_params
    from rankgate.app.baseline import compared_at, load_reference, too_shallow
    from rankgate.app.gating import gate, gate_saved, turned_away, unreached
    from rankgate.app.index import gone_documents, lost_judgments, missing_documents, returned_documents, with_missing
    from rankgate.app.keeping import accepted, keep_last_run, lock_of, saved, worsened
    from rankgate.app.labelling import Labelling, to_judge
    from rankgate.app.measuring import measure, measure_both
    from rankgate.app.noise import calibrate, confirm, repeat
    from rankgate.app.project import Project, held, load_project, select
    from rankgate.app.trending import history_point, over_history, over_runs
    from rankgate.app.validating import Validated, validate

__all__ = [
    "Labelling",
    "Project",
    "Validated",
    "accepted",
    "ask",
    "calibrate",
    "compared_at",
    "confirm",
    "gate",
    "gate_saved",
    "gone_documents",
    "held",
    "history_point",
    "keep_last_run",
    "load_project",
    "load_reference",
    "lock_of",
    "lost_judgments",
    "measure",
    "measure_both",
    "missing_documents",
    "over_history",
    "over_runs",
    "refuse_unused_params",
    "repeat",
    "returned_documents",
    "saved",
    "select",
    "to_judge",
    "too_shallow",
    "turned_away",
    "unreached",
    "validate",
    "with_missing",
    "worsened",
]

_HOMES: Final = {
    "Labelling": "labelling",
    "Project": "project",
    "Validated": "validating",
    "accepted": "keeping",
    "ask": "asking",
    "calibrate": "noise",
    "compared_at": "baseline",
    "confirm": "noise",
    "gate": "gating",
    "gate_saved": "gating",
    "gone_documents": "index",
    "held": "project",
    "history_point": "trending",
    "keep_last_run": "keeping",
    "load_project": "project",
    "load_reference": "baseline",
    "lock_of": "keeping",
    "lost_judgments": "index",
    "measure": "measuring",
    "measure_both": "measuring",
    "missing_documents": "index",
    "over_history": "trending",
    "over_runs": "trending",
    "refuse_unused_params": "asking",
    "repeat": "noise",
    "returned_documents": "index",
    "saved": "keeping",
    "select": "project",
    "to_judge": "labelling",
    "too_shallow": "baseline",
    "turned_away": "gating",
    "unreached": "gating",
    "validate": "validating",
    "with_missing": "index",
    "worsened": "keeping",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
