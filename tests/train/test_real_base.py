"""The real MiniLM under each kind of head: a few steps on the made-up town, and what comes out runs in the product."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from expound.train import TrainingFiles, TrainingRequest, TrainingSettings, fulfil
from expound.train.smoke import smoke_files
from expound.train.training_settings import RANKER, READER, RETRIEVER, TAGGER

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("has_torch")]
Use = Callable[..., dict[str, Path]]


def trained(kind: str, settings: TrainingSettings, folder: Path) -> dict[str, Any]:
    """The figures of twelve steps on the town; the loss has fallen by a third."""
    few = replace(settings, steps=12, threads=1, measure_every=12, log_every=3, head_learning_rate=5e-3)
    files: TrainingFiles = smoke_files(kind, folder / "town")
    request = TrainingRequest(kind=kind, files=files, base="minilm-float32", settings=few, most_tokens=48)
    figures = fulfil(request, folder / "run")
    records = [json.loads(line) for line in (folder / "run" / "log.jsonl").read_text().splitlines()]
    losses = [record["loss"] for record in records if "loss" in record]
    assert losses[-1] < losses[0] * 2 / 3
    return figures


@pytest.fixture
def tokenizer(use_resources: Use) -> Path:
    return use_resources("minilm-float32", "minilm-tokenizer")["minilm-tokenizer"]


def test_a_reader_reads(tokenizer: Path, tmp_path: Path) -> None:
    from expound.models.reader import SpanReader

    trained("reader", READER, tmp_path)
    reader = SpanReader(tmp_path / "run" / "reader.onnx", tokenizer, threads=1)
    assert len(reader.read([("who built the mill ?", "the mill was built by tove .")])) == 1


def test_a_ranker_ranks(tokenizer: Path, tmp_path: Path) -> None:
    from expound.models.ranker import CrossEncoder

    trained("ranker", RANKER, tmp_path)
    ranker = CrossEncoder(tmp_path / "run" / "ranker.onnx", tokenizer, threads=1)
    right, wrong = ranker.rank("who built the mill", ["the mill was built by tove .", "tove is in the old town ."])
    assert right > wrong


def test_a_retriever_embeds(tokenizer: Path, tmp_path: Path) -> None:
    from expound.models.embedder import MiniLM

    figures = trained("retriever", replace(RETRIEVER, learning_rate=1e-4), tmp_path)
    assert figures["mrr"] > 10 * figures["by_chance"]
    embedder = MiniLM(tmp_path / "run" / "embedder.onnx", tokenizer, threads=1)
    question, right, wrong = embedder.embed(
        ["who built the mill of tove ?", "the mill of tove was built by mira .", "olan is in the old town ."]
    )
    assert question @ right > question @ wrong


def test_a_tagger_tags(tokenizer: Path, tmp_path: Path) -> None:
    from expound.models.embedder import open_session

    trained("tagger", TAGGER, tmp_path)
    names = [output.name for output in open_session(tmp_path / "run" / "tagger.onnx", 1).get_outputs()]
    assert names == ["logits"]
    assert len(json.loads((tmp_path / "run" / "tags.json").read_text())) == 3
