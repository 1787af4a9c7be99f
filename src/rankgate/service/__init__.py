"""Asking the search service and reading what it answers.

``rankgate.service.client`` is the only door to the network and the only importer of httpx, which takes longer to
import than most commands take to run; so this package does not import it, and ``validate`` never pays for it.
"""

from rankgate.service.check import Fault, check, own_number_of_hits, params_in_url, placeholders
from rankgate.service.failure import AnswerError
from rankgate.service.paths import Path, compile_path
from rankgate.service.redaction import Redactor
from rankgate.service.request import Ask, Templates
from rankgate.service.response import Reader
from rankgate.service.template import TemplateError

__all__ = [
    "AnswerError",
    "Ask",
    "Fault",
    "Path",
    "Reader",
    "Redactor",
    "TemplateError",
    "Templates",
    "check",
    "compile_path",
    "own_number_of_hits",
    "params_in_url",
    "placeholders",
]
