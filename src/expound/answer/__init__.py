"""A question and its evidence to an answer, one file per way of answering."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.answer.closed_book import ClosedBook
    from expound.answer.composed import Composed
    from expound.answer.direct import Rules
    from expound.answer.extractive import Choice, Extractive
    from expound.answer.extracts import Lengths
    from expound.answer.foreign import Command, Http
    from expound.answer.list_answers import ListAnswers
    from expound.answer.nearest_answer import NearestAnswer
    from expound.answer.open_book import OpenBook, OracleBook
    from expound.answer.random_answer import RandomAnswer
    from expound.answer.reader_sentences import ReaderSentences
    from expound.answer.repeat_question import RepeatQuestion
    from expound.answer.sentence_scores import SentenceWeights, SignScorer
    from expound.answer.support_document import SupportDocument
    from expound.answer.tfidf_sentences import TfidfSentences
    from expound.answer.top_passages import TopPassages
    from expound.answer.trained_writer import TrainedWriter
    from expound.answer.written import Written
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "closed_book": "ClosedBook",
            "composed": "Composed",
            "direct": "Rules",
            "extractive": "Choice Extractive",
            "extracts": "Lengths",
            "foreign": "Command Http",
            "list_answers": "ListAnswers",
            "nearest_answer": "NearestAnswer",
            "open_book": "OpenBook OracleBook",
            "random_answer": "RandomAnswer",
            "reader_sentences": "ReaderSentences",
            "repeat_question": "RepeatQuestion",
            "sentence_scores": "SentenceWeights SignScorer",
            "support_document": "SupportDocument",
            "tfidf_sentences": "TfidfSentences",
            "top_passages": "TopPassages",
            "trained_writer": "TrainedWriter",
            "written": "Written",
        },
    )

__all__ = [
    "Choice",
    "ClosedBook",
    "Command",
    "Composed",
    "Extractive",
    "Http",
    "Lengths",
    "ListAnswers",
    "NearestAnswer",
    "OpenBook",
    "OracleBook",
    "RandomAnswer",
    "ReaderSentences",
    "RepeatQuestion",
    "Rules",
    "SentenceWeights",
    "SignScorer",
    "SupportDocument",
    "TfidfSentences",
    "TopPassages",
    "TrainedWriter",
    "Written",
]
