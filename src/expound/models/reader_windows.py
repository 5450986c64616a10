"""Cut a question and a context into the overlapping windows that a span reader sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from expound.models.embedder import open_tokenizer

# These three as in the question-answering script of the transformers library, with which readers are trained.
MOST_TOKENS = 384
QUESTION_TOKENS = 64  # longer questions are cut
OVERLAP = 128  # an answer that one window cuts in two stands whole in the next


@dataclass(frozen=True, slots=True)
class Window:
    """`[CLS] question [SEP] part of the context [SEP]`.

    `context_start` is the place of the first context token, `offsets` are the characters of each context token.
    """

    ids: tuple[int, ...]
    context_start: int
    offsets: tuple[tuple[int, int], ...]


class WindowCutter:
    """Tokenises texts and cuts windows of at most 384 tokens, of which neighbours share 128 of the context."""

    def __init__(self, tokenizer: Path, *, most_tokens: int = MOST_TOKENS, overlap: int = OVERLAP) -> None:
        self._file, self._most, self._overlap = tokenizer, most_tokens, overlap

    def windows(self, pairs: Sequence[tuple[str, str]]) -> list[list[Window]]:
        """The windows of each question and context; one without context tokens if there are none."""
        questions = self._encode_windows([question for question, _ in pairs])
        contexts = self._encode_windows([context for _, context in pairs])
        return [
            list(self._cut(questions[question].ids[:QUESTION_TOKENS], contexts[context])) for question, context in pairs
        ]

    def _cut(self, question: Sequence[int], context: Any) -> Iterator[Window]:
        # [CLS] and two [SEP].
        room = self._most - 3 - len(question)
        ids, offsets = context.ids, context.offsets
        first = 0
        while True:
            part = slice(first, first + room)
            yield Window(
                # The first token of the context, behind [CLS], the question and [SEP].
                (self._cls, *question, self._sep, *ids[part], self._sep),
                len(question) + 2,
                tuple(offsets[part]),
            )
            if first + room >= len(ids):
                return
            first += room - self._overlap

    def _encode_windows(self, texts: Sequence[str]) -> dict[str, Any]:
        # A question is asked of many contexts, and a context many questions.
        distinct = list(dict.fromkeys(texts))
        return dict(zip(distinct, self._tokenizer.encode_batch(distinct, add_special_tokens=False), strict=True))

    @cached_property
    def _tokenizer(self) -> Any:
        return open_tokenizer(self._file, pads=False)

    @cached_property
    def _cls(self) -> int:
        return int(self._tokenizer.token_to_id("[CLS]"))

    @cached_property
    def _sep(self) -> int:
        return int(self._tokenizer.token_to_id("[SEP]"))
