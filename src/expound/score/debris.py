"""Debris: what reading, cutting and joining leave behind in an answer's prose.

Every rule is a sign that readers take for damage and that sound prose hardly ever has; where a sign occurs in sound
prose too (a program's lower-case name at the start, `foo()`), the rule leaves it alone. What is written as code is not
judged, rows and steps only for markup and for characters that were lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from expound.text.continuing import begins_within
from expound.text.inline import render_inline
from expound.text.sentences import split_sentences
from expound.types import Answer, Evidence, Passage, Prediction, Question

PROSE = "sentence"
_OWN_STARTS = ("item", "definition", "caption", "quotation")
_FIRST_CHARACTERS = 30  # enough to know a beginning again, where an extract may be cut later


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """A sentence of an answer, or code, rows or steps of it; `starts_line` if a line break stands before it."""

    text: str
    kind: str = PROSE
    starts_line: bool = False


@dataclass(frozen=True)
class Debris:
    """Whether a prose sentence of the answer is damaged: 100 or 0. Not a number for an abstention."""

    name = "debris"

    def count(self, question: Question, prediction: Prediction) -> float:
        """100 if there is debris in the answer."""
        if prediction.abstained:
            return float("nan")
        return 100.0 if damages(pieces_of(prediction.answer), prediction.evidence) else 0.0


def damages(pieces: Sequence[AnswerPiece], evidence: Sequence[Evidence] = ()) -> list[str]:
    """What is damaged, each as the rule's name and the words it was seen in."""
    starts = _own_starts(evidence)
    found = [f"{rule}: {text}" for line in _lines(pieces) for rule, text in _in_line(line)]
    found += _slips(pieces, evidence)
    # PDFs have page numbers where other files have none.
    if any(item.passage.source.file.endswith(".pdf") for item in evidence):  # elsewhere a number may be an entry
        found += [f"page number: {piece.text}" for piece in pieces if _BARE_NUMBER.match(piece.text)]
    for place, piece in enumerate(pieces):
        if piece.kind != PROSE:
            continue
        before = pieces[place - 1] if place else None
        after = pieces[place + 1] if place + 1 < len(pieces) else None
        # `startswith(())` is false for everything; a character that no text has stands for no starts.
        if begins_amid(piece, before) and not piece.text.startswith(starts or ("\0",)):
            found.append(f"begins amid a sentence: {piece.text[:60]}")
        if ends_open(piece, after):
            found.append(f"ends without a stop: {piece.text[-60:]}")
    return found + [f"broken brackets: {text}" for text in _unbalanced(pieces, _parts(evidence))]


def pieces_of(answer: Answer) -> list[AnswerPiece]:
    """An answer's entries, prose cut into its sentences."""
    if not answer.sentences:
        return list(prose_pieces(answer.text))
    pieces: list[AnswerPiece] = []
    place = 0
    for entry in answer.sentences:
        # From where the last one ended: entries may be equal.
        start = max(answer.text.find(entry.text, place), place)
        starts_line = "\n" in answer.text[place:start]
        place = start + len(entry.text)
        whole = AnswerPiece(entry.text, entry.kind, starts_line)
        pieces += prose_pieces(entry.text, starts_line) if entry.kind == PROSE else [whole]
    return pieces


def prose_pieces(text: str, starts_line: bool = False) -> Iterator[AnswerPiece]:
    """The sentences of a stretch of prose."""
    for line in text.splitlines():
        for sentence in split_sentences(line):
            yield AnswerPiece(sentence, PROSE, starts_line)
            starts_line = False
        starts_line = True


# -- signs within a sentence

