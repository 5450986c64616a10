"""What a server says of a file, and the suffix by which it is read."""

from __future__ import annotations

from email.message import Message
from pathlib import PurePosixPath

from expound.corpus.read.formats import READERS
from expound.corpus.read.man import is_man_suffix, looks_like_man
from expound.corpus.read.raw import decode, is_text, marked_encoding
from expound.errors import AddressRefused

_SUFFIXES = {
    "application/epub+zip": ".epub",
    "application/pdf": ".pdf",
    "application/vnd.oasis.opendocument.text": ".odt",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/x-ndjson": ".jsonl",
    "application/xhtml+xml": ".html",
    "message/rfc822": ".eml",
    "text/csv": ".csv",
    "text/html": ".html",
    "text/markdown": ".md",
    "text/tab-separated-values": ".tsv",
}
# Servers send what they do not know as these: the name then says more, and last the bytes themselves.
_UNTOLD = ("", "text/plain", "application/octet-stream", "application/json", "binary/octet-stream")


def suffix_for(shown: str, path: str, content_type: str, data: bytes) -> str:
    """The suffix of a file that holds this: by content type; where it says little, by the address or the bytes."""
    kind = _media_type(content_type)
    if kind in _SUFFIXES:
        return _SUFFIXES[kind]
    if kind in _UNTOLD or kind.startswith("text/"):
        named = PurePosixPath(path).suffix.lower()
        # A page can be called page.php or v1.2: only what is read by its suffix counts.
        is_man = is_man_suffix(named) and looks_like_man(decode(data[:_SAMPLE]))
        if found := named if named in READERS or is_man else _looks_like(data):
            return found
    raise AddressRefused(f"{shown}: the server sends {kind or 'what is no text'}, which is not read; save it as text")


def without_charset(data: bytes, content_type: str) -> bytes:
    """The bytes as UTF-8 with its mark, where the server names another encoding, which the file itself may not say."""
    charset = _message(content_type).get_content_charset("")
    if not charset or charset in ("utf-8", "utf8", "us-ascii") or marked_encoding(data):
        return data
    try:
        return data.decode(charset).encode("utf-8-sig")
    # An encoding that is none, or bytes that are not of it: the readers find out by themselves.
    except (LookupError, UnicodeError):
        return data


def _looks_like(data: bytes) -> str:
    if data.startswith(b"%PDF-"):
        return ".pdf"
    start = data[:_SAMPLE].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return ".html"
    return ".txt" if is_text(decode(data[:_SAMPLE])) else ""


_SAMPLE = 1 << 16  # bytes: what is binary shows it in the first few


def _media_type(content_type: str) -> str:
    return _message(content_type).get_content_type() if content_type.strip() else ""


def _message(content_type: str) -> Message:
    """The header as the standard library reads it, in whatever odd way it was written."""
    message = Message()
    message["content-type"] = " ".join(content_type.split())
    return message
