"""The ids of what was judged: made of the question and the texts, so that people and judges of one pair agree on it."""

from __future__ import annotations

from hashlib import sha256

from expound.types import Preference, Rating


def item_of(preference: Preference) -> str:
    """The id of what was judged, made of the question and both answers."""
    # Not of the systems: files of one pair name the same writers differently, or not at all.
    return text_id(preference.question.id, preference.a, preference.b)


def sides_of(preference: Preference) -> tuple[tuple[str, str], ...]:
    """The two answers with their systems, in an order of their own: raters who saw them turned saw the same pair."""
    return tuple(sorted(((preference.a_system, preference.a), (preference.b_system, preference.b))))


def rated_item(rating: Rating) -> str:
    """The id of what was rated; a sentence or a claim that an answer has twice is two."""
    place = str(rating.meta.get("place", ""))
    # With the system, unlike a pair: two systems that say the same words were rated apart.
    return text_id(rating.question.id, rating.system, place, rating.answer)


def text_id(*texts: str) -> str:
    """A short id that the same texts always have."""
    # NUL between the texts, which no text holds: "ab", "c" and "a", "bc" must differ. Twelve digits are 48 bits, enough
    # for millions of items without two of one id.
    return sha256("\0".join(texts).encode()).hexdigest()[:12]
