"""Make untrusted text safe to print: no control characters, terminal escapes, or signs that nobody can see."""

from __future__ import annotations

import re

# Marks and overrides of direction, annotations, deprecated format characters, tags and supplementary selectors: none of
# them is text, and a line can say one thing with them and show another.
UNSEEN = (
    "\u061c\u200e\u200f\u202a-\u202e\u2061-\u2064\u2066-\u206f\ufff9-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Letters, marks and ideographs in ranges without any of these, as nearly all texts are: a class that is quick to match.
_USUAL = re.compile("[\t\n -~\xa0-\u061b\u061d-\u200d\u2010-\u2027\u2070-\ud7ff]*+")
_SUSPECT = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029{UNSEEN}\ud800-\udfff]")
_BREAKS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_ESCAPE = "\x1b"
_C1 = re.compile("[\x80-\x9f]")
# Possessive repeats and bodies that stop at any control character keep the time linear on hostile input.
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]"  # control sequence, such as a colour
    r"|[\]PX^_][^\x00-\x1f\x7f]*+(?:\x07|\x1b\\)"  # string, such as a window title or a hyperlink
    r"|[ -/]*+[0-~])"
)
_LEFTOVERS = re.compile(f"[\x00-\x08\x0e-\x1f\x7f{UNSEEN}]")
_SURROGATES = re.compile("[\ud800-\udfff]")
# Joiners, fillers and selectors shape the letters of some scripts and hold emoji together; behind a Latin letter they
# only hide, and so does a second selector behind the first.
_SHAPING = "\u115f\u1160\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f"
_HIDDEN = re.compile(
    f"[{UNSEEN}\xad\u034f\u17b4\u17b5\u180e\u200b\u2060\u3164\ufeff\uffa0\ufff0-\ufff8]"
    f"|(?<![^\x00-\u024f\u200b-\u200d])[{_SHAPING}]+|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]+"
)


def plain(text: str) -> str:
    """The text with only newline and tab left of its control characters; broken characters become U+FFFD."""
    # `isprintable` is many times faster than a pattern, but takes selectors for letters.
    if (text.isascii() and text.isprintable()) or _USUAL.fullmatch(text) or not _SUSPECT.search(text):
        return text
    # A long page with one stray sign is gone over once for each kind of sign that it has, not for all kinds.
    signs = "".join(set(_SUSPECT.findall(text)))
    # First, so that two kinds of line ends are one.
    if _BREAKS.search(signs):
        text = _BREAKS.sub("\n", text)
    if _C1.search(signs):
        text = _C1.sub(_as_escape, text)
    # Whole sequences before single characters: what is left of a cut one would be shown.
    if _ESCAPE in text:
        text = _ESCAPES.sub("", text)
    if _ESCAPE in text or _LEFTOVERS.search(signs.replace(_ESCAPE, "")):
        text = _LEFTOVERS.sub("", text)
    return _SURROGATES.sub("\ufffd", text) if _SURROGATES.search(signs) else text


def plain_line(text: str) -> str:
    """The text as one safe line with single spaces, for titles, headings and messages."""
    return " ".join(plain(text).split())


def visible(text: str) -> str:
    """The text for a screen, without the characters of no width that a document may well hold."""
    return text if text.isascii() else _HIDDEN.sub("", text)


def _as_escape(match: re.Match[str]) -> str:
    """The two-character form of a C1 control (ECMA-48), so that one pattern finds both."""
    return _ESCAPE + chr(ord(match.group()) - 0x40)
