"""A question and its evidence to the readings of the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.clarify.answers_first import AnswersFirst
    from expound.clarify.as_asked import AsAsked
    from expound.clarify.ensemble import Ensemble
    from expound.clarify.evidence_only import EvidenceOnly
    from expound.clarify.follow_ups import follow_prediction, follow_up
    from expound.clarify.gold_answers import GoldAnswers
    from expound.clarify.prompt_question import GoldAnswersPromptQuestion, PromptQuestion
    from expound.clarify.question_first import QuestionFirst
    from expound.clarify.settings import Editing, Founding, Reach
    from expound.clarify.thresholded import Thresholded
    from expound.clarify.written_answers import WrittenAnswers
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "answers_first": "AnswersFirst",
            "as_asked": "AsAsked",
            "ensemble": "Ensemble",
            "evidence_only": "EvidenceOnly",
            "follow_ups": "follow_prediction follow_up",
            "gold_answers": "GoldAnswers",
            "prompt_question": "GoldAnswersPromptQuestion PromptQuestion",
            "question_first": "QuestionFirst",
            "settings": "Editing Founding Reach",
            "thresholded": "Thresholded",
            "written_answers": "WrittenAnswers",
        },
    )

__all__ = [
    "AnswersFirst",
    "AsAsked",
    "Editing",
    "Ensemble",
    "EvidenceOnly",
    "Founding",
    "GoldAnswers",
    "GoldAnswersPromptQuestion",
    "PromptQuestion",
    "QuestionFirst",
    "Reach",
    "Thresholded",
    "WrittenAnswers",
    "follow_prediction",
    "follow_up",
]
