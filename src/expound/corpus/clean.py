"""Take markup, reference marks and tokeniser spacing out of text before it is split."""

from __future__ import annotations

import re

# Set in further it is a line of code.
WIKI_HEADING = re.compile(r"^ {0,3}+(={2,6})([^=\n]++)\1[ \t]*+$", re.MULTILINE)
_INLINE_HEADING = re.compile(r"(?:^|(?<=\s))={2,6} ?[A-Z][^=\n]{0,80}+={2,6}(?=\s|$)")
_NOTE = r"(?:note|nb|n|lower-alpha) ?\d+|citation needed|clarification needed|who\?|when\?|update"
# A letter in brackets right behind a word is an index, as in list[i]; behind a stop or a space it is a reference.
# References are counted from one: list[0] is an index.
_REFERENCE = re.compile(
    rf" ?\[(?:[1-9]\d{{0,2}}|{_NOTE})\](?::\s?\d+(?:[–-]\d+)?)?|(?:(?<=[.,;:!?)\"”])| )\[[a-z]\](?=[\s.,;:]|$)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^[ \t]*(?:[*#•·▪◦]+|[-–—])[ \t]+", re.MULTILINE)
# What is left of a pronunciation; "run()" is a call.
_EMPTY_BRACKETS = re.compile(r" ?(?:(?<![\w)\]])(?:\(\)|\[\])|\([\s;,:]++\)|\[\s++\])")
_BRACKET_START = re.compile(r"\(\s*[\];,:]+\s*")
_TOKENISED = (" , ", " . ", "`` ", "( ", " n't ")
_SPACES = re.compile(r"[\t\u00a0\u2000-\u200b\u202f\u3000][ \t\u00a0\u2000-\u200b\u202f\u3000]*| {2,}")
_ODD_SPACE = re.compile(r"[\t\u00a0\u2000-\u200b\u202f\u3000]")
# What every bracket that is emptied or trimmed begins with.
_ODD_BRACKET = re.compile(r"[(\[][\s;,:\])]")
_BLANK_LINES = re.compile(r" ?\n\s*")
# Characters behind a title in which its sentence would name the subject again, if the title had run into one.
_OPENING = 150
# Characters within which all words of a title come again: the opening of the sentence and no more.
_NEAR = 60
# A title followed by one of these, in capitals, has run into the first sentence.
_OPENER = re.compile(
    r"(?:The|A|An|In|On|At|As|It|He|She|They|This|There|Because|During|After|Before|From|For|With|When|While|Under)\b "
)

_DETOKENISE = (
    (re.compile(r"``\s?"), '"'),
    (re.compile(r"\s?''"), '"'),
    (re.compile(r" (?=[,.;:!?%)\]](?:\s|$|[,.;:)\"]))"), ""),
    (re.compile(r"(?<=\w)\( "), " ("),
    (re.compile(r"(?<=[(\[$£€]) "), ""),
    (re.compile(r" (?='(?:s|re|ve|ll|d|m)\b)"), ""),
    (re.compile(r" (?=n't\b)"), ""),
    (re.compile(r"(?<=[A-Za-z0-9]) - (?=[A-Za-z0-9])"), "-"),
    (re.compile(r"(?<=\d) – (?=\d)"), "–"),
)


def clean(text: str, *, title: str = "") -> str:
    """The text as prose: one space between words, one newline between paragraphs, nothing but the words."""
    # Spaces first: the patterns below count on single ones.
    text = _single_spaced(text)
    # Looking for one character is much faster than a pattern that finds nothing.
    if "=" in text:
        text = _INLINE_HEADING.sub("\n", text)
    if "[" in text:
        text = _REFERENCE.sub("", text)
    text = _BULLET.sub("", text) if "\n" in text else text[_bullet_end(text) :]
    # Signs of text that was cut into tokens; ordinary prose has none of them, and is left as it is.
    if text.endswith(" .") or any(mark in text for mark in _TOKENISED):
        text = _detokenise(text)
    if ("(" in text or "[" in text) and _ODD_BRACKET.search(text):
        text = _BRACKET_START.sub("(", _EMPTY_BRACKETS.sub("", text))
    # What was taken out leaves double spaces behind.
    text = _single_spaced(text)
    text = (_BLANK_LINES.sub("\n", text) if "\n" in text else text).strip()
    # Last: the title is compared with the text as it will be stored.
    return _without_running_title(text, title) if title else text


def _single_spaced(text: str) -> str:
    """Every run of spaces as one; most texts have none and are not searched for them."""
    has_runs = "  " in text or (_ODD_SPACE.search(text) if not text.isascii() else "\t" in text)
    return _SPACES.sub(" ", text) if has_runs else text


def _bullet_end(line: str) -> int:
    bullet = _BULLET.match(line)
    return bullet.end() if bullet else 0


def _detokenise(text: str) -> str:
    for pattern, replacement in _DETOKENISE:
        text = pattern.sub(replacement, text)
    return text


def _without_running_title(text: str, title: str) -> str:
    """Drop a title that runs straight into a sentence of its article: "Paris Paris is the capital".

    Only where a sentence may begin: within one, the title is a word like any other.
    """
    parts: list[str] = []
    kept = 0
    start = text.find(title)
    while start >= 0:
        end = start + len(title)
        # A few characters back, past closing marks and spaces, to see what ended there.
        before, rest = text[max(0, start - 5) : start].rstrip()[-1:], text[end + 1 : end + 1 + _OPENING]
        may_begin = not before or before in '.!?"”' or text[start - 1] == "\n"
        runs_in = _starts_again(rest, title) or (not before and _OPENER.match(rest))
        if may_begin and text[end : end + 1] == " " and runs_in:
            parts += [text[kept:start].rstrip(), "\n"]
            kept = end + 1
        start = text.find(title, end)
    return "".join([*parts, text[kept:]]).strip()


def _starts_again(rest: str, title: str) -> bool:
    """Whether what follows a title is a sentence of its own that names the subject again."""
    if not rest[:1].isupper() and rest[:1] not in '"“(':
        return False
    name = title.split(" (")[0].lower()
    first = rest.split(" ", 1)[0].lower()
    near = rest[:_NEAR].lower()
    return (
        # A short word, such as "The", would be found in many titles.
        name in rest.lower() or (len(first) > 3 and first in name.split(" ")) or all(w in near for w in name.split(" "))
    )
