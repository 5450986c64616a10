"""Read plain text: headings, paragraphs with their wrapped lines joined, items, and what is laid out by its spaces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path

from expound.corpus.clean import WIKI_HEADING
from expound.corpus.read import markdown, rst
from expound.corpus.read.contents_lines import are_contents, count_openings
from expound.corpus.read.document import Block, Document, Outline
from expound.corpus.read.question_lines import asks, split_pairs, split_question, without_answer_mark
from expound.corpus.read.raw import read_text, stem_of
from expound.corpus.read.running_heads import drop_running_heads
from expound.corpus.read.unwrap import unwrap
from expound.text.plain import plain

_LONGEST_TITLE = 100  # characters of a heading; what is longer is a sentence that stands alone
_MOST_TITLE_WORDS = 15  # as a book's chapter headings are at the longest
_LONGEST_QUESTION = 160  # a question may run over a line or two, where a heading may not
_LONGEST_RULE = 200  # characters that are looked at: a line of a million dashes is a rule as well
_UNDERLINE = re.compile(r"([=\-~*_^#+━─═])\1{2,}")
_QUESTION_LEVEL = 20
"""Deeper than every other heading, which all end an answer."""
_CENTRED_LEVEL = 8
"""Above a heading in capitals, which stands at the margin."""
_FEWEST_CENTRED = 2
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,3})*)\.?[ \t]+[A-Z]")
_ITEM = re.compile(r"([-*+•·▪◦–—o]|\(?\d{1,3}[.)]|\(?[a-z]\))[ \t]+(?=\S)")
_CAPITALS = re.compile(r"(?=(?:[^a-z]*[A-Z]){3})[^a-z#]+")
# "Changes in version 1.0 (2001/11/17):", "Changed (2022/02/20)"
_RELEASE = re.compile(
    r"(?:Change[sd]|New|News|What['’]s new)(?: (?:in|for|since))?(?: version| release)? "
    r"\(?v?\d[\w./-]*\)?(?: \([\w ./-]+\))?:?"
)
# Parts that any paper or report has: a text that opens with one is not called so.
_PARTS = frozenset(
    "abstract acknowledgements acknowledgments conclusion conclusions introduction preface references summary".split()
)
# Words of a line of prose that a page break has parted from the rest of its sentence.
_FEWEST_OF_BROKEN = 5
_ENDS = re.compile(r"[\w,\-]$")
_JUSTIFIED = re.compile(r"[\w,]  +\w")
_BORDER = re.compile(r"[\u2500-\u257f|]|[+-]{3}")
_GAP = re.compile(r"\S {3,}\S|\t")
_FEWEST_COMMENTS = 3  # lines; one or two may be headings of Markdown that has no other mark
# Columns beyond the line that announces it; the second line of an item is set in by less.
_SET_IN = 4
_SENTENCE_END = re.compile(r"[^\W\d][.!?][\"')”]?$")
# Of a line of prose; a row of a table has fewer cells, and numbers among them.
_FEWEST_WORDS, _WORDS_OF_PROSE = 4, 0.6
_LONGEST_LAID_OUT = 400
"""Lines of a block that is looked at as code or table; a longer one is prose that lacks blank lines."""
_CODE_LINE = re.compile(
    r"[$#>%] |[\w./-]+ --?\w|.*(?:[;{}]|\)|\\|=\S+)$|</?\w+|[\w.-]+ ?[=:] ?\S+$|.*\w[(\[][^()\[\]]*[)\]]"
)


def read(path: Path) -> Iterator[Document]:
    """One document per text file; what is marked up is read as such, although many call it `.txt` or README."""
    text = plain(read_text(path))
    if rst.is_rst(text):
        yield from rst.read(path)
    elif markdown.is_markdown(text):
        yield from markdown.read(path)
    else:
        yield document_of(text, stem_of(path))


def document_of(text: str, name: str) -> Document:
    """A document made of plain text; without a title line it has the given name."""
    is_wiki = WIKI_HEADING.search(text) is not None
    # One such heading is enough: nobody writes it by accident.
    if is_wiki:
        return Document(name, tuple(wiki_blocks(text)), is_wiki=True)
    title, lines = drop_running_heads(text.strip("\n").split("\n"))
    if not title:
        title, lines = _split_title(lines)
    return Document(title or name, tuple(_blocks(lines)))


def wiki_blocks(text: str) -> Iterator[Block]:
    """The paragraphs of wiki prose, under its `== Heading ==` lines."""
    outline = Outline()
    start = 0
    for match in WIKI_HEADING.finditer(text):
        yield from _paragraphs(text[start : match.start()], outline.path)
        outline.open(len(match.group(1)), match.group(2).strip())
        start = match.end()
    yield from _paragraphs(text[start:], outline.path)


def _paragraphs(text: str, path: tuple[str, ...]) -> Iterator[Block]:
    yield from (Block(paragraph, path=path) for paragraph in unwrap(text.split("\n")))


def _split_title(lines: list[str]) -> tuple[str, list[str]]:
    """The title line, if there is one, and the lines below it."""
    if len(lines) < 3:
        return "", lines
    first = lines[0].strip()
    # Amid the page it is a title even with a full stop.
    first = first.removesuffix(".") if lines[0].expandtabs(8).startswith("    ") else first
    if not _looks_like_title(first) or _names_part(first):
        return "", lines
    underlined = _UNDERLINE.fullmatch(lines[1].strip()[:_LONGEST_TITLE])
    if lines[1].strip() and not underlined:
        return "", lines
    return first, lines[2:]


def _looks_like_title(line: str) -> bool:
    """Whether a line is short, starts like a name and does not end like a sentence."""
    if not 0 < len(line) <= _LONGEST_TITLE or len(line.split()) > _MOST_TITLE_WORDS:
        return False
    return (line[0].isupper() or line[0].isdigit()) and line[-1] not in ".,;:!"


def _names_part(line: str) -> bool:
    return line.strip()[:_LONGEST_TITLE].lower() in _PARTS


def _is_in_capitals(line: str) -> bool:
    """Whether a line says a heading in capitals; in a row of a table most words are numbers."""
    words = line.split()
    return _CAPITALS.fullmatch(line) is not None and 2 * sum(any(map(str.isdigit, w)) for w in words) <= len(words)


def _blocks(lines: Sequence[str]) -> Iterator[Block]:
    """The blocks between blank lines, each under the headings above it."""
    outline = Outline()
    styles: dict[str, int] = {}
    chunks = list(filter(None, map(_without_rule, split_pairs(_join_broken(_chunks(lines))))))
    centred = _centred_headings(lines)
    openings = count_openings(chunks)
    # "A:" is an answer's mark only where there are questions.
    has_questions = any(asks(chunk[0]) for chunk in chunks)
    last: list[str] = []
    # With what follows: whether a line asks is known by the line behind it.
    for chunk, following in pairwise([*chunks, [""]]):
        if are_contents(chunk, openings):
            continue
        heading, level, rest = _heading(chunk, styles, following[0])
        if not heading and len(chunk) == 1 and chunk[0].strip() in centred:
            heading, level, rest = chunk[0].strip().rstrip("."), _CENTRED_LEVEL, []
        if heading:
            outline.open(level, heading)
        rest = without_answer_mark(rest) if has_questions else rest
        if rest:
            yield from _chunk_blocks(rest, outline.path, is_announced=_is_announced(last, chunk))
        last = chunk


def _centred_headings(lines: Sequence[str]) -> set[str]:
    """Lines amid the page with two blank ones above, where the text stands at the margin: headings, if there are
    several. Some end with a full stop."""
    texts = [line.expandtabs(8).rstrip() for line in lines]
    found = {texts[number].strip() for number in range(2, len(texts) - 2) if _is_centred(texts, number)}
    return found if len(found) >= _FEWEST_CENTRED else set()


def _is_centred(lines: Sequence[str], number: int) -> bool:
    line = lines[number]
    text = line.strip().removesuffix(".")
    is_alone = not (lines[number - 1] or lines[number - 2] or lines[number + 1])
    words = text.lstrip('"“')
    if not is_alone or not line.startswith("    ") or not _looks_like_title(words) or _ITEM.match(text):
        return False
    # By number: a copy of what is left, line by line, would take quadratic time.
    below = next((lines[after] for after in range(number + 1, len(lines)) if lines[after]), "")
    # Words, and no row of a table or line of code.
    return below[:1] not in ("", " ") and words[0].isalpha() and not (_GAP.search(text) or _CODE_LINE.match(text))


def _chunks(lines: Sequence[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    for line in lines:
        if line.strip():
            # Eight columns, as terminals and old editors have it.
            chunk.append(line.expandtabs(8) if line.startswith("\t") else line)
        elif chunk:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _join_broken(chunks: Iterable[list[str]]) -> Iterator[list[str]]:
    """The chunks; one that goes on amid a sentence, as behind the break of a page or column, is joined to the last."""
    last: list[str] = []
    for chunk in chunks:
        if last and _is_broken(last, chunk):
            last.extend(chunk)
            continue
        if last:
            yield last
        last = chunk
    if last:
        yield last


def _is_broken(chunk: Sequence[str], following: Sequence[str]) -> bool:
    last, first = chunk[-1].rstrip(), following[0]
    # At the margin: what is set in or marked may begin with a small letter as well.
    goes_on = first[:1].islower() and not last.startswith(" ") and _ITEM.match(first) is None
    # Whoever writes notes without capitals begins new ones so, too.
    has_capitals = chunk[0].lstrip()[:1].isupper()
    is_open = has_capitals and _ENDS.search(last) is not None and len(last.split()) >= _FEWEST_OF_BROKEN
    return goes_on and is_open and not (_is_laid_out(chunk) or _is_laid_out(following))


def _heading(chunk: list[str], styles: dict[str, int], following: str) -> tuple[str, int, list[str]]:
    """The heading that a chunk opens with, its level, and the lines below it.

    The first kind of underline in a text marks its outermost headings, the next kind those below, and so on.
    """
    question, answer = split_question(chunk, following)
    if question:
        return question, _QUESTION_LEVEL, answer
    first = chunk[0].strip()
    if len(chunk) > 1 and len(first) <= _LONGEST_TITLE:
        underline = _UNDERLINE.fullmatch(chunk[1].strip())
        # A rule much shorter than the line above it is a signature or a separator.
        if underline and len(chunk[1].strip()) >= len(first) / 2:
            return " ".join(first.split()), styles.setdefault(underline.group(1), len(styles) + 1), chunk[2:]
    if len(chunk) == 1 and not chunk[0].startswith(" ") and _looks_like_title(first):
        numbered = _NUMBERED.match(first)
        if numbered:
            # Below underlined headings and above questions.
            return first, 10 + numbered.group(1).count("."), []
        if _is_in_capitals(first):
            return first, 9, []
        if _names_part(first):
            return first, 10, []
    if _stands_out(chunk) or _names_release(chunk):
        return first, 9, chunk[1:]
    return _match_numbered_question(chunk) or ("", 0, chunk)


def _stands_out(chunk: Sequence[str]) -> bool:
    """Whether a line in capitals at the margin stands right above text that is set in, all of it."""
    first = chunk[0].rstrip()
    is_title = first[:1] != " " and _looks_like_title(first) and _is_in_capitals(first)
    return is_title and len(chunk) > 1 and all(line.startswith("  ") for line in chunk[1:])


def _names_release(chunk: Sequence[str]) -> bool:
    """Whether a line at the margin names a version or a day of which the items right below it tell."""
    is_followed = len(chunk) == 1 or _ITEM.match(chunk[1].strip()) is not None
    return is_followed and len(chunk[0]) <= _LONGEST_TITLE and _RELEASE.fullmatch(chunk[0].rstrip()) is not None


def _match_numbered_question(chunk: list[str]) -> tuple[str, int, list[str]] | None:
    """ "3.4 How …?" as a heading by itself, also where it is longer than a line."""
    if len(chunk) > 2 or any(line.startswith(" ") for line in chunk):
        return None
    whole = " ".join(line.strip() for line in chunk)
    numbered = _NUMBERED.match(whole)
    if numbered is None or not whole.endswith("?") or len(whole) > _LONGEST_QUESTION:
        return None
    return whole, 10 + numbered.group(1).count("."), []


def _without_rule(chunk: list[str]) -> list[str]:
    """The lines below a line drawn across the page; the border of a table stays."""
    is_rule = _UNDERLINE.fullmatch(chunk[0].strip()[:_LONGEST_RULE]) is not None
    return chunk[1:] if is_rule and not _is_laid_out(chunk) else chunk


def blocks_without_headings(lines: Sequence[str]) -> Iterator[Block]:
    """Paragraphs, items and what is laid out, as in a letter."""
    for chunk in _chunks(lines):
        yield from _chunk_blocks(chunk, ())


def _is_announced(last: Sequence[str], chunk: Sequence[str]) -> bool:
    """Whether lines are what the text above them ends in a colon for: set in, and neither sentences nor items."""
    if not last or not last[-1].rstrip().endswith(":"):
        return False
    margin = len(last[-1]) - len(last[-1].lstrip(" "))
    least = margin + _SET_IN
    return all(
        len(line) - len(line.lstrip(" ")) >= least
        and not _ITEM.match(line.strip())
        and _SENTENCE_END.search(line.rstrip()) is None
        for line in chunk
    )


def _chunk_blocks(chunk: list[str], path: tuple[str, ...], *, is_announced: bool = False) -> Iterator[Block]:
    if is_announced or _is_laid_out(chunk):
        # The common indentation is layout, what is beyond it is meaning.
        indent = min(len(line) - len(line.lstrip(" ")) for line in chunk)
        yield Block("\n".join(line[indent:].rstrip() for line in chunk), "code", path)
        return
    if _are_comments(chunk):
        yield from (Block("\n".join(part), "code", path) for part in _parts_of_comments(chunk))
        return
    whole_lines = {line.strip() for line in chunk}
    for paragraph in unwrap(chunk):
        # Blanks amid a sentence make lines equally long; in a line by itself they may part columns.
        if _JUSTIFIED.search(paragraph) and paragraph not in whole_lines:
            paragraph = " ".join(paragraph.split())
        item = _ITEM.match(paragraph)
        if item and len(paragraph) > item.end():
            yield Block(text=paragraph[item.end() :], kind="item", path=path, mark=item.group(1))
        else:
            yield Block(paragraph, path=path)


def _are_comments(chunk: Sequence[str]) -> bool:
    """Whether these are lines of a settings file, which explains its settings in comments."""
    comments = sum(line.startswith("#") for line in chunk)
    # Settings that are set stand bare among them.
    return comments >= _FEWEST_COMMENTS and comments * 2 > len(chunk)


def _parts_of_comments(chunk: Sequence[str]) -> Iterator[list[str]]:
    """The lines between those that have a mark and nothing else, as between blank lines."""
    for is_bare, lines in groupby(chunk, key=lambda line: not line.strip("# ")):
        if not is_bare:
            yield list(lines)


def _is_laid_out(chunk: Sequence[str]) -> bool:
    """Whether spaces carry meaning here: columns, or indented lines that are no sentences."""
    if len(chunk) > _LONGEST_LAID_OUT:
        return False
    columns = sum(_GAP.search(line.strip()[:300]) is not None for line in chunk)
    if len(chunk) > 1 and columns * 2 > len(chunk):
        return not _is_justified(chunk)
    is_indented = all(line.startswith(("    ", "  $")) for line in chunk)
    return is_indented and sum(_CODE_LINE.match(line.strip()[:300]) is not None for line in chunk) * 2 > len(chunk)


def _is_justified(chunk: Sequence[str]) -> bool:
    """Whether blanks only make the lines of prose equally long: many words a line, at a place of its own each."""
    full = [line.rstrip()[:300] for line in chunk[:-1]]
    if len(full) < 2 or len({len(line) for line in full}) > 1 or any(_BORDER.search(line) for line in full):
        return False
    words = [word for line in full for word in line.split()]
    is_prose = sum(word[:1].isalpha() for word in words) >= _WORDS_OF_PROSE * len(words)
    # The cells of a table begin below one another.
    starts = Counter(match.end() - 1 for line in full for match in _GAP.finditer(line.lstrip()))
    is_table = any(count * 2 > len(full) and count > 1 for count in starts.values())
    return is_prose and not is_table and len(words) >= _FEWEST_WORDS * len(full)
