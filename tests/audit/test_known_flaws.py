"""Systems with a known flaw raise their flag, and a clean one raises none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from audit import worlds
from expound.audit.controls import run_controls
from expound.audit.verdict import FAIL, PASS, Verdict

FLAWS = {
    "ignores_passages": ("random-retrieval", "random-words"),
    "pads": ("length-of-references", "second-half"),
    "repeats_question": ("copied-questions", "trivial-baseline", "repeated-phrases"),
    "invents_names": ("invented-names", "supported-sentences"),
}
SEEDS = 20


def verdicts(folder: Path, system: worlds.System, *, seed: int = 1) -> list[Verdict]:
    return run_controls(worlds.audited(worlds.world(folder, seed=seed), system, seed=seed)).verdicts


def failed(found: Sequence[Verdict]) -> set[str]:
    return {verdict.check for verdict in found if verdict.outcome == FAIL}


@pytest.mark.parametrize("flaw", FLAWS)
def test_a_flaw_raises_its_flags(flaw: str, tmp_path: Path) -> None:
    assert failed(verdicts(tmp_path, getattr(worlds, flaw))) >= set(FLAWS[flaw])


def flags_of_copies(folder: Path, seed: int) -> set[str]:
    made = worlds.world(folder, seed=seed, leaks=True)
    return failed(run_controls(worlds.audited(made, worlds.copies_training(made), seed=seed)).verdicts)


def test_copied_training_answers_raise_their_flags(tmp_path: Path) -> None:
    assert flags_of_copies(tmp_path, 1) >= {"train-paraphrases", "copied-training-answers"}


@pytest.mark.slow
def test_copied_training_answers_are_not_missed_over_seeds(tmp_path: Path) -> None:
    for seed in range(5):
        assert flags_of_copies(tmp_path, seed) >= {"train-paraphrases", "copied-training-answers"}, seed


def test_a_clean_system_passes_every_check(tmp_path: Path) -> None:
    found = verdicts(tmp_path, worlds.clean)
    assert {verdict.outcome for verdict in found} == {PASS}


@pytest.mark.slow
def test_a_clean_system_raises_no_false_alarm_over_seeds(tmp_path: Path) -> None:
    alarms = [failed(verdicts(tmp_path, worlds.clean, seed=seed)) for seed in range(SEEDS)]
    assert not any(alarms), alarms


@pytest.mark.slow
@pytest.mark.parametrize("flaw", FLAWS)
def test_no_flaw_is_missed_over_seeds(flaw: str, tmp_path: Path) -> None:
    for seed in range(5):
        assert failed(verdicts(tmp_path, getattr(worlds, flaw), seed=seed)) >= set(FLAWS[flaw]), seed
