"""BERTScore: held against the definition in plain loops, with idf, rescaling, and any encoder's folder."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import BadInput, UserError
from expound.models import exported_encoder
from expound.models.exported_encoder import unit_rows
from expound.models.token_vectors import FolderTokens, TokenVectors, open_token_encoder
from expound.score.bert_score import BertScore, match_tokens, rarity_of
from expound.score.minilm_bert_score import MiniLmBertScore
from expound.types import Answer, Prediction, Question
from models.tiny_folders import make_folder

QUESTION = Question("1", "why are boats white ?", references=("white paint is cheap .", "the harbour is deep ."))


def say(text: str) -> Prediction:
    return Prediction("1", QUESTION.text, "demo", Answer(text))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(make_folder(tmp_path_factory.mktemp("encoder"), "encoder"))


def tokens(seed: int, count: int) -> TokenVectors:
    vectors = unit_rows(np.random.default_rng(seed).normal(size=(count + 2, 5)).astype(np.float32))
    ids = np.random.default_rng(seed + 1).integers(10, 14, size=count).tolist()
    return TokenVectors((1, *ids, 2), vectors, (True, *(False,) * count, True))


def plain_mean(one: TokenVectors, other: TokenVectors, rarity: dict[int, float]) -> float:
    """The definition: each token's best cosine, weighed."""
    total = weight = 0.0
    for token, vector, is_mark in zip(one.ids, one.vectors, one.is_mark, strict=True):
        share = 0.0 if is_mark else rarity.get(token, 1.0)
        total += share * max(float(np.dot(vector, theirs)) for theirs in other.vectors)
        weight += share
    return total / weight


@given(seed=st.integers(0, 999), one=st.integers(1, 6), other=st.integers(1, 6), is_weighed=st.booleans())
def test_matching_is_the_definition(seed: int, one: int, other: int, is_weighed: bool) -> None:
    answer, reference = tokens(seed, one), tokens(seed + 5000, other)
    rarity = {10: 0.5, 11: 2.0, 12: 1.5, 13: 0.25} if is_weighed else {}
    precision, recall = plain_mean(answer, reference, rarity), plain_mean(reference, answer, rarity)
    found = match_tokens(answer, reference, rarity or None)
    assert found.precision == pytest.approx(precision, abs=1e-6)
    assert found.recall == pytest.approx(recall, abs=1e-6)
    assert found.f1 == pytest.approx(2 * precision * recall / (precision + recall), rel=1e-4)


def test_rare_tokens_count_more_and_unknown_ones_most() -> None:
    rarity = rarity_of([[1, 7, 7, 2], [1, 8, 2], [1, 7, 2]])
    assert rarity[1] == 0
    assert rarity[7] == pytest.approx(math.log(4 / 3))
    assert rarity[8] == pytest.approx(math.log(4 / 2))
    assert rarity[99] == pytest.approx(math.log(4))


def test_an_answer_that_is_a_reference_is_perfect_and_the_best_reference_counts(folder: str) -> None:
    metric = BertScore(folder=folder)
    assert metric.count(QUESTION, say("the harbour is deep .")) == pytest.approx(100, abs=1e-3)
    assert metric.count(QUESTION, say("boats are cool ?")) < 99


def test_an_empty_answer_is_worth_nothing_and_no_reference_is_no_number(folder: str) -> None:
    metric = BertScore(folder=folder)
    assert metric.count(QUESTION, say("  ")) == 0
    assert math.isnan(metric.count(Question("2", "why ?"), say("paint")))


def test_a_layer_is_that_of_the_whole_model(folder: str) -> None:
    import torch
    import transformers

    model = transformers.AutoModel.from_pretrained(folder).eval()
    ids = transformers.AutoTokenizer.from_pretrained(folder)("white paint", return_tensors="pt")["input_ids"]
    with torch.no_grad():
        layers = model(ids, output_hidden_states=True).hidden_states
    for layer in (1, 2, 3):
        ours = open_token_encoder(folder, layer).encode("white paint")
        assert ours.vectors == pytest.approx(unit_rows(layers[layer][0].numpy()), abs=1e-5)


