"""Train the sentence ranker: a cross-encoder that scores how well a sentence answers a question."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from expound.train.groups import Group
from expound.train.optimizer import new_optimizer
from expound.train.runs import Log, load_checkpoint, save_checkpoint
from expound.train.warm_start import load_shipped

MAX_TOKENS = 96
# A longer question would leave no room for the sentence.
MAX_QUESTION_TOKENS = 46
# Forward passes run on small batches of similar length: less padding, less memory.
CHUNK = 16

Logits = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Settings:
    """Every choice that changes the trained weights."""

    steps: int
    learning_rate: float = 7e-5
    head_learning_rate: float = 1e-3
    warmup_share: float = 0.08
    weight_decay: float = 0.01
    groups_per_step: int = 8
    negatives: int = 5
    confidence_weight: float = 0.5
    seed: int = 13
    threads: int = 2
    max_tokens: int = MAX_TOKENS
    frozen_layers: int = 0
    """Lowest layers that stay as they are: a fifth of the time for two, when training starts from a trained ranker."""
    bfloat16: bool = False
    """Multiply in bfloat16 where the processor can: twice as fast on whole passages. The weights stay float32."""
    checkpoint_every: int = 50
    measure_every: int = 400


@dataclass(frozen=True)
class Pair:
    """Token ids of one (question, sentence) pair and where its second side begins."""

    ids: tuple[int, ...]
    second_side: int


class Encoder:
    """Turns text pairs into token ids, each text tokenised once."""

    def __init__(self, base: Path, *, max_tokens: int = MAX_TOKENS) -> None:
        from transformers import AutoTokenizer

        self._max_tokens = max_tokens
        self._tokenizer = AutoTokenizer.from_pretrained(str(base))
        self._known: dict[str, list[int]] = {}

    def pair(self, question: str, text: str) -> Pair:
        """[CLS] question [SEP] title. sentence [SEP], cut to so many tokens on the second side."""
        first = self._ids(question)[:MAX_QUESTION_TOKENS]
        second = self._ids(text)[: self._max_tokens - 3 - len(first)]
        start, end = self._tokenizer.cls_token_id, self._tokenizer.sep_token_id
        return Pair((start, *first, end, *second, end), len(first) + 2)

    def _ids(self, text: str) -> list[int]:
        if text not in self._known:
            # Untruncated here: the tokenizer file has a limit of 128 and fixed padding baked in.
            self._known[text] = self._tokenizer(
                text, add_special_tokens=False, padding=False, truncation=False, verbose=False
            )["input_ids"]
        return self._known[text]


def train(
    groups: Sequence[Group],
    settings: Settings,
    *,
    base: Path,
    out: Path,
    start: Path | None = None,
    measure: Callable[[Any, Encoder], dict[str, float]] | None = None,
) -> Any:
    """Train from the last checkpoint in `out`, or from the base model, and return the model.

    `start` is a shipped ranker whose weights take the place of the base model's.
    """
    import torch

    torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)
    out.mkdir(parents=True, exist_ok=True)
    model, encoder = new_model(base), Encoder(base, max_tokens=settings.max_tokens)
    if start:
        load_shipped(model, start)
    for layer in model.bert.encoder.layer[: settings.frozen_layers]:
        layer.requires_grad_(False)
    if settings.frozen_layers:
        model.bert.embeddings.requires_grad_(False)
    if settings.bfloat16:
        # The fused attention is several times slower on a processor in this precision.
        model.set_attn_implementation("eager")
    optimizer, schedule = new_optimizer(model, settings, head="classifier")
    first_step = load_checkpoint(out, model, optimizer, schedule)
    log = Log(out / "log.jsonl", asdict(settings))
    for step, batch in enumerate(iter_batches(groups, settings)):
        if step < first_step:
            continue
        log.count(train_step(model, optimizer, schedule, batch, encoder, settings), step=step)
        if (step + 1) % settings.checkpoint_every == 0 or step + 1 == settings.steps:
            save_checkpoint(out, model, optimizer, schedule, step + 1)
        if measure and (step + 1) % settings.measure_every == 0:
            log.write({"step": step + 1, **measure(model, encoder)})
    return model


def score_pool(model: Any, encoder: Encoder, question: str, texts: Sequence[str]) -> Logits:
    """Logits of all candidate sentences of a question."""
    return score_pairs(model, [encoder.pair(question, text) for text in texts])


def score_pairs(model: Any, pairs: Sequence[Pair]) -> Logits:
    """Logits of pairs, without training."""
    import torch

    model.eval()
    with torch.inference_mode():
        return np.asarray(logits(model, pairs).tolist())


# --- model and optimiser --------------------------------------------------------------------------


def new_model(base: Path) -> Any:
    """The base encoder with a fresh one-logit head; word vectors stay frozen and dropout is off."""
    from transformers import BertForSequenceClassification

    # One pass over noisy labels does not overfit, and without dropout it learns faster.
    model = BertForSequenceClassification.from_pretrained(
        str(base), num_labels=1, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0
    )
    model.bert.embeddings.word_embeddings.weight.requires_grad_(False)
    return model


def train_step(
    model: Any, optimizer: Any, schedule: Any, batch: Sequence[Group], encoder: Encoder, settings: Settings
) -> tuple[float, int]:
    """One update; returns the loss and the number of pairs."""
    import torch

    model.train()
    pairs = [encoder.pair(g.question, text) for g in batch for text in (*g.positives, *g.negatives)]
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=settings.bfloat16):
        scores = logits(model, pairs)
    loss = group_loss(scores.float(), batch, settings.confidence_weight)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    schedule.step()
    return loss.item(), len(pairs)


def group_loss(scores: Any, batch: Sequence[Group], confidence_weight: float) -> Any:
    """Softmax of the positive against its group, plus cross-entropy of each pair: the sigmoid is a confidence."""
    import torch
    from torch.nn import functional

    labels = torch.tensor([1.0 if i < len(g.positives) else 0.0 for g in batch for i in range(size(g))])
    confidence = functional.binary_cross_entropy_with_logits(scores, labels)
    parts = torch.split(scores, [size(g) for g in batch])
    ranking = [-functional.log_softmax(part, 0)[0] for part, g in zip(parts, batch, strict=True) if g.positives]
    return torch.stack(ranking).mean() + confidence_weight * confidence if ranking else confidence_weight * confidence


def size(group: Group) -> int:
    """Number of pairs of a group."""
    return len(group.positives) + len(group.negatives)


def logits(model: Any, pairs: Sequence[Pair]) -> Any:
    """Scores of pairs in their order, computed in chunks of similar length."""
    import torch

    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i].ids))
    chunks = [order[i : i + CHUNK] for i in range(0, len(order), CHUNK)]
    scores = torch.cat([model(**padded([pairs[i] for i in chunk])).logits[:, 0] for chunk in chunks])
    return scores[torch.tensor(np.argsort(order))]


def padded(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Model inputs of a few pairs, padded to the longest."""
    import torch

    width = max(len(pair.ids) for pair in pairs)
    ids, mask, sides = (torch.zeros((len(pairs), width), dtype=torch.long) for _ in range(3))
    for row, pair in enumerate(pairs):
        ids[row, : len(pair.ids)] = torch.tensor(pair.ids)
        mask[row, : len(pair.ids)] = 1
        sides[row, pair.second_side : len(pair.ids)] = 1
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": sides}


