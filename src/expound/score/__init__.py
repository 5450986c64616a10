"""Predictions to numbers: one file per metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.score.always_human import AlwaysHuman
    from expound.score.ambigqa import F1Answer, F1Bleu, F1EditF1
    from expound.score.asqa_qa import Dr, QaAnswer
    from expound.score.bart_score import BartScore
    from expound.score.bert_score import BertScore
    from expound.score.beside import SideFiles, name_systems
    from expound.score.bleurt import Bleurt
    from expound.score.choice import choose_profile, scoring_resources
    from expound.score.citations import CitationPrecision, CitationRecall
    from expound.score.comparison import compare
    from expound.score.debris import Debris
    from expound.score.diversity import DistinctN, Repetition, Sentences
    from expound.score.eli5_metrics import Eli5Rouge, Fill1, Perplexity, Rouge20
    from expound.score.entailment import Nli, NliSupport
    from expound.score.exact_match import ExactMatch
    from expound.score.factuality import Factuality
    from expound.score.judged_metric import JudgedBy
    from expound.score.kilt_answer import KiltAnswer
    from expound.score.learned_preference import Preference
    from expound.score.length import Length
    from expound.score.minilm_bert_score import MiniLmBertScore
    from expound.score.model_perplexity import ModelPerplexity
    from expound.score.official import with_official_aggregate
    from expound.score.profile import Options, Profile, find_profile
    from expound.score.provenance import Precision, Recall, RPrecision, Success
    from expound.score.qa_fact_eval import QaFactEval
    from expound.score.question_likelihood import QuestionLikelihood
    from expound.score.random_number import Random
    from expound.score.rank_gen import RankGen
    from expound.score.readability import FleschEase, FleschKincaid
    from expound.score.released import Released
    from expound.score.results import Scorer, Scores
    from expound.score.rouge import Rouge
    from expound.score.scoring import score
    from expound.score.self_bleu import SelfBleu
    from expound.score.similarity import Similarity
    from expound.score.squad_answer import SquadAnswer, SquadAveragePrecision, SquadBest
    from expound.score.str_em import StrEm
    from expound.score.support_reader import ReaderSupport
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "always_human": "AlwaysHuman",
            "ambigqa": "F1Answer F1Bleu F1EditF1",
            "asqa_qa": "Dr QaAnswer",
            "bart_score": "BartScore",
            "bert_score": "BertScore",
            "beside": "SideFiles name_systems",
            "bleurt": "Bleurt",
            "choice": "choose_profile scoring_resources",
            "citations": "CitationPrecision CitationRecall",
            "comparison": "compare",
            "debris": "Debris",
            "diversity": "DistinctN Repetition Sentences",
            "eli5_metrics": "Eli5Rouge Fill1 Perplexity Rouge20",
            "entailment": "Nli NliSupport",
            "exact_match": "ExactMatch",
            "factuality": "Factuality",
            "judged_metric": "JudgedBy",
            "kilt_answer": "KiltAnswer",
            "learned_preference": "Preference",
            "length": "Length",
            "minilm_bert_score": "MiniLmBertScore",
            "model_perplexity": "ModelPerplexity",
            "official": "with_official_aggregate",
            "profile": "Options Profile find_profile",
            "provenance": "Precision RPrecision Recall Success",
            "qa_fact_eval": "QaFactEval",
            "question_likelihood": "QuestionLikelihood",
            "random_number": "Random",
            "rank_gen": "RankGen",
            "readability": "FleschEase FleschKincaid",
            "released": "Released",
            "results": "Scorer Scores",
            "rouge": "Rouge",
            "scoring": "score",
            "self_bleu": "SelfBleu",
            "similarity": "Similarity",
            "squad_answer": "SquadAnswer SquadAveragePrecision SquadBest",
            "str_em": "StrEm",
            "support_reader": "ReaderSupport",
        },
    )

__all__ = [
    "AlwaysHuman",
    "BartScore",
    "BertScore",
    "Bleurt",
    "CitationPrecision",
    "CitationRecall",
    "Debris",
    "DistinctN",
    "Dr",
    "Eli5Rouge",
    "ExactMatch",
    "F1Answer",
    "F1Bleu",
    "F1EditF1",
    "Factuality",
    "Fill1",
    "FleschEase",
    "FleschKincaid",
    "JudgedBy",
    "KiltAnswer",
    "Length",
    "MiniLmBertScore",
    "ModelPerplexity",
    "Nli",
    "NliSupport",
    "Options",
    "Perplexity",
    "Precision",
    "Preference",
    "Profile",
    "QaAnswer",
    "QaFactEval",
    "QuestionLikelihood",
    "RPrecision",
    "Random",
    "RankGen",
    "ReaderSupport",
    "Recall",
    "Released",
    "Repetition",
    "Rouge",
    "Rouge20",
    "Scorer",
    "Scores",
    "SelfBleu",
    "Sentences",
    "SideFiles",
    "Similarity",
    "SquadAnswer",
    "SquadAveragePrecision",
    "SquadBest",
    "StrEm",
    "Success",
    "choose_profile",
    "compare",
    "find_profile",
    "name_systems",
    "score",
    "scoring_resources",
    "with_official_aggregate",
]
