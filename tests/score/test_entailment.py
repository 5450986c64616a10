"""Entailment: sentences against what they cite, the likeliest premise counts, published classifiers in any order."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from expound.errors import BadInput, ResourceMissing
from expound.models import row_encoder
from expound.models.nli_model import NliModel, nli_row, open_nli
from expound.models.row_encoder import RowEncoder
from expound.plugins import build
from expound.score.citations import CitationRecall
from expound.score.entailment import Nli, NliSupport, entail
from expound.types import Answer, Evidence, Passage, Prediction, Question
from models.tiny_folders import make_folder

QUESTION = Question("1", "why are boats white ?")
TEXTS = ("White paint is cheap. It is cool.", "The harbour is deep.")
EVIDENCE = tuple(Evidence(Passage(str(n), text), n, 1.0) for n, text in enumerate(TEXTS, start=1))


class Echoes:
    """In place of a model: a premise entails what it says word by word; what was asked is kept."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def entailment(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.asked += pairs
        return [1.0 if hypothesis in premise else 0.25 for premise, hypothesis in pairs]


def say(text: str, evidence: tuple[Evidence, ...] = EVIDENCE) -> Prediction:
    return Prediction("1", QUESTION.text, "demo", Answer(text), evidence=evidence)


@pytest.fixture
def echoes(monkeypatch: pytest.MonkeyPatch) -> Echoes:
    model = Echoes()
    monkeypatch.setattr("expound.score.entailment.open_nli", lambda folder: model)
    return model


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """A classifier whose maker has contradiction first."""
    folder = make_folder(tmp_path / "nli", "nli")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["id2label"] = {"0": "CONTRADICTION", "1": "ENTAILMENT", "2": "NEUTRAL"}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("White paint is cheap. [1]", 100.0),
        ("White paint is cheap. [2]", 25.0),
        ("White paint is cheap. [9]", 0.0),
        ("White paint is cheap.", 100.0),
        ("White paint is cheap. [1] The harbour is deep. [1]", 62.5),
    ],
)
def test_a_sentence_is_held_against_what_it_cites_and_else_against_everything(
    echoes: Echoes, text: str, value: float
) -> None:
    assert Nli("mine").count(QUESTION, say(text)) == value


def test_premises_are_single_sentences_and_all_of_them_together() -> None:
    model = Echoes()
    entail(model, TEXTS[0], "Paint is cool.")  # type: ignore[arg-type]  # it has all that is asked of a model
    assert [premise for premise, _ in model.asked] == ["White paint is cheap.", "It is cool.", TEXTS[0]]


def test_silence_and_answers_without_evidence_have_no_number(echoes: Echoes) -> None:
    for prediction in (say(""), say("White.", ())):
        assert math.isnan(Nli("mine").count(QUESTION, prediction))


def test_citations_can_be_judged_by_it(echoes: Echoes) -> None:
    recall = CitationRecall(NliSupport("mine"), threshold=0.5)
    assert recall.count(QUESTION, say("White paint is cheap. [1] The harbour is deep. [1]")) == 50


def test_a_published_classifier_is_asked_for_its_own_class_of_entailment(published: Path) -> None:
    import torch
    import transformers

    model: Any = transformers.BertForSequenceClassification.from_pretrained(published).eval()
    tokenizer: Any = transformers.AutoTokenizer.from_pretrained(published)
    with torch.no_grad():
        logits = model(**tokenizer("paint is cheap", "white is cool", return_tensors="pt")).logits
    expected = float(torch.softmax(logits, 1)[0, 1])
    assert NliModel(published).entailment([("paint is cheap", "white is cool")]) == pytest.approx([expected], abs=1e-5)
    metric = build("score", f"Nli(folder={str(published)!r})")
    assert (
        metric.options["weights"]
        == metric.weights[:12]
        == build("supports", f"nli(folder={str(published)!r})").name[4:-1]
    )
    assert repr(metric) == f"Nli(folder={str(published)!r})"


def test_a_long_premise_is_cut_before_the_hypothesis(published: Path) -> None:
    encoder = RowEncoder(published)
    row = nli_row(encoder, "the " * 100, "paint is cheap", most_tokens=20)
    assert len(row.ids) == 20
    assert list(row.ids[row.second_side : -1]) == encoder.encode("paint is cheap").ids
    assert len(nli_row(encoder, "the", "paint " * 100, most_tokens=20).ids) == 14


def test_only_so_many_texts_are_kept_as_tokens(published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_encoder, "MOST_KEPT", 2)
    encoder = RowEncoder(published)
    for text in ("paint", "paint is", "paint is cheap", "paint"):
        assert encoder.encode(text).ids == RowEncoder(published).encode(text).ids
    assert len(encoder._known) <= 2


def test_folders_that_are_no_model_of_inference_are_told(tmp_path: Path, published: Path) -> None:
    with pytest.raises(ResourceMissing, match="see expound train nli"):
        open_nli(str(tmp_path / "none"))
    (published / "config.json").write_text('{"id2label": {"0": "LABEL_0"}}', encoding="utf-8")
    with pytest.raises(BadInput, match="names no class `entailment`"):
        NliModel(published)
