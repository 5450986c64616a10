"""The writer: questions, perhaps with documents, to long answers, by a causal model or by one that reads first."""

from __future__ import annotations

import math
import random
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from expound.errors import UserError
from expound.models.model_folder import load_tokenizer, peft_library
from expound.models.model_inputs import INPUTS
from expound.models.torch_writer import TorchWriter, load_writer
from expound.models.word_guesses import guess_words
from expound.models.writer_card import SHAPES, WriterCard
from expound.models.writer_inputs import FEWEST_TOKENS, cut_tokens, writer_source
from expound.train.adapter_gguf import ADAPTER_FILE, can_export, write_adapter
from expound.train.bases import CONFIG, identity_of
from expound.train.data.writer_files import WriterRow, read_writer_rows
from expound.train.data.writer_tasks import CLOSED, OPEN, WriterParts, check_tasks, marker_of, pose, usual_task
from expound.train.description import Loss, TrainingFiles, hash_of
from expound.train.training_settings import WriterSettings

LOSSES = ("answer", "all")
# Tokens of an English word, generously: names and numbers take several.
_TOKENS_A_WORD = 1.6
_NO_LOSS = -100  # what torch's cross-entropy leaves out
# What some models do to their logits after the last layer; their own code has to do it.
_CHANGED_LOGITS = ("final_logit_softcapping", "logit_scale", "logits_scaling")


@dataclass(frozen=True)
class WriterItem:
    """Tokens that are read, and tokens that are to be written after them."""

    read: tuple[int, ...]
    written: tuple[int, ...]


