"""How likely a writer finds a word of what people wrote: one pass a question, kept where the writer is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from expound.files import write_whole
from expound.models.torch_writer import TorchWriter
from expound.models.word_guesses import guess_words
from expound.recipes.shape import Ingredients
from expound.records import read_json


def keep_numbers(file: Path, spec: Mapping[str, Any], numbers: Iterator[float]) -> list[float]:
    """The numbers, or those that a call with the same spec left: a recipe that was stopped reads no reference twice."""
    if file.is_file() and (kept := read_json(file))["spec"] == spec:
        return [float(value) for value in kept["values"]]
    values = list(numbers)
    with write_whole(file) as out:
        json.dump({"spec": spec, "values": values}, out)
    return values


def iter_likelihoods(
    writer: TorchWriter, pairs: Sequence[tuple[str, str]], given: Ingredients, *, words: int
) -> Iterator[float]:
    """Mean logarithm of the probability of a word of each answer after its source, cut as answers in training are."""
    for number, (source, answer) in enumerate(pairs, start=1):
        cut = " ".join(answer.split()[:words])
        yield fmean(guess_words(writer, source, cut).log_probabilities)
        given.say("reading references", number, len(pairs))
