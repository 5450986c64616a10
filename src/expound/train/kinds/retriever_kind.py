"""The retriever: one encoder for questions and texts, whose vectors are near where the text answers."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from expound.errors import UserError
from expound.models.row_encoder import TokenRow
from expound.train.bases import identity_of, load_base
from expound.train.data.group_files import Group, read_groups
from expound.train.description import Loss, TrainingFiles, hash_of
from expound.train.in_batch_loss import in_batch_loss
from expound.train.kinds.ranker_kind import draw_texts
from expound.train.onnx_export import Outputs, export_model
from expound.train.rank_figures import figures_of, right_ranks
from expound.train.team import Team
from expound.train.token_rows import Encoder, forget_and_run_again, run_in_chunks
from expound.train.training_settings import RetrieverSettings

EXPORTED = "embedder.onnx"
_CHECKED = 100  # texts that are compared with the exported file: done in seconds
# Above so many texts the gradient is cached: passages of 128 tokens through MiniLM take some 2 GB until then.
_KEPT_TEXTS = 128


@dataclass(frozen=True)
class RetrieverKind:
    """A model of unit vectors, learnt from groups with the other groups of the batch as wrong ones."""

    groups: Sequence[Group]
    dev: Sequence[Group]
    base: Path
    settings: RetrieverSettings = field(default_factory=RetrieverSettings)

    name = "retriever"
    head = ""
    best_by = "mrr"

    def identity(self) -> str:
        """A hash of data, base and choices."""
        return hash_of(self.groups, self.dev, [self.settings, identity_of(self.base)])

    def counts(self) -> dict[str, int]:
        """Questions to learn from and to measure on, and the texts among which those are looked for."""
        return {"train": len(self.groups), "dev": len(self.dev), "dev_texts": len(distinct_texts(self.dev))}

    def new_model(self) -> Any:
        """The base as it is."""
        return load_base(self.base, "")

    def draw(self, rng: random.Random) -> list[Group]:
        """Every group once, with all of its right texts, the drawn one first, and a few of its wrong ones."""
        drawn = [draw_texts(group, self.settings.negatives, rng) for group in self.groups]
        return [
            # All right texts are needed to know which texts of the batch are no mistakes.
            Group(few.question, tuple(dict.fromkeys((*few.positives, *group.positives))), few.negatives, few.origin)
            for few, group in zip(drawn, self.groups, strict=True)
        ]

    def length(self, item: Group) -> float:
        """Characters of its right text."""
        return len(item.positives[0])

    def loss(self, model: Any, batch: Sequence[Group]) -> Loss:
        """Each question's right text against all texts of the batch."""
        return self.loss_together(model, batch, None)

    def loss_together(self, model: Any, batch: Sequence[Group], team: Team | None) -> Loss:
        """The same over the vectors of a whole team, each process of which encodes its share of the texts."""
        texts = [group.positives[0] for group in batch] + [text for group in batch for text in group.negatives]
        vectors = self._embed_by(team, model, [*(group.question for group in batch), *texts])
        asked = vectors[: len(batch)] / self.settings.temperature
        return Loss(in_batch_loss(asked, vectors[len(batch) :], also_right(batch, texts)), len(vectors))

    def measure(self, model: Any) -> dict[str, float]:
        """How early a question's right texts come among all texts of the dev files."""
        import torch

        texts = distinct_texts(self.dev)
        asked = [group for group in self.dev if group.positives]
        if not asked:
            return {}
        model.eval()
        with torch.inference_mode():
            cosines = self.embed(model, [g.question for g in asked]) @ self.embed(model, texts).T
        place = {text: number for number, text in enumerate(texts)}
        right = [sorted({place[text] for text in group.positives}) for group in asked]
        # Chance stands beside them: on a small dev file a right text comes first now and then by luck.
        ranks = [ranks_in(row, places) for row, places in zip(cosines.tolist(), right, strict=True)]
        return figures_of(ranks, by_chance=[len(places) / len(texts) for places in right])

    def export(self, model: Any, out: Path, figures: Mapping[str, float]) -> dict[str, Any]:
        """The model to go on from, and `embedder.onnx`, which can take MiniLM's place, beside its tokenizer."""
        check = [self._row(text) for text in distinct_texts(self.dev or self.groups)[:_CHECKED]]
        written = export_model(model, out / EXPORTED, HIDDEN_STATES, encoder=self._encoder, check=check)
        return {**self.counts(), **figures, **written}

    def embed(self, model: Any, texts: Sequence[str]) -> Any:
        """One unit vector a text: the mean of its tokens, as the product's embedder has it."""
        import torch

        def run(rows: Sequence[TokenRow]) -> Any:
            return self._vectors(model, rows)

        # Measuring keeps no gradient, however many texts there are.
        is_too_much = torch.is_grad_enabled() and len(texts) > _KEPT_TEXTS
        return run_in_chunks([self._row(text) for text in texts], forget_and_run_again(run) if is_too_much else run)

    def _embed_by(self, team: Team | None, model: Any, texts: Sequence[str]) -> Any:
        if team is None:
            return self.embed(model, texts)
        places = team.share(range(len(texts)))
        return team.gather(self.embed(model, [texts[place] for place in places]), places, len(texts))

    def _vectors(self, model: Any, rows: Sequence[TokenRow]) -> Any:
        from torch.nn import functional

        inputs = self._encoder.inputs(model, rows)
        mask = inputs["attention_mask"][..., None]
        hidden = model(**inputs).last_hidden_state
        return functional.normalize((hidden * mask).sum(1) / mask.sum(1), dim=1)

    def _row(self, text: str) -> TokenRow:
        return self._encoder.single(text, most_tokens=self.settings.most_tokens)

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(self.base)


def describe_retriever(files: TrainingFiles, base: Path, settings: RetrieverSettings) -> RetrieverKind:
    """A retriever of files of groups; a group without a right text has nothing to be near to."""
    groups, dev = ([group for group in read_groups(paths) if group.positives] for paths in (files.train, files.dev))
    if len(groups) < 2:
        raise UserError("a retriever needs groups with a right text to learn from, at least two: --train FILE")
    return RetrieverKind(groups, dev, base, settings)


def also_right(batch: Sequence[Group], texts: Sequence[str]) -> list[list[int]]:
    """For each question the places of texts, other than its own, that answer it as well."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        places[text].append(place)
    return [
        [place for text in dict.fromkeys(group.positives) for place in places[text] if place != own]
        for own, group in enumerate(batch)
    ]


def ranks_in(scores: Sequence[float], places: Sequence[int]) -> list[int]:
    """The ranks of the texts at these places among all."""
    right = set(places)
    # Right ones first, as `right_ranks` expects them.
    rest = [score for place, score in enumerate(scores) if place not in right]
    return right_ranks(len(places), [*(scores[place] for place in places), *rest])


def distinct_texts(groups: Sequence[Group]) -> list[str]:
    """Every text of the groups once, in their order."""
    return list(dict.fromkeys(text for group in groups for text in group.texts))


def mean_vector(hidden: Any) -> Any:
    """The unit vector of one unpadded row of hidden states."""
    import numpy as np

    pooled = hidden.mean(axis=1)
    return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)


# What the product pools itself. A number of a unit vector of 384 is about .05; int8 weights move it by under .01.
HIDDEN_STATES = Outputs(
    ("last_hidden_state",),
    lambda result: result.last_hidden_state,
    has_tokens=True,
    tolerance=0.03,
    look=mean_vector,
    unit="vector",
)