@dataclass(frozen=True)
class WriterKind:
    """A writer of the transformers library, or an adapter to one, learnt from rows."""

    rows: Sequence[WriterRow]
    dev: Sequence[WriterRow]
    base: Path
    settings: WriterSettings = field(default_factory=WriterSettings)

    name = "writer"
    head = ""
    best_by = "word_log_likelihood"

    def identity(self) -> str:
        """A hash of data, base and choices."""
        return hash_of(self.rows, self.dev, [self.settings, identity_of(self.base)])

    def counts(self) -> dict[str, int]:
        """Rows to learn from and to measure on, and the tasks that each is learnt by."""
        return {"train": len(self.rows), "dev": len(self.dev), "tasks": len(self.tasks)}

    def new_model(self) -> Any:
        """The base, or the base with an adapter that changes nothing yet."""
        import torch

        # The loop has set how many cores are used; loading must not set it anew.
        model = load_writer(self.base, self.settings.shape, threads=torch.get_num_threads())
        # The keys and values of earlier tokens are for writing; in training they would only take memory.
        model.config.use_cache = False
        most = getattr(model.config, "max_position_embeddings", None)
        if most is not None and most < self.settings.most_tokens:
            raise UserError(f"{self.base} reads {most} tokens at most; train with fewer: --most-tokens {most}")
        # Here only the last layer's states are held against the vocabulary, and nothing is done to them after it.
        if any(getattr(model.config, name, None) not in (None, 1.0) for name in _CHANGED_LOGITS):
            raise UserError(f"{self.base} changes its logits in a way of its own; take another base")
        return self._adapted(model) if self.settings.lora else model

    def draw(self, rng: random.Random) -> list[WriterItem]:
        """Every row once by every task."""
        return [self._item(row, task, rng) for row in self.rows for task in self.tasks]

    def length(self, item: WriterItem) -> float:
        """Tokens."""
        return len(item.read) + len(item.written)

    def loss(self, model: Any, batch: Sequence[WriterItem]) -> Loss:
        """Cross-entropy of a token, over the answers' tokens or over all of them."""
        loss = self._causal_loss if self.settings.shape == "causal" else self._seq2seq_loss
        return Loss(loss(model, batch), len(batch), counted=sum(map(self._count, batch)))

    def measure(self, model: Any) -> dict[str, float]:
        """Mean log-likelihood of a word of the dev answers, and the perplexity that it is."""
        if not self.dev:
            return {}
        writer = TorchWriter(model, self._writer.tokenizer, self.card)
        words = [
            p for row in self.dev for p in guess_words(writer, self.source(row), self._answer(row)).log_probabilities
        ]
        mean = math.fsum(words) / len(words)
        return {"word_log_likelihood": mean, "word_perplexity": math.exp(-mean)}

    def export(self, model: Any, out: Path, figures: Mapping[str, float]) -> dict[str, Any]:
        """The folder `model`, for `TrainedWriter` and as the next base; an adapter also as a GGUF file."""
        folder = out / "model"
        model.config.use_cache = True
        model.save_pretrained(str(folder))
        self._writer.tokenizer.save_pretrained(str(folder))
        self.card.write(folder)
        weights = sum(weight.numel() for weight in model.parameters() if weight.requires_grad)
        written: dict[str, Any] = {"weights": weights}
        if self.settings.lora:
            # An empty form that peft leaves for its hub.
            (folder / "README.md").unlink(missing_ok=True)
            # Who opens the folder looks here for what the model is.
            shutil.copyfile(self.base / CONFIG, folder / CONFIG)
            if can_export(model.config):
                write_adapter(folder, out / ADAPTER_FILE)
                written["adapter_bytes"] = (out / ADAPTER_FILE).stat().st_size
        return {**self.counts(), **figures, **written}

    @property
    def tasks(self) -> tuple[str, ...]:
        """What a row is learnt by."""
        return self.settings.tasks or (usual_task(self.settings.k),)

    @property
    def card(self) -> WriterCard:
        """How the writer is asked, which its folder remembers."""
        settings = self.settings
        return WriterCard(
            shape=settings.shape,
            input=settings.input,
            # Of several tasks the first is what the writer is for.
            k=settings.k if self.tasks[0] == OPEN else 0,
            most_tokens=settings.most_tokens,
            answer_tokens=round(settings.answer_words * _TOKENS_A_WORD),
            marker=marker_of(self.tasks[0], self.tasks),
        )

    def source(self, row: WriterRow) -> str:
        """What is read of a row by the first task."""
        return writer_source(self.card, row.question, row.documents, self._writer.token_ends)

    def _item(self, row: WriterRow, task: str, rng: random.Random) -> WriterItem:
        card = replace(self.card, marker=marker_of(task, self.tasks), k=0 if task == CLOSED else self.settings.k)
        if task in (CLOSED, OPEN):
            read = writer_source(card, row.question, row.documents, self._writer.token_ends)
            written = self._answer(row)
        else:
            read, written = pose(task, self._parts(row, card), rng)
        writer = TorchWriter(None, self._writer.tokenizer, card)
        # Some tasks write documents: no more of them than can be read.
        told = writer.answer_ids(written)[: card.most_tokens - 1]
        return WriterItem(tuple(writer.read_ids(read)), (*told, self._writer.tokenizer.eos_token_id))

    def _parts(self, row: WriterRow, card: WriterCard) -> WriterParts:
        documents = " ".join(document.text for document in row.documents[: card.k])
        # As much as the writer reads of them: at least a few words, however long answers may be.
        room = max(card.most_tokens - card.answer_tokens, FEWEST_TOKENS)
        return WriterParts(row.question, cut_tokens(documents, room, self._writer.token_ends), self._answer(row))

    def _answer(self, row: WriterRow) -> str:
        return " ".join(row.answer.split()[: self.settings.answer_words])

    def _causal_loss(self, model: Any, batch: Sequence[WriterItem]) -> Any:
        import torch
        from torch.nn import functional

        rows = [[*item.read, *item.written] for item in batch]
        wanted = [self._wanted(item)[1:] for item in batch]
        ids, mask = _pad(rows, 0), _pad([[1] * len(row) for row in rows], 0)
        labels = torch.tensor([label for row in wanted for label in row])
        states = _states(model, ids, mask)
        # Only tokens with a loss are held against the whole vocabulary, which is what takes the memory.
        places = [(number, place) for number, row in enumerate(wanted) for place, _ in enumerate(row)]
        lines, columns = torch.tensor(places).T
        counted = labels != _NO_LOSS
        logits = _logits(model, states[lines[counted], columns[counted]])
        return functional.cross_entropy(logits, labels[counted])

    def _count(self, item: WriterItem) -> int:
        """Tokens with a loss: the first that is read follows from nothing."""
        return len(item.written) + (len(item.read) - 1 if self.settings.loss == "all" else 0)

    def _wanted(self, item: WriterItem) -> list[int]:
        read = item.read if self.settings.loss == "all" else (_NO_LOSS,) * len(item.read)
        return [*read, *item.written]

    def _seq2seq_loss(self, model: Any, batch: Sequence[WriterItem]) -> Any:
        ids, mask = _pad([item.read for item in batch], 0), _pad([[1] * len(item.read) for item in batch], 0)
        labels = _pad([item.written for item in batch], _NO_LOSS)
        return model(input_ids=ids, attention_mask=mask, labels=labels).loss

    def _adapted(self, model: Any) -> Any:
        peft = peft_library()
        rank = self.settings.lora
        # Every projection, as the measurements of the base were; twice the rank is the usual strength.
        config = peft.LoraConfig(
            r=rank, lora_alpha=2 * rank, lora_dropout=0.0, target_modules="all-linear", bias="none"
        )
        return peft.get_peft_model(model, config)

    @cached_property
    def _writer(self) -> TorchWriter:
        """The tokenizer, asked as the card says; it has no model."""
        return TorchWriter(None, load_tokenizer(self.base), self.card)


