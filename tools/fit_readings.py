"""Fit the tables of `expound.clarify.weights` on AmbigNQ's questions: what each sign of an answer and a phrase counts.

    python tools/fit_readings.py ambignq:TRAIN.json.gz --corpus NAME --limit 500 --out weights.json

A question is searched for in the corpus as `ask` does; a string of its passages is right if it equals one of the gold
answers. Answers compete within their question; whether one is shown is a logistic regression on questions that the
first fit has not seen. Phrases are fitted to the EDIT-F1 that the rewritten question has with the annotators'. Needs
numpy only; about three CPU-seconds a question.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from expound.clarify import weights
from expound.clarify.answer_signs import signs_of_all
from expound.clarify.contrast import said_of
from expound.clarify.evidence_only import EvidenceOnly
from expound.clarify.gold_answers import candidate_for
from expound.clarify.groups import group_candidates, same_answer
from expound.clarify.mentions import Mention, find_mentions
from expound.clarify.phrases import phrases_for, signs_of_phrase
from expound.clarify.settings import CHOOSING
from expound.clarify.weighing import COMPARED, first_signs, further_signs, options_of
from expound.datasets.spec import open_dataset
from expound.protocols import CloseReader
from expound.score.ambigqa import question_agreement
from expound.system import System, open_system
from expound.text.answer_types import expected_type
from expound.text.normal import normalize_answer
from expound.types import Evidence, Question

Signs = Mapping[str, float]
FOLDS = 5
# Enough for the losses to stand still in three digits.
STEPS, RATE = 400, 0.05


@dataclass(frozen=True)
class Found:
    """A question with what its passages offer."""

    question: Question
    evidence: Sequence[Evidence]
    mentions: list[Mention]
    formed: list[str]

    @property
    def gold(self) -> set[str]:
        """Every form of every gold answer."""
        readings = (reading for annotation in self.question.annotations for reading in annotation)
        return {normalize_answer(answer) for reading in readings for answer in reading.answers}

    @property
    def has_several(self) -> bool:
        """Whether some annotator found several answers."""
        return any(len(annotation) > 1 for annotation in self.question.annotations)


def find(question: Question, system: System) -> Found:
    """What `EvidenceOnly` would look at."""
    clarifier = system.clarifier
    assert isinstance(clarifier, EvidenceOnly)
    assert isinstance(clarifier.reader, CloseReader)
    evidence = system.evidence(question)
    scored = clarifier.scorer.score(question.text, evidence)
    formed = [group[0].answer for group in group_candidates(question.text, clarifier.by_form(question.text, evidence))]
    mentions = find_mentions(question.text, evidence[: CHOOSING.passages], scored, clarifier.reader)
    return Found(question, evidence, mentions, formed[: clarifier.most])


def fit_answers(found: Sequence[Found], *, decay: float = 1.0) -> dict[str, float]:
    """Weights under which the right answers of a question outweigh the others, and no answer where none is right."""
    groups = [signs_of_all(f.question.text, expected_type(f.question.text), f.mentions, f.formed) for f in found]
    names = list(next(iter(next(group for group in groups if group).values())))
    rows = [np.array([[signs[name] for name in names] for signs in group.values()]) for group in groups if group]
    right = [np.array([key in f.gold for key in group]) for f, group in zip(found, groups, strict=True) if group]
    stacked = np.vstack(rows)
    middle, spread = stacked.mean(0), stacked.std(0) + 1e-9
    scaled = [(row - middle) / spread for row in rows]
    weight = _descend(lambda w: _competition(w, scaled, right, decay), len(names) + 1)
    plain = weight[:-1] / spread
    return _named([*names, "always"], [*plain, -float(middle @ plain) - weight[-1]])


def _competition(weight: Any, rows: Sequence[Any], right: Sequence[Any], decay: float) -> Any:
    """The gradient of the loss: minus the log of the chance of all right answers of a question together."""
    gradient = 2 * decay * np.append(weight[:-1], 0.0)
    for row, is_right in zip(rows, right, strict=True):
        scores = np.append(row @ weight[:-1], weight[-1])
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        wanted = np.append(is_right, not is_right.any()) * chances
        difference = chances - wanted / wanted.sum()
        gradient[:-1] += row.T @ difference[:-1]
        gradient[-1] += difference[-1]
    return gradient


def fit_chances(signs: Sequence[Signs], right: Sequence[bool], *, decay: float) -> dict[str, float]:
    """A logistic regression: the chance that what has these signs is right."""
    names = sorted({name for one in signs for name in one if name != "always"})
    rows = np.array([[one.get(name, 0.0) for name in names] for one in signs])
    middle, spread = rows.mean(0), rows.std(0)
    spread[spread < 1e-9] = 1.0
    scaled, wanted = (rows - middle) / spread, np.array(right, dtype=float)

    def gradient(weight: Any) -> Any:
        misses = 1 / (1 + np.exp(-(scaled @ weight[:-1] + weight[-1]))) - wanted
        return np.append(scaled.T @ misses + decay * weight[:-1], misses.sum())

    weight = _descend(gradient, len(names) + 1)
    plain = weight[:-1] / spread
    return _named([*names, "always"], [*plain, weight[-1] - float(middle @ plain)])


def _descend(gradient: Any, size: int) -> Any:
    """Adam over all questions at once: the losses are convex, so that the way does not matter."""
    weight, first, second = np.zeros(size), np.zeros(size), np.zeros(size)
    for step in range(1, STEPS + 1):
        slope = gradient(weight)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weight = weight - RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weight


def fit_choice(found: Sequence[Found]) -> dict[str, dict[str, float]]:
    """The tables by which answers are weighed and shown; the second ones see weights of other questions only."""
    first, first_right, further, further_right = [], [], [], []
    for fold in range(FOLDS):
        _use("answer", fit_answers([f for place, f in enumerate(found) if place % FOLDS != fold]))
        for item in found[fold::FOLDS]:
            answers = options_of(item.question.text, item.mentions, item.formed)
            if not answers:
                continue
            first.append(first_signs(answers))
            first_right.append(answers[0].best.key in item.gold)
            for other in answers[1 : COMPARED + 1]:
                if not same_answer(other.answer, answers[0].answer):
                    further.append(further_signs(item.question.text, other, answers[0]))
                    further_right.append(other.best.key in item.gold and item.has_several)
    return {
        "answer": fit_answers(found),
        "first": fit_chances(first, first_right, decay=3.0),
        "reading": fit_chances(further, further_right, decay=10.0),
    }


def fit_phrases(found: Sequence[Found], *, decay: float = 10.0) -> dict[str, float]:
    """A ridge regression of the EDIT-F1 that an addition has, on the signs of the addition."""
    signs, scores = [], []
    for item in found:
        for readings in (annotation for annotation in item.question.annotations if len(annotation) > 1):
            given = [candidate_for(item.question.text, reading, item.evidence) for reading in readings]
            for reading, candidate in zip(readings, given, strict=True):
                others = [other for other in given if other is not candidate and other.sentence.text]
                elsewhere = set().union(*(said_of(other, given) for other in others))
                apart = [other.answer for other in others]
                found_here = phrases_for(item.question.text, candidate, apart_from=apart)
                for phrase in found_here if candidate.sentence.text else []:
                    is_shared = bool(phrase.added & elsewhere)
                    signs.append(signs_of_phrase(item.question.text, phrase, is_shared=is_shared))
                    scores.append(question_agreement(item.question.text, reading.question, phrase.question)[-1])
    names = sorted({name for one in signs for name in one})
    rows = np.array([[one.get(name, 0.0) for name in names] for one in signs])
    square = rows.T @ rows + decay * np.eye(len(names))
    return _named(names, list(np.linalg.solve(square, rows.T @ np.array(scores))))


def _named(names: Sequence[str], values: Sequence[float]) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in zip(names, values, strict=True)}


def _use(table: str, fitted: dict[str, float]) -> None:
    tables: Any = weights.tables()
    tables[table] = fitted


def main() -> None:
    """Fit all tables and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="+", metavar="LAYOUT:PATH")
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--limit", type=int, default=500)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    system = open_system([given.corpus], model="none", clarify="EvidenceOnly()")
    questions = [question for spec in given.datasets for question in list(open_dataset(spec))[: given.limit]]
    found = []
    for number, question in enumerate(questions, start=1):
        found.append(find(question, system))
        print(f"\r{number} of {len(questions)}", end="", flush=True)
    tables = {**fit_choice(found), "phrase": fit_phrases(found)}
    given.out.write_text(json.dumps(tables, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
