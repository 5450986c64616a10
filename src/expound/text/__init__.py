"""Sentences, tokens, normalisation and stems: each written once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.text.ambiguity import is_time_dependent
    from expound.text.answer_types import expected_type
    from expound.text.normal import contains_answer, normalize_answer
    from expound.text.paraphrase import ParaphraseScorer, load_scorer
    from expound.text.sentences import sentence_spans, split_sentences
    from expound.text.splitters import find_splitter
    from expound.text.support import LexicalSupport
    from expound.text.tables import as_csv, as_latex, as_markdown
    from expound.text.treebank import treebank_words
    from expound.text.words import content_stems, coverage
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "ambiguity": "is_time_dependent",
            "answer_types": "expected_type",
            "normal": "contains_answer normalize_answer",
            "paraphrase": "ParaphraseScorer load_scorer",
            "sentences": "sentence_spans split_sentences",
            "splitters": "find_splitter",
            "support": "LexicalSupport",
            "tables": "as_csv as_latex as_markdown",
            "treebank": "treebank_words",
            "words": "content_stems coverage",
        },
    )

__all__ = [
    "LexicalSupport",
    "ParaphraseScorer",
    "as_csv",
    "as_latex",
    "as_markdown",
    "contains_answer",
    "content_stems",
    "coverage",
    "expected_type",
    "find_splitter",
    "is_time_dependent",
    "load_scorer",
    "normalize_answer",
    "sentence_spans",
    "split_sentences",
    "treebank_words",
]
