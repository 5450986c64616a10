"""The lines of a man page in order: comments gone, conditions decided, its own macros replaced by what they hold.

Of the language that man pages are written in this knows what pages use. Nothing is computed: a condition that would
have to be does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass

from expound.corpus.read.man_escapes import Strings, split_arguments

_COMMENT = re.compile(r'((?:^|[^\\])(?:\\\\)*+)\\["#].*')
_CONTROL = re.compile(r"[.'][ \t]*([^\s\\]*)[ \t]*(.*)")
_GOES_ON = re.compile(r"(?:^|[^\\])(?:\\\\)*+\\$")
_DEFINES = frozenset(("am", "ami", "am1", "de", "dei", "de1", "ig"))
# A condition and what it governs: one letter, names that are or are not defined, two texts to compare, or a number.
_CONDITION = re.compile(
    r"(!*)\s*(?:([ntoev])(?=[\s\\.'!]|$)|([drcmFS])\s*(\S{1,80}?)(?=\s|\\\{|$)"
    r"|'([^'\n]{0,200})'([^'\n]{0,200})'|\"([^\"\n]{0,200})\"([^\"\n]{0,200})\"|(\S{0,200}?)(?=\s|\\\{|$))"
)
_COMPARED = re.compile(r"(\d{1,9})(==?|<=?|>=?)(\d{1,9})$")
_REGISTER = re.compile(r"\\n[+-]?(?:\((..)|\[([^\]\n]{1,80})\]|([^(\[]))")
_NUMBER = re.compile(r"(\S{1,80})\s+(\d{1,9})\s*$")
_DEEPEST = 10  # macros within macros, and conditions in one line
# Characters. What pages define is a few lines; these stop macros that call one another until the memory is full.
_LONGEST_BODY, _LONGEST_ARGUMENT, _MOST_EXPANDED = 10_000, 1_000, 4 << 20
_ARGUMENTS = re.compile(r"\\+\$(?:([1-9*@])|\(([1-9]\d)|\[([1-9]\d?)\])")
_COUNT = re.compile(r"\\+n(?:\(|\[)\.\$\]?")


@dataclass(frozen=True, slots=True)
class RoffLine:
    """A line of text, or the name of a macro and what stands behind it; escapes are still in both."""

    macro: str
    text: str


class RoffSource:
    """The lines of a page while they are gone through."""

    def __init__(self, text: str, strings: Strings, known: Container[str]) -> None:
        """`known` are macros that the page cannot define anew."""
        self.strings = strings
        self._known = known
        # The page, and above it the macros that are being gone through.
        self._stack: list[Iterator[str]] = [iter(text.split("\n"))]
        self._macros: dict[str, list[str]] = {}
        # That it is groff, which pages ask for, and what they set themselves.
        self._registers = {".g": "1"}
        self._left = _MOST_EXPANDED
        self._else: list[bool] = []

    def __iter__(self) -> Iterator[RoffLine]:
        while (line := self._next()) is not None:
            line = _COMMENT.sub(r"\1", line) if "\\" in line else line
            for _ in range(_DEEPEST):
                control = _CONTROL.match(line)
                if control is None:
                    yield RoffLine("", line)
                    break
                name, rest = control.groups()
                if name not in ("if", "ie", "el", "while"):
                    yield from self._request(name, rest)
                    break
                line = self._governed(name, rest)
                if not line.strip():
                    break

    def _next(self) -> str | None:
        """The next line, with those that it goes on in."""
        parts: list[str] = []
        while (line := self._raw()) is not None:
            # Nine of ten lines do not end so.
            if not (line.endswith("\\") and _GOES_ON.search(line[-80:])):
                break
            parts.append(line[:-1])
        return line if not parts else "".join([*parts, line or ""])

    def _raw(self) -> str | None:
        while self._stack:
            if (line := next(self._stack[-1], None)) is not None:
                return line
            self._stack.pop()
        return None

    def _governed(self, name: str, rest: str) -> str:
        """What a condition lets through of its line; of one that does not hold the whole of its block is skipped."""
        if name == "el":
            holds = self._else.pop() if self._else else False
        elif name == "while":
            holds = False
        else:
            holds, rest = self._decide(rest)
        if name == "ie":
            self._else.append(not holds)
        rest = rest.lstrip()
        if holds:
            return rest.removeprefix("\\{").lstrip() if rest.startswith("\\{") else rest
        depth = rest.count("\\{") - rest.count("\\}")
        while depth > 0 and (line := self._raw()) is not None:
            depth += line.count("\\{") - line.count("\\}")
        return ""

    def _decide(self, rest: str) -> tuple[bool, str]:
        """Whether a condition holds, as far as it can be known, and what stands behind it."""
        match = _CONDITION.match(rest)
        if match is None:
            return False, ""
        negated, letter, kind, name, *texts, number = match.groups()
        if letter:
            holds = letter in "no"  # a terminal, and its first page
        elif kind:
            holds = kind == "d" and (name in self.strings or name in self._macros or name in self._known)
        elif number is not None:
            holds = _is_positive(_REGISTER.sub(self._register, number))
        else:
            one, other = (self.strings.seen(text) for text in texts if text is not None)
            holds = one == other
        return holds != (len(negated) % 2 == 1), rest[match.end() :]

    def _register(self, match: re.Match[str]) -> str:
        return self._registers.get(next(filter(None, match.groups())), "0")

    def _request(self, name: str, rest: str) -> Iterator[RoffLine]:
        if name in _DEFINES:
            self._define(name, rest)
        elif name in ("ds", "as"):
            self._set_string(name, rest)
        elif name == "tr":
            self.strings.translate(rest.strip())
        elif name == "nr":
            if number := _NUMBER.match(rest):
                self._registers[number.group(1)] = number.group(2)
        elif name in self._macros and name not in self._known:
            self._expand(name, rest)
        elif name:
            yield RoffLine(name, rest)

    def _set_string(self, request: str, rest: str) -> None:
        name, _, value = rest.partition(" ")
        (self.strings.define if request == "ds" else self.strings.append)(name, value.lstrip(" ").removeprefix('"'))

    def _define(self, request: str, rest: str) -> None:
        """Take the lines of a macro; those that are to be ignored have no name."""
        words = rest.split()
        place = 0 if request == "ig" else 1
        end = words[place] if len(words) > place else "."
        body: list[str] = []
        size = 0
        while (line := self._raw()) is not None and not (line[:1] == "." and line[1:].strip() == end):
            size += len(line)
            if size <= _LONGEST_BODY:
                body.append(line)
        if place and words and request.startswith("de") and size <= _LONGEST_BODY:
            self._macros[words[0]] = body

    def _expand(self, name: str, rest: str) -> None:
        """Go on with the lines of a macro, its arguments put in."""
        if len(self._stack) > _DEEPEST or self._left <= 0:
            return
        arguments = [text[:_LONGEST_ARGUMENT] for text, _ in split_arguments(rest[:_LONGEST_BODY])]

        def argument(match: re.Match[str]) -> str:
            which = match.group(1) or match.group(2) or match.group(3)
            if which in "*@":
                return " ".join(arguments)[:_LONGEST_ARGUMENT]
            return arguments[int(which) - 1] if int(which) <= len(arguments) else ""

        lines: list[str] = []
        for line in self._macros[name]:
            line = _ARGUMENTS.sub(argument, _COUNT.sub(str(len(arguments)), line)).replace("\\\\", "\\")
            self._left -= len(line) + 1
            lines.append(line)
        self._stack.append(iter(lines))


def _is_positive(number: str) -> bool:
    """Whether an expression is more than nothing; one that would have to be computed is not."""
    if compared := _COMPARED.match(number):
        left, sign, right = int(compared.group(1)), compared.group(2), int(compared.group(3))
        return (left == right and "=" in sign) or (left < right and "<" in sign) or (left > right and ">" in sign)
    return number.isascii() and number.isdigit() and int(number) > 0
