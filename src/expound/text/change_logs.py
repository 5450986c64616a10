"""Tell change logs and licences from manuals: they name everything and explain nothing."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

# "CHANGES", "ChangeLog.gz", "news.rst", "release_notes.md", "00-whatsnew.html": the whole name, so that
# "changesets.md" stays a manual.
_FILE = re.compile(
    r"(?:\d+[._-])?(?:change-?s?(?:[_-]?logs?)?|news|history|release[_-]?notes?|whats[_-]?new)[\d._-]*", re.I
)
# The name of a chapter, also within a manual's own file. "News in 3.2" is one, "News servers" of a mail reader is not.
_HEADING = re.compile(
    r"(?:change ?logs?|changes|changed(?= \(?v?\d)|release notes|release history|what['’]s new|"
    r"(?:news|new features)(?=$| >| (?:in|for|since)\b| v?\d))\b"
    r"(?! (?:to|of)\b)",
    re.I,
)
# Who asks for such words may well mean a change log.
_ASKED = re.compile(
    r"\b(?:versions?|releases?d?|chang(?:ed?|es|elogs?)|new|since|introduced|added|removed|deprecated|fixed|upgrad\w*)\b",
    re.I,
)


def is_change_log(file: str, heading: str, title: str = "") -> bool:
    """Whether a place is in a change log, by the name of its file, of the chapter it stands in or of its document.

    >>> is_change_log("doc/NEWS.gz", ""), is_change_log("guide.html", "Release notes > 2.1")
    (True, True)
    >>> is_change_log("news/feed.md", "")
    False
    """
    stem = PurePosixPath(file).name.split(".")[0]
    return _FILE.fullmatch(stem) is not None or any(_HEADING.match(text) for text in (heading, title))


def asks_for_changes(question: str) -> bool:
    """Whether a question may be about versions and what changed in them.

    >>> asks_for_changes("Which version added threads?"), asks_for_changes("How do I report a bug?")
    (True, False)
    """
    return _ASKED.search(question) is not None


# The text of a licence, not the section "License and authors" that says which one it is.
_LICENCE = re.compile(
    r"\b(?:(?:general|lesser|affero|library|mozilla|eclipse)(?: general)? public|free documentation|apache|"
    r"creative commons)\b"
    r"[^>]*\blicen[cs]e\b",
    re.I,
)
# "COPYING", "LICENSE-MIT", "licenses": the whole name, so that "copying-files.html" stays a manual.
_LICENCE_FILE = re.compile(
    r"(?:licen[cs]es?|copying|copyrights?)"
    r"(?:[_-]?(?:[al]?gpl|fdl|gfdl|mit|bsd|apache|mpl|cc|lib|lesser|\d)[\w-]*)?",
    re.I,
)
_LICENCE_ASKED = re.compile(
    r"\b(?:licen[cs]\w*|copyright\w*|copying|gpl\w*|legal\w*|warrant\w*|redistribut\w*)\b", re.I
)


def is_licence(file: str, heading: str) -> bool:
    """Whether a place is in the text of a licence, by the name of its file or of a heading above it.

    >>> is_licence("index.html", "GNU General Public License"), is_licence("guide.html", "License and authors")
    (True, False)
    """
    stem = PurePosixPath(file).name.split(".")[0]
    return _LICENCE_FILE.fullmatch(stem) is not None or _LICENCE.search(heading) is not None


def asks_for_licence(question: str) -> bool:
    """Whether a question may be about a licence.

    >>> asks_for_licence("Under which licence is it?"), asks_for_licence("Which file do I change?")
    (True, False)
    """
    return _LICENCE_ASKED.search(question) is not None
