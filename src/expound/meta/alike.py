"""Metric against metric: the share of pairs on which two prefer the same answer (Xu et al. 2023, Figure 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Protocol

from expound.meta.judged import People
from expound.meta.meta_rows import ALL, MetaRow
from expound.stats.clusters import clustered_share, group_numbers
from expound.stats.proportions import Figure

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers
    from expound.stats.clusters import Groups

EVERY_SOURCE = "all sources"


class _Leaning(Protocol):
    @property
    def people(self) -> People: ...
    @property
    def leans(self) -> dict[str, Numbers]: ...


@dataclass(frozen=True)
class Alike:
    """For every two names the share of pairs ranked alike, over so many pairs; not a number without any."""

    names: tuple[str, ...]
    shares: Numbers
    counts: Numbers
    sides: Numbers
    """For every name what it prefers in each pair: 1, -1, 0 for neither, not a number without one."""
    questions: Groups
    """The number of each pair's question."""

    def figure(self, one: str, other: str) -> Figure:
        """The share of two names with its interval; pairs of one question count as such."""
        import numpy as np

        first, second = (self.sides[self.names.index(name)] for name in (one, other))
        points = (first * second + 1) / 2
        known = ~np.isnan(points)
        return clustered_share(points[known], self.questions[known])


def alike(sources: Sequence[_Leaning]) -> Alike:
    """Over the pairs of all sources, whatever people say of them; where one of the two has no preference, half."""
    import numpy as np

    names = tuple(dict.fromkeys(name for source in sources for name in source.leans))
    table = np.hstack([_table(source, names) for source in sources])
    # A pair counts for two metrics only where both have a number: else a metric without references would agree by
    # chance.
    known = (~np.isnan(table)).astype(np.float64)
    sides = np.nan_to_num(table)
    counts = known @ known.T
    with np.errstate(invalid="ignore", divide="ignore"):
        # +1 for the same side, -1 for the other, 0 where one has none: then from 0 to 1.
        shares = (sides @ sides.T / counts + 1) / 2
    # A metric ranks every pair as it does itself, also where it has no preference.
    np.fill_diagonal(shares, np.where(counts.diagonal() > 0, 1.0, np.nan))
    return Alike(names, shares, counts, table, _questions(sources))


def alike_rows(found: Alike) -> Iterator[MetaRow]:
    """Each two metrics once."""
    for one, other in combinations(found.names, 2):
        figure = found.figure(one, other)
        yield MetaRow(
            metric=one,
            source=EVERY_SOURCE,
            setting=ALL,
            measure=f"ranked as {other}",
            value=figure.value,
            low=figure.low,
            high=figure.high,
            n=figure.n,
        )


def _table(source: _Leaning, names: Sequence[str]) -> Numbers:
    """A row for each metric: what it prefers in each pair of the first criterion."""
    import numpy as np

    chosen = _places(source.people)
    missing = np.full(len(source.people.pairs), np.nan)
    return np.array([source.leans.get(name, missing)[chosen] for name in names]).reshape(len(names), len(chosen))


def _questions(sources: Sequence[_Leaning]) -> Groups:
    # By source: two files may call different questions the same.
    return group_numbers(
        [
            (number, source.people.pairs[place].a.question.id)
            for number, source in enumerate(sources)
            for place in _places(source.people)
        ]
    )


def _places(people: People) -> list[int]:
    """Where the pairs of the first criterion are."""
    # The same two answers stand there for every criterion: once is enough.
    return [place for place, pair in enumerate(people.pairs) if pair.criterion == people.criteria[0]]
