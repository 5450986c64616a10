"""Answers and passages in words: what screens, Markdown and pages share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.shown.answer_markdown import prediction_markdown
    from expound.shown.answer_pieces import explanation, footer, list_cited, nearest, paragraphs, place_of, quotes
    from expound.shown.passage_words import cells_of, first_words
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "answer_markdown": "prediction_markdown",
            "answer_pieces": "explanation footer list_cited nearest paragraphs place_of quotes",
            "passage_words": "cells_of first_words",
        },
    )

__all__ = [
    "cells_of",
    "explanation",
    "first_words",
    "footer",
    "list_cited",
    "nearest",
    "paragraphs",
    "place_of",
    "prediction_markdown",
    "quotes",
]
