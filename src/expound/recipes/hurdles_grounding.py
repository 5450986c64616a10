"""Tables 2 and 4 of Krishna et al. 2021 on answers that Chen et al. 2023 collected: what is taken from documents?

Two models answer 271 ELI5 questions without documents and with those of WebGPT, Bing, people, and of other questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from expound.audit.content import Content, content_by, content_name, content_share
from expound.audit.inputs import Inputs
from expound.audit.ngrams import overlap
from expound.audit.numbers import Estimate, difference_of, mean_of
from expound.audit.support import support_rate
from expound.datasets.reading import fields, identifier, items, text
from expound.datasets.webgpt import WebGpt
from expound.errors import BadInput
from expound.recipes.findings import Row, Values
from expound.recipes.intervals import SEED
from expound.recipes.printing import all_measured, measured_column, name_column, table_of
from expound.recipes.shape import Ingredients, Recipe
from expound.records import read_json
from expound.score.results import Scorer
from expound.types import Answer, Prediction, Question

_HUMAN = "human"


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
    AnswerSet("people", _HUMAN, "human"),
)
EXCHANGES = (*_exchanges_of("gpt3", "GPT-3"), *_exchanges_of("alpaca", "Alpaca"))


class Answers:
    """The questions, every system's answers, and the documents of every kind, by question."""

    def __init__(self, answers: Path, documents: Path, *, content: Content | None = None) -> None:
        self.questions = tuple(WebGpt(answers))
        self.documents = read_documents(documents)
        self.content = content or content_by("auto")
        self._rouge: dict[str, list[float]] = {}

    def texts(self, system: str) -> list[str]:
        """A system's answers in the order of the questions; people's are the references."""
        if system == _HUMAN:
            return [question.references[0] for question in self.questions]
        return [str(question.meta["answers"].get(system, "")) for question in self.questions]

    def passages(self, kind: str) -> list[list[str]]:
        """The documents of a kind in the order of the questions."""
        return [self.documents[kind].get(question.id, []) for question in self.questions]

    def rouge(self, system: str) -> list[float]:
        """ROUGE-L by question, as ELI5 counts it."""
        if system not in self._rouge:
            inputs = Inputs(self.questions, _predictions(self.questions, self.texts(system)), Scorer("eli5"))
            scores = inputs.score(inputs.predictions, metrics=["rouge_l"])
            self._rouge[system] = inputs.of_each(scores["rouge_l"])
        return self._rouge[system]

    def overlaps(self, system: str, kind: str, n: int) -> list[float]:
        """n-gram overlap with the documents of a kind, by question."""
        return [
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

    def supported(self, system: str, kind: str) -> list[float]:
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


def read_answers(given: Ingredients) -> Answers:
    """The answers and documents of the two files."""
    return Answers(*given.files)


def read_both_ways(given: Ingredients) -> list[Answers]:
    """The same with content words by rules and, where that is installed, by spaCy."""
    ways = dict.fromkeys((content_by("rules"), content_by("auto")))
    return [Answers(*given.files, content=way) for way in ways]


def run_overlap(data: Answers, row: Row) -> Values:
    """ROUGE-L, n-grams and content words in a system's documents and in random ones, supported sentences."""
    of, kind = row.how.answers, row.how.compared
    return {
        # People's answers are the references themselves.
        "rouge_l": "" if of == _HUMAN else _mean(data.rouge(of)),
        "1-g in documents": _mean(data.overlaps(of, kind, 1)),
        "2-g in documents": _mean(data.overlaps(of, kind, 2)),
        "1-g in random": _mean(data.overlaps(of, "random", 1)),
        "2-g in random": _mean(data.overlaps(of, "random", 2)),
        **{f"content {place}": value for place, value in _content(data, row.how).items()},
        "sentences supported": _mean(data.supported(of, kind)),
    }


def run_content(ways: Sequence[Answers], row: Row) -> Values:
    """A system's content words, each way of finding them."""
    return {
        f"{place}, {content_name(data.content)}": value
        for data in ways
        for place, value in _content(data, row.how).items()
    }


def run_exchange(data: Answers, row: Row) -> Values:
    """What is lost when the documents are exchanged for random ones, or left out."""
    pair: Exchange = row.how
    ours, theirs, kind = pair.ours, pair.theirs, pair.compared
    rouge = _lost(data.rouge(ours), data.rouge(theirs))
    return {
        "rouge_l": rouge,
        "1-g": _lost(data.overlaps(ours, kind, 1), data.overlaps(theirs, kind, 1)),
        "2-g": _lost(data.overlaps(ours, kind, 2), data.overlaps(theirs, kind, 2)),
        "content": _lost(data.content_shares(ours, kind), data.content_shares(theirs, kind)),
        "sentences supported": _lost(data.supported(ours, kind), data.supported(theirs, kind)),
        "n": rouge.n,
    }


def _content(data: Answers, system: AnswerSet) -> dict[str, Estimate]:
    of = system.answers
    return {
        "in question": _mean(data.in_question(of)),
        "in documents": _mean(data.content_shares(of, system.compared)),
        "in random": _mean(data.content_shares(of, "random")),
    }


def _mean(values: Sequence[float]) -> Estimate:
    return mean_of(values, seed=SEED)


def _lost(ours: Sequence[float], theirs: Sequence[float]) -> Estimate:
    return difference_of(ours, theirs, seed=SEED)


def _predictions(questions: Sequence[Question], texts: Sequence[str]) -> Mapping[str, Prediction]:
    return {
        question.id: Prediction(question.id, question.text, "", Answer(said))
        for question, said in zip(questions, texts, strict=True)
    }


_FILES = ("the answers of the 12 systems", "their documents")
_SYSTEM_ROWS = tuple(Row(system.name, how=system) for system in ANSWER_SETS)
OVERLAP = Recipe(
    name="hurdles-tables-2-4",
    title="Hurdles, Tables 2 and 4: overlap of answers with documents, %",
    files=_FILES,
    rows=_SYSTEM_ROWS,
    prepare=read_answers,
    run_row=run_overlap,
    tables=all_measured("answers"),
    doing="comparing answers with documents",
    why="Published for RT + c-REALM (p = 0.6) with predicted and random retrievals: ROUGE-L 24.4 and 24.2, 1-grams "
    "52.3 and 51.2, 2-grams 9.0 and 8.5, content 34.4 and 31.7. People's row is against the documents that "
    "people found.",
)
CONTENT = Recipe(
    name="hurdles-table4",
    title="Hurdles, Table 4: content words of answers in question, documents and random documents, %",
    files=_FILES,
    rows=_SYSTEM_ROWS,
    prepare=read_both_ways,
    run_row=run_content,
    tables=all_measured("answers"),
    doing="finding content words",
    why="Published, by spaCy, for RT + c-REALM (p = 0.6) with predicted and random retrievals: in the question 13.4 "
    "and 13.7, in the predicted retrievals 34.4 and 31.7, in random ones 11.9 and 12.1; gold answers 8.3, 28.8 and "
    "15.1.",
)
CONTROL = Recipe(
    name="hurdles-random-documents",
    title="Hurdles, section 3.1: what is lost with random documents",
    files=_FILES,
    rows=tuple(Row(pair.name, how=pair) for pair in EXCHANGES),
    prepare=read_answers,
    run_row=run_exchange,
    tables=table_of(
        name_column("pair"),
        measured_column("rouge_l", digits=2),
        *map(measured_column, ("1-g", "2-g", "content", "sentences supported", "n")),
    ),
    doing="comparing answers",
    why="Published differences for RT + c-REALM: ROUGE-L 0.2, 1-grams 1.1, 2-grams 0.5, content 2.7.",
)
