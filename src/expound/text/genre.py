"""What sort of text evidence is: articles on the thing that their title names, or manuals, notes and the like."""

from __future__ import annotations

import re
from collections.abc import Sequence

from expound.text.words import content_stems
from expound.types import Evidence, Passage

# The shares below were measured over the ten best ("Extracts" in recipes/LOG.md).
_LOOKED_AT = 10
_FEWEST_TITLES = 3
"""An encyclopedia has an article for every subject, a manual one title for all."""
_NAMED = 0.5
"""Share of the title's content words that the passage must say."""
_ENOUGH, _ENOUGH_OF_READY = 0.6, 0.5
"""Share of the best passages; between nine tenths for Wikipedia and two tenths for manuals (recipes/LOG.md)."""
RECORDS = re.compile(r"\.(?:csv|tsv|tab|jsonl|ndjson|json|parquet)(?:\.gz)?$", re.IGNORECASE)
"""Names of files that hold records: rows and lines that are passages or documents by themselves."""
TABLES = re.compile(r"\.(?:csv|tsv|tab)(?:\.gz)?$", re.IGNORECASE)
_QUALIFIER = re.compile(r"\s*\([^()]*\)$")
_SECTION_NUMBER = re.compile(r"\d{1,2}(?:\.\d+)*\.?\s|(?:Chapter|Section|Part|Appendix)\s")
# Such a title names the document, not its subject: every passage of a FAQ on backups has the word "backup".
_DOCUMENT = re.compile(
    r"\b(?:FAQs?|frequently asked questions|(?:user|user's|users|admin|reference|quick start|getting started) guide|"
    r"manual|handbook|tutorial|release notes|changelog|readme)\b",
    re.IGNORECASE,
)
# A row of a table that was put into words: "Captain: Ole Berg, built: 1911." It names its subject, and is no prose.
_ROW = re.compile(r"[^\n:]{1,60}: [^\n]*\.")
# A manual speaks to its reader, an encyclopedia does not: 2 in 100 of Wikipedia's passages have the word, and half of
# what LibreOffice's help answers with. In lower case, since songs are called "Because of You".
_TO_THE_READER = re.compile(r"\byour?\b")
_MOST_TO_THE_READER = 0.3  # between the two, far from both
_STRUCTURED = frozenset(("code", "table", "definition", "item"))


def are_articles(evidence: Sequence[Evidence]) -> bool:
    """Whether most of the best passages come from articles: only there is a title somebody's or something's name."""
    best = evidence[:_LOOKED_AT]
    titles = {item.passage.title for item in best}
    # Records are passages that somebody has cut from articles; files are mostly documents.
    are_ready = all(RECORDS.search(item.passage.source.file) for item in best)
    # With few passages as many titles as there are will do, but a page of a file that was found alone may be anything.
    are_pages = any(item.passage.source.file and not RECORDS.search(item.passage.source.file) for item in best)
    if not best or len(titles) < min(_FEWEST_TITLES, max(len(best), 1 + are_pages)):
        return False
    spoken = sum(_TO_THE_READER.search(item.passage.text) is not None for item in best)
    if spoken >= _MOST_TO_THE_READER * len(best):
        return False
    return sum(is_article(item.passage) for item in best) >= (_ENOUGH_OF_READY if are_ready else _ENOUGH) * len(best)


def is_article(passage: Passage) -> bool:
    """Whether a passage is prose that speaks of its title."""
    is_row = TABLES.search(passage.source.file) is not None and _ROW.fullmatch(passage.text) is not None
    if is_row or any(part.kind in _STRUCTURED for part in passage.parts):
        return False
    title = _QUALIFIER.sub("", passage.title)
    wanted = content_stems(title)
    if not wanted or _SECTION_NUMBER.match(title) or _DOCUMENT.search(title):
        return False
    said = set(content_stems(passage.text))
    # A title in lower case is a file's name or a command.
    return sum(stem in said for stem in wanted) >= _NAMED * len(wanted) and not title[:1].islower()
