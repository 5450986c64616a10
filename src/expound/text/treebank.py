"""Cut a sentence into words and punctuation by the Penn Treebank rules, as NLTK 3.9 does for its word tokens."""

from __future__ import annotations

import re

# Backticks are taken in twos from the left; whatever remains is a single quote.
_OPENING = re.compile("``|`|[«“‘„]")
_DOUBLE_AFTER = re.compile(r"""(?<=[ (\[{<])(?:"|'')""")
_QUOTED_LETTER = re.compile(r"'(?![mtsdn])(?=\w\b)", re.IGNORECASE)
_AFTER_STOP = "])}>\"'»”’ "
# A comma or colon takes the character after it along, so the second of two commas stays with what follows it.
_COMMA = re.compile(r"([:,])(\D)")
_LAST_COMMA = re.compile(r"[:,]$")
_MARK = re.compile(r"\.{2,}|[;@#$%&?!]")
_QUOTE_AFTER = re.compile(r"(?<=[^'])'(?= )")
_BRACKET = re.compile(r"--|[*()\[\]{}<>»”’]|''")
_CLITICS = (re.compile(r"(?<=[^'])'[sSmMdD]?$"), re.compile(r"(?<=[^'])(?:'(?:ll|LL|re|RE|ve|VE)|n't|N'T)$"))
_CONTRACTIONS = (
    re.compile(r"\b(?:(can)(not)|(d)('ye)|(gim|lem)(me)|(gon)(na)|(got)(ta)|(more)('n))\b|\b(wan)(na)(?!\S)", re.I),
    re.compile(r" ('t)(is)\b", re.I),
    re.compile(r" ('t)(was)\b", re.I),
)


def treebank_words(sentence: str) -> list[str]:
    """The words of one sentence; only a full stop at its end is cut off, and double quotes become `` and ''.

    >>> treebank_words('She said: "I can\\'t pay $3,000."')
    ['She', 'said', ':', '``', 'I', 'ca', "n't", 'pay', '$', '3,000', '.', "''"]
    """
    text = _without_last_stop(_open_quotes(sentence))
    text = _LAST_COMMA.sub(_space_marks, _COMMA.sub(r" \1 \2", text))
    text = _QUOTE_AFTER.sub(" '", _MARK.sub(_space_marks, text))
    text = _BRACKET.sub(_space_marks, text.replace('"', " '' "))
    words = [part for word in text.split() for part in (_without_clitics(word) if "'" in word else (word,))]
    return _without_contractions(words)


def _space_marks(match: re.Match[str]) -> str:
    return f" {match.group()} "


def _open_quotes(text: str) -> str:
    """Quotes that open: at the start, after a space or an opening bracket, or before a single letter."""
    if text.startswith('"'):
        text = f"``{text[1:]}"
    text = _DOUBLE_AFTER.sub(" `` ", _OPENING.sub(_space_marks, text))
    return _QUOTED_LETTER.sub("' ", text)


def _without_last_stop(text: str) -> str:
    """The text with its last full stop, before any closing quotes and brackets, standing alone."""
    # String methods, because a pattern for this takes quadratic time on a long line of spaces.
    body = text.rstrip().rstrip(_AFTER_STOP)
    if len(body) < 2 or body[-1] != "." or body[-2] == ".":
        return text
    return f"{body[:-1]} . {text[len(body) :]}"


def _without_clitics(word: str) -> list[str]:
    """A word and what leans on it, such as 's and n't."""
    ends: list[str] = []
    for clitic in _CLITICS:
        if found := clitic.search(word):
            ends.insert(0, found.group())
            word = word[: found.start()]
    return [word, *ends]


def _without_contractions(words: list[str]) -> list[str]:
    """The words, with those such as gonna and 'tis cut in two."""
    text = f" {' '.join(words)}"
    for contraction in _CONTRACTIONS:
        text = contraction.sub(_two_words, text)
    return text.split()


def _two_words(match: re.Match[str]) -> str:
    first, second = filter(None, match.groups())
    return f" {first} {second} "
