"""`expound train`: the models that ship with expound, trained anew or on files of your own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from expound.cli import screen
from expound.cli.train_data import Out, Seed, data_commands
from expound.cli.train_listing import make_answer_data, train_answer_models
from expound.train.training_settings import (
    NLI,
    PREFERENCE,
    RANKER,
    READER,
    RETRIEVER,
    SENTENCES,
    TAGGER,
    WRITER,
    NliSettings,
    PreferenceSettings,
    RankerSettings,
    ReaderSettings,
    RetrieverSettings,
    TaggerSettings,
    TrainingSettings,
    WriterSettings,
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

# One shape for all kinds of models: each option stands here once.
Train = Annotated[list[Path] | None, typer.Option("--train", help="A file to learn from; repeatable.")]
Dev = Annotated[list[Path] | None, typer.Option("--dev", help="A file to measure on; what does best there is kept.")]
Base = Annotated[
    str,
    typer.Option("--base", metavar="NAME|FOLDER", help="The model to start from, such as RUN/model."),
]
Steps = Annotated[int, typer.Option("--steps", min=1, help="Updates of the weights.")]
Rate = Annotated[float, typer.Option("--rate", min=0, max=1, help="The highest learning rate.")]
Batch = Annotated[int, typer.Option("--batch", min=1, help="Windows, groups or texts a step.")]
Tokens = Annotated[int, typer.Option("--most-tokens", min=32, max=384, help="Longer texts are cut.")]
Hours = Annotated[float, typer.Option("--hours", min=0, help="CPU-hours to stop after; 0 is no limit.")]
Patience = Annotated[
    int, typer.Option("--patience", min=0, help="Stop after so many measurements without a better one; 0 never.")
]
Threads = Annotated[int, typer.Option("--threads", min=1, help="Cores to compute on.")]
Smoke = Annotated[bool, typer.Option("--smoke", help="A few steps of a tiny model on a made-up town.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Read the files, say what would be done, and stop.")]
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
            settings=replace(settings, hours=hours, patience=patience),
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
    "retriever",
    RETRIEVER,
    RetrieverSettings.most_tokens,
    "Train an embedder on groups, as a ranker's; the other groups of a batch are wrong ones too.",
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


@app.command("sentences")
def train_sentences(
    out: Out,
    train: list[str] = typer.Option(..., "--train", metavar="LAYOUT:PATH", help="Questions with long answers."),
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
    )
    _show(request, out, dry_run=dry_run)


@app.command("preference")
def train_preference(
    out: Out,
    people: list[str] = typer.Option(..., "--people", metavar="LAYOUT:PATH", help="Judgments to learn from."),
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
    dry_run: DryRun = False,
) -> None:
    """Train a metric on people's preferences between answers; goes on where it was stopped."""
    from expound.meta import PreferenceRequest, learn_preference, rehearse_preference

    settings = replace(PREFERENCE, steps=steps, learning_rate=rate, batch=batch, threads=threads, seed=seed)
    request = PreferenceRequest(
        people=tuple(people),
        dev=tuple(dev),
        base=base,
        settings=replace(settings, hours=hours, patience=patience),
        shown=PreferenceSettings(most_tokens=most_tokens, sees_evidence=evidence),
    )
    if dry_run:
        screen.print_json(rehearse_preference(request, out))
        return
    with screen.progress("reading") as meter:
        figures = learn_preference(request, out, report=meter.report)
    screen.print_json(figures)


@app.command("writer")
def train_a_writer(
    out: Out,
    train: Train = None,
    dev: Dev = None,
    base: Annotated[
        str, typer.Option("--base", metavar="NAME|FILE|FOLDER", help="A text model, a .gguf file, or RUN/model.")
    ] = "smollm2-135m",
    scratch: Annotated[
        str, typer.Option("--scratch", metavar="SIZES", help="Start from nothing: tiny, small or eli5, the paper's.")
    ] = "",
    shape: Annotated[str, typer.Option("--shape", help="causal, or seq2seq, which reads with an encoder.")] = "causal",
    lora: Annotated[
        int, typer.Option("--lora", min=0, max=256, metavar="RANK", help="Train an adapter; 0 trains all weights.")
    ] = WriterSettings.lora,
    loss: Annotated[str, typer.Option("--loss", help="On the tokens of the answer, or on all.")] = WriterSettings.loss,
    order: Annotated[
        str, typer.Option("--input", help="eli5 or asqa: the question first; hurdles: the best document last.")
    ] = WriterSettings.input,
    k: Annotated[int, typer.Option("--k", min=0, help="Documents of a row that are read; 0 is closed book.")] = 0,
    task: Annotated[
        list[str] | None, typer.Option("--task", help="Such as qd-a, q-a, -qda, mask; repeatable; the first is used.")
    ] = None,
    most_tokens: Annotated[
        int, typer.Option("--most-tokens", min=32, max=8192, help="Of documents, question and answer together.")
    ] = WriterSettings.most_tokens,
    answer_words: Annotated[
        int, typer.Option("--answer-words", min=1, help="Longer answers are cut.")
    ] = WriterSettings.answer_words,
    shuffled: Annotated[
        bool, typer.Option("--shuffled", help="A control: learn every question with another one's answer.")
    ] = False,
    steps: Steps = WRITER.steps,
    rate: Rate = WRITER.learning_rate,
    batch: Batch = WRITER.batch,
    hours: Hours = WRITER.hours,
    patience: Patience = WRITER.patience,
    threads: Threads = WRITER.threads,
    seed: Seed = WRITER.seed,
    smoke: Smoke = False,
    dry_run: DryRun = False,
) -> None:
    """Train a writer of long answers on JSON Lines of `question`, `documents` and `answer`; goes on where it was."""
    from expound.train import TrainingFiles, WriterRequest, rehearse_writer, train_writer

    settings = replace(WRITER, steps=steps, learning_rate=rate, batch=batch, threads=threads, seed=seed)
    request = WriterRequest(
        files=TrainingFiles(tuple(train or ()), tuple(dev or ())),
        settings=replace(settings, hours=hours, patience=patience),
        writing=WriterSettings(
            shape=shape,
            input=order,
            k=k,
            most_tokens=most_tokens,
            answer_words=answer_words,
            loss=loss,
            lora=lora,
            tasks=tuple(task or ()),
            is_shuffled=shuffled,
        ),
        base=base,
        scratch=scratch,
        is_smoke=smoke,
    )
    if dry_run:
        screen.print_json(rehearse_writer(request, out))
        return
    with screen.progress("reading") as meter:
        figures = train_writer(request, out, report=meter.report)
    screen.print_json(figures)


app.command("answers")(train_answer_models)
app.command("answer-data")(make_answer_data)
for _name, _command in data_commands():
    app.command(_name)(_command)


def _show(request: TrainingRequest, out: Path, *, dry_run: bool) -> None:
    from expound.train import fulfil, rehearse

    if dry_run:
        screen.print_json(rehearse(request, out))
        return
    with screen.progress("reading") as meter:
        figures = fulfil(request, out, report=meter.report)
    screen.print_json(figures)
