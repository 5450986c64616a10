"""Rows of token ids as torch trains with them, windows of a reader, and passes over many rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import signature
from typing import Any

from expound.models.reader_windows import QUESTION_TOKENS, Window
from expound.models.row_encoder import RowEncoder, TokenRow

# Forward passes run on small batches of like length: less padding, less memory.
_CHUNK = 16


class Encoder(RowEncoder):
    """Rows as the tensors that torch trains with."""

    def inputs(self, model: Any, rows: Sequence[TokenRow]) -> dict[str, Any]:
        """What the model is called with for a few rows, padded to the longest."""
        return take_known(model, self.pad(rows))

    def pad(self, rows: Sequence[TokenRow]) -> dict[str, Any]:
        """Ids, mask and sides of a few rows as tensors of one width."""
        import torch

        return {name: torch.from_numpy(array) for name, array in self.arrays(rows).items()}


class EncoderCutter:
    """Cuts the windows of a span reader with any base's tokenizer."""

    def __init__(self, encoder: Encoder, *, most_tokens: int, overlap: int) -> None:
        self._encoder, self._most_tokens, self._overlap = encoder, most_tokens, overlap
        # Half of a short window stays for the context, however long the question is.
        self._most_asked = min(QUESTION_TOKENS, most_tokens // 2)

    def windows(self, pairs: Sequence[tuple[str, str]]) -> list[list[Window]]:
        """The windows of each question and context; one without context tokens if there are none."""
        return [list(self._cut(question, context)) for question, context in pairs]

    def _cut(self, question: str, context: str) -> Iterator[Window]:
        asked, tokens = self._encoder.encode(question).ids[: self._most_asked], self._encoder.encode(context)
        room = self._encoder.room_after(asked, most_tokens=self._most_tokens)
        # In a very short window an overlap of the usual size would never move on.
        overlap = self._overlap if self._overlap < room else room // 2
        first = 0
        while True:
            part = slice(first, first + room)
            row = self._encoder.join(asked, tokens.ids[part], most_tokens=self._most_tokens)
            yield Window(row.ids, row.second_side, tuple(tokens.offsets[part]))
            if first + room >= len(tokens.ids):
                return
            first += room - overlap


def take_known(model: Any, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the inputs that a model takes: not every architecture knows sides."""
    known = signature(model.forward).parameters
    return {name: tensor for name, tensor in inputs.items() if name in known}


def forget_and_run_again(run: Callable[[Sequence[TokenRow]], Any]) -> Callable[[Sequence[TokenRow]], Any]:
    """The same pass with nothing kept for the gradient: on the way back it is made once more (Gao et al. 2021).

    The loss is taken over what came out, and its gradient there is all that is cached: a batch of any size then takes
    the memory of one chunk, for a third more time.
    """
    import torch
    from torch.utils.checkpoint import checkpoint

    # Token ids have no gradient; without an input that has one, the way back would end before the model.
    anchor = torch.zeros((), requires_grad=True)
    # Reentrant: a forward pass without a graph. The other way keeps the graph's nodes, which grow with the batch.
    return lambda rows: checkpoint(lambda _, some: run(some), anchor, rows, use_reentrant=True)


def run_in_chunks(rows: Sequence[TokenRow], run: Callable[[Sequence[TokenRow]], Any]) -> Any:
    """What a model makes of rows, a tensor with a row for each in their order, computed in chunks of like length."""
    import torch

    order = sorted(range(len(rows)), key=lambda place: len(rows[place].ids))
    chunks = [order[start : start + _CHUNK] for start in range(0, len(order), _CHUNK)]
    # Sorted by length for little padding, and put back below.
    results = torch.cat([run([rows[place] for place in chunk]) for chunk in chunks])
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    return results[back]
