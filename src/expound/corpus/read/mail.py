"""Read messages, alone (`.eml`) or in a mailbox (`.mbox`): the text, what it quotes, who wrote it; no attachments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from email import message_from_bytes
from email.header import decode_header, make_header
from email.policy import Compat32
from itertools import groupby
from pathlib import Path
from typing import Any

from expound.corpus.read.document import Block, Document
from expound.corpus.read.plain_text import blocks_without_headings
from expound.corpus.read.raw import decode, name_of, open_raw, read_raw, stem_of
from expound.corpus.read.unwrap import unwrap
from expound.corpus.read.webpage import read_markup
from expound.errors import BadInput
from expound.text.plain import plain, plain_line

_LARGEST_MESSAGE = 64 << 20
# The library's reading of a header takes time that grows with the square of its length, or never ends.
_LONGEST_HEADER = 2000
# The netiquette asks for four; companies append addresses and disclaimers.
_SIGNATURE_LINES = 12
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_USUAL_HEADERS = frozenset(("from", "to", "cc", "date", "subject", "message-id", "received"))
# A name, or what goes on from the line before; old mailboxes have a second "From " in front.
_HEADER = re.compile(r"([A-Za-z][\w-]{0,70}):|[ \t]|>From ")
_WORD = re.compile(r"\w+")
_ATTRIBUTION = re.compile(r"\b(?:wrote|writes|said|schrieb|écrit|escribió) ?:$")
# "… wrote:" at the very end: the pattern is not applied to a long paragraph.
_LONGEST_ATTRIBUTION = 20
# Marks may stand apart, "> >", as some programs write them.
_QUOTED = re.compile(r"(?:[ \t]?>)+ ?")


def read(path: Path) -> Iterator[Document]:
    """One document per `.eml` file."""
    data = read_raw(path)
    if len(data) > _LARGEST_MESSAGE:
        raise _too_large(path)
    yield _document(data, stem_of(path), name_of(path))


def read_mailbox(path: Path) -> Iterator[Document]:
    """One document per message."""
    count = 0
    said: set[int] = set()
    for count, data in enumerate(_messages(path), 1):
        document = _document(data, f"{stem_of(path)} message {count}", f"{name_of(path)}, message {count}")
        yield replace(document, blocks=tuple(_without_repeated(document.blocks, said)))
        # After the message: it may quote itself.
        said.update(key for block in document.blocks for key in _sentence_keys(block.text))
    if not count:
        raise BadInput(f'{name_of(path)}: not a mailbox, no line begins with "From "; check the file\'s suffix')


def looks_like_mailbox(text: str) -> bool:
    """Whether a text begins as a mailbox does: with "From " and the headers of a message."""
    first, _, rest = text.lstrip("\ufeff\r\n").partition("\n")
    return first.startswith("From ") and len(_header_names(rest) & _USUAL_HEADERS) > 1


def looks_like_message(text: str) -> bool:
    """Whether a text begins with the headers that every message has."""
    names = _header_names(text.lstrip("\ufeff\r\n"))
    return names >= {"from", "date"} and not names.isdisjoint(("to", "cc", "subject"))


def _header_names(text: str) -> set[str]:
    """The names of the headers that a text begins with, up to an empty line; none if another line is among them."""
    names: set[str] = set()
    for line in text.split("\n"):
        if not line.strip():
            return names
        header = _HEADER.match(line)
        if not header:
            return set()
        names.add((header.group(1) or "").lower())
    return set()


def _without_repeated(blocks: Sequence[Block], said: Set[int]) -> list[Block]:
    """The blocks of a message without quotations of an earlier one, and without the line that names its writer.

    A thread would otherwise say everything as often as it was answered.
    """
    kept: list[Block] = []
    for block in blocks:
        keys = _sentence_keys(block.text) if block.kind == "quotation" else []
        if not keys or not all(key in said for key in keys):
            kept.append(block)
        elif kept and _ATTRIBUTION.search(kept[-1].text[-_LONGEST_ATTRIBUTION:]):
            kept.pop()
    # Nothing of its own: then what it quotes is all that it says.
    return kept or list(blocks)


def _sentence_keys(text: str) -> list[int]:
    """A number for each sentence, the same however its lines were wrapped."""
    sentences = (" ".join(_WORD.findall(sentence)) for sentence in _SENTENCE_END.split(text))
    # Numbers in place of texts: a mailbox of years stays small in memory.
    return [hash(words) for words in sentences if words]


def _too_large(path: Path) -> BadInput:
    return BadInput(f"{name_of(path)}: a message of more than {_LARGEST_MESSAGE >> 20} MB; save its text alone")


def _messages(path: Path) -> Iterator[bytes]:
    """The messages of a mailbox as a stream: each begins with "From " behind an empty line."""
    lines: list[bytes] = []
    size = 0
    is_open, is_after_blank = False, True
    with open_raw(path) as stream:
        for line in iter(lambda: stream.readline(_LARGEST_MESSAGE), b""):
            if is_after_blank and line.startswith(b"From "):
                if is_open:
                    yield b"".join(lines)
                is_open, lines, size = True, [], 0
            elif is_open:
                # Mailboxes write ">From " where a line of text begins like a new message.
                lines.append(line[1:] if line.startswith(b">From ") else line)
                size += len(line)
                if size > _LARGEST_MESSAGE:
                    raise _too_large(path)
            # Only behind an empty line does "From " begin a message.
            is_after_blank = not line.strip()
    if is_open:
        yield b"".join(lines)


class _ShortHeaders(Compat32):
    """Cuts every header before anything looks into it; the newer policies hang on what quotes without end."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:_LONGEST_HEADER]


