"""The nearest other question by words, over all pairs without comparing all pairs: blocked products of sparse matrices.

Two texts whose cosine reaches the threshold share a word that is rare enough for one of them: by Cauchy and Schwarz
the common words of a text, as many as weigh less than the threshold together, cannot bring a pair there by themselves.
So only the rare words of one side are multiplied, what could still reach the threshold is weighed in full, and the
result is exact (Bayardo et al. 2007 and Anastasiu and Karypis 2014 prune so).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from expound.answer.tfidf import table_of
from expound.errors import UserError

if TYPE_CHECKING:
    from expound.answer.tfidf import Integers
    from expound.protocols import Numbers

# Products of one block, of some 25 bytes each. Tried with 20,000 questions: ten million take 252 MB in all, a quarter
# of it 116 MB and no longer; with 60,000, one million takes 132 MB.
_MOST_PRODUCTS = 1_000_000
# Sums of floats in another order differ in the last digits; who stands at the threshold counts as near.
_SLACK = 1e-6
# Pairs that are weighed at once: each takes both texts.
_PAIRS = 200_000
# What common words may weigh together, of the threshold: with less, more pairs are multiplied, with more, more are
# weighed. Tried on 30,000 questions: 1.9 CPU-seconds at 0.8, and 3 at 0.7 and 0.9.
_COMMON_SHARE = 0.8


@dataclass(frozen=True)
class Nearest:
    """For every text the place of its nearest other, and their cosine; -1 and 0 where none is near enough."""

    places: Integers
    similarities: Numbers


def nearest_by_words(
    texts: Sequence[str],
    others: Sequence[str] = (),
    *,
    threshold: float,
    report: Callable[[int, int], None] | None = None,
) -> Nearest:
    """The nearest of the others to every text by TF-IDF, if their cosine is at least the threshold.

    Without others, the nearest among the texts themselves. Words count as in `expound.answer.tfidf`, with the
    frequencies of texts and others together; of several that are as near the first is taken.
    """
    import numpy as np

    if not 0 < threshold <= 1:
        raise UserError(f"a threshold of {threshold:g} is no cosine to tell neighbours by; give one above 0, at most 1")
    rows = _unit_rows([*texts, *others])
    first = len(texts) if others else 0
    index = _Rare(rows[first:], threshold)
    found = Nearest(np.full(len(texts), -1), np.zeros(len(texts)))
    for start, end in index.blocks(rows[: len(texts)]):
        if report:
            report(start, len(texts))
        index.search(rows[start:end], start, found, is_same=not others)
    return found


def _unit_rows(texts: Sequence[str]) -> Any:
    """A row of weights for every text, of length 1; the columns of words that most texts have come first."""
    import numpy as np
    from scipy.sparse import csr_matrix

    table = table_of(texts)
    by_frequency = np.argsort(-np.bincount(table.columns, minlength=table.width), kind="stable")
    column = np.empty(table.width, np.int32)
    column[by_frequency] = np.arange(table.width, dtype=np.int32)
    weights = (table.weights / table.norms[table.rows]).astype(np.float32)
    rows = csr_matrix((weights, (table.rows.astype(np.int32), column[table.columns])), (len(texts), table.width))
    rows.sort_indices()
    return rows


class _Rare:
    """The rare words of all rows, to be multiplied with, and what their common words can add at most."""

    def __init__(self, rows: Any, threshold: float) -> None:
        import numpy as np
        from scipy.sparse import csr_matrix

        self.rows, self.threshold = rows, threshold - _SLACK
        squares = np.concatenate([[0.0], np.cumsum(rows.data.astype(np.float64) ** 2)])
        of_row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        # The length of a row up to and with each word: as long as it is short, those words cannot make a neighbour.
        length = np.sqrt(np.maximum(squares[1:] - squares[rows.indptr[of_row]], 0))
        is_rare = length >= _COMMON_SHARE * self.threshold
        counts = np.bincount(of_row[is_rare], minlength=rows.shape[0])
        places = (rows.data[is_rare], rows.indices[is_rare], np.append(0, np.cumsum(counts)))
        self.common = np.sqrt(np.bincount(of_row[~is_rare], rows.data[~is_rare] ** 2.0, minlength=rows.shape[0]))
        self.by_word = csr_matrix(places, rows.shape).T.tocsr()
        self.having = np.diff(self.by_word.indptr)

    def blocks(self, rows: Any) -> list[tuple[int, int]]:
        """Rows of which the products fit in memory together."""
        import numpy as np

        # An upper bound: two texts that share several words are counted for each.
        work = np.append(0, np.cumsum(self.having[rows.indices], dtype=np.int64))[rows.indptr]
        ends, start = [], 0
        while start < rows.shape[0]:
            end = int(np.searchsorted(work, work[start] + _MOST_PRODUCTS, side="right")) - 1
            ends.append((start, end := min(max(end, start + 1), rows.shape[0])))
            start = end
        return ends

    def _weigh(self, asked: Any, left: Integers, right: Integers) -> Numbers:
        """The cosines of pairs, with all their words."""
        import numpy as np

        return np.asarray(asked[left].multiply(self.rows[right]).sum(axis=1), np.float64).ravel()

    def search(self, asked: Any, start: int, found: Nearest, *, is_same: bool) -> None:
        """The nearest of every asked row, written into what was found."""
        import numpy as np

        products = (asked @ self.by_word).tocoo()
        could = products.data + self.common[products.col] >= self.threshold
        left, right = products.row[could].astype(np.int64), products.col[could].astype(np.int64)
        if is_same:
            others = left + start != right
            left, right = left[others], right[others]
        cosines = np.concatenate([np.empty(0), *(self._weigh(asked, left[at], right[at]) for at in _slices(len(left)))])
        near = cosines >= self.threshold
        left, right, cosines = left[near], right[near], cosines[near]
        # The best first for each row, and the first of those as near: of each row the top one stays.
        order = np.lexsort((right, -cosines, left))
        top = order[np.unique(left[order], return_index=True)[1]]
        found.places[start + left[top]] = right[top]
        found.similarities[start + left[top]] = np.minimum(cosines[top], 1.0)


def _slices(length: int) -> Iterator[slice]:
    return (slice(start, start + _PAIRS) for start in range(0, length, _PAIRS))
