"""The text rules that the labels of the shipped ranker were made with.

`expound.text` has rules of the same names that behave differently. These stay as they are: with the others the same
questions would get other sentences and other labels, and the shipped model could not be rebuilt.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable

_BOUNDARY = re.compile(r"(?<=[.!?])[\"”')\]]{0,2}\s+(?=[\"“'(\[]{0,2}[A-Z0-9])")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"])(?:[A-Z]|[A-Z]\.[A-Z]|Mr|Mrs|Ms|Dr|St|Jr|Sr|Prof|Gen|Col|Sgt|Lt|Capt|Rev|Hon|Gov|Sen|Rep|No|Vol|vs|v"
    r"|c|ca|Inc|Ltd|Co|Corp|Bros|Mt|Ft|feat|pp|ed|U\.S|U\.K|a\.m|p\.m|Jan|Feb|Mar|Apr|Aug|Sept|Oct|Nov|Dec)\.$"
)
_FOOTNOTES_AND_HEADINGS = re.compile(r"\[\d+\]|={2,}[^=]{1,80}={2,}")
_ARTICLE = re.compile(r"\b(a|an|the)\b")


def normalise(text: str) -> str:
    """Lower case without punctuation, articles and extra spaces.

    Unlike `expound.text.normal.normalize_answer`, a hyphen or slash parts words and curly quotes are dropped.
    """
    text = "".join(" " if c in "-–—/" else c for c in text.lower())
    text = "".join(c for c in text if c not in string.punctuation and c not in "“”‘’")
    return " ".join(_ARTICLE.sub(" ", text).split())


def contains_answer(normalised: str, answers: Iterable[str]) -> bool:
    """Whether a normalised answer occurs in normalised text, at word boundaries (unlike `expound.text.normal`)."""
    padded = f" {normalised} "
    return any(f" {answer} " in padded for answer in answers)


def clean_question(question: str) -> str:
    """Write a question as in Natural Questions: lower case, no question mark."""
    return " ".join(question.lower().replace("?", " ").split())


def pair_text(title: str, sentence: str) -> str:
    """Put the title before a sentence unless the sentence starts with it, ignoring case (unlike `titled`)."""
    if not title or sentence.lower().startswith(title.lower()):
        return sentence
    return f"{title}. {sentence}"


def split_sentences(text: str) -> list[str]:
    """Split at end punctuation before a capital or digit, except after common abbreviations and initials.

    Unlike `expound.text.sentences`, it drops footnote marks and headings, and a newline ends nothing.
    """
    text = _FOOTNOTES_AND_HEADINGS.sub(" ", text)
    sentences, start = [], 0
    for match in _BOUNDARY.finditer(text):
        # Twelve characters back: no abbreviation of the list is longer.
        if not _ABBREVIATION.search(text[max(start, match.start() - 12) : match.start()]):
            sentences.append(" ".join(text[start : match.end()].split()))
            start = match.end()
    return [*sentences, " ".join(text[start:].split())]


def is_fragment(sentence: str) -> bool:
    """Whether a sentence is cut off, too short or too long to stand in an answer."""
    words = sentence.split()
    starts_low = sentence[:1].islower() or sentence[:1] in ",;:)#*|"
    ends_open = not re.search(r"[.!?][\"”')\]]*$|[.!?] ?''$", sentence)
    return starts_low or ends_open or not 4 <= len(words) <= 70
