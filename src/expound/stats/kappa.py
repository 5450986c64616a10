"""Kappa: how far raters agree beyond what their habits alone would give.

Every kappa is (observed agreement - expected agreement) / (1 - expected agreement): 1 is perfect, 0 is chance, below 0
is less than chance. They differ in what is expected. It is not a number where agreement is certain by chance, that is
where only one category was ever used. All are pools (see `bootstrap`): a row of counts per item, and weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers


def agreeing_pairs(counts: Numbers) -> Numbers:
    """Per item, how many of its pairs of raters agree, and how many pairs there are.

    A row of counts says how many raters put the item into each category.
    """
    import numpy as np

    raters = counts.sum(axis=1)
    # Unordered pairs, hence the halves; they cancel in the share.
    return np.column_stack([(counts * (counts - 1)).sum(axis=1) / 2, raters * (raters - 1) / 2])


def observe_agreement(counts: Numbers, weights: Numbers) -> Numbers:
    """The mean over items of the share of pairs of raters that agree."""
    pairs = agreeing_pairs(counts)
    share: Numbers = weights @ (pairs[:, 0] / pairs[:, 1]) / weights.sum(axis=1)
    return share


def fleiss(counts: Numbers, weights: Numbers) -> Numbers:
    """Fleiss' kappa (Fleiss 1971): chance is everybody drawing from the pooled shares of the categories.

    Items may have different numbers of raters, at least two each; Fleiss' own formula has the same for all.
    """
    shares = weights @ counts
    shares = shares / shares.sum(axis=1, keepdims=True)
    return _beyond(observe_agreement(counts, weights), (shares**2).sum(axis=1))


def randolph(counts: Numbers, weights: Numbers) -> Numbers:
    """Free-marginal kappa (Randolph 2005): chance is every category being as likely, used or not."""
    import numpy as np

    return _beyond(observe_agreement(counts, weights), np.full(len(weights), 1 / counts.shape[1]))


def cohen(counts: Numbers, weights: Numbers) -> Numbers:
    """Cohen's kappa of two raters (Cohen 1960): chance is each drawing from their own shares of the categories.

    A row has the first rater's category as ones and zeros, then the second's in the same way.
    """
    half = counts.shape[1] // 2
    first, second = counts[:, :half], counts[:, half:]
    total = weights.sum(axis=1)
    same = weights @ (first * second).sum(axis=1) / total
    expected = ((weights @ first) * (weights @ second)).sum(axis=1) / total**2
    return _beyond(same, expected)


def _beyond(share: Numbers, expected: Numbers) -> Numbers:
    import numpy as np

    # Shares of one category alone may sum to 1 but for the last digit.
    certain = expected > 1 - 1e-12
    kappa: Numbers = np.where(certain, np.nan, (share - expected) / np.where(certain, 1, 1 - expected))
    return kappa
