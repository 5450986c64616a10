"""Turn an answerable question into one that its context does not answer, by a change of one name, number or word."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from expound.train.data.label_texts import normalise
from expound.train.data.squad_layout import SpanExample

_NAME = re.compile(r"(?<![.?!] )(?<!^)\b[A-Z][\w’'-]*(?:(?: of| de| the)? [A-Z][\w’'-]*)*")
_NUMBER = re.compile(r"\b\d[\d,.]*\d\b|\b\d\b")
_OPPOSITES = (
    "first last, largest smallest, highest lowest, most least, more fewer, before after, north south, east west, "
    "northern southern, eastern western, increase decrease, increased decreased, won lost, began ended, start end, "
    "started ended, higher lower, larger smaller, early late, earliest latest, major minor, allowed forbidden, "
    "accepted rejected, supported opposed, gained lost, always never, best worst, positive negative, strong weak, "
    "stronger weaker, male female, older younger, oldest youngest, winner loser, upper lower, long short, "
    "longest shortest, new old, open closed, inside outside, left right, public private, common rare"
)
_OPPOSITE = {a: b for pair in _OPPOSITES.split(", ") for a, b in (pair.split(), reversed(pair.split()))}
_VERB = re.compile(r"\b(is|are|was|were|did|does|do|can|could|has|have|had|will|would)\b", re.IGNORECASE)
# Chosen, not tuned: a reader that met many negations would learn to be silent at the word "not".
_NEGATED_SHARE = 0.15


def near_miss(example: SpanExample, *, spare: Sequence[str] = (), rng: random.Random) -> SpanExample | None:
    """The question with one name or number of the context in place of its own, an opposite, or a negation.

    `spare` are texts to take names from when the context has none. Nothing if no change can be made.
    """
    # All that are possible, then one at random: the first of them would nearly always be a swap of names.
    changes = [*_swaps(example, spare, rng), *_opposites(example.question)]
    if changes and rng.random() > _NEGATED_SHARE:
        question = rng.choice(changes)
    else:
        question = _VERB.sub(lambda verb: f"{verb.group()} not", example.question, count=1)
    # Nothing was changed that a reader would notice.
    if normalise(question) == normalise(example.question):
        return None
    return SpanExample(question=question, context=example.context, answers=(), title=example.title)


def _swaps(example: SpanExample, spare: Sequence[str], rng: random.Random) -> list[str]:
    """Each name and number of the question replaced by another of the context, or else of the spare texts."""
    changed = []
    for kind in (_NAME, _NUMBER):
        for place in kind.finditer(example.question):
            # The context's own names first: a name that it does not mention would give the trick away.
            others = next((found for text in (example.context, *spare) if (found := _others(kind, text, example))), [])
            if others:
                question = example.question
                changed.append(question[: place.start()] + rng.choice(others) + question[place.end() :])
    return changed


def _others(kind: re.Pattern[str], text: str, example: SpanExample) -> list[str]:
    """Names or numbers of a text that share no word with the question or its answers."""
    taken = set(normalise(" ".join((example.question, *(gold.text for gold in example.answers)))).split())
    found = dict.fromkeys(match.group() for match in kind.finditer(text))
    return [name for name in found if taken.isdisjoint(normalise(name).split())]


def _opposites(question: str) -> list[str]:
    words = question.split(" ")
    return [
        " ".join((*words[:place], _OPPOSITE[word], *words[place + 1 :]))
        for place, word in enumerate(words)
        if word in _OPPOSITE
    ]
