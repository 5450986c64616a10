"""What the launcher promises on a fresh machine: the embedder is there when it is first needed."""

from __future__ import annotations

import os

from expound import resources
from expound.cli import screen
from expound.cli.models import fetch
from expound.errors import ExpoundError

TOKENIZER = "minilm-tokenizer"
EMBEDDER = ("minilm", TOKENIZER)


def has_embedder() -> bool:
    """Whether passages can be searched by meaning."""
    return all(resources.is_installed(name) for name in EMBEDDER)


def prepare_embedder() -> None:
    """Fetch the embedder when the launcher started us and it is missing; otherwise only say how to get it."""
    missing = [name for name in EMBEDDER if not resources.is_installed(name)]
    if not missing:
        return
    if not os.environ.get("EXPOUND_LAUNCHER"):
        screen.say(
            "without the embedder, searching by words alone; `expound models get minilm minilm-tokenizer` installs it"
        )
        return
    try:
        fetch(missing)
    except ExpoundError as error:
        screen.say(f"searching by words alone: {error}")


def prepare_reader() -> None:
    """Fetch the reader's tokenizer when the launcher started us and it is missing."""
    if os.environ.get("EXPOUND_LAUNCHER") and not resources.is_installed(TOKENIZER):
        fetch([TOKENIZER])


def say_which_corpus(given: list[str]) -> None:
    """Someone with several corpora who names none should know that all are searched."""
    from expound.library import corpus_names

    names = corpus_names()
    if not given and len(names) > 1:
        screen.say(f"searching all of your corpora ({', '.join(names)}); choose with --corpus")
