"""Lines of a PDF as text: wrapped prose in one line, broken words made whole, code as it stands on the page."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from statistics import median

from expound.corpus.read.pdf_lines import Line
from expound.corpus.read.unwrap import BREAK_MARK

_BROKEN = re.compile(rf"[^\W\d_][-{BREAK_MARK}]$")
# What looks like an option or a path keeps a hyphen at the line's end.
_NAME = re.compile(r"(?:^|[\s(\[\"'‘“])(?:--?\w|[\w.~-]*/)\S*-$")
_SPLIT_PATH = re.compile(r"(?:^|\s)(?:[\w.~-]*/)+[\w.-]*/$|://\S*/$")
_OPTION = re.compile(r"--[a-z][\w-]*")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def all_words(lines: Sequence[Line]) -> frozenset[str]:
    """Every word of the text in lower case, to know how a broken word is written elsewhere."""
    words = {word.lower() for line in lines for word in _WORD.findall(line.text)}
    return frozenset(words.union(*(_OPTION.findall(line.text) for line in lines if "--" in line.text)))


def join_lines(texts: Sequence[str], words: Collection[str]) -> str:
    """One line of several; a word that was broken at a line's end is made whole, unless it has its hyphen elsewhere."""
    joined = ""
    for text in texts:
        # Only what ends in a hyphen is looked at; all else is joined with a blank.
        if not _BROKEN.search(joined[-2:]):
            joined = text if not joined else joined + ("" if _is_split_name(joined, text, words) else " ") + text
            continue
        head, tail = _last_word(joined[:-1]), _WORD.match(text)
        whole = head + (tail.group() if tail else "")
        hyphened = f"{head}-{tail.group()}" if tail else ""
        is_name = _NAME.search(joined) is not None
        # A capital or digit behind the hyphen, or the same word with
        # its hyphen elsewhere: the hyphen is the author's.
        keeps = is_name or not text[0].islower() or (hyphened.lower() in words and whole.lower() not in words)
        joined = joined[:-1] + ("-" if keeps else "") + text
    return joined.replace(BREAK_MARK, "-")


def _is_split_name(joined: str, text: str, words: Collection[str]) -> bool:
    """Whether a path or an option was cut where no letter stands: "etc/" and "hosts", "--" and "verbose"."""
    if _SPLIT_PATH.search(joined[-40:]):
        return True
    option = joined.rpartition(" ")[2] + text.split(maxsplit=1)[0].partition("=")[0].rstrip(".,;:)")
    return option.startswith("--") and option in words


def _last_word(text: str) -> str:
    found = _WORD.findall(text[-60:])
    return found[-1] if found else ""


def code_text(lines: Sequence[Line], leading: float) -> str:
    """Lines of code with their indentation, inner spaces and blank lines, as the characters stand on the page."""
    pitches = [line.pitch for line in lines if line.pitch > 0]
    # Six tenths of an em is the pitch of most typewriter fonts.
    pitch = median(pitches) if pitches else lines[0].size * 0.6
    left = min(line.left for line in lines)
    shown: list[str] = []
    for number, line in enumerate(lines):
        # A gap of nearly two lines is an empty one.
        if number and lines[number - 1].base - line.base > 1.7 * leading:
            shown.append("")
        shown.append(_code_line(line, left, pitch))
    return "\n".join(shown).replace(BREAK_MARK, "-")


def _code_line(line: Line, left: float, pitch: float) -> str:
    """As many spaces as characters would fit: counted from the last one, since listings may stretch a line."""
    text, end = "", left
    for start, letters in line.starts:
        gap = (start - end) / pitch
        # Rounded down a little, but a gap that can be seen is at least one space.
        text += " " * max(int(gap + 0.35), gap > 0.4) + letters
        end = start + pitch * len(letters)
    return text
