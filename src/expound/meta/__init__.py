"""Metrics held against people: which numbers prefer what people prefer?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.meta.believed import facts_of, summary_table
    from expound.meta.choice_rows import write_choice_rows
    from expound.meta.evaluation import Meta, meta
    from expound.meta.judged import People, people_from
    from expound.meta.learning import PreferenceRequest, base_files, learn_preference, rehearse_preference
    from expound.meta.meta_page import write_page
    from expound.meta.meta_rows import MetaRow
    from expound.meta.scored import metric_resources
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "choice_rows": "write_choice_rows",
            "evaluation": "Meta meta",
            "judged": "People people_from",
            "learning": "PreferenceRequest base_files learn_preference rehearse_preference",
            "meta_page": "write_page",
            "scored": "metric_resources",
            "believed": "facts_of summary_table",
            "meta_rows": "MetaRow",
        },
    )

__all__ = [
    "Meta",
    "MetaRow",
    "People",
    "PreferenceRequest",
    "base_files",
    "facts_of",
    "learn_preference",
    "meta",
    "metric_resources",
    "people_from",
    "rehearse_preference",
    "summary_table",
    "write_choice_rows",
    "write_page",
]
