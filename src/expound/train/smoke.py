"""A made-up town and a model of two tiny random layers: show in seconds that training works."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

from expound.files import write_whole
from expound.train.data.answer_lists import AnswerList
from expound.train.data.answer_spans import find_answers
from expound.train.data.group_files import Group, write_groups
from expound.train.data.nli_files import NliPair, write_nli
from expound.train.data.rewrite_files import RewrittenPair, write_rewritten
from expound.train.data.squad_layout import SpanExample, write_squad
from expound.train.data.tag_files import TaggedText, write_tagged
from expound.train.description import Item, TrainingFiles
from expound.train.training_settings import TrainingSettings
from expound.types import Passage

STEPS = 30  # a few seconds on one core, after which the made-up town is known by heart
RATE = 3e-3
"""Thirty times the usual one: random layers have everything to learn."""

_PEOPLE = ("mira", "olan", "petra", "quin", "rasa", "tove")
_THINGS = ("tower", "market", "bridge", "harbour", "wall", "mill")
_OTHERS = "who built burnt the by was stands in town near is old and of which . ?"
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def smoke_files(kind: str, folder: Path) -> TrainingFiles:
    """Write what a kind of model learns of the town."""
    files = TrainingFiles((folder / "train.json",), (folder / "dev.json",))
    if kind == "reader":
        _write_parts(files, list(iter_span_examples()), write_squad, together=2)
    elif kind == "tagger":
        _write_parts(files, list(iter_tagged()), write_tagged)
    elif kind == "rewriter":
        _write_parts(files, list(iter_rewritten()), write_rewritten)
    elif kind == "nli":
        _write_parts(files, list(iter_nli()), write_nli, together=3)
    else:
        _write_parts(files, list(iter_groups()), write_groups)
    return files


def iter_span_examples() -> Iterator[SpanExample]:
    """Who built what, and who burnt it, which nobody says."""
    for thing, person in product(_THINGS, _PEOPLE):
        context = f"the {thing} stands in the old town . the {thing} was built by {person} ."
        yield SpanExample(
            question=f"who built the {thing} ?", context=context, answers=find_answers(context, [person]), title="town"
        )
        yield SpanExample(question=f"who burnt the {thing} ?", context=context, answers=(), title="town")


def iter_groups() -> Iterator[Group]:
    """Who built whose thing; that it stands somewhere, and where the builder is, answers nothing."""
    for thing, (person, builder) in product(_THINGS, pairwise((*_PEOPLE, _PEOPLE[0]))):
        right = f"the {thing} of {person} was built by {builder} ."
        # Each shares a name with the right one, so that nothing is learnt by looking for a name alone.
        wrong = (f"the {thing} of {person} stands in the old town .", f"{builder} is in the old town .")
        yield Group(f"who built the {thing} of {person} ?", (right,), wrong, "town")


def iter_answer_lists() -> Iterator[AnswerList]:
    """Which two built whose thing, with the sentence that says so."""
    for thing, (person, builder) in product(_THINGS, pairwise((*_PEOPLE, _PEOPLE[0]))):
        said = f"the {thing} of {person} was built by {builder} and {person} ."
        yield AnswerList(f"who built the {thing} of {person} ?", (builder, person), (Passage("1", said),))


def iter_tagged() -> Iterator[TaggedText]:
    """Who is named, by one word or by two."""
    for thing, (person, other) in product(_THINGS, pairwise((*_PEOPLE, _PEOPLE[0]))):
        start, question = ("the", thing, "was", "built", "by"), f"who built the {thing} ?"
        yield TaggedText((*start, person, "."), (*("O",) * 5, "B-PERSON", "O"), question)
        yield TaggedText((*start, person, other, "."), (*("O",) * 5, "B-PERSON", "I-PERSON", "O"), question)


def iter_rewritten() -> Iterator[RewrittenPair]:
    """Whose thing it was that somebody built, which people add."""
    for thing, (person, builder) in product(_THINGS, pairwise((*_PEOPLE, _PEOPLE[0]))):
        yield RewrittenPair(
            question=f"who built the {thing} ?",
            rewritten=f"who built the {thing} of {person} ?",
            answer=builder,
            title="town",
            sentence=f"the old {thing} of {person} was built by {builder} .",
        )


def iter_nli() -> Iterator[NliPair]:
    """Who built what; that another did is wrong, and that it burnt nobody knows."""
    for thing, (person, other) in product(_THINGS, pairwise((*_PEOPLE, _PEOPLE[0]))):
        premise = f"the {thing} was built by {person} ."
        yield NliPair(premise, f"{person} built the {thing} .", "entailment")
        yield NliPair(premise, f"{person} burnt the {thing} .", "neutral")
        yield NliPair(premise, f"{other} built the {thing} .", "contradiction")


def smoke_questions(folder: Path) -> str:
    """Write questions with long answers and the documents that hold them; their spec."""
    file = folder / "train.jsonl"
    with write_whole(file) as out:
        for thing, (person, builder) in product(_THINGS, pairwise((*_PEOPLE, _PEOPLE[0]))):
            said = f"The {thing} of {person} was built by {builder}."
            others = (f"The {thing} stands in the old town.", f"The town of {person} is old.")
            # Not always the same place: the first sentence would be learnt, and not the one that answers.
            document = " ".join((*others, said, f"{builder} is in town.", "The town burnt."))
            record = {
                "question": f"who built the {thing} of {person} ?",
                "references": [said],
                "evidence": [{"id": "1", "text": document}],
            }
            out.write(json.dumps(record) + "\n")
    return f"qa:{file}"


def smoke_judgments(folder: Path) -> tuple[str, str]:
    """Write judgments of people who like to be told who it was, to learn from and to measure on; their specs."""
    groups = list(iter_groups())
    parts = {"train.jsonl": [g for n, g in enumerate(groups) if n % 3], "dev.jsonl": groups[::3]}
    for name, some in parts.items():
        with write_whole(folder / name) as out:
            for number, group in enumerate(some):
                record = {
                    "id": f"{number}",
                    "question": group.question,
                    "Concise_Reference": group.positives[0],
                    "student_answer_a": group.positives[0],
                    "model_answer_a": group.negatives[number % 2],
                    "student_answer_a_vs_model_answer_a": "student_answer_a",
                }
                out.write(json.dumps(record) + "\n")
    train, dev = (f"lfqa-e:{folder / name}" for name in parts)
    return train, dev


def shorten(settings: TrainingSettings) -> TrainingSettings:
    """A few seconds' steps, and often enough measured and logged that such a run keeps something."""
    steps = min(settings.steps, STEPS)
    return replace(settings, steps=steps, learning_rate=RATE, measure_every=10, log_every=5)


def write_tiny_base(folder: Path) -> Path:
    """Save an untrained BERT and its tokenizer; the same weights each time."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel

    words = (*_SPECIAL, *_OTHERS.split(), *_PEOPLE, *_THINGS)
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    marks = [(mark, vocabulary[mark]) for mark in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=marks
    )
    _save_tokenizer(tokenizer, folder)
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    BertModel(
        # Wide random weights: with the usual small ones thirty steps would learn nothing.
        BertConfig(vocab_size=len(words), max_position_embeddings=384, initializer_range=0.2, **sizes)
    ).save_pretrained(str(folder))
    return folder


def _save_tokenizer(tokenizer: object, folder: Path) -> None:
    from transformers import PreTrainedTokenizerFast

    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token"), _SPECIAL, strict=True))
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(str(folder))


def _write_parts(
    files: TrainingFiles, items: Sequence[Item], write: Callable[[Path, list[Item]], None], *, together: int = 1
) -> None:
    """Every third item to measure on, the others to learn from; so many neighbours go to the same file."""
    # Neighbours together: a question and its unanswerable twin must not be parted.
    write(files.dev[0], [item for place, item in enumerate(items) if not place // together % 3])
    write(files.train[0], [item for place, item in enumerate(items) if place // together % 3])
