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
from expound.audit.section import cell
from expound.audit.support import support_rate
from expound.datasets.reading import fields, identifier, items, text
from expound.datasets.webgpt import WebGpt
from expound.errors import BadInput
from expound.experiment import Report
from expound.recipes.control_table import ControlTable, Rows
from expound.records import read_json
from expound.score.results import Scorer
from expound.types import Answer, Prediction, Question

_HUMAN = "human"


@dataclass(frozen=True, slots=True)
class System:
    """A row: its answers' name in the file, the documents it was given, and those it is compared with."""

    name: str
    answers: str
    given: str
    compared: str


def _of_model(model: str, name: str) -> tuple[System, ...]:
    return (
        System(f"{name}, no documents", model, "none", "webgpt"),
        System(f"{name}, WebGPT's documents", f"{model}_wdoc", "webgpt", "webgpt"),
        System(f"{name}, random documents", f"{model}_wranddoc", "random", "webgpt"),
        System(f"{name}, Bing's documents", f"{model}_wbingdoc", "bing", "bing"),
        System(f"{name}, people's documents", f"{model}_whudoc", "human", "human"),
    )


SYSTEMS = (
    *_of_model("gpt3", "GPT-3"),
    *_of_model("alpaca", "Alpaca"),
    System("WebGPT", "webgpt", "webgpt", "webgpt"),
    System("people", _HUMAN, "human", "human"),
)
PAIRS = (
    ("gpt3_wdoc", "gpt3_wranddoc", "webgpt", "GPT-3, WebGPT's documents against random ones"),
    ("gpt3_wbingdoc", "gpt3_wranddoc", "bing", "GPT-3, Bing's against random"),
    ("gpt3_whudoc", "gpt3_wranddoc", "human", "GPT-3, people's against random"),
    ("gpt3_wdoc", "gpt3", "webgpt", "GPT-3, WebGPT's against none"),
    ("alpaca_wdoc", "alpaca_wranddoc", "webgpt", "Alpaca, WebGPT's documents against random ones"),
    ("alpaca_wbingdoc", "alpaca_wranddoc", "bing", "Alpaca, Bing's against random"),
    ("alpaca_whudoc", "alpaca_wranddoc", "human", "Alpaca, people's against random"),
    ("alpaca_wdoc", "alpaca", "webgpt", "Alpaca, WebGPT's against none"),
)


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


def overlap_rows(files: Sequence[Path], report: Report | None = None) -> Rows:
    """A row a system: ROUGE-L, n-grams and content words in its documents and in random ones, supported sentences."""
    data = Answers(*files)
    columns = [
        "answers", "rouge_l", "1-g in documents", "2-g in documents", "1-g in random", "2-g in random",
        "content in question", "content in documents", "content in random", "sentences supported",
    ]  # fmt: skip
    rows = []
    for number, system in enumerate(SYSTEMS):
        if report:
            report("comparing answers with documents", number, len(SYSTEMS))
        rows.append([system.name, *_cells(data, system)])
    return columns, rows


def content_rows(files: Sequence[Path], report: Report | None = None) -> Rows:
    """A row a system: its content words by rules and, where that is installed, by spaCy."""
    ways = list(dict.fromkeys((content_by("rules"), content_by("auto"))))
    places = ("in question", "in documents", "in random")
    columns = ["answers", *(f"{place}, {content_name(way)}" for way in ways for place in places)]
    found = [Answers(*files, content=way) for way in ways]
    rows: list[list[object]] = []
    for number, system in enumerate(SYSTEMS):
        if report:
            report("finding content words", number, len(SYSTEMS))
        rows.append([system.name, *(_mean_cell(shares) for data in found for shares in _content(data, system))])
    return columns, rows


def control_rows(files: Sequence[Path], report: Report | None = None) -> Rows:
    """A row a pair: what is lost when the documents are exchanged for random ones, or left out."""
    data = Answers(*files)
    columns = ["pair", "rouge_l", "1-g", "2-g", "content", "sentences supported", "n"]
    rows: list[list[object]] = []
    for number, (ours, theirs, kind, name) in enumerate(PAIRS):
        if report:
            report("comparing answers", number, len(PAIRS))
        found = [_lost(sides) for sides in _sides(data, ours, theirs, kind)]
        rows.append(
            [name, *(cell(estimate, 2 if place == 0 else 1) for place, estimate in enumerate(found)), found[0].n]
        )
    return columns, rows


def _cells(data: Answers, system: System) -> list[object]:
    of, kind = system.answers, system.compared
    measured = [
        *(data.overlaps(of, kind, n) for n in (1, 2)), *(data.overlaps(of, "random", n) for n in (1, 2)),
        *_content(data, system), data.supported(of, kind),
    ]  # fmt: skip
    return ["" if of == _HUMAN else _mean_cell(data.rouge(of)), *map(_mean_cell, measured)]


def _content(data: Answers, system: System) -> list[list[float]]:
    of = system.answers
    return [data.in_question(of), data.content_shares(of, system.compared), data.content_shares(of, "random")]


def _mean_cell(values: Sequence[float]) -> str:
    return cell(mean_of(values, seed=0))


def _sides(data: Answers, ours: str, theirs: str, kind: str) -> list[tuple[list[float], list[float]]]:
    return [
        (data.rouge(ours), data.rouge(theirs)),
        *((data.overlaps(ours, kind, n), data.overlaps(theirs, kind, n)) for n in (1, 2)),
        (data.content_shares(ours, kind), data.content_shares(theirs, kind)),
        (data.supported(ours, kind), data.supported(theirs, kind)),
    ]


def _lost(sides: tuple[list[float], list[float]]) -> Estimate:
    return difference_of(*sides, seed=0)


def _predictions(questions: Sequence[Question], texts: Sequence[str]) -> Mapping[str, Prediction]:
    return {
        question.id: Prediction(question.id, question.text, "", Answer(said))
        for question, said in zip(questions, texts, strict=True)
    }


_FILES = ("the answers of the 12 systems", "their documents")
OVERLAP = ControlTable(
    "hurdles-tables-2-4",
    "Hurdles, Tables 2 and 4: overlap of answers with documents, %",
    _FILES,
    overlap_rows,
    "Published for RT + c-REALM (p = 0.6) with predicted and random retrievals: ROUGE-L 24.4 and 24.2, 1-grams 52.3 "
    "and 51.2, 2-grams 9.0 and 8.5, content 34.4 and 31.7. People's row is against the documents that people found.",
)
CONTENT = ControlTable(
    "hurdles-table4",
    "Hurdles, Table 4: content words of answers in question, documents and random documents, %",
    _FILES,
    content_rows,
    "Published, by spaCy, for RT + c-REALM (p = 0.6) with predicted and random retrievals: in the question 13.4 and "
    "13.7, in the predicted retrievals 34.4 and 31.7, in random ones 11.9 and 12.1; gold answers 8.3, 28.8 and 15.1.",
)
CONTROL = ControlTable(
    "hurdles-random-documents",
    "Hurdles, section 3.1: what is lost with random documents",
    _FILES,
    control_rows,
    "Published differences for RT + c-REALM: ROUGE-L 0.2, 1-grams 1.1, 2-grams 0.5, content 2.7.",
)
