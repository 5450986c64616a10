"""The recipe of language inference: trained once, asked on three tests, with intervals over premises."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from expound.recipes import nli_accuracy
from expound.recipes.catalogue import find_recipe
from expound.recipes.nli_accuracy import share_right
from expound.recipes.shape import Ingredients, measure
from expound.stats.proportions import Figure
from expound.train.data.nli_files import NliPair, write_nli
from expound.train.smoke import iter_nli, write_tiny_base
from expound.train.training_settings import NLI


def test_hypotheses_of_a_premise_are_drawn_together() -> None:
    pairs = [NliPair(f"p{number // 2}", str(number), "neutral") for number in range(40)]
    right = [number // 2 % 2 == 0 for number in range(40)]
    together, apart = share_right(pairs, right), share_right([replace(p, premise=p.hypothesis) for p in pairs], right)
    assert (together.value, together.n) == (apart.value, apart.n) == (50.0, 40)
    assert together.high - together.low > apart.high - apart.low


def test_it_trains_once_and_asks_every_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("torch", "transformers", "onnx"):
        pytest.importorskip(library)
    base = write_tiny_base(tmp_path / "base")
    monkeypatch.setattr(nli_accuracy, "open_base", lambda name: base)
    monkeypatch.setattr(nli_accuracy, "_SETTINGS", replace(NLI, steps=2, threads=1))
    monkeypatch.setattr(nli_accuracy, "_HELD_OUT", 6)
    write_nli(tmp_path / "pairs.jsonl", iter_nli())
    given = Ingredients(files=(tmp_path / "pairs.jsonl",) * 5, out=tmp_path / "out")
    found = measure(find_recipe("nli-accuracy"), given)
    accuracies = [finding.values["accuracy"] for finding in found.findings]
    assert [one.n for one in accuracies if isinstance(one, Figure)] == [108] * 3
    again = measure(find_recipe("nli-accuracy"), given)
    assert again.markdown() == found.markdown()
    assert json.loads((tmp_path / "out" / "figures.json").read_text(encoding="utf-8"))["train"] == 102 + 108
