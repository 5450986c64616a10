"""The one decoder for writers in torch: beams, nucleus sampling, no repeated n-grams, a least and a most length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from expound.errors import UserError


@dataclass(frozen=True)
class Decoding:
    """How words are chosen. The defaults are ELI5's: five beams, and no three words twice (Fan et al. 2019)."""

    beams: int = 5
    no_repeat: int = 3
    """No run of so many tokens twice; 0 lets everything be repeated."""
    top_p: float = 0.0
    """Draw from the likeliest tokens that have this probability together; 0 draws nothing at random."""
    least_tokens: int = 0
    most_tokens: int = 160
    seed: int = 0

    def __post_init__(self) -> None:
        if self.beams < 1 or self.no_repeat < 0 or not 0 <= self.top_p <= 1:
            raise UserError("decoding needs beams of at least 1, no_repeat of at least 0 and top_p from 0 to 1")
        if not 0 <= self.least_tokens <= self.most_tokens or not self.most_tokens:
            raise UserError("decoding needs most_tokens of at least 1 and least_tokens from 0 to most_tokens")


BEAMS = Decoding()
"""What ELI5's models write by."""


def decode(model: Any, tokenizer: Any, given: dict[str, Any], decoding: Decoding, *, begun: int = 0) -> list[list[int]]:
    """The tokens that a model of the transformers library writes after each row of what it is given.

    Without the end mark. Rows of a causal model are filled up on the left, so that all go on from the same place; the
    last `begun` tokens of what it is given are the beginning of its answer.
    """
    import torch

    # Seeded for every call: what is drawn does not depend on what was drawn before.
    torch.manual_seed(decoding.seed)
    first = 0 if model.config.is_encoder_decoder else given["input_ids"].shape[1] - begun
    drawn = {"do_sample": True, "top_p": decoding.top_p, "top_k": 0} if decoding.top_p else {"do_sample": False}
    with torch.inference_mode():
        output = model.generate(
            **given,
            # Drawing knows no beams: each would be another text.
            num_beams=1 if decoding.top_p else decoding.beams,
            logits_processor=_forbid_repeats(decoding.no_repeat, first),
            min_new_tokens=decoding.least_tokens or None,
            max_new_tokens=decoding.most_tokens,
            pad_token_id=padding(tokenizer),
            eos_token_id=tokenizer.eos_token_id,
            **drawn,
        )
    # An encoder's reading is not repeated; a causal model's is, and so are words that an answer was begun with.
    read = given.get("decoder_input_ids", given["input_ids"])
    start = (read.shape[1] if "decoder_input_ids" in given else 1) if model.config.is_encoder_decoder else read.shape[1]
    ends = (tokenizer.eos_token_id, padding(tokenizer))
    return [[token for token in row if token not in ends] for row in output[:, start:].tolist()]


def _forbid_repeats(size: int, first: int) -> Any:
    """No run of so many tokens twice in what is written, which begins at this place of a row.

    The library's own option counts what a causal model has read as written: it could not name anybody in three tokens
    whom its documents name.
    """
    from transformers import LogitsProcessor, LogitsProcessorList, NoRepeatNGramLogitsProcessor

    class InTheAnswer(LogitsProcessor):  # type: ignore[misc]  # the library has no types
        """The library's rule over the answer alone."""

        def __init__(self) -> None:
            self._rule = NoRepeatNGramLogitsProcessor(size)

        def __call__(self, input_ids: Any, scores: Any) -> Any:
            return self._rule(input_ids[:, first:], scores)

    return LogitsProcessorList([InTheAnswer()] if size else [])


def padding(tokenizer: Any) -> int:
    """What short rows are filled up with; a tokenizer without a token for that has its end mark."""
    return int(tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id)
