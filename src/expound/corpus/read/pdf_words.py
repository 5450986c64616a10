"""The words of a PDF page with their places, sizes and fonts, as PDFium gives them."""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from expound.corpus.read.unwrap import BREAK_MARK

_BOLD = re.compile(r"bold|black|heavy|semibold|demi|medi$|cmbx|sfbx|ecbx|lmroman\d+-bold", re.IGNORECASE)
_MONO = re.compile(
    r"cour|mono|consol|cmtt|sftt|ectt|lmtt|txtt|typewriter|menlo|fixed|inconsolata|cmsltt", re.IGNORECASE
)
_SIGNS = re.compile(r"cmsy|cmmi|cmex|msam|symbol|dingbat", re.IGNORECASE)
_FIXED_PITCH = 1  # the first flag of a PDF's font descriptor (ISO 32000-1, 9.8.2)
# Characters that only typewriter type gives one width; of how many a nameless font must show to be judged.
_PROBES = "ilmWw.aeo"
_FEWEST_PROBES = 4  # of the nine: a subset font lacks the letters that its text does not use
# Characters: a few lines of text show most letters of a font that says nothing of itself.
_PROBED = 400
# In ems: a gap inside a word from which on it is two words.
_SPACE = 0.25
_SPACES = frozenset(map(ord, " \t\xa0\u2002\u2003\u2009\u200a\u202f\u3000"))
_NAMES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
# What cannot be printed or searched for: unmapped glyphs, soft hyphens, zero-width signs.
_NOTHING = frozenset((0, 0xAD, 0x200B, 0x200C, 0x200D, 0xFEFF))
_PRIVATE = range(0xE000, 0xF900)
# The mark of a note stands behind its word and may have a stop behind it.
_DIGITS_LAST = re.compile(r"(?<=\D)(?P<digits>\d{1,3})[.,;:!?)”\"]*$")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
# Raised digits are set at 60 to 75 % and lifted by a third of the type; old-style figures are as large as the rest.
_SMALL = 0.85
_RISE = 0.15  # half of that lift, so that a little less still counts


@dataclass(frozen=True, slots=True)
class Font:
    """What the look of a word tells about its part in the text."""

    size: float
    is_bold: bool = False
    is_mono: bool = False
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Word:
    """Characters without a space between them. `run` counts PDFium's lines; `starts` has each character's left edge."""

    text: str
    left: float
    right: float
    base: float
    font: Font
    run: int
    starts: tuple[float, ...] = ()


def page_words(text_page: Any) -> list[Word]:
    """The words of a page in the file's order, upright; what is printed at another angle is left out."""
    words = list(_WordMaker(text_page).words())
    turns = Counter[int]()
    for word in words:
        turns[word.font.turn] += len(word.text)
    if not turns:
        return []
    # Watermarks and tables of contents on the margin are printed across; the text is what most letters are.
    main = turns.most_common(1)[0][0]
    return [word for word in words if word.font.turn == main and word.text]


