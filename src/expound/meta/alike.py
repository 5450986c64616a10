"""Metric against metric: the share of pairs on which two prefer the same answer (Xu et al. 2023, Figure 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from expound.meta.judged import People
from expound.meta.meta_rows import ALL, MetaRow

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers

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
    return Alike(names, shares, counts)


def alike_rows(found: Alike) -> Iterator[MetaRow]:
    """Each two metrics once."""
    for place, name in enumerate(found.names):
        for other in range(place + 1, len(found.names)):
            yield MetaRow(
                metric=name,
                source=EVERY_SOURCE,
                setting=ALL,
                measure=f"ranked as {found.names[other]}",
                value=float(found.shares[place, other]),
                n=int(found.counts[place, other]),
            )


def _table(source: _Leaning, names: Sequence[str]) -> Numbers:
    """A row for each metric: what it prefers in each pair of the first criterion."""
    import numpy as np

    first = source.people.criteria[0]
    # The same two answers stand there for every criterion: once is enough.
    chosen = [place for place, pair in enumerate(source.people.pairs) if pair.criterion == first]
    missing = np.full(len(source.people.pairs), np.nan)
    return np.array([source.leans.get(name, missing)[chosen] for name in names]).reshape(len(names), len(chosen))
