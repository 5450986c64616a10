"""A metric from outside says what it looks at, and is scored, audited and read for like our own."""

from __future__ import annotations

import importlib.metadata
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from expound.audit.inputs import quality_profile
from expound.errors import UserError
from expound.experiment import run
from expound.runs.plan import plan_from
from expound.score.length import Length
from expound.score.looks_at import looks_at
from expound.score.profile import Options, Profile, profile_of, usual_profile
from expound.score.results import Scorer
from expound.score.str_em import StrEm
from expound.types import Answer, Interpretation, Prediction, Question, Span

QUESTION = Question("1", "Who?", ("Ann did.",), (Interpretation("Who?", ("Ann",)),))
SAID = Prediction("1", "Who?", "demo", Answer("Ann did it."))


@dataclass(frozen=True)
class Vowels:
    """Vowels of the answer."""

    name = "vowels"

    def count(self, question: Question, prediction: Prediction) -> float:
        return float(sum(letter in "aeiou" for letter in prediction.answer.text.lower()))


@dataclass(frozen=True)
class Overheard:
    """Words of what a reader reads off the answer."""

    reader: str = ""
    name = "overheard"
    looks_at = ("text", "reader")

    @property
    def options(self) -> dict[str, str]:
        return {"reader": self.reader} if self.reader else {}

    def read_by(self, name: str) -> Overheard:
        return replace(self, reader=name)

    def count(self, question: Question, prediction: Prediction) -> float:
        found = prediction.meta.get("short_answers")
        return float(sum(len(text.split()) for texts in found.values() for text in texts)) if found else math.nan


class FirstWord:
    name = "first-word"

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span]:
        return [Span(text=text.split()[0], start=0, end=1, score=1.0, null_score=0.0) for _, text in pairs]


@dataclass(frozen=True)
class Notes:
    """Questions in a layout from outside."""

    profile = "toy"
    path: Path


def toy_profile(options: Options) -> Profile:
    return Profile("toy", (Vowels(), Length()))


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = importlib.metadata.entry_points
    theirs = [
        EntryPoint("Vowels", f"{__name__}:Vowels", "expound.score"),
        EntryPoint("toy", f"{__name__}:toy_profile", "expound.profile"),
        EntryPoint("notes", f"{__name__}:Notes", "expound.dataset"),
    ]

    def found(*, group: str) -> list[EntryPoint]:
        return [*ours(group=group), *(point for point in theirs if point.group == group)]

    monkeypatch.setattr("importlib.metadata.entry_points", found)


def test_a_metric_from_outside_gets_what_the_reader_reads() -> None:
    [result] = Scorer([Overheard()], reader=FirstWord()).score([SAID], [QUESTION]).results
    assert result.value == 1
    assert "reader:first-word" in result.signature


def test_an_unknown_thing_to_look_at_is_named() -> None:
    class Odd:
        name = "odd"
        looks_at = ("stars",)

        def count(self, question: Question, prediction: Prediction) -> float:
            return 0.0

    with pytest.raises(UserError, match="looks at 'stars'; a metric can look at: evidence"):
        looks_at(Odd())


def test_an_audit_keeps_the_metrics_of_the_text_whoever_wrote_them() -> None:
    kept = quality_profile(Profile("toy", (Vowels(), Length(), StrEm())))
    assert [metric.name for metric in kept.metrics] == ["vowels", "str_em"]


@pytest.mark.usefixtures("installed")
def test_profiles_and_metrics_from_outside_stand_beside_ours() -> None:
    assert [metric.name for metric in profile_of("toy").metrics] == ["vowels", "length"]
    mixed = profile_of(["Vowels()", "nq-open"])
    assert [metric.name for metric in mixed.metrics][:2] == ["vowels", profile_of("nq-open").metrics[0].name]


@pytest.mark.usefixtures("installed")
def test_a_dataset_from_outside_says_what_it_is_scored_by() -> None:
    assert [usual_profile(spec) for spec in ("notes:a.txt", "ambignq:a.json", "webgpt:a.json")] == [
        "toy",
        "ambigqa",
        "asqa",
    ]


@pytest.mark.usefixtures("installed")
def test_a_plan_may_mix_metrics_and_profiles(tmp_path: Path) -> None:
    dataset = tmp_path / "qa.jsonl"
    dataset.write_text(json.dumps({"id": "1", "question": "Who?", "references": ["Ann did."]}) + "\n")
    parts = {"retrieve": "Nothing", "clarify": "AsAsked", "answer": "RepeatQuestion", "model": "none"}
    plan = plan_from(
        {"name": "toy", "dataset": f"qa:{dataset}", "score": ["Vowels()", "toy"], **parts}, where="toy.toml"
    )
    finished = run(plan, tmp_path / "out")
    assert [result["metric"] for result in finished.record["results"]] == ["vowels", "vowels", "length"]