class _WordMaker:
    """Goes through the characters of one page; remembers fonts, since asking for them is slow."""

    def __init__(self, text_page: Any) -> None:
        import pypdfium2.raw as pdfium

        self._pdfium = pdfium
        self._page = text_page
        self._fonts: dict[int, Font] = {}
        self._monos: dict[int, bool] = {}
        self._box = pdfium.FS_RECTF()
        self._matrix = pdfium.FS_MATRIX()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()

    def words(self) -> Iterator[Word]:
        """Words end at spaces and line breaks; PDFium writes those that the file shows by distance only."""
        run, start = 0, -1
        letters: list[str] = []
        for index in range(self._pdfium.FPDFText_CountChars(self._page)):
            code = self._pdfium.FPDFText_GetUnicode(self._page, index)
            is_break = code in (10, 13)
            if is_break or code in _SPACES:
                if letters:
                    yield from self._parts(letters, start, run)
                letters, run = [], run + is_break
                continue
            if not letters:
                start = index
            letters.append(_letter(code))
            # The mark stands for hyphen and line break together.
            if letters[-1] == BREAK_MARK:
                yield from self._parts(letters, start, run)
                letters, run = [], run + 1
        if letters:
            yield from self._parts(letters, start, run)

    def _parts(self, letters: Sequence[str], start: int, run: int) -> Iterator[Word]:
        """The word, or the words: PDFium takes a space next to a kerned letter for none."""
        font = self._font(start)
        letters = self._with_raised(letters, start, font)
        spans = [self._span(start + number, font.turn) for number in range(len(letters))]
        begin = 0
        # Typewriter type has wide gaps beside narrow letters, and spaces are told by columns there.
        if not font.is_mono:
            for number in _wide_gaps(spans, font.size):
                yield self._word(letters[begin:number], spans[begin:number], start + begin, font=font, run=run)
                begin = number
        yield self._word(letters[begin:], spans[begin:], start + begin, font=font, run=run)

    def _with_raised(self, letters: Sequence[str], start: int, font: Font) -> Sequence[str]:
        """The letters, small raised digits at their end as such: "notes¹⁷" has a footnote, "notes17" is a name."""
        # A ligature is more than one character of the text, so that places would shift: such a word has no place here.
        found = _DIGITS_LAST.search("".join(letters))
        if found is None or not all(len(letter) == 1 for letter in letters) or font.turn:
            return letters
        places = range(*found.span("digits"))
        if not all(self._is_raised(start + place, start, font) for place in places):
            return letters
        return [letter.translate(_RAISED) if place in places else letter for place, letter in enumerate(letters)]

    def _is_raised(self, index: int, start: int, font: Font) -> bool:
        if self._font(index).size > _SMALL * font.size:
            return False
        return self._base(index) > self._base(start) + _RISE * font.size

    def _base(self, index: int) -> float:
        self._pdfium.FPDFText_GetCharOrigin(self._page, index, self._x, self._y)
        return self._y.value

    def _word(
        self, letters: Sequence[str], spans: Sequence[tuple[float, float]], start: int, font: Font, run: int
    ) -> Word:
        self._pdfium.FPDFText_GetCharOrigin(self._page, start, self._x, self._y)
        return Word(
            text="".join(letters),
            left=min(left for left, _ in spans),
            right=max(right for _, right in spans),
            base=_turn_point(self._x.value, self._y.value, font.turn)[1],
            font=font,
            run=run,
            # Only code needs the place of every letter, to keep its columns.
            starts=tuple(left for left, _ in spans) if font.is_mono else (),
        )

    def _span(self, index: int, turn: int) -> tuple[float, float]:
        """Where a character starts and ends on its line."""
        box = self._box
        self._pdfium.FPDFText_GetLooseCharBox(self._page, index, box)
        one, other = _turn_point(box.left, box.bottom, turn)[0], _turn_point(box.right, box.top, turn)[0]
        return (one, other) if one <= other else (other, one)

    def _font(self, index: int) -> Font:
        text_object = self._pdfium.FPDFText_GetTextObject(self._page, index)
        if not text_object:
            # PDFium makes spaces of its own that belong to no text object.
            return Font(10.0)
        key = ctypes.addressof(text_object.contents)
        if key not in self._fonts:
            self._fonts[key] = self._look(text_object, index)
        return self._fonts[key]

    def _look(self, text_object: Any, index: int) -> Font:
        pdfium = self._pdfium
        font = pdfium.FPDFTextObj_GetFont(text_object)
        name = ctypes.create_string_buffer(128)
        pdfium.FPDFFont_GetBaseFontName(font, name, 128)
        label = name.value.decode("latin-1")
        pdfium.FPDFText_GetMatrix(self._page, index, self._matrix)
        matrix = self._matrix
        # The font's size is in units that the page's matrix may stretch.
        size = pdfium.FPDFText_GetFontSize(self._page, index) * math.hypot(matrix.c, matrix.d)
        turn = round(math.degrees(math.atan2(matrix.b, matrix.a)) / 90) % 4
        # Half points: the same type is measured a little differently from page to page.
        return Font(round(size * 2) / 2 or 0.5, bool(_BOLD.search(label)), self._is_mono(font, label, index), turn)

    def _is_mono(self, font: Any, label: str, index: int) -> bool:
        """Whether a font is typewriter type, by its name, its own word or the widths of its characters."""
        key = ctypes.addressof(font.contents)
        if key not in self._monos:
            is_named = bool(_MONO.search(label) or self._pdfium.FPDFFont_GetFlags(font) & _FIXED_PITCH)
            is_even = not _SIGNS.search(label) and _is_even(self._widths(font) or self._measure_widths(key, index))
            self._monos[key] = is_named or is_even
        return self._monos[key]

    def _widths(self, font: Any) -> list[float]:
        width, widths = ctypes.c_float(), []
        for letter in _PROBES:
            if self._pdfium.FPDFFont_GetGlyphWidth(font, ord(letter), 10.0, width) and width.value > 0:
                widths.append(width.value)
        return widths

    def _measure_widths(self, key: int, start: int) -> list[float]:
        """The widths of the letters that a font without widths (Type 3) shows on this page."""
        widths: dict[int, float] = {}
        for index in range(start, min(start + _PROBED, self._pdfium.FPDFText_CountChars(self._page))):
            text_object = self._pdfium.FPDFText_GetTextObject(self._page, index)
            code = self._pdfium.FPDFText_GetUnicode(self._page, index)
            if not text_object or not chr(code).isalnum():
                continue
            font = self._pdfium.FPDFTextObj_GetFont(text_object)
            if ctypes.addressof(font.contents) == key:
                left, right = self._span(index, 0)
                widths[code] = right - left
        return list(widths.values())


def _wide_gaps(spans: Sequence[tuple[float, float]], size: float) -> list[int]:
    """Before which characters a space is missing; in letter-spaced words all gaps are wide, and none is a space."""
    gaps = [after[0] - before[1] for before, after in pairwise(spans)]
    wide = [number for number, gap in enumerate(gaps, 1) if gap > _SPACE * size]
    # Letter-spaced headings: every gap is wide.
    return wide if 2 * len(wide) <= len(gaps) + 1 else []


def _is_even(widths: Sequence[float]) -> bool:
    return len(widths) >= _FEWEST_PROBES and max(widths) < 1.03 * min(widths)


def _turn_point(x: float, y: float, turn: int) -> tuple[float, float]:
    """A point after the page was turned so that text at that angle (in quarters) runs to the right."""
    return ((x, y), (y, -x), (-x, -y), (-y, x))[turn]


def _letter(code: int) -> str:
    if code in _NOTHING:
        return ""
    # Symbol fonts put their bullets where Unicode has no characters.
    if code in _PRIVATE:
        return "•"
    letter = chr(code) if code != 2 else BREAK_MARK
    return _NAMES.get(letter, letter)
