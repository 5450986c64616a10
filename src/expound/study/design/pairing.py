"""From questions and predictions to items: which answers meet, drawn from a seed and written down."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TypeVar

from expound.datasets.predictions import read_predictions
from expound.datasets.spec import open_dataset
from expound.errors import BadInput, UserError
from expound.study.design.blinding import same_surface
from expound.study.design.form import LETTERS
from expound.study.design.items import Item, ShownPassage, SystemAnswer
from expound.types import Question

REFERENCE, MORE_VOTED, LESS_VOTED = "reference", "human", "human-fewer-upvotes"
"""What a dataset's own answers are called when they are judged."""
PAIRINGS = ("random", "all", "upvotes")
# Enough to check an answer by: dozens of passages on a page would not be read.
_EVIDENCE_SHOWN = 5

T = TypeVar("T")
Answered = Sequence[tuple[Question, Sequence[SystemAnswer]]]


def gather_answers(
    dataset: str, systems: Mapping[str, Path], *, references: bool, pairing: str, limit: int, seed: int
) -> Answered:
    """The questions with every system's answer; all files must answer the same questions of the dataset."""
    questions = {question.id: question for question in open_dataset(dataset)}
    answers = {name: _answers(path, questions, dataset) for name, path in systems.items()}
    _check_equal(answers, systems)
    ids = [id for id in questions if not answers or id in next(iter(answers.values()))]
    if pairing == "upvotes":
        # Before the draw: a question that was drawn and has no pair would leave its place empty.
        ids = [id for id in ids if upvote_pairs(questions[id])]
    # As a set, and then in the order of the file: the draw must not decide what raters see first.
    chosen = set(random.Random(seed).sample(ids, min(limit, len(ids))) if limit else ids)
    found = [(questions[id], _candidates(questions[id], answers, references)) for id in ids if id in chosen]
    if not found:
        what = "whose answers differ in votes" if pairing == "upvotes" else "that the predictions answer"
        raise BadInput(f"{dataset} has no question {what}")
    return found


def make_items(form_makes: str, found: Answered, *, pairing: str, seed: int) -> list[Item]:
    """The items of a form: pairs, single answers, or the questions alone."""
    if form_makes not in _MAKERS:
        raise UserError("this form judges items of your own: give them with --items FILE")
    return list(_MAKERS[form_makes](found, pairing, seed))


def _pairs(found: Answered, pairing: str, seed: int) -> Iterator[Item]:
    draw = random.Random(seed)
    for question, candidates in found:
        pairs = list(pairs_of(candidates, pairing, draw) if pairing != "upvotes" else upvote_pairs(question))
        for number, pair in enumerate(_mix_order(pairs, question, seed), start=1):
            yield _item(question, f"{question.id}-{number}" if len(pairs) > 1 else question.id, pair)


def pairs_of(
    candidates: Sequence[SystemAnswer], pairing: str, draw: random.Random
) -> Iterable[tuple[SystemAnswer, SystemAnswer]]:
    """All pairs, or each answer in one pair with a partner drawn at random; of an odd number one sits out."""
    if len(candidates) < 2:
        raise UserError("this form compares answers: give two or more prediction files, or one with --references")
    if pairing == "all":
        return list(combinations(candidates, 2))
    places = draw.sample(range(len(candidates)), len(candidates))
    # Within a pair the systems keep their order: which one stands on the left is drawn elsewhere.
    pairs = [sorted(places[start : start + 2]) for start in range(0, len(places) - 1, 2)]
    return [(candidates[first], candidates[second]) for first, second in pairs]


def upvote_pairs(question: Question) -> list[tuple[SystemAnswer, SystemAnswer]]:
    """The best and the worst voted of a question's own answers, if their votes differ (H/H of Xu et al. 2023)."""
    scores = question.meta.get("scores", ())
    if len(scores) != len(question.references):
        raise UserError(
            f"question {question.id} has no vote for each answer: --pairs upvotes needs a dataset with votes"
        )
    ranked = sorted(zip(scores, question.references, strict=True), key=lambda pair: -pair[0])
    # Equal votes say nothing of which is the better one.
    if len(ranked) < 2 or ranked[0][0] == ranked[-1][0]:
        return []
    best, worst = same_surface(ranked[0][1]), same_surface(ranked[-1][1])
    return [(SystemAnswer(MORE_VOTED, best), SystemAnswer(LESS_VOTED, worst))]


