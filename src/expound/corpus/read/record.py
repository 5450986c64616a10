"""One record of a JSON or CSV file as a ready passage or a document."""

from __future__ import annotations

from typing import Any

from expound.corpus.clean import WIKI_HEADING
from expound.corpus.read.document import Block, Document, safe_values
from expound.corpus.read.plain_text import wiki_blocks
from expound.text.plain import plain, plain_line
from expound.types import Passage, Source

TEXT_FIELDS = ("text", "content", "body")
_NO_SOURCE = Source()
_WITHOUT_CONTROLS = str.maketrans("", "", "\n\t")


def item_of(record: Any, place: str, number: int) -> Passage | Document:
    """A passage if the record has an id, else a document; a record that is neither raises ValueError.

    A document without a title is called after its place and number: "news line 7".
    """
    if type(record) is not dict:
        raise ValueError("not a JSON object")
    if record.get("id") is not None and "text" in record:
        return passage_of(record)
    name = next((name for name in TEXT_FIELDS if record.get(name) is not None), None)
    if name is None:
        raise ValueError('no "text" (with an "id" a ready passage, without one a document)')
    text = _string(record, name)
    own_title = plain_line(_string(record, "title"))
    return prose_document(own_title or f"{place} {number}", text, _string(record, "url"), _meta(record))


def prose_document(title: str, text: str, url: str, meta: dict[str, Any]) -> Document:
    """A document of running text, a paragraph a line; its lines may be wiki headings."""
    text = plain(text)
    if WIKI_HEADING.search(text):
        return Document(title=title, blocks=tuple(wiki_blocks(text)), url=url, meta=meta, is_wiki=True)
    return Document(
        title=title, blocks=tuple(Block(line.strip()) for line in text.split("\n") if line.strip()), url=url, meta=meta
    )


def passage_of(record: dict[str, Any]) -> Passage:
    """The passage of a record with `id` and `text`; takes the record apart, what is left becomes its meta."""
    text, title, url = _string(record, "text"), _string(record, "title"), _string(record, "url")
    source = Source(url=plain_line(url)) if url else _NO_SOURCE
    return Passage(
        id=_identifier(record.pop("id")), text=plain(text), title=plain_line(title), source=source, meta=_meta(record)
    )


def _identifier(value: Any) -> str:
    """The id as a string, exactly as given but for control characters."""
    if type(value) is int:
        return str(value)
    if not isinstance(value, str):
        raise ValueError('"id" is neither a string nor a whole number')
    # Kept as given wherever it can be printed: ids are what people look up in their own files.
    identifier = value if value.isprintable() else plain(value).translate(_WITHOUT_CONTROLS)
    if not identifier.strip():
        raise ValueError('"id" is empty')
    return identifier


def _string(record: dict[str, Any], name: str) -> str:
    """Take a string out of a record; a missing or null one is empty."""
    value = record.pop(name, None)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f'"{name}" is not a string')
    return value


def _meta(record: dict[str, Any]) -> dict[str, Any]:
    """The remaining fields; those of a `meta` object stand beside them."""
    if not record:
        return record
    inner = record.pop("meta", None)
    if isinstance(inner, dict):
        # Fields beside `meta` win: they are what the file's own format has.
        record = {**inner, **record}
    elif inner is not None:
        record["meta"] = inner
    meta: dict[str, Any] = safe_values(record)
    return meta