# --- batches --------------------------------------------------------------------------------------


def iter_batches(groups: Sequence[Group], settings: Settings) -> Iterator[list[Group]]:
    """Batches of groups of similar length, reshuffled with the seed on every pass."""
    rng = random.Random(settings.seed)
    left = settings.steps
    while left > 0:
        batches = one_pass([one_positive(g, settings, rng) for g in groups], settings, rng)
        yield from batches[:left]
        left -= len(batches)


def one_positive(group: Group, settings: Settings, rng: random.Random) -> Group:
    """The group with one of its positives and a few of its negatives."""
    positives = (rng.choice(group.positives),) if group.positives else ()
    negatives = rng.sample(group.negatives, min(settings.negatives, len(group.negatives)))
    return Group(group.question, positives, tuple(negatives), group.origin)


def one_pass(groups: list[Group], settings: Settings, rng: random.Random) -> list[list[Group]]:
    """Shuffle, sort by length inside large windows, cut into batches and shuffle those."""
    rng.shuffle(groups)
    batches = []
    window = 40 * settings.groups_per_step
    for start in range(0, len(groups), window):
        part = sorted(groups[start : start + window], key=lambda g: sum(map(len, g.negatives)) / len(g.negatives))
        batches += [part[i : i + settings.groups_per_step] for i in range(0, len(part), settings.groups_per_step)]
    rng.shuffle(batches)
    return batches
