"""Where a finding stands, for a CI server that shows it beside the code: counted from the root of the repository."""

import os
from typing import NamedTuple


class Checkout(NamedTuple):
    """Where the repository lies, and where in it rankgate was started; both absolute, both empty where nobody said.

    Attributes:
        root: The folder that the CI server checked the repository out into.
        folder: The folder that the paths of the config and the golden set are relative to.
    """

    root: str = ""
    folder: str = ""

    def path(self, path: str) -> str:
        """*path* from the root, with slashes; as it is where it leads out of the repository, or nobody said where."""
        if not self.root:
            return path
        try:
            # On the names alone: a report is made of facts, and asks no file system.
            found = os.path.relpath(os.path.normpath(os.path.join(self.folder, path)), self.root)  # noqa: PTH118
        except ValueError:  # on another drive
            return path
        found = found.replace(os.sep, "/")
        return path if f"{found}/".startswith("../") else found
