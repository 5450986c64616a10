"""Letters that LaTeX cannot set by itself: which packages or engine set them, and what stands for them elsewhere."""

from __future__ import annotations

import unicodedata

# Tried one by one with pdflatex and its own fonts (encoding OT1): these need the encoding T1.
_NEED_T1 = frozenset("«»ÐÞðþĄąĐđĘęĮįŊŋŲų")
_IN_NO_ENCODING = frozenset("ĦħĸĿŀŉŦŧſ")
_LAST_LATIN = "\u017f"
_PUNCTUATION = frozenset("–—‘’“”…•†‡€™")
_IN_MATH = {"≤": "\\leq", "≥": "\\geq", "≠": "\\neq", "≈": "\\approx", "−": "-", "∞": "\\infty", "∆": "\\Delta"}
# Capitals that look like Latin ones have no command of their own.
_GREEK_CAPITALS = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧ", "ABEZHIKMNOPTX", strict=True))
_GREEK_NAMES = {"lamda": "lambda", "final sigma": "varsigma", "omicron": "mathit{o}"}


def letter_lines(table: str) -> list[str]:
    """What has to stand above a table: packages, the engine, and stand-ins for an engine that has not the letters."""
    letters = sorted(set(table) - set(map(chr, range(128))))
    packages = "\\usepackage{booktabs,graphicx}"
    first = f"% \\usepackage[T1]{{fontenc}}{packages}" if _NEED_T1 & set(letters) else f"% {packages}"
    beyond = [letter for letter in letters if not _is_set(letter)]
    return [first, *(_beyond_lines(beyond) if beyond else ())]


def _is_set(letter: str) -> bool:
    """Whether pdflatex has the letter, in its own encoding or in T1."""
    return letter in _PUNCTUATION or ("\u00a0" <= letter <= _LAST_LATIN and letter not in _IN_NO_ENCODING)


def _beyond_lines(letters: list[str]) -> list[str]:
    # pdflatex keeps what a letter stands for under this name; a paper that has declared it already keeps its own.
    stand_ins = [
        f"\\expandafter\\providecommand\\csname u8:\\detokenize{{{letter}}}\\endcsname{{{_stand_in(letter)}}}"
        for letter in letters
    ]
    return [
        "% Some letters below are not in LaTeX's own fonts. Compile with lualatex or xelatex and a font that has them:",
        "% \\usepackage{fontspec}\\setmainfont{...}",
        "% pdflatex prints the following in their place: Greek as in formulas, of others the number in Unicode.",
        "\\ifdefined\\XeTeXversion\\else\\ifdefined\\directlua\\else",
        *stand_ins,
        "\\fi\\fi",
    ]


def _stand_in(letter: str) -> str:
    # Joiners and selectors only say how their neighbours look.
    if unicodedata.category(letter) == "Cf" or unicodedata.name(letter, "").startswith("VARIATION SELECTOR"):
        return ""
    formula = _IN_MATH.get(letter) or _greek(letter)
    return f"\\ensuremath{{{formula}}}" if formula else f"[U+{ord(letter):04X}]"


def _greek(letter: str) -> str:
    """The command of a Greek letter without accents, else nothing."""
    if letter in _GREEK_CAPITALS:
        return f"\\mathrm{{{_GREEK_CAPITALS[letter]}}}"
    if not ("Α" <= letter <= "Ω" or "α" <= letter <= "ω"):
        return ""
    name = unicodedata.name(letter).rpartition(" LETTER ")[2].lower()
    command = _GREEK_NAMES.get(name, name)
    return f"\\{command.capitalize() if letter <= 'Ω' else command}"
