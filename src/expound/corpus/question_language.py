"""Whether a question is in another language than the documents: words of one seldom find the other."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from expound.corpus.library import Corpus

# Chosen on 16,256 English questions (2 were taken for another language) and 25 of other languages (22 told).
_SURE = 0.9
_ENGLISH = re.compile(
    r"\b(?:the|of|is|are|was|were|what|who|how|why|when|where|which|does|do|did|can|to|in|and|for|my|it)\b", re.I
)
# A script, and the codes of languages that are written in it, the most frequent first.
_SCRIPTS = {
    "ARABIC": ("ar", "fa", "ur", "ckb", "ps", "ug", "sd", "arz"),
    "CJK": ("zh", "ja", "yue", "wuu"),
    "CYRILLIC": ("ru", "uk", "bg", "sr", "mk", "be", "kk", "mn", "ky", "tg", "tt"),
    "GREEK": ("el",),
    "HANGUL": ("ko",),
    "HEBREW": ("he", "yi"),
    "HIRAGANA": ("ja",),
    "KATAKANA": ("ja",),
    "THAI": ("th",),
}
_BEGINNING = 200  # characters
# One such word may be a name or stand in another language too ("in", "was", "do"); two are English.
_ENGLISH_WORDS = 2


def other_language(question: str, corpora: Sequence[Corpus]) -> tuple[str, str] | None:
    """The language of a question and that of most documents, as codes, if we are sure that none of them shares it."""
    spoken = _languages(corpora)
    if not spoken or ("en" in spoken and len(_ENGLISH.findall(question)) >= _ENGLISH_WORDS):
        return None
    from expound.corpus.read.language import detect_language

    language, sure = detect_language(question) or ("", 0.0)
    # Of a few words the script is sure where the language is not.
    written = _SCRIPTS.get(_script(question), ())
    if written and set(written).isdisjoint(spoken):
        return language if language in written else written[0], spoken[0]
    return (language, spoken[0]) if language and sure >= _SURE and language not in spoken else None


def _script(question: str) -> str:
    """The script of most letters, if it is one that few languages have."""
    letters = [unicodedata.name(letter, "").split(" ")[0] for letter in question[:_BEGINNING] if letter.isalpha()]
    if not letters:
        return ""
    # Japanese has Chinese characters too, and Chinese has none of these.
    kana = next((script for script in ("HIRAGANA", "KATAKANA") if script in letters), "")
    found, count = Counter(letters).most_common(1)[0]
    return kana or (found if 2 * count > len(letters) else "")


def _languages(corpora: Sequence[Corpus]) -> list[str]:
    """The languages of the documents, most frequent first."""
    counts: dict[str, int] = {}
    for corpus in corpora:
        for language, count in corpus.store.languages().items():
            counts[language] = counts.get(language, 0) + count
    return sorted((language for language in counts if language), key=lambda language: -counts[language])
