"""Which metrics are wanted: a profile by name or by its dataset, cut down to some of its metrics, or specs alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from expound import plugins, resources
from expound.errors import UserError
from expound.models.readers import resources_of
from expound.protocols import AnyMetric
from expound.score.profile import Options, Profile, find_profile, usual_profile


def choose_profile(
    name: str = "", dataset: str = "", metrics: Sequence[str] = (), options: Options | None = None
) -> Profile:
    """The profile of that name, or the dataset's own, cut down to the metrics that are asked for by name or spec."""
    profile = find_profile(name or usual_profile(dataset), options)
    if not metrics:
        return profile
    known = {metric.name: metric for metric in profile.metrics}
    chosen = tuple(_metric(wanted, known) for wanted in dict.fromkeys(metrics))
    # Specs alone ask nothing of the data; a name stands for the profile's metric, and for what that needs.
    is_free = not name and not any(wanted in known for wanted in metrics)
    return Profile("", chosen) if is_free else replace(profile, metrics=chosen, note="")


def scoring_resources(profile: Profile, reader: str = "none") -> list[str]:
    """The fetched files that the metrics of a profile, and a reader by its name, cannot do without."""
    return [*resources_of(reader), *resources.list_needed(profile.metrics)]


def _metric(wanted: str, known: Mapping[str, AnyMetric]) -> AnyMetric:
    if wanted in known:
        return known[wanted]
    if "(" not in wanted and wanted not in plugins.names("score"):
        raise UserError(f"no metric named {wanted!r} in this profile; it has: {', '.join(known)}")
    metric: AnyMetric = plugins.build("score", wanted)
    return metric
