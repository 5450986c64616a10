"""Language inference: files of three layouts, a loss for two classes and for three, a folder that classifies."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from expound.errors import BadInput, BadRecord, UserError
from expound.models.nli_model import LABELS, NliModel
from expound.train.data.nli_files import NOT_ENTAILED, NliPair, read_nli, write_nli
from expound.train.description import TrainingFiles
from expound.train.kinds.nli_kind import CARD, NliKind, are_right, describe_nli, label_loss, nli_figures
from expound.train.loop import train
from expound.train.smoke import iter_nli
from expound.train.training_settings import NLI, NliSettings

# Enough for the tiny model to see whether a name comes back and whether something burnt.
SETTINGS = replace(NLI, steps=60, batch=12, threads=1, learning_rate=3e-3, measure_every=30, checkpoint_every=30)


def write_lines(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_files_of_snli_rte_and_sick_are_read_alike(tmp_path: Path) -> None:
    snli = write_lines(
        tmp_path / "snli.jsonl",
        {"premise": "A man sleeps . ", "hypothesis": "He runs .", "label": "contradiction"},
        {"sentence1": "A man sleeps.", "sentence2": "He is tired.", "gold_label": "-"},
    )
    rte = write_lines(tmp_path / "rte.jsonl", {"sentence1": "One.", "sentence2": "Two.", "label": "not_entailment"})
    sick = write_lines(
        tmp_path / "sick.jsonl", {"sentence_A": "a", "sentence_B": "b", "entailment_judgment": "NEUTRAL"}
    )
    assert read_nli([snli, rte, sick]) == [
        NliPair("A man sleeps .", "He runs .", "contradiction"),
        NliPair("One.", "Two.", NOT_ENTAILED),
        NliPair("a", "b", "neutral"),
    ]


def test_pairs_come_back_as_they_were_written(tmp_path: Path) -> None:
    pairs = list(iter_nli())
    write_nli(tmp_path / "pairs.jsonl", pairs)
    assert read_nli([tmp_path / "pairs.jsonl"]) == pairs


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"premise": "a", "hypothesis": "b"}, "line 1: a pair has the texts `premise`, `hypothesis` and `label`"),
        ({"premise": "a", "hypothesis": "b", "label": 1}, "line 1: a pair has the texts"),
        ({"premise": "a", "hypothesis": "b", "label": "yes"}, "line 1: the label is 'yes', not one of entailment, "),
    ],
)
def test_a_line_that_is_no_pair_is_named(tmp_path: Path, record: object, said: str) -> None:
    with pytest.raises(BadRecord, match=said):
        read_nli([write_lines(tmp_path / "pairs.jsonl", record)])


def test_files_without_a_label_or_without_entailment_are_refused(tmp_path: Path) -> None:
    undecided = write_lines(tmp_path / "a.jsonl", {"premise": "a", "hypothesis": "b", "label": "-"})
    with pytest.raises(BadInput, match="has no pairs with a label"):
        read_nli([undecided])
    neutral = write_lines(tmp_path / "b.jsonl", {"premise": "a", "hypothesis": "b", "label": "neutral"})
    for files in ((neutral,), ()):
        with pytest.raises(UserError, match="needs pairs to learn from, some of them entailed"):
            describe_nli(TrainingFiles(files, ()), tmp_path, NliSettings())


def test_the_loss_adds_up_what_two_classes_leave_open(has_torch: None) -> None:
    import torch

    logits: Any = torch.tensor([[2.0, 0.5, -1.0]] * 2)
    powers = [math.exp(logit) for logit in logits[0].tolist()]
    shares = [power / sum(powers) for power in powers]
    expected = -(math.log(shares[2]) + math.log(shares[1] + shares[2])) / 2
    assert float(label_loss(logits, ["contradiction", NOT_ENTAILED])) == pytest.approx(expected, abs=1e-6)


def test_figures_count_classes_and_whether_something_is_entailed() -> None:
    pairs = [NliPair("p", "h", label) for label in ("entailment", "neutral", NOT_ENTAILED, NOT_ENTAILED)]
    rows = [[0.6, 0.3, 0.1], [0.1, 0.2, 0.7], [0.2, 0.7, 0.1], [0.5, 0.4, 0.1]]
    assert are_right(pairs, rows) == [True, False, True, False]
    assert nli_figures(pairs, rows) == {"accuracy": 0.5, "two_way_accuracy": 0.75}


def test_a_tiny_model_learns_the_classes_and_the_folder_says_the_same(base: Path, tmp_path: Path) -> None:
    pairs = list(iter_nli())
    kind = NliKind(pairs[9:], pairs[:9], base)
    figures = train(kind, SETTINGS, tmp_path / "out")
    assert figures["two_way_accuracy"] > 0.6
    model = NliModel(tmp_path / "out")
    assert model.labels == LABELS
    asked = [(pair.premise, pair.hypothesis) for pair in pairs[:9]]
    again = nli_figures(pairs[:9], model.probabilities(asked))
    assert again["two_way_accuracy"] == figures["two_way_accuracy"]
    assert f"| train | {len(pairs) - 9} |" in (tmp_path / "out" / CARD).read_text(encoding="utf-8")


def test_a_resumed_run_ends_with_the_same_weights(base: Path, tmp_path: Path) -> None:
    kind = NliKind(list(iter_nli()), (), base)
    settings = replace(SETTINGS, steps=4, checkpoint_every=1)
    whole = train(kind, settings, tmp_path / "whole")
    for hours in (1e-9, 0.0):
        parted = train(kind, replace(settings, hours=hours), tmp_path / "parted")
    assert parted["sha256"] == whole["sha256"]
