"""ASQA's Table 3, trained rows (Stelmakh et al. 2022): our writer in T5's place, with passages, without, and ORACLE."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from expound.corpus.library import open_corpora
from expound.datasets.predictions import PREDICTIONS
from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.models.decoder import Decoding
from expound.models.model_inputs import asqa_oracle, longest
from expound.models.readers import open_reader
from expound.models.torch_writer import TorchWriter, open_writer
from expound.models.writer_inputs import writer_source
from expound.recipes.batch_answers import answer_in_batches
from expound.recipes.findings import Row, Values
from expound.recipes.halves import half_of
from expound.recipes.intervals import mean_figure
from expound.recipes.kept_likelihoods import iter_likelihoods, keep_numbers
from expound.recipes.printing import Column, measured_column, most_counted, name_column, published_column, table_of
from expound.recipes.shape import Ingredients, Recipe
from expound.recipes.systems import Parts, SystemTable, read_questions
from expound.recipes.writer_plans import WriterPlan, WriterTable
from expound.retrieve.single import Lexical
from expound.runs.answers import answer_all
from expound.score.results import Scorer
from expound.train.data.writer_files import WriterRow, read_writer_rows, write_writer_rows
from expound.train.training_settings import WriterSettings
from expound.train.writer_bases import SMALL
from expound.types import Passage, Question

_METRICS = ("Length()", "Rouge(profile='asqa')", "StrEm()", "QaAnswer(kind='f1')", "Dr()")
_NAMES = ("length", "rouge_lsum", "str_em", "qa_f1", "dr")  # of these metrics
# Greedy: five beams take SmolLM2 five times as long, and nothing is said of beams in the paper.
_DECODING = Decoding(beams=1, no_repeat=3, least_tokens=30, most_tokens=130)
_WRITING = WriterSettings(input="asqa", answer_words=90)
# A passage has a hundred words, some 130 tokens.
_TOKENS = {0: 256, 1: 384, 3: 640, 5: 896}
_MOST_PASSAGES = max(_TOKENS)
_ORACLE = "ORACLE"
# The row that the others are held against: its controls cost half of what those of three passages would.
_COMPARED = "1 passage"
# Half of the questions know more than this; a row of it takes five seconds to train.
_ORACLE_WORDS = 220


@dataclass(frozen=True)
class Task:
    """The questions that a row is asked, what it reads for each, and where its writer learns."""

    table: WriterTable
    questions: Sequence[Question]
    sources: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What is read in a question's place, by its id."""
    passages: Mapping[str, Sequence[Passage]] = field(default_factory=dict, repr=False)

    def source(self, writer: TorchWriter, question: Question) -> str:
        """All that the writer is given."""
        asked = self.sources.get(question.id, question.text)
        return writer_source(writer.card, asked, self.passages.get(question.id, ()), writer.token_ends)


@dataclass(frozen=True)
class AsqaWriters:
    """The rows to train on, and the questions to ask."""

    table: WriterTable
    given: Ingredients
    questions: Sequence[Question] = field(repr=False)
    seen: dict[str, list[float]] = field(default_factory=dict, repr=False, compare=False)
    """What a word of each reference is to the writers that were measured."""

    def run_row(self, row: Row) -> Values:
        """Train, read the references, and but for controls answer the dataset's questions and score the answers."""
        if isinstance(row.how, Parts):
            return SystemTable("asqa-writers", _METRICS, (row,), is_sampled=True).prepare(self.given).run_row(row)
        plan: WriterPlan = row.how
        task = self._oracle if row.name == _ORACLE else self._with_passages(plan.writing.k)
        cost = {"CPU-seconds of training": task.table.train_row(row.name, plan)} if plan.is_trained else {}
        # Writing takes far longer than reading, and what controls say is of no interest.
        is_control = plan.writing.is_shuffled or not plan.is_trained
        written = {} if is_control else self._score_answers(row.name, task)
        return {**written, **self._likelihood(row.name, plan, task), **cost}

    def _likelihood(self, name: str, plan: WriterPlan, task: Task) -> Values:
        """Of a word of the references, and how much more it is than that of the row that all are held against."""
        values = keep_numbers(
            self.table.folder_of(name) / "likelihoods.json",
            {"questions": [question.id for question in task.questions], "corpus": list(self.given.corpus)},
            self._iter_likelihoods(name, plan, task),
        )
        self.seen[name] = values
        compared = self.seen.get(_COMPARED)
        over = {}
        if compared and name not in (_COMPARED, _ORACLE):
            over = {f"over {_COMPARED}": mean_figure(a - b for a, b in zip(values, compared, strict=True))}
        return {"log-likelihood": mean_figure(values), **over}

    def _iter_likelihoods(self, name: str, plan: WriterPlan, task: Task) -> Iterator[float]:
        writer = self.table.open_row(name, plan)
        pairs = [(task.source(writer, question), question.references[0]) for question in task.questions]
        yield from iter_likelihoods(writer, pairs, self.given, words=plan.writing.answer_words)

    def _score_answers(self, name: str, task: Task) -> Values:
        folder = self.table.folder_of(name)

        def write(batch: Sequence[Question]) -> list[str]:
            writer = open_writer(str(folder / "model"))
            return writer.write_all([task.source(writer, question) for question in batch], _DECODING)

        out = folder / PREDICTIONS
        answer = answer_in_batches(task.questions, write, read=task.passages, system=name)
        # Answers to other questions, or with other passages, are refused and not mixed in.
        asked = {"dataset": self.given.dataset, "limit": self.given.limit, "corpus": list(self.given.corpus)}
        spec = {"row": name, "decoding": repr(_DECODING), **asked}
        answer_all(task.questions, answer, out, spec=spec, report=self.given.report)
        scorer = Scorer(_METRICS, report=self.given.report, reader=open_reader("auto"))
        results = scorer.score(out, task.questions).results
        return {result.metric: result for result in results}

    def _with_passages(self, k: int) -> Task:
        if not k:
            return Task(self.table, self.questions)
        passages = {question.id: self._found[question.id][:k] for question in self.questions}
        return Task(self.table, self.questions, passages=passages)

    @cached_property
    def _found(self) -> dict[str, list[Passage]]:
        retriever = Lexical(open_corpora(self.given.corpus))
        return {
            question.id: [item.passage for item in retriever.retrieve(question.text, k=_MOST_PASSAGES)]
            for question in self.questions
        }

    @property
    def _oracle(self) -> Task:
        """Learn one half of the questions that have contexts, and be asked the other half."""
        known = [
            question
            for question in open_dataset(self.given.dataset)
            if "contexts" in question.meta and "knowledge" in question.meta and len(question.references) > 1
        ]
        learnt = [question for question in known if half_of(question.id) == "choose"]
        asked = [question for question in known if half_of(question.id) == "report"][: self.given.limit or None]
        if not learnt or not asked:
            raise UserError(f"{self.given.dataset} has too few questions with contexts and what annotators knew")
        file = self.table.folder_of(_ORACLE) / "train.jsonl"
        write_writer_rows(file, (WriterRow(_known_to_one(q), q.references[longest(q.references)]) for q in learnt))
        return Task(
            table=replace(self.table, train=file),
            questions=[_with_other_reference(question) for question in asked],
            sources={question.id: _known_to_one(question) for question in asked},
        )


