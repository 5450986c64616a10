"""The profiles that come with expound: metrics with the options that make their numbers the official ones."""

from __future__ import annotations

from expound.score.always_human import AlwaysHuman
from expound.score.ambigqa import F1Answer, F1Bleu, F1EditF1
from expound.score.asqa_qa import Dr, QaAnswer
from expound.score.citations import CitationPrecision, CitationRecall
from expound.score.diversity import DistinctN, Repetition, Sentences
from expound.score.eli5_metrics import Eli5Rouge, Fill1, Perplexity, Rouge20
from expound.score.exact_match import ExactMatch
from expound.score.factuality import Factuality
from expound.score.kilt_answer import KINDS as KILT_KINDS
from expound.score.kilt_answer import KiltAnswer
from expound.score.learned_preference import LearnedPreference
from expound.score.length import Length
from expound.score.minilm_bert_score import MiniLmBertScore
from expound.score.model_perplexity import ModelPerplexity
from expound.score.profile import Options, Profile
from expound.score.provenance import Precision, Recall, RPrecision, Success
from expound.score.question_likelihood import QuestionLikelihood
from expound.score.random_number import Random
from expound.score.readability import FleschEase, FleschKincaid
from expound.score.rouge import Rouge
from expound.score.self_bleu import SelfBleu
from expound.score.similarity import Similarity
from expound.score.squad_answer import OF, SquadAnswer, SquadAveragePrecision, SquadBest
from expound.score.str_em import StrEm
from expound.score.unavailable import Unavailable


def asqa(options: Options) -> Profile:
    """ASQA's numbers: ROUGE, STR-EM, and with a reader Disambig-F1 and DR."""
    # All four kinds, though the paper prints one: reports of other systems quote any of them.
    rouge = {kind: Rouge(profile="asqa", kind=kind, splitter=options.splitter) for kind in ("1", "2", "l", "lsum")}
    questions = (QaAnswer("em"), QaAnswer("f1"), QaAnswer("hit"), Dr(rouge["lsum"]))
    return Profile(
        "asqa",
        (Length(), *rouge.values(), StrEm(), *questions),
        "long reference answers and readings",
        lambda question: bool(question.references and question.interpretations),
    )


def ambigqa(options: Options) -> Profile:
    """AmbigQA's numbers, of lists of readings."""
    return Profile(
        "ambigqa",
        (F1Answer(), F1Answer(multi=True), *(F1Bleu(order) for order in (1, 2, 3, 4)), F1EditF1()),
        "annotations with short answers",
        lambda question: bool(question.annotations),
    )


def kilt(options: Options) -> Profile:
    """KILT's numbers, of answers and of the pages they come from."""
    answers = [
        KiltAnswer(kind, grounded=grounded, rouge_package=options.rouge_package)
        for grounded in (False, True)
        for kind in KILT_KINDS
    ]
    ranks = [at(place) for at in (Recall, Precision, Success) for place in options.places]
    return Profile(
        "kilt",
        (*answers, RPrecision(), *ranks),
        "provenance (pages of Wikipedia)",
        lambda question: "provenance" in question.meta,
    )


def eli5(options: Options) -> Profile:
    """ELI5's numbers, with the `rouge` package."""
    rouge = (Eli5Rouge(kind, rouge_package=options.rouge_package) for kind in ("1", "2", "l"))
    return Profile(
        "eli5", (*rouge, Perplexity(), Fill1()), "reference answers", lambda question: bool(question.references)
    )


def rouge_20(options: Options) -> Profile:
    """ELI5's ROUGE-20%: how well an answer is ended whose first four fifths are given."""
    rouge = (Rouge20(kind, rouge_package=options.rouge_package) for kind in ("1", "2", "l"))
    return Profile("rouge-20", tuple(rouge), "reference answers", lambda question: bool(question.references))


def squad2(options: Options) -> Profile:
    """SQuAD 2.0's numbers."""
    answers = [SquadAnswer(kind, of, options.threshold) for of in OF for kind in ("exact", "f1")]
    best = [SquadBest("exact"), SquadBest("f1")]
    precision = [SquadAveragePrecision(kind) for kind in ("exact", "f1", "oracle")]
    return Profile(
        "squad2",
        (*answers, *best, *precision),
        "spans, or that there is none",
        lambda question: "is_answerable" in question.meta,
    )


def nq_open(options: Options) -> Profile:
    """Exact match of short answers."""
    return Profile(
        "nq-open",
        (ExactMatch(), ExactMatch(first=True)),
        "short answers of one reading",
        lambda question: bool(question.references) and len(question.interpretations) == 1,
    )


def answer_only(options: Options) -> Profile:
    """What an answer's text alone tells."""
    self_bleu = (SelfBleu(order, splitter=options.splitter) for order in (1, 2, 3, 4, 5))
    distinct = (DistinctN(1), DistinctN(2), DistinctN(3))
    readability = (FleschKincaid(), FleschEase())
    return Profile("answer-only", (Length(), Sentences(), *self_bleu, *distinct, Repetition(), *readability))


def lfqa(options: Options) -> Profile:
    """The metrics of the critical evaluation, by weights that can be had or with a reason, beside its baselines."""
    return Profile(
        "lfqa",
        (
            # In the order of the paper's table: what has to be beaten, then what looks at references, at the answer
            # alone, at question and evidence.
            *(Random(), AlwaysHuman(), Length()),
            *(Rouge(profile="lfqa"), MiniLmBertScore(), _without_weights("Bleurt", "bleurt")),
            *(SelfBleu(splitter=options.splitter), ModelPerplexity()),
            *(QuestionLikelihood(), _without_weights("BartScore", "bart_score")),
            *(Similarity(), _without_weights("RankGen", "rank_gen")),
            *(Factuality(), _without_weights("QaFactEval", "qa_fact_eval")),
            *_LEARNED,
        ),
        note=_BASELINES,
    )


def citations(options: Options) -> Profile:
    """Whether cited passages say what the sentences say."""
    return Profile("citations", (CitationRecall(), CitationPrecision()))


# Answers alone have no best baseline: that is the one which agrees most with people.
_BASELINES = "which of random, always_human and length is the best baseline, people tell: expound meta --metric lfqa"


def _without_weights(metric: str, name: str) -> Unavailable:
    return Unavailable(f"{metric}()", f"its weights are in no package index; {metric}(folder=…) takes yours", name)


_LEARNED = (
    Unavailable("Preference()", LearnedPreference.hint, LearnedPreference.name),
    Unavailable("Preference(), with evidence", LearnedPreference.hint + " with --evidence", "preference_with_evidence"),
    Unavailable(
        "JudgedBy()", "no writer that chooses ships; expound train choice-rows has what makes one", "judged_overall"
    ),
)
"""What is learnt from people's choices: of ours none was better than counting words."""