def _document(data: bytes, name: str, place: str) -> Document:
    """The message as a document called by its subject."""
    message = message_from_bytes(data, policy=_ShortHeaders())
    headers = {key: _decode_header(str(message[key])) for key in ("subject", "from", "to", "date") if message[key]}
    title = headers.pop("subject", "")
    names = [_decode_header(part.get_filename() or "") for part in message.walk()]
    meta: dict[str, Any] = {**headers, **({"attachments": found} if (found := list(filter(None, names))) else {})}
    return Document(title or name, tuple(_blocks(message, place)), meta=meta)


def _decode_header(value: str) -> str:
    try:
        return plain_line(str(make_header(decode_header(value[:_LONGEST_HEADER]))))
    # Encodings that nobody knows, and words that were encoded wrongly.
    except (LookupError, UnicodeError, ValueError):
        return plain_line(value[:_LONGEST_HEADER])


def _blocks(message: Any, place: str) -> Iterator[Block]:
    body = _body(message)
    payload = body.get_payload(decode=True) if body is not None else b""
    text = _characters(body, payload if isinstance(payload, bytes) else b"") if payload else ""
    if body is not None and body.get_content_type() == "text/html":
        yield from read_markup(text, place).blocks
    else:
        yield from _text_blocks(plain(text))


def _body(message: Any) -> Any:
    """The part that is the text: the first plain one, else the first page; never an attachment."""
    # A part with a file's name is an attachment, whatever it says of itself.
    shown = [part for part in message.walk() if not part.is_multipart() and not part.get_filename()]
    shown = [part for part in shown if part.get_content_disposition() != "attachment"]
    for kind in ("text/plain", "text/html"):
        for part in shown:
            if part.get_content_type() == kind:
                return part
    return None


def _characters(body: Any, data: bytes) -> str:
    """The text by the character set that the message names, else by its looks."""
    try:
        return data.decode(body.get_content_charset("utf-8"))
    except (LookupError, UnicodeError):
        return decode(data)


def _text_blocks(text: str) -> Iterator[Block]:
    """What the message says, and what stands behind `>` as quotations; a signature is left out."""
    lines = _without_signature(text.split("\n"))
    for depth, run in groupby(lines, key=_depth):
        # One mark of each level is taken off: what is left may begin with a `>` of its own.
        own = [_QUOTED.sub("", line, count=1) if depth else line for line in run]
        if depth:
            yield from (Block(paragraph, "quotation", level=depth - 1) for paragraph in unwrap(own))
        else:
            yield from blocks_without_headings(own)


def _depth(line: str) -> int:
    """How many writers ago a line was written."""
    quoted = _QUOTED.match(line)
    return quoted.group().count(">") if quoted else 0


def _without_signature(lines: list[str]) -> list[str]:
    tail = max(len(lines) - _SIGNATURE_LINES, 0)
    # Some programs drop the blank behind the two dashes.
    marks = [number for number in range(tail, len(lines)) if lines[number] in ("-- ", "--")]
    return lines[: marks[0]] if marks else lines