def describe_writer(files: TrainingFiles, base: Path, settings: WriterSettings) -> WriterKind:
    """A writer of files of rows."""
    for what, known in (("shape", SHAPES), ("loss", LOSSES), ("input", INPUTS)):
        if (chosen := getattr(settings, what)) not in known:
            raise UserError(f"no {what} {chosen!r} of a writer; there are: {', '.join(known)}")
    if settings.loss == "all" and settings.shape != "causal":
        raise UserError("--loss all is a language model's, which --shape seq2seq is not: it learns what it writes")
    check_tasks(settings.tasks, k=settings.k)
    rows, dev = read_writer_rows(files.train), read_writer_rows(files.dev)
    if not rows:
        raise UserError("a writer needs rows to learn from: --train FILE")
    _check_documents([*rows, *dev], settings.k)
    return WriterKind(swap_answers(rows) if settings.is_shuffled else rows, dev, base, settings)


def swap_answers(rows: Sequence[WriterRow]) -> list[WriterRow]:
    """The rows, each with the answer of the one after it: the same texts to learn, but none where it belongs."""
    others = [*rows[1:], *rows[:1]]
    return [replace(row, answer=other.answer) for row, other in zip(rows, others, strict=True)]


def _check_documents(rows: Sequence[WriterRow], k: int) -> None:
    if k and not any(row.documents for row in rows):
        raise UserError(f"no row has documents, and {k} are to be read: add `documents`, or leave out --k")


def _pad(rows: Sequence[Sequence[int]], filler: int) -> Any:
    import torch

    most = max(map(len, rows))
    return torch.tensor([[*row, *(filler,) * (most - len(row))] for row in rows])


def _states(model: Any, ids: Any, mask: Any) -> Any:
    """The last layer's states of every token."""
    # The adapter's layers stand inside the base; its wrapper is not needed for a step.
    whole = model.get_base_model() if hasattr(model, "get_base_model") else model
    return whole.base_model(input_ids=ids, attention_mask=mask, use_cache=False).last_hidden_state


def _logits(model: Any, states: Any) -> Any:
    whole = model.get_base_model() if hasattr(model, "get_base_model") else model
    return whole.get_output_embeddings()(states)
