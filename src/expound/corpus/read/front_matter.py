"""The header of a Markdown file: YAML or TOML between two rules, of which only the title is text."""

from __future__ import annotations

import re

_LINE = re.compile(r"[\w.\-\"' ]+[:=]|[ \t]|[-#\]}]|$")
_TITLE = re.compile(r"title\s*[:=]\s*(.+)", re.IGNORECASE)


def split_front_matter(lines: list[str]) -> tuple[str, list[str]]:
    """The title that a YAML or TOML header gives, and the lines below the header."""
    fence = lines[0].rstrip()
    if fence not in ("---", "+++"):
        return "", lines
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in (fence, "..."):
            titles = [_unquote(found.group(1)) for found in map(_TITLE.match, lines[:number]) if found]
            return (titles[0] if titles else ""), lines[number + 1 :]
        # No header after all: a rule at the top of a page, with text below it.
        if not _LINE.match(line):
            break
    return "", lines


def _unquote(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value
