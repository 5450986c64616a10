"""Porter's stemmer with the extensions that NLTK made common, which ROUGE scores are defined by.

The algorithm is Porter (1980). The extensions: a few irregular words, *-ied* and short *-ies* words, *y* only after a
consonant that is not the first letter, *-alli*, *-fulli*, *-bli* and *-logi*, and *vc* words such as *us* being short.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from functools import lru_cache

_IRREGULAR = {
    "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing",
    "cannings": "canning", "canning": "canning", "howe": "howe",
    "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
    "fulli": "ful", "logi": "log",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = frozenset((
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
))  # fmt: skip

# Snowball's Porter is compiled and ten times as fast, and its stems are ours except for the words described here: not
# plain or of two letters; ending in i or y once -es, -ed or -ing is gone; beginning like *use* or *using*, with a base
# of two letters; doubling a letter that Snowball leaves doubled (*trekking*).
_NOT_SNOWBALL = re.compile(
    r"""[^a-z0-9] | \A.{0,2}\Z | [iy](?:es|ed|ing)?s?\Z | \A[aeiou].(?:e|ing) | ([0-9chjkqvwx])\1(?:ed|ing)s?\Z""",
    re.VERBOSE,
)


class _Kinds(dict[int, str]):
    """Letter to kind, for `str.translate`; whatever is not listed is a consonant."""

    def __missing__(self, letter: int) -> str:
        return "c"


# All of ASCII is listed: `str.translate` is three times as fast when nothing is missing.
_KINDS = _Kinds({letter: "v" if chr(letter) in "aeiou" else "c" for letter in range(128)})


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The word's stem, lower-cased: *relational* becomes *relat*."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    return _stem_by_rule(word) if _NOT_SNOWBALL.search(word) else _snowball()(word)


def _stem_by_rule(word: str) -> str:
    lower = word.lower()
    # Porter leaves words of two letters alone.
    if len(word) <= 2:
        return lower
    # The order is the algorithm's: each step sees what the last one left.
    lower = _final_y(_past_and_gerund(_plural(lower)))
    lower = _derived_adjective(_derived_noun(lower))
    return _final_l(_final_e(_residual_suffix(lower)))


@lru_cache(maxsize=1)
def _snowball() -> Callable[[str], str]:
    import Stemmer

    without_cache = Stemmer.Stemmer("porter", 0)  # `stem` has one
    stem_word: Callable[[str], str] = without_cache.stemWord
    return stem_word


def _shape(word: str) -> str:
    """One letter per letter: v for a vowel, c for a consonant; *y* is a vowel after a consonant."""
    shape = word.translate(_KINDS)
    if "y" not in word:
        return shape
    kinds = list(shape)
    for place in range(1, len(word)):
        if word[place] == "y" and kinds[place - 1] == "c":
            kinds[place] = "v"
    return "".join(kinds)


def _measure(word: str) -> int:
    """Porter's m: how often a vowel is followed by a consonant."""
    return _shape(word).count("vc")


def _is_short(word: str) -> bool:
    """Whether the word ends consonant, vowel, consonant (not w, x, y), or is a vowel and a consonant."""
    shape = _shape(word)
    return shape == "vc" or (shape.endswith("cvc") and word[-1] not in "wxy")


def _plural(word: str) -> str:
    """Step 1a: caresses, ponies, cats."""
    if not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    return word[:-2] if word.endswith("sses") else word[:-1]


def _past_and_gerund(word: str) -> str:
    """Step 1b: agreed, plastered, motoring."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix):
            base = word.removesuffix(suffix)
            return _mend_stem(base) if "v" in _shape(base) else word
    return word


def _mend_stem(base: str) -> str:
    """What *-ed* and *-ing* leave, made a word again: conflat(e), hop(p), fil(e)."""
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if len(base) > 1 and base[-1] == base[-2] and _shape(base)[-1] == "c":
        return base if base[-1] in "lsz" else base[:-1]
    return base + "e" if _measure(base) == 1 and _is_short(base) else base


def _final_y(word: str) -> str:
    """Step 1c: happy becomes happi; enjoy and by stay."""
    if word.endswith("y") and len(word) > 2 and _shape(word)[-2] == "c":
        return word[:-1] + "i"
    return word


def _derived_noun(word: str) -> str:
    """Step 2: relational, vietnamization, sensibiliti."""
    suffix = _longest_suffix(word, _STEP_2)
    # For -logi the l counts as part of the base: "geolog" is measured by "geol".
    base = word[:-3] if suffix == "logi" else word[: len(word) - len(suffix)]
    if not suffix or not _measure(base):
        return word
    shorter = word[: len(word) - len(suffix)] + _STEP_2[suffix]
    return _derived_noun(shorter) if suffix == "alli" else shorter


def _derived_adjective(word: str) -> str:
    """Step 3: triplicate, electrical, hopeful."""
    suffix = _longest_suffix(word, _STEP_3)
    base = word[: len(word) - len(suffix)]
    return base + _STEP_3[suffix] if suffix and _measure(base) else word


def _residual_suffix(word: str) -> str:
    """Step 4: revival, adjustment, adoption."""
    suffix = _longest_suffix(word, _STEP_4)
    base = word[: len(word) - len(suffix)]
    if not suffix or (suffix == "ion" and not base.endswith(("s", "t"))):
        return word
    return base if _measure(base) > 1 else word


def _final_e(word: str) -> str:
    """Step 5a: probate becomes probat; rate stays."""
    if not word.endswith("e"):
        return word
    measure = _measure(word[:-1])
    return word[:-1] if measure > 1 or (measure == 1 and not _is_short(word[:-1])) else word


def _final_l(word: str) -> str:
    """Step 5b: controll becomes control; roll stays."""
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _longest_suffix(word: str, suffixes: Container[str]) -> str:
    """The longest of the suffixes that the word ends in, or nothing."""
    # The longest suffix has seven letters, the shortest two.
    for length in range(min(7, len(word)), 1, -1):
        if word[-length:] in suffixes:
            return word[-length:]
    return ""
