"""`expound train`: the models that ship with expound, trained anew or on files of your own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from expound.cli import screen
from expound.cli.train_data import data_commands
from expound.cli.train_listing import make_answer_data, train_answer_models
from expound.cli.train_options import (
    Base,
    Batch,
    ComputeIn,
    Dev,
    DryRun,
    Frozen,
    Hours,
    Out,
    Patience,
    PresetBatch,
    PresetRate,
    PresetSteps,
    Rate,
    Seed,
    Smoke,
    Steps,
    Threads,
    Tokens,
    Train,
    given,
)
from expound.cli.train_writer import train_a_writer
from expound.models.token_limits import TELLING_TOKENS
from expound.train.presets import RETRIEVER_PRESETS, choose_preset
from expound.train.training_settings import (
    NLI,
    PREFERENCE,
    RANKER,
    READER,
    RETRIEVER,
    REWRITER,
    SENTENCES,
    TAGGER,
    NliSettings,
    PreferenceSettings,
    RankerSettings,
    ReaderSettings,
    RetrieverSettings,
    TaggerSettings,
    TrainingSettings,
)

if TYPE_CHECKING:
    from expound.train.request import TrainingRequest

app = typer.Typer(help="Train the models that ship with expound; needs the `train` extra.")

EPILOG = screen.examples(
    "expound train reader --train squad.json --train asqa.json --dev dev.json --hours 2 --out run",
    "expound train retriever --train groups.jsonl --dev dev.jsonl --base minilm-float32 --out run",
    "expound train tagger --smoke --out run",
    "expound train preference --people qa-feedback:dev.json --people haluquestqa:halu.jsonl --out mine",
    "expound train sentences --train eli5-category:train.jsonl --corpus wiki --out run",
    "expound train writer --train rows.jsonl --dev dev.jsonl --k 3 --lora 16 --out run",
    "expound train answers --full ambig.jsonl --partial open.jsonl --models 3 --rounds 1 --out run",
)

_BASE = "minilm-float32"


def _add_command(kind: str, usual: TrainingSettings, most: int, text: str) -> None:
    @app.command(kind, help=f"{text} The same command goes on where it was stopped.")
    def command(
        out: Out,
        train: Train = None,
        dev: Dev = None,
        base: Base = _BASE,
        steps: Steps = usual.steps,
        rate: Rate = usual.learning_rate,
        batch: Batch = usual.batch,
        most_tokens: Tokens = most,
        hours: Hours = usual.hours,
        patience: Patience = usual.patience,
        threads: Threads = usual.threads,
        precision: ComputeIn = usual.precision,
        frozen: Frozen = usual.frozen,
        seed: Seed = usual.seed,
        smoke: Smoke = False,
        dry_run: DryRun = False,
    ) -> None:
        from expound.train import TrainingFiles, TrainingRequest

        settings = replace(usual, steps=steps, learning_rate=rate, batch=batch, threads=threads, seed=seed)
        request = TrainingRequest(
            kind=kind,
            files=TrainingFiles(tuple(train or ()), tuple(dev or ())),
            base=base,
            settings=replace(settings, hours=hours, patience=patience, precision=precision, frozen=frozen),
            most_tokens=most_tokens,
            is_smoke=smoke,
        )
        _show(request, out, dry_run=dry_run)


_add_command(
    "reader",
    READER,
    ReaderSettings.most_tokens,
    "Train a span reader on files in the SQuAD 2.0 layout, with a threshold for not answering chosen on the dev files.",
)
_add_command(
    "ranker",
    RANKER,
    RankerSettings.most_tokens,
    "Train a ranker on groups: JSON Lines of `question`, `positives` and `negatives`, the latter lists of texts.",
)
_add_command(
    "tagger",
    TAGGER,
    TaggerSettings.most_tokens,
    "Train a tagger of words on JSON Lines of `words` and `tags`, and perhaps a `question` to read them with.",
)
_add_command(
    "nli",
    NLI,
    NliSettings.most_tokens,
    "Train a model of language inference on JSON Lines of `premise`, `hypothesis` and `label`, as SNLI's or RTE's.",
)


@app.command("retriever")
def train_retriever(
    out: Out,
    train: Train = None,
    dev: Dev = None,
    preset: Annotated[
        str,
        typer.Option("--preset", help="hurdles: Krishna et al.'s 4,000 steps of 12,288 pairs; memory stays as it is."),
    ] = "usual",
    base: Base = _BASE,
    steps: PresetSteps = None,
    rate: PresetRate = None,
    batch: PresetBatch = None,
    most_tokens: Tokens = RetrieverSettings.most_tokens,
    hours: Hours = RETRIEVER.hours,
    patience: Patience = RETRIEVER.patience,
    threads: Threads = RETRIEVER.threads,
    precision: ComputeIn = RETRIEVER.precision,
    frozen: Frozen = RETRIEVER.frozen,
    seed: Seed = RETRIEVER.seed,
    smoke: Smoke = False,
    dry_run: DryRun = False,
) -> None:
    """Train an embedder on groups, as a ranker's; the other groups of a batch are wrong ones too. Goes on."""
    from expound.train import TrainingFiles, TrainingRequest

    told = given({"steps": steps, "learning_rate": rate, "batch": batch})
    settings = replace(choose_preset(preset, RETRIEVER_PRESETS), **told, threads=threads, seed=seed)
    request = TrainingRequest(
        kind="retriever",
        files=TrainingFiles(tuple(train or ()), tuple(dev or ())),
        base=base,
        settings=replace(settings, hours=hours, patience=patience, precision=precision, frozen=frozen),
        most_tokens=most_tokens,
        is_smoke=smoke,
    )
    _show(request, out, dry_run=dry_run)


