"""A writer of questions (Deutsch et al. 2021): BART that was trained to ask for a marked stretch of a sentence."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from expound.errors import BadInput
from expound.models.embedder import usable_cores
from expound.models.model_folder import load_model, load_tokenizer

MARKS = ("<m>", "</m>")
# As the published model was used; its search adds up logarithms without minding length.
_BEAMS, _MOST_WRITTEN = 4, 100


class QuestionWriter:
    """A sentence with a marked stretch to the question that asks for it; loaded at the first call."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, sentence: str, start: int, end: int) -> str:
        """The likeliest question to which the stretch is the answer."""
        import torch

        before, after = MARKS
        marked = f"{sentence[:start]}{before} {sentence[start:end]} {after}{sentence[end:]}"
        inputs = self._tokenizer(marked, truncation=True, return_tensors="pt")
        inputs.pop("token_type_ids", None)
        with torch.inference_mode():
            found = self._model.generate(**inputs, generation_config=self._search)
        written: str = self._tokenizer.decode(found[0], skip_special_tokens=True)
        return written.strip()

    @cached_property
    def _search(self) -> Any:
        from transformers import GenerationConfig

        config = self._model.config
        # Everything is told: what a folder says of summaries is not meant for questions.
        return GenerationConfig(
            num_beams=_BEAMS,
            max_new_tokens=min(_MOST_WRITTEN, config.max_position_embeddings - 1),
            length_penalty=0.0,
            decoder_start_token_id=config.bos_token_id,
            bos_token_id=config.bos_token_id,
            eos_token_id=config.eos_token_id,
            pad_token_id=config.pad_token_id,
        )

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizer = load_tokenizer(self._folder)
        if tokenizer.unk_token_id in tokenizer.convert_tokens_to_ids(list(MARKS)):
            raise BadInput(f"{self._folder}: its tokenizer does not know {' and '.join(MARKS)}; add them as tokens")
        return tokenizer

    @cached_property
    def _model(self) -> Any:
        return load_model(self._folder, "AutoModelForSeq2SeqLM", threads=usable_cores())
