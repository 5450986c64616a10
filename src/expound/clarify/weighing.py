"""Which of the answers are shown: the best one, and others that are readings of the question in their own right."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from expound.clarify.answer_signs import signs_of_all
from expound.clarify.groups import same_answer
from expound.clarify.mentions import Mention
from expound.clarify.settings import Choosing
from expound.clarify.sides import (
    asks_for_a_list,
    asks_for_the_most,
    is_acted_on,
    is_beaten,
    is_of_another_number,
    is_runner_up,
    is_where_it_lies,
    names_the_doer,
)
from expound.clarify.statements import says_literally, says_of_another
from expound.clarify.weights import weigh
from expound.text.answer_types import DATE, AnswerType, expected_type
from expound.text.normal import normalize_answer
from expound.text.words import content_stems

COMPARED = 8
"""Answers that are looked at as further readings: nothing right was behind them in training."""

# Of 64 names that BM25's best passages give AmbigNQ's training questions word by word, 28 were right to the letter
# (recipes/LOG.md, "Readings in the question's own words").
_LITERAL = 0.45
# Odds of twenty to one: beyond that the words are there, and the sentence is about something else.
_FAR_BEHIND = 3.0
_OF_ANOTHER = "its sentence says the same of something else"
_A_NUMBER = "a number or a date, which was not asked for"
_UNSURE = "it and the best one are too unsure together"
_ONE_HOLDER = "the question is for what has most, and the best answer has it"
_A_LIST = "the question is for several things at once, and none of them is a reading"
_SAME_PLACE = "one of it and the best one lies in the other"
_ANOTHER_NUMBER = "its sentence has another number than the question"
_SAYS_LESS = "its sentence leaves out a word of the question that the best one has"


@dataclass(frozen=True, slots=True)
class WeighedAnswer:
    """An answer with its mentions, the likeliest first, what its signs weigh, and its chance among all answers."""

    mentions: tuple[Mention, ...]
    weight: float
    chance: float
    signs: Mapping[str, float]

    @property
    def answer(self) -> str:
        """The answer as its likeliest mention has it."""
        return self.mentions[0].answer

    @property
    def best(self) -> Mention:
        """The likeliest mention."""
        return self.mentions[0]


@dataclass(frozen=True, slots=True)
class JudgedReading:
    """An answer with how likely it is a reading, and why it is left out if it is."""

    option: WeighedAnswer
    confidence: float
    left_out: str = ""
    is_sure: bool = True
    """Whether it is likely enough, with the best answer, whatever tells the two apart."""


def options_of(question: str, mentions: Sequence[Mention], formed: Sequence[str] = ()) -> list[WeighedAnswer]:
    """The answers of the evidence, best first; their chances and that of none add up to 1.

    `formed` are the answers that rules of form found: one sign more.
    """
    kind = expected_type(question)
    # Where nobody stands on the right side of the verb, the sides say nothing.
    mentions = [one for one in mentions if not is_acted_on(question, one.sentence.text, one.answer)] or mentions
    mentions = [one for one in mentions if not is_beaten(question, one.sentence.text, one.answer)] or mentions
    mentions = [one for one in mentions if not names_the_doer(question, one.answer)] or mentions
    mentions = [one for one in mentions if not is_runner_up(question, one.sentence.text)] or mentions
    signs = signs_of_all(question, kind, mentions, formed)
    by_key: dict[str, list[Mention]] = {}
    for mention in mentions:
        by_key.setdefault(mention.key, []).append(mention)
    weights = {key: weigh("answer", {**found, "always": 1.0}) for key, found in signs.items()}
    # One for "none of them", whose weight is 0: where nothing weighs anything, no answer is likely.
    total = 1.0 + sum(map(math.exp, weights.values()))
    options = [
        WeighedAnswer(tuple(sorted(group, key=_likeliest)), weights[key], math.exp(weights[key]) / total, signs[key])
        for key, group in by_key.items()
    ]
    return sorted(options, key=lambda option: -option.chance)


def judge_answers(
    question: str, options: Sequence[WeighedAnswer], *, choosing: Choosing, most: int
) -> list[JudgedReading]:
    """The best answer and those behind it, best first; a further one is left out unless both are sure enough."""
    if not options:
        return []
    literal = [option for option in options[: 2 * COMPARED] if _is_literal(question, option)]
    options = _literal_first(question, options, literal)
    first = options[0]
    judged = [JudgedReading(first, _sigmoid(weigh("first", first_signs(options))))]
    if first in literal:
        judged = [replace(judged[0], confidence=max(judged[0].confidence, _LITERAL))]
    for option in options[1 : COMPARED + 1]:
        confidence = _sigmoid(weigh("reading", further_signs(question, option, first)))
        if option in literal:
            confidence = max(confidence, _LITERAL)
        # Only those: an answer that was left out must not take another form of itself along.
        shown = [one.option.answer for one in judged if not one.left_out]
        # As for answers by form: a sentence on the red kettle is no reading of a question for the blue one. Of those
        # left out so, one in five was right in training, of the others one in three.
        says_less = option.best.said < first.best.said
        why = _why_left_out(option, confidence, shown, least=choosing.least, most=most)
        # Shown together they are only as right as both of them are.
        both = confidence * judged[0].confidence
        why = why or _UNSURE * (both < choosing.least_both) or _why_of_another(question, option, first)
        why = why or _A_NUMBER * _is_wrong_number(question, option.answer)
        is_of_another = first in literal and option not in literal and _is_of_another(question, option)
        why = why or _SAYS_LESS * says_less or _OF_ANOTHER * is_of_another
        judged.append(JudgedReading(option, confidence, why, is_sure=both >= choosing.least_untimed))
    return judged


def _why_of_another(question: str, option: WeighedAnswer, first: WeighedAnswer) -> str:
    """The reason why an answer is none of its own, or one to another question; nothing if it may be a reading."""
    if asks_for_the_most(question):
        return _ONE_HOLDER
    if asks_for_a_list(question):
        return _A_LIST
    if expected_type(question) == "place" and _is_same_place(option, first):
        return _SAME_PLACE
    said = f"{option.best.passage.title} {option.best.sentence.text}"
    return _ANOTHER_NUMBER * is_of_another_number(question, said)


def _is_same_place(option: WeighedAnswer, first: WeighedAnswer) -> bool:
    texts = {one.sentence.text for one in (*option.mentions, *first.mentions)}
    return any(is_where_it_lies(option.answer, first.answer, text) for text in texts)


def _is_wrong_number(question: str, answer: str) -> bool:
    """Whether an answer is a bare number or date where something else is asked for."""
    is_number = not any(letter.isalpha() for letter in answer) or DATE.fullmatch(answer) is not None
    return is_number and expected_type(question) in ("person", "place", "name")


def _is_literal(question: str, option: WeighedAnswer) -> bool:
    """Whether some sentence gives the answer in the question's own words."""
    return option.signs["of the kind"] > 0 and any(
        says_literally(question, one.sentence.text, one.answer, one.passage.title) for one in option.mentions
    )


