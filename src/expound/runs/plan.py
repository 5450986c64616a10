"""The plan of an experiment, as `experiment.toml` writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from expound.corpus.kept_models import embedder_file
from expound.errors import BadInput, nearest
from expound.files import sha256_of
from expound.protocols import Dataset
from expound.records import read_toml
from expound.score.profile import usual_profile

_LISTS = ("corpus", "score")
ON_ERROR = ("stop", "skip", "stand-in")
"""What a run does when the system fails on a question: end, go on without an answer, or take the extractive one."""

# What may differ between two runs whose answers are the same.
_NOT_OF_THE_ANSWERS = ("name", "score", "on_error")


@dataclass(frozen=True)
class Plan:
    """Which questions, through which parts, scored how."""

    name: str
    dataset: str
    corpus: tuple[str, ...] = ()
    retrieve: str = "Hybrid"
    clarify: str = "EvidenceOnly"
    answer: str = "Composed"
    model: str = "auto"
    reader: str = "none"
    embedder: str = ""
    """A file of `expound train retriever`, or the folder it is in, in MiniLM's place."""
    temperature: float = 0.0
    top_p: float = 1.0
    style: str = "asqa"
    words: int = 0
    score: tuple[str, ...] = ()
    seed: int = 0
    limit: int = 0
    on_error: str = "stop"

    @property
    def profiles(self) -> tuple[str, ...]:
        """The profiles to score by; without any, that of the dataset's own paper."""
        return self.score or (usual_profile(self.dataset),)

    def spec(self, dataset: Dataset) -> dict[str, Any]:
        """What the answers depend on: a run with another spec is another run.

        How it is scored is not part of it, nor what happens on errors: a run that stopped at one may go on without.
        """
        answering = {name: value for name, value in asdict(self).items() if name not in _NOT_OF_THE_ANSWERS}
        # Runs of before there was a choice go on. A file that was trained again has other vectors.
        named = answering.pop("embedder")
        answering |= {"embedder": named, "embedder_sha256": sha256_of(embedder_file(named))} if named else {}
        path = getattr(dataset, "path", None)
        # The content and not only the path: questions that were changed are other questions.
        return answering | {"corpus": list(self.corpus)} | ({"dataset_sha256": sha256_of(path)} if path else {})


def read_plan(path: Path, **changes: Any) -> Plan:
    """The plan in a TOML file, with the options that the command line changes."""
    # The command line last: it changes what the file says.
    return plan_from({"name": path.stem, **read_toml(path), **changes}, where=str(path))


def plan_from(content: Mapping[str, Any], *, where: str) -> Plan:
    """The plan that a mapping describes; unknown keys and wrong types are named."""
    known = {item.name: item for item in fields(Plan)}
    for key, value in content.items():
        if key not in known:
            raise BadInput(f"{where}: no setting named {key!r}; {nearest(key, known)}")
        if not _fits(key, value):
            raise BadInput(f"{where}: {key} must be {_kind(key)}, found {value!r:.40}")
    if "dataset" not in content:
        raise BadInput(f'{where}: which dataset? Write dataset = "LAYOUT:PATH"')
    lists = {key: _list_values(content[key]) for key in _LISTS if key in content}
    # Lists become tuples, since a plan is compared and hashed.
    return Plan(**{**content, **lists})


def _fits(key: str, value: object) -> bool:
    if key in _LISTS:
        return all(isinstance(item, str) for item in _list_values(value))
    if key in ("temperature", "top_p"):
        return (
            isinstance(value, int | float)
            and not isinstance(value, bool)  # True is an int to Python
            and 0 <= value <= (2 if key == "temperature" else 1)
        )
    if key in ("words", "seed", "limit"):
        # 0 words would be no answer; 0 as seed or limit means something.
        return isinstance(value, int) and not isinstance(value, bool) and value >= (1 if key == "words" else 0)
    return isinstance(value, str) and (key != "on_error" or value in ON_ERROR)


def _kind(key: str) -> str:
    if key in _LISTS:
        return "a text or a list of texts"
    if key in ("temperature", "top_p"):
        return f"a number from 0 to {2 if key == 'temperature' else 1}"
    if key == "on_error":
        return f"one of {', '.join(ON_ERROR)}"
    return "a whole number" if key in ("words", "seed", "limit") else "a text"


def _list_values(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)