@app.command("rewriter")
def train_rewriter(
    out: Out,
    train: Train = None,
    dev: Dev = None,
    base: Base = "shipped-reader",
    steps: Steps = REWRITER.steps,
    rate: Rate = REWRITER.learning_rate,
    batch: Batch = REWRITER.batch,
    hours: Hours = REWRITER.hours,
    patience: Patience = REWRITER.patience,
    threads: Threads = REWRITER.threads,
    seed: Seed = REWRITER.seed,
    smoke: Smoke = False,
    dry_run: DryRun = False,
) -> None:
    """Train the tagger of words that tell readings apart on files of `train rewriter-data`; goes on where it was."""
    from expound.train import TrainingFiles, TrainingRequest

    settings = replace(REWRITER, steps=steps, learning_rate=rate, batch=batch, threads=threads, seed=seed)
    request = TrainingRequest(
        kind="rewriter",
        files=TrainingFiles(tuple(train or ()), tuple(dev or ())),
        base=base,
        settings=replace(settings, hours=hours, patience=patience),
        most_tokens=TELLING_TOKENS,
        is_smoke=smoke,
    )
    _show(request, out, dry_run=dry_run)


@app.command("sentences")
def train_sentences(
    out: Out,
    train: list[str] = typer.Option([], "--train", metavar="LAYOUT:PATH", help="Questions with long answers."),
    keep_out: list[str] = typer.Option([], "--keep-out", metavar="LAYOUT:PATH", help="Questions not to train on."),
    corpus: list[str] = typer.Option([], "--corpus", "-c", metavar="NAME|PATH", help="Where their documents are."),
    base: Base = _BASE,
    most: int = typer.Option(2000, "--most", min=1, help="Only the first so many questions of each dataset."),
    steps: Steps = SENTENCES.steps,
    rate: Rate = SENTENCES.learning_rate,
    batch: Batch = SENTENCES.batch,
    hours: Hours = SENTENCES.hours,
    patience: Patience = SENTENCES.patience,
    threads: Threads = SENTENCES.threads,
    seed: Seed = SENTENCES.seed,
    smoke: Smoke = False,
    dry_run: DryRun = False,
) -> None:
    """Train ELI5's extractive reader on the best spans of documents; goes on where it was stopped."""
    from expound.train import TrainingRequest
    from expound.train.data import SpanFiles

    settings = replace(SENTENCES, steps=steps, learning_rate=rate, batch=batch, threads=threads, seed=seed)
    request = TrainingRequest(
        kind="sentences",
        files=SpanFiles(tuple(train), tuple(keep_out), tuple(corpus), most),
        base=base,
        settings=replace(settings, hours=hours, patience=patience),
        most_tokens=RankerSettings.most_tokens,
        is_smoke=smoke,
    )
    _show(request, out, dry_run=dry_run)


@app.command("preference")
def train_preference(
    out: Out,
    people: list[str] = typer.Option([], "--people", metavar="LAYOUT:PATH", help="Judgments to learn from."),
    dev: list[str] = typer.Option([], "--dev", metavar="LAYOUT:PATH", help="Judgments to measure on."),
    evidence: bool = typer.Option(False, "--evidence", help="Also read the passages that a question comes with."),
    base: Base = _BASE,
    steps: Steps = PREFERENCE.steps,
    rate: Rate = PREFERENCE.learning_rate,
    batch: Batch = PREFERENCE.batch,
    most_tokens: Tokens = PreferenceSettings.most_tokens,
    hours: Hours = PREFERENCE.hours,
    patience: Patience = PREFERENCE.patience,
    threads: Threads = PREFERENCE.threads,
    seed: Seed = PREFERENCE.seed,
    smoke: Smoke = False,
    dry_run: DryRun = False,
) -> None:
    """Train a metric on people's preferences between answers; goes on where it was stopped."""
    from expound.cli.setup import prepare
    from expound.meta import PreferenceRequest, base_files, learn_preference, rehearse_preference

    settings = replace(PREFERENCE, steps=steps, learning_rate=rate, batch=batch, threads=threads, seed=seed)
    request = PreferenceRequest(
        people=tuple(people),
        dev=tuple(dev),
        base=base,
        settings=replace(settings, hours=hours, patience=patience),
        shown=PreferenceSettings(most_tokens=most_tokens, sees_evidence=evidence),
        is_smoke=smoke,
    )
    prepare(base_files(request, dry_run=dry_run))
    if dry_run:
        screen.print_json(rehearse_preference(request, out))
        return
    with screen.progress("reading") as meter:
        figures = learn_preference(request, out, report=meter.report)
    screen.print_json(figures)


app.command("writer")(train_a_writer)
app.command("answers")(train_answer_models)
app.command("answer-data")(make_answer_data)
for _name, _command in data_commands():
    app.command(_name)(_command)


def _show(request: TrainingRequest, out: Path, *, dry_run: bool) -> None:
    from expound.cli.setup import prepare
    from expound.train import fulfil, needed_files, rehearse

    prepare(needed_files(request, out, dry_run=dry_run))
    if dry_run:
        screen.print_json(rehearse(request, out))
        return
    with screen.progress("reading") as meter:
        figures = fulfil(request, out, report=meter.report)
    screen.print_json(figures)
