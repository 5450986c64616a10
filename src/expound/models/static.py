"""Static vectors distilled from MiniLM: a text is the sum of its word pieces, a hundred times as fast to embed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expound.models.embedder import loading, open_tokenizer

if TYPE_CHECKING:
    from expound.protocols import Vectors

# Several passages' worth: a text is a sum, so that more of it costs little, but a book must not fill the memory.
MOST_TOKENS = 512
_AT_ONCE = 64  # texts: word pieces take 1 kB each while they are added up


class StaticEmbedder:
    """Vectors good enough to choose what MiniLM looks at; the file is loaded at the first call."""

    name = "expound-static"
    dimensions = 256

    def __init__(self, file: Path, tokenizer: Path) -> None:
        self._file, self._tokenizer_file = file, tokenizer

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text; zeros for a text without a known word piece."""
        import numpy as np

        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), _AT_ONCE):
            part = list(texts[start : start + _AT_ONCE])
            vectors[start : start + len(part)] = self._sums(part)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        # A text of unknown pieces stays zero instead of becoming no number.
        unit: Vectors = vectors / np.maximum(norms, np.float32(1e-12))
        return unit

    def _sums(self, texts: list[str]) -> Vectors:
        import numpy as np

        pieces = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(texts)]
        # [CLS] and [SEP] have vectors of zeros; left in, they keep every text's share of the rows above zero.
        starts = np.cumsum([0, *(len(ids) for ids in pieces[:-1])])
        numbers = np.fromiter(chain.from_iterable(pieces), dtype=np.intp)
        codes, scales = self._matrix
        rows = codes[numbers].astype(np.float32)
        rows *= scales[numbers, None]
        sums: Vectors = np.add.reduceat(rows, starts, axis=0)
        return sums

    @cached_property
    def _matrix(self) -> tuple[Any, Any]:
        """8-bit codes and the scale of each row: piece = code x scale."""
        import numpy as np

        with loading(self._file), np.load(self._file, allow_pickle=False) as arrays:
            return arrays["codes"], arrays["scales"]

    @cached_property
    def _tokenizer(self) -> Any:
        return open_tokenizer(self._tokenizer_file, MOST_TOKENS, pads=False)
