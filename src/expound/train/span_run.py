"""The whole way of ELI5's extractive reader: questions in, best spans, training, an exported ranker out."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from expound.datasets.leaks import without_leaks
from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.files import sha256_of, written_whole
from expound.library import open_corpora
from expound.protocols import Retriever
from expound.retrieve.single import Lexical
from expound.train.export import export_ranker
from expound.train.groups import Group
from expound.train.leaks import LeakGuard
from expound.train.ranker import Encoder, Settings, score_pool, train
from expound.train.spans import iter_span_groups
from expound.types import Question

Report: TypeAlias = Callable[[str, int, int], None]
EXPORTED, FIGURES, TOKENIZER = "ranker.onnx", "figures.json", "tokenizer.json"
_RETRIEVED = 20
_EACH_HELD_OUT = 20
_CHECKED = 8


@dataclass(frozen=True)
class SpanFiles:
    """What the reader is made of: datasets to learn from and to keep out, corpora to search, the model to start from.

    Of each dataset the first `most` questions are taken. With corpora, a question's own evidence is followed by what is
    found there.
    """

    train: tuple[str, ...]
    keep_out: tuple[str, ...]
    corpora: tuple[str, ...]
    base: Path
    most: int = 2000


def train_on_spans(files: SpanFiles, settings: Settings, out: Path, *, report: Report) -> dict[str, Any]:
    """Train, or go on training, then write the ranker with its tokenizer and its figures; the figures."""
    if not (files.base / TOKENIZER).is_file():
        raise UserError(f"{files.base} is no folder of a model to start from: it has no {TOKENIZER}")
    groups = span_groups(files, seed=settings.seed, report=report)
    held_out, learned = groups[::_EACH_HELD_OUT], [g for n, g in enumerate(groups) if n % _EACH_HELD_OUT]
    if not learned:
        raise UserError("too few questions have both a reference and evidence; name a corpus to search: --corpus NAME")

    def measure(model: Any, encoder: Encoder) -> dict[str, float]:
        return held_out_figures(model, encoder, held_out)

    report("training", 0, settings.steps)
    model, encoder = train(learned, settings, base=files.base, out=out, measure=measure), Encoder(files.base)
    check = [encoder.pair(group.question, text) for group in held_out[:_CHECKED] for text in texts_of(group)]
    parity = export_ranker(model, out / EXPORTED, check=check)
    shutil.copyfile(files.base / TOKENIZER, out / TOKENIZER)
    figures: dict[str, Any] = {"groups": len(learned), "held_out": len(held_out), **measure(model, encoder)}
    figures |= {"largest_logit_difference": parity.largest, "sha256": sha256_of(out / EXPORTED)}
    with written_whole(out / FIGURES) as file:
        json.dump(figures, file, indent=2)
    return figures


def held_out_figures(model: Any, encoder: Encoder, groups: Sequence[Group]) -> dict[str, float]:
    """In how many groups a sentence of the span is put first, and in how many one would be by chance. 0 to 1."""
    first, chance = 0, 0.0
    for group in groups:
        logits = score_pool(model, encoder, group.question, texts_of(group))
        first += int(logits.argmax()) < len(group.positives)
        chance += len(group.positives) / len(texts_of(group))
    return {"span_first": first / len(groups), "by_chance": chance / len(groups)}


def texts_of(group: Group) -> tuple[str, ...]:
    """The sentences of a group, right ones first."""
    return (*group.positives, *group.negatives)


def span_groups(files: SpanFiles, *, seed: int, report: Report) -> list[Group]:
    """The groups of all datasets, without any question of those to keep out."""
    retriever = Lexical(open_corpora(files.corpora)) if files.corpora else None
    evaluation = [list(open_dataset(spec)) for spec in files.keep_out]
    questions: list[Question] = []
    for spec in files.train:
        questions += islice(without_leaks(open_dataset(spec), evaluation), files.most)
    guard = LeakGuard(question.text for part in evaluation for question in part)
    found = with_evidence(_reported(questions, report), retriever)
    return list(iter_span_groups(found, guard, seed=seed))


def with_evidence(questions: Iterable[Question], retriever: Retriever | None) -> Iterator[Question]:
    """The questions, with the passages that a retriever finds after their own."""
    for question in questions:
        found = retriever.retrieve(question.text, k=_RETRIEVED) if retriever else []
        yield replace(question, evidence=(*question.evidence, *(item.passage for item in found)))


def _reported(questions: Sequence[Question], report: Report) -> Iterator[Question]:
    for done, question in enumerate(questions, start=1):
        yield question
        report("finding spans", done, len(questions))
