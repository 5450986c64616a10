"""Which pages are worth keeping: rules with a reason each, after those of Gopher (Rae et al. 2021) and C4."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_STOP_WORDS = frozenset("the be to of and that have with".split())
# A word from its first letter on: found once in every word that has one.
_FROM_LETTER = re.compile(r"[^\W\d_]\S*")
_PLACEHOLDER = "lorem ipsum"
_ENDS = (".", "!", "?", '"', "”", ":")


@dataclass(frozen=True)
class Quality:
    """The bounds that a page must keep. Those with a share are Gopher's, but that pages may be shorter and that
    `least_sentences` is our own, by eye."""

    fewest_words: int = 50
    most_words: int = 100_000
    shortest_mean: float = 3.0
    longest_mean: float = 10.0
    most_symbols: float = 0.1
    least_alphabetic: float = 0.8
    most_ellipses: float = 0.3
    most_bullets: float = 0.9
    most_repeated_lines: float = 0.3
    fewest_stop_words: int = 2
    least_sentences: float = 0.1

    def fault(self, text: str, words: Sequence[str]) -> str:
        """Why a text is not kept, with its words, which whoever asks has split already; empty if it is."""
        return self.fault_of_length(len(words)) or self._of_words(text, words) or self._of_lines(text.split("\n"))

    def fault_of_length(self, count: int) -> str:
        """The same by the number of words alone."""
        if not count:
            return "no text"
        if count < self.fewest_words:
            return "too few words"
        return "too many words" if count > self.most_words else ""

    def _of_words(self, text: str, words: Sequence[str]) -> str:
        count = len(words)
        if not self.shortest_mean <= len("".join(words)) / count <= self.longest_mean:
            return "words of odd lengths"
        if (text.count("#") + text.count("…") + text.count("...")) / count > self.most_symbols:
            return "too many symbols"
        if not self._has_letters(words):
            return "too few words of letters"
        lowered = text.lower()
        if not (self._is_running(words) or self._is_running(lowered.split())):
            return "no running text"
        return "placeholder text" if _PLACEHOLDER in lowered else ""

    def _has_letters(self, words: Sequence[str]) -> bool:
        """Whether enough words have a letter: most begin with one, and only the others are looked through."""
        others = [word for word in words if not word[0].isalpha()]
        count = len(words)
        found = count - len(others)
        if found / count < self.least_alphabetic:
            found += len(_FROM_LETTER.findall(" ".join(others)))
        return found / count >= self.least_alphabetic

    def _is_running(self, words: Iterable[str]) -> bool:
        return len(_STOP_WORDS.intersection(words)) >= self.fewest_stop_words

    def _of_lines(self, lines: list[str]) -> str:
        count = len(lines)
        if sum(line.endswith(("…", "...")) for line in lines) / count > self.most_ellipses:
            return "lines that break off"
        if sum(line.startswith(("•", "-", "*")) for line in lines) / count > self.most_bullets:
            return "nothing but a list"
        # A table of names has no sentence; forms and menus that an extractor left have few.
        if sum(line.rstrip().endswith(_ENDS) for line in lines) / count < self.least_sentences:
            return "no sentences"
        repeated = sum(seen - 1 for seen in Counter(line for line in lines if line).values())
        return "lines that repeat" if repeated / count > self.most_repeated_lines else ""
