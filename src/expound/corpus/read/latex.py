r"""Read LaTeX: sections, paragraphs, lists, listings, tables, captions; comments, layout and the preamble go.

No macro is expanded: what stands in a paragraph is kept as it is written, `\emph{x}` and `50\%` included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from expound.corpus.read.builder import Builder, dedent
from expound.corpus.read.document import Block, Document, join_cells
from expound.corpus.read.raw import read_text, stem_of
from expound.text.markup import render_tex
from expound.text.plain import plain

_LEVELS = {
    "part": 0,
    "chapter": 1,
    "section": 2,
    "subsection": 3,
    "subsubsection": 4,
    "paragraph": 5,
    "subparagraph": 6,
}
_VERBATIM_NAMES = (
    "verbatim Verbatim lstlisting minted alltt BVerbatim LVerbatim Highlighting code sourcecode shell comment "
    "filecontents"
)
_VERBATIM = frozenset(_VERBATIM_NAMES.split())
_FORMULAS = frozenset("equation align eqnarray gather multline displaymath math alignat flalign".split())
_TABLES = frozenset("tabular tabularx longtable tabulary array supertabular tabu tblr".split())
_LISTS = frozenset("itemize enumerate description list compactitem compactenum inparaenum trivlist".split())
_QUOTATIONS = frozenset("quote quotation verse displayquote".split())
# The braces of an argument may hold braces, two deep, and no more than a few lines.
_ARGUMENT = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]{0,500}+\}){0,2000}+\}){0,2000}+)\}"
_OPTION = r"(?:\s*\[(?:[^\[\]]|\[[^\[\]]{0,200}+\]){0,1000}+\])"
_TITLE = re.compile(rf"\\title{_OPTION}?+\s*{_ARGUMENT}")
# An even number of backslashes escapes itself and not the percent sign. Possessive, so that a line of a million
# backslashes is tried once.
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*+)%.*")
_OPENS = re.compile(r"(?:\s|%.*+)*+\\document(?:class|style)(?![A-Za-z])")
_BEGINS = re.compile(r"^(?:[^%\\\n]|\\(?!begin\s*\{document\}).)*+\\begin\s*\{document\}", re.MULTILINE)
_PIECE = re.compile(
    rf"(?P<blank>\n[ \t]*\n\s*)"
    rf"|\\(?P<head>part|chapter|(?:sub){{0,2}}section|(?:sub)?paragraph)\*?+{_OPTION}?+\s*{_ARGUMENT}"
    rf"|\\begin\s*\{{(?P<begin>[^{{}}\s]{{1,40}})\}}"
    rf"|\\end\s*\{{(?P<end>[^{{}}\s]{{1,40}})\}}"
    rf"|\\item(?![A-Za-z])(?P<term>{_OPTION}?+)"
    rf"|\\caption\*?+{_OPTION}?+\s*{_ARGUMENT}"
    r"|(?P<display>\\\[)"
    r"|\\par(?![A-Za-z])"
)
_LAYOUT_FIRST = re.compile(
    r"(?:\s*\\(?:label|index|vspace|hspace|pagestyle|thispagestyle|setlength|setcounter|addtolength|includegraphics|input|"
    r"include|bibliography|bibliographystyle|usepackage|renewcommand|newcommand|providecommand|maketitle|tableofcontents|"
    r"newpage|clearpage|cleardoublepage|centering|noindent|bigskip|medskip|smallskip|appendix|frontmatter|mainmatter|"
    r"backmatter|printindex|addcontentsline|hline|hrule|protect)(?![A-Za-z])\*?+"
    rf"(?:{_OPTION}|\s*\{{[^{{}}]{{0,500}}+\}})*+)++\s*"
)
_RULES = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot)(?![A-Za-z])"
    r"|\\noalign(?![A-Za-z])(?:\{\})?"
    r"|\\c(?:line|midrule)\s*(?:\([^()]{0,20}\))?\{[^{}]{0,40}\}"
)
_ROW_END = re.compile(r"\\\\(?:\s*\[[^\[\]]{0,40}\])?|\\tabularnewline(?![A-Za-z])")
_CELL_END = re.compile(r"(?<!\\)&")
_LANGUAGE = re.compile(r"language\s*=\s*\{?(?:\[[^\]]*\])?(\w[\w+#-]*)")
_MINTED = re.compile(r"\s*(?:\[[^\[\]]{0,500}\])?\s*\{(\w[\w+#-]*)\}")
# A brace that is never closed would make the rest of the file a heading.
_LONGEST_HEADING = 300


def read(path: Path) -> Iterator[Document]:
    """One document per file."""
    title, blocks = blocks_of(read_text(path))
    yield Document(title or stem_of(path), tuple(blocks))


def blocks_of(text: str) -> tuple[str, list[Block]]:
    """The title that a text sets, empty if it sets none, and its blocks."""
    text = plain(text).strip("\ufeff")
    # Titles stand in the preamble; a whole book need not be searched.
    title = _TITLE.search(_without_comments(text[: 1 << 20]))
    reader = _Reader(_body(text))
    reader.run()
    return (render_tex(title.group(1).replace("\\\\", " ")) if title else ""), reader.builder.blocks


def _body(text: str) -> str:
    """What stands between the outermost marks; a chapter without a preamble may speak of them."""
    start = re.search(r"^\\begin\s*\{document\}", text, re.MULTILINE)
    # A file that a program has written may have its preamble in one line.
    if start is None and _OPENS.match(text):
        start = _BEGINS.search(text)
    elif start and not re.search(r"^\s*\\document(?:class|style)", text[: start.start()], re.MULTILINE):
        start = None
    if start is None:
        # A chapter that is included elsewhere may quote the marks in its text.
        return text
    body = text[start.end() :]
    return body.rpartition("\n\\end{document}")[0] or body.rstrip().removesuffix("\\end{document}")


def _without_comments(text: str) -> str:
    """The text without what `%` hides; a line that is only a comment leaves no blank line behind."""
    kept = []
    for line in text.split("\n"):
        shown = _COMMENT.sub(r"\1", line) if "%" in line else line
        # A line that was only a comment would otherwise end the paragraph.
        if shown.strip() or shown == line:
            kept.append(shown)
    return "\n".join(kept)


class _Reader:
    """The blocks of a LaTeX body, from one mark to the next."""

    def __init__(self, body: str) -> None:
        self.builder = Builder()
        self._parts = list(_split_verbatim(body))
        self._text = ""
        self._position = 0
        self._lists: list[tuple[str, int]] = []
        self._quotations = 0

    def run(self) -> None:
        """Read all; what is verbatim was put aside before comments were taken out."""
        for kind, content in self._parts:
            if kind is None:
                self._read(_without_comments(content))
            # Comments are hidden, and `filecontents` is another file.
            elif kind[0] not in ("comment", "filecontents"):
                self.builder.add("code", "\n".join(dedent(content.split("\n"))), kind[1])
        self.builder.end()

    def _read(self, text: str) -> None:
        self._text, self._position = text, 0
        while piece := _PIECE.search(text, self._position):
            self._prose(text[self._position : piece.start()])
            self._position = piece.end()
            self._take(piece)
        self._prose(text[self._position :])

    def _prose(self, text: str) -> None:
        text = _without_layout(text)
        # What is left between two marks is often nothing but braces and spacing commands.
        if not any(map(str.isalnum, render_tex(text))):
            return
        if self._quotations and not self.builder.lines and self.builder.kind == "paragraph":
            self.builder.start("quotation")
        self.builder.take(text)

    def _take(self, piece: re.Match[str]) -> None:
        name = piece.group("begin")
        if piece.group("head"):
            # Cut before rendering, which takes time.
            heading = render_tex(piece.group(3)[:_LONGEST_HEADING])
            self.builder.open_heading(_LEVELS[piece.group("head")], heading)
        elif name:
            self._begin(name.rstrip("*"))
        elif piece.group("end"):
            self._end(piece.group("end").rstrip("*"))
        elif piece.group().startswith(r"\item"):
            self._start_item(piece.group("term").strip()[1:-1])
        elif piece.group().startswith(r"\caption"):
            self.builder.add("caption", piece.group(piece.lastindex or 0))
        elif piece.group("display"):
            self._add_held(r"\]", "tex")
        else:
            self.builder.end()

    def _begin(self, name: str) -> None:
        if name in _FORMULAS:
            self._add_held(rf"\end{{{name}", "tex")
        elif name in _TABLES:
            self._add_table(name)
        else:
            self.builder.end()
            self._lists += [(name, 0)] if name in _LISTS else []
            self._quotations += name in _QUOTATIONS
            # What stands behind a begin, such as [t] or {0.5\textwidth}, is layout.
            options = re.compile(rf"{_OPTION}?+(?:\s*\{{[^{{}}\n]{{0,80}}+\}})?+[ \t]*\n").match(
                self._text, self._position
            )
            self._position = options.end() if options else self._position

    def _end(self, name: str) -> None:
        self.builder.end()
        if name in _LISTS and self._lists:
            self._lists.pop()
        # An end without its begin must not make everything behind it a quotation.
        self._quotations -= name in _QUOTATIONS and self._quotations > 0

    def _start_item(self, term: str) -> None:
        # An item outside of any list is one of a list that another file has begun.
        name, number = self._lists.pop() if self._lists else ("itemize", 0)
        self._lists.append((name, number + 1))
        level = len(self._lists) - 1
        if name == "description" and term:
            self.builder.start("definition", level=level)
            self.builder.lines = [term]
        else:
            self.builder.start("item", term or (f"{number + 1}." if "enum" in name else "-"), level)

    def _take_until(self, end: str) -> str:
        """The text up to a mark, or all that is left if the mark never comes."""
        stop = self._text.find(end, self._position)
        content = self._text[self._position : stop if stop >= 0 else len(self._text)]
        stop = stop if stop >= 0 else len(self._text)
        # The end mark has a name in braces, perhaps with a star.
        brace = self._text.find("}", stop) if end.startswith(r"\end") else stop + 1
        self._position = max(brace + 1, stop)
        return content

    def _add_held(self, end: str, mark: str) -> None:
        self.builder.add("code", "\n".join(dedent(self._take_until(end).split("\n"))), mark)

    def _add_table(self, name: str) -> None:
        """A line a row, without the rules; the row above the first rule but one is the header."""
        content = re.sub(rf"^{_OPTION}?+(?:\s*{_ARGUMENT}){{1,2}}+", "", self._take_until(rf"\end{{{name}"), count=1)
        has_header = bool(re.search(r"\\(?:midrule|endhead|endfirsthead)", content)) or _is_ruled_head(content)
        rows = (_CELL_END.split(_RULES.sub(" ", row)) for row in _ROW_END.split(content))
        lines = [line for line in map(join_cells, rows) if line]
        self.builder.add("table", "\n".join(lines), "header" if has_header else "")


def _without_layout(text: str) -> str:
    """The text less the commands that it begins or ends with; those within it are part of what is quoted."""
    begin = _LAYOUT_FIRST.match(text)
    text = text[begin.end() :].strip() if begin else text.strip()
    head, newline, last = text.rpartition("\n")
    while newline and _LAYOUT_FIRST.fullmatch(last):
        text = head
        head, newline, last = text.rpartition("\n")
    return text


def _is_ruled_head(content: str) -> bool:
    """Whether a rule stands below the first row but not below the second."""
    rows = _ROW_END.split(content)
    return len(rows) > 3 and rows[1].lstrip().startswith(r"\hline") and not rows[2].lstrip().startswith(r"\hline")


def _split_verbatim(body: str) -> Iterator[tuple[tuple[str, str] | None, str]]:
    """Stretches of text (None) and of what is to be kept as it stands (its environment and language), in order."""
    position = 0
    # The longest name first: `Verbatim` would be found within `BVerbatim` otherwise.
    begin = re.compile(rf"\\begin\s*\{{({'|'.join(sorted(_VERBATIM, key=len, reverse=True))})(\*?)\}}")
    while found := begin.search(body, position):
        line_start = max(position, body.rfind("\n", position, found.start()))
        # A begin that is commented out begins nothing.
        if _COMMENT.search(body[line_start : found.start()]):
            yield None, body[position : found.end()].rpartition("%")[0]
            position = found.end()
            continue
        yield None, body[position : found.start()]
        end = rf"\end{{{found.group(1)}{found.group(2)}}}"
        stop = body.find(end, found.end())
        content = body[found.end() : stop if stop >= 0 else len(body)]
        position = stop + len(end) if stop >= 0 else len(body)
        first, newline, rest = content.partition("\n")
        language = _LANGUAGE.search(first) or (_MINTED.match(first) if found.group(1) == "minted" else None)
        # The options of an environment stand in its first line.
        is_option = first.strip()[:1] in ("[", "{", "")
        yield (
            (found.group(1), language.group(1).lower() if language else ""),
            rest if newline and is_option else content,
        )
    yield None, body[position:]
