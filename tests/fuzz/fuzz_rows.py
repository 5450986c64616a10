"""Every command crossed with everything odd that it could be given: the rows of the table."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, get_args

import typer

from expound.cli import build_app
from expound.datasets import spec
from fuzz.legal_lines import LINES, USUAL_FILES, Line
from fuzz.odd_values import (
    CHANGES,
    CHOICES,
    CONTENTS,
    ENDINGS,
    GZIPS,
    NAMED_PLACES,
    OUTS,
    PARTS,
    PLACES,
    REAL,
    STDINS,
    WHOLE,
    WORDS,
)

ODD_FOLDER = "odd"
_OUTS = ("--out", "--plot", "--html", "--database")
_PARTS = ("--system", "--retrieve", "--clarify", "--strategy", "--metric")

How = Literal["word", "place", "content", "change", "gzip"]


@dataclass(frozen=True)
class Row:
    """A command line with one odd thing in it."""

    command: str
    place: str
    """The argument or option that is odd."""
    odd: str
    """The name of what is odd about it."""
    arguments: tuple[str, ...]
    makes: How = "word"
    """Whether a file must be made first, and from which table."""
    file: str = ""
    """Where it is made."""
    like: str = ""
    """The file that was right."""
    stdin: bytes = b""

    @property
    def name(self) -> str:
        return f"{self.command} | {self.place} | {self.odd}"


def leaf_commands() -> dict[str, Any]:
    """Every command that does something, by its words."""
    return dict(_leaves(typer.main.get_command(build_app()), ()))


def _leaves(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    parts = getattr(command, "commands", None)
    if not parts:
        yield " ".join(words), command
    for name, part in (parts or {}).items():
        yield from _leaves(part, (*words, name))


def all_rows() -> list[Row]:
    """Everything crossed with everything, in the order of the commands: some 11,000 rows."""
    return [row for name, command in leaf_commands().items() for row in _rows(name, command)]


def reader_rows() -> list[Row]:
    """Every layout of a dataset, every kind of document and standard input, each given what it cannot read."""
    layouts = [
        _row("datasets info", f"layout {layout}", odd, (odd.word,))
        for layout in spec.layouts()
        for odd in _files(f"{layout}.json", f"{layout}:")
    ]
    documents = [
        _row("corpus add", f"document {ending}", odd, (odd.word,))
        for ending in ENDINGS
        for odd in _files(f"letter{ending}", "")
        if odd.makes != "word"
    ]
    return layouts + documents + list(_stdin_rows())


def _stdin_rows() -> Iterator[Row]:
    lines = ("ask - --corpus toys --model none", "corpus add - --name stdin", "search -", "clarify - --model none")
    for line in lines:
        for name, content in STDINS.items():
            words = tuple(line.split())
            command = " ".join(words[: words.index("-")])
            yield Row(command, "standard input", name, words, stdin=content)


def spread(rows: Iterable[Row], *, most: int, by: Callable[[Row], str] = attrgetter("command")) -> list[Row]:
    """At most so many rows of every command, always the same ones and of every kind: their order is that of a hash."""
    groups: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: sha256(row.name.encode()).digest()):
        groups.setdefault(by(row), []).append(row)
    return [row for found in groups.values() for row in found[:most]]


def _rows(name: str, command: Any) -> Iterator[Row]:
    line = LINES[name]
    options = _options_of(line)
    slots = [item for item in command.params if item.param_type_name == "argument"]
    for place, word in enumerate(line.arguments):
        slot = slots[min(place, len(slots) - 1)]
        for odd in _odd_for(slot, word):
            arguments = (*line.arguments[:place], odd.word, *line.arguments[place + 1 :])
            yield _row(name, f"{slot.name}{place + 1}", odd, (*arguments, *options))
    for option in command.params:
        if option.param_type_name == "option" and not option.is_flag and option.name != "help":
            yield from _option_rows(name, line, option)
    yield Row(name, "an option", "unknown", (*name.split(), *line.arguments, *options, "--no-such-option"))


def _option_rows(name: str, line: Line, option: Any) -> Iterator[Row]:
    flag = option.opts[0]
    given = _options_of(line)
    place = next((given.index(word) for word in option.opts if word in given), -1)
    for odd in _odd_for(option, given[place + 1] if place >= 0 else ""):
        changed = (*given[:place], f"{flag}={odd.word}", *given[place + 2 :]) if place >= 0 else None
        # A side file is given once a system.
        first = (f"{flag}={USUAL_FILES[flag]}",) if option.multiple and flag in USUAL_FILES and "--" in flag else ()
        added = (*given, *first, f"{flag}={odd.word}") if flag.startswith("--") else (*given, flag, odd.word)
        yield _row(name, flag, odd, (*line.arguments, *(changed or added)))


def _options_of(line: Line) -> tuple[str, ...]:
    return tuple(shlex.split(line.options))


@dataclass(frozen=True)
class _Odd:
    """What is put into a place: a word, perhaps of a file that is made first."""

    name: str
    word: str
    makes: How = "word"
    file: str = ""
    like: str = ""


def _row(command: str, place: str, odd: _Odd, arguments: tuple[str, ...]) -> Row:
    return Row(command, place, odd.name, (*command.split(), *arguments), odd.makes, odd.file, odd.like)


def _odd_for(slot: Any, usual: str) -> Iterator[_Odd]:
    """What a place could be given, by what it takes."""
    kind = _type_of(slot)
    if slot.opts[0] in _OUTS or usual == "new.toml":
        yield from _words(OUTS, after=Path(usual).suffix)
    elif kind is int:
        yield from _words(WHOLE)
    elif kind is float:
        yield from _words(REAL)
    elif "LAYOUT:PATH" in (slot.metavar or "") or slot.metavar == "SPEC":
        layout, _, path = (usual or "qa:qa.jsonl").partition(":")
        yield from _words(WORDS)
        yield from _files(path, f"{layout}:")
    elif kind is Path or Path(usual).suffix:
        yield from _files(usual or USUAL_FILES.get(slot.opts[0], "x.json"), "")
    elif kind is not str:
        yield from _words(CHOICES)
    else:
        yield from _words(WORDS)
        if slot.opts[0] in _PARTS:
            yield from _words(PARTS)


def _type_of(slot: Any) -> Any:
    annotation = slot.type_descriptor.annotation
    inner = [item for item in get_args(annotation) if item is not type(None)]
    return inner[0] if inner else annotation


def _words(table: Mapping[str, str], before: str = "", after: str = "") -> Iterator[_Odd]:
    for name, word in table.items():
        yield _Odd(name, f"{before}{word}{after}" if word else word)


def _files(usual: str, before: str) -> Iterator[_Odd]:
    """Everything that a file could be: another place, another content, or what was right and was changed."""
    for name, word in NAMED_PLACES.items():
        yield _Odd(f"path {name}" if before else name, f"{before}{word}" if word else word)
    ending = "".join(Path(usual).suffixes)
    tables: dict[How, Mapping[str, Any]] = {"place": PLACES, "content": CONTENTS, "change": CHANGES, "gzip": GZIPS}
    for makes, table in tables.items():
        for name in table:
            packed = ".gz" if makes == "gzip" else ""
            file = f"{ODD_FOLDER}/{name.replace(' ', '-').lower()}{ending}{packed}"
            yield _Odd(name, f"{before}{file}", makes, file, usual)
