"""Language inference: does a premise entail a hypothesis? What we trained, or a published classifier, in a folder."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from expound.errors import BadInput, ResourceMissing
from expound.files import sha256_of, user_path
from expound.models.embedder import open_session, usable_cores
from expound.models.model_folder import config_of, open_folder, sha256_of_weights
from expound.models.pair_scorer import PairScorer
from expound.models.row_encoder import RowEncoder, TokenRow
from expound.models.token_limits import NLI_TOKENS

NLI_FILE = "nli.onnx"
ENTAILMENT = "entailment"
LABELS = (ENTAILMENT, "neutral", "contradiction")
"""The classes of what we train, in the order of its logits."""
_BATCH = 8  # as the ranker's: memory grows with it, and little is gained beyond

TextPair: TypeAlias = tuple[str, str]
"""A premise and a hypothesis."""


class PairLogits(Protocol):
    """Whatever has logits for pairs, told apart by the hash of its weights."""

    @property
    def weights(self) -> str: ...
    def logits(self, pairs: Sequence[TextPair]) -> list[list[float]]: ...


class NliModel:
    """The probabilities of a folder's classes for pairs of texts; loaded at the first call."""

    def __init__(self, folder: Path) -> None:
        self._classifier: PairLogits = TrainedPairs(folder) if (folder / NLI_FILE).is_file() else PublishedPairs(folder)
        self.labels = labels_of(folder)

    @property
    def weights(self) -> str:
        """The sha256 of the weights."""
        return self._classifier.weights

    def entailment(self, pairs: Sequence[TextPair]) -> list[float]:
        """How likely each premise entails its hypothesis, 0 to 1."""
        place = self.labels.index(ENTAILMENT)
        return [row[place] for row in self.probabilities(pairs)]

    def probabilities(self, pairs: Sequence[TextPair]) -> list[list[float]]:
        """The probability of every class, in the order of `labels`."""
        return [_softmax(row) for row in self._classifier.logits(pairs)]


class TrainedPairs:
    """What `expound train nli` wrote, on onnxruntime."""

    def __init__(self, folder: Path) -> None:
        for name in ("tokenizer.json", "config.json"):
            if not (folder / name).is_file():
                raise ResourceMissing(f"{folder} is no model of inference: it has no {name}; see expound train nli")
        self._folder = folder

    @cached_property
    def weights(self) -> str:
        """The sha256 of the file."""
        return sha256_of(self._folder / NLI_FILE)

    def logits(self, pairs: Sequence[TextPair]) -> list[list[float]]:
        """A logit for every class of every pair; batches hold pairs of like length, with little padding."""
        rows = [nli_row(self._encoder, *pair, most_tokens=NLI_TOKENS) for pair in pairs]
        order = sorted(range(len(rows)), key=lambda place: len(rows[place].ids))
        found: list[list[float]] = [[] for _ in rows]
        for start in range(0, len(order), _BATCH):
            places = order[start : start + _BATCH]
            values = self._session.run(None, self._encoder.arrays([rows[place] for place in places]))[0].tolist()
            for place, value in zip(places, values, strict=True):
                found[place] = value
        return found

    @cached_property
    def _session(self) -> Any:
        return open_session(self._folder / NLI_FILE, usable_cores())

    @cached_property
    def _encoder(self) -> RowEncoder:
        return RowEncoder(self._folder)


class PublishedPairs:
    """A classifier of the transformers library, as its maker published it."""

    def __init__(self, folder: Path) -> None:
        self._folder = open_folder(str(folder))
        self._scorer = PairScorer(self._folder)

    @property
    def weights(self) -> str:
        """The sha256 of the folder's weights."""
        return sha256_of_weights(self._folder)

    def logits(self, pairs: Sequence[TextPair]) -> list[list[float]]:
        """One by one: published models differ in what they take for padding."""
        return [self._scorer.logits(*pair) for pair in pairs]


def nli_row(encoder: RowEncoder, premise: str, hypothesis: str, *, most_tokens: int) -> TokenRow:
    """Premise and hypothesis between their marks; the premise is cut first, the hypothesis at half of the room."""
    claimed = encoder.encode(hypothesis).ids[: most_tokens // 2]
    room = encoder.room_after(claimed, most_tokens=most_tokens)
    return encoder.join(encoder.encode(premise).ids[:room], claimed, most_tokens=most_tokens)


def labels_of(folder: Path) -> tuple[str, ...]:
    """The names of a folder's classes, in small letters, in the order of its logits: makers order them as they like."""
    names = config_of(folder).get("id2label") or {}
    # JSON has texts for keys, among which "10" comes before "2".
    labels = tuple(str(names[number]).lower() for number in sorted(names, key=int))
    if ENTAILMENT not in labels:
        raise BadInput(
            f"{folder / 'config.json'} names no class `{ENTAILMENT}` in id2label: it is no model of inference"
        )
    return labels


@lru_cache(maxsize=4)
def open_nli(folder: str) -> NliModel:
    """The model of a folder, opened once."""
    path = user_path(folder).absolute()
    if not (path / "config.json").is_file():
        raise ResourceMissing(f"{path} is no model of inference: it has no config.json; see expound train nli")
    return NliModel(path)


def _softmax(logits: Sequence[float]) -> list[float]:
    # The largest is taken away first: a large logit would overflow.
    powers = [math.exp(logit - max(logits)) for logit in logits]
    return [power / sum(powers) for power in powers]
