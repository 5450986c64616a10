"""HTML in Markdown that no reader sees: comments, scripts and style sheets, which may go on for several lines."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A comment that is not closed in its line takes the rest of it.
_CODE_OR_COMMENT = re.compile(r"(?<!`)(`++)[^`]++\1(?!`)|<!--(?:-?>|(?:[^-]++|-(?!->))*+(?:-->)?)")
_HTML_CODE = re.compile(r" {0,3}<(script|style)\b", re.IGNORECASE)


@dataclass(slots=True)
class HiddenHtml:
    """What is open at the end of a line: a comment, or the code of the element that is named."""

    in_comment: bool = False
    code: str = ""

    def without_comments(self, line: str) -> str:
        """The line without HTML comments; in code a comment is a word like any."""
        if "<!--" not in line and not self.in_comment:
            return line
        start = 0
        if self.in_comment:
            end = line.find("-->")
            if end < 0:
                return ""
            self.in_comment, start = False, end + 3
        kept: list[str] = []
        for match in _CODE_OR_COMMENT.finditer(line, start):
            if not match.group().startswith("<!--"):
                continue  # code
            kept.append(line[start : match.start()])
            start = match.end()
            self.in_comment = not match.group().endswith("-->")
        return "".join([*kept, line[start:]])

    def skip_code(self, line: str) -> None:
        """Leave out a script or a style sheet, up to the line that ends it."""
        start = _HTML_CODE.match(line)
        if not self.code and start:
            self.code = start.group(1).lower()
        if f"</{self.code}" in line.lower():
            self.code = ""


def opens_code(line: str) -> bool:
    """Whether a line begins a script or a style sheet."""
    return _HTML_CODE.match(line) is not None
