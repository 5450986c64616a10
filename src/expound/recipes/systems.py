"""Rows that are systems: each answers the questions of a dataset, and its answers are scored."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from expound import plugins
from expound.datasets.predictions import PREDICTIONS
from expound.datasets.spec import open_dataset
from expound.errors import BadInput, UserError
from expound.experiment import predict
from expound.models.readers import open_reader
from expound.recipes.findings import Finding, Row, run_rows
from expound.recipes.pictures import draw_lines
from expound.recipes.shape import Ingredients, Recipe
from expound.runs.answers import answer_all
from expound.runs.plan import Plan
from expound.score.results import Predictions, Scorer
from expound.types import MetricResult, Question

_NO_REWRITER = "train a writer on rows of expound train rewriter-data --rows and name it with --rewriter FOLDER"
_NO_WRITER = "train a writer with expound train writer and name it with --writer FOLDER"
_NO_READER = "train a reader with expound train sentences and name it with --sentences FILE"
# A text model takes the better part of a minute a question: 150 are a matter of hours, and every run has the same.
_SAMPLE, _SAMPLE_SEED = 150, 7


@dataclass(frozen=True)
class Parts:
    """A system as specs, and the protocol its answers are scored by; `references` stands for people's answers."""

    answer: str
    retrieve: str = "Nothing"
    clarify: str = "AsAsked"
    protocol: str = "standard"
    reader: str = "none"


@dataclass(frozen=True)
class SystemTable:
    """Which systems answer, and the metrics, as specs, that score them."""

    name: str
    metrics: tuple[str, ...]
    rows: tuple[Row, ...]
    is_sampled: bool = False
    """Whether `--limit` takes questions from a fixed random sample of 150 instead of the first of the file."""

    def prepare(self, given: Ingredients) -> Answering:
        """Read the questions; training questions are asked for before the long work."""
        if not given.train and any("{train}" in row.how.answer for row in self.rows if row.how):
            raise UserError(f"the recipe {self.name} needs training questions: --train LAYOUT:PATH")
        return Answering(self, given, read_questions(given, is_sampled=self.is_sampled))


@dataclass(frozen=True)
class Answering:
    """A table of systems with the questions that they answer."""

    table: SystemTable
    given: Ingredients
    questions: Sequence[Question] = field(repr=False)

    def run_row(self, row: Row) -> Mapping[str, MetricResult]:
        """The results of a row by metric; its answers are kept, and an interrupted one goes on there."""
        parts: Parts = row.how
        reader = open_reader(parts.reader)
        scorer = Scorer(self.table.metrics, protocol=parts.protocol, report=self.given.report, reader=reader)
        answers: Predictions = [] if parts.protocol == "human" else self._answers(row)
        return {result.metric: result for result in scorer.score(answers, self.questions).results}

    def _answers(self, row: Row) -> Path:
        # By its place in the table and not by its name, which is a sentence; a table that is asked for some rows keeps
        # places.
        out = self.given.folder / f"{self.table.rows.index(row) + 1:02}" / PREDICTIONS
        plan, given = self._plan(row.how), self.given
        spec = plan.spec(open_dataset(plan.dataset))
        answer_all(self.questions, partial(predict, plan), out, spec=spec, jobs=given.jobs, report=given.report)
        return out

    def _plan(self, parts: Parts) -> Plan:
        given = self.given
        if "{sentences}" in parts.answer and not given.sentences:
            raise UserError(_NO_READER)
        if "{writer}" in parts.answer and not given.writer:
            raise UserError(_NO_WRITER)
        if "{rewriter}" in parts.clarify and not given.rewriter:
            raise UserError(_NO_REWRITER)
        return Plan(
            name=self.table.name,
            dataset=given.dataset,
            corpus=given.corpus,
            retrieve=parts.retrieve,
            clarify=parts.clarify.replace("{rewriter}", given.rewriter),
            answer=parts.answer.format(train=given.train, sentences=given.sentences, writer=given.writer),
            model=given.model,
            reader=parts.reader,
            limit=given.limit,
        )


def system_recipe(
    *,
    name: str,
    title: str,
    layout: str,
    metrics: tuple[str, ...],
    rows: tuple[Row, ...],
    why: str = "",
    is_sampled: bool = False,
) -> Recipe[Answering]:
    """The recipe that measures a table of systems as it stands."""
    return Recipe(
        name=name,
        title=title,
        layout=layout,
        rows=rows,
        prepare=SystemTable(name, metrics, rows, is_sampled=is_sampled).prepare,
        run_row=Answering.run_row,
        why=why,
        resources=tuple(Scorer(metrics).resources),
        # The part is asked, and not known by its name: a plug-in may search as well.
        searches=any(row.how and plugins.takes("retrieve", row.how.retrieve, "corpora") for row in rows),
        draw=draw_lines,
    )


def run_systems(table: SystemTable, given: Ingredients) -> list[Finding]:
    """All systems of a table, for a figure that is made of their answers."""
    return run_rows(table.rows, table.prepare(given).run_row)


def read_questions(given: Ingredients, *, is_sampled: bool = False) -> list[Question]:
    """The questions of the dataset up to the limit: the first ones, or those of a fixed sample."""
    questions = list(open_dataset(given.dataset))
    if not questions:
        raise BadInput(f"{given.dataset} has no questions")
    if is_sampled and 0 < given.limit <= _SAMPLE < len(questions):
        # By id first: the sample must not hang on the order of the file. Any limit up to its size takes the first of
        # the sample, so that a short run is part of a long one.
        questions = random.Random(_SAMPLE_SEED).sample(sorted(questions, key=lambda question: question.id), _SAMPLE)
    return questions[: given.limit or None]
