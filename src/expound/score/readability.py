"""Readability: how many years of school an English answer takes, from the length of its sentences and words."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from expound.text.sentences import split_sentences
from expound.types import Prediction, Question

_WORD = re.compile(r"[^\W_]")
_NUMBER = re.compile(r"\d+")
_LETTERS = re.compile("[a-z']+")
_VOWELS = re.compile("[aeiouy]+")
# Vowels side by side that are heard one by one, by the first of them, and a vowel that is heard but not written.
_HEARD = re.compile(
    r"^[^aeiouy]*i(?=[ao])|[bdfkmprv]i(?=a(?!ge)|o)|[ct]i(?=at)"  # li-on, me-di-a, ini-ti-ate
    r"|i(?=et|um)|(?<=sc)i(?=en)|[dlr]i(?=en(?!d))|..[^ct]i(?=e(?:rs?|st)$)"  # qui-et, sci-ence, ear-li-er
    r"|(?<![pg])e(?=o(?!u|ne))|ge(?=og)|e(?=um)|[aeiou].e(?=as?$)|(?:cr|th)e(?=at(?!h|u))"  # vi-de-o, i-de-a, cre-ate
    r"|(?<![qg])u(?=a|e[ln])|u(?=ou|ity)|po(?=e[mt])"  # actu-al, continu-ous, po-et
    r"|[aeouy](?=ing)|[aeo]y(?=[aou]|e(?!d$))"  # go-ing, play-er
    r"|s(?=ms?$)|th(?=ms?$)|[^aeiouy](?=n't$)"  # pris-m, rhyth-m, did-n't
)
# An e that is written but not heard, and likewise the a of basically. Between a consonant and l or r, e is heard.
_SILENT = re.compile(
    r"(?<=[^aeiouy])(?<![^aeiouywl]l)e(?:$|(?=(?:ly|ful|less|ness|ty|(?<!ele)ments?)$))"  # make, lovely
    r"|(?<=[^aeiouy])e(?=thing|times?$|what$|where$|ball|lines?$|works?$|stones?$)|(?<=her)e(?=by|fore)"  # something
    r"|(?<=[^aeiouysxzcg])(?<![^aeiouywl]l)(?<![cs]h)es$|(?<=[^aeiouytd])(?<![^aeiouywlr][lr])ed$"  # makes, walked
    r"|(?<=[aeiou][gq])ues?$|(?<=ic)a(?=lly$)"  # league, basically
)


@dataclass(frozen=True)
class FleschKincaid:
    """Flesch-Kincaid grade of the answer, in years of US school: 0.39 w/s + 11.8 y/w - 15.59 (Kincaid et al. 1975).

    w, s and y are its words, sentences and syllables. Upwards from -3.4, usually 0 to 18, higher is harder; not a
    number for a text without a word. Syllables are counted by rule, see `syllables`, and only make sense in English.

    >>> from expound.types import Answer
    >>> round(FleschKincaid().count(Question("1", "?"), Prediction("1", "?", "demo", Answer("The cat sat."))), 2)
    -2.62
    """

    name = "flesch_kincaid"

    def count(self, question: Question, prediction: Prediction) -> float:
        """The answer's grade."""
        size = _size(prediction.answer.text)
        if not size.words:
            return math.nan
        return 0.39 * size.words / size.sentences + 11.8 * size.syllables / size.words - 15.59


@dataclass(frozen=True)
class FleschEase:
    """Flesch reading ease of the answer: 206.835 - 1.015 w/s - 84.6 y/w (Flesch 1948).

    w, s and y are its words, sentences and syllables. Points downwards from 121.2, usually 0 to 100, higher is easier;
    not a number for a text without a word.

    >>> from expound.types import Answer
    >>> round(FleschEase().count(Question("1", "?"), Prediction("1", "?", "demo", Answer("The cat sat."))), 2)
    119.19
    """

    name = "flesch_ease"

    def count(self, question: Question, prediction: Prediction) -> float:
        """The answer's points."""
        size = _size(prediction.answer.text)
        if not size.words:
            return math.nan
        return 206.835 - 1.015 * size.words / size.sentences - 84.6 * size.syllables / size.words


class _Size(NamedTuple):
    sentences: int
    words: int
    syllables: int


# Two metrics look at the same text one after the other.
@lru_cache(maxsize=8)
def _size(text: str) -> _Size:
    """Words are what spaces separate and has a letter or digit, so hyphens join (Flesch 1948)."""
    sentences = [[word for word in part.split() if _WORD.search(word)] for part in split_sentences(text)]
    words = [word for sentence in sentences for word in sentence]
    # A line without a word, such as a rule, is no sentence.
    return _Size(sum(map(bool, sentences)), len(words), sum(map(syllables, words)))


@lru_cache(maxsize=1 << 14)
def syllables(word: str) -> int:
    """Syllables of an English word by rule, at least one; numbers have one per digit.

    Runs of vowels count one each, plus vowels heard apart (li-on), less silent e (make, makes, lovely). Right for 98 %
    of the running words of Wikipedia passages, as the CMU Pronouncing Dictionary counts them; spelled-out
    abbreviations (NBA) and names are the usual errors.

    >>> [syllables(word) for word in ("strengths", "banana", "made", "science", "well-being", "1984")]
    [1, 3, 1, 2, 3, 4]
    """
    spoken = word.lower() if word.isascii() else _without_accents(word.lower())
    digits = sum(len(number) for number in _NUMBER.findall(spoken))
    return max(1, digits + sum(_in_letters(part.strip("'")) for part in _LETTERS.findall(spoken)))


def _without_accents(word: str) -> str:
    # Letter by letter: a long run of accents would take quadratic time to put in order.
    letters = "".join(unicodedata.normalize("NFKD", letter) for letter in word.replace("’", "'"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _in_letters(part: str) -> int:
    if not part:
        return 0
    spoken = part.removesuffix("'s")
    # Every word is heard, also one whose vowels are all silent by rule.
    return max(1, len(_VOWELS.findall(spoken)) + len(_HEARD.findall(spoken)) - len(_SILENT.findall(spoken)))
