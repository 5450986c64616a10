"""A line of mdoc macros as it is seen: each takes the words up to the next, some put signs around what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from expound.corpus.read.man_escapes import JOIN, JOIN_BACK, Strings, split_arguments

_CLOSING = frozenset(".,:;)]?!")
_OPENING = frozenset("([")
_AROUND = {
    "Op": "[]",
    "Aq": "<>",
    "Bq": "[]",
    "Brq": "{}",
    "Pq": "()",
    "Qq": '""',
    "Sq": "‘’",
    "Dq": "“”",
    "Ql": "‘’",
}
"""To the end of the line."""
_OPEN = {"Oo": "[", "Ao": "<", "Bo": "[", "Bro": "{", "Po": "(", "Qo": '"', "So": "‘", "Do": "“"}
_CLOSE = {"Oc": "]", "Ac": ">", "Bc": "]", "Brc": "}", "Pc": ")", "Qc": '"', "Sc": "’", "Dc": "”"}
_SYSTEMS = {"Ux": "UNIX", "Nx": "NetBSD", "Ox": "OpenBSD", "Fx": "FreeBSD", "Dx": "DragonFly", "Bsx": "BSD/OS"}
_STANDARDS = {
    "-ansiC": "ANSI X3.159-1989 (“ANSI C89”)",
    "-isoC": "ISO/IEC 9899:1990 (“ISO C90”)",
    "-isoC-99": "ISO/IEC 9899:1999 (“ISO C99”)",
    "-isoC-2011": "ISO/IEC 9899:2011 (“ISO C11”)",
    "-p1003.1": "IEEE Std 1003.1 (“POSIX.1”)",
    "-p1003.2": "IEEE Std 1003.2 (“POSIX.2”)",
    "-susv2": "Version 2 of the Single UNIX Specification (“SUSv2”)",
    "-susv3": "Version 3 of the Single UNIX Specification (“SUSv3”)",
    "-svid4": "System V Interface Definition 4",
}
_WORDS = frozenset("Ad An Ar Cd Cm Dv Eo Er Ev Fa Fr Ft Hf Ic Lb Li Ms Mt No Ot Pa Sx Sy Em Tn Va Vt Es En".split())


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    is_quoted: bool = False


class Words:
    """Turns lines of macros into text; remembers the page's name, and whether a term is still open."""

    def __init__(self, strings: Strings) -> None:
        self.name = ""
        self.is_synopsis = False
        self.is_term_open = False
        self._strings = strings
        self._spaced = True
        # Whether the line before was one without blanks: then there is none between the lines either.
        self._goes_on = False
        self._function: list[str] | None = None
        self._begin([])

    def seen(self, line: str) -> str:
        """The text of a line; where it goes on with the line before or behind it, JOIN stands there."""
        words = [
            _Word(part, quoted)
            for text, quoted in split_arguments(line)
            for part in (_parted(text) if not quoted else [text])
        ]
        ends = _pop_closing(words)
        self._begin(words)
        self._joins = self._goes_on
        while self._place < len(self._words):
            self._take()
        for sign in reversed(self._closers):
            self._put(sign, left=True)
        for word in ends:
            self._put(word.text, left=True)
        self._goes_on = not self._spaced and (self._goes_on or bool(self._pieces))
        return "".join([*self._pieces, JOIN if self._glued else ""])

    def _begin(self, words: list[_Word]) -> None:
        self._words, self._place = words, 0
        self._pieces: list[str] = []
        self._closers: list[str] = []
        self._glued = self._joins = False

    def _take(self) -> None:
        """The next macro with its words, or the next word."""
        word = self._next()
        if word.is_quoted or word.text not in CALLED:
            self._word(word)
        elif word.text in _AROUND:
            signs = _AROUND[word.text]
            self._put(signs[0])
            self._glued = True
            self._closers.append(signs[1])
        elif word.text in _OPEN:
            self._put(_OPEN[word.text])
            self._glued = True
        elif word.text in _CLOSE:
            self._put(_CLOSE[word.text], left=True)
        else:
            _CALLS.get(word.text, Words._plain)(self, word.text)

    def _next(self) -> _Word:
        self._place += 1
        return self._words[self._place - 1]

    def _is_word(self) -> bool:
        """Whether another word comes before the next macro."""
        if self._place >= len(self._words):
            return False
        word = self._words[self._place]
        return word.is_quoted or word.text not in CALLED

    def _is_argument(self) -> bool:
        return self._is_word() and self._words[self._place].text not in _CLOSING

    def _put(self, text: str, *, left: bool = False) -> None:
        if self._pieces and not self._glued and not left and self._spaced:
            self._pieces.append(" ")
        # Nothing in front to be close to: it is close to the line before.
        elif not self._pieces and (left or self._joins):
            self._pieces.append(JOIN_BACK)
        self._pieces.append(text)
        self._glued = False

    def _word(self, word: _Word, prefix: str = "") -> None:
        if not word.is_quoted and word.text in _CLOSING:
            self._put(word.text, left=True)
        elif not word.is_quoted and word.text in _OPENING:
            self._put(word.text)
            self._glued = True
        else:
            bare = not word.is_quoted and word.text == "|"
            self._put(("" if bare else prefix) + self._strings.seen(word.text))

    def _plain(self, name: str) -> None:
        """A macro that only says what kind of words follow."""
        if not self._is_argument() and name in ("Ar", "Pa"):
            self._put("file ..." if name == "Ar" else "~")
        if name == "An" and self._is_argument() and self._words[self._place].text in ("-split", "-nosplit"):
            self._place += 1
        if name == "Fa" and self._function is not None:
            while self._is_word():
                self._function.append(self._strings.seen(self._next().text))

    def _flag(self, _: str) -> None:
        if not self._is_argument():
            self._put("-")
            # `Fl Fl name` is a flag of two dashes.
            self._glued = self._place < len(self._words) and not self._is_word()
        while self._is_word():
            self._word(self._next(), "-")

    def _own_name(self, _: str) -> None:
        if self._is_argument():
            name = self._strings.seen(self._words[self._place].text)
            self.name = self.name or name
        elif self.name:
            self._put(self.name)

    def _no_space(self, _: str) -> None:
        self._glued = True
        self._joins = self._joins or not self._pieces

    def _apostrophe(self, _: str) -> None:
        self._put("'", left=True)
        self._glued = True

    def _prefix(self, _: str) -> None:
        if self._place < len(self._words):
            self._put(self._strings.seen(self._next().text))
            self._glued = True

    def _spacing(self, _: str) -> None:
        if self._is_argument():
            self._spaced = self._next().text != "off"
        else:
            self._spaced = not self._spaced

    def _reference(self, _: str) -> None:
        if self._is_argument():
            name = self._strings.seen(self._next().text)
            section = self._strings.seen(self._next().text) if self._is_argument() else ""
            self._put(f"{name}({section})" if section else name)

    def _call(self, _: str) -> None:
        if self._is_argument():
            name = self._strings.seen(self._next().text)
            self._put(f"{name}({', '.join(self._arguments())}){';' if self.is_synopsis else ''}")

    def _arguments(self) -> Iterable[str]:
        while self._is_argument():
            yield self._strings.seen(self._next().text)

    def _open_function(self, _: str) -> None:
        self._put(" ".join(self._arguments()))
        self._function = []

    def _close_function(self, _: str) -> None:
        self._put(f"({', '.join(self._function or [])}){';' if self.is_synopsis else ''}", left=True)
        self._function = None

    def _include(self, _: str) -> None:
        if self._is_argument():
            self._put(f"<{self._strings.seen(self._next().text)}>")

    def _standard(self, _: str) -> None:
        for name in self._arguments():
            known = _STANDARDS.get(name) or name.removeprefix("-")
            self._put(f"IEEE Std {known[1:]}" if known.startswith("p1003") else known)

    def _system(self, name: str) -> None:
        self._put(" ".join([_SYSTEMS[name], *self._arguments()]))

    def _berkeley(self, _: str) -> None:
        self._put("-".join(filter(None, ["".join([*list(self._arguments())[:1], "BSD"])])))

    def _bell(self, _: str) -> None:
        versions = list(self._arguments())
        version = versions[0] if versions else ""
        if version[:1] == "v" or version == "32v":
            self._put(f"Version {version.strip('v')} AT&T UNIX")
        else:
            self._put(f"AT&T System {version} UNIX" if version else "AT&T UNIX")

    def _link(self, _: str) -> None:
        if self._is_argument():
            address, text = self._strings.seen(self._next().text), " ".join(self._arguments())
            self._put(f"{text}: {address}" if text else address)

    def _cell(self, _: str) -> None:
        self._put("\t")

    def _open_term(self, _: str) -> None:
        self.is_term_open = True

    def _close_term(self, _: str) -> None:
        self.is_term_open = False


