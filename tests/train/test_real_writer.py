"""A real writer: its adapter says in llama.cpp what it says in torch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from expound.models.likelihoods import open_likelihood
from expound.train.data.writer_files import WriterRow, write_writer_rows
from expound.train.description import TrainingFiles
from expound.train.training_settings import WRITER, WriterSettings
from expound.train.writer_request import WriterRequest, train_writer

ANSWER = "Teal lanterns were hung from the harbour wall, since fishermen could not see the pier at night."


@pytest.mark.slow
def test_an_adapter_is_the_same_in_llama_and_in_torch(
    use_resources: Callable[..., dict[str, Path]], has_torch: None, tmp_path: Path
) -> None:
    pytest.importorskip("xllamacpp")
    pytest.importorskip("peft")
    use_resources("smollm2-135m")
    write_writer_rows(tmp_path / "rows.jsonl", [WriterRow("Why were lanterns hung there?", ANSWER)])
    settings = replace(WRITER, steps=6, learning_rate=2e-3, batch=1, threads=1)
    request = WriterRequest(TrainingFiles((tmp_path / "rows.jsonl",), ()), settings, WriterSettings(lora=4))
    train_writer(request, tmp_path / "run")
    names = ("smollm2-135m", f"smollm2-135m+{tmp_path}/run/adapter.gguf", f"{tmp_path}/run/model")
    before, after, in_torch = (sum(open_likelihood(name).log_probabilities(ANSWER)) for name in names)
    assert after > before + 10
    # Both are of the same quantised base, computed in other ways.
    assert after == pytest.approx(in_torch, abs=2)
