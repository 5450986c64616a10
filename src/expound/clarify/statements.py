"""Whether a sentence says in the question's own words what is asked: "Ann directed Dune" for "Who directed Dune?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from expound.text.words import STOP_WORDS, content_stems

_ASKED = re.compile(r"(?:who|(?:which|what)(?! (?:is|was|are|were)\b) \w+|what)\b(.*?)\W*$", re.IGNORECASE)
_TOKEN = re.compile(r"[\w'’-]+|[^\w\s\"“”]")
_POSSESSIVE = re.compile(r"['’]s?$")
# By the question's own tense: what was the capital is not what is the capital.
_BEING = {"is": {"is", "becomes"}, "are": {"are", "become"}, "was": {"was", "became"}, "were": {"were", "became"}}
# "Who did … marry?" asks for whom something is done to.
_AUXILIARY = frozenset("am can could did do does had has have may might must should will would".split())
# What may stand between who does something and the verb: "who had first played", "also plays".
_LIGHT = frozenset("also been both did first had has have later originally then was were who which would".split())
_MOST_LIGHT = 3  # "who had also originally played"; more words than that belong to another clause
_ARTICLES = frozenset(("the", "a", "an"))
_PREPOSITIONS = frozenset("at by during for from in of on since to under with".split())
# Words between "by" and a name: "by the American film director James Whale".
_MOST_BEFORE_NAME = 6
# The letters that forms of a verb share: direct, directed.
_SAME_VERB = 4

_IsVerb = Callable[[str], bool]


def says_literally(question: str, sentence: str, answer: str, title: str = "") -> bool:
    """Whether a sentence says the question with the answer in its place, word by word up to the first preposition.

    What comes behind that may stand elsewhere in the sentence, or in the title of its page.

    >>> says_literally("Who directed Dune?", "Denis Villeneuve directed Dune in 2021.", "Denis Villeneuve")
    True
    >>> says_literally("Who directed King Kong?", "Ishiro Honda directed King Kong vs. Godzilla.", "Ishiro Honda")
    False
    """
    asked, (before, after) = _Asked.of(question), _around(sentence, answer)
    if asked is None or _goes_on_before(before) or not asked.stems <= set(content_stems(f"{title} {sentence}")):
        return False
    return _acts(asked, after) or _is_agent(asked, before, title) or _is_named(asked, before)


def says_of_another(question: str, sentence: str, answer: str) -> bool:
    """Whether a sentence, if it does not say so literally, says the question's verb of the answer and something else.

    >>> says_of_another("Who was the first American in space?", "Ride was the first American woman in space.", "Ride")
    True
    """
    asked, (_, after) = _Asked.of(question), _around(sentence, answer)
    verb = _find_verb(asked, after) if asked else -1
    if asked is None or verb < 0:
        return False
    # "Directed the remake of King Kong" is about King Kong; what somebody is must be what was asked for.
    return asked.is_being or not _stands(asked.thing, after[verb + 1 :])


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question for the subject of a verb: the verb, and what is said of the subject up to the first preposition."""

    is_verb: _IsVerb
    is_being: bool
    thing: list[str]
    stems: frozenset[str]

    @classmethod
    def of(cls, question: str) -> _Asked | None:
        found = _ASKED.match(question)
        words = [word.lower() for word in _tokens(found.group(1))] if found else []
        while words and words[0] in _LIGHT - set(_BEING):
            words = words[1:]
        if len(words) < 2 or words[0] in _AUXILIARY:
            return None
        verb, rest = words[0], words[1:]
        end = next((place for place, word in enumerate(rest) if place and word in _PREPOSITIONS), len(rest))
        is_verb = _BEING[verb].__contains__ if verb in _BEING else _same_verb(verb)
        return cls(is_verb, verb in _BEING, thing=rest[:end], stems=frozenset(content_stems(" ".join(rest))))


