"""The head of the rewriter: two small layers of attention over the words of a question and its evidence."""

from __future__ import annotations

from typing import Any

from expound.models.telling_words import SIGNS
from expound.train.training_settings import RewriterSettings


def new_head(settings: RewriterSettings) -> Any:
    """A module from vectors and signs of words to a logit for each."""
    import torch
    from torch import nn
    from torch.nn import functional

    class Layer(nn.Module):  # type: ignore[misc]  # mypy does not look into torch
        def __init__(self) -> None:
            super().__init__()
            width = settings.width
            self.before_attention, self.before_words = nn.LayerNorm(width), nn.LayerNorm(width)
            self.asked, self.joined = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.wide, self.narrow = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
            self.drop = nn.Dropout(settings.dropout)

        def forward(self, words: Any, is_word: Any) -> Any:
            batch, count, width = words.shape
            parts = self.asked(self.before_attention(words)).view(batch, count, 3, settings.heads, -1)
            query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
            nearness = query @ key.transpose(-1, -2) / (width // settings.heads) ** 0.5
            if is_word is not None:
                # What pads a batch is no word.
                nearness = nearness.masked_fill(~is_word[:, None, None, :], -1e4)
            mixed = (nearness.softmax(-1) @ value).permute(0, 2, 1, 3).reshape(batch, count, width)
            words = words + self.drop(self.joined(mixed))
            return words + self.drop(self.narrow(functional.gelu(self.wide(self.before_words(words)))))

    class Head(nn.Module):  # type: ignore[misc]  # as above
        def __init__(self) -> None:
            super().__init__()
            self.width_in = settings.width_in
            self.drop = nn.Dropout(settings.input_dropout)
            self.first, self.even = nn.Linear(settings.width_in + SIGNS, settings.width), nn.LayerNorm(settings.width)
            self.layers = nn.ModuleList(Layer() for _ in range(settings.layers))
            self.last = nn.Linear(settings.width, 1)

        def forward(self, vectors: Any, signs: Any, is_word: Any = None) -> Any:
            words = self.even(self.first(torch.cat([self.drop(vectors), signs], -1)))
            for layer in self.layers:
                words = layer(words, is_word)
            return self.last(words).squeeze(-1)

    return Head()
