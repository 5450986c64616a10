"""Claims with known support: sentences that people voted on, and long answers before and after facts were altered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from expound.datasets.asqa import Asqa
from expound.datasets.fields import WRONG, fields, identifier, items, reason, text
from expound.errors import BadInput
from expound.recipes.hurdles_answers import ANSWER_SETS, read_documents
from expound.records import read_lines

_BULLET = re.compile(r"(?:^|\n)- \(((?:[^()]|\([^()]*\))*)\) ")


@dataclass(frozen=True, slots=True)
class Claim:
    """Something said in reply to a question, the evidence for it, and whether that supports it."""

    question: str
    evidence: str
    text: str
    is_supported: bool
    asked: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Questions that the claim answers, with their short answers."""


def voted_sentences(labels: Path, documents: Path) -> Iterator[Claim]:
    """Sentences of answers with the documents that people judged them by; a sentence without a majority is left out."""
    given = {answers.answers: answers.compared for answers in ANSWER_SETS}
    texts = read_documents(documents)
    for number, row in read_lines(labels):
        try:
            question = identifier(row["question_id"])
            evidence = "\n".join(texts[given[text(row["system"])]][question])
            for judged in items(row["annotations"]):
                votes = Counter(items(fields(judged)["labels"])).most_common()
                said = text(judged["answer"]).replace("</s>", "").strip()
                # "partially" is one of the labels and counts as not supported where it has the majority: part of a
                # claim is unproven.
                if len(votes) == 1 or votes[0][1] > votes[1][1]:
                    yield Claim(
                        question=question, evidence=evidence, text=said, is_supported=votes[0][0] == "supported"
                    )
        except WRONG as error:
            raise BadInput(f"{labels}, line {number}: no answer with labels by sentence ({reason(error)})") from error


def altered_answers(path: Path, trained_on: Path) -> Iterator[tuple[Claim, Claim]]:
    """Answers with altered facts and their originals, which stand in the context; questions in training are left out.

    Each twice: with its whole context, original included, and with the short answers alone.
    """
    # The span reader learnt from these questions: on them it would look better than it is.
    known = {question.text.casefold().strip() for question in Asqa(trained_on)}
    for number, row in read_lines(path):
        try:
            question, said = text(row["question"]).strip(), text(row["answer"])
            parts = _BULLET.split(text(row["context"]))
        except WRONG as error:
            raise BadInput(f"{path}, line {number}: no question with context and answer ({reason(error)})") from error
        named = list(zip(parts[1::2], parts[2::2], strict=True))
        short = [body.strip() for name, body in named if name.startswith("QA_")]
        originals = [body.strip() for name, body in named if not name.startswith("QA_")]
        if question.casefold() not in known and not row.get("faithful") and short and originals:
            asked = tuple(map(_split_asked, short))
            evidence = "\n".join(short)
            for claim, is_right in ((originals[0], True), (said, False)):
                brief = Claim(question=question, evidence=evidence, text=claim, is_supported=is_right, asked=asked)
                yield replace(brief, evidence=f"{originals[0]}\n{evidence}"), brief


def _split_asked(line: str) -> tuple[str, tuple[str, ...]]:
    """ "Who won? Ann, Ann Lee." as the question and its answers."""
    question, _, answers = line.partition("? ")
    return f"{question}?", tuple(answer.strip(" .") for answer in answers.split(", "))
