"""Pages of our own making whose main text is marked, and how much of it an extractor finds."""

from __future__ import annotations

import html
import re
from collections import Counter
from pathlib import Path

from expound.build.web_text import extract

PAGES = sorted((Path(__file__).parent / "gold_pages").glob("*.html"))
_MAIN = re.compile("<!--main-->(.*?)<!--/main-->", re.DOTALL)
_TAG = re.compile("<[^>]+>")


def token_f1(page: Path, extractor: str) -> float:
    """How much the words that were found and those that are marked have in common, 0 to 1."""
    found = _words(extract(page.read_bytes(), extractor).text)
    wanted = _words(_main_text(page.read_text(encoding="utf-8")))
    return 2 * (found & wanted).total() / (found.total() + wanted.total())


def mean_f1(extractor: str) -> float:
    """The mean over all pages, in points."""
    return 100 * sum(token_f1(page, extractor) for page in PAGES) / len(PAGES)


def _main_text(markup: str) -> str:
    return html.unescape(_TAG.sub(" ", " ".join(_MAIN.findall(markup))))


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))
