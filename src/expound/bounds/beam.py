"""A beam search for the sentences that are together most similar to a text, by sums that grow with each sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from expound.answer.tfidf import DIGITS, Tfidf

if TYPE_CHECKING:
    from expound.protocols import Numbers

Rows = tuple[int, ...]


class _State(NamedTuple):
    """A set of rows, its product with the text and with itself, and its product with every candidate."""

    rows: Rows
    product: float
    square: float
    products: Numbers


def search(table: Tfidf, text: str, *, beam: int, most: int) -> list[Rows]:
    """The sets in the beam after each of up to `most` sentences, each set in ascending order, smaller sets first.

    A set is as similar to the text as the TF-IDF vectors of both, all its sentences read as one. Rows without a common
    word are no candidates. Equal sets count once; ties go to the set with the earlier rows.
    """
    import numpy as np

    candidates = _Candidates(table, text)
    states = [_State((), 0.0, 0.0, np.zeros(len(candidates.rows)))]
    found: list[Rows] = []
    for _ in range(min(most, len(candidates.rows))):
        # Small sets stay among the answers: a longer one may be nearer by TF-IDF and worse by ROUGE.
        states = candidates.best_extensions(states, beam)
        found += [state.rows for state in states]
    return found


class _Candidates:
    """The rows that share a word with the text, and what is known of them."""

    def __init__(self, table: Tfidf, text: str) -> None:
        import numpy as np

        vector = table.vector(text)
        products = table.products(vector)
        self.table = table
        self.rows = np.flatnonzero(products)
        self.place = {int(row): place for place, row in enumerate(self.rows)}
        self.products = products[self.rows]
        self.squares = table.norms[self.rows] ** 2
        self.length = float(np.sqrt(vector @ vector))
        # The same candidate extends many states.
        self._kept: dict[int, Numbers] = {}

    def best_extensions(self, states: list[_State], beam: int) -> list[_State]:
        """Every state with every candidate that is not in it; of these, the best."""
        import numpy as np

        similarities = np.array([self._similarities(state) for state in states])
        # A set of n sentences is reached from at most n states, so among so many there are enough different ones.
        enough = min(beam * min(len(states), len(states[0].rows) + 1), similarities.size)
        threshold = np.partition(similarities, similarities.size - enough, axis=None)[similarities.size - enough]
        found: dict[Rows, tuple[float, _State, int]] = {}
        # Ties at the threshold are all kept, so that the sort below decides them.
        for number, place in np.argwhere((similarities >= threshold) & (similarities > 0)).tolist():
            state, row = states[number], int(self.rows[place])
            # The first state that reaches a set is as good as any other: the sums are the same.
            found.setdefault(tuple(sorted((*state.rows, row))), (-similarities[number, place], state, place))
        best = sorted(found.items(), key=lambda item: (item[1][0], item[0]))[:beam]
        return [self._extend_state(rows, state, place) for rows, (_, state, place) in best]

    def _similarities(self, state: _State) -> Numbers:
        """The similarity of the state with each candidate added; 0 for those it has."""
        import numpy as np

        # The square of a sum, from sums that are kept: no vector of a set is ever added up, which makes the search
        # fast.
        squares = state.square + 2 * state.products + self.squares
        # Rounded as everywhere in TF-IDF, so that ties are ties on every machine.
        values: Numbers = np.round((state.product + self.products) / (np.sqrt(squares) * self.length), DIGITS)
        values[[self.place[row] for row in state.rows]] = 0
        return values

    def _extend_state(self, rows: Rows, state: _State, place: int) -> _State:
        square = float(state.square + 2 * state.products[place] + self.squares[place])
        product = float(state.product + self.products[place])
        return _State(rows, product, square, state.products + self._with_all(place))

    def _with_all(self, place: int) -> Numbers:
        """The products of one candidate with all of them."""
        if place not in self._kept:
            vector = self.table.row_vector(int(self.rows[place]))
            self._kept[place] = self.table.products(vector)[self.rows]
        return self._kept[place]
