"""The learned preference: pairs of files to a model, the paper's loss, and a folder that scores as the model does."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from datasets.test_preferences import QA, XU, write
from expound.errors import BadInput, ResourceMissing, UserError
from expound.meta.evaluation import meta
from expound.meta.judged import people_from
from expound.meta.learning import PreferenceRequest, base_files, learn_preference, preference_pairs, rehearse_preference
from expound.models.preference_model import HEAD, PreferenceModel
from expound.plugins import build
from expound.score.learned_preference import LearnedPreference
from expound.train.kinds.preference_kind import CARD, PreferenceKind, PreferencePair
from expound.train.loop import train
from expound.train.training_settings import PREFERENCE, PreferenceSettings
from expound.types import Answer, Passage, Prediction, Preference, Question
from train.tinybert import write_base

SETTINGS = replace(PREFERENCE, steps=40, batch=4, threads=1, learning_rate=3e-3, measure_every=20)
SHOWN = PreferenceSettings(most_tokens=32)
QUESTION = "who built the tower ?"
NAMES = ("mira", "olan", "petra", "quin", "rasa", "tove")
# People like to be told who it was.
PAIRS = [
    PreferencePair(
        f"who built the {thing} ?", f"the {thing} was built by {name} .", f"the {thing} stands in the town ."
    )
    for thing in ("tower", "market", "bridge", "mill")
    for name in NAMES
]


def trained(base: Path, out: Path, **shown: Any) -> dict[str, Any]:
    kind = PreferenceKind(PAIRS[2:], PAIRS[:2], base, replace(SHOWN, **shown))
    return train(kind, SETTINGS, out)


def test_a_tiny_model_learns_what_is_liked_and_the_folder_scores_as_it_does(base: Path, tmp_path: Path) -> None:
    figures = trained(base, tmp_path / "out")
    assert figures["accuracy"] == 1
    assert figures["largest_score_difference"] < 0.5
    model = PreferenceModel(tmp_path / "out")
    pair = PAIRS[0]
    assert model.score(pair.question, pair.better) > model.score(pair.question, pair.worse)
    assert "| accuracy | 1" in (tmp_path / "out" / CARD).read_text(encoding="utf-8")


@pytest.mark.parametrize("architecture", ["mpnet", "roberta"])
def test_the_folder_of_any_encoder_can_be_the_base(tmp_path: Path, base: Path, architecture: str) -> None:
    figures = trained(write_base(tmp_path / "other", architecture), tmp_path / "out")
    assert figures["accuracy"] == 1
    assert figures["largest_score_difference"] < 0.5
    model = PreferenceModel(tmp_path / "out")
    assert all(model.score(pair.question, pair.better) > model.score(pair.question, pair.worse) for pair in PAIRS)


@pytest.mark.usefixtures("has_torch")
def test_a_smoke_test_learns_from_a_made_up_town(tmp_path: Path) -> None:
    request = PreferenceRequest((), settings=replace(PREFERENCE, threads=1), is_smoke=True)
    assert base_files(request) == ()
    assert rehearse_preference(request, tmp_path / "dry") | {"base": ""} == {
        "kind": "preference",
        "base": "",
        "train": 24,
        "dev": 12,
        "steps": 30,
        "batch": 8,
        "learning_rate": 3e-3,
    }
    figures = learn_preference(request, tmp_path / "run")
    assert figures["accuracy"] > 0.8
    assert PreferenceModel(tmp_path / "run")
    assert learn_preference(request, tmp_path / "run") == figures


def test_the_loss_is_the_cross_entropy_of_the_two_scores(base: Path) -> None:
    kind = PreferenceKind(PAIRS, (), base, SHOWN)
    model = kind.new_model().eval()
    better, worse = (scores.tolist() for scores in kind._both(model, PAIRS[:3]))
    expected = [
        -math.log(math.exp(one) / (math.exp(one) + math.exp(two))) for one, two in zip(better, worse, strict=True)
    ]
    assert float(kind.loss(model, PAIRS[:3]).value) == pytest.approx(sum(expected) / 3, abs=1e-5)


def test_evidence_moves_the_score_only_where_it_is_looked_at(base: Path, tmp_path: Path) -> None:
    for name, sees_evidence in (("blind", False), ("seeing", True)):
        trained(base, tmp_path / name, sees_evidence=sees_evidence)
    text, evidence = PAIRS[0].better, "the market is near the wall ."
    blind, seeing = (PreferenceModel(tmp_path / name) for name in ("blind", "seeing"))
    assert blind.score(QUESTION, text, evidence) == blind.score(QUESTION, text)
    assert seeing.score(QUESTION, text, evidence) != seeing.score(QUESTION, text)


def test_a_pass_takes_as_many_pairs_of_every_source() -> None:
    pairs = [PreferencePair("q", "a", str(n), source="large" if n > 5 else "small") for n in range(50)]
    kind = PreferenceKind(pairs, (), Path(), PreferenceSettings(most_of_a_source=10))
    assert Counter(pair.source for pair in kind.draw(random.Random(1))) == {"large": 10, "small": 6}


def test_a_resumed_run_goes_on(base: Path, tmp_path: Path) -> None:
    kind = PreferenceKind(PAIRS, (), base, SHOWN)
    for hours in (1e-9, 0.0):
        figures = train(kind, replace(SETTINGS, steps=6, hours=hours), tmp_path / "out")
    assert figures["steps"] == 6
    with pytest.raises(UserError, match="was begun with batch"):
        train(kind, replace(SETTINGS, steps=6, batch=2), tmp_path / "out")


def test_only_decided_pairs_with_texts_are_learnt_from() -> None:
    question = Question("1", QUESTION, evidence=(Passage("p", "mira built it ."),))
    judged = [
        Preference(id=str(n), question=question, a="mira", b=text, choice=choice)
        for n, (text, choice) in enumerate([("olan", "a"), ("quin", "b"), ("rasa", "tie"), ("", "a")])
    ]
    assert list(preference_pairs(people_from("demo", judged))) == [
        PreferencePair(QUESTION, "mira", "olan", "mira built it .", "demo"),
        PreferencePair(QUESTION, "quin", "mira", "mira built it .", "demo"),
    ]


def test_a_command_trains_on_judgments_and_meta_takes_the_folder(base: Path, tmp_path: Path) -> None:
    judged = f"lfqa-e:{Path(__file__).resolve().parents[2] / 'examples' / 'meta' / 'judged.jsonl'}"
    request = PreferenceRequest((judged,), base=str(base), settings=replace(SETTINGS, steps=2), shown=SHOWN)
    assert rehearse_preference(request, tmp_path / "out")["train"] == 8
    assert learn_preference(request, tmp_path / "out")["train"] == 8
    metric = build("score", f"Preference(folder={str(tmp_path / 'out')!r})")
    found = meta([judged], [metric])
    assert any(row.metric == repr(metric) and row.measure == "accuracy" for row in found.rows)
    assert metric.options["evidence"] == "no"


def test_judgments_without_a_preference_are_refused(base: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="needs pairs in which people prefer one answer"):
        rehearse_preference(PreferenceRequest((), base=str(base)), tmp_path / "out")


def test_whoever_learns_from_the_experts_is_warned_and_nobody_else(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {"xu2023": XU, "qa-feedback": QA}
    specs = {name: f"{name}:{write(tmp_path, [row], f'{name}.jsonl')}" for name, row in said.items()}
    # To be measured on is what they are for.
    rehearse_preference(
        PreferenceRequest((specs["qa-feedback"],), (specs["xu2023"],), base=str(base)), tmp_path / "out"
    )
    assert capsys.readouterr().err == ""
    rehearse_preference(PreferenceRequest(tuple(specs.values()), base=str(base)), tmp_path / "out")
    told = capsys.readouterr().err
    assert told.startswith(f"warning: {specs['xu2023']}")
    assert told.count("\n") == 1


def test_an_empty_answer_has_no_score(base: Path, tmp_path: Path) -> None:
    trained(base, tmp_path / "out")
    metric = LearnedPreference(str(tmp_path / "out"))
    assert math.isnan(metric.count(Question("1", QUESTION), Prediction("1", QUESTION, "demo", Answer(" "))))


def test_a_folder_that_is_none_or_damaged_is_named(base: Path, tmp_path: Path) -> None:
    with pytest.raises(ResourceMissing, match=r"is no learned preference: it has no encoder\.onnx"):
        PreferenceModel(tmp_path)
    trained(base, tmp_path / "out")
    (tmp_path / "out" / HEAD).write_text(json.dumps({"weights": []}))
    with pytest.raises(BadInput, match=r"head\.json is damaged"):
        PreferenceModel(tmp_path / "out").score(QUESTION, "mira")
