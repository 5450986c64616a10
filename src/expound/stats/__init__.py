"""Intervals and tests that say how far a number can be believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.stats.binomial import binomial_test, sign_test
    from expound.stats.bootstrap import PairedDifference, interval, intervals, mean, paired_difference
    from expound.stats.bradley_terry import Strengths, strengths
    from expound.stats.correlation import kendall_b, kendall_c, pearson, spearman
    from expound.stats.kappa import cohen, fleiss, randolph
    from expound.stats.power import items_for_mean, items_for_preference, mean_power, preference_power
    from expound.stats.proportions import Figure, pooled_figure, ratio, share, wilson
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "binomial": "binomial_test sign_test",
            "bootstrap": "PairedDifference interval intervals mean paired_difference",
            "bradley_terry": "Strengths strengths",
            "correlation": "kendall_b kendall_c pearson spearman",
            "kappa": "cohen fleiss randolph",
            "power": "items_for_mean items_for_preference mean_power preference_power",
            "proportions": "Figure pooled_figure ratio share wilson",
        },
    )

__all__ = [
    "Figure",
    "PairedDifference",
    "Strengths",
    "binomial_test",
    "cohen",
    "fleiss",
    "interval",
    "intervals",
    "items_for_mean",
    "items_for_preference",
    "kendall_b",
    "kendall_c",
    "mean",
    "mean_power",
    "paired_difference",
    "pearson",
    "pooled_figure",
    "preference_power",
    "randolph",
    "ratio",
    "share",
    "sign_test",
    "spearman",
    "strengths",
    "wilson",
]