def _singles(found: Answered, _pairing: str, seed: int) -> Iterator[Item]:
    for question, candidates in found:
        for number, candidate in enumerate(_mix_order(candidates, question, seed), start=1):
            yield _item(question, f"{question.id}-{number}", (candidate,))


def _mix_order(made: Sequence[T], question: Question, seed: int) -> list[T]:
    """In an order of the question's own: in that of the files, the number of an item would name its system."""
    return random.Random(f"{seed} {question.id}").sample(made, len(made))


def _questions(found: Answered, _pairing: str, _seed: int) -> Iterator[Item]:
    for question, _ in found:
        yield _item(question, question.id, ())


def _sets(found: Answered, _pairing: str, seed: int) -> Iterator[Item]:
    """All answers to a question in one item, in an order of its own; raters see it from either end."""
    for question, candidates in found:
        if not 2 <= len(candidates) <= len(LETTERS):
            raise UserError(f"this form ranks 2 to {len(LETTERS)} answers to a question, not {len(candidates)}")
        yield _item(question, question.id, _mix_order(candidates, question, seed))


_MAKERS: Mapping[str, Callable[[Answered, str, int], Iterable[Item]]] = {
    "pairs": _pairs,
    "sets": _sets,
    "answers": _singles,
    "questions": _questions,
}


def _item(question: Question, id: str, candidates: Sequence[SystemAnswer]) -> Item:
    contexts = question.meta.get("contexts", ())
    # One that competes is no reference: a metric would hold it against itself.
    competing = {one.text for one in candidates if one.system in (REFERENCE, MORE_VOTED, LESS_VOTED)}
    return Item(
        id=id,
        question_id=question.id,
        question=question.text,
        domain=str(question.meta.get("domain", question.meta.get("category", ""))),
        candidates=tuple(candidates),
        interpretations=question.interpretations,
        references=tuple(one for one in question.references if same_surface(one) not in competing),
        evidence=tuple(ShownPassage(one.title, one.text) for one in question.evidence[:_EVIDENCE_SHOWN]),
        extra={"contexts": list(contexts)} if contexts else {},
    )


def _candidates(
    question: Question, answers: Mapping[str, Mapping[str, str]], references: bool
) -> tuple[SystemAnswer, ...]:
    written = tuple(SystemAnswer(name, same_surface(texts[question.id])) for name, texts in answers.items())
    if not references:
        return written
    if not question.references:
        raise BadInput(f"question {question.id} has no reference answer to judge")
    return (*written, SystemAnswer(REFERENCE, same_surface(question.references[0])))


def _answers(path: Path, questions: Mapping[str, Question], dataset: str) -> dict[str, str]:
    answers: dict[str, str] = {}
    for prediction in read_predictions(path):
        if prediction.id not in questions:
            raise BadInput(f"{path}: the id {prediction.id!r} is not in {dataset}")
        if prediction.id in answers:
            raise BadInput(f"{path}: the id {prediction.id!r} is there twice")
        # Shown as such: an empty box would look like a fault of the page, and abstaining is to be judged too.
        answers[prediction.id] = prediction.answer.text or "(no answer)"
    return answers


def _check_equal(answers: Mapping[str, Mapping[str, str]], systems: Mapping[str, Path]) -> None:
    """Refuse files that answer different questions: a blind comparison needs every system everywhere."""
    names = list(answers)
    for name in names[1:]:
        # Sorted, so that the same files are always refused for the same id.
        lonely = sorted(set(answers[names[0]]) ^ set(answers[name]))
        if lonely:
            here, there = (names[0], name) if lonely[0] in answers[names[0]] else (name, names[0])
            raise BadInput(
                f"{systems[there]} has no answer to {lonely[0]!r}, which {systems[here]} has "
                f"({len(lonely)} such ids); give files that answer the same questions"
            )
