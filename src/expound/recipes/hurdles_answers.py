"""The answers that Chen et al. 2023 collected: two models with and without documents, WebGPT and people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from expound.audit.content import Content, content_by, content_share
from expound.audit.grounded import support_rate
from expound.audit.inputs import Inputs
from expound.audit.ngrams import overlap
from expound.datasets.fields import fields, identifier, items, text
from expound.datasets.webgpt import WebGpt
from expound.errors import BadInput
from expound.records import read_json
from expound.score.results import Scorer
from expound.types import Answer, Prediction, Question

HUMAN = "human"
_KINDS = ("webgpt", "bing", "human", "random")


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """A model with or without documents: its answers' name in the file, and the documents it is compared with."""

    name: str
    answers: str
    compared: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two models' answers, and the documents that only the first was given."""

    name: str
    ours: str
    theirs: str
    compared: str


def _sets_of(model: str, name: str) -> tuple[AnswerSet, ...]:
    return (
        AnswerSet(f"{name}, no documents", model, "webgpt"),
        AnswerSet(f"{name}, WebGPT's documents", f"{model}_wdoc", "webgpt"),
        AnswerSet(f"{name}, random documents", f"{model}_wranddoc", "webgpt"),
        AnswerSet(f"{name}, Bing's documents", f"{model}_wbingdoc", "bing"),
        AnswerSet(f"{name}, people's documents", f"{model}_whudoc", "human"),
    )


def _exchanges_of(model: str, name: str) -> tuple[Exchange, ...]:
    random = f"{model}_wranddoc"
    return (
        Exchange(f"{name}, WebGPT's documents against random ones", f"{model}_wdoc", random, "webgpt"),
        Exchange(f"{name}, Bing's against random", f"{model}_wbingdoc", random, "bing"),
        Exchange(f"{name}, people's against random", f"{model}_whudoc", random, "human"),
        Exchange(f"{name}, WebGPT's against none", f"{model}_wdoc", model, "webgpt"),
    )


ANSWER_SETS = (
    *_sets_of("gpt3", "GPT-3"),
    *_sets_of("alpaca", "Alpaca"),
    AnswerSet("WebGPT", "webgpt", "webgpt"),
    AnswerSet("people", HUMAN, "human"),
)
EXCHANGES = (*_exchanges_of("gpt3", "GPT-3"), *_exchanges_of("alpaca", "Alpaca"))


class Answers:
    """The questions, every system's answers, and the documents of every kind, by question."""

    def __init__(self, answers: Path, documents: Path, *, content: Content | None = None) -> None:
        self.questions = tuple(WebGpt(answers))
        if not self.questions:
            raise BadInput(f"{answers} has no questions")
        self.documents = read_documents(documents)
        if missing := [kind for kind in _KINDS if kind not in self.documents]:
            raise BadInput(f"{documents} has no documents of the kind {', '.join(missing)}")
        self.content = content or content_by("auto")
        self._rouge: dict[str, list[float]] = {}

    def texts(self, system: str) -> list[str]:
        """A system's answers in the order of the questions; people's are the references."""
        if system == HUMAN:
            return [question.references[0] for question in self.questions]
        return [str(question.meta["answers"].get(system, "")) for question in self.questions]

    def passages(self, kind: str) -> list[list[str]]:
        """The documents of a kind in the order of the questions."""
        return [self.documents[kind].get(question.id, []) for question in self.questions]

    def rouge(self, system: str) -> list[float]:
        """ROUGE-L by question, as ELI5 counts it."""
        # Kept: exchanges compare each set of answers several times, and ROUGE is the slow part.
        if system not in self._rouge:
            inputs = Inputs(self.questions, _predictions(self.questions, self.texts(system)), Scorer("eli5"))
            scores = inputs.score(inputs.predictions, metrics=["rouge_l"])
            self._rouge[system] = inputs.of_each(scores["rouge_l"])
        return self._rouge[system]

    def overlaps(self, system: str, kind: str, n: int) -> list[float]:
        """n-gram overlap with the documents of a kind, by question."""
        return [
            # Without documents there is nothing to overlap with, which is no overlap of 0.
            overlap(said, given, n) if given else float("nan")
            for said, given in zip(self.texts(system), self.passages(kind), strict=True)
        ]

    def content_shares(self, system: str, kind: str) -> list[float]:
        """Content words in the documents of a kind and not in the question, by question."""
        rows = zip(self.texts(system), self.passages(kind), self.questions, strict=True)
        return [content_share(self.content, said, given, question.text) for said, given, question in rows]

    def in_question(self, system: str) -> list[float]:
        """Content words in the question, by question."""
        rows = zip(self.texts(system), self.questions, strict=True)
        return [content_share(self.content, said, [question.text]) for said, question in rows]

    def support_rates(self, system: str, kind: str) -> list[float]:
        """Sentences that a document of a kind supports, by question."""
        return [support_rate(said, given) for said, given in zip(self.texts(system), self.passages(kind), strict=True)]


def read_documents(path: Path) -> dict[str, dict[str, list[str]]]:
    """`{kind: [{question_id, docs: [{text}]}]}` to texts by kind and question."""
    try:
        return {
            kind: {
                identifier(row["question_id"]): [text(doc["text"]) for doc in items(row["docs"])] for row in items(rows)
            }
            for kind, rows in fields(read_json(path)).items()
        }
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{path} does not hold documents by kind and question ({error})") from error


def _predictions(questions: Sequence[Question], texts: Sequence[str]) -> Mapping[str, Prediction]:
    return {
        question.id: Prediction(id=question.id, question=question.text, system="", answer=Answer(said))
        for question, said in zip(questions, texts, strict=True)
    }
