"""Wikitext without sources and without what only changes how it looks: out of order, these make a parser take all for
words, and in order they are half of its work."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Not over the beginning of another: who forgot to close one does not lose the text up to the next.
_SOURCE = re.compile(r"<ref\b[^<>]*+(?<!/)>[^<]*+(?:<(?!/?ref\b)[^<]*+)*+</ref\s*+>", re.IGNORECASE)
# Within these, quotation marks are primes or code.
_EMPHASIS = re.compile(
    r"<(?P<end>/?)(?P<tag>math|nowiki|code|source|syntaxhighlight|pre)\b[^<>]*+(?<!/)>|(?P<quotes>'{2,})", re.IGNORECASE
)
# One quotation mark too many in how a table or a row looks, and the parser gives up the table. Behind the bar of a
# template's argument a dash may begin a number.
_LOOKS_OF_TABLES = re.compile(r"^([ \t]*+:*+[ \t]*+\{\||[ \t]*+\|-)(?![}\d.,])[^\n]*+", re.MULTILINE)
_RUN = re.compile("'{2,}")
_GENITIVE = re.compile(r"(?<=[^\W_])'''(?=s\b)")
_ITALIC, _BOLD, _BOTH = 2, 3, 5  # quotation marks


def simplify(text: str) -> str:
    """The wikitext without sources, bold and italic type, and how tables and their rows look."""
    text = _LOOKS_OF_TABLES.sub(r"\1", _SOURCE.sub("", text))
    text = "\n".join(map(_with_apostrophes, text.split("\n"))) if "'''" in text else text
    return _EMPHASIS.sub(_Emphasis().leave_out, text)


def _with_apostrophes(line: str) -> str:
    """A line in which "''Iliad'''s" is italic type with an apostrophe, which MediaWiki tells by the odd numbers."""
    runs = [len(run) for run in _RUN.findall(line)]
    if not (runs.count(_ITALIC) % 2 and runs.count(_BOLD) % 2):
        return line
    # One mark more than those of both kinds of type: it is left over.
    return _GENITIVE.sub("'" * (_BOTH + 1), line, count=1)


@dataclass
class _Emphasis:
    """A walk over the quotation marks of a page, which knows whether it is within a formula or code."""

    within: str = ""

    def leave_out(self, found: re.Match[str]) -> str:
        if found["quotes"] is None:
            self._pass_tag(found["tag"].lower(), is_end=bool(found["end"]))
        return found[0] if self.within or found["quotes"] is None else _left_of(found)

    def _pass_tag(self, name: str, *, is_end: bool) -> None:
        if is_end and self.within == name:
            self.within = ""
        elif not is_end and not self.within:
            self.within = name


def _left_of(found: re.Match[str]) -> str:
    """What is left of a run of quotation marks: an apostrophe, or nothing."""
    count = len(found[0])
    if left := count - _BOTH if count > _BOTH else count - _BOLD if _BOLD < count < _BOTH else 0:
        return "'" * left
    # Brackets that it kept apart would be markup together.
    before, after = found.string[found.start() - 1 : found.start()], found.string[found.end() : found.end() + 1]
    return " " if before == after and before in ("[", "]", "{", "}") else ""
