"""The pages of a Wikipedia dump as a stream: XML (plain, bzip2, multistream, gzip) and JSON dumps."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import ParseError, fromstring

from expound.build.places import public_name
from expound.build.shards import Shard
from expound.build.unpack import iter_blocks, iter_lines
from expound.errors import BadInput

ARTICLES = 0
"""The namespace of articles; talk, user and template pages have others."""

Dropped = Callable[[str, str, str], None]
"""Told of something that is left out: what it is, the reason, and a detail."""

# MediaWiki lets no page grow beyond 2 MB; what is far longer is none, and must not fill the memory.
LONGEST_PAGE = 8 << 20
_BEGIN, _END = b"<page>", b"</page>"
_LOOKED_AT = 1 << 18  # bytes: the names of a wiki's namespaces come before its first page
_TEXT_OF_LISTS = "\n\n"  # between the paragraphs of a page that comes as a list of them


@dataclass(frozen=True)
class WikiPage:
    """A page as the dump has it: wikitext, or plain text if that is what the dump holds."""

    id: str
    title: str
    text: str
    revision: str = ""
    namespace: int = ARTICLES
    redirect: str = ""
    is_plain: bool = False


def is_json(url: str) -> bool:
    """Whether a dump is one of JSON lines, by its name."""
    return re.search(r"\.(?:nd)?jsonl?(?:\.\w+)?$", url) is not None


def check_dump(url: str) -> None:
    """Refuse a file that does not begin as a dump does, before anything is written."""
    faults: list[str] = []
    beginning = b""
    for block in iter_blocks(url, lambda _place, reason: faults.append(reason)):
        beginning += block
        if len(beginning) >= _LOOKED_AT:
            break
    if faults and not beginning:
        raise BadInput(f"{public_name(url)}: {faults[0]}; fetch it again if it was cut short")
    if is_json(url):
        _check_json(url, beginning)
    elif _BEGIN not in beginning and b"<mediawiki" not in beginning:
        raise BadInput(
            f"{public_name(url)}: no <page> in it; a dump of MediaWiki, or of JSON lines (.json.gz), is needed"
        )


def _check_json(url: str, beginning: bytes) -> None:
    line = next((line for line in beginning.split(b"\n") if line.strip()), b"")
    try:
        # A first line that goes on beyond what was looked at is judged when it is read.
        is_page = len(line) >= _LOOKED_AT or isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        is_page = False
    if not is_page:
        raise BadInput(f"{public_name(url)}, line 1: not a JSON object; a dump has a page a line")


def iter_pages(shard: Shard, dropped: Dropped) -> Iterator[WikiPage]:
    """The pages of a shard in the dump's order; a broken one is told and left out."""
    url = shard.inputs["url"]
    return _json_pages(url, dropped) if is_json(url) else _xml_pages(shard, dropped)


def _xml_pages(shard: Shard, dropped: Dropped) -> Iterator[WikiPage]:
    for number, content in enumerate(_page_elements(shard, dropped), start=1):
        try:
            yield _xml_page(content)
        except (ParseError, ValueError) as error:
            dropped(f"{shard.name}, page {number}", "not well-formed", str(error))


def _page_elements(shard: Shard, dropped: Dropped) -> Iterator[bytes]:
    """The bytes of each page element: what is wrong with one page is nothing to the next."""
    buffer, is_inside = bytearray(), False

    def damaged(place: int, reason: str) -> None:
        dropped(f"{shard.name}, byte {place}", "damaged", reason)

    for block in iter_blocks(shard.inputs["url"], damaged, start=shard.inputs["start"], end=shard.inputs["end"]):
        buffer += block
        while True:
            if not is_inside:
                begin = buffer.find(_BEGIN)
                # A mark may lie across two blocks.
                del buffer[: begin if begin >= 0 else max(0, len(buffer) - len(_BEGIN))]
                if begin < 0:
                    break
                is_inside = True
            end = buffer.find(_END)
            if end < 0:
                if len(buffer) > LONGEST_PAGE:
                    dropped(shard.name, "too long", f"a page of more than {LONGEST_PAGE:,} bytes")
                    buffer, is_inside = bytearray(), False
                break
            yield bytes(buffer[: end + len(_END)])
            del buffer[: end + len(_END)]
            is_inside = False
    if is_inside:
        dropped(shard.name, "cut short", "the last page has no end")


def _xml_page(content: bytes) -> WikiPage:
    """A page of its XML. Entities that a file declares itself cannot occur: the element is parsed alone."""
    page = fromstring(content)
    redirect = page.find("redirect")
    return WikiPage(
        id=page.findtext("id") or "",
        title=page.findtext("title") or "",
        text=page.findtext("revision/text") or "",
        revision=page.findtext("revision/id") or "",
        namespace=int(page.findtext("ns") or ARTICLES),
        redirect="" if redirect is None else redirect.get("title") or "",
    )


def _json_pages(url: str, dropped: Dropped) -> Iterator[WikiPage]:
    def damaged(place: int, reason: str) -> None:
        dropped(f"line or byte {place}", "damaged", reason)

    identifier = ""
    for number, line in iter_lines(url, damaged, longest=LONGEST_PAGE):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if isinstance(record.get("index"), dict):
                # Search dumps have two lines a page, the first with its id alone.
                identifier = str(record["index"].get("_id") or "")
                continue
            yield _json_page(record, identifier)
        except (ValueError, AttributeError, TypeError, RecursionError) as error:
            dropped(f"line {number}", "not a page", str(error))
        identifier = ""


def _json_page(record: dict[str, Any], identifier: str) -> WikiPage:
    """A page of a search dump, an enterprise dump, or the layouts of KILT and of plain extracts."""
    body = record.get("article_body")
    wikitext = body.get("wikitext") if isinstance(body, dict) else record.get("source_text")
    text = wikitext if isinstance(wikitext, str) else _plain_text(record.get("text"))
    version = record.get("version")
    revision = version.get("identifier") if isinstance(version, dict) else record.get("revid") or version
    space = record.get("namespace")
    return WikiPage(
        id=str(_first(record, "wikipedia_id", "page_id", "identifier", "id") or identifier),
        title=str(_first(record, "wikipedia_title", "title", "name") or ""),
        text=text,
        revision=str(revision or ""),
        namespace=int(space.get("identifier", ARTICLES) if isinstance(space, dict) else space or ARTICLES),
        is_plain=not isinstance(wikitext, str),
    )


def _plain_text(value: Any) -> str:
    if isinstance(value, list):
        return _TEXT_OF_LISTS.join(str(part).strip() for part in value)
    if not isinstance(value, str):
        raise ValueError("neither source_text nor text in it")
    return value


def _first(record: dict[str, Any], *names: str) -> Any:
    return next((record[name] for name in names if record.get(name) is not None), None)
