"""The use cases that the commands call, for Python as well; nothing here prints."""

from rankgate.app.gating import check_depth, gate, load_reference, too_shallow
from rankgate.app.keeping import accepted, keep_last_run, lock_of, saved, worsened
from rankgate.app.labelling import Labelling, to_judge
from rankgate.app.measuring import (
    ask,
    gone_documents,
    lost_judgments,
    measure,
    measure_both,
    missing_documents,
    with_missing,
)
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
    "repeat",
    "saved",
    "select",
    "to_judge",
    "too_shallow",
    "validate",
    "with_missing",
    "worsened",
]
