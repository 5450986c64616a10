"""Read the questions of the dataset files, those to train on and those that must never be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from expound.records import read_json, read_lines
from expound.train.data.label_texts import clean_question


@dataclass(frozen=True)
class DataFiles:
    """Where the dataset files are, gzipped or not."""

    passages: Path
    """JSON Lines of `id`, `title`, `text`, `source`: the candidates."""
    ambignq_train: Path
    asqa_train: Path
    nq_open_train: Path
    nq_gold_paragraphs: Path
    """JSON Lines of `question`, `answers`, `gold_title`, `gold_text`."""
    squad: Path
    asqa_dev: Path
    ambignq_dev: tuple[Path, ...]
    clapnq: tuple[Path, ...]


@dataclass(frozen=True)
class Factoid:
    """A question with every short answer that counts as right."""

    question: str
    answers: tuple[str, ...]
    origin: str
    long_answer: str = ""


def iter_factoids(files: DataFiles) -> Iterator[Factoid]:
    """The training questions. ASQA first: a question found in several files keeps its richest annotation."""
    yield from iter_asqa(files.asqa_train)
    yield from iter_ambignq(files.ambignq_train)
    yield from iter_nq_open(files.nq_open_train)


def iter_asqa(path: Path) -> Iterator[Factoid]:
    """ASQA: the short answers of all question pairs, and the human long answer."""
    for record in read_json(path):
        answers = tuple(a for pair in record["qa_pairs"] for a in pair["short_answers"])
        long_answer = " ".join(note["long_answer"] for note in record["annotations"])
        yield Factoid(clean_question(record["ambiguous_question"]), answers, "asqa", long_answer)


def iter_ambignq(path: Path) -> Iterator[Factoid]:
    """AmbigNQ: every answer of every annotation."""
    for record in read_json(path):
        answers: list[str] = []
        for note in record["annotations"]:
            answers += note.get("answer", [])
            answers += [a for pair in note.get("qaPairs", []) for a in pair["answer"]]
        yield Factoid(clean_question(record["question"]), tuple(answers), "ambignq")


def iter_nq_open(path: Path) -> Iterator[Factoid]:
    """NQ-open: one question and its answers a line."""
    for record in iter_jsonl(path):
        yield Factoid(clean_question(record["question"]), tuple(record["answer"]), "nq_open")


def evaluation_questions(files: DataFiles) -> Iterator[str]:
    """Every question that must not be trained on, disambiguated ones included."""
    for record in read_json(files.asqa_dev)["dev"].values():
        yield record["ambiguous_question"]
        # The readings' questions as well: their answers are what is measured.
        yield from (pair["question"] for pair in record["qa_pairs"])
    for record in chain.from_iterable(map(read_json, files.ambignq_dev)):
        yield record["question"]
        yield from (pair["question"] for note in record["annotations"] for pair in note.get("qaPairs", []))
    for record in chain.from_iterable(map(iter_jsonl, files.clapnq)):
        yield record["input"]


def iter_jsonl(path: Path) -> Iterator[dict[str, Any]]:
    """Read a file of one JSON object a line."""
    return (record for _, record in read_lines(path))
