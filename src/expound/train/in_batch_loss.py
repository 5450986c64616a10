"""The softmax of each question over all texts of a batch, in the memory of a few questions however large the batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# Questions: with the 12,288 texts of the largest batches their scores take 12 MB.
_SCORED_TOGETHER = 256


def in_batch_loss(asked: Any, texts: Any, also_right: Sequence[Sequence[int]]) -> Any:
    """Mean cross-entropy of each question's own text, which stands at the question's place.

    Texts that also answer a question, whose places are given, are not held against it.
    """
    import torch

    with torch.no_grad():
        loss, to_asked, to_texts = _loss_and_gradients(asked, texts, also_right)
    # Its value is nothing; its gradient is what was found.
    pull = (asked * to_asked).sum() + (texts * to_texts).sum()
    return loss + (pull - pull.detach())


def _loss_and_gradients(asked: Any, texts: Any, also_right: Sequence[Sequence[int]]) -> tuple[Any, Any, Any]:
    """The loss, and what it gains by a change of every vector: probability less what it should be, as usual."""
    import torch

    loss, to_asked, to_texts = torch.zeros(()), torch.empty_like(asked), torch.zeros_like(texts)
    # One place for all scores: with a new one for each part, glibc's heap grew by the square of the batch.
    room = asked.new_empty(min(_SCORED_TOGETHER, len(asked)), len(texts))
    for start in range(0, len(asked), _SCORED_TOGETHER):
        some = asked[start : start + _SCORED_TOGETHER]
        scores = torch.mm(some, texts.T, out=room[: len(some)])
        for row, places in enumerate(also_right[start : start + len(some)]):
            scores[row, list(places)] = float("-inf")
        loss += _to_errors(scores, start)
        to_asked[start : start + len(some)] = scores @ texts
        to_texts.addmm_(scores.T, some)
    return loss / len(asked), to_asked / len(asked), to_texts / len(asked)


def _to_errors(scores: Any, start: int) -> Any:
    """Turn scores into errors of probability where they stand; the sum of the cross-entropies."""
    import torch

    rows = torch.arange(len(scores))
    own = scores[rows, rows + start]
    # The highest score is taken off before the exponential, which could not hold it otherwise.
    highest = scores.amax(1, keepdim=True)
    total = scores.sub_(highest).exp_().sum(1, keepdim=True)
    scores.div_(total)
    scores[rows, rows + start] -= 1
    return (total.log() + highest)[:, 0].sum() - own.sum()
