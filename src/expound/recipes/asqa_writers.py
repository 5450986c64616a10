"""ASQA's Table 3, trained rows (Stelmakh et al. 2022): our writer in T5's place, closed book and with passages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from expound.answer.trained_writer import TrainedWriter
from expound.models.decoder import Decoding
from expound.recipes.findings import Row, Values
from expound.recipes.shape import Ingredients, Recipe
from expound.recipes.systems import Answering, Parts, SystemTable
from expound.recipes.writer_plans import WriterPlan, WriterTable
from expound.train.data.writer_files import read_writer_rows
from expound.train.training_settings import WriterSettings
from expound.train.writer_bases import SMALL

_METRICS = ("Length()", "Rouge(profile='asqa')", "StrEm()", "Dr()")
# Greedy: five beams take SmolLM2 five times as long, and nothing is said of beams in the paper.
_DECODING = Decoding(beams=1, no_repeat=3, least_tokens=30, most_tokens=130)
_WRITING = WriterSettings(input="asqa", answer_words=90)
# A passage has a hundred words, some 130 tokens.
_TOKENS = {0: 256, 1: 384, 3: 640, 5: 896}


@dataclass(frozen=True)
class AsqaWriters:
    """The writers, and the systems that answer with them."""

    table: WriterTable
    answering: Answering

    def run_row(self, row: Row) -> Values:
        """Train, answer the dataset's questions, and score the answers."""
        plan: WriterPlan = row.how
        seconds = self.table.train_row(row.name, plan)
        system = next(one for one in self.answering.table.rows if one.name == row.name)
        return {**self.answering.run_row(system), "CPU-seconds of training": seconds}


def prepare(given: Ingredients) -> AsqaWriters:
    """Read the questions; each row's system answers with the folder that its writer is trained into."""
    (train,) = given.files
    read_writer_rows([train])  # a file that cannot be read says so before anything is trained
    table = WriterTable(train, given.folder, given)
    rows = tuple(Row(row.name, how=_parts(row.how, table.folder_of(row.name) / "model")) for row in _ROWS)
    return AsqaWriters(table, SystemTable("asqa-writers", _METRICS, rows, is_sampled=True).prepare(given))


def _parts(plan: WriterPlan, folder: Path) -> Parts:
    answer = repr(TrainedWriter(str(folder), _DECODING))
    return Parts(answer, "Lexical" if plan.writing.k else "Nothing", reader="auto")


def _row(name: str, k: int, *published: float) -> Row:
    plan = WriterPlan(replace(_WRITING, k=k, most_tokens=_TOKENS[k]))
    return Row(name, dict(zip(("length", "rouge_lsum", "str_em", "dr"), published, strict=True)), plan)


_ROWS = (
    _row("closed book", 0, 62.5, 33.5, 10.3, 15.7),
    _row("1 passage", 1, 63.0, 40.3, 33.6, 29.2),
    _row("3 passages", 3, 71.1, 42.7, 39.9, 32.7),
    _row("5 passages", 5, 71.6, 43.0, 41.0, 33.7),
)
RECIPE = Recipe(
    name="asqa-writers",
    title="ASQA, Table 3: trained writers",
    files=("rows to train on, of expound train writer-data",),
    rows=_ROWS,
    prepare=prepare,
    run_row=AsqaWriters.run_row,
    resources=(SMALL,),
    why="SmolLM2 of 135 million weights with an adapter in the place of T5-large's 770 million; 120 examples in the "
    "place of 4,353; our words over your corpus in the place of JPR over all of Wikipedia.",
)
