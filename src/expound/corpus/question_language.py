"""Whether a question is in another language than the documents: words of one seldom find the other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from expound.corpus.library import Corpus

# Chosen on 16,256 English questions (2 were taken for another language) and 25 of other languages (22 told).
_SURE = 0.9
_ENGLISH = re.compile(
    r"\b(?:the|of|is|are|was|were|what|who|how|why|when|where|which|does|do|did|can|to|in|and|for|my|it)\b", re.I
)
# One such word may be a name or stand in another language too ("in", "was", "do"); two are English.
_ENGLISH_WORDS = 2


def other_language(question: str, corpora: Sequence[Corpus]) -> tuple[str, str] | None:
    """The language of a question and that of most documents, as codes, if we are sure that none of them shares it."""
    spoken = _languages(corpora)
    if not spoken or ("en" in spoken and len(_ENGLISH.findall(question)) >= _ENGLISH_WORDS):
        return None
    from expound.corpus.read.language import detect_language

    language, sure = detect_language(question) or ("", 0.0)
    return (language, spoken[0]) if language and sure >= _SURE and language not in spoken else None


def _languages(corpora: Sequence[Corpus]) -> list[str]:
    """The languages of the documents, most frequent first."""
    counts: dict[str, int] = {}
    for corpus in corpora:
        for language, count in corpus.store.languages().items():
            counts[language] = counts.get(language, 0) + count
    return sorted((language for language in counts if language), key=lambda language: -counts[language])
