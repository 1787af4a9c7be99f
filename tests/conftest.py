"""What holds for all tests: they see no variable by which programs change their words, whoever runs them."""

import gc
import os
from typing import Final

from hypothesis import settings

# An example's time says more about the machine's other work than about the code.
settings.register_profile("rankgate", deadline=None)
settings.load_profile("rankgate")

#: What pytest, rich, Python and rankgate itself read: colours, widths, encodings, and the CI server that they run on.
BENDING: Final = {
    *("NO_COLOR", "FORCE_COLOR", "PY_COLORS", "COLUMNS", "LINES", "TERM", "PYTHONIOENCODING", "PYTHONUTF8"),
    "PYTHONDONTWRITEBYTECODE",  # without compiled modules, each of a thousand processes would compile them again
    *("CI", "BUILD_NUMBER", "TF_BUILD", "JENKINS_URL", "PYTEST_ADDOPTS"),
}
PREFIXES: Final = ("GITHUB_", "RUNNER_", "CI_", "COV_CORE")

for _name in list(os.environ):
    if _name in BENDING or _name.startswith(PREFIXES) or _name.lower().endswith("_proxy"):
        del os.environ[_name]


def pytest_collection_finish() -> None:
    """Nothing of what was collected is ever garbage: a pytest within a test would go through all of it five times."""
    gc.freeze()
