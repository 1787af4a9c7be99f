"""rankgate tells whether a ranking change made search worse.

The command line is the main way in; ``rankgate.app`` holds the same steps as functions.
"""

__version__ = "0.1.0"

__all__ = ["__version__"]
