"""A table of a paper: its rows as systems, the published numbers, and what we measure beside them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from expound.datasets.spec import open_dataset
from expound.errors import UnknownName, UserError, nearest
from expound.experiment import Report, answer_all, predict
from expound.models.readers import open_reader
from expound.runs.folder import PREDICTIONS
from expound.runs.plan import Plan
from expound.score.results import Scorer
from expound.text.tables import as_markdown
from expound.types import MetricResult, Question

_NO_READER = "train a reader with expound train sentences and name it with --sentences FILE"
_SAMPLE = 150
_SEED = 7


@dataclass(frozen=True)
class Row:
    """A system of the table; without an answerer it cannot be run here, and `why` says the reason."""

    name: str
    published: Mapping[str, float]
    answer: str = ""
    retrieve: str = "Nothing"
    clarify: str = "AsAsked"
    protocol: str = "standard"
    why: str = ""
    reader: str = "none"


@dataclass(frozen=True)
class Recipe:
    """A table or figure: what it is about, its metrics as specs, and its rows."""

    name: str
    title: str
    layout: str
    metrics: tuple[str, ...]
    rows: tuple[Row, ...]
    why: str = ""
    """Why all our numbers differ from the published ones."""
    sampled: bool = False
    """Whether `--limit` takes questions from a fixed random sample of 150 instead of the first of the file."""

    @property
    def needs_train(self) -> bool:
        return any("{train}" in row.answer for row in self.rows)

    @property
    def needs_corpus(self) -> bool:
        return any(row.answer and row.retrieve in ("Hybrid", "Lexical", "Dense") for row in self.rows)


@dataclass(frozen=True)
class Inputs:
    """The data that the user brings."""

    dataset: str
    train: str = ""
    corpus: tuple[str, ...] = ()
    limit: int = 0
    model: str = "none"
    rows: tuple[str, ...] = ()
    """The names of the rows to run; all, if there are none."""
    sentences: str = ""
    """The ONNX file that `expound train sentences` wrote, if there is one."""


@dataclass(frozen=True)
class Measured:
    """A row with what came out; nothing where it cannot be run."""

    row: Row
    results: Mapping[str, MetricResult] = field(default_factory=dict)


def measure(
    recipe: Recipe, inputs: Inputs, out: Path, *, jobs: int = 1, report: Report | None = None
) -> list[Measured]:
    """Run every row that can be run; answers are kept in `out`, and an interrupted recipe goes on there."""
    if recipe.needs_train and not inputs.train:
        raise UserError(f"the recipe {recipe.name} needs training questions: --train LAYOUT:PATH")
    questions = _questions(recipe, inputs)
    measured, refused = [], []
    for number, row in _chosen(recipe, inputs.rows):
        try:
            results = _results(recipe, row, inputs, questions, out / f"{number:02}", jobs, report) if row.answer else []
        except UserError as error:  # what this row lacks, such as vectors, others may do without
            refused.append(error)
            row, results = replace(row, why=f"not run: {error}"), []
        measured.append(Measured(row, {result.metric: result for result in results}))
    if refused and not any(item.results for item in measured):
        raise refused[0]
    return measured


def _chosen(recipe: Recipe, names: Sequence[str]) -> list[tuple[int, Row]]:
    """The rows to run, with their numbers in the whole table."""
    known = [row.name for row in recipe.rows]
    for name in names:
        if name not in known:
            raise UnknownName(f"the recipe {recipe.name} has no row {name!r}; {nearest(name, known)}")
    return [(number, row) for number, row in enumerate(recipe.rows, start=1) if not names or row.name in names]


def _questions(recipe: Recipe, inputs: Inputs) -> list[Question]:
    questions = list(open_dataset(inputs.dataset))
    if recipe.sampled and 0 < inputs.limit <= _SAMPLE < len(questions):
        questions = random.Random(_SEED).sample(sorted(questions, key=lambda question: question.id), _SAMPLE)
    return questions[: inputs.limit or None]


def _results(
    recipe: Recipe, row: Row, inputs: Inputs, questions: Sequence[Question], out: Path, jobs: int, report: Report | None
) -> list[MetricResult]:
    scorer = Scorer(recipe.metrics, protocol=row.protocol, report=report, reader=open_reader(row.reader))
    if row.protocol == "human":
        return scorer.score([], questions).results
    if "{sentences}" in row.answer and not inputs.sentences:
        raise UserError(_NO_READER)
    answer = row.answer.format(train=inputs.train, sentences=inputs.sentences)
    parts = (inputs.corpus, row.retrieve, row.clarify, answer, inputs.model)
    plan = Plan(recipe.name, inputs.dataset, *parts, row.reader, limit=inputs.limit)
    spec = plan.spec(open_dataset(inputs.dataset))
    answer_all(questions, partial(predict, plan), out / PREDICTIONS, spec=spec, jobs=jobs, report=report)
    return scorer.score(out / PREDICTIONS, questions).results


def columns_and_rows(measured: Sequence[Measured]) -> tuple[list[str], list[list[object]]]:
    """Row, metric by metric published and measured, n, and why they differ."""
    metrics = list(dict.fromkeys(name for item in measured for name in (*item.row.published, *item.results)))
    columns = ["row", *(f"{name} {kind}" for name in metrics for kind in ("published", "measured")), "n", "note"]
    return columns, [_cells(item, metrics) for item in measured]


def markdown(recipe: Recipe, measured: Sequence[Measured]) -> str:
    """The table to keep."""
    note = f"\n{recipe.why}\n" if recipe.why else ""
    return f"### {recipe.title}\n\n{as_markdown(*columns_and_rows(measured))}{note}"


def _cells(item: Measured, metrics: Sequence[str]) -> list[object]:
    cells: list[object] = [item.row.name]
    for name in metrics:
        cells += [_shown(item.row.published.get(name)), _with_interval(item.results.get(name))]
    return [*cells, max((result.n for result in item.results.values()), default=0) or "", item.row.why]


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _with_interval(result: MetricResult | None) -> str:
    return f"{result.value:.1f} ({result.low:.1f}–{result.high:.1f})" if result and result.n else ""
