"""ELI5's Tables 3 and 4, abstractive rows (Fan et al. 2019): language models, encoders with decoders, many tasks."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from expound.models.decoder import Decoding
from expound.models.torch_writer import TorchWriter
from expound.recipes.findings import Row, Values
from expound.recipes.intervals import mean_figure
from expound.recipes.printing import Column, measured_column, name_column, published_column, table_of
from expound.recipes.shape import Ingredients, Recipe
from expound.recipes.writer_plans import FROM_NOTHING, SHORT, WriterPlan, WriterTable
from expound.train.data.writer_files import WriterRow, read_writer_rows
from expound.train.data.writer_tasks import TASKS
from expound.train.writer_bases import SMALL
from expound.train.writer_figures import WriterMeasure, best_lengths, writer_figures
from expound.types import MetricResult

_NAMES = (
    *("perplexity", "rouge_1", "rouge_2", "rouge_l"),
    *("fill_1_noun", "fill_1_verb", "fill_1_adjective", "rouge_20_1", "rouge_20_2", "rouge_20_l"),
)
_ADAPTED = "SmolLM2, adapted"
# Beams and trigrams as in the paper; without rows to choose them by, lengths as those of references cut at 60 words.
_DECODING = Decoding(beams=5, no_repeat=3, least_tokens=30, most_tokens=90)
_WRITTEN = 20  # answers that are written out, unless --written says how many: some seconds each with SmolLM2


@dataclass(frozen=True)
class Eli5Writers:
    """The writers, the rows that they are measured on, and what the first of our own made of each."""

    table: WriterTable
    rows: list[WriterRow] = field(repr=False)
    validation: list[WriterRow] = field(default_factory=list, repr=False)
    """What lengths are chosen on, if anything."""
    seen: dict[str, MetricResult] = field(default_factory=dict, repr=False)


def prepare(given: Ingredients) -> Eli5Writers:
    """Read what is measured on, and what is trained on too: a bad file says so before anything is trained."""
    train, test = given.files
    # Read for its errors alone; training reads it again when its row comes.
    read_writer_rows([train])
    validation = read_writer_rows([given.lengths_by] if given.lengths_by else [])
    rows = read_writer_rows([test])[: given.limit or None]
    return Eli5Writers(WriterTable(train, given.folder, given), rows, validation)


def measure_row(writers: Eli5Writers, row: Row) -> Values:
    """The figures of a row, with as many answers written out as is asked for."""
    return _measure(writers, row, written=writers.table.given.written or _WRITTEN)


def _read_row(writers: Eli5Writers, row: Row) -> Values:
    """The figures of a row without ROUGE: nothing is written."""
    return _measure(writers, row, written=0)


def _measure(writers: Eli5Writers, row: Row, *, written: int) -> Values:
    """Train, then measure; with how much more a word surprises it than our adapted writer."""
    plan: WriterPlan = row.how
    cost = {"CPU-seconds": writers.table.train_row(row.name, plan)} if plan.is_trained else {}
    writer = writers.table.open_row(row.name, plan)
    measure = WriterMeasure(written=written, decoding=_DECODING, answer_words=plan.writing.answer_words)
    measure, lengths = _choose_lengths(writers, writer, measure)
    found = writer_figures(writer, writers.rows, measure, report=writers.table.given.report)
    writers.seen[row.name] = found["perplexity"]
    return {**found, **_against(writers.seen, row.name), **lengths, **cost}


def _choose_lengths(writers: Eli5Writers, writer: TorchWriter, measure: WriterMeasure) -> tuple[WriterMeasure, Values]:
    """The measure with the lengths that do best on other rows, where there are any, and these lengths."""
    if not (measure.written and writers.validation):
        return measure, {}
    best = best_lengths(writer, writers.validation, measure, report=writers.table.given.report)
    return replace(measure, decoding=best), {"fewest tokens": best.least_tokens, "most tokens": best.most_tokens}


def _against(seen: dict[str, MetricResult], name: str) -> Values:
    """The mean difference of log-perplexities, answer by answer: above 0 the adapted writer is less surprised."""
    if name == _ADAPTED or _ADAPTED not in seen:
        return {}
    ours, theirs = seen[_ADAPTED].per_question, seen[name].per_question
    # Logarithms, answer by answer: one answer that surprises a writer a thousandfold must not decide the mean.
    return {"over the adapted": mean_figure(math.log(theirs[key]) - math.log(ours[key]) for key in ours)}


def _name_published(*values: float) -> dict[str, float]:
    return dict(zip(_NAMES, values, strict=True))


def _from_nothing(**writing: object) -> WriterPlan:
    return WriterPlan(replace(SHORT, lora=0, **writing), FROM_NOTHING, "small")  # type: ignore[arg-type]  # by name


_MULTI_TASK = _from_nothing(shape="seq2seq", k=1, tasks=TASKS)
_ROWS = (
    Row(_ADAPTED, how=WriterPlan(), why="an adapter of rank 16, question to answer"),
    Row("SmolLM2, adapted to others' answers", how=WriterPlan(replace(SHORT, is_shuffled=True)), why="a control"),
    Row("SmolLM2, as it is", how=WriterPlan(is_trained=False), why="the base, untrained"),
    Row("SmolLM2, adapted, with documents", how=WriterPlan(replace(SHORT, k=1)), why="question and document to answer"),
    Row(
        "LM Q + A",
        _name_published(42.2, 27.8, 4.7, 23.1, 31.0, 29.6, 20.6, 26.5, 7.0, 21.1),
        _from_nothing(loss="all"),
    ),
    Row(
        "LM Q + D + A",
        _name_published(33.9, 26.4, 4.0, 20.5, 30.9, 28.9, 19.9, 26.3, 7.8, 21.3),
        _from_nothing(loss="all", k=1),
    ),
    Row(
        "Seq2Seq Q to A",
        _name_published(52.9, 28.3, 5.1, 22.7, 21.7, 23.0, 15.5, 33.6, 11.5, 29.5),
        _from_nothing(shape="seq2seq"),
    ),
    Row(
        "Seq2Seq Q + D to A",
        _name_published(55.1, 28.3, 5.1, 22.8, 27.6, 26.3, 19.4, 32.7, 10.7, 28.6),
        _from_nothing(shape="seq2seq", k=1),
    ),
    Row("Seq2Seq multi-task", _name_published(32.7, 28.9, 5.4, 23.1, 27.9, 26.7, 19.9, 37.2, 14.6, 33.0), _MULTI_TASK),
)
_COLUMNS = [
    column for name in _NAMES for column in (published_column(f"{name} published", name), measured_column(name))
]
_LENGTHS = (measured_column("fewest tokens", digits=0), measured_column("most tokens", digits=0))
_COST = (
    measured_column("log-perplexity over the adapted", "over the adapted", digits=3),
    measured_column("CPU-seconds"),
    Column("note", lambda finding: finding.row.why),
)
_FILES = ("rows to train on, of expound train writer-data", "rows to measure on")

RECIPE = Recipe(
    name="eli5-writers",
    title="ELI5, Tables 3 and 4: writers",
    files=_FILES,
    rows=_ROWS,
    prepare=prepare,
    run_row=measure_row,
    tables=table_of(name_column("row"), *_COLUMNS, *_LENGTHS, *_COST),
    resources=(SMALL,),
    why="Perplexity is per word, theirs per token of 40,000 codes. From nothing: some 6 million weights, 1,200 "
    "examples; theirs have 200 million and 237,000. FILL-1 needs the extra nlp. Answers have 30 to 90 tokens, unless "
    "--lengths-by chooses other lengths, as theirs were chosen.",
)
CONTROL_RECIPE = Recipe(
    name="eli5-writer-control",
    title="ELI5: a writer beside its untrained base and the same writer trained on others' answers",
    files=_FILES,
    rows=_ROWS[:3],
    prepare=prepare,
    run_row=_read_row,
    tables=table_of(name_column("row"), measured_column("perplexity"), *map(measured_column, _NAMES[4:7]), *_COST),
    resources=(SMALL,),
    why="Perplexity is per word of the reference, answers cut at 60 words. The difference is of log-perplexities, "
    "answer by answer: above 0 the writer that was trained on its own answers is less surprised.",
)
DATA_RECIPE = Recipe(
    name="eli5-figure7-data",
    title="ELI5, Figure 7 (right): the multi-task model by amount of training data",
    files=_FILES,
    rows=tuple(
        Row(f"{share:.0%}", how=replace(_MULTI_TASK, share=share), why="the paper prints a curve without numbers")
        for share in (0.25, 0.5, 0.75, 1.0)
    ),
    prepare=prepare,
    run_row=measure_row,
    tables=table_of(
        name_column("training data"), *(measured_column(name) for name in _NAMES[:4]), *_LENGTHS, *_COST[1:]
    ),
    why="All shares take as many steps: fewer rows are gone through more often. Answers have 30 to 90 tokens, unless "
    "--lengths-by chooses other lengths.",
)
