"""Make untrusted text safe to print: no control characters, terminal escapes or bidirectional overrides."""

from __future__ import annotations

import re

_SUSPECT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_BREAKS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_C1 = re.compile("[\x80-\x9f]")
# Possessive repeats and bodies that stop at any control character keep the time linear on hostile input.
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]"  # control sequence, such as a colour
    r"|[\]PX^_][^\x00-\x1f\x7f]*+(?:\x07|\x1b\\)"  # string, such as a window title or a hyperlink
    r"|[ -/]*+[0-~])"
)
_LEFTOVERS = re.compile("[\x00-\x08\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def plain(text: str) -> str:
    """The text with only newline and tab left of its control characters; broken characters become U+FFFD."""
    # `isprintable` is many times faster than a pattern and true for most one-line texts.
    if text.isprintable() or not _SUSPECT.search(text):
        return text
    text = _BREAKS.sub("\n", text)
    text = _C1.sub(_as_escape, text)
    text = _ESCAPES.sub("", text)
    return _SURROGATES.sub("\ufffd", _LEFTOVERS.sub("", text))


def plain_line(text: str) -> str:
    """The text as one safe line with single spaces, for titles, headings and messages."""
    return " ".join(plain(text).split())


def _as_escape(match: re.Match[str]) -> str:
    """The two-character form of a C1 control (ECMA-48), so that one pattern finds both."""
    return "\x1b" + chr(ord(match.group()) - 0x40)