def _parted(text: str) -> list[str]:
    """A word with the tabs in it by themselves: they part the cells of a row."""
    return [part for piece in text.split("\t") for part in (piece, "Ta")][:-1] if "\t" in text else [text]


def _pop_closing(words: list[_Word]) -> list[_Word]:
    """Take the punctuation off the end of a line: it stands behind every sign that the line closes."""
    count = 0
    while count < len(words) and not words[-1 - count].is_quoted and words[-1 - count].text in _CLOSING:
        count += 1
    # A line that is nothing else has it as its text.
    ends = words[len(words) - count :] if 0 < count < len(words) else []
    del words[len(words) - len(ends) :]
    return ends


_CALLS: dict[str, Callable[[Words, str], None]] = {
    "Fl": Words._flag,
    "Nm": Words._own_name,
    "Ns": Words._no_space,
    "Ap": Words._apostrophe,
    "Pf": Words._prefix,
    "Sm": Words._spacing,
    "Xr": Words._reference,
    "Fn": Words._call,
    "Fo": Words._open_function,
    "Fc": Words._close_function,
    "In": Words._include,
    "St": Words._standard,
    "Bx": Words._berkeley,
    "At": Words._bell,
    "Lk": Words._link,
    "Ta": Words._cell,
    "Xo": Words._open_term,
    "Xc": Words._close_term,
    **dict.fromkeys(_SYSTEMS, Words._system),
}
CALLED = frozenset((*_CALLS, *_AROUND, *_OPEN, *_CLOSE, *_WORDS))
"""The macros that may stand anywhere in a line."""
