"""Export: int8 weights, float arithmetic, and the logits of the trained model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from expound.train import int8
from expound.train.int8 import to_int8
from expound.train.kinds.ranker_kind import ONE_LOGIT, RankerKind
from expound.train.loop import fit
from expound.train.onnx_export import LogitsDiffer, compare_outputs, export_float32, export_onnx
from expound.train.training_settings import RANKER
from train.tinybert import GROUPS, write_base


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


class Trained:
    """A tiny ranker after a few steps, and rows to compare logits on."""

    def __init__(self, folder: Path) -> None:
        self.kind = RankerKind(GROUPS, (), write_base(folder / "base"))
        settings = replace(RANKER, steps=20, batch=6, learning_rate=3e-3, threads=1)
        self.model = fit(self.kind, settings, folder / "run").model
        self.encoder = self.kind.encoder
        self.rows = [self.kind.row(group.question, text) for group in GROUPS for text in group.texts]

    def scores(self, model: Any = None) -> Any:
        found = [self.kind.score(model or self.model, group.question, group.texts) for group in GROUPS]
        return np.concatenate(found)


@pytest.fixture
def trained(has_torch: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trained:
    monkeypatch.setattr(int8, "FEWEST_WEIGHTS", 500)  # the tiny model has no matrix as large as the real limit
    return Trained(tmp_path)


def export(trained: Trained, path: Path, tolerance: float = 0.5) -> Any:
    outputs = replace(ONE_LOGIT, tolerance=tolerance)
    return export_onnx(trained.model, path, outputs, encoder=trained.encoder, check=trained.rows)


def compare(trained: Trained, path: Path) -> Any:
    return compare_outputs(trained.model, path, ONE_LOGIT, encoder=trained.encoder, rows=trained.rows)


def test_the_float_file_scores_as_the_model(trained: Trained, tmp_path: Path) -> None:
    export_float32(trained.model, tmp_path / "float.onnx", ONE_LOGIT, encoder=trained.encoder)
    assert compare(trained, tmp_path / "float.onnx").largest < 1e-4


def test_the_int8_file_scores_almost_as_the_model(trained: Trained, tmp_path: Path) -> None:
    parity = export(trained, tmp_path / "ranker.onnx")
    assert 0 < parity.mean <= parity.largest < 0.1 * float(np.std(trained.scores()))
    assert compare(trained, tmp_path / "ranker.onnx") == parity


def test_looked_up_and_multiplied_matrices_are_int8(trained: Trained, tmp_path: Path) -> None:
    import onnx

    export(trained, tmp_path / "ranker.onnx")
    weights = onnx.load(str(tmp_path / "ranker.onnx")).graph.initializer
    int8 = {item.name for item in weights if item.data_type == onnx.TensorProto.INT8}
    assert any("word_embeddings" in name for name in int8)
    assert any("pooler" in name for name in int8)
    assert len(int8) >= 2 * 6 + 2  # six matrices a layer, the word vectors and the pooler
    large = [
        w for w in weights if w.data_type == onnx.TensorProto.FLOAT and np.prod(w.dims) >= 500 and len(w.dims) == 2
    ]
    assert not large


def test_a_score_does_not_depend_on_its_batch(trained: Trained, tmp_path: Path) -> None:
    from expound.models.embedder import open_session

    export(trained, tmp_path / "ranker.onnx")
    session = open_session(tmp_path / "ranker.onnx", 1)

    def run(rows: Any) -> Any:
        padded = trained.encoder.pad(rows)
        return session.run(["logits"], {name: value.numpy() for name, value in padded.items()})[0]

    alone = np.concatenate([run([row]) for row in trained.rows])
    assert run(trained.rows) == pytest.approx(alone, abs=1e-4)


def test_a_file_that_scores_otherwise_is_not_written(trained: Trained, tmp_path: Path) -> None:
    (tmp_path / "ranker.onnx").write_bytes(b"the one before")
    with pytest.raises(LogitsDiffer, match="not written"):
        export(trained, tmp_path / "ranker.onnx", tolerance=-1.0)
    assert (tmp_path / "ranker.onnx").read_bytes() == b"the one before"
    assert not list(tmp_path.glob("*.part"))


def test_a_model_that_int8_would_change_too_much_is_written_in_float32(trained: Trained, tmp_path: Path) -> None:
    small = export(trained, tmp_path / "small.onnx")
    exact = export(trained, tmp_path / "exact.onnx", tolerance=small.largest / 2)
    assert exact.largest < 1e-4 < small.largest
    assert (tmp_path / "exact.onnx").stat().st_size > (tmp_path / "small.onnx").stat().st_size


def test_an_exported_file_is_a_base_again(trained: Trained, tmp_path: Path) -> None:
    from expound.train.bases import load_base
    from expound.train.shipped_weights import save_shipped

    export(trained, tmp_path / "ranker.onnx")
    expected, base = trained.scores(), write_base(tmp_path / "again")
    save_shipped(tmp_path / "ranker.onnx", base / "model.safetensors")
    model = load_base(base, "SequenceClassification", num_labels=1)
    assert trained.scores(model) == pytest.approx(expected, abs=0.2)
