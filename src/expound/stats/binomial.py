"""Exact tests of a share: the two-tailed binomial test and the sign test."""

from __future__ import annotations

from math import exp, lgamma, log

from expound.errors import UserError


def binomial_test(hits: int, n: int, chance: float = 0.5) -> float:
    """The two-tailed p-value of so many hits in n tries: how probable a count is that is no more probable than this.

    >>> round(binomial_test(7, 8), 4)
    0.0703
    """
    if not (0 <= hits <= n and 0 < chance < 1):
        raise UserError(f"a binomial test needs 0 <= hits <= n and 0 < chance < 1, got {hits} of {n} at {chance}")
    # Counts that are as probable but for rounding are as far: the same margin as in R and SciPy.
    limit = probability(hits, n, chance) * (1 + 1e-7)
    return min(1.0, sum(p for count in range(n + 1) if (p := probability(count, n, chance)) <= limit))


def sign_test(wins: int, losses: int) -> float:
    """The two-tailed p-value of wins against losses if both were as likely (Dixon and Mood 1946); ties are left out."""
    return binomial_test(wins, wins + losses)


def probability(hits: int, n: int, chance: float) -> float:
    """How probable exactly so many hits are."""
    # By logarithms: the ways of large counts overflow.
    ways = lgamma(n + 1) - lgamma(hits + 1) - lgamma(n - hits + 1)
    return exp(ways + hits * log(chance) + (n - hits) * log(1 - chance))
