"""Language inference: a cross-encoder that reads premise and hypothesis together, and has a logit for each class."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from shutil import copyfile
from statistics import fmean
from typing import Any

from expound.errors import UserError
from expound.files import write_whole
from expound.models.nli_model import ENTAILMENT, LABELS, NLI_FILE, nli_row
from expound.models.row_encoder import TokenRow
from expound.train.bases import CONFIG, identity_of, load_base
from expound.train.data.nli_files import NOT_ENTAILED, NliPair, read_nli
from expound.train.description import Loss, TrainingFiles, hash_of
from expound.train.onnx_export import Outputs, export_model
from expound.train.token_rows import Encoder, run_in_chunks
from expound.train.training_settings import NliSettings

CARD = "card.md"
# As wide as the ranker's, whose head is of the same kind.
THREE_LOGITS = Outputs(("logits",), lambda result: result.logits, has_tokens=False, tolerance=0.5)
_CHECKED = 200  # pairs that are compared with the exported file: done in seconds


@dataclass(frozen=True)
class NliKind:
    """A model with three logits a pair, learnt from pairs of two or three classes."""

    pairs: Sequence[NliPair]
    dev: Sequence[NliPair]
    base: Path
    settings: NliSettings = field(default_factory=NliSettings)

    name = "nli"
    head = "classifier"
    best_by = "accuracy"

    def identity(self) -> str:
        """A hash of data, base and choices."""
        return hash_of(self.pairs, self.dev, [self.settings, identity_of(self.base)])

    def counts(self) -> dict[str, int]:
        """Pairs to learn from and to measure on."""
        return {"train": len(self.pairs), "dev": len(self.dev)}

    def new_model(self) -> Any:
        """The base with a head of a logit for each class, which knows their names."""
        names = dict(enumerate(LABELS))
        numbers = {name: number for number, name in names.items()}
        # The names go into the config, by which `labels_of` finds the logit of entailment.
        return load_base(self.base, "SequenceClassification", num_labels=len(names), id2label=names, label2id=numbers)

    def draw(self, rng: random.Random) -> list[NliPair]:
        """Every pair once."""
        return list(self.pairs)

    def length(self, item: NliPair) -> float:
        """Characters of both texts."""
        return len(item.premise) + len(item.hypothesis)

    def loss(self, model: Any, batch: Sequence[NliPair]) -> Loss:
        """Minus the log of the probability of what people say."""
        return Loss(label_loss(self._logits(model, batch), [pair.label for pair in batch]), len(batch))

    def measure(self, model: Any) -> dict[str, float]:
        """Share of pairs with the right class, and of those told apart in entailed and not."""
        import torch

        if not self.dev:
            return {}
        model.eval()
        with torch.inference_mode():
            logits = self._logits(model, self.dev)
        return nli_figures(self.dev, torch.softmax(logits, 1).tolist())

    def export(self, model: Any, out: Path, figures: Mapping[str, float]) -> dict[str, Any]:
        """The model to go on from, `nli.onnx` beside its tokenizer and the names of its classes, and a card."""
        check = [self._row(pair) for pair in (self.dev or self.pairs)[:_CHECKED]]
        written = export_model(model, out / NLI_FILE, THREE_LOGITS, encoder=self._encoder, check=check)
        copyfile(out / "model" / CONFIG, out / CONFIG)
        known = {**self.counts(), **figures, **written}
        with write_whole(out / CARD) as file:
            file.write(nli_card(self.base.name, known))
        return known

    def _logits(self, model: Any, pairs: Sequence[NliPair]) -> Any:
        rows = [self._row(pair) for pair in pairs]
        return run_in_chunks(rows, lambda some: model(**self._encoder.inputs(model, some)).logits)

    def _row(self, pair: NliPair) -> TokenRow:
        return nli_row(self._encoder, pair.premise, pair.hypothesis, most_tokens=self.settings.most_tokens)

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(self.base)


def describe_nli(files: TrainingFiles, base: Path, settings: NliSettings) -> NliKind:
    """A model of inference of files of pairs."""
    pairs, dev = read_nli(files.train), read_nli(files.dev)
    # Without any the model would learn to say "not entailed" to everything.
    if not any(pair.label == ENTAILMENT for pair in pairs):
        raise UserError("a model of inference needs pairs to learn from, some of them entailed: --train FILE")
    return NliKind(pairs, dev, base, settings)


def label_loss(logits: Any, labels: Sequence[str]) -> Any:
    """Cross-entropy; where only `not_entailment` is known, the other classes' probabilities are added up."""
    import torch
    from torch.nn import functional

    log_probabilities = functional.log_softmax(logits, 1)
    is_known = torch.tensor([[_fits(label, name) for name in LABELS] for label in labels])
    # Added up as logarithms: a probability that underflows to 0 would have no gradient.
    return -torch.logsumexp(log_probabilities.masked_fill(~is_known, float("-inf")), 1).mean()


def nli_figures(pairs: Sequence[NliPair], probabilities: Sequence[Sequence[float]]) -> dict[str, float]:
    """Share of pairs with the right class, where two are known in two; and share rightly told entailed or not. 0 to 1.

    >>> nli_figures([NliPair("", "", "neutral")], [[0.1, 0.2, 0.7]])
    {'accuracy': 0.0, 'two_way_accuracy': 1.0}
    """
    entailed = [row[0] == max(row) for row in probabilities]
    in_two = [said == (pair.label == ENTAILMENT) for said, pair in zip(entailed, pairs, strict=True)]
    return {"accuracy": fmean(are_right(pairs, probabilities)), "two_way_accuracy": fmean(in_two)}


def are_right(pairs: Sequence[NliPair], probabilities: Sequence[Sequence[float]]) -> list[bool]:
    """Whether the likeliest class of each pair is what people say, or may be."""
    best = (LABELS[max(range(len(row)), key=row.__getitem__)] for row in probabilities)
    return [_fits(pair.label, name) for pair, name in zip(pairs, best, strict=True)]


def nli_card(base: str, figures: Mapping[str, Any]) -> str:
    """What the folder holds, of what it was made, and how good it is."""
    rows = [f"| {name.replace('_', ' ')} | {value} |" for name, value in figures.items()]
    about = f"Trained from {base}; the classes are {', '.join(LABELS)}."
    use = "Use it as the metric `Nli(folder='FOLDER')` of `expound score`, and as the judge `nli(folder='FOLDER')`."
    return "\n".join(["# Language inference", "", about, use, "", "| | |", "| --- | --- |", *rows, ""])


def _fits(label: str, name: str) -> bool:
    """Whether a class is what people say, or may be."""
    return label == name or (label == NOT_ENTAILED and name != ENTAILMENT)
