"""Read the questions of the dataset files, those to train on and those that must never be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.errors import BadInput
from expound.train.data.file_shapes import (
    AMBIGNQ,
    ASQA_DEV,
    ASQA_TRAIN,
    CLAPNQ,
    NQ_OPEN,
    iter_shaped,
    misfit,
    read_shaped,
)
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
    for record in read_shaped(path, ASQA_TRAIN, layout="ASQA's training records"):
        answers = tuple(a for pair in record["qa_pairs"] for a in pair["short_answers"])
        long_answer = " ".join(note["long_answer"] for note in record["annotations"])
        yield Factoid(clean_question(record["ambiguous_question"]), answers, "asqa", long_answer)


def iter_ambignq(path: Path) -> Iterator[Factoid]:
    """AmbigNQ: every answer of every annotation."""
    for record in read_shaped(path, AMBIGNQ, layout="AmbigNQ"):
        answers: list[str] = []
        for note in record["annotations"]:
            answers += note.get("answer", [])
            answers += [a for pair in note.get("qaPairs", []) for a in pair.get("answer", [])]
        yield Factoid(clean_question(record["question"]), tuple(answers), "ambignq")


def iter_nq_open(path: Path) -> Iterator[Factoid]:
    """NQ-open: one question and its answers a line."""
    for record in iter_shaped(path, NQ_OPEN):
        yield Factoid(clean_question(record["question"]), tuple(record["answer"]), "nq_open")


def evaluation_questions(files: DataFiles) -> Iterator[str]:
    """Every question that must not be trained on, disambiguated ones included."""
    for record in _asqa_dev(files.asqa_dev):
        yield record["ambiguous_question"]
        # The readings' questions as well: their answers are what is measured.
        yield from (pair["question"] for pair in record["qa_pairs"])
    for record in (record for path in files.ambignq_dev for record in read_shaped(path, AMBIGNQ, layout="AmbigNQ")):
        yield record["question"]
        # Of every annotation: dev questions have several, and a system may be scored by any of them.
        yield from (pair["question"] for note in record["annotations"] for pair in note.get("qaPairs", []))
    for record in (record for path in files.clapnq for record in iter_shaped(path, CLAPNQ)):
        yield record["input"]


def _asqa_dev(path: Path) -> list[dict[str, Any]]:
    # In two steps: the published file has its records by id, and a shape cannot say "under any name".
    records = list(read_shaped(path, {"dev": {}}, layout="ASQA")["dev"].values())
    if wrong := misfit(records, ASQA_DEV):
        raise BadInput(f"{path} is not in the layout of ASQA: {wrong}")
    return records
