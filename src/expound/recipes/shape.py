"""The one shape of a recipe: its rows with published values, how a row is measured, and what is printed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from expound.corpus.library import check_corpus
from expound.datasets.spec import open_dataset
from expound.errors import UnknownName, UserError, nearest
from expound.experiment import Report
from expound.files import check_folder, user_path, write_whole
from expound.models.model_folder import open_folder
from expound.models.text import choose_model
from expound.recipes.findings import Finding, Row, Values, run_rows
from expound.recipes.pictures import check_picture
from expound.recipes.printing import Sheet, Tables, finding_record, json_value, side_by_side
from expound.text.tables import as_markdown
from expound.train.training_settings import NumberFormat

Data = TypeVar("Data")


@dataclass(frozen=True, kw_only=True)
class Ingredients:
    """What the user brings, and where things go: every recipe takes some of it."""

    files: tuple[Path, ...] = ()
    dataset: str = ""
    train: str = ""
    corpus: tuple[str, ...] = ()
    model: str = "none"
    sentences: str = ""
    """The ONNX file that `expound train sentences` wrote, if there is one."""
    writer: str = ""
    """The folder of a writer of answers, if there is one."""
    rewriter: str = ""
    """The folder of a writer that rewrites questions, if there is one."""
    data: Path = Path()
    """The folder with the documents that are asked about."""
    set_name: str = ""
    suite: Path | None = None
    collections: tuple[str, ...] = ()
    half: str = "all"
    rows: tuple[str, ...] = ()
    """The names of the rows to run; all, if there are none."""
    limit: int = 0
    others: int = 0
    """Passages that are drawn from the corpora, to be mistaken for the right ones; 0 takes all."""
    steps: int = 0
    """Updates that each writer is trained for; 0 is the recipe's own number."""
    precision: NumberFormat = NumberFormat.FLOAT32
    """What the steps of writers are computed in."""
    written: int = 0
    """Answers that each writer writes; 0 is the recipe's own number."""
    lengths_by: Path | None = None
    """Other rows, by which each writer's least and most tokens of an answer are chosen."""
    top_p: float = 0.0
    """The likeliest tokens that have this probability together are drawn from; 0 is the recipe's own number."""
    seed: int = 13
    """Of what is drawn in an answer."""
    vectors: bool = False
    jobs: int = 1
    out: Path | None = None
    plot: Path | None = None
    report: Report | None = None

    @property
    def folder(self) -> Path:
        """Where answers are kept."""
        if self.out is None:
            raise UserError("this recipe keeps its answers: name a folder for them with --out")
        return self.out

    def say(self, doing: str, done: int, total: int) -> None:
        """Report progress, if somebody listens."""
        if self.report:
            self.report(doing, done, total)


@dataclass(frozen=True, kw_only=True)
class Recipe(Generic[Data]):
    """A table or figure that can be measured anew."""

    name: str
    title: str
    """What stands over the table; `{set_name}` and `{half}` are those of the ingredients."""
    prepare: Callable[[Ingredients], Data]
    """Read, or run, once what all rows need."""
    run_row: Callable[[Data, Row], Values]
    rows: tuple[Row, ...] = ()
    more_rows: Callable[[Data], Sequence[Row]] = lambda data: ()
    """Rows that only the data knows, such as the systems in a file."""
    publish: Callable[[Row, Ingredients], Mapping[str, float | str]] = lambda row, given: row.published
    """What the paper has for a row as it is asked for: of another setting it prints other numbers, or none."""
    tables: Tables = side_by_side
    """What is printed."""
    record: Callable[[Sequence[Finding]], Any] = lambda findings: list(map(finding_record, findings))
    """The same for programs."""
    why: str = ""
    """Why all our numbers differ from the published ones."""
    files: tuple[str, ...] = ()
    """The files it is made of, in words."""
    more_files: tuple[str, ...] = ()
    """Files that may follow; the rows that need one that was not named say so."""
    layout: str = ""
    """The layout of the dataset it is measured on, where `recipe all` can look for one."""
    searches: bool = False
    """Whether a corpus is searched, which goes better with the embedder."""
    resources: tuple[str, ...] = ()
    """The fetched files that it cannot do without."""
    doing: str = ""
    """What the progress from row to row is called; without it, a recipe reports for itself."""
    draw: Callable[[str, Sequence[Finding], Path], None] | None = None
    """Make a picture of the findings under a title, where they have one."""
    keep: Callable[[Data, Measurement, Path], None] | None = None
    """Write what else is worth keeping beside the table."""


