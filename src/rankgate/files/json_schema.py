"""JSON Schemas of the files, from the models that read them, so that an editor and rankgate agree."""

import json
from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel

from rankgate.files.gate_models import ConfigFile
from rankgate.files.golden_models import GoldenFile

MODELS: Final[Mapping[str, type[BaseModel]]] = {"config": ConfigFile, "golden": GoldenFile}


def text(kind: str) -> str:
    """The schema of *kind*, ``config`` or ``golden``, as JSON."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema"} | MODELS[kind].model_json_schema()
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"
