"""What `score` and `compare` do with their options before they score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from expound import plugins
from expound.datasets.predictions import (
    read_fills,
    read_log_probabilities,
    read_predictions,
    read_probabilities,
    read_short_answers,
    with_meta,
)
from expound.datasets.spec import split_spec
from expound.errors import UserError
from expound.protocols import AnyMetric, Reader
from expound.resources import needed_by
from expound.score.profile import LAYOUT_PROFILES, Options, Profile, profile_named
from expound.types import Prediction

_SIDE_FILES: Mapping[str, Callable[[Path], Mapping[str, Any]]] = {
    "short_answers": read_short_answers,
    "no_answer_probability": read_probabilities,
    "log_probabilities": read_log_probabilities,
    "fills": read_fills,
}


def chosen_profile(name: str, dataset: str, metrics: Sequence[str], options: Options) -> Profile:
    """The profile that the user named, or the dataset's own, cut down to the metrics that were asked for."""
    profile = profile_named(name or LAYOUT_PROFILES.get(split_spec(dataset)[0], "asqa"), options)
    if not metrics:
        return profile
    known = {metric.name: metric for metric in profile.metrics}
    chosen = tuple(_metric(wanted, known) for wanted in dict.fromkeys(metrics))
    # Specs alone ask nothing of the data; a name stands for the profile's metric, and for what that needs.
    is_free = not name and not any(wanted in known for wanted in metrics)
    return Profile("", chosen) if is_free else replace(profile, metrics=chosen)


def read_answers(
    path: Path | None, side_files: Mapping[str, Path | None], *, protocol: str, allow_missing: bool
) -> Path | Iterable[Prediction]:
    """The predictions with what the side files say about each; their file, if there is nothing to add."""
    if protocol == "human":
        if path is not None:
            raise UserError("the protocol human scores the references themselves: leave the predictions out")
        return []
    if path is None:
        raise UserError("which predictions? Name a file, or score people with --protocol human")
    if not any(side_files.values()):
        return path
    predictions = read_predictions(path)
    for name, side_file in side_files.items():
        if side_file is not None:
            values = _SIDE_FILES[name](side_file)
            predictions = with_meta(predictions, name, values, where="" if allow_missing else str(side_file))
    return predictions


def opened_reader(name: str, profile: Profile) -> Reader | None:
    """The reader that an option names; what it and the metrics need is there before anything is read."""
    from expound.cli.setup import prepare
    from expound.models.readers import open_reader, resources_of

    prepare([*resources_of(name), *needed_by(profile.metrics)])
    return open_reader(name)


def named_systems(paths: Sequence[Path]) -> dict[str, Path]:
    """Prediction files by the shortest names that tell them apart."""
    names = [path.name.partition(".")[0] for path in paths]
    if len(set(names)) < len(paths):
        names = [str(path) for path in paths]
    if len(set(names)) < len(paths):
        raise UserError("the same prediction file is named twice")
    return dict(zip(names, paths, strict=True))


def _metric(wanted: str, known: Mapping[str, AnyMetric]) -> AnyMetric:
    if wanted in known:
        return known[wanted]
    if "(" not in wanted and wanted not in plugins.names("score"):
        raise UserError(f"no metric named {wanted!r} in this profile; it has: {', '.join(known)}")
    metric: AnyMetric = plugins.build("score", wanted)
    return metric
