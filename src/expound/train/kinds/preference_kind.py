"""The learned preference: of two answers the one that people prefer gets the higher score (Xu et al. 2023, 4.1.2)."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from shutil import copyfile
from statistics import fmean
from typing import Any

from expound.files import write_whole
from expound.models.preference_model import ENCODER, Head, PreferenceModel, preference_rows
from expound.models.row_encoder import TokenRow
from expound.train.bases import CONFIG, identity_of, load_base
from expound.train.description import Loss, hash_of
from expound.train.kinds.retriever_kind import HIDDEN_STATES
from expound.train.onnx_export import export_model
from expound.train.token_rows import Encoder, run_in_chunks
from expound.train.training_settings import PreferenceSettings

CARD = "card.md"
_CHECKED = 40  # pairs that are compared with the exported file: done in seconds


@dataclass(frozen=True)
class PreferencePair:
    """Two answers to a question, the better one first, and what is known about it."""

    question: str
    better: str
    worse: str
    evidence: str = ""
    source: str = ""


@dataclass(frozen=True)
class PreferenceKind:
    """An encoder and a line of weights over two vectors, learnt from pairs."""

    pairs: Sequence[PreferencePair]
    dev: Sequence[PreferencePair]
    base: Path
    settings: PreferenceSettings = field(default_factory=PreferenceSettings)

    name = "preference"
    head = "score"
    best_by = "accuracy"

    def identity(self) -> str:
        """A hash of data, base and choices."""
        return hash_of(self.pairs, self.dev, [self.settings, identity_of(self.base)])

    def counts(self) -> dict[str, int]:
        """Pairs to learn from and to measure on."""
        return {"train": len(self.pairs), "dev": len(self.dev)}

    def new_model(self) -> Any:
        """The base under a new line of weights."""
        return join_two(load_base(self.base, ""))

    def draw(self, rng: random.Random) -> list[PreferencePair]:
        """As many pairs of each source, drawn anew: a large file must not decide alone what is liked."""
        by_source = defaultdict[str, list[PreferencePair]](list)
        for pair in self.pairs:
            by_source[pair.source].append(pair)
        # Anew in every pass, so that in the end all of a large file was seen.
        most = self.settings.most_of_a_source
        return [pair for some in by_source.values() for pair in rng.sample(some, min(most, len(some)))]

    def length(self, item: PreferencePair) -> float:
        """Characters of both answers."""
        return len(item.better) + len(item.worse)

    def loss(self, model: Any, batch: Sequence[PreferencePair]) -> Loss:
        """Minus the log of the probability that the better one is preferred."""
        from torch.nn import functional

        better, worse = self._both(model, batch)
        # `softplus` and not the log of a sigmoid, which is minus infinity where the gap is large and wrong.
        return Loss(functional.softplus(worse - better).mean(), len(batch))

    def measure(self, model: Any) -> dict[str, float]:
        """How often the better answer has the higher score; of sources by themselves as well."""
        import torch

        if not self.dev:
            return {}
        model.eval()
        with torch.inference_mode():
            better, worse = self._both(model, self.dev)
        # Half for equal scores, as `expound meta` counts them: a model that says nothing gets what a coin gets.
        points = [1.0 if gap > 0 else 0.5 if gap == 0 else 0.0 for gap in (better - worse).tolist()]
        return {"accuracy": fmean(points)}

    def export(self, model: Any, out: Path, figures: Mapping[str, float]) -> dict[str, Any]:
        """The encoder to go on from, `encoder.onnx` and its head, and a card."""
        checked = (self.dev or self.pairs)[:_CHECKED]
        check = [row for pair in checked for row in self._rows(pair, pair.better)]
        written = export_model(model.encoder, out / ENCODER, HIDDEN_STATES, encoder=self._encoder, check=check)
        copyfile(out / "model" / CONFIG, out / CONFIG)
        self._head_of(model).write(out)
        known = {
            **self.counts(),
            **figures,
            **written,
            # By the product's own code over the written files: the head is no part of what `export_model` compares.
            "largest_score_difference": self._measure_moved(model, out, checked),
        }
        with write_whole(out / CARD) as file:
            file.write(card_of(self, known))
        return known

    def _head_of(self, model: Any) -> Head:
        weights = tuple(model.score.weight[0].tolist())
        settings = self.settings
        return Head(weights, model.score.bias.tolist()[0], settings.most_tokens, settings.sees_evidence)

    def _measure_moved(self, model: Any, out: Path, pairs: Sequence[PreferencePair]) -> float:
        """How far the score of an answer is from the file's."""
        import torch

        with torch.inference_mode():
            better, _ = self._both(model, pairs)
        product = PreferenceModel(out)
        ours: list[float] = better.tolist()
        theirs = (product.score(pair.question, pair.better, pair.evidence) for pair in pairs)
        return max(abs(one - other) for one, other in zip(ours, theirs, strict=True))

    def _both(self, model: Any, pairs: Sequence[PreferencePair]) -> tuple[Any, Any]:
        """The scores of the better answers, and of the worse ones."""
        # All in one run: rows of like length share a batch, whichever side they are of.
        texts = [(pair, pair.better) for pair in pairs] + [(pair, pair.worse) for pair in pairs]
        rows = [row for pair, text in texts for row in self._rows(pair, text)]
        vectors = run_in_chunks(rows, lambda some: self._vectors(model, some))
        scores = model.score(vectors.reshape(len(texts), -1))[:, 0]
        return scores[: len(pairs)], scores[len(pairs) :]

    def _vectors(self, model: Any, rows: Sequence[TokenRow]) -> Any:
        inputs = self._encoder.inputs(model.encoder, rows)
        mask = inputs["attention_mask"][..., None]
        return (model.encoder(**inputs).last_hidden_state * mask).sum(1) / mask.sum(1)

    def _rows(self, pair: PreferencePair, answer: str) -> tuple[TokenRow, TokenRow]:
        evidence = pair.evidence if self.settings.sees_evidence else ""
        return preference_rows(self._encoder, pair.question, answer, evidence, most_tokens=self.settings.most_tokens)

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(self.base)


def join_two(encoder: Any) -> Any:
    """An encoder, and a line of weights over two of its vectors side by side."""
    import torch

    class Joined(torch.nn.Module):  # type: ignore[misc]  # mypy does not look into torch
        def __init__(self) -> None:
            super().__init__()
            self.encoder = encoder
            self.score = torch.nn.Linear(2 * encoder.config.hidden_size, 1)

    return Joined()


def card_of(kind: PreferenceKind, figures: Mapping[str, Any]) -> str:
    """What the folder holds, of what it was made, and how good it is."""
    sources = defaultdict[str, int](int)
    for pair in kind.pairs:
        sources[pair.source] += 1
    rows = [f"| pairs of {name} | {count} |" for name, count in sources.items()]
    rows += [f"| {name.replace('_', ' ')} | {value} |" for name, value in figures.items()]
    seen = "with" if kind.settings.sees_evidence else "without"
    about = f"Trained from {kind.base.name} {seen} evidence, {kind.settings.most_tokens} tokens a text."
    use = "Use it as the metric `Preference(folder='FOLDER')` of `expound score` and `expound meta`."
    return "\n".join(["# A learned preference", "", about, use, "", "| | |", "| --- | --- |", *rows, ""])
