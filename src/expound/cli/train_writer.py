"""`expound train writer`: writers of long answers, at our sizes or at a paper's."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import typer

from expound.cli import screen
from expound.cli.train_options import (
    ComputeIn,
    Dev,
    DryRun,
    Hours,
    Out,
    Patience,
    PresetBatch,
    PresetRate,
    PresetSteps,
    Seed,
    Smoke,
    Threads,
    Train,
    given,
)
from expound.train.presets import WRITER_PRESETS, choose_preset
from expound.train.training_settings import WRITER

_PRESETS = ", ".join(f"{name} ({preset.about})" if preset.about else name for name, preset in WRITER_PRESETS.items())


def train_a_writer(
    out: Out,
    train: Train = None,
    dev: Dev = None,
    preset: Annotated[str, typer.Option("--preset", help=f"Where what is not told comes from: {_PRESETS}.")] = "usual",
    base: Annotated[
        str, typer.Option("--base", metavar="NAME|FILE|FOLDER", help="A text model, a .gguf file, or RUN/model.")
    ] = "smollm2-135m",
    scratch: Annotated[
        str | None, typer.Option("--scratch", metavar="SIZES", help="Start from nothing: tiny, small or eli5.")
    ] = None,
    shape: Annotated[str | None, typer.Option("--shape", help="causal, or seq2seq, which reads first.")] = None,
    lora: Annotated[
        int | None, typer.Option("--lora", min=0, max=256, metavar="RANK", help="Train an adapter; 0 trains all.")
    ] = None,
    loss: Annotated[str | None, typer.Option("--loss", help="On the tokens of the answer, or on all.")] = None,
    order: Annotated[
        str | None, typer.Option("--input", help="eli5 or asqa: the question first; hurdles: the best document last.")
    ] = None,
    k: Annotated[int | None, typer.Option("--k", min=0, help="Documents of a row that are read; 0 is none.")] = None,
    task: Annotated[
        list[str] | None, typer.Option("--task", help="Such as qd-a, q-a, -qda, mask; repeatable; the first is used.")
    ] = None,
    most_tokens: Annotated[
        int | None, typer.Option("--most-tokens", min=32, max=8192, help="Of all that is read and written.")
    ] = None,
    answer_words: Annotated[int | None, typer.Option("--answer-words", min=1, help="Longer answers are cut.")] = None,
    shuffled: Annotated[
        bool, typer.Option("--shuffled", help="A control: learn every question with another one's answer.")
    ] = False,
    batch: PresetBatch = None,
    steps: PresetSteps = None,
    rate: PresetRate = None,
    hours: Hours = WRITER.hours,
    patience: Patience = WRITER.patience,
    threads: Threads = WRITER.threads,
    precision: ComputeIn = WRITER.precision,
    seed: Seed = WRITER.seed,
    smoke: Smoke = False,
    dry_run: DryRun = False,
) -> None:
    """Train a writer of long answers on JSON Lines of `question`, `documents` and `answer`; goes on where it was."""
    from expound.train import TrainingFiles, WriterRequest, rehearse_writer, train_writer

    told: dict[str, Any] = {
        "shape": shape,
        "input": order,
        "k": k,
        "most_tokens": most_tokens,
        "answer_words": answer_words,
    }
    told |= {"loss": loss, "lora": lora, "tasks": tuple(task) if task else None, "is_shuffled": shuffled}
    usual = choose_preset(preset, WRITER_PRESETS)
    training = replace(WRITER, steps=usual.steps, learning_rate=usual.rate, batch=usual.batch)
    settings = replace(training, **given({"steps": steps, "learning_rate": rate, "batch": batch}))
    request = WriterRequest(
        files=TrainingFiles(tuple(train or ()), tuple(dev or ())),
        settings=replace(settings, hours=hours, patience=patience, threads=threads, precision=precision, seed=seed),
        writing=replace(usual.writing, **given(told)),
        base=base,
        scratch=usual.scratch if scratch is None else scratch,
        is_smoke=smoke,
    )
    if dry_run:
        screen.print_json(rehearse_writer(request, out))
        return
    with screen.progress("reading") as meter:
        figures = train_writer(request, out, report=meter.report)
    screen.print_json(figures)
