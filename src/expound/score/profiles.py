"""Profiles: the metrics that belong together, with the options that make their numbers the official ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from expound.errors import UnknownName, UserError
from expound.protocols import AnyMetric
from expound.score.ambigqa import F1Answer, F1Bleu, F1EditF1
from expound.score.asqa_qa import Dr, QaAnswer
from expound.score.citations import CitationPrecision, CitationRecall
from expound.score.diversity import DistinctN, Repetition, Sentences
from expound.score.eli5 import Eli5Rouge, Fill1, Perplexity, Rouge20
from expound.score.exact_match import ExactMatch
from expound.score.kilt import KINDS as KILT_KINDS
from expound.score.kilt import KiltAnswer
from expound.score.length import Length
from expound.score.pairs import Pair
from expound.score.provenance import Precision, Recall, RPrecision, Success
from expound.score.readability import FleschEase, FleschKincaid
from expound.score.rouge import Rouge
from expound.score.rouge_package import check_options
from expound.score.self_bleu import SelfBleu
from expound.score.squad2 import OF, SquadAnswer, SquadAveragePrecision, SquadBest
from expound.score.str_em import StrEm
from expound.text.splitters import check_splitter
from expound.types import Prediction, Question


@dataclass(frozen=True, slots=True)
class Options:
    """What a user may change about a profile; the signature tells it."""

    rouge_package: str = "1.0.1"
    splitter: str = "punkt"
    threshold: float = 1.0
    places: tuple[int, ...] = (1, 5, 10, 20)

    def __post_init__(self) -> None:
        check_options("l", self.rouge_package)
        check_splitter(self.splitter)
        if not math.isfinite(self.threshold):
            raise UserError(f"the threshold must be a number, found {self.threshold}")


@dataclass(frozen=True)
class Profile:
    """Metrics under one name, and what they need of a question to make sense."""

    name: str
    metrics: tuple[AnyMetric, ...]
    needs: str = ""
    fits: Callable[[Question], bool] = field(default=lambda question: True, repr=False)
    takes_readings: bool = False

    def checked(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The pairs, refused when a prediction is a list of answers where a text is scored."""
        for pair in pairs:
            if self.name and not self.takes_readings and _is_list(pair.prediction):
                raise UserError(
                    f"the profile {self.name} scores one text a question, and the prediction for "
                    f"{pair.prediction.id!r} is a list of answers"
                )
            yield pair

    def fitted(self, pairs: Sequence[Pair]) -> Profile:
        """The profile for data that starts with these pairs: refused when it is of another kind."""
        if not self.name:  # metrics that were chosen one by one
            return self
        if pairs and not any(self.fits(pair.question) for pair in pairs):
            fitting = [name for name, profile in PROFILES.items() if profile(Options()).fits(pairs[0].question)]
            raise UserError(
                f"the profile {self.name} needs {self.needs}, and the dataset has none; "
                f"profiles that fit it: {', '.join(fitting)}"
            )
        asks = any(reading.question for pair in pairs for reading in pair.prediction.interpretations)
        if self.takes_readings and not asks:  # answers without questions: AmbigQA's question scores do not apply
            return replace(self, metrics=tuple(metric for metric in self.metrics if isinstance(metric, F1Answer)))
        return self


def profile_named(name: str, options: Options | None = None) -> Profile:
    """The profile of that name."""
    if name not in PROFILES:
        raise UnknownName(f"no profile named {name!r}; there are: {', '.join(PROFILES)}")
    return PROFILES[name](options or Options())


def _asqa(options: Options) -> Profile:
    rouge = {kind: Rouge(profile="asqa", kind=kind, splitter=options.splitter) for kind in ("1", "2", "l", "lsum")}
    questions = (QaAnswer("em"), QaAnswer("f1"), QaAnswer("hit"), Dr(rouge["lsum"]))
    return Profile(
        "asqa",
        (Length(), *rouge.values(), StrEm(), *questions),
        "long reference answers and readings",
        lambda question: bool(question.references and question.interpretations),
    )


def _ambigqa(options: Options) -> Profile:
    return Profile(
        "ambigqa",
        (F1Answer(), F1Answer(multi=True), *(F1Bleu(order) for order in (1, 2, 3, 4)), F1EditF1()),
        "annotations with short answers",
        lambda question: bool(question.annotations),
        takes_readings=True,
    )


def _kilt(options: Options) -> Profile:
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


def _eli5(options: Options) -> Profile:
    rouge = (Eli5Rouge(kind, rouge_package=options.rouge_package) for kind in ("1", "2", "l"))
    return Profile(
        "eli5", (*rouge, Perplexity(), Fill1()), "reference answers", lambda question: bool(question.references)
    )


def _rouge_20(options: Options) -> Profile:
    rouge = (Rouge20(kind, rouge_package=options.rouge_package) for kind in ("1", "2", "l"))
    return Profile("rouge-20", tuple(rouge), "reference answers", lambda question: bool(question.references))


def _squad2(options: Options) -> Profile:
    answers = [SquadAnswer(kind, of, options.threshold) for of in OF for kind in ("exact", "f1")]
    best = [SquadBest("exact"), SquadBest("f1")]
    precision = [SquadAveragePrecision(kind) for kind in ("exact", "f1", "oracle")]
    return Profile(
        "squad2",
        (*answers, *best, *precision),
        "spans, or that there is none",
        lambda question: "is_answerable" in question.meta,
    )


def _nq_open(options: Options) -> Profile:
    return Profile(
        "nq-open",
        (ExactMatch(), ExactMatch(first=True)),
        "short answers of one reading",
        lambda question: bool(question.references) and len(question.interpretations) == 1,
    )


def _answer_only(options: Options) -> Profile:
    self_bleu = (SelfBleu(order, splitter=options.splitter) for order in (1, 2, 3, 4, 5))
    distinct = (DistinctN(1), DistinctN(2), DistinctN(3))
    readability = (FleschKincaid(), FleschEase())
    return Profile("answer-only", (Length(), Sentences(), *self_bleu, *distinct, Repetition(), *readability))


def _citations(options: Options) -> Profile:
    return Profile("citations", (CitationRecall(), CitationPrecision()))


PROFILES: Mapping[str, Callable[[Options], Profile]] = {
    "asqa": _asqa,
    "ambigqa": _ambigqa,
    "kilt": _kilt,
    "eli5": _eli5,
    "rouge-20": _rouge_20,
    "squad2": _squad2,
    "nq-open": _nq_open,
    "answer-only": _answer_only,
    "citations": _citations,
}

LAYOUT_PROFILES: Mapping[str, str] = {
    "asqa": "asqa",
    "ambignq": "ambigqa",
    "kilt": "kilt",
    "eli5": "eli5",
    "squad2": "squad2",
    "nq-open": "nq-open",
    "qa": "asqa",
}
"""The profile of a dataset's own paper, which is taken when the user names none."""


def _is_list(prediction: Prediction) -> bool:
    return bool(prediction.interpretations) and not prediction.answer.text and not prediction.abstained