def _same_verb(verb: str) -> _IsVerb:
    stems = content_stems(verb)

    def is_same(word: str) -> bool:
        # "Sang" and "sings" share no beginning: such verbs are not recognised in their other forms.
        begins_alike = len(verb) > _SAME_VERB and word[:_SAME_VERB] == verb[:_SAME_VERB]
        return content_stems(word) == stems or (begins_alike and abs(len(word) - len(verb)) < _SAME_VERB)

    return is_same


def _around(sentence: str, answer: str) -> tuple[list[str], list[str]]:
    """What stands before an answer and behind it."""
    before, _, after = sentence.partition(answer)
    return _tokens(before), _tokens(after)


def _find_verb(asked: _Asked, after: Sequence[str]) -> int:
    """Where the verb follows right behind an answer; -1 if it does not."""
    place = next((at for at, word in enumerate(after[: _MOST_LIGHT + 1]) if asked.is_verb(word)), -1)
    return place if all(word in _LIGHT for word in after[: max(place, 0)]) else -1


def _acts(asked: _Asked, after: Sequence[str]) -> bool:
    """Whether the verb follows right behind the answer, and behind the verb what was asked."""
    verb = _find_verb(asked, after)
    if verb < 0:
        return False
    # "Won the St Petersburg mayor race": what the question says elsewhere may come first.
    own = (at for at in range(verb + 1, len(after)) if not set(content_stems(after[at])) <= asked.stems)
    return any(_stands_at(asked.thing, after, place) for place in range(verb + 1, next(own, len(after))))


def _is_agent(asked: _Asked, before: Sequence[str], title: str) -> bool:
    """Whether the answer is who something was done by, and what was asked about is named before it or is the title."""
    # Behind a comma another thing is said: "played by Bert Lahr, a Broadway star".
    start = max((place + 1 for place, word in enumerate(before) if word in ",;:("), default=0)
    near = list(before[max(start, len(before) - _MOST_BEFORE_NAME) :])
    if asked.is_being or "by" not in near:
        return False
    by = len(before) - 1 - near[::-1].index("by")
    is_done = any(asked.is_verb(word) for word in before[max(0, by - 2) : by])
    # "King Kong vs. Godzilla, directed by Ishiro Honda" on the page of King Kong is about another film.
    is_mentioned = f" {' '.join(asked.thing)} " in f" {' '.join(before[:by])} ".lower()
    about = before[:by] if is_mentioned else _tokens(title)
    return is_done and _stands(asked.thing, about)


def _is_named(asked: _Asked, before: Sequence[str]) -> bool:
    """Whether what was asked for is said to be the answer: "the capital of Georgia is Atlanta"."""
    return asked.is_being and bool(before) and asked.is_verb(before[-1]) and _stands(asked.thing, before[:-1])


def _stands(thing: Sequence[str], words: Sequence[str]) -> bool:
    return any(_stands_at(thing, words, place) for place in range(len(words)) if not _goes_on_before(words[:place]))


def _stands_at(thing: Sequence[str], words: Sequence[str], place: int) -> bool:
    """Whether a thing stands at a place under its whole name: the first American is not the first American woman."""
    end = place + len(thing)
    if [_POSSESSIVE.sub("", word.lower()) for word in words[place:end]] != [_POSSESSIVE.sub("", one) for one in thing]:
        return False
    return (
        end >= len(words) or words[end] in STOP_WORDS or not words[end][0].isalnum() or _may_be_participle(words[end])
    )


def _may_be_participle(word: str) -> bool:
    """Whether a word may be a participle: "the Dune directed by David Lynch"."""
    return word.islower() and word.endswith("ed")


def _goes_on_before(words: Sequence[str]) -> bool:
    """Whether a name that comes next goes on to the left: "Dead" of "Elect the Dead", the Bride of Frankenstein."""
    head = list(words[:-1]) if words and words[-1] == "of" else list(words)
    # Without "of", the first word has its capital from the sentence; a possessive is a name of its own.
    is_name = len(head) > 1 or len(head) < len(words)
    return is_name and bool(head) and head[-1][0].isupper() and not _POSSESSIVE.search(head[-1])


def _tokens(text: str) -> list[str]:
    return [token for token in _TOKEN.findall(text) if token.lower() not in _ARTICLES]
