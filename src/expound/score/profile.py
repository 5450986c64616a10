"""A profile: metrics that belong together, and what they need of the data to make sense."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from expound import plugins
from expound.datasets.spec import kind_of, split_spec
from expound.errors import UnknownName, UserError
from expound.protocols import AnyMetric, Reader, ReadMetric
from expound.score.looks_at import looks_at
from expound.score.pairs import Pair
from expound.score.rouge_package import check_options
from expound.text.splitters import check_splitter
from expound.types import Prediction, Question

KIND = "profile"
"""The group of plug-ins that profiles are: functions from `Options` to a `Profile`."""

_USUAL = "asqa"
"""For layouts that name none: its metrics need long answers alone, or are left out."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a user may change about a profile; the signature tells it."""

    rouge_package: str = "1.0.1"
    splitter: str = "punkt"
    threshold: float = 1.0
    places: tuple[int, ...] = (1, 5, 10, 20)

    def __post_init__(self) -> None:
        check_options("l", self.rouge_package)
        check_splitter(self.splitter)
        if not math.isfinite(self.threshold):
            raise UserError(f"the threshold must be a number, found {self.threshold}")


@dataclass(frozen=True)
class Profile:
    """Metrics under one name, and what they need of a question to make sense."""

    name: str
    metrics: tuple[AnyMetric, ...]
    needs: str = ""
    fits: Callable[[Question], bool] = field(default=lambda question: True, repr=False)
    note: str = ""
    """What is to be known of all its numbers."""

    def check_pairs(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The pairs, refused when a prediction is a list of answers where a text is scored."""
        for pair in pairs:
            if self.name and not self._takes_readings and _is_list(pair.prediction):
                raise UserError(
                    f"the profile {self.name} scores one text a question, and the prediction for "
                    f"{pair.prediction.id!r} is a list of answers"
                )
            yield pair

    def fit_to(self, pairs: Sequence[Pair]) -> Profile:
        """The profile for data that starts with these pairs: refused when it is of another kind."""
        if not self.name:  # metrics that were chosen one by one
            return self
        # Any of the first hundred: some questions of a dataset may lack what the others have.
        if pairs and not any(self.fits(pair.question) for pair in pairs):
            fitting = [name for name in plugins.names(KIND) if find_profile(name).fits(pairs[0].question)]
            raise UserError(
                f"the profile {self.name} needs {self.needs}, and the dataset has none; "
                f"profiles that fit it: {', '.join(fitting)}"
            )
        asks = any(reading.question for pair in pairs for reading in pair.prediction.interpretations)
        if asks:
            return self
        # Answers without rewritten questions: what is scored of these does not apply.
        return replace(self, metrics=tuple(metric for metric in self.metrics if "rewrites" not in looks_at(metric)))

    def read_by(self, reader: Reader | None) -> Profile:
        """The profile whose metrics tell the reader, where they look at what one reads off."""
        if reader is None:
            return self
        # A plug-in's metric may read as well: it is asked, not known by its class.
        told = (item.read_by(reader.name) if isinstance(item, ReadMetric) else item for item in self.metrics)
        return replace(self, metrics=tuple(told))

    @property
    def _takes_readings(self) -> bool:
        return any("readings" in looks_at(metric) for metric in self.metrics)


def find_profile(name: str, options: Options | None = None) -> Profile:
    """The profile of that name."""
    if name not in plugins.names(KIND):
        raise UnknownName(f"no profile named {name!r}; there are: {', '.join(plugins.names(KIND))}")
    profile: Profile = plugins.load(KIND, name)(options or Options())
    return profile


def usual_profile(dataset: str) -> str:
    """The name of the profile that a dataset is scored by when the user names none: that of its own paper."""
    layout = split_spec(dataset)[0]
    # The layout says it itself, so that a dataset from outside can do so too.
    return str(getattr(plugins.load(kind_of(layout), layout), "profile", _USUAL))


def profile_of(chosen: str | Sequence[str | AnyMetric]) -> Profile:
    """The profile of that name; or metrics, their specs and profiles' names as a profile without a name."""
    if isinstance(chosen, str) and chosen in plugins.names(KIND):
        return find_profile(chosen)
    given = [chosen] if isinstance(chosen, str) else chosen
    return Profile("", tuple(metric for item in given for metric in _metrics(item)))


def _metrics(item: str | AnyMetric) -> tuple[AnyMetric, ...]:
    if not isinstance(item, str):
        return (item,)
    return find_profile(item).metrics if item in plugins.names(KIND) else (plugins.build("score", item),)


# A text beside the readings is what is scored; only a list without one cannot be.
def _is_list(prediction: Prediction) -> bool:
    return bool(prediction.interpretations) and not prediction.answer.text and not prediction.abstained
