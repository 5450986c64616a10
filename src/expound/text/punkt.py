"""Split text into sentences with Punkt (Kiss and Strunk 2006) and the trained parameters that come with `punkt_tab`.

A full stop ends a sentence unless the word before it is an abbreviation, an initial or an ordinal: the parameters and
the case of the next word decide. Sentences are those of NLTK 3.8 and 3.9; 3.10 also ends one before a curly quote.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from expound.errors import BadInput

# How often-seen words were written in the training text: one bit per place (sentence start, middle, unknown) and case.
_MIDDLE_UPPER = 1 << 2
_UPPER = 1 << 1 | 1 << 2 | 1 << 3
_START_LOWER = 1 << 4
_LOWER = 1 << 4 | 1 << 5 | 1 << 6

_FILES = ("abbrev_types.txt", "collocations.tab", "sent_starters.txt", "ortho_context.tab")
_NUMBER = "##number##"
_ASCII_SPACES = " \t\n\r\x0b\x0c"

_CUT = r"[])}({[\"';:*@!?]"  # one of these ends the word before it
_RUN = r"(?:--+|\.\.+|(?:\.\s){2,}\.)"  # dashes and dots that are one token
_WORD = re.compile(
    rf"""{_RUN}
       | [^]()}}{{["`;:&\#*@,\-\s] \S*? (?= \s | \Z | {_CUT} | {_RUN} | ,(?= \s | \Z | {_CUT} | {_RUN} ) )
       | \S""",
    re.VERBOSE,
)
_STOP = re.compile(rf"[.?!](?=({_CUT}|\s+(\S+)))")  # what follows it, and the next word in that
_CLOSING = "\"')]}"
_CLOSERS = re.compile(r"""["')\]}]+?(?:\s+|(?=--)|$)""", re.MULTILINE)
_NUMERIC = re.compile(r"-?[.,]?\d[\d,.-]*\.?")
_INITIAL = re.compile(r"[^\W\d]\.")


@lru_cache(maxsize=1)
def english() -> Punkt:
    """The splitter with the fetched English parameters; without them an error that names the command to get them."""
    from expound import resources  # only a few metrics need a fetched file

    return Punkt.load(resources.path("punkt"))


@dataclass(frozen=True, eq=False)
class Punkt:
    """A sentence splitter with the parameters of one language."""

    abbreviations: frozenset[str] = frozenset()
    collocations: frozenset[tuple[str, str]] = frozenset()
    starters: frozenset[str] = frozenset()
    spellings: Mapping[str, int] = field(default_factory=dict, repr=False)

    @classmethod
    def load(cls, path: Path) -> Punkt:
        """Read the English parameters from `punkt_tab.zip`, or from the folder it unpacks to."""
        try:
            abbreviations, collocations, starters, spellings = (_read_lines(path, name) for name in _FILES)
            pairs = (line.split("\t") for line in collocations)
            places = (line.split("\t") for line in spellings)
            return cls(
                frozenset(abbreviations),
                frozenset((first, second) for first, second in pairs),
                frozenset(starters),
                {word: int(bits) for word, bits in places},
            )
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            raise BadInput(f"{path} does not hold the English punkt_tab files ({error}); fetch it again") from error

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text."""
        return [text[start:end] for start, end in self.spans(text)]

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where each sentence starts and ends; the spaces between sentences belong to none."""
        return _move_closers(text, self._rough_spans(text))

    def _rough_spans(self, text: str) -> list[tuple[int, int]]:
        """Sentences cut right after the full stop: a closing quote or bracket still opens the next one."""
        spans = []
        start = 0
        for stop, word_start in _possible_ends(text):
            if self._has_break(text, word_start, stop):
                spans.append((start, stop.end()))
                next_start = stop.start(2)
                start = stop.end() if next_start < 0 else next_start
        spans.append((start, len(text.rstrip())))
        return spans

    def _has_break(self, text: str, start: int, stop: re.Match[str]) -> bool:
        """Whether a sentence ends inside the stretch from a word to what follows its mark, before its last token."""
        word, following = text[start : stop.start()], (stop[2] or "").removesuffix(",")
        # Nearly all stretches are two plain words with a mark between them: no need to cut them into tokens.
        if word.isalnum() and following.isalpha():
            is_plain = stop[0] != "." or self._is_plain_end(word.lower(), following)
            return is_plain or self._breaks(f"{word}.", following)
        tokens = pairwise(_words(text[start : stop.end(1)]))
        return any(self._breaks(word, following) for word, following in tokens if word[-1] in ".?!")

    def _is_plain_end(self, kind: str, following: str) -> bool:
        """Whether a word before a full stop is surely no abbreviation, initial or number."""
        if len(kind) == 1 or kind in self.abbreviations or not kind[0].isalpha():
            return False
        return (kind, following.lower()) not in self.collocations

    def _breaks(self, word: str, following: str) -> bool:
        """Whether a sentence ends between two tokens (sections 4.1 to 4.3 of the paper)."""
        if not word.endswith("."):
            return word in ("?", "!")
        kind, next_kind = _without_stop(_kind(word)), self._kind_of_next(following)
        if (kind, next_kind) in self.collocations:
            return False
        is_initial = len(word) == 2 and bool(_INITIAL.fullmatch(word))
        if not self._ends(word):
            return not is_initial and self._starts_after_abbreviation(following, next_kind)
        if is_initial or kind == _NUMBER:
            return self._starts_after_initial(following, next_kind, is_initial=is_initial)
        return True

    def _ends(self, word: str) -> bool:
        """Whether the word by itself looks like the end of a sentence: a full stop that makes no abbreviation."""
        if not word.endswith(".") or word.endswith(".."):
            return word in ("?", "!")
        bare = word[:-1].lower()
        return bare not in self.abbreviations and bare.rpartition("-")[2] not in self.abbreviations

    def _kind_of_next(self, word: str) -> str:
        kind = _kind(word)
        return _without_stop(kind) if self._ends(word) else kind

    def _starts_after_abbreviation(self, word: str, kind: str) -> bool:
        """Whether a word that follows an abbreviation or dots starts a sentence all the same."""
        return self._starts_sentence(word, kind) is True or (word[0].isupper() and kind in self.starters)

    def _starts_after_initial(self, word: str, kind: str, *, is_initial: bool) -> bool:
        """Whether a word that follows an initial or an ordinal starts a sentence: a name does not."""
        starts = self._starts_sentence(word, kind)
        if starts is None and is_initial and word[0].isupper():
            return bool(self.spellings.get(kind, 0) & _LOWER)
        return starts is not False

    def _starts_sentence(self, word: str, kind: str) -> bool | None:
        """What the case of a word says about it standing at the start of a sentence; None when it says nothing."""
        if word in (";", ":", ",", ".", "!", "?"):
            return False
        seen = self.spellings.get(kind, 0)
        if word[0].isupper() and seen & _LOWER and not seen & _MIDDLE_UPPER:
            return True
        if word[0].islower() and (seen & _UPPER or not seen & _START_LOWER):
            return False
        return None


def _kind(word: str) -> str:
    """What the parameters know a word by: lower case, and one name for all numbers."""
    lower = word.lower()
    # Most words begin with a letter: no need to try the expression.
    return _NUMBER if not lower[0].isalpha() and _NUMERIC.fullmatch(lower) else lower


def _without_stop(kind: str) -> str:
    return kind[:-1] if len(kind) > 1 and kind.endswith(".") else kind


def _possible_ends(text: str) -> list[tuple[re.Match[str], int]]:
    """Each mark that may end a sentence (the last of its word), and where its word starts."""
    ends = []
    spaces = [space for space in _ASCII_SPACES if space in text]
    word_start = scanned = 0
    candidate: re.Match[str] | None = None
    for stop in _STOP.finditer(text):
        here = stop.start()
        space = max([text.rfind(space, scanned, here) for space in spaces], default=-1)
        # A mark without a word before it is a candidate even when another follows it.
        if candidate and (space > scanned or word_start == scanned):
            ends.append((candidate, word_start))
        # A space that opens the text is not looked at: it counts as part of the first word.
        if space > scanned:
            word_start = space + 1
        candidate, scanned = stop, here
    if candidate:
        ends.append((candidate, word_start))
    return ends


def _words(context: str) -> list[str]:
    """The tokens of a context; none crosses a line."""
    return [word for line in context.split("\n") for word in _WORD.findall(line)]


def _move_closers(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans, with closing quotes and brackets moved from the start of a sentence to the end of the one before."""
    moved = []
    start, end = spans[0]
    for next_start, next_end in spans[1:]:
        # Few sentences begin with one: most are spared the expression.
        closers = _CLOSERS.match(text, next_start, next_end) if text[next_start] in _CLOSING else None
        if closers:
            moved.append((start, next_start + len(closers[0].rstrip())))
            next_start = closers.end()
        elif start < end:
            moved.append((start, end))
        start, end = next_start, next_end
    if start < end:
        moved.append((start, end))
    return moved


def _read_lines(path: Path, name: str) -> list[str]:
    """The lines of one parameter file, from a zip or a folder."""
    if path.is_dir():
        places = [path / folder / name for folder in (".", "english", "punkt_tab/english")]
        return next(filter(Path.exists, places), path / name).read_text(encoding="utf-8").splitlines()
    with zipfile.ZipFile(path) as archive:
        return archive.read(f"punkt_tab/english/{name}").decode("utf-8").splitlines()
