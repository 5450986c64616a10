"""`expound train answers`: models that list all answers of a question, with AmbigQA's co-training."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from expound.cli import screen
from expound.cli.train_options import (
    ComputeIn,
    DryRun,
    Hours,
    Out,
    PresetBatch,
    PresetRate,
    PresetSteps,
    Seed,
    Smoke,
    Threads,
    given,
)
from expound.errors import UserError
from expound.train.presets import ANSWERS_PRESETS, choose_preset
from expound.train.training_settings import WRITER

Full = Annotated[Path | None, typer.Option("--full", help="Questions with all their answers, JSON Lines.")]
Partial = Annotated[
    Path | None, typer.Option("--partial", help="Questions with one known answer each; models find the others.")
]
Models = Annotated[
    int | None, typer.Option("--models", min=1, help="Models of a round, which differ in their seed; AmbigQA has 6.")
]
Rounds = Annotated[
    int | None, typer.Option("--rounds", min=1, help="How often the partial questions are labelled; AmbigQA: 2.")
]
Final = Annotated[
    int | None, typer.Option("--final", min=1, help="Models after the last round, for an ensemble; AmbigQA: 4.")
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
    preset: Annotated[
        str, typer.Option("--preset", help="ambigqa: the paper's models, rounds, rate and tokens.")
    ] = "usual",
    models: Models = None,
    rounds: Rounds = None,
    final: Final = None,
    base: Annotated[str, typer.Option("--base", metavar="NAME|FILE|FOLDER", help="A text model.")] = "smollm2-135m",
    scratch: Annotated[str, typer.Option("--scratch", metavar="SIZES", help="Start from nothing: tiny, small.")] = "",
    shape: Annotated[str, typer.Option("--shape", help="causal or seq2seq.")] = "causal",
    lora: Annotated[
        int | None, typer.Option("--lora", min=0, max=256, metavar="RANK", help="Train adapters; 0 trains all.")
    ] = None,
    k: Annotated[int | None, typer.Option("--k", min=0, help="Documents of a row that are read.")] = None,
    most_tokens: Annotated[
        int | None, typer.Option("--most-tokens", min=32, max=8192, help="Of all that is read and written.")
    ] = None,
    steps: PresetSteps = None,
    rate: PresetRate = None,
    batch: PresetBatch = None,
    hours: Hours = WRITER.hours,
    threads: Threads = WRITER.threads,
    precision: ComputeIn = WRITER.precision,
    seed: Seed = WRITER.seed,
    smoke: Smoke = False,
    dry_run: DryRun = False,
) -> None:
    """Train models that list every answer; those of --partial that more than half of them find are learnt too."""
    from expound.train import CotrainRequest, TrainingFiles, WriterRequest, cotrain, rehearse_cotrain

    usual = choose_preset(preset, ANSWERS_PRESETS)
    told = given({"steps": steps, "learning_rate": rate, "batch": batch})
    settings = replace(usual.training, **told, precision=precision, hours=hours, threads=threads, seed=seed)
    writing = replace(usual.writing, **given({"k": k, "lora": lora, "most_tokens": most_tokens}), shape=shape)
    files = TrainingFiles((), tuple(dev or ()))
    writer = WriterRequest(files=files, settings=settings, writing=writing, base=base, scratch=scratch)
    if full is None and not smoke:
        raise UserError("name questions with all their answers, --full FILE, or try it on a made-up town: --smoke")
    counts = given({"models": models, "rounds": rounds, "final": final})
    request = CotrainRequest(
        full=full or Path(),
        partial=partial,
        writer=writer,
        **{"models": usual.models, "rounds": usual.rounds, "final": usual.final, **counts},
        is_smoke=smoke,
    )
    if dry_run:
        screen.print_json(rehearse_cotrain(request, out))
        return
    with screen.progress("reading") as meter:
        figures = cotrain(request, out, report=meter.report)
    screen.print_json(figures)
