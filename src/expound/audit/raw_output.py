"""Answers that nobody was meant to read as they are: JSON, tags, Markdown source, a model's special tokens."""

from __future__ import annotations

import re

JSON, TAGS, MARKDOWN = "JSON", "tags", "Markdown"

_OPENS = re.compile(r"""\s*(?:```\w*\s*)?(?:\{\s*["'\[{}]|\[\s*["'{\[])""")
_KEY = re.compile(r"""["']\w[\w -]{0,40}["']\s*:\s*(?:["'\[{\d]|true|false|null)""")
_SPECIAL = re.compile(r"</?s>|<\|\w+\|>|\[/?INST\]|<(?:pad|unk|eos|bos)>")
# A line break alone is left by forms that people write in; a pair of tags is not.
_TAG = re.compile(r"</[A-Za-z][\w:-]*\s*>|<(?:p|li|div|img|hr)\b[^<>]*>", re.IGNORECASE)
_BLOCK = re.compile(r"^ {0,3}(?:#{1,6} +\w|```|~~~|\|?[ :]*-{3,}[ :]*\|)|!\[[^\]\n]*\]\(", re.MULTILINE)
_LINK = re.compile(r"\[[^\[\]\n]+\]\((?:https?:|/|#)[^()\s]*\)")
_BOLD = re.compile(r"\*\*(?=\S)[^*\n]+\*\*|__(?=\S)[^_\n]+__")
_BULLET = re.compile(r"^ {0,6}[-*+] +\S", re.MULTILINE)


def form_of(text: str) -> str:
    """What a text is written in, if not in prose.

    Bold words alone are how chat models write, and lists are how people do; bold words in lists are a layout.

    >>> form_of('{"answer": "Because."}'), form_of("<p>Because.</p>"), form_of("## Why?"), form_of("Because.")
    ('JSON', 'tags', 'Markdown', '')
    """
    # A special token beside prose is told apart; it makes no markup of it.
    plain = _SPECIAL.sub("", text)
    # Two keys: one may be quoted in prose.
    if _OPENS.match(plain) or len(_KEY.findall(plain)) > 1:
        return JSON
    if _TAG.search(plain):
        return TAGS
    is_laid_out = bool(_BOLD.search(plain)) and len(_BULLET.findall(plain)) > 1
    # One link is a source, several are a layout.
    return MARKDOWN if is_laid_out or _BLOCK.search(plain) or len(_LINK.findall(plain)) > 1 else ""


def special_token(text: str) -> str:
    """A token that a language model ends or begins with and that was not taken out, if there is one."""
    found = _SPECIAL.search(text)
    return found.group() if found else ""
