"""The workspace of the end-to-end tests, for what runs the command in a CI server."""

from tests.e2e.conftest import accepted, dead_port, inside, search, workspace

__all__ = ["accepted", "dead_port", "inside", "search", "workspace"]
