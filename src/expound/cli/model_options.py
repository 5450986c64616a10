"""The options of commands that may ask a text model, and what they say about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

from expound.cli import screen

if TYPE_CHECKING:
    from expound.models.engine import Sampling
    from expound.system import System
    from expound.types import Sentence

NAME: str = typer.Option(
    "auto",
    "--model",
    metavar="auto|none|NAME|PATH|URL",
    help="Text model: a name of `expound models list`, a GGUF file, or an OpenAI-compatible address. "
    "auto: EXPOUND_ENDPOINT, else an installed model, else none (sentences from the sources).",
)
READER: str = typer.Option(
    "none",
    "--reader",
    metavar="none|auto|FILE|NAME",
    help="Reads short answers off long ones: auto is expound's own, NAME a SQuAD 2.0 checkpoint for transformers.",
)
THREADS: int = typer.Option(0, "--threads", min=0, help="Threads of a local model; 0 takes all cores.")
TEMPERATURE: float = typer.Option(0.0, "--temperature", min=0.0, max=2.0, help="Sampling temperature; 0 is greedy.")
TOP_P: float = typer.Option(1.0, "--top-p", min=0.01, max=1.0, help="Nucleus sampling: the share of probability kept.")
SEED: int = typer.Option(0, "--seed", min=0, help="Seed of the sampling.")
DRY_RUN: bool = typer.Option(False, "--dry-run", help="Only say what asking the text model would take.")
MOST_COST: float | None = typer.Option(
    None,
    "--most-cost",
    min=0.0,
    help="Stop before text models cost more than this in all, at the prices in EXPOUND_PRICE_PROMPT and "
    "EXPOUND_PRICE_COMPLETION.",
)


class FirstSentence:
    """Shows the first proved sentence while the answer is still being made; the others wait for the answer."""

    def __init__(self) -> None:
        self._is_shown = False

    def wait_again(self) -> None:
        """For the first sentence of the next answer."""
        self._is_shown = False

    def __call__(self, sentence: Sentence) -> None:
        if not self._is_shown:
            self._is_shown = True
            screen.say(f"found: {sentence.text}")


def sampling(temperature: float, top_p: float, seed: int) -> Sampling:
    """How the model chooses its words."""
    from expound.models.engine import Sampling

    return Sampling(temperature, top_p, seed)


def print_forecast(system: System, questions: int, *, as_json: bool) -> None:
    """What so many questions would take at most: calls, tokens, seconds, cost."""
    forecast = system.forecast(questions)
    summary: dict[str, Any] = {"model": system.model.name if system.model else "none", "questions": questions}
    summary |= forecast.summary()
    if as_json:
        screen.print_json(summary)
    else:
        print(f"{summary['model']}, at most: {forecast}")


def say_spent(spent: Mapping[str, Any]) -> None:
    """What the text model of a run took; nothing where none was asked."""
    from expound.models.ledger import in_words

    if spent:
        screen.say(f"text model: {in_words(spent)}")


def say_ledger(system: System) -> None:
    """What the model took; nothing where there is none."""
    ledger = getattr(system.model, "ledger", None)
    if ledger is not None:
        screen.say(f"{system.model.name if system.model else ''}: {ledger}")
