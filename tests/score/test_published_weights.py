"""Metrics by published weights, from folders: tiny models of random weights against a second way to the same number."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from expound.errors import BadInput, UserError
from expound.plugins import build
from expound.score.bart_score import BartScore
from expound.score.bleurt import Bleurt
from expound.score.rank_gen import RankGen
from expound.types import Answer, Prediction, Question
from models.tiny_folders import make_folder

QUESTION = Question("1", "why are boats white ?", references=("white paint is cheap .", "the harbour is deep ."))


def say(text: str) -> Prediction:
    return Prediction("1", QUESTION.text, "demo", Answer(text))


def make_rank_gen(folder: Path) -> Path:
    """RankGen's own names: the encoder below `t5_encoder`, and one more matrix."""
    torch: Any = pytest.importorskip("torch")
    transformers: Any = pytest.importorskip("transformers")
    from safetensors.torch import save_file

    made = make_folder(folder, "t5")
    body = transformers.T5EncoderModel.from_pretrained(made)
    torch.manual_seed(3)
    tensors = {f"t5_encoder.{name}": tensor.clone() for name, tensor in body.state_dict().items()}
    save_file(tensors | {"projection.weight": torch.randn(16, 16)}, made / "model.safetensors")
    return made


def test_bart_score_is_minus_the_models_own_loss(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "bart", "writer")
    import torch
    import transformers

    model: Any = transformers.BartForConditionalGeneration.from_pretrained(folder).eval()
    tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder)
    inputs, labels = (tokenizer(text, return_tensors="pt")["input_ids"] for text in ("white is cheap", QUESTION.text))
    with torch.no_grad():
        loss = float(model(input_ids=inputs, labels=labels).loss)
    metric = BartScore(str(folder))
    assert metric.count(QUESTION, say("white is cheap")) == pytest.approx(-loss, abs=1e-5)
    assert math.isnan(metric.count(QUESTION, say("")))


def test_bleurt_is_the_logit_of_the_best_reference(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "bleurt", "scorer")
    import torch
    import transformers

    model: Any = transformers.BertForSequenceClassification.from_pretrained(folder).eval()
    tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder)
    logits = []
    for reference in QUESTION.references:
        with torch.no_grad():
            logits.append(float(model(**tokenizer(reference, "paint is cool", return_tensors="pt")).logits[0, 0]))
    metric = Bleurt(str(folder))
    assert metric.count(QUESTION, say("paint is cool")) == pytest.approx(100 * max(logits), abs=1e-3)
    assert math.isnan(metric.count(Question("2", "why ?"), say("paint")))
    assert metric.count(QUESTION, say("paint " * 200)) == metric.count(QUESTION, say("paint " * 300))


def test_rank_gen_is_the_dot_product_of_first_vectors_through_the_matrix(tmp_path: Path) -> None:
    folder = make_rank_gen(tmp_path / "rankgen")
    import torch
    import transformers
    from safetensors.torch import load_file

    tensors = load_file(folder / "model.safetensors")
    body: Any = transformers.T5EncoderModel(transformers.AutoConfig.from_pretrained(folder)).eval()
    body.load_state_dict(
        {name.removeprefix("t5_encoder."): t for name, t in tensors.items() if "." in name}, strict=False
    )
    tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder)
    vectors = []
    for text in (f"pre {QUESTION.text}", "suffi white is cheap"):
        with torch.no_grad():
            first = body(**tokenizer(text, return_tensors="pt")).last_hidden_state[0, 0]
        vectors.append(torch.nn.functional.linear(first, tensors["projection.weight"]))
    metric = RankGen(str(folder))
    assert metric.count(QUESTION, say("white is cheap")) == pytest.approx(float(vectors[0] @ vectors[1]), rel=1e-4)
    assert math.isnan(metric.count(QUESTION, say(" ")))


def test_a_folder_of_another_kind_is_named(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "t5", "t5")
    with pytest.raises(BadInput, match=r"is no RankGen: it has no weights named projection\.weight"):
        RankGen(str(folder)).count(QUESTION, say("white"))


@pytest.mark.parametrize("name", ["BartScore", "Bleurt", "RankGen", "BertScore"])
def test_a_missing_folder_is_one_clear_line(name: str, tmp_path: Path) -> None:
    metric = build("score", f"{name}(folder={str(tmp_path / 'none')!r})")
    with pytest.raises(UserError, match=r"is not the folder of a model: it has no config\.json"):
        metric.count(QUESTION, say("white"))


@pytest.mark.parametrize(
    ("spec", "instead"),
    [("BertScore()", "MiniLmBertScore()"), ("RankGen()", "Similarity()"), ("QaFactEval()", "Factuality()")],
)
def test_without_a_folder_the_weights_that_can_be_had_stand_in_under_their_own_name(spec: str, instead: str) -> None:
    assert repr(build("score", spec)).startswith(instead[:-1])


def test_a_tokenizer_that_is_missing_is_named(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "bleurt", "scorer")
    for file in folder.glob("*token*"):
        file.unlink()
    with pytest.raises(BadInput, match=r"add its tokenizer\.json"):
        Bleurt(str(folder)).count(QUESTION, say("white"))