@dataclass(frozen=True)
class Measurement:
    """A recipe with what came out of it."""

    recipe: Recipe[Any]
    title: str
    findings: tuple[Finding, ...]

    def tables(self) -> list[Sheet]:
        """What is printed."""
        return self.recipe.tables(self.findings)

    def markdown(self) -> str:
        """The tables to keep, with the title above and the reason below."""
        note = f"\n{self.recipe.why}\n" if self.recipe.why else ""
        return f"### {self.title}\n\n" + "\n".join(as_markdown(*sheet) for sheet in self.tables()) + note

    def record(self) -> Any:
        """The same for programs."""
        return json_value(self.recipe.record(self.findings))


def measure(recipe: Recipe[Data], given: Ingredients) -> Measurement:
    """Prepare once, then measure row by row; the table is kept in `out` and drawn to `plot`, where these are named."""
    # Again, though a command has checked already: from Python this is the only door.
    check(recipe, given)
    rows = [replace(row, published=recipe.publish(row, given)) for row in _choose_rows(recipe, given.rows)]
    # After the rows are chosen: a name that is none is told before anything is read or trained.
    data = recipe.prepare(given)
    reported = _with_progress([*rows, *recipe.more_rows(data)], recipe.doing, given)
    findings = run_rows(reported, partial(recipe.run_row, data))
    title = recipe.title.format(set_name=given.set_name, half=given.half)
    done = Measurement(recipe, title, tuple(findings))
    if given.out:
        _keep(done, data, given.out)
    if given.plot and recipe.draw:
        recipe.draw(title, findings, given.plot)
    return done


def check(recipe: Recipe[Any], given: Ingredients) -> None:
    """Say what is missing or cannot be done before anything is fetched or measured."""
    # The number first: with one file too few, every following file would be refused for being the wrong one.
    _count_files(recipe, len(given.files))
    for file, what in zip(given.files, (*recipe.files, *recipe.more_files), strict=False):
        if not file.is_file():
            raise UserError(f"{file} is no file: the recipe {recipe.name} needs {what} there")
    if given.plot and not recipe.draw:
        raise UserError(f"the recipe {recipe.name} has no picture: leave out --plot")
    if given.plot:
        check_picture(given.plot)
    if given.sentences and not user_path(given.sentences).is_file():
        raise UserError(f"{given.sentences} is no file: --sentences names a reader made by `expound train sentences`")
    if given.lengths_by and not given.lengths_by.is_file():
        raise UserError(f"{given.lengths_by} is no file: --lengths-by names rows of expound train writer-data")
    for folder in filter(None, (given.writer, given.rewriter)):
        open_folder(folder)
    check_surroundings(given)
    for spec in filter(None, (given.dataset, given.train)):
        next(iter(open_dataset(spec)), None)  # one that cannot be read says so here


def _count_files(recipe: Recipe[Any], count: int) -> None:
    needed, more = recipe.files, recipe.more_files
    if len(needed) <= count <= len(needed) + len(more):
        return
    told = f"the recipe {recipe.name} needs {len(needed)} files{': ' if needed else ''}{', '.join(needed)}"
    raise UserError(f"{told}{'; may follow: ' if more else ''}{', '.join(more)}")


def check_surroundings(given: Ingredients) -> None:
    """Say what is wrong with the corpora, the model and the folder: a row that lacks them would only be left out."""
    for spec in given.corpus:
        check_corpus(spec)
    # Chosen and let go: a name that is none, or a file that is missing, must not end the work at its first question.
    choose_model(given.model, say=lambda remark: None)
    if given.out and given.out.exists() and not given.out.is_dir():
        raise UserError(f"{given.out} is a file, and --out names a folder")
    if given.out:
        check_folder(given.out)


def _choose_rows(recipe: Recipe[Any], names: Sequence[str]) -> list[Row]:
    known = [row.name for row in recipe.rows]
    for name in names:
        if name not in known:
            raise UnknownName(f"the recipe {recipe.name} has no row {name!r}; {nearest(name, known)}")
    return [row for row in recipe.rows if not names or row.name in names]


def _with_progress(rows: Sequence[Row], doing: str, given: Ingredients) -> Iterator[Row]:
    # Told before the row and not after it: a row may take hours, and nobody should look at the one before.
    for number, row in enumerate(rows):
        if doing:
            given.say(doing, number, len(rows))
        yield row


def _keep(done: Measurement, data: Any, out: Path) -> None:
    """The table for people and for programs, and what else the recipe has to keep."""
    for name, text in (("table.md", done.markdown()), ("table.json", json.dumps(done.record(), indent=1) + "\n")):
        with write_whole(out / name) as file:
            file.write(text)
    # Last: whoever finds these files finds the table that they belong to.
    if done.recipe.keep:
        done.recipe.keep(data, done, out)
