"""Read prose of reStructuredText, Org, AsciiDoc and LaTeX as readers see it: for the screen and the search alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_KEPT = re.compile("\x00(\\d+)\x00")
_Replacement = str | Callable[[re.Match[str]], str]
_Rule = tuple[re.Pattern[str], _Replacement]

# Every repeat is possessive, bounded, or stops at the character that starts its pattern: the time stays linear.
_RST_CODE = re.compile(r"``([^`]++(?:`(?!`)[^`]++)*+)``")
_RST_ROLE = re.compile(r":((?:[A-Za-z][\w+.-]{0,40}+:){1,3}+)`([^`]++)`|`([^`]++)`:((?:[A-Za-z][\w+.-]{0,40}+:){1,3}+)")
_RST_PROSE_ROLES = frozenset(
    "ref doc term any numref guilabel menuselection abbr sub sup subscript superscript pep rfc emphasis strong title "
    "title-reference literary keyword download index dfn".split()
)
_RST_PLACES = frozenset(("ref", "doc", "numref"))
_RST_TARGET = re.compile(r"^([^<>]*[^<>\s])\s*<[^<>]*>$")
_RST_LINK = re.compile(r"`([^`<]++)<[^`<>]++>`__?")
_RST_ESCAPED = re.compile(r"\\(\S)")
_BOLD = re.compile(r"(?<![\w*])\*\*(?=[^\s*])([^*\n]++)(?<!\s)\*\*(?![\w*])")
_RST: Sequence[_Rule] = (
    (_RST_LINK, lambda match: match.group(1).strip()),
    (re.compile(r"`([^`]++)`__?"), r"\1"),
    (re.compile(r" ?\[(?:\d{1,9}|#[\w.-]{0,60}+|\*)\]_"), ""),
    (re.compile(r"\[([\w.-]{1,60}+)\]_"), r"[\1]"),
    (re.compile(r"\*\*(?=[^\s*])([^*]++)(?<!\s)\*\*"), r"\1"),
    (re.compile(r"(?<![\w*])\*(?=[^\s*])([^*]++)(?<!\s)\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<![\w|])\|([A-Za-z][^|\s]{0,80}+)\|_{0,2}(?![\w|])"), r"\1"),
    (re.compile(r"(?<![\w`])`([^`]++)`(?!\w)"), r"\1"),
    (re.compile(r"(?<![\w.-])([A-Za-z0-9](?:[\w.-]{0,80}[A-Za-z0-9])?)__?(?=[\s.,;:!?)\]]|$)"), r"\1"),
    (re.compile(r"(?<=\S)::$"), ":"),
    (re.compile(r"\s?::$"), ""),
    (re.compile(r"\\\s"), ""),
)

_EDGE, _AFTER = r"(?<![^\s({\[\"'—–-])", r"(?![^\s.,;:!?)}\]\"'—–-])"
_ORG_CODE = re.compile(rf"{_EDGE}([~=])(?=\S)((?:(?!\1).)++)(?<=\S)\1{_AFTER}")
_ORG: Sequence[_Rule] = (
    (re.compile(r"\[\[[^\[\]]++\]\[([^\[\]]++)\]\]"), r"\1"),
    (re.compile(r"\[\[([^\[\]]++)\]\]"), r"\1"),
    (re.compile(r"\[fn:[^\[\]]*+\]"), ""),
    (re.compile(r"@@[^@]*+@@"), ""),
    *((re.compile(rf"{_EDGE}{m}(?=\S)([^{m}]++)(?<=\S){m}{_AFTER}"), r"\1") for m in (r"\*", "/", "_", r"\+")),
)

_ADOC_CODE = re.compile(r"(?<![\w`])(`{1,2})(?=\S)([^`]++)\1(?!\w)|(?<![\w+])\+(?=\S)([^+]++)(?<=\S)\+(?!\w)")
_BRACKETED = r"\[((?:[^\[\]]{0,400}+))\]"
_ADOC: Sequence[_Rule] = (
    (re.compile(rf"\b(?:link|xref|mailto|image|icon|menu):[^\s\[\]]{{1,400}}+{_BRACKETED}"), r"\1"),
    (re.compile(rf"\b(?:kbd|btn|pass|stem|latexmath|asciimath):[a-z,]{{0,20}}+{_BRACKETED}"), r"\1"),
    (re.compile(rf"\s?\b(?:footnote|footnoteref|indexterm|anchor):[\w-]{{0,60}}+{_BRACKETED}"), ""),
    (re.compile(rf"\b(?:https?|ftp|irc)://[^\s\[\]]{{1,400}}+{_BRACKETED}"), r"\1"),
    (re.compile(r"<<[^<>,]++,([^<>]++)>>"), r"\1"),
    (re.compile(r"<<#?([^<>,]++)>>"), r"\1"),
    (re.compile(r"\[\[[\w:.-]{1,200}+(?:,[^\[\]]{0,200}+)?\]\]"), ""),
    (re.compile(r"\(\(\([^()]++\)\)\)"), ""),
    (re.compile(r"\(\(([^()]++)\)\)"), r"\1"),
    (re.compile(r"(?:\[[\w.#%, -]{1,80}+\])?##(?=\S)([^#]++)(?<=\S)##"), r"\1"),
    (re.compile(r"(?<![\w#&])(?:\[[\w.#%, -]{1,80}+\])?#(?=\S)([^#]++)(?<=\S)#(?!\w)"), r"\1"),
    (re.compile(r"\*\*(?=\S)([^*]++)(?<=\S)\*\*"), r"\1"),
    (re.compile(r"(?<![\w*])\*(?=\S)([^*]++)(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r"__(?=\S)([^_]++)(?<=\S)__"), r"\1"),
    (re.compile(r"(?<![\w_])_(?=\S)([^_]*+(?:(?<=\w)_(?=\w)[^_]*+)*+)(?<=\S)_(?![\w_])"), r"\1"),
    (re.compile(r" \+$", re.MULTILINE), ""),
    (re.compile(r"(?<!\w)\\(?=[\w*_`#{<\[])"), ""),
)

_TEX_VERB = re.compile(r"\\(?:verb|lstinline)\*?+(?:\[[^\[\]]*+\])?+([^\sA-Za-z*])([^\n]{0,400}?)\1")
_TEX_CODE = re.compile(
    r"\\(?:texttt|code|command|file|lstinline|mintinline(?:\{\w+\})?|path|env|option|cmd)\{([^{}]*+)\}"
)
_TEX_MATH = re.compile(r"\$[^$\n]++\$")
_TEX_ESCAPED = re.compile(r"\\([%&_#${}])")
_ARGUMENT = r"\{[^{}]*+\}"
_TEX_COMMAND = re.compile(r"\\[A-Za-z]++\*?+(?:\[[^\[\]{}]*+\]){0,2}+\{([^{}]*+)\}")
_TEX: Sequence[_Rule] = (
    (re.compile(rf"\\(?:label|index|vspace|hspace|pagestyle|thispagestyle|setlength)\*?+{_ARGUMENT}"), ""),
    (re.compile(rf"\\href{_ARGUMENT}\{{([^{{}}]*+)\}}"), r"\1"),
    (re.compile(rf"\\(?:textcolor|color|hyperref\[[^\[\]]*+\])(?:{_ARGUMENT})?(?=\{{)"), ""),
)
_TEX_END: Sequence[_Rule] = (
    (re.compile(r"\\(?:ldots|dots)(?![A-Za-z])(?:\{\})?"), "…"),
    (re.compile(r"\\(?:La)?TeX(?:2e)?(?![A-Za-z])(?:\{\})?"), lambda m: "LaTeX" if "La" in m.group() else "TeX"),
    (re.compile(r"\\(?:item|par|noindent|centering|newline|linebreak|newpage|clearpage)(?![A-Za-z])"), " "),
    (re.compile(r"\\[A-Za-z]++\*?+[ ]?"), ""),
    (re.compile(r"\\\\(?:\[[^\[\]]*+\])?+"), " "),
    (re.compile(r"\\[\"'`^~=.]\{?+([A-Za-z])\}?+"), r"\1"),
    (re.compile(r"\\[,;:! /@-]"), " "),
    (re.compile(r"(?<!\\)~"), " "),
    (re.compile(r"``|''"), '"'),
    (re.compile(r"(?<!-)---(?!-)"), "—"),
    (re.compile(r"(?<!-)--(?!-)(?=[\s\d])"), "–"),
    (re.compile(r"[{}]"), ""),
)
_DEEPEST = 4  # commands within commands that prose really has; a hostile file could have thousands


_RST_SAID = re.compile(r"^:(type|value|default): (?=\S)")


def render_rst(text: str) -> str:
    """Roles and links as their labels, emphasis without its marks, code in single backquotes.

    >>> render_rst("See :ref:`the guide <guide>`, :ref:`first_use` and :func:`~os.path.join`, or ``a_b``.")
    'See the guide, first use and `join`, or `a_b`.'
    >>> render_rst(":default: :code:`5` (five days)")
    'Default: `5` (five days)'
    """
    kept = _Kept()
    # An option of a setting, as Sphinx prints it.
    text = _RST_SAID.sub(lambda match: f"{match.group(1).capitalize()}: ", text)
    # Code first: a role or a star inside it is text.
    text = _RST_CODE.sub(lambda match: kept.keep(_code(match.group(1))), text)
    text = _RST_ROLE.sub(lambda match: kept.keep(_role(match)), text)
    text = _RST_ESCAPED.sub(lambda match: kept.keep(match.group(1)), text)
    return kept.put_back(_apply(_RST, text))


def render_text(text: str) -> str:
    """Plain text as it stands, unless its marks prove that it is reStructuredText in all but the file's name.

    >>> render_text("See :ref:`the guide <guide>`, **not** 2 ** 3.")
    'See the guide, not 2 ** 3.'
    """
    if "`" in text and (_RST_CODE.search(text) or _RST_ROLE.search(text) or _RST_LINK.search(text)):
        return render_rst(text)
    # A paragraph that ends so introduces code; the colons are markup, one of them is punctuation.
    text = text[:-1] if text.endswith("::") else text
    return _BOLD.sub(r"\1", text) if "**" in text else text


def render_org(text: str) -> str:
    """Links as their labels, emphasis without its marks, code in backquotes.

    >>> render_org("Use [[https://example.org][the manual]] and ~setq~ *now*.")
    'Use the manual and `setq` now.'
    """
    kept = _Kept()
    text = _ORG_CODE.sub(lambda match: kept.keep(_code(match.group(2))), text)
    return kept.put_back(_apply(_ORG, text))


def render_adoc(text: str) -> str:
    """Links and references as their labels, emphasis without its marks, code in backquotes.

    >>> render_adoc("See <<intro,the introduction>> or https://example.org[the site]; *run* `make all`.")
    'See the introduction or the site; run `make all`.'
    """
    kept = _Kept()
    text = _ADOC_CODE.sub(lambda match: kept.keep(_code((match.group(2) or match.group(3)).strip("+"))), text)
    return kept.put_back(_apply(_ADOC, text))


def render_tex(text: str) -> str:
    r"""Commands as what they print, as far as that can be known; formulas stay as they are.

    >>> render_tex(r"The \emph{first} 10\% of \texttt{a\_b}~\cite{knuth} is $x^2$.")
    'The first 10% of `a_b` knuth is $x^2$.'
    """
    kept = _Kept()
    text = _TEX_VERB.sub(lambda match: kept.keep(_code(match.group(2))), text)
    # Before formulas: an escaped dollar opens none.
    text = _TEX_ESCAPED.sub(lambda match: kept.keep(match.group(1)), text)
    text = _TEX_MATH.sub(lambda match: kept.keep(match.group()), text)
    # After formulas, whose commands must stay.
    text = _TEX_CODE.sub(lambda match: kept.keep(_code(match.group(1))), text)
    text = _apply(_TEX, text)
    for _ in range(_DEEPEST):  # the innermost command first
        before, text = text, _TEX_COMMAND.sub(r"\1", text)
        if text == before:
            break
    return kept.put_back(_apply(_TEX_END, text))


RENDERERS: dict[str, Callable[[str], str]] = {
    ".rst": render_rst,
    ".txt": render_text,
    ".org": render_org,
    ".adoc": render_adoc,
    ".asciidoc": render_adoc,
    ".tex": render_tex,
}
"""By the suffix of the file."""


class _Kept:
    """What must stay as it is, out of the way of the patterns that follow. NUL must not occur in the text."""

    def __init__(self) -> None:
        self._pieces: list[str] = []

    def keep(self, piece: str) -> str:
        self._pieces.append(piece)
        return f"\x00{len(self._pieces) - 1}\x00"

    def put_back(self, text: str) -> str:
        """The text with its pieces, one space between words; a piece may hold another."""
        # A kept role may hold kept code, and that a kept escape.
        for _ in range(3 if self._pieces else 0):
            text = _KEPT.sub(lambda match: self._pieces[int(match.group(1))], text)
        return " ".join(text.split())


def _apply(rules: Sequence[_Rule], text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text


def _code(text: str) -> str:
    return f"`{text}`"


def _role(match: re.Match[str]) -> str:
    """What a role shows: its label, or the end of a name that is marked as short; names of things are code."""
    name = (match.group(1) or match.group(4)).rstrip(":").rpartition(":")[2]
    text = match.group(2) or match.group(3)
    # The pattern looks for a bracket at the end, which takes time on a long text.
    target = _RST_TARGET.match(text) if len(text) < 1000 else None
    if target:
        return target.group(1)
    # Sphinx shows only the last part of such a name.
    if text.startswith("~"):
        text = text[1:].rpartition(".")[2] or text
    text = text.lstrip("!")
    if name in _RST_PLACES:
        return _place_words(text)
    return text if name in _RST_PROSE_ROLES else _code(text)


def _place_words(label: str) -> str:
    """A label or a path as words: what Sphinx would show in its place is the heading there, which is mostly alike."""
    return re.sub(r"[-_]+", " ", label.rpartition("/")[2] or label).strip() or label
