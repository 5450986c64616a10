"""`expound recipe`: measure what the papers' tables measure, on your machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from expound.cli import screen
from expound.cli.screen import TableFormat

if TYPE_CHECKING:
    from expound.recipes.document_answers import Asked
    from expound.recipes.table import Inputs, Measured, Recipe

app = typer.Typer(help="Tables of the papers and of this project, measured anew.")

EPILOG = screen.examples(
    "expound recipe asqa-extractive passages.jsonl.gz asqa_dev.json.gz --out runs/asqa",
    "expound recipe documents-qa --set docfaq --data documents_qa --half choose",
    "expound recipe clapnq-abstention answerable.jsonl.gz unanswerable.jsonl.gz --out runs/clapnq",
)
_OUT = typer.Option(..., "--out", "-o", help="Where predictions and the table go.")


@app.command("asqa-extractive")
def asqa_extractive(
    passages: Path = typer.Argument(
        ..., help="Ready passages (JSON Lines) whose meta.source marks ASQA's gold contexts."
    ),
    dataset: Path = typer.Argument(..., help="ASQA in its official layout."),
    out: Path = _OUT,
    limit: int = typer.Option(0, "--limit", help="Only the first so many questions."),
    vectors: bool = typer.Option(False, "--vectors", help="Search by meaning too: a vector of every passage."),
) -> None:
    """Answer quality and retrieval on ASQA dev, with and without the gold contexts in the corpus."""
    from expound.recipes.asqa_extractive import markdown, run

    with screen.progress("reading") as meter:
        rows = run(passages, dataset, out, limit=limit, vectors=vectors, report=meter.report)
    print(markdown(rows))


@app.command("clapnq-abstention")
def clapnq_abstention(
    answerable: Path = typer.Argument(..., help="CLAPNQ's answerable questions."),
    unanswerable: Path = typer.Argument(..., help="CLAPNQ's unanswerable questions."),
    out: Path = _OUT,
) -> None:
    """How often questions with and without an answer in the passages are answered."""
    from expound.recipes.clapnq_abstention import run

    with screen.progress("reading") as meter:
        screen.print_json(run(answerable, unanswerable, out, report=meter.report))


_HALF = typer.Option("all", "--half", metavar="choose|decide|all", help="Only questions of this part of the documents.")
_SAMPLE = typer.Option(0, "--limit", help="Only so many questions, drawn once and for all.")
_KEEP = typer.Option(None, "--out", "-o", help="Keep answers and tables in this folder.")
_JSON = typer.Option(False, "--json", help="Every figure with its interval, for programs.")


@app.command("documents-qa")
def documents_qa(
    set_name: str = typer.Option(..., "--set", metavar="NAME", help="The set's name, such as docfaq."),
    data: Path = typer.Option(..., "--data", help="The folder with the sets."),
    half: str = _HALF,
    limit: int = _SAMPLE,
    out: Path | None = _KEEP,
    json: bool = _JSON,
) -> None:
    """Answers to questions about manuals, FAQ pages and papers beside the first passages, by gold sentences."""
    from expound.cli.setup import prepare_embedder
    from expound.recipes.documents_qa import ask_set

    prepare_embedder()
    with screen.progress("reading") as meter:
        asked = ask_set(data, set_name, half=half, limit=limit, report=meter.report)
    _show_answers(f"documents-qa, {set_name} ({half})", asked, out, json)


@app.command("real-documents")
def real_documents(
    data: Path = typer.Option(..., "--data", help="The folder with a folder of documents for each collection."),
    suite: Path | None = typer.Option(
        None, "--suite", help="Another folder with collections.toml and questions.jsonl."
    ),
    half: str = _HALF,
    collection: list[str] = typer.Option([], "--collection", help="Only this one; may be given several times."),
    limit: int = _SAMPLE,
    out: Path | None = _KEEP,
    json: bool = _JSON,
) -> None:
    """Answers to questions about manuals beside the first passages, by the keys that they must hold."""
    from expound.cli.setup import prepare_embedder
    from expound.recipes.real_documents_recipe import SUITE, ask_suite

    prepare_embedder()
    with screen.progress("reading") as meter:
        asked = ask_suite(data, suite=suite or SUITE, half=half, only=collection, limit=limit, report=meter.report)
    _show_answers(f"real-documents ({half})", asked, out, json)


def _show_answers(title: str, asked: Sequence[Asked], out: Path | None, json: bool) -> None:
    from expound.recipes.document_table import as_json, keep, markdown, rows_of

    rows = rows_of(asked)
    if out:
        keep(out, title, asked, rows)
    if json:
        screen.print_json(as_json(rows))
    else:
        print(markdown(title, rows), end="")


_DATASET = typer.Option(..., "--dataset", "-d", metavar="LAYOUT:PATH", help="The questions.")
_TRAIN = typer.Option("", "--train", metavar="LAYOUT:PATH", help="Training questions, if rows need them.")
_CORPUS = typer.Option([], "--corpus", "-c", metavar="NAME|PATH", help="Where to search.")
_LIMIT = typer.Option(0, "--limit", help="Only the first so many questions.")
_JOBS = typer.Option(1, "--jobs", "-j", min=0, help="Processes that answer; 0 takes all cores.")
_MODEL = typer.Option("none", "--model", metavar="none|NAME|URL", help="The text model, if rows need one.")
_ROW = typer.Option([], "--row", metavar="NAME", help="Only this row; may be given several times.")
_SENTENCES = typer.Option("", "--sentences", metavar="FILE", help="A reader made by `expound train sentences`.")
_PLOT = typer.Option(None, "--plot", help="Draw the rows as points of lines, to this file.")
_FORMAT = typer.Option(TableFormat.markdown, "--format", "-f", help="How to print the table.")


def _table_command(name: str) -> None:
    @app.command(name, help=TABLES[name])
    def measure_table(
        dataset: str = _DATASET,
        train: str = _TRAIN,
        corpus: list[str] = _CORPUS,
        out: Path = _OUT,
        limit: int = _LIMIT,
        jobs: int = _JOBS,
        model: str = _MODEL,
        row: list[str] = _ROW,
        sentences: str = _SENTENCES,
        plot: Path | None = _PLOT,
        format: TableFormat = _FORMAT,
    ) -> None:
        from expound.recipes.table import Inputs

        inputs = Inputs(dataset, train, tuple(corpus), limit, model, tuple(row), sentences)
        _measure(name, inputs, out, jobs, plot, format)


def _web_command(name: str) -> None:
    @app.command(name, help=WEB[name])
    def measure_web(
        dataset: str = _DATASET,
        train: str = _TRAIN,
        out: Path = _OUT,
        limit: int = _LIMIT,
        jobs: int = _JOBS,
        sentences: str = _SENTENCES,
        plot: Path | None = _PLOT,
        format: TableFormat = _FORMAT,
    ) -> None:
        from expound.recipes.table import Inputs

        _measure_web(name, Inputs(dataset, train, (), limit, sentences=sentences), out, jobs, plot, format)


def _statistics_command(name: str) -> None:
    @app.command(name, help=STATISTICS[name])
    def print_statistics(dataset: str = _DATASET, format: TableFormat = _FORMAT) -> None:
        _print_statistics(name, dataset, format)


def _control_command(name: str) -> None:
    @app.command(name, help=CONTROLS[name])
    def measure_control(
        files: list[Path] = typer.Argument(..., help="Its files, in the order of the help."),
        plot: Path | None = typer.Option(None, "--plot", help="Draw the rows to this file, where they have a picture."),
        format: TableFormat = _FORMAT,
    ) -> None:
        _measure_control(name, files, plot, format)


@app.command("all")
def measure_all(
    data: Path = typer.Option(..., "--data", help="A folder with the benchmarks' files."),
    corpus: list[str] = _CORPUS,
    out: Path = _OUT,
    limit: int = _LIMIT,
    jobs: int = _JOBS,
) -> None:
    """Every table whose data is found below a folder."""
    from expound.recipes.registry import RECIPES, find_dataset
    from expound.recipes.registry import STATISTICS as STATISTICS_RECIPES
    from expound.recipes.registry import WEB as WEB_RECIPES
    from expound.recipes.table import Inputs

    for name, statistics in STATISTICS_RECIPES.items():
        if dataset := _found(name, find_dataset(data, statistics.layout)):
            _print_statistics(name, dataset, TableFormat.markdown)
    for name, recipe in RECIPES.items():
        if dataset := _found(name, find_dataset(data, recipe.layout)):
            inputs = Inputs(dataset, find_dataset(data, "train"), tuple(corpus), limit)
            _measure(name, inputs, out / name, jobs, None, TableFormat.markdown)
    for name, web in WEB_RECIPES.items():
        if dataset := _found(name, find_dataset(data, web.recipe.layout)):
            inputs = Inputs(dataset, find_dataset(data, "train"), (), limit)
            _measure_web(name, inputs, out / name, jobs, None, TableFormat.markdown)


def _found(name: str, dataset: str) -> str:
    print(f"\n## {name}\n" if dataset else f"\n## {name}: left out, its data is not there")
    return dataset


def _measure(name: str, inputs: Inputs, out: Path, jobs: int, plot: Path | None, format: TableFormat) -> None:
    from expound.cli.setup import prepare_embedder
    from expound.recipes.registry import RECIPES
    from expound.recipes.table import measure

    recipe = RECIPES[name]
    if recipe.needs_corpus:
        prepare_embedder()
    with screen.progress("answering") as meter:
        measured = measure(recipe, inputs, out, jobs=jobs, report=meter.report)
    _show(recipe, measured, out, plot, format)


def _measure_web(name: str, inputs: Inputs, out: Path, jobs: int, plot: Path | None, format: TableFormat) -> None:
    from expound.recipes.registry import WEB as WEB_RECIPES

    web = WEB_RECIPES[name]
    with screen.progress("answering") as meter:
        measured = web.measure(inputs, out, jobs=jobs, report=meter.report)
    _show(web.recipe, measured, out, plot, format)


def _show(recipe: Recipe, measured: list[Measured], out: Path, plot: Path | None, format: TableFormat) -> None:
    from expound.recipes.table import columns_and_rows, markdown
    from expound.recipes.table_plot import plot_rows

    (out / "table.md").write_text(markdown(recipe, measured), encoding="utf-8")
    if plot:
        plot_rows(recipe.title, measured, plot)
    screen.print_table(*columns_and_rows(measured), format)
    screen.say(recipe.why)


def _print_statistics(name: str, dataset: str, format: TableFormat) -> None:
    from expound.recipes.registry import STATISTICS as STATISTICS_RECIPES
    from expound.recipes.statistics_table import statistics_rows

    recipe = STATISTICS_RECIPES[name]
    screen.print_table(*statistics_rows(recipe, dataset), format)
    screen.say(recipe.why)


def _measure_control(name: str, files: list[Path], plot: Path | None, format: TableFormat) -> None:
    from expound.recipes.control_table import check_plot, measured
    from expound.recipes.registry import CONTROLS as CONTROL_TABLES

    table = CONTROL_TABLES[name]
    draw = check_plot(table, plot)  # said before the long work
    with screen.progress("measuring") as meter:
        rows = measured(table, files, meter.report)
    if plot and draw:
        draw(rows, plot)
    screen.print_table(*rows, format)
    screen.say(table.why)


# Named here so that --help need not import the tables; a test keeps the lists the same.
TABLES = {
    "asqa-table3": "ASQA, Table 3: baselines and people.",
    "asqa-figure3": "ASQA, Figure 3: scores by the number of passages.",
    "eli5-table3": "ELI5, Table 3: retrieval and extractive rows.",
    "hurdles-table7": "Krishna et al. 2021, Table 7: bounds on ELI5.",
    "ambigqa-table4": "AmbigQA, Table 4: always the prompt question.",
    "ambigqa-table8": "AmbigQA, Table 8: exact match with any or the first reference.",
    "clarify-models": "Ways to clarify AmbigNQ's questions with a text model.",
    "written-models": "ASQA answers with a text model and without.",
}
WEB = {
    "eli5-table3-web": "ELI5, Table 3, over web documents: extractive rows and both oracles.",
    "eli5-figure7": "ELI5, Figure 7 (left): ROUGE by the answer's overlap with the support document.",
    "eli5-figure8": "ELI5, Figure 8: TF-IDF rank of the passages that oracle sentences come from.",
}
STATISTICS = {
    "asqa-tables-1-2": "ASQA, Tables 1 and 2: statistics of the dev set.",
    "ambigqa-table2": "AmbigQA, Table 2: readings a question.",
}
CONTROLS = {
    "ambigqa-table6": "AmbigQA, Table 6: error classes, QUESTIONS PREDICTIONS.",
    "reader-calibration": "Disambig-F1 with expound's reader: ASQA and system OUTPUTS.",
    "support-checks": "Support checks against people: sentence LABELS, DOCUMENTS, ALTERED answers, ASQA TRAINING.",
    "hurdles-tables-2-4": "Krishna et al. 2021, Tables 2 and 4: ANSWERS DOCUMENTS of 12 systems.",
    "hurdles-table4": "Krishna et al. 2021, Table 4: the same ANSWERS DOCUMENTS, content words by rules and by spaCy.",
    "hurdles-random-documents": "Krishna et al. 2021, section 3.1: the same ANSWERS DOCUMENTS, real against random.",
    "hurdles-table5": "Krishna et al. 2021, Table 5: ELI5-Category QUESTIONS asked in OTHERS.",
    "hurdles-table11": "Krishna et al. 2021, Table 11: cut and repeated answers, QUESTIONS with references.",
    "hurdles-paraphrase": "The paraphrase score: MRPC TRAIN and TEST, ELI5-Category VALIDATION_2 and TEST.",
}
for table_name in TABLES:
    _table_command(table_name)
for table_name in WEB:
    _web_command(table_name)
for table_name in STATISTICS:
    _statistics_command(table_name)
for table_name in CONTROLS:
    _control_command(table_name)
