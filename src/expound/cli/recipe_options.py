"""Everything that a recipe can be given on the command line; each takes some of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import typer

from expound.cli.screen import TableFormat
from expound.train.training_settings import NumberFormat


class Taken(NamedTuple):
    """What a command takes: the ingredient it becomes, its type, and how it is written."""

    ingredient: str
    type: Any
    written: Any


FILES = "files"


def _file(name: str, help: str) -> Taken:
    return Taken(FILES, Path, typer.Argument(..., metavar=name, help=help))


def _take_option(ingredient: str, type: Any, default: Any, *flags: str, help: str, **more: Any) -> Taken:
    return Taken(ingredient, type, typer.Option(default, *flags, help=help, **more))


CORPUS = typer.Option([], "--corpus", "-c", metavar="NAME|PATH", help="Where to search.")
OUT = typer.Option(..., "--out", "-o", help="Where predictions and the table go.")
LIMIT = typer.Option(0, "--limit", min=0, help="Only the first so many questions.")
JOBS = typer.Option(1, "--jobs", "-j", min=0, help="Processes that answer; 0 takes all cores.")

OPTIONS = {
    "passages": _file("PASSAGES", "Ready passages (JSON Lines) whose meta.source marks ASQA's gold contexts."),
    "questions": _file("DATASET", "ASQA in its official layout."),
    "answerable": _file("ANSWERABLE", "CLAPNQ's answerable questions."),
    "unanswerable": _file("UNANSWERABLE", "CLAPNQ's unanswerable questions."),
    "files": Taken(FILES, list[Path], typer.Argument(..., help="Its files, in the order of the help.")),
    "more_files": Taken(FILES, list[Path], typer.Argument([], metavar="FILES", help="Files that some rows need.")),
    "set_name": _take_option("set_name", str, ..., "--set", metavar="NAME", help="The set's name, such as docfaq."),
    "data": _take_option("data", Path, ..., "--data", help="The folder with the sets."),
    "documents": _take_option(
        "data", Path, ..., "--data", help="The folder with a folder of documents for each collection."
    ),
    "suite": _take_option(
        "suite", Path | None, None, "--suite", help="Another folder with collections.toml and questions.jsonl."
    ),
    "collections": _take_option(
        "collections", list[str], [], "--collection", help="Only this one; may be given several times."
    ),
    "half": _take_option(
        "half",
        str,
        "all",
        "--half",
        metavar="choose|decide|all|…",
        help="Only questions of this part of the documents.",
    ),
    "dataset": _take_option("dataset", str, ..., "--dataset", "-d", metavar="LAYOUT:PATH", help="The questions."),
    "train": _take_option(
        "train", str, "", "--train", metavar="LAYOUT:PATH", help="Training questions, if rows need them."
    ),
    "corpus": Taken("corpus", list[str], CORPUS),
    "out": Taken("out", Path, OUT),
    "keep": _take_option("out", Path | None, None, "--out", "-o", help="Keep answers and tables in this folder."),
    "limit": Taken("limit", int, LIMIT),
    "others": _take_option(
        "others",
        int,
        0,
        "--others",
        min=0,
        help="Draw so many passages of the corpora that are no question's own; 0 takes all.",
    ),
    "steps": _take_option(
        "steps", int, 0, "--steps", min=0, help="Updates that each writer is trained for; 0 is the recipe's own number."
    ),
    "precision": _take_option(
        "precision",
        NumberFormat,
        NumberFormat.FLOAT32,
        "--precision",
        help="What writers are trained in; bfloat16 takes two thirds of the time where the processor computes in it.",
    ),
    "written": _take_option(
        "written", int, 0, "--written", min=0, help="Answers that each writer writes; 0 is the recipe's own number."
    ),
    "lengths_by": _take_option(
        "lengths_by",
        Path | None,
        None,
        "--lengths-by",
        metavar="ROWS",
        help="Choose the least and the most tokens of answers on these rows, which are not measured on.",
    ),
    "top_p": _take_option(
        "top_p",
        float,
        0.0,
        "--top-p",
        min=0,
        max=1,
        help="Draw from the likeliest tokens that have this probability together; 0 is the recipe's own.",
    ),
    "seed": _take_option("seed", int, 13, "--seed", help="Of what is drawn in an answer."),
    "sample": _take_option("limit", int, 0, "--limit", min=0, help="Only so many questions, drawn once and for all."),
    "vectors": _take_option(
        "vectors", bool, False, "--vectors", help="Search by meaning too: a vector of every passage."
    ),
    "jobs": Taken("jobs", int, JOBS),
    "model": _take_option(
        "model", str, "none", "--model", metavar="none|NAME|URL", help="The text model, if rows need one."
    ),
    "rows": _take_option(
        "rows", list[str], [], "--row", metavar="NAME", help="Only this row; may be given several times."
    ),
    "sentences": _take_option(
        "sentences", str, "", "--sentences", metavar="FILE", help="A reader made by `expound train sentences`."
    ),
    "writer": _take_option(
        "writer",
        str,
        "",
        "--writer",
        metavar="FOLDER",
        help="A writer trained on rows of `expound train writer-data --documents support`, such as RUN/model.",
    ),
    "rewriter": _take_option(
        "rewriter",
        str,
        "",
        "--rewriter",
        metavar="FOLDER",
        help="A writer trained on rows of `expound train rewriter-data --rows`.",
    ),
    "plot": _take_option(
        "plot", Path | None, None, "--plot", help="Draw the rows to this file, where they have a picture."
    ),
    "format": _take_option(
        "format", TableFormat, TableFormat.markdown, "--format", "-f", help="How to print the table."
    ),
    "json": _take_option("json", bool, False, "--json", help="Every figure with its interval, for programs."),
}
"""By the name that the catalogue of recipes has for it."""


def ingredients_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, as the ingredients that it becomes: files in their order are one of them."""
    # In the order of the command's own arguments: a recipe knows its files by their place.
    files = [value for key, value in given.items() if OPTIONS[key].ingredient == FILES]
    rest = {OPTIONS[key].ingredient: value for key, value in given.items() if OPTIONS[key].ingredient != FILES}
    flat = (file for value in files for file in (value if isinstance(value, list) else [value]))
    return {FILES: tuple(flat), **{name: tuple(v) if isinstance(v, list) else v for name, v in rest.items()}}
