"""Export: int8 weights, float arithmetic, and the logits of the trained model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tinybert import GROUPS, write_base

from expound.train import int8
from expound.train.export import LogitsDiffer, compare_logits, export_float32, export_ranker, onnx_logits
from expound.train.int8 import to_int8
from expound.train.ranker import Encoder, Pair, Settings, score_pairs, train


@pytest.mark.parametrize("axis", [0, 1])
def test_int8_weights_come_back_within_half_a_step(axis: int) -> None:
    weights = np.random.default_rng(1).normal(size=(40, 30)).astype(np.float32)
    values, scales = to_int8(weights, axis=axis)
    assert values.dtype == np.int8
    assert scales.shape == ((1, 30) if axis == 0 else (40, 1))
    assert np.all(np.abs(values * scales - weights) <= scales * 0.5001)


def test_a_column_of_zeros_stays_zero() -> None:
    values, scales = to_int8(np.zeros((3, 2), np.float32), axis=0)
    assert not (values * scales).any()
    assert np.isfinite(scales).all()


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, list[Pair]]:
    """A tiny model after a few steps, and pairs to compare logits on."""
    for library in ("torch", "transformers", "onnx"):
        pytest.importorskip(library)
    monkeypatch.setattr(int8, "FEWEST_WEIGHTS", 500)  # the tiny model has no matrix as large as the real limit
    base = write_base(tmp_path / "base")
    settings = Settings(steps=20, groups_per_step=6, learning_rate=3e-3, threads=1, checkpoint_every=20)
    model, encoder = train(GROUPS, settings, base=base, out=tmp_path / "run"), Encoder(base)
    return model, [encoder.pair(g.question, text) for g in GROUPS for text in (*g.positives, *g.negatives)]


def test_the_float_file_scores_as_the_model(trained: tuple[Any, list[Pair]], tmp_path: Path) -> None:
    model, pairs = trained
    export_float32(model, tmp_path / "float.onnx")
    assert compare_logits(model, tmp_path / "float.onnx", pairs).largest < 1e-4


def test_the_int8_file_scores_almost_as_the_model(trained: tuple[Any, list[Pair]], tmp_path: Path) -> None:
    model, pairs = trained
    parity = export_ranker(model, tmp_path / "ranker.onnx", check=pairs)
    spread = float(np.std(score_pairs(model, pairs)))
    assert 0 < parity.mean <= parity.largest < 0.1 * spread
    assert compare_logits(model, tmp_path / "ranker.onnx", pairs) == parity


def test_looked_up_and_multiplied_matrices_are_int8(trained: tuple[Any, list[Pair]], tmp_path: Path) -> None:
    import onnx

    model, pairs = trained
    export_ranker(model, tmp_path / "ranker.onnx", check=pairs)
    weights = onnx.load(str(tmp_path / "ranker.onnx")).graph.initializer
    int8 = {item.name for item in weights if item.data_type == onnx.TensorProto.INT8}
    assert any("word_embeddings" in name for name in int8)
    assert any("pooler" in name for name in int8)
    assert len(int8) >= 2 * 6 + 2  # six matrices a layer, the word vectors and the pooler
    large = [
        w for w in weights if w.data_type == onnx.TensorProto.FLOAT and np.prod(w.dims) >= 500 and len(w.dims) == 2
    ]
    assert not large


def test_a_score_does_not_depend_on_its_batch(trained: tuple[Any, list[Pair]], tmp_path: Path) -> None:
    import onnxruntime

    from expound.train.ranker import padded

    model, pairs = trained
    export_ranker(model, tmp_path / "ranker.onnx", check=pairs)
    session = onnxruntime.InferenceSession(str(tmp_path / "ranker.onnx"), providers=["CPUExecutionProvider"])
    together = session.run(["logits"], {name: value.numpy() for name, value in padded(pairs).items()})[0]
    assert together == pytest.approx(onnx_logits(tmp_path / "ranker.onnx", pairs), abs=1e-4)


def test_a_file_that_scores_otherwise_is_not_written(trained: tuple[Any, list[Pair]], tmp_path: Path) -> None:
    model, pairs = trained
    (tmp_path / "ranker.onnx").write_bytes(b"the one before")
    with pytest.raises(LogitsDiffer, match="not written"):
        export_ranker(model, tmp_path / "ranker.onnx", check=pairs, tolerance=0.0)
    assert (tmp_path / "ranker.onnx").read_bytes() == b"the one before"
    assert not list(tmp_path.glob("*.part"))


def test_training_goes_on_from_an_exported_file(trained: tuple[Any, list[Pair]], tmp_path: Path) -> None:
    from expound.train.warm_start import load_shipped

    model, pairs = trained
    export_ranker(model, tmp_path / "ranker.onnx", check=pairs)
    expected = score_pairs(model, pairs)
    for parameter in model.parameters():
        parameter.data.zero_()
    assert score_pairs(load_shipped(model, tmp_path / "ranker.onnx"), pairs) == pytest.approx(expected, abs=0.2)
