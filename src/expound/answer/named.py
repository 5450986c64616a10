"""Say what an extract is about where only its heading does: "Type: Int. Default: 30" of a setting tells nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from expound.answer.entries import Entry
from expound.answer.extracts import Extract
from expound.text.titled import heading_names
from expound.types import Evidence, Passage

# What programs, settings and functions are called, and nothing else: "--quiet, -q", "max_size", "content.images",
# "fake-key", "PollingInterval", "format_time()", "rsync(1)".
_OPTION = re.compile(r"--?[A-Za-z][\w-]*.{0,80}")
_CALLED = re.compile(r"[\w.:$-]+\((?:\d\w{0,4}|\.{3})?\)")
_SIGNS = re.compile(r"\w_\w|[A-Za-z]\.[A-Za-z]")
_WRITTEN = re.compile(r"[$@:]?[\w.:$-]+")
_CAPITAL_WITHIN = re.compile(r"[a-z][A-Z]")
_LOWER = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_LETTERS = re.compile(r"\W+")


def name_extracts(extracts: Sequence[Extract], evidence: Sequence[Evidence]) -> list[Extract]:
    """The extracts, each behind the name of the setting, command or function that its section is about, if it does
    not say that name itself."""
    passages = {item.number: item.passage for item in evidence}
    # The only document needs no name: who asks one man page knows which.
    has_titles = len({passage.title for passage in passages.values()}) > 1
    named: list[Extract] = []
    last = ""
    for extract in extracts:
        name = _name_of(passages[extract.number], has_titles)
        # Two extracts of one section: once is enough.
        is_said = name == last or _says(extract, name)
        named.append(extract if not name or is_said else replace(extract, entries=_behind(name, extract.entries)))
        last = name
    return named


def is_name(heading: str) -> bool:
    """Whether a heading is what a program, a setting or a function is called, as no section of prose is.

    >>> [is_name(text) for text in ("max_size", "--quiet, -q", "PollingInterval", "Purpose", "4.2", "Set-up")]
    [True, True, True, False, False, False]
    """
    if _OPTION.fullmatch(heading) or _CALLED.fullmatch(heading) or _LOWER.fullmatch(heading):
        return True
    is_written = _WRITTEN.fullmatch(heading) is not None
    return is_written and (_SIGNS.search(heading) is not None or _CAPITAL_WITHIN.search(heading) is not None)


def _name_of(passage: Passage, has_titles: bool) -> str:
    """The innermost heading that is a name; the title is one where it is called like a command or a function."""
    names = [heading for heading in heading_names(passage.source.heading) if is_name(heading)]
    if names:
        return names[-1]
    # "GitHub" and "readme" are titles of prose; behind the name of a man page stands what it is for.
    title = passage.title.split(" - ")[0]
    return title if has_titles and _CALLED.fullmatch(title) else ""


def _says(extract: Extract, name: str) -> bool:
    text = " ".join(_LETTERS.sub(" ", entry.text.lower()) for entry in extract.entries)
    first = _LETTERS.sub(" ", name.split(",")[0].split("(")[0].split(" ")[0].lower()).strip()
    return f" {first} " in f" {' '.join(text.split())} "


def _behind(name: str, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries with the name before the first sentence, in brackets as all that is added to what is quoted."""
    first, *rest = entries
    # Above code it would be copied with it, and above rows it would be their header.
    if first.kind != "sentence":
        return entries
    return (replace(first, text=f"[{name}] {first.text}", opens=True), *rest)
