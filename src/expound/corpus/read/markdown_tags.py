"""Tell what a site generator is told from what readers see: tags, labels and options among the lines of Markdown."""

from __future__ import annotations

import re

_TAG = r"\{\{[^{}]*+\}\}|\{%[^{}]*%\}"
_TOLD = re.compile(
    # Hugo, Jekyll, GitBook: {{< copyable "sql" >}}, {% endhint %}, {{ page.toc }}
    rf"(?:(?:{_TAG})\s*+)++"
    # kramdown's attributes, MyST's labels and breaks, contents that the generator makes
    r"|\{:[^{}]*+\}|\([\w.:/-]++\)=|\+\+\+|\[\[?_?TOC_?\]?\]"
    # snippets and includes; in a quotation, what kind of aside it is
    r"|-{1,3}8<-{1,3}.*+|;-{1,3}8<-{1,3}.*+|\[!INCLUDE\b.*\]|\[![A-Z]{3,12}\][-+]?"
    # MDX
    r"|import [^'\"]{1,200} from ['\"][^'\"]++['\"];?|import ['\"][^'\"]++['\"];?"
    # abbreviations, which are shown on hovering alone
    r"|\*\[[^\[\]]++\]:.*+",
    re.IGNORECASE,
)
_OPTION = re.compile(r":[a-z][\w-]*+:(?:\s.*+)?|-{3}")
_TAB_LABEL = re.compile(r"([ \t]*)===[!+]?[ \t]+\"([^\"]++)\"[ \t]*")
_ASIDES = frozenset(
    "note tip warning important caution danger attention error hint seealso admonition versionadded versionchanged "
    "deprecated todo dropdown details epigraph sidebar margin topic card tab-item tab-set grid".split()
)
_UNSEEN = frozenset(
    "toctree tableofcontents contents image index raw include literalinclude automodule autoclass autofunction "
    "autosummary bibliography tags figure-md".split()
)


def is_told(line: str) -> bool:
    """Whether a line is meant for the generator alone, from its first character to its last."""
    text = line.strip()
    # By its first character before the pattern is tried: it is asked of every line of every file.
    return bool(text) and text[0] in "{([+-;iI*" and _TOLD.fullmatch(text) is not None


def is_option(line: str) -> bool:
    """Whether a line below the opening of a directive sets one of its options."""
    return _OPTION.fullmatch(line.strip()) is not None


def tab_label(line: str) -> tuple[int, str] | None:
    """Where a tab of several begins, how far it is set in and what it is called."""
    found = _TAB_LABEL.fullmatch(line)
    return (len(found.group(1)), found.group(2)) if found else None


def holds_prose(directive: str) -> bool:
    """Whether what a directive holds is text like that around it."""
    return directive in _ASIDES


def is_unseen(directive: str) -> bool:
    """Whether what a directive holds is read by the generator alone."""
    return directive in _UNSEEN
