"""`expound train answers`: models that list all answers of a question, with AmbigQA's co-training."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from expound.cli import screen
from expound.cli.train_options import Batch, ComputeIn, DryRun, Hours, Out, Rate, Seed, Smoke, Threads
from expound.errors import UserError
from expound.train.training_settings import WRITER, WriterSettings

# Question, passages and a list of answers: as much as SmolLM2 learns from at some tens of rows a CPU-minute.
_MOST_TOKENS, _ANSWER_WORDS = 384, 40

Full = Annotated[Path | None, typer.Option("--full", help="Questions with all their answers, JSON Lines.")]
Partial = Annotated[
    Path | None, typer.Option("--partial", help="Questions with one known answer each; models find the others.")
]
Models = Annotated[
    int, typer.Option("--models", min=1, help="Models of a round, which differ in their seed; AmbigQA has 6.")
]
Rounds = Annotated[
    int, typer.Option("--rounds", min=1, help="How often the partial questions are labelled; AmbigQA: 2.")
]


Specs = list[str]
KeepOut = Annotated[
    Specs | None, typer.Option("--keep-out", metavar="LAYOUT:PATH", help="Questions that are not taken.")
]
Corpora = Annotated[
    Specs | None, typer.Option("--corpus", "-c", metavar="NAME|PATH", help="Where documents are looked for.")
]


def make_answer_data(
    out: Out,
    full: Annotated[Specs, typer.Option("--full", metavar="LAYOUT:PATH", help="Questions with all their readings.")],
    partial: Annotated[
        Specs | None, typer.Option("--partial", metavar="LAYOUT:PATH", help="Questions with one known answer.")
    ] = None,
    keep_out: KeepOut = None,
    corpus: Corpora = None,
    k: Annotated[int, typer.Option("--k", min=1, help="Passages of a question at most.")] = 3,
    most: Annotated[int, typer.Option("--most", min=1, help="Questions of each dataset at most.")] = 1000,
    found: Annotated[bool, typer.Option("--found", help="Only answers that stand in the passages.")] = False,
) -> None:
    """Make the files of `train answers` out of datasets, with passages found for each question."""
    from expound.train.data import AnswerSources, write_answer_data

    sources = AnswerSources(
        full=tuple(full),
        partial=tuple(partial or ()),
        keep_out=tuple(keep_out or ()),
        corpora=tuple(corpus or ()),
        k=k,
        most=most,
        must_be_found=found,
    )
    with screen.progress("reading") as meter:
        counts = write_answer_data(sources, out, report=meter.report)
    screen.table(("file", "questions"), list(counts.items()))


def train_answer_models(
    out: Out,
    full: Full = None,
    partial: Partial = None,
    dev: Annotated[list[Path] | None, typer.Option("--dev", help="Questions to measure on; repeatable.")] = None,
    models: Models = 6,
    rounds: Rounds = 2,
    base: Annotated[str, typer.Option("--base", metavar="NAME|FILE|FOLDER", help="A text model.")] = "smollm2-135m",
    scratch: Annotated[str, typer.Option("--scratch", metavar="SIZES", help="Start from nothing: tiny, small.")] = "",
    shape: Annotated[str, typer.Option("--shape", help="causal or seq2seq.")] = "causal",
    lora: Annotated[int, typer.Option("--lora", min=0, max=256, metavar="RANK")] = WriterSettings.lora,
    k: Annotated[int, typer.Option("--k", min=0, help="Documents of a row that are read.")] = 3,
    steps: Annotated[int, typer.Option("--steps", min=1, help="Updates of the weights of each model.")] = WRITER.steps,
    rate: Rate = WRITER.learning_rate,
    batch: Batch = WRITER.batch,
    hours: Hours = WRITER.hours,
    threads: Threads = WRITER.threads,
    precision: ComputeIn = WRITER.precision,
    seed: Seed = WRITER.seed,
    smoke: Smoke = False,
    dry_run: DryRun = False,
) -> None:
    """Train models that list every answer; those of --partial that more than half of them find are learnt too."""
    from expound.train import CotrainRequest, TrainingFiles, WriterRequest, cotrain, rehearse_cotrain

    settings = replace(WRITER, steps=steps, learning_rate=rate, batch=batch, precision=precision)
    settings = replace(settings, hours=hours, threads=threads, seed=seed)
    writing = WriterSettings(shape=shape, k=k, lora=lora, most_tokens=_MOST_TOKENS, answer_words=_ANSWER_WORDS)
    files = TrainingFiles((), tuple(dev or ()))
    writer = WriterRequest(files=files, settings=settings, writing=writing, base=base, scratch=scratch)
    if full is None and not smoke:
        raise UserError("name questions with all their answers, --full FILE, or try it on a made-up town: --smoke")
    request = CotrainRequest(
        full=full or Path(), partial=partial, writer=writer, models=models, rounds=rounds, is_smoke=smoke
    )
    if dry_run:
        screen.print_json(rehearse_cotrain(request, out))
        return
    with screen.progress("reading") as meter:
        figures = cotrain(request, out, report=meter.report)
    screen.print_json(figures)
