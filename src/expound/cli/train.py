"""`expound train`: the models that ship with expound, trained anew or on files of your own."""

from __future__ import annotations

from pathlib import Path

import typer

from expound.cli import screen

app = typer.Typer(help="Train the models that ship with expound; needs the `train` extra.")

EPILOG = screen.examples(
    "expound train reader --train squad.json --train asqa.json --dev dev.json --base all-MiniLM-L6-v2 --out run",
    "expound train reader --smoke --out run",
    "expound train sentences --train eli5-category:train.jsonl --corpus wiki --base all-MiniLM-L6-v2 --out run",
)
_OUT = typer.Option(..., "--out", "-o", help="The folder for what is made.")
_SEED = typer.Option(13, "--seed", help="For every random choice.")
_SMOKE_STEPS = 30


@app.command("reader")
def train_reader(
    out: Path = _OUT,
    train: list[Path] = typer.Option([], "--train", help="Questions to learn from, in the SQuAD 2.0 layout."),
    dev: list[Path] = typer.Option([], "--dev", help="Questions to measure on and to choose the threshold by."),
    base: Path | None = typer.Option(None, "--base", help="Folder of the model to start from, such as RUN/model."),
    steps: int = typer.Option(1000, "--steps", min=1, help="Updates of the weights."),
    rate: float = typer.Option(1e-4, "--rate", help="The highest learning rate."),
    batch: int = typer.Option(12, "--batch", min=1, help="Windows a step."),
    most_tokens: int = typer.Option(144, "--most-tokens", min=32, max=384, help="Longer contexts are cut."),
    threads: int = typer.Option(2, "--threads", min=1, help="Cores to compute on."),
    seed: int = _SEED,
    smoke: bool = typer.Option(False, "--smoke", help="A few steps of a tiny model on made-up questions."),
) -> None:
    """Train a span reader, choose its threshold on the dev files, and export it; goes on where it was stopped."""
    from expound.errors import UserError
    from expound.train.reader import Settings
    from expound.train.reader_run import ReaderFiles, needs_extra, train_and_export
    from expound.train.smoke import smoke_files

    needs_extra()
    settings = Settings(
        steps=steps, learning_rate=rate, batch=batch, most_tokens=most_tokens, threads=threads, seed=seed
    )
    if smoke:
        files, settings = smoke_files(out / "smoke"), Settings(steps=min(steps, _SMOKE_STEPS), learning_rate=3e-3)
    elif base is None:
        raise UserError("a reader needs a model to start from: --base FOLDER")
    else:
        files = ReaderFiles(tuple(train), tuple(dev), base)
    with screen.progress("training") as meter:
        figures = train_and_export(files, settings, out, report=meter.report)
    screen.print_json(figures)


@app.command("sentences")
def train_sentences(
    out: Path = _OUT,
    train: list[str] = typer.Option(..., "--train", metavar="LAYOUT:PATH", help="Questions with long answers."),
    keep_out: list[str] = typer.Option([], "--keep-out", metavar="LAYOUT:PATH", help="Questions not to train on."),
    corpus: list[str] = typer.Option([], "--corpus", "-c", metavar="NAME|PATH", help="Where their documents are."),
    base: Path = typer.Option(..., "--base", help="Folder of the model to start from."),
    most: int = typer.Option(2000, "--most", min=1, help="Only the first so many questions of each dataset."),
    steps: int = typer.Option(300, "--steps", min=1, help="Updates of the weights."),
    threads: int = typer.Option(2, "--threads", min=1, help="Cores to compute on."),
    seed: int = _SEED,
) -> None:
    """Train ELI5's extractive reader on the best spans of documents; goes on where it was stopped."""
    from expound.train.ranker import Settings
    from expound.train.reader_run import needs_extra
    from expound.train.span_run import SpanFiles, train_on_spans

    needs_extra()
    files = SpanFiles(tuple(train), tuple(keep_out), tuple(corpus), base, most)
    settings = Settings(steps=steps, threads=threads, seed=seed, measure_every=100)
    with screen.progress("reading") as meter:
        figures = train_on_spans(files, settings, out, report=meter.report)
    screen.print_json(figures)


@app.command("reader-data")
def build_reader_data(
    out: Path = _OUT,
    passages: Path = typer.Option(..., "--passages", help="JSON Lines of id, title, text, source."),
    squad: Path = typer.Option(..., "--squad", help="SQuAD 2.0; its last articles are held out."),
    asqa_train: Path = typer.Option(..., "--asqa-train"),
    ambignq_train: Path = typer.Option(..., "--ambignq-train"),
    nq_open_train: Path = typer.Option(..., "--nq-open-train"),
    nq_gold: Path = typer.Option(..., "--nq-gold", help="JSON Lines of question, answers, gold_title, gold_text."),
    asqa_dev: Path = typer.Option(..., "--asqa-dev", help="Read to keep its questions out, as the next two."),
    ambignq_dev: list[Path] = typer.Option(..., "--ambignq-dev"),
    clapnq: list[Path] = typer.Option([], "--clapnq"),
    keep_out: list[Path] = typer.Option([], "--keep-out", help="JSON Lines whose `question` is not trained on."),
    seed: int = _SEED,
) -> None:
    """Make the files of the shipped reader out of SQuAD, ASQA, AmbigNQ and NQ-open, without any dev question."""
    from expound.train.reader_run import write_reader_data
    from expound.train.sources import DataFiles

    files = DataFiles(
        passages, ambignq_train, asqa_train, nq_open_train, nq_gold, squad, asqa_dev, tuple(ambignq_dev), tuple(clapnq)
    )
    with screen.progress("building") as meter:
        contents = write_reader_data(files, out, seed=seed, keep_out=keep_out, report=meter.report)
    rows = [(name, len(part), sum(not reading.answers for reading in part)) for name, part in contents.items()]
    screen.table(("file", "questions", "without an answer"), rows)


@app.command("reader-figures")
def measure_reader(
    files: list[Path] = typer.Argument(..., help="Questions in the SQuAD 2.0 layout."),
    model: Path | None = typer.Option(None, "--model", help="An exported reader; without it the shipped one."),
) -> None:
    """Exact match and F1 of a reader on files: of all questions, of those with an answer and of those without."""
    from expound import resources
    from expound.models.reader import READER_FILE, READER_SHA256, SpanReader
    from expound.train.reader_run import measure_exported

    tokenizer = resources.ensure(["minilm-tokenizer"])["minilm-tokenizer"]
    sha256 = "" if model else READER_SHA256
    reader = SpanReader(model or READER_FILE, tokenizer, sha256=sha256)
    screen.print_json(measure_exported(reader, files))
