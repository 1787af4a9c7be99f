"""The service and the golden set of the end-to-end tests."""

from tests.e2e.conftest import accepted, dead_port, inside, search, workspace

__all__ = ["accepted", "dead_port", "inside", "search", "workspace"]