def prepare(given: Ingredients) -> AsqaWriters:
    """Read the questions; a file that cannot be read says so before anything is trained."""
    (train,) = given.files
    read_writer_rows([train])
    return AsqaWriters(WriterTable(train, given.folder, given), given, read_questions(given, is_sampled=True))


def _known_to_one(question: Question) -> str:
    """Figure 5's input, as far as there is room: question, answers and readings come first."""
    return " ".join(asqa_oracle(question).split()[:_ORACLE_WORDS])


def _with_other_reference(question: Question) -> Question:
    """The question as ORACLE is scored: not against the answer of the annotator whose knowledge it was given."""
    own = longest(question.references)
    return replace(question, references=(*question.references[:own], *question.references[own + 1 :]))


def _row(name: str, plan: WriterPlan, *published: float, why: str = "") -> Row:
    return Row(name, dict(zip(_NAMES, published, strict=True)), plan, why)


def _plan(k: int) -> WriterPlan:
    return WriterPlan(replace(_WRITING, k=k, most_tokens=_TOKENS[k]))


_ROWS = (
    _row(_COMPARED, _plan(1), 63.0, 40.3, 33.6, 21.2, 29.2),
    _row("closed book", _plan(0), 62.5, 33.5, 10.3, 7.4, 15.7),
    _row("3 passages", _plan(3), 71.1, 42.7, 39.9, 25.1, 32.7),
    _row("5 passages", _plan(5), 71.6, 43.0, 41.0, 26.4, 33.7),
    _row(
        _ORACLE,
        WriterPlan(replace(_WRITING, most_tokens=640)),
        *(82.6, 46.6, 88.7, 59.2, 52.5),
        why="half of the questions with contexts, trained on the other half; ROUGE to one reference",
    ),
    Row(
        "1 passage, others' answers",
        how=WriterPlan(replace(_plan(1).writing, is_shuffled=True)),
        why="a control: trained on answers to other questions",
    ),
    Row("1 passage, not trained", how=replace(_plan(1), is_trained=False), why="the base as it is"),
    Row(
        "sentences of passages",
        how=Parts("Extractive(words=80, abstains=False)", "Lexical", reader="auto"),
        why="what ask does today",
    ),
)
_COLUMNS = [
    column
    for name in _NAMES
    for column in (published_column(f"{name} published", name), measured_column(f"{name} measured", name))
]
# Two writers differ by some tenths.
_LIKELIHOODS = [measured_column(name, digits=3) for name in ("log-likelihood", f"over {_COMPARED}")]
RECIPE = Recipe(
    name="asqa-writers",
    title="ASQA, Table 3: trained writers",
    files=("rows to train on, of expound train writer-data",),
    rows=_ROWS,
    prepare=prepare,
    run_row=AsqaWriters.run_row,
    tables=table_of(
        name_column("row"),
        *_COLUMNS,
        *_LIKELIHOODS,
        measured_column("CPU-seconds of training"),
        Column("n", most_counted),
        Column("note", lambda finding: finding.row.why),
    ),
    # Told before the first writer is trained, and not when its answers are scored.
    resources=(SMALL, *Scorer(_METRICS).resources),
    why="Log-likelihood is of a word of the first reference; over 1 passage: how much more than in the row of that "
    "name, question by question. SmolLM2 of 135 million weights with an adapter in the place of T5-large's 770 "
    "million; two examples a step, 120 unless --steps says otherwise, in the place of 4,353; our words over your "
    "corpus in the place of JPR over all of Wikipedia.",
)
