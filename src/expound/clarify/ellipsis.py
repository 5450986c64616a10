"""Questions that leave out what was asked before: "And in winter?", "What about the ferry?", "Why?"."""

from __future__ import annotations

import re

from expound.clarify.subjects import ASKING, HELPERS, WORD, AskedBefore, subject_of
from expound.text.answer_types import names
from expound.text.words import STOP_WORDS

_ABOUT = re.compile(r"(?:and |but |so )*(?:(?:what|how) about|and|or) (?P<what>[^?]+?)[\s?.!]*", re.IGNORECASE)
_BARE = re.compile(
    r"(?:and |but |so )*(?P<word>why|when|where|how|since when|how (?:long|often|much|many))"
    r"(?: (?:is|was|are|were|do|does|did) (?:that|this|so))?[\s?.!]*",
    re.IGNORECASE,
)
_SMALL = "in at on of for with without by from to during after before under over near until since"
_PREPOSITIONS = frozenset(_SMALL.split())
_NUMBER = re.compile(r"\b\d[\d.,]*\b")
_MOST_WORDS = 8  # more is a question of its own


def fill_in(question: str, asked: AskedBefore) -> str:
    """The question before with what is new in it; the question itself where nothing was left out.

    >>> fill_in("And in winter?", AskedBefore("When does the ferry leave in summer?"))
    'When does the ferry leave in winter?'
    >>> fill_in("Why?", AskedBefore("Is the ferry closed in winter?"))
    'Is the ferry closed in winter, and why?'
    """
    before = asked.question.rstrip(" ?.!")
    if not before:
        return question
    if bare := _BARE.fullmatch(question):
        return _ask_besides(question, before, bare["word"].lower())
    about = _ABOUT.fullmatch(question)
    words = WORD.findall(about["what"].lower()) if about else []
    # "And who built it?" leaves nothing out, and "What about it?" brings nothing new.
    is_whole = len(words) > _MOST_WORDS or not (ASKING | HELPERS).isdisjoint(words)
    if not about or is_whole or STOP_WORDS.issuperset(words):
        return question
    put = _put_phrase(before, about["what"]) if words[0] in _PREPOSITIONS else _put_thing(asked, about["what"])
    return f"{put}?" if put else question


def _ask_besides(question: str, before: str, word: str) -> str:
    # Once: who says "why?" again has not been answered, and asks the same.
    asks_it = re.search(rf"(?:^|, and ){re.escape(word)}\b", before, re.IGNORECASE)
    return question if asks_it else f"{before}, and {word}?"


def _put_phrase(before: str, phrase: str) -> str:
    """A phrase such as "in winter" in place of the one with the same preposition; at the end where there is none."""
    small = phrase.split()[0].lower()
    found = list(re.finditer(rf"\b{small} (?:the |a |an )?[\w'’-]+(?: (?=[A-Z])[\w'’-]+)*", before))
    if not found:
        return f"{before} {phrase}"
    return before[: found[-1].start()] + phrase + before[found[-1].end() :]


def _put_thing(asked: AskedBefore, thing: str) -> str:
    """Another thing in place of what was asked about: a number for a number, a name for a name."""
    before = asked.question.rstrip(" ?.!")
    first = thing.split()[0]
    if _NUMBER.fullmatch(thing):
        former = next(iter(_NUMBER.findall(before)), "")
    elif first[0].isupper() and first.lower() not in STOP_WORDS:
        former = next(reversed(names(before)), "") or subject_of(before, asked.passages)
    else:
        former = subject_of(before, asked.passages)
    return before.replace(former, thing, 1) if former else ""
