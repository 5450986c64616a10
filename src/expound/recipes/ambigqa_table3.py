"""AmbigQA's Table 3 (Min et al. 2020): writers of answer lists, alone, voting and co-trained, beside a reader's spans.

Each question's passages are searched once, for all rows. A question is counted as the paper counts it: every answer
that a writer lists, whether the passages have it or not, with a question rewritten for it, or the one that was asked.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from expound.clarify.contrast import rewrite_all
from expound.clarify.gold_answers import candidate_for
from expound.errors import BadInput
from expound.files import write_whole
from expound.models.answer_lister import AnswerLister, ListRequest
from expound.protocols import Metric
from expound.recipes.findings import Row, Values
from expound.recipes.halves import half_of
from expound.recipes.intervals import mean_figure
from expound.recipes.printing import measured_column, name_column, published_column, table_of
from expound.recipes.shape import Ingredients, Measurement, Recipe
from expound.recipes.systems import read_questions
from expound.records import prediction_record, read_json
from expound.score.ambigqa import F1Answer, F1Bleu, F1EditF1
from expound.system import open_system
from expound.text.normal import normalize_answer
from expound.train.cotrain_request import CotrainRequest, cotrain
from expound.train.data.answer_lists import read_answer_lists
from expound.train.description import TrainingFiles
from expound.train.loop import FIGURES
from expound.train.training_settings import WRITER, WriterSettings
from expound.train.writer_bases import SMALL
from expound.train.writer_request import WriterRequest
from expound.types import Answer, Evidence, Interpretation, Prediction, Question

_METRICS: Mapping[str, Metric] = {
    "answer": F1Answer(),
    "answer, several": F1Answer(multi=True),
    "BLEU": F1Bleu(order=4),
    "EDIT-F1": F1EditF1(),
}
_MODELS = 3  # the paper has six; three can outvote one, in half of the time
# Two passages are some 300 tokens, of which SmolLM2 learns a row in about two CPU-seconds.
_WRITING = WriterSettings(k=2, most_tokens=384, answer_words=40)
# A higher rate than a writer of paragraphs has: the loss still fell after 70 steps of it (LOG.md).
_TRAINING = replace(WRITER, steps=70, learning_rate=4e-4, threads=1)
_ASKED_TOGETHER = 10  # questions, after which it is said how far the row is


@dataclass(frozen=True)
class Writers:
    """Whose lists count: models of a folder of co-training; of several, what more than half of them list."""

    part: str
    models: int = 1


@dataclass(frozen=True)
class Way:
    """A clarifier's spec, for what is no writer."""

    clarify: str


