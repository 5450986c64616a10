"""Web archives of our own making, record by record."""

from __future__ import annotations

import gzip
from random import Random

SENTENCES = (
    "The harbour of Ostrand is nine metres deep at low tide, so that the ferries can enter at any hour of the day. ",
    "Its lighthouse was built by nine masons, and the lamp burned whale oil until petroleum took its place in 1891. ",
    "In the winter of 1924 a steam ferry lay in the ice for eleven days, and the passengers had to walk ashore. ",
    "The herring came back to the bay with the warm years, and with them the boats that had been sold to the south. ",
)


def article(*order: int) -> str:
    """Sentences that make a page long enough to be kept."""
    return "".join(SENTENCES[number % len(SENTENCES)] for number in order)


def other_text(number: int, words: int = 120) -> str:
    """Sentences like no others: words of the article in an order of their own."""
    known = article(0, 1, 2, 3).replace(".", "").replace(",", "").lower().split()
    chosen = Random(number).choices(known, k=words)
    return " ".join(f"The {' '.join(chosen[start : start + 9])}." for start in range(0, words, 9))


def html(text: str, title: str = "Ostrand") -> bytes:
    menu = "<nav><ul><li><a href='/'>Home</a></li><li><a href='/b'>Contact us</a></li></ul></nav>"
    return f"<html><head><title>{title}</title></head><body>{menu}<main><p>{text}</p></main></body></html>".encode()


def response(
    content: bytes, url: str = "http://a.example/", *, media: str = "text/html", length: int | None = None
) -> bytes:
    """A record of a response; its length may be a lie."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n%s" % (media.encode(), content)
    return record(http, url, kind="response", length=length)


def record(content: bytes, url: str, *, kind: str, length: int | None = None) -> bytes:
    media = "application/http; msgtype=response" if kind == "response" else "text/plain"
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:uuid:{abs(hash(url))}>\r\n"
        f"WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: {media}\r\n"
        f"Content-Length: {len(content) if length is None else length}\r\n\r\n"
    )
    return head.encode() + content + b"\r\n\r\n"


def archive(*records: bytes) -> bytes:
    """A packed archive: a member a record."""
    return b"".join(map(gzip.compress, records))