def test_an_encoder_is_exported_once_and_then_read_without_torch(
    folder: str, expound_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = FolderTokens(Path(folder), 0).encode("the harbour is deep")
    assert len(list(expound_home.glob("cache/encoders/*.onnx"))) == 1
    monkeypatch.setattr(FolderTokens, "_load", lambda self: pytest.fail("loaded again"))
    again = FolderTokens(Path(folder), 0).encode("the harbour is deep")
    assert np.array_equal(first.vectors, again.vectors)


def test_an_encoder_that_cannot_be_exported_is_read_by_torch(
    folder: str, expound_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported = FolderTokens(Path(folder), 2).encode("white paint")
    shutil.rmtree(expound_home / "cache")
    # No number is so near: whatever is exported is taken for wrong.
    monkeypatch.setattr(exported_encoder, "_TOLERANCE", -1.0)
    by_torch = FolderTokens(Path(folder), 2).encode("white paint")
    assert not list(expound_home.glob("cache/encoders/*"))
    assert by_torch.ids == exported.ids
    assert by_torch.vectors == pytest.approx(exported.vectors, abs=1e-5)


def test_a_layer_that_is_not_there_is_refused(folder: str) -> None:
    with pytest.raises(UserError, match="has 3 layers, not 4; take one of 1 to 3"):
        FolderTokens(Path(folder), 4)


def test_rescaling_moves_the_baseline_to_zero(folder: str, tmp_path: Path) -> None:
    plain = BertScore(folder=folder, layer=2).match("white paint", "boats are cool")
    file = tmp_path / "baseline.tsv"
    file.write_text(f"LAYER,P,R,F\n1,0.1,0.1,0.1\n2,{plain.precision},{plain.recall},{plain.f1}\n", encoding="utf-8")
    rescaled = BertScore(folder=folder, layer=2, baseline=str(file))
    assert rescaled.match("white paint", "boats are cool") == pytest.approx((0, 0, 0), abs=1e-6)
    assert rescaled.match("white paint", "white paint") == pytest.approx((1, 1, 1), abs=1e-5)
    assert rescaled.options["rescaled"] == "yes"


@pytest.mark.parametrize("text", ["", "a,b\nc", "LAYER,P,R,F\n1,x,1,1"])
def test_a_file_that_is_no_baseline_is_named(folder: str, tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.tsv").write_text(text, encoding="utf-8")
    with pytest.raises((BadInput, UserError), match=r"odd\.tsv"):
        BertScore(folder=folder, layer=1, baseline=str(tmp_path / "odd.tsv")).match("white", "paint")


def test_idf_is_taken_of_a_datasets_references(folder: str, tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    rows = [f'{{"question": "q{n}", "references": ["white paint {word}"]}}' for n, word in enumerate(("is", "are"))]
    file.write_text("\n".join(rows), encoding="utf-8")
    weighed = BertScore(folder=folder, idf=f"qa:{file}")
    # All references have both words: only the third can count.
    assert weighed.match("white paint is", "cool paint is") == pytest.approx((1.0, 1.0, 1.0), abs=0.6)
    assert weighed.match("white paint is", "white paint") != BertScore(folder=folder).match(
        "white paint is", "white paint"
    )
    assert "idf" in weighed.options


def test_the_signature_names_the_weights(folder: str) -> None:
    metric = BertScore(folder=folder)
    assert metric.options["weights"] == metric.weights[:12]


def test_minilm_prefers_what_says_the_same(use_resources: Callable[..., dict[str, Path]]) -> None:
    use_resources("minilm", "minilm-tokenizer")
    question = Question("1", "Why are boats white?", references=("White paint is cheap and stays cool in the sun.",))
    near, far = "Paint that is white costs little and keeps cool.", "The parliament met on a Tuesday in October."
    metric = MiniLmBertScore()
    assert metric.count(question, say(near)) > metric.count(question, say(far)) + 10
    assert metric.options["weights"] == "8199be6f699a"
