"""Search by meaning: a faiss index of passage vectors, memory-mapped from disk."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expound.errors import Damaged

if TYPE_CHECKING:
    from expound.protocols import Vectors

# Up to here an exact search takes milliseconds; above, IVF-SQ8 has 4.5 times its rate at a quarter of its size.
FLAT_UP_TO = 50_000
# Of `4 * sqrt(total)` lists; the choice of IVF-SQ8 asked for a recall@10 of .95 on 100,000 vectors.
_PROBES = 32
# Vectors that are held in memory to find the lists by: 150 MB.
_TRAIN_ON = 100_000


class DenseIndex:
    """The nearest passages of a vector; exact up to 50,000 passages, IVF with 8-bit codes above."""

    def __init__(self, file: Path) -> None:
        import faiss

        try:
            # Mapped, not read: `ask` looks at few lists, and several processes share the pages.
            self._index: Any = faiss.read_index(str(file), faiss.IO_FLAG_MMAP)
        except RuntimeError as error:
            raise Damaged(f"the vector index {file} is damaged") from error
        # The number of lists that are looked at is not kept in the file.
        if callable(faiss.extract_index_ivf) and self._index.ntotal > FLAT_UP_TO:
            faiss.extract_index_ivf(self._index).nprobe = _PROBES

    def __len__(self) -> int:
        return int(self._index.ntotal)

    def search(self, vector: Vectors, *, k: int) -> list[tuple[int, float]]:
        """The k nearest passage numbers with their cosines, best first."""
        scores, numbers = self._index.search(vector.reshape(1, -1), k)
        # faiss fills up with -1 where it finds fewer.
        return [(int(n), float(s)) for n, s in zip(numbers[0], scores[0], strict=True) if n >= 0]


def build_dense(file: Path, batches: Iterable[tuple[list[int], Vectors]], *, total: int) -> int:
    """Write the index of all vectors; the file appears when it is whole."""
    import faiss
    import numpy as np

    index: Any = None
    held: list[tuple[list[int], Vectors]] = []
    for numbers, vectors in batches:
        held.append((numbers, vectors))
        # The lists are found from a sample, so the first vectors wait until there are enough of them.
        if index is None and sum(len(part) for part, _ in held) < min(total, _TRAIN_ON):
            continue
        index = index or _train_index(faiss, np.concatenate([part for _, part in held]), total)
        for part_numbers, part in held:
            index.add_with_ids(part, np.array(part_numbers, dtype=np.int64))
        held = []
    # An empty corpus has no index; one of earlier passages would give numbers that are gone.
    if index is None:
        file.unlink(missing_ok=True)
        return 0
    # faiss writes in place: under another name until it is whole, so that a kill leaves the old one.
    partial = file.with_suffix(".partial")
    faiss.write_index(index, str(partial))
    partial.replace(file)
    return int(index.ntotal)


def _train_index(faiss: Any, sample: Vectors, total: int) -> Any:
    dimensions = sample.shape[1]
    if total <= FLAT_UP_TO:
        return faiss.IndexIDMap2(faiss.IndexFlatIP(dimensions))
    # faiss advises 4 to 16 times the root of the number of vectors.
    lists = int(4 * total**0.5)
    index = faiss.index_factory(dimensions, f"IVF{lists},SQ8", faiss.METRIC_INNER_PRODUCT)
    index.train(sample)
    return index
