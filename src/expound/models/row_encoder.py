"""Texts to the rows of token ids that a model reads, framed by whatever marks its own tokenizer puts around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from expound.errors import BadInput
from expound.models.model_folder import config_of

# Texts. The tokens of a passage take some ten kilobytes; a metric that goes through a large file would keep them all.
MOST_KEPT = 20_000


@dataclass(frozen=True, slots=True)
class TokenRow:
    """The ids of one input, and where its second text begins; at its end if there is none."""

    ids: tuple[int, ...]
    second_side: int


class RowEncoder:
    """The tokenizer in the folder of a model; a text that comes back soon is tokenised once."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self._known: dict[str, Any] = {}

    def single(self, text: str, *, most_tokens: int) -> TokenRow:
        """One text between its marks, cut at its end."""
        before, after = self._marks_of_one
        ids = self.encode(text).ids[: most_tokens - len(before) - len(after)]
        row = (*before, *ids, *after)
        return TokenRow(row, len(row))

    def pair(self, first: str, second: str, *, most_tokens: int, most_first: int) -> TokenRow:
        """Two texts between their marks: the first cut to `most_first`, the second to what is left."""
        return self.join(self.encode(first).ids[:most_first], self.encode(second).ids, most_tokens=most_tokens)

    def join(self, first: Sequence[int], second: Sequence[int], *, most_tokens: int) -> TokenRow:
        """The ids of two texts between their marks, the second cut."""
        before, between, after = self._marks_of_two
        start = (*before, *first, *between)
        room = self.room_after(first, most_tokens=most_tokens)
        return TokenRow((*start, *second[:room], *after), len(start))

    def room_after(self, first: Sequence[int], *, most_tokens: int) -> int:
        """How many ids of a second text have room beside the first."""
        return max(0, most_tokens - len(first) - sum(map(len, self._marks_of_two)))

    def encode(self, text: str) -> Any:
        """The tokens of a text, without marks."""
        if text not in self._known:
            # All at once: to know which was used last would cost something at every look-up.
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            self._known[text] = self._tokenizer.encode(text, add_special_tokens=False)
        return self._known[text]

    def encode_words(self, words: Sequence[str]) -> tuple[list[int], dict[int, int]]:
        """The ids of words one after the other, and the place of each word's first id; some words have none."""
        encoding = self._tokenizer.encode(list(words), is_pretokenized=True, add_special_tokens=False)
        # Reversed, so that a word's first token is the one that stays.
        places = {word: place for place, word in reversed(list(enumerate(encoding.word_ids)))}
        return encoding.ids, places

    def arrays(self, rows: Sequence[TokenRow]) -> dict[str, Any]:
        """Ids, mask and sides of a few rows, padded to the longest."""
        import numpy as np

        width = max(len(row.ids) for row in rows)
        ids = np.full((len(rows), width), self._pad_id, dtype=np.int64)
        mask, sides = (np.zeros((len(rows), width), dtype=np.int64) for _ in range(2))
        for number, row in enumerate(rows):
            ids[number, : len(row.ids)] = row.ids
            mask[number, : len(row.ids)] = 1
            sides[number, row.second_side : len(row.ids)] = self._second_type
        return {"input_ids": ids, "attention_mask": mask, "token_type_ids": sides}

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self.base / "tokenizer.json"))
        # MiniLM's file has truncation at 128 and fixed padding baked in.
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _marks_of_one(self) -> list[list[int]]:
        return self._marks(2, "a")

    @cached_property
    def _marks_of_two(self) -> list[list[int]]:
        return self._marks(3, "a", "a")

    def _marks(self, runs: int, *texts: str) -> list[list[int]]:
        found = _runs_of_marks(self._tokenizer.encode(*texts))
        # A generative tokenizer has no marks, and the product's encoders need them.
        if len(found) != runs:
            raise BadInput(f"{self.base}: its tokenizer puts no marks around texts, as those of encoders do")
        return found

    @cached_property
    def _second_type(self) -> int:
        # BERT tells the two texts apart, RoBERTa does not.
        return int(max(self._tokenizer.encode("a", "a").type_ids))

    @cached_property
    def _pad_id(self) -> int:
        return int(config_of(self.base).get("pad_token_id") or 0)


def _runs_of_marks(encoding: Any) -> list[list[int]]:
    """The ids of the marks before, between and after the texts of an encoding."""
    runs: list[list[int]] = [[]]
    was_mark = True
    for token, is_mark in zip(encoding.ids, encoding.special_tokens_mask, strict=True):
        if is_mark and not was_mark:
            runs.append([])
        if is_mark:
            runs[-1].append(token)
        was_mark = bool(is_mark)
    return runs