# Addresses too: their underscores and brackets look like markup that was left over.
_CODE_SPAN = re.compile(r"(`+)[^`]+\1|https?://[^\s()<>\[\]]+")
# The replacement character, private use, and UTF-8 that was read as Windows-1252.
_LOST = re.compile(r"\ufffd|[\ue000-\uf8ff]|â€[™œ“”˜]|Ã[©¨¤¶¼]|ï»¿")
_TAGS = "a|b|br|code|div|em|h[1-6]|i|img|li|ol|p|pre|span|strong|sub|sup|table|tbody|td|th|tr|ul"
_MARKUP = (
    re.compile(r"\*\*[A-Za-z][^*\n]{0,80}\*\*"),
    re.compile(r"(?:^|\s)\*\*[A-Z]"),
    re.compile(r"\]\((?:`x`|https?:|\.{0,2}/|#|[\w./-]+\.\w{2,4}[)#])|\]\(\s|\[[A-Z][^\[\]]*\]\([\w./#-]+\)"),
    re.compile(r":[a-z][\w:+-]{1,20}:`"),
    re.compile(r"(?m)^\s*\.\. [\w-]+::"),
    # A page about HTML names its elements.
    re.compile(rf"</?(?:{_TAGS})(?:\s[\w-]+\s*=[^<>]*)?\s*/?>(?![\"”’']|\s+(?:element|tag)s?\b)", re.IGNORECASE),
    re.compile(r"&(?:nbsp|lt|gt|amp|quot|#\d{2,5});"),
    re.compile(r"\|:?-{3,}:?\||\|\s*:?-{3,}:?\s*\|\s*:?-{3,}"),
    re.compile(r"\{#[\w-]+\}|\{:[ .#]|\{\{[%<]"),
    re.compile(r"[a-z]\\[.,](?=\s|$)|[a-z]\\-[a-z]|\s\\\([A-Za-z]"),
    re.compile(r"@(?:samp|code|command|file|option|ref|xref|url)\{"),
)
_BULLETS = re.compile(r"[•▪◦‣].{1,200}?\s[•▪◦‣]\s")
_WAY = r"(?:Prev|Previous|Up|Home|Next|Top|Contents|Index)"
_NAVIGATION = re.compile(
    r"\bNext:\s.{0,80}\b(?:Previous|Prev|Up):|\bPrevious:\s.{0,80}\bNext:"
    # Two such words may name the buttons of a player; three in a row, or nothing else in the line, lead through pages.
    rf"|\b{_WAY}(?:[\W_]+{_WAY}){{2,}}\b|^\W*{_WAY}\W+{_WAY}\W*$|\bSkip to (?:main )?content\b|\bPrevious topic\b"
)
# Leaders of a table of contents; three dots are an ellipsis, and four end a sentence with one.
_DOTS = re.compile(r"(?:\.\s?){5,}\s*\d|\.{6,}|(?:\. ){4,}")
_PAGE_NUMBER = re.compile(
    r"^page\s+\d{1,4}$|^[-–—]\s*\d{1,4}\s*[-–—]$|^\d{1,4} \| page$|\bPage \d+ of \d+\b", re.IGNORECASE
)
_BARE_NUMBER = re.compile(r"^\d{1,4}$")
# A pair of brackets may be what is spoken of ("the () around the name"), and then such a word comes before it.
_EMPTY = re.compile(
    r"(?<=[a-z])(?<!\bthe)(?<!\ban)(?<!\ba)(?<!\bin)(?<!\bof)(?<!\bor)(?<!\band)(?<!\bwith)(?<!\binside)(?<!\bempty)"
    # Code in prose: "write if (), while () and for ()".
    r"(?<!\bif)(?<!\bfor)(?<!\bwhile)(?<!\bswitch)(?<!\bwithin)"
    r" \(\s*\)(?=[\s.,;]|$)|“\s+”|«\s*»|\(\s*[,;]\s+[a-z]"
)
# The word that a link or a mark held is gone: "use the , which".
_GAP = re.compile(r"\b(?:the|an|of|see|with|by|from|into)\s+(?:,\s+[a-z]|\.(?:\s+[A-Z]|$))", re.IGNORECASE)
# A numbered title, or a file's number for a title, as the subject of a sentence.
_TITLE = re.compile(
    r"\[(?:\d+(?:\.\d+)+\.?|\d+\.|Chapter \w+|Section \d\S*|Appendix \w+|Part \w+)[\s:.]+[A-Z][^\[\]]*\]"
    r"|(?:^|[.!?][\"”)]*\s+)\[\d+\]\s+[a-z]"
)
# Words that nobody writes twice on purpose; "that that" and "had had" are good English.
_DOUBLED = re.compile(r"\b(the|an?|of|to|for|and|or|with|from|by|at|as|be|it|this|you|if|when|can|will) \1\b(?!['’.])")
# "pre- and postwar" is meant so: before such a word the hyphen stays.
_HYPHENATED = re.compile(r"\b[a-z]{2,}- (?!(?:and|or|to|nor|but|und|oder)\b)[a-z]{2,}\b")

_RULES = (
    ("navigation", _NAVIGATION),
    ("contents line", _DOTS),
    ("page number", _PAGE_NUMBER),
    ("empty brackets", _EMPTY),
    ("missing word", _GAP),
    ("title in brackets", _TITLE),
    ("list in a line", _BULLETS),
)


def _lines(pieces: Sequence[AnswerPiece]) -> Iterator[AnswerPiece]:
    """Sentences of one line together again: "[4.2. Title]" looks like two."""
    line: list[str] = []
    for piece in pieces:
        if line and (piece.starts_line or piece.kind != PROSE):
            yield AnswerPiece(" ".join(line))
            line = []
        if piece.kind == PROSE:
            line.append(piece.text)
        else:
            yield piece
    if line:
        yield AnswerPiece(" ".join(line))


def _in_line(piece: AnswerPiece) -> Iterator[tuple[str, str]]:
    """The signs that a line has in itself."""
    if lost := _LOST.search(piece.text):
        yield "lost character", _around(piece.text, lost)
    if piece.kind == "code":
        return
    # What is written as code is meant to look so.
    text = _CODE_SPAN.sub("`x`", piece.text)
    if found := next((match for rule in _MARKUP if (match := rule.search(text))), None):
        yield "markup", _around(text, found)
    if piece.kind == PROSE:
        yield from ((name, _around(text, match)) for name, rule in _RULES if (match := rule.search(text)))


