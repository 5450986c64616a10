"""The ranker: a cross-encoder that reads question and text together and says how well the text answers."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from expound.errors import UserError
from expound.models.ranker import QUESTION_TOKENS
from expound.models.row_encoder import TokenRow
from expound.train.bases import identity_of, load_base
from expound.train.data.group_files import Group, read_groups
from expound.train.description import Loss, TrainingFiles, hash_of
from expound.train.onnx_export import Outputs, export_model
from expound.train.rank_figures import rank_figures
from expound.train.token_rows import Encoder, run_in_chunks
from expound.train.training_settings import RankerSettings

EXPORTED = "ranker.onnx"
# The shipped file moves by .23 at most on 240 pairs, where the logits have a standard deviation of 2.9.
ONE_LOGIT = Outputs(("logits",), lambda result: result.logits[:, 0], has_tokens=False, tolerance=0.5)
# So many groups are compared with the exported file: a few hundred pairs, done in seconds.
_CHECKED_GROUPS = 8
_CHECKED_TEXTS = 30  # of each: groups of hundreds would let one question fill the check


@dataclass(frozen=True)
class RankerKind:
    """A model with one logit a pair, learnt from groups."""

    groups: Sequence[Group]
    dev: Sequence[Group]
    base: Path
    settings: RankerSettings = field(default_factory=RankerSettings)
    name: str = "ranker"
    also_called: Mapping[str, str] = field(default_factory=dict)
    """Figures that have a second name, by that name."""

    head = "classifier"
    best_by = "map"

    def identity(self) -> str:
        """A hash of data, base and choices."""
        return hash_of(self.groups, self.dev, [self.settings, identity_of(self.base)])

    def counts(self) -> dict[str, int]:
        """Groups to learn from and to measure on."""
        return {"train": len(self.groups), "dev": len(self.dev)}

    def new_model(self) -> Any:
        """The base with a head of one logit."""
        return load_base(self.base, "SequenceClassification", num_labels=1)

    def draw(self, rng: random.Random) -> list[Group]:
        """Every group once, with one of its right texts and a few of its wrong ones."""
        return [draw_texts(group, self.settings.negatives, rng) for group in self.groups]

    def length(self, item: Group) -> float:
        """Mean characters of its wrong texts, of which a group has the most."""
        # A group without wrong texts has only its right one.
        texts = item.negatives or item.positives
        return sum(map(len, texts)) / len(texts)

    def loss(self, model: Any, batch: Sequence[Group]) -> Loss:
        """Right against wrong in each group, and each pair by itself."""
        rows = [self.row(group.question, text) for group in batch for text in group.texts]
        scores = self._logits(model, rows)
        # The second part of the loss is a mean of pairs, of which groups have nearly as many.
        return Loss(group_loss(scores, batch, self.settings.confidence_weight), len(rows), counted=len(batch))

    def measure(self, model: Any) -> dict[str, float]:
        """How early right texts come in the order of all texts of a group."""
        return rank_figures(self.dev, [self.score(model, group.question, group.texts) for group in self.dev])

    def export(self, model: Any, out: Path, figures: Mapping[str, float]) -> dict[str, Any]:
        """The model to go on from, and `ranker.onnx` beside its tokenizer."""
        checked = (self.dev or self.groups)[:_CHECKED_GROUPS]
        check = [self.row(group.question, text) for group in checked for text in group.texts[:_CHECKED_TEXTS]]
        written = export_model(model, out / EXPORTED, ONE_LOGIT, encoder=self.encoder, check=check)
        known = {**self.counts(), **figures}
        again = {name: known[figure] for name, figure in self.also_called.items() if figure in known}
        return {**known, **again, **written}

    def score(self, model: Any, question: str, texts: Sequence[str]) -> list[float]:
        """The logits of the texts, without training."""
        import torch

        model.eval()
        with torch.inference_mode():
            logits: list[float] = self._logits(model, [self.row(question, text) for text in texts]).tolist()
        return logits

    def row(self, question: str, text: str) -> TokenRow:
        """Question and text as the model reads them; a longer question would leave no room for the text."""
        return self.encoder.pair(question, text, most_tokens=self.settings.most_tokens, most_first=QUESTION_TOKENS)

    def _logits(self, model: Any, rows: Sequence[TokenRow]) -> Any:
        return run_in_chunks(rows, lambda some: model(**self.encoder.inputs(model, some)).logits[:, 0])

    @cached_property
    def encoder(self) -> Encoder:
        """The base's tokenizer."""
        return Encoder(self.base)


def describe_ranker(files: TrainingFiles, base: Path, settings: RankerSettings) -> RankerKind:
    """A ranker of files of groups."""
    groups, dev = read_groups(files.train), read_groups(files.dev)
    if not any(group.positives for group in groups):
        raise UserError("a ranker needs groups with a right text to learn from: --train FILE")
    return RankerKind(groups=groups, dev=dev, base=base, settings=settings)


def draw_texts(group: Group, negatives: int, rng: random.Random) -> Group:
    """The group with one of its right texts and some of its wrong ones."""
    positives = (rng.choice(group.positives),) if group.positives else ()
    wrong = rng.sample(group.negatives, min(negatives, len(group.negatives)))
    return Group(group.question, positives, tuple(wrong), group.origin)


def group_loss(scores: Any, batch: Sequence[Group], confidence_weight: float) -> Any:
    """Softmax of the right text against its group, plus cross-entropy of each pair."""
    import torch
    from torch.nn import functional

    sizes = [len(group.texts) for group in batch]
    labels = torch.tensor([float(place < len(group.positives)) for group in batch for place in range(len(group.texts))])
    # Beside the ranking, which knows no zero: a threshold needs logits that mean the same for every question.
    confidence = functional.binary_cross_entropy_with_logits(scores, labels)
    parts = zip(torch.split(scores, sizes), batch, strict=True)
    # The right text stands first, and there is one, as `draw_texts` has it.
    ranking = [-functional.log_softmax(part, 0)[0] for part, group in parts if group.positives]
    # A batch may hold nothing but questions without an answer: no ranking, but something to be unsure of.
    return torch.stack(ranking).mean() + confidence_weight * confidence if ranking else confidence_weight * confidence
