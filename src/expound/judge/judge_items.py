"""What is judged: two answers to a question, from files of predictions or from what people judged before."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

from expound.datasets.item_ids import item_of, sides_of, text_id
from expound.datasets.predictions import read_predictions
from expound.datasets.spec import open_dataset, open_preferences
from expound.errors import BadInput, UserError
from expound.score.failures import has_failed
from expound.types import Prediction, Preference, Question

ORDERS = ("ab", "ba")
OTHER = {"a": "b", "b": "a", "tie": "tie", "ab": "ba", "ba": "ab"}


@dataclass(frozen=True)
class JudgeSide:
    """An answer and who wrote it; `model` is the text model that wrote it, where the file says so."""

    system: str
    text: str
    model: str = ""


@dataclass(frozen=True)
class JudgeItem:
    """Two answers to a question (one, where a single answer is rated), and what people said of them by criterion.

    Votes are counts of `a`, `b` and `tie`, where `a` is the first side.
    """

    id: str
    question: Question
    sides: tuple[JudgeSide, ...]
    domain: str = ""
    votes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def preferred(self, criterion: str) -> str | None:
        """What most people prefer by a criterion; nothing for a tie, split votes or no votes."""
        # Not the first of equals, which would be the one that came first in the file.
        ranked = Counter(self.votes.get(criterion, {})).most_common(2)
        is_split = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
        return None if not ranked or is_split or ranked[0][0] == "tie" else ranked[0][0]

    def is_agreed(self, criterion: str) -> bool:
        """Whether two or more people judged it, and all alike."""
        said = {choice: count for choice, count in self.votes.get(criterion, {}).items() if count}
        return len(said) == 1 and "tie" not in said and sum(said.values()) > 1

    def in_order(self, shown: str) -> JudgeItem:
        """The item with its sides as they are shown; `ba` begins with the second."""
        if shown == ORDERS[0]:
            return self
        votes = {name: {OTHER[choice]: count for choice, count in said.items()} for name, said in self.votes.items()}
        return replace(self, sides=tuple(reversed(self.sides)), votes=votes)


def items_of_predictions(systems: Mapping[str, Path], dataset: str = "", limit: int = 0) -> list[JudgeItem]:
    """Every two systems on every question that all of them answer; the dataset adds what it knows of questions."""
    if len(systems) < 2:
        raise UserError("a judge compares answers: give two or more files of predictions, or --people LAYOUT:PATH")
    answers = {name: _read_answers(path) for name, path in systems.items()}
    first, *others = answers.values()
    shared = [id for id in first if all(id in other for other in others)]
    questions = _questions(shared, first, dataset)
    # Where one system failed there is nothing to compare: its empty answer would lose, and the failure pass for
    # quality.
    found = [id for id in shared if id in questions and not any(has_failed(given[id]) for given in answers.values())]
    if not found:
        raise BadInput(f"{', '.join(map(str, systems.values()))}: no question is answered by all of them")
    return [
        _pair(questions[id], (name, answers[name][id]), (other, answers[other][id]))
        for id in found[: limit or None]
        for name, other in combinations(systems, 2)
    ]


def items_of_people(people: Iterable[Preference]) -> list[JudgeItem]:
    """The pairs that people judged, each once, with all their votes."""
    groups: dict[tuple[object, ...], list[Preference]] = defaultdict(list)
    for one in people:
        groups[one.question.id, *sides_of(one)].append(one)
    return [_make_voted(group) for group in groups.values() if group[0].a and group[0].b]


def read_preferences(spec: str) -> list[Preference]:
    """People's choices between two answers, by a spec such as `xu2023:FILE`."""
    found = list(open_preferences(spec))
    if not any(one.a and one.b for one in found):
        raise UserError(f"{spec} has no texts of answers: a judge has nothing to read there")
    return found


def with_votes(items: Sequence[JudgeItem], people: Iterable[Preference]) -> list[JudgeItem]:
    """Items with what people said of the same question and systems; the texts may differ in their layout."""
    said: dict[tuple[object, ...], list[Preference]] = defaultdict(list)
    for one in people:
        # By systems and not by text: a study may show the same answer laid out otherwise.
        said[one.question.id, *sorted((one.a_system, one.b_system))].append(one)
    return [
        replace(item, votes=_votes(item.sides[0].system, said[item.question.id, *sorted(s.system for s in item.sides)]))
        for item in items
    ]


def draw_order(item: JudgeItem, seed: int) -> str:
    """The order in which an item is shown once: drawn by its own id, so that no other item matters."""
    return random.Random(f"{seed} {item.id}").choice(ORDERS)


def words_of(side: JudgeSide) -> int:
    """The length of an answer, in words between spaces."""
    return len(side.text.split())


def _read_answers(path: Path) -> dict[str, Prediction]:
    found: dict[str, Prediction] = {}
    for one in read_predictions(path):
        # Refused, as `score` does: the last of two would be judged, and nobody would hear of the other.
        if one.id in found:
            raise BadInput(f"{path}: two predictions have the id {one.id!r:.40}; keep one of them")
        found[one.id] = one
    return found


def _questions(ids: Sequence[str], first: Mapping[str, Prediction], dataset: str) -> dict[str, Question]:
    if dataset:
        return {question.id: question for question in open_dataset(dataset)}
    unasked = next((id for id in ids if not first[id].question), None)
    if unasked is not None:
        raise UserError(f"the predictions do not say what {unasked!r:.40} asks; name the questions with --dataset")
    return {id: Question(id, first[id].question) for id in ids}


def _pair(question: Question, one: tuple[str, Prediction], other: tuple[str, Prediction]) -> JudgeItem:
    sides = tuple(JudgeSide(name, said.answer.text, str(said.meta.get("model", ""))) for name, said in (one, other))
    # With the systems: two of them may say the same. As a hash, because raters of the same items must not see names.
    parts = (question.id, *(part for side in sides for part in (side.system, side.text)))
    return JudgeItem(id=text_id(*parts), question=question, sides=sides, domain=str(question.meta.get("domain", "")))


def _make_voted(group: Sequence[Preference]) -> JudgeItem:
    first = group[0]
    sides = (JudgeSide(first.a_system or "a", first.a), JudgeSide(first.b_system or "b", first.b))
    turned = [
        one if (one.a, one.a_system) == (first.a, first.a_system) else _turn_pair(one)  # shown the other way round
        for one in group
    ]
    return JudgeItem(
        id=item_of(first),
        question=first.question,
        sides=sides,
        domain=first.domain,
        votes=_votes(first.a_system, turned),
    )


def _turn_pair(one: Preference) -> Preference:
    return replace(
        one, a=one.b, b=one.a, a_system=one.b_system, b_system=one.a_system, choice=OTHER[one.choice]
    )  # fmt: skip


def _votes(first_system: str, said: Iterable[Preference]) -> dict[str, Counter[str]]:
    """Counts by criterion, turned so that `a` is the given system."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for one in said:
        votes[one.criterion][one.choice if one.a_system == first_system else OTHER[one.choice]] += 1
    return dict(votes)


def examples_for(item: JudgeItem, pool: Sequence[JudgeItem], count: int) -> list[JudgeItem]:
    """The first so many of a pool that are of the item's own domain, and of any where it has too few."""
    own = [one for one in pool if one.domain == item.domain]
    return list((own if len(own) >= count else pool)[:count])
