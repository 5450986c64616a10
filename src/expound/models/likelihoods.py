"""The door to language models that are asked for probabilities: by name, by file, or by folder."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from expound import resources
from expound.models.folder_likelihood import GoOn, ReadThenWrite
from expound.models.gguf import find_gguf
from expound.models.gguf_likelihood import GgufLikelihood
from expound.models.likelihood import Likelihood
from expound.models.model_folder import config_of, open_folder


# One model for all metrics that name it: weights are loaded once.
@lru_cache(maxsize=4)
def open_likelihood(name: str) -> Likelihood:
    """A text model of the table by its name, a .gguf file, or a folder of the transformers library."""
    if Path(name).suffix.lower() == ".gguf" or name in resources.RESOURCES:
        file = find_gguf(name)
        return GgufLikelihood(file.path, weights=file.sha256, adapter=file.adapter)
    folder = open_folder(name)
    # An encoder with a decoder reads what is given, and writes the text; the others go on from it.
    return (ReadThenWrite if config_of(folder).get("is_encoder_decoder") else GoOn)(folder)


def resources_of(name: str) -> tuple[str, ...]:
    """The fetched files that a model by that name cannot do without."""
    return (name,) if name in resources.RESOURCES else ()