def _slips(pieces: Sequence[AnswerPiece], evidence: Sequence[Evidence]) -> Iterator[str]:
    """Doubled words and words torn at a hyphen, unless the source has them: an author's own slip is quoted as it is."""
    # Line breaks of the source are spaces in an answer.
    whole = " ".join(" ".join(item.passage.text.split()) for item in evidence)
    # What a PDF's reader hands over is torn by the page, not by the author.
    torn = " ".join(item.passage.text for item in evidence if not item.passage.source.file.endswith(".pdf"))
    for line in (line for line in _lines(pieces) if line.kind == PROSE):
        for name, rule, source in (("doubled word", _DOUBLED, whole), ("hyphenated", _HYPHENATED, torn)):
            if (found := rule.search(line.text)) and found[0] not in source:
                yield f"{name}: {_around(line.text, found)}"


def _around(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - 25) : match.end() + 25]


# -- signs at the edges of a sentence

# A raised number behind the stop is the mark of a note.
_STOPPED = re.compile(r"(?:(?:[.!?:;…,–—]|\.\.\.)[\"'”’»)\]`*_]*|[)\]”\"`])[⁰¹²³⁴-⁹]*$")
_MARKED_ITEM = re.compile(r"(?:[-*•▪◦‣+]|\(?\w{1,2}[.)])\s")


def begins_amid(piece: AnswerPiece, before: AnswerPiece | None) -> bool:
    """Whether a sentence begins with a word that only continues one; after code or a colon it may."""
    if not begins_within(piece.text) or piece.starts_line:
        return False
    return before is None or (before.kind == PROSE and not re.search(r"[:;,–—]$", before.text))


def ends_open(piece: AnswerPiece, after: AnswerPiece | None) -> bool:
    """Whether a sentence has no stop although another follows in the same line; an item of a list needs none."""
    if after is None or after.kind != PROSE or after.starts_line or _MARKED_ITEM.match(after.text):
        return False
    return not _STOPPED.search(piece.text.rstrip())


def _own_starts(evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """How items, definitions and what follows a greeting begin: their authors may have begun them in lower case."""
    texts = [*_parts(evidence, _OWN_STARTS), *_behind_greetings(evidence)]
    return tuple(text[:_FIRST_CHARACTERS] for text in texts if text.strip())


def _behind_greetings(evidence: Sequence[Evidence]) -> Iterator[str]:
    """The paragraphs behind one that ends in a comma, as "Hi all," does in a mail."""
    for item in evidence:
        for (_, before), (_, text) in pairwise(_texts(item.passage)):
            if before.rstrip().endswith(","):
                yield render_inline(text, item.passage.source.file)


def _parts(evidence: Sequence[Evidence], kinds: Sequence[str] = ()) -> list[str]:
    """The parts of the evidence as readers see them, of all kinds or of some."""
    return [
        render_inline(text, item.passage.source.file)
        for item in evidence
        for kind, text in _texts(item.passage)
        if not kinds or kind in kinds
    ]


def _texts(passage: Passage) -> Iterator[tuple[str, str]]:
    """The kind and the text of every part; a passage without parts is paragraphs."""
    if not passage.parts:
        yield from (("paragraph", line) for line in passage.text.split("\n"))
    yield from ((part.kind, passage.text[part.start : part.end]) for part in passage.parts)


# -- brackets, over all prose: a sentence may end within them

_INTERVAL = re.compile(r"[\[(]\s*[-−]?[\w.∞]+\s*[,;]\s*[-−+]?[\w.∞]+\s*[\])]")
# "a)", "1)" close what was never opened.
_ENUMERATION = re.compile(r"(?:^|(?<=[\s(]))(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})\)")
_FACE = re.compile(r"(?<!\()[:;]-?[()]")


def _unbalanced(pieces: Sequence[AnswerPiece], parts: Sequence[str]) -> Iterator[str]:
    """Stretches of prose with a bracket that is never closed, or closed and never opened, unless the source is so."""
    own = [part for part in parts if not _is_balanced(part)]
    for stretch in _stretches(pieces):
        if _is_balanced(" ".join(stretch)):
            continue
        guilty = [text for text in stretch if not _is_balanced(text)]
        if not any(text in part for text in guilty for part in own):
            yield " … ".join(text[:60] for text in guilty)


def _is_balanced(text: str) -> bool:
    text = _INTERVAL.sub(" ", _CODE_SPAN.sub("x", text))
    # "(and read it again :)" lets the face close the bracket.
    return _closes_all(_FACE.sub(" ", text)) or _closes_all(text)


def _closes_all(text: str) -> bool:
    opened, closed = text.count("("), text.count(")")
    if closed > opened:
        # Only as many as there are too many: an enumeration inside real brackets is balanced already.
        closed -= min(closed - opened, len(_ENUMERATION.findall(text)))
    return opened == closed


def _stretches(pieces: Sequence[AnswerPiece]) -> Iterator[list[str]]:
    stretch: list[str] = []
    for piece in (*pieces, None):
        if piece is not None and piece.kind == PROSE:
            stretch.append(piece.text)
        elif stretch:
            yield stretch
            stretch = []
