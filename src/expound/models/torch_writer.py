"""A writer in torch: how likely it finds an answer to what it is given, and what it would write itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from expound.models.decoder import Decoding, decode, padding
from expound.models.embedder import usable_cores
from expound.models.model_folder import load_model, load_tokenizer, open_folder
from expound.models.writer_card import SHAPES, WriterCard, read_card

# For tokenizers without a template of their own: what is read ends with its line.
PLAIN_TEMPLATE = "{% for message in messages %}{{ message['content'] }}\n{% endfor %}"


@dataclass(frozen=True)
class TokenGuess:
    """A token of an answer: where in the text it ends, its log-probability, and the token that was likeliest."""

    end: int
    log_probability: float
    token: int
    likeliest: int


class TorchWriter:
    """A model of the transformers library with its tokenizer, asked as its card says."""

    def __init__(self, model: Any, tokenizer: Any, card: WriterCard) -> None:
        self.model, self.tokenizer, self.card = model, tokenizer, card
        if not tokenizer.chat_template:
            tokenizer.chat_template = PLAIN_TEMPLATE

    def read_text(self, source: str) -> str:
        """What it is given with its marks: a causal one reads a turn of a dialogue, as a GGUF file of it does."""
        text = f"{self.card.marker}{source}"
        if self.card.shape != "causal":
            return text
        turn = [{"role": "user", "content": text}]
        return str(self.tokenizer.apply_chat_template(turn, add_generation_prompt=True, tokenize=False))

    def read_ids(self, source: str) -> list[int]:
        """The same as tokens."""
        # From the text: the template has put its marks there, and a tokenizer would add its own once more.
        ids: list[int] = self.tokenizer(self.read_text(source), add_special_tokens=False)["input_ids"]
        if self.card.shape != "causal":
            # A table of places has so many, and a question may be longer than all room. A causal one keeps its marks.
            ids = ids[: self.card.most_tokens]
        # An encoder has to read something.
        return ids or [self.tokenizer.eos_token_id]

    def answer_ids(self, answer: str) -> list[int]:
        """An answer as tokens, without the end mark."""
        ids: list[int] = self.tokenizer(answer, add_special_tokens=False)["input_ids"]
        return ids

    def token_ends(self, text: str) -> list[int]:
        """Where in a text each of its tokens ends."""
        offsets = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
        return [end for _, end in offsets]

    def write(self, source: str, decoding: Decoding, *, begun: str = "") -> str:
        """What it writes after what it is given and the beginning of the answer, which is not said again."""
        import torch

        read, begun_ids = self.read_ids(source), self.answer_ids(begun)
        if self.card.shape == "causal":
            given = {"input_ids": torch.tensor([read + begun_ids])}
        else:
            given = {"input_ids": torch.tensor([read])}
            if begun_ids:
                given["decoder_input_ids"] = torch.tensor([[self._first_token, *begun_ids]])
        given["attention_mask"] = torch.ones_like(given["input_ids"])
        return self._written(given, decoding, begun=len(begun_ids))[0]

    def write_all(self, sources: Sequence[str], decoding: Decoding, *, begun: Sequence[str] = ()) -> list[str]:
        """What it writes after each source, all at once: a step reads the weights once for all of them.

        Answers may be begun, one way or another for each source. What is drawn at random is drawn for all together: the
        same sources in the same order give the same texts.
        """
        import torch

        if begun and self.card.shape != "causal":
            # Beginnings of different lengths would have to be filled up, and a decoder counts places from the first.
            pairs = zip(sources, begun, strict=True)
            return [self.write(source, decoding, begun=beginning) for source, beginning in pairs]
        rows = [self.read_ids(source) for source in sources]
        rows = [[*row, *self.answer_ids(text)] for row, text in zip(rows, begun or [""] * len(rows), strict=True)]
        ids = [self._fill_up(row, padding(self.tokenizer), max(map(len, rows))) for row in rows]
        mask = [self._fill_up([1] * len(row), 0, max(map(len, rows))) for row in rows]
        return self._written({"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask)}, decoding)

    def _fill_up(self, row: list[int], filler: int, length: int) -> list[int]:
        fill = [filler] * (length - len(row))
        # A causal model goes on from the last token of each row; an encoder counts places from the first.
        return [*fill, *row] if self.card.shape == "causal" else [*row, *fill]

    def _written(self, given: dict[str, Any], decoding: Decoding, *, begun: int = 0) -> list[str]:
        self.model.eval()
        texts = decode(self.model, self.tokenizer, given, decoding, begun=begun)
        return [str(self.tokenizer.decode(tokens)).strip() for tokens in texts]

    def guess(self, source: str, answer: str) -> list[TokenGuess]:
        """Every token of an answer with its log-probability, given the source and the right tokens before it."""
        import torch

        encoded = self.tokenizer(answer, add_special_tokens=False, return_offsets_mapping=True)
        wanted = encoded["input_ids"]
        if not wanted:
            return []
        self.model.eval()
        with torch.inference_mode():
            logits = self._logits(self.read_ids(source), wanted).log_softmax(-1)
        own = logits.gather(1, torch.tensor(wanted)[:, None])[:, 0].tolist()
        likeliest = logits.argmax(-1).tolist()
        found = zip(encoded["offset_mapping"], own, wanted, likeliest, strict=True)
        return [TokenGuess(end, chance, token, best) for (_, end), chance, token, best in found]

    def _logits(self, read: Sequence[int], wanted: Sequence[int]) -> Any:
        import torch

        if self.card.shape == "causal":
            # Without the last token, which predicts nothing that is wanted.
            ids = torch.tensor([[*read, *wanted[:-1]]])
            return self.model(ids, logits_to_keep=len(wanted)).logits[0]
        begun = torch.tensor([[self._first_token, *wanted[:-1]]])
        return self.model(input_ids=torch.tensor([read]), decoder_input_ids=begun).logits[0]

    @property
    def _first_token(self) -> int:
        return int(self.model.config.decoder_start_token_id)


# A run asks the same writer for every question.
@lru_cache(maxsize=2)
def open_writer(folder: str) -> TorchWriter:
    """The writer in a folder that `expound train writer` wrote: whole, or an adapter with its base."""
    path = open_folder(folder)
    card = read_card(path)
    return TorchWriter(load_writer(path, card.shape, threads=usable_cores()), load_tokenizer(path), card)


def load_writer(folder: Path, shape: str, *, threads: int) -> Any:
    """The model of a folder, in float32; an adapter's is its base with the adapter added to the weights."""
    return load_model(folder, f"AutoModelFor{SHAPES[shape]}", threads=threads)
