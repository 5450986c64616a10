"""Every recipe by name: what it is about, what it takes, and where it is, so that a list of them imports none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from expound.errors import UnknownName, nearest

if TYPE_CHECKING:
    from expound.recipes.shape import Recipe

_SYSTEMS = (
    "dataset",
    "train",
    "corpus",
    "out",
    "limit",
    "jobs",
    "model",
    "rows",
    "sentences",
    "plot",
    "format",
    "json",
)
_WEB = ("dataset", "train", "out", "limit", "jobs", "sentences", "plot", "format", "json")
_STATISTICS = ("dataset", "format", "json")
_FILES = ("files", "plot", "format", "json")
_DOCUMENTS = ("half", "sample", "keep", "format", "json")


@dataclass(frozen=True)
class Listed:
    """A recipe's line in the help, the options of its command, and the module and name it has in this folder."""

    about: str
    where: str
    takes: tuple[str, ...]


LISTED: Mapping[str, Listed] = {
    "asqa-extractive": Listed(
        "Answer quality and retrieval on ASQA dev, with and without the gold contexts in the corpus.",
        "asqa_extractive:RECIPE",
        ("passages", "questions", "out", "limit", "vectors", "format", "json"),
    ),
    "clapnq-abstention": Listed(
        "How often questions with and without an answer in the passages are answered.",
        "clapnq_abstention:RECIPE",
        ("answerable", "unanswerable", "out"),
    ),
    "documents-qa": Listed(
        "Answers to questions about manuals, FAQ pages and papers beside the first passages, by gold sentences.",
        "documents_qa:RECIPE",
        ("set_name", "data", *_DOCUMENTS),
    ),
    "real-documents": Listed(
        "Answers to questions about manuals beside the first passages, by the keys that they must hold.",
        "real_documents_recipe:RECIPE",
        ("documents", "suite", "collections", *_DOCUMENTS),
    ),
    "asqa-tables-1-2": Listed(
        "ASQA, Tables 1 and 2: statistics of the dev set.", "statistics_table:ASQA_TABLES", _STATISTICS
    ),
    "ambigqa-table2": Listed("AmbigQA, Table 2: readings a question.", "statistics_table:AMBIGQA_TABLE", _STATISTICS),
    "asqa-table3": Listed("ASQA, Table 3: baselines and people.", "asqa_table3:RECIPE", _SYSTEMS),
    "asqa-figure3": Listed("ASQA, Figure 3: scores by the number of passages.", "asqa_figure3:RECIPE", _SYSTEMS),
    "eli5-table3": Listed("ELI5, Table 3: retrieval and extractive rows.", "eli5_table3:RECIPE", _SYSTEMS),
    "hurdles-table7": Listed("Krishna et al. 2021, Table 7: bounds on ELI5.", "hurdles_table7:RECIPE", _SYSTEMS),
    "ambigqa-table4": Listed("AmbigQA, Table 4: always the prompt question.", "ambigqa_table4:RECIPE", _SYSTEMS),
    "ambigqa-table8": Listed(
        "AmbigQA, Table 8: exact match with any or the first reference.", "ambigqa_table8:RECIPE", _SYSTEMS
    ),
    "clarify-models": Listed("Ways to clarify AmbigNQ's questions with a text model.", "text_models:CLARIFY", _SYSTEMS),
    "written-models": Listed("ASQA answers with a text model and without.", "text_models:WRITTEN", _SYSTEMS),
    "eli5-table3-web": Listed(
        "ELI5, Table 3, over web documents: extractive rows and both oracles.", "eli5_table3:WEB_RECIPE", _WEB
    ),
    "eli5-figure7": Listed(
        "ELI5, Figure 7 (left): ROUGE by the answer's overlap with the support document.", "eli5_figure7:RECIPE", _WEB
    ),
    "eli5-figure8": Listed(
        "ELI5, Figure 8: TF-IDF rank of the passages that oracle sentences come from.", "eli5_figure8:RECIPE", _WEB
    ),
    "ambigqa-table6": Listed(
        "AmbigQA, Table 6: error classes, QUESTIONS PREDICTIONS.", "ambigqa_table6:RECIPE", _FILES
    ),
    "reader-calibration": Listed(
        "Disambig-F1 with expound's reader: ASQA and system OUTPUTS.", "reader_calibration:RECIPE", _FILES
    ),
    "support-checks": Listed(
        "Support checks against people: sentence LABELS, DOCUMENTS, ALTERED answers, ASQA TRAINING.",
        "support_checks:RECIPE",
        _FILES,
    ),
    "hurdles-tables-2-4": Listed(
        "Krishna et al. 2021, Tables 2 and 4: ANSWERS DOCUMENTS of 12 systems.", "hurdles_grounding:OVERLAP", _FILES
    ),
    "hurdles-table4": Listed(
        "Krishna et al. 2021, Table 4: the same ANSWERS DOCUMENTS, content words by rules and by spaCy.",
        "hurdles_grounding:CONTENT",
        _FILES,
    ),
    "hurdles-random-documents": Listed(
        "Krishna et al. 2021, section 3.1: the same ANSWERS DOCUMENTS, real against random.",
        "hurdles_grounding:CONTROL",
        _FILES,
    ),
    "hurdles-table5": Listed(
        "Krishna et al. 2021, Table 5: ELI5-Category QUESTIONS asked in OTHERS.", "hurdles_overlap:RECIPE", _FILES
    ),
    "hurdles-table11": Listed(
        "Krishna et al. 2021, Table 11: cut and repeated answers, QUESTIONS with references.",
        "hurdles_table11:RECIPE",
        _FILES,
    ),
    "hurdles-paraphrase": Listed(
        "The paraphrase score: MRPC TRAIN and TEST, ELI5-Category VALIDATION_2 and TEST.",
        "hurdles_paraphrase:RECIPE",
        _FILES,
    ),
}
"""In the order of the help."""


def find_recipe(name: str) -> Recipe[Any]:
    """The recipe of a name; a name that is none is told with the nearest."""
    if name not in LISTED:
        raise UnknownName(f"no recipe named {name!r}; {nearest(name, LISTED)}")
    module, _, attribute = LISTED[name].where.partition(":")
    recipe: Recipe[Any] = getattr(import_module(f"expound.recipes.{module}"), attribute)
    return recipe
