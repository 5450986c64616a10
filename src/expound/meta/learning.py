"""Learn what people prefer from their judgments: pairs of files to a model that scores an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expound.datasets.spec import split_spec
from expound.errors import UserError
from expound.files import check_folder
from expound.meta.judged import People, read_people
from expound.models.remarks import to_stderr
from expound.train.bases import check_base, check_room, files_of_base, open_base
from expound.train.kinds.preference_kind import PreferenceKind, PreferencePair
from expound.train.loop import train
from expound.train.smoke import shorten, smoke_judgments, write_tiny_base
from expound.train.torch_extra import quieten, require_extra
from expound.train.training_settings import PREFERENCE, PreferenceSettings, TrainingSettings

if TYPE_CHECKING:
    from expound.train.description import Report

_EXPERTS = "xu2023"  # the judgments of the paper's own table, on which no learnt metric of ours was ever trained


@dataclass(frozen=True)
class PreferenceRequest:
    """Whose judgments to learn from and to measure on, what to start from, and how."""

    people: tuple[str, ...]
    dev: tuple[str, ...] = ()
    base: str = "minilm-float32"
    settings: TrainingSettings = PREFERENCE
    shown: PreferenceSettings = field(default_factory=PreferenceSettings)
    is_smoke: bool = False
    """A few steps of a tiny model on a made-up town, whatever the judgments and the base."""


def base_files(request: PreferenceRequest, *, dry_run: bool = False) -> tuple[str, ...]:
    """The fetched files that a training on preferences starts from; bad judgments are told before they are fetched."""
    if not dry_run:
        require_extra()
    if request.is_smoke:
        return ()
    # Judgments are a few thousand lines: reading them twice costs less than fetching a base for nothing.
    _read((*request.people, *request.dev))
    return () if dry_run else files_of_base(request.base)


def learn_preference(request: PreferenceRequest, out: Path, *, report: Report | None = None) -> dict[str, Any]:
    """Train on people's preferences, or go on; the figures."""
    check_folder(out)
    require_extra()
    quieten()
    if request.is_smoke:
        request = _make_smoke(request, out / "smoke")
        write_tiny_base(Path(request.base))
    # Before the base is opened: a bad file is told before weights are loaded.
    kind = _describe(request, Path(request.base))
    base = open_base(request.base)
    check_room(base, request.shown.most_tokens)
    return train(replace(kind, base=base), request.settings, out, report=report)


def rehearse_preference(request: PreferenceRequest, out: Path) -> dict[str, Any]:
    """Read everything and train nothing: what there is to learn from."""
    check_folder(out)
    if request.is_smoke:
        request = _make_smoke(request, out / "smoke")
    else:
        check_base(request.base)
    # Its weights are not read: nothing has to be fetched to see what there is to learn from.
    settings, counts = request.settings, _describe(request, Path(request.base)).counts()
    plan = {"steps": settings.steps, "batch": settings.batch, "learning_rate": settings.learning_rate}
    return {"kind": "preference", "base": request.base, **counts, **plan}


def preference_pairs(people: People) -> Iterator[PreferencePair]:
    """The pairs of the criterion that stands for all, in which people prefer one of two texts."""
    for pair in people.pairs:
        # One criterion, since the model has one score: fluency and accuracy of the same pair may point in two
        # directions.
        if pair.criterion == people.criteria[0] and pair.choice and pair.a.text and pair.b.text:
            better, worse = (pair.a, pair.b) if pair.choice == "a" else (pair.b, pair.a)
            yield PreferencePair(
                question=better.question.text,
                better=better.text,
                worse=worse.text,
                evidence=" ".join(passage.text for passage in better.question.evidence),
                source=people.source,
            )


def _describe(request: PreferenceRequest, base: Path) -> PreferenceKind:
    _warn_of_experts(request.people)
    pairs, dev = (_read(specs) for specs in (request.people, request.dev))
    if not pairs:
        raise UserError("a preference needs pairs in which people prefer one answer: --people LAYOUT:PATH")
    return PreferenceKind(pairs, dev, base, request.shown)


def _warn_of_experts(specs: Sequence[str]) -> None:
    for spec in specs:
        if split_spec(spec)[0] == _EXPERTS:
            to_stderr(f"warning: {spec} are the experts that metrics are held against; a metric that learnt from them "
                      "shows nothing on them: measure it on other people")  # fmt: skip


def _make_smoke(request: PreferenceRequest, folder: Path) -> PreferenceRequest:
    train, dev = smoke_judgments(folder)
    return replace(request, people=(train,), dev=(dev,), base=str(folder / "base"), settings=shorten(request.settings))


def _read(specs: Sequence[str]) -> list[PreferencePair]:
    return [pair for people in read_people(specs) for pair in preference_pairs(people)]
