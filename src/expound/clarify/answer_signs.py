"""What speaks for an answer, as numbers: all the places where it stands together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from expound.clarify.groups import same_answer
from expound.clarify.mentions import Mention
from expound.text.answer_types import AnswerType
from expound.text.normal import normalize_answer


def signs_of_all(
    question: str, kind: AnswerType, mentions: Sequence[Mention], formed: Sequence[str] = ()
) -> dict[str, dict[str, float]]:
    """The signs of every answer among the mentions, by its key; `formed` are the answers that rules of form found."""
    by_key: dict[str, list[Mention]] = {}
    for mention in mentions:
        by_key.setdefault(mention.key, []).append(mention)
    read = {key: max(mention.above_none for mention in group) for key, group in by_key.items()}
    words = {key: set(key.split()) for key in by_key}
    return {
        key: {
            **signs_of(question, kind, group),
            **_among_others(key, read, words),
            # Worth little beside what the reader says (recipes/LOG.md).
            "found by form first": float(any(same_answer(key, answer) for answer in formed[:1])),
            "found by form": float(any(same_answer(key, answer) for answer in formed)),
        }
        for key, group in by_key.items()
    }


def _among_others(key: str, read: Mapping[str, float], words: Mapping[str, set[str]]) -> dict[str, float]:
    """Whether an answer is a piece of another one, or whole where others are its pieces."""
    # "1990" of "January 13, 1990", "Walker" of "Paul Walker": a third of the wrong first answers that were read by eye.
    fuller = [other for other in words if words[key] < words[other]]
    pieces = [read[other] for other in words if words[other] < words[key]]
    return {
        "a fuller form is read": max((_sigmoid(read[other]) for other in fuller), default=0.0),
        "a fuller form is likelier": float(any(read[other] > read[key] for other in fuller)),
        "its pieces are read": max(map(_sigmoid, pieces), default=0.0),
        "a piece is likelier": float(any(piece > read[key] for piece in pieces)),
    }


def signs_of(question: str, kind: AnswerType, mentions: Sequence[Mention]) -> dict[str, float]:
    """The signs of one answer by name; most are of the best of its mentions, each near 0 to 1."""
    chances = [_sigmoid(mention.above_none) for mention in mentions]
    words = mentions[0].key.split()
    asked = set(normalize_answer(question).split())
    best = max(chances)
    is_kind = float(any(mention.is_of_kind for mention in mentions))
    return {
        # This, the passage's nearness, the distance to the best span and being whole count most (recipes/LOG.md).
        # Logits are divided by ten, to lie where the other signs do.
        "read": max(mention.above_none for mention in mentions) / 10,
        "read, as a chance": best,
        # A logarithm: the tenth place says less than the second.
        "read in several places": math.log1p(sum(chances)),
        "behind the best span": max(mention.behind_best for mention in mentions) / 10,
        "ranked": max(mention.sentence.confidence for mention in mentions),
        "ranked and read": max(m.sentence.confidence * p for m, p in zip(mentions, chances, strict=True)),
        "of the kind": is_kind,
        # Any capital letter makes a place or a name by form; dates, numbers and persons have a form of their own.
        "of the kind, no place or thing": is_kind * (kind in ("date", "number", "person")),
        "near the question's words": max(mention.closeness for mention in mentions),
        "question's words said": max(mention.said for mention in mentions),
        "said and read": max(m.said * p for m, p in zip(mentions, chances, strict=True)),
        "passage's nearness": max(mention.nearness for mention in mentions),
        "first passage": float(min(mention.rank for mention in mentions) == 0),
        "rank of the passage": math.log1p(min(mention.rank for mention in mentions)),
        "passages": math.log(len({mention.sentence.number for mention in mentions})),
        "words": len(words) / 4,
        "five words or more": float(len(words) > 4),
        "title of a passage": float(any(normalize_answer(m.passage.title) == m.key for m in mentions)),
        "in a title": float(any(m.key in normalize_answer(m.passage.title) for m in mentions)),
        "opens a passage": float(any(mention.sentence.position == 0 for mention in mentions)),
        "of the question's words": len(asked & set(words)) / len(words),
        "a year alone": float(kind == "date" and len(words) == 1),
        "a whole date": float(kind == "date" and len(words) > 2),
    }


def _sigmoid(logit: float) -> float:
    # Beyond 30 it is 0 or 1 to twelve digits; `exp` itself overflows at 710.
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))
