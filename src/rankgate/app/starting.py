"""What answers in place of a service: looked for before anything is asked, and missed where the config names it."""

from collections.abc import Iterator

from rankgate.app.project import Project
from rankgate.core.judgments import Place, problem_at
from rankgate.errors import ConfigError
from rankgate.files.gate_file import Config


def refuse_missing(*projects: Project) -> None:
    """Look for the function or the program of each project.

    Raises:
        ConfigError: There is none, or importing it fails; at its line.
    """
    from rankgate.service import adapter, program  # noqa: PLC0415 - for the few who have one

    for project in projects:
        spec = project.config.service
        try:
            if spec.adapter:
                adapter.load(spec.adapter, spec.folder)
            elif spec.command:
                program.find(spec.command[0], spec.folder)
        except ConfigError as error:
            place = _place(project.config)
            raise ConfigError([problem_at(place, each.message) for each in error.problems], hint=error.hint) from error


def _place(config: Config) -> Place:
    """Where the function or the program stands: at the target that was chosen, else at the service."""
    spec = config.service
    key, named = ("adapter", spec.adapter) if spec.adapter else ("command", spec.command[0])
    for loc, written in _written(config, key):
        if named == (written[0] if isinstance(written, list) and written else written):
            return config.place(*loc, key)
    return config.place("service", key)


def _written(config: Config, key: str) -> Iterator[tuple[tuple[str, ...], object]]:
    """Every value of *key* in the file, and where it stands."""
    value = config.source.value
    service = value.get("service") if isinstance(value, dict) else None
    if not isinstance(service, dict):
        return
    yield ("service",), service.get(key)
    targets = service.get("targets")
    for name, target in (targets if isinstance(targets, dict) else {}).items():
        if isinstance(target, dict):
            yield ("service", "targets", name), target.get(key)