def _is_of_another(question: str, option: WeighedAnswer) -> bool:
    """Whether the answer's best sentence says the question's verb of it, but not what was asked."""
    return says_of_another(question, option.best.sentence.text, option.answer)


def _literal_first(
    question: str, options: Sequence[WeighedAnswer], literal: Sequence[WeighedAnswer]
) -> list[WeighedAnswer]:
    """The answers; one that speaks of something else, or leaves words out, gives way to one in the question's words."""
    first = options[0]
    near = [option for option in literal if option.weight > first.weight - _FAR_BEHIND]
    is_less = bool(near) and (first.best.said < near[0].best.said or _is_of_another(question, first))
    if first in literal or not is_less:
        return list(options)
    return [*near, *(option for option in options if option not in near)]


def _why_left_out(option: WeighedAnswer, confidence: float, shown: Sequence[str], *, least: float, most: int) -> str:
    """The reason why an answer is no reading beside those that are shown; nothing if it is one."""
    if same := next((answer for answer in shown if same_answer(option.answer, answer)), ""):
        return f"the same answer as “{same}”"
    if len(shown) >= most:
        return f"{most} are shown already"
    return "" if confidence >= least else f"below {least:g}"


def first_signs(options: Sequence[WeighedAnswer]) -> dict[str, float]:
    """What tells whether the best answer is right, as numbers by name."""
    first = options[0]
    # Another form of the same answer is no rival to it.
    second = next((other.chance for other in options[1:] if not same_answer(other.answer, first.answer)), 0.0)
    return {
        "chance, as a logit": _logit(first.chance),
        "ahead of the next": _logit(first.chance) - _logit(second),
        "read": first.signs["read"],
        "ranked": first.signs["ranked"],
        "always": 1.0,
    }


def further_signs(question: str, option: WeighedAnswer, first: WeighedAnswer) -> dict[str, float]:
    """What tells whether an answer is a reading beside the best one, as numbers by name."""
    mine, other = option.best, first.best
    kind: AnswerType = expected_type(question)
    title, its = normalize_answer(mine.passage.title), normalize_answer(other.passage.title)
    return {
        "weight": option.weight,
        "behind the best": option.weight - first.weight,
        "read": option.signs["read"],
        "read, as a chance": option.signs["read, as a chance"],
        "read less than the best": option.signs["read"] - first.signs["read"],
        "ranked": option.signs["ranked"],
        "ranked and read": option.signs["ranked and read"],
        "ranked less than the best": option.signs["ranked"] - first.signs["ranked"],
        "of the kind": option.signs["of the kind"],
        "found by form": option.signs["found by form"],
        "best found by form": first.signs["found by form"],
        "question's words said": option.signs["question's words said"],
        "says less of the question": option.signs["question's words said"] - first.signs["question's words said"],
        "same sentence": float(mine.sentence.text == other.sentence.text),
        "same page": float(title == its),
        # Two pages of one name, such as two films, are two things that a question may mean.
        "page of the same name": float(title != its and _name(mine.passage.title) == _name(other.passage.title)),
        "sentences alike": _alike(mine.sentence.text, other.sentence.text),
        # As good as a threshold for each kind of question.
        f"{kind} asked for": 1.0,
        "always": 1.0,
    }


def _likeliest(mention: Mention) -> tuple[float, int]:
    """Ties go to the earlier passage."""
    return -(mention.above_none + 4 * mention.sentence.confidence), mention.rank


def _name(title: str) -> str:
    """A title without what tells it from others of the name."""
    return normalize_answer(title.partition(" (")[0].partition(",")[0])


def _alike(one: str, other: str) -> float:
    first, second = set(content_stems(one)), set(content_stems(other))
    return len(first & second) / max(1, len(first | second))


def _logit(chance: float) -> float:
    # Kept from 0 and 1, which have no logit.
    chance = min(max(chance, 1e-4), 1 - 1e-4)
    return math.log(chance / (1 - chance))


def _sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))
