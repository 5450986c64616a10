"""Any SQuAD 2.0 checkpoint of the transformers library as a reader; needs the `train` extra."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from expound.errors import UserError
from expound.models.reader import pad_windows
from expound.models.reader_windows import MOST_TOKENS, OVERLAP, QUESTION_TOKENS, Window
from expound.models.span_search import CloseRead, read_closely, read_spans
from expound.types import Span


@dataclass(frozen=True)
class HubReader:
    """A question-answering model by its hub name or folder, loaded from safetensors only."""

    model: str
    threshold: float = 0.0

    @property
    def name(self) -> str:
        """The model's name: numbers of different readers are not the same metric."""
        return self.model

    def load(self) -> None:
        """Load it now: what cannot be loaded is said before the long work."""
        _ = self._loaded

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span]:
        """The answer to each (question, context) pair, in their order; no text where there is none."""
        return read_spans(pairs, HubCutter(self._loaded[0]), self._run, threshold=self.threshold)

    def read_closely(self, pairs: Sequence[tuple[str, str]]) -> list[CloseRead]:
        """Each pair with the score of every span of its context."""
        return read_closely(pairs, HubCutter(self._loaded[0]), self._run)

    def _run(self, windows: Sequence[Window]) -> tuple[Any, Any]:
        import torch

        tokenizer, model = self._loaded
        inputs = {name: torch.from_numpy(values) for name, values in pad_windows(windows).items()}
        # Windows come padded with 0, which is another token in some vocabularies.
        inputs["input_ids"].masked_fill_(inputs["attention_mask"] == 0, tokenizer.pad_token_id)
        # Some models know no segments.
        inputs = {name: values for name, values in inputs.items() if name in tokenizer.model_input_names}
        with torch.no_grad():
            result = model(**inputs)
        return result.start_logits.numpy(), result.end_logits.numpy()

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        try:
            from transformers import AutoModelForQuestionAnswering, AutoTokenizer
        except ModuleNotFoundError as error:
            raise UserError("a reader from the hub needs transformers: pip install 'expound[train]'") from error
        try:
            tokenizer = AutoTokenizer.from_pretrained(self.model)
            # Pickled weights could run any code.
            model = AutoModelForQuestionAnswering.from_pretrained(self.model, use_safetensors=True)
        except (OSError, ValueError) as error:
            problem = str(error).strip().splitlines()[0]
            raise UserError(f"no reader {self.model!r} with safetensors weights could be loaded: {problem}") from error
        return tokenizer, model.eval()


@dataclass(frozen=True)
class HubCutter:
    """Cuts windows with a fast tokenizer of the transformers library that puts the null token first."""

    tokenizer: Any

    def windows(self, pairs: Sequence[tuple[str, str]]) -> list[list[Window]]:
        """The windows of each question and context."""
        return [self._cut(self._short(question), context) for question, context in pairs]

    def _cut(self, question: str, context: str) -> list[Window]:
        cut = self.tokenizer(
            [question],  # as lists: an empty context would otherwise count as none
            [context],
            truncation="only_second",
            max_length=min(MOST_TOKENS, self.tokenizer.model_max_length),
            stride=OVERLAP,
            return_overflowing_tokens=True,
        )
        return [_window(encoding) for encoding in cut.encodings]

    def _short(self, question: str) -> str:
        """The question's first 64 tokens: a longer one would leave no room for the context."""
        offsets = self.tokenizer(question, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
        return question[: offsets[QUESTION_TOKENS - 1][1]] if len(offsets) > QUESTION_TOKENS else question


def _window(encoding: Any) -> Window:
    places = [place for place, side in enumerate(encoding.sequence_ids) if side == 1]
    # Without a context token the last one, a separator, opens an empty context.
    first = places[0] if places else len(encoding.ids) - 1
    return Window(tuple(encoding.ids), first, tuple(encoding.offsets[place] for place in places))