@dataclass(frozen=True)
class Table:
    """Questions that nothing was chosen on, with the passages that were found for each."""

    given: Ingredients
    questions: Sequence[Question] = field(repr=False)
    shown: dict[str, list[Prediction]] = field(default_factory=dict, repr=False, compare=False)
    """What each row that was measured says."""

    def run_row(self, row: Row) -> Values:
        """The paper's four figures of a row, how many answers a question gets, and what its writers cost."""
        is_written = isinstance(row.how, Writers)
        readings = self._list_answers(row.how) if is_written else self._clarify(row.how)
        self.shown[row.name] = predictions = [
            _prediction(question, row.name, found) for question, found in zip(self.questions, readings, strict=True)
        ]
        pairs = list(zip(self.questions, predictions, strict=True))
        figures = {
            name: mean_figure(float(metric.count(question, said)) for question, said in pairs)
            for name, metric in _METRICS.items()
        }
        listed = mean_figure(len(said.interpretations) for said in predictions)
        cost = {"CPU-seconds": self._training_seconds(row.how)} if is_written else {}
        counts = {"n": figures["answer"].n, "several": figures["answer, several"].n}
        return {**figures, "answers": listed, **counts, **cost}

    def _clarify(self, way: Way) -> list[list[Interpretation]]:
        system = open_system(self.given.corpus, model=self.given.model, clarify=way.clarify)
        found = []
        for number, question in enumerate(self.questions, start=1):
            found.append(system.readings(question, self._evidence[question.id]))
            self.given.say(way.clarify, number, len(self.questions))
        return found

    def _list_answers(self, writers: Writers) -> list[list[Interpretation]]:
        folders = self._folders(writers)
        # The models of a round stand before the rounds after it are trained, which take far longer than to ask them.
        if not all((folder / FIGURES).is_file() for folder in folders):
            self._train(writers.part)
        lists = [self._lists(folder) for folder in folders]
        voted = map(vote_answers, zip(*lists, strict=True))
        return [
            make_readings(question.text, answers, self._evidence[question.id])
            for question, answers in zip(self.questions, voted, strict=True)
        ]

    def _folders(self, writers: Writers) -> list[Path]:
        return [self.given.folder / writers.part / f"model-{number + 1}" for number in range(writers.models)]

    def _train(self, part: str) -> None:
        """Train what a row needs, or go on."""
        full, partial = self.given.files
        name = part.partition("/")[0]
        writer = self._writer()
        requests = {
            "cotrained": CotrainRequest(full, partial, writer, models=_MODELS, rounds=1),
            # A question with its one known answer is all that NQ-open has.
            "nq-open": CotrainRequest(partial, None, writer, models=1),
            # A step of no length leaves a base as it is, and is asked by the card of the trained ones.
            "untrained": CotrainRequest(full, None, self._writer(is_trained=False), models=1),
        }
        cotrain(requests[name], self.given.folder / name, report=self.given.report)

    def _training_seconds(self, writers: Writers) -> float:
        """Of the models that are asked; a co-trained one has taken those of the round before it as well."""
        return math.fsum(read_json(folder / FIGURES)["cpu_seconds"] for folder in self._folders(writers))

    def _writer(self, *, is_trained: bool = True) -> WriterRequest:
        settings = replace(_TRAINING, steps=self.given.steps or _TRAINING.steps, precision=self.given.precision)
        if not is_trained:
            settings = replace(settings, steps=1, learning_rate=0.0)
        return WriterRequest(TrainingFiles((), ()), settings, _WRITING, base=SMALL)

    def _lists(self, model: Path) -> list[list[str]]:
        """What a model lists for every question; kept, since it stands alone and in an ensemble."""
        file, asked = model / "lists.json", [question.id for question in self.questions]
        if file.is_file() and (kept := read_json(file))["questions"] == asked:
            lists: list[list[str]] = kept["lists"]
            return lists
        lists = []
        for start in range(0, len(self.questions), _ASKED_TOGETHER):
            some = self.questions[start : start + _ASKED_TOGETHER]
            requests = [ListRequest(one.text, [item.passage for item in self._evidence[one.id]]) for one in some]
            lists += AnswerLister(str(model / "model")).list_together(requests)
            self.given.say("listing answers", len(lists), len(self.questions))
        with write_whole(file) as out:
            json.dump({"questions": asked, "lists": lists}, out)
        return lists

    @cached_property
    def _evidence(self) -> Mapping[str, list[Evidence]]:
        system = open_system(self.given.corpus, model="none")
        found = {}
        for number, question in enumerate(self.questions, start=1):
            found[question.id] = list(system.evidence(question))
            self.given.say("searching", number, len(self.questions))
        return found


def read_table(given: Ingredients) -> Table:
    """The questions of the half that reports, in the fixed order of their hashes."""
    full, partial = given.files
    read_answer_lists(full)  # what is wrong with a file is told now, and not after the rows that need none
    read_answer_lists(partial, are_single=True)
    questions = [question for question in read_questions(replace(given, limit=0)) if half_of(question.id) == "report"]
    if not any(question.annotations for question in questions):
        raise BadInput(f"{given.dataset} has no question with AmbigNQ's annotations")
    # By id: the first of a file may be the easiest ones.
    ordered = sorted(questions, key=lambda question: question.id)
    return Table(given, ordered[: given.limit or None])


