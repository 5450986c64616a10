"""How far people agree, with each other and with metrics, and what they prefer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.agreement.analysis import Analysis, analysis_record, analyze
    from expound.agreement.bias import length_bias, side_bias
    from expound.agreement.criterion import Settings
    from expound.agreement.labels import choice_labels, flip, majority, value_labels
    from expound.agreement.preference import bradley_terry, pairs, points
    from expound.agreement.published import judgments_from, lengths_of
    from expound.agreement.reliability import Agreement, agreement, reliabilities
    from expound.agreement.values import answers_f1, collect_ratings
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "analysis": "Analysis analysis_record analyze",
            "bias": "length_bias side_bias",
            "criterion": "Settings",
            "labels": "choice_labels flip majority value_labels",
            "preference": "bradley_terry pairs points",
            "published": "judgments_from lengths_of",
            "reliability": "Agreement agreement reliabilities",
            "values": "answers_f1 collect_ratings",
        },
    )

__all__ = [
    "Agreement",
    "Analysis",
    "Settings",
    "agreement",
    "analysis_record",
    "analyze",
    "answers_f1",
    "bradley_terry",
    "choice_labels",
    "collect_ratings",
    "flip",
    "judgments_from",
    "length_bias",
    "lengths_of",
    "majority",
    "pairs",
    "points",
    "reliabilities",
    "side_bias",
    "value_labels",
]
