"""Every recipe by name: what it is about, what it takes, and where it is, so that a list of them imports none."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from expound.errors import UnknownName, nearest

if TYPE_CHECKING:
    from expound.recipes.shape import Recipe

_PRINTED = ("format", "json")
_WEB = ("dataset", "train", "out", "limit", "jobs", "sentences", "plot", *_PRINTED)
_SYSTEMS = (*_WEB, "corpus", "model", "rows")
_STATISTICS = ("dataset", *_PRINTED)
_FILES = ("files", "plot", *_PRINTED)
_DOCUMENTS = ("half", "sample", "keep", *_PRINTED)


class Listed(NamedTuple):
    """A recipe's line in the help, the options of its command, and where it is, if not under its own name."""

    about: str
    takes: tuple[str, ...]
    where: str = ""


LISTED: Mapping[str, Listed] = {
    "asqa-extractive": Listed(
        "Answer quality and retrieval on ASQA dev, with and without the gold contexts in the corpus.",
        ("passages", "questions", "out", "limit", "vectors", *_PRINTED),
    ),
    "clapnq-abstention": Listed(
        "How often questions with and without an answer in the passages are answered.",
        ("answerable", "unanswerable", "out"),
    ),
    "documents-qa": Listed(
        "Answers to questions about manuals, FAQ pages and papers beside the first passages, by gold sentences.",
        ("set_name", "data", *_DOCUMENTS),
    ),
    "real-documents": Listed(
        "Answers to questions about manuals beside the first passages, by the keys that they must hold.",
        ("documents", "suite", "collections", *_DOCUMENTS),
        "real_documents_recipe:RECIPE",
    ),
    "asqa-tables-1-2": Listed(
        "ASQA, Tables 1 and 2: statistics of the dev set.", _STATISTICS, "statistics_table:ASQA_TABLES"
    ),
    "ambigqa-table2": Listed("AmbigQA, Table 2: readings a question.", _STATISTICS, "statistics_table:AMBIGQA_TABLE"),
    "asqa-table3": Listed("ASQA, Table 3: baselines and people.", _SYSTEMS),
    "asqa-figure3": Listed("ASQA, Figure 3: scores by the number of passages.", _SYSTEMS),
    "asqa-table4": Listed("ASQA, Table 4: people's votes, as far as the printed numbers tell.", _PRINTED),
    "asqa-table5": Listed(
        "ASQA, Table 5: metrics and people over systems, from the paper's Tables 3 and 4, and of ALCE_UTILITY.",
        ("more_files", *_PRINTED),
    ),
    "critical-table4": Listed(
        "Xu et al. 2023, Table 4: which metrics prefer what EXPERTS prefer, and people of QA_FEEDBACK [RAGCHECKER].",
        ("files", "model", "rows", *_PRINTED),
    ),
    "preference-left-out": Listed(
        "A preference learnt from four files and asked on the fifth: QA_FEEDBACK HALUQUESTQA RAGCHECKER ALCE WIKIEVAL.",
        ("files", "out", "rows", *_PRINTED),
    ),
    "nli-accuracy": Listed(
        "A model of language inference learnt from SNLI_DEV and RTE_TRAIN, asked on SNLI_TEST, RTE_DEV and SICK_TEST.",
        ("files", "out", "rows", *_PRINTED),
    ),
    "critical-figure3": Listed(
        "Xu et al. 2023, Figure 3: metrics that prefer the same answers, EXPERTS QA_FEEDBACK.", ("files", *_PRINTED)
    ),
    "critical-table11": Listed(
        "Xu et al. 2023, Table 11: a text model (--model) as a judge, where all EXPERTS agree.",
        ("files", "model", "limit", *_PRINTED),
    ),
    "eli5-table3": Listed("ELI5, Table 3: retrieval and extractive rows.", _SYSTEMS),
    "eli5-writers": Listed(
        "ELI5, Tables 3 and 4: writers trained on the rows of TRAIN, measured on those of TEST.",
        ("files", "out", "rows", "limit", "written", "lengths_by", "steps", "precision", *_PRINTED),
    ),
    "eli5-writer-control": Listed(
        "ELI5: a writer of TRAIN on TEST, beside its base and the same writer trained on others' answers.",
        ("files", "out", "rows", "limit", "steps", "precision", *_PRINTED),
        "eli5_writers:CONTROL_RECIPE",
    ),
    "eli5-figure7-data": Listed(
        "ELI5, Figure 7 (right): the multi-task writer by amount of training data, TRAIN TEST.",
        ("files", "out", "rows", "limit", "written", "lengths_by", "steps", "precision", *_PRINTED),
        "eli5_writers:DATA_RECIPE",
    ),
    "asqa-writers": Listed(
        "ASQA, Table 3: writers trained on the rows of TRAIN, closed book and with 1, 3 and 5 passages.",
        ("files", "dataset", "corpus", "out", "rows", "limit", "steps", "precision", *_PRINTED),
    ),
    "hurdles-table7": Listed("Krishna et al. 2021, Table 7: bounds on ELI5.", _SYSTEMS),
    "ambigqa-table3": Listed(
        "AmbigQA, Table 3: writers of answer lists trained on FULL and, by co-training, on PARTIAL.",
        ("files", "dataset", "corpus", "model", "out", "rows", "limit", "steps", "precision", *_PRINTED),
    ),
    "ambigqa-table4": Listed(
        "AmbigQA, Table 4: a question for each gold answer, and its ablations.", (*_SYSTEMS, "rewriter")
    ),
    "ambignq-readings": Listed(
        "AmbigNQ: whether the readings that are shown are right, and how many are missed.",
        ("dataset", "corpus", "model", "keep", "limit", "plot", *_PRINTED),
    ),
    "ambigqa-table8": Listed("AmbigQA, Table 8: exact match with any or the first reference.", _SYSTEMS),
    "clarify-models": Listed("Ways to clarify AmbigNQ's questions with a text model.", _SYSTEMS, "text_models:CLARIFY"),
    "written-models": Listed("ASQA answers with a text model and without.", _SYSTEMS, "text_models:WRITTEN"),
    "eli5-table3-web": Listed(
        "ELI5, Table 3, over web documents: extractive rows and both oracles.", _WEB, "eli5_table3:WEB_RECIPE"
    ),
    "eli5-figure7": Listed(
        "ELI5, Figure 7 (left): ROUGE by the answer's overlap with the support document.", (*_WEB, "writer")
    ),
    "eli5-figure8": Listed("ELI5, Figure 8: TF-IDF rank of the passages that oracle sentences come from.", _WEB),
    "eli5-table1": Listed(
        "ELI5, Table 1: a dataset made of SUBMISSIONS and the answers of two ELI5-Category files.", ("files", *_PRINTED)
    ),
    "eli5-support-curve": Listed(
        "ELI5, section 3.1: what a support document holds of the answer, by its number of passages.",
        ("dataset", "limit", "plot", *_PRINTED),
    ),
    "asqa-contexts": Listed(
        "ASQA, appendix A: contexts made anew beside the official ones.",
        ("dataset", "corpus", "limit", *_PRINTED),
    ),
    "ambigqa-table6": Listed("AmbigQA, Table 6: error classes, QUESTIONS PREDICTIONS.", _FILES),
    "reader-calibration": Listed("Disambig-F1 with expound's reader: ASQA and system OUTPUTS.", _FILES),
    "support-checks": Listed(
        "Support checks against people: sentence LABELS, DOCUMENTS, ALTERED answers, ASQA TRAINING.", _FILES
    ),
    "hurdles-tables-2-4": Listed(
        "Krishna et al. 2021, Tables 2 and 4: ANSWERS DOCUMENTS of 12 systems.", _FILES, "hurdles_grounding:OVERLAP"
    ),
    "hurdles-table4": Listed(
        "Krishna et al. 2021, Table 4: the same ANSWERS DOCUMENTS, content words by rules and by spaCy.",
        _FILES,
        "hurdles_grounding:CONTENT",
    ),
    "hurdles-random-documents": Listed(
        "Krishna et al. 2021, section 3.1: the same ANSWERS DOCUMENTS, real against random.",
        _FILES,
        "hurdles_grounding:CONTROL",
    ),
    "hurdles-table5": Listed("Krishna et al. 2021, Table 5: ELI5-Category QUESTIONS asked in OTHERS.", _FILES),
    "hurdles-tables": Listed(
        "Krishna et al. 2021, Tables 1, 2, 4, 7: writers trained and asked with found, random and no documents.",
        ("dataset", "train", "corpus", "out", "limit", "written", "top_p", "seed", "precision", "rows", *_PRINTED),
    ),
    "hurdles-table8": Listed(
        "Krishna et al. 2021, Table 8: batches of a contrastive retriever, on questions with their passages or pages.",
        ("dataset", "train", "corpus", "others", "out", "limit", "rows", *_PRINTED),
    ),
    "hurdles-table11": Listed(
        "Krishna et al. 2021, Table 11: cut and repeated answers, QUESTIONS with references.", _FILES
    ),
    "hurdles-paraphrase": Listed(
        "The paraphrase score: MRPC TRAIN and TEST, ELI5-Category VALIDATION_2 and TEST.", _FILES
    ),
}
"""In the order of the help."""


def find_recipe(name: str) -> Recipe[Any]:
    """The recipe of a name; a name that is none is told with the nearest."""
    if name not in LISTED:
        raise UnknownName(f"no recipe named {name!r}; {nearest(name, LISTED)}")
    # Imported only when it is run: `recipe --help` lists all of them.
    where = LISTED[name].where or f"{name.replace('-', '_')}:RECIPE"
    module, _, attribute = where.partition(":")
    recipe: Recipe[Any] = getattr(import_module(f"expound.recipes.{module}"), attribute)
    return recipe