def vote_answers(lists: Sequence[Sequence[str]]) -> list[str]:
    """What more than half of the models list; where they agree on nothing, the first answer of the first model."""
    votes = Counter(form for answers in lists for form in dict.fromkeys(map(normalize_answer, answers)))
    spelt = {normalize_answer(answer): answer for answers in reversed(lists) for answer in reversed(answers)}
    won = [answer for form, answer in reversed(spelt.items()) if 2 * votes[form] > len(lists)]
    return won or [answer for answers in lists for answer in answers][:1]


def make_readings(question: str, answers: Sequence[str], evidence: Sequence[Evidence]) -> list[Interpretation]:
    """A reading for every answer; one that nothing sets apart keeps the question as it was asked."""
    groups = [[candidate_for(question, Interpretation(question, (answer,)), evidence)] for answer in answers]
    texts = rewrite_all(question, groups) if len(groups) > 1 else [None] * len(groups)
    return [Interpretation(text or question, (answer,)) for text, answer in zip(texts, answers, strict=True)]


def _prediction(question: Question, system: str, readings: Sequence[Interpretation]) -> Prediction:
    # As text too, each question with its answer: what a rater of the form `coding` marks.
    listed = "\n".join(f"{reading.question} {reading.answers[0]}" for reading in readings if reading.answers)
    return Prediction(
        id=question.id, question=question.text, system=system, answer=Answer(listed), interpretations=tuple(readings)
    )


def keep_predictions(table: Table, done: Measurement, out: Path) -> None:
    """What every row says, to be read and classed."""
    for number, predictions in enumerate(table.shown.values(), start=1):
        with write_whole(out / "predictions" / f"{number:02}.jsonl") as file:
            file.writelines(json.dumps(prediction_record(said), ensure_ascii=False) + "\n" for said in predictions)


def _name_published(
    found: float, multi: float, bleu: float | str = "", edit: float | str = ""
) -> dict[str, float | str]:
    return dict(zip(_METRICS, (found, multi, bleu, edit), strict=True))


RECIPE = Recipe(
    name="ambigqa-table3",
    title="AmbigQA, Table 3: all answers, and a question for each",
    files=("questions with all their answers", "questions with one known answer"),
    rows=(
        Row("DISAMBIG-FIRST", _name_published(28.1, 21.9, 4.2, 2.7), Way("QuestionFirst()")),
        Row("Thresholding + QD", _name_published(37.1, 28.4, 13.4, 6.6), Way("Thresholded()")),
        Row("SPANSEQGEN + QD", _name_published(39.7, 29.3, 13.4, 7.2), Writers("cotrained/round-1")),
        Row("SPANSEQGEN, ensemble", _name_published(41.2, 29.8, 13.6, 7.4), Writers("cotrained/round-1", _MODELS)),
        Row("co-training, ensemble", _name_published(42.3, 31.7, 14.3, 8.0), Writers("cotrained/final", _MODELS)),
        Row("co-training, one model", how=Writers("cotrained/final")),
        Row("the base, not trained", how=Writers("untrained/final")),
        Row("NQ-open alone (Table 7)", _name_published(36.4, 24.8), Writers("nq-open/final")),
        Row("what ask shows", how=Way("EvidenceOnly(single=True)")),
    ),
    prepare=read_table,
    run_row=Table.run_row,
    tables=table_of(
        name_column("row"),
        *(
            column
            for name in _METRICS
            for column in (published_column(f"{name} published", name), measured_column(name))
        ),
        measured_column("answers"),
        measured_column("n"),
        measured_column("several"),
        measured_column("CPU-seconds"),
    ),
    searches=True,
    keep=keep_predictions,
    why="Published: dev, BART and DPR trained on NQ-open and AmbigNQ over all of Wikipedia; ensembles of five and four "
    f"models, which take the answers of the most votes. Ours: adapters to SmolLM2-135M, {_MODELS} models of which more "
    "than half list an answer, a reader's spans in DPR's place and a prompted text model (--model) for DISAMBIG-FIRST; "
    "code rewrites the questions.",
)
