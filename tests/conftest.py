"""What holds for all tests: an example's time says more about the machine's other work than about the code."""

from hypothesis import settings

settings.register_profile("rankgate", deadline=None)
settings.load_profile("rankgate")
