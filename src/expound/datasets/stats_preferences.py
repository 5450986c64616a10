"""What people said: shares of the first answer, the second and ties, and of each value, by criterion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from expound.datasets.stats import Statistic
from expound.types import Preference, Rating

CHOICES = ("a", "b", "tie")


def choices(preferences: Sequence[Preference]) -> list[Statistic]:
    """Share of the judgments that chose the first answer, the second, or neither, for each criterion."""
    counts = Counter((preference.criterion, preference.choice) for preference in preferences)
    totals = Counter(preference.criterion for preference in preferences)
    return [
        Statistic(
            group=f"{criterion} choice", name=choice, value=100 * counts[criterion, choice] / total, unit="%", n=total
        )
        for criterion, total in totals.items()
        for choice in CHOICES
    ]


def grades(ratings: Sequence[Rating]) -> list[Statistic]:
    """Share of the ratings that gave each value, for each criterion."""
    counts = Counter((rating.criterion, str(rating.value)) for rating in ratings)
    totals = Counter(rating.criterion for rating in ratings)
    return [
        Statistic(group=criterion, name=value, value=100 * count / totals[criterion], unit="%", n=totals[criterion])
        for (criterion, value), count in sorted(counts.items())
    ]


def wins(preferences: Sequence[Preference]) -> list[Statistic]:
    """Share of its overall judgments that each system wins, a tie counting half."""
    points: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    for preference in preferences:
        if preference.criterion == "overall":
            for choice, system in (("a", preference.a_system), ("b", preference.b_system)):
                # Counted in halves and divided last, so that shares of ties stay whole numbers until then.
                judged[system] += 2
                points[system] += 2 if preference.choice == choice else int(preference.choice == "tie")
    return [
        Statistic(
            group="wins", name=system, value=100 * points[system] / judged[system], unit="%", n=judged[system] // 2
        )
        for system in sorted(judged, key=lambda system: -points[system] / judged[system])
    ]
